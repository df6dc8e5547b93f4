# SPDX-License-Identifier: MIT
"""What a file imports and defines, read from its syntax tree."""

import ast


def catches_import_errors(handler):
    if handler.type is None:
        return True
    names = {node.id for node in ast.walk(handler.type)
             if isinstance(node, ast.Name)}
    return bool(names & {"ImportError", "ModuleNotFoundError", "Exception",
                         "BaseException"})


def is_never_run(test):
    """if __name__ == "__main__", if TYPE_CHECKING"""
    names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(test)
              if isinstance(node, ast.Attribute)}
    return bool(names & {"__name__", "TYPE_CHECKING"})


class ImportCollector(ast.NodeVisitor):
    """needed: modules without which the file cannot run; optional: those that
    it does without, or never comes to."""

    def __init__(self):
        self.needed = set()
        self.optional = set()
        self.relative = set()  # modules of the same package
        self.is_optional = False

    def add(self, name):
        found = self.optional if self.is_optional else self.needed
        found.add(name.split(".")[0])

    def visit_Import(self, node):
        for alias in node.names:
            self.add(alias.name)

    def visit_ImportFrom(self, node):
        if node.level > 0:
            self.relative.update([node.module.split(".")[0]] if node.module
                                 else [alias.name for alias in node.names])
        else:
            self.add(node.module)

    def visit_optional(self, nodes, is_optional):
        before = self.is_optional
        self.is_optional = before or is_optional
        for node in nodes:
            self.visit(node)
        self.is_optional = before

    def visit_Try(self, node):
        guarded = any(map(catches_import_errors, node.handlers))
        self.visit_optional(node.body, guarded)
        for handler in node.handlers:
            self.visit_optional(handler.body, guarded)
        self.visit_optional(node.orelse, guarded)
        self.visit_optional(node.finalbody, False)

    def visit_If(self, node):
        self.visit_optional(node.body, is_never_run(node.test))
        self.visit_optional(node.orelse, False)


def collect_imports(tree):
    collector = ImportCollector()
    collector.visit(tree)
    collector.optional -= collector.needed
    return collector


def top_level_bindings(tree):
    """{name: statement that binds it}: def, class, assignment; no imports."""
    bindings = {}

    def visit(statements):
        for statement in statements:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef,
                                      ast.ClassDef)):
                bindings[statement.name] = statement
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                for node in ast.walk(statement):
                    if (isinstance(node, ast.Name)
                            and isinstance(node.ctx, ast.Store)):
                        bindings[node.id] = statement
            else:  # if, try, with, for at top level
                for field in ("body", "orelse", "finalbody"):
                    visit(getattr(statement, field, []))
                for handler in getattr(statement, "handlers", []):
                    visit(handler.body)

    visit(tree.body)
    return bindings


def names_used(statement):
    return {node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
