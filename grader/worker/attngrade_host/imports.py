# SPDX-License-Identifier: MIT
"""What a file imports and defines, read from its syntax tree."""

import ast
import re


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


def tests_for_modules(test):
    """if importlib.util.find_spec("cupy"), if HAS_CUPY"""
    names = {node.attr for node in ast.walk(test)
             if isinstance(node, ast.Attribute)}
    names |= {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    return any(name in ("find_spec", "find_loader")
               or name.upper().lstrip("_").startswith(("HAS_", "HAVE_"))
               or name.lower().endswith(("_available", "_installed"))
               for name in names)


def suppresses_import_errors(node):
    """with contextlib.suppress(ImportError)"""
    return any(isinstance(item.context_expr, ast.Call)
               and getattr(item.context_expr.func, "attr",
                           getattr(item.context_expr.func, "id", "")) == "suppress"
               for item in node.items)


DEVICE = re.compile("cuda|gpu|tpu|device|mps|xpu|accelerat", re.IGNORECASE)


def words_of(node):
    """Names and texts, whatever stands for what: too many do no harm."""
    for field in ("id", "attr", "arg", "name", "asname", "module", "value"):
        word = getattr(node, field, None)
        if isinstance(word, str):
            yield word


def mentions_device(tree):
    """Is there a word of a graphics card in it?"""
    return any(DEVICE.search(word) for node in ast.walk(tree)
               for word in words_of(node))


class Imports:
    """needed: modules without which the file cannot run; optional: those that
    it does without, or never comes to; relative: of the same package; paths:
    the needed ones as they stand there, `package.helpers`."""

    def __init__(self):
        self.needed = set()
        self.optional = set()
        self.relative = set()
        self.paths = set()

    def add(self, name, is_optional):
        found = self.optional if is_optional else self.needed
        found.add(name.split(".")[0])
        if not is_optional:
            self.paths.add(name)

    def add_from(self, node, is_optional):
        if node.level > 0:
            self.relative.update([node.module.split(".")[0]] if node.module
                                 else [alias.name for alias in node.names])
            return
        self.add(node.module, is_optional)
        if not is_optional:
            self.paths.update(node.module + "." + alias.name
                              for alias in node.names)


def parts_of(node, is_optional):
    """(child, whether what it imports can be done without)"""
    guarded = is_optional
    if isinstance(node, (ast.Try, getattr(ast, "TryStar", ast.Try))):
        guarded = guarded or any(map(catches_import_errors, node.handlers))
        unguarded = node.finalbody
    elif isinstance(node, ast.If):
        found = tests_for_modules(node.test)
        guarded = guarded or found or is_never_run(node.test)
        unguarded = [] if found else node.orelse
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        guarded = guarded or suppresses_import_errors(node)
        unguarded = []
    else:
        return [(child, is_optional) for child in ast.iter_child_nodes(node)]
    unguarded = set(map(id, unguarded))
    return [(child, is_optional if id(child) in unguarded else guarded)
            for child in ast.iter_child_nodes(node)]


def collect_imports(tree):
    """Without recursion: a sum of a thousand terms is a tree of that depth."""
    imports = Imports()
    open_nodes = [(tree, False)]
    while open_nodes:
        node, is_optional = open_nodes.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                imports.add(alias.name, is_optional)
        elif isinstance(node, ast.ImportFrom):
            imports.add_from(node, is_optional)
        else:
            open_nodes += parts_of(node, is_optional)
    imports.optional -= imports.needed
    return imports


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def top_level_statements(tree):
    """In their order, with those in an if, try, with or for at top level."""
    open_statements = list(reversed(tree.body))
    while open_statements:
        statement = open_statements.pop()
        yield statement
        if isinstance(statement, DEFINITIONS):
            continue
        below = list(getattr(statement, "body", []))
        for handler in getattr(statement, "handlers", []):
            below += handler.body
        below += getattr(statement, "orelse", [])
        below += getattr(statement, "finalbody", [])
        open_statements += reversed(below)


def top_level_bindings(tree):
    """{name: statement that binds it}: def, class, assignment; no imports."""
    bindings = {}
    for statement in top_level_statements(tree):
        if isinstance(statement, DEFINITIONS):
            bindings[statement.name] = statement
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            for node in ast.walk(statement):
                if (isinstance(node, ast.Name)
                        and isinstance(node.ctx, ast.Store)):
                    bindings[node.id] = statement
    return bindings


def top_level_definitions(tree):
    """{name: every `def` of it}"""
    found = {}
    for statement in top_level_statements(tree):
        if isinstance(statement, ast.FunctionDef):
            found.setdefault(statement.name, []).append(statement)
    return found


def names_used(statement):
    return {node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
