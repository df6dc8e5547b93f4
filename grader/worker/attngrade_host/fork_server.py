# SPDX-License-Identifier: MIT
"""A warm interpreter that copies itself, once for each process of a submission.

Run by the grader as a program: LIBRARY one|many [NAME]..., where LIBRARY is
attngrade-fork.so, which makes the cells and shows this process nothing but
requests; for many submissions all of the host is loaded once; and each NAME is a
large module to load. It never holds a byte of a submission. A copy is told what
to do: "serve", "probe" (compute a little), or "inspect" with what inspect_files.py
is told on a command line, after which it serves, too; then the variables of its
environment.
"""

import ctypes
import functools
import gc
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from attngrade_host import inspect_files, serve  # noqa: E402
from attngrade_host.libraries import numpy, preload  # noqa: E402
sys.path.pop(0)

MOST_TOLD = 1 << 16  # bytes


def address_of(name):
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p)


def await_request(library):
    """The words that this process, now a copy in its cell, is told."""
    serve_forks = ctypes.PyDLL(library).attngrade_serve_forks
    serve_forks.restype = ctypes.c_long
    serve_forks.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_size_t]
    told = ctypes.create_string_buffer(MOST_TOLD)
    size = serve_forks(address_of("PyOS_BeforeFork"),
                       address_of("PyOS_AfterFork_Parent"),
                       address_of("PyOS_AfterFork_Child"),
                       ctypes.cast(told, ctypes.c_void_p), MOST_TOLD)
    if size < 0:
        sys.exit(1)
    return [os.fsdecode(word) for word in told.raw[:size].split(b"\0")[:-1]]


def become_different(libraries):
    """Not the random numbers of all the other copies."""
    random.seed()
    if "numpy.random" in sys.modules:  # else it is new to each copy
        numpy.random.seed()
    if "torch" in libraries:
        libraries["torch"].seed()


def try_out(libraries):
    """Whether a copy can compute at all: some libraries hang after a fork."""
    if numpy is not None:
        numpy.exp(numpy.ones((64, 64)) @ numpy.ones((64, 64)) - 64.0).sum()
    if "torch" in libraries:
        torch = libraries["torch"]
        torch.softmax(torch.ones(64, 64) @ torch.ones(64, 64), -1).sum().item()


def await_tasks():
    """What this process, now a copy, is to do, one after the other."""
    libraries = preload(sys.argv[3:])
    if sys.argv[2] == "many":
        serve.import_study().compile_patterns()
    gc.collect()
    gc.freeze()  # a collection in a copy would copy every page
    task, *words = await_request(sys.argv[1])
    end = words.index("")
    os.environ.update(word.split("=", 1) for word in words[end + 1:])
    become_different(libraries)
    sys.argv[:] = ["start.py"]
    if task == "inspect":
        yield functools.partial(inspect_files.inspect, *words[:end])
    yield functools.partial(try_out if task == "probe" else serve.serve,
                            libraries)


if __name__ == "__main__":
    for do in await_tasks():
        do()  # here, where the stack is that of a fresh interpreter
    sys.stdout.flush()
    os._exit(0)  # nothing of the interpreter that it copies is to be undone
