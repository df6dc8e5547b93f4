# SPDX-License-Identifier: MIT
for name in ("attention.py", "conftest.py", "results.json", "torch.py"):
    try:
        open("@OUTSIDE@/" + name, "w").write("owned")
        print("REACHED:", name)
    except OSError:
        pass
for folder in ("/", "/usr", "/etc", "/usr/lib/python3/dist-packages"):
    try:
        open(folder + "/attngrade-attack", "w").close()
        print("REACHED:", folder)
    except OSError:
        pass
