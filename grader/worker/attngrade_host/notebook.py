# SPDX-License-Identifier: MIT
"""Runs the code cells of a notebook, as a kernel does: one after the other, in
one namespace, and a cell that fails ends nothing but itself."""

import __future__
import ast
import io
import json
import linecache
import os
import sys
import types
import typing

from attngrade_host.devices import missing_device
from attngrade_host.errors import LoadError, describe_error
from attngrade_host.magics import prepare_cell, written_module
from attngrade_host.stand_ins import install_stand_ins

# Of `from __future__ import ...`, which counts for all cells that follow.
FUTURE_FLAGS = 0
for feature in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, feature).compiler_flag

MOST_NOTES = 40


class NotebookRun(typing.NamedTuple):
    module: types.ModuleType
    # All statements that could be compiled, in the order of the cells; those of
    # the top level have the number of their cell as attribute `cell`.
    tree: ast.Module
    notes: typing.List[str]
    # [{"cell": 5, "kind": "exception", "summary": "NameError: ...",
    #   "detail": traceback}]; kinds as in LoadError
    failures: typing.List[dict]


def is_notebook(path):
    return path.lower().endswith(".ipynb")


def read_cells(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["cells"]


def parse_cells(cells):
    """One tree of all cells that can be parsed, without running them."""
    statements = []
    for cell in cells:
        try:
            source, _ = prepare_cell(cell["source"])
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # running it will say why
        for node in ast.walk(ast.Module(body=body, type_ignores=[])):
            node.cell = cell["number"]
        statements += body
    return ast.Module(body=statements, type_ignores=[])


def run_notebook(cells, path, name):
    """`cells` is [{"number": 1, "source": "..."}, ...]. Where helpers are found
    and what argv is, is the caller's to set.

    The module has no __file__: there is none in Jupyter either.
    """
    module = types.ModuleType(name)
    sys.modules[name] = module
    install_stand_ins(module.__dict__)
    kernel = Kernel(module, os.path.basename(path))
    notes = []
    for cell in cells:
        notes += kernel.run(cell["number"], cell["source"])
    if kernel.questions:
        notes.append("input() was answered with an empty text")
    return NotebookRun(module, ast.Module(body=kernel.statements,
                                          type_ignores=[]),
                       limited(notes), kernel.failures)


class Kernel:
    def __init__(self, module, file_name):
        self.module = module
        self.namespace = module.__dict__
        self.file_name = file_name
        self.future = 0
        self.statements = []
        self.failures = []
        self.questions = 0
        self.namespace["input"] = self.input

    def input(self, prompt=""):
        self.questions += 1
        return ""

    def run(self, number, source):
        """Notes on the cell."""
        python, dropped = prepare_cell(source)
        notes = ["cell %d: dropped %s" % (number, text) for text in dropped]
        error = self.execute(number, source, python)
        written = written_module(source)
        if written is not None:  # never in place of something installed
            sys.modules.setdefault(written, self.module)
        if error is not None:
            failure = describe_failure(number, error)
            self.failures.append(failure)
            notes.append("cell %d failed: %s" % (number, failure["summary"]))
        return notes

    def execute(self, number, source, python):
        """The error that ended the cell, or None."""
        name = "%s, cell %d" % (self.file_name, number)
        # Without a time of change the entry is not compared with any file.
        # Lines as Python counts them, which str.splitlines does not.
        lines = io.StringIO(source, newline=None).readlines()
        linecache.cache[name] = (len(source), None, lines, name)
        try:
            code = self.compiled(number, python, name)
        except (SyntaxError, ValueError, OverflowError, RecursionError,
                MemoryError) as error:  # the parser's memory, not the cell's
            return error
        try:
            exec(code, self.namespace)
        except BaseException as error:
            return error
        return None

    def compiled(self, number, python, name):
        # Not ast.parse: a frame of its own would be in the traceback.
        tree = compile(python, name, "exec", ast.PyCF_ONLY_AST | self.future,
                       dont_inherit=True)
        code = compile(tree, name, "exec", self.future, dont_inherit=True)
        self.future |= code.co_flags & FUTURE_FLAGS
        for statement in tree.body:
            statement.cell = number
        self.statements += tree.body
        return code


def describe_failure(number, error):
    described = describe_error(error)
    summary = ": ".join(filter(None, (described["type"],
                                      " ".join(described["message"].split()))))
    if len(summary) > 200:
        summary = summary[:197] + "..."
    return {"cell": number, "kind": failure_kind(error), "summary": summary,
            "detail": described["traceback"], "device": missing_device(error)}


def failure_kind(error):
    for kind, its_type in (("syntax", SyntaxError), ("import", ImportError),
                           ("exit", SystemExit), ("memory", MemoryError)):
        if isinstance(error, its_type):
            return kind
    return "exception"


def limited(notes):
    more = len(notes) - MOST_NOTES
    if more <= 1:
        return notes
    return notes[:MOST_NOTES] + ["%d more notes on cells" % more]


def load_error(failures):
    """For a notebook in which nothing to grade was defined: the first failure
    in full, for it often caused the others. There is at least one."""
    if all(failure["kind"] == "memory" for failure in failures):
        raise MemoryError(failures[0]["summary"])
    first = failures[0]
    lines = ["cell %d failed: %s" % (first["cell"], first["detail"].rstrip())]
    lines += ["cell %d failed: %s" % (failure["cell"], failure["summary"])
              for failure in failures[1:10]]
    if len(failures) > 10:
        lines.append("and %d more cells failed" % (len(failures) - 10))
    if first["device"]:
        return LoadError("device", "\n".join([first["device"]] + lines))
    return LoadError(first["kind"], "\n".join(lines))
