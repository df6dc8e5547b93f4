# no libraries allowed in the exercise, so plain lists
import math


def dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


def softmax(row):
    biggest = max(row)
    e = [math.exp(value - biggest) for value in row]
    s = sum(e)
    return [value / s for value in e]


def compute_attention(queries, keys, values):
    root = math.sqrt(len(queries[0]))
    answer = []
    for query in queries:
        weights = softmax([dot(query, key) / root for key in keys])
        mixed = [0.0] * len(values[0])
        for j in range(len(values)):
            for c in range(len(mixed)):
                mixed[c] += weights[j] * values[j][c]
        answer.append(mixed)
    return answer
