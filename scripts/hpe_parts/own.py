# SPDX-License-Identifier: Apache-2.0
"""Each policy on a recording of its own, whose TLBs forget what that policy evicts (`gmmu record --shootdown`)."""
import json
import os

import recordings
from hpe_parts.figures import Data
from hpe_parts.paper import APPS, CLOCKPRO, PAPER, RRIP_FAR, RRIP_LONG, SHORT, SIZES, hpe

SHOWN = ("lru", "hpe", "rrip", CLOCKPRO, "random")
DIVIDED = [hpe("divide=%d" % n) for n in (32, 24)]  # of NW alone
BRIEF = hpe("brief=1")


SLOW = ("LEU", "CUT", "MRQ", "HWL")  # a minute and more for each recording
PLAIN = {"rrip-hpe": "long, no delay", "rrip-hpe:distant=1": "distant, no delay"}  # RRIP for type II otherwise than §V.B
STAYS = hpe("trigger=0")  # LRU throughout where the class is irregular
KIND = {p[0]: p[2] for p in PAPER}


def policies(name):
    """Those with a recording of their own that the figures need."""
    rrip = RRIP_FAR if KIND[name] == "II" else RRIP_LONG
    return [rrip if p == "rrip" else p for p in SHOWN] + [BRIEF] + (DIVIDED if name == "NW" else [])


def extra(name):
    """Those of an experiment."""
    return list(PLAIN) if name in ("SRD", "HSD", "STN") else [STAYS] if name == "SAD" else []


def recorded(of, name, short_, policy, size):
    """(path, evictions while it was recorded), or None."""
    folder = recordings.Variation(of, shootdown=policy, frames=size).folder("hpe", name)
    path = os.path.join(folder, short_ + ".gwt")
    if not os.path.exists(path) or not os.path.exists(path + ".json"):
        return None
    with open(path + ".json", encoding="utf-8") as f:
        return os.path.relpath(path, recordings.ROOT), json.load(f)["evictions"]


class Own(Data):
    """FREE's rows, but for the policies above those of their own recordings. `without`: applications that have none."""

    def __init__(self, free, runs, jobs, name="outcome"):
        of = recordings.load("hpe")[name]
        self.free, self.traces, self.kind, self.times, self.row, self.ideal = free, free.traces, free.kind, free.times, dict(free.row), {}
        found, wanted, self.without = {}, {}, []
        for t in APPS:
            mine = {(p, s): recorded(of, name, SHORT[t], p, s) for p in policies(SHORT[t]) for s in SIZES}
            if None in mine.values():
                self.without.append(t)
                continue
            for (p, s), (path, evictions) in mine.items():
                found[t, p, s] = evictions
                wanted["%s %s %s" % (t, p, s)] = (path, [p] + ["opt"] * (p == "hpe"))
        runs.all(wanted, jobs)
        for (t, p, s), evictions in found.items():
            row = runs.rows["%s %s %s" % (t, p, s), p][s]
            if row["evictions"] != evictions:
                raise RuntimeError("%s %s %s: found %d evictions in the replay, expected the recording's %d" % (t, p, s, row["evictions"], evictions))
            self.row[t, p] = {**self.row[t, p], s: row} if (t, p) in self.row else {s: row}
            if p == "hpe":
                self.ideal[t, s] = runs.rows["%s %s %s" % (t, p, s), "opt"][s]["evictions"]
        self.walk_us = self.calibrate()
