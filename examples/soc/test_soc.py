# SPDX-License-Identifier: Apache-2.0
"""soc under cocotb: accesses at random, checked against a page table of the test's own; the beats between walker, unit and driver; the unit's
registers over its bus."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from gmmu import layouts

FRAMES, PAGES, ACCESSES = 16, 200, 1500
# the sizes that the Makefile gives soc
CONFIG = layouts.config("tiny", FRAMES=FRAMES, T2_SLOTS=0, RANGES=0)
WALKS, CFG_SAMPLE = layouts.COUNTERS["stat_walks"].address, layouts.REGISTERS["cfg_sample"].address


async def start(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    for name in ("req_valid", "req_write", "req_page", "req_ref", "s_axil_awvalid", "s_axil_wvalid", "s_axil_arvalid"):
        getattr(dut, name).value = 0
    dut.s_axil_bready.value = dut.s_axil_rready.value = 1
    dut.rst.value = 1
    for _ in range(4):
        await RisingEdge(dut.clk)
    dut.rst.value = 0


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


async def came(dut, valid, data):
    while True:
        await ReadOnly()
        if valid.value == 1:
            value = int(data.value)
            await RisingEdge(dut.clk)
            return value
        await RisingEdge(dut.clk)


async def read(dut, address):
    dut.s_axil_araddr.value = address
    await taken(dut, dut.s_axil_arvalid, dut.s_axil_arready)
    return await came(dut, dut.s_axil_rvalid, dut.s_axil_rdata)


async def write(dut, address, word):
    dut.s_axil_awaddr.value, dut.s_axil_wdata.value = address, word
    data = cocotb.start_soon(taken(dut, dut.s_axil_wvalid, dut.s_axil_wready))
    await taken(dut, dut.s_axil_awvalid, dut.s_axil_awready)
    await data
    assert await came(dut, dut.s_axil_bvalid, dut.s_axil_bresp) == 0


class Book:
    """Which page each frame holds, by what the driver does to the page table; every answer must agree."""

    def __init__(self, dut):
        self.dut, self.page_of, self.answers, self.evictions = dut, {}, [], 0
        self.faults, self.named = 0, []

    def beats(self):
        """Walks, decisions and operations that pass in this cycle. No page comes or leaves unless the book says so."""
        d = self.dut
        if d.walk_valid.value == 1 and d.walk_ready.value == 1:
            walk = layouts.WalkBeat.unpack(int(d.walk.value), CONFIG)
            assert walk.fault or self.page_of.get(walk.frame) == walk.vpn, walk
            assert walk.ref == (0x20 if walk.vpn >= 900 else 0x10), walk
            self.faults += walk.fault
        if d.decision_valid.value == 1 and d.decision_ready.value == 1:
            decision = layouts.DecisionBeat.unpack(int(d.decision.value), CONFIG)
            if decision.tier == layouts.Tier.TIER_2:
                assert self.page_of.get(decision.frame) == decision.v_vpn, decision
                self.named.append(decision.v_vpn)
        if d.op_valid.value == 1 and d.op_ready.value == 1:
            op = layouts.DrvBeat.unpack(int(d.op.value), CONFIG)
            assert op.op in (layouts.Op.FILL, layouts.Op.ASK, layouts.Op.CANCEL), op
            assert op.op != layouts.Op.FILL or op.frame not in self.page_of, op

    async def watch(self):
        d = self.dut
        while True:
            await ReadOnly()
            if d.rst.value == 0:
                self.beats()
            if d.rst.value == 0 and d.map_valid.value == 1:
                page, frame = int(d.map_page.value), int(d.map_frame.value)
                if d.map_comes.value == 1:
                    assert frame not in self.page_of, f"page {page} comes into frame {frame}, which holds page {self.page_of[frame]}"
                    self.page_of[frame] = page
                else:
                    assert self.page_of.get(frame) == page, f"page {page} leaves frame {frame}, which does not hold it"
                    del self.page_of[frame]
                    self.evictions += 1
            if d.rst.value == 0 and d.rsp_valid.value == 1:
                page, frame = int(d.rsp_page.value), int(d.rsp_frame.value)
                assert self.page_of.get(frame) == page, f"page {page} is said to be in frame {frame}, which does not hold it"
                self.answers.append(page)
            await RisingEdge(d.clk)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def each_access_is_answered(dut):
    await start(dut)
    book = Book(dut)
    cocotb.start_soon(book.watch())
    r = random.Random(1)
    asked = []
    for _ in range(ACCESSES):
        page = r.choice((r.randrange(PAGES), 900 + r.randrange(4)))
        dut.req_page.value, dut.req_write.value = page, r.randrange(2)
        dut.req_ref.value = 0x20 if page >= 900 else 0x10
        asked.append(page)
        await taken(dut, dut.req_valid, dut.req_ready)
    while len(book.answers) < ACCESSES:
        await RisingEdge(dut.clk)
    assert sorted(book.answers) == sorted(asked)
    assert book.evictions > 100 and len(book.page_of) == FRAMES
    assert book.faults >= book.evictions + FRAMES and len(book.named) >= book.evictions
    await write(dut, layouts.Csr.CONTROL, layouts.Control.SNAPSHOT)
    assert await read(dut, WALKS) == ACCESSES
    dut._log.info("%d accesses, %d evictions", ACCESSES, book.evictions)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_registers_answer(dut):
    await start(dut)
    assert await read(dut, layouts.Csr.ID) == layouts.ID
    for size, address in layouts.SIZES.items():
        assert await read(dut, address) == getattr(CONFIG, size), size
    assert await read(dut, CFG_SAMPLE) == layouts.REGISTERS["cfg_sample"].reset(CONFIG)
    await write(dut, CFG_SAMPLE, 0)
    assert await read(dut, CFG_SAMPLE) == 0
