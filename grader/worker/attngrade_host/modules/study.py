# SPDX-License-Identifier: MIT
"""What a class that builds its own projections is, found out by making it once.

Its constructor is filled, its parameters are told apart, it is called on zeros
and noise; sizes are all different, so that shapes say what they are.
"""

from attngrade_host.devices import missing_device
from attngrade_host.errors import clean
from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.building import (CONFIG, OWN_CONFIG, Builder, Unfilled,
                                             plan_text)
from attngrade_host.modules.forward import (Call, is_lengths, is_required,
                                            method_of)
from attngrade_host.modules.keras import backend_of_keras
from attngrade_host.modules.layouts import says, word
from attngrade_host.modules.late_names import LateNames
from attngrade_host.modules.leaves import leaves_of
from attngrade_host.modules.names import meaning_of
from attngrade_host.modules.recipe import LONG, Recipe
from attngrade_host.modules.roles import (Sorted, Unmapped, find_map, name_of,
                                          pattern, permutations_of)
from attngrade_host.modules.sizes import Sizes
from attngrade_host.modules.starts import NotInitialised
from attngrade_host.modules.triangles import builds_triangle
from attngrade_host.modules.weights_beside import find_beside, scores_shape
from attngrade_host.modules.writing import (is_norm_layer, replace_norms,
                                              rules_of)
from attngrade_host.results import split_results
from attngrade_host.tensors import (Tensors, default_dtypes, is_array,
                                    to_numpy)

N, BATCH = 4, 2
MULTI = Sizes(C=30, H=5, d=6, dv=6, n=N, batch=BATCH, long=LONG)
SINGLE = Sizes(C=10, H=1, d=6, dv=7, n=N, batch=BATCH, long=LONG)


