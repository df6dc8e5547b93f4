"""Submissions that sleep, allocate, print or crash do not touch the others."""

import shutil
import unittest

from support import EXAMPLES, Scratch, by_file_and_task, grade

HOSTILE = {
    "hang_sleep.py": "timed-out",
    "allocates_without_end.py": "out-of-memory",
    "prints_100_megabytes.py": "limit-exceeded",
    "crash_segfault.c": "crashed",
}


def comparable(record):
    """Without what differs between two equal runs."""
    volatile = ("seconds", "stdout", "stderr")
    return {name: value for name, value in record.items() if name not in volatile}


class HostileNeighbours(Scratch, unittest.TestCase):
    def copy(self, names):
        for name in names:
            shutil.copy(EXAMPLES / name, self.folder / name)

    def test_leave_twenty_good_ones_as_they_were(self):
        good = sorted(p.name for p in EXAMPLES.glob("correct_*"))
        self.assertGreaterEqual(len(good), 20)

        self.copy(good)
        status, alone = grade([self.folder])
        self.assertEqual(status, 0)

        self.copy(HOSTILE)
        status, together = grade([self.folder])
        self.assertEqual(status, 1)

        together = by_file_and_task(together)
        for key, record in by_file_and_task(alone).items():
            with self.subTest(file=key[0], task=key[1]):
                self.assertEqual(comparable(together[key]), comparable(record))
        for file, verdict in HOSTILE.items():
            with self.subTest(file=file):
                self.assertEqual(together[file, "attention"]["verdict"], verdict)


if __name__ == "__main__":
    unittest.main()
