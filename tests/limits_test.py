"""What a submission may use is set by options, and passing it is said."""

import resource
import unittest
from pathlib import Path

from support import EXAMPLES, Scratch, grade, needs, run

RIGHT = (EXAMPLES / "correct_einsum.py").read_text()
WRITES_IN_C = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void write_much(void) {
  FILE *file = fopen("much", "wb");
  static char block[1 << 20];
  for (int i = 0; file && i < 4; ++i) fwrite(block, 1, sizeof block, file);
  if (file) fclose(file);
  remove("much");
}
""" + (EXAMPLES / "correct_plain.c").read_text()
WRITES = """
with open("much", "wb") as file:
    file.write(bytes(4 << 20))
import os
os.remove("much")
""" + RIGHT
WRITES_MANY = """
import os
for number in range(8):
    with open("much%d" % number, "wb") as file:
        file.write(bytes(1 << 20))
for number in range(8):
    os.remove("much%d" % number)
""" + RIGHT
OPENS = "kept = [open('/dev/null') for _ in range(100)]\n" + RIGHT
WRITES_A_GIGABYTE = """
import os
block = bytes(16 << 20)
for number in range(80):
    with open("much%d" % number, "wb") as file:
        file.write(block)
for number in range(80):
    os.remove("much%d" % number)
""" + RIGHT
THREADS = """
import threading
end = threading.Event()
threading.stack_size(65536)
threads = [threading.Thread(target=end.wait) for _ in range(40)]
for thread in threads:
    thread.start()
end.set()
for thread in threads:
    thread.join()
""" + RIGHT


PRINTS = "print('x' * 40000)\n" + RIGHT


def available_memory():
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return 0


class Limits(Scratch, unittest.TestCase):
    def record(self, name, text, *options):
        _, document = grade([self.write(name, text)], *options)
        record, = document["submissions"]
        return record, document["isolation"]["level"]

    def verdicts(self, text, option, small, large):
        """By lane, under the small limit, the usual one and the large one."""
        found = {}
        for lane in ("exec", "fork"):
            for value in (small, None, large):
                options = [] if value is None else [option, value]
                record, _ = self.record("a.py", text, "--lane", lane, *options)
                found[lane, value] = record["verdict"]
                if value == small:
                    self.small = record
        return found

    def expect(self, text, option, small, large, verdict="load-error"):
        found = self.verdicts(text, option, small, large)
        for (lane, value), got in found.items():
            with self.subTest(lane=lane, limit=value):
                self.assertEqual(
                    got, verdict if value == small else "correct")

    def test_files_that_are_open(self):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        self.expect(OPENS, "--file-limit", "64", str(min(most, 1048576)))
        done = run("grade", self.folder / "a.py", "--file-limit", "1048576")
        self.assertEqual(done.returncode, 0 if most >= 1048576 else 2)
        self.assertIn("Too many open files", self.small["cause"]["detail"])

    def test_the_size_of_a_file(self):
        self.expect(WRITES, "--disk-limit", "1M", "1G")
        self.assertIn("File too large", self.small["cause"]["detail"])

    @needs("cc")
    def test_the_size_of_a_file_in_c(self):
        for lane in ("exec", "fork"):
            with self.subTest(lane=lane):
                record, _ = self.record("a.c", WRITES_IN_C, "--lane", lane,
                                        "--disk-limit", "1M")
                self.assertEqual(record["verdict"], "limit-exceeded")
                self.assertEqual(record["cause"]["kind"], "disk")
                self.assertEqual(record["cause"]["option"], "--disk-limit")
                self.assertEqual(record["cause"]["limit"], "1 MiB in a file")
                record, _ = self.record("a.c", WRITES_IN_C, "--lane", lane)
                self.assertEqual(record["verdict"], "correct")

    def test_all_files_together(self):
        record, level = self.record("a.py", WRITES_MANY, "--disk-limit", "2M")
        if level not in ("L2", "L3"):
            self.skipTest("no disk of its own at " + level)
        self.assertEqual(record["verdict"], "load-error")
        self.assertIn("No space left", record["cause"]["detail"])

    def test_files_are_not_held_against_the_memory(self):
        if available_memory() < 4 << 30:
            self.skipTest("not enough memory for the files")
        for lane in ("exec", "fork"):
            with self.subTest(lane=lane):
                record, _ = self.record(
                    "a.py", WRITES_A_GIGABYTE, "--lane", lane,
                    "--disk-limit", "1400M", "--memory-limit", "64M")
                self.assertEqual(record["verdict"], "correct", record["cause"])

    def test_output(self):
        for lane in ("exec", "fork"):
            with self.subTest(lane=lane):
                record, _ = self.record("a.py", PRINTS, "--lane", lane,
                                        "--output-limit", "32K")
                self.assertEqual(record["verdict"], "limit-exceeded")
                self.assertEqual(record["cause"]["kind"], "output")
                self.assertEqual(record["cause"]["option"], "--output-limit")
                self.assertEqual(record["cause"]["limit"],
                                 "32768 bytes of output")
                record, _ = self.record("a.py", PRINTS, "--lane", lane)
                self.assertEqual(record["verdict"], "correct")

    def test_a_large_limit_holds_in_both_lanes(self):
        many = THREADS.replace("40", "700")
        for lane in ("exec", "fork"):
            for limit, verdict in ("1000", "correct"), ("600", "load-error"):
                with self.subTest(lane=lane, limit=limit):
                    record, level = self.record(
                        "a.py", many, "--lane", lane, "--process-limit", limit)
                    if level == "L0":
                        self.skipTest("not limited at L0")
                    self.assertEqual(record["verdict"], verdict)

    def test_threads(self):
        _, level = self.record("a.py", RIGHT)
        if level == "L0":
            self.skipTest("not limited at L0")
        self.expect(THREADS, "--process-limit", "16", "32768")
        self.assertIn("can't start new thread", self.small["cause"]["detail"])

    def test_what_is_used_up_is_no_state(self):
        """Right numbers, and something left open by each call."""
        leaks = {
            "--file-limit": "kept.extend(open('/dev/null') for _ in range(5))",
            "--disk-limit": "open('kept', 'ab').write(bytes(1 << 20))",
        }
        for option, leak in leaks.items():
            text = RIGHT.replace("def attention(", "def right(") + f"""
kept = []


def attention(q, k, v):
    {leak}
    return right(q, k, v)
"""
            with self.subTest(option=option):
                record, _ = self.record("a.py", text)
                self.assertEqual(record["verdict"], "crashed")
                self.assertEqual(record["faults"], [])
                self.assertEqual(record["notes"], [])
                self.assertEqual(record["cause"]["option"], option)

    def test_what_cannot_be_a_limit_is_refused(self):
        path = self.write("a.py", RIGHT)
        for option, value in (("--file-limit", "0"), ("--file-limit", "63"),
                              ("--file-limit", "-1"),
                              ("--file-limit", "1048577"),
                              ("--process-limit", "15"),
                              ("--process-limit", "many"),
                              ("--process-limit", "32769"),
                              ("--disk-limit", "0"), ("--disk-limit", "1T"),
                              ("--disk-limit", "-1M"),
                              ("--disk-limit", "1"),
                              ("--disk-limit", "17179869183G"),
                              ("--output-limit", "0"),
                              ("--output-limit", "1"),
                              ("--memory-limit", "1M"),
                              ("--memory-limit", "1025G")):
            with self.subTest(option=option, value=value):
                done = run("grade", path, option, value)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(option, done.stderr)


if __name__ == "__main__":
    unittest.main()
