# SPDX-License-Identifier: MIT
"""The interviewer's adapter: functions of tasks in terms of the module that was
handed in, `def attention(submission, q, k, v)`.

What fails in it is not the candidate's doing, and is told apart here.
"""

import ast
import functools
import inspect
import io
import linecache
import os
import re
import sys
import types

from attngrade_host.errors import LoadError, clean, describe_error
from attngrade_host.loading import Loaded, compile_source

MODULE = "attngrade_adapter"
FIRST = "submission"  # what the first parameter of its functions is called


def attributes_asked_for(tree):
    """Names that are looked up in what the functions call `submission`."""
    return sorted({node.attr for node in ast.walk(tree)
                   if isinstance(node, ast.Attribute)
                   and isinstance(node.value, ast.Name)
                   and node.value.id == FIRST})


def takes_submission(value):
    if not inspect.isfunction(value):
        return False
    names = list(inspect.signature(value).parameters)
    return names[:1] == [FIRST]


def returns_something(definition):
    return not isinstance(definition, ast.FunctionDef) or any(
        isinstance(node, ast.Return) and node.value is not None
        for node in ast.walk(definition))


def remember_lines(text, name):
    """For tracebacks; without a time of change it is compared with no file."""
    lines = io.StringIO(text, newline=None).readlines()
    linecache.cache[name] = (len(text), None, lines, name)


def last_line(error, is_counted):
    """The line of the innermost frame of those that are counted, or 0."""
    line = 0
    frames = error.__traceback__
    while frames is not None:
        if is_counted(frames.tb_frame):
            line = frames.tb_lineno
        frames = frames.tb_next
    return line


def short(error):
    """Type and message on one line."""
    described = describe_error(error)
    return ": ".join(filter(None, (described["type"], " ".join(
        described["message"].split())[:300])))


def fails(detail):
    raise LoadError("adapter", detail)


class Adapter:
    """Loaded before the submission is, which can then replace nothing that it
    imports."""

    def __init__(self, text, name):
        self.name = name
        self.module = types.ModuleType(MODULE)
        self.module.__file__ = name
        remember_lines(text, name)
        try:
            self.tree, code = compile_source(text, name)
        except LoadError as error:
            fails(error.reply["detail"])
        self.run(code)
        self.functions = {name: value for name, value
                          in vars(self.module).items()
                          if takes_submission(value)
                          and not name.startswith("_")}
        self.asks_for = attributes_asked_for(self.tree)
        self.submission = None  # its Loaded
        self.check()

    def run(self, code):
        sys.modules[MODULE] = self.module  # dataclasses look it up
        try:
            exec(code, vars(self.module))
        except BaseException as error:
            line = last_line(error, self.is_own)
            fails("line %d: %s\n%s" % (line, short(error),
                                       describe_error(error)["traceback"]))

    def check(self):
        if not self.functions:
            fails("it defines no function whose first parameter is `%s`: "
                  "def attention(%s, q, k, v)" % (FIRST, FIRST))
        for statement in self.tree.body:
            name = getattr(statement, "name", "")
            if name in self.functions and not returns_something(statement):
                fails("line %d: `%s` returns nothing"
                      % (statement.lineno, name))

    def finds_something(self, loaded):
        """Is any of what it asks for in the module? It may ask for one name or
        else for another."""
        return not self.asks_for or any(
            name in vars(loaded.module) for name in self.asks_for)

    def around(self, submission=None, root=""):
        """Its functions without their first parameter, for the submission, a
        Loaded, as what was loaded; root: the folder of its files."""
        self.submission = submission
        self.folder = os.path.join(root, "")
        module = types.ModuleType(MODULE)
        handed_in = submission.module if submission else None
        for name, function in self.functions.items():
            setattr(module, name, functools.partial(function, handed_in))
        loaded = Loaded(module, self.tree,
                        submission.remarks if submission else [])
        loaded.adapter = self
        return loaded

    def is_own(self, frame):
        return frame.f_globals is vars(self.module)

    def is_of_submission(self, frame):
        return (frame.f_globals is vars(self.submission.module)
                or frame.f_code.co_filename.startswith(self.folder))

    def fault(self, error):
        """Why the error is the adapter's, for people, or "": of all frames of
        the two the innermost is the candidate's."""
        frames, is_own = error.__traceback__, True
        while frames is not None:
            if self.is_own(frames.tb_frame):
                is_own = True
            elif self.is_of_submission(frames.tb_frame):
                is_own = False
            frames = frames.tb_next
        if not is_own:
            return ""
        line = last_line(error, self.is_own)
        return clean("%s%s: %s" % (self.name, ", line %d" % line if line else "",
                                   self.lacking(error) or short(error)))

    def lacking(self, error):
        """What the submission does not define, or ""."""
        found = isinstance(error, AttributeError) and re.fullmatch(
            r"module %s has no attribute '(\w+)'.*"
            % re.escape(repr(self.submission.module.__name__)),
            describe_error(error)["message"])
        if not found:
            return ""
        names = ["`%s`" % name for name in self.submission.bindings
                 if not name.startswith("_")][:20]
        return "the submission has no `%s`; it defines %s" % (
            found.group(1), ", ".join(names) or "nothing")


def switch_to_evaluation(libraries):
    """An adapter need not think of dropout: torch's modules are in evaluation
    mode whenever they are called. Not by eval(), which a class may have
    redefined."""
    def switch(module, _):
        for part in module.modules():
            part.training = False
    modules = getattr(getattr(libraries.get("torch"), "nn", None), "modules", None)
    hook = getattr(getattr(modules, "module", None),
                   "register_module_forward_pre_hook", None)
    if hook is not None:
        hook(switch)
