# SPDX-License-Identifier: Apache-2.0
"""registers.py: tests of registers, made from a SystemRDL file and run under cocotb.

The registers, their fields and what an access does to a field come from the RDL alone (RDL: the file; RDL_DEFINES, RDL_PARAMETERS: JSON,
for its compiler). Of the device the tests know the clock `clk`, the reset `rst` and the AXI4-Lite bus `s_axil_`; all other inputs are 0. Paths
in the RDL (hdl_path, hdl_path_slice) give a back door to the flip-flops. Fields with `donttest` are written 0, or not at all.
"""
import json
import logging
import os
import random
import re

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from systemrdl import RDLCompiler
from systemrdl.node import RegNode
from systemrdl.rdltypes import OnReadType, OnWriteType

ONES = {OnWriteType.woclr: lambda old, data: old & ~data, OnWriteType.woset: lambda old, data: old | data, OnWriteType.wot: lambda old, data: old ^ data,
        OnWriteType.wzc: lambda old, data: old & data, OnWriteType.wzs: lambda old, data: old | ~data, OnWriteType.wzt: lambda old, data: old ^ ~data,
        OnWriteType.wclr: lambda old, data: 0, OnWriteType.wset: lambda old, data: ~0, None: lambda old, data: data}
ON_READ = {OnReadType.rclr: lambda old: 0, OnReadType.rset: lambda old: ~0, None: lambda old: old}

# inputs beside clock, reset and bus
INPUTS = re.compile(r"test_en|s_axis_\w+_(tdata|tvalid)|m_axis_\w+_tready|m_frame_(\w+_ready|[rb]_valid|r_data)")


async def answered(access):
    """What ACCESS returns: an answer comes within 1000 cycles, or never."""
    return await with_timeout(access, 10, "us")


class Field:
    """What the RDL says of a field."""

    def __init__(self, node):
        self.lsb, self.width = node.lsb, node.width
        self.mask = (1 << self.width) - 1
        self.reads, self.writes, self.volatile = node.is_sw_readable, node.is_sw_writable, node.is_volatile
        self.on_write, self.on_read = node.get_property("onwrite"), node.get_property("onread")
        self.pulse = node.get_property("singlepulse")
        self.untested = node.get_property("donttest")
        self.uncompared = self.untested or node.get_property("dontcompare")
        self.reset = node.get_property("reset")
        self.path = node.get_property("hdl_path_slice")

    def written(self, old, data):
        return 0 if self.pulse else ONES[self.on_write](old, data) & self.mask


class Register:
    """A register, its value as it should be, and its back door."""

    def __init__(self, node, dut):
        self.name, self.address, self.bytes = node.inst_name, node.absolute_address, node.size
        self.step = node.get_property("accesswidth") // 8
        self.fields = [Field(f) for f in node.fields()]
        self.reads, self.writes = node.has_sw_readable, node.has_sw_writable
        self.value = 0
        path = node.get_property("hdl_path")
        self.doors = [(found(dut, path), 0)] if path else [(found(dut, f.path[0]), f.lsb) for f in self.fields if f.path and len(f.path) == 1]

    def bits(self, which):
        return sum(f.mask << f.lsb for f in self.fields if which(f))

    @property
    def tested(self):
        return ~self.bits(lambda f: f.untested)

    @property
    def stable(self):
        """Bits with a value that is known: also those of no field, which read 0."""
        return ((1 << 8 * self.bytes) - 1) & ~self.bits(lambda f: f.volatile or f.uncompared or not f.reads)

    @property
    def watched(self):
        """Bits whose value the unit may change, and whose flip-flops have a path."""
        doors = sum(((1 << len(door)) - 1) << lsb for door, lsb in self.doors)
        return self.bits(lambda f: f.volatile and f.reads and not f.uncompared) & doors

    @property
    def changed(self):
        """Bits that a write may change."""
        return self.bits(lambda f: f.writes and not f.pulse)

    def note_reset(self):
        self.value = sum((f.reset or 0) << f.lsb for f in self.fields)

    def note_write(self, data, strobes):
        """DATA is written, in the bytes of which STROBES has a bit for each bit."""
        for f in self.fields:
            own = f.mask << f.lsb
            if f.writes and own & strobes:
                old = self.value >> f.lsb & f.mask
                new = f.written(old, data >> f.lsb & f.mask)
                keep = ~(strobes >> f.lsb) & f.mask
                self.value = self.value & ~own | (old & keep | new & ~keep) << f.lsb

    def note_read(self):
        for f in self.fields:
            new = ON_READ[f.on_read](self.value >> f.lsb & f.mask) & f.mask
            self.value = self.value & ~(f.mask << f.lsb) | new << f.lsb

    def peek(self):
        return sum(int(door.value) << lsb for door, lsb in self.doors)

    def poke(self, value):
        for door, lsb in self.doors:
            door.value = value >> lsb & ((1 << len(door)) - 1)
        self.value = value


