# SPDX-License-Identifier: MIT
"""Loads one candidate's submission and answers the grader's calls.

Speaks worker/protocol.md; Python 3.8 and later. Nothing in this process is
trusted by the grader: these files are here to be fair to honest candidates, not
to stop dishonest ones.
"""

import json
import sys
import types

from attngrade_host.calling import call
from attngrade_host.channel import Channel
from attngrade_host.describing import describe, has_class
from attngrade_host.errors import LoadError, clean, describe_error
from attngrade_host.libraries import numpy, preload
from attngrade_host.loading import load_for_classes


def answer(state, request, arrays):
    if request["op"] == "load":
        try:
            task_file = {key: json.loads(request.get(key) or "{}")
                         for key in ("construct", "parameters")}

            def described(loaded):
                return describe(loaded, state.libraries, task_file)
            loaded = load_for_classes(request["path"], request["root"],
                                      lambda loaded: has_class(
                                          described(loaded)))
            description = json.dumps(described(loaded), ensure_ascii=False)
        except (LoadError, MemoryError):
            raise
        except Exception as error:  # objects that cannot even be looked at
            raise LoadError("exception", describe_error(error)["traceback"])
        state.loaded = loaded
        return {"status": "loaded", "description": description}, []
    return call(state.loaded, request, arrays)


def prepare_streams():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace",
                           line_buffering=True)


def serve():
    channel = Channel()
    prepare_streams()
    sys.dont_write_bytecode = True
    state = types.SimpleNamespace(loaded=None,
                                  libraries=preload(sys.argv[1:]))
    channel.send({"status": "ready",
                  "python": "%d.%d.%d" % sys.version_info[:3],
                  "numpy": numpy.__version__ if numpy else ""})
    while True:
        request, arrays = channel.receive()
        try:
            reply, results = answer(state, request, arrays)
        except LoadError as error:
            reply, results = error.reply, []
        except MemoryError as error:
            reply, results = {"status": "out-of-memory",
                              "detail": clean(str(error))}, []
        # What the candidate printed goes out before the answer does.
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        channel.send(dict(reply, id=request["id"]), results)
