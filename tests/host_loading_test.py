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

    def test_scripts_that_end_themselves(self):
        self.check(
            tests=attention() + "import unittest\nunittest.main()\n",
            main=attention() + "import sys\nsys.exit(print('done'))\n",
            text=attention() + "raise SystemExit('for example')\n")

    def test_a_script_that_ends_before_its_function(self):
        self.write("early.py", "def helper(x): return x\nexit(2)\n" + attention())
        _, document = grade([self.folder / "early.py"])
        (record,) = document["submissions"]
        self.assertEqual(record["verdict"], "load-error")
        self.assertIn("the file ends itself with exit code 2 at line 2: what ends "
                      "the program belongs under `if __name__ ==",
                      str(record["summary"]) + str(record["cause"]))

    def test_a_name_that_is_used_again(self):
        self.write("again.py", attention() + "attention = attention("
                   "np.eye(2), np.eye(2), np.eye(2))[0]\n")
        _, document = grade([self.folder / "again.py"])
        (record,) = document["submissions"]
        self.assertIn("gives the name `attention` to something else (ndarray)",
                      str(record["summary"]) + str(record["cause"]))

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

    def test_plots_of_any_number_of_panels(self):
        plt = "import plotly.pyplot as plt\n"
        self.check(
            three=attention(plt + "fig, (a, b, c) = plt.subplots(1, 3)\n"
                            "a.imshow(1); c.set_title('c')\n"
                            "fig, *rest = plt.subplots(2)\nrest[0].plot()"),
            many=attention(plt + "fig, axes = plt.subplots(2, 4)\n"
                           "for ax in axes.flat: ax.imshow(1)\n"
                           "axes[0, 1].plot()"),
            style=attention(plt + "with plt.style.context('ggplot'): plt.show()"),
            shown=attention("import bokeh\n"
                            "bokeh.heatmap(np.ones(3)).set_title('map')"))

    def test_decorators_of_modules_that_are_not_there(self):
        self.check(
            bare=attention("import beartype\n@beartype.beartype\ndef f(x): return x\n"
                           "assert f(2) == 2"),
            factory=attention("import torchtyping\n"
                              "@torchtyping.given(torchtyping.some.integers())\n"
                              "@torchtyping.settings(count=4)\n"
                              "def f(n): return n\nassert f(2) == 2"),
            listed=attention("import hydra\n@hydra.main('x', [1, 2])\n"
                             "def f(n): return n\nassert f(2) == 2"),
            base=attention("import lightning\n"
                           "class Lit(lightning.LightningModule):\n"
                           "    def training_step(self, batch): pass"))

    def test_progress_is_gone_through(self):
        self.check(
            described=attention("from tqdm import tqdm\nbar = tqdm(range(4))\n"
                                "for i in bar: bar.set_description('row')\n"
                                "assert i == 3 and len(bar) == 4"),
            counted=attention("from tqdm import trange\n"
                              "assert list(trange(1, 4, desc='x')) == [1, 2, 3]"),
            tracked=attention("from rich.progress import track\n"
                              "assert sum(track([1, 2], 'work')) == 3"))

    def test_a_helper_that_plots(self):
        self.write("plots.py", "import wandb, numpy\nwandb.init()\n"
                   "def attention_map(w): pass\n")
        self.write("attention.py", attention("import plots"))
        _, document = grade([self.folder], "--as-one", "--ranks", "3")
        records = by_file_and_task(document)
        self.assertEqual([r["verdict"] for r in records.values()], ["correct"])

    def test_what_is_called_has_the_signature(self):
        """Static, and with a __call__ that is not `forward`."""
        body = ("        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])\n"
                "        e = np.exp(s - s.max(-1, keepdims=True))\n"
                "        return e / e.sum(-1, keepdims=True) @ v\n")
        head = "import numpy as np\nclass Attention:\n"
        static = "    @staticmethod\n"
        self.check(
            static_call=head + static + "    def __call__(q, k, v):\n" + body,
            static_forward=head + static + "    def forward(q, k, v):\n" + body,
            both=head + "    def __call__(self, q, k, v):\n" + body +
            "    def forward(self, x): return x\n",
            handed_on=head + "    def forward(self, q, k, v):\n" + body +
            "    def __call__(self, *args): return self.forward(*args)\n")

    def test_a_number_that_is_an_axis_is_left_alone(self):
        self.check(axis="""import numpy as np

def attention(q, k, v, head_dim=-1, key_dim=1):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[head_dim])
    assert key_dim == 1
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
""")

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
