# SPDX-License-Identifier: MIT
import socket
def attempt(family, kind, address):
    try:
        end = socket.socket(family, kind)
        end.settimeout(2)
        end.connect(address)
        print("REACHED:", address)
    except OSError:
        pass
attempt(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", @PORT@))
attempt(socket.AF_INET, socket.SOCK_DGRAM, ("1.1.1.1", 53))
attempt(socket.AF_UNIX, socket.SOCK_STREAM, "/run/docker.sock")
attempt(socket.AF_UNIX, socket.SOCK_STREAM, "\0attngrade-attack")
try:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
    print("REACHED: netlink")
except OSError:
    pass
