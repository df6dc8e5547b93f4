# SPDX-License-Identifier: MIT
# Files that were sent and not received count for the user, and every cell is
# run by the same one: the next cell could not be started.
import array
import socket
import time

PAIRS = []
NULL = open("/dev/null")
try:
    for _ in range(100):
        PAIRS.append(socket.socketpair())
        while True:
            PAIRS[-1][0].sendmsg(
                [b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                          array.array("i", [NULL.fileno()] * 200))],
                socket.MSG_DONTWAIT)
except OSError:
    pass
time.sleep(1)
