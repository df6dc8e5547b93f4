# SPDX-License-Identifier: MIT
"""Modules that are not there do no harm as long as grading does not touch them.

A missing module is replaced by a stand-in. Using one raises Python's own
ModuleNotFoundError, later than the import would have; plots, progress bars and
type checkers swallow what is done with them.
"""

import dis
import functools
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
import types

from attngrade_host import own_names

# Of no use to a result: what is done with them is ignored.
HARMLESS = {"matplotlib", "seaborn", "plotly", "bokeh", "IPython", "ipywidgets",
            "tqdm", "rich", "wandb", "tensorboard", "torchinfo", "torchsummary",
            "torchviz", "pytest", "hypothesis", "jaxtyping", "torchtyping",
            "beartype", "typeguard", "icecream", "loguru", "termcolor",
            "colorama", "memory_profiler", "line_profiler", "google", "click",
            "typer", "hydra", "lightning", "pytorch_lightning"}
# Likewise, of a library that is there, if the other one is not.
HARMLESS_PARTS = {"torch.utils.tensorboard": "tensorboard"}


def is_harmless(name):
    return name.split(".")[0] in HARMLESS or any(
        (name + ".").startswith(part + ".") for part in HARMLESS_PARTS)


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
        """d2l.Module is a torch module, as its book has it."""
        torch = sys.modules.get("torch")
        if torch is not None and self._name in ("d2l.Module",
                                                "d2l.torch.Module"):
            return (torch.nn.Module,)
        raise_missing(self._name)

    def __iter__(self):
        raise_missing(self._name)

    def __enter__(self):
        raise_missing(self._name)

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return "<%s, which is not installed>" % self._name


def is_decorated(value):
    """A function or a class, in whatever form jit and partial leave it; an
    object that can be called, such as a module, is shown or watched."""
    return (callable(value) and not isinstance(value, StandIn)
            and (hasattr(value, "__name__")
                 or isinstance(value, functools.partial)))


def numbers_of_unpacking(frame):
    """How many values the frame is about to unpack; 2 if it does not."""
    code, at = frame.f_code.co_code, frame.f_lasti
    name = dis.opname[code[at]]
    if name == "UNPACK_SEQUENCE":
        return code[at + 1]
    if name == "UNPACK_EX":  # a, *b = ...
        return code[at + 1] + 1
    return 2


class Harmless(StandIn):
    def __call__(self, *args, **kwargs):
        """A decorator hands back what it was given, a progress bar goes through
        it; of everything else nothing comes."""
        purpose = self._name.rpartition(".")[2]
        if purpose in PROGRESS:
            return PROGRESS[purpose](self._name, *args, **kwargs)
        if len(args) == 1 and is_decorated(args[0]):
            return args[0]
        return Harmless(self._name)

    def __mro_entries__(self, bases):
        torch = sys.modules.get("torch")
        if self._name.endswith(".LightningModule") and torch is not None:
            return (lightning_module(torch.nn.Module),)
        return ()

    def __iter__(self):  # fig, axes = plt.subplots()
        count = numbers_of_unpacking(sys._getframe(1))
        return iter([Harmless(self._name) for _ in range(count)])

    def __enter__(self):
        return self

    def __setattr__(self, name, value):
        pass

    def __setitem__(self, key, value):
        pass


class ProgressBar(Harmless):
    """Goes through what it was given, tqdm(x) as x."""

    def __init__(self, name, iterable=(), *args, **kwargs):
        super().__init__(name)
        self.__dict__["_iterable"] = kwargs.get("sequence", iterable)

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return Harmless(self._name + "." + attribute)

    def __iter__(self):
        return iter(self._iterable)

    def __len__(self):
        return len(self._iterable)


def progress_of_range(name, *args, **kwargs):
    numbers = [arg for arg in args if isinstance(arg, int)]
    return ProgressBar(name, range(*numbers))


def progress_of_map(name, function, *iterables, **kwargs):
    return list(map(function, *iterables))


# What comes of a call is needed, by the last part of the name.
PROGRESS = {"tqdm": ProgressBar, "tqdm_notebook": ProgressBar,
            "track": ProgressBar, "trange": progress_of_range,
            "tnrange": progress_of_range, "thread_map": progress_of_map,
            "process_map": progress_of_map}


@functools.lru_cache(None)
def lightning_module(base):
    """A module of torch, without what belongs to a training."""
    def nothing(self, *args, **kwargs):
        pass

    return type("LightningModule", (base,), {
        name: nothing for name in ("save_hyperparameters", "log", "log_dict")})


class StandInModule(types.ModuleType):
    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        kind = Harmless if is_harmless(self.__name__) else StandIn
        return kind(self.__name__ + "." + attribute)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so only for what nothing else finds: the modules of the given
    names, and harmless ones that the submission, not a library, imports."""

    def __init__(self, names):
        self.names = names
        self.used = set()

    def is_meant(self, name):
        top = name.split(".")[0]
        # A notebook has an IPython of its own.
        return top in self.names or (top in HARMLESS - {"IPython"}
                                     and not is_for_library())

    def find_spec(self, name, path=None, target=None):
        # Whoever asks whether it is there is told the truth.
        if not self.is_meant(name) or is_asked_for(importlib.util.find_spec):
            return None
        self.used.add(self.missing_name(name))
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def missing_name(self, name):
        return name.split(".")[0]

    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        pass


class PartFinder(Finder):
    """Asked first: for the parts of a library that need another one. Has the
    remarks of the finder that is asked last."""

    def __init__(self, last):
        super().__init__(set())
        self.used = last.used

    def is_meant(self, name):
        return name in HARMLESS_PARTS and is_missing(HARMLESS_PARTS[name])

    def missing_name(self, name):
        return HARMLESS_PARTS[name]


def is_for_library():
    """Does an installed module import, which may do without? Then it is not
    misled."""
    frame = sys._getframe(2)
    while frame is not None and ("importlib" in frame.f_code.co_filename
                                 or frame.f_globals is globals()):
        frame = frame.f_back
    file = frame.f_code.co_filename if frame is not None else ""
    return ("-packages" + os.sep in file
            or file.startswith(sysconfig.get_path("stdlib") + os.sep))


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
    unless they mean the folder `root` itself, and for harmless ones that helpers
    import; the finder that is returned knows which were used."""
    missing = {name for name in names if is_missing(name)}
    own = own_names.names_of_folder(missing, root) if missing else set()
    for name in own:
        own_names.install(name, root)
    finder = Finder(missing - own)
    sys.meta_path.append(finder)
    sys.meta_path.insert(0, PartFinder(finder))
    return finder
