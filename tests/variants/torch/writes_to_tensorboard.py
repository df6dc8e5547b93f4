"""Its log is nothing to us."""
import torch
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter("runs/attention")
writer.add_scalar("loss", 0.25, 1)


def attention(q, k, v, head_dim=1):
    weights = torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, -1)
    mean = weights.mean(head_dim) if weights.dim() == 4 else weights
    return weights @ v, mean
