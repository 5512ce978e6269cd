# SPDX-License-Identifier: Apache-2.0
"""bench_ring.py: gmmu_tier_ring with a driver that sees registers and rings in memory alone (gmmu.cocotb's RingDriver; memory is AxiRam of cocotbext-axi).

Each beat of the streams between unit and rings is in the ring once, in its order, and each decision is the C model's. run.py starts it.
"""
import itertools
import logging
import random
from collections import deque

import bench_kit
import cocotb
from bench_kit import CONFIG, FRAMES, GIVEN, LIMIT, SHORT, SPOILT, WALKS, Book, accesses, seed_of
from cocotbext.axi import AxiBus, AxiRam
from gmmu import cocotb as kit
from gmmu import layouts
from gmmu.cocotb import Channel, RingConf, RingWord
from gmmu.layouts import DecisionBeat, DrvBeat, RangeBeat, RangeCode, Xfer, XferBeat

REGISTERS = {**bench_kit.REGISTERS, "cfg_rit_batch": 4}
OUT = (Channel.DECISION, Channel.XFER, Channel.RIT, Channel.HIR)
PACKETS = (Channel.RIT, Channel.HIR)
MEMORY = 62  # bits of an address; AxiRam takes no more


class Watch:
    """The beats that pass between unit and rings, as numbers, each with its tlast; and for how long the oldest was held back."""

    def __init__(self, cycles, dut, name):
        self.port = kit.Port.of(dut, name)
        self.valid = cycles.live(self.port.valid)
        self.beats = deque()
        self.count = self.held = self.longest = 0
        cycles.at_look.append(self.look)

    def look(self):
        if not self.valid.one:
            return
        if not self.port.is_one("ready"):
            self.held += 1
            self.longest = max(self.longest, self.held)
            return
        self.held = 0
        self.count += 1
        self.beats.append((int(self.port.data.value), self.port.last is None or self.port.is_one("last")))


