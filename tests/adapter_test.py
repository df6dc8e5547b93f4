"""Adapters end to end: the examples, who is to blame when one fails, and what
submissions do to them."""

import hashlib
import json
import unittest

from support import PROJECT, Scratch, framework_python, grade, run

EXAMPLES = PROJECT / "examples" / "adapters"
CASES = PROJECT / "fixtures" / "cases"

# In the layout (n, d), with a dictionary for its only argument.
ATTEND = """
import numpy as np

def attend(batch):
    q, k, v = batch["q"], batch["k"], batch["v"]
    scores = q @ np.swapaxes(k, -1, -2) / %s
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v
"""
RIGHT = ATTEND % "np.sqrt(q.shape[-1])"
BY_DK = ATTEND % "q.shape[-1]"
ADAPTER = """
def attention(submission, q, k, v):
    return submission.attend({"q": q, "k": k, "v": v})
"""


def torch_python(test):
    """The options that name it."""
    python = framework_python("torch")
    if not python.exists():
        print("SKIPPED: no .venv-torch; scripts/setup_frameworks makes it",
              flush=True)
        test.skipTest("no .venv-torch")
    return "--python", python


class Adapters(Scratch):
    """A folder of fixtures with one task that names an adapter."""

    def setUp(self):
        super().setUp()
        self.fixtures = self.folder / "fixtures"

    def task(self, adapter, name="attention", file="adapter.py",
             cases=("r2_d7", "r2_d16", "r3_d7", "r3_d16"), **changes):
        shipped = json.loads(
            (PROJECT / "fixtures" / "tasks" / (name + ".json")).read_text())
        paths = [str(CASES / name / (case + ".json")) for case in cases]
        self.write("fixtures/tasks/%s.json" % name, json.dumps(
            dict(shipped, cases=paths, ranks=[2, 3], adapter=file, **changes)))
        self.write("fixtures/tasks/" + file, adapter)

    def graded(self, path, *options):
        """All records of what is graded with those fixtures."""
        _, document = grade([path], "--fixtures", self.fixtures, *options)
        return document["submissions"]

    def record(self, source, *options, name="ana.py"):
        records = self.graded(self.write(name, source), *options)
        self.assertEqual(len(records), 1, records)
        return records[0]

    def assert_verdict(self, record, verdict, *texts):
        said = json.dumps([record["summary"], record["cause"]])
        self.assertEqual(record["verdict"], verdict, said)
        for text in texts:
            self.assertIn(json.dumps(text)[1:-1], said)

    def assert_not_graded(self, record, *texts):
        self.assert_verdict(record, "not-graded", *texts)
        self.assertEqual(record["cause"]["kind"], "unsupported")
        self.assertEqual(record["faults"], [])


class Examples(unittest.TestCase):
    def check(self, name, fault, *options):
        _, document = grade([EXAMPLES / name / "submissions"],
                            "--fixtures", EXAMPLES / name, *options)
        judged = {record["file"]: (record["verdict"], record["faults"])
                  for record in document["submissions"]}
        self.assertEqual(judged, {"right.py": ("correct", []),
                                  "faulty.py": ("faulty", [fault])})

    def test_a_class_with_one_tensor_for_all(self):
        self.check("one_tensor", "scale-by-sqrt-dmodel", *torch_python(self))

    def test_a_function_with_the_tokens_outside(self):
        self.check("tokens_outside", "softmax-over-queries")

    def test_the_documentation_has_their_adapters(self):
        text = (PROJECT / "docs" / "adapters.md").read_text()
        for name in ("one_tensor", "tokens_outside"):
            source = (EXAMPLES / name / "tasks" / "adapter.py").read_text()
            _, code = source.split('"""\n', 1)  # without what it says of itself
            self.assertIn("".join("    " + line if line.strip() else line
                                  for line in code.lstrip().splitlines(True))
                          .replace("\n\n\n", "\n\n"), text)

    def test_without_the_adapter_they_are_not_gradable(self):
        _, document = grade([EXAMPLES / "tokens_outside" / "submissions"])
        self.assertEqual({record["verdict"]
                          for record in document["submissions"]},
                         {"load-error"})


