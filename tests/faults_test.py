"""The catalogue on the command line and as a page: what it says of a small input
is what numpy computes.
"""

import os
import re
import subprocess
import unittest

from support import Scratch, run

RIGHT = '''
import numpy as np

def attention(q, k, v):
    z = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    w = np.exp(z - z.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    for row in w.reshape(-1, w.shape[-1]):
        print(*("%.2f" % one for one in row))
'''


def ids():
    return [line.split()[0] for line in run("faults").stdout.splitlines()
            if re.match(r"  [a-z0-9-]+  ", line)]


class Faults(Scratch, unittest.TestCase):
    def test_every_fault_is_explained_within_a_terminal(self):
        names = ids()
        self.assertGreater(len(names), 90)
        for name in names:
            done = run("faults", name)
            with self.subTest(fault=name):
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout.startswith(name + " ·"))
                self.assertEqual([line for line in done.stdout.splitlines()
                                  if len(line) > 80], [])

    def test_the_lines_that_show_it_give_the_numbers_that_are_right(self):
        for name in ("scale-missing", "scores-transposed", "softmax-over-queries"):
            text = run("faults", name).stdout
            lines = text[text.index("  See it"):].split("\n\n")[0]
            script = self.write("see.py", RIGHT + "\n".join(
                line[14:] for line in lines.splitlines()))
            python = os.environ.get("ATTNGRADE_PYTHON", "python3")
            done = subprocess.run([python, script], capture_output=True,
                                  text=True, check=True)
            block = text[text.index("  Weights"):].split("\n\n")[0]
            right = [re.findall(r"-?\d+\.\d+", line[:14 + len(line[14:]) // 2])
                     for line in block.splitlines()[1:]]
            with self.subTest(fault=name):
                self.assertEqual([row.split() for row in
                                  done.stdout.splitlines()], right)

    def test_a_page_is_written_and_nothing_else(self):
        page = self.folder / "faults.html"
        done = run("faults", "--html", page)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        text = page.read_text(encoding="utf-8")
        for name in ids():
            self.assertIn(f'<article id="{name}">', text)
        self.assertIn("<title>scale-by-dk</title>",
                      run("faults", "scale-by-dk", "--html", "-").stdout)

    def test_what_is_no_fault_gets_a_suggestion(self):
        done = run("faults", "scale-missng", "--html", self.folder / "x.html")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean scale-missing?", done.stderr)
        self.assertFalse((self.folder / "x.html").exists())


if __name__ == "__main__":
    unittest.main()
