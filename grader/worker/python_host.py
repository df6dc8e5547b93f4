# SPDX-License-Identifier: MIT
"""Loads one candidate's Python file and answers the grader's calls.

Speaks worker/protocol.md. Runs as `python3 -I -c TEXT`; Python 3.8 and later.
Nothing in this process is trusted by the grader: this file is here to be fair
to honest candidates, not to stop dishonest ones.
"""

import ast
import fcntl
import inspect
import io
import json
import os
import struct
import sys
import tokenize
import traceback
import types

try:
    import numpy
except Exception:  # broken is as good as missing
    numpy = None

HOST_FILE = (lambda: 0).__code__.co_filename
TEXT_LIMIT = 8000
OUTPUT_NAMES = ("output", "out", "context", "result")
WEIGHTS_NAMES = ("weights", "attention_weights", "attn_weights", "attention",
                 "attn", "probs")
# dtype.str without byte order -> the spelling of safetensors
DTYPES = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32",
          "i2": "I16", "i1": "I8", "u8": "U64", "u4": "U32", "u2": "U16",
          "u1": "U8", "b1": "BOOL"}


class LoadError(Exception):
    def __init__(self, kind, detail):
        super().__init__(detail)
        self.reply = {"status": "load-failed", "kind": kind,
                      "detail": clean(detail)}


class Problem(Exception):
    """What came back is no result; the text says why."""


# ---- messages


def clean(text):
    """Text that survives UTF-8: a lone surrogate would break the message."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    if len(text) <= TEXT_LIMIT:
        return text
    return text[:TEXT_LIMIT // 2] + "\n[...]\n" + text[-TEXT_LIMIT // 2:]


class Channel:
    def __init__(self):
        number = int(os.environ.pop("ATTNGRADE_CHANNEL"))
        # Away from the numbers that a file opened or closed by mistake has.
        self.number = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 200)
        os.close(number)

    def read_exactly(self, size):
        parts = []
        while size > 0:
            part = os.read(self.number, min(size, 1 << 20))
            if not part:
                os._exit(0)  # the grader is done with this process
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def receive(self):
        """(metadata, {name: numpy array})"""
        length, = struct.unpack("<Q", self.read_exactly(8))
        header = json.loads(self.read_exactly(length))
        metadata = header.pop("__metadata__", {})
        size = max((entry["data_offsets"][1] for entry in header.values()),
                   default=0)
        data = self.read_exactly(size)
        arrays = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            dtype = {"F64": "<f8", "BOOL": "?"}[entry["dtype"]]
            flat = numpy.frombuffer(data[begin:end], dtype=dtype)
            arrays[name] = flat.reshape(entry["shape"])
        return metadata, arrays

    def send(self, metadata, arrays=()):
        """arrays: (name, dtype, shape, bytes) in the order of the results"""
        header = {"__metadata__": metadata}
        offset = 0
        for name, dtype, shape, data in arrays:
            header[name] = {"dtype": dtype, "shape": shape,
                            "data_offsets": [offset, offset + len(data)]}
            offset += len(data)
        text = json.dumps(header).encode()
        parts = [struct.pack("<Q", len(text)), text]
        view = memoryview(b"".join(parts + [array[3] for array in arrays]))
        while view:
            view = view[os.write(self.number, view):]


# ---- errors, as the candidate should see them


def describe_error(error):
    """Type, message and traceback from the candidate's first frame on."""
    frames = traceback.extract_tb(error.__traceback__)
    while frames and frames[0].filename == HOST_FILE:
        frames.pop(0)
    if len(frames) > 20:  # endless recursion
        frames = frames[:10] + frames[-10:]
    last = "".join(traceback.format_exception_only(type(error), error))
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be printed"
    head = "Traceback (most recent call last):\n" if frames else ""
    text = head + "".join(traceback.format_list(frames)) + last
    return {"type": clean(type(error).__name__), "message": clean(message),
            "traceback": clean(text)}


# ---- loading


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


# ---- describing


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


# ---- results


def is_array(value):
    return (numpy is not None and isinstance(value, (numpy.ndarray,
                                                     numpy.generic))
            or hasattr(value, "__array__") or hasattr(value, "detach"))


def type_name(value):
    name = type(value).__name__
    return ("an " if name[:1] in "aeiou" else "a ") + name


def to_numpy(value):
    """A numpy array and whether its values are bfloat16."""
    if hasattr(value, "detach"):  # torch
        value = value.detach().cpu()
        if "bfloat16" in str(value.dtype):
            return value.float().numpy(), True
        return value.numpy(), False
    array = numpy.asarray(value)
    if array.dtype.name == "bfloat16":  # the type that jax adds to numpy
        return array.astype(numpy.float32), True
    return array, False


def nested_list(value):
    try:
        array = numpy.array([to_numpy(part)[0] if is_array(part) else part
                             for part in value])
    except ValueError:
        array = None
    if array is None or array.dtype == object:
        raise Problem("returned a list that is no rectangle of numbers")
    return array


