"""Submissions of several files: folders and archives, graded end to end."""

import io
import json
import os
import tarfile
import unittest
import zipfile

from support import Scratch, by_file_and_task, grade, run

ATTENTION = """import numpy as np
from helper import softmax

def attention(q, k, v):
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
    return weights @ v, weights
"""
BY_DK = ATTENTION.replace("np.sqrt(q.shape[-1])", "q.shape[-1]")
HELPER = """import numpy as np

def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
"""
DEMO = """from attention import attention
raise RuntimeError("a demo is not what is graded")
"""
NOTEBOOK = json.dumps({
    "nbformat": 4, "nbformat_minor": 5, "metadata": {},
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [],
               "execution_count": None, "source": ATTENTION}]})
C_HEADER = "void softmax(int length, double *row);\n"
C_SOFTMAX = """#include "softmax.h"
#include <math.h>

void softmax(int length, double *row) {
  double largest = row[0], sum = 0;
  for (int i = 1; i < length; ++i) largest = fmax(largest, row[i]);
  for (int i = 0; i < length; ++i) sum += row[i] = exp(row[i] - largest);
  for (int i = 0; i < length; ++i) row[i] /= sum;
}
"""
C_ATTENTION = """#include "attngrade.h"
#include "softmax.h"
#include <math.h>

static void one_head(attention_shape s, const double *q, const double *k,
                     const double *v, double *out, double *w) {
  for (int i = 0; i < s.n_q; ++i, out += s.d_v, q += s.d_k) {
    for (int j = 0; j < s.n_k; ++j) {
      w[j] = 0;
      for (int a = 0; a < s.d_k; ++a) w[j] += q[a] * k[j * s.d_k + a];
      w[j] /= sqrt(s.d_k);
    }
    softmax(s.n_k, w);
    for (int c = 0; c < s.d_v; ++c) {
      out[c] = 0;
      for (int j = 0; j < s.n_k; ++j) out[c] += w[j] * v[j * s.d_v + c];
    }
  }
}

int attention(const double *q, const double *k, const double *v,
              attention_shape s, double *output, double *weights) {
  double row[4096];
  for (int64_t h = 0; h < s.batch * s.heads; ++h) {
    one_head(s, q + h * s.n_q * s.d_k, k + h * s.n_k * s.d_k,
             v + h * s.n_k * s.d_v, output + h * s.n_q * s.d_v, row);
  }
  return 0;
}
"""


