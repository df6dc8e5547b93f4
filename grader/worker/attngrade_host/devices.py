# SPDX-License-Identifier: MIT
"""Errors that only say that this machine has no graphics card."""

import os
import sys

from attngrade_host.libraries import FOLDERS

CUDA = ("needs a CUDA device; none is here: make tensors where the arguments "
        "are, device=q.device")
GPU = "needs a GPU or TPU; none is here: leave the device to JAX"


def origin(error):
    """The file, and the function in it, that raised the error."""
    frames = error.__traceback__
    if frames is None:
        return "", ""
    while frames.tb_next is not None:
        frames = frames.tb_next
    return frames.tb_frame.f_code.co_filename, frames.tb_frame.f_code.co_name


def is_below(file, library, *parts):
    return library in FOLDERS and file.startswith(
        os.path.join(FOLDERS[library], *parts))


def has_cuda():
    try:
        return sys.modules["torch"].cuda.is_available()
    except Exception:
        return False


def missing_device(error):
    """What the error says is missing, for people, or "". Not told by its words,
    which anybody can write: the library itself, in files of its own, raised it.
    """
    file, function = origin(error)
    if is_below(file, "torch", "cuda", "") or (
            is_below(file, "torch", "_utils.py") and function == "err_fn"):
        return "" if has_cuda() else CUDA
    if (is_below(file, "jax", "_src", "xla_bridge.py")
            and isinstance(error, RuntimeError)):
        return GPU
    return ""
