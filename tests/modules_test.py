"""The classes in modules/, which build their own projections, are found, built
and judged without --entry and --task. expected.json has, for each file and task,
`correct` or the faults, in any order; a load-error and a class not graded have
no task."""

import json
import os
import subprocess
import unittest

from support import PROJECT, by_file_and_task, grade
from variants_test import interpreter, judgement, readable

MODULES = PROJECT / "tests" / "modules"
# Folder: environment, and the libraries in it that its files import.
ENVIRONMENTS = {"flax": ("jax", "flax, equinox"), "keras": ("torch", "keras")}


# A file costs two imports of torch, or half a minute of compiling in JAX: one in
# three or four of them in any run, all where the environment has
# ATTNGRADE_EVERY_MODULE.
STEPS = {"flax": 4, "torch": 3}


def chosen_files(library, files):
    step = STEPS.get(library, 1)
    if step == 1 or os.environ.get("ATTNGRADE_EVERY_MODULE"):
        return sorted(files)
    chosen = sorted(files)[::step]
    print("SKIPPED: %d of %d files of tests/modules/%s; ATTNGRADE_EVERY_MODULE=1 "
          "grades all" % (len(files) - len(chosen), len(files), library),
          flush=True)
    return chosen


def interpreter_of(folder):
    """(options of the grader, "") or (None, what is missing)"""
    environment, libraries = ENVIRONMENTS.get(folder, (folder, ""))
    chosen = interpreter(environment)
    if chosen is None:
        return None, "no .venv-" + environment
    if libraries and subprocess.run(
            [chosen[1], "-c", "import " + libraries], capture_output=True,
            env=dict(os.environ, KERAS_BACKEND="torch")).returncode:
        return None, ".venv-%s lacks %s" % (environment, libraries)
    return chosen, ""


def as_sets(verdicts):
    return {task: set(verdict.split(" + ")) for task, verdict in verdicts.items()}


class Modules(unittest.TestCase):
    def setUp(self):
        self.expected = json.loads(
            (MODULES / "expected.json").read_text(encoding="utf-8"))

    def check(self, library):
        chosen, missing = interpreter_of(library)
        if chosen is None:
            print("SKIPPED: %s; scripts/setup_frameworks makes environments, "
                  "libraries are added with pip" % missing, flush=True)
            self.skipTest(missing)
        expected = self.expected[library]
        files = chosen_files(library, expected)
        _, document = grade([MODULES / library / file for file in files],
                            *chosen)
        records = by_file_and_task(document)
        for file in files:
            tasks = expected[file]
            found = {task or "": record for (name, task), record in records.items()
                     if name == file}
            judged = {task: judgement(found[task]) for task in found}
            with self.subTest(file):
                self.assertEqual(as_sets(judged), as_sets(tasks),
                                 list(map(readable, found.values())))

    def test_torch_classes(self):
        self.check("torch")

    def test_numpy_classes(self):
        self.check("numpy")

    def test_flax_and_equinox_classes(self):
        self.check("flax")

    def test_keras_layers(self):
        self.check("keras")

    def test_every_file_is_expected(self):
        for library, files in self.expected.items():
            self.assertEqual(
                sorted(path.name for path in (MODULES / library).iterdir()
                       if path.suffix in (".py", ".ipynb")),
                sorted(files))


if __name__ == "__main__":
    unittest.main()
