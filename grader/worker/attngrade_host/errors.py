# SPDX-License-Identifier: MIT
"""Errors, as the candidate should see them."""

import json
import os
import traceback

HOST_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep
TEXT_LIMIT = 8000


def encoded_size(text):
    return len(json.dumps(text, ensure_ascii=False).encode())


def clean(text):
    """Text that survives UTF-8, a lone surrogate would break the message, and
    of a bounded size in it."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    half = TEXT_LIMIT // 2  # of characters, then of ever fewer
    cut = text
    while encoded_size(cut) > TEXT_LIMIT + 20:
        cut = text[:half] + "\n[...]\n" + text[-half:]
        half = half // 2
    return cut


class LoadError(Exception):
    def __init__(self, kind, detail):
        super().__init__(detail)
        self.reply = {"status": "load-failed", "kind": kind,
                      "detail": clean(detail)}


class Problem(Exception):
    """What came back is no result; the text says why."""


def describe_error(error):
    """Type, message and traceback: the candidate's frames, from first to last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith(HOST_FOLDER)]
    if len(frames) > 20:  # endless recursion
        frames = frames[:10] + frames[-10:]
    last = "".join(traceback.format_exception_only(type(error), error))
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be printed"
    head = "Traceback (most recent call last):\n" if frames else ""
    text = head + "".join(traceback.format_list(frames)) + last
    return {"type": clean(type(error).__name__[:200]), "message": clean(message),
            "traceback": clean(text)}