class Collections(Scratch, unittest.TestCase):
    """Each entry of a folder is one submission."""

    def zip(self, name, files):
        path = self.folder / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file, text in files.items():
                archive.writestr(file, text)
        return path

    def tar(self, name, files):
        path = self.folder / name
        with tarfile.open(path, "w:gz") as archive:
            for file, text in files.items():
                member = tarfile.TarInfo(file)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def put(self, folder, files):
        for name, text in files.items():
            self.write(f"{folder}/{name}", text)

    def records(self, *options):
        _, document = grade([self.folder], *options)
        return {file: (r["verdict"], r["faults"])
                for (file, _), r in by_file_and_task(document).items()}

    def test_archives_with_what_else_is_in_them(self):
        self.zip("ana.zip", {
            "ana/attention.py": ATTENTION, "ana/helper.py": HELPER,
            "ana/main.py": DEMO, "ana/test_attention.py": "assert False",
            "ana/README.md": "hello", "__MACOSX/ana/._attention.py": "x"})
        self.zip("ben.zip", {"src/attention.py": BY_DK, "src/helper.py": HELPER,
                             "setup.py": "raise SystemExit(1)"})
        self.tar("cid.tar.gz", {"./cid/été.py": ATTENTION,
                                "./cid/helper.py": HELPER})
        self.assertEqual(self.records(), {
            "ana.zip": ("correct", []),
            "ben.zip": ("faulty", ["scale-by-dk"]),
            "cid.tar.gz": ("correct", [])})

    def test_folders_of_python(self):
        self.put("checkout", {
            ".git/hooks/attention.py": "raise SystemExit(1)",
            "venv/lib/attention.py": "", "venv/pyvenv.cfg": "",
            "attention.py": ATTENTION, "helper.py": HELPER, "demo.py": DEMO})
        self.put("notebook", {
            "attention.ipynb": NOTEBOOK, "helper.py": HELPER, "old.ipynb": "{",
            ".ipynb_checkpoints/attention-checkpoint.ipynb": NOTEBOOK})
        self.put("package", {
            "attention/__init__.py": "from .core import attention\n",
            "attention/core.py": BY_DK.replace("from helper", "from .helper"),
            "attention/helper.py": HELPER, "tests/test_core.py": "assert False"})
        self.assertEqual(self.records(), {
            "checkout": ("correct", []),
            "notebook": ("correct", []),
            "package": ("faulty", ["scale-by-dk"])})

    def test_folder_of_c_with_a_plot_in_python(self):
        self.put("ana", {"src/attention.c": C_ATTENTION, "src/softmax.c": C_SOFTMAX,
                         "include/softmax.h": C_HEADER, "plot.py": "import numpy",
                         "Makefile": "all:\n\tfalse\n"})
        self.assertEqual(self.records(), {"ana": ("correct", [])})

    def test_archive_in_a_folder_of_its_own(self):
        """What a course platform hands out."""
        (self.folder / "ana_17_file").mkdir()
        self.zip("ana_17_file/attention.zip",
                 {"attention.py": ATTENTION, "helper.py": HELPER})
        self.write("ben_18_file/attention.py", BY_DK)
        self.write("ben_18_file/helper.py", HELPER)
        self.assertEqual(self.records(), {
            "ana_17_file/attention.zip": ("correct", []),
            "ben_18_file": ("faulty", ["scale-by-dk"])})

    def test_coding_test_is_no_test(self):
        self.put("ana", {"coding_test.py": BY_DK, "helper.py": HELPER})
        self.put("ben", {"attention_test.c": C_ATTENTION, "soft.c": C_SOFTMAX,
                         "softmax.h": C_HEADER})
        self.assertEqual(self.records(), {
            "ana": ("faulty", ["scale-by-dk"]), "ben": ("correct", [])})

    def test_includes_of_c_sources(self):
        self.put("ana", {"attention.c": C_ATTENTION, "softmax.h": C_HEADER,
                         "softmax.c": C_SOFTMAX,
                         "main.c": '// once: \\\n#include "attention.c"\n'
                                   '/*\n#include "softmax.c" */\n'
                                   "int main(void) { return 0; }\n"})
        self.put("ben", {"attention.c": C_ATTENTION, "softmax.c": C_SOFTMAX,
                         "softmax.h": '#pragma once\n#include "softmax.c"\n'})
        self.assertEqual(self.records(), {
            "ana": ("correct", []), "ben": ("correct", [])})

    def test_names_that_are_no_utf8_and_clash(self):
        self.put("ana", {"attention.py": ATTENTION, "helper.py": HELPER, "_": "x",
                         "a" * 252 + "_xy": ""})
        folder = bytes(self.folder / "ana") + b"/"
        os.mkdir(folder + b"\xff")
        for name in (b"\xff/a.md", b"a" * 252 + b"\xffxy"):
            with open(folder + name, "wb"):
                pass
        self.assertEqual(self.records(), {"ana": ("correct", [])})

    def test_names_that_are_no_utf8(self):
        (self.folder / "ana").mkdir()
        name = bytes(self.folder / "ana") + b"/att\xe9ntion.py"
        with open(name, "w", encoding="utf-8") as file:
            file.write(ATTENTION)
        self.write("ana/helper.py", HELPER)
        self.assertEqual(self.records(), {"ana": ("correct", [])})


class OneOfSeveral(Scratch, unittest.TestCase):
    """Which file is meant is told, or asked for."""

    def setUp(self):
        super().setUp()
        self.write("ana/first.py", ATTENTION)
        self.write("ana/second.py", BY_DK)
        self.write("ana/helper.py", HELPER)

    def test_ambiguity_is_explained_and_an_entry_settles_it(self):
        done = run("grade", "--as-one", self.folder / "ana")
        said = " ".join(done.stdout.split())
        self.assertIn("first.py (`attention`) and second.py (`attention`)", said)
        self.assertIn("which file, as in --entry first.py:attention: ", said)
        listed = run("grade", self.folder).stdout
        self.assertTrue(any("--entry first.py:attention" in line
                            for line in listed.splitlines()), listed)
        for file, verdict in (("first.py", "correct"), ("second.py", "faulty")):
            _, document = grade([self.folder / "ana"], "--as-one", "--entry",
                                f"{file}:attention")
            self.assertEqual(document["submissions"][0]["verdict"], verdict)

    def test_file_whose_helper_lies_beside_it_is_sent_to_as_one(self):
        done = run("grade", self.folder / "ana" / "first.py")
        self.assertEqual(done.returncode, 1)
        said = " ".join(done.stdout.split())
        self.assertIn("No module named 'helper'; helper.py lies beside it. Grade "
                      "the folder as one submission: --as-one", said)


if __name__ == "__main__":
    unittest.main()
