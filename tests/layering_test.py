"""Stages include only themselves, the reference and earlier stages, and the
heavy headers stay where they belong."""

import re
import unittest
from pathlib import Path

from support import PROJECT, Scratch

# In the order of the data flow.
STAGES = (
    "system isolation submission fixture loader worker comparison diagnosis example report lesson".split()
)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def stage_number(path):
    """Of "grader/STAGE/..."; files directly in grader/ come last, the
    reference first. None for other paths."""
    parts = Path(path).parts
    if parts[0] == "reference":
        return -1
    if parts[0] != "grader":
        return None
    if len(parts) == 2:
        return len(STAGES)
    return STAGES.index(parts[1])


def problems(root):
    root = Path(root)
    found = []
    option_parsers = []
    for path in sorted([*root.glob("reference/**/*"), *root.glob("grader/**/*")]):
        if path.suffix not in (".hpp", ".cpp"):
            continue
        name = path.relative_to(root).as_posix()
        for kind, included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if kind == '"':
                later = stage_number(included)
                if later is not None and later > stage_number(name):
                    found.append(f"{name} includes the later {included}")
            elif included.startswith("CLI/"):
                option_parsers.append(name)
            elif included == "nlohmann/json.hpp" and path.suffix == ".hpp":
                found.append(f"{name} includes {included}: json_fwd.hpp will do")
            elif included.startswith("catch2/"):
                found.append(f"{name} includes {included}: tests/catch.hpp will do")
    if len(option_parsers) > 1:
        found.append(f"CLI11 in more than one file: {' '.join(option_parsers)}")
    return found


class Layering(unittest.TestCase):
    def test_every_stage_is_known(self):
        folders = {p.name for p in (PROJECT / "grader").iterdir() if p.is_dir()}
        self.assertEqual(folders, set(STAGES))

    def test_no_stage_includes_a_later_one(self):
        self.assertEqual(problems(PROJECT), [])


class TheTestItself(Scratch, unittest.TestCase):
    def plant(self, name, line):
        self.write(name, f"#pragma once\n{line}\n")
        return problems(self.folder)

    def test_finds_a_later_stage(self):
        found = self.plant("grader/loader/a.cpp", '#include "grader/worker/b.hpp"')
        self.assertEqual(
            found, ["grader/loader/a.cpp includes the later grader/worker/b.hpp"]
        )

    def test_finds_the_program_in_a_stage(self):
        found = self.plant("grader/report/a.cpp", '# include "grader/pipeline.hpp"')
        self.assertEqual(len(found), 1)

    def test_finds_the_grader_in_the_reference(self):
        found = self.plant(
            "reference/a.hpp", '#include "grader/system/error.hpp"'
        )
        self.assertEqual(len(found), 1)

    def test_finds_the_whole_json_library_in_a_header(self):
        found = self.plant("grader/report/a.hpp", "#include <nlohmann/json.hpp>")
        self.assertEqual(len(found), 1)

    def test_finds_a_second_option_parser(self):
        self.plant("grader/cli.cpp", "#include <CLI/CLI.hpp>")
        found = self.plant("grader/options.cpp", "#include <CLI/App.hpp>")
        self.assertEqual(len(found), 1)

    def test_lets_earlier_stages_pass(self):
        self.plant("grader/worker/a.cpp", '#include "grader/loader/b.hpp"')
        found = self.plant("grader/worker/c.cpp", '#include "reference/tensor.hpp"')
        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
