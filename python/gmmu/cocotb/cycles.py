# SPDX-License-Identifier: Apache-2.0
"""cycles.py: one task for each clock, that drives the inputs behind the rising edge and looks at all signals once they stand."""
from __future__ import annotations

import heapq
from typing import Any, Callable, Dict, List, Optional, Tuple

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import Event, ReadOnly, RisingEdge


def idle(handle: Any) -> None:
    """Gives the value 0 to every input of a top that nobody drives yet: *_tdata, *_tvalid, m_axis_*_tready, m_frame_*, s_axil_*, m_axi_*.

    Behind `m_axis_*_tready` stands 1: a stream that nobody takes does not stop the unit. An input that the top lacks is passed over.
    """
    for name in ("s_axis_walk", "s_axis_drv", "s_axis_range"):
        for part in ("tdata", "tvalid"):
            _set(handle, f"{name}_{part}", 0)
    for name in ("m_axis_decision", "m_axis_rit", "m_axis_hir", "m_axis_xfer"):
        _set(handle, f"{name}_tready", 1)
    for name in ("ar_ready", "w_ready", "r_valid", "b_valid", "r_data"):
        _set(handle, f"m_frame_{name}", 0)
    for name in ("awaddr", "awprot", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arprot", "arvalid", "rready"):
        _set(handle, f"s_axil_{name}", 0)
    for name in ("awready", "wready", "bid", "bresp", "bvalid", "arready", "rid", "rdata", "rresp", "rlast", "rvalid"):
        _set(handle, f"m_axi_{name}", 0)


def _set(handle: Any, name: str, value: int) -> None:
    found = getattr(handle, name, None)
    if found is not None:
        found.value = value


async def start(dut: Any, *, clk: str = "clk", rst: str = "rst", period_ns: int = 10, cycles: int = 4) -> "Cycles":
    """Starts the clock, gives all inputs of the unit a value, holds the reset for CYCLES cycles, and returns the Cycles of the clock."""
    clock, reset = getattr(dut, clk), getattr(dut, rst)
    idle(dut)
    reset.value = 1
    Clock(clock, period_ns, unit="ns").start()
    here = Cycles(clock, reset)
    await here.wait(cycles)
    reset.value = 0
    return here


class Live:
    """A signal of one bit that is looked at in each cycle: its value is kept, and read when it changes alone."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self._set()
        cocotb.start_soon(self._run())

    def _set(self) -> None:
        self.value: Any = self.handle.value
        self.one = bool(self.value == 1)
        self.zero = bool(self.value == 0)

    async def _run(self) -> None:
        change = self.handle.value_change
        while True:
            await change
            self._set()


class Cycles:
    """The cycles of one clock. Streams, walker and driver of a bench share one object of this class.

    Each cycle has three steps. Behind the rising edge the beats that passed at the edge are handed on (`at_edge`), then the inputs get their
    values of the coming cycle (`at_drive`). When all signals stand, the streams look at them (`at_look`); a function there writes no signal. So a
    bench sees the same in every simulator, whatever the order of processes in a time step. While RESET is not 0, nobody looks.
    """

    def __init__(self, clk: Any, rst: Optional[Any] = None) -> None:
        self.clk, self.rst = clk, rst
        self.now = 0
        """rising edges so far"""
        self.in_reset = rst is not None
        self.at_edge: List[Callable[[], None]] = []
        self.at_drive: List[Callable[[], None]] = []
        self.at_look: List[Callable[[], None]] = []
        self.on_error: Optional[Callable[[Exception], None]] = None
        """takes an error of a stream, a driver or a scoreboard; without it the test fails with the error"""
        self._live: Dict[str, Live] = {}
        self._due: List[Tuple[int, int, Callable[[], None]]] = []
        self._calls = 0
        self._reset = None if rst is None else self.live(rst)
        self.task = cocotb.start_soon(self._run())

    def live(self, handle: Any) -> Live:
        """The signal's value, for a function of `at_look`."""
        found = self._live.get(handle._path)
        if found is None:
            found = self._live[handle._path] = Live(handle)
        return found

    def after(self, cycles: int, call: Callable[[], None]) -> None:
        """Calls CALL behind the CYCLES-th rising edge from now on; at least the next."""
        self._calls += 1
        heapq.heappush(self._due, (self.now + max(1, cycles), self._calls, call))

    async def wait(self, cycles: int = 1) -> None:
        """Returns behind the CYCLES-th rising edge from now on."""
        event = Event()
        self.after(cycles, event.set)
        await event.wait()

    async def until(self, condition: Callable[[], bool], most: int, what: str) -> None:
        """Returns behind the rising edge where CONDITION is true; TimeoutError, which says WHAT, after MOST cycles."""
        begun = self.now
        while not condition():
            if self.now - begun >= most:
                raise TimeoutError(f"cycle {self.now}: found {what} not done after {most} cycles")
            await self.wait()

    def fail(self, error: Exception) -> None:
        """The test fails with ERROR, or `on_error` takes it."""
        if self.on_error is None:
            raise error
        self.on_error(error)

    def _call(self, calls: List[Callable[[], None]]) -> None:
        for call in calls:
            try:
                call()
            except Exception as error:  # whatever a check raises
                self.fail(error)

    async def _run(self) -> None:
        edge, stand = RisingEdge(self.clk), ReadOnly()
        due = self._due
        while True:
            await edge
            self.now += 1
            self._call(self.at_edge)
            while due and due[0][0] <= self.now:
                self._call([heapq.heappop(due)[2]])
            self._call(self.at_drive)
            await stand
            self.in_reset = self._reset is not None and not self._reset.zero
            if not self.in_reset:
                self._call(self.at_look)
