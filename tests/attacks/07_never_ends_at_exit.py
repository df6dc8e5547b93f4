# SPDX-License-Identifier: MIT
import atexit
class Endless:
    def __del__(self):
        while True:
            pass
endless = Endless()
@atexit.register
def never():
    while True:
        pass
