# SPDX-License-Identifier: Apache-2.0
"""The bit-accurate unit as other simulators call it.

Unit is the unit alone: walks and operations of a driver go in, decisions come out. Memory is the unit with a page table and a driver of its own:
one call for an access, which says hit or fault, frame and victim. Both are the C model of the RTL (cmodel/blocks) on the standard schedule
(docs/guide/schedule.md). A value that a field cannot have raises ValueError, which says the field, what was found and what was expected; what the
C library refuses raises gmmu.Error with its text.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _core, layouts
from ._arrays import walk_dtype, whole
from ._core import Snapshot as Snapshot
from .beats import number
from .layouts import Config, DecisionBeat, Fault, Hir, Rec, Rit, XferBeat

decision_dtype: np.dtype[Any] = np.dtype(_core.decision_type)
"""A row of Unit.walks: the fields of m_axis_decision, and in `walk` the number of the walk behind which the decision came."""
access_dtype: np.dtype[Any] = np.dtype(_core.access_type)
"""A row of Memory.walks: `from` 1 is a hit; the fields victim_… are valid where victim_to is not 0, t2_asid, t2_vpn, t2_dirty where t2_left is set."""

Array = npt.NDArray[Any]
Columns = Union[Array, Mapping[str, npt.ArrayLike]]


def _split(parameters: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Sizes and registers among keywords: a register begins with cfg_."""
    sizes = {name: value for name, value in parameters.items() if not name.startswith("cfg_")}
    registers = {name: value for name, value in parameters.items() if name.startswith("cfg_")}
    for name in registers:
        if name not in layouts.REGISTERS:
            raise ValueError(f"unit: found register {name!r}, expected one of {', '.join(layouts.REGISTERS)}")
    return sizes, registers


def _sizes(c: Config) -> Dict[str, Any]:
    return {name: value for name, value in vars(c).items() if name != "name"}


def _names(where: str, rows: Columns) -> Tuple[str, ...]:
    """The names of the columns of ROWS."""
    if isinstance(rows, np.ndarray) and rows.dtype.names is not None:
        return rows.dtype.names
    if isinstance(rows, Mapping):
        return tuple(rows)
    found = f"an array of type {rows.dtype}" if isinstance(rows, np.ndarray) else repr(rows)
    raise ValueError(f"{where}: found {found}, expected a structured array or a mapping with the columns vpn, ref, ...")


def _check_names(where: str, rows: Columns, needed: Sequence[str], others: Iterable[str]) -> None:
    """ROWS has the columns NEEDED. A mapping has besides OTHERS and the fields of a trace's walk no further ones; a record may."""
    names, known = _names(where, rows), (*needed, *others)
    for name in needed:
        if name not in names:
            raise ValueError(f"{where}: found no column {name!r}, expected it among {', '.join(names)}")
    for name in names if isinstance(rows, Mapping) else ():
        if name not in known and name not in (walk_dtype.names or ()):
            raise ValueError(f"{where}: found the column {name!r}, expected one of {', '.join(known)}")


def _column(where: str, rows: Columns, name: str, dtype: Any, n: Optional[int], bits: int) -> Array:
    """Column NAME of ROWS, zeros if there is none, of values of at most BITS bits."""
    if name not in _names(where, rows):
        assert n is not None
        return np.zeros(n, dtype)
    column = whole(rows[name])
    if column.ndim != 1 or (n is not None and len(column) != n):
        raise ValueError(f"{where}: {name}: found an array of shape {column.shape}, expected {'one dimension' if n is None else (n,)}")
    if column.dtype.kind not in "iub":
        raise ValueError(f"{where}: {name}: found values of type {column.dtype}, expected integers")
    if len(column) and (int(column.min()) < 0 or int(column.max()) >> bits != 0):
        at = next(i for i, value in enumerate(column.tolist()) if value < 0 or value >> bits != 0)
        raise ValueError(f"{where}: {name} of row {at}: found {int(column[at])}, expected 0..{(1 << bits) - 1} ({bits} bits)")
    column = np.asarray(column, dtype)
    # a column of a structured array is read in its place, unless values do not lie at multiples of their size
    return column if column.flags.aligned and column.strides[0] % column.itemsize == 0 else column.copy()


