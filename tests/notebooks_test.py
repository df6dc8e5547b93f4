"""The notebooks in data/notebooks, graded end to end."""

import json
import unittest

from support import PROJECT, by_file_and_task, framework_python, grade

NOTEBOOKS = PROJECT / "tests" / "data" / "notebooks"


class Notebooks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.labels = json.loads((NOTEBOOKS / "labels.json").read_text())
        torch = framework_python("torch")
        options = ["--python", torch] if torch.exists() else []
        _, document = grade([NOTEBOOKS], *options)
        cls.records = by_file_and_task(document)

    def test_every_notebook_has_its_verdict_and_its_faults(self):
        for label in self.labels:
            with self.subTest(label["file"]):
                self.check(label)

    def check(self, label):
        record = self.records.get((label["file"], label["task"]))
        if record is None:  # its library is missing: not the candidate's fault
            record = self.records[(label["file"], None)]
            self.assertEqual(record["verdict"], "not-graded")
            self.assertIn("needs torch", record["cause"]["detail"])
            print("SKIPPED:", label["file"], "needs torch", flush=True)
            return
        self.assertEqual(record["verdict"], label["verdict"])
        self.assertIn(record["faults"],
                      [label["faults"], *label.get("ties", [])])

    def test_what_was_dropped_is_told(self):
        remarks = self.records[("correct_with_magics.ipynb", "attention")][
            "remarks"]
        self.assertTrue(any("%" in remark for remark in remarks), remarks)


if __name__ == "__main__":
    unittest.main()
