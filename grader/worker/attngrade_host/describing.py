# SPDX-License-Identifier: MIT
"""What a loaded module offers: its callables and their signatures."""

import ast
import inspect
import re

from attngrade_host.devices import missing_device
from attngrade_host.errors import clean
from attngrade_host.frameworks import Frameworks
from attngrade_host.imports import names_used
from attngrade_host.layout_hints import unpacks_heads_first
from attngrade_host.libraries import is_autograd_function, is_torch_module
from attngrade_host.tensors import default_dtypes, is_array


def is_candidate(value):
    if isinstance(value, type):  # a class without __call__ is no function
        own = [base for base in value.__mro__ if base is not object]
        return any("__call__" in vars(base) or "forward" in vars(base)
                   for base in own)
    return callable(value)


# What a class is made with to see whether it has matrices of its own; a number
# of another name, `epochs`, would start a training.
TRIED = ((re.compile(r"(?i)p|.*drop.*"), 0),
         (re.compile(r"(?i)n?h|(n|num)?_?(attn|attention)?_?heads?|heads?_num"),
          1),
         (re.compile(r"(?i)(is_?|use_?|apply_?)?(train|training|causal\w*)|"
                     r"bias|\w+_bias"), False),
         (re.compile(r"(?i)d|d_\w+|dk|dv|dmodel|depth|width|size|.*_size|"
                     r".*dim.*|.*hidden.*|.*embed.*|.*scal.*|temp|temperature|"
                     r"tau"), 8))


def tried(name):
    """KeyError where nothing can be said"""
    for pattern, value in TRIED:
        if pattern.fullmatch(name):
            return value
    raise KeyError(name)


# Of matrices in the text of a class that cannot be made.
MATRIX_WORDS = {"Linear", "LazyLinear", "Dense", "Parameter", "Conv1d", "Conv2d",
                "MultiheadAttention", "Embedding", "LayerNorm", "param", "rand",
                "randn", "normal", "uniform", "standard_normal", "empty"}


def mentions_matrices(statement):
    """May the class have projections, going by its text? Without one, or with a
    base of its own beside the usual ones, it may."""
    if not isinstance(statement, ast.ClassDef):
        return True
    if any(getattr(base, "attr", getattr(base, "id", "")) not in
           ("Module", "object", "ABC") for base in statement.bases):
        return True
    return any(getattr(node, "attr", getattr(node, "id", "")) in MATRIX_WORDS
               for node in ast.walk(statement)
               if isinstance(node, (ast.Attribute, ast.Name)))


def named_arguments(cls):
    return [parameter for parameter in inspect.signature(cls).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY,
                                  parameter.POSITIONAL_OR_KEYWORD,
                                  parameter.KEYWORD_ONLY)]


def has_parameters(value, depth=3):
    """Matrices of its own, as a class with projections has them; what torch calls
    a buffer is none."""
    if callable(getattr(value, "parameters", None)):
        return any(len(part.shape) > 1 for part in value.parameters())
    if is_array(value):
        return len(value.shape) > 1
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, (list, tuple)):
        parts = list(value)
    else:
        parts = list(getattr(value, "__dict__", {}).values())
    return depth > 0 and any(has_parameters(part, depth - 1)
                             for part in parts[:100])


def switches(parameters):
    return [p for p in parameters if isinstance(p.default, bool)]


def describe_constructor(cls, statement):
    """{"problem": why the class cannot be made without arguments,
    "constructor": the parameters that could be filled, or that keep it from
    being made}"""
    try:
        parameters = named_arguments(cls)
        needed = [p.name for p in parameters if p.default is p.empty]
        usable = [p for p in parameters if p.kind is not p.POSITIONAL_ONLY]
        if not needed:
            made = cls()
            if not has_parameters(made):
                return {"problem": "",
                        "constructor": list(map(describe_parameter, usable))}
            return {"problem": "it has matrices of its own"
                               if is_torch_module(made) else "",
                    "constructor": list(map(describe_parameter,
                                            switches(usable)))}
    except (Exception, SystemExit) as error:
        return {"problem": missing_device(error) or clean(
                    "its constructor fails: %s: %s"
                    % (type(error).__name__, error)),
                "constructor": []}
    try:
        made = cls(**{name: tried(name) for name in needed})
        is_usable = not has_parameters(made)
    except (Exception, SystemExit):
        is_usable = not mentions_matrices(statement)
    return {"problem": "its constructor needs arguments: " + ", ".join(needed),
            "constructor": list(map(describe_parameter, usable))
                           if is_usable else []}


def width_of(default):
    """A number that may be an example of a width, else 0."""
    is_whole = type(default) is int or (type(default) is float
                                        and default.is_integer())
    return int(default) if is_whole and 0 < default < 10 ** 6 else 0


def describe_parameter(parameter):
    default = parameter.default
    return {"name": parameter.name,
            "has_default": default is not parameter.empty,
            "default_is_bool": isinstance(default, bool),
            "default_is_true": default is True,
            "default_width": width_of(default),
            "positional_only": parameter.kind == parameter.POSITIONAL_ONLY,
            "keyword_only": parameter.kind == parameter.KEYWORD_ONLY}


