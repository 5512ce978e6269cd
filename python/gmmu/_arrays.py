# SPDX-License-Identifier: Apache-2.0
"""Walks and hints as structured arrays of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

#: A walk, the record of the C library: 40 bytes, of which the last 7 are padding.
#:   vpn    uint64  virtual page number: address >> page_shift
#:   ref    uint64  memory instruction (its PC, or a hash of it)
#:   time   uint64  the recorder's own clock, 0 where there is none; no policy reads it
#:   asid   uint32  address space; the identity of a page is (asid, vpn)
#:   sm     uint32  streaming multiprocessor
#:   write  bool    the access writes
walk_dtype: np.dtype[Any] = np.dtype(
    [("vpn", "u8"), ("ref", "u8"), ("time", "u8"), ("asid", "u4"), ("sm", "u4"), ("write", "?")], align=True
)

#: A hint: knowledge of a driver about a program, between two walks.
#:   walk   uint64  number, from 0, of the walk behind the hint; the number of walks: behind the last
#:   id     uint64  LAUNCH: the kernel's code; ALLOC: the allocation; else 0
#:   first  uint64  ALLOC, FREE: first page of the range
#:   pages  uint64  ALLOC, FREE: pages of the range, at least 1
#:   asid   uint32  address space of the range
#:   kind   uint32  LAUNCH, ALLOC or FREE
hint_dtype: np.dtype[Any] = np.dtype(
    [("walk", "u8"), ("id", "u8"), ("first", "u8"), ("pages", "u8"), ("asid", "u4"), ("kind", "u4")], align=True
)

#: Kinds of hints: a kernel starts; pages become an allocation; their contents are not needed any more.
LAUNCH, ALLOC, FREE = 0, 1, 2


def whole(values: npt.ArrayLike) -> Array:
    """VALUES as an array; whole numbers of Python on both sides of 2^63, of which NumPy makes floats, as uint64."""
    found = np.asarray(values)
    if found.dtype.kind == "f" and found.size and not hasattr(values, "dtype"):
        given = np.asarray(values, dtype=object)
        if all(isinstance(value, int) and 0 <= value < 1 << 64 for value in given.flat):
            return given.astype(np.uint64)
    return found


def make_walks(vpn: npt.ArrayLike, **fields: npt.ArrayLike) -> Array:
    """Returns walks of the page numbers VPN; FIELDS are further fields of `walk_dtype`, 0 where not given.

    >>> gmmu.make_walks([1, 2, 1], write=[0, 1, 0])
    """
    pages = whole(vpn)
    if pages.ndim != 1:
        raise TypeError(f"vpn: found an array of shape {pages.shape} and type {pages.dtype}, expected one row of whole numbers")
    walks = np.zeros(len(pages), walk_dtype)
    _fill(walks, "vpn", pages)
    for name, values in fields.items():
        if name not in (walk_dtype.names or ()):
            raise TypeError(f"found the field {name}, expected one of {', '.join(walk_dtype.names or ())}")
        _fill(walks, name, values)
    return walks


def _fill(records: Array, name: str, values: npt.ArrayLike) -> None:
    """Writes VALUES, one or one a record, to the field NAME of RECORDS: whole numbers that fit."""
    given, field = whole(values), records.dtype[name]
    if given.size and given.dtype.kind not in "uib":
        raise TypeError(f"{name}: found an array of shape {given.shape} and type {given.dtype}, expected one row of whole numbers")
    if given.shape not in ((), records.shape):
        raise ValueError(f"{name}: found an array of shape {given.shape}, expected {records.shape}")
    if given.size and field.kind == "u":
        if int(given.min()) < 0:
            raise ValueError(f"{name}: found {int(given.min())}, expected no number below 0")
        if int(given.max()) > int(np.iinfo(field).max):
            raise ValueError(f"{name}: found {int(given.max())}, expected no number above {np.iinfo(field).max}")
    records[name] = given


def as_records(array: Any, dtype: np.dtype[Any], what: str) -> Array:
    """Returns ARRAY as contiguous records of DTYPE: itself where it is that already, else a copy. Fields that ARRAY lacks are 0."""
    given = np.asarray(array)
    if given.dtype == dtype:
        records = np.require(given, requirements=["C", "A"])
    elif given.dtype.names is None:
        found = f"an array of type {given.dtype}" if given.dtype.kind != "O" else f"an object of type {type(array).__name__}"
        raise TypeError(f"{what}: found {found}, expected records with fields of {dtype.names}")
    else:
        unknown = [name for name in given.dtype.names if name not in (dtype.names or ())]
        if unknown:
            raise TypeError(f"{what}: found the field {unknown[0]}, expected fields of {dtype.names}")
        records = np.zeros(given.shape, dtype)
        for name in given.dtype.names:
            _fill(records, name, given[name])
    if records.ndim != 1:
        raise TypeError(f"{what}: found {records.ndim} dimensions, expected 1")
    return records


def as_bytes(records: Array) -> npt.NDArray[np.uint8]:
    return records.view(np.uint8).reshape(-1)


def as_array(data: npt.NDArray[np.uint8], dtype: np.dtype[Any]) -> Array:
    return data.view(dtype)