def found(dut, path):
    """The handle of PATH below DUT; its last part may have a range."""
    handle = dut
    for part in path.split("."):
        name, at = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", part).groups()
        handle = getattr(handle, name)
        if at is not None:
            handle = handle[int(at)]
    return handle


class Bench:
    """The device in reset and behind it, its bus, and the registers by the RDL."""

    def __init__(self, dut):
        self.dut = dut
        compiler = RDLCompiler()
        compiler.compile_file(os.environ["RDL"], defines=json.loads(os.environ.get("RDL_DEFINES", "{}")))
        top = compiler.elaborate(parameters=json.loads(os.environ.get("RDL_PARAMETERS", "{}"))).top
        self.registers = [Register(node, dut) for node in top.descendants() if isinstance(node, RegNode)]
        assert self.registers
        self.r = random.Random(1)
        self.master = None

    async def start(self):
        for handle in self.dut:
            if INPUTS.fullmatch(handle._name):
                handle.value = 0
        cocotb.start_soon(Clock(self.dut.clk, 10, unit="ns").start())
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        logging.getLogger("cocotb.%s.s_axil" % self.dut._name).setLevel(logging.WARNING)
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(self.dut, "s_axil"), self.dut.clk, self.dut.rst)
        await self.reset()

    async def reset(self):
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0
        for reg in self.registers:
            reg.note_reset()

    async def write(self, reg, data):
        """DATA in words of the register's access width, in any order."""
        data &= reg.tested
        words = list(range(0, reg.bytes, reg.step))
        self.r.shuffle(words)
        for at in words:
            word = data >> 8 * at & ((1 << 8 * reg.step) - 1)
            answer = await answered(self.master.write(reg.address + at, word.to_bytes(reg.step, "little")))
            assert answer.resp == AxiResp.OKAY or not reg.writes, f"{reg.name}: a write is answered {answer.resp.name}"
        if reg.writes:
            reg.note_write(data, (1 << 8 * reg.bytes) - 1)

    async def read(self, reg):
        value = 0
        for at in range(0, reg.bytes, reg.step):
            answer = await answered(self.master.read(reg.address + at, reg.step))
            assert answer.resp == AxiResp.OKAY, f"{reg.name}: a read is answered {answer.resp.name}"
            value |= int.from_bytes(answer.data, "little") << 8 * at
        reg.note_read()
        return value

    async def check(self, reg, why):
        """The register reads as it should: bits that the unit may change as the flip-flops are, if these do not change meanwhile."""
        should = reg.value
        before = reg.peek() if reg.doors else 0
        value = await self.read(reg)
        after = reg.peek() if reg.doors else 0
        bits = reg.stable & self.readable(reg)
        assert value & bits == should & bits, f"{reg.name}: found 0x{value:x}, expected 0x{should:x} in the bits 0x{bits:x}: {why}"
        bits = reg.watched & ~(before ^ after)
        assert value & bits == before & bits, f"{reg.name}: found 0x{value:x}, expected 0x{before:x}, the flip-flops, in the bits 0x{bits:x}: {why}"
        return value

    @staticmethod
    def readable(reg):
        return (1 << 8 * reg.bytes) - 1

    async def check_all(self, why):
        for reg in self.registers:
            if reg.reads:
                await self.check(reg, why)

    def random(self, reg):
        return self.r.getrandbits(8 * reg.bytes)

    def in_order(self):
        """The registers, first those that the unit changes: what software writes to the others may move the unit."""
        return sorted(self.registers, key=lambda reg: not reg.bits(lambda f: f.volatile))