class Ungradable(Exception):
    """kind: "constructor", "unsupported" or "environment"."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class NoModule(Exception):
    """It has no matrices, or nothing to be called."""


def describe_error(error):
    return "%s: %s" % (type(error).__name__, str(error).split("\n")[0])


def demand_known_framework(cls):
    libraries = {base.__module__.split(".")[0] for base in cls.__mro__}
    if "haiku" in libraries:
        raise Ungradable("unsupported", "modules of Haiku are not graded: hand in "
                         "a function of arrays with its parameters as arguments")
    if "keras" in libraries and backend_of_keras() != "torch":
        raise Ungradable("environment", "layers of Keras are graded where it "
                         "computes with torch, not with %s: leave KERAS_BACKEND "
                         "to the grader, and name an interpreter that has torch "
                         "and Keras 3: --python PATH" % backend_of_keras())


def unfillable(names):
    return Ungradable(
        "constructor", "its constructor needs %s, and nothing says what that is; "
        "in the task file: \"construct\": {%s}, or call it by an adapter "
        "(docs/adapters.md)"
        % (" and ".join("`%s`" % name for name in names),
           ", ".join("\"%s\": ..." % name for name in names)))


def are_close(first, second):
    return (first is not None and second is not None
            and first.shape == second.shape and bool(numpy.allclose(
                first, second, rtol=1e-3, atol=1e-5, equal_nan=True)))


def fill(made, group, factor):
    names = [leaf.name for leaf in group.leaves]
    for leaf in leaves_of(made):
        if leaf.name in names:
            leaf.write(numpy.full(leaf.shape, factor))


def divisor(width, fixed):
    """A number of heads for a class that sets its width."""
    if fixed:
        return fixed
    for heads in (5, 3, 6, 4, 2):
        if width % heads == 0 and width > heads:
            return heads
    raise Ungradable("unsupported", "no number of heads divides its width %d"
                     % width)


def integers(made, module, used):
    """{name: value} of whole numbers that the object has, or the globals that its
    class uses."""
    found = {name: getattr(module, name) for name in used
             if type(getattr(module, name, None)) is int}
    found.update({name: value for name, value in getattr(
        made, "__dict__", {}).items() if type(value) is int})
    return found


def is_norm_outside(recipe, made, study):
    """Is a norm applied to the input, or to what is returned? One of queries or
    keys is part of the scores. What no hook can see is not asked."""
    if not is_torch_module(made):
        return True
    x, seen = study.tokens(study.sizes), []
    handles = [layer.register_forward_hook(
        lambda layer, inputs, output: seen.append((inputs[0], output)))
        for layer in made.modules() if is_norm_layer(layer, study.sizes.C)]
    try:
        returned = study.output_of(recipe, made, x)
    except (Exception, SystemExit):
        return False
    finally:
        for handle in handles:
            handle.remove()
    outside = [any(same_numbers(part, other) for part, other in (
        (inside, to_numpy(x)[0]), (outcome, returned)))
        for inside, outcome in seen]
    return bool(outside) and all(outside)


def same_numbers(tensor, array):
    found = to_numpy(tensor)[0]
    return array is not None and found.shape == array.shape and bool(
        numpy.allclose(found, array, atol=1e-6))


class Study:
    """framework: of the class; tree and bindings: of the file; used: names that
    the class and what it uses refer to; task_file: its "construct" and
    "parameters"."""

    def __init__(self, cls, module, framework, tree, bindings, used,
                 task_file):
        self.names = LateNames(module, tree, MULTI)
        self.cls = cls
        self.module = module
        self.framework = framework
        self.bindings = bindings
        self.used = used
        self.construct = task_file.get("construct", {})
        self.parameters = task_file.get("parameters", {})
        self.fixed = {"C": 0, "H": 0}
        self.read = {}  # of a config
        self.has_heads = None
        self.is_pair_open = False  # which of two is the query

    def run(self):
        """(recipe, description), (None, description) with a problem, or (None,
        None) of what has no matrices of its own."""
        try:
            self.prepare()
            recipe = self.first_that_works()
            return recipe, self.description(recipe)
        except NoModule:
            return None, self.empty_class()
        except Ungradable as reason:
            return None, {"problem": clean(str(reason)), "kind": self.kind(),
                          "problem_kind": reason.kind}

    def empty_class(self):
        """None, or the problem of a class that is made for a width and called
        with one tensor: it has to project, and holds no matrix to do it with."""
        if method_of(self.cls) is None or not hasattr(self, "plans"):
            return None
        given = {symbol for plan in self.plans for _, symbol in plan
                 if isinstance(symbol, str)}
        if len(self.call.tensors()) != 1 or not given & {"C", "H"}:
            return None
        return {"problem": "it holds no projections: no matrix of floating-point "
                "numbers is in it once its constructor has run. Let the "
                "constructor make W_q, W_k and W_v, as layers or attributes",
                "kind": "", "problem_kind": "constructor"}

    def kind(self):
        """"" where the study did not come so far."""
        if self.has_heads is None:
            return ""
        return "multi_head_attention" if self.has_heads else "self_attention"

    def prepare(self):
        method = method_of(self.cls)
        if method is None:
            raise NoModule()
        demand_known_framework(self.cls)
        self.call = Call(self.cls, method)
        self.rank = 3
        self.builder = Builder(self.cls, self.module, self.construct)
        try:
            self.plans = self.builder.plans()
        except Unfilled:
            raise unfillable(self.builder.unknown())

    def first_that_works(self):
        problems = []
        for plan in self.plans:
            try:
                return self.study_plan(plan)
            except NoModule:
                raise
            except Ungradable as reason:
                problems.append(reason)
            except NameError as error:
                if self.names.provide(error):
                    return self.first_that_works()
                problems.append(Ungradable("constructor", "its constructor "
                                           "fails: " + describe_error(error)))
            except NotInitialised as error:
                problems.append(Ungradable("constructor", str(error)))
            except (Exception, SystemExit) as error:
                device = missing_device(error)
                problems.append(Ungradable("environment", device) if device
                                else self.failure(plan, error))
        raise self.most_telling(problems)

    def failure(self, plan, error):
        """Of a constructor that fails, or of what was tried after it."""
        try:
            self.builder.make(plan, self.start_sizes(plan))
        except (Exception, SystemExit):
            return Ungradable("constructor", "its constructor fails: "
                              + describe_error(error))
        return Ungradable("unsupported", "it cannot be looked into: "
                          + describe_error(error))

    def most_telling(self, problems):
        guess = self.builder.widths.guess
        for problem in problems:
            if problem.kind != "constructor":
                return Ungradable(problem.kind, "%s. `%s` was taken for the "
                                  "width of the model; if it is not, in the "
                                  "task file: \"construct\": {\"%s\": ...}"
                                  % (problem, guess, guess)) if guess else problem
        return unfillable([guess]) if guess else problems[0]

    def start_sizes(self, plan):
        symbols = {symbol for _, symbol in plan}
        if self.builder.widths.has_heads or "H" in symbols:
            return MULTI
        if symbols & {CONFIG, OWN_CONFIG}:
            return MULTI
        return SINGLE

    def tied(self, plan, read):
        """The widths of a class without heads: d_v = d_k unless it says both,
        and all the same where it has but one."""
        symbols = {symbol for _, symbol in plan} | set(read.values())
        if "dv" in symbols:
            return "free", SINGLE
        if "d" in symbols:
            return "values-as-keys", SINGLE._replace(dv=SINGLE.d)
        return "all-equal", SINGLE._replace(d=SINGLE.C, dv=SINGLE.C)

    def study_plan(self, plan):
        sizes = self.start_sizes(plan)
        made, read = self.builder.make(plan, sizes)
        self.read = read
        self.look_at_config(made, plan, sizes)
        self.has_heads = (self.builder.widths.has_heads
                          or "H" in read.values()
                          or any(symbol == "H" for _, symbol in plan)
                          or self.fixed_heads(made) > 1)
        self.widths = "free"
        if not self.has_heads:
            self.widths, sizes = self.tied(plan, read)
        else:
            sizes = MULTI
        sizes = self.with_fixed(made, sizes)
        recipe = Recipe(self.builder, plan, self.call, self.has_heads,
                        self.framework)
        _, read = self.builder.make(plan, sizes)
        made = recipe.make(sizes, False)
        self.map_parameters(recipe, made, sizes)
        self.read = read
        self.sizes = sizes
        self.try_call(recipe)
        self.find_sublayer(recipe)
        if recipe.map.is_settled is False:
            self.settle_by_data_flow(recipe)
        self.demand_no_others(recipe)
        self.demand_nothing_random(recipe)
        self.is_causal = self.looks_causal(recipe)
        recipe.beside = self.find_beside(recipe)
        return recipe

    def look_at_config(self, made, plan, sizes):
        """A config may be asked for the heads when the class is called."""
        if not self.read or "H" in self.read.values():
            return
        recipe = Recipe(self.builder, plan, self.call, False, self.framework)
        try:
            recipe.run(made, self.tokens(sizes), None, False, sizes)
        except (Exception, SystemExit):
            pass  # it is called properly later

    def fixed_heads(self, made):
        """A number of heads that nobody passes: an attribute or a global."""
        found = [value for name, value in integers(
            made, self.module, self.used).items()
            if meaning_of(name) == "heads" and len(name) > 1]
        return found[0] if found else 0

    def with_fixed(self, made, sizes):
        """Sizes that the class sets itself are taken over."""
        self.fixed = {"C": 0, "H": 0}
        heads = self.fixed_heads(made)
        if self.has_heads and heads > 1 and not self.passes("H"):
            self.fixed["H"] = heads
            sizes = sizes._replace(H=heads, C=heads * sizes.d)
        if not self.passes("C"):
            found = [value for name, value in integers(
                made, self.module, self.used).items()
                if meaning_of(name) == "model_width" and value > 1]
            if found:
                width = found[0]
                self.fixed["C"] = width
                if self.has_heads:
                    sizes = sizes._replace(H=divisor(width, self.fixed["H"]))
                    sizes = sizes._replace(C=width, d=width // sizes.H,
                                           dv=width // sizes.H)
                elif self.widths == "all-equal":
                    sizes = sizes._replace(C=width, d=width, dv=width)
                else:
                    sizes = sizes._replace(C=width)
        return sizes

    def passes(self, symbol):
        """Do the constructor's arguments, or the config, set it?"""
        return symbol in self.read.values() or any(
            value == symbol for _, value in self.plans[0])

    def map_parameters(self, recipe, made, sizes):
        leaves = Sorted(leaves_of(made))
        if not leaves.matrices:
            leaves = self.leaves_of_first_call(recipe, sizes)
        order = {leaf.name: i for i, leaf in enumerate(leaves.matrices)}
        if is_torch_module(made):
            order.update(self.order_of_use(recipe, made, leaves, sizes))
        try:
            found = find_map(leaves.matrices, sizes, self.has_heads,
                             lambda leaf: order[leaf.name], self.parameters)
        except Unmapped as reason:
            raise Ungradable("unsupported", str(reason))
        missing = set("qkv") - found.roles()
        if missing:
            raise Ungradable("unsupported", "no parameter holds w_"
                             + ", w_".join(sorted(missing)))
        if not self.has_heads and "o" in found.roles() and (
                sizes.dv != sizes.C):
            raise Ungradable("unsupported", "it has a fourth projection, and its "
                             "widths differ")
        recipe.map = found
        recipe.rules = rules_of(found.entries)

    def leaves_of_first_call(self, recipe, sizes):
        """Of a class that makes its layers when it sees its first input. One of
        several tensors, q, k and v, computes with these; what it keeps of them
        is no layer."""
        if len(self.call.tensors()) != 1:
            raise NoModule()
        recipe.is_built_by_call = True
        try:
            leaves = Sorted(leaves_of(recipe.make(sizes, False)))
        except (Exception, SystemExit):
            raise NoModule()
        if not leaves.matrices:
            raise NoModule()
        return leaves

    def demand_no_others(self, recipe):
        """A matrix beyond q, k, v and o that changes the output: something else
        than the attention of the task."""
        for group in recipe.map.extra:
            results = []
            for factor in (1.0, 1.0, -2.0):
                results.append(self.outputs(
                    recipe, weights=self.random_weights(),
                    change=lambda made: fill(made, group, factor)))
            if any(result is None for result in results):
                return
            if not are_close(*results[:2]):
                return  # it has a chance of its own
            if not are_close(*results[1:]):
                raise Ungradable(
                    "unsupported", "beside q, k, v and o it computes with %s"
                    % name_of(group.first))

    def demand_nothing_random(self, recipe):
        """An object that always gives the same answer, while another with the
        same weights gives another one: something else in it is left as chance
        made it."""
        weights = self.random_weights()
        try:
            made, other = (recipe.make(self.sizes, False) for _ in range(2))
            for one in (made, other):
                recipe.write(one, weights, self.sizes, {})
            first, again, of_other = (self.output_of(recipe, one)
                                      for one in (made, made, other))
        except (Exception, SystemExit):
            return
        if (first is None or not are_close(first, again)
                or are_close(first, of_other)):
            return
        names = self.left_to_chance(recipe, weights)
        raise Ungradable(
            "unsupported", "beside q, k, v and o it computes with what its "
            "constructor leaves random" + (": " + ", ".join(names[:5])
                                           if names else ""))

    def left_to_chance(self, recipe, weights):
        """Names of arrays that differ between two objects."""
        pair = []
        for _ in range(2):
            made = recipe.make(self.sizes, False)
            recipe.write(made, weights, self.sizes, {})
            pair.append({leaf.name: to_numpy(leaf.value)[0].copy()
                         for leaf in leaves_of(made)})
        first, second = pair
        return [clean(name) for name in first if name not in second
                or first[name].shape != second[name].shape
                or not numpy.array_equal(first[name], second[name],
                                         equal_nan=True)]

    def order_of_use(self, recipe, made, leaves, sizes):
        """{name of a matrix: when its layer is first called}"""
        used, handles = [], []
        layers = dict(made.named_modules())
        for name, layer in layers.items():
            if name:
                handles.append(layer.register_forward_hook(
                    lambda module, inputs, output, name=name:
                    used.append(name)))
        try:
            recipe.run(made, self.tokens(sizes), None, False, sizes)
        except Exception:
            pass
        for handle in handles:
            handle.remove()
        first = {name: i for i, name in reversed(list(enumerate(used)))}
        return {leaf.name: first[leaf.layer] - 10 ** 6
                for leaf in leaves.matrices if leaf.layer in first}

    def tokens(self, sizes, seed=1):
        generator = numpy.random.default_rng(seed)
        shape = (sizes.batch, sizes.n, sizes.C)[3 - self.rank:]
        return self.tensor(generator.standard_normal(shape))

    def tensor(self, array):
        """Of the type that its parameters have where nobody asks for one."""
        dtype = default_dtypes().get(self.framework, "float64")
        return Tensors(self.framework, dtype).make(array)

    def try_call(self, recipe):
        """The first way to pass tensors that gives an array; where none does,
        the usual one: the calls will show what is wrong."""
        self.mask_kind, self.takes_no_mask = "none", True
        self.mask = None
        if self.call.mask is not None:
            self.mask_kind = ("required" if is_required(self.call.mask)
                              else "optional")
        for rank in (3, 2):
            self.rank = rank
            for form in self.call.forms():
                self.call.form = form
                if self.outputs(recipe) is not None:
                    return
        self.rank, self.call.form = 3, "apart"
        if self.call.mask is not None and self.works_with_mask(recipe):
            self.mask_kind, self.takes_no_mask = "required", False

    def works_with_mask(self, recipe):
        """Where it fails without one: with one that hides nothing, whatever it
        means by True. It is passed from then on."""
        for self.mask in self.open_masks():
            output = self.outputs(recipe)
            if output is not None and numpy.isfinite(output).all():
                return True
        self.mask = None
        return False

    def open_masks(self):
        n, batch = self.sizes.n, self.sizes.batch
        tensors = Tensors(self.framework, "float32")
        if is_lengths(self.call.mask):
            yield tensors.make(numpy.full(batch, n))
            return
        for shape in ((n, n), (batch, n, n), (batch, 1, n, n), (batch, n),
                      (batch, 1, 1, n)):
            for fill in (True, False):
                yield tensors.make(numpy.full(shape, fill))
            yield tensors.make(numpy.zeros(shape))

    def outputs(self, recipe, x=None, weights=None, wants_causal=False,
                change=None):
        """The first array that comes back, or None. change: what is done to the
        object before."""
        try:
            made = recipe.make(self.sizes, wants_causal)
            if weights is not None:
                recipe.write(made, weights, self.sizes, {})
            if change is not None:
                change(made)
            return self.output_of(recipe, made, x, wants_causal)
        except NameError as error:
            if self.names.provide(error):
                return self.outputs(recipe, x, weights, wants_causal, change)
            return None
        except (Exception, SystemExit):
            return None

    def output_of(self, recipe, made, x=None, wants_causal=False):
        value = recipe.run(made, self.tokens(self.sizes) if x is None else x,
                           self.mask, wants_causal, self.sizes)
        arrays = [part for _, part in split_results(value, self.rank)
                  if is_array(part) and len(part.shape) >= 2]
        return to_numpy(arrays[0])[0] if arrays else None

    def random_weights(self, seed=2):
        generator = numpy.random.default_rng(seed)
        sizes = self.sizes
        heads = sizes.H if self.has_heads else 1
        shapes = {"q": (sizes.C, heads * sizes.d), "k": (sizes.C, heads * sizes.d),
                  "v": (sizes.C, heads * sizes.dv),
                  "o": (heads * sizes.dv, sizes.C)}
        return {role: generator.standard_normal(shape) / numpy.sqrt(shape[0])
                for role, shape in shapes.items()}

    def settle_by_data_flow(self, recipe):
        """The output is affine in w_v, and in w_o which is applied last; not in
        w_q and w_k, which are then told apart by nothing but a name."""
        weights = self.random_weights()

        def bend(role):
            results = [self.outputs(recipe, weights=dict(
                weights, **{role: factor * weights[role]}))
                for factor in (0.0, 1.0, 2.0)]
            if any(result is None for result in results):
                return None
            zero, one, two = results
            return float(numpy.abs(two - 2 * one + zero).max()
                         / (numpy.abs(one - zero).max() + 1e-30))

        bends = {role: bend(role) for role in sorted(recipe.map.roles())}
        if any(value is None for value in bends.values()):
            return
        linear = {role for role, value in bends.items() if value < 1e-3}
        wanted = {"v", "o"} & recipe.map.roles()
        if linear == wanted:
            recipe.map.is_settled = True
            self.is_pair_open = True

    def find_sublayer(self, recipe):
        """A norm of the width of the model, with a residual or without: the
        sub-layer of the original paper, or a part of it."""
        self.remarks = []
        made = recipe.make(self.sizes, False)
        if not is_norm_outside(recipe, made, self) or not replace_norms(
                made, self.sizes.C):
            return
        recipe.skips_norms = True
        nothing = {role: numpy.zeros_like(weight)
                   for role, weight in self.random_weights().items()}
        x = self.tokens(self.sizes)
        output, expected = self.outputs(recipe, x, nothing), to_numpy(x)[0]
        is_like_x = output is not None and output.shape == expected.shape
        recipe.is_sublayer = is_like_x and bool(
            numpy.allclose(output, expected, atol=1e-4))
        recipe.skips_norms = recipe.is_sublayer or is_like_x and bool(
            numpy.allclose(output, 0, atol=1e-4))
        if recipe.is_sublayer:
            self.remarks.append(
                "the class adds its input and normalises, as the sub-layer of "
                "the original paper does; the norm is replaced by the identity "
                "and the input subtracted")
        elif recipe.skips_norms:
            self.remarks.append("the class normalises its input or its output; "
                                "the norm is replaced by the identity")

    def find_beside(self, recipe):
        """Where it leaves its weights, if it does not return them."""
        shape = scores_shape(self.sizes, self.has_heads, self.rank)
        values = []
        try:
            made = recipe.make(self.sizes, False)
            recipe.write(made, self.random_weights(), self.sizes, {})
            found = find_beside(made, lambda: values.append(recipe.run(
                made, self.tokens(self.sizes), self.mask, False, self.sizes)),
                shape)
            parts = split_results(values[0], self.rank)
        except (Exception, SystemExit):
            return None
        if found is not None and len(parts) == 1:
            self.remarks.append(found.text())
            return found
        return None

    def looks_causal(self, recipe):
        name = self.cls.__name__.lower()
        evidence = builds_triangle(self.cls.__name__, self.bindings)
        has_switch = (self.builder.has_causal_switch or self.call.causal_switch
                      or any(meaning_of(name.split(".")[-1]) == "causal"
                             for name in self.read))
        if self.acts_causally(recipe):  # whatever a switch says
            return "always"
        if (evidence or self.acts_causally(recipe, True) if has_switch
                else evidence and self.find_switch(recipe)):
            return "switch"
        return "always" if evidence or "causal" in name else "never"

    def find_switch(self, recipe):
        """A flag of any name, off by default, with which it acts causally."""
        for i, (name, symbol) in enumerate(recipe.plan):
            if symbol is None and self.builder.is_off(name):
                recipe.plan[i] = (name, True)
                if self.acts_causally(recipe):
                    recipe.plan[i] = (name, "causal")
                    return True
                recipe.plan[i] = (name, symbol)
        for parameter in self.call.parameters:
            if parameter.default is False:
                self.call.causal_switch = parameter.name
                if self.acts_causally(recipe, True):
                    return True
        self.call.causal_switch = None
        return False

    def acts_causally(self, recipe, wants_causal=False):
        """The last token changes nothing before it, the first one the last
        output."""
        last = self.moved_by(recipe, -1, wants_causal)
        first = self.moved_by(recipe, 0, wants_causal)
        return last is not None and first is not None and bool(
            last[:-1].max() < 1e-6 < last[-1] and first[-1] > 1e-6)

    def moved_by(self, recipe, token, wants_causal):
        """How far each token's output moves where one token of x does."""
        weights = self.random_weights()
        x = self.tokens(self.sizes)
        changed = to_numpy(x)[0].copy()
        changed[..., token, :] = 1.5
        before = self.outputs(recipe, x, weights, wants_causal)
        after = self.outputs(recipe, self.tensor(changed), weights, wants_causal)
        if before is None or after is None or before.shape != after.shape or (
                before.ndim != self.rank
                or before.shape[-2] != self.sizes.n):
            return None
        moved = numpy.abs(after - before).max(axis=-1)
        return moved.reshape(-1, self.sizes.n).max(axis=0)

    def description(self, recipe):
        return {"kind": self.kind(),
                "problem": "", "problem_kind": "",
                "widths": self.widths if not self.has_heads else "free",
                "d_model": self.fixed["C"], "heads": self.fixed["H"],
                "causal": self.is_causal, "mask": self.mask_kind,
                "takes_no_mask": self.takes_no_mask,
                "is_sublayer": recipe.is_sublayer,
                "mask_forms": self.mask_forms(),
                "filled": clean(plan_text(recipe.plan, self.read)),
                "parameters": parameters_text(recipe.map.entries),
                "settled": recipe.map.is_settled,
                "raw_parameters": any(not entry.leaf.stored
                                      for entry in recipe.map.entries),
                "conventions": conventions(recipe, self.is_pair_open),
                "remarks": list(map(clean, self.remarks + self.names.remarks()
                                    + self.extra_remarks(recipe)))}

    def mask_forms(self):
        if self.call.mask is None:
            return []
        return (["lengths"] if is_lengths(self.call.mask)
                else ["bool", "int", "additive"])

    def extra_remarks(self, recipe):
        names = [name_of(group.first) for group in recipe.map.extra
                 if group.first.is_parameter]
        if not names:
            return []
        return ["not used for the output, left alone: "
                + ", ".join(names[:5])]


