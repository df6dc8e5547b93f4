"""The part of the Python host that makes functions of classes with projections,
without the grader around it and without torch. Needs numpy."""

import ast
import collections
import copy
import dataclasses
import itertools
import sys
import time
import types
import unittest
from pathlib import Path

HOST = Path(__file__).resolve().parent.parent / "grader" / "worker"
sys.path.insert(0, str(HOST))
from attngrade_host.definitions import run_definitions, trains  # noqa: E402
from attngrade_host.describing import all_names_used  # noqa: E402
from attngrade_host.imports import top_level_bindings  # noqa: E402
from attngrade_host.libraries import numpy as np  # noqa: E402
from attngrade_host.modules.building import (CONFIG, NOTHING,  # noqa: E402
                                             OWN_CONFIG, RANDOM, Builder,
                                             Unfilled, plan_text)
from attngrade_host.modules.forward import Call, method_of  # noqa: E402
from attngrade_host.modules.late_names import LateNames  # noqa: E402
from attngrade_host.modules.layouts import (arrange, factor_sizes,  # noqa: E402
                                            layouts_of, says, word)
from attngrade_host.modules.leaves import MOST_LEAVES, leaves_of  # noqa: E402
from attngrade_host.modules.names import (TABLE, may_be_output,  # noqa: E402
                                          meaning_of, roles_of)
from attngrade_host.modules.recipe import Keeper  # noqa: E402
from attngrade_host.modules.roles import Sorted, Unmapped, find_map  # noqa: E402
from attngrade_host.modules.sizes import Sizes, text_of, value_of  # noqa: E402
from attngrade_host.modules.study import Study  # noqa: E402
from attngrade_host.modules.triangles import builds_triangle  # noqa: E402
from attngrade_host.modules.weights_beside import (are_weights,  # noqa: E402
                                                   give_output)

MULTI = Sizes(C=30, H=5, d=6, dv=6, n=4, batch=2, long=64)
SINGLE = Sizes(C=10, H=1, d=6, dv=7, n=4, batch=2, long=64)
MODULE = "submitted_for_module_host_test"


def setUpModule():
    if np is None:
        print("SKIPPED: no numpy for %s" % sys.executable, flush=True)
        raise unittest.SkipTest("no numpy")


def run_source(source):
    """A module that has run it."""
    module = types.ModuleType(MODULE)
    module.__file__ = MODULE + ".py"
    module.np = np
    sys.modules[MODULE] = module  # dataclasses look it up
    exec(compile(source, module.__file__, "exec"), vars(module))
    return module


def tree_of(source):
    return ast.parse(source)


class Names(unittest.TestCase):
    def test_the_name_of_a_parameter_tells_its_role(self):
        for roles, names in {
            "q": "W_query q_proj w_q W_Q Wq wq w_qs linear_q fc_q to_q queries "
                 "query_dense query_layer self_query lin_q que q_0",
            "k": "key keys_linear tokeys W_key k_lin to_k",
            "v": "values value_proj Wv vals w_vs",
            "o": "out_proj o_proj W_o wo fc_out fc_o to_out concat "
                 "combine_heads final_linear output_layer o",
            "qkv": "qkv Wqkv qkv_proj query_key_value in_proj_qkv",
            "kqv": "kqv", "kv": "to_kv kv key_value", "qk": "qk to_qk q_and_k",
            "qkvo": "qkvo w_qkvo",
        }.items():
            for name in names.split():
                with self.subTest(name):
                    self.assertEqual("".join(roles_of(name)), roles)

    def test_other_names_tell_no_role(self):
        for name in ("c_attn attn mlp linear linears weight weights heads "
                     "norm embed token_embedding tok_embed tok_emb lm_head cos sin "
                     "pos position pow ok ov kvo gate gamma context memory "
                     "fc1 ffn vocab quick question vector view qq qkq").split():
            with self.subTest(name):
                self.assertEqual(roles_of(name), ())

    def test_names_of_a_last_projection_say_so_alone(self):
        for name in ("proj c_proj fc dense linear final_linear unifyheads "
                     "merge_heads").split():
            self.assertTrue(may_be_output(name), name)
        for name in "q_proj qkv c_attn attn heads out_features x".split():
            self.assertFalse(may_be_output(name), name)

    def test_the_name_of_an_argument_tells_what_it_stands_for(self):
        for meaning, names in {
            "model_width": "d_model dModel D_MODEL embed_dim embed-dim dim d "
                           "n_embd hidden_size nx in_features",
            "heads": "h n_heads numHeads nhead num_attention_heads",
            "key_value_heads": "n_kv_heads num_key_value_heads",
            "head_width": "d_k head_dim head_size dim_head key_size",
            "value_width": "d_v value_size",
            "output_width": "d_out out_features",
            "longest": "block_size max_len context_length n_ctx seq_len",
            "zero": "dropout attn_drop drop_path p dropout_rate",
            "off": "bias qkv_bias use_rope kv_cache rope_theta",
            "on": "scale use_scale batch_first",
            "causal": "causal is_causal masked is_decoder",
            "left_alone": "device dtype seed name eps",
            "config": "config cfg args hparams",
        }.items():
            for name in names.split():
                with self.subTest(name):
                    self.assertEqual(meaning_of(name), meaning)

    def test_other_arguments_stand_for_nothing(self):
        for name in ("k q v n mask vocab_size n_layer ffn_dim max_norm "
                     "temperature activation x num_classes qk_scale groups "
                     "stride window alpha beta hashes").split():
            self.assertIsNone(meaning_of(name), name)

    def test_no_exact_name_has_two_meanings(self):
        for first, second in itertools.combinations(
                ("heads", "key_value_heads", "model_width", "head_width",
                 "value_width", "output_width", "longest", "causal"), 2):
            self.assertFalse(set(TABLE[first]) & set(TABLE[second]),
                             (first, second))


class ValuesOfSizes(unittest.TestCase):
    def test_a_text_of_symbols_is_a_number(self):
        for text, value in (("C", 30), ("H", 5), ("d", 6), ("C/H", 6),
                            ("C // H", 6), ("4*C", 120), ("n", 4), ("12", 12),
                            (" d ", 6), ("long", 64)):
            self.assertEqual(value_of(text, MULTI), value, text)

    def test_anything_else_is_passed_as_it_is(self):
        for value in ("relu", "C+1", "C/0", "", "C*H*d", 3, True, None, 0.5,
                      "__import__('os')"):
            self.assertEqual(value_of(value, MULTI), value)

    def test_symbols_have_names_for_people(self):
        self.assertEqual([text_of(value) for value in ("d", "dv", "C", 0, True)],
                         ["d_k", "d_v", "C", "0", "True"])


def factors_of(roles, has_heads=True, sizes=MULTI):
    return factor_sizes(sizes, roles, has_heads, sizes.d)


