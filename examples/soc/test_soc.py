# SPDX-License-Identifier: Apache-2.0
"""soc under cocotb: accesses at random, checked against a page table of the test's own; the beats between walker, unit and driver; the unit's
registers over its bus."""
import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from gmmu import cocotb as kit
from gmmu import layouts

FRAMES, PAGES, ACCESSES = 16, 200, 1500
# the sizes that the Makefile gives soc
CONFIG = layouts.config("tiny", FRAMES=FRAMES, T2_SLOTS=0, RANGES=0)


async def start(dut):
    for name in ("req_valid", "req_write", "req_page", "req_ref"):
        getattr(dut, name).value = 0
    return await kit.start(dut)


async def taken(dut, valid, ready):
    """Until what is offered was taken; then it is offered no longer."""
    valid.value = 1
    while True:
        await ReadOnly()
        was = ready.value
        await RisingEdge(dut.clk)
        if was == 1:
            break
    valid.value = 0


class Book:
    """Which page each frame holds, by what the driver does to the page table; every answer must agree."""

    def __init__(self, dut, cycles):
        self.dut, self.page_of, self.answers, self.evictions = dut, {}, [], 0
        self.faults, self.named = 0, []
        for name, beat, see in (("walk", layouts.WalkBeat, self.walk), ("decision", layouts.DecisionBeat, self.decision), ("op", layouts.DrvBeat, self.op)):
            port = kit.Port(name, getattr(dut, name), getattr(dut, f"{name}_valid"), getattr(dut, f"{name}_ready"))
            kit.Monitor(cycles, port, beat, CONFIG).on_beat.append(see)
        cycles.at_look.append(self.look)

    # no page comes or leaves unless the book says so
    def walk(self, walk):
        assert walk.fault or self.page_of.get(walk.frame) == walk.vpn, walk
        assert walk.ref == (0x20 if walk.vpn >= 900 else 0x10), walk
        self.faults += walk.fault

    def decision(self, decision):
        if decision.tier == layouts.Tier.TIER_2:
            assert self.page_of.get(decision.frame) == decision.v_vpn, decision
            self.named.append(decision.v_vpn)

    def op(self, op):
        assert op.op in (layouts.Op.FILL, layouts.Op.ASK, layouts.Op.CANCEL), op
        assert op.op != layouts.Op.FILL or op.frame not in self.page_of, op

    def look(self):
        """The soc's own ports, in each cycle."""
        d = self.dut
        if d.map_valid.value == 1:
            page, frame = int(d.map_page.value), int(d.map_frame.value)
            if d.map_comes.value == 1:
                assert frame not in self.page_of, f"page {page} comes into frame {frame}, which holds page {self.page_of[frame]}"
                self.page_of[frame] = page
            else:
                assert self.page_of.get(frame) == page, f"page {page} leaves frame {frame}, which does not hold it"
                del self.page_of[frame]
                self.evictions += 1
        if d.rsp_valid.value == 1:
            page, frame = int(d.rsp_page.value), int(d.rsp_frame.value)
            assert self.page_of.get(frame) == page, f"page {page} is said to be in frame {frame}, which does not hold it"
            self.answers.append(page)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def each_access_is_answered(dut):
    cycles = await start(dut)
    book, registers = Book(dut, cycles), kit.Registers.of(dut, CONFIG)
    r = random.Random(1)
    asked = []
    for _ in range(ACCESSES):
        page = r.choice((r.randrange(PAGES), 900 + r.randrange(4)))
        dut.req_page.value, dut.req_write.value = page, r.randrange(2)
        dut.req_ref.value = 0x20 if page >= 900 else 0x10
        asked.append(page)
        await taken(dut, dut.req_valid, dut.req_ready)
    await cycles.until(lambda: len(book.answers) >= ACCESSES, 20_000, "the last answers")
    assert sorted(book.answers) == sorted(asked)
    assert book.evictions > 100 and len(book.page_of) == FRAMES
    assert book.faults >= book.evictions + FRAMES and len(book.named) >= book.evictions
    assert await registers.counter("stat_walks") == ACCESSES
    dut._log.info("%d accesses, %d evictions", ACCESSES, book.evictions)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_registers_answer(dut):
    await start(dut)
    registers = kit.Registers.of(dut, CONFIG)
    await registers.check()
    assert await registers.read("cfg_sample") == layouts.REGISTERS["cfg_sample"].reset(CONFIG)
    await registers.write("cfg_sample", 0)
    assert await registers.read("cfg_sample") == 0
