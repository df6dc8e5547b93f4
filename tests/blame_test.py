"""What the machine or the grader lacks is never said of a submission, and no
submission can say it of the machine."""

import json
import os
import unittest

from support import EXAMPLES, Scratch, run

RIGHT = (EXAMPLES / "correct_einsum.py").read_text()
RIGHT_C = (EXAMPLES / "correct_plain.c").read_text()
BROKEN_C = "int attention(void) { return x; }\n"


class Blame(Scratch, unittest.TestCase):
    def grade(self, path, *arguments, **options):
        """(exit code, {file: record})"""
        report = self.folder / "report.json"
        done = run("grade", path, "--json", report, "--seed", "7", *arguments,
                   **options)
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        records = json.loads(report.read_text())["submissions"]
        return done.returncode, {r["file"]: r for r in records}

    def script(self, name, text):
        path = self.write(name, "#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path


class Compilers(Blame):
    def test_a_compiler_elsewhere_is_not_the_candidates(self):
        """A script around another compiler that is not in a cell."""
        other = self.script("hidden/compiler", 'exec cc "$@"\n')
        compiler = self.script("shown/bin/cc", f'exec {other} "$@"\n')
        self.folder.chmod(0o755)
        self.write("submissions/right.c", RIGHT_C)
        self.write("submissions/broken.c", BROKEN_C)
        self.write("submissions/right.py", RIGHT)
        environment = dict(os.environ, CC=str(compiler))
        status, records = self.grade(
            self.folder / "submissions", "--jobs", "2", env=environment)
        self.assertEqual(status, 3)
        self.assertEqual(records["right.py"]["verdict"], "correct")
        for name in ("right.c", "broken.c"):
            with self.subTest(file=name):
                record = records[name]
                self.assertEqual(record["verdict"], "not-graded")
                self.assertEqual(record["cause"]["kind"], "environment")
                for text in (str(compiler), str(other), "CC=PATH"):
                    self.assertIn(text, record["cause"]["detail"])
        done = run("doctor", env=environment)
        self.assertEqual(done.returncode, 3)
        self.assertIn("known to be right", " ".join(done.stdout.split()))

    def test_a_compiler_that_works_leaves_the_blame_where_it_is(self):
        self.write("submissions/right.c", RIGHT_C)
        self.write("submissions/broken.c", BROKEN_C)
        status, records = self.grade(self.folder / "submissions")
        self.assertEqual(status, 1)
        self.assertEqual(records["right.c"]["verdict"], "correct")
        self.assertEqual(records["broken.c"]["verdict"], "load-error")
        self.assertEqual(run("doctor").returncode, 0)


if __name__ == "__main__":
    unittest.main()
