# SPDX-License-Identifier: MIT
"""The grader's weights in the parameters of an object."""

import collections
import sys

from attngrade_host.libraries import is_torch_module, numpy
from attngrade_host.modules.layouts import arrange, factor_sizes, word
from attngrade_host.modules.jax_objects import without_norms
from attngrade_host.modules.leaves import Tree, leaves_of
from attngrade_host.modules.roles import Sorted, pattern

# roles: of each leaf of the list, ("q", "k", "v") or [("q",), ("k",), ...];
# per_head: one leaf a head; layouts: convention's name and options.
Rule = collections.namedtuple("Rule", "roles per_head convention layouts by")


def rules_of(entries):
    """{pattern: Rule}: what is said of names with their places in lists holds
    for any number of heads."""
    grouped = {}
    for entry in entries:
        grouped.setdefault(pattern(entry.leaf), []).append(entry)
    rules = {}
    for key, group in grouped.items():
        first = group[0]
        per_head = first.head is not None
        is_list = len(group) > 1 and not per_head
        roles = [entry.roles for entry in group] if is_list else first.roles
        layouts = first.layouts
        if first.roles == ("o",):
            convention = "output"
        else:
            convention = "fused" if len(first.roles) > 1 else "columns"
        rules[key] = Rule(roles, per_head, convention, layouts, first.by)
    return rules


def chosen_layout(rule, layouts, convention, reading):
    wanted = reading.get(convention)
    for layout in layouts:
        if word(layout) == wanted:
            return layout
    return layouts[0]


def in_order(roles, reading):
    """Roles of a fused array in the order of the reading."""
    wanted = reading.get("order", "")
    return tuple(wanted) if sorted(wanted) == sorted(roles) else roles


def renamed(role, reading):
    """Where roles were guessed: what is written in place of this one."""
    wanted = reading.get("roles", "")
    return wanted["qkv".index(role)] if role in "qkv" and len(wanted) == 3 else (
        role)


class Writer:
    """Writes the weights of one call. has_heads: is it a multi-head class."""

    def __init__(self, rules, has_heads, sizes, reading):
        self.rules = rules
        self.has_heads = has_heads
        self.sizes = sizes
        self.reading = reading

    def write(self, made, weights):
        """weights: {"q": array (C, H d), ...}, "o" (H d, C)"""
        counts = collections.Counter()
        sorted_leaves = Sorted(leaves_of(made))
        for leaf in sorted_leaves.biases + sorted_leaves.tables:
            leaf.write(numpy.zeros(leaf.shape))
        for leaf in sorted_leaves.gates:
            leaf.write(numpy.ones(leaf.shape))
        for leaf in sorted_leaves.matrices:
            key = pattern(leaf)
            if key in self.rules:
                self.write_leaf(leaf, self.rules[key], counts[key], weights)
                counts[key] += 1

    def write_leaf(self, leaf, rule, index, weights):
        if isinstance(rule.roles, list):
            roles = rule.roles[index]
            convention = "output" if roles == ("o",) else rule.convention
        else:
            roles, convention = rule.roles, rule.convention
        is_output = roles == ("o",)
        layouts = rule.layouts
        if isinstance(rule.roles, list) and is_output:
            layouts = [layout[::-1] for layout in rule.layouts]
        layout = chosen_layout(rule, layouts, convention, self.reading)
        if len(roles) > 1:
            roles = in_order(roles, self.reading)
        parts = [self.part(renamed(role, self.reading), weights,
                           index if rule.per_head else None, is_output)
                 for role in roles]
        leaf.write(self.arranged(parts, layout, leaf, roles, rule))

    def arranged(self, parts, layout, leaf, roles, rule):
        width = self.sizes.dv if roles[0] in ("v", "o") else self.sizes.d
        if layout[0] == "shared":  # one for all heads
            corner = parts[0][:width, :width]
            return numpy.ascontiguousarray(
                corner.T if leaf.stored == "out-in" or layout == ("shared", "t")
                else corner)
        factors = factor_sizes(self.sizes, roles,
                               self.has_heads and not rule.per_head, width)
        return arrange(parts, layout, leaf.shape, factors)

    def part(self, role, weights, head, is_output):
        """(C, H d) of all heads, (C, d) of one. w_o alone is its transpose; with
        the others in one array its rows are what the array calls the model."""
        full = weights[role].T if is_output else weights[role]
        if head is None:
            return full
        width = full.shape[1] // self.sizes.H
        return full[:, head * width:(head + 1) * width]


def replace_norms(made, width):
    """Normalisations over the width of the model become the identity. Their
    number."""
    if isinstance(made, Tree):
        return made.skip_norms(width)
    if not is_torch_module(made):
        return without_norms(made, width)
    torch = sys.modules["torch"]
    count = 0
    for module in list(made.modules()):
        for name, child in list(module.named_children()):
            if is_norm_layer(child, width):
                setattr(module, name, torch.nn.Identity())
                count += 1
    return count


def is_norm_layer(layer, width):
    """Of torch or of the submission's own, over `width` numbers: its parameters
    say so, or the shape that torch keeps."""
    if "norm" not in type(layer).__name__.lower():
        return False
    shapes = [tuple(parameter.shape) for parameter in layer.parameters(False)]
    shapes.append(tuple(getattr(layer, "normalized_shape", ()) or ()))
    return (width,) in shapes
