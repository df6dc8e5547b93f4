# SPDX-License-Identifier: MIT
"""Answers that were not computed, end to end: what a library has done
(tests/library_calls), and what was learnt or remembered (tests/learnt_answers)."""

import json
import os
import unittest

from support import (PROJECT, Scratch, by_file_and_task, framework_python, grade,
                     run)

TESTS = PROJECT / "tests"
CASES = PROJECT / "fixtures" / "cases"
SMALL = {"attention": ["r2_d7", "r2_d16", "r3_d7", "r3_d16"],
         "multi_head_attention": ["r2_d7", "r3_d7", "r3_d6", "r3_d10"]}

ROOT = """import math
from math import sqrt as root

import numpy as np


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / %s
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v


def check():
    assert math.sqrt(4) == 2
"""


def labels(folder):
    lines = (TESTS / folder / "labels.jsonl").read_text().splitlines()
    return {label["file"]: label for label in map(json.loads, lines)}


def sample(*files):
    """Each costs some seconds: ForbiddenCalls asks much of the same without torch."""
    every = list(labels("library_calls"))
    if os.environ.get("ATTNGRADE_EVERY_MODULE"):
        return every
    print("SKIPPED: %d of %d files of tests/library_calls; "
          "ATTNGRADE_EVERY_MODULE=1 grades all"
          % (len(every) - len(files), len(every)), flush=True)
    return files


class Fixtures(Scratch):
    """A folder of fixtures with small cases."""

    def fixtures(self, tasks=("attention",), **keys):
        for name in tasks:
            shipped = json.loads((PROJECT / "fixtures" / "tasks" / (
                name + ".json")).read_text())
            cases = [str(CASES / name / (case + ".json"))
                     for case in SMALL[name]]
            self.write("fixtures/tasks/%s.json" % name, json.dumps(
                dict(shipped, cases=cases, ranks=[2, 3], **keys)))
        return "--fixtures", self.folder / "fixtures"

    def record(self, source, *options):
        _, document = grade([self.write("ana.py", source)], *options)
        self.assertEqual(len(document["submissions"]), 1, document)
        return document["submissions"][0]