class Layouts(unittest.TestCase):
    def setUp(self):
        generator = np.random.default_rng(1)
        self.q, self.k, self.v = (generator.standard_normal((30, 30))
                                  for _ in range(3))

    def words(self, shape, roles=("q",), stored="", **options):
        return [word(layout) for layout in layouts_of(
            shape, factors_of(roles), stored, **options)]

    def test_a_layer_of_torch_has_its_inputs_in_columns(self):
        self.assertEqual(self.words((30, 30), stored="out-in"),
                         ["hd-c", "dh-c"])
        self.assertEqual(self.words((30, 30), ("o",), "out-in", is_output=True),
                         ["c-hd", "c-dh"])

    def test_a_layer_of_flax_has_its_inputs_in_rows(self):
        self.assertEqual(self.words((30, 30), stored="in-out"),
                         ["c-hd", "c-dh"])
        self.assertEqual(self.words((30, 30), ("o",), "in-out", is_output=True),
                         ["hd-c", "dh-c"])

    def test_a_bare_array_is_read_in_out_first(self):
        self.assertEqual(self.words((30, 30)), ["c-hd", "hd-c", "c-dh", "dh-c"])
        self.assertEqual(self.words((30, 30), ("o",), is_output=True)[0], "hd-c")

    def test_axes_of_heads_are_told_by_their_sizes(self):
        self.assertEqual(self.words((5, 30, 6)), ["h-c-d"])
        self.assertEqual(self.words((30, 5, 6)), ["c-h-d"])
        self.assertEqual(self.words((30, 90), ("q", "k", "v"))[:2],
                         ["c-rhd", "c-rdh"])
        self.assertEqual(self.words((3, 30, 30), ("q", "k", "v"))[0], "r-c-hd")
        self.assertEqual(self.words((30, 30, 1, 1))[0], "c-hd")

    def test_shapes_that_fit_nothing_have_no_layout(self):
        for shape in ((), (30,), (1, 1), (30, 31), (900,), (30, 30, 30),
                      (5, 6, 5, 6), (2,) * 40):
            self.assertEqual(self.words(shape), [], shape)

    def test_arrays_are_arranged_as_einsum_has_them(self):
        heads = self.q.reshape(30, 5, 6)
        three = np.stack([self.q, self.k, self.v]).reshape(3, 30, 5, 6)
        for layout, roles, shape, expected in (
            (("c", "hd"), "q", (30, 30), self.q),
            (("hd", "c"), "q", (30, 30), self.q.T),
            (("h", "c", "d"), "q", (5, 30, 6), np.einsum("chd->hcd", heads)),
            (("c", "h", "d"), "q", (30, 5, 6), heads),
            (("c", "dh"), "q", (30, 30),
             np.einsum("chd->cdh", heads).reshape(30, 30)),
            (("rhd", "c"), "qkv", (90, 30),
             np.concatenate([self.q.T, self.k.T, self.v.T])),
            (("c", "rhd"), "qkv", (30, 90),
             np.concatenate([self.q, self.k, self.v], axis=1)),
            (("hrd", "c"), "qkv", (90, 30),
             np.einsum("rchd->hrdc", three).reshape(90, 30)),
            (("r", "h", "c", "d"), "qkv", (3, 5, 30, 6),
             np.einsum("rchd->rhcd", three)),
        ):
            with self.subTest(word(layout)):
                weights = [getattr(self, role) for role in roles]
                found = arrange(weights, layout, shape, factors_of(tuple(roles)))
                self.assertTrue(np.array_equal(found, expected))
                self.assertTrue(found.flags.c_contiguous)
                self.assertIn(layout, layouts_of(
                    shape, factors_of(tuple(roles)), ""))

    def test_an_output_projection_is_arranged_by_its_rows(self):
        # w_o (H d, C) is handed over transposed, as the others are (C, H d)
        for layout, shape, expected in (
            (("hd", "c"), (30, 30), self.q),
            (("c", "hd"), (30, 30), self.q.T),
            (("h", "d", "c"), (5, 6, 30), self.q.reshape(5, 6, 30)),
        ):
            found = arrange([self.q.T], layout, shape, factors_of(("o",)))
            self.assertTrue(np.array_equal(found, expected), layout)

    def test_unusual_layouts_are_told_to_people(self):
        self.assertEqual(says(("c", "dh"), False),
                         "head h owns columns h, h + H, ...; stored (in, out)")
        self.assertEqual(says(("hd", "c"), False),
                         "head after head; stored (out, in)")
        self.assertIn("(in, out)", says(("hd", "c"), True))
        self.assertIn("the heads", says(("d", "h", "r", "c"), False))


