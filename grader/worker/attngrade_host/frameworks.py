# SPDX-License-Identifier: MIT
"""Which library a function computes with: numpy, torch or jax.

Told from the syntax tree, not by running: the names that the function uses, and
those that the functions it refers to use, down to the imports that bind them. A
file that imports torch only to compare its own numbers is a numpy submission.
What only a tensor can do, `scores.softmax(-1)`, decides before that: there
`np.sqrt(d)` is about a number.
"""

import ast
import sys

from attngrade_host.imports import names_used

FRAMEWORKS = ("torch", "jax", "numpy")
# Libraries whose tensors are those of another.
BUILT_ON = {"torchvision": "torch", "functorch": "torch", "lightning": "torch",
            "pytorch_lightning": "torch", "flax": "jax", "haiku": "jax",
            "equinox": "jax", "optax": "jax", "chex": "jax", "scipy": "numpy",
            "keras": "torch"}  # see libraries.choose_backend

# Methods of torch's tensors that numpy's arrays lack.
TORCH_METHODS = {"amax", "baddbmm", "bmm", "chunk", "contiguous", "expand",
                 "expand_as", "float", "log_softmax", "logsumexp", "masked_fill",
                 "masked_fill_", "matmul", "mm", "mul", "permute", "softmax",
                 "type_as", "unbind", "unsqueeze"}


def framework_of(module_name):
    top = module_name.split(".")[0]
    return top if top in FRAMEWORKS else BUILT_ON.get(top)


def built_on(names):
    """What comes with the libraries: jax of {"flax"}. It is loaded before the
    submission is, which may not import it by itself."""
    return {found for found in map(framework_of, names)
            if found in ("torch", "jax")}


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


def imported_by(tree):
    """All names that imports bind, whatever the library."""
    return {(alias.asname or alias.name).split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names}


def is_negative(node):
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def is_torch_method(call):
    """x.softmax(-1), x.size(-1), x.transpose(-2, -1)"""
    name = call.func.attr
    return (name in TORCH_METHODS or name == "size"
            or name == "transpose" and len(call.args) == 2
            and all(map(is_negative, call.args)))


def root_of(node):
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def tensors_used(statement, others):
    """Libraries whose tensors alone can do what is done there; `others` are
    names that stand for modules, classes and the like."""
    found = set()
    for node in ast.walk(statement):
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and is_torch_method(node) and root_of(node.func) not in others):
            found.add("torch")
        elif (isinstance(node, ast.Subscript)
              and isinstance(node.value, ast.Attribute)
              and node.value.attr == "at"):
            found.add("jax")  # x.at[0].set(1)
    return found


def alternatives(tree):
    """{name: definitions between which an `if` or a `try` chooses}"""
    found = {}
    for statement in tree.body:
        if isinstance(statement, (ast.If, ast.Try)):
            below = {}
            for node in ast.walk(statement):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    below.setdefault(node.name, []).append(node)
            found.update(below)
        elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            found.pop(statement.name, None)  # defined again
    return found


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
        self.alternatives = alternatives(tree)
        self.imported = imported_names(tree)
        self.others = imported_by(tree) | {"self", "cls"} | {
            name for name, statement in bindings.items()
            if isinstance(statement, ast.ClassDef)}
        self.bindings = bindings
        self.known = set(self.imported.values()) | set(loaded)
        needed = set(map(framework_of, needed))
        self.default = first_of(needed & set(FRAMEWORKS) or set(loaded),
                                "numpy")

    def of(self, name):
        """The framework of the function or class that is bound to `name`."""
        seen, todo, found, surely = set(), [name], set(), set()
        while todo:
            name = todo.pop()
            if name not in self.bindings:
                continue
            for statement in [self.bindings[name],
                              *self.alternatives.get(name, ())]:
                surely |= tensors_used(statement, self.others)
                for used in names_used(statement) - seen:
                    seen.add(used)
                    todo.append(used)
                    if used in self.imported:
                        found.add(self.imported[used])
        present = set(sys.modules)  # not where an `if` does without it
        return first_of(surely & self.known & present,
                        first_of(found & present or found, self.default))
