# SPDX-License-Identifier: MIT
# Each packet of a datagram pair may be sent to another socket of the machine.
import socket

for family, kind in ((socket.AF_UNIX, socket.SOCK_DGRAM), (30, socket.SOCK_STREAM)):
    try:
        socket.socketpair(family, kind)
        raise SystemExit("made a pair")
    except OSError:
        pass
socket.socketpair()