class Plans(unittest.TestCase):
    def builder(self, source, construct=None):
        module = run_source(source)
        return Builder(module.A, module, construct or {})

    def plans(self, source, construct=None):
        return self.builder(source, construct).plans()

    def first(self, arguments, construct=None):
        plan = self.plans("class A:\n    def __init__(self, %s): pass"
                          % arguments, construct)[0]
        return {name: symbol for name, symbol in plan if symbol is not None}

    def check(self, arguments, **expected):
        with self.subTest(arguments):
            self.assertEqual(self.first(arguments), expected)

    def test_widths_and_heads_are_told_by_their_names(self):
        self.check("d_model, num_heads", d_model="C", num_heads="H")
        self.check("embed_size, heads, dropout", embed_size="C", heads="H",
                   dropout=0)
        self.check("h, d_model, dropout=0.1", h="H", d_model="C", dropout=0)
        self.check("d_model, d_k, d_v, h", d_model="C", d_k="d", d_v="d", h="H")
        self.check("d_model, d_k, d_v", d_model="C", d_k="d", d_v="dv")
        self.check("d_in, d_out, context_length, dropout, num_heads",
                   d_in="C", d_out="C", context_length="long", dropout=0,
                   num_heads="H")
        self.check("d_in, d_out", d_in="C", d_out="d")
        self.check("input_dim, hidden_dim", input_dim="C", hidden_dim="d")
        self.check("dim, heads=8, n_kv_heads=2", dim="C", heads="H",
                   n_kv_heads="H")

    def test_a_default_width_is_replaced_and_what_is_unknown_stays(self):
        self.check("d_model=512, n_heads=8, layers=6, act='relu'",
                   d_model="C", n_heads="H")
        self.check("d_model, *rest, **more", d_model="C")
        self.check("")

    def test_single_letters_count_where_no_other_name_has_the_role(self):
        self.check("d, h", d="C", h="H")
        self.check("d_model, d", d_model="C", d="d")
        self.check("h, num_heads", h="C", num_heads="H")
        self.check("C: int, H: int", C="C", H="H")
        self.check("C=64, H=8", C="C", H="H")

    def test_a_letter_that_may_be_a_config_is_tried_as_a_width_too(self):
        plans = self.plans("class A:\n    def __init__(self, C, H): pass")
        self.assertEqual([dict(plan)["C"] for plan in plans], [CONFIG, "C"])

    def test_flags_stay_off_and_a_scale_is_on(self):
        self.check("dim, bias=True, scale=False, use_rope=True, flash=False",
                   dim="C", bias=False, scale=True, use_rope=False)
        self.check("dim, bias, batch_first: bool", dim="C", bias=False,
                   batch_first=True)
        self.check("dim, verbose: bool", dim="C", verbose=False)
        self.check('dim, flag: "bool"', dim="C", flag=False)

    def test_a_causal_switch_is_as_the_task_has_it(self):
        for argument in ("causal=True", "is_causal=False", "causal",
                         "mask=False", "mask: bool", "use_mask=True"):
            self.check("dim, " + argument, dim="C", **{
                argument.split("=")[0].split(":")[0]: "causal"})

    def test_a_mask_that_is_no_switch_is_none(self):
        self.check("dim, mask=None", dim="C")
        self.check("dim, causal=None", dim="C")
        with self.assertRaises(Unfilled) as caught:
            self.first("dim, mask")
        self.assertEqual(caught.exception.name, "mask")

    def test_what_nothing_is_known_of_is_named(self):
        for arguments, name in (("d_model, frobnicate", "frobnicate"),
                                ("left, right, heads", "left"),
                                ("*, d_model, initialiser", "initialiser"),
                                ("encoder, d_model", "encoder")):
            with self.assertRaises(Unfilled) as caught:
                self.first(arguments)
            self.assertEqual(caught.exception.name, name)

    def test_the_only_unknown_is_the_width_where_there_is_no_other(self):
        self.check("k, heads=8", k="C", heads="H")
        self.check("size_of_it, dropout=0.1", size_of_it="C", dropout=0)

    def test_a_class_that_makes_its_matrices_when_it_is_called_is_mapped(self):
        found = Studies.study(self, ATTENTION.replace(
            "    def __init__(self, emb, heads=8, mask=False):\n",
            "    def __init__(self, heads=8, mask=False):\n").replace(
            "        self.w_q, self.w_k, self.w_v, self.w_o = (",
            "        self.w_q = None\n"
            "    def build(self, emb):\n"
            "        self.w_q, self.w_k, self.w_v, self.w_o = (").replace(
            "        b, n, e = x.shape\n", "        b, n, e = x.shape\n"
            "        if self.w_q is None: self.build(e)\n"))
        self.assertEqual([one["holds"] for one in found["parameters"]],
                         ["w_q", "w_k", "w_v", "w_o"])
        self.assertTrue(self.recipe.is_built_by_call)

    def test_what_a_class_keeps_of_its_arguments_is_no_matrix_of_its_own(self):
        self.assertIsNone(Studies.study(
            self, "class SelfAttention:\n"
            "    def __init__(self, d_model): pass\n"
            "    def attend(self, q, k, v):\n"
            "        self.weights = q @ k.swapaxes(-1, -2)\n"
            "        return self.weights @ v"))

    def test_a_guess_that_fails_is_told_as_an_unknown(self):
        found = Studies.study(self, ATTENTION.replace("emb", "words").replace(
            "        self.heads,", "        words.split()\n        self.heads,"))
        self.assertIn('"construct": {"words": ...}', found["problem"])

    def test_a_class_that_holds_nothing_to_project_with_says_so(self):
        for source, says in (
            ("class SelfAttention:\n    def __init__(self, d_model): pass\n"
             "    def __call__(self, x): return x", True),
            ("class SelfAttention:\n    def __init__(self, d_model): pass\n"
             "    def __call__(self, q, k, v): return q", False),
            ("class SelfAttention:\n"
             "    def __call__(self, x): return x", False),
        ):
            found = Studies.study(self, source)
            self.assertEqual(bool(found), says)
            if says:
                self.assertIn("it holds no projections", found["problem"])

    def test_a_type_is_the_usual_one_and_chance_has_a_seed(self):
        self.check("d_model, dtype", d_model="C", dtype=NOTHING)
        self.check("d_model, rng", d_model="C", rng=RANDOM)
        builder = self.builder("class A:\n"
                               "    def __init__(self, d_model, dtype, rng):\n"
                               "        self.all = dtype, rng.normal(size=2)")
        made, _ = builder.make(builder.plans()[0], MULTI)
        self.assertIsNone(made.all[0])
        self.assertEqual(made.all[1].shape, (2,))

    def test_what_changes_no_number_is_given(self):
        self.check("d_model, device", d_model="C", device="cpu")
        self.check("d_model, layer_idx, seed", d_model="C", layer_idx=0, seed=0)

    def test_the_task_file_fills_it_and_goes_first(self):
        self.assertEqual(
            self.first("d_model, frobnicate, heads", {
                "frobnicate": 3, "heads": "H", "d_model": "4*C"}),
            {"d_model": "4*C", "frobnicate": 3, "heads": "H"})

    def test_a_name_of_two_roles_has_a_plan_for_each(self):
        plans = self.plans("class A:\n"
                           "    def __init__(self, d_model, n_heads, head_size):\n"
                           "        pass")
        self.assertEqual([dict(plan)["head_size"] for plan in plans],
                         ["d", "C", "H"])

    def test_plans_are_few_whatever_the_constructor_asks(self):
        source = "class A:\n    def __init__(self, heads, %s): pass" % ", ".join(
            "d%s" % name for name in ("_k", "k", "_q", "_qk", "_head", "_key",
                                      "_attn", "_attention", "_v", "v", "_out",
                                      "_output", "_proj"))
        self.assertEqual(len(self.plans(source)), 24)

    def test_an_object_is_made_with_what_can_only_be_passed_by_place(self):
        module = run_source("class A:\n"
                            "    def __init__(self, d_model, h, /, bias=True):\n"
                            "        self.got = d_model, h, bias")
        builder = Builder(module.A, module, {})
        made, read = builder.make(builder.plans()[0], MULTI)
        self.assertEqual((made.got, read), ((30, 5, False), {}))

    def test_hostile_annotations_and_defaults_are_only_that(self):
        module = run_source(
            "class Loud:\n"
            "    def __eq__(self, other): raise ValueError\n"
            "    __hash__ = None\n"
            "    def __bool__(self): raise ValueError\n"
            "class A:\n"
            "    def __init__(self, d_model: [int], heads: Loud() = Loud(),\n"
            "                 config=np.ones(3), flag: {} = Loud()): pass\n"
            "    def forward(self, x: np.ones(3), mask: Loud() = Loud()): pass")
        plan = dict(Builder(module.A, module, {}).plans()[0])
        self.assertEqual((plan["d_model"], plan["heads"], plan["flag"]),
                         ("C", "H", None))
        self.assertEqual(Call(module.A, "forward").mask.name, "mask")

    def test_a_class_without_a_signature_has_one_empty_plan(self):
        module = run_source("class A:\n    __signature__ = 3")
        self.assertEqual(Builder(module.A, module, {}).plans(), [[]])


OWN = """
from dataclasses import dataclass
@dataclass%s
class GPTConfig:
    n_embd: int = 768
    n_head: int = 12
    block_size: int = 1024
    dropout: float = 0.1
    bias: bool = True
    vocab_size: int = 50257
    @property
    def head_dim(self): return self.n_embd // self.n_head
class A:
    def __init__(self, config%s): self.config = config
"""


