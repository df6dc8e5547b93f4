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

# Read locks of an open file, on what a copy does not open itself.
LEAVES_A_LOCK = """
import fcntl, struct
F_OFD_SETLK, LOCK = 37, "hhqqi4x"
fcntl.fcntl(0, F_OFD_SETLK, struct.pack(LOCK, fcntl.F_RDLCK, 0, 4242, 77, 0))
"""
FINDS_A_LOCK = """
import fcntl, os, struct
F_OFD_GETLK, LOCK = 36, "hhqqi4x"
null = os.open("/dev/null", os.O_RDWR)
asked = struct.pack(LOCK, fcntl.F_WRLCK, 0, 4242, 77, 0)
found = struct.unpack(LOCK, fcntl.fcntl(null, F_OFD_GETLK, asked))
print("free" if found[0] == fcntl.F_UNLCK else "taken")
"""

LOOKS_AT_ERRNO = """
#include <attngrade.h>
#include <errno.h>

static int at_start;
__attribute__((constructor)) static void look(void) { at_start = errno; }

int attention(const double *q, const double *k, const double *v,
              attention_shape shape, double *output, double *weights) {
  return at_start + 1;
}
"""


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
        self.write("recurses.py", "def attention(q, k, v):\n"
                                  "    return attention(q, k, v)\n")
        self.write("looks_at_errno.c", LOOKS_AT_ERRNO)
        paths += sorted(p for p in self.folder.iterdir()
                        if p.suffix in (".py", ".c"))
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

    def test_threads_do_not_take_the_memory_of_a_submission(self):
        path = self.write("threads.py", """
import threading
end = threading.Event()
for _ in range(64):
    threading.Thread(target=lambda: (bytes(1 << 16), end.wait())).start()
end.set()
""" + RIGHT)
        for lane in ("exec", "fork"):
            with self.subTest(lane=lane):
                _, document = grade([path], "--lane", lane)
                record, = document["submissions"]
                self.assertEqual(record["verdict"], "correct")

    def test_what_is_too_much_for_the_parser_is_said_alike(self):
        self.write("deep.py", "x = " + "(" * 150 + "1" + ")" * 150 + RIGHT)
        self.write("deeper.py", "x = " + "-" * 100000 + "1\n" + RIGHT)
        self.write("warns.py", RIGHT + "".join(
            "x = '\\%s\\d'\n" % letter for letter in "cdegw" * 500))
        paths = sorted(self.folder.glob("*.py"))
        records = [without_what_varies(grade(paths, "--lane", lane)[1])
                   for lane in ("exec", "fork")]
        verdicts = [record["verdict"] for record in records[0]]
        self.assertEqual(verdicts, ["correct", "load-error", "correct"])
        for fresh, copied in zip(*records):
            with self.subTest(file=fresh["file"]):
                self.assertEqual(without_random_names(fresh),
                                 without_random_names(copied))

    def test_a_copy_leaves_nothing_for_the_next_one(self):
        for isolation in ("auto", "none"):
            with self.subTest(isolation=isolation):
                paths = [self.write("1_leaves.py", LEAVES_A_LOCK + RIGHT),
                         self.write("2_finds.py", FINDS_A_LOCK + RIGHT)]
                report = self.folder / "report.json"
                run("grade", *paths, "--jobs", "1", "--isolation", isolation,
                    "--json", report)
                left, found = json.loads(report.read_text())["submissions"]
                self.assertEqual(left["verdict"], "correct")
                self.assertEqual(found["stdout"].strip(), "free")

    def test_a_copy_owns_its_files_in_proc(self):
        path = self.write("reads.py", "open('/proc/self/environ').read()\n"
                          "print(open('/proc/self/oom_score_adj').read())\n"
                          + RIGHT)
        _, document = grade([path])
        if document["isolation"]["lane"] != "fork":
            self.skipTest("no copies here")
        record, = document["submissions"]
        self.assertEqual(record["verdict"], "correct")
        self.assertEqual(record["stdout"].strip(), "1000")

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
