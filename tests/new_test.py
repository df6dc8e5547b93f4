"""The take-home: a candidate can start from it at once, and nothing that was there
is written over.
"""

import json
import unittest

from support import PROJECT, Scratch, run

RIGHT = (PROJECT / "submissions_example" / "correct_einsum.py").read_text()


def tasks():
    return sorted(path.stem for path in
                  (PROJECT / "fixtures" / "tasks").glob("*.json"))


class Kit(Scratch, unittest.TestCase):
    def make(self, *options):
        folder = self.folder / "kit"
        done = run("new", folder, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def test_a_right_answer_in_place_of_the_stub_is_correct(self):
        folder = self.make()
        stub = folder / "submission" / "attention.py"
        for command in ("check", "grade"):
            done = run(command, stub, "--fixtures", folder / "fixtures")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("NotImplementedError", done.stdout)
        stub.write_text(RIGHT)
        for command in ("check", "grade"):
            done = run(command, stub, "--fixtures", folder / "fixtures")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_every_task_has_a_kit_whose_stub_is_found(self):
        for task in tasks():
            with self.subTest(task=task):
                folder = self.folder / task
                done = run("new", folder, "--task", task, "--language",
                           "python,notebook")
                self.assertEqual(done.returncode, 0, done.stderr)
                report = self.folder / "report.json"
                run("check", folder / "submission", "--fixtures",
                    folder / "fixtures", "--json", report, "--quiet")
                records = json.loads(report.read_text())["submissions"]
                self.assertEqual({(r["task"], r["verdict"]) for r in records},
                                 {(task, "crashed")})
                self.assertEqual(len(records), 2)

    def test_stubs_in_c_compile(self):
        folder = self.make("--language", "c,cpp", "--task", "masked_attention")
        self.assertTrue((folder / "include" / "attngrade.h").exists())
        done = run("check", folder / "submission", "--fixtures",
                   folder / "fixtures")
        self.assertEqual(done.stdout.count("masked_attention returned 1"), 2,
                         done.stdout)

    def test_the_instructions_name_what_is_there(self):
        folder = self.make("--task", "causal_multi_head_attention")
        text = (folder / "INSTRUCTIONS.md").read_text()
        for words in ("`submission/causal_multi_head_attention.py`",
                      "n_heads divides C", "query i sees the keys 0..i",
                      "attngrade check submission/"):
            self.assertIn(words, text)
        for file in folder.rglob("*"):
            if file.is_file():
                self.assertNotIn(str(PROJECT), file.read_text(), file)
                self.assertNotIn("@TASK@", file.read_text(), file)

    def test_nothing_is_written_over(self):
        self.write("kit/precious.txt", "mine")
        done = run("new", self.folder / "kit")
        self.assertEqual(done.returncode, 2)
        self.assertIn("it is there, and not empty", done.stderr)
        self.assertEqual([path.name for path in (self.folder / "kit").iterdir()],
                         ["precious.txt"])

    def test_what_cannot_be_made_is_told_before_anything_is_written(self):
        folder = self.folder / "kit"
        for options, words in (
                (("--task", "self_attention", "--language", "c"),
                 "no C interface of self_attention"),
                (("--task", "atention"), "did you mean attention?"),
                (("--language", "fortran"), "--language"),
                (("--fixtures", self.folder), "tasks")):
            with self.subTest(options=options):
                done = run("new", folder, *options)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse(folder.exists())
        file = self.write("file", "")
        self.assertEqual(run("new", file / "kit").returncode, 2)


if __name__ == "__main__":
    unittest.main()
