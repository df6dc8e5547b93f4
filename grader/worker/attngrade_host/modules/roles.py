# SPDX-License-Identifier: MIT
"""Which parameter holds which weights: by name, by shape, by order of use.

Roles: q, k, v, o. The result is a list of entries, each a parameter and the
roles in it, with the layouts that its shape allows.
"""

import collections
import itertools

from attngrade_host.libraries import numpy
from attngrade_host.modules.layouts import factor_sizes, layouts_of
from attngrade_host.modules.leaves import is_bias
from attngrade_host.modules.names import may_be_output, roles_of

# leaf, roles ("q",) or ("q", "k", "v"), head: its number where there is one
# matrix a head, else None; by: how the roles were found; layouts that fit.
Entry = collections.namedtuple("Entry", "leaf roles head by layouts")


class Unmapped(Exception):
    """The parameters cannot be told apart; the text says what was found."""


def pattern(leaf):
    """The name without the places in lists: leaves of one pattern are one
    list."""
    return tuple("#" if part.isdigit() else part for part in leaf.parts())


def is_fixed_table(leaf):
    """Of two values that are not the same everywhere: a mask."""
    value = leaf.value
    array = numpy.asarray(value.detach().cpu() if hasattr(value, "detach")
                          else value)
    if len(set(array.ravel()[:8].tolist())) > 2:  # as of nearly all others
        return False
    return array.size <= 10 ** 6 and len(numpy.unique(array)) == 2


class Sorted:
    """The leaves of an object by what is done with them."""

    def __init__(self, leaves):
        self.biases, self.norms, self.tables, self.gates = [], [], [], []
        self.matrices = []
        for leaf in leaves:
            if leaf.is_of_training():
                continue
            if leaf.is_norm:
                self.norms.append(leaf)
            elif leaf.is_table():
                self.tables.append(leaf)
            elif is_bias(leaf):
                self.biases.append(leaf)
            elif leaf.is_matrix():
                if not is_fixed_table(leaf):
                    self.matrices.append(leaf)
            elif any("gate" in part.lower() or "gamma" in part.lower()
                     for part in leaf.parts()):
                self.gates.append(leaf)


class Group:
    """Leaves of one pattern; named: the roles that the name tells."""

    def __init__(self, leaves):
        self.leaves = leaves
        self.first = leaves[0]
        words = [part for part in self.first.parts() if not part.isdigit()]
        self.named = ()
        for part in reversed(words):
            self.named = self.named or roles_of(part)
        self.says_output = self.named == ("o",) or (
            not self.named and any(map(may_be_output, words)))


def groups_of(matrices):
    found = {}
    for leaf in matrices:
        found.setdefault(pattern(leaf), []).append(leaf)
    return [Group(leaves) for leaves in found.values()]


class Mapper:
    """sizes: those the object was made for, all different."""

    def __init__(self, sizes, has_heads):
        self.sizes = sizes
        self.has_heads = has_heads

    def layouts(self, leaf, roles, per_head):
        is_output = roles == ("o",)
        widths = {self.width(role) for role in roles}
        if len(widths) > 1:
            return []
        if self.is_shared(leaf, roles, per_head):
            return ([("shared",)] if leaf.stored
                    else [("shared",), ("shared", "t")])
        factors = factor_sizes(self.sizes, roles,
                               self.has_heads and not per_head, widths.pop())
        return layouts_of(leaf.shape, factors, leaf.stored, is_output)

    def is_shared(self, leaf, roles, per_head):
        """One matrix (d, d) for every head, applied to its slice of x."""
        return (self.has_heads and not per_head and len(roles) == 1
                and roles != ("o",)
                and leaf.shape == (self.sizes.d, self.sizes.d))

    def width(self, role):
        return self.sizes.dv if role in ("v", "o") else self.sizes.d

    def entries(self, group, roles, by):
        """Of a group that holds these roles, or [] where its shape does not."""
        count = len(group.leaves)
        if count == len(roles) > 1:  # W_qkv, a list of three
            found = [Entry(leaf, (role,), None, by,
                           self.layouts(leaf, (role,), False))
                     for leaf, role in zip(group.leaves, roles)]
            if all(entry.layouts for entry in found):
                return found
        per_head = count > 1
        if per_head and not (self.has_heads and count == self.sizes.H):
            return []
        found = [Entry(leaf, roles, head if per_head else None, by,
                       self.layouts(leaf, roles, per_head))
                 for head, leaf in enumerate(group.leaves)]
        return found if all(entry.layouts for entry in found) else []

    def list_entries(self, group, by):
        """Three or four of one shape in a list: q, k, v and o."""
        if len(group.leaves) not in (3, 4):
            return []
        found = [Entry(leaf, (role,), None, by,
                       self.layouts(leaf, (role,), False))
                 for leaf, role in zip(group.leaves, "qkvo")]
        return found if all(entry.layouts for entry in found) else []


def name_of(leaf):
    return "%s %s" % (leaf.name, "x".join(map(str, leaf.shape)))


def describe(groups):
    leaves = [leaf for group in groups for leaf in group.leaves]
    text = ", ".join(map(name_of, leaves[:12]))
    return text + (", ..." if len(leaves) > 12 else "")


class Map:
    """entries; extra: matrices without a role; is_settled: the roles are told by
    names, not guessed."""

    def __init__(self, entries, extra, is_settled):
        self.entries = entries
        self.extra = extra
        self.is_settled = is_settled

    def roles(self):
        return {role for entry in self.entries for role in entry.roles}


