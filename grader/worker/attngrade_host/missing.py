# SPDX-License-Identifier: MIT
"""Modules that are not there do no harm as long as grading does not touch them.

A missing module is replaced by a stand-in. Using one raises Python's own
ModuleNotFoundError, later than the import would have; plots, progress bars and
type checkers swallow what is done with them.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types

# Of no use to a result: what is done with them is ignored.
HARMLESS = {"matplotlib", "seaborn", "plotly", "bokeh", "IPython", "ipywidgets",
            "tqdm", "rich", "wandb", "tensorboard", "torchinfo", "torchsummary",
            "torchviz", "pytest", "jaxtyping", "torchtyping", "beartype",
            "typeguard", "icecream", "loguru", "termcolor", "colorama",
            "memory_profiler", "line_profiler"}


def raise_missing(name):
    top = name.split(".")[0]
    raise ModuleNotFoundError("No module named %r" % top, name=top)


class StandIn:
    """Something of a missing module. May be named, subscripted and stand in
    annotations; anything else touches it."""

    def __init__(self, name):
        self.__dict__["_name"] = name

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return type(self)(self._name + "." + attribute)

    def __getitem__(self, key):
        return self

    def __or__(self, other):
        return self

    __ror__ = __or__

    def __call__(self, *args, **kwargs):
        raise_missing(self._name)

    def __mro_entries__(self, bases):
        raise_missing(self._name)

    def __iter__(self):
        raise_missing(self._name)

    def __enter__(self):
        raise_missing(self._name)

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return "<%s, which is not installed>" % self._name


class Harmless(StandIn):
    def __call__(self, *args, **kwargs):
        """A decorator or a progress bar hands on what it was given."""
        if args and (callable(args[0]) or hasattr(args[0], "__iter__")):
            return args[0]
        return Harmless(self._name)

    def __mro_entries__(self, bases):
        return ()

    def __iter__(self):  # fig, axes = plt.subplots()
        return iter((Harmless(self._name), Harmless(self._name)))

    def __enter__(self):
        return self

    def __setattr__(self, name, value):
        pass

    def __setitem__(self, key, value):
        pass


class StandInModule(types.ModuleType):
    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        kind = Harmless if self.__name__.split(".")[0] in HARMLESS else StandIn
        return kind(self.__name__ + "." + attribute)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so only for what nothing else finds."""

    def __init__(self, names):
        self.names = names
        self.used = set()

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top not in self.names:
            return None
        self.used.add(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        pass


def is_missing(name):
    try:
        return name not in sys.modules and importlib.util.find_spec(name) is None
    except (ImportError, ValueError, AttributeError):
        return False


def stand_in_for(names):
    """Installs stand-ins for those of the module names that are not there;
    the finder that is returned knows which were used."""
    finder = Finder({name for name in names if is_missing(name)})
    if finder.names:
        sys.meta_path.append(finder)
    return finder