def encode(value, max_elements):
    """(dtype, shape, bytes) of one result"""
    if value is None:
        raise Problem("returned None")
    if is_array(value):
        array, is_bfloat16 = to_numpy(value)
    elif isinstance(value, (list, tuple)):
        array, is_bfloat16 = nested_list(value), False
    elif isinstance(value, (bool, int, float)):
        array, is_bfloat16 = numpy.asarray(value), False
    else:
        raise Problem("returned %s, not an array" % type_name(value))
    if array.dtype.kind not in "fiub":
        raise Problem("returned an array of dtype %s, not of real numbers"
                      % array.dtype)
    if array.size > max_elements:
        raise Problem("returned an array of shape %s, far larger than any "
                      "result of this call" % (array.shape,))
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(numpy.float64)
    if is_bfloat16:
        bits = numpy.ascontiguousarray(array).view(numpy.uint32) >> 16
        return "BF16", list(array.shape), bits.astype("<u2").tobytes()
    little = array.astype(array.dtype.newbyteorder("<"))
    return DTYPES[array.dtype.str[1:]], list(array.shape), little.tobytes()


def named_results(fields):
    """{role: value} of a dict or of an object's attributes"""
    lower = {str(name).lower(): value for name, value in fields.items()}
    roles = {}
    for role, names in (("output", OUTPUT_NAMES), ("weights", WEIGHTS_NAMES)):
        for name in names:
            if lower.get(name) is not None:
                roles[role] = lower[name]
                break
    return roles


def attributes(value):
    names = OUTPUT_NAMES + WEIGHTS_NAMES
    return {name: getattr(value, name) for name in names
            if hasattr(value, name)}


def is_sequence_of_results(value, rank):
    """A tuple always is; a list of arrays may be one array, row by row."""
    if isinstance(value, tuple):
        return True
    if not isinstance(value, list) or not any(map(is_array, value)):
        return False
    shapes = {numpy.shape(part) for part in value}
    return len(shapes) > 1 or len(shapes.pop()) >= rank


def split_results(value, rank):
    """[(name, value), ...]; the names `output` and `weights` are roles."""
    if isinstance(value, dict):
        named = named_results(value)
        if not named:
            raise Problem("returned a dict without an entry 'output' or "
                          "'weights'")
        return list(named.items())
    if is_sequence_of_results(value, rank):
        named = named_results(attributes(value))
        if named:
            return list(named.items())
        parts = [part for part in value if part is not None]
        if not 1 <= len(parts) <= 4:
            raise Problem("returned %d values" % len(value))
        return [("result_%d" % i, part) for i, part in enumerate(parts)]
    if not is_array(value):
        named = named_results(attributes(value))
        if named:
            return list(named.items())
    return [("result_0", value)]


def encode_results(value, request):
    """(problem, encoded arrays); hostile objects may raise anything."""
    max_elements = int(request["max_elements"])
    try:
        return "", [(name,) + encode(part, max_elements)
                    for name, part in split_results(value,
                                                    int(request["rank"]))]
    except Problem as problem:
        return str(problem), []
    except MemoryError:
        raise
    except Exception as error:
        return clean("returned %s that cannot be converted: %s: %s"
                     % (type_name(value), type(error).__name__, error)), []


# ---- calling


def is_changed(array, original):
    try:
        return array.shape != original.shape or (
            array.tobytes() != original.tobytes())
    except Exception:
        return True


def arrange(request, originals):
    """Positional and keyword arguments: fresh arrays for every call."""
    values = []
    for name in request["arguments"].split():
        if name == "n_heads":
            values.append(int(request["n_heads"]))
        else:
            values.append(originals[name].copy())
    keywords = request["keywords"].split()
    positional = len(values) - len(keywords)
    return values[:positional], dict(zip(keywords, values[positional:]))


def function_of(module, request):
    target = getattr(module, request["callable"])
    if request["is_class"] == "1":
        target = target()  # no state from one call to the next
    if hasattr(target, "eval") and hasattr(target, "forward"):
        target.eval()  # dropout off
    if not callable(target):
        target = target.forward
    return target


def call(module, request, originals):
    """(metadata, encoded arrays) of the reply"""
    positional, keyword = arrange(request, originals)
    passed = positional + list(keyword.values())
    try:
        value = function_of(module, request)(*positional, **keyword)
    except (MemoryError, SystemExit):
        raise
    except BaseException as error:
        return dict(describe_error(error), status="raised"), []
    problem, arrays = encode_results(value, request)
    names = request["arguments"].split()
    mutated = any(is_changed(array, originals[name])
                  for name, array in zip(names, passed) if name in originals)
    return {"status": "returned", "problem": problem,
            "mutated": "1" if mutated else "0"}, arrays


def answer(state, request, arrays):
    if request["op"] == "load":
        state.module, tree = load(request["path"])
        try:
            description = json.dumps(describe(state.module, tree))
        except Exception as error:  # objects that cannot even be looked at
            raise LoadError("exception", describe_error(error)["traceback"])
        return {"status": "loaded", "description": description}, []
    return call(state.module, request, arrays)


def prepare_streams():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace",
                           line_buffering=True)


def main():
    channel = Channel()
    prepare_streams()
    sys.dont_write_bytecode = True
    state = types.SimpleNamespace(module=None)
    channel.send({"status": "ready",
                  "python": "%d.%d.%d" % sys.version_info[:3],
                  "numpy": numpy.__version__ if numpy else ""})
    while True:
        request, arrays = channel.receive()
        try:
            reply, results = answer(state, request, arrays)
        except LoadError as error:
            reply, results = error.reply, []
        except MemoryError as error:
            reply, results = {"status": "out-of-memory",
                              "detail": clean(str(error))}, []
        # What the candidate printed goes out before the answer does.
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        channel.send(dict(reply, id=request["id"]), results)


main()
