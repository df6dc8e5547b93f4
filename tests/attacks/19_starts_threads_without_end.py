# SPDX-License-Identifier: MIT
import threading, time
threading.stack_size(65536)
started = 0
try:
    for started in range(100000):
        threading.Thread(target=time.sleep, args=(1e9,), daemon=True).start()
except RuntimeError:
    pass
if started > 5000:
    print("REACHED: many threads")
