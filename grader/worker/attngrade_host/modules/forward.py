# SPDX-License-Identifier: MIT
"""How an object is called: x in every place where a tensor is wanted, the mask
by its name."""

import inspect
import sys

from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.jax_objects import (evaluated, is_random_source,
                                                random_key)
from attngrade_host.modules.leaves import Tree
from attngrade_host.modules.names import is_causal_switch, means, normalise

METHODS = ("forward", "__call__", "call", "attend", "attention", "compute",
           "compute_attention", "self_attention", "apply", "run", "evaluate",
           "transform", "predict")
SWITCHES_OFF = ("training", "train", "istraining", "istrain", "usecache",
                "verbose", "debug", "plot")
SWITCHES_ON = ("deterministic", "inference", "evalmode")
# Their classes have methods that are not meant: `apply`, a call that builds.
FRAMEWORKS = ("torch.", "flax.", "equinox.", "keras.")


def method_of(cls):
    """The name of the method that is called, or None."""
    for name in METHODS:
        for base in cls.__mro__:
            if base.__module__.startswith(FRAMEWORKS):
                break
            if name in vars(base) and callable(getattr(cls, name)):
                return name
    own = [name for name, value in vars(cls).items()
           if not name.startswith("_") and inspect.isfunction(value)]
    return own[0] if len(own) == 1 else None


def is_flag(parameter):
    found = parameter.annotation
    return isinstance(parameter.default, bool) or found is bool or (
        isinstance(found, str) and found == "bool") or (
        is_required(parameter) and switch_of(parameter.name) is not None) or (
        # None is as good as off, but not as deterministic.
        parameter.default is None and switch_of(parameter.name) is True)


def switch_of(name):
    """As evaluation has it, or None."""
    name = normalise(name)
    return True if name in SWITCHES_ON else False if name in SWITCHES_OFF else None


def is_lengths(parameter):
    return means(parameter.name, "lengths")


def is_mask(parameter):
    return not is_flag(parameter) and (means(parameter.name, "mask")
                                       or is_lengths(parameter))


ROTATIONS = {"cos": 1.0, "sin": 0.0, "freqscis": 1.0, "freqs": 1.0,
             "freqscos": 1.0, "freqssin": 0.0}


def is_rotation(parameter):
    """Of a rotary embedding, of which nothing is asked."""
    return normalise(parameter.name) in ROTATIONS


