import torch
import torch.nn as nn
import torch.nn.functional as F


class multiHeadAttention(nn.Module):
    def __init__(self, dModel, numHeads, dropoutRate=0.1):
        super().__init__()
        self.dModel = dModel
        self.numHeads = numHeads
        self.headDim = dModel // numHeads
        self.queryLayer = nn.Linear(dModel, dModel)
        self.keyLayer = nn.Linear(dModel, dModel)
        self.valueLayer = nn.Linear(dModel, dModel)
        self.dropoutLayer = nn.Dropout(dropoutRate)

    def splitHeads(self, t):
        batchSize, seqLen, _ = t.shape
        return t.view(batchSize, seqLen, self.numHeads, self.headDim).transpose(1, 2)

    def forward(self, inputs):
        q = self.splitHeads(self.queryLayer(inputs))
        k = self.splitHeads(self.keyLayer(inputs))
        v = self.splitHeads(self.valueLayer(inputs))
        attnScores = torch.matmul(q, k.transpose(-2, -1)) / (self.headDim ** 0.5)
        attnProbs = self.dropoutLayer(F.softmax(attnScores, dim=-1))
        context = torch.matmul(attnProbs, v)
        # the concatenation of the heads
        return context.transpose(1, 2).contiguous().view(inputs.shape)
