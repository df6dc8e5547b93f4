"""Commands: the example in JavaScript, every task, and hostile programs."""

import json
import sys
import unittest
from pathlib import Path

from support import EXAMPLES, PROJECT, SEED, Scratch, grade, needs, run, unless_sanitized

JAVASCRIPT = PROJECT / "examples" / "javascript"

# A submission of one's own in plain Python, without numpy.
PRELUDE = '''
import json, os, struct, sys, time

def exactly(count):
    data = b""
    while len(data) < count:
        more = os.read(0, count - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data

def request():
    header = json.loads(exactly(*struct.unpack("<Q", exactly(8))))
    metadata = header.pop("__metadata__")
    data = exactly(max(entry["data_offsets"][1] for entry in header.values()))
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        letter = {"F64": "d", "BOOL": "?"}[entry["dtype"]]
        values = struct.iter_unpack("<" + letter, data[begin:end])
        tensors[name] = (entry["shape"], [value for value, in values])
    return metadata, tensors

def say(data):
    while data:
        data = data[os.write(1, data):]

def reply(**tensors):
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        more = struct.pack("<%dd" % len(values), *values)
        header[name] = {"dtype": "F64", "shape": shape,
                        "data_offsets": [len(data), len(data) + len(more)]}
        data += more
    text = json.dumps(header).encode()
    say(struct.pack("<Q", len(text)) + text + data)

def zeros(tensors):
    shape = tensors["q"][0][:-1] + tensors["v"][0][-1:]
    size = 1
    for axis in shape:
        size *= axis
    return shape, [0.0] * size
'''

# Hands the tensors to the right functions of numpy, whatever the task is.
NUMPY = '''
import numpy as np
sys.path.insert(0, {folder!r})
import known_right
known_right.xp = np
while True:
    metadata, tensors = request()
    arguments = [np.array(values).reshape(shape) for name, (shape, values)
                 in tensors.items() if name != "mask"]
    named = dict(zip([name for name in tensors if name != "mask"], arguments))
    order = [name for name in ("x", "q", "k", "v", "w_q", "w_k", "w_v", "w_o")
             if name in named]
    arguments = [named[name] for name in order]
    if "n_heads" in metadata:
        arguments.append(int(metadata["n_heads"]))
    if "mask" in tensors:
        shape, values = tensors["mask"]
        arguments.append(np.array(values, dtype=bool).reshape(shape))
    result = getattr(known_right, metadata["task"])(*arguments)
    output = result[0] if isinstance(result, tuple) else result
    reply(output=(list(output.shape), output.ravel().tolist()))
'''


class Commands(Scratch, unittest.TestCase):
    def grade(self, line, task="attention", folder=None, options=()):
        """The exit code and the one record of a command."""
        report = self.folder / "report.json"
        done = run(
            "grade", "--command", line, "--task", task, "--json", report,
            "--seed", SEED, "--quiet", *options, cwd=folder or self.folder,
        )
        self.assertTrue(report.exists(), done.stderr)
        records = json.loads(report.read_text())["submissions"]
        self.assertEqual(len(records), 1)
        return done.returncode, records[0]

    def program(self, body):
        """The record of a Python program that answers as `body` says."""
        self.write("program.py", PRELUDE + body)
        return self.grade(f"'{sys.executable}' -S program.py")[1]


class JavaScript(Commands):
    @needs("node")
    def test_the_right_example_is_right_in_each_of_its_tasks(self):
        for task in ("attention", "masked_attention", "causal_attention"):
            with self.subTest(task):
                line = "node attention.js"
                code, record = self.grade(line, task, JAVASCRIPT)
                self.assertEqual(record["verdict"], "correct", record["summary"])
                self.assertEqual(record["notes"], [])
                self.assertEqual((record["file"], record["task"]), (line, task))
                self.assertIsNone(record["sha256"])
                self.assertEqual(code, 0)

    @needs("node")
    def test_the_wrong_example_has_its_fault(self):
        code, record = self.grade("node attention_wrong.js", folder=JAVASCRIPT)
        self.assertEqual(record["faults"], ["scale-half-dk"])
        self.assertEqual(code, 1)

    @needs("node")
    def test_console_log_is_named(self):
        self.write("chatty.js", "console.log('Hello from node');\n")
        _, record = self.grade("node chatty.js")
        self.assertEqual(record["verdict"], "bad-output")
        self.assertIn("begins with 'Hello from node'", record["summary"])

    @needs("node")
    def test_a_thrown_error_is_an_exception_with_its_trace(self):
        module = json.dumps(str(JAVASCRIPT / "safetensors.js"))
        self.write(
            "throws.js",
            f"require({module}).serve(() => {{ throw new RangeError('mine'); }});\n",
        )
        _, record = self.grade("node throws.js")
        self.assertEqual(record["verdict"], "crashed")
        self.assertIn("RangeError: mine", record["summary"])
        self.assertIn("throws.js:1", record["cause"]["detail"])


@unless_sanitized
class EveryTask(Commands):
    def test_all_tasks_and_masks_can_be_answered(self):
        folder = str(PROJECT / "grader")
        self.write("right.py", PRELUDE + NUMPY.format(folder=folder))
        tasks = sorted(path.stem for path in (PROJECT / "fixtures/tasks").glob("*.json"))
        self.assertGreater(len(tasks), 10)
        line = f"'{interpreter_with_numpy()}' right.py"
        for task in tasks:
            with self.subTest(task):
                # What importing numpy takes is the submission's.
                limit = ["--time-limit", "60"]
                _, record = self.grade(line, task, options=limit)
                self.assertEqual(record["verdict"], "correct", record["summary"])


