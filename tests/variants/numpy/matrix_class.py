from numpy import asmatrix, exp, sqrt

def softmax(s):
    s = exp(s - s.max(axis=1))
    return s / s.sum(axis=1)

def attention(q, k, v):
    q, k, v = map(asmatrix, (q, k, v))
    return softmax(q * k.T / sqrt(q.shape[1])) * v