def parameters_text(entries):
    """[{"name", "holds", "by"}], one for a list of heads."""
    found, seen = [], set()
    for entry in entries:
        key = pattern(entry.leaf), entry.roles
        if key in seen:
            continue
        seen.add(key)
        name = (entry.leaf.name if entry.head is None
                else ".".join(pattern(entry.leaf)).replace("#", "h", 1))
        found.append({"name": clean(name), "by": entry.by,
                      "holds": " ".join("w_" + role for role in entry.roles),
                      **orientation_of(entry)})
    return found


def orientation_of(entry):
    """How it is stored; {} where that is a convention."""
    is_output = entry.roles == ("o",)
    found = {(layout[0] == "c") != is_output for layout in entry.layouts}
    if len(found) > 1 or entry.layouts[0][0] == "shared":
        return {}
    return {"orientation": "in-out" if found.pop() else "out-in"}


SAID = {"columns": "queries, keys and values: ", "fused": "fused projection: ",
        "output": "output projection: "}


def conventions(recipe, is_pair_open):
    """[{"name", "options": [{"word", "says"}]}], the usual option first."""
    found = []
    for rule in recipe.rules.values():
        if len(rule.layouts) > 1 and rule.convention not in [
                convention["name"] for convention in found]:
            found.append({"name": rule.convention, "options": [
                {"word": word(layout), "says": "" if i == 0 else
                 SAID[rule.convention] + says(
                     layout, rule.convention == "output")}
                for i, layout in enumerate(rule.layouts)]})
    for rule in recipe.rules.values():
        if not isinstance(rule.roles, list) and len(rule.roles) > 1:
            roles = [role for role in rule.roles if role != "o"]
            tail = "o" if "o" in rule.roles else ""
            found.append({"name": "order", "options": [
                {"word": order + tail, "says": "" if i == 0 else
                 "the fused projection holds " + ", ".join(order + tail)}
                for i, order in enumerate(permutations_of(roles))]})
    is_guessed = any(entry.by == "use" for entry in recipe.map.entries)
    if is_guessed:
        orders = ["qkv", "kqv"] if is_pair_open else permutations_of("qkv")
        found.append({"name": "roles", "options": [
            {"word": order, "says": "" if i == 0 else
             "in the order of their use its projections are "
             + ", ".join(order)} for i, order in enumerate(orders)]})
    found.append({"name": "layout", "options": [
        {"word": "batch-first", "says": ""},
        {"word": "sequence-first",
         "says": "takes and returns (n, B, C), the tokens before the batch"}]})
    return found
