# SPDX-License-Identifier: MIT
"""From the bytes of a file to a module that has run."""

import ast
import io
import os
import sys
import tokenize
import traceback
import types

from attngrade_host.errors import LoadError, describe_error


def read_source(path):
    with open(path, "rb") as file:
        data = file.read()
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        bad = error
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
                        % (error or type(error).__name__))


def syntax_detail(error):
    lines = traceback.format_exception_only(type(error), error)
    return "line %s: %s\n%s" % (error.lineno, error.msg, "".join(lines[:-1]))


def load(path):
    """(module, syntax tree)"""
    tree, code = compile_source(read_source(path), path)
    name = os.path.splitext(os.path.basename(path))[0]
    if name in sys.modules:  # numpy.py must not replace numpy
        name = "submission_" + name
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    sys.argv = [path]
    sys.path.append(os.path.dirname(path))
    try:
        exec(code, module.__dict__)
    except MemoryError:
        raise
    except SyntaxError as error:  # of a file beside it
        raise LoadError("syntax", "%s: %s" % (error.filename,
                                              syntax_detail(error)))
    except ImportError as error:
        raise LoadError("import", "%s\n%s"
                        % (error, describe_error(error)["traceback"]))
    except SystemExit as error:
        raise LoadError("exit", "the file ends the program while it is "
                        "imported: exit code %s" % (error.code,))
    except BaseException as error:
        raise LoadError("exception", describe_error(error)["traceback"])
    return module, tree
