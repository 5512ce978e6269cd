# SPDX-License-Identifier: Apache-2.0
"""lockstep.py: the C model beside the unit, action by action, whatever the timing: by tvi, which tells the order (docs/guide/schedule.md)."""
from __future__ import annotations

from collections import deque
from typing import Any, Callable, Deque, Dict, List, Optional, Tuple

from gmmu import layouts
from gmmu.layouts import Bg, DecisionBeat, DrvBeat, Side, Tier, WalkBeat

from .cycles import Cycles, Live
from .scoreboard import compare_counters, model, same
from .streams import Monitor, Port

_VALID = ("send", "foretell_valid", "side_valid", "enter_valid", "age_fault", "allow", "bg_valid", "thresh_valid", "scrub_valid", "flush_valid", "walk_valid",
          "replay_valid")


class Lockstep:
    """Compares every action of the unit with the C model's, and every decision, in any timing. Needs an RTL compiled with GMMU_TVI.

    DUT is gmmu_tier or gmmu_tier_axil, whose ports tvi_* tell which actions each cycle has; the C model does the same ones in the same order. An action
    that is not owed, a result that differs, or a decision that differs raises AssertionError with cycle, action and values. REGISTERS are those that
    differ from their reset values; they must be in force when the first beat comes, and stay, as must the unit: a reset needs a new Lockstep.

    Not compared, unlike in the project's own bench: the bounds of time, the counts that REFRESH reads, and the answers of the predictor before their use.
    """

    def __init__(self, cycles: Cycles, dut: Any, config: layouts.Config, *, walks: Optional[Port] = None, operations: Optional[Port] = None,
                 decisions: Optional[Port] = None, **registers: int) -> None:
        if getattr(dut, "tvi_walk_valid", None) is None:
            raise ValueError(f"lockstep: found no tvi_walk_valid in {dut._name}, expected the RTL compiled with -DGMMU_TVI")
        self.unit = model(config, registers)
        self.config = config
        self.actions: Dict[str, int] = {}
        """how often each action was compared"""
        self.compared = 0
        """decisions that agreed"""
        self._cycles, self._dut = cycles, dut
        self._walks: Deque[WalkBeat] = deque()
        self._operations: Deque[DrvBeat] = deque()
        self._due: List[Tuple[Live, Callable[[], None]]] = [(cycles.live(getattr(dut, f"tvi_{name}")), getattr(self, f"_at_{name}")) for name in _VALID]
        self._signals: Dict[str, Any] = {}
        self._forgetting = cycles.live(dut.tvi_forgetting) if config.t2_slots else None
        self._forgets = False
        self._looked = cycles.live(dut.tvi_looked_valid)
        self._asked: Deque[Tuple[int, bool, int, int]] = deque()  # candidates whose priority comes later: frame, eligible, priority, protected
        self._flushes_to = 0
        cycles.at_look.append(self._look)
        self.walks: Monitor[WalkBeat] = Monitor(cycles, walks or Port.of(dut, "s_axis_walk"), WalkBeat, config)
        self.operations: Monitor[DrvBeat] = Monitor(cycles, operations or Port.of(dut, "s_axis_drv"), DrvBeat, config)
        self.decisions: Monitor[DecisionBeat] = Monitor(cycles, decisions or Port.of(dut, "m_axis_decision"), DecisionBeat, config)
        self.walks.on_beat.append(self._walks.append)
        self.operations.on_beat.append(self._operations.append)
        self.decisions.on_beat.append(self._decision)
        self._side: Dict[int, Callable[[], None]] = {
            Side.DRV: self._drv, Side.AGE: self._age, Side.INSTALL: self._install, Side.CAND: self._cand, Side.HAND: self._hand, Side.DECIDE: self._decide,
            Side.TOUCH: self._touch, Side.CAND2: self._cand2, Side.RISE: self._rise, Side.PLACE: self._place, Side.EXPIRE: self._expire}

    # ---- tvi

    def tvi(self, name: str) -> int:
        """The value of port tvi_NAME in this cycle. AssertionError: it has none."""
        signal = self._signals.get(name)
        if signal is None:
            signal = self._signals[name] = getattr(self._dut, f"tvi_{name}")
        value = signal.value
        try:
            return int(value)
        except ValueError:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: found tvi_{name} {value}, expected 0s and 1s") from None

    def expect(self, action: str, field: str, found: int, expected: int) -> None:
        """AssertionError unless FOUND in the RTL is what the C model says."""
        if found != expected:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: {action} {field}: found {found}, expected {expected}")

    def act(self, action: str, operand: int = 0, more: int = 0) -> Tuple[int, ...]:
        """The C model does the action. AssertionError: it is not owed."""
        self.actions[action] = self.actions.get(action, 0) + 1
        done: Optional[Tuple[int, ...]] = self.unit._unit.act(action, operand, more)
        if done is None:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: found {action} {operand}, expected none: it is not owed, or of another operand")
        return done

    # ---- the actions of a cycle, in their order

    def _look(self) -> None:
        if self._forgetting is not None and self._forgetting.one != self._forgets:
            self._forgets = not self._forgets
            self.act("FORGET", int(self._forgets))
        for signal, act in self._due:
            if signal.one:
                act()
        if self._looked.one:
            self._answer()

    def _at_send(self) -> None:
        self.act("SEND")
        self.unit.rit()

    def _at_foretell_valid(self) -> None:
        self.act("FORETELL", self.tvi("foretell_kind"))

    def _at_side_valid(self) -> None:
        kind = self.tvi("side_kind")
        if kind not in self._side:
            self.expect("side action", "kind", kind, 0)
        self._side[kind]()

    def _at_enter_valid(self) -> None:
        outcome, entry = self.act("ENTER")
        self.expect("ENTER", "fault", self.tvi("enter_fault"), outcome)
        if outcome not in (layouts.Fault.DROPPED, layouts.Fault.LATE):
            self.expect("ENTER", "entry", self.tvi("enter_entry"), entry)

    def _at_age_fault(self) -> None:
        self._age()

    def _at_allow(self) -> None:
        self.act("ALLOW", self.tvi("limit"))

    def _at_bg_valid(self) -> None:
        kind, row = Bg(self.tvi("bg_kind")), self.tvi("bg_row")
        if kind != Bg.LEARN:
            self.act(kind.name, row)
            return
        of, applied, _, _, _ = self.act("LEARN", self.tvi("bg_queue"))
        self.expect("LEARN", "row", row, of)
        self.expect("LEARN", "applied", self.tvi("bg_applied"), applied)

    def _at_thresh_valid(self) -> None:
        self.expect("THRESH", "threshold", self.tvi("thresh"), self.act("THRESH")[0])

    def _at_scrub_valid(self) -> None:
        index, removed = self.act("SCRUB")
        self.expect("SCRUB", "index", self.tvi("scrub_index"), index)
        self.expect("SCRUB", "removed", self.tvi("scrub_removed"), removed)

    def _at_flush_valid(self) -> None:
        removed, = self.act("FLUSH", self.tvi("flush_row"), self._flushes_to)
        self.expect("FLUSH", "removed", self.tvi("flush_removed"), removed)

    def flush(self, asid: int) -> None:
        """The bench ordered a flush of ASID (cfg_flush)."""
        self._flushes_to = asid

    def _at_walk_valid(self) -> None:
        self._walk(False)

    def _at_replay_valid(self) -> None:
        self._walk(True)

    def _walk(self, replay: bool) -> None:
        name = "REPLAY" if replay else "WALK"
        if not self._walks:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: found a {name}, expected none: no walk was sent")
        beat = self._walks.popleft()
        self.expect(name, "replay", int(replay), beat.replay)
        self.actions[name] = self.actions.get(name, 0) + 1
        stolen, busy = (False, False) if replay else (bool(self.tvi("sampled_stolen")), self.tvi("walk_due") == 1 and self.tvi("walk_swap") == 0)
        time, row, gen, allocated, match, sampled, _, touch, fault, _, hir = self.unit._unit.act_walk(
            beat.vpn, beat.ref, beat.asid, beat.sm, bool(beat.write), bool(beat.fault), beat.frame, bool(beat.t2), beat.slot, replay,
            stolen, self.tvi("flush_valid") == 1, busy)
        self.expect(name, "fault", self.tvi("walk_fault"), int(fault))
        if not replay or beat.fault:
            self.expect(name, "row", self.tvi("walk_row"), row)
            self.expect(name, "generation", self.tvi("walk_gen"), gen)
        if self.config.frame_mem:
            self.expect(name, "touch", self.tvi("walk_touch"), int(touch))
        elif not beat.fault:
            self.expect(name, "match", self.tvi("replay_match" if replay else "walk_match"), int(match))
        if not replay:
            self.expect(name, "time", self.tvi("walk_time"), time)
            self.expect(name, "row allocated", self.tvi("walk_alloc"), int(allocated))
            self.expect(name, "sampled", self.tvi("sampled_hit"), int(sampled))
            self.expect(name, "HIR", self.tvi("walk_hir"), int(hir))
            self.unit.hir()

    def _drv(self) -> None:
        if not self._operations:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: found a DRV, expected none: no operation was sent")
        b = self._operations.popleft()
        self.actions["DRV"] = self.actions.get("DRV", 0) + 1
        refused, answered, fresh, _, _, fault, _ = self.unit._unit.driver(b.op, b.frame, b.vpn, b.asid, bool(b.dirty), bool(b.returns), b.was,
                                                                         bool(b.t2), b.slot, bool(b.force), bool(b.ahead), False)
        self.expect("DRV", "refused", self.tvi("drv_refused"), int(refused))
        self.expect("DRV", "outstanding fault", self.tvi("drv_hit"), int(answered))
        self.expect("DRV", "fault", self.tvi("drv_fault"), int(fault))
        if b.op == layouts.Op.FILL and not refused:
            self.expect("DRV", "fresh", self.tvi("fill_fresh"), int(fresh))

    def _age(self) -> None:
        self.expect("AGE", "index", self.tvi("age_index"), self.act("AGE")[0])

    def _install(self) -> None:
        row, current = self.act("INSTALL")
        self.expect("INSTALL", "row", self.tvi("row"), row)
        self.expect("INSTALL", "current", self.tvi("install_current"), current)

    def _cand(self) -> None:
        frame = self.tvi("side_frame")
        eligible, row, priority, protected = self.act("CAND", frame, self.tvi("forced"))
        self._asked.append((frame, bool(eligible), priority, protected))
        self.expect("CAND", "eligible", self.tvi("cand_eligible"), eligible)
        if eligible:
            self.expect("CAND", "row", self.tvi("row"), row)

    def _answer(self) -> None:
        if not self._asked:
            raise AssertionError(f"lockstep: cycle {self._cycles.now}: found the priority of a candidate, expected none")
        frame, eligible, priority, protected = self._asked.popleft()
        self.expect("CAND", "frame of the priority", self.tvi("looked_frame"), frame)
        self.expect("CAND", f"frame {frame} protected", self.tvi("looked_guarded"), protected)
        if eligible:
            self.expect("CAND", f"priority of frame {frame}", self.tvi("looked_priority"), priority)

    def _hand(self) -> None:
        self.act("HAND", self.tvi("side_frame"), self.tvi("forced"))

    def _decide(self) -> None:
        tier, frame, priority, ahead = self.act("DECIDE")
        self.expect("DECIDE", "tier", self.tvi("dec_tier"), tier)
        self.expect("DECIDE", "ahead", self.tvi("dec_ahead"), ahead)
        if tier == Tier.TIER_2:
            self.expect("DECIDE", "frame", self.tvi("side_frame"), frame)
            self.expect("DECIDE", "priority", self.tvi("dec_priority"), priority)

    def _touch(self) -> None:
        frame, match = self.act("TOUCH")
        self.expect("TOUCH", "frame", self.tvi("side_frame"), frame)
        self.expect("TOUCH", "match", self.tvi("walk_match"), match)

    def _cand2(self) -> None:
        eligible, row, _ = self.act("CAND2", self.tvi("side_slot"))
        if eligible:
            self.expect("CAND2", "row", self.tvi("row"), row)

    def _rise(self) -> None:
        slot, rises = self.act("RISE")
        self.expect("RISE", "slot", self.tvi("side_slot"), slot)
        self.expect("RISE", "rises", self.tvi("rises"), rises)

    def _place(self) -> None:
        self.expect("PLACE", "tier", self.tvi("place_tier"), self.act("PLACE")[0])

    def _expire(self) -> None:
        self.expect("EXPIRE", "frame", self.tvi("side_frame"), self.act("EXPIRE")[0])

    # ---- decisions

    def _decision(self, beat: DecisionBeat) -> None:
        same(f"decision {self.compared}, cycle {self._cycles.now}", beat, self.unit.decision())
        self.compared += 1

    def stop(self) -> None:
        """Compares nothing any more, as behind a reset of the unit, where the bench makes a new one."""
        self._cycles.at_look.remove(self._look)
        for monitor in (self.walks, self.operations, self.decisions):
            monitor.stop()

    def finish(self, counters: Optional[Dict[str, int]] = None, passed: Callable[[str], bool] = lambda name: False) -> None:
        """At the end, when the unit is quiet: AssertionError if a walk, an operation or a decision is missing, or a counter (Registers.counters) is not
        that of the C model; those of PASSED are not compared."""
        missing = self.unit.decision()
        for what, n in (("walk", len(self._walks)), ("operation", len(self._operations)), ("decision", int(missing is not None))):
            if n:
                raise AssertionError(f"lockstep: cycle {self._cycles.now}: found {n} {what}s without their action or beat, expected none")
        compare_counters(self.unit, counters, passed)
