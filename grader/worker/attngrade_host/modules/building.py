# SPDX-License-Identifier: MIT
"""What a constructor is called with.

A plan gives each argument a symbol of sizes.py, a switch, or a config object;
several plans where a name may mean several things, the likeliest first.
"""

import dataclasses
import itertools

from attngrade_host.modules.jax_objects import (constructor_of,
                                                is_random_source,
                                                random_source)
from attngrade_host.modules.names import (is_causal_switch, means, meaning_of,
                                          normalise)
from attngrade_host.modules.sizes import text_of, value_of

MOST_PLANS = 24
CONFIG = object()  # stands for a config object
OWN_CONFIG = object()  # for one of the class that the file has for it
RANDOM = object()  # for a random key of JAX, or a generator of numpy
NOTHING = object()  # for None


class Unfilled(Exception):
    """An argument that nothing can be given for; name: which."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


def takes_argument(parameter):
    return parameter.kind not in (parameter.VAR_POSITIONAL,
                                  parameter.VAR_KEYWORD)


def constructor_parameters(cls):
    try:
        return list(filter(takes_argument, constructor_of(cls)))
    except (TypeError, ValueError):
        return []


def meaning_of_width(name):
    """C is a width in some classes; in others it is short for config."""
    return "model_width" if name.lower() == "c" else meaning_of(name)


class Widths:
    """How the arguments of a constructor, or the attributes of a config, stand
    to each other. guess: a name that says nothing, taken for the width of the
    model since there is no other, or ""."""

    guess = ""

    def __init__(self, names):
        meanings = [(name, meaning_of_width(name)) for name in names]
        self.has_heads = any(meaning == "heads" and len(name) > 1
                             for name, meaning in meanings) or (
            any(meaning == "heads" for _, meaning in meanings))
        self.model = [name for name, meaning in meanings
                      if meaning == "model_width" and len(name) > 1]
        if not self.model:
            self.model = [name for name, meaning in meanings
                          if meaning == "model_width"]
        self.has_long_heads = any(meaning == "heads" and len(name) > 1
                                  for name, meaning in meanings)

    def options(self, name, is_later_model):
        """Symbols, the likeliest first; () where nothing can be said."""
        meaning = meaning_of_width(name)
        if len(name) == 1 and meaning == "heads" and self.has_long_heads:
            return ("C",)
        if name == self.guess:
            return ("C",)
        if meaning == "model_width":
            if name not in self.model:  # `d` beside d_model
                return ("d",)
            if is_later_model and not self.has_heads:
                return ("d", "C")
            return ("C",)
        if meaning in ("heads", "key_value_heads"):
            return ("H",)
        if meaning == "head_width":
            return ("d", "C", "H") if self.has_heads else (
                ("d",) if self.model else ("d", "C"))
        if meaning == "value_width":
            return ("d", "C") if self.has_heads else ("dv", "d")
        if meaning == "output_width":
            return ("C", "d") if self.has_heads else ("d", "C")
        return {"longest": ("long", "n"), "zero": (0,)}.get(meaning, ())


class Config:
    """Answers attributes, subscripts and `get` with what names mean; the
    attributes that the file's own config has with what they say."""

    def __init__(self, sizes, own, construct, wants_causal):
        state = vars(self)
        state["_sizes"], state["_own"] = sizes, own
        state["_construct"] = construct
        state["_causal"] = wants_causal
        state["read"] = {}

    def _look_up(self, name, default=False):
        if name in self._construct:
            found = self._construct[name]
        else:
            found = symbol_in_config(name, self._causal)
        if found is None:
            return getattr(self._own, name, default)
        self.read[name] = found
        return value_of(found, self._sizes)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._look_up(name)

    def __getitem__(self, name):
        return self._look_up(name)

    def get(self, name, default=None):
        return self._look_up(name, default)

    def __contains__(self, name):
        return True

    def __setattr__(self, name, value):
        vars(self)[name] = value