def interpreter_with_numpy():
    """The one that the grader itself takes."""
    _, document = grade([EXAMPLES / "correct_einsum.py"])
    return document["submissions"][0]["interpreter"].split(" (")[0]


class HostilePrograms(Commands):
    def check(self, body, verdict, *texts):
        record = self.program(body)
        self.assertEqual(record["verdict"], verdict, record["summary"])
        for text in texts:
            self.assertIn(text, record["summary"])
        return record

    def test_garbage(self):
        self.check("request()\nsay(bytes([255]) * 100)", "bad-output", "a header of")

    def test_too_much(self):
        self.check(
            "request()\nreply(output=([5000000], [0.0] * 5000000))",
            "bad-output", "a message of more than",
        )

    def test_endless_answer(self):
        self.check(
            "request()\nwhile True: say(b'\\0' * 65536)", "bad-output", "a header of 0"
        )

    def test_hanging(self):
        self.check("request()\ntime.sleep(600)", "timed-out", "hangs")

    def test_waiting_for_the_end_of_input(self):
        self.check("sys.stdin.buffer.read()", "timed-out", "hangs")

    def test_exit_before_the_answer(self):
        self.check("request()\nsys.exit(0)", "crashed", "exits before it answers")
        self.check("sys.exit(9)", "crashed", "status 9")

    def test_half_an_answer(self):
        self.check("request()\nsay(b'\\x10\\0\\0\\0\\0\\0\\0\\0{')", "crashed")

    def test_flooding_stderr(self):
        record = self.check(
            "while True: os.write(2, b'x' * 65536)", "limit-exceeded", "output"
        )
        self.assertEqual(record["cause"]["option"], "--output-limit")

    def test_text_on_stdout(self):
        text = "it begins with 'Hello'): print to stderr"
        for body in ("print('Hello')", "request()\nprint('Hello', flush=True)\nrequest()"):
            self.check(body, "bad-output", text)

    def test_wrong_names_and_shapes(self):
        self.check(
            "while True:\n    reply(result=zeros(request()[1]))",
            "bad-output", "but with result",
        )
        self.check("while True:\n    request(); reply(output=([1], [1.0]))", "bad-output")

    def test_stderr_is_kept_and_harmless(self):
        record = self.program(
            "while True:\n"
            "    answer = zeros(request()[1])\n"
            "    print('\\x1b[2Jhere', file=sys.stderr)\n"
            "    reply(output=answer)\n"
        )
        self.assertIn("here", record["stderr"])
        self.assertNotEqual(record["verdict"], "correct")

    def test_a_program_for_one_call_is_started_again(self):
        once = self.program("reply(output=zeros(request()[1]))")
        loop = self.program("while True: reply(output=zeros(request()[1]))")
        for field in ("verdict", "faults", "summary"):
            self.assertEqual(once[field], loop[field])
        self.assertIn(once["verdict"], ("faulty", "unclassified"))

    def test_nothing_of_it_is_left_running(self):
        self.program(
            "request()\n"
            "if os.fork() == 0:\n"
            "    open('pids', 'a').write('%d\\n' % os.getpid())\n"
            "    time.sleep(600)\n"
            "time.sleep(0.2)\n"
            "sys.exit(1)"
        )
        pids = (self.folder / "pids").read_text().split()
        self.assertTrue(pids)
        for pid in pids:
            status = Path("/proc", pid, "stat")
            state = status.read_text().split()[2] if status.exists() else "gone"
            self.assertIn(state, ("gone", "Z"))


class Usage(Commands):
    def refused(self, *arguments):
        done = run("grade", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr

    def test_what_does_not_go_together(self):
        line = ("--command", "node attention.js")
        self.assertIn("--task", self.refused(*line))
        task = ("--task", "attention")
        self.assertIn("not both", self.refused(*line, *task, "a.py"))
        self.assertIn("--entry", self.refused(*line, *task, "--entry", "f"))
        self.assertIn("there is no such task", self.refused(*line, "--task", "atention"))
        self.assertIn("--command", self.refused())

    def test_what_cannot_be_run(self):
        task = ("--task", "attention")
        self.assertIn("quote", self.refused("--command", "node 'a.js", *task))
        self.assertIn("no program", self.refused("--command", "  ", *task))
        self.assertIn(
            "there is no program no-such-program on PATH",
            self.refused("--command", "no-such-program x", *task),
        )

    def test_a_file_that_is_no_program_is_not_graded(self):
        path = self.write("text", "hello")
        path.chmod(0o755)
        code, record = self.grade("./text")
        self.assertEqual((code, record["verdict"]), (3, "not-graded"))
        self.assertIn("text", record["summary"])

    def test_words_reach_the_program_as_they_are(self):
        record = self.program("request()\nsys.exit(3)")
        self.assertIn("status 3", record["summary"])
        self.write("my program.py", "import sys\nsys.exit(len(sys.argv))\n")
        line = f"'{sys.executable}' \"my program.py\" $HOME '*' ''"
        _, record = self.grade(line)
        self.assertIn("status 4", record["summary"])
        self.assertEqual(record["file"], line)


if __name__ == "__main__":
    unittest.main()
