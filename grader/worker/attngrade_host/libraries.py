# SPDX-License-Identifier: MIT
"""The libraries that the host itself needs, and those of submissions.

Large ones are loaded before the grader counts memory, and before anything of
the submission has run.
"""

import importlib
import os
import sys

NUMPY_FAILURE = ""  # why there is none
try:
    import numpy
except (Exception, SystemExit) as error:  # broken is as good as missing
    numpy = None
    NUMPY_FAILURE = "%s: %s" % (type(error).__name__, error)


FOLDERS = {}  # of the libraries that were loaded before the submission


def preload(names):
    """{name: module} of those that can be imported; one thread each."""
    loaded = {}
    for name in names:
        try:
            loaded[name] = importlib.import_module(name)
            FOLDERS[name] = os.path.dirname(loaded[name].__file__)
        except (Exception, SystemExit):
            continue  # the submission's own import will say why
    choose_backend(loaded)
    if "torch" in loaded:
        loaded["torch"].set_num_threads(1)
    if "jax" in loaded:
        start_jax(loaded["jax"])
    return loaded


def choose_backend(loaded):
    """Keras is to compute with torch, not with TensorFlow, whose tensors are not
    known here; on JAX it compiles more than fits into memory."""
    if "torch" in loaded:
        os.environ["KERAS_BACKEND"] = "torch"


def is_autograd_function(value):
    """A class that torch calls by `apply` and never constructs."""
    torch = sys.modules.get("torch")
    base = getattr(getattr(torch, "autograd", None), "Function", None)
    return (isinstance(value, type) and isinstance(base, type)
            and issubclass(value, base))


def torch_module():
    """torch.nn.Module, or None where torch is not there, or half imported"""
    torch = sys.modules.get("torch")
    return getattr(getattr(torch, "nn", None), "Module", None)


def is_eval_of_torch(method):
    base = torch_module()
    return hasattr(base, "eval") and (
        getattr(method, "__func__", None) is base.eval)


def is_torch_module(value):
    base = torch_module()
    return isinstance(base, type) and isinstance(value, base)


def start_jax(jax):
    """Its compiler reserves gigabytes of addresses on its first use."""
    try:
        jax.numpy.exp(jax.numpy.zeros(1)).block_until_ready()
    except Exception:
        pass  # told by the first call that needs it
