# SPDX-License-Identifier: MIT
import sys
print("\x1b[2J\x1b]0;owned\x07</script><script>=cmd|'/c calc'!A0\r\0\x9b31m")
sys.stderr.buffer.write(b"\xff\xfe\x80" * 100 + b"x" * 100000)
