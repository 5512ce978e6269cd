# SPDX-License-Identifier: Apache-2.0
"""The replays behind docs/papers/gmt_recordings.md: of the recordings by rule and by outcome, at the paper's sizes of the tiers."""
import fractions
import hashlib
import json
import os
import re

import recordings
from gmt_parts import runs
from gmt_parts.tables import GRAPHS, NAMES

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = "build/gmt/recordings"
APP = {name: app for app, name in NAMES.items()}
POLICIES = ["bam", "gmt-tierorder", "gmt-tierorder:full=drop", "gmt-random", "gmt-random:full=drop", "gmt-reuse:full=evict", "gmt-reuse",
            "gmt-foretold", "opt-tiers"]
# parts of the pages: Tier 1, Tier 2 over Tier 1. Fig. 8 with section 3.1's factor; Fig. 8 with the data of section 3.5; section 3.5
SHARES = {"1/10 + 4/10": (fractions.Fraction(1, 10), 4), "1/6 + 4/6": (fractions.Fraction(1, 6), 4), "1/6 + 2/6": (fractions.Fraction(1, 6), 2)}
FACTORS = (0.5, 1.0, 2.0)


class Kept:
    """Results by what they were made from, in files of their own."""

    def __init__(self):
        self.stamp = hashlib.sha256(b"".join(open(p, "rb").read() for p in (runs.GMMU, runs.DISTANCES))).hexdigest()
        os.makedirs(KEPT, exist_ok=True)

    def get(self, make, *key):
        name = "%s/%s.json" % (KEPT, hashlib.sha256(repr((self.stamp,) + key).encode()).hexdigest()[:24])
        if not os.path.exists(name):
            with open(name + ".new", "w", encoding="utf-8") as f:
                json.dump(make(), f)
            os.rename(name + ".new", name)
        with open(name, encoding="utf-8") as f:
            return json.load(f)


class Recording:
    """A recording that is there."""

    def __init__(self, kept, path):
        self.kept, self.path = kept, path
        with open(path + ".json", encoding="utf-8") as f:
            found = json.load(f)
        self.pages, self.digest, self.walks, self.seconds = found["pages"], found["digest"], found["walks"], found["seconds"]

    def replay(self, frames, times):
        """Tier 1 of FRAMES pages, Tier 2 of TIMES as many."""
        return self.kept.get(lambda: runs.replay(self.path, POLICIES, frames, "%dx" % times), self.digest, frames, times, POLICIES)

    def distances(self, frames, times):
        return self.kept.get(lambda: runs.distances(self.path, frames, frames * times), self.digest, frames, times, "distances")

    def reused(self):
        return self.kept.get(lambda: runs.reused(self.path), self.digest, "reused")


def found(kept, name, size, stall=None):
    """{application: Recording} of set NAME at SIZE, those that are there."""
    folder = recordings.Variation(recordings.load("gmt")[name], stall, size).folder("gmt", name)
    paths = {app: os.path.join(os.path.relpath(folder, ROOT), NAMES[app] + ".gwt") for app in runs.APPS}
    return {app: Recording(kept, path) for app, path in paths.items() if os.path.exists(path) and os.path.exists(path + ".json")}


def chosen():
    """{application: share} of the set by outcome, as the page of the recordings has them."""
    with open(recordings.PAGE, encoding="utf-8") as f:
        section = f.read().split("\n## GMT\n")[1].split("\n### Chosen by outcome\n")[1]
    return {APP[name]: share for name, share in re.findall(r"^\| (\w+) \| `[^`]*` \| (\S+ \+ \S+) \|$", section, re.M)}


def tier1(pages, share):
    """As `gmmu replay --frames` rounds a percentage: down."""
    return max(1, int(pages * share))


def rows_of(share_of, sizes):
    """Rows as gmt_parts.tables.statements wants them. SHARE_OF: {application: share}. SIZES: {factor: {application: Recording}}."""
    made = {key: {} for key in ("gmt", "gmt2", "times4", "gmt8", "gmt4", "large")}
    for app, r in sizes[1.0].items():
        part, times = SHARES[share_of[app]]
        frames = tier1(r.pages, part)
        made["gmt"][app] = r.replay(frames, times)
        for key, n in (("gmt2", 2), ("times4", 4), ("gmt8", 8)):
            made[key][app] = r.replay(frames, n)
        twice = sizes[2.0].get(app)
        # section 3.5: twice the data; of graphs half of both tiers
        if app in GRAPHS:
            made["gmt4"][app] = r.replay(max(1, frames // 2), times)
        elif twice:
            made["gmt4"][app] = twice.replay(frames, times)
            made["large"][app] = twice.replay(tier1(twice.pages, part), times)
    return made


def distances_of(share_of, here):
    return {app: r.distances(tier1(r.pages, SHARES[share_of[app]][0]), SHARES[share_of[app]][1]) for app, r in here.items()}
