"""The attack suite: submissions that try to break out, to fool the grader or to
stop it. Each gets the verdict of tests/attacks/expected.json, reaches nothing,
leaves nothing, and its neighbours' results are those that they always have.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from support import GRADER, PROJECT, Scratch, run

ATTACKS = Path(__file__).resolve().parent / "attacks"
# Of the 68 numbers those without a file: the tests that make them.
ELSEWHERE = {
    27: "attacks_test.py",  # the death of the grader
    40: "attacks_test.py",  # links
    41: "attacks_test.py",  # pipes; bad_input_test.py has the rest
    65: "library_calls_test.py",  # needs torch
}
WITHOUT_OBJECT = {
    34: "no memory is shared with the grader",
    35: "no memory is shared with the grader",
    36: "no memory is shared with the grader",
    46: "nobody reports equal submissions",
}
# Of the grader, with two jobs: fixtures and two answers at a time, each with
# what is kept of its output; far less than one submission may take.
MOST_MEMORY = 200 << 20  # bytes
RIGHT = '''
import numpy as _np

def right(q, k, v):
    scores = q @ _np.swapaxes(k, -1, -2) / _np.sqrt(q.shape[-1])
    weights = _np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ v, weights
'''
RIGHT_C = (PROJECT / "submissions_example" / "correct_plain.c").read_text()


def staged(name, places):
    """The text of the attack beside a right answer; places: of the words in it
    that stand for what it is to reach."""
    text = (ATTACKS / name).read_text()
    for word, value in places.items():
        text = text.replace(word, str(value))
    if name.endswith(".ipynb"):
        return text
    if name.endswith(".c"):
        return text + RIGHT_C
    text = RIGHT + text
    return text if "def attention" in text else text + "\nattention = right\n"


def obstacle_to(level, *options):
    """Why nothing can be graded at that level here, or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        submission = Path(folder) / "right.py"
        submission.write_text(RIGHT + "\nattention = right\n")
        report = Path(folder) / "report.json"
        done = run("grade", submission, "--json", report, "--isolation", level,
                   *options)
        if not report.exists():
            return done.stderr
        record = json.loads(report.read_text())["submissions"][0]
        return None if record["verdict"] == "correct" else record["summary"]