class Bench:
    """All of it: bus, memory, rings, walker, driver, book; the parts that a test spoils are handed in.

    WINDOWS: decisions and operations go through registers. POLLS: the driver looks into memory, not at interrupts. LATE: the driver sleeps now and then.
    """

    def __init__(self, dut, cycles, seed, driver=kit.RingDriver, windows=False, polls=False, late=True, ram=AxiRam):
        self.random = r = random.Random(seed)
        self.dut, self.cycles, self.windows, self.polls = dut, cycles, windows, polls
        self.registers = kit.Registers.of(dut, CONFIG)
        self.ram = ram(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << MEMORY)
        for part in (self.registers.master.write_if, self.registers.master.read_if, self.ram.write_if, self.ram.read_if):
            part.log.setLevel(logging.WARNING)
        self.paused = [self.ram.write_if.aw_channel, self.ram.write_if.w_channel, self.ram.write_if.b_channel, self.ram.read_if.ar_channel,
                       self.ram.read_if.r_channel]
        self.draw = lambda: kit.pauses(r.choice((0.0, 0.3, 0.7)), r.getrandbits(32))
        for channel in self.paused:
            channel.set_pause_generator(map(lambda _, rests=self.draw(): rests(), itertools.count()))
        self.services = self.sleeps = 0
        self.late = (lambda: self.sleep()) if late else (lambda: 0)
        self.driver_class = driver
        self.parts()

    def sleep(self):
        """Cycles from an interrupt to its service: few, and now and then so many that the rings fill, and behind them the unit."""
        self.services += 1
        if self.services % 64 == 16 or self.random.random() < 0.01:
            self.sleeps += 1
            return self.random.randint(1500, 6000)
        return self.random.randint(0, 60)

    def parts(self):
        """What begins anew behind a reset of the unit."""
        r, dut, cycles = self.random, self.dut, self.cycles
        self.watch = {c: Watch(cycles, dut, c.name.lower()) for c in Channel if CONFIG.ranges or c not in (Channel.XFER, Channel.RANGE)}
        self.rings = kit.Rings(cycles, self.registers, self.ram, CONFIG, irq=None if self.polls else dut.irq, late=self.late)
        self.out = {c: (kit.OutWindow if self.windows and c not in PACKETS else kit.OutRing)(self.rings, c) for c in OUT if c in self.watch}
        self.into = {c: (kit.InWindow if self.windows else kit.InRing)(self.rings, c, seed=r.getrandbits(32)) for c in (Channel.DRV, Channel.RANGE)
                     if c in self.watch}
        self.packet = {c: [] for c in PACKETS}
        self.lost = {c: 0 for c in PACKETS}
        self.packets = {c: 0 for c in PACKETS}
        for c, channel in self.out.items():
            channel.on_entry.append(lambda beat, last, c=c: self.came(c, beat, last))
        self.put = deque()
        self.spans = []
        self.table = kit.PageTable()
        self.walker = kit.Walker(cycles, kit.Port.of(dut, "s_axis_walk"), CONFIG, self.table, outstanding=min(32, FRAMES), late=0.3,
                                 late_by=(60, 400) if FRAMES < 100 else (100, 1500), pause=self.draw(), seed=r.getrandbits(32))
        self.driver = self.driver_class(self.out[Channel.DECISION], self.into[Channel.DRV], CONFIG, self.table, frames=FRAMES, copy=(2, 20),
                                        seed=r.getrandbits(32))
        self.book = Book(cycles, dut, "drv", "decision")
        send = self.into[Channel.DRV].put

        def put(beat, event=None):
            self.put.append(beat)
            send(beat, event)
        self.into[Channel.DRV].put = put
        cycles.at_look.append(self.bursts)

    def came(self, channel, beat, last):
        """An entry came to the driver: the oldest beat that passed, or a whole packet that was not dropped."""
        if channel not in PACKETS:
            passed = self.watch[channel].beats
            assert passed, f"bench: found an entry of {channel.name}, which the unit did not send"
            wanted = passed.popleft()
            assert wanted == (beat, last), (f"bench: entry {self.out[channel].count} of {channel.name}: found {beat:#x}, {last}, "
                                            f"expected {wanted[0]:#x}, {wanted[1]}")
            return
        packet = self.packet[channel]
        packet.append((beat, last))
        if last:
            while self.passed(channel) != packet:
                self.lost[channel] += 1
            self.packets[channel] += 1
            packet.clear()

    def passed(self, channel):
        """The oldest packet that passed."""
        beats, packet = self.watch[channel].beats, []
        while not packet or not packet[-1][1]:
            assert beats, f"bench: found a packet of {channel.name}, which the unit did not send: {self.packet[channel]}"
            packet.append(beats.popleft())
        return packet

    def bursts(self):
        """Each burst lies in one ring: of an out channel if it writes, of an in channel if it reads; and is the next one there."""
        d = self.dut
        for valid, ready, addr, length, size, channels in (
                (d.m_axi_awvalid, d.m_axi_awready, d.m_axi_awaddr, d.m_axi_awlen, d.m_axi_awsize, self.out),
                (d.m_axi_arvalid, d.m_axi_arready, d.m_axi_araddr, d.m_axi_arlen, d.m_axi_arsize, self.into)):
            if valid.value != 1 or ready.value != 1:
                continue
            begin, bytes_ = int(addr.value), int(length.value) + 1 << int(size.value)
            for c, ring in channels.items():
                if getattr(ring, "size", 0) and ring.base <= begin and begin + bytes_ <= ring.base + ring.size * ring.entry_bytes:
                    assert begin % ring.entry_bytes == 0 and bytes_ % ring.entry_bytes == 0, f"bench: a burst at {begin:#x} of part of an entry of {c.name}"
                    break
            else:
                raise AssertionError(f"bench: found a burst at {begin:#x} of {bytes_} bytes, which is in no ring")

    async def open(self):
        """Registers as the test wants them, by the bus; then the unit takes walks, and the rings are open."""
        await self.registers.check()
        await self.rings.check()
        for name, value in REGISTERS.items():
            await self.registers.write(name, value)
        await self.registers.reset()
        await self.open_rings()
        await self.cycles.until(lambda: self.dut.s_axis_walk_tready.value == 1, 2 * layouts.reset_cycles(CONFIG), "the reset sequence")

    async def open_rings(self):
        r, high = self.random, self.random.getrandbits(min(CONFIG.ring_addr_w, MEMORY) - 24) << 24
        at = 0x1000
        for c, channel in {**self.out, **self.into}.items():
            if not hasattr(channel, "open_ring"):
                await channel.open_window()
                continue
            await channel.learn()
            most = {Channel.DECISION: (2, 3, 4, 8), Channel.DRV: (2, 3, 8, 33), Channel.RIT: (3, 40, 100), Channel.HIR: (5, 30)}.get(c, (2, 5, 16))
            size = r.choice(most)
            base = at - 64 * r.randrange(4)  # a border of 4 KiB is in most rings
            at = (base + size * channel.entry_bytes + 0x1FFF) & ~0xFFF
            if c in self.into:
                await channel.open_ring(high | base, size)
            else:
                await channel.open_ring(high | base, size, watermark=r.randrange(1, min(size, 4)), wait=r.choice((5, 7)), polls=self.polls)
            self.dut._log.info("%s: %d entries of %d bytes at %#x", c.name, size, channel.entry_bytes, high | base)

    async def ask(self):
        """Faults that found no room: the driver asks for the pages that the walker waits for."""
        drops = 0
        while True:
            await self.cycles.wait(1000)
            now = await self.registers.counter("stat_fault_drops")
            if now != drops:
                await self.driver.ask(self.driver.lost(self.walker.parked))
            drops = now

    async def poll(self):
        """Without interrupts: looks at the rings again and again."""
        while True:
            for channel in self.out.values():
                try:
                    await channel.take()
                except AssertionError as error:
                    self.cycles.fail(error)
                    return
            await self.cycles.wait(1 + self.late())

    async def run(self, n, seed, most=40_000):
        """N accesses, to the last answer; then the counters. TimeoutError: no access was answered in MOST cycles."""
        tasks = [cocotb.start_soon(self.ask())] + ([cocotb.start_soon(self.poll())] if self.polls else [])
        await self.walker.run(accesses(n, seed), most)
        assert self.walker.answered == n
        await self.cycles.until(lambda: self.driver.idle and not self.watch[Channel.DECISION].beats, 40_000, "the driver's work")
        await self.cycles.until(lambda: self.dut.quiet.value == 1, 400_000, "the unit's work")
        for task in tasks:
            task.cancel()
        self.rings.stop()
        for channel in self.out.values():
            await channel.take()
        return await self.registers.counters()

    async def fits(self, counters, n):
        w, d, b = self.walker, self.driver, self.book
        assert b.walks == w.source.count and b.faults == w.faults and counters["stat_walks"] == b.walks - w.replays, (counters, b.walks, w.replays)
        for name in ("stat_stale_hits", "stat_drv_errors", "stat_parity", "stat_watchdog"):
            assert counters[name] == 0, f"{name}: found {counters[name]}, expected 0"
        assert {p: f for f, p in b.page_of.items()} == {tuple(p): f for p, f in self.table.frame_of.items()}, "book and page table differ at the end"
        decisions, operations = self.watch[Channel.DECISION], self.watch[Channel.DRV]
        assert not decisions.beats and decisions.count == d.decisions.count == b.decisions > n // 20
        assert [beat for beat, _ in operations.beats] == list(self.put), "the unit got other operations than were put"
        assert operations.count == d.operations.count
        told = []
        for c in PACKETS:
            watch = self.watch[c]
            while watch.beats:  # behind the last packet that came
                self.passed(c)
                self.lost[c] += 1
            dropped = await self.out[c].read(RingWord.DROPPED)
            assert not self.packet[c] and dropped == self.lost[c], f"bench: {c.name}: DROPPED is {dropped}, {self.lost[c]} packets are not in the ring"
            told.append(f"{c.name} {self.packets[c]} packets, {dropped} dropped")
        self.dut._log.info("%d accesses, %d walks, %d faults, %d replays, %d evictions, %d CANCELs, %d ASKs, %d fault drops; %s; %d interrupts, %d sleeps, "
                           "a decision waited %d cycles at most; %d cycles", n, b.walks, w.faults, w.replays, d.evictions, d.cancels, d.asks,
                           counters["stat_fault_drops"], ", ".join(told), self.rings.interrupts, self.sleeps, decisions.longest, self.cycles.now)

    def forget(self):
        """Nothing of before a reset goes on."""
        self.rings.stop()
        for channel in self.into.values():
            channel.stop()
        for calls in (self.cycles.at_edge, self.cycles.at_drive, self.cycles.at_look):
            calls.clear()


