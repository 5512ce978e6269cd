# SPDX-License-Identifier: Apache-2.0
"""Replays of policies at several sizes of memory."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Union

import numpy as np

from . import _core
from ._arrays import Array, as_bytes, as_records, hint_dtype, walk_dtype
from ._error import Error
from ._policy import Policy, policies as all_policies
from ._trace import Path, Trace, _how, _path

#: A policy: a text such as "lru" or "leu:lines=4" (also several, "lru,opt"), a subclass of Policy, or a label with a function
#: that takes the size of memory in pages and makes a Policy.
PolicyChoice = Union[str, type[Policy], tuple[str, Callable[[int], Policy]]]
#: A size of memory: pages, or a text: pages, a part of the distinct pages ("50%"), bytes ("4GiB"), also several ("25%,50%").
Size = Union[int, str]


class Rows(np.ndarray[Any, Any]):
    """Rows of a replay: a structured array with the columns of `gmmu replay`, and beside it:

    Attributes:
        notes: lines for the user, as the command writes them to standard error.
        states: a line on each policy's state at the end, "" where a policy has none; one a row (`gmmu replay --notes`).
        lost: why a policy and size have no row; mostly empty.
    """

    notes: list[str]
    states: list[str]
    lost: list[str]

    def __array_finalize__(self, other: Any) -> None:
        self.notes = getattr(other, "notes", [])
        self.states = getattr(other, "states", [])
        self.lost = getattr(other, "lost", [])


def _sizes(sizes: Size | Sequence[Size]) -> str:
    if isinstance(sizes, (bytes, bytearray)):
        raise TypeError(f"frames: found {sizes!r}, expected numbers or texts")
    items = list(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str) else [sizes]
    if not items or items == [""]:
        raise ValueError("frames: found none, expected at least one size")
    return ",".join(str(item) for item in items)


def _shift(page_shift: int | None, given: Trace) -> int:
    """Returns log2 of the bytes of a page of walks in memory."""
    shift = page_shift if page_shift is not None else given.page_shift
    if not 9 <= shift <= 30:
        raise Error(f'page_shift: found "{shift}", expected 9 to 30')
    return shift


def _ideal(name: str) -> str:
    """Returns the policies of a text, each with the option that is its ideal, if it has one."""
    ideals = {p.name: p.ideal for p in all_policies()}
    items = []
    for item in name.split(","):
        ideal = ideals.get(item.split(":")[0])
        items.append(item if ideal is None else item + ("" if item.endswith(":") else ":") + ideal)
    return ",".join(items)


def _choices(policies: PolicyChoice | Sequence[PolicyChoice], ideal: bool) -> list[Any]:
    if isinstance(policies, (str, type)) or not isinstance(policies, Iterable) or (
            isinstance(policies, tuple) and len(policies) == 2 and callable(policies[1]) and not isinstance(policies[1], type)):
        policies = [policies]  # type: ignore[list-item]
    choices: list[Any] = []
    for item in policies:
        if isinstance(item, str):
            choices.append(_ideal(item) if ideal else item)
        elif isinstance(item, type) and issubclass(item, Policy):
            choices.append((item.name or item.__name__, item))
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str) and callable(item[1]):
            choices.append((item[0], item[1]))
        else:
            raise TypeError(f"policies: found {item!r}, expected a name, a subclass of gmmu.Policy, or (label, function)")
    if not choices:
        raise TypeError("policies: found none, expected at least one")
    return choices


def _run_path(study: _core.Study, path: Path, **how: Any) -> str:
    study.run_path(_path(path), _how(**how))
    return os.fspath(path)


def _dtype(tiers: bool, as_opt: bool, ratios: bool, opt: bool, rows: list[Any], name: str) -> np.dtype[Any]:
    text = max([len(row[0]) for row in rows], default=1)
    given = max([len(row[1]) for row in rows], default=1)
    count = list(_core.count_columns)
    fields: list[tuple[str, str]] = [("trace", f"U{max(1, len(name))}"), ("policy", f"U{text}"), ("frames", "u8"), (count[0], "u8"),
                                     ("distinct", "u8")]
    fields += [(column, "u8") for column in count[1:]]
    fields += [(column, "u8") for column in _core.tier_count_columns] if tiers else []
    fields += [("as_opt", "u8")] if as_opt else []
    fields += [("size", f"U{given}"), ("percent", "f8"), ("miss_ratio", "f8")] if ratios else []
    fields += [("faults_to_opt", "f8"), ("evictions_to_opt", "f8")] if ratios and opt else []
    return np.dtype(fields)


def _ratio(a: int, b: int) -> float:
    """A / B, as the command has it: 1 for 0 / 0; NaN where there is none."""
    return float("nan") if b == 0 and a != 0 else 1.0 if b == 0 else a / b


def _rows(study: _core.Study, name: str, tiers: bool, as_opt: bool, ratios: bool, sizes: int) -> Rows:
    runs = study.rows()
    distinct = study.distinct
    opt = [i for i, run in enumerate(runs) if run[0].split(":")[0] == "opt"]
    kept = [i for i, run in enumerate(runs) if run[3] is None]
    table: Any = np.zeros(len(kept), _dtype(tiers, as_opt, ratios, bool(opt), runs, name)).view(Rows)
    for at, i in enumerate(kept):
        label, size, frames, _, counts, tier_counts, same, _ = runs[i]
        row = table[at]
        row["trace"], row["policy"], row["frames"], row["distinct"] = name, label, frames, distinct
        for column, value in zip(_core.count_columns, counts):
            row[column] = value
        for column, value in zip(_core.tier_count_columns, tier_counts) if tiers else ():
            row[column] = value
        if as_opt:
            row["as_opt"] = same
        if ratios:
            row["size"] = size
            row["percent"] = 100.0 * frames / distinct if distinct else 0.0
            row["miss_ratio"] = counts[1] / counts[0] if counts[0] else 0.0
        if ratios and opt:
            best = runs[opt[0] - opt[0] % sizes + i % sizes]
            row["faults_to_opt"] = _ratio(counts[1], best[4][1]) if best[3] is None else float("nan")
            row["evictions_to_opt"] = _ratio(counts[3], best[4][3]) if best[3] is None else float("nan")
    table.notes = study.notes
    table.states = [runs[i][7] or "" for i in kept]
    table.lost = [f"{run[0]} with {run[2]} frames has no row: {run[3]}" for run in runs if run[3] is not None]
    for line in table.lost:
        warnings.warn(line, RuntimeWarning, stacklevel=3)
    return table  # type: ignore[no-any-return]


def replay(
    trace: Path | Trace | Array,
    policies: PolicyChoice | Sequence[PolicyChoice] = "lru,opt",
    frames: Size | Sequence[Size] = ("50%", "75%"),
    *,
    tier2: Size | None = None,
    seed: int = 1,
    ratios: bool = False,
    as_opt: bool = False,
    hpe_ideal: bool = False,
    distinct: int | None = None,
    threads: int | None = None,
    page_shift: int | None = None,
    hints: Array | None = None,
    form: str | None = None,
    page: int | str | None = None,
    iterations: int | None = None,
    columns: str | None = None,
    separator: str | None = None,
    no_header: bool = False,
    renumber: bool = False,
) -> Rows:
    """Replays a trace with policies at sizes of memory: the counts of `gmmu replay -F csv`, by the same code.

    The GIL is free meanwhile; Ctrl-C ends the replay with KeyboardInterrupt. With policies in Python among POLICIES these run on the
    calling thread.

    Args:
        trace: a path, a Trace, or an array with fields of `walk_dtype`. An array must not change meanwhile.
        policies: policies; a class in Python is one, too (`gmmu.Policy`).
        frames: sizes of memory.
        tier2: size of Tier 2: as FRAMES, or a multiple of each size of memory ("4x"); None: there is none.
        seed: seed of the random choices of policies, from 1.
        ratios: add the columns size, percent, miss_ratio and, with opt among the policies, faults_to_opt and evictions_to_opt.
        as_opt: add the column as_opt: the evictions that opt makes too.
        hpe_ideal: give each policy that has one its option beyond any machine's knowledge.
        distinct: the trace has so many distinct pages: a percentage then needs no second reading.
        threads: threads; None: one a core. No result depends on their number.
        page_shift: of an array: log2 of the bytes of a page (12); of a path: as `read`.
        hints: of an array: array of `hint_dtype`.
        form, page, iterations, columns, separator, no_header, renumber: of a path: as `read`.

    Returns:
        A structured array: policy by policy, of each all sizes. Columns: trace, policy (text), frames, accesses, distinct, faults,
        cold, evictions, writebacks (uint64), then what the options add.

    Raises:
        Error: bad input, or a wrong answer of a policy in Python.
        MemoryError: there is not enough memory.
        Any exception that a policy in Python raises, as it is.
    """
    choices = _choices(policies, hpe_ideal)
    sizes = _sizes(frames)
    for name, value in (("seed", seed), ("distinct", distinct), ("threads", threads)):
        if value is not None and not (isinstance(value, (int, np.integer)) and 1 <= value < 10**12):
            raise ValueError(f"{name}: found {value}, expected a whole number from 1 to 10^12 - 1")
    study = _core.Study(choices, sizes, "" if tier2 is None else str(tier2))
    study.set(seed, as_opt, distinct or 0, threads or 0)
    how = {"form": form, "page": page, "iterations": iterations, "columns": columns, "separator": separator,
           "no_header": no_header, "renumber": renumber}
    if isinstance(trace, (str, os.PathLike)):
        if hints is not None:
            raise TypeError("hints: found some with a path, expected them with an array")
        label = _run_path(study, trace, page_shift=page_shift, **how)
    else:
        wrong = [key for key, value in how.items() if value not in (None, False)]
        if wrong:
            raise TypeError(f"{wrong[0]}: found it with walks in memory, expected it with a path")
        given = trace if isinstance(trace, Trace) else Trace(trace)
        some = given.hints if hints is None else as_records(hints, hint_dtype, "hints")
        shift = _shift(page_shift, given)
        study.run_walks(as_bytes(as_records(given.walks, walk_dtype, "walks")), as_bytes(some), shift)
        label = "walks"
    return _rows(study, label, tier2 is not None, as_opt, ratios, sizes.count(",") + 1)
