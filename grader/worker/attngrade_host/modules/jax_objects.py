# SPDX-License-Identifier: MIT
"""Objects that hold JAX arrays: modules of Equinox and of flax.nnx; and what
constructors draw their weights from."""

import inspect
import sys

from attngrade_host.libraries import numpy
from attngrade_host.modules.names import normalise

SOURCES = ("key", "rng", "rngs", "prngkey", "rngkey", "randomkey")


def is_instance(value, module, name):
    base = getattr(sys.modules.get(module), name, None)
    return isinstance(base, type) and isinstance(value, base)


def is_random_source(parameter):
    """An argument that is to be a random key of JAX."""
    return ("jax" in sys.modules and normalise(parameter.name) in SOURCES
            and (parameter.default is parameter.empty
                 or parameter.default is None))


def random_source(cls):
    """For the constructor of the class."""
    nnx = getattr(sys.modules.get("flax.nnx"), "Module", None)
    if isinstance(nnx, type) and issubclass(cls, nnx):
        return sys.modules["flax.nnx"].Rngs(0)
    if "jax" in sys.modules:
        return random_key()
    torch_module = getattr(getattr(sys.modules.get("torch"), "nn", None),
                           "Module", None)
    if isinstance(torch_module, type) and issubclass(cls, torch_module):
        return sys.modules["torch"].Generator().manual_seed(0)
    # It has `randn` as well as what the newer Generator has.
    return numpy.random.RandomState(0)


def random_key():
    return sys.modules["jax"].random.PRNGKey(0)


def constructor_of(cls):
    """What the signature of the constructor is read from: `nnx` hides it behind
    a call of its own."""
    nnx = getattr(sys.modules.get("flax.nnx"), "Module", None)
    if isinstance(nnx, type) and issubclass(cls, nnx):
        return list(inspect.signature(cls.__init__).parameters.values())[1:]
    return list(inspect.signature(cls).parameters.values())


def evaluated(made):
    """The object with dropout off."""
    if is_instance(made, "equinox", "Module"):
        return sys.modules["equinox"].nn.inference_mode(made)
    if is_instance(made, "flax.nnx", "Module"):
        made.eval()
    return made


def without_norms(made, width):
    """Of Equinox, see writing.replace_norms."""
    if not is_instance(made, "equinox", "Module"):
        return 0
    count = 0
    for name, child in list(vars(made).items()):
        if is_norm(child, width):
            object.__setattr__(made, name,
                               sys.modules["equinox"].nn.Identity())
            count += 1
        else:
            count += without_norms(child, width)
    return count


def is_norm(value, width):
    weight = getattr(value, "weight", None)
    return "norm" in type(value).__name__.lower() and is_instance(
        value, "equinox", "Module") and (
            getattr(weight, "shape", (width,)) == (width,))
