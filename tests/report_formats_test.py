"""JSON and JUnit files are what their readers expect."""

import json
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

from json_schema import violations
from support import EXAMPLES, PROJECT, SEED, Scratch, run

SCHEMA = PROJECT / "grader" / "report" / "schema.json"
FILES = (
    "correct_einsum.py",
    "correct_one_sequence_only.py",
    "correct_masked_and_causal.c",
    "correct_prints_a_lot.py",
    "scale_by_dk.py",
    "scale_other.py",
    "softmax_no_max_shift.py",
    "keys_transposed_all_axes.py",
    "wrong_shape.py",
    "not_a_number.py",
    "exits_early.py",
    "crash_exception.py",
    "does_not_compile.c",
    "misspelt_name.py",
)
# Prints what neither XML nor UTF-8 nor a terminal should see unescaped.
HOSTILE_TEXT = r'''
import sys
def attention(q, k, v):
    sys.stdout.buffer.write(b"\xff\x00\x1b[31m]]>&<\x08\xed\xa0\x80")
    raise ValueError("</failure>]]>\x1b[2J\x00\ud800")
'''


class ReportFormats(Scratch, unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.submissions = self.folder / "submissions"
        self.submissions.mkdir()
        for name in FILES:
            shutil.copy(EXAMPLES / name, self.submissions)
        self.write("submissions/hostile_\x1b[31m&<\".py", HOSTILE_TEXT)
        self.json = self.folder / "report.json"
        self.junit = self.folder / "report.xml"
        self.done = run(
            "grade", self.submissions, "--seed", SEED,
            "--json", self.json, "--junit", self.junit,
        )
        self.assertEqual(self.done.returncode, 1, self.done.stderr)
        self.document = json.loads(self.json.read_text(encoding="utf-8"))

    def test_are_valid(self):
        with self.subTest("JSON follows the schema"):
            schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
            self.assertEqual(list(violations(self.document, schema)), [])
            self.assertEqual(self.document["schema"], "attngrade/1")
            self.assertEqual(len(self.document["submissions"]), len(FILES) + 2)
        with self.subTest("JUnit has one test case a record"):
            self.check_junit()
        with self.subTest("the terminal is never handed control characters"):
            for text in (self.done.stdout, self.done.stderr):
                control = {c for c in text if ord(c) < 32 or ord(c) == 127}
                self.assertLessEqual(control, {"\n"})

    def check_junit(self):
        root = ElementTree.parse(self.junit).getroot()
        cases = root.findall(".//testcase")
        records = self.document["submissions"]
        names = {(case.get("classname"), case.get("name")) for case in cases}
        self.assertEqual(len(names), len(cases), "readers drop duplicates")
        self.assertEqual(len(cases), len(records))

        failures = [c for c in cases if c.find("failure") is not None]
        errors = [c for c in cases if c.find("error") is not None]
        wrong = [r for r in records if r["verdict"] != "correct"]
        self.assertEqual(len(failures), len(wrong))
        self.assertEqual(errors, [])
        suites = [root] if root.tag == "testsuite" else root.findall("testsuite")
        self.assertEqual(sum(int(s.get("tests")) for s in suites), len(cases))
        self.assertEqual(sum(int(s.get("failures")) for s in suites), len(failures))


class Streams(unittest.TestCase):
    def test_json_on_stdout_sends_the_report_to_stderr(self):
        done = run("grade", EXAMPLES / "correct_einsum.py", "--json", "-")
        self.assertEqual(done.returncode, 0)
        document = json.loads(done.stdout)
        self.assertEqual(document["submissions"][0]["verdict"], "correct")
        self.assertIn("CORRECT", done.stderr)


class TheSchemaCheckItself(unittest.TestCase):
    def test_finds_each_kind_of_violation(self):
        schema = {
            "type": "object",
            "required": ["a"],
            "additionalProperties": False,
            "properties": {
                "a": {"$ref": "#/$defs/word"},
                "b": {"type": "array", "items": {"type": "integer"}},
            },
            "$defs": {"word": {"enum": ["x", "y"]}},
        }
        self.assertEqual(list(violations({"a": "x", "b": [1]}, schema)), [])
        for wrong in ([], {}, {"a": "z"}, {"a": "x", "b": [True]}, {"a": "x", "c": 1}):
            self.assertNotEqual(list(violations(wrong, schema)), [], wrong)

    def test_refuses_keywords_it_does_not_know(self):
        with self.assertRaises(ValueError):
            list(violations(1, {"multipleOf": 2}))


if __name__ == "__main__":
    unittest.main()