def lockstep(dut, cycles):
    return kit.Lockstep(cycles, dut, CONFIG, operations=kit.Port.of(dut, "drv"), decisions=kit.Port.of(dut, "decision"), **REGISTERS)


async def served(dut, name, n, **how):
    """N accesses by a driver that sees registers and memory, beside the C model."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of(name), **how)
    await bench.open()
    steps = lockstep(dut, cycles)
    counters = await bench.run(n, seed_of(name + " accesses"))
    await bench.fits(counters, n)
    steps.finish(counters)
    assert steps.compared == bench.book.decisions > 0
    return bench


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def by_interrupts(dut):
    """Watermarks and times wake the driver, which is late now and then, so that the rings are full for long."""
    bench = await served(dut, "interrupts", WALKS)
    decisions = bench.out[Channel.DECISION]
    assert decisions.levels and decisions.times and bench.sleeps and bench.packets[Channel.RIT]
    assert bench.watch[Channel.DECISION].longest > 1000, bench.watch[Channel.DECISION].longest


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def by_polling_memory(dut):
    """The phase of an entry says that the entry is new; no interrupt, and TAIL is read for HEAD alone."""
    await served(dut, "polling", GIVEN["paced"], polls=True, late=False)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def through_windows(dut):
    """Decisions and operations through registers, without memory."""
    await served(dut, "windows", GIVEN["paced"], windows=True)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_ring_behind_a_window(dut):
    """MODE outlives RESET and DISABLE: a ring that is opened says that it is none of a window."""
    cycles = await kit.start(dut)
    registers = kit.Registers.of(dut, CONFIG)
    rings = kit.Rings(cycles, registers, AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << 20), CONFIG)
    await cycles.until(lambda: dut.s_axis_walk_tready.value == 1, 20_000, "the reset sequence")
    window = kit.OutWindow(rings, Channel.DECISION)
    await window.open_window()
    await window.disable()
    await window.reset()
    ring = kit.OutRing(rings, Channel.DECISION)
    await ring.open_ring(0x1000, 16)
    assert await ring.read(RingWord.MODE) == 0
    await kit.Source(cycles, kit.Port.of(dut, "s_axis_walk"), layouts.WalkBeat, CONFIG).send(layouts.WalkBeat(vpn=7, ref=1, fault=1))
    await cycles.wait(2000)
    assert await ring.take() == 1


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def resets_amid_bursts(dut):
    """A reset by register waits for the bursts under way, and the rings begin anew: with their registers, or without."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("resets"))
    await bench.open()
    under_way = lambda: dut.m_axi_awvalid.value == 1 or dut.m_axi_wvalid.value == 1 or dut.m_axi_arvalid.value == 1  # noqa: E731
    for turn, keep in enumerate((True, False, True)):
        task = cocotb.start_soon(bench.run(SHORT, seed_of(f"reset {turn}")))
        await cycles.wait(bench.random.randint(300, 2000))
        await cycles.until(under_way, 100_000, "a burst")
        task.cancel()
        bench.forget()
        await bench.registers.reset(keep=keep)
        # all that was under way is answered: the memory has no half of a burst, and nothing of the rings is left
        assert bench.ram.write_if.aw_channel.empty() and bench.ram.write_if.w_channel.empty() and not under_way()
        sizes = []
        for c in bench.out:
            channel = bench.out[c]
            assert await channel.read(RingWord.STATUS) == 0 and await channel.read(RingWord.HEAD_TAIL) == 0 and await channel.read(RingWord.STATUS_HIGH) == 0
            assert await channel.read(RingWord.DROPPED) == 0
            conf = await channel.read(RingWord.CONF0)
            assert not conf & RingConf.ENABLE and bool(conf) == keep, hex(conf)
            sizes.append((await channel.read(RingWord.SIZE), await channel.read(RingWord.BASE)))
        assert sizes == [(c.size, c.base & 0xFFFFFFFF) if keep else (0, 0) for c in bench.out.values()], sizes
        bench.parts()
        bench.walker.source.port.valid.value = 0
        for name, value in REGISTERS.items():
            await bench.registers.write(name, value)
        await bench.registers.reset()
        await bench.open_rings()
        await cycles.until(lambda: dut.s_axis_walk_tready.value == 1, 2 * layouts.reset_cycles(CONFIG), "the reset sequence")
    steps = lockstep(dut, cycles)
    counters = await bench.run(SHORT, seed_of("behind resets"))
    await bench.fits(counters, SHORT)
    steps.finish(counters)
    assert steps.compared > 0