@dataclass(frozen=True)
class Walked:
    """The outcome of a walk. A replay has time, row, gen, match, touch and fault alone."""
    time: int
    """number of the walk, modulo 2^TIME_W"""
    row: int
    """row of the reference in the Ref RIT"""
    gen: int
    """generation of the row"""
    allocated: bool
    """the reference got the row with this walk"""
    match: bool
    """walk hit: the frame held the page, and a reuse interval was observed; on a replay: the frame holds the page"""
    sampled: bool
    """the trace sampler had an entry of the page, and gives a record"""
    record: Rec
    touch: Rec
    fault: Fault
    exported: Rit
    hir: Hir


@dataclass(frozen=True)
class Driven:
    """The outcome of an operation of the driver."""
    refused: bool
    """no effect: unknown operation, frame not enabled, or nothing to cancel"""
    answered: bool
    """FILL, CANCEL: the page had an outstanding fault"""
    fresh: bool
    """FILL: the frame is fresh from now on"""
    t2_stale: bool
    """the operation was done as without t2, since the slot has another page"""
    record: Rec
    fault: Fault
    """ASK"""
    exported: Rit


class Unit:
    """The unit, of a named configuration and its registers at reset.

    Keywords change both: a size by its name (`FRAMES=1024` or `frames=1024`), a register by its port (`cfg_search=1`). Without cfg_frames all
    FRAMES are enabled. With `hir` the packets of m_axis_hir are kept for Unit.hir; without it nobody listens there.

    A walk and an operation are followed by all that the unit does by itself (the standard schedule), unless `settle` is False: then Unit.step does
    one action at a time. Decisions wait until Unit.decision takes them.
    """

    def __init__(self, config: Union[str, Config] = "default", *, hir: bool = False, **parameters: int) -> None:
        sizes, registers = _split(parameters)
        if isinstance(config, Config):
            if sizes:
                raise ValueError(f"unit: found sizes {', '.join(sizes)} beside a Config, expected a configuration's name")
            self.config = config
        else:
            self.config = layouts.config(config, **sizes)
        self._unit = _core.Unit(self.config.name, _sizes(self.config), registers, hir)

    def __repr__(self) -> str:
        return f"<gmmu.Unit {self.config.name}, {self.registers()['cfg_frames']} frames, walk {self.time}>"

    def walk(self, vpn: int, ref: int, asid: int = 0, sm: int = 0, write: bool = False, fault: bool = False, frame: int = 0, t2: bool = False,
             slot: int = 0, replay: bool = False, settle: bool = True) -> Walked:
        """One walk, a beat of s_axis_walk: a hit in FRAME, or with FAULT a page that is in no frame."""
        fields = self._unit.walk(vpn, ref, asid, sm, write, fault, frame, t2, slot, replay, bool(settle))
        time, row, gen, allocated, match, sampled, record, touch, fate, exported, hir = fields
        return Walked(time, row, gen, allocated, match, sampled, Rec(record), Rec(touch), Fault(fate), Rit(exported), Hir(hir))

    def driver(self, op: int, frame: int = 0, vpn: int = 0, asid: int = 0, dirty: bool = False, returns: bool = False, was: int = 0, t2: bool = False,
               slot: int = 0, force: bool = False, ahead: bool = False, settle: bool = True) -> Driven:
        """One operation of the driver, a beat of s_axis_drv; OP is one of gmmu.Op."""
        refused, answered, fresh, stale, record, fate, exported = self._unit.driver(op, frame, vpn, asid, dirty, returns, was, t2, slot, force, ahead,
                                                                                  bool(settle))
        return Driven(refused, answered, fresh, stale, Rec(record), Fault(fate), Rit(exported))

    def step(self, n: int = 1) -> List[str]:
        """The next N actions of the standard schedule, by name; fewer if nothing is left to do."""
        done: List[str] = []
        while len(done) < n:
            name = self._unit.step()
            if name is None:
                break
            done.append(name)
        return done

    def settle(self) -> int:
        """All that is left to do. Returns how many decisions wait."""
        self._unit.settle()
        return self._unit.waiting()

    @property
    def settled(self) -> bool:
        """True: nothing is left to do."""
        return self._unit.settled()

    @property
    def time(self) -> int:
        """Number of walks so far, modulo 2^TIME_W."""
        return self._unit.time()

    def decision(self) -> Optional[DecisionBeat]:
        """The oldest decision that waits, a beat of m_axis_decision; None: none waits."""
        fields = self._unit.decision()
        return None if fields is None else DecisionBeat(*fields)

    def decisions(self) -> List[DecisionBeat]:
        """All decisions that wait, the oldest first."""
        found = []
        while (decision := self.decision()) is not None:
            found.append(decision)
        return found

    def walks(self, rows: Columns) -> Array:
        """Walks in turn, each followed by the standard schedule, without the GIL. ROWS is a structured array or a mapping with the columns vpn, ref
        and any other field of a walk; a missing one is 0. Returns the decisions, rows of decision_dtype; the first ones may have waited before."""
        c = self.config
        widths = {"ref": (np.uint64, c.ref_w), "asid": (np.uint32, c.asid_w), "write": (np.bool_, 1), "fault": (np.bool_, 1), "frame": (np.uint32, c.frame_w),
                  "t2": (np.bool_, 1), "slot": (np.uint32, c.t2_w), "replay": (np.bool_, 1)}
        _check_names("walks", rows, ("vpn",), widths)
        vpn = _column("walks", rows, "vpn", np.uint64, None, c.vpn_w)
        n = len(vpn)
        columns = [_column("walks", rows, name, kind, n, bits) for name, (kind, bits) in widths.items()]
        return np.frombuffer(self._unit.walks(vpn, *columns), decision_dtype).copy()

    def change(self, **registers: int) -> None:
        """Writes registers, by the names of their ports: cfg_protect=128. A register that waits for a quiet unit changes when all is settled;
        cfg_sample cannot change."""
        sizes, given = _split(registers)
        if sizes:
            raise ValueError(f"unit: found {', '.join(sizes)}, expected registers: cfg_…")
        self._unit.change(given)

    def flush(self, asid: int) -> None:
        """The context of an address space has ended: the unit forgets what it learnt from it."""
        self._unit.flush(asid)

    def range(self, op: int, start: int, last: int, asid: int = 0, tag: int = 0, whole: bool = False, pin: bool = False) -> List[XferBeat]:
        """One operation on a range of memory, a beat of s_axis_range; OP is one of gmmu.layouts.Range. Returns the packet of m_axis_xfer, its answer last."""
        return [XferBeat(*fields) for fields in self._unit.range(op, tag, asid, start, last, whole, pin)]

    def rit(self) -> List[Tuple[int, bool]]:
        """Beats of m_axis_rit that wait, each with TLAST; RitHeadBeat and RitBeat of gmmu.layouts unpack them."""
        return [(int.from_bytes(words, "little"), last) for words, last in self._unit.rit()]

    def hir(self) -> List[Tuple[int, bool]]:
        """Beats of m_axis_hir that wait, each with TLAST; HirHeadBeat and HirBeat of gmmu.layouts unpack them."""
        return [(int.from_bytes(words, "little"), last) for words, last in self._unit.hir()]

    def counters(self) -> Dict[str, int]:
        """The counters, by the names of their ports."""
        return self._unit.counters()

    def registers(self) -> Dict[str, int]:
        """The registers, by the names of their ports."""
        return self._unit.registers()

    def snapshot(self) -> Snapshot:
        """The whole state, for Unit.restore of the same unit."""
        return self._unit.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """The state of a snapshot of this unit."""
        self._unit.restore(snapshot)


