# SPDX-License-Identifier: MIT
"""What the text of a function says of the layout of its arguments."""

import ast

HEADS = {"h", "nh", "heads", "nheads", "numheads", "nhead", "head", "hq", "qh"}


def shaped_name(node):
    """q of q.shape and q.size(), else None."""
    node = node.func if isinstance(node, ast.Call) else node
    if (isinstance(node, ast.Attribute) and node.attr in ("shape", "size")
            and isinstance(node.value, ast.Name)):
        return node.value.id
    return None


def names_heads_second(target):
    """B, H, n, d"""
    if not isinstance(target, ast.Tuple):
        return False
    names = [getattr(part, "id", "").lower().replace("_", "")
             for part in target.elts]
    return len(names) == 4 and names[1] in HEADS


def place(node):
    return node.lineno, node.col_offset


def parameters_of(definition):
    arguments = definition.args
    return {argument.arg for argument in (getattr(arguments, "posonlyargs", [])
                                          + arguments.args
                                          + arguments.kwonlyargs)}


def unpacks_heads_first(definition):
    """B, H, n, d = q.shape: the heads are meant to be the second axis. Only of
    a parameter as it was passed: what is assigned to its name may be permuted.
    """
    if definition is None:
        return False
    inner = {id(node) for part in ast.walk(definition)
             if part is not definition and isinstance(
                 part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
             for node in ast.walk(part)}
    nodes = [node for node in ast.walk(definition) if id(node) not in inner]
    assigned = {}  # name: where that first happens
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned[node.id] = min(place(node),
                                    assigned.get(node.id, place(node)))
    parameters = parameters_of(definition)
    for node in nodes:
        if (isinstance(node, ast.Assign)
                and any(map(names_heads_second, node.targets))):
            name = shaped_name(node.value)
            if name in parameters and (name not in assigned
                                       or place(node) < assigned[name]):
                return True
    return False