class Configs(unittest.TestCase):
    def made(self, source, plan=0, construct=None, wants_causal=False):
        module = run_source(source)
        builder = Builder(module.A, module, construct or {})
        made, self.read = builder.make(builder.plans()[plan], MULTI,
                                       wants_causal)
        self.text = plan_text(builder.plans()[plan], self.read)
        return made.config

    def test_the_files_own_class_is_made_with_our_sizes(self):
        for frozen, annotation in (("", ""), ("(frozen=True)", ": GPTConfig"),
                                   ("", ": 'GPTConfig'")):
            config = self.made(OWN % (frozen, annotation))
            self.assertEqual(type(config).__name__, "GPTConfig")
            self.assertEqual(
                (config.n_embd, config.n_head, config.block_size, config.dropout,
                 config.bias, config.vocab_size, config.head_dim),
                (30, 5, 64, 0, False, 50257, 6))

    def test_what_was_filled_is_said_in_the_same_order_each_time(self):
        self.made(OWN % ("", ""))
        self.assertEqual(self.text, "config.n_embd = C, config.n_head = H, "
                         "config.block_size = long enough, config.dropout = 0, "
                         "config.bias = False")

    def test_attributes_of_a_class_and_of_its_objects_are_written(self):
        for body in ("    dim, heads, name = 512, 8, 'x'\n",
                     "    def __init__(self): self.dim, self.heads = 512, 8\n"):
            config = self.made("class Config:\n" + body + "class A:\n"
                               "    def __init__(self, cfg): self.config = cfg")
            self.assertEqual((config.dim, config.heads), (30, 5))

    def test_a_property_that_raises_is_not_looked_at(self):
        config = self.made(
            "class Config:\n    n_head = 8\n    @property\n"
            "    def n_embd(self): raise RuntimeError('not yet')\n"
            "class A:\n    def __init__(self, cfg): self.config = cfg")
        self.assertEqual((type(config).__name__, config.n_head), ("Config", 5))

    def test_a_config_of_elsewhere_answers_by_name_and_subscript(self):
        config = self.made("class A:\n"
                           "    def __init__(self, args): self.config = args")
        self.assertEqual((config.d_model, config["num_heads"],
                          config.get("head_dim"), config.dropout), (30, 5, 6, 0))
        self.assertEqual((config.unheard_of, config.get("other", 3),
                          "anything" in config), (False, 3, True))
        self.assertEqual(self.read, {"d_model": "C", "num_heads": "H",
                                     "head_dim": "d", "dropout": 0})

    def test_its_switch_is_as_the_task_has_it(self):
        source = "class A:\n    def __init__(self, cfg): self.config = cfg"
        for wants in (False, True):
            self.assertIs(self.made(source, wants_causal=wants).is_causal, wants)

    def test_the_task_file_fills_attributes_too(self):
        for source, plan in ((OWN % ("", ""), 0), (OWN % ("", ""), 1)):
            config = self.made(source, plan, {"vocab_size": 7, "n_embd": "2*C"})
            self.assertEqual((config.vocab_size, config.n_embd, config.n_head),
                             (7, 60, 5))

    def test_a_config_can_be_copied_and_has_no_secret_attributes(self):
        config = self.made("class A:\n"
                           "    def __init__(self, cfg): self.config = cfg")
        self.assertEqual(copy.deepcopy(config).d_model, 30)
        with self.assertRaises(AttributeError):
            config.__array__


