# SPDX-License-Identifier: Apache-2.0
"""gmmu.Memory and gmmu.Unit: counts of the command, the C policies decision by decision, steps against the schedule, refusals, threads, Ctrl-C."""
import random
import signal
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

import gmmu
from gmmu import Op, Tier, layouts

ROOT = Path(__file__).resolve().parents[2]
TRACES = ("bfs", "spmv", "2dconv")
# Memory's keywords, and the policy with the same rules
KINDS = {
    "leu": ({}, "leu", False), "leu, sample": ({"cfg_search": 1}, "leu:search=sample", False),
    "leu, protect": ({"cfg_protect": 128, "cfg_search": 1}, "leu:search=sample:protect=128", False),
    "leu, tiny": ({"config": "tiny"}, "leu:config=tiny", False), "leu, large": ({"config": "large"}, "leu:config=large", False),
    "tier": ({}, "tier", True), "tier, order": ({"cfg_tier": 1}, "tier:place=order", True), "tier, random": ({"cfg_tier": 2}, "tier:place=random", True),
    "tier, reuse": ({"cfg_tier": 3}, "tier:place=reuse", True)}
# A policy of the library, an access a line: fault, tiers of the page and of those that moved, from standard input's accesses.
PROGRAM = """#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "policy/policy.h"
#include "policy/registry.h"
int main(int argc, char **argv) {
    const gmmu_policy *policy = gmmu_policy_find(argv[1], strcspn(argv[1], ":"));
    const char *options = strchr(argv[1], ':');
    gmmu_pages *pages = gmmu_pages_create();
    const gmmu_policy_config config = {.frames = (uint32_t)atoi(argv[2]), .tier2 = (uint32_t)atoi(argv[3]), .pages = pages,
                                       .options = options == NULL ? NULL : options + 1, .seed = 1};
    gmmu_error err;
    void *state = argc == 4 && policy != NULL ? policy->create(&config, &err) : NULL;
    gmmu_walk w = {0};
    unsigned write;
    while (state != NULL && scanf("%" SCNu32 " %" SCNu64 " %" SCNu64 " %u", &w.asid, &w.vpn, &w.ref, &write) == 4) {
        gmmu_outcome out;
        w.write = write != 0;
        if (policy->access(state, gmmu_pages_index(pages, w.asid, w.vpn), &w, &out, &err) != GMMU_OK)
            return 1;
        printf("%d", out.fault);
        for (uint32_t i = 0; i < out.count; i++) {
            const gmmu_move *m = &out.move[i];
            printf(" %" PRIu32 ":%" PRIu64 ":%d:%d", gmmu_pages_asid(pages, m->page), gmmu_pages_number(pages, m->page), m->from, m->to);
        }
        puts("");
    }
    return state == NULL;
}
"""
FAR, NEAR, HOST = 0, 1, 2


def read(name):
    """The columns of a recorded trace in text: vpn,ref,rw[,sm[,asid]]."""
    lines = [line.split(",") for line in (ROOT / "sim/traces" / (name + ".walk")).read_text().splitlines() if line and line[0] != "#"]
    return {"vpn": np.array([int(f[0], 0) for f in lines], np.uint64), "ref": np.array([int(f[1], 0) for f in lines], np.uint64),
            "write": np.array([f[2] == "w" for f in lines]), "asid": np.array([int(f[4] or 0) if len(f) > 4 else 0 for f in lines])}


@pytest.fixture(scope="module")
def recorded():
    return {name: read(name) for name in TRACES}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policy")
    (folder / "policy.c").write_text(PROGRAM)
    libraries = subprocess.run(["make", "-s", "print-LDLIBS"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["gcc", "-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-Icmodel/include", "-Icmodel", folder / "policy.c", "build/c/libgmmu.a",
                    "-o", folder / "policy", *libraries], cwd=ROOT, check=True)
    return folder / "policy"


def sizes(walks, tiers):
    pages = len(set(zip(walks["asid"].tolist(), walks["vpn"].tolist())))
    return pages // 2, pages // 4 if tiers else 0


def memory_of(walks, kind):
    keywords, _, tiers = KINDS[kind]
    frames, tier2 = sizes(walks, tiers)
    return gmmu.Memory(frames, tier2, **keywords)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TRACES)
