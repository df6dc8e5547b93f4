# SPDX-License-Identifier: MIT
"""A package that imports itself by its name.

`from mypkg.helpers import softmax` in mypkg/attention.py works for whoever
stands beside mypkg. Where that very folder was handed in, or all of an archive
was in it, its name is not there any more: the name then stands for the folder.
"""

import ast
import importlib.machinery
import importlib.util
import os
import sys

from attngrade_host.imports import collect_imports, top_level_bindings

MOST_FILES = 200


def parse(path):
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def python_files(root):
    found = []
    for folder, _, names in os.walk(root):
        found += [os.path.join(folder, name) for name in names
                  if name.endswith(".py")]
        if len(found) > MOST_FILES:
            break
    return found[:MOST_FILES]


def initial(root):
    return os.path.join(root, "__init__.py")


def local_names(root):
    """What the folder as a package would have: its modules, and what its
    __init__.py binds or imports."""
    tree = parse(initial(root))
    names = {os.path.splitext(entry)[0] for entry in os.listdir(root)}
    names |= set(top_level_bindings(tree))
    names |= {alias.asname or alias.name for node in ast.walk(tree)
              if isinstance(node, ast.ImportFrom) for alias in node.names}
    return names - {"__init__"}


def names_of_folder(missing, root):
    """Those of the missing modules of which only what the folder has is used."""
    used = {}
    for path in python_files(root):
        for imported in collect_imports(parse(path)).paths:
            top, _, rest = imported.partition(".")
            if top in missing and rest:
                used.setdefault(top, set()).add(rest.split(".")[0])
    local = local_names(root) if used else set()
    return {top for top, parts in used.items() if parts <= local}


def install(name, root):
    """The folder as the package of that name."""
    if os.path.exists(initial(root)):
        spec = importlib.util.spec_from_file_location(
            name, initial(root), submodule_search_locations=[root])
    else:
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [root]
    sys.meta_path.append(OneSpec(name, spec))


class OneSpec:
    """Asked after everything that is installed."""

    def __init__(self, name, spec):
        self.name = name
        self.spec = spec

    def find_spec(self, name, path=None, target=None):
        return self.spec if name == self.name else None
