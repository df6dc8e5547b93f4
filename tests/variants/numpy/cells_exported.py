#!/usr/bin/env python
# coding: utf-8

# # Attention
# In[1]:


import numpy as np
from numpy import exp, sqrt


# In[2]:


def softmax(z):
    return exp(z - z.max(-1, keepdims=True)) / exp(z - z.max(-1, keepdims=True)).sum(-1, keepdims=True)


# In[3]:


# first version, does not know about batches
def attention(q, k, v):
    return softmax(q @ k.T / sqrt(len(k))) @ v


# In[4]:


tokens = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
attention(tokens, tokens, tokens)


# In[5]:


# better
def attention(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) / sqrt(k.shape[-1])) @ v


# In[6]:


for size in (1, 2, 3):
    print(size, attention(tokens[:size], tokens, tokens).round(2))
