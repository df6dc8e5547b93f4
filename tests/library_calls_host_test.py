# SPDX-License-Identifier: MIT
"""How the Python host finds calls of libraries, in the text and at run time,
without the grader around it. What is about torch needs torch."""

import ast
import copy
import inspect
import json
import pickle
import sys
import types
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "grader" / "worker"))
from attngrade_host.call_scan import Scan  # noqa: E402
from attngrade_host.errors import describe_error  # noqa: E402
from attngrade_host.watching import Watch  # noqa: E402

NAMES = json.loads((PROJECT / "grader" / "fixture" /
                    "library_attention.json").read_text())
SDPA = "torch.nn.functional.scaled_dot_product_attention"
MULTI = "torch.nn.MultiheadAttention"
FUNCTIONAL = "import torch, torch.nn.functional as F\nfrom torch import nn\n"
CALL = "F.scaled_dot_product_attention(q, k, v)"


def scan(source, entry="attention", **others):
    """[(name, file, place, certain), ...] of what the function comes to."""
    scan = Scan(NAMES)
    scan.add("ana.py", ast.parse(source))
    for name, text in others.items():
        scan.add(name + ".py", ast.parse(text))
    return [(use["name"], use["file"], use["place"], use["certain"])
            for use in scan.found().get("ana.py", {}).get(entry, [])]


def function(*lines, head=FUNCTIONAL):
    body = "".join("    %s\n" % line for line in lines)
    return head + "def attention(q, k, v):\n" + body


class Text(unittest.TestCase):
    def certain(self, source, line, name=SDPA, **others):
        self.assertEqual(scan(source, **others),
                         [(name, "ana.py", "line %d" % line, True)])

    def possible(self, source, line, name=SDPA):
        self.assertEqual(scan(source),
                         [(name, "ana.py", "line %d" % line, False)])

    def none(self, source, **others):
        self.assertEqual(scan(source, **others), [])

    def test_names_are_followed_through_imports(self):
        for head, call in (
                ("import torch.nn.functional as F", CALL),
                ("import torch", "torch.nn." + CALL.replace("F.", "functional.")),
                ("import torch.nn.functional", "torch.nn." + CALL.replace(
                    "F.", "functional.")),
                ("from torch.nn import functional as F", CALL),
                ("from torch import nn as N", "N.functional" + CALL[1:]),
                ("from torch.nn.functional import *", CALL[2:]),
                ("from torch.nn.functional import "
                 "scaled_dot_product_attention as attend", "attend(q, k, v)"),
                ("import torch; F = torch.nn.functional", CALL),
                ("import torch; a = torch.nn.functional."
                 "scaled_dot_product_attention", "a(q, k, v)"),
                ("import torch.nn.functional as F",
                 "getattr(F, 'scaled_dot_product_attention')(q, k, v)"),
                ("import torch", "torch._C._nn" + CALL[1:])):
            with self.subTest(head=head, call=call):
                self.certain(function("return " + call, head=head + "\n"), 3)

    def test_an_import_within_the_function_counts(self):
        self.certain(function("from torch.nn import functional as F",
                              "return " + CALL, head=""), 3)

    def test_an_import_that_may_fail_counts(self):
        head = ("try:\n    from torch.nn.functional import "
                "scaled_dot_product_attention as a\n"
                "except ImportError:\n    a = None\n")
        self.certain(function("return a(q, k, v)", head=head), 6)

    def test_each_call_comes_to_it_or_not(self):
        self.certain(function("with torch.no_grad():", "    return " + CALL), 5)
        for lines in (["if len(q) > 3:", "    return " + CALL],
                      ["if len(q) > 3:", "    return q", "return " + CALL],
                      ["def inner():", "    return " + CALL, "return inner()"],
                      ["for _ in q:", "    " + CALL],
                      ["return len(q) > 3 and " + CALL],
                      ["return " + CALL + " if len(q) > 3 else q"],
                      ["return [%s for _ in q]" % CALL],
                      ["try:", "    return " + CALL, "except E:", "    pass"]):
            with self.subTest(lines=lines):
                found = scan(function(*lines))
                self.assertEqual([use[3] for use in found], [False])

    def test_helpers_that_are_called_count(self):
        helper = FUNCTIONAL + "def impl(q, k, v):\n    return %s\n" % CALL
        self.certain(function("return impl(q, k, v)", head=helper), 4)
        for head, call in (("from helpers import impl", "impl"),
                           ("import helpers as h", "h.impl"),
                           ("from .helpers import impl", "impl"),
                           ("from ours.helpers import impl", "impl"),
                           ("from helpers import *", "impl")):
            with self.subTest(head):
                source = function("return %s(q, k, v)" % call, head=head + "\n")
                self.assertEqual(scan(source, helpers=helper),
                                 [(SDPA, "helpers.py", "line 4", True)])

    def test_a_class_is_read_method_by_method(self):
        source = FUNCTIONAL + (
            "class attention(nn.Module):\n"
            "    def __init__(self):\n"
            "        self.inner = nn.MultiheadAttention(8, 2)\n"
            "    def forward(self, q, k, v):\n"
            "        return self.go(q, k, v)\n"
            "    def go(self, q, k, v):\n"
            "        return %s\n"
            "    def compare(self, q, k, v):\n"
            "        return F.multi_head_attention_forward(q, k, v)\n" % CALL)
        self.assertEqual(sorted(scan(source)),
                         [(MULTI, "ana.py", "line 5", False),
                          (SDPA, "ana.py", "line 9", True)])

    def test_a_class_derived_from_one_may_use_it(self):
        self.possible(FUNCTIONAL + "class attention(nn.MultiheadAttention):\n"
                      "    pass\n", 3, MULTI)

    def test_what_is_no_use_is_not_called_one(self):
        for source in (
                function("'''%s'''" % CALL, "# " + CALL, "return q"),
                function("return q") + "if __name__ == '__main__':\n"
                "    print(%s)\n" % CALL,
                function("return q") + "def test(q, k, v):\n"
                "    assert %s == attention(q, k, v)\n" % CALL,
                function("return q") + "want = %s\nassert want\n" % CALL,
                function("assert not isinstance(q, nn.MultiheadAttention)",
                         "return q"),
                function("made: nn.MultiheadAttention = q", "return made"),
                function("if hasattr(F, 'scaled_dot_product_attention'):",
                         "    pass", "return q"),
                function("F = q", "return " + CALL),
                function("return " + CALL, head="class F:\n    pass\n")):
            with self.subTest(source):
                self.none(source)

    def test_a_function_of_ones_own_is_no_library(self):
        own = "def scaled_dot_product_attention(q, k, v):\n    return q\n"
        for head in (FUNCTIONAL, "from torch.nn.functional import *\n",
                     "from torch.nn.functional import "
                     "scaled_dot_product_attention\n"):
            with self.subTest(head):
                self.none(function("return " + CALL[2:], head=head + own))
        self.none(function("return impl" + CALL[1:], head="import impl\n"),
                  impl=own)

    def test_what_cannot_be_followed_is_said_of_the_whole_file(self):
        source = FUNCTIONAL + "globals()['attention'] = lambda q, k, v: " + CALL
        self.none(source)
        self.assertEqual(scan(source, ""), [(SDPA, "ana.py", "line 3", False)])

    def test_long_sums_and_circles_are_followed(self):
        self.none(function("return " + " + ".join(["q"] * 900)))
        circle = FUNCTIONAL + "def other(q, k, v):\n    return attention(q, k, v)\n"
        self.none(function("return other(q, k, v)", head=circle))


