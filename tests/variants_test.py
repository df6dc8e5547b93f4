"""The submissions in variants/, in as many styles as people have, are found and
judged without --entry and --task. expected.json has, for each file and task,
`correct` or the faults; a load-error has no task."""

import json
import unittest

from support import PROJECT, by_file_and_task, grade

VARIANTS = PROJECT / "tests" / "variants"
# JAX compiles for each shape: one rank says whether a file was read rightly.
OPTIONS = {"numpy": [], "torch": [], "jax": ["--ranks", "3"]}


def interpreter(library):
    """That of scripts/setup_frameworks; for numpy, whichever the grader finds."""
    if library == "numpy":
        return []
    path = PROJECT / (".venv-" + library) / "bin" / "python"
    return ["--python", path] if path.exists() else None


def judgement(record):
    return (" + ".join(record["faults"]) if record["verdict"] == "faulty"
            else record["verdict"])


def readable(record):
    """For the message of a check that fails."""
    return {key: record[key] for key in ("entry", "called_with", "summary",
                                         "cause", "ties")}


class Variants(unittest.TestCase):
    def setUp(self):
        self.expected = json.loads(
            (VARIANTS / "expected.json").read_text(encoding="utf-8"))

    def check(self, library):
        chosen = interpreter(library)
        if chosen is None:
            print("SKIPPED: no .venv-%s; scripts/setup_frameworks makes it"
                  % library, flush=True)
            self.skipTest("no .venv-" + library)
        _, document = grade([VARIANTS / library], *OPTIONS[library], *chosen)
        records = by_file_and_task(document)
        for file, tasks in self.expected[library].items():
            found = {task or "": record for (name, task), record in records.items()
                     if name == file}
            judged = {task: judgement(found[task]) for task in found}
            with self.subTest(file):
                self.assertEqual(judged, tasks, list(map(readable,
                                                         found.values())))
        return records

    def test_numpy_in_every_style(self):
        records = self.check("numpy")
        self.assertEqual(
            records[("needs_d_k.py", "attention")]["called_with"],
            "numpy arrays of float64; d_k = the width of a key")
        self.assertEqual(
            records[("heads_third_axis.py", "attention")]["remarks"],
            ["takes and returns (B, n, H, d), the tokens before the heads"])
        self.assertEqual(
            records[("weights_by_token.py", "multi_head_attention")]["remarks"],
            ["returns weights of (B, n, H, m)"])

    def test_torch_functions_and_modules(self):
        records = self.check("torch")
        for file, arrays in (("functional.py", "float32"),
                             ("double_by_default.py", "float64")):
            self.assertEqual(records[(file, "attention")]["called_with"],
                             "torch tensors of " + arrays)

    def test_jax_transformed_functions(self):
        records = self.check("jax")
        self.assertEqual(
            records[("wide_loop_carry.py", "attention")]["called_with"],
            "jax tensors of float64")

    def test_every_file_is_expected(self):
        for library, files in self.expected.items():
            self.assertEqual(
                sorted(path.name for path in (VARIANTS / library).glob("*.py")),
                sorted(files))


if __name__ == "__main__":
    unittest.main()