@cocotb.test(timeout_time=LIMIT, timeout_unit="us", skip=not CONFIG.ranges)
async def ranges_by_rings(dut):
    """Operations on ranges go in, and each has its packet, with its tag, in the order of the operations."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, seed_of("ranges"))
    await bench.open()
    await bench.registers.write("cfg_range_bytes", 1 << 20)
    r, tags, answers = bench.random, deque(), []
    layout, beats = RangeBeat.layout(CONFIG), XferBeat.layout(CONFIG)

    def came(data, last):
        beat = beats.unpack(data)
        assert last == (beat.kind == Xfer.ANSWER), beat
        if last:
            assert beat.tag == tags.popleft(), beat
            answers.append(RangeCode(beat.code))
    bench.out[Channel.XFER].on_entry.append(came)
    n = min(max(100, WALKS // 20), 2000)
    for _ in range(n):
        begin = r.randrange(64) << 12
        beat = RangeBeat(op=r.choice((1, 2, 2, 3, 4, 5)), tag=r.randrange(256), start=begin, last=begin + r.choice((0, 63, 4095, 9000)), whole=r.randrange(2))
        tags.append(beat.tag)
        bench.into[Channel.RANGE].put(layout.pack(beat))
    await cycles.until(lambda: not tags, 2_000 * n, "the answers")
    assert len(answers) == n and answers.count(RangeCode.OK) > n // 4, answers
    dut._log.info("%d operations on ranges, %d beats", n, bench.out[Channel.XFER].count)


# ---- what the checks find: each test builds one error in, and waits for the check that names it

async def finds(dut, message, spoil=lambda bench, steps: None, **how):
    """A run with an error built in ends with an error whose text has MESSAGE."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, SPOILT, **how)
    await bench.open()
    steps = lockstep(dut, cycles)
    errors = []
    cycles.on_error = errors.append
    spoil(bench, steps)

    async def run():
        try:
            counters = await bench.run(SHORT, SPOILT + 1, 10_000)
            await bench.fits(counters, SHORT)
            steps.finish(counters)
        except (AssertionError, TimeoutError, OSError) as error:
            errors.append(error)

    task = cocotb.start_soon(run())
    while not errors and not task.done():
        await cycles.wait(10)
    task.cancel()
    assert errors, "found no error, though one was built in"
    told = str(errors[0]).split("\n", maxsplit=1)[0]
    assert message in told, f"found the error {told!r}, expected one with {message!r}"
    dut._log.info("found: %s", told)




