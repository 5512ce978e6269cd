# SPDX-License-Identifier: Apache-2.0
"""bench_kit.py: package gmmu.cocotb beside gmmu_tier_axil, under cocotb. run.py starts it, and hands size, walks and seed over in GMMU_KIT."""
import itertools
import json
import logging
import os
import random
import zlib

import cocotb
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource
from gmmu import cocotb as kit
from gmmu import layouts
from gmmu.layouts import DecisionBeat, DrvBeat, Op, Tier, WalkBeat

GIVEN = json.loads(os.environ["GMMU_KIT"])
CONFIG = layouts.config(GIVEN["config"], **GIVEN["sizes"])
WALKS, SEED = GIVEN["walks"], GIVEN["seed"]
REGISTERS = {"cfg_fresh": 6, "cfg_protect": 128, **GIVEN["registers"]}
FRAMES = REGISTERS.get("cfg_frames", CONFIG.frames)
# cycles of ten ns that a test may take: an access and its share of the rest
LIMIT = 10 * (10_000 + 20 * WALKS)
# of the tests below that are to find a fault that is built in
SHORT = min(WALKS, 300)
# accesses of the longer of the further tests
PART = max(min(WALKS, 200), WALKS // 5)


def seed_of(what):
    return zlib.crc32(f"{SEED} {what}".encode())


def accesses(n, seed, frames=FRAMES):
    """Pages that are asked for again and again, a loop, and pages at random, over four times the memory; often by several warps at once."""
    r = random.Random(seed)
    hot, at, sent = frames // 2 + 1, 0, 0
    while sent < n:
        kind = r.random()
        if kind < 0.5:
            page, ref = r.randrange(hot), 0x10 + 8 * r.randrange(4)
        elif kind < 0.7:
            at = (at + 1) % (2 * frames)
            page, ref = hot + at, 0xABCDE0F0
        else:
            page, ref = hot + r.randrange(4 * frames), 0x70 + 8 * r.randrange(3)
        for _ in range(min(n - sent, r.choice((1, 1, 2, 4)))):
            yield {"vpn": page, "asid": page % 2, "ref": ref, "sm": r.randrange(64), "write": r.random() < 0.3}
            sent += 1


class Book:
    """The test's own page table, from the beats alone: what the unit was told, and may name."""

    def __init__(self, cycles, dut, operations="s_axis_drv", decisions="m_axis_decision"):
        self.page_of, self.frame_of, self.leaving = {}, {}, set()
        self.walks = self.faults = self.decisions = self.fills = self.seq = 0
        watch = lambda stream, beat: kit.Monitor(cycles, kit.Port.of(dut, stream), beat, CONFIG)  # noqa: E731
        watch("s_axis_walk", WalkBeat).on_beat.append(self.walk)
        watch(operations, DrvBeat).on_beat.append(self.operation)
        watch(decisions, DecisionBeat).on_beat.append(self.decision)

    def walk(self, b):
        self.walks += 1
        self.faults += b.fault
        if not b.fault:
            assert self.page_of.get(b.frame) == (b.asid, b.vpn), f"book: a hit in frame {b.frame}, which holds {self.page_of.get(b.frame)}: {b}"

    def operation(self, b):
        page = (b.asid, b.vpn)
        if b.op == Op.FILL:
            self.fills += 1
            assert b.frame < FRAMES, f"book: FILL of a frame that is not enabled: {b}"
            assert b.frame not in self.page_of or b.frame in self.leaving, f"book: FILL of frame {b.frame}, which holds {self.page_of[b.frame]}: {b}"
            assert page not in self.frame_of, f"book: FILL of a page that is in frame {self.frame_of[page]}: {b}"  # also while the page leaves
            self.gone(b.frame)
            self.page_of[b.frame], self.frame_of[page] = page, b.frame
        elif b.op == Op.FREE:
            self.gone(b.frame)
        elif b.op == Op.CANCEL:
            self.leaving.discard(b.frame)

    def gone(self, frame):
        self.leaving.discard(frame)
        page = self.page_of.pop(frame, None)
        if self.frame_of.get(page) == frame:
            del self.frame_of[page]

    def decision(self, b):
        assert b.seq == self.decisions % (1 << CONFIG.seq_w), f"book: decision {self.decisions} has number {b.seq}"
        self.decisions += 1
        if b.tier == Tier.TIER_2:
            held = self.page_of.get(b.frame)
            assert held == (b.v_asid, b.v_vpn) and b.frame not in self.leaving, f"book: victim of frame {b.frame}, which holds {held}: {b}"
            self.leaving.add(b.frame)
        else:
            assert b.tier in (Tier.NONE, Tier.FREE), f"book: {b}"


class Bench:
    """All of it: bus, walker, driver, book; the parts that a test spoils are handed in."""

    def __init__(self, dut, cycles, seed, driver=kit.Driver, paced=False, moves=None, **walker):
        r = random.Random(seed)
        self.dut, self.cycles = dut, cycles
        self.registers = kit.Registers.of(dut, CONFIG)
        self.registers.master.write_if.log.setLevel(logging.WARNING)
        self.registers.master.read_if.log.setLevel(logging.WARNING)
        draw = lambda: kit.pauses(r.choice((0.0, 0.3, 0.7)), r.getrandbits(32))  # noqa: E731
        self.channels = (self.registers.master.write_if.aw_channel, self.registers.master.write_if.w_channel, self.registers.master.write_if.b_channel,
                         self.registers.master.read_if.ar_channel, self.registers.master.read_if.r_channel)
        for channel in self.channels:
            channel.set_pause_generator(map(lambda _, rests=draw(): rests(), itertools.count()))
        port = lambda stream: kit.Port.of(dut, stream)  # noqa: E731
        pace = kit.Paced(cycles, dut.quiet, port("s_axis_walk"), port("s_axis_drv")) if paced else None
        self.table = kit.PageTable()
        given = {"outstanding": min(32, FRAMES), "late": 0.3, "late_by": (60, 400) if FRAMES < 100 else (100, 1500), "pause": draw(), "paced": pace,
                 "seed": r.getrandbits(32), **walker}
        self.walker = kit.Walker(cycles, port("s_axis_walk"), CONFIG, self.table, **given)
        self.driver = driver(cycles, port("m_axis_decision"), port("s_axis_drv"), CONFIG, self.table, frames=FRAMES, take_pause=draw(), send_pause=draw(),
                             paced=pace, seed=r.getrandbits(32), errors=lambda: self.registers.counter("stat_drv_errors"), **{"copy": (2, 20), **(moves or {})})
        self.random = r
        self.book = Book(cycles, dut)

    async def open(self, registers=None):
        """Registers as the test wants them, by the bus; then the unit takes walks."""
        await self.registers.check()
        for name, value in (registers or REGISTERS).items():
            await self.registers.write(name, value)
            assert await self.registers.read(name) == value, name
        for channel in self.channels:  # they take as long as all the rest
            channel.clear_pause_generator()
            channel.pause = False
        await self.registers.reset()
        await self.cycles.until(lambda: self.dut.s_axis_walk_tready.value == 1, 2 * layouts.reset_cycles(CONFIG), "the reset sequence")

    async def ask(self):
        """Faults that found no room: the driver asks for the pages that the walker waits for."""
        drops = 0
        while True:
            await self.cycles.wait(400)
            now = await self.registers.counter("stat_fault_drops")
            if now != drops:
                await self.driver.ask(self.driver.lost(self.walker.parked))
            drops = now

    async def pin(self):
        """Pins frames, a quarter of them at a time, and lets them go again."""
        pinned = []
        while True:
            await self.cycles.wait(self.random.randint(50, 150))
            mapped = list(self.table.page_of)
            if pinned and (len(pinned) >= FRAMES // 4 or self.random.random() < 0.5):
                await self.driver.pin(pinned.pop(self.random.randrange(len(pinned))), False)
            elif mapped:
                pinned.append(self.random.choice(mapped))
                await self.driver.pin(pinned[-1])

    async def run(self, n, seed, most=20_000, meanwhile=()):
        """N accesses, to the last answer, and MEANWHILE what has no end; then the counters. TimeoutError: no access was answered in MOST cycles."""
        tasks = [cocotb.start_soon(work()) for work in (self.ask, *meanwhile)]
        await self.walker.run(accesses(n, seed), most)
        assert self.walker.answered == n
        for task in tasks:
            task.cancel()
        await self.cycles.until(lambda: self.driver.idle, 20_000, "the driver's work")
        await self.cycles.until(lambda: self.dut.quiet.value == 1, 400_000, "the unit's work")
        return await self.registers.counters()

    def fits(self, counters, n):
        w, d, b = self.walker, self.driver, self.book
        assert b.walks == w.source.count and b.faults == w.faults and counters["stat_walks"] == b.walks - w.replays, (counters, b.walks, w.replays)
        for name, expected in (("stat_stale_hits", 0), ("stat_drv_errors", d.refused), ("stat_parity", 0), ("stat_watchdog", 0)):
            assert counters[name] == expected, f"{name}: found {counters[name]}, expected {expected}"
        assert {p: f for f, p in b.page_of.items()} == {tuple(p): f for p, f in self.table.frame_of.items()}, "book and page table differ at the end"
        assert counters["stat_late"] > n // 1000 and w.replays > n // 10 and d.evictions > n // 20, (counters["stat_late"], w.replays, d.evictions)
        self.dut._log.info("%d accesses, %d walks, %d faults, %d late, %d replays, %d evictions, %d CANCELs, %d of FREE by will, %d ASKs, %d drops, "
                           "%d ahead, %d kept, %d refused, %d pins, %d cycles", n, b.walks, w.faults, counters["stat_late"], w.replays, d.evictions, d.cancels,
                           d.declined_free, d.asks, counters["stat_fault_drops"], d.ahead, d.kept, d.refused, d.pins, self.cycles.now)


SPOILT = 20  # seed of the runs with an error built in, whatever the seed of the others
STREAMS = ("s_axis_walk", "s_axis_drv", "m_axis_decision")


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def in_any_timing(dut):
    """Random pauses, late faults, replays, dropped faults; every action and every decision by the C model."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("any"))
    await bench.open()
    steps = kit.Lockstep(cycles, dut, CONFIG, **REGISTERS)
    counters = await bench.run(WALKS, seed_of("accesses"))
    bench.fits(counters, WALKS)
    steps.finish(counters)
    assert steps.compared == bench.book.decisions > 0
    dut._log.info("%d actions as the C model's: %s", sum(steps.actions.values()), steps.actions)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def ahead_of_need(dut):
    """Frames are kept free and pinned; victims ahead are evicted or kept, also where the unit refuses; decisions, FREE too, are not followed."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("ahead"), moves={"keep": 0.5, "decline": 0.2, "copy": (20, 200)}, outstanding=min(6, FRAMES // 2))
    registers = {**REGISTERS, "cfg_ahead": max(2, FRAMES // 8)}
    await bench.open(registers)
    steps = kit.Lockstep(cycles, dut, CONFIG, **registers)
    counters = await bench.run(PART, seed_of("ahead accesses"), meanwhile=(bench.pin,))
    bench.fits(counters, PART)
    steps.finish(counters)
    d = bench.driver
    assert steps.compared == bench.book.decisions and counters["stat_ahead"] == d.ahead
    assert d.kept > 0 and d.declined_free > 0 and d.pins > 0 and (d.refused > 0 or PART < 1000), (d.kept, d.refused, d.declined_free, d.pins)


class AsksForWhatLeaves(kit.Driver):
    """Asks for each victim as soon as the victim is unmapped, as an access to the page does that no walk reports."""

    random, asked = random.Random(SEED), 0

    async def _leave(self, d):
        cocotb.start_soon(self.again(kit.Page(d.v_asid, d.v_vpn)))
        return await super()._leave(d)

    async def again(self, page):
        await self.cycles.wait(1)
        if self.random.random() < 0.3:
            self.asked += await self.ask([page])


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_page_that_is_asked_for_while_it_leaves(dut):
    """A page's new frame is ready before the page's old frame: the driver fills the old one first (order rule 7)."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("leaves"), AsksForWhatLeaves, moves={"copy": (1, 400)})
    await bench.open()
    steps = kit.Lockstep(cycles, dut, CONFIG, **REGISTERS)
    counters = await bench.run(PART, seed_of("leaves accesses"))
    steps.finish(counters)
    assert counters["stat_drv_errors"] == 0 and bench.driver.asked > PART // 50, (counters["stat_drv_errors"], bench.driver.asked)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_walker_that_looks_again(dut):
    """Accesses to FAULTS pages wait, and NOTES accesses at most: no fault finds the table full, as none is late by the page table."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("again"), moves={"copy": (100, 500)}, looks_again=True, pages=CONFIG.faults, outstanding=CONFIG.notes)
    await bench.open()
    steps = kit.Lockstep(cycles, dut, CONFIG, **REGISTERS)
    most = 0

    def count():
        nonlocal most
        most = max(most, len(bench.walker.parked))
    cycles.at_look.append(count)
    counters = await bench.run(PART, seed_of("again accesses"))
    steps.finish(counters)
    assert counters["stat_fault_drops"] == 0 and bench.walker.late_faults == 0 and bench.walker.restarts > 0, (counters, bench.walker.restarts)
    assert most == CONFIG.faults or CONFIG.faults > 8, most


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def beat_by_beat(dut):
    """The unit gets its time: each decision by the C model, without tvi."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("paced"), paced=True)
    await bench.open()
    board = kit.Scoreboard(cycles, *(kit.Port.of(dut, s) for s in STREAMS), dut.quiet, CONFIG, **REGISTERS)
    counters = await bench.run(GIVEN["paced"], seed_of("paced accesses"))
    board.finish(counters)
    assert board.compared == bench.book.decisions > 0


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def streams_of_cocotbext_axi(dut):
    """The streams by cocotbext-axi's own classes, their data by the layouts; the package looks on."""
    cycles = await kit.start(dut)
    bus = lambda stream: AxiStreamBus.from_prefix(dut, stream)  # noqa: E731
    walks, operations = (AxiStreamSource(bus(stream), dut.clk, dut.rst) for stream in STREAMS[:2])
    dut.s_axis_drv_tdata.value = 0  # x by the source until its first beat, and tready depends on the operation
    decisions = AxiStreamSink(bus(STREAMS[2]), dut.clk, dut.rst)
    steps, book = kit.Lockstep(cycles, dut, CONFIG), Book(cycles, dut)
    for frame in range(3):
        await walks.send(WalkBeat.layout(CONFIG).pack_bytes(vpn=7 + frame, ref=0x20, fault=1))
        decision = DecisionBeat.unpack(bytes((await decisions.recv()).tdata), CONFIG)
        assert (decision.seq, decision.vpn, decision.tier) == (frame, 7 + frame, Tier.FREE), decision
        await operations.send(DrvBeat.layout(CONFIG).pack_bytes(op=Op.FILL, frame=frame, vpn=decision.vpn))
        await operations.wait()
        await walks.send(WalkBeat.layout(CONFIG).pack_bytes(vpn=7 + frame, ref=0x20, frame=frame))
    await walks.wait()
    await cycles.until(lambda: dut.quiet.value == 1, 400_000, "the unit's work")
    steps.finish()
    assert book.walks == 6 and book.faults == book.fills == steps.compared == 3 and steps.actions["WALK"] == 6


# ---- what the checks find: each test builds one error in, and waits for the check that names it

@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_monitor_behind_a_reset(dut):
    """A decision is offered, and not taken, when rst comes: nothing is to stay behind the reset."""
    cycles = await kit.start(dut)
    errors = []
    cycles.on_error = errors.append
    monitor = kit.Monitor(cycles, kit.Port.of(dut, "m_axis_decision"), DecisionBeat, CONFIG)
    walks = kit.Source(cycles, kit.Port.of(dut, "s_axis_walk"), WalkBeat, CONFIG)
    dut.m_axis_decision_tready.value = 0
    await walks.send(WalkBeat(vpn=7, ref=1, fault=1))
    await cycles.until(lambda: monitor.stays, 20_000, "the decision")
    dut.rst.value = 1
    await cycles.wait(4)
    dut.rst.value = 0
    await cycles.wait(50)
    assert not errors, errors[0]


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_new_scoreboard_behind_a_reset(dut):
    """The page's way: the scoreboard is stopped, and the next one compares the fresh unit with a fresh model."""
    cycles = await kit.start(dut)
    walks, operations, decisions = (kit.Port.of(dut, stream) for stream in STREAMS)
    registers = kit.Registers.of(dut, CONFIG)
    await registers.write("cfg_fresh", 6)
    for seed in range(2):
        await registers.reset()
        table = kit.PageTable()
        walker = kit.Walker(cycles, walks, CONFIG, table, outstanding=min(8, CONFIG.frames))
        driver = kit.Driver(cycles, decisions, operations, CONFIG, table)
        steps = kit.Lockstep(cycles, dut, CONFIG, cfg_fresh=6)
        await walker.run(accesses(SHORT, seed_of(f"again {seed}"), CONFIG.frames))
        await cycles.until(lambda now=driver: now.idle and dut.quiet.value == 1, 400_000, "the unit's work")
        steps.finish(await registers.counters())
        steps.stop()
        for calls in (cycles.at_edge, cycles.at_drive):  # walker and driver are of before, too
            calls.clear()


async def finds(dut, message, driver=kit.Driver, spoil=lambda bench, check: None, registers=None, paced=None):
    """A run with an error built in ends with an error whose text has MESSAGE. PACED: the check is the Scoreboard, and whether the sources are Paced."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, SPOILT, driver, bool(paced))
    await bench.open()
    check = (kit.Lockstep(cycles, dut, CONFIG, **(registers or REGISTERS)) if paced is None else
             kit.Scoreboard(cycles, *(kit.Port.of(dut, s) for s in STREAMS), dut.quiet, CONFIG, **(registers or REGISTERS)))
    errors = []
    cycles.on_error = errors.append
    spoil(bench, check)

    async def run():
        try:
            check.finish(await bench.run(SHORT, SPOILT + 1, 1500))
        except (AssertionError, TimeoutError) as error:
            errors.append(error)

    task = cocotb.start_soon(run())
    while not errors and not task.done():
        await cycles.wait(10)
    task.cancel()
    assert errors, "found no error, though one was built in"
    told = str(errors[0]).split("\n", maxsplit=1)[0]
    assert message in told, f"found the error {told!r}, expected one with {message!r}"
    dut._log.info("found: %s", told)


class IntoTheWrongFrame(kit.Driver):
    """Its 20th page goes into the frame behind the right one."""

    async def _fill(self, frame, page):
        await super()._fill((frame + 1) % FRAMES if self.fills == 20 else frame, page)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_page_in_the_wrong_frame(dut):
    await finds(dut, "book: FILL of frame", IntoTheWrongFrame)


class Deaf(kit.Driver):
    """Does not hear the 20th decision."""

    def _came(self, d):
        if self.decisions.count != 20:
            super()._came(d)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_decision_that_is_not_followed(dut):
    await finds(dut, "found no answer in 1500 cycles", Deaf)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_bit_of_a_walk(dut):
    """On its way to the unit: the page of a hit is another one."""
    def spoil(bench, check):
        source = bench.walker.source
        pack = source.pack
        at = WalkBeat.layout(CONFIG).fields["vpn"].offset
        source.pack = lambda beat: pack(beat) ^ (source.count >= 100 and not beat.fault) << at
    await finds(dut, "book: a hit in frame", spoil=spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_bit_of_a_decision(dut):
    """On its way to the driver and to the check: the priority is another one."""
    def spoil(bench, check):
        monitor = check.decisions
        unpack = monitor.unpack
        at = DecisionBeat.layout(CONFIG).fields["prio"].offset
        monitor.unpack = lambda data: unpack(data ^ (monitor.count == 30) << at)
    await finds(dut, "prio: found", spoil=spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_frame_of_a_decision(dut):
    """On its way to the driver alone: the victim's frame is another one."""
    def spoil(bench, check):
        sink = bench.driver.decisions
        unpack = sink.unpack
        at = DecisionBeat.layout(CONFIG).fields["frame"].offset
        sink.unpack = lambda data: unpack(data ^ (sink.count >= 30) << at)
    await finds(dut, "driver: cycle", spoil=spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_beat_that_does_not_stay(dut):
    """An operation that is offered changes before it is taken."""
    def spoil(bench, check):
        source = bench.driver.operations

        def shake():
            if source.count >= 10 and check.operations.stays:
                source.port.data.value = source.pack(source._offered[0]) ^ bench.cycles.now & 1
        bench.cycles.at_drive.append(shake)
    await finds(dut, "to stay until it is taken", spoil=spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_model_of_other_registers(dut):
    """The C model protects fewer frames than the unit."""
    await finds(dut, "lockstep: cycle", registers={**REGISTERS, "cfg_protect": 1})


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_model_of_other_registers_beat_by_beat(dut):
    await finds(dut, "by the C model", registers={**REGISTERS, "cfg_frames": FRAMES - 1}, paced=True)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_bench_that_does_not_wait(dut):
    """Without Paced the Scoreboard's order may not be that of the unit."""
    await finds(dut, "expected Paced sources", paced=False)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_unit_of_other_sizes(dut):
    """A configuration that is not the unit's is refused by the streams and by the registers."""
    cycles = await kit.start(dut)
    wider, more = (layouts.config(GIVEN["config"], **{**GIVEN["sizes"], size: getattr(CONFIG, size.lower()) + 40}) for size in ("VPN_W", "SAMPLER"))
    for call in (lambda: kit.Source(cycles, kit.Port.of(dut, "s_axis_walk"), WalkBeat, wider), lambda: kit.Port.of(dut, "s_axis_walks")):
        try:
            call()
        except ValueError as error:
            dut._log.info("found: %s", error)
        else:
            raise AssertionError("found no error, expected ValueError")
    try:
        await kit.Registers.of(dut, more).check()
    except ValueError as error:
        assert str(error) == f"registers: sampler: found {CONFIG.sampler}, expected {CONFIG.sampler + 40}, as in configuration {CONFIG.name}", error
    else:
        raise AssertionError("found no error, expected ValueError")