class FakeLibrary:
    """A module of the name fake_library that is gone in the end."""

    def __enter__(self):
        self.module = types.ModuleType("fake_library")
        sys.modules["fake_library"] = self.module
        exec("SIZE = 2\n"
             "def attend(q, scale=1.0):\n    'Attends.'\n    return q * scale * SIZE\n"
             "def outer(q):\n    return attend(q)\n"
             "class Layer:\n"
             "    def __call__(self, q):\n        return attend(q)\n",
             vars(self.module))
        return self.module

    def __exit__(self, *error):
        del sys.modules["fake_library"]
        sys.meta_path[:] = [finder for finder in sys.meta_path
                            if type(finder).__module__ != Watch.__module__]


FAKE = {"fake_library." + name: [] for name in ("attend", "outer", "Layer")}


def seen(watch, call):
    watch.start()
    result = call()
    return result, watch.stop()


class RunTime(unittest.TestCase):
    def test_calls_are_seen_with_their_line(self):
        with FakeLibrary() as library:
            watch = Watch(FAKE, str(Path(__file__).parent))
            result, calls = seen(watch, lambda: library.attend(3, scale=2))
            self.assertEqual(result, 12)
            (name, place), = calls
            self.assertEqual(name, "fake_library.attend")
            self.assertRegex(place, r"^library_calls_host_test\.py, line \d+$")

    def test_what_a_library_calls_itself_is_its_own_affair(self):
        with FakeLibrary() as library:
            watch = Watch(FAKE)
            _, calls = seen(watch, lambda: library.outer(3))
            self.assertEqual(calls, [["fake_library.outer", ""]])
            layer = library.Layer()
            _, calls = seen(watch, lambda: layer(3))
            self.assertEqual(calls, [["fake_library.Layer", ""]])
            self.assertIsInstance(layer, library.Layer)

    def test_nothing_is_seen_outside_a_call_of_the_grader(self):
        with FakeLibrary() as library:
            watch = Watch(FAKE)
            library.attend(3)
            self.assertEqual(seen(watch, lambda: None)[1], [])
            library.attend(3)
            self.assertEqual(watch.stop(), [])

    def test_an_exception_passes_and_the_next_call_is_seen(self):
        with FakeLibrary() as library:
            watch = Watch(FAKE)
            watch.start()
            with self.assertRaises(TypeError):
                library.attend()
            self.assertEqual(len(seen(watch, lambda: library.attend(1))[1]), 1)

    def test_the_error_of_a_library_shows_nothing_of_the_host(self):
        with FakeLibrary() as library:
            Watch(FAKE)
            try:
                library.attend("a", scale="b")
            except TypeError as error:
                described = describe_error(error)
            self.assertIn("library_calls_host_test.py", described["traceback"])
            self.assertNotIn("watching.py", described["traceback"])

    def test_what_is_replaced_looks_the_same(self):
        with FakeLibrary() as library:
            before = inspect.signature(library.attend)
            Watch(FAKE)
            self.assertEqual(inspect.signature(library.attend), before)
            self.assertEqual(library.attend.__name__, "attend")
            self.assertEqual(library.attend.__doc__, "Attends.")
            self.assertIs(library.attend.__globals__, vars(library))

    def test_what_is_not_there_does_no_harm(self):
        Watch({"no_such_library.attend": [], "sys.no_such": [], "os.path": []})

    def test_the_adapters_own_calls_are_not_the_submissions(self):
        with FakeLibrary() as library:
            watch = Watch(FAKE, "/nowhere", __file__)
            self.assertEqual(seen(watch, lambda: library.attend(3))[1], [])


