"""The example folder gets exactly what its expected.json says."""

import json
import re
import sys
import unittest

from support import EXAMPLES, by_file_and_task, grade, is_sanitized, run

# Those that a test looks at more closely.
LOOKED_AT = ("scale_by_dk.py", "scale_constant_8.py", "correct_one_sequence_only.py")


def submissions():
    return sorted(p for p in EXAMPLES.iterdir() if p.suffix in (".py", ".c", ".cpp"))


def graded():
    """The whole folder; in a sanitized build all that is not Python, and of that
    a third."""
    if not is_sanitized():
        return [EXAMPLES]
    python = [p for p in submissions() if p.suffix == ".py"]
    left_out = {p for p in python if p.name not in LOOKED_AT} - set(python[::3])
    print(f"SKIPPED: {len(left_out)} examples are for optimised builds",
          file=sys.stderr, flush=True)
    return [p for p in submissions() if p not in left_out]


# They take a library that has an attention, or a task that forbids a call:
# library_calls_test.py.
SHOWN_ELSEWHERE = {"forbidden-call", "library-attention"}


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = graded()
        cls.status, cls.document = grade(paths)
        cls.records = by_file_and_task(cls.document)
        cls.entries = json.loads((EXAMPLES / "expected.json").read_text())
        names = {p.name for p in paths}
        cls.expected = {(e["file"], e["task"]): e for e in cls.entries
                        if paths == [EXAMPLES] or e["file"] in names}

    def test_every_file_has_an_expectation(self):
        sources = {path.name for path in submissions()}
        self.assertEqual(sources, {entry["file"] for entry in self.entries})

    def test_every_fault_has_an_example(self):
        listed = run("faults").stdout
        known = re.findall(r"^ {2}([a-z0-9]+(?:-[a-z0-9]+)+) ", listed, re.MULTILINE)
        self.assertGreater(len(known), 80)
        shown = set()
        for entry in self.entries:
            for faults in [entry["faults"], *entry.get("ties", [])]:
                shown.update(faults)
        self.assertEqual(set(known) - shown, SHOWN_ELSEWHERE)

    def test_records_are_those_expected(self):
        self.assertEqual(set(self.records), set(self.expected))

    def test_verdicts_and_faults_are_those_expected(self):
        for key, entry in self.expected.items():
            with self.subTest(file=key[0], task=key[1]):
                record = self.records[key]
                self.assertEqual(
                    (record["verdict"], record["faults"]),
                    (entry["verdict"], entry["faults"]),
                    record["summary"],
                )

    def test_only_listed_ties_are_named(self):
        for key, entry in self.expected.items():
            with self.subTest(file=key[0], task=key[1]):
                listed = [sorted(tie) for tie in entry.get("ties", [])]
                for tie in self.records[key].get("ties", []):
                    self.assertIn(sorted(tie), listed)

    def test_faulty_examples_make_the_exit_code_1(self):
        self.assertEqual(self.status, 1)

    def test_files_that_are_no_submissions_are_passed_over(self):
        files = {record["file"] for record in self.document["submissions"]}
        self.assertNotIn("expected.json", files)
        self.assertNotIn("README.md", files)

    def test_division_by_d_k_is_proven_with_numbers(self):
        record = self.records["scale_by_dk.py", "attention"]
        law = record["evidence"]["scale_law"]
        self.assertAlmostEqual(law["exponents"]["d_k"], -1.0, delta=1e-10)
        self.assertAlmostEqual(law["constant"], 1.0, delta=1e-10)
        self.assertLess(record["evidence"]["hypothesis_error"], 1e-12)
        self.assertEqual(record["certainty"], "proven")

    def test_a_constant_is_reported(self):
        record = self.records["scale_constant_8.py", "attention"]
        law = record["evidence"]["scale_law"]
        self.assertAlmostEqual(law["constant"], 0.125, delta=1e-10)
        self.assertEqual(law["exponents"], {})

    def test_an_unbatched_function_declines_the_other_ranks(self):
        record = self.records["correct_one_sequence_only.py", "attention"]
        self.assertEqual(record["ranks"], [2])
        self.assertIn("rank-declined", record["notes"])

    def test_causes_are_given_where_there_is_no_fault(self):
        for key, record in self.records.items():
            with self.subTest(file=key[0], task=key[1]):
                judged = record["verdict"] in ("correct", "faulty")
                self.assertEqual(record.get("cause") is None, judged)


if __name__ == "__main__":
    unittest.main()
