"""Help, suggestions, streams and exit codes of the command line."""

import json
import os
import shutil
import unittest
import venv

from support import EXAMPLES, PROJECT, Scratch, run

COMMANDS = ("grade", "check", "faults", "fixtures", "doctor")
RIGHT = EXAMPLES / "correct_einsum.py"
WRONG = EXAMPLES / "scale_by_dk.py"


class Help(unittest.TestCase):
    def test_names_every_command(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")
        for command in COMMANDS:
            self.assertIn(command, done.stdout)

    def test_of_a_command_has_an_example(self):
        for command in COMMANDS:
            for option in ("--help", "-h"):
                with self.subTest(command=command, option=option):
                    done = run(command, option)
                    self.assertEqual(done.returncode, 0)
                    self.assertIn(f"attngrade {command}", done.stdout)

    def test_version_is_printed(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"\d+\.\d+\.\d+")


class UsageErrors(unittest.TestCase):
    def check(self, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotEqual(done.stderr, "")
        return done.stderr

    def test_nothing_to_do(self):
        self.check()
        self.check("grade")

    def test_a_misspelt_command_gets_a_suggestion(self):
        self.assertIn("grade", self.check("graed", str(RIGHT)))

    def test_a_misspelt_option_gets_a_suggestion(self):
        self.assertIn("--junit", self.check("grade", "--junti", "x", str(RIGHT)))

    def test_a_misspelt_fault_gets_a_suggestion(self):
        self.assertIn("scale-by-dk", self.check("faults", "scale-by-dq"))

    def test_a_misspelt_task_gets_a_suggestion(self):
        text = self.check("grade", "--task", "atention", str(RIGHT))
        self.assertIn("attention", text)

    def test_values_out_of_range(self):
        self.check("grade", "--jobs", "0", str(RIGHT))
        self.check("grade", "--jobs", "many", str(RIGHT))
        self.check("grade", "--ranks", "7", str(RIGHT))
        self.check("grade", "--seed", "-1", str(RIGHT))
        self.check("grade", "--memory-limit", "lots", str(RIGHT))
        self.check("grade", "--time-limit", "0", str(RIGHT))

    def test_a_folder_as_one_and_to_look_into(self):
        text = self.check("grade", "--as-one", "--recursive", str(EXAMPLES))
        self.assertIn("give one of them", text)

    def test_an_interpreter_that_is_none(self):
        for python in ("/no/such/python", "/bin/false"):
            text = self.check("grade", "--python", python, str(RIGHT))
            self.assertIn(python, text)


class ExitCodes(Scratch, unittest.TestCase):
    def test_all_correct_is_0(self):
        self.assertEqual(run("grade", RIGHT).returncode, 0)
        self.assertEqual(run("check", RIGHT).returncode, 0)

    def test_one_wrong_is_1(self):
        self.assertEqual(run("grade", RIGHT, WRONG).returncode, 1)
        self.assertEqual(run("check", WRONG).returncode, 1)

    def test_exit_zero_turns_only_1_into_0(self):
        self.assertEqual(run("grade", "--exit-zero", WRONG).returncode, 0)
        missing = self.folder / "missing.py"
        self.assertEqual(run("grade", "--exit-zero", missing).returncode, 2)
        self.assertEqual(run("grade", "--exit-zero", self.folder).returncode, 4)

    def test_an_interpreter_without_numpy_is_3(self):
        environment = self.folder / "environment"
        venv.create(environment, symlinks=True)  # nothing but the interpreter
        done = run("grade", "--python", environment / "bin/python", RIGHT)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("numpy", done.stdout + done.stderr)

    def test_a_report_that_cannot_be_written_is_an_error(self):
        target = self.folder / "no" / "such" / "folder.json"
        done = run("grade", RIGHT, "--json", target)
        self.assertIn(done.returncode, (2, 3))
        self.assertIn(str(target), done.stderr)

    def test_other_commands_succeed(self):
        for command in (["faults"], ["faults", "scale-by-dk"], ["doctor"],
                        ["fixtures", "verify"]):
            with self.subTest(command=command):
                done = run(*command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotEqual(done.stdout, "")


class Score(Scratch, unittest.TestCase):
    def test_full_marks_are_promised_where_one_fault_is_proven(self):
        self.assertIn("With only this fault mended: full marks.",
                      run("grade", WRONG).stdout)
        self.assertNotIn("mended", run("grade", RIGHT).stdout)

    def test_a_rubric_of_the_task_counts(self):
        fixtures = self.folder / "fixtures"
        shutil.copytree(PROJECT / "fixtures", fixtures)
        task = fixtures / "tasks" / "attention.json"
        rubric = {"rubric": {"scale-by-dk": 0.125}}
        task.write_text(json.dumps({**json.loads(task.read_text()), **rubric}))
        for options, score in ([], 0.5), (["--fixtures", fixtures], 0.875):
            report = self.folder / "report.json"
            run("grade", WRONG, "--json", report, *options)
            (record,) = json.loads(report.read_text())["submissions"]
            self.assertEqual(record["score"], score)
            self.assertEqual(record["score_if_mended"], 1.0)


class Colour(unittest.TestCase):
    def coloured(self, *options, **environment):
        done = run("grade", *options, WRONG, env={**os.environ, **environment})
        return "\x1b[" in done.stdout

    def test_is_off_where_output_is_no_terminal(self):
        self.assertFalse(self.coloured())

    def test_can_be_forced(self):
        self.assertTrue(self.coloured("--color", "always"))

    def test_is_a_matter_of_the_option_before_the_environment(self):
        self.assertTrue(self.coloured("--color", "always", NO_COLOR="1"))


class Report(unittest.TestCase):
    def test_of_a_fault_is_read_in_ten_seconds(self):
        text = run("grade", WRONG).stdout
        first, *rest = text.splitlines()
        self.assertIn("FAULTY", first)
        self.assertIn("scale_by_dk.py", first)
        self.assertIn("d_k", text)
        self.assertIn("scale-by-dk", text)
        self.assertIn("-1.000", text)
        self.assertIn("-0.500", text)
        self.assertIn("default_rng", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_quiet_says_less(self):
        loud, quiet = run("grade", WRONG), run("grade", "--quiet", WRONG)
        self.assertLess(len(quiet.stdout), len(loud.stdout))
        self.assertEqual(quiet.returncode, 1)

    def test_check_shows_no_seed_of_a_twin(self):
        self.assertNotIn("twin", run("check", WRONG).stdout)


if __name__ == "__main__":
    unittest.main()
