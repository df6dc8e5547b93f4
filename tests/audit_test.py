"""`fixtures audit`: what cases show and tell apart."""

import json
import unittest

from support import PROJECT, Scratch, run, unless_sanitized


class Toys(Scratch, unittest.TestCase):
    def case(self, name, **dimensions):
        recipe = {
            "schema": "attngrade-case/1", "name": name, "task": name,
            "kind": "attention", "mask_mode": "none", "about": "A toy.",
            "seed": 1, "rank": 2, "dimensions": dimensions,
        }
        return self.write(f"{name}.json", json.dumps(recipe))

    def test_a_square_one_is_warned_of_with_the_reason(self):
        done = run("fixtures", "audit", self.case("square", n=4, m=4, d_k=4, d_v=4))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("Warning: n = m = d_k = d_v in every case", done.stdout)
        self.assertIn("m = d_k in every case", done.stdout)

    def test_cases_of_one_task_are_audited_together(self):
        report = self.folder / "audit.json"
        first = self.case("square", n=4, m=4, d_k=4, d_v=4)
        second = self.case("other", n=5, m=6, d_k=7, d_v=3)
        run("fixtures", "audit", first, second, "--json", report)
        tasks = json.loads(report.read_text())["tasks"]
        self.assertEqual([t["task"] for t in tasks], ["square", "other"])
        second.write_text(second.read_text().replace('"task": "other"',
                                                     '"task": "square"'))
        run("fixtures", "audit", first, second, "--json", report)
        (task,) = json.loads(report.read_text())["tasks"]
        self.assertEqual(task["cases"], ["square", "other"])
        self.assertNotIn("scale-by-sqrt-keys",
                         [f["fault"] for f in task["forms"] if f["passes_as_correct"]])

    def test_a_misspelt_task_gets_a_suggestion(self):
        done = run("fixtures", "audit", "atention")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean attention?", done.stderr)

    def test_a_case_that_cannot_be_read_is_a_usage_error(self):
        done = run("fixtures", "audit", self.write("broken.json", "{"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("broken.json", done.stderr)


@unless_sanitized
class WholeSets(unittest.TestCase):
    """Minutes of calculation, which the toys take through the same code."""

    def test_shipped_cases_leave_inherent_ties_only(self):
        done = run("fixtures", "audit", "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the same calculation", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)

    def test_the_tables_of_the_documentation_are_what_is_printed(self):
        page = (PROJECT / "docs" / "audit.md").read_text(encoding="utf-8")
        cases = sorted((PROJECT / "docs" / "audit").glob("*.json"))
        for options in ([], ["--tolerance", "1e-2", "--output-only"]):
            done = run("fixtures", "audit", *cases, "--quiet", *options)
            self.assertEqual(done.returncode, 1, done.stderr)
            summary = done.stdout[done.stdout.rindex("\n\n") + 2:]
            for line in summary.splitlines():
                self.assertIn(f"    {line}\n", page)


if __name__ == "__main__":
    unittest.main()