def rotation(parameter, sizes, like):
    """(n, d) cosines of 1 and sines of 0; of complex numbers (n, d/2)."""
    name = normalise(parameter.name)
    value = ROTATIONS[name]
    is_complex = name in ("freqs", "freqscis")
    shape = (sizes.n, sizes.d // 2 if is_complex else sizes.d)
    array = numpy.full(shape, value, complex if is_complex else float)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(like, torch.Tensor):
        tensor = torch.from_numpy(array)
        return tensor.to(torch.complex64) if is_complex else tensor.to(
            like.dtype)
    return array


def is_required(parameter):
    return parameter.default is parameter.empty


# Of several masks the first of these is the one of queries and keys.
PREFERRED = ("mask", "attnmask", "attentionmask", "srcmask")


class Call:
    """The parameters of a method. form: how the tensors are passed: "apart", or
    as one "tuple" or "list" in the only place, "three" for (*inputs); or "all",
    optional ones too."""

    def __init__(self, cls, method):
        self.method = method
        try:
            signature = inspect.signature(getattr(cls, method))
            self.parameters = list(signature.parameters.values())[1:]
        except (TypeError, ValueError):
            self.parameters = []
        for base in cls.__mro__:
            if method in vars(base):
                if isinstance(vars(base)[method], (staticmethod, classmethod)):
                    self.parameters = list(inspect.signature(
                        getattr(cls, method)).parameters.values())
                break
        self.form = "apart"
        self.start = None  # the first call that worked, see starts.py
        self.random = self.find_random()
        self.mask = self.find_mask()
        self.causal_switch = next(
            (p.name for p in self.parameters
             if is_flag(p) and is_causal_switch(p.name, True)), None)

    def find_mask(self):
        masks = [p for p in self.parameters if is_mask(p)]
        for name in PREFERRED:
            for parameter in masks:
                if normalise(parameter.name) == name:
                    return parameter
        return masks[0] if masks else None

    def find_random(self):
        """Names of random keys of JAX; beside a query, `key` is a tensor."""
        names = {normalise(p.name) for p in self.parameters}
        if names & {"query", "q", "value", "v", "queries", "values"}:
            return ()
        return [p.name for p in self.parameters
                if is_random_source(p) and is_required(p)]

    def tensors(self):
        """Parameters that get x."""
        return [p for p in self.parameters
                if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
                and not is_mask(p) and not is_rotation(p) and not is_flag(p)
                and p.name not in self.random
                and (is_required(p) or (self.form == "all"
                                        and p.default is None))]

    def takes_any(self):
        return any(p.kind == p.VAR_POSITIONAL for p in self.parameters)

    def forms(self):
        """To be tried, the usual first."""
        count = len(self.tensors())
        found = ["apart"]
        if any(p.default is None and not is_mask(p) for p in self.parameters):
            found.append("all")
        if count == 1:
            found += ["tuple", "list"]
        if self.takes_any() and count == 0:
            found.append("three")
        return found

    def arguments(self, x, mask, wants_causal, sizes):
        """(positional, named); mask: None, or what is passed as one"""
        positional, named = [], {}
        tensors = [p.name for p in self.tensors()]
        by_name = False
        for parameter in self.parameters:
            if parameter.kind in (parameter.VAR_POSITIONAL,
                                  parameter.VAR_KEYWORD):
                continue
            if parameter.name in tensors:
                value = self.tensor(x)
            elif parameter is self.mask and (mask is not None
                                             or is_required(parameter)):
                value = mask
            elif parameter.name == self.causal_switch:
                value = wants_causal
            elif is_flag(parameter) and switch_of(parameter.name) is not None:
                value = switch_of(parameter.name)
            elif parameter.name in self.random:
                value = random_key()
            elif is_rotation(parameter) and is_required(parameter):
                value = rotation(parameter, sizes, x)
            elif is_required(parameter):
                value = None if is_mask(parameter) else False
            elif parameter.kind == parameter.POSITIONAL_ONLY:
                value = parameter.default
            else:
                by_name = True  # all further ones
                continue
            if by_name or parameter.kind == parameter.KEYWORD_ONLY:
                named[parameter.name] = value
            else:
                positional.append(value)
        if self.takes_any() and not tensors:
            positional += [x] * (3 if self.form == "three" else 1)
        return positional, named

    def tensor(self, x):
        if self.form == "tuple":
            return (x, x, x)
        if self.form == "list":
            return [x, x, x]
        return x


def target_of(made, method):
    """What is called; hooks of a torch module run with __call__ only."""
    if isinstance(made, Tree):
        return made.method(method)
    if method == "forward" and is_torch_module(made):
        return made
    return getattr(made, method)


def to_evaluation(made):
    """The object, or its like, with dropout off and weights that are written to
    as they are used."""
    if is_torch_module(made):
        made.eval()
        remove_norms_of_weights(made)
        return made
    return evaluated(made)


def remove_norms_of_weights(made):
    """Weight norm and the like keep two factors in place of a weight."""
    utils = sys.modules["torch"].nn.utils
    parametrize = getattr(utils, "parametrize", None)
    for layer in made.modules():
        if parametrize is not None and parametrize.is_parametrized(layer):
            for name in list(layer.parametrizations):
                parametrize.remove_parametrizations(layer, name)
        if hasattr(layer, "weight_g") and hasattr(layer, "weight_v"):
            utils.remove_weight_norm(layer)


def without_gradients():
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "no_grad"):
        import contextlib
        return contextlib.nullcontext()
    return torch.no_grad()
