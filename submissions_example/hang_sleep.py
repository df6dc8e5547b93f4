import time


def attention(q, k, v):
    while True:
        time.sleep(3600)