def by_name(mapper, groups):
    """A map, or None: every one of q, k, v is in the name of one group."""
    entries, taken, rest = [], set(), []
    for group in groups:
        roles = group.named
        found = mapper.entries(group, roles, "name") if roles else []
        if found and not taken & set(roles):
            entries += found
            taken |= set(roles)
        elif roles and set(roles) & set("qkv"):
            raise Unmapped("%s does not hold %s of width %d (%s)" % (
                name_of(group.first), " ".join(roles), mapper.sizes.C,
                "heads %d" % mapper.sizes.H if mapper.has_heads
                else "d_k %d, d_v %d" % (mapper.sizes.d, mapper.sizes.dv)))
        else:
            rest.append(group)
    if len(taken & set("qkv")) < 2:
        return None
    missing = set("qkv") - taken
    singles = [group for group in rest if not group.says_output]
    if missing:
        role = missing.pop()
        fitting = [group for group in singles
                   if mapper.entries(group, (role,), "shape")]
        if len(fitting) != 1:
            return None
        entries += mapper.entries(fitting[0], (role,), "shape")
        rest.remove(fitting[0])
    return with_output(mapper, entries, rest, taken, True)


def with_output(mapper, entries, rest, taken, is_settled):
    """Finds o among what is left."""
    if "o" not in taken:
        fitting = [group for group in rest if mapper.entries(
            group, ("o",), "name")]
        said = [group for group in fitting if group.says_output] or fitting
        if len(said) == 1:
            by = "name" if said[0].says_output else "shape"
            entries = entries + mapper.entries(said[0], ("o",), by)
            rest = [group for group in rest if group is not said[0]]
    return Map(entries, rest, is_settled)


def by_shape(mapper, groups, order_of_use):
    """A map, or None: one array of three roles, of two, a list, or single ones
    in the order in which they are used."""
    for roles in (("q", "k", "v"), ("q", "k", "v", "o")):
        fused = [group for group in groups
                 if len(group.leaves) in (1, mapper.sizes.H)
                 and mapper.entries(group, roles, "shape")
                 and not mapper.layouts(group.first, ("q",), False)]
        if len(fused) == 1:
            rest = [group for group in groups if group is not fused[0]]
            return with_output(mapper, mapper.entries(fused[0], roles, "shape"),
                               rest, set(roles), True)
    for group in groups:
        found = mapper.list_entries(group, "use")
        if found and len(groups) <= 2:
            rest = [other for other in groups if other is not group]
            return with_output(mapper, found, rest,
                               {entry.roles[0] for entry in found}, False)
    return singles_by_use(mapper, groups, order_of_use)


def singles_by_use(mapper, groups, order_of_use):
    used = sorted(groups, key=lambda group: order_of_use(group.first))
    pair = [group for group in used if mapper.entries(group, ("k", "v"),
                                                      "shape")]
    wanted = [("q",), ("k",), ("v",)]
    entries = []
    if len(pair) == 1:
        entries = mapper.entries(pair[0], ("k", "v"), "shape")
        used = [group for group in used if group is not pair[0]]
        wanted = [("q",)]
    outputs = [group for group in used if group.says_output]
    inner = [group for group in used if group not in outputs]
    if len(inner) > len(wanted) + (not outputs) or len(inner) < len(wanted):
        return None
    for group, roles in zip(inner, wanted):
        found = mapper.entries(group, roles, "use")
        if not found:
            return None
        entries += found
    rest = inner[len(wanted):] + outputs
    return with_output(mapper, entries, rest, set(), False)


def given_roles(group, parameters):
    """Of the task file: {"path": "w_q"}, {"path": ["w_q", "w_k", "w_v"]}; a path
    as it is or, of a list, with an h in place of the number."""
    path = ".".join(pattern(group.first)).replace("#", "h")
    found = parameters.get(group.first.name, parameters.get(path, ()))
    found = [found] if isinstance(found, str) else found
    return tuple(role[2:] for role in found)


def by_task_file(mapper, groups, parameters):
    """A map, or None: what the task file says, the rest left alone."""
    entries, rest, taken = [], [], set()
    for group in groups:
        roles = given_roles(group, parameters)
        found = mapper.entries(group, roles, "task") if roles else []
        if roles and not found:
            raise Unmapped("the task file says that %s holds %s, and its shape "
                           "does not" % (name_of(group.first), ", ".join(
                               "w_" + role for role in roles)))
        entries += found
        taken |= set(roles)
        if not roles:
            rest.append(group)
    return Map(entries, rest, True) if set("qkv") <= taken else None


def find_map(leaves, sizes, has_heads, order_of_use, parameters):
    """leaves: the matrices; order_of_use: leaf -> a key to sort by; parameters:
    of the task file"""
    mapper = Mapper(sizes, has_heads)
    own = [leaf for leaf in leaves if leaf.name in parameters]
    groups = [Group([leaf]) for leaf in own]
    groups += groups_of([leaf for leaf in leaves if leaf not in own])
    found = by_task_file(mapper, groups, parameters) if parameters else None
    found = found or by_name(mapper, groups) or by_shape(mapper, groups, order_of_use)
    if found is None:
        raise Unmapped("its parameters cannot be told apart: "
                       + (describe(groups) or "it has no matrices"))
    return found


def permutations_of(roles):
    """The given order first."""
    return ["".join(order) for order in itertools.permutations(roles)]
