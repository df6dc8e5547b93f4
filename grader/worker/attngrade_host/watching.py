# SPDX-License-Identifier: MIT
"""Which functions of libraries a call comes to, seen as it does.

Each of them is replaced by one that does the same and takes a note. A class
stays as it is, but for the method by which its objects are called. Nothing of
this hinders who does not want to be seen: this process is the submission's own.
"""

import functools
import importlib.machinery
import importlib.util
import os
import re
import sys
import types

from attngrade_host.errors import HOST_FOLDER, clean

MOST_CALLS = 10  # of different functions, or from different places
METHODS = ("forward", "call", "__call__")
CELL = re.compile(r", cell \d+$")  # what the code of a notebook is called
PLAIN = (types.FunctionType, types.BuiltinFunctionType,
         types.MethodDescriptorType)


class Watch:
    """names: {name: [its other names, ...]}; root: the folder of the
    submission; adapter: its file name, as frames have it."""

    def __init__(self, names, root="", adapter=""):
        self.known = {other: name for name, others in names.items()
                      for other in [name, *others]}
        self.root = root
        self.adapter = adapter
        self.seen = {}  # (name, place): None
        self.depth = 0
        self.is_on = False
        self.replaced = {}  # id of what is in place: name
        sys.meta_path.insert(0, Imports(self))
        self.replace_all()

    def replace_all(self):
        """In what is imported by now. What torch.compile knows by its identity
        stays."""
        for path in self.known:
            if path.startswith("torch._C."):
                continue
            try:
                self.replace(path)
            except Exception:
                continue  # unwatched is better than broken

    def replace(self, path):
        owner, name = self.owner_of(path)
        value = vars(owner).get(name) if owner is not None else None
        if isinstance(value, type):
            owner, value = value, None
            for name in METHODS:
                if isinstance(vars(owner).get(name), types.FunctionType):
                    value = vars(owner)[name]
                    break
        if isinstance(value, PLAIN) and id(value) not in self.replaced:
            noting = self.noting(value, path, owner, name)
            setattr(owner, name, noting)
            self.replaced[id(noting)] = noting

    @staticmethod
    def owner_of(path):
        """(module or class, name in it); nothing is imported for it."""
        head, _, name = path.rpartition(".")
        if head in sys.modules:
            return sys.modules[head], name
        module, _, holder = head.rpartition(".")
        found = vars(sys.modules.get(module, sys)).get(holder)
        return (found if isinstance(found, type) else None), name

    def noting(self, original, path, owner, name):
        watch, known = self, self.known[path]
        is_compiling = compiling_of(path)

        def call(*args, **named):
            if is_compiling():
                return original(*args, **named)
            with watch.of(known):
                return original(*args, **named)
        # With the globals of the original, where torch.jit looks names up.
        found = types.FunctionType(
            call.__code__, getattr(original, "__globals__", vars(owner)),
            original.__name__, None, call.__closure__)
        functools.update_wrapper(found, original)
        if not isinstance(original, types.FunctionType):
            found.__module__ = getattr(owner, "__name__", None)
            found.__qualname__ = name
            register_for_torch_script(original, found)
        return found

    def of(self, name):
        return Noted(self, name)

    def place(self):
        """Where the submission calls it, or "" for elsewhere; None for what is
        no doing of the submission."""
        frame = sys._getframe(3)
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(HOST_FOLDER):
                return ""
            if self.adapter and file == self.adapter:
                return None
            if self.root and (file.startswith(self.root) or CELL.search(file)):
                return clean("%s, line %d" % (
                    os.path.relpath(file, self.root) if file.startswith("/")
                    else file, frame.f_lineno))
            frame = frame.f_back
        return ""

    def start(self):
        self.seen.clear()
        self.depth = 0
        self.is_on = True

    def stop(self):
        """[[name, place], ...] since start()"""
        self.is_on = False
        return [list(one) for one in self.seen]


class Noted:
    """Around one call: what a function of a library calls itself is its own
    affair."""

    def __init__(self, watch, name):
        self.watch = watch
        self.name = name

    def __enter__(self):
        watch = self.watch
        watch.depth += 1
        if watch.is_on and watch.depth == 1 and len(watch.seen) < MOST_CALLS:
            place = watch.place()
            if place is not None:
                watch.seen[self.name, place] = None

    def __exit__(self, *error):
        self.watch.depth -= 1


def compiling_of(path):
    """What says whether torch.compile is tracing: what notes calls would break
    its graph in two."""
    torch = sys.modules.get("torch") if path.startswith("torch.") else None
    return getattr(getattr(torch, "compiler", None), "is_compiling",
                   lambda: False)


def register_for_torch_script(original, found):
    """torch.jit knows built-in functions by their identity."""
    builtins = sys.modules.get("torch.jit._builtins")
    operator = builtins and builtins._find_builtin(original)
    if operator:
        builtins._register_builtin(found, operator)


class Imports:
    """Replaces functions in libraries as soon as the submission has imported
    them, before it takes their names from there."""

    def __init__(self, watch):
        self.watch = watch
        self.tops = {path.partition(".")[0] for path in watch.known}
        self.modules = {path.rpartition(".")[0] for path in watch.known}
        self.is_asked = False

    def find_spec(self, name, path=None, target=None):
        if self.is_asked or name not in self.modules:
            return None
        self.is_asked = True
        try:
            spec = importlib.util.find_spec(name)
        except Exception:
            return None
        finally:
            self.is_asked = False
        if spec is not None and isinstance(
                spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = Loader(spec.loader, self.watch)
            return spec
        return None


class Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, loader, watch):
        super().__init__(loader.name, loader.path)
        self.watch = watch

    def exec_module(self, module):
        super().exec_module(module)
        self.watch.replace_all()
