# SPDX-License-Identifier: Apache-2.0
"""Miss-ratio curves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core
from ._arrays import Array, as_bytes
from ._replay import Rows, Size, _shift, _sizes
from ._trace import Path, Trace, _how, _path


def mrc(
    trace: Path | Trace | Array,
    policies: str | Sequence[str] = "lru,opt",
    frames: Size | Sequence[Size] | None = None,
    *,
    points: int | None = 32,
    log: bool = False,
    sample_rate: float | None = None,
    sample_size: int | None = None,
    check: bool = False,
    threads: int | None = None,
    page_shift: int | None = None,
    form: str | None = None,
    page: int | str | None = None,
    iterations: int | None = None,
    columns: str | None = None,
    separator: str | None = None,
    no_header: bool = False,
    renumber: bool = False,
) -> Rows:
    """Miss-ratio curves of policies, as `gmmu mrc` makes them: lru, opt and leu-exact in one pass for all sizes, other policies with a
    run for each size. For a policy in Python call `replay` with the sizes.

    Args:
        trace: a path, a Trace, or an array with fields of `walk_dtype`.
        policies: names of policies.
        frames: sizes of memory, as of `replay`; None: POINTS sizes.
        points: number of sizes, spread evenly up to the distinct pages; None: every size.
        log: spread the sizes evenly on a logarithmic scale from 1.
        sample_rate: estimate lru, opt and leu-exact from a sample of the pages: their part, 1e-9 to 1.
        sample_size: the same with a sample of so many pages.
        check: with a sample: the exact curve, too.
        threads: threads; None: one a core. No result depends on their number.
        page_shift, form, page, iterations, columns, separator, no_header, renumber: as of `replay`.

    Returns:
        A structured array: policy by policy, of each all sizes. Columns: trace, policy (text), frames, accesses, distinct, faults, cold,
        evictions (uint64), miss_ratio (float64), with a sample std_error, with check exact_miss_ratio.

    Raises Error and MemoryError, as `replay`.
    """
    items = list(policies) if isinstance(policies, Iterable) and not isinstance(policies, str) else [policies]
    for item in items:
        if not isinstance(item, str):
            raise TypeError(f"policies: found {item!r}, expected names of policies; the curve of a class is gmmu.replay at several sizes")
    names = ",".join(items)
    if sample_rate is not None and sample_size is not None:
        raise ValueError("found sample_rate and sample_size, expected one of them")
    if sample_rate is not None and not 1e-9 <= sample_rate <= 1:
        raise ValueError(f"sample_rate: found {sample_rate}, expected 1e-9 to 1")
    for name, value, most in (("points", points, 10**6), ("sample_size", sample_size, 3 << 30), ("threads", threads, 1024)):
        if value is not None and not 1 <= value <= most:
            raise ValueError(f"{name}: found {value}, expected 1 to {most}")
    sizes = "" if frames is None else _sizes(frames)
    cores = min(os.cpu_count() or 1, 1024)
    curves = _core.Curves(names, sizes, points or 0, log, sample_rate or 0.0, sample_size or 0, check, threads or cores)
    how: dict[str, Any] = {"form": form, "page": page, "iterations": iterations, "columns": columns, "separator": separator,
                           "no_header": no_header, "renumber": renumber}
    if isinstance(trace, (str, os.PathLike)):
        label = os.fspath(trace)
        curves.run_path(_path(trace), _how(page_shift=page_shift, **how))
    else:
        wrong = [key for key, value in how.items() if value not in (None, False)]
        if wrong:
            raise TypeError(f"{wrong[0]}: found it with walks in memory, expected it with a path")
        label = "walks"
        given = trace if isinstance(trace, Trace) else Trace(trace)
        curves.run_walks(as_bytes(given.walks), _shift(page_shift, given))
    rows = curves.rows()
    width = max((len(row[0]) for row in rows), default=1)
    numbers = ["frames", "accesses", "distinct", "faults", "cold", "evictions"]
    ratios = ["miss_ratio"]
    ratios += ["std_error"] if sample_rate is not None or sample_size is not None else []
    ratios += ["exact_miss_ratio"] if check else []
    fields = [("trace", f"U{max(1, len(label))}"), ("policy", f"U{width}")]
    fields += [(name, "u8") for name in numbers] + [(name, "f8") for name in ratios]
    table = np.zeros(len(rows), fields).view(Rows)
    for at, row in enumerate(rows):
        table[at] = (label, *row[: 1 + len(numbers) + len(ratios)])
    table.notes = curves.notes
    return table