def describe_parameters(parameters):
    """([parameter, ...], whether anything can be passed)"""
    if parameters is None:
        return [], True
    described = [describe_parameter(p) for p in parameters
                 if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return described, any(p.kind == p.VAR_POSITIONAL for p in parameters)


def all_names_used(name, bindings):
    """Of a class, and of what it uses."""
    todo, seen, used = [name], set(), set()
    while todo:
        name = todo.pop()
        if name in seen or name not in bindings:
            continue
        seen.add(name)
        found = names_used(bindings[name])
        used |= found
        todo += found
    return used


def study(name, cls, context):
    """What a class with projections of its own is, or None; its recipe is kept
    for calls."""
    if not context.is_to_be_studied(name):
        return None
    from attngrade_host.modules.study import Study  # see load_submission
    recipe, found = Study(cls, context.module, context.frameworks.of(name),
                          context.tree, context.bindings,
                          all_names_used(name, context.bindings),
                          context.task_file).run()
    if recipe is not None:
        context.recipes[name] = recipe
    return found


def base_names(statement):
    return [base.id for base in getattr(statement, "bases", ())
            if isinstance(base, ast.Name)]


def body_names(statement):
    """What is used but for the bases of a class."""
    if not isinstance(statement, ast.ClassDef):
        return names_used(statement)
    used = set()
    for part in statement.body + statement.decorator_list:
        used |= names_used(part)
    return used


def described_module(name, cls, context):
    found = study(name, cls, context)
    return {"module": found} if found else {}


def describe_callable(name, value, context):
    is_class = isinstance(value, type) and not is_autograd_function(value)
    parameters, takes_any = describe_parameters(
        context.signatures.of(name, value))
    statement = context.bindings.get(name)
    calls = context.names & body_names(statement) - {name} if statement else ()
    return {"name": clean(name), "line": getattr(statement, "lineno", 0),
            "is_class": is_class, "parameters": parameters,
            "takes_any": takes_any, "calls": sorted(calls),
            "bases": base_names(statement),
            "framework": context.frameworks.of(name),
            "heads_first": unpacks_heads_first(
                context.signatures.definition(name, value)),
            **(described_module(name, value, context) if is_class else {}),
            **(describe_constructor(value, statement) if is_class
               else {"problem": "", "constructor": []})}


def describe_methods(name, value, context):
    """A class that is not called itself: its public methods, Class.method."""
    public = [method for method in list(vars(value))
              if not method.startswith("_") and callable(getattr(value, method))]
    if not public:
        return []
    of_class = describe_callable(name, value, context)  # makes one: once
    study = of_class.pop("module", None)
    if study and (study["kind"] or not study["problem"]):
        return [dict(of_class, module=study)]  # which method, its study says
    found = []
    for method in public:
        path = name + "." + method
        parameters, takes_any = describe_parameters(
            context.signatures.of(path, value))
        found.append(dict(of_class, name=clean(path), parameters=parameters,
                          takes_any=takes_any, heads_first=unpacks_heads_first(
                              context.signatures.definition(path, value))))
    return found


MOST_STUDIED = 30  # classes of a file


class Context:
    """What is known of the whole file while one name of it is described."""

    def __init__(self, loaded, libraries, task_file):
        self.bindings = loaded.bindings
        self.signatures = loaded.signatures
        self.frameworks = Frameworks(loaded.tree, self.bindings,
                                     loaded.imports.needed,
                                     libraries)
        self.names = set()
        self.module = loaded.module
        self.tree = loaded.tree
        self.recipes = loaded.recipes
        self.task_file = task_file
        self.studied = 0

    def is_to_be_studied(self, name):
        """Making one costs time, and whole models memory: those whose name
        says attention, or all where none does."""
        is_likely = likelihood({"name": name})
        any_likely = any(likelihood({"name": other}) for other in self.names)
        statement = self.bindings.get(name)
        if any_likely and not is_likely or not isinstance(
                statement, ast.ClassDef):
            return False
        self.studied += 1
        return self.studied <= MOST_STUDIED


def describe_callables(name, value, context):
    return [describe_callable(name, value, context)]


def looked_at(describe_all, name, value, context):
    """An object that raises when it is looked at spoils no other."""
    try:
        return describe_all(name, value, context)
    except Exception as error:
        return [{"name": clean(name), "line": 0, "is_class": False,
                 "parameters": [], "takes_any": False, "calls": [],
                 "framework": "numpy", "constructor": [],
                 "problem": clean("looking at it raises %s"
                                  % type(error).__name__)}]


def likelihood(described):
    """Of being what is graded: only so many are passed on."""
    name = described["name"].lower().replace("_", "")
    return any(part in name for part in ("att", "sdp", "mha", "gqa", "mqa",
                                         "product", "head"))


def describe(loaded, libraries, task_file):
    """libraries: names of those that the whole submission imports; task_file:
    {"construct", "parameters"} of classes"""
    module = loaded.module
    context = Context(loaded, libraries, task_file)
    callables, methods = {}, {}
    for name, value in list(vars(module).items()):
        own = getattr(value, "__module__", None) == module.__name__
        if name.startswith("__") or not (own or name in context.bindings):
            continue
        if is_candidate(value):
            callables[name] = value
        elif isinstance(value, type) and own:
            methods[name] = value
    context.names = set(callables) | set(methods)
    described = []
    for name, value in callables.items():
        described += looked_at(describe_callables, name, value, context)
    for name, value in methods.items():
        described += looked_at(describe_methods, name, value, context)
    described.sort(key=likelihood, reverse=True)
    return {"callables": described[:200], "default_dtypes": default_dtypes(),
            "remarks": list(map(clean, loaded.remarks[:50])),
            "hints": list(map(clean, loaded.hints[:5]))}


def has_class(description):
    """One that builds its own projections and can be graded."""
    return any(not described["module"]["problem"]
               for described in description["callables"]
               if "module" in described)
