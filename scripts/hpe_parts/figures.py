# SPDX-License-Identifier: Apache-2.0
"""Figures out of the rows of replays."""
import math

from hpe_parts.paper import APPS, RRIP_FAR, RRIP_LONG, SIZES, hand


def geometric(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values and min(values) > 0 else float("nan")


def arithmetic(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")


AVERAGE = [geometric]  # the one in use


def mean(values):
    return AVERAGE[0](values)


class Data:
    free = None  # of policies on recordings of their own: the Data without these

    def __init__(self, runs, traces, types, times):
        self.row, self.traces, self.kind, self.times = runs.rows, traces, types, times
        self.walk_us = self.calibrate()

    def at(self, trace, policy, size):
        return self.row[trace, self.named(trace, policy)][size]

    def named(self, trace, policy):
        if policy != "rrip":
            return policy
        return RRIP_FAR if self.kind[trace] == "II" else RRIP_LONG

    def evictions(self, trace, policy, size):
        return self.at(trace, policy, size)["evictions"]

    def over(self, trace, policy, size, base="lru"):
        return self.evictions(trace, policy, size) / self.evictions(trace, base, size)

    def mean(self, policy, size, base="lru", traces=None):
        return mean(self.over(t, policy, size, base) for t in traces or self.traces)

    def of_type(self, kind):
        return [t for t in APPS if self.kind[t] == kind]

    def ratios(self, trace, size, policy="hpe"):
        r = self.at(trace, policy, size)

        def part(a, b):
            return a / b if b else (math.inf if a else 0.0)
        return part(r["hpe_irregular"], r["hpe_regular"]), part(r["hpe_large"], r["hpe_small"])

    # §V's times: 20 us a fault, 16 GB/s for pages that leave and for HIR's entries of 10 bytes; and WALK_US a walk for all else.
    def busy(self, trace, policy, size):
        r = self.at(trace, policy, size)
        return 20.0 * r["faults"] + (16.1 * r.get("hpe_packets", 0))

    def time(self, trace, policy, size, walk_us=None):
        r = self.at(trace, policy, size)
        moved = 4096 * r["evictions"] + 10 * r.get("hpe_entries", 0)
        return r["accesses"] * (self.walk_us if walk_us is None else walk_us) + 20.0 * r["faults"] + moved / 16e3

    def load(self, policy, size, walk_us=None):
        loads = [self.busy(t, policy, size) / self.time(t, policy, size, walk_us) for t in APPS]
        return sum(loads) / len(loads)

    def calibrate(self):
        """Microseconds a walk with which LRU's mean load at 75 % is the 29.9 % of §V.C."""
        low, high = 0.0, 1e6
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.load("lru", "75%", middle) > 0.299 else (low, middle)
        return low

    def speedup(self, base, size, traces=None, walk_us=None, policy="hpe"):
        return mean(self.time(t, base, size, walk_us) / self.time(t, policy, size, walk_us) for t in traces or APPS)

    def hand_choice(self, trace, size):
        """1 or 2: the category whose strategy evicts less at set 16 and interval 64."""
        return min((1, 2), key=lambda c: self.evictions(trace, hand("set", 16, c), size))

    def by_hand(self, trace, axis, value, size):
        return hand(axis, value, self.hand_choice(trace, size))

    def strategies(self, trace, size):
        """What hpe did, in the letters of PAPER, and part of the intervals under MRU-C."""
        r = self.at(trace, "hpe", size)
        total = r["hpe_lru_gone"] + r["hpe_mruc_gone"]
        letter = "S" if r["hpe_switches"] else "J" if r["hpe_jumps"] else "M" if r["hpe_category"] == "regular" else "L"
        return letter, r["hpe_mruc_gone"] / total if total else 0.0

    def buffer_saving(self, trace, size):
        """Of §IV.B: HIR's entries of 10 bytes against addresses of 8 bytes; None without hits."""
        r = self.at(trace, "hpe", size)
        if r["hpe_hits"] == 0:
            return None
        return 1 - 10 * r["hpe_entries"] / (8 * r["hpe_hits"])


def percent(x):
    return "%+.0f %%" % (100 * (x - 1))


def pair(f):
    """f at 75 % and 50 %."""
    return tuple(f(s) for s in SIZES)


def names(traces):
    return ", ".join("`%s`" % t for t in traces) or "none"


def number(x):
    return "∞" if x == math.inf else "%.2f" % x
