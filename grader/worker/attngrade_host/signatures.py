# SPDX-License-Identifier: MIT
"""The parameters of what is called, behind a decorator too.

A decorator without functools.wraps shows (*args, **kwargs), or (q, k, v,
**kwargs). Then the `def` of that name in the file's syntax tree tells what the
function takes; with functools.wraps the wrapper tells what can be passed to it.
"""

import ast
import functools
import inspect
import types

from attngrade_host.imports import names_used, top_level_definitions
from attngrade_host.libraries import is_autograd_function


def names_parameters(call):
    """A __call__ of *args hands on to `forward`, as that of a torch module."""
    try:
        parameters = list(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):
        return False
    return any(p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
               and p.name not in ("self", "cls") for p in parameters)


def call_name(cls):
    """The method that holds the signature of a call: `forward` where there is
    one, but for a __call__ of its own that has another."""
    own_call = any("__call__" in vars(base) for base in cls.__mro__)
    if getattr(cls, "forward", None) is None:
        return "__call__"
    return ("__call__" if own_call and names_parameters(cls.__call__)
            else "forward")


def call_target(value):
    """What holds the signature of a call."""
    if isinstance(value, type):
        return getattr(value, call_name(value))
    if getattr(value, "forward", None) is None:
        return value
    return getattr(value, call_name(type(value)))


def is_static(cls, method):
    """Does looking it up in the class already leave out the first parameter, or
    has it none for the object?"""
    for base in cls.__mro__:
        if method in vars(base):
            return isinstance(vars(base)[method], (staticmethod, classmethod))
    return False


def has_own_first(cls):
    """Is the first parameter of what is called no tensor? The object, or the
    context of an autograd function."""
    return is_autograd_function(cls) or not is_static(cls, call_name(cls))


def called_method(path, value):
    """(class, name of the method) of what is called, where it is one: `value`
    is bound to the name in `path`, "name" or "name.method"."""
    method = path.partition(".")[2]
    if isinstance(value, type):
        return value, method or call_name(value)
    if inspect.isroutine(value) or not hasattr(type(value), "__call__"):
        return None, ""
    return type(value), call_name(type(value))


STARS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
PLACES = (inspect.Parameter.POSITIONAL_ONLY,
          inspect.Parameter.POSITIONAL_OR_KEYWORD)


def only_stars(parameters):
    return all(p.kind in STARS for p in parameters)


UNKNOWN = object()  # a default that is no literal


def literal(node):
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN


def written_parameters(definition, takes_keywords):
    """Those of a `def`, to be called through a wrapper, which may count on
    places, or have names for a few: what has a default is passed by keyword,
    all else by position."""
    make, empty = inspect.Parameter, inspect.Parameter.empty
    arguments = definition.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [empty] * (len(positional) - len(arguments.defaults)) + list(
        map(literal, arguments.defaults))
    written = []
    for i, (argument, default) in enumerate(zip(positional, defaults)):
        by_keyword = (takes_keywords and default is not empty
                      and i >= len(arguments.posonlyargs))
        written.append(make(argument.arg, make.KEYWORD_ONLY if by_keyword
                            else make.POSITIONAL_ONLY, default=default))
    if arguments.vararg:
        written.append(make(arguments.vararg.arg, make.VAR_POSITIONAL))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        written.append(make(argument.arg, make.KEYWORD_ONLY, default=(
            empty if default is None else literal(default))))
    if arguments.kwarg:
        written.append(make(arguments.kwarg.arg, make.VAR_KEYWORD))
    return written


def plain_parameters(definition):
    """Those of a `def` as inspect has them of the function, without stars."""
    kinds = {argument.arg: inspect.Parameter.POSITIONAL_OR_KEYWORD
             for argument in definition.args.args}
    return [p.replace(kind=kinds.get(p.name, p.kind))
            for p in written_parameters(definition, False)
            if p.kind not in STARS]


def is_code_of(function, definition):
    """Decorators are of the function's lines, or not, by version."""
    first = min([definition.lineno]
                + [one.lineno for one in definition.decorator_list])
    code = function.__code__
    return (code.co_name == definition.name
            and first <= code.co_firstlineno <= definition.lineno)


def has_object(owner, method):
    """Is the first parameter in the text the object, or the context of an
    autograd function?"""
    return is_autograd_function(owner) or not is_static(owner, method)


def own_parameters(function):
    """Those of a function itself, whatever functools.wraps says of it."""
    return list(inspect.signature(
        function, follow_wrapped=False).parameters.values())


