"""What the machine or the grader lacks is never said of a submission, and no
submission can say it of the machine."""

import json
import os
import re
import shutil
import subprocess
import unittest

from support import (EXAMPLES, GRADER, PROJECT, Scratch, framework_python,
                     run)

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


TORCH = framework_python("torch")
FORGED = """
import torch

def lie(error):
    # As if a file of the library's own raised it.
    code = compile("raise error", torch.cuda.__file__, "exec")
    exec(code, {"error": error})
"""


@unittest.skipUnless(TORCH.exists(), "no interpreter with torch")
class Devices(Blame):
    """Whoever lacks a card is not to blame, whoever only says so is."""

    def verdict(self, source):
        path = self.write("a.py", source)
        _, records = self.grade(path, "--python", TORCH)
        return records["a.py"]["verdict"], records["a.py"]["cause"]["kind"]

    def test_who_wants_a_card_is_not_graded(self):
        self.assertEqual(
            self.verdict("import torch\ndef attention(q, k, v):\n"
                         "    return torch.softmax(q.cuda() @ k.mT, -1) @ v\n"),
            ("not-graded", "environment"))
        self.assertEqual(
            self.verdict("import torch\nscale = torch.ones(1, device='cuda')\n"
                         "def attention(q, k, v): return scale * v\n"),
            ("not-graded", "environment"))

    def test_who_never_asked_for_one_is_not_excused(self):
        forged = FORGED.replace("torch.cuda.__file__",
                                "getattr(torch, 'cu' + 'da').__file__")
        call = "def attention(q, k, v):\n    lie(RuntimeError('no card'))\n"
        self.assertEqual(self.verdict(forged + call)[0], "crashed")
        self.assertEqual(
            self.verdict(forged + "lie(RuntimeError('no card'))\n" + call)[0],
            "load-error")


class NoIsolation(Blame):
    """As on a machine that grants none: the program without its keeper."""

    def setUp(self):
        super().setUp()
        self.program = self.folder / "attngrade"
        shutil.copy(GRADER, self.program)
        self.path = self.write("right.py", RIGHT)

    def run_alone(self, *arguments):
        return subprocess.run(
            [self.program, *map(str, arguments)], capture_output=True, text=True,
            env=dict(os.environ, ATTNGRADE_DATA=str(PROJECT)))

    def test_it_has_to_be_typed(self):
        done = self.run_alone("grade", self.path)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("--isolation none", " ".join(done.stderr.split()))
        self.assertEqual(done.stdout, "")
        done = self.run_alone("grade", self.path, "--isolation", "none")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("isolation L0", done.stdout)

    def test_who_checks_own_code_need_not(self):
        self.assertEqual(self.run_alone("check", self.path).returncode, 0)


def interpreter_with_numpy():
    done = run("doctor")
    found = re.search(r"Python\s+(\S+)\s+\(Python [^)]*numpy [^)]*\)",
                      " ".join(done.stdout.split()))
    return found and found.group(1)


class Libraries(Blame):
    """Those that are not in site-packages."""

    def setUp(self):
        super().setUp()
        base = interpreter_with_numpy()
        self.assertIsNotNone(base)
        subprocess.run([base, "-m", "venv", "--without-pip",
                        "--system-site-packages", self.folder / "env"],
                       check=True)
        self.python = self.folder / "env" / "bin" / "python"
        self.packages, = (self.folder / "env" / "lib").glob("python*/site-packages")
        self.folder.chmod(0o755)

    def test_a_broken_numpy_is_the_interpreters(self):
        self.write("right.py", RIGHT)
        broken = self.packages / "numpy"
        broken.mkdir()
        (broken / "__init__.py").write_text(
            "raise ImportError('libblas.so.3 is not there')\n")
        for lane in ("exec", "fork"):
            with self.subTest(lane=lane):
                status, records = self.grade(self.folder / "right.py",
                                             "--python", self.python,
                                             "--lane", lane)
                record = records["right.py"]
                self.assertEqual((status, record["verdict"]), (3, "not-graded"))
                for text in (str(self.python), "libblas.so.3 is not there"):
                    self.assertIn(text, record["cause"]["detail"])
        done = run("doctor", "--python", self.python)
        self.assertEqual(done.returncode, 3)
        self.assertIn("libblas.so.3 is not there", " ".join(done.stdout.split()))

    def test_folders_of_pth_files_are_there(self):
        self.write("tools/course_tools.py", "from math import sqrt as root\n")
        (self.packages / "tools.pth").write_text(f"{self.folder / 'tools'}\n")
        path = self.write("right.py", "import course_tools\n"
                          "assert course_tools.root(4) == 2\n" + RIGHT)
        status, records = self.grade(path, "--python", self.python)
        self.assertEqual((status, records["right.py"]["cause"]), (0, None))

    def test_packages_of_editable_installs_are_there(self):
        self.write("project/src/course/__init__.py", "size = 3\n")
        self.write("project/secret.py", "")
        (self.packages / "x.pth").write_text(
            "import __editable___x_finder; __editable___x_finder.install()\n")
        (self.packages / "__editable___x_finder.py").write_text(f"""
import importlib.util, sys
MAPPING = {{'course': {str(self.folder / 'project/src/course')!r}}}
class _EditableFinder:
    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        place = MAPPING.get(fullname)
        return place and importlib.util.spec_from_file_location(
            fullname, place + '/__init__.py')
def install():
    sys.meta_path.append(_EditableFinder)
""")
        path = self.write("right.py", f"""
import course, os
assert course.size == 3
assert not os.path.exists({str(self.folder / 'project/secret.py')!r})
""" + RIGHT)
        status, records = self.grade(path, "--python", self.python)
        self.assertEqual((status, records["right.py"]["cause"]), (0, None))

    def test_a_folder_with_the_submissions_is_not_shown_and_not_their_fault(self):
        """An editable install of the course itself, say."""
        self.write("course/course_tools.py", "size = 3\n")
        (self.packages / "course.pth").write_text(f"{self.folder / 'course'}\n")
        for name, use in (("a", "course_tools.size + 1"),
                          ("d", "course_tools.use()"),
                          ("e", "attention = lambda q, k, v: "
                                "course_tools.size * v")):
            self.write(f"course/submissions/{name}.py",
                       f"import course_tools\n{RIGHT}\n{use}\n")
        self.write("course/submissions/b.py", RIGHT)
        self.write("course/submissions/c.py", "import nothing_there\n"
                   "nothing_there.use()\n" + RIGHT)
        submissions = self.folder / "course" / "submissions"
        status, records = self.grade(submissions, "--python", self.python)
        self.assertEqual(status, 3, {n: r["cause"] for n, r in records.items()})
        for name in ("a.py", "d.py", "e.py"):
            with self.subTest(file=name):
                cause = records[name]["cause"]
                self.assertEqual(records[name]["verdict"], "not-graded")
                self.assertEqual(cause["kind"], "environment")
                for text in ("course_tools", str(self.folder / "course"),
                             "--python"):
                    self.assertIn(text, cause["detail"])
        self.assertEqual(records["b.py"]["verdict"], "correct")
        self.assertEqual(records["c.py"]["verdict"], "load-error")

    def test_a_library_that_is_there_is_no_excuse(self):
        error = "ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')"
        self.write("submissions/load.py", f"raise {error}\n" + RIGHT)
        self.write("submissions/call.py",
                   f"def attention(q, k, v):\n    raise {error}\n")
        status, records = self.grade(self.folder / "submissions")
        self.assertEqual(status, 1)
        self.assertEqual({r["verdict"] for r in records.values()}, {"load-error"})


if __name__ == "__main__":
    unittest.main()
