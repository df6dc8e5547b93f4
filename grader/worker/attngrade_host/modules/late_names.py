# SPDX-License-Identifier: MIT
"""Names that a class uses and that its file sets where it is not run: below
`if __name__ == "__main__"`, or nowhere."""

import ast
import re

from attngrade_host.imports import is_never_run
from attngrade_host.modules.building import symbol_in_config
from attngrade_host.modules.sizes import value_of

MISSING = re.compile(r"name '(\w+)' is not defined")
SAFE = (ast.Expression, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Name, ast.Load,
        ast.operator, ast.unaryop, ast.Tuple, ast.List)


def is_literal(node):
    """Numbers and texts, and arithmetic with names."""
    return all(isinstance(part, SAFE) for part in ast.walk(node))


def literal_assignments(statements):
    """(name, expression) of `n_head = 6` and `width = 4 * n_head`"""
    for statement in statements:
        if (isinstance(statement, ast.Assign) and len(statement.targets) == 1
                and isinstance(statement.targets[0], ast.Name)
                and is_literal(statement.value)):
            yield statement.targets[0].id, statement.value


def evaluate(expression, known):
    code = compile(ast.Expression(expression), "<assignment>", "eval")
    return eval(code, {"__builtins__": {}}, dict(known))


class LateNames:
    """Of one file; sizes: for names that it nowhere sets."""

    def __init__(self, module, tree, sizes):
        self.module = module
        self.sizes = sizes
        self.below_main = []
        for statement in tree.body:
            if isinstance(statement, ast.If) and is_never_run(statement.test):
                self.below_main += literal_assignments(statement.body)
        self.given = []

    def provide(self, error):
        """Gives the module the name that the error misses. False where nothing
        is known of it."""
        match = MISSING.search(str(error))
        name = match.group(1) if match else ""
        if not name or hasattr(self.module, name):
            return False
        value = self.value_of(name)
        if value is None:
            return False
        setattr(self.module, name, value)
        self.given.append("%s = %r" % (name, value))
        return True

    def value_of(self, name):
        known = dict(vars(self.module))
        found = None
        for other, expression in self.below_main:
            try:
                known[other] = evaluate(expression, known)
            except Exception:
                continue
            if other == name:
                found = known[other]
        if found is not None:
            return found
        symbol = symbol_in_config(name, False)
        return None if symbol is None else value_of(symbol, self.sizes)

    def remarks(self):
        if not self.given:
            return []
        return ["set for the class, the file does not: "
                + ", ".join(self.given[:8])]
