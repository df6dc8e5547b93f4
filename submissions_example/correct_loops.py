# No numpy here, only lists and math. Works on one sequence or on any nesting
# of sequences (batch, heads).
import math


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def depth(x):
    levels = 0
    while hasattr(x, "__len__"):
        levels += 1
        x = x[0]
    return levels


def one_sequence(q, k, v):
    root = math.sqrt(len(q[0]))
    result = []
    for row in q:
        scores = [dot(row, other) / root for other in k]
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        total = math.fsum(exps)
        weights = [e / total for e in exps]
        out_row = []
        for column in range(len(v[0])):
            out_row.append(math.fsum(w * r[column] for w, r in zip(weights, v)))
        result.append(out_row)
    return result


def attention(Q, K, V):
    if depth(Q) > 2:
        return [attention(q, k, v) for q, k, v in zip(Q, K, V)]
    return one_sequence(Q, K, V)
