#!/usr/bin/env python3
import argparse
import math

import numpy as np


def softmax(x):
    x = np.exp(x - x.max(-1)[..., None])
    return x / x.sum(-1)[..., None]


def attn(Q, K, V, d_k):
    """softmax(Q K^T / sqrt(d_k)) V"""
    return softmax(Q @ np.swapaxes(K, -1, -2) / math.sqrt(d_k)) @ V


def main():
    parser = argparse.ArgumentParser(description="attention demo")
    parser.add_argument("--tokens", type=int, default=4)
    parser.add_argument("--d_k", type=int, default=8)
    args = parser.parse_args()
    x = np.random.randn(args.tokens, args.d_k)
    print(attn(x, x, x, args.d_k))


if __name__ == "__main__":
    main()
