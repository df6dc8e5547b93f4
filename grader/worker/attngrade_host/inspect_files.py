# SPDX-License-Identifier: MIT
"""What the files of a submission import and define, without running them.

Run by the grader as a program: ROOT LIST FIRST NAMES, where the file LIST names
files below the folder ROOT, each followed by a NUL. Prints "ready", then a line
of JSON for each from number FIRST on in that order, {"imports", "uses",
"definitions", "cut", "device"}. A file that cannot be parsed has none of them;
loading it will say why. "cut" says why one was too much for the parser, or
nothing. Then comes what call_scan.py finds of the library functions in NAMES, a
JSON object of names and their other names, and "done".
"""

import ast
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from attngrade_host.call_scan import Scan  # noqa: E402
from attngrade_host.frameworks import built_on  # noqa: E402
from attngrade_host.imports import (collect_imports,  # noqa: E402
                                    mentions_device, top_level_bindings)
from attngrade_host.loading import read_source  # noqa: E402
from attngrade_host.notebook import (is_notebook, parse_cells,  # noqa: E402
                                     read_cells)
sys.path.pop(0)


def local_modules(names):
    """Names under which the files can import each other."""
    found = set()
    for name in names:
        parts = name.split("/")
        found.update(parts[:-1])
        found.add(os.path.splitext(parts[-1])[0])
    return found


def parse_file(path):
    return (parse_cells(read_cells(path)) if is_notebook(path)
            else ast.parse(read_source(path)))


def inspect_tree(tree, local):
    imports = collect_imports(tree)
    needed = imports.needed - local
    return {"imports": sorted(needed | built_on(needed)),
            "uses": sorted(imports.needed & local | imports.relative),
            "definitions": sorted(top_level_bindings(tree)), "cut": "",
            "device": mentions_device(tree)}


def inspect(root, list_of_names, first, watched):
    """The words of the command line."""
    with open(list_of_names, "rb") as file:
        names = [os.fsdecode(name) for name in file.read().split(b"\0")[:-1]]
    local = local_modules(names)
    print("ready", flush=True)
    scan = Scan(json.loads(watched))
    for name in names[int(first):]:
        tree = None
        found = {"imports": [], "uses": [], "definitions": [], "cut": "",
                 "device": False}
        try:
            tree = parse_file(os.path.join(root, name))
            found = inspect_tree(tree, local)
        except (MemoryError, RecursionError) as error:
            found["cut"] = "it is too much for the parser: %s" % (
                type(error).__name__)
        except Exception:
            pass
        # At once: what comes next may be more than this process can take.
        print(json.dumps(found), flush=True)
        if tree is not None:
            scan.add(name, tree)
    print(json.dumps(scan.found()))
    print("done", flush=True)


if __name__ == "__main__":
    inspect(*sys.argv[1:])