async def started(dut):
    bench = Bench(dut)
    await bench.start()
    return bench


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset(dut):
    """Each field with a reset value has it, after power-up and after everything was written."""
    bench = await started(dut)
    compared = 0
    for _ in range(2):
        for reg in bench.in_order():
            if not reg.reads:
                continue
            value, known = await bench.read(reg), reg.bits(lambda f: f.reset is not None and f.reads and not f.uncompared)
            known |= bench.readable(reg) & ~reg.bits(lambda f: True)
            compared += sum(f.reset is not None for f in reg.fields)
            assert value & known == reg.value & known, f"{reg.name}: found 0x{value:x} after a reset, expected 0x{reg.value:x} in the bits 0x{known:x}"
        for reg in bench.registers:
            if reg.writes:
                await bench.write(reg, ~reg.value)
        await bench.reset()
    assert compared > 0
    dut._log.info("%d fields compared", compared)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def read_write(dut):
    """What is written is read, by the bus and in the flip-flops; what the flip-flops hold is read; a register that cannot be written stays."""
    bench = await started(dut)
    writes = pokes = kept = 0
    for reg in bench.in_order():
        if reg.writes:
            for data in (0, ~0, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA, bench.random(reg)):
                await bench.write(reg, data & bench.readable(reg))
                if reg.reads:
                    await bench.check(reg, f"0x{data & bench.readable(reg):x} was written")
                if reg.doors and reg.changed & reg.stable:
                    bits = reg.changed & reg.stable
                    assert reg.peek() & bits == reg.value & bits, f"{reg.name}: the flip-flops are 0x{reg.peek():x}, expected 0x{reg.value:x}"
                writes += 1
        elif reg.stable & reg.bits(lambda f: True):
            await bench.write(reg, ~reg.value & bench.readable(reg))
            await bench.check(reg, "a register that cannot be written was written")
            kept += 1
        if reg.doors and reg.reads:
            for _ in range(2):
                data = bench.random(reg) & (reg.watched | reg.changed)
                await FallingEdge(dut.clk)
                reg.poke(data)
                await ClockCycles(dut.clk, 2)
                value = await bench.check(reg, f"0x{data:x} was put into the flip-flops")
                bits = reg.watched & ~(reg.peek() ^ data)
                assert value & bits == data & bits
                pokes += 1
    assert writes and pokes and kept
    dut._log.info("%d writes, %d back-door writes, %d registers that stay", writes, pokes, kept)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def bit_bash(dut):
    """Each bit of each register that can be written, alone: 1, then 0. For a bit that the unit sets, too: the flip-flops are set first."""
    bench = await started(dut)
    bits = 0
    for reg in bench.in_order():
        if not reg.writes:
            continue
        for bit in range(8 * reg.bytes):
            if not reg.tested >> bit & 1:
                continue
            if reg.watched & reg.changed:  # all set: writing shows which are cleared
                await FallingEdge(dut.clk)
                reg.poke(reg.watched)
            for data in (1 << bit, 0):
                data |= 0 if reg.watched & reg.changed else reg.value & ~(1 << bit) & reg.changed
                await bench.write(reg, data)
                if not reg.reads:
                    continue
                value = await bench.check(reg, f"bit {bit} was written")
                own = reg.watched & reg.changed
                assert value & own == reg.value & own, f"{reg.name}: found 0x{value:x}, expected 0x{reg.value:x}: bit {bit} was written"
            bits += 1
    assert bits > 0
    dut._log.info("%d bits", bits)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def aliasing(dut):
    """A write changes the one register, a write to an address without one changes none; no two flip-flops are read for one another."""
    bench = await started(dut)
    for reg in bench.registers:
        if reg.doors and reg.watched:
            await FallingEdge(dut.clk)
            reg.poke(bench.random(reg) & reg.watched)
        elif reg.writes:
            await bench.write(reg, bench.random(reg))
    await bench.check_all("all were written")
    for reg in bench.registers:
        if reg.writes:
            await bench.write(reg, ~reg.value & bench.readable(reg))
            await bench.check_all(f"{reg.name} was written")
    mapped = {reg.address + at for reg in bench.registers for at in range(reg.bytes)}
    step = bench.registers[0].step
    holes = [a for a in range(0, 1 << len(dut.s_axil_awaddr), step) if a not in mapped]
    for address in holes:
        await answered(bench.master.write(address, bench.r.getrandbits(8 * step).to_bytes(step, "little")))
    await bench.check_all("addresses without a register were written")
    dut._log.info("%d addresses without a register", len(holes))


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def no_delay(dut):
    """Accesses that follow each other without a pause, many under way: all writes, then all reads, then writes beside reads of others."""
    bench = await started(dut)
    writes = [reg for reg in bench.registers if reg.changed and reg.reads and reg.changed & reg.stable == reg.changed]
    reads = [reg for reg in bench.registers if reg.reads and reg.stable & reg.bits(lambda f: True)]

    def begin_write(reg):
        data = bench.random(reg)
        reg.note_write(data, bench.readable(reg))
        return [bench.master.init_write(reg.address + at, (data >> 8 * at & ((1 << 8 * reg.step) - 1)).to_bytes(reg.step, "little"))
                for at in reversed(range(0, reg.bytes, reg.step))]

    def begin_read(reg):
        return [(reg, at, bench.master.init_read(reg.address + at, reg.step)) for at in range(0, reg.bytes, reg.step)]

    async def end(written, wanted):
        for event in written:
            await answered(event.wait())
            assert event.data.resp == AxiResp.OKAY
        for reg, at, event in wanted:
            await answered(event.wait())
            should, bits = reg.value >> 8 * at, reg.stable >> 8 * at & ((1 << 8 * reg.step) - 1)
            value = int.from_bytes(event.data.data, "little")
            assert event.data.resp == AxiResp.OKAY and value & bits == should & bits, f"{reg.name}: found 0x{value:x}, expected 0x{should & bits:x}"
    for _ in range(4):
        bench.r.shuffle(writes)
        await end([e for reg in writes for e in begin_write(reg)], [])
        await end([], [e for reg in reads for e in begin_read(reg)])
        some = writes[::2]
        others = [reg for reg in reads if reg not in some]
        written = [e for reg in some for e in begin_write(reg)]
        await end(written, [e for reg in others for e in begin_read(reg)])
        await end([], [e for reg in some for e in begin_read(reg)])
    dut._log.info("%d registers written, %d read", len(writes), len(reads))
