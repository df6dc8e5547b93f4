# SPDX-License-Identifier: MIT
"""One call of the candidate's function."""

import inspect
import re

from attngrade_host.devices import missing_device
from attngrade_host.errors import describe_error
from attngrade_host.libraries import is_autograd_function, is_eval_of_torch
from attngrade_host.results import encode_results
from attngrade_host.signatures import UNKNOWN
from attngrade_host.tensors import Tensors, to_numpy, without_gradients

def is_changed(value, original):
    try:
        array, _ = to_numpy(value)
        return array.shape != original.shape or (
            array.tobytes() != original.tobytes())
    except Exception:
        return True


SWITCHES = {"False": False, "True": True}


def numbers(text):
    """{"d_k": 16, "causal": False} of "d_k=16 causal=False" """
    pairs = (word.partition("=") for word in text.split())
    return {name: SWITCHES[value] if value in SWITCHES else int(value)
            for name, _, value in pairs}


class Arguments:
    """Fresh tensors for every call, by position and by keyword."""

    def __init__(self, request, arrays):
        tensors = Tensors(request["framework"], request["dtype"])
        self.passed, values = [], []
        for name in request["arguments"].split():
            if name == "n_heads":
                values.append(int(request["n_heads"]))
                continue
            value = tensors.make(arrays[name])
            values.append(value)
            self.passed.append((value, to_numpy(value)[0].copy()))
        keywords = request["keywords"].split()
        count = len(values) - len(keywords)
        self.positional = values[:count]
        self.keyword = dict(zip(keywords, values[count:]))
        self.filled = numbers(request["filled"])

    def are_changed(self):
        return any(is_changed(value, original)
                   for value, original in self.passed)


def to_evaluation(value):
    """No dropout, as `eval()` has it where there is one without arguments."""
    switch = getattr(value, "eval", None)
    if not callable(switch):
        return
    if not is_eval_of_torch(switch):
        try:
            inspect.signature(switch).bind()
        except (TypeError, ValueError):
            return  # it evaluates something
    switch()


def find_target(module, request):
    """What is called."""
    name, _, method = request["callable"].partition(".")
    target = getattr(module, name)
    if is_autograd_function(target):
        return target.apply
    if request["is_class"] == "1":
        # No state from one call to the next.
        target = target(**numbers(request["constructor"]))
    to_evaluation(target)
    if method:
        target = getattr(target, method)
    return target if callable(target) else target.forward


def in_places(parameters, positional, named):
    """(positional, named), with what can only be passed by position among the
    former; where one before it is not passed, its default is."""
    only = [p for p in parameters if p.kind == p.POSITIONAL_ONLY]
    count = max([i + 1 for i, p in enumerate(only) if p.name in named],
                default=0)
    positional, named = list(positional), dict(named)
    for parameter in only[len(positional):count]:
        if parameter.name in named:
            positional.append(named.pop(parameter.name))
        elif parameter.default not in (parameter.empty, UNKNOWN):
            positional.append(parameter.default)
        else:
            break
    return positional, named


REFUSED = re.compile(r"got an unexpected keyword argument '(\w+)'")


def call_without_refused(target, positional, named, added):
    """What the grader adds, going by a signature, may be refused by a wrapper
    that shows the signature of the function within. added: names of it"""
    while True:
        try:
            return target(*positional, **named)
        except TypeError as error:
            refused = REFUSED.search(str(error))
            if refused is None or refused.group(1) not in added & set(named):
                raise
            named = {name: value for name, value in named.items()
                     if name != refused.group(1)}


def parameters_of(loaded, path):
    value = getattr(loaded.module, path.partition(".")[0])
    known, parameters = loaded.parameters.get(path, (None, None))
    if parameters is None or known is not value:
        parameters = loaded.signatures.of(path, value) or []
        loaded.parameters[path] = value, parameters
    return parameters


def call(loaded, request, arrays):
    """(metadata, encoded arrays) of the reply"""
    if request.get("module") == "1":
        return reply_of_module(loaded, request, arrays)
    try:
        arguments = Arguments(request, arrays)  # its library may be missing
        target = find_target(loaded.module, request)
        parameters = parameters_of(loaded, request["callable"])
        positional, named = in_places(parameters, arguments.positional,
                                      {**arguments.filled, **arguments.keyword})
        with without_gradients(request["framework"]):
            value = call_without_refused(target, positional, named,
                                         set(arguments.filled))
    except BaseException as error:
        fault = loaded.adapter.fault(error) if loaded.adapter else ""
        if isinstance(error, (MemoryError, SystemExit)) and not fault:
            raise
        return raised(error, fault)
    problem, results = encode_results(value, request)
    if problem and loaded.adapter:  # which may be to blame as well
        return raised(TypeError(problem), loaded.adapter.name + ": `%s` %s" % (
            request["callable"], problem))
    # What an adapter changes is nobody's affair.
    changed = arguments.are_changed() and not loaded.adapter
    return {"status": "returned", "problem": problem,
            "mutated": "1" if changed else "0"}, results


def raised(error, fault_of_adapter=""):
    return dict(describe_error(error), status="raised",
                missing_device=missing_device(error),
                adapter=fault_of_adapter), []


def reply_of_module(loaded, request, arrays):
    from attngrade_host.modules.calling import call_module  # its study is loaded
    try:
        value, split, x, original = call_module(
            loaded.recipes[request["callable"]], request, arrays)
    except (MemoryError, SystemExit):
        raise
    except BaseException as error:
        return raised(error)
    problem, results = encode_results(value, request, split)
    return {"status": "returned", "problem": problem,
            "mutated": "1" if is_changed(x, original) else "0"}, results
