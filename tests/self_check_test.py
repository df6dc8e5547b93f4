"""A candidate's own CMake project links its functions into a program that
checks itself, against an installed package."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import BUILD, EXAMPLES, PROJECT, cache_entry, is_sanitized

CANDIDATE = PROJECT / "tests" / "self_check_project"


def run(*command):
    return subprocess.run(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )


class SelfCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if is_sanitized():
            raise unittest.SkipTest("a sanitized build is not for installation")
        cls.cmake = cache_entry("CMAKE_COMMAND")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        # A name that needs quoting, if anything forgets to.
        cls.prefix = Path(folder.name) / "install prefix"
        cls.build = Path(folder.name) / "candidate build"
        cls.must(cls.cmake, "--install", BUILD, "--prefix", cls.prefix)
        shutil.copytree(CANDIDATE, Path(folder.name) / "candidate")
        cls.must(
            cls.cmake, "-G", "Ninja", "-S", Path(folder.name) / "candidate",
            "-B", cls.build, f"-DCMAKE_PREFIX_PATH={cls.prefix}",
        )
        cls.must(cls.cmake, "--build", cls.build)

    @classmethod
    def must(cls, *command):
        done = run(*command)
        if done.returncode != 0:
            raise AssertionError(f"{command}\n{done.stdout}\n{done.stderr}")

    def check(self, program, status, *options):
        done = run(self.build / program, *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_right_functions_are_correct(self):
        self.assertIn("CORRECT", self.check("right", 0))

    def test_wrong_ones_are_told_their_fault(self):
        text = self.check("wrong", 1)
        self.assertIn("FAULTY", text)
        self.assertIn("scale-missing", text)

    def test_crashes_do_not_end_the_check(self):
        self.assertIn("CRASHED", self.check("crashing", 1))

    def test_without_a_function_there_is_nothing_to_check(self):
        text = self.check("nothing", 1)
        self.assertIn("LOAD ERROR", text)
        self.assertIn("No function of a task found", text)

    def test_the_record_is_the_one_of_the_tool(self):
        document = json.loads(self.check("wrong", 1, "--json"))
        record = document["submissions"][0]
        self.assertEqual(record["task"], "attention")
        self.assertEqual(record["verdict"], "faulty")
        self.assertEqual(record["faults"], ["scale-missing"])

    def test_options(self):
        self.assertIn("--verbose", self.check("right", 0, "--help"))
        self.assertIn("r2_", self.check("right", 0, "--verbose"))
        self.check("right", 2, "--no-such-option")

    def test_the_installed_program_needs_no_source_tree(self):
        done = run(self.prefix / "bin" / "attngrade", "check", EXAMPLES / "scale_by_dk.c")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("scale-by-dk", done.stdout)
        for file in ("include/attngrade.h", "share/attngrade/schema.json"):
            self.assertTrue((self.prefix / file).is_file(), file)

    def test_programs_run_from_anywhere(self):
        done = subprocess.run(
            [os.path.relpath(self.build / "right", "/")],
            cwd="/", capture_output=True, text=True, timeout=600,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
