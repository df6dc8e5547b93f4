"""Files that are unusual and right: the host reads, imports and describes them
without a word against anybody."""

import unittest

from support import Scratch, by_file_and_task, grade

ATTENTION = """import numpy as np
{imports}

def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)
    return weights @ v, weights
"""
SOFTMAX = """import numpy as np

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
WITH_HELPER = """import numpy as np
from {module} import softmax

def attention(q, k, v):
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return weights @ v, weights
"""


def attention(text=""):
    return ATTENTION.format(imports=text)


class RightFiles(Scratch, unittest.TestCase):
    def check(self, **files):
        for name, text in files.items():
            self.write(name + ".py", text)
        _, document = grade([self.folder], "--ranks", "3")
        judged = {file: (r["verdict"], r["cause"])
                  for (file, _), r in by_file_and_task(document).items()}
        self.assertEqual(judged, {name + ".py": ("correct", None)
                                  for name in files})

    def test_trees_of_great_depth(self):
        self.check(
            sum=attention("total = 0" + " + 1" * 600),
            chain=attention("text = str()" + ".strip()" * 400),
            branches=attention("if 0: pass\n" + "elif 0: pass\n" * 400))

    def test_imports_that_can_be_done_without(self):
        self.check(
            asked=attention("import importlib.util\n"
                            "if importlib.util.find_spec('cupy'):\n"
                            "    import cupy\n    assert isinstance(1, cupy.ndarray)"),
            suppressed=attention("import contextlib\n"
                                 "with contextlib.suppress(ImportError):\n"
                                 "    import cupy\n    isinstance(1, cupy.ndarray)"))

    def test_names_beyond_the_first_hundreds(self):
        self.check(many=attention("".join(
            "def helper_%d(): pass\n" % i for i in range(250))))

    def test_other_objects_that_are_no_good(self):
        self.check(
            constructor=attention("class Train:\n"
                                  "    def __init__(self, epochs):\n"
                                  "        while True: pass\n"
                                  "    def forward(self, x): pass"),
            looked_at=attention("class Bad:\n"
                                "    class D:\n"
                                "        def __get__(self, *a): raise ValueError\n"
                                "    f = D()\n"))


class Packages(Scratch, unittest.TestCase):
    """A folder that was a package where it was written."""

    def check(self, files, verdict="correct"):
        for name, text in files.items():
            self.write("ana/" + name, text)
        _, document = grade([self.folder], "--ranks", "3")
        record, = document["submissions"]
        self.assertEqual(record["verdict"], verdict, record["cause"])
        return record

    def test_a_package_that_imports_itself_by_name(self):
        self.check({"__init__.py": "", "helpers.py": SOFTMAX,
                    "attention.py": WITH_HELPER.format(module="mypkg.helpers")})

    def test_a_folder_that_names_itself(self):
        self.check({"lib/tools.py": SOFTMAX,
                    "attention.py": WITH_HELPER.format(module="work.lib.tools")})

    def test_a_source_folder(self):
        self.check({"src/mypkg/__init__.py": "", "src/mypkg/tools.py": SOFTMAX,
                    "src/mypkg/core.py": WITH_HELPER.format(module="mypkg.tools"),
                    "setup.py": "raise SystemExit"})

    def test_what_the_top_package_binds(self):
        self.check({"__init__.py": "from .helpers import softmax\n",
                    "helpers.py": SOFTMAX,
                    "attention.py": WITH_HELPER.format(module=".")})

    def test_another_missing_module_is_not_the_folder(self):
        record = self.check({"__init__.py": "", "helpers.py": SOFTMAX,
                             "attention.py": WITH_HELPER.format(
                                 module="not_there.helpers_of_others")},
                            "load-error")
        self.assertIn("not_there", record["summary"])

    def test_a_helper_that_python_hides(self):
        record = self.check({"types.py": SOFTMAX,
                             "attention.py": WITH_HELPER.format(module="types")},
                            "load-error")
        self.assertIn("types.py is hidden by another module", record["summary"])


class Errors(Scratch, unittest.TestCase):
    def test_the_text_of_an_exception_is_cut_whatever_its_letters(self):
        for letters in ("\\u4e00", "\\x01", "\\U0001f600"):
            self.write("a.py", "def attention(q, k, v):\n"
                       "    raise ValueError('%s' * 6000)\n" % letters)
            _, document = grade([self.folder], "--ranks", "3")
            record, = document["submissions"]
            self.assertEqual(record["verdict"], "crashed")
            self.assertIn("ValueError", record["cause"]["detail"])

    def test_an_encoding_that_is_none(self):
        self.write("a.py", "# coding: rot13\n" + attention())
        _, document = grade([self.folder])
        record, = document["submissions"]
        self.assertEqual((record["verdict"], record["cause"]["kind"]),
                         ("load-error", "encoding"))


if __name__ == "__main__":
    unittest.main()
