# SPDX-License-Identifier: MIT
"""What a notebook finds in Jupyter and not here: things that are there and do
nothing."""

import importlib.abc
import importlib.machinery
import os
import sys
import types


class Nothing:
    """Takes whatever is done to it."""

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):  # it has none of Python's protocols
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __setattr__(self, name, value):
        pass

    def __iter__(self):
        return iter(())

    def __bool__(self):  # libraries ask whether there is an IPython
        return False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


NOTHING = Nothing()


def get_ipython():
    return NOTHING


def display(*args, **kwargs):
    """Shows nothing."""


class EmptyModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return NOTHING


class IPythonFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Empty modules for IPython, if no other finder knows it."""

    def find_spec(self, fullname, path, target=None):
        if fullname.split(".")[0] != "IPython":
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return EmptyModule(spec.name)

    def exec_module(self, module):
        module.display = display
        module.get_ipython = get_ipython
        # Matplotlib compares it; a recent one needs none of its workarounds.
        module.version_info = (9, 0, 0)
        module.__version__ = "9.0.0"


def install_stand_ins(namespace):
    """For the code of one notebook. The names stay out of `builtins`, where
    libraries would take them for a running IPython."""
    os.environ["MPLBACKEND"] = "Agg"
    namespace["get_ipython"] = get_ipython
    namespace["display"] = display
    sys.meta_path.append(IPythonFinder())
