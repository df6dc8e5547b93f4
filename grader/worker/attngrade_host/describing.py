# SPDX-License-Identifier: MIT
"""What a loaded module offers: its callables and their signatures."""

import ast
import inspect

from attngrade_host.errors import clean


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


def imported_modules(tree):
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module)
    return sorted({name.split(".")[0] for name in names})


def call_target(value):
    """What holds the signature of a call: `forward` where there is one."""
    if isinstance(value, type):
        return getattr(value, "forward", None) or value.__call__
    return getattr(value, "forward", None) or value


def is_candidate(value):
    if isinstance(value, type):  # a class without __call__ is no function
        own = [base for base in value.__mro__ if base is not object]
        return any("__call__" in vars(base) or "forward" in vars(base)
                   for base in own)
    return callable(value)


def constructor_problem(cls):
    try:
        needed = [name for name, parameter
                  in inspect.signature(cls).parameters.items()
                  if parameter.default is parameter.empty
                  and parameter.kind in (parameter.POSITIONAL_ONLY,
                                         parameter.POSITIONAL_OR_KEYWORD,
                                         parameter.KEYWORD_ONLY)]
        if needed:
            return "its constructor needs arguments: " + ", ".join(needed)
        cls()
    except (Exception, SystemExit) as error:
        return clean("its constructor fails: %s: %s"
                     % (type(error).__name__, error))
    return ""


def describe_parameters(value, is_class):
    """([parameter, ...], whether anything can be passed)"""
    try:
        parameters = list(
            inspect.signature(call_target(value)).parameters.values())
    except (TypeError, ValueError):
        return [], True
    if is_class:
        parameters = parameters[1:]  # self
    described = [{"name": p.name,
                  "has_default": p.default is not p.empty,
                  "default_is_bool": isinstance(p.default, bool),
                  "keyword_only": p.kind == p.KEYWORD_ONLY}
                 for p in parameters
                 if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return described, any(p.kind == p.VAR_POSITIONAL for p in parameters)


def describe_callable(name, value, statement, names):
    is_class = isinstance(value, type)
    parameters, takes_any = describe_parameters(value, is_class)
    calls = names & names_used(statement) - {name} if statement else ()
    return {"name": clean(name), "line": getattr(statement, "lineno", 0),
            "is_class": is_class, "parameters": parameters,
            "takes_any": takes_any, "calls": sorted(calls),
            "problem": constructor_problem(value) if is_class else ""}


def describe(module, tree):
    bindings = top_level_bindings(tree)
    found = {}
    for name, value in list(vars(module).items()):
        own = getattr(value, "__module__", None) == module.__name__
        if ((own or name in bindings) and not name.startswith("__")
                and is_candidate(value)):
            found[name] = value
    names = set(found)
    return {"callables": [describe_callable(name, value, bindings.get(name),
                                            names)
                          for name, value in list(found.items())[:200]],
            "imports": [clean(name) for name in imported_modules(tree)]}
