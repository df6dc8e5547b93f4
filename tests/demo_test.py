"""The demonstration: its numbers are those of its script, which numpy computes;
its documents are whole; misuse is told.
"""

import json
import os
import subprocess
import unittest

from support import Scratch, run

TOLERANCE = 1e-12


def differences(ours, theirs, path=""):
    """Where two documents differ; numbers by more than TOLERANCE, relative to
    those above 1."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        found = [f"{path}: {sorted(set(ours) ^ set(theirs))}"
                 ] if set(ours) != set(theirs) else []
        for key in set(ours) & set(theirs):
            found += differences(ours[key], theirs[key], f"{path}.{key}")
        return found
    if isinstance(ours, list) and isinstance(theirs, list):
        found = [f"{path}: lengths"] if len(ours) != len(theirs) else []
        for i, (a, b) in enumerate(zip(ours, theirs)):
            found += differences(a, b, f"{path}[{i}]")
        return found
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        is_close = abs(ours - theirs) <= TOLERANCE * max(1.0, abs(theirs))
        return [] if is_close else [f"{path}: {ours} {theirs}"]
    return [] if ours == theirs else [f"{path}: {ours!r} {theirs!r}"]


class SameNumbers(Scratch, unittest.TestCase):
    def check(self, *options):
        numbers, script = self.folder / "demo.json", self.folder / "demo.py"
        done = run("demo", *options, "--quiet", "--json", numbers, "--script",
                   script)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        python = os.environ.get("ATTNGRADE_PYTHON", "python3")
        by_numpy = subprocess.run([python, script], capture_output=True,
                                  text=True, check=True)
        ours = json.loads(numbers.read_text())
        self.assertEqual(differences(ours, json.loads(by_numpy.stdout)), [])
        return ours

    def test_the_script_prints_the_numbers_of_the_demo(self):
        numbers = self.check()
        self.assertEqual(numbers["settings"],
                         {"d_k": 64, "n": 16, "draws": 200, "seed": 0})

    def test_also_for_other_settings(self):
        numbers = self.check("--d-k", "5", "--n", "3", "--draws", "7", "--seed",
                             "123456789")
        self.assertEqual(numbers["settings"], {"d_k": 5, "n": 3, "draws": 7,
                                               "seed": 123456789})

    def test_also_where_seeds_come_to_their_end(self):
        last = str(2**64 - 1)
        self.check("--draws", "2", "--seed", last)
        self.check("training", "--starts", "2", "--steps", "1", "--seed", last)

    def test_so_does_that_of_the_training_to_the_last_bit(self):
        numbers = self.check("training", "--starts", "2", "--steps", "60")
        self.assertEqual(len(numbers["scales"]), 4)
        self.check("training", "--starts", "2", "--steps", "15", "--d-k", "10",
                   "--seed", "5")

    def test_so_does_that_of_the_heads(self):
        self.assertEqual(self.check("heads")["settings"]["heads"], 8)
        self.check("heads", "--d-model", "24", "--heads", "3", "--n", "5",
                   "--draws", "9", "--seed", "3")

    def test_so_does_that_of_the_transposed_keys(self):
        self.assertTrue(self.check("transpose")["distinct"]["reversed_fails"])
        self.check("transpose", "--size", "3", "--seed", "11")

    def test_the_comparison_would_see_a_difference(self):
        one = {"a": [1.0, {"b": 2.0}]}
        self.assertEqual(differences(one, {"a": [1.0, {"b": 2.0 + 1e-13}]}), [])
        for other in ({"a": [1.0, {"b": 2.0 + 1e-11}]}, {"a": [1.0]},
                      {"a": [1.0, {"c": 2.0}]}, {"a": [1.0, "x"]}):
            self.assertNotEqual(differences(one, other), [])


class Documents(Scratch, unittest.TestCase):
    def test_it_prints_a_report_that_fits_a_terminal(self):
        for options, words in ((["--draws", "20"], "no scale"),
                               (["heads"], "8 heads of 64"),
                               (["training", "--starts", "2", "--steps", "30"],
                                "By learning rate"),
                               (["transpose", "--size", "6"], "keys of 5")):
            with self.subTest(options=options):
                done = run("demo", *options)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(words, done.stdout)
                self.assertEqual([line for line in done.stdout.splitlines()
                                  if len(line) > 80 or line != line.rstrip()], [])

    def test_training_shows_it_in_each_of_ten_starts(self):
        report = self.folder / "training.json"
        run("demo", "training", "--quiet", "--json", report)
        none, root, whole, values = json.loads(report.read_text())["scales"]

        def best(scale):
            return next(one for one in scale["by_rate"]
                        if one["rate"] == scale["best_rate"])
        self.assertEqual(len(best(root)["final"]), 10)
        self.assertNotIn(None, best(root)["steps"] + best(whole)["steps"])
        for one in none["by_rate"]:
            self.assertEqual(one["steps"], [None] * 10, one["rate"])
        for without, with_it in zip(best(none)["final"], best(root)["final"]):
            self.assertLess(with_it, without / 3)
        self.assertEqual([one["final"] for one in none["by_rate"]],
                         [one["final"] for one in values["by_rate"]])

    def test_training_says_what_it_shows_and_where_it_shows_nothing(self):
        wide = run("demo", "training", "--starts", "3").stdout
        self.assertIn("No learning rate makes up for it", wide)
        self.assertIn("0 of 3", wide)
        narrow = run("demo", "training", "--starts", "3", "--d-k", "1").stdout
        self.assertIn("the scale makes little difference", narrow)
        self.assertNotIn("makes up for it", narrow)

    def test_it_claims_nothing_that_its_numbers_do_not_show(self):
        flat = "all weights are nearly 1/n"
        self.assertIn(flat, run("demo", "--draws", "20").stdout)
        self.assertNotIn(flat, run("demo", "--draws", "20", "--d-k", "1").stdout)
        self.assertIn("times too small", run("demo", "heads").stdout)
        one = run("demo", "heads", "--heads", "1", "--d-model", "16").stdout
        self.assertNotIn("times too small", one)

    def test_it_is_the_same_every_time(self):
        first, second = (run("demo", "--draws", "20").stdout for _ in range(2))
        self.assertEqual(first, second)
        other = run("demo", "--draws", "20", "--seed", "1").stdout
        self.assertNotEqual(first, other)

    def test_a_document_on_stdout_is_alone_there(self):
        done = run("demo", "--draws", "20", "--json", "-")
        self.assertEqual(json.loads(done.stdout)["demo"], "scale")
        self.assertIn("no scale", done.stderr)
        done = run("demo", "--draws", "20", "--script", "-", "--quiet")
        compile(done.stdout, "script", "exec")

    def test_the_page_is_whole(self):
        page = self.folder / "page.html"
        self.assertEqual(run("demo", "--draws", "20", "--html", page,
                             "--quiet").returncode, 0)
        text = page.read_text(encoding="utf-8")
        self.assertTrue(text.startswith("<!DOCTYPE html>"))
        self.assertTrue(text.endswith("</html>\n"))
        self.assertIn("<svg", text)

    def test_misuse_is_told(self):
        for options, words in (
                (("--json", "-", "--html", "-"), "one may be -"),
                (("--n", "1"), "a whole number from 2 to 4096, not 1"),
                (("--d-k", "0"), "a whole number from 1 to"),
                (("--draws", "1000000"), "lower --draws"),
                (("--n", "4096", "--draws", "100"), "lower --draws"),
                (("--seed", "-1"), "--seed"),
                (("heads", "--heads", "7"), "a multiple of --heads"),
                (("training", "--starts", "1"), "from 2 to 1000, not 1"),
                (("transpose", "--size", "1"), "from 2 to 6, not 1"),
                (("scales",), "scales"),
                (("--html", self.folder / "no" / "page.html"), "cannot write")):
            with self.subTest(options=options):
                done = run("demo", *options)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
