# SPDX-License-Identifier: Apache-2.0
"""Ratios, means and shares of one set of traces, whole and by half."""
import math

import split
from results_parts.study import FEW

PARTS = split.HALVES + ("all",)


class Traces:
    """One set: as recorded, or larger."""

    def __init__(self, paths, policies, rows):
        self.path, self.rows = {split.kernel_of(p): p for p in paths}, rows
        self.policies = policies  # that it was replayed with
        self.rivals = [p for p in policies if p != "opt"]
        self.half = {kernel: half for kernel, (half, _) in split.halves().items() if kernel in self.path}
        self.names = sorted(self.path, key=lambda t: (split.HALVES.index(self.half[t]), t))

    def row(self, trace, policy, size):
        return self.rows[self.path[trace], policy, size]

    def evictions(self, trace, policy, size):
        return int(self.row(trace, policy, size)["evictions"])

    def over(self, trace, policy, size, base="opt"):
        """Evictions over BASE's; None where BASE has none."""
        least = self.evictions(trace, base, size)
        return self.evictions(trace, policy, size) / least if least else None

    def part(self, part):
        return [t for t in self.names if part in ("all", self.half[t])]

    def counted(self, part, size):
        """The traces of a half, or all, that means are taken over."""
        return [t for t in self.part(part) if self.evictions(t, "opt", size) >= FEW]

    def mean(self, policy, size, part, base="opt", without=()):
        return mean(self.over(t, policy, size, base) for t in self.counted(part, size) if t not in without)

    def best(self, trace, size):
        """The policy with the fewest evictions."""
        return min(self.rivals, key=lambda p: self.evictions(trace, p, size))

    def mean_of_best(self, size, part):
        return mean(self.over(t, self.best(t, size), size) for t in self.counted(part, size))

    def share(self, trace, policy, size):
        """Of the policy's evictions, the share that are OPT's too; None where there are none."""
        row = self.row(trace, policy, size)
        return int(row["as_opt"]) / int(row["evictions"]) if int(row["evictions"]) else None

    def mean_share(self, policy, size, part):
        """Arithmetic mean."""
        shares = [self.share(t, policy, size) for t in self.counted(part, size)]
        return sum(shares) / len(shares) if shares else None


def mean(values):
    """Geometric; None of nothing."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None
