# SPDX-License-Identifier: Apache-2.0
"""gmt_recordings_test.py: GMT's figures on the recordings by rule and by outcome: times, sizes of the tiers, what is no figure."""
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gmt_parts import recorded, runs, tables, timed  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIMES = runs.Times(os.path.join(ROOT, "config/tier_times.json"))


def row(reads, hits):
    return {"faults": reads + hits, "tier3_reads": reads, "tier2_hits": hits, "wasted_lookups": reads}


@pytest.mark.parametrize("cut, paper", [(73, 2.33), (81, 2.79), (73, 2.25)])
def test_the_papers_cuts_of_reads_give_its_speed_by_bandwidths_alone(cut, paper):
    bam, reuse = row(100, 0), row(100 - cut, cut)
    assert TIMES.summed(bam) / TIMES.summed(reuse) == pytest.approx(paper, rel=0.04)
    assert TIMES.latency(bam) / TIMES.latency(reuse) < 0.85 * paper


def test_a_page_costs_its_bytes_over_the_bandwidth():
    assert TIMES.summed(row(1, 0)) == pytest.approx(64 * 1024 / 3.5e3)
    assert TIMES.summed(row(0, 1)) == pytest.approx(64 * 1024 / 15.75e3)


def test_tier_1_is_rounded_down_and_not_empty():
    tenth, sixth = (recorded.SHARES[s][0] for s in ("1/10 + 4/10", "1/6 + 4/6"))
    assert [recorded.tier1(n, tenth) for n in (40960, 25609, 9)] == [4096, 2560, 1]
    assert [recorded.tier1(n, sixth) for n in (25600, 25602, 8192)] == [4266, 4267, 1365]


def test_each_application_of_the_set_by_outcome_has_its_shares():
    chosen = recorded.chosen()
    assert sorted(chosen) == sorted(runs.APPS)
    assert set(chosen.values()) <= set(recorded.SHARES)


def test_a_share_of_a_handful_is_no_figure():
    assert tables.part_of(0, 2, 10002) == "–" and tables.part_of(0, 0, 0) == "–"
    assert tables.part_of(90, 101, 10002) == "89 %"


class Recording:
    """Remembers the sizes that it is replayed at."""

    def __init__(self, pages):
        self.pages, self.at = pages, []

    def replay(self, frames, times):
        self.at.append((frames, times))
        return {"frames": frames, "times": times}


def test_oversubscription_of_four_doubles_the_data_and_halves_the_tiers_of_graphs():
    sizes = {1.0: {a: Recording(600) for a in runs.APPS}, 2.0: {a: Recording(1200) for a in runs.APPS}}
    rows = recorded.rows_of({a: "1/6 + 4/6" for a in runs.APPS}, sizes)
    assert rows["gmt"]["bfs"] == rows["gmt"]["srad_v2"] == rows["gmt4"]["srad_v2"] == {"frames": 100, "times": 4}
    assert rows["gmt4"]["bfs"] == {"frames": 50, "times": 4}
    assert rows["large"]["srad_v2"] == {"frames": 200, "times": 4} and "bfs" not in rows["large"]
    assert [rows[k]["sssp"]["times"] for k in ("gmt2", "times4", "gmt8")] == [2, 4, 8]


class Figures:
    """A Data with one speed for each policy."""

    def __init__(self, speeds):
        self.speeds = speeds

    def up(self, where, app, policy):
        del where, app
        return self.speeds[policy]

    def mean_up(self, where, policy, apps=None):
        del apps
        return self.speeds[policy] + {"gmt2": -0.1, "gmt8": 0.1}.get(where, 0)

    @staticmethod
    def ratios():
        return "gmt2", "gmt", "gmt8"


def test_statements_on_time_have_the_bound_of_the_platforms_page():
    speeds = {"gmt-tierorder": 1.11, "gmt-random": 1.18, "gmt-random:full=drop": 1.28, "gmt-reuse:full=evict": 1.0, "gmt-reuse": 1.46}
    held = {r[1]: r[3] for r in timed.statements(Figures(speeds))}
    assert len(held) == 21
    assert [held[w] for w in ("TierOrder 1.07 times as fast as BaM", "Random, evicts 1.24 times as fast as BaM",
                              "Random, drops 1.24 times as fast as BaM", "Reuse, drops 1.50 times as fast as BaM")] == [True, False, True, True]
    assert held["Tier 2 of 2, 4, 8 times Tier 1: Reuse's speed-up rises"] and held["Reuse is faster than the other two"]
    assert not held["Reuse: BFS 28 %"] and not held["LavaMD: Random is faster than Reuse"]