class Records(Adapters, unittest.TestCase):
    def test_the_record_names_the_adapter(self):
        self.task(ADAPTER)
        record = self.record(RIGHT)
        self.assert_verdict(record, "correct")
        self.assertEqual(record["task"], "attention")
        self.assertEqual(record["entry"], "attention")
        self.assertEqual(record["adapter"], {
            "name": "adapter.py",
            "sha256": hashlib.sha256(ADAPTER.encode()).hexdigest()})
        self.assertIn("called through the adapter adapter.py", record["remarks"])

    def test_a_record_without_one_says_so(self):
        _, document = grade([PROJECT / "submissions_example" / "scale_by_dk.py"])
        self.assertIsNone(document["submissions"][0]["adapter"])

    def test_the_report_names_it_and_how_to_repeat_the_call(self):
        self.task(ADAPTER)
        done = run("grade", self.write("ana.py", BY_DK), "--fixtures",
                   self.fixtures)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("called through the adapter adapter.py", done.stdout)
        self.assertIn("attention(submission, q, k, v)", done.stdout)

    def test_a_fault_is_named_in_every_form_of_submission(self):
        self.task(ADAPTER)
        cells = [{"cell_type": "code", "source": BY_DK, "metadata": {},
                  "outputs": [], "execution_count": None}]
        notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5,
                               "metadata": {}, "cells": cells})
        for name, source in (("ana.py", BY_DK), ("ana.ipynb", notebook)):
            with self.subTest(name):
                record = self.record(source, name=name)
                self.assertEqual(record["faults"], ["scale-by-dk"])

    def test_what_only_defines_it_is_taken_from_a_file_that_fails(self):
        self.task(ADAPTER)
        record = self.record(RIGHT + "open('/nowhere/data.csv')\n")
        self.assert_verdict(record, "correct")
        self.assertTrue([remark for remark in record["remarks"]
                         if "running the file fails" in remark])

    def test_a_file_that_fails_before_it_defines_that_is_a_load_error(self):
        self.task(ADAPTER)
        record = self.record("open('/nowhere/data.csv')\n")
        self.assert_verdict(record, "load-error", "/nowhere/data.csv")

    def test_another_task_has_no_adapter(self):
        self.task(ADAPTER)
        self.task(ADAPTER, "causal_attention", "other.py", cases=["r2_d7"])
        task = self.fixtures / "tasks" / "causal_attention.json"
        plain = json.loads(task.read_text())
        del plain["adapter"]
        task.write_text(json.dumps(plain))
        record = self.record(RIGHT, "--task", "causal_attention")
        self.assert_verdict(record, "load-error", "attend")
        self.assertIsNone(record["adapter"])

    def test_a_library_in_c_needs_none(self):
        self.task(ADAPTER)
        source = (PROJECT / "submissions_example" / "correct_plain.c").read_text()
        record = self.record(source, name="ana.c")
        self.assert_verdict(record, "correct")
        self.assertIsNone(record["adapter"])
        self.assertIn("the adapter adapter.py is for Python: called without it",
                      record["remarks"])

    def test_several_tasks_share_one(self):
        masked = ADAPTER + ADAPTER.replace("attention", "masked_attention").replace(
            "k, v)", "k, v, mask)").replace('v}', 'v, "mask": mask}')
        for name in ("attention", "masked_attention"):
            self.task(masked, name, cases=["r2_d7", "r3_d7"])
        source = RIGHT.replace("    weights =", "    mask = batch.get('mask', True)"
                               "\n    scores = np.where(mask, scores, -1e30)"
                               "\n    weights =", 1)
        records = self.graded(self.write("ana.py", source))
        self.assertEqual({record["task"]: record["verdict"]
                          for record in records},
                         {"attention": "correct", "masked_attention": "correct"})


