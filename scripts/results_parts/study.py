# SPDX-License-Identifier: Apache-2.0
"""What `make results` replays: policies, sizes, and each option of the unit's policy with its values.

A further policy is a line in POLICIES, a further option a group in OPTIONS: the tables take them up.
"""
SIZES = ("25%", "50%", "75%")
UNIT = "leu:search=sample"  # the unit's form, configuration `default`: K = 64, P = 16
FEW = 100  # where OPT evicts fewer pages, a trace says too little: it is in no mean

# policy, name in the tables, whether the larger recordings are replayed with it (two take too long), whether
# it has a column in the tables trace by trace
POLICIES = [
    ("opt", "`opt`", True, False), ("lru", "`lru`", True, True), ("fifo", "`fifo`", True, False),
    ("clock", "`clock`", True, False), ("random", "`random`", True, False), ("lfu", "`lfu`", True, False),
    ("2q", "`2q`", True, False), ("arc", "`arc`", True, False), ("lirs", "`lirs`", True, True),
    ("clockpro", "`clockpro`", True, True), ("srrip", "`srrip`", True, False),
    ("rrip-hpe", "`rrip-hpe`", True, False), ("sieve", "`sieve`", True, False),
    ("s3fifo", "`s3fifo`", True, True), ("hpe", "`hpe`", True, True),
    ("leu-exact", "`leu-exact`", False, True),
    (UNIT, "**`leu`, the unit**", True, True), (UNIT + ":protect=248", "`leu`, `protect=248`", True, False),
    (UNIT + ":duel=1", "`leu`, `duel=1`", True, True), ("leu2", "`leu2`", False, True),
]
NAME = {policy: name for policy, name, _, _ in POLICIES}
BY_TRACE = [policy for policy, _, _, shown in POLICIES if shown]

OPTION_SIZES = ("50%", "75%")
# What is varied, where the default stands, and the values: label, options. The default's have none.
# * : in the C model alone, not in the hardware.
OPTIONS = [
    ("walks between refresh ticks (`refresh`)", "64", [("32", "refresh=5"), ("64", ""), ("128", "refresh=7")]),
    ("pages for one in the sample (`sample`)", "4", [("1", "sample=0"), ("2", "sample=1"), ("4", ""), ("8", "sample=3")]),
    ("entries of the sampler (`sampler`)", "1024", [("512", "sampler=512"), ("1024", ""), ("2048", "sampler=2048")]),
    ("censored records (`censor`)", "1", [("1", ""), ("0", "censor=0")]),
    ("pseudo-counts (`pseudo`)", "8", [("0", "pseudo=0"), ("8", "")]),
    ("bits of a count (`count`)", "11", [("8", "count=8"), ("11", ""), ("16", "count=16")]),
    ("bins an octave (`octave`) *", "4", [("2", "octave=2"), ("4", ""), ("8", "octave=8")]),
    ("bits of a priority's mantissa (`drop`) *", "10", [("4", "drop=6"), ("6", "drop=4"), ("10", "")]),
    ("rows of the Ref RIT (`classes`)", "64", [("16", "classes=16"), ("64", "")]),
    ("candidates of a search (`k`)", "64", [("32", "k=32"), ("64", ""), ("128", "k=128")]),
    ("frames kept from search to search (`pool`)", "16", [("4", "pool=4"), ("8", "pool=8"), ("16", ""), ("32", "pool=32")]),
    ("with `duel=1`: 1/256 of memory protected (`share`)", "248", [("235", "duel=1:share=235"), ("242", "duel=1:share=242"), ("248", "duel=1"),
                                                                ("252", "duel=1:share=252")]),
    ("with `duel=1`: frames of a shadow, below (`shadow`)", "1024", [("512", "duel=1:shadow=512"), ("1024", "duel=1"), ("2048", "duel=1:shadow=2048")]),
    ("with `duel=1`: decay of its counts, log2 (`decay`)", "4", [("3", "duel=1:decay=3"), ("4", "duel=1"), ("5", "duel=1:decay=5")]),
    ("with `duel=1`: standard deviations (`deviations`)", "2", [("1", "duel=1:deviations=1"), ("2", "duel=1"), ("3", "duel=1:deviations=3")]),
    ("with `duel=1`: 1/64 of a shadow to come back (`back`)", "32", [
        ("0", "duel=1:back=0"), ("16", "duel=1:back=16"), ("32", "duel=1"), ("64", "duel=1:back=64")]),
    ("with `duel=1`: pages for one in the sample (`sample`)", "4", [("1", "duel=1:sample=0"), ("4", "duel=1"), ("8", "duel=1:sample=3")]),
    ("with `duel=1`: candidates of a search (`k`)", "64", [("32", "duel=1:k=32"), ("64", "duel=1"), ("128", "duel=1:k=128")]),
    ("walks that the refresh of a row takes (`engine`) *", "0", [("0", ""), ("20", "engine=20"), ("100", "engine=100")]),
]


def option(options):
    """The policy that replay knows; later options overrule the unit's."""
    return UNIT + ":" + options if options else UNIT


def option_policies():
    """Without those that POLICIES has."""
    known = [policy for policy, _, _, _ in POLICIES]
    found = dict.fromkeys(option(o) for _, _, values in OPTIONS for _, o in values)
    return [policy for policy in found if policy not in known]
