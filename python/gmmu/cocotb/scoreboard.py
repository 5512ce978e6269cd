# SPDX-License-Identifier: Apache-2.0
"""scoreboard.py: the C model beside the unit, beat by beat, for a bench that gives the unit time."""
from __future__ import annotations

from collections import deque
from dataclasses import fields
from typing import Any, Callable, Deque, Dict, Optional

from gmmu import layouts
from gmmu.beats import Beat
from gmmu.layouts import DecisionBeat, DrvBeat, WalkBeat

from .cycles import Cycles
from .missing import require
from .streams import Monitor, Port


def same(where: str, found: Beat, expected: Optional[Beat]) -> None:
    """AssertionError, which names the fields, unless FOUND, which the RTL gave, is what the C model gives; None: nothing."""
    if expected is None:
        raise AssertionError(f"{where}: found {found}, expected none by the C model")
    wrong = [f.name for f in fields(found) if getattr(found, f.name) != getattr(expected, f.name)]
    if wrong:
        told = ", ".join(f"{name}: found {getattr(found, name)}, expected {getattr(expected, name)}" for name in wrong)
        raise AssertionError(f"{where}: {told}, by the C model; {found}")


def model(config: layouts.Config, registers: Dict[str, int]) -> Any:
    """A gmmu.Unit of the configuration. ImportError: the compiled package is not installed."""
    return require("gmmu._unit", ".").Unit(config, hir=True, **registers)


class Scoreboard:
    """Gives the walks and operations to a gmmu.Unit in the order in which the RTL takes them, and compares each decision, all fields.

    The C model does everything that a beat causes before the next beat. So the comparison is exact where the bench waits for `quiet` before each beat
    (Paced); RuntimeError: it did not. For a bench that does not wait there is Lockstep. REGISTERS are those that differ from their reset values.
    """

    def __init__(self, cycles: Cycles, walks: Port, operations: Port, decisions: Port, quiet: Any, config: layouts.Config, **registers: int) -> None:
        self.unit = model(config, registers)
        self._cycles, self._quiet = cycles, cycles.live(quiet)
        self.compared = 0
        """decisions that agreed"""
        self._expected: Deque[DecisionBeat] = deque()
        self._was_quiet = False
        self._began = {walks.name: True, operations.name: True}  # the beat was first offered behind a quiet cycle
        self._offered = {walks.name: False, operations.name: False}
        self._valid = {port.name: cycles.live(port.valid) for port in (walks, operations)}
        cycles.at_look.append(self._look)
        self.walks: Monitor[WalkBeat] = Monitor(cycles, walks, WalkBeat, config)
        self.operations: Monitor[DrvBeat] = Monitor(cycles, operations, DrvBeat, config)
        self.decisions: Monitor[DecisionBeat] = Monitor(cycles, decisions, DecisionBeat, config)
        self.walks.on_beat.append(self._walk)
        self.operations.on_beat.append(self._operation)
        self.decisions.on_beat.append(self._decision)

    def _look(self) -> None:
        for name, valid in self._valid.items():
            if valid.one and not self._offered[name]:
                self._began[name] = self._was_quiet
            self._offered[name] = valid.one
        self._was_quiet = self._quiet.one and not any(self._offered.values())

    def _paced(self, port: Port) -> None:
        self._offered[port.name] = False
        if not self._began[port.name] or self._expected:
            raise RuntimeError(f"scoreboard: cycle {self._cycles.now}: found a beat of {port.name} while the unit was not quiet, expected Paced sources; "
                               "Lockstep needs none")

    def _walk(self, beat: WalkBeat) -> None:
        self._paced(self.walks.port)
        self.unit.walk(beat.vpn, beat.ref, beat.asid, beat.sm, bool(beat.write), bool(beat.fault), beat.frame, bool(beat.t2), beat.slot,
                       bool(beat.replay))
        self._expected.extend(self.unit.decisions())

    def _operation(self, beat: DrvBeat) -> None:
        self._paced(self.operations.port)
        self.unit.driver(beat.op, beat.frame, beat.vpn, beat.asid, bool(beat.dirty), bool(beat.returns), beat.was, bool(beat.t2), beat.slot,
                         bool(beat.force), bool(beat.ahead))
        self._expected.extend(self.unit.decisions())

    def _decision(self, beat: DecisionBeat) -> None:
        same(f"decision {self.compared}, cycle {self._cycles.now}", beat, self._expected.popleft() if self._expected else None)
        self.compared += 1

    def stop(self) -> None:
        """Compares nothing any more, as behind a reset of the unit, where the bench makes a new one."""
        self._cycles.at_look.remove(self._look)
        for monitor in (self.walks, self.operations, self.decisions):
            monitor.stop()

    def finish(self, counters: Optional[Dict[str, int]] = None, passed: Callable[[str], bool] = lambda name: False) -> None:
        """At the end: AssertionError if decisions are missing, or a counter (Registers.counters) is not that of the C model; those of PASSED are not
        compared."""
        if self._expected:
            raise AssertionError(f"scoreboard: found {len(self._expected)} decisions missing, expected {self._expected[0]} next")
        compare_counters(self.unit, counters, passed)


def compare_counters(unit: Any, counters: Optional[Dict[str, int]], passed: Callable[[str], bool]) -> None:
    """The counters of the RTL beside those of the C model."""
    mine = unit.counters()
    for name, value in (counters or {}).items():
        if name in mine and not passed(name) and mine[name] != value:
            raise AssertionError(f"{name}: found {value}, expected {mine[name]} by the C model")