IN_CONFIG = {"model_width": "C", "heads": "H", "key_value_heads": "H",
             "head_width": "d", "value_width": "d", "output_width": "C",
             "longest": "long", "zero": 0, "off": False, "on": True}


def symbol_in_config(name, wants_causal):
    meaning = meaning_of(name)
    if meaning == "causal":
        return wants_causal
    return IN_CONFIG.get(meaning)


def own_config(cls, sizes, construct, wants_causal):
    """(an object of the file's config class with our sizes written in, the names
    of the attributes that have them), configs within it included."""
    given = {}
    for parameter in constructor_parameters(cls):
        symbol = construct.get(parameter.name, symbol_in_config(
            parameter.name, wants_causal))
        if symbol is not None:
            given[parameter.name] = value_of(symbol, sizes)
    made = cls(**given)
    return made, list(given) + write_sizes(made, set(given), sizes, construct,
                                           wants_causal)


def write_sizes(config, given, sizes, construct, wants_causal, depth=3):
    filled = []
    for name in dir(config):
        if name in given or name.startswith("_") or isinstance(
                getattr(type(config), name, None), property):
            continue
        value = getattr(config, name, None)
        if callable(value):
            continue
        symbol = construct.get(name, symbol_in_config(name, wants_causal))
        if depth and is_config_class(type(value)):
            filled += [name + "." + inner for inner in write_sizes(
                value, set(), sizes, construct, wants_causal, depth - 1)]
        elif symbol is not None:
            object.__setattr__(config, name, value_of(symbol, sizes))
            filled.append(name)
    return filled


def is_config_class(value):
    if not isinstance(value, type):
        return False
    name = normalise(value.__name__)
    return (any(word in name for word in ("config", "cfg", "args", "hparams",
                                          "settings", "params", "options"))
            or dataclasses.is_dataclass(value))


def config_class(parameter, module):
    """The class in the file that the argument is to be of, or None."""
    named = parameter.annotation
    if isinstance(named, str):
        named = getattr(module, named.strip("\"'"), None)
    if isinstance(named, type) and named.__module__ == module.__name__:
        return named
    found = [value for value in vars(module).values()
             if is_config_class(value) and value.__module__ == module.__name__]
    return found[0] if len(found) == 1 else None


def is_config(parameter, module):
    if means(parameter.name, "config"):
        return annotated(parameter) is not int and not isinstance(
            parameter.default, (int, float, str))
    named = parameter.annotation
    named = getattr(module, named, None) if isinstance(named, str) else named
    return is_config_class(named)


def annotated(parameter):
    """bool of `flag: bool` and of "bool", else the annotation."""
    found = parameter.annotation
    return {"bool": bool, "int": int}.get(found, found) if isinstance(
        found, str) else found


def is_bool(parameter):
    return isinstance(parameter.default, bool) or annotated(parameter) is bool


# What is asked for and changes nothing of the numbers that are looked at.
OF_NO_MATTER = {"device": "cpu", "seed": 0, "name": "", "layeridx": 0, "layerid": 0,
                "eps": 1e-5, "epsilon": 1e-5, "theta": 1e4, "dtype": NOTHING,
                "rng": RANDOM}


