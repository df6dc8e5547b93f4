# SPDX-License-Identifier: MIT
"""Python out of the text of a notebook's cell: what only IPython understands is
dropped, and lines keep their numbers."""

import ast
import itertools
import re
import warnings

# The rest of the cell is Python that runs in the notebook itself.
PYTHON_CELL_MAGICS = ("time", "timeit", "capture", "prun")
# What the cell writes is imported further down: it runs in the notebook, too.
WRITE_MODULE = re.compile(r"\s*%%writefile\s+(?:-a\s+)?(?:\./)?([^\W\d]\w*)\.py\s*$")
# IPython takes these for magics even without their %.
BARE_COMMANDS = ("pip", "conda", "mamba", "cd", "ls", "cat", "mkdir", "cp", "mv",
                 "rm", "matplotlib", "load_ext", "autoreload")
# Every try costs a parse of the cell.
MOST_DROPPED = 200
MOST_TRIED = 20

TARGET = r"[A-Za-z_(*][\w.,\[\]()*'\"\s]*=\s*"
# The first that matches decides what is left of a line. The repetitions of one
# expression do not overlap: a long line takes no quadratic time.
LINE_FORMS = [(re.compile(pattern), left) for pattern, left in (
    # The statement that is timed runs in the notebook.
    (r"(\s*(?:%s)?)%%time\s+(?!-)(\S.*)" % TARGET, r"\1\2"),
    (r"(\s*%s)!.*" % TARGET, r"\1[]"),
    (r"(\s*%s)%%{1,2}[A-Za-z_].*" % TARGET, r"\1None"),
    (r"(\s*)%{1,2}[A-Za-z_].*", r"\1pass"),
    (r"(\s*)!(?!=).*", r"\1pass"),
    (r"(\s*)\?{1,2}\s*%{0,2}[\w.*]+\s*$", r"\1pass"),
    (r"(\s*)%{0,2}[A-Za-z_][\w.*\[\]]*\?{1,2};?\s*$", r"\1pass"),
    (r"(\s*)(?:%s)\s+[\w.~/-].*" % "|".join(BARE_COMMANDS), r"\1pass"),
)]
CELL_MAGIC = re.compile(r"%%(\S+)")


def written_module(source):
    """Name of the module that a cell writes, or None."""
    match = WRITE_MODULE.match(source.lstrip().partition("\n")[0])
    return match.group(1) if match else None


def prepare_cell(source):
    """(Python, ["line 2: %matplotlib inline", ...]): what was dropped.

    A cell that is Python is left alone. Otherwise the lines that a syntax error
    is about are dropped, if they look like IPython's; what remains may still be
    no Python.
    """
    # Python's idea of a line, not that of str.splitlines.
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if parse_error(lines) is None:
        return source, []
    dropped = {}
    remove_indent(lines)
    if drop_cell_magics(lines, dropped):
        drop_lines(lines, dropped)
    else:
        lines = []
    return "\n".join(lines), ["line %d: %s" % (index + 1, shortened(text))
                              for index, text in sorted(dropped.items())]


def parse_error(lines):
    """(index of the line, message) of a syntax error; None where there is none
    or something that dropping lines cannot mend."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("\n".join(lines))
    except SyntaxError as error:
        return min(max(error.lineno or 1, 1), len(lines)) - 1, error.msg
    except (ValueError, OverflowError, RecursionError, MemoryError):
        pass
    return None


def shortened(text):
    text = text.strip()
    return text if len(text) <= 80 else text[:77] + "..."


def first_code_line(lines):
    """Index of the first line that is neither empty nor a comment, or None."""
    for index, line in enumerate(lines):
        if line.strip() and not line.lstrip().startswith("#"):
            return index
    return None


def remove_indent(lines):
    """IPython takes a cell that is indented as a whole."""
    index = first_code_line(lines)
    if index is None:
        return
    indent = lines[index][:-len(lines[index].lstrip())]
    for index, line in enumerate(lines):
        if line.startswith(indent):
            lines[index] = line[len(indent):]


def drop_cell_magics(lines, dropped):
    """Whether the rest of the cell is Python."""
    while True:
        index = first_code_line(lines)
        match = CELL_MAGIC.match(lines[index]) if index is not None else None
        if match is None:
            return True
        if (match.group(1) not in PYTHON_CELL_MAGICS
                and written_module(lines[index]) is None):
            dropped[index] = "%%" + shortened(match.group(1)) + " (whole cell)"
            return False
        dropped[index] = lines[index]
        lines[index] = ""


def drop_lines(lines, dropped):
    for _ in range(MOST_DROPPED):
        error = parse_error(lines)
        found = magic_of(lines, error) if error else None
        if found is None:
            return
        index, without = found
        dropped[index] = lines[index]
        lines[:] = without


def magic_of(lines, error):
    """(index, lines without it) of the magic that an error is about, or None.

    That is the next one from the error's line upwards without which the error
    is another one: Python may notice late that a quote was left open.
    """
    upwards = ((index, without_magic(lines, index))
               for index in range(error[0], -1, -1))
    candidates = ((index, without) for index, without in upwards if without)
    for index, without in itertools.islice(candidates, MOST_TRIED):
        if parse_error(without) != error:
            return index, without
    return None


def without_magic(lines, index):
    """The lines with Python in place of this one, or None if it is no magic."""
    line = lines[index]
    for pattern, left in LINE_FORMS:
        match = pattern.match(line)
        if match:
            break
    else:
        return None
    result = list(lines)
    result[index] = match.expand(left)
    if not result[index].endswith("\\"):  # the magic went on below
        while line.endswith("\\") and index + 1 < len(lines):
            index += 1
            line = lines[index]
            result[index] = ""
    return result