class Plain:
    """What attributes are set on."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


def floats(*shape):
    return np.random.default_rng(len(shape)).standard_normal(shape)


class Leaves(unittest.TestCase):
    def names(self, root):
        return [leaf.name for leaf in leaves_of(root)]

    def test_arrays_are_found_in_attributes_lists_and_dicts(self):
        root = Plain(w_q=floats(3, 3), layers=[floats(2, 2), floats(2, 2)],
                     params={"k": floats(2, 2), 3: floats(1)},
                     inner=Plain(deep=Plain(w=floats(4, 4))), pair=(floats(2),))
        self.assertEqual(self.names(root),
                         ["w_q", "layers.0", "layers.1", "params.k", "params.3",
                          "inner.deep.w", "pair.0"])

    def test_what_is_no_floating_point_array_is_none(self):
        root = Plain(mask=np.ones((3, 3), bool), index=np.arange(3), size=3,
                     text="w", none=None, kind=float, objects=np.array([None]),
                     half=np.ones((2, 2), np.float16), f=lambda: floats(3))
        self.assertEqual(self.names(root), ["half"])

    def test_an_array_in_two_places_counts_once(self):
        w = floats(3, 3)
        self.assertEqual(self.names(Plain(a=w, b=w, c=[w])), ["a"])

    def test_arrays_are_written_wherever_they_are(self):
        Pair = collections.namedtuple("Pair", "k v")

        @dataclasses.dataclass(frozen=True)
        class Frozen:
            w: object

        def locked():
            array = floats(2, 2).astype(np.float32)
            array.flags.writeable = False
            return array
        root = Plain(plain=floats(2, 2), locked=locked(), listed=[locked()],
                     named={"w": locked()}, pair=(locked(), locked()),
                     nested=[(locked(), Pair(locked(), floats(2, 2)))],
                     frozen=Frozen(locked()))
        leaves = leaves_of(root)
        self.assertEqual(len(leaves), 10)
        for number, leaf in enumerate(leaves):
            leaf.write(np.full((2, 2), float(number)))
        again = leaves_of(root)
        self.assertEqual([leaf.name for leaf in leaves],
                         [leaf.name for leaf in again])
        self.assertEqual([leaf.value[0, 0] for leaf in again], list(range(10)))
        self.assertEqual({str(leaf.value.dtype) for leaf in again},
                         {"float64", "float32"})
        self.assertIsInstance(root.nested[0][1], Pair)

    def test_cycles_and_depth_have_an_end(self):
        root = Plain(w=floats(2, 2))
        root.me, root.list = root, [root]
        root.list.append(root.list)
        deep = Plain(w=floats(2, 2))
        for _ in range(100):
            deep = Plain(next=deep)
        root.deep = deep
        self.assertEqual(self.names(root), ["w"])

    def test_long_lists_are_cut(self):
        began = time.monotonic()
        root = Plain(numbers=list(range(10 ** 6)),
                     arrays=[floats(1) for _ in range(2 * MOST_LEAVES)],
                     many={i: i for i in range(10 ** 6)})
        self.assertEqual(len(self.names(root)), MOST_LEAVES)
        self.assertLess(time.monotonic() - began, 10)

    def test_an_object_that_raises_when_looked_at_hides_no_other(self):
        class Loud:
            def __getattribute__(self, name):
                raise RuntimeError(name)

        class Endless(dict):
            def items(self):
                return ((str(i), i) for i in itertools.count())

        class Slippery(list):
            def __getitem__(self, key):
                raise ValueError

        class Array(np.ndarray):
            @property
            def shape(self):
                raise RuntimeError
        root = Plain(a=Loud(), b=[Loud(), floats(2)], c=Endless(), d=Slippery(),
                     e=floats(2, 2).view(Array), z=floats(3, 3))
        self.assertEqual(self.names(root), ["b.1", "z"])

    def test_an_object_that_answers_everything_is_looked_into(self):
        class Yes:
            def __init__(self):
                self.w = floats(2, 2)

            def __getattr__(self, name):
                return lambda *arguments: self
        self.assertEqual(self.names(Yes()), ["w"])
        self.assertEqual(self.names(Plain(inner=Yes())), ["inner.w"])

    def test_properties_are_not_asked(self):
        class Lazy:
            def __init__(self):
                self.w = floats(2, 2)

            @property
            def other(self):
                raise AssertionError("asked")
        self.assertEqual(self.names(Lazy()), ["w"])

    def test_leaves_are_told_by_what_is_done_with_them(self):
        root = Plain(w_q=floats(3, 3), b_q=floats(3), bias=floats(3),
                     bk=floats(3), rel_pos=floats(7, 3), lora_A=floats(3, 2),
                     gate=floats(1), mask=np.tril(np.ones((4, 4))))
        found = Sorted(leaves_of(root))
        self.assertEqual([[leaf.name for leaf in leaves] for leaves in (
            found.matrices, found.biases, found.tables, found.gates)],
            [["w_q"], ["b_q", "bias", "bk"], ["rel_pos", "lora_A"], ["gate"]])


class Roles(unittest.TestCase):
    task_file = {}

    def map(self, has_heads=True, sizes=MULTI, order=None, **arrays):
        leaves = Sorted(leaves_of(Plain(**arrays))).matrices
        order = order or [leaf.name for leaf in leaves]
        return find_map(leaves, sizes, has_heads,
                        lambda leaf: order.index(leaf.name), self.task_file)

    def roles(self, *arguments, **options):
        found = self.map(*arguments, **options)
        return ({entry.leaf.name: "".join(entry.roles)
                 for entry in found.entries}, found.is_settled)

    def square(self, names):
        return {name: floats(30, 30) for name in names.split()}

    def test_names_settle_the_roles(self):
        self.assertEqual(
            self.roles(**self.square("w_v w_o w_k w_q")),
            ({"w_v": "v", "w_o": "o", "w_k": "k", "w_q": "q"}, True))
        found = self.map(**self.square("query key value dense"))
        self.assertEqual({(entry.leaf.name, entry.by) for entry in found.entries},
                         {("query", "name"), ("key", "name"), ("value", "name"),
                          ("dense", "name")})

    def test_two_names_leave_the_third_to_its_shape(self):
        roles, is_settled = self.roles(**self.square("w_q w_k thing proj"))
        self.assertEqual(roles, {"w_q": "q", "w_k": "k", "thing": "v",
                                 "proj": "o"})
        self.assertTrue(is_settled)

    def test_fused_arrays_are_told_by_name_and_shape(self):
        for name in ("qkv", "c_attn", "stuff"):
            self.assertEqual(
                self.roles(**{name: floats(30, 90), "proj": floats(30, 30)}),
                ({name: "qkv", "proj": "o"}, True))
        self.assertEqual(self.roles(w_q=floats(30, 30), to_kv=floats(30, 60)),
                         ({"w_q": "q", "to_kv": "kv"}, True))
        self.assertEqual(self.roles(everything=floats(30, 120))[0],
                         {"everything": "qkvo"})

    def test_lists_are_one_parameter(self):
        self.assertEqual(
            self.roles(linears=[floats(30, 30) for _ in range(4)]),
            ({"linears.0": "q", "linears.1": "k", "linears.2": "v",
              "linears.3": "o"}, False))
        found = self.map(w_q=[floats(30, 6) for _ in range(5)],
                         w_k=[floats(30, 6) for _ in range(5)],
                         w_v=[floats(30, 6) for _ in range(5)])
        self.assertEqual([(entry.leaf.name, entry.head)
                          for entry in found.entries[:2]],
                         [("w_q.0", 0), ("w_q.1", 1)])

    def test_names_that_say_nothing_go_by_the_order_of_use(self):
        arrays = self.square("alef bet gimel proj")
        roles, is_settled = self.roles(order=["gimel", "alef", "bet", "proj"],
                                       **arrays)
        self.assertEqual(roles, {"gimel": "q", "alef": "k", "bet": "v",
                                 "proj": "o"})
        self.assertFalse(is_settled)

    def test_widths_of_one_head_are_told_apart(self):
        self.assertEqual(
            self.roles(False, SINGLE, w_q=floats(10, 6), w_k=floats(10, 6),
                       w_v=floats(10, 7)),
            ({"w_q": "q", "w_k": "k", "w_v": "v"}, True))

    def test_one_matrix_for_all_heads_is_shared(self):
        found = self.map(w_q=floats(6, 6), w_k=floats(6, 6), w_v=floats(6, 6),
                         w_o=floats(30, 30))
        self.assertEqual(found.entries[0].layouts, [("shared",), ("shared", "t")])

    def test_matrices_without_a_role_are_left_over(self):
        found = self.map(mystery=floats(8, 9), **self.square("w_q w_k w_v"))
        self.assertEqual([group.first.name for group in found.extra],
                         ["mystery"])

    def test_the_task_file_says_what_names_do_not(self):
        self.task_file = {"alef": "w_v", "bet": ["w_q"], "gimel": "w_k",
                          "dalet": "w_o", "unheard_of": "w_q"}
        found = self.map(**self.square("alef bet gimel dalet"))
        self.assertEqual({entry.leaf.name: entry.roles for entry in found.entries},
                         {"alef": ("v",), "bet": ("q",), "gimel": ("k",),
                          "dalet": ("o",)})
        self.assertTrue(found.is_settled)
        self.assertEqual({entry.by for entry in found.entries}, {"task"})

    def test_the_task_file_names_one_of_a_list_or_all_heads_of_it(self):
        self.task_file = {"layers.2": "w_q", "layers.0": "w_k", "layers.1": "w_v"}
        found = self.map(layers=[floats(30, 30) for _ in range(3)])
        self.assertEqual({entry.leaf.name: entry.roles for entry in found.entries},
                         {"layers.2": ("q",), "layers.0": ("k",),
                          "layers.1": ("v",)})
        self.task_file = {"a.h": "w_q", "b.h": "w_k", "c.h": "w_v"}
        found = self.map(**{name: [floats(30, 6) for _ in range(5)]
                            for name in "abc"})
        self.assertEqual([(entry.leaf.name, entry.roles, entry.head)
                          for entry in found.entries[4:6]],
                         [("a.4", ("q",), 4), ("b.0", ("k",), 0)])

    def test_a_task_file_that_does_not_fit_is_told(self):
        self.task_file = {"alef": "w_q"}
        with self.assertRaises(Unmapped) as caught:
            self.map(alef=floats(7, 8), **self.square("w_k w_v"))
        self.assertEqual(str(caught.exception), "the task file says that alef "
                         "7x8 holds w_q, and its shape does not")

    def test_what_cannot_be_told_apart_says_what_was_found(self):
        for text, arrays in (
            ("its parameters cannot be told apart: it has no matrices", {}),
            ("its parameters cannot be told apart: alef 30x30, bet 30x30",
             self.square("alef bet")),
            ("w_k 6x30 does not hold k of width 30 (heads 5)",
             dict(self.square("w_q w_v"), w_k=floats(6, 30))),
        ):
            with self.subTest(text):
                with self.assertRaises(Unmapped) as caught:
                    self.map(**arrays)
                self.assertEqual(str(caught.exception), text)

    def test_of_many_the_first_are_listed(self):
        with self.assertRaises(Unmapped) as caught:
            self.map(**{"m%s" % chr(97 + i): floats(30, 30) for i in range(20)})
        self.assertTrue(str(caught.exception).endswith("ml 30x30, ..."),
                        caught.exception)


class Triangles(unittest.TestCase):
    def check(self, source, expected):
        with self.subTest(source):
            self.assertIs(builds_triangle(
                "A", top_level_bindings(tree_of(source))), expected)

    def test_a_mask_in_a_method_that_runs_counts(self):
        for body in ("np.tril(np.ones((3, 3)))", "torch.triu(x, 1)",
                     "x.tril()", "F.sdpa(q, k, v, is_causal=True)",
                     "self.helper()"):
            self.check("class A:\n    def forward(self, x):\n        %s\n"
                       "    def helper(self): return tril(3)" % body, True)

    def test_one_in_a_method_that_nothing_calls_does_not(self):
        self.check("class A:\n    def forward(self, x): return x\n"
                   "    def demo(self): return np.tril(3)", False)
        self.check("class A:\n    def forward(self, x):\n"
                   "        return F.sdpa(x, x, x, is_causal=False)", False)
        self.check("def demo(): return np.tril(3)\n"
                   "class A:\n    def forward(self, x): return x", False)

    def test_helpers_bases_and_parts_count(self):
        self.check("def mask(n): return np.triu(n)\n"
                   "class A:\n    def forward(self, x): return mask(x)", True)
        self.check("class B:\n    def __init__(self): self.m = np.tril(3)\n"
                   "class A(B):\n    def forward(self, x): return x", True)
        self.check("class Head:\n    def forward(self, x): return tril(x)\n"
                   "class A:\n    def __init__(self): self.h = Head()", True)

    def test_functions_that_use_each_other_have_an_end(self):
        self.check("def f(): return g()\ndef g(): return f()\n"
                   "class A:\n    def forward(self, x): return f()", False)
        self.check("x = 1", False)


class LateNamesOfFiles(unittest.TestCase):
    def late(self, source):
        self.module = types.ModuleType(MODULE)
        return LateNames(self.module, tree_of(source), MULTI)

    def provide(self, names, name):
        return names.provide(NameError("name '%s' is not defined" % name))

    def test_what_the_file_sets_under_main_is_given(self):
        names = self.late("if __name__ == '__main__':\n"
                          "    n_head = 6\n    width = 4 * n_head\n"
                          "    model = build()\n")
        self.assertTrue(self.provide(names, "width"))
        self.assertEqual(self.module.width, 24)
        self.assertFalse(hasattr(self.module, "n_head"))
        self.assertEqual(names.remarks(),
                         ["set for the class, the file does not: width = 24"])

    def test_what_it_nowhere_sets_goes_by_its_name(self):
        names = self.late("")
        for name, value in (("n_embd", 30), ("block_size", 64), ("dropout", 0)):
            self.assertTrue(self.provide(names, name))
            self.assertEqual(getattr(self.module, name), value)

    def test_nothing_is_given_twice_or_of_unknown_names(self):
        names = self.late("if __name__ == '__main__':\n    model = build()\n"
                          "    x = model + 1\n")
        for name in ("frobnicate", "model", "x"):
            self.assertFalse(self.provide(names, name), name)
        self.module.n_embd = 3
        self.assertFalse(self.provide(names, "n_embd"))
        self.assertFalse(names.provide(NameError("something else")))
        self.assertEqual(names.remarks(), [])


class Definitions(unittest.TestCase):
    def run_only(self, source):
        module = types.ModuleType(MODULE)
        module.__file__ = MODULE + ".py"
        run_definitions(tree_of(source), module)
        return {name for name in vars(module) if not name.startswith("__")} - {
            "np", "torch", "nn", "F", "math"}, module

    def test_a_loop_that_goes_back_through_gradients_trains(self):
        for source, expected in (
            ("for x in data:\n    loss.backward()", True),
            ("while True:\n    model.fit(x)", True),
            ("if main:\n    for x in data:\n        loss.backward()", True),
            ("def train():\n    for x in y: loss.backward()", False),
            ("loss.backward()", False),
            ("for x in range(3): print(x)", False),
            ("", False),
        ):
            self.assertIs(trains(tree_of(source)), expected, source)

    def test_imports_definitions_and_settings_are_run(self):
        names, module = self.run_only(
            "import json\nfrom math import pi as P\nwidth = 4 * 8\n"
            "heads: int = 4\nsizes = [width, heads]\n"
            "data = open('nowhere')\nmodel = A()\nprint(width)\n"
            "def f(): return width\nclass A: pass\n"
            "if __name__ == '__main__':\n    late = 3\n    run()\n")
        self.assertEqual(names, {"json", "P", "width", "heads", "sizes", "f", "A",
                                 "late"})
        self.assertEqual(module.f(), 32)

    def test_one_that_fails_spoils_no_other(self):
        names, _ = self.run_only(
            "import no_such_module_of_ours\nx = nothing + 1\n"
            "class B(Missing): pass\n@missing\ndef g(): pass\n"
            "def h(x=missing): pass\nclass A: pass")
        self.assertEqual(names, {"A"})

    def test_usual_names_are_there_if_their_library_is(self):
        _, module = self.run_only("rows = np.pi")
        self.assertIs(module.np, np)
        self.assertEqual(module.rows, np.pi)


class Calls(unittest.TestCase):
    def call(self, parameters, body="pass"):
        module = run_source("class A:\n    def forward(self%s): %s"
                            % (parameters and ", " + parameters, body))
        return Call(module.A, "forward")

    def check(self, parameters, positional, named=(), mask=None, causal=False):
        with self.subTest(parameters):
            self.assertEqual(
                self.call(parameters).arguments("X", mask, causal, MULTI),
                (positional, dict(named)))

    def test_x_is_in_every_place(self):
        self.check("x", ["X"])
        self.check("q, k, v", ["X", "X", "X"])
        self.check("x, context", ["X", "X"])
        self.check("x, temperature=1.0", ["X"])
        self.check("*, x", [], {"x": "X"})
        self.check("q, /, *, k, v", ["X"], {"k": "X", "v": "X"})
        self.check("q, /, gain=1, *, k", ["X"], {"k": "X"})

    def test_the_mask_is_in_its_place(self):
        self.check("q, k, v, mask=None", ["X", "X", "X"])
        self.check("q, k, v, mask=None", ["X", "X", "X", "M"], mask="M")
        self.check("x, context=None, mask=None", ["X"], {"mask": "M"}, "M")
        self.check("x, mask", ["X", None])
        self.check("mask, x", ["M", "X"], mask="M")
        self.check("x, valid_lens", ["X", "M"], mask="M")
        self.check("x, *, mask", ["X"], {"mask": None})

    def test_of_two_masks_the_one_of_queries_and_keys_is_taken(self):
        for parameters, name in (
            ("x, key_padding_mask=None, attn_mask=None", "attn_mask"),
            ("x, trg_mask=None, src_mask=None", "src_mask"),
            ("x, weird_mask=None, other_mask=None", "weird_mask"),
        ):
            self.assertEqual(self.call(parameters).mask.name, name)

    def test_flags_are_no_masks(self):
        call = self.call("x, mask=True, need_weights=False, use_cache: bool = 0")
        self.assertIsNone(call.mask)
        self.assertEqual(call.causal_switch, "mask")
        self.assertIsNone(self.call("x, return_mask=False").causal_switch)
        self.check("x, is_causal=False", ["X", True], causal=True)
        self.check("x, shift: bool", ["X", False])

    def test_switches_are_as_evaluation_has_them(self):
        self.check("x, training, deterministic", ["X", False, True])
        self.check("x, scale=1.0, training=True", ["X"], {"training": False})
        self.check("x, training=None, other=True", ["X"])

    def test_a_rotation_turns_nothing(self):
        (_, cos, sin), _ = self.call("x, cos, sin").arguments(
            floats(2, 4, 30), None, False, MULTI)
        self.assertTrue(cos.shape == sin.shape == (4, 6))
        self.assertTrue((cos == 1).all() and (sin == 0).all())
        (_, turns), _ = self.call("x, freqs_cis").arguments(
            floats(2, 4, 30), None, False, MULTI)
        self.assertTrue(turns.shape == (4, 3) and (turns == 1 + 0j).all())

    def test_forms_are_tried_in_their_order(self):
        self.assertEqual(self.call("x").forms(), ["apart", "tuple", "list"])
        self.assertEqual(self.call("q, k=None, v=None").forms(),
                         ["apart", "all", "tuple", "list"])
        self.assertEqual(self.call("q, k, v").forms(), ["apart"])
        self.assertEqual(self.call("*inputs").forms(), ["apart", "three"])

    def test_a_form_says_how_tensors_are_passed(self):
        for parameters, form, expected in (
            ("inputs", "tuple", ([("X", "X", "X")], {})),
            ("inputs", "list", ([["X", "X", "X"]], {})),
            ("q, k=None, v=None", "all", (["X", "X", "X"], {})),
            ("*inputs", "three", (["X", "X", "X"], {})),
            ("*inputs", "apart", (["X"], {})),
        ):
            call = self.call(parameters)
            call.form = form
            self.assertEqual(call.arguments("X", None, False, MULTI), expected)

    def test_methods_without_an_object_keep_their_first_parameter(self):
        for decorator, first in (("staticmethod", ""), ("classmethod", "cls, ")):
            module = run_source("class A:\n    @%s\n    def forward(%sx, mask):\n"
                                "        pass" % (decorator, first))
            self.assertEqual(
                [p.name for p in Call(module.A, "forward").parameters],
                ["x", "mask"])

    def test_the_method_that_is_called_is_found(self):
        for body, expected in (
            ("def forward(self): pass\n    def __call__(self): pass", "forward"),
            ("def __call__(self): pass", "__call__"),
            ("def attend(self): pass\n    def other(self): pass", "attend"),
            ("def only(self): pass\n    def _hidden(self): pass", "only"),
            ("def one(self): pass\n    def two(self): pass", None),
            ("forward = 3", None),
            ("pass", None),
        ):
            module = run_source("class A:\n    " + body)
            self.assertEqual(method_of(module.A), expected, body)


ATTENTION = """
class SelfAttention:
    def __init__(self, emb, heads=8, mask=False):
        self.heads, self.mask = heads, mask
        self.w_q, self.w_k, self.w_v, self.w_o = (
            np.random.randn(emb, emb) for _ in range(4))
    def __call__(self, x):
        b, n, e = x.shape
        h = self.heads
        q, k, v = (
            (x @ w).reshape(b, n, h, e // h).transpose(0, 2, 1, 3)
            for w in (self.w_q, self.w_k, self.w_v))
        s = q @ k.swapaxes(-1, -2) / np.sqrt(e // h)
        if self.mask:
            s = np.where(np.triu(np.ones((n, n)), 1) > 0, -np.inf, s)
        s = np.exp(s - s.max(-1, keepdims=True))
        y = s / s.sum(-1, keepdims=True) @ v
        return y.transpose(0, 2, 1, 3).reshape(b, n, e) @ self.w_o
"""


class Studies(unittest.TestCase):
    """Whole classes, in numpy."""

    def study(self, source, name="SelfAttention", task_file=None):
        module = run_source(source)
        tree = tree_of(source)
        bindings = top_level_bindings(tree)
        self.recipe, found = Study(
            getattr(module, name), module, "numpy", tree, bindings,
            all_names_used(name, bindings), task_file or {}).run()
        return found

    def test_a_class_is_described(self):
        found = self.study(ATTENTION)
        self.assertEqual((found["kind"], found["problem"], found["mask"]),
                         ("multi_head_attention", "", "none"))
        self.assertEqual([(one["name"], one["holds"], one["by"])
                          for one in found["parameters"]],
                         [(name, name, "name")
                          for name in ("w_q", "w_k", "w_v", "w_o")])
        self.assertTrue(found["settled"] and found["raw_parameters"])
        self.assertEqual([one["name"] for one in found["conventions"]],
                         ["columns", "output", "layout"])

    def test_a_mask_that_is_switched_on_is_no_fault_where_it_is_off(self):
        found = self.study(ATTENTION)
        self.assertEqual(found["causal"], "switch")
        self.assertEqual(found["filled"],
                         "emb = C, heads = H, mask = as the task has it")
        self.assertEqual(
            self.study(ATTENTION.replace("mask=False", "mask=None"))["causal"],
            "always")

    def test_a_switch_of_any_name_is_found_by_what_it_does(self):
        for source, filled in (
            (ATTENTION.replace("mask=False", "extra=False, peek=False").replace(
                "heads, mask\n", "heads, peek\n"),
             "emb = C, heads = H, peek = as the task has it"),
            (ATTENTION.replace(", mask=False", "").replace(", mask\n", ", 0\n")
             .replace("(self, x)", "(self, x, other=False, peek=False)")
             .replace("if self.mask", "if peek"), "emb = C, heads = H"),
        ):
            found = self.study(source)
            self.assertEqual((found["causal"], found["filled"]),
                             ("switch", filled))
        self.assertEqual(self.recipe.call.causal_switch, "peek")

    def test_a_switch_counts_whatever_the_mask_is_built_of(self):
        triangle = "np.triu(np.ones((n, n)), 1) > 0"
        self.assertIn(triangle, ATTENTION)
        found = self.study(ATTENTION.replace(
            triangle, "np.arange(n) > np.arange(n)[:, None]"))
        self.assertEqual(found["causal"], "switch")

    def test_a_mask_that_does_nothing_is_a_causal_class_all_the_same(self):
        found = self.study(ATTENTION.replace("-np.inf, s", "0 * s, s").replace(
            "mask=False", "dense=False").replace("if self.mask", "if True")
            .replace("heads, mask\n", "heads, 0\n"))
        self.assertEqual(found["causal"], "always")
        self.assertIsNone(self.recipe.call.causal_switch)

    def test_short_names_are_widths(self):
        source = ATTENTION.replace("emb", "C").replace("heads=8", "heads")
        self.assertEqual(self.study(source)["filled"],
                         "C = C, heads = H, mask = as the task has it")

    def test_arrays_in_a_tuple_are_written(self):
        source = ATTENTION.replace(
            "self.w_q, self.w_k, self.w_v, self.w_o = (",
            "self.w = tuple(").replace(
            "(self.w_q, self.w_k, self.w_v)", "self.w[:3]").replace(
            "self.w_o", "self.w[3]")
        found = self.study(source)
        self.assertEqual([one["holds"] for one in found["parameters"]],
                         ["w_q", "w_k", "w_v", "w_o"])

    def test_what_cannot_be_filled_says_the_line_that_would(self):
        source = ATTENTION.replace("mask=False", "mask=False, *, frob")
        found = self.study(source)
        self.assertEqual(found["problem_kind"], "constructor")
        self.assertIn('"construct": {"frob": ...}', found["problem"])
        found = self.study(source, task_file={"construct": {"frob": 1}})
        self.assertEqual(found["problem"], "")

    def test_what_the_constructor_raises_is_told(self):
        found = self.study(ATTENTION.replace(
            "        b, n", "        b, n").replace(
            "        self.heads,", "        raise ValueError('no')\n"
            "        self.heads,"))
        self.assertEqual(found, {
            "problem": "its constructor fails: ValueError: no",
            "kind": "", "problem_kind": "constructor"})

    def test_a_class_without_matrices_is_none(self):
        self.assertIsNone(self.study("class SelfAttention:\n"
                                     "    def __call__(self, x): return x"))
        self.assertIsNone(self.study("class SelfAttention: pass"))

    def test_a_hostile_attribute_changes_nothing(self):
        found = self.study(
            "class Loud:\n    def __getattribute__(self, name): raise OSError\n"
            + ATTENTION.replace("        self.heads,", "        self.loud = "
                                "Loud()\n        self.heads,"))
        self.assertEqual(found["problem"], "")


class WeightsBesideTheResult(unittest.TestCase):
    """Left in an attribute, or returned by a layer."""

    study = Studies.study
    KEPT = ATTENTION.replace("        y = s / s.sum(-1, keepdims=True) @ v",
                             "        self.attn = s / s.sum(-1, keepdims=True)\n"
                             "        y = self.attn @ v")

    def place(self, source):
        self.study(source)
        found = self.recipe.beside
        return found and (found.path, found.attribute)

    def test_an_attribute_that_the_call_sets_is_found(self):
        self.assertIn("self.attn =", self.KEPT)
        self.assertEqual(self.place(self.KEPT), ("", "attn"))
        self.assertIn("its weights are read from `attn`, which the call sets",
                      self.study(self.KEPT)["remarks"])
        self.assertIsNone(self.place(ATTENTION))

    def test_one_that_holds_something_else_is_none(self):
        for source in (
            self.KEPT.replace("self.attn = s / s.sum(-1, keepdims=True)",
                              "self.attn = s").replace(
                "self.attn @ v", "(s / s.sum(-1, keepdims=True)) @ v"),
            self.KEPT.replace("self.attn = s / s.sum(-1, keepdims=True)",
                              "self.attn = (s / s.sum(-1, keepdims=True))[:1]")
            .replace("self.attn @ v", "(s / s.sum(-1, keepdims=True)) @ v"),
        ):
            self.assertIsNone(self.place(source), source)

    def test_what_is_returned_needs_nothing_beside_it(self):
        self.assertIsNone(self.place(self.KEPT.replace(
            "@ self.w_o\n", "@ self.w_o, self.attn\n")))

    def test_an_object_within_may_hold_it(self):
        self.assertEqual(self.place(
            "class Inner: pass\n" + self.KEPT.replace(
                "        self.heads,", "        self.inner = Inner()\n"
                "        self.heads,", 1).replace("self.attn", "self.inner.seen")),
            ("inner", "seen"))

    def test_only_what_gives_the_output_counts(self):
        random = np.random.default_rng(3)
        x, w_v, w_o = (random.standard_normal(shape) for shape in (
            (2, 4, 6), (6, 8), (8, 6)))
        weights = random.dirichlet(np.ones(4), (2, 2, 4))
        values = (x @ w_v).reshape(2, 4, 2, 4).transpose(0, 2, 1, 3)
        output = (weights @ values).transpose(0, 2, 1, 3).reshape(2, 4, 8) @ w_o
        self.assertTrue(give_output(weights, output, x, w_v, w_o))
        self.assertFalse(give_output(weights[..., ::-1], output, x, w_v, w_o))
        self.assertFalse(give_output(weights, output[:1], x, w_v, w_o))
        self.assertFalse(give_output(weights, output * np.nan, x, w_v, w_o))
        self.assertFalse(give_output("weights", output, x, w_v, w_o))
        single = weights[:, 0]
        self.assertTrue(give_output(single, single @ (x @ w_v), x, w_v, None))

    def test_a_hostile_array_is_none(self):
        class Loud:
            shape = (2, 4, 4)

            def __array__(self, *arguments):
                raise OSError

        self.assertFalse(are_weights(Loud(), (2, 4, 4)))


class ObjectsOfCalls(unittest.TestCase):
    def setUp(self):
        self.keeper = Keeper()
        self.made = 0

    def get(self, key, value, wants_same=True):
        def make(weights):
            self.made += 1
            return self.made
        return self.keeper.get(wants_same, key, {"q": np.full((2, 2), value)},
                               make)

    def test_the_same_object_is_there_for_the_same_sizes_and_weights(self):
        for key, value, expected in (("a", 1, 1), ("a", 1, 1), ("a", 2, 2),
                                     ("b", 2, 3), ("b", 2, 3)):
            self.assertEqual(self.get(key, value), expected)
            self.keeper.keep()

    def test_it_is_a_new_one_where_nobody_asks_for_the_same(self):
        self.get("a", 1)
        self.keeper.keep()
        self.assertEqual(self.get("a", 1, wants_same=False), 2)

    def test_after_a_call_that_failed_there_is_a_new_one(self):
        self.get("a", 1)
        self.assertEqual(self.get("a", 1), 2)


if __name__ == "__main__":
    unittest.main()