class Builder:
    """construct: of the task file, {argument: symbol or value}; wants_causal:
    whether switches for a causal mask are turned on."""

    def __init__(self, cls, module, construct):
        self.cls = cls
        self.module = module
        self.construct = construct
        self.parameters = constructor_parameters(cls)
        self.widths = Widths([p.name for p in self.parameters])
        self.has_causal_switch = any(
            self.is_causal_switch(p) for p in self.parameters)
        unknown = self.unknown()
        if not self.widths.model and len(unknown) == 1:
            self.widths.guess = unknown[0]

    def unknown(self):
        """Names of arguments that are needed and say nothing."""
        names = []
        for parameter in self.parameters:
            try:
                self.options(parameter)
            except Unfilled as unfilled:
                names.append(unfilled.name)
        return names

    def is_causal_switch(self, parameter):
        is_flag = is_bool(parameter)
        return is_causal_switch(parameter.name, is_flag) and (
            is_flag or parameter.default is parameter.empty)

    def is_off(self, name):
        """A flag that is False where nobody sets it."""
        return any(p.name == name and p.default is False
                   for p in self.parameters)

    def options(self, parameter):
        """What may be passed for it; (None,): nothing, its default."""
        name = parameter.name
        has_default = parameter.default is not parameter.empty
        if name in self.construct:
            return (self.construct[name],)
        if is_random_source(parameter):
            return (RANDOM,)
        if self.is_causal_switch(parameter):
            return ("causal",)
        if is_config(parameter, self.module):
            own = config_class(parameter, self.module)
            return ((OWN_CONFIG, CONFIG) if own else (CONFIG,)) + (
                self.widths.options(name, False))
        meaning = meaning_of(name)
        if is_bool(parameter):
            if meaning == "on":
                return (True,)
            if has_default and (not parameter.default or meaning != "off"):
                return (None,)
            return (False,)
        if meaning == "off" and not has_default:
            return (False,)
        found = self.widths.options(name, self.is_later_model(name))
        if found:
            return found
        if has_default:
            return (None,)
        if meaning == "left_alone" and normalise(name) in OF_NO_MATTER:
            return (OF_NO_MATTER[normalise(name)],)
        raise Unfilled(name)

    def is_later_model(self, name):
        return name in self.widths.model[1:]

    def plans(self):
        """Lists of (argument, symbol); Unfilled where an argument is left."""
        options = [(parameter.name, self.options(parameter))
                   for parameter in self.parameters]
        # The first options of all, then others of one argument at a time.
        combined = list(itertools.islice(itertools.product(
            *(found for _, found in options)), 200))
        firsts = [found[0] for _, found in options]
        combined.sort(key=lambda symbols: sum(
            symbol is not first for symbol, first in zip(symbols, firsts)))
        return [[(name, symbol) for (name, _), symbol in zip(options, symbols)]
                for symbols in combined[:MOST_PLANS]]

    def make(self, plan, sizes, wants_causal=False):
        """(the object, what of a config was read)"""
        named, read = {}, {}
        for name, symbol in plan:
            if symbol is None:
                continue
            if symbol is CONFIG or symbol is OWN_CONFIG:
                value, read = self.make_config(name, symbol, sizes,
                                               wants_causal)
            elif symbol is RANDOM:
                value = random_source(self.cls)
            elif symbol is NOTHING:
                value = None
            elif symbol == "causal":
                value = wants_causal
            else:
                value = value_of(symbol, sizes)
            named[name] = value
        positional, named = by_place(self.parameters, named)
        made = self.cls(*positional, **named)
        return made, read

    def make_config(self, name, symbol, sizes, wants_causal):
        parameter = next(p for p in self.parameters if p.name == name)
        own = config_class(parameter, self.module)
        if symbol is OWN_CONFIG:
            made, filled = own_config(own, sizes, self.construct, wants_causal)
            return made, {attribute: symbol_in_config(
                attribute.split(".")[-1], wants_causal)
                          for attribute in filled}
        try:
            base = own() if own else None
        except Exception:
            base = None
        config = Config(sizes, base, self.construct, wants_causal)
        return config, config.read


def by_place(parameters, named):
    """(positional, named), with what can only be passed by position."""
    positional = []
    for parameter in parameters:
        if parameter.kind != parameter.POSITIONAL_ONLY or (
                parameter.name not in named):
            break
        positional.append(named.pop(parameter.name))
    return positional, named


def plan_text(plan, read):
    """For people: "d_model = C, num_heads = H, config.n_embd = C"."""
    parts = []
    for name, symbol in plan:
        if symbol is CONFIG or symbol is OWN_CONFIG:
            parts += ["%s.%s = %s" % (name, attribute, text_of(value))
                      for attribute, value in read.items()]
        elif symbol not in (None, RANDOM, NOTHING):
            parts.append("%s = %s" % (name, "as the task has it"
                                      if symbol == "causal"
                                      else text_of(symbol)))
    return ", ".join(parts)
