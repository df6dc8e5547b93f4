# SPDX-License-Identifier: MIT
while True:
    pass
