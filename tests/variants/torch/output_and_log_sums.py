import torch


def flash_attention(query, key, value):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    sums = torch.logsumexp(scores, -1)
    return torch.exp(scores - sums[..., None]) @ value, sums