class ForbiddenCalls(Fixtures, unittest.TestCase):
    """With a function that needs no library beside Python's."""

    def forbid(self, word):
        return self.fixtures(forbidden_calls={"math.sqrt": word})

    def test_a_note_takes_nothing_off(self):
        record = self.record(ROOT % "root(q.shape[-1])", *self.forbid("note"))
        self.assertEqual((record["verdict"], record["notes"], record["score"]),
                         ("correct", ["forbidden-call"], 1.0))
        self.assertEqual(record["library_calls"], [
            {"name": "math.sqrt", "place": "line 8", "seen": True,
             "judged": "note"}])

    def test_a_fault_takes_points_off(self):
        record = self.record(ROOT % "root(q.shape[-1])", *self.forbid("fault"))
        self.assertEqual((record["verdict"], record["faults"], record["score"]),
                         ("faulty", ["forbidden-call"], 0.5))
        self.assertEqual(record["faults_by_rank"],
                         {"2": ["forbidden-call"], "3": ["forbidden-call"]})
        self.assertIn("it calls math.sqrt (line 8), which the task forbids; its "
                      "numbers are right", record["summary"])

    def test_it_stands_beside_what_is_wrong(self):
        record = self.record(ROOT % "math.sqrt(q.shape[-1]) ** 2",
                             *self.forbid("fault"))
        self.assertEqual(record["faults"], ["scale-by-dk", "forbidden-call"])

    def test_a_helper_that_nobody_calls_is_no_call(self):
        for word in ("note", "fault"):
            with self.subTest(word):
                record = self.record(ROOT % "np.sqrt(q.shape[-1])",
                                     *self.forbid(word))
                self.assertEqual((record["verdict"], record["notes"],
                                  record["library_calls"]), ("correct", [], []))

    def test_what_no_call_came_to_is_no_fault(self):
        record = self.record(
            ROOT % "(math.sqrt(9) if len(q) > 10**6 else q.shape[-1] ** 0.5)",
            *self.forbid("fault"))
        self.assertEqual((record["verdict"], record["notes"]), ("correct", []))
        self.assertEqual(record["library_calls"], [
            {"name": "math.sqrt", "place": "line 8", "seen": False,
             "judged": "unseen"}])

    def test_a_call_that_the_text_hides_is_seen(self):
        record = self.record(
            ROOT % "vars(math)[''.join('trqs'[::-1])](q.shape[-1])",
            *self.forbid("fault"))
        self.assertEqual(record["faults"], ["forbidden-call"])

    def test_the_reports_say_it(self):
        done = run("grade", self.write("ana.py", ROOT % "root(q.shape[-1])"),
                   *self.forbid("note"), "--junit", self.folder / "j.xml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Calls       math.sqrt, line 8", done.stdout)
        self.assertIn("Ask next", done.stdout)
        self.assertIn("attngrade faults forbidden-call", done.stdout)
        junit = (self.folder / "j.xml").read_text()
        self.assertIn('name="note" value="forbidden-call"', junit)
        self.assertIn("note: math.sqrt, line 8", junit)

    def test_a_word_that_is_none_is_refused(self):
        done = run("grade", self.write("ana.py", ROOT % "2"),
                   *self.forbid("forbid"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("forbidden_calls.math.sqrt", done.stderr)


class LibraryAttention(Fixtures, unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.python = framework_python("torch")
        if not self.python.exists():
            print("SKIPPED: no .venv-torch; scripts/setup_frameworks makes it",
                  flush=True)
            self.skipTest("no .venv-torch")

    def check(self, key, files, **keys):
        paths = [TESTS / "library_calls" / file for file in files]
        _, document = grade(paths, "--python", self.python,
                            *self.fixtures(SMALL, **keys))
        records = by_file_and_task(document)
        for file in files:
            label = labels("library_calls")[file]
            with self.subTest(file):
                record = records.pop((file, label["task"]))
                self.assertEqual([record["verdict"], record["faults"]],
                                 label[key], record["summary"])
                judged = [(call["place"], call["seen"])
                          for call in record["library_calls"]
                          if call["judged"] != "unseen"]
                self.assertEqual(judged, [(label["place"], label["seen"])]
                                 if label["place"] else [])
                self.assertEqual("library-attention" in record["notes"],
                                 key == "noted" and bool(label["place"]))
        self.assertEqual(records, {})

    def test_it_is_noted_where_the_task_says_nothing(self):
        self.check("noted", sample("in_a_class.py"))

    def test_it_is_a_fault_where_the_task_forbids_it(self):
        self.check("forbidden", sample("scripted.py", "in_a_branch_and_a_test.py"),
                   forbidden_calls={"library-attention": "fault"})


class LearntAnswers(Fixtures, unittest.TestCase):
    def test_none_is_called_correct(self):
        _, document = grade([TESTS / "learnt_answers"], *self.fixtures())
        records = by_file_and_task(document)
        for file, label in labels("learnt_answers").items():
            with self.subTest(file):
                record = records.pop((file, "attention"))
                self.assertEqual((record["verdict"], record["faults"]),
                                 (label["verdict"], label["faults"]),
                                 record["summary"])
                self.assertEqual(record["notes"], label.get("notes", []))
                if record["notes"]:
                    self.assertIn("right on all 4 public cases, wrong on ",
                                  record["summary"])
        self.assertEqual(records, {})

    def test_what_check_cannot_see_is_written_down(self):
        options = self.fixtures()
        for file, label in labels("learnt_answers").items():
            if label["check"] == "correct":
                with self.subTest(file):
                    done = run("check", TESTS / "learnt_answers" / file, *options)
                    self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
