# SPDX-License-Identifier: MIT
"""Which functions of libraries the files of a submission name, and from which
of their own functions that can be reached. Read from syntax trees.

A use counts where it is in a function that the graded one comes to: not in a
comment, a text, a test under `if __name__ == "__main__"`, or a helper that
nobody calls. It is *certain* where each call must come to it: in no branch, no
loop, no nested function, and not after a way out.
"""

import ast
import os

from attngrade_host.imports import DEFINITIONS, is_never_run

MOST_USES = 10  # of one function
NO_USE = {"isinstance", "issubclass", "hasattr", "callable", "help"}
ENTERED = {"forward", "call", "setup", "build", "apply"}  # of a class in use
CALLED = {"forward", "__call__", "call"}
WAYS_OUT = (ast.Return, ast.Raise, ast.Break, ast.Continue)
NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def dotted(node):
    """("F", ".softmax") of F.softmax, or None."""
    rest = ""
    while isinstance(node, ast.Attribute):
        rest = "." + node.attr + rest
        node = node.value
    return (node.id, rest) if isinstance(node, ast.Name) else None


def imported(node, folder):
    """(name, path) of what an import binds; (None, path) of a star."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.split(".")[0]
            yield alias.asname or top, alias.name if alias.asname else top
        return
    start = node.module or ""
    if node.level:  # of the same package
        parts = folder.split("/") if folder else []
        parts = parts[:len(parts) - node.level + 1]
        start = ".".join(parts + ([start] if start else []))
    for alias in node.names:
        if alias.name == "*":
            yield None, start
        else:
            yield (alias.asname or alias.name,
                   start + "." + alias.name if start else alias.name)


def is_import(node):
    return isinstance(node, (ast.Import, ast.ImportFrom))


def below(body):
    """Statements with those in an if, try, with or for among them, each with
    whether it is one of several ways; nothing of what is never run."""
    todo = [(statement, False) for statement in reversed(body)]
    while todo:
        statement, is_other_way = todo.pop()
        yield statement, is_other_way
        if isinstance(statement, DEFINITIONS):
            continue
        found = []
        if not (isinstance(statement, ast.If) and is_never_run(statement.test)):
            found += [(one, is_other_way)
                      for one in getattr(statement, "body", [])]
        others = list(getattr(statement, "orelse", []))
        for handler in getattr(statement, "handlers", []):
            others += handler.body
        found += [(one, True) for one in others]
        found += [(one, is_other_way)
                  for one in getattr(statement, "finalbody", [])]
        todo += reversed(found)


class Part:
    """What one function, or one statement at top level, names; texts with
    whether each call comes to them."""

    def __init__(self):
        self.uses = []  # (name, place, certain)
        self.paths = {}  # names of the same file and of others, as paths
        self.methods = {}  # every attribute

    def add(self, found, key, is_certain):
        found[key] = found.get(key, False) or is_certain


class File:
    """One file: what its names stand for, and its parts."""

    def __init__(self, name, tree, known):
        self.name = name
        self.known = known
        self.folder = os.path.dirname(name)
        self.imports = {}  # name: path
        self.stars = []
        self.bound = {}  # name: [statement, ...], all that may count
        self.parts = {}  # "attention", "Attention.forward", "" for the rest
        self.classes = {}  # name: [method, ...]
        loose = []
        for statement, is_other_way in below(tree.body):
            if is_import(statement):
                for bound, path in imported(statement, self.folder):
                    if bound is None:
                        self.stars.append(path)
                    else:
                        self.imports[bound] = path
                        if not is_other_way:
                            self.bound.pop(bound, None)
            elif isinstance(statement, DEFINITIONS):
                self.bind(statement.name, statement, is_other_way)
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                if not self.bind_targets(statement, is_other_way):
                    loose.append(statement)
            elif isinstance(statement, (ast.Expr, ast.AugAssign, ast.Assert)):
                loose.append(statement)
        for bound, statements in self.bound.items():
            for statement in statements:
                self.read(bound, statement)
        for statement in loose:
            self.read("", statement)
        self.bound = dict.fromkeys(self.bound)  # the tree itself is large

    def bind(self, name, statement, is_other_way):
        if not is_other_way:
            self.imports.pop(name, None)
            self.bound[name] = []
        self.bound.setdefault(name, []).append(statement)

    def bind_targets(self, statement, is_other_way):
        """Whether there are any."""
        targets = getattr(statement, "targets", None) or [statement.target]
        path = self.path_of(statement.value, {}, ())
        names = [node.id for target in targets for node in ast.walk(target)
                 if isinstance(node, ast.Name)
                 and isinstance(node.ctx, ast.Store)]
        for name in names:
            self.bind(name, statement, is_other_way)
        if path and len(targets) == 1 and isinstance(targets[0], ast.Name):
            self.imports[names[0]] = path  # F = torch.nn.functional
        return names

    def path_of(self, node, own, hidden):
        """"torch.nn.functional.softmax" of F.softmax, or None; own: what the
        function itself imports; hidden: its own variables."""
        found = dotted(node)
        if found is None:
            return None
        name, rest = found
        if name in own:
            return own[name] + rest
        if name in hidden:
            return None
        if name in self.imports:
            return self.imports[name] + rest
        if name in self.bound:
            return None
        for star in self.stars:
            if star + "." + name + rest in self.known:
                return star + "." + name + rest
        return None

    def read(self, name, statement):
        if not isinstance(statement, ast.ClassDef):
            self.part(name, statement)
            return
        methods = self.classes.setdefault(name, [])
        for node in statement.bases + statement.decorator_list:
            self.part(name, node, statement.body, False)
        for node in statement.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                methods.append(node.name)
                self.part(name + "." + node.name, node)
            else:
                self.part(name, node)

    def part(self, name, node, body=None, is_certain=True):
        Reader(self, self.parts.setdefault(name, Part()), node).run(is_certain)


class Reader:
    """Goes through one function, without recursion."""

    def __init__(self, file, part, node):
        self.file = file
        self.part = part
        self.node = node
        self.own = {}
        self.hidden = set()
        self.find_variables()

    def find_variables(self):
        is_function = isinstance(self.node, (ast.FunctionDef,
                                             ast.AsyncFunctionDef))
        if not is_function:
            return
        aliases = []
        for node in ast.walk(self.node):
            if is_import(node):
                self.own.update((bound, path) for bound, path in
                                imported(node, self.file.folder) if bound)
            elif isinstance(node, ast.arg):
                self.hidden.add(node.arg)
            elif isinstance(node, ast.Name) and not isinstance(node.ctx,
                                                               ast.Load):
                self.hidden.add(node.id)
            elif isinstance(node, NESTED[:3]) and node is not self.node:
                self.hidden.add(node.name)
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and (
                    isinstance(node.targets[0], ast.Name)):
                aliases.append(node)
        for node in aliases:
            path = self.file.path_of(node.value, self.own, self.hidden)
            if path:
                self.own.setdefault(node.targets[0].id, path)

    def run(self, is_certain):
        node = self.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.walk([(node, is_certain)])
            return
        self.walk([(one, True) for one in node.decorator_list
                   + node.args.defaults + node.args.kw_defaults if one])
        self.block(node.body)

    def block(self, body):
        is_certain = True
        for statement in body:
            self.walk([(statement, is_certain)])
            is_certain = is_certain and not any(
                isinstance(node, WAYS_OUT) for node in ast.walk(statement))

    def walk(self, todo):
        while todo:
            node, is_certain = todo.pop()
            if isinstance(node, (ast.Attribute, ast.Name)):
                self.note(node, is_certain, False)
                if isinstance(node, ast.Attribute):
                    self.part.add(self.part.methods, node.attr, False)
                    if dotted(node) is None:
                        todo.append((node.value, is_certain))
                continue
            if isinstance(node, ast.Call):
                todo += self.called(node, is_certain)
                continue
            todo += children(node, is_certain)

    def called(self, node, is_certain):
        """What is left to be read of a call."""
        name = getattr(node.func, "id", "")
        rest = [(one, is_certain) for one in node.args]
        rest += [(one.value, is_certain) for one in node.keywords]
        if name in NO_USE and name not in self.file.bound:
            return []
        if name in ("getattr", "partial") and node.args:
            self.got(node, is_certain)
        if isinstance(node.func, ast.Attribute):
            self.part.add(self.part.methods, node.func.attr, is_certain)
        if dotted(node.func) is not None:
            self.note(node.func, is_certain, True)
            return rest
        return rest + [(node.func, is_certain)]

    def got(self, node, is_certain):
        """getattr(F, "softmax")"""
        if len(node.args) < 2 or not isinstance(node.args[1], ast.Constant):
            return
        path = self.file.path_of(node.args[0], self.own, self.hidden)
        if path:
            self.use(path + "." + str(node.args[1].value), node, is_certain)

    def note(self, node, is_certain, is_called):
        if not isinstance(node.ctx, ast.Load):
            return
        name, rest = dotted(node) or ("", "")
        path = self.file.path_of(node, self.own, self.hidden)
        if path:
            self.use(path, node, is_certain and is_called)
            self.part.add(self.part.paths, path, is_certain and is_called)
        elif name and name not in self.hidden:
            for found in (name, name + rest):
                self.part.add(self.part.paths, ":" + found,
                              is_certain and is_called)

    def use(self, path, node, is_certain):
        """A method of it is one of it. Whoever makes an object need not use
        it."""
        while path and path not in self.file.known:
            path = path.rpartition(".")[0]
        if path and len(self.part.uses) < MOST_USES:
            name = self.file.known[path]
            is_class = name.rpartition(".")[2][:1].isupper()
            self.part.uses.append((name, place_of(node),
                                   is_certain and not is_class))


def place_of(node):
    cell = getattr(node, "cell", None)
    return ("cell %d, " % cell if cell else "") + "line %d" % node.lineno


def children(node, is_certain):
    """(child, whether each call comes to it)"""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [(one, False) for one in node.body + node.decorator_list
                + node.args.defaults + node.args.kw_defaults if one]
    if isinstance(node, ast.AnnAssign):
        return [(node.value, is_certain)] if node.value else []
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        if isinstance(node, ast.If) and is_never_run(node.test):
            return [(one, False) for one in node.orelse]
        return [(one, is_certain if one is node.test else False)
                for one in ast.iter_child_nodes(node)]
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return [(one, is_certain if one is node.iter else False)
                for one in ast.iter_child_nodes(node)]
    if isinstance(node, ast.BoolOp):
        return [(one, is_certain and i == 0)
                for i, one in enumerate(node.values)]
    if isinstance(node, ast.Compare):  # `if made is nn.MultiheadAttention`
        return [(one, is_certain) for one in [node.left, *node.comparators]
                if dotted(one) is None]
    if isinstance(node, (ast.expr_context, ast.operator)) or is_import(node):
        return []
    branches = (ast.Try, getattr(ast, "Match", ast.Try), ast.Lambda,
                getattr(ast, "TryStar", ast.Try), ast.ListComp, ast.SetComp,
                ast.DictComp, ast.GeneratorExp, ast.ClassDef)
    stays = is_certain and not isinstance(node, branches)
    return [(one, stays) for one in ast.iter_child_nodes(node)
            if not isinstance(one, (ast.arguments, ast.expr_context))]


def module_paths(name):
    """a.b.c, b.c and c of "a/b/c.py"."""
    parts = os.path.splitext(name)[0].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return [".".join(parts[i:]) for i in range(len(parts))]


class Scan:
    """Of all files of a submission. names: {name of a function: [its other
    names, ...]}"""

    def __init__(self, names):
        self.known = {other: name for name, others in names.items()
                      for other in [name, *others]}
        self.files = {}
        self.modules = {}  # path: file

    def add(self, name, tree):
        self.files[name] = File(name, tree, self.known)
        for path in module_paths(name):
            self.modules.setdefault(path, name)

    def found(self):
        """{file: {function: [{"name", "file", "place", "certain"}, ...]}}, with
        the name "" for all of the file where a function is not known."""
        if not any(part.uses for file in self.files.values()
                   for part in file.parts.values()):
            return {}
        found = {name: self.found_in(file)
                 for name, file in self.files.items()}
        return {name: uses for name, uses in found.items() if uses}

    def found_in(self, file):
        starts = list(file.bound) + [
            "%s.%s" % (name, method) for name, methods in file.classes.items()
            for method in methods if not method.startswith("_")]
        starts += [name for name, path in file.imports.items()
                   if self.elsewhere(path)]
        found = {start: self.reached(file.name, start) for start in starts[:500]}
        everything = [self.as_dict(file.name, use) for part in
                      file.parts.values() for use in part.uses]
        found[""] = [dict(use, certain=False) for use in everything[:MOST_USES]]
        return {start: uses for start, uses in found.items() if uses}

    @staticmethod
    def as_dict(file, use):
        name, place, is_certain = use
        return {"name": name, "file": file, "place": place,
                "certain": is_certain}

    def elsewhere(self, path):
        """(file, name in it) of "helpers.attend", or None."""
        module, _, rest = path.rpartition(".")
        while module:
            for i in range(module.count(".") + 1):
                tail = module.split(".", i)[-1]
                if tail in self.modules:
                    return self.modules[tail], rest
            module, _, more = module.rpartition(".")
            rest = more + "." + rest
        return None

    def reached(self, file, start):
        certain = self.closure(file, start, True)
        uses, seen = [], set()
        for name, key in self.closure(file, start, False):
            part = self.files[name].parts[key]
            for use in part.uses:
                found = self.as_dict(name, use)
                found["certain"] &= (name, key) in certain
                if (name, use) not in seen and len(uses) < MOST_USES:
                    seen.add((name, use))
                    uses.append(found)
        return uses

    def closure(self, file, start, only_certain):
        """(file, part) of all that `start` comes to, itself among them."""
        seen, todo, classes, methods = {}, [(file, start)], [], set(ENTERED)
        if only_certain:
            methods = set(CALLED)
        elif "." in start:
            methods.add(start.rpartition(".")[2])
        while todo:
            name, key = todo.pop()
            if (name, key) in seen:
                continue
            seen[name, key] = None
            here = self.files[name]
            if key in here.imports:
                todo += filter(None, [self.elsewhere(here.imports[key])])
            if key in here.classes:
                classes.append((name, key))
            part = here.parts.get(key)
            if part is not None:
                methods |= {attr for attr, is_certain in part.methods.items()
                            if is_certain or not only_certain}
                todo += self.next_of(here, part, only_certain)
            if only_certain and "." not in start or not only_certain:
                todo += self.entered(classes, methods, only_certain)
        return [one for one in seen if one[1] in self.files[one[0]].parts]

    def entered(self, classes, methods, only_certain):
        for name, key in classes:
            for method in self.files[name].classes[key]:
                is_special = method.startswith("__") and not only_certain
                if method in methods or is_special:
                    yield name, key + "." + method

    def next_of(self, here, part, only_certain):
        for path, is_certain in part.paths.items():
            if only_certain and not is_certain:
                continue
            if path.startswith(":"):
                key = path[1:]
                if key in here.bound or key in here.parts:
                    yield here.name, key
                for star in here.stars:
                    other = self.elsewhere(star + "." + key)
                    if other and other[1] in self.files[other[0]].parts:
                        yield other
            else:
                other = self.elsewhere(path)
                if other:
                    yield other
