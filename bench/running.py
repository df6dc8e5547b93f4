# SPDX-License-Identifier: MIT
"""What the measurements share: running programs, and what that took."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
GRADER = PROJECT / "build" / "release" / "attngrade"


class Cores:
    """Seconds of all processors. A cell's processes are reaped by the kernel, or
    by another cell's, and are in nobody's getrusage: counted is what a control
    group of cpuacct (version 1, by root) says, to which whatever is started
    here belongs; where there is none, what the whole machine did, which must
    be quiet then."""

    def __init__(self):
        self.group = Path("/sys/fs/cgroup/cpuacct/attngrade-bench-%d"
                          % os.getpid())
        try:
            self.group.mkdir()
            self.source = "a control group"
        except OSError:
            self.group = None
            self.source = "the whole machine"

    def seconds(self):
        if self.group:
            return int((self.group / "cpuacct.usage").read_text()) / 1e9
        first = Path("/proc/stat").read_text().split("\n")[0].split()[1:]
        idle = int(first[3]) + int(first[4])
        guests = sum(map(int, first[8:]))  # counted as user time already
        return ((sum(map(int, first)) - idle - guests)
                / os.sysconf("SC_CLK_TCK"))

    def within(self, command):
        """The command, which will be counted with all that it starts."""
        if not self.group:
            return command
        return ["/bin/sh", "-c", 'echo $$ >"$0" && exec "$@"',
                str(self.group / "cgroup.procs"), *command]

    def processes(self):
        """Numbers of those that are left; none can leave the group."""
        if not self.group:
            return []
        return (self.group / "cgroup.procs").read_text().split()

    def close(self):
        if self.group:
            self.group.rmdir()


@contextmanager
def counted_cores():
    cores = Cores()
    try:
        yield cores
    finally:
        cores.close()


def timed(cores, commands, jobs=1, **options):
    """(wall seconds, core seconds, [CompletedProcess]) of all the commands, at
    most `jobs` at a time, and of what they leave running."""
    def one(command):
        return subprocess.run(cores.within([str(word) for word in command]),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", **options)
    core_start, start = cores.seconds(), time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        done = list(pool.map(one, commands))
    wall = time.perf_counter() - start
    deadline = time.monotonic() + 5
    while cores.processes() and time.monotonic() < deadline:
        time.sleep(0.01)
    return wall, cores.seconds() - core_start, done


@contextmanager
def scratch():
    """A folder that a submission's process may pass through, whoever it is."""
    with tempfile.TemporaryDirectory(prefix="attngrade-bench-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def document_of(done, path):
    """What the grader has written, or the end of this program."""
    if done.returncode not in (0, 1) or not path.exists():
        sys.exit("%s\nexit code %d: %s" % (" ".join(done.args),
                                           done.returncode, done.stderr))
    return json.loads(path.read_text())


def median(values):
    return statistics.median(values)


def spread(values, digits=1):
    """Of several runs: "12.3 (11.9 to 13.0)" """
    return "%.*f (%.*f to %.*f)" % (digits, median(values), digits,
                                    min(values), digits, max(values))


def print_bar(text, value, bar, at_least):
    """Whether it is met."""
    is_met = value >= bar if at_least else value <= bar
    print("%-54s %7.2f, bar: at %s %s: %s" % (
        text, value, "least" if at_least else "most", bar,
        "met" if is_met else "MISSED"))
    return is_met
