# SPDX-License-Identifier: MIT
"""From the bytes of a file to a module that has run."""

import ast
import importlib
import io
import os
import sys
import tokenize
import traceback
import types

from attngrade_host.definitions import run_definitions, trains
from attngrade_host.devices import missing_device
from attngrade_host.errors import HOST_FOLDER, LoadError, describe_error
from attngrade_host.imports import (DEFINITIONS, collect_imports,
                                    top_level_bindings)
from attngrade_host.missing import stand_in_for
from attngrade_host.notebook import (is_notebook, load_error, parse_cells,
                                     read_cells, run_notebook)
from attngrade_host.signatures import Signatures


def read_source(path):
    with open(path, "rb") as file:
        data = file.read()
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        bad = error
    except LookupError as error:  # "# coding: rot13" is for text, not for bytes
        raise LoadError("encoding", str(error))
    except SyntaxError as error:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as decode_error:
            bad = decode_error
        else:
            raise LoadError("encoding", str(error))
    line = data.count(b"\n", 0, bad.start) + 1
    raise LoadError(
        "encoding", "line %d: byte 0x%02x is not valid %s; save the file as "
        "UTF-8" % (line, data[bad.start], encoding))


def compile_source(source, path):
    try:
        tree = ast.parse(source, path)
        return tree, compile(tree, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise LoadError("syntax", syntax_detail(error))
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise LoadError("syntax", "Python cannot parse the file: %s"
                        % (str(error) or type(error).__name__))


def syntax_detail(error):
    lines = traceback.format_exception_only(type(error), error)
    where = "" if error.lineno is None else "line %s: " % error.lineno
    return where + "%s\n%s" % (error.msg, "".join(lines[:-1]))


class Loaded:
    """A submission that has run: its module, the syntax tree of its file with
    what that binds and imports, remarks for the grader's user, and hints, that
    are of use where no function of a task is found."""

    def __init__(self, module, tree, remarks, imports=None, hints=()):
        self.module = module
        self.tree = tree
        self.imports = imports or collect_imports(tree)
        self.bindings = top_level_bindings(tree)
        self.signatures = Signatures(tree, self.bindings)
        self.remarks = remarks
        self.parameters = {}  # {path: (value, its parameters)}
        self.recipes = {}  # of classes that build their own projections
        self.adapter = None  # whose functions these are, if there is one
        self.hints = [*hints, *lost_functions(module, self.bindings,
                                              self.signatures.definitions)]


def lost_functions(module, bindings, definitions):
    """Where a name of a function has become that of something else."""
    for name, found in definitions.items():
        last = bindings.get(name)
        value = vars(module).get(name)
        if last is None or last in found or value is None or callable(value):
            continue
        cell = getattr(last, "cell", None)
        where = "line %d" % last.lineno
        if cell is not None:
            where += " of cell %d" % cell
        yield ("%s gives the name `%s` to something else (%s), after the "
               "function was defined: use another name there"
               % (where, name, type(value).__name__))


def load(path, root, tree, code, whole=True):
    """path: the candidate's script, in the folder `root` or below it; tree and
    code: of compile_source(); whole: run all of it, not its definitions alone"""
    imports = collect_imports(tree)
    search_beside(path, root)
    stand_ins = stand_in_for(imports.needed, root)
    module = make_module(path, root, bool(imports.relative))
    if not whole:
        run_definitions(tree, module)
        return Loaded(module, tree, remarks_on(stand_ins), imports)
    end = None
    with translated_errors():
        try:
            exec(code, module.__dict__)
        except SystemExit as error:
            end = ended_by(error)
            if not vars(module).keys() & definitions_of(tree):
                raise LoadError("exit", end + CURE)
    remarks = remarks_on(stand_ins)
    if end is None:
        return Loaded(module, tree, remarks, imports)
    remarks.append(end + "; graded with what was defined by then")
    return Loaded(module, tree, remarks, imports, [end + CURE])


def load_for_classes(path, root, is_usable):
    """path: of a script or a notebook. Of a script that trains a model, or
    fails, the definitions alone where that leaves a class that `is_usable` finds
    in it; else as it is."""
    if is_notebook(path):
        return load_notebook(path, root)
    tree, code = compile_source(read_source(path), path)
    if trains(tree):
        loaded = load(path, root, tree, code, False)
        if is_usable(loaded):
            loaded.remarks.append("the file trains a model: only its imports, "
                                  "definitions and settings were run")
            return loaded
    try:
        return load(path, root, tree, code)
    except LoadError as error:
        if error.reply["kind"] not in ("exception", "import", "exit"):
            raise
        loaded = load(path, root, tree, code, False)
        if not is_usable(loaded):
            raise error
        last = error.reply["detail"].strip().split("\n")[-1]
        loaded.remarks.append("running the file fails (%s): only its imports, "
                              "definitions and settings were run" % last)
        return loaded


CURE = ": what ends the program belongs under `if __name__ == \"__main__\":`"


def definitions_of(tree):
    return {name for name, statement in top_level_bindings(tree).items()
            if isinstance(statement, DEFINITIONS)}


def ended_by(error):
    """As a script ends itself: `unittest.main()`, `sys.exit(main())`."""
    code = error.code
    code = 0 if code is None else int(code) if isinstance(code, int) else 1
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__)
             if frame.f_code.co_name == "<module>"
             and not frame.f_code.co_filename.startswith(HOST_FOLDER)]
    return "the file ends itself with exit code %d%s" % (
        code, " at line %d" % lines[0] if lines else "")


