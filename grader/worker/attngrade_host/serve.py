# SPDX-License-Identifier: MIT
"""Loads one candidate's submission and answers the grader's calls.

Speaks worker/protocol.md; Python 3.8 and later. Nothing in this process is
trusted by the grader: these files are here to be fair to honest candidates, not
to stop dishonest ones.
"""

import json
import sys
import types

from attngrade_host.adapter import Adapter, switch_to_evaluation
from attngrade_host.calling import call
from attngrade_host.channel import Channel
from attngrade_host.describing import describe, has_class
from attngrade_host.errors import LoadError, clean, describe_error
from attngrade_host.libraries import NUMPY_FAILURE, numpy
from attngrade_host.loading import load_for_classes
from attngrade_host.watching import Watch


def may_have_classes(path):
    with open(path, "rb") as file:
        return b"class" in file.read()


def import_study():
    """What only classes need, and takes long to read."""
    from attngrade_host.modules import calling, names, study  # noqa: F401
    return names


def load_submission(state, request):
    """(what was loaded, its description)"""
    if may_have_classes(request["path"]):
        import_study()  # before anything of it runs, that could be in the way
    task_file = {key: json.loads(request.get(key) or "{}")
                 for key in ("construct", "parameters")}

    def described(loaded):
        return describe(loaded, state.libraries, task_file)
    loaded = load_for_classes(request["path"], request["root"],
                              lambda loaded: has_class(described(loaded)))
    return loaded, described(loaded)


def load_adapter(request):
    name = request["adapter_name"]
    try:
        return Adapter(request["adapter"], name)
    except LoadError as error:
        if not request["path"]:
            raise
        raise LoadError("adapter", "%s, which loads alone, does not load here: "
                        "%s" % (name, error.reply["detail"]))


def load_with_adapter(state, request):
    """The same, of the adapter's functions; without a path of these alone."""
    adapter = load_adapter(request)
    path, root = request["path"], request["root"]
    submission = None
    if path:
        switch_to_evaluation(state.libraries)
        submission = load_for_classes(path, root, adapter.finds_something)
    loaded = adapter.around(submission, root)
    return loaded, dict(describe(loaded, state.libraries, {}),
                        asks_for=adapter.asks_for)


def answer(state, request, arrays):
    if request["op"] == "load":
        state.watch = Watch(json.loads(request.get("watched") or "{}"),
                            request["root"], request.get("adapter_name", ""))
        load = load_with_adapter if "adapter" in request else load_submission
        try:
            loaded, described = load(state, request)
            description = json.dumps(described, ensure_ascii=False)
        except (LoadError, MemoryError):
            raise
        except Exception as error:  # objects that cannot even be looked at
            raise LoadError("exception", describe_error(error)["traceback"])
        state.loaded = loaded
        return {"status": "loaded", "description": description}, []
    state.watch.start()
    reply, results = call(state.loaded, request, arrays)
    return dict(reply, library_calls=json.dumps(state.watch.stop())), results


def prepare_streams():
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace",
                           line_buffering=True)


def serve(libraries):
    """libraries: {name: module}, as preload() returns them"""
    channel = Channel()
    prepare_streams()
    sys.dont_write_bytecode = True
    state = types.SimpleNamespace(loaded=None, watch=None, libraries=libraries)
    channel.send({"status": "ready",
                  "python": "%d.%d.%d" % sys.version_info[:3],
                  "numpy": numpy.__version__ if numpy else "",
                  "numpy_failure": clean(NUMPY_FAILURE)[:1000]})
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
