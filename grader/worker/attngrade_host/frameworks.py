# SPDX-License-Identifier: MIT
"""Which library a function computes with: numpy, torch or jax.

Told from the syntax tree, not by running: the names that the function uses, and
those that the functions it refers to use, down to the imports that bind them. A
file that imports torch only to compare its own numbers is a numpy submission.
"""

import ast

from attngrade_host.imports import names_used

FRAMEWORKS = ("torch", "jax", "numpy")
# Libraries whose tensors are those of another.
BUILT_ON = {"torchvision": "torch", "functorch": "torch", "lightning": "torch",
            "pytorch_lightning": "torch", "flax": "jax", "haiku": "jax",
            "equinox": "jax", "optax": "jax", "chex": "jax", "scipy": "numpy"}


def framework_of(module_name):
    top = module_name.split(".")[0]
    return top if top in FRAMEWORKS else BUILT_ON.get(top)


def imported_names(tree):
    """{name: framework} of every import, wherever it stands."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.split(".")[0]
                names[bound] = framework_of(alias.name)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            for alias in node.names:
                names[alias.asname or alias.name] = framework_of(node.module)
    return {name: found for name, found in names.items() if found}


def first_of(found, default):
    for framework in FRAMEWORKS:
        if framework in found:
            return framework
    return default


class Frameworks:
    """Of the functions of one file; `bindings` are those of its tree, `needed`
    the modules that it imports, `loaded` names the libraries that the whole
    submission imports."""

    def __init__(self, tree, bindings, needed, loaded):
        self.imported = imported_names(tree)
        self.bindings = bindings
        needed = set(map(framework_of, needed))
        self.default = first_of(needed & set(FRAMEWORKS) or set(loaded),
                                "numpy")

    def of(self, name):
        """The framework of the function or class that is bound to `name`."""
        seen, todo, found = set(), [name], set()
        while todo:
            statement = self.bindings.get(todo.pop())
            if statement is None:
                continue
            for used in names_used(statement) - seen:
                seen.add(used)
                todo.append(used)
                if used in self.imported:
                    found.add(self.imported[used])
        return first_of(found, self.default)