def remarks_on(stand_ins):
    return [name + " is not installed; a stand-in takes its place"
            for name in sorted(stand_ins.used)]


def load_notebook(path, root):
    """The grader has left a list of the code cells in place of the file."""
    cells = read_cells(path)
    # IPython is there in a notebook: run_notebook has a stand-in of its own.
    stand_ins = stand_in_for(
        collect_imports(parse_cells(cells)).needed - {"IPython"}, root)
    search_beside(path, root)
    run = run_notebook(cells, path, free_name(path))
    if run.failures and not top_level_bindings(run.tree).keys() & vars(
            run.module).keys():
        raise load_error(run.failures)
    return Loaded(run.module, run.tree, run.notes + remarks_on(stand_ins))


def search_beside(path, root):
    """Helpers are imported from beside the file, from beside the package that
    it is in, from the top folder or its `src`; after everything that is
    installed, so that none of it is replaced."""
    sys.argv = [path]
    package = os.path.dirname(path)
    while package != root and os.path.exists(
            os.path.join(package, "__init__.py")):
        package = os.path.dirname(package)
    for folder in (os.path.dirname(path), package, root,
                   os.path.join(root, "src")):
        if folder not in sys.path and os.path.isdir(folder):
            sys.path.append(folder)


def free_name(path):
    """The name of the file, but numpy.py must not replace numpy."""
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules or "." in name:
        name = "submission_" + name.replace(".", "_")
    return name


def make_module(path, root, in_package):
    """An empty module, registered under the name of the file."""
    name = free_name(path)
    package = ""
    if in_package:
        package = make_packages(path, root)
        name = package + "." + name
    module = types.ModuleType(name)
    module.__file__ = path
    module.__package__ = package
    sys.modules[name] = module
    return module


class TopPackage(types.ModuleType):
    """Its __init__.py runs when something of it is asked for: often it needs
    more than the file that is graded."""

    def __init__(self, name, root):
        super().__init__(name)
        self.__path__ = [root]
        self.__file__ = os.path.join(root, "__init__.py")

    def __getattr__(self, name):
        if (name.startswith("__") or "__has_run" in vars(self)
                or not os.path.exists(self.__file__)):
            raise AttributeError("module %r has no attribute %r"
                                 % (self.__name__, name))
        vars(self)["__has_run"] = True
        _, code = compile_source(read_source(self.__file__), self.__file__)
        self.__package__ = self.__name__
        exec(code, vars(self))
        return getattr(self, name)


def make_packages(path, root):
    """The folder `root` as a package `submission`, whatever it is called, and
    the folders from there to the file: `from ..helpers import softmax`."""
    package = "submission"
    sys.modules[package] = TopPackage(package, root)
    below = os.path.relpath(os.path.dirname(path), root)
    for folder in [] if below == "." else below.split(os.sep):
        package += "." + folder
        with translated_errors():
            importlib.import_module(package)
    return package


def hidden_helper(error):
    """A helper called test.py or types.py is hidden by Python's own module."""
    name = str(error.name or "").partition(".")[0]
    for folder in sys.path[-4:]:  # search_beside
        path = os.path.join(folder, name + ".py")
        if name and error.path != path and os.path.exists(path):
            return ("; the helper %s.py is hidden by another module of that "
                    "name: rename it" % name)
    return ""


class translated_errors:
    """What candidate code raises while it is imported, as a LoadError."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, frames):
        if error is None or isinstance(error, (MemoryError, LoadError)):
            return False
        if isinstance(error, SyntaxError):  # of a file beside it
            raise LoadError("syntax", "%s: %s" % (
                os.path.basename(str(error.filename)), syntax_detail(error)))
        if isinstance(error, ImportError):
            raise LoadError("import", "%s%s\n%s"
                            % (error, hidden_helper(error),
                               describe_error(error)["traceback"]))
        if isinstance(error, SystemExit):
            raise LoadError("exit", "the file ends the program while it is "
                            "imported: exit code %s" % (error.code,))
        device = missing_device(error)
        if device:
            raise LoadError("device", device + "\n"
                            + describe_error(error)["traceback"])
        raise LoadError("exception", describe_error(error)["traceback"])