class Page(NamedTuple):
    """A page that left Tier 2 for Tier 3."""
    vpn: int
    asid: int
    dirty: bool


class Victim(NamedTuple):
    """A page that left Tier 1."""
    vpn: int
    asid: int
    tier: int
    """where the page went: 2 or 3; without a Tier 2 always 2, the memory below"""
    dirty: bool
    """written while in Tier 1: to be copied out"""
    slot: int
    """with a Tier 2, tier 2: its slot from now on"""
    priority: float
    """the smallest of those looked at"""


@dataclass(frozen=True)
class Access:
    """The outcome of an access."""
    hit: bool
    """the page was in Tier 1"""
    frame: int
    """where the page is from now on"""
    tier: int
    """where the page was: 1, 2 or 3; without a Tier 2 1 or 2"""
    first: bool
    """the first access to the page"""
    victim: Optional[Victim] = None
    """the page that left Tier 1 for the accessed page"""
    dropped: Optional[Page] = None
    """the page that left Tier 2 for the victim"""


class Memory:
    """A memory of FRAMES pages that the unit manages, over a Tier 2 of TIER2 pages (0: there are two tiers in all).

    An access is a walk; at a fault the victim leaves and the page comes at once. Victims and counts are those of policies `leu` and `tier` of
    `gmmu replay`. Keywords are those of Unit; a table of frames or slots that is too small grows. cfg_tier 1 to 3 are GMT's policies.
    """

    def __init__(self, frames: int, tier2: int = 0, config: str = "default", **parameters: int) -> None:
        sizes, registers = _split(parameters)
        given = {name.lower(): value for name, value in sizes.items()}
        named = layouts.config(config, **sizes)
        frames, tier2 = number("memory: frames", frames, 32), number("memory: tier2", tier2, 32)
        self._memory = _core.Memory(config, _sizes(named), registers, frames, tier2, given)
        self.config = layouts.config(config, **{name: value for name, value in self._memory.sizes().items() if name != "name"})
        """the sizes of the unit"""
        self.tiers = 3 if tier2 else 2

    def __repr__(self) -> str:
        return f"<gmmu.Memory {self.config.name}, {self._memory.registers()['cfg_frames']} frames, {self._memory.counts()['accesses']} accesses>"

    def access(self, vpn: int, ref: int, asid: int = 0, write: bool = False) -> Access:
        """An access to page VPN by the instruction REF, its PC. gmmu.Error: the page faults and no page may leave, as all are pinned."""
        frame, tier, first, to, v_asid, v_vpn, v_dirty, priority, slot, t2_left, t2_asid, t2_vpn, t2_dirty = self._memory.access(vpn, ref, asid, write)
        victim = Victim(v_vpn, v_asid, to, v_dirty, slot, layouts.minifloat(priority)) if to else None
        return Access(tier == 1, frame, tier, first, victim, Page(t2_vpn, t2_asid, t2_dirty) if t2_left else None)

    def walks(self, rows: Columns) -> Array:
        """Accesses in turn, without the GIL. ROWS is a structured array or a mapping with the columns vpn, ref, asid and write; asid and write may
        be missing. Returns an outcome each, rows of access_dtype. Ctrl-C ends the call between two accesses."""
        c = self.config
        _check_names("walks", rows, ("vpn", "ref"), ("asid", "write"))
        vpn = _column("walks", rows, "vpn", np.uint64, None, c.vpn_w)
        n = len(vpn)
        ref, asid = _column("walks", rows, "ref", np.uint64, n, 64), _column("walks", rows, "asid", np.uint32, n, c.asid_w)
        out = np.zeros(n, access_dtype)
        self._memory.walks(vpn, ref, asid, _column("walks", rows, "write", np.bool_, n, 1), out.view(np.uint8))
        return out

    def find(self, vpn: int, asid: int = 0) -> Optional[Tuple[int, int]]:
        """(1, frame) of a page in Tier 1, (2, slot) of a page in Tier 2, else None."""
        return self._memory.find(vpn, asid)

    def pin(self, vpn: int, asid: int = 0) -> bool:
        """The page stays in Tier 1 until it is unpinned. False: it is not there."""
        return self._memory.pin(vpn, asid, True)

    def unpin(self, vpn: int, asid: int = 0) -> bool:
        """The page may leave again. False: it is not in Tier 1."""
        return self._memory.pin(vpn, asid, False)

    def free(self, vpn: int, asid: int = 0) -> bool:
        """The program frees the page: its frame or slot is empty. False: the page is in none."""
        return self._memory.free(vpn, asid)

    def flush(self, asid: int) -> None:
        """The context of an address space has ended, and its pages were freed: the unit forgets what it learnt from it."""
        self._memory.flush(asid)

    def statistics(self) -> Dict[str, int]:
        """accesses, faults, cold (first accesses), evictions, writebacks (dirty ones); with a Tier 2 tier2_hits, tier2_puts, tier3_writes."""
        found = self._memory.counts()
        return found if self.tiers == 3 else {name: value for name, value in found.items() if not name.startswith("tier")}

    def counters(self) -> Dict[str, int]:
        """The unit's counters, by the names of their ports."""
        return self._memory.counters()

    def registers(self) -> Dict[str, int]:
        """The unit's registers, by the names of their ports."""
        return self._memory.registers()