def processes_with(text):
    """Their numbers: those with the text in their environment or command."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            for name in ("environ", "cmdline"):
                try:
                    if text.encode() in (process / name).read_bytes():
                        found.append(int(process.name))
                        break
                except OSError:
                    pass
    return found


class Catalogue(unittest.TestCase):
    def test_every_number_is_somewhere(self):
        entries = json.loads((ATTACKS / "expected.json").read_text())
        numbers = {entry["attack"] for entry in entries}
        for entry in entries:
            self.assertTrue(entry["file"].startswith(f"{entry['attack']:02}_"))
        for number, test in ELSEWHERE.items():
            self.assertNotIn(number, numbers)
            self.assertTrue((ATTACKS.parent / test).exists(), test)
        self.assertEqual(
            sorted([*numbers, *ELSEWHERE, *WITHOUT_OBJECT]),
            list(range(1, 69)))


def peak_memory(process):
    """Of the process alone, in bytes, until it has ended."""
    peak = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                peak = max(peak, int(line.split()[1]) << 10)
        time.sleep(0.02)
    return peak


class Attacks(Scratch, unittest.TestCase):
    LEVEL = "L2"
    LANE = "fork"
    STEP = 1  # every nth attack
    PYTHON = ()  # the option that names it

    @classmethod
    def setUpClass(cls):
        obstacle = obstacle_to(cls.LEVEL, *cls.PYTHON)
        if obstacle:
            print(f"SKIPPED: no {cls.LEVEL} here: {obstacle}", file=sys.stderr)
            raise unittest.SkipTest(obstacle)

    def setUp(self):
        super().setUp()
        self.secret = self.write("secret", "secret\n")
        self.outside = self.folder / "outside"
        self.outside.mkdir()
        for path in (self.folder, self.outside):
            path.chmod(0o777)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir(mode=0o777)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.listener.close)
        self.submissions = self.folder / "submissions"

    def stage(self, name):
        return self.write("submissions/" + name, staged(name, {
            "@SECRET@": self.secret,
            "@OUTSIDE@": self.outside,
            "@PORT@": self.listener.getsockname()[1],
            "@GRADER@": GRADER,
            "@FIXTURES@": PROJECT / "fixtures",
            "@PARENTHESES@": "(" * 1000000,
        }))

    def grade(self, **options):
        report = self.folder / "report.json"
        done = run(
            "grade", self.submissions, "--json", report, "--seed", "7",
            "--time-limit", "2", "--memory-limit", "256M",
            "--isolation", self.LEVEL, "--lane", self.LANE, *self.PYTHON,
            env=dict(os.environ, TMPDIR=str(self.temporary)), **options,
        )
        self.assertNotIn("\x1b", done.stdout)
        self.assertTrue(report.exists(), done.stderr)
        records = json.loads(report.read_text())["submissions"]
        self.assertEqual([(r["file"], r["cause"]) for r in records
                          if r["verdict"] == "not-graded"], [])
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return records

    def test_every_attack_gets_its_verdict_and_reaches_nothing(self):
        entries = json.loads((ATTACKS / "expected.json").read_text())
        self.assertEqual(
            {entry["file"] for entry in entries},
            {p.name for p in ATTACKS.iterdir() if p.suffix in (".py", ".c", ".ipynb")},
        )
        if not os.environ.get("ATTNGRADE_EVERY_ATTACK"):
            entries = entries[:: self.STEP]
        for entry in entries:
            self.stage(entry["file"])
        (self.submissions / "40_is_a_link.py").symlink_to("/etc/passwd")
        os.mkfifo(self.submissions / "41_is_a_pipe.py")
        for number in range(4):
            self.write(f"submissions/neighbour_{number}.py",
                       RIGHT + "\nattention = right\n")

        before = time.monotonic()
        records = {record["file"]: record for record in self.grade()}
        print(f"{len(records)} attacks in {time.monotonic() - before:.0f} s",
              file=sys.stderr)
        time.sleep(0.05)
        self.assertEqual(processes_with(str(self.temporary)), [])
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(list(self.outside.iterdir()), [])
        self.assertFalse(Path("/tmp/message").exists())
        self.listener.setblocking(False)
        with self.assertRaises(BlockingIOError):
            self.listener.accept()
        self.assertEqual(self.secret.read_text(), "secret\n")

        entries += [
            {"file": "40_is_a_link.py", "verdicts": ["rejected"]},
            {"file": "41_is_a_pipe.py", "verdicts": ["rejected"]},
        ]
        entries += [{"file": f"neighbour_{number}.py", "verdicts": ["correct"]}
                    for number in range(4)]
        for entry in entries:
            record = records[entry["file"]]
            with self.subTest(file=entry["file"]):
                self.assertIn(record["verdict"], entry["verdicts"],
                              (record["summary"], record["cause"]))
                shown = json.dumps([record["stdout"], record["stderr"],
                                    record["cause"]])
                self.assertNotIn("REACHED", shown)
                if "says" in entry:
                    self.assertIn(entry["says"], record["cause"]["detail"])

    def test_an_attacker_changes_nothing_of_a_neighbour(self):
        """Each as the only one beside it; the memory of the grader is bounded."""
        report = self.folder / "report.json"

        def records():
            grader = subprocess.Popen(
                [GRADER, "grade", self.submissions, "--json", report, "--quiet",
                 "--seed", "7", "--jobs", "2", "--time-limit", "2",
                 "--memory-limit", "256M", "--isolation", self.LEVEL, "--lane",
                 self.LANE, *self.PYTHON],
                env=dict(os.environ, TMPDIR=str(self.temporary)))
            self.assertLess(peak_memory(grader), MOST_MEMORY)
            grader.wait()
            found = json.loads(report.read_text())["submissions"]
            return {r["file"]: {key: value for key, value in r.items()
                                if key not in ("seconds", "isolation")}
                    for r in found}
        path = self.write("submissions/neighbour.py",
                          RIGHT + "\nattention = right\n")
        alone = records()[path.name]
        self.assertEqual(alone["verdict"], "correct")
        for name in ("09_allocates_until_death.py", "13_fills_the_disk.py",
                     "16_opens_a_million_files.py", "18_forks_without_end.py",
                     "21_kills_everybody.py", "22_kills_every_number.py",
                     "28_prints_without_end.py"):
            with self.subTest(attacker=name):
                attacker = self.stage(name)
                found = records()
                attacker.unlink()
                self.assertEqual(found[path.name], alone)
                self.assertIn(name, found)

    def test_files_are_staged_for_another_id(self):
        self.write("submissions/right.py", RIGHT + "\nattention = right\n")
        self.write("submissions/right.c", RIGHT_C)
        for mask in (0o077, 0o022):
            with self.subTest(umask=oct(mask)):
                verdicts = [r["verdict"] for r in self.grade(umask=mask)]
                self.assertEqual(verdicts, ["correct", "correct"])

    def test_the_death_of_the_grader_is_that_of_all(self):
        self.stage("02_sleeps_in_the_call.py")
        grader = subprocess.Popen(
            [GRADER, "grade", self.submissions, "--isolation", self.LEVEL,
             "--lane", self.LANE, *self.PYTHON],
            env=dict(os.environ, TMPDIR=str(self.temporary)),
            stdout=subprocess.DEVNULL,
        )
        home = f"{self.temporary}/attngrade-"  # of submissions and servers
        deadline = time.monotonic() + 60
        while not processes_with(home) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1)
        self.assertNotEqual(processes_with(home), [])
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        time.sleep(0.1)
        self.assertEqual(processes_with(home), [])


class FreshInterpreters(Attacks):
    """The same verdicts in the other lane; a third of the attacks, unless
    ATTNGRADE_EVERY_ATTACK is set."""

    LANE = "exec"
    STEP = 3


class WithoutNamespaces(Attacks):
    """The same verdicts, a third of the attacks as above. Whose submissions run
    as nobody, as those of root do, needs an interpreter that is everybody's."""

    LEVEL = "L1"
    LANE = "exec"
    STEP = 3
    PYTHON = ("--python", "/usr/bin/python3") if os.geteuid() == 0 else ()

    @classmethod
    def setUpClass(cls):
        """Everybody's Linux has L1: who has numpy has no excuse."""
        has_numpy = subprocess.run(
            [cls.PYTHON[-1] if cls.PYTHON else "python3", "-c", "import numpy"],
            capture_output=True).returncode == 0
        if has_numpy:
            obstacle = obstacle_to(cls.LEVEL, *cls.PYTHON)
            if obstacle:
                raise AssertionError(obstacle)
        super().setUpClass()

    def test_an_interpreter_of_nobody_is_said_with_the_way_out(self):
        if not self.PYTHON:
            self.skipTest("only root's submissions run as nobody")
        closed = self.folder / "closed"
        closed.mkdir(mode=0o700)
        interpreter = closed / "python3"
        interpreter.symlink_to("/usr/bin/python3")
        self.write("submissions/right.py", RIGHT + "\nattention = right\n")
        report = self.folder / "report.json"
        run("grade", self.submissions, "--json", report, "--isolation",
            self.LEVEL, "--python", interpreter)
        record = json.loads(report.read_text())["submissions"][0]
        self.assertEqual(record["verdict"], "not-graded")
        self.assertIn(f"cannot start {interpreter} in the cell as user 65534, "
                      "who must be able to read it", record["summary"])


if __name__ == "__main__":
    unittest.main()