def torch_or_skip(test):
    try:
        import torch
    except ImportError:
        print("SKIPPED: no torch for %s" % sys.executable, flush=True)
        test.skipTest("no torch")
    return torch


class Torch(unittest.TestCase):
    def setUp(self):
        self.torch = torch_or_skip(self)
        self.F = self.torch.nn.functional
        if not hasattr(Torch, "watch"):
            Torch.before = self.F.scaled_dot_product_attention
            Torch.watch = Watch(NAMES)
        self.q = self.torch.randn(2, 3, 5, 8)
        self.x = self.torch.randn(2, 5, 8)
        self.multi = self.torch.nn.MultiheadAttention(
            8, 2, batch_first=True).eval()

    def names(self, call):
        return [name for name, _ in seen(self.watch, call)[1]]

    def test_functions_and_layers_are_seen(self):
        q, x = self.q, self.x
        layer = self.torch.nn.TransformerEncoderLayer(8, 2, batch_first=True)
        for call, name in (
                (lambda: self.F.scaled_dot_product_attention(q, q, q), SDPA),
                (lambda: self.multi(x, x, x), MULTI),
                (lambda: self.multi.forward(x, x, x), MULTI),
                (lambda: copy.deepcopy(self.multi)(x, x, x), MULTI),
                (lambda: layer(x), "torch.nn.TransformerEncoderLayer")):
            self.assertEqual(self.names(call), [name])

    def test_the_numbers_are_the_same(self):
        for causal in (False, True):
            self.assertTrue(self.torch.equal(
                self.before(self.q, self.q, self.q, is_causal=causal),
                self.F.scaled_dot_product_attention(self.q, self.q, self.q,
                                                    is_causal=causal)))

    def test_what_is_compiled_still_works(self):
        q, x, torch = self.q, self.x, self.torch

        def attend(q, k, v):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v)
        for name, compiled, inputs in (
                ("script", lambda: torch.jit.script(attend), (q, q, q)),
                ("script of a layer", lambda: torch.jit.script(self.multi),
                 (x, x, x)),
                ("trace", lambda: torch.jit.trace(attend, (q, q, q)), (q, q, q)),
                ("compile", lambda: torch.compile(
                    attend, backend="eager", fullgraph=True), (q, q, q)),
                ("vmap", lambda: torch.vmap(attend), (q, q, q)),
                ("fx", lambda: torch.fx.symbolic_trace(attend), (q, q, q))):
            with self.subTest(name):
                compiled()(*inputs)

    def test_pickles_are_read_again(self):
        function = self.F.scaled_dot_product_attention
        self.assertIs(pickle.loads(pickle.dumps(function)), function)
        copied = pickle.loads(pickle.dumps(self.multi))
        self.assertIsInstance(copied, self.torch.nn.MultiheadAttention)


if __name__ == "__main__":
    unittest.main()