def test_counts_are_those_of_the_command(command, recorded, name, kind):
    walks = recorded[name]
    memory = memory_of(walks, kind)
    memory.walks(walks)
    frames, tier2 = sizes(walks, KINDS[kind][2])
    more = ["--tier2", tier2] if tier2 else []
    (row,) = command.rows("replay", "-p", KINDS[kind][1], "--frames", frames, *more, ROOT / "sim/traces" / (name + ".walk"))
    found = memory.statistics()
    assert found["faults"] > 1000 and found["accesses"] == len(walks["vpn"])
    assert found == {key: int(row[key]) for key in found}


def moves(asid, vpn, access):
    """What the program prints of an access, from one of Memory's: the page's own way first, then the victim's, then that of what leaves Tier 2."""
    hit, tier, victim, dropped = access
    said = "0" if hit else "1 %d:%d:%d:%d" % (asid, vpn, HOST if tier == 2 else FAR, NEAR)
    if dropped:
        said += " %d:%d:%d:%d" % (dropped[1], dropped[0], HOST, FAR)
    if victim:
        said += " %d:%d:%d:%d" % (victim[1], victim[0], NEAR, victim[2])
    return said


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", TRACES)
def test_each_decision_is_that_of_the_policy(recorded, program, name, kind):
    walks = recorded[name]
    columns = [walks[key].tolist() for key in ("asid", "vpn", "ref", "write")]
    given = "".join("%d %d %d %d\n" % row for row in zip(*columns))
    frames, tier2 = sizes(walks, KINDS[kind][2])
    expected = subprocess.run([program, KINDS[kind][1], str(frames), str(tier2)], input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = memory_of(walks, kind).walks(walks)
    assert len(rows) == len(expected) > 5000
    far = {2: HOST, 3: FAR} if tier2 else {2: FAR}
    tier_of = {2: 2, 3: 3} if tier2 else {2: 3}
    found = []
    for asid, vpn, row in zip(columns[0], columns[1], rows.tolist()):
        r = dict(zip(rows.dtype.names, row))
        victim = (r["victim_vpn"], r["victim_asid"], far[r["victim_to"]]) if r["victim_to"] else None
        dropped = (r["t2_vpn"], r["t2_asid"]) if r["t2_left"] else None
        found.append(moves(asid, vpn, (r["from"] == 1, tier_of.get(r["from"]), victim, dropped)))
    assert found == expected


class Driver:
    """A driver over gmmu.Unit, written from docs/guide/integration.md alone: two tiers."""

    def __init__(self, unit):
        self.unit, self.frame_of, self.used, self.victims = unit, {}, 0, []

    def access(self, vpn, ref, asid, write):
        page = (asid, vpn)
        fault = page not in self.frame_of
        self.unit.walk(vpn, ref, asid, write=write, fault=fault, frame=self.frame_of.get(page, 0))
        for d in self.unit.decisions():
            assert (d.asid, d.vpn) == page
            frame = d.frame
            if d.tier == Tier.FREE:
                frame, self.used = self.used, self.used + 1
            else:
                assert self.frame_of.pop((d.v_asid, d.v_vpn)) == d.frame
                self.victims.append((d.v_asid, d.v_vpn))
            done = self.unit.driver(Op.FILL, frame=frame, vpn=vpn, asid=asid)
            assert done.answered and not done.refused
            self.frame_of[page] = frame


@pytest.mark.parametrize("name", ["spmv", "2dconv"])
def test_the_unit_step_by_step_is_the_memory(recorded, name):
    walks = recorded[name]
    frames, _ = sizes(walks, False)
    driver = Driver(gmmu.Unit("default", T2_SLOTS=0, cfg_frames=frames))
    memory = gmmu.Memory(frames)
    for vpn, ref, asid, write in zip(*(walks[key].tolist() for key in ("vpn", "ref", "asid", "write"))):
        victims = len(driver.victims)
        driver.access(vpn, ref, asid, write)
        access = memory.access(vpn, ref, asid, write)
        assert access.frame == driver.frame_of[(asid, vpn)] and access.tier == (1 if access.hit else 2)
        left = [(access.victim.asid, access.victim.vpn)] if access.victim else []
        assert left == driver.victims[victims:]
        assert memory.find(vpn, asid) == (1, access.frame)
    # the same state, as far as counters tell
    assert driver.unit.counters() == memory.counters() and memory.counters()["stat_walks"] == len(walks["vpn"])


def test_the_c_example_has_the_same_figures(tmp_path):
    """examples/model/pages.c, and the same loop through Unit."""
    libraries = subprocess.run(["make", "-s", "print-LDLIBS"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    subprocess.run(["gcc", "-std=gnu17", "-Icmodel/include", "-Icmodel", "examples/model/pages.c", "build/c/libgmmu.a", "-o", tmp_path / "pages", *libraries],
                   cwd=ROOT, check=True)
    said = subprocess.run([tmp_path / "pages"], capture_output=True, text=True, check=True).stdout
    driver = Driver(gmmu.Unit("tiny", cfg_frames=16))
    misses = hot_misses = 0
    for i in range(20000):
        hot = i % 4 == 3
        page = 1000 + i // 4 % 4 if hot else i % 200
        miss = (0, page) not in driver.frame_of
        misses, hot_misses = misses + miss, hot_misses + (hot and miss)
        driver.access(page, 0x20 if hot else 0x10, 0, False)
    assert said == "20000 accesses, %d misses, %d evictions; %d of 5000 accesses to the 4 pages in use missed\n" % (misses, len(driver.victims), hot_misses)


class Random:
    """Walks and operations at random, as a driver might send them, of which the answers of two units are compared."""

    def __init__(self, seed, config):
        self.r, self.c = random.Random(seed), config

    def walk(self):
        r = self.r
        fault = r.random() < 0.4
        return {"vpn": r.randrange(64), "ref": r.randrange(12), "asid": r.randrange(2), "write": r.random() < 0.3, "fault": fault,
                "frame": 0 if fault else r.randrange(20), "t2": fault and self.c.t2_slots > 0 and r.random() < 0.3,
                "slot": r.randrange(16) if self.c.t2_slots else 0, "replay": r.random() < 0.1}

    def operation(self):
        r = self.r
        op = r.choice([Op.FILL] * 6 + [Op.ASK] * 2 + list(Op))
        return {"op": op, "frame": r.randrange(20), "vpn": r.randrange(64), "asid": r.randrange(2), "dirty": r.random() < 0.3, "returns": r.random() < 0.3,
                "was": r.randrange(1 << 10), "t2": self.c.t2_slots > 0 and r.random() < 0.3, "slot": r.randrange(16) if self.c.t2_slots else 0,
                "force": r.random() < 0.2, "ahead": r.random() < 0.1}


UNITS = {
    "scan": {}, "sample": {"cfg_search": 1}, "clock": {"cfg_search": 2}, "protect": {"cfg_protect": 128}, "fresh, ahead": {"cfg_fresh": 4, "cfg_ahead": 3},
    "records": {"cfg_rit_batch": 8, "cfg_feed": 1, "cfg_transfer": 4, "cfg_sample": 0}, "order": {"cfg_tier": 1, "cfg_search": 2},
    "random": {"cfg_tier": 2, "cfg_search": 2}, "reuse": {"cfg_tier": 3, "cfg_search": 2, "cfg_tier_model": 1, "cfg_tier_near": 40, "cfg_tier_far": 90},
    "priority": {"cfg_tier": 4, "cfg_t2_slots": 1},
    "memory": {"FRAME_MEM": 1, "T2_SLOTS": 0, "cfg_t2_slots": 0, "cfg_search": 1}, "old": {"TIME_W": 18, "SAMPLER": 8}}


@pytest.mark.parametrize("name", UNITS)
def test_steps_are_the_schedule(name):
    given = dict({"cfg_frames": 20, "cfg_t2_slots": 16, "cfg_refresh": 4}, **UNITS[name])
    by_steps, whole = (gmmu.Unit("tiny", hir=True, **given) for _ in range(2))
    source, kinds = Random(name, whole.config), set()
    for _ in range(6000):
        if source.r.random() < 0.6:
            walk = source.walk()
            assert by_steps.walk(**walk, settle=False) == whole.walk(**walk)
        else:
            operation = source.operation()
            assert by_steps.driver(**operation, settle=False) == whole.driver(**operation)
        if source.r.random() < 0.01:  # a pass that was begun, and is ended otherwise
            by_steps.step(1)
            by_steps.settle()
        while not by_steps.settled:
            kinds.update(by_steps.step(source.r.randrange(1, 5)))
        assert by_steps.settled and whole.settled and by_steps.step() == []
        assert by_steps.decisions() == whole.decisions()
        assert by_steps.rit() == whole.rit() and by_steps.hir() == whole.hir()
    assert by_steps.counters() == whole.counters() and by_steps.time == whole.time
    assert {"ENTER", "ROUND", "DECIDE", "LEARN", "REFRESH", "INSTALL"} <= kinds | ({"ROUND"} if name == "clock" else set())
    special = {"memory": {"TOUCH"}, "records": {"SEND"}, "fresh, ahead": {"EXPIRE"}, "reuse": {"FORETELL", "RISE", "PLACE"}, "priority": {"ROUND2", "PLACE"},
               "old": {"AGE", "SCRUB"}}
    assert special.get(name, set()) <= kinds


def test_packets_are_read_by_the_layouts(recorded):
    unit = gmmu.Unit("default", hir=True, T2_SLOTS=0, cfg_frames=64, cfg_rit_batch=16, cfg_sample=0)
    driver = Driver(unit)
    records = pages = 0
    for vpn, ref in zip(recorded["spmv"]["vpn"][:3000].tolist(), recorded["spmv"]["ref"][:3000].tolist()):
        driver.access(vpn, ref, 0, False)
        for beats, head_of, beat_of in ((unit.rit(), layouts.RitHeadBeat, layouts.RitBeat), (unit.hir(), layouts.HirHeadBeat, layouts.HirBeat)):
            while beats:
                head = head_of.unpack(beats[0][0], unit.config)
                assert [last for _, last in beats[:head.n + 1]] == [False] * head.n + [True]
                for tdata, _ in beats[1:head.n + 1]:
                    beat = beat_of.unpack(tdata, unit.config)
                    if beat_of is layouts.RitBeat:
                        assert beat.rec or beat.access
                        records += beat.access
                    else:
                        pages += sum(layouts.hir_counts(beat, unit.config)) > 0
                beats = beats[head.n + 1:]
    assert records > 2000 and pages > 10


def test_a_snapshot_brings_the_state_back(recorded):
    unit = gmmu.Unit("tiny", cfg_frames=16)
    driver = Driver(unit)
    walks = [(v % 1000, r) for v, r in zip(recorded["spmv"]["vpn"].tolist(), recorded["spmv"]["ref"].tolist())]
    for vpn, ref in walks[:2000]:
        driver.access(vpn, ref, 0, False)
    state, book = unit.snapshot(), (dict(driver.frame_of), driver.used)

    def rest():
        driver.frame_of, driver.used, driver.victims = dict(book[0]), book[1], []
        for vpn, ref in walks[2000:4000]:
            driver.access(vpn, ref, 0, False)
        return driver.victims, unit.counters()
    first = rest()
    assert len(first[0]) > 500
    unit.restore(state)
    assert unit.counters()["stat_walks"] == 2000
    assert rest() == first
    with pytest.raises(gmmu.Error, match="restore: found the snapshot of another unit"):
        gmmu.Unit("tiny").restore(state)


def test_a_batch_of_walks_has_the_decisions_of_single_walks():
    one, batch = (gmmu.Unit("tiny", cfg_frames=16) for _ in range(2))
    r = random.Random(5)
    rows = {"vpn": [r.randrange(200) for _ in range(500)], "ref": [r.randrange(5) for _ in range(500)], "fault": [r.random() < 0.5 for _ in range(500)],
            "frame": [r.randrange(16) for _ in range(500)]}
    expected = []
    for i, (vpn, ref, fault, frame) in enumerate(zip(*rows.values())):
        one.walk(vpn, ref, fault=fault, frame=frame)
        expected += [(i, d) for d in one.decisions()]
    found = batch.walks(rows)
    assert found.dtype == gmmu.decision_dtype and len(found) == len(expected) > 5
    names = [name for name in found.dtype.names if name != "walk"]
    assert [(row["walk"], layouts.DecisionBeat(**{name: int(row[name]) for name in names})) for row in found] == expected
    assert one.counters() == batch.counters()


def test_columns_are_read_where_they_lie(recorded):
    """Columns of one's own, structured arrays, packed ones whose values do not lie at multiples of their size, and columns from the end on."""
    columns = recorded["2dconv"]
    expected = gmmu.Memory(600).walks(columns)
    names = ("vpn", "ref", "write")
    packed = np.zeros(len(columns["vpn"]), np.dtype([("byte", "u1"), ("vpn", "u8"), ("write", "?"), ("ref", "u8"), ("asid", "u4")]))
    short = {"vpn": columns["vpn"].astype(np.int16), "ref": columns["ref"].astype(np.uint32), "write": columns["write"].astype(int)}
    backwards = {name: columns[name][::-1].copy()[::-1] for name in names}
    for name in names:
        packed[name] = columns[name]
    for rows in (packed, short, backwards, gmmu.make_walks(columns["vpn"], ref=columns["ref"], write=columns["write"])):
        assert np.array_equal(gmmu.Memory(600).walks(rows), expected)
    assert len(gmmu.Memory(600).walks({"vpn": np.zeros(0, np.uint64), "ref": np.zeros(0, np.uint64)})) == 0


def test_ranges():
    unit = gmmu.Unit("default", cfg_range_bytes=1 << 30)
    answers = unit.range(layouts.Range.WRITE_GPU, 0x1000, 0x1FFF, whole=True, tag=7)
    assert [b.kind for b in answers] == [layouts.Xfer.ANSWER] and answers[0].tag == 7 and answers[0].code == layouts.RangeCode.OK
    down, answer = unit.range(layouts.Range.READ_CPU, 0x1800, 0x18FF)
    assert (down.kind, down.start, down.last) == (layouts.Xfer.DOWN, 0x1000, 0x1FFF) and answer.hit
    assert unit.range(layouts.Range.LOOKUP, 0x1000, 0x1FFF)[-1].state == layouts.RangeState.S
    with pytest.raises(gmmu.Error, match="range: found RANGES 0"):
        gmmu.Unit("default", RANGES=0).range(layouts.Range.LOOKUP, 0, 1)


def test_pins_and_freed_pages():
    memory = gmmu.Memory(4)
    for page in range(4):
        memory.access(page, 1)
        assert memory.pin(page)
    assert not memory.pin(99)
    with pytest.raises(gmmu.Error, match="memory: found no page that may leave for page 0x5 of address space 0, expected one that is not pinned"):
        memory.access(5, 1)
    assert memory.find(5) is None and memory.unpin(2)
    access = memory.access(5, 1)
    assert not access.hit and access.victim.vpn == 2 and access.frame == 2
    assert memory.free(3) and not memory.free(3) and memory.find(3) is None
    assert memory.access(6, 1).frame == 3 and memory.statistics()["evictions"] == 1
    memory.flush(0)
    assert memory.counters()["stat_flushes"] == 1


def test_dirty_pages_and_three_tiers():
    memory = gmmu.Memory(2, 2)
    memory.access(1, 1, write=True)
    memory.access(2, 1)
    access = memory.access(3, 1)
    assert access.first and access.tier == 3 and access.victim.vpn in (1, 2) and access.victim.dirty == (access.victim.vpn == 1)
    assert memory.find(access.victim.vpn) == ((2, access.victim.slot) if access.victim.tier == 2 else None)
    back = memory.access(access.victim.vpn, 1)
    assert back.tier == access.victim.tier and not back.first


def test_registers_change():
    unit = gmmu.Unit("default", FRAMES=64, FAULTS=64, T2_SLOTS=16)
    assert unit.registers()["cfg_frames"] == 64 and repr(unit) == "<gmmu.Unit default, 64 frames, walk 0>"
    unit.change(cfg_protect=100, cfg_rit_batch=8, cfg_watchdog=3)
    unit.change(cfg_frames=32, cfg_search=1)
    assert {unit.registers()[name] for name in ("cfg_protect", "cfg_rit_batch", "cfg_watchdog", "cfg_frames", "cfg_search")} == {100, 8, 3, 32, 1}
    unit.flush(3)
    assert unit.counters()["stat_flushes"] == 1


@pytest.mark.parametrize("wrong, said", [
    (lambda: gmmu.Unit("huge"), "config: found 'huge', expected one of tiny, default, onchip, large"),
    (lambda: gmmu.Unit("tiny", PAGES=3), "config: found size 'PAGES', expected one of VPN_W"),
    (lambda: gmmu.Unit("tiny", VPN_W=65), "configuration tiny with 256 frames: VPN_W must be 1..64"),
    (lambda: gmmu.Unit("tiny", cfg_pages=3), "unit: found register 'cfg_pages', expected one of cfg_frames"),
    (lambda: gmmu.Unit("tiny", cfg_frames=257), "cfg_frames: found 257, expected 1..256"),
    (lambda: gmmu.Unit("tiny", cfg_frames=1 << 40), "cfg_frames: found 1099511627776, expected 0..511 (9 bits)"),
    (lambda: gmmu.Unit("tiny", cfg_tier=5), "cfg_tier: found 5, expected 0..4"),
    (lambda: gmmu.Unit("large", cfg_search=0), "cfg_search: found 0, expected 1..1"),
    (lambda: gmmu.Unit("tiny", cfg_flush=3), "cfg_flush: found 3, expected 0: flush(asid)"),
    (lambda: gmmu.Unit("tiny", cfg_frames="a"), "cfg_frames: found 'a', expected a number"),
    (lambda: gmmu.Unit("tiny").change(FRAMES=3), "unit: found FRAMES, expected registers: cfg_"),
    (lambda: gmmu.Unit("tiny").change(cfg_sample=3), "cfg_sample: found 3, expected 2: the register comes into force at reset alone"),
    (lambda: gmmu.Unit("tiny").walk(1 << 20, 0), "walk: vpn: found 1048576, expected 0..1048575 (20 bits)"),
    (lambda: gmmu.Unit("tiny").walk(-1, 0), "walk: vpn: found -1, expected 0..1048575 (20 bits)"),
    (lambda: gmmu.Unit("tiny").walk(None, 0), "walk: vpn: found None, expected a number"),
    (lambda: gmmu.Unit("tiny").walk(1, 0, fault=2), "walk: fault: found 2, expected 0..1 (1 bit)"),
    (lambda: gmmu.Unit("tiny").driver(16), "driver: op: found 16, expected 0..15 (4 bits)"),
    (lambda: gmmu.Unit("tiny").driver(Op.FILL, frame=256), "driver: frame: found 256, expected 0..255 (8 bits)"),
    (lambda: gmmu.Unit("tiny").walks({"vpn": [1, 1 << 20]}), "walks: vpn of row 1: found 1048576, expected 0..1048575 (20 bits)"),
    (lambda: gmmu.Unit("tiny").walks({"vpn": [1, -5]}), "walks: vpn of row 1: found -5, expected 0..1048575 (20 bits)"),
    (lambda: gmmu.Unit("tiny").walks({"ref": [1]}), "walks: found no column 'vpn', expected it among ref"),
    (lambda: gmmu.Unit("tiny").walks({"vpn": [1], "rf": [1]}), "walks: found the column 'rf', expected one of vpn, ref, asid, write, fault, frame, t2, "),
    (lambda: gmmu.Unit("tiny").walks([1]), "walks: found [1], expected a structured array or a mapping with the columns vpn, ref, ..."),
    (lambda: gmmu.Memory(2).walks(np.arange(2)), "walks: found an array of type int64, expected a structured array or a mapping with the columns vpn, "),
    (lambda: gmmu.Memory(2).walks({"vpn": [1]}), "walks: found no column 'ref', expected it among vpn"),
    (lambda: gmmu.Memory(2).walks({"vpn": [1], "ref": [1], "pc": [1]}), "walks: found the column 'pc', expected one of vpn, ref, asid, write"),
    (lambda: gmmu.Unit("tiny").walks({"vpn": [1, 2], "ref": [1]}), "walks: ref: found an array of shape (1,), expected (2,)"),
    (lambda: gmmu.Unit("tiny").walks({"vpn": [0.5]}), "walks: vpn: found values of type float64, expected integers"),
    (lambda: gmmu.Memory(0), "cfg_frames: found 0, expected 1..4096"),
    (lambda: gmmu.Memory(-1), "memory: frames: found -1, expected 0..4294967295 (32 bits)"),
    (lambda: gmmu.Memory(16, cfg_ahead=4), "cfg_ahead: found 4, expected 0: accesses come one at a time"),
    (lambda: gmmu.Memory(16, cfg_fresh=4), "cfg_fresh: found 4, expected 0: accesses come one at a time"),
    (lambda: gmmu.Memory(16, config="tiny").access(1 << 20, 0), "access: vpn: found 1048576, expected 0..1048575 (20 bits)"),
    (lambda: gmmu.Memory(16).access(1, 1 << 64), "access: ref: found 18446744073709551616, expected 0..18446744073709551615 (64 bits)"),
    (lambda: gmmu.Memory(1 << 20), "configuration default with 1048576 frames: FRAMES must be at most 2^(TIME_W-6)"),
])
def test_what_is_refused(wrong, said):
    with pytest.raises((ValueError, gmmu.Error)) as refusal:
        wrong()
    assert str(refusal.value).startswith(said)


def long_trace(recorded):
    walks = recorded["bfs"]
    return {name: np.tile(column, 12) for name, column in walks.items()}


def test_other_threads_go_on_and_a_second_call_is_refused(recorded):
    memory, walks, done, turns, refused = gmmu.Memory(1704), long_trace(recorded), threading.Event(), 0, 0

    def batch():
        memory.walks(walks)
        done.set()
    thread = threading.Thread(target=batch)
    thread.start()
    while not done.is_set():
        turns += 1
        try:
            memory.find(1)
        except RuntimeError as refusal:
            assert str(refusal) == "unit: found a call of another thread under way, expected one call at a time"
            refused += 1
    thread.join()
    assert turns > 1000 and refused > 100
    assert memory.statistics()["accesses"] == len(walks["vpn"])


def test_ctrl_c_ends_a_batch(recorded):
    memory, walks = gmmu.Memory(1704), long_trace(recorded)

    def ctrl_c(*_):  # as soon as the batch is under way
        if memory.statistics()["accesses"] and not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
    pressed = []
    before = signal.signal(signal.SIGALRM, ctrl_c)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        with pytest.raises(KeyboardInterrupt):
            memory.walks(walks)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    done = memory.statistics()["accesses"]
    assert 0 < done < len(walks["vpn"])
    assert memory.access(1, 1) is not None and memory.statistics()["accesses"] == done + 1
