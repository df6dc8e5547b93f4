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

from attngrade_host import own_names

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
        # Whoever asks whether it is there is told the truth.
        if top not in self.names or is_asked_for(importlib.util.find_spec):
            return None
        self.used.add(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        pass


def is_asked_for(function):
    """Is that function among the callers?"""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_code is function.__code__:
            return True
        frame = frame.f_back
    return False


def is_missing(name):
    try:
        return name not in sys.modules and importlib.util.find_spec(name) is None
    except (ImportError, ValueError, AttributeError):
        return False


def stand_in_for(names, root):
    """Installs stand-ins for those of the module names that are not there,
    unless they mean the folder `root` itself; the finder that is returned knows
    which were used."""
    missing = {name for name in names if is_missing(name)}
    own = own_names.names_of_folder(missing, root) if missing else set()
    for name in own:
        own_names.install(name, root)
    finder = Finder(missing - own)
    if finder.names:
        sys.meta_path.append(finder)
    return finder