class Folders(Adapters, unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.task(ADAPTER)
        self.write("ana/ops.py", RIGHT)
        self.write("ana/main.py", "from ops import attend\nprint(attend)\n")
        self.write("ana/attention.py", "def attention(q, k, v):\n    return q\n")

    def check(self, *options):
        records = self.graded(self.folder / "ana", "--as-one", *options)
        self.assertEqual(len(records), 1)
        return records[0]

    def test_the_file_that_defines_what_is_asked_for_is_called(self):
        self.assert_verdict(self.check(), "correct")

    def test_where_several_do_the_option_that_settles_it_is_named(self):
        self.write("ana/old.py", BY_DK)
        self.assert_not_graded(self.check(), "`attend`",
                               "--entry FILE:attention")
        record = self.check("--entry", "old.py:attention")
        self.assertEqual(record["faults"], ["scale-by-dk"])


class Blame(Adapters, unittest.TestCase):
    def test_an_error_of_the_adapter_is_not_the_candidates(self):
        self.task(ADAPTER.replace("    return", "    q.no_such_thing\n    return"))
        record = self.record(RIGHT)
        self.assert_not_graded(record, "adapter.py, line 3: AttributeError",
                               "no_such_thing")
        self.assertEqual(record["cause"]["phase"], "call r2_d7")

    def test_nothing_graded_is_no_failure_of_the_run(self):
        self.task(ADAPTER.replace("submission.attend", "submission.mix"))
        done = run("grade", self.write("ana.py", RIGHT), "--fixtures",
                   self.fixtures)
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_what_the_submission_lacks_is_said_with_what_it_has(self):
        self.task(ADAPTER)
        record = self.record(RIGHT.replace("def attend", "def attend_to")
                             + "class Softmax:\n    pass\n")
        self.assert_not_graded(
            record, "adapter.py, line 3: the submission has no `attend`; it "
            "defines `attend_to`, `Softmax`")

    def test_arguments_that_the_submission_does_not_take(self):
        self.task(ADAPTER)
        record = self.record(RIGHT.replace("(batch)", "(batch, width)"))
        self.assert_not_graded(record, "adapter.py, line 3: TypeError", "width")

    def test_an_error_of_the_candidate_is_his_own(self):
        self.task(ADAPTER)
        record = self.record(RIGHT.replace("    return", "    1 / 0\n    return"))
        self.assert_verdict(record, "crashed", "ZeroDivisionError")
        detail = record["cause"]["detail"]
        self.assertIn('File "adapter.py", line 3, in attention', detail)
        self.assertIn('return submission.attend({"q": q', detail)
        self.assertIn('File "ana.py", line 8, in attend', detail)

    def test_an_error_in_a_library_belongs_to_who_called_it(self):
        bad = "np.reshape(q, (7, 7, 7))"
        self.task("import numpy as np\n"
                  + ADAPTER.replace("    return", "    %s\n    return" % bad))
        self.assert_not_graded(self.record(RIGHT), "line 4: ValueError")
        self.task(ADAPTER)
        record = self.record(RIGHT.replace("    return", "    %s\n    return" % bad))
        self.assert_verdict(record, "crashed", "ValueError")

    def test_a_result_that_is_none_is_not_graded(self):
        self.task(ADAPTER.replace("    return ", "    if len(q) == 0:\n        return q\n    "))
        self.assert_not_graded(self.record(RIGHT),
                               "adapter.py: `attention` returned None")

    def test_a_result_of_another_shape_is_the_candidates(self):
        self.task(ADAPTER)
        record = self.record(RIGHT.replace("@ v\n", "@ v[..., :2]\n"))
        self.assert_verdict(record, "bad-output")

    def test_an_adapter_that_does_not_load_beside_a_submission(self):
        self.task("import os\nassert 'ana.py' not in os.listdir('../source')\n"
                  + ADAPTER)
        done = run("grade", self.write("ana.py", RIGHT), "--fixtures",
                   self.fixtures)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("NOT GRADED", done.stdout)
        self.assertIn("adapter.py, which loads alone, does not load here: line "
                      "2: AssertionError", " ".join(done.stdout.split()).replace(
                          "Adapter.py", "adapter.py"))

    def test_an_adapter_that_ends_the_process_is_to_blame(self):
        self.task("import sys\n" + ADAPTER.replace("return ", "return sys.exit(").replace(
            "v})", "v}))"))
        self.assert_not_graded(self.record(RIGHT), "line 4: SystemExit")

    def test_a_rank_that_the_adapter_does_not_take_can_be_left_out(self):
        self.task(ADAPTER.replace("    return", "    B, n, d = q.shape\n    return"))
        self.assert_not_graded(self.record(RIGHT), "line 3: ValueError",
                               "--ranks, leaves rank 2 out")
        self.assert_verdict(self.record(RIGHT, "--ranks", "3"), "correct")

    def test_what_an_adapter_changes_is_not_noted(self):
        self.task(ADAPTER.replace("return ", "found =") + "    q[:] = 0\n"
                  "    return found\n")
        record = self.record(RIGHT)
        self.assert_verdict(record, "correct")
        self.assertEqual(record["notes"], [])

    def test_dropout_is_off_whether_or_not_the_adapter_thinks_of_it(self):
        python = torch_python(self)
        self.task("import torch\n"
                  + ADAPTER.replace("attend({", "Attend()({"))
        record = self.record("""
import torch
from torch import nn

class Attend(nn.Module):
    def forward(self, batch):
        q, k, v = batch["q"], batch["k"], batch["v"]
        weights = (q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).softmax(-1)
        return nn.functional.dropout(weights, 0.5, self.training) @ v
""", *python)
        self.assert_verdict(record, "correct")
        self.assertEqual(record["called_with"], "torch tensors of float32")


class BadAdapters(Adapters, unittest.TestCase):
    """Found before anybody is graded."""

    def refused(self, *texts, options=()):
        done = run("grade", self.write("ana.py", RIGHT), "--fixtures",
                   self.fixtures, *options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertNotIn("/source/", done.stderr)

    def test_one_that_does_not_parse(self):
        self.task("def attention(submission, q, k, v):\n    return (q\n")
        self.refused("adapter.py: line 2: ", "never closed")

    def test_one_that_raises(self):
        self.task(ADAPTER + "\n1 / 0\n")
        self.refused("adapter.py: line 5: ZeroDivisionError", "1 / 0")

    def test_one_that_needs_what_is_not_there(self):
        self.task("import no_such_module\n" + ADAPTER)
        self.refused("No module named 'no_such_module'", "--python")

    def test_one_that_ends_the_process(self):
        self.task(ADAPTER + "\nimport os\nos._exit(0)\n")
        self.refused("adapter.py: loading it exits")

    def test_one_without_a_function_for_a_submission(self):
        self.task("def attention(q, k, v):\n    return q\n")
        self.refused("no function whose first parameter is `submission`")

    def test_one_whose_functions_answer_no_task(self):
        self.task(ADAPTER.replace("attention", "solve"))
        self.refused("no function of a task found", "`solve` (line 2)")

    def test_one_whose_function_takes_something_else(self):
        self.task(ADAPTER.replace("k, v)", "k, v, beam)"))
        self.refused("`attention(q, k, v, beam)`", "needs `beam`")

    def test_one_that_returns_nothing(self):
        self.task(ADAPTER.replace("return ", ""))
        self.refused("adapter.py: line 2: `attention` returns nothing")

    def test_one_that_is_not_there(self):
        self.task(ADAPTER)
        (self.fixtures / "tasks" / "adapter.py").unlink()
        self.refused("cannot read task", '"adapter"', "adapter.py: No such file")

    def test_two_at_once(self):
        self.task(ADAPTER)
        self.task(ADAPTER, "causal_attention", "other.py", cases=["r2_d7"])
        self.refused("name different adapters", "adapter.py", "other.py")
        record = self.record(RIGHT, "--task", "attention")
        self.assert_verdict(record, "correct")

    def test_an_entry_that_it_does_not_have(self):
        self.task(ADAPTER)
        self.refused("there is no `attend`", options=["--entry", "attend"])


class Hostile(Adapters, unittest.TestCase):
    """Submissions that would rather be something else."""

    def setUp(self):
        super().setUp()
        self.task("import numpy as np\n" + ADAPTER.replace(
            "return submission", "return np.array(submission").replace(
            "v})", "v}))"))

    def test_an_attribute_that_raises(self):
        source = RIGHT.replace("attend(", "_attend(")
        record = self.record(source + "def __getattr__(name):\n"
                             "    raise KeyError('mine')\n")
        self.assert_verdict(record, "crashed", "KeyError")

    def test_modules_that_are_replaced(self):
        record = self.record(BY_DK + """
import sys, types
sys.modules["numpy"] = types.ModuleType("numpy")
sys.modules["inspect"] = sys.modules["linecache"] = None
""")
        self.assertEqual(record["faults"], ["scale-by-dk"])

    def test_prints_in_every_call(self):
        record = self.record(RIGHT.replace("    q,", "    print('adapter.py')\n"
                                           "    q,", 1))
        self.assert_verdict(record, "correct")
        self.assertIn("adapter.py", record["stdout"])

    def test_a_process_that_ends_in_a_call(self):
        for end in ("import os; os._exit(0)", "raise SystemExit"):
            with self.subTest(end):
                record = self.record(RIGHT.replace(
                    "    q,", "    %s\n    q," % end, 1))
                self.assert_verdict(record, "crashed")

    def test_a_file_with_the_name_of_the_adapter(self):
        record = self.record(RIGHT.replace("    q,", "    1 / 0\n    q,", 1),
                             name="adapter.py")
        self.assert_verdict(record, "crashed", "ZeroDivisionError")

    def test_an_adapter_that_is_broken_on_purpose_is_no_pass(self):
        record = self.record(BY_DK + """
import sys
vars(sys.modules["attngrade_adapter"]).clear()
""")
        self.assertIn(record["verdict"], ("not-graded", "crashed"))

    def test_one_submission_spoils_no_other(self):
        self.write("folder/evil.py", """
import inspect, sys
inspect.signature = None
sys.modules["attngrade_adapter"].attention.__code__ = (lambda: None).__code__
""")
        self.write("folder/good.py", RIGHT)
        records = {record["file"]: record["verdict"] for record
                   in self.graded(self.folder / "folder")}
        self.assertEqual(records, {"evil.py": "not-graded", "good.py": "correct"})


if __name__ == "__main__":
    unittest.main()
