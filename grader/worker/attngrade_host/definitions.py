# SPDX-License-Identifier: MIT
"""A file without what it does: imports, definitions and settings.

Of files whose running fails, because a data set is not there, or trains a model:
what classes need of them is still there.
"""

import ast
import sys

from attngrade_host.imports import DEFINITIONS, top_level_statements

IMPORTS = (ast.Import, ast.ImportFrom)
LOOPS = (ast.For, ast.While, ast.With)
# Names that files use as if they had been imported.
USUAL = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional",
         "np": "numpy", "math": "math"}


def trains(tree):
    """Is there a loop outside of functions that goes back through gradients?"""
    for statement in top_level_statements(tree):
        if isinstance(statement, LOOPS) and any(
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", "") in ("backward", "fit")
                for node in ast.walk(statement)):
            return True
    return False


def is_setting(statement):
    """An assignment of numbers, texts and what is computed from names."""
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) and (
        statement.value is not None and not any(
            isinstance(node, (ast.Call, ast.Await, ast.Yield, ast.YieldFrom,
                              ast.NamedExpr, ast.GeneratorExp, ast.ListComp))
            for node in ast.walk(statement.value)))


def kept(tree):
    """The statements that are run, in their order; settings below `if __name__`,
    too."""
    for statement in top_level_statements(tree):
        if isinstance(statement, IMPORTS + DEFINITIONS) or is_setting(statement):
            yield statement


def run_definitions(tree, module):
    """Each by itself: what one of them needs may be missing."""
    for name, path in USUAL.items():
        if path in sys.modules:
            vars(module).setdefault(name, sys.modules[path])
    for statement in kept(tree):
        alone = ast.Module(body=[statement], type_ignores=[])
        try:
            exec(compile(alone, module.__file__, "exec", dont_inherit=True),
                 module.__dict__)
        except (Exception, SystemExit):
            continue
