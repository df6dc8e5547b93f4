"""The part of the Python host that reads and runs the cells of a notebook,
without the grader around it. Needs nothing but the standard library."""

import ast
import linecache
import os
import subprocess
import sys
import textwrap
import time
import unittest
import warnings
from pathlib import Path

HOST = Path(__file__).resolve().parent.parent / "grader" / "worker"
sys.path.insert(0, str(HOST))
from attngrade_host.magics import prepare_cell  # noqa: E402
from attngrade_host.notebook import load_error, run_notebook  # noqa: E402


def cells(*sources):
    return [{"number": number, "source": source}
            for number, source in enumerate(sources, 1)]


class Magics(unittest.TestCase):
    def check(self, source, python, *dropped):
        with self.subTest(source):
            self.assertEqual(prepare_cell(source), (python, list(dropped)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(python)
            if python:
                self.assertEqual(source.count("\n"), python.count("\n"))

    def test_python_is_left_alone(self):
        for source in (
            "",
            "x = 1\r\ny = 2",
            "s = '''\n%matplotlib inline\n!pip install numpy\n%%bash\nobj?\n'''",
            "x = (7\n%a\n!=3)",
            "x = 5 % 3\nassert x != 2",
            "# %matplotlib inline\n# !ls\n# help?",
            "text = 'why?'",
            "x = '\\d'",
            "async def f():\n    await g()",
        ):
            self.check(source, source)

    def test_magics_and_commands_are_dropped(self):
        for line in (
            "%matplotlib inline",
            "%load_ext autoreload",
            "%autoreload 2",
            "%timeit -n 1 f(x)",
            "%timeit -n1 -r1 f('%d' % 3)",
            "%time",
            "%time -x f()",
            "%%html",
            "!pip install numpy --quiet",
            "!!ls",
            "! ls 'not closed",
            "!echo \"\"\" not closed",
            "!ls | grep (",
            "%cd ..",
            "%env KEY=value",
            "f?",
            "np.dot??",
            "np.*load*?",
            "%time?",
            "f?;",
            "?f",
            "??np.dot",
            "pip install numpy",
            "conda install -y numpy",
            "cd ../data",
        ):
            self.check("x = 1\n" + line + "\ny = 2", "x = 1\npass\ny = 2",
                       "line 2: " + line)

    def test_what_is_assigned_from_them_is_empty(self):
        for line, python in (
            ("files = !ls *.py", "files = []"),
            ("a, b=!ls", "a, b=[]"),
            ("d['x'] = !ls", "d['x'] = []"),
            ("t = %timeit -o f(x)", "t = None"),
            ("where = %pwd", "where = None"),
        ):
            self.check("x = 1\n" + line, "x = 1\n" + python, "line 2: " + line)

    def test_a_statement_that_is_timed_is_kept(self):
        for line, python in (
            ("%time y = f(x)", "y = f(x)"),
            ("y = %time f(x)", "y = f(x)"),
            ("%time y = f(\\\nx)", "y = f(\\\nx)"),
        ):
            self.check(line, python, "line 1: " + line.split("\n")[0])

    def test_indentation_is_kept(self):
        self.check("for i in x:\n    %time f(i)\n    if i:\n    \t!ls\nz = 1",
                   "for i in x:\n    f(i)\n    if i:\n    \tpass\nz = 1",
                   "line 2: %time f(i)", "line 4: !ls")
        self.check("try:\n    import einops\nexcept ImportError:\n"
                   "    !pip install einops\n",
                   "try:\n    import einops\nexcept ImportError:\n    pass\n",
                   "line 4: !pip install einops")

    def test_continued_lines_are_dropped_as_a_whole(self):
        self.check("!pip install \\\n  numpy \\\n  torch\nx = 1",
                   "pass\n\n\nx = 1", "line 1: !pip install \\")
        self.check("!ls \\", "pass", "line 1: !ls \\")

    def test_many_are_dropped_in_the_order_of_their_lines(self):
        self.check("%matplotlib inline\nimport numpy\n!ls it's\n%x\n",
                   "pass\nimport numpy\npass\npass\n",
                   "line 1: %matplotlib inline", "line 3: !ls it's",
                   "line 4: %x")

    def test_texts_that_look_like_magics_stay_beside_real_ones(self):
        self.check('%pylab\ns = """\n%d and\n!more\n"""\n!ls \'',
                   'pass\ns = """\n%d and\n!more\n"""\npass',
                   "line 1: %pylab", "line 6: !ls '")

    def test_a_cell_magic_around_python_goes_alone(self):
        for magic in ("%%time", "%%timeit -n 10", "%%capture out", "%%prun"):
            self.check(magic + "\nx = 1", "\nx = 1", "line 1: " + magic)
        self.check("\n# why\n%%time\n%%capture\n%x\nx = 1",
                   "\n# why\n\n\npass\nx = 1",
                   "line 3: %%time", "line 4: %%capture", "line 5: %x")

    def test_a_cell_of_another_language_goes_as_a_whole(self):
        for magic in ("bash", "html", "javascript", "writefile a.txt",
                      "writefile ../a.py", "R", "!"):
            self.check("\n%%" + magic + "\necho (\nx = 1", "",
                       "line 2: %%" + magic.split()[0] + " (whole cell)")
        self.check("%%time\n%%bash\nls", "", "line 1: %%time",
                   "line 2: %%bash (whole cell)")

    def test_a_cell_that_is_indented_as_a_whole_is_python(self):
        self.check("\n    x = 1\n    if x:\n        y = 2\n",
                   "\nx = 1\nif x:\n    y = 2\n")
        self.check("  !ls\n  x = 1", "pass\nx = 1", "line 1: !ls")

    def test_what_is_no_python_stays_none(self):
        for source in ("x = = 3", "def f(:\n  %d", "s = '''\n%d apples\n",
                       "def f():\n# why?\nx = 1", "x = foo(\n", "\0",
                       "(" * 5000, "print 'python 2'"):
            with self.subTest(source[:20]):
                self.assertEqual(prepare_cell(source), (source, []))

    def test_a_syntax_error_below_a_magic_is_kept(self):
        self.assertEqual(prepare_cell("%pylab\nx = = 3\n!ls\n"),
                         ("pass\nx = = 3\n!ls\n", ["line 1: %pylab"]))

    def test_a_long_line_is_shortened(self):
        _, dropped = prepare_cell("!" + "x" * 1000)
        self.assertEqual(dropped, ["line 1: !" + "x" * 76 + "..."])

    def test_hostile_text_takes_no_great_time(self):
        began = time.monotonic()
        for source in ("%x\n" * 3000, "!" * 100000, " " * 100000 + "?",
                       "x" * 100000 + "?? y", "x " * 50000 + "= !",
                       "x?" + " " * 100000 + "y", "%time" + " " * 100000,
                       "s = '''\n" + "%x\n" * 3000, "?\n" * 3000 + "= ="):
            prepare_cell(source)
        self.assertLess(time.monotonic() - began, 60)


class Running(unittest.TestCase):
    def setUp(self):
        saved = (list(sys.path), sys.argv, dict(sys.modules),
                 list(sys.meta_path), dict(os.environ))
        self.addCleanup(self.restore, *saved)

    def restore(self, path, argv, modules, meta_path, environment):
        sys.path[:] = path
        sys.argv = argv
        for name in set(sys.modules) - set(modules):
            del sys.modules[name]
        sys.meta_path[:] = meta_path
        os.environ.clear()
        os.environ.update(environment)

    def run_cells(self, *sources):
        return run_notebook(cells(*sources), "/nowhere/work.ipynb", "work")

    def test_cells_share_one_namespace(self):
        run = self.run_cells("x = 2", "def f():\n    return x", "x = 3\ny = f()")
        self.assertEqual(run.module.y, 3)
        self.assertEqual(run.module.f.__module__, "work")
        self.assertIs(sys.modules["work"], run.module)
        self.assertEqual((run.notes, run.failures), ([], []))

    def test_the_later_definition_counts(self):
        run = self.run_cells("def f(): return 1", "def f(): return 2")
        self.assertEqual(run.module.f(), 2)
        self.assertEqual([(s.name, s.lineno, s.cell) for s in run.tree.body],
                         [("f", 1, 1), ("f", 1, 2)])

    def test_a_module_that_a_cell_writes_runs_and_can_be_imported(self):
        run = self.run_cells("%%writefile attention_part.py\ndef f():\n    return 1",
                             "from attention_part import f as g",
                             "%%writefile -a json.py\ndef h():\n    return 2")
        self.assertEqual(run.failures, [])
        self.assertEqual(run.module.f(), run.module.g())
        self.assertEqual(run.module.h(), 2)
        import json
        self.assertFalse(hasattr(json, "h"))

    def test_a_notebook_may_be_empty(self):
        self.assertEqual(self.run_cells("", "").tree.body, [])

    def test_what_is_dropped_is_noted(self):
        run = self.run_cells("%matplotlib inline\nx = 1", "%%bash\nls", "!ls")
        self.assertEqual(run.module.x, 1)
        self.assertEqual(run.notes, [
            "cell 1: dropped line 1: %matplotlib inline",
            "cell 2: dropped line 1: %%bash (whole cell)",
            "cell 3: dropped line 1: !ls"])

    def test_a_cell_that_fails_ends_only_itself(self):
        for source, kind, summary in (
            ("x", "exception", "NameError: name 'x' is not defined"),
            ("raise KeyboardInterrupt", "exception", "KeyboardInterrupt"),
            ("raise SystemExit(3)", "exit", "SystemExit: 3"),
            ("import no_such_module", "import",
             "ModuleNotFoundError: No module named 'no_such_module'"),
            ("\nx = = 3", "syntax",
             "SyntaxError: invalid syntax (work.ipynb, cell 2, line 2)"),
            ("await x", "syntax", "SyntaxError: 'await' outside function "
             "(work.ipynb, cell 2, line 1)"),
            ("def f(): return f()\nf()", "exception", None),
            ("raise ValueError('a\\n' + 'b' * 1000)", "exception",
             "ValueError: a " + "b" * 183 + "..."),
        ):
            with self.subTest(source):
                run = self.run_cells("y = 1", source, "z = y + 1")
                self.assertEqual(run.module.z, 2)
                (failure,) = run.failures
                self.assertEqual((failure["cell"], failure["kind"]), (2, kind))
                if summary:
                    self.assertEqual(failure["summary"], summary)
                self.assertEqual(run.notes,
                                 ["cell 2 failed: " + failure["summary"]])

    def test_a_cell_defines_what_comes_before_its_error(self):
        run = self.run_cells("def f(): return 1\nf(2)\ng = 1")
        self.assertEqual(run.module.f(), 1)
        self.assertEqual(len(run.failures), 1)

    def test_memory_that_runs_out_ends_the_cell(self):
        run = self.run_cells("def f(): pass", "raise MemoryError", "x = 1")
        self.assertEqual(run.module.x, 1)
        self.assertEqual([f["kind"] for f in run.failures], ["memory"])
        with self.assertRaises(MemoryError):
            raise load_error(run.failures)

    def test_a_traceback_names_the_cell_and_shows_its_line(self):
        linecache.checkcache()
        run = self.run_cells("", "!ls\ndef f(x):\n    return 1 / x",
                             "linecache = __import__('linecache')\n"
                             "linecache.checkcache()\nf(0)")
        detail = run.failures[0]["detail"]
        # Later versions of Python mark the place below some of the lines.
        shown = [line.strip() for line in detail.splitlines()
                 if line.strip(" ~^")]
        self.assertEqual(shown, [
            "Traceback (most recent call last):",
            'File "work.ipynb, cell 3", line 3, in <module>',
            "f(0)",
            'File "work.ipynb, cell 2", line 3, in f',
            "return 1 / x",
            "ZeroDivisionError: division by zero"])

    def test_lines_are_counted_as_python_does(self):
        detail = self.run_cells("x = '\u2028\x0c'\r\n\r1 / 0"
                                ).failures[0]["detail"]
        self.assertIn('cell 1", line 3, in <module>\n    1 / 0\n', detail)

    def test_a_syntax_error_shows_its_line_only(self):
        detail = self.run_cells("\nx = = 3").failures[0]["detail"]
        self.assertTrue(
            detail.startswith('  File "work.ipynb, cell 1", line 2\n'), detail)
        self.assertIn("x = = 3", detail)

    def test_source_can_be_inspected(self):
        run = self.run_cells("import inspect\ndef f():\n    return 3\n",
                             "text = inspect.getsource(f)")
        self.assertEqual(run.module.text, "def f():\n    return 3\n")

    def test_a_future_import_counts_for_later_cells(self):
        run = self.run_cells("from __future__ import annotations",
                             "def f(x: nowhere): pass")
        self.assertEqual(run.failures, [])

    def test_input_is_empty_and_noted_once(self):
        run = self.run_cells("a = input('name: ')", "b = input()")
        self.assertEqual((run.module.a, run.module.b), ("", ""))
        self.assertEqual(run.notes, ["input() was answered with an empty text"])
        self.assertEqual(run.module.input(), "")

    def test_the_names_that_jupyter_provides_do_nothing(self):
        run = self.run_cells(textwrap.dedent("""\
            ip = get_ipython()
            assert ip is not None
            ip.run_line_magic("matplotlib", "inline")
            ip.config["a"].b = ip.events.register("x", print)
            assert "google.colab" not in str(ip)
            assert "IPKernelApp" not in ip.config
            with ip.builtin_trap as trap:
                display(1, trap, metadata={})
            """))
        self.assertEqual(run.notes, [])

    def test_no_library_takes_this_for_ipython(self):
        import builtins
        self.run_cells("x = 1")
        self.assertFalse(hasattr(builtins, "get_ipython"))
        self.assertNotIn("IPython", sys.modules)

    def test_a_module_of_another_name_is_still_missing(self):
        run = self.run_cells("import IPythonic")
        self.assertEqual(run.failures[0]["kind"], "import")

    def test_plots_have_no_window(self):
        run = self.run_cells("import os\nbackend = os.environ['MPLBACKEND']")
        self.assertEqual(run.module.backend, "Agg")

    def test_a_name_of_the_cells_wins_over_jupyters(self):
        run = self.run_cells("def display(x): return x\ny = display(3)")
        self.assertEqual(run.module.y, 3)

    def test_the_main_guard_is_closed(self):
        run = self.run_cells("if __name__ == '__main__':\n    1 / 0")
        self.assertEqual(run.failures, [])

    def test_notes_are_limited(self):
        run = self.run_cells(*["nothing"] * 60)
        self.assertEqual(len(run.notes), 41)
        self.assertEqual(run.notes[-1], "20 more notes on cells")
        self.assertEqual(len(run.failures), 60)

    def test_a_failed_notebook_explains_itself(self):
        run = self.run_cells("import no_such_module",
                             *["no_such_module.x"] * 12)
        reply = load_error(run.failures).reply
        self.assertEqual(reply["kind"], "import")
        lines = reply["detail"].splitlines()
        self.assertEqual(lines[0],
                         "cell 1 failed: Traceback (most recent call last):")
        self.assertIn("ModuleNotFoundError: No module named 'no_such_module'",
                      lines)
        self.assertIn("cell 2 failed: NameError: name 'no_such_module' is not "
                      "defined", lines)
        self.assertEqual(lines[-1], "and 3 more cells failed")

    def test_strange_text_is_a_failure_of_its_cell(self):
        for source in ("\0", "x = '\ud800'", "(" * 5000, "\x0c\x1c?"):
            with self.subTest(source[:10]):
                run = self.run_cells(source, "x = 1")
                self.assertEqual(run.module.x, 1)
                self.assertEqual(len(run.failures), 1)


class WithoutPackages(unittest.TestCase):
    """With an interpreter that finds the standard library only."""

    def check(self, script):
        script = ("import sys\nsys.path.insert(0, sys.argv[1])\n"
                  "from attngrade_host.notebook import run_notebook\n"
                  + textwrap.dedent(script))
        done = subprocess.run([sys.executable, "-S", "-B", "-c", script,
                               str(HOST)], stderr=subprocess.PIPE)
        self.assertEqual(done.stderr.decode(), "")

    def test_the_host_needs_nothing_else(self):
        self.check("assert 'numpy' not in sys.modules")

    def test_ipython_can_be_imported(self):
        self.check("""\
            source = '''
            import IPython
            from IPython import get_ipython
            from IPython.display import HTML, clear_output, display
            from IPython.core.interactiveshell import InteractiveShell
            InteractiveShell.ast_node_interactivity = "all"
            clear_output(wait=True)
            display(HTML("<b>x</b>"))
            IPython.get_ipython().run_cell("1")
            assert IPython.version_info[:2] >= (8, 24)
            '''
            run = run_notebook([{"number": 1, "source": source}], "/a", "a")
            assert run.notes == [], run.notes
            """)


if __name__ == "__main__":
    unittest.main()