def through(within, own):
    """The parameters `within` as they can be passed to a wrapper that has its
    `own`: by position what it requires there, all else by keyword, as far as it
    takes that. None where it does not hand on what it gets."""
    kinds = {p.kind for p in own}
    places = sum(p.kind in PLACES and p.default is p.empty for p in own)
    names = {p.name for p in own if p.kind not in STARS}
    seen = []
    for i, parameter in enumerate(p for p in within if p.kind not in STARS):
        is_place = parameter.kind in PLACES
        if i < places and is_place:
            kind = parameter.POSITIONAL_ONLY
        elif (parameter.name in names or parameter.VAR_KEYWORD in kinds) and (
                parameter.kind is not parameter.POSITIONAL_ONLY):
            kind = parameter.KEYWORD_ONLY
        elif is_place and parameter.VAR_POSITIONAL in kinds:
            kind = parameter.POSITIONAL_ONLY
        elif parameter.default is parameter.empty:
            return None
        else:
            continue
        seen.append(parameter.replace(kind=kind))
    named = [p.name for p in own if p.kind in PLACES and p.default is p.empty]
    if len(seen) < places or (places < 3 and named != [
            p.name for p in seen[:places]]):
        return None  # it has arguments of its own
    return sorted(seen, key=lambda p: p.kind)


class Signatures:
    """Of the names of one file; `bindings` are those of its syntax tree."""

    def __init__(self, tree, bindings):
        self.bindings = bindings
        self.definitions = top_level_definitions(tree)
        self.unconditional = set(map(id, tree.body))

    def of(self, path, value):
        """The parameters without the object itself, None if nobody can say;
        path: "name" or "Class.method", value: what the name is bound to."""
        owner, method = called_method(path, value)
        is_class = isinstance(value, type)
        try:
            shown = list(inspect.signature(
                getattr(value, method) if is_class else call_target(value)
            ).parameters.values())
        except (TypeError, ValueError):
            return None
        if (is_class and has_object(owner, method)
                and not only_stars(shown[:1])):
            shown = shown[1:]
        if isinstance(value, functools.partial):  # bound by the author
            shown = [p for p in shown if p.name not in value.keywords]
        if only_stars(shown):
            return self.behind_stars(path, value, shown)
        if isinstance(value, types.FunctionType):
            return self.behind_wrapper(path, value, shown)
        if is_class and is_autograd_function(owner):  # `apply` takes no names
            shown = [p.replace(kind=p.POSITIONAL_ONLY)
                     if p.kind == p.POSITIONAL_OR_KEYWORD else p for p in shown]
        return shown

    def behind_wrapper(self, path, function, shown):
        """Where a function is not the `def` of its name, but takes more than it
        names or, by functools.wraps, less than it shows."""
        own = own_parameters(function)
        if only_stars(own):
            return shown
        within = shown
        if not hasattr(function, "__wrapped__"):
            definition = self.definition(path, function)
            if definition is None or is_code_of(function, definition) or not (
                    any(p.kind in STARS for p in own)):
                return shown
            within = plain_parameters(definition)
        elif own == shown:
            return shown
        return through(within, own) or shown

    def behind_stars(self, path, value, shown):
        definition = self.definition(path, value)
        if definition is None:
            return shown
        written = written_parameters(
            definition, any(p.kind == p.VAR_KEYWORD for p in shown))
        owner, method = called_method(path, value)
        if owner is not None and definition is not self.function(path):
            written = written[has_object(owner, method):]
        return shown if only_stars(written) else written

    def definition(self, path, value):
        """The `def` of what is called, or None."""
        owner, method = called_method(path, value)
        function = None if isinstance(value, type) else self.function(path)
        if owner is None or function is not None:
            return function
        for base in owner.__mro__:
            if method in vars(base):
                statement = self.bindings.get(base.__name__)
                found = [part for part in getattr(statement, "body", ())
                         if isinstance(part, ast.FunctionDef)
                         and part.name == method]
                return found[0] if len(found) == 1 else None
        return None

    def function(self, name):
        """The last `def`, unless an `if` chooses between several, or something
        else than itself, `f = timed(f)`, is bound to the name after it."""
        found = self.definitions.get(name, [])
        last = self.bindings.get(name)
        is_clear = len(found) == 1 or all(id(one) in self.unconditional
                                          for one in found)
        if found and is_clear and (last is found[-1]
                                   or name in names_used(last)):
            return found[-1]
        return None
