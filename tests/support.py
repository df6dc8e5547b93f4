"""What the end-to-end tests share. ATTNGRADE_BUILD names the build folder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("ATTNGRADE_BUILD", PROJECT / "build" / "release"))
GRADER = BUILD / "attngrade"
EXAMPLES = PROJECT / "submissions_example"
SEED = "20240229"  # runs are repeatable, whatever the seed


def run(*arguments, **options):
    """Runs the grader to its end; text that is not UTF-8 is replaced."""
    command = options.pop("prefix", []) + [str(GRADER), *map(str, arguments)]
    options.setdefault("timeout", 900)

    def run_once(*more):
        return subprocess.run(
            command + list(more), stdin=subprocess.DEVNULL, capture_output=True,
            encoding="utf-8", errors="replace", **options,
        )
    done = run_once()
    # A machine that grants no isolation at all: what is not about it is still
    # tested.
    if done.returncode == 3 and "say so: --isolation none" in done.stderr:
        done = run_once("--isolation", "none")
    return done


def grade(paths, *options):
    """Grades quietly; returns the exit code and the JSON document."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        done = run(
            "grade", *paths, "--json", report, "--seed", SEED,
            "--jobs", os.cpu_count(), *options,
        )
        if not report.exists():
            raise AssertionError(f"no report, exit {done.returncode}: {done.stderr}")
        return done.returncode, json.loads(report.read_text(encoding="utf-8"))


def by_file_and_task(document):
    return {(r["file"], r["task"]): r for r in document["submissions"]}


def needs(program):
    """Skips where a program is missing, and says so whatever unittest shows."""
    found = shutil.which(program)
    if found is None:
        print(f"SKIPPED: {program} is not on PATH", file=sys.stderr, flush=True)
    return unittest.skipIf(found is None, f"{program} is not on PATH")


def framework_python(name):
    """The interpreter that scripts/setup_frameworks makes; may be missing."""
    return PROJECT / f".venv-{name}" / "bin" / "python"


def cache_entry(name):
    """What the build folder was configured with; "" where it does not say."""
    cache = BUILD / "CMakeCache.txt"
    for line in cache.read_text().splitlines() if cache.exists() else ():
        if line.startswith(f"{name}:"):
            return line.split("=", 1)[1]
    return ""


def is_sanitized():
    return cache_entry("ATTNGRADE_SANITIZE") == "ON"


def unless_sanitized(test):
    """Skips in a sanitized build what takes minutes there, and says so."""
    sanitized = is_sanitized()
    if sanitized:
        print(f"SKIPPED: {test.__qualname__} is for optimised builds",
              file=sys.stderr, flush=True)
    return unittest.skipIf(sanitized, "for optimised builds")(test)


class Scratch:
    """A folder for one test case; `write` makes a file in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content)
        return path
