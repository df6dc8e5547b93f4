# SPDX-License-Identifier: MIT
"""What names stand for: names.json, read once."""

import fnmatch
import functools
import json
import os
import re


def normalise(name):
    return str(name).lower().replace("_", "").replace("-", "")


def read_table():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "names.json")
    with open(path, encoding="utf-8") as file:
        table = json.load(file)
    return {meaning: [normalise(name) for name in names]
            for meaning, names in table.items() if isinstance(names, list)}


TABLE = read_table()
# What is told of constructor arguments, in the order in which it is looked for.
ARGUMENTS = ("causal", "heads", "key_value_heads", "model_width", "head_width",
             "value_width", "output_width", "longest", "zero", "off", "on",
             "left_alone", "config")


def means(name, meaning):
    return normal_name_means(normalise(name), meaning)


# The same few names are asked for at each call.
@functools.lru_cache(maxsize=4096)
def normal_name_means(name, meaning):
    return any(fnmatch.fnmatchcase(name, pattern)
               for pattern in TABLE[meaning])


def compile_patterns():
    """Once a process, however many names are asked for: it takes milliseconds."""
    for meaning in TABLE:
        normal_name_means("", meaning)


def meaning_of(name):
    """One of ARGUMENTS, or None."""
    name = normalise(name)
    for meaning in ARGUMENTS:
        if normal_name_means(name, meaning):
            return meaning
    return None


def is_causal_switch(name, is_flag):
    """causal, and `mask=False`, which is no mask but says whether there is one."""
    return means(name, "causal") or (is_flag and means(name, "causal_flag"))


def alternatives(*meanings):
    words = sorted({word for meaning in meanings for word in TABLE[meaning]},
                   key=len, reverse=True)
    return "|".join(map(re.escape, words))


AROUND = "(?:%s)*" % alternatives("around_roles")
ROLES = (("q", "query"), ("k", "key"), ("v", "value"), ("o", "output"))
SINGLE = [(role, re.compile("%s(?:%s)%s[0-9]?" % (AROUND, alternatives(meaning),
                                                  AROUND)))
          for role, meaning in ROLES]
# qkv, to_kv, W_qkv, query_key_value, qkvo
FUSED = re.compile("%s((?:(?:%s)(?:and)?){2,4})%s" % (
    AROUND, alternatives(*(meaning for _, meaning in ROLES)), AROUND))
PART = re.compile("|".join("(?P<%s>%s)" % (role, alternatives(meaning))
                           for role, meaning in ROLES))


def roles_of(name):
    """The roles that one part of the name of a parameter tells: ("q",) of
    `W_query`, ("k", "v") of `to_kv`, () where it tells none."""
    name = normalise(name)
    if means(name, "no_role"):
        return ()
    for role, pattern in SINGLE:
        if pattern.fullmatch(name):
            return (role,)
    fused = FUSED.fullmatch(name)
    if fused is None:
        return ()
    found = tuple(match.lastgroup for match in PART.finditer(fused.group(1)))
    is_sound = len(set(found)) == len(found) > 1 and (
        "o" not in found or set(found) == set("qkvo"))
    return found if is_sound else ()


def may_be_output(name):
    return means(name, "output_alone")
