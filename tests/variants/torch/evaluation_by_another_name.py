import torch
import torch.nn.functional as F


class Attention:
    """Neither a module nor without a switch."""

    def __init__(self, dropout=0.5):
        self.dropout = dropout
        self.is_on = True

    def eval(self):
        self.is_on = False

    def __call__(self, query, key, value, is_train=True):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = F.dropout(torch.softmax(scores, -1), self.dropout,
                            self.is_on or is_train)
        return weights @ value
