"""--mask-convention and the task file's key of that name, end to end."""

import json
import shutil
import unittest

from support import PROJECT, Scratch, by_file_and_task, grade, run

SOURCE = """
import numpy as np

def masked_attention(q, k, v, mask):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = %s
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v
"""
RIGHT = {"keep": SOURCE % "np.where(mask, s, -1e9)",
         "hide": SOURCE % "np.where(mask, -1e9, s)",
         "additive": SOURCE % "s + mask"}


class MaskConvention(Scratch, unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.files = {word: self.write(word + ".py", source)
                      for word, source in RIGHT.items()}

    def record(self, word, *options):
        _, document = grade([self.files[word]], *options)
        return by_file_and_task(document)[(word + ".py", "masked_attention")]

    def test_each_is_right_where_it_is_asked_for(self):
        for word in RIGHT:
            with self.subTest(word):
                record = self.record(word, "--mask-convention", word)
                self.assertEqual(record["verdict"], "correct")

    def test_another_one_is_wrong(self):
        self.assertEqual(self.record("hide")["faults"], ["mask-inverted"])
        record = self.record("keep", "--mask-convention", "hide")
        self.assertEqual(record["faults"], ["mask-inverted"])

    def test_a_word_that_is_none_is_refused(self):
        done = run("grade", self.files["keep"], "--mask-convention", "bits")
        self.assertEqual(done.returncode, 2)
        self.assertIn("keep,hide,additive", done.stderr)

    def test_the_task_file_may_say_it_too(self):
        fixtures = self.folder / "fixtures"
        shutil.copytree(PROJECT / "fixtures", fixtures)
        file = fixtures / "tasks" / "masked_attention.json"
        task = json.loads(file.read_text())
        file.write_text(json.dumps(dict(task, mask_convention="hide")))
        record = self.record("hide", "--fixtures", fixtures)
        self.assertEqual(record["verdict"], "correct")


if __name__ == "__main__":
    unittest.main()
