# SPDX-License-Identifier: Apache-2.0
"""hpe_recordings_test.py: HPE's time as its loads imply, by closed form, and each policy on a recording of its own."""
import json
import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import hpe_recordings  # noqa: E402
import recordings  # noqa: E402
from hpe_parts import figures, more, on_time, own  # noqa: E402
from hpe_parts.paper import APPS, CLOCKPRO, HAND, OTHERS, RRIP_FAR, RRIP_LONG, SIZES, hand  # noqa: E402

TYPES = hpe_recordings.TYPES


class Rows:
    """All applications alike: FAULTS of each policy, the same at both sizes."""

    def __init__(self, faults):
        self.rows = {}
        for t in APPS:
            for p in OTHERS + ["hpe"] + [hand(axis, v, c) for axis, v in HAND for c in (1, 2)]:
                row = {"faults": faults.get(p, 1000), "evictions": faults.get(p, 1000) - 100, "accesses": 4000, "distinct": 400}
                if p == "hpe":
                    row.update(hpe_packets=row["faults"] // 16, hpe_entries=0)
                self.rows[t, p] = {s: row for s in SIZES}


def in_faults(faults):
    return on_time.InFaults(figures.Data(Rows(faults), APPS, TYPES, {}))


def test_run_time_is_proportional_to_faults():
    d = in_faults({"lru": 1340, "hpe": 1000, "random": 1160})
    assert d.time("mvt", "lru", "75%") == 20.0 * 1340
    assert d.speedup("lru", "75%") == pytest.approx(1.34) and d.speedup("random", "50%") == pytest.approx(1.16)


def test_lrus_loads_are_input_and_hpes_follow():
    d = in_faults({"lru": 3200, "hpe": 1600, CLOCKPRO: 900})
    for size, load in (("75%", 0.299), ("50%", 0.393)):
        assert d.load("lru", size) == pytest.approx(load) and d.load(CLOCKPRO, size) == pytest.approx(load)
        assert d.load("hpe", size) == pytest.approx(load + 16.1 / 16 / 20)


def test_entries_take_the_link():
    d = in_faults({})
    d.row["mvt", "hpe"]["75%"]["hpe_entries"] = 16000
    assert d.time("mvt", "hpe", "75%") - 20.0 * 1000 == pytest.approx(10.0)


def verdicts(d):
    return {words.split(":")[0]: holds for _, words, _, holds in on_time.statements(d)}


def test_statements_on_time_have_the_platforms_bounds():
    found = verdicts(in_faults({"lru": 1390, "hpe": 1000, "random": 1200, RRIP_FAR: 1270, RRIP_LONG: 1270}))
    assert len(on_time.statements(in_faults({}))) == 16
    assert found["HPE's speed-up over LRU"] is False  # 1.39 is near 1.34, not near 1.16
    assert found["HPE's speed-up over Random"] is True
    assert found["types I and VI"] is False and found["within 11 % of Ideal"] is True
    assert found["page sets of 8, 16, 32"] is True


def test_a_spread_is_a_types_largest_distance_from_the_first_value():
    d = in_faults({hand("set", 32, c): 1150 for c in (1, 2)})
    assert on_time.spread(d, "set") == pytest.approx(15) and on_time.spread(d, "interval") == pytest.approx(0)


def test_walks_beside_faults_are_little():
    text = [figure for _, words, figure, _ in on_time.statements(in_faults({})) if words.startswith("walks")][0]
    walk = 12 / 1400 * 4000 / (20.0 * 1000 + 8 / 1400 * 4000)
    assert text.endswith("a walk at a time %.4f, %.4f" % (1 + walk, 1 + walk))


def test_hirs_size_is_that_of_the_configuration():
    d = figures.Data(Rows({}), APPS, TYPES, {})
    for t in APPS:
        for s in SIZES:
            d.row[t, "hpe"][s].update(hpe_length_sum=180, hpe_intervals=1, hpe_lru_gone=1, hpe_mruc_gone=3, hpe_switches=1, hpe_jumps=0)
    found = {words: (figure, holds) for _, words, figure, holds in more.host(d)}
    assert found["HIR has 10 KB, 4.2 % of the L1 data caches (240 KB)."] == ("1024 entries of 80 bits, without address spaces: 10 KB, 4.2 %", True)
    assert found["MVT's chain has 180 page sets on average."] == ("75 %: 180", True)


# ---- own recordings

class Replays:
    """Replays with OTHER evictions, each by one policy at both sizes."""

    def __init__(self, evictions):
        self.evictions, self.rows = evictions, {}

    def all(self, wanted, _):
        for name, (_, policies) in wanted.items():
            for p in policies:
                self.rows[name, p] = {s: {"faults": 50, "evictions": self.evictions, "accesses": 60} for s in SIZES}


@pytest.fixture(name="recorded")
def recorded_(monkeypatch):
    """HOT alone has own recordings, of 7 evictions."""
    monkeypatch.setattr(own, "recorded", lambda of, name, short, policy, size: ("hot.gwt", 7) if short == "HOT" else None)
    free = figures.Data(Rows({}), APPS, TYPES, {})
    return lambda evictions: own.Own(free, Replays(evictions), 1)


def test_own_rows_are_those_of_the_policies_own_recording(recorded):
    d = recorded(7)
    assert d.evictions("hotspot", "hpe", "75%") == 7 and d.evictions("hotspot", "rrip", "50%") == 7
    assert d.evictions("hotspot", "opt", "75%") == 900 and d.ideal["hotspot", "75%"] == 7
    assert d.evictions("mvt", "hpe", "75%") == 900 and d.without == [t for t in APPS if t != "hotspot"]
    assert d.free.evictions("hotspot", "hpe", "75%") == 900


def test_a_replay_that_is_not_the_recording_is_refused(recorded):
    with pytest.raises(RuntimeError, match="found 8 evictions in the replay, expected the recording's 7"):
        recorded(8)


def test_each_policys_own_recordings_are_made(tmp_path, monkeypatch):
    made = []
    rows = {name: {"command": "k --size 1", "root": 1, "found": {}} for name in ("SRD", "NW", "HWL")}
    (tmp_path / "sim/traces/hpe").mkdir(parents=True)
    (tmp_path / "sim/traces/hpe/sets.json").write_text(json.dumps({"outcome": {"machine": "--sms 2", "stall": 9, "applications": rows}}))
    monkeypatch.setattr(recordings, "ROOT", str(tmp_path))
    monkeypatch.setattr(recordings, "keep", lambda words, path: made.append((words[words.index("--shootdown") + 1], words[-1])))
    monkeypatch.setattr(sys, "argv", ["recordings.py", "own", "hpe", "outcome"])
    with pytest.raises(SystemExit) as end:
        recordings.main()
    assert end.value.code is True  # this recorder finds nothing
    srd, nw = [made[n] for n in range(8)], [made[n] for n in range(8, 16)]
    assert [p for p, _ in srd] == ["lru", "hpe", RRIP_FAR, CLOCKPRO, "random", "hpe:brief=1", "rrip-hpe", "rrip-hpe:distant=1"]
    assert [p for p, _ in nw] == ["lru", "hpe", RRIP_LONG, CLOCKPRO, "random", "hpe:brief=1", "hpe:divide=32", "hpe:divide=24"]
    assert len(made) == 32 and {s for _, s in made} == set(SIZES)  # HWL takes minutes
