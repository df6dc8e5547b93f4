# SPDX-License-Identifier: MIT
"""Does the text of a class build a causal mask?"""

import ast

from attngrade_host.imports import names_used

BUILDERS = {"tril", "triu", "tri", "tril_", "triu_", "tril_indices", "triu_indices",
            "generate_square_subsequent_mask", "subsequent_mask", "causal_mask",
            "create_causal_mask", "make_causal_mask", "is_causal", "LowerTriangularMask"}


def methods_of(statement):
    return {part.name: part for part in statement.body
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}


def reachable(statement):
    """The methods that construction and calls run, as far as `self.name` tells."""
    methods = methods_of(statement)
    todo = [name for name in methods if name.startswith("__")
            or name in ("forward", "call", "attend", "setup", "build")]
    if not todo:
        todo = list(methods)
    seen = []
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.append(name)
        todo += [node.attr for node in ast.walk(methods[name])
                 if isinstance(node, ast.Attribute) and node.attr in methods]
    return [methods[name] for name in seen]


def mentions(node):
    for part in ast.walk(node):
        name = getattr(part, "attr", getattr(part, "id", ""))
        if isinstance(part, (ast.Attribute, ast.Name)) and name in BUILDERS:
            return True
        if isinstance(part, ast.keyword) and part.arg == "is_causal" and not (
                isinstance(part.value, ast.Constant)
                and part.value.value is False):
            return True
    return False


def names_set(node):
    """Names of its own: `w` in a method is none of the file's."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)
            and isinstance(part.ctx, ast.Store)} | {
        part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def builds_triangle(name, bindings):
    """The class, or what it builds and calls, as far as the file has it."""
    todo, seen = [name], set()
    while todo:
        name = todo.pop()
        statement = bindings.get(name)
        if statement is None or name in seen:
            continue
        seen.add(name)
        parts = (reachable(statement) + [
            part for part in statement.body
            if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
            if isinstance(statement, ast.ClassDef) else [statement])
        for part in parts:
            if mentions(part):
                return True
            todo += names_used(part) - names_set(part)
        if isinstance(statement, ast.ClassDef):
            todo += [base.id for base in statement.bases
                     if isinstance(base, ast.Name)]
    return False