@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_bit_of_an_entry(dut):
    """On its way from memory to the driver: the priority is another one."""
    def spoil(bench, steps):
        ring = bench.out[Channel.DECISION]
        at = DecisionBeat.layout(CONFIG).fields["prio"].offset
        came = ring._came
        ring._came = lambda beat, last: came(beat ^ (ring.count == 30) << at, last)
    await finds(dut, "bench: entry 31 of DECISION", spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def an_entry_twice(dut):
    """The driver takes an entry twice."""
    def spoil(bench, steps):
        ring = bench.out[Channel.DECISION]
        came = ring._came

        def twice(beat, last):
            came(beat, last)
            if ring.count == 30:
                came(beat, last)
        ring._came = twice
    await finds(dut, "of DECISION", spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_bit_of_an_operation(dut):
    """In memory, before the unit fetches the entry: the frame of a FILL is another one."""
    def spoil(bench, steps):
        ring = bench.into[Channel.DRV]
        put, at = ring.put, DrvBeat.layout(CONFIG).fields["frame"].offset
        sent = itertools.count()
        ring.put = lambda beat, event=None: put(beat ^ (next(sent) == 30) << at, event)
    await finds(dut, "book: ", spoil)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def an_interrupt_that_nobody_serves(dut):
    """The decisions' interrupts are off: the faults wait for ever."""
    def spoil(bench, steps):
        cocotb.start_soon(bench.out[Channel.DECISION].write(RingWord.CONF0, RingConf.ENABLE))
    await finds(dut, "found no answer in 10000 cycles", spoil, late=False)


@cocotb.test(timeout_time=LIMIT, timeout_unit="us")
async def a_head_beyond_tail(dut):
    """The bus says that HEAD is bad, and nothing changes."""
    cycles = await kit.start(dut)
    bench = Bench(dut, cycles, SPOILT)
    await bench.open()
    ring = bench.out[Channel.DECISION]
    for value in (1, ring.size - 1, ring.size, 0xFFFF):
        try:
            await ring.write(RingWord.HEAD_TAIL, value)
        except OSError as error:
            dut._log.info("found: %s", error)
        else:
            raise AssertionError(f"found HEAD {value} taken, expected an error of the bus")
        assert await ring.read(RingWord.HEAD_TAIL) == 0
