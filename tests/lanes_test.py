"""The two lanes, fresh interpreters and copies of a warm one, say the same."""

import json
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

from support import BUILD, EXAMPLES, PROJECT, Scratch, grade, run

VARYING = ("seconds",)
RIGHT = '''
import numpy as np

def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights @ v, weights
'''


def without_what_varies(document):
    return [{key: value for key, value in record.items() if key not in VARYING}
            for record in document["submissions"]]


def without_random_names(record):
    """Of the folders that a run makes."""
    return json.loads(re.sub(r"(attngrade|submission)-\w{6}\b", r"\1",
                             json.dumps(record)))


def sample():
    """Every twelfth example, and what goes wrong while it loads or runs."""
    names = sorted(p for p in EXAMPLES.iterdir()
                   if p.suffix in (".py", ".c", ".cpp", ".ipynb"))
    return names[::12]


class Lanes(Scratch, unittest.TestCase):
    def lane_of(self, *options, **environment):
        path = self.write("right.py", RIGHT)
        report = self.folder / "report.json"
        done = run("check", path, "--json", report, *options,
                   env=dict(os.environ, **environment))
        if not report.exists():
            return done
        isolation = json.loads(report.read_text())["isolation"]
        report.unlink()
        return isolation["lane"], isolation["lane_detail"]

    def test_both_lanes_have_the_same_records(self):
        paths = sample()
        self.write("stops.py", "import os\n\ndef attention(q, k, v):\n"
                               "    os.abort()\n")
        self.write("syntax.py", "def attention(q, k, v:\n")
        self.write("absent.py", "import no_such_module\n")
        self.write("reads.py", "import os\nprint(sorted(os.environ))\n"
                               "print(os.getcwd(), __file__)\n" + RIGHT)
        paths += sorted(self.folder.glob("*.py"))
        for isolation in ("auto", "none"):
            with self.subTest(isolation=isolation):
                records = {}
                for lane in ("exec", "fork"):
                    _, document = grade(paths, "--lane", lane,
                                        "--isolation", isolation)
                    expected = ("exec" if document["isolation"]["level"] == "L1"
                                else lane)
                    self.assertEqual(document["isolation"]["lane"], expected)
                    records[lane] = [
                        without_random_names(r)
                        for r in without_what_varies(document)]
                for fresh, copied in zip(records["exec"], records["fork"]):
                    with self.subTest(file=fresh["file"]):
                        self.assertEqual(fresh, copied)

    def test_fork_is_what_is_done_unless_said_otherwise(self):
        self.assertEqual(self.lane_of(), ("fork", ""))
        self.assertEqual(self.lane_of("--lane", "exec"), ("exec", ""))

    def test_what_cannot_fork_is_started_and_the_report_says_so(self):
        with tempfile.TemporaryDirectory() as data:
            folder = Path(data)
            shutil.copytree(PROJECT / "fixtures", folder / "fixtures")
            for program in ("native_host", "attngrade-cell"):
                for built in BUILD.rglob(program):
                    if built.is_file():
                        shutil.copy(built, folder)
            (folder / "attngrade-fork.so").write_text("no library\n")
            lane, detail = self.lane_of(ATTNGRADE_DATA=data)
            self.assertEqual(lane, "exec")
            self.assertIn("attngrade-fork.so", detail)
            done = self.lane_of("--lane", "fork", ATTNGRADE_DATA=data)
            self.assertEqual(done.returncode, 3)
            self.assertIn("cannot keep to --lane fork", done.stderr)


if __name__ == "__main__":
    unittest.main()
