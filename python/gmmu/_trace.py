# SPDX-License-Identifier: Apache-2.0
"""Traces: read whole or in chunks, written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Union

import numpy as np

from . import _core
from ._arrays import Array, as_array, as_bytes, as_records, hint_dtype, walk_dtype
from ._error import Error

Path = Union[str, "os.PathLike[str]"]

_SEPARATORS = {"blank": " ", "space": " ", "tab": "\t", "\\t": "\t", "comma": ",", "bar": "|", "semicolon": ";", "colon": ":"}


def forms() -> dict[str, bool]:
    """Returns the names of all forms of a trace that are read; True: the form is written, too."""
    return dict(_core.forms())


def _path(path: Path) -> bytes:
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"path: found {path!r}, expected no null character")
    return name


def _form(name: str | None, option: str) -> str:
    """Returns the name of the form NAME as the library writes it."""
    if name is None:
        return "auto"
    found = _core.find_form(name)
    if found is None:
        names = ", ".join(["auto", *forms()])
        raise Error(f'{option}: found "{name}", expected one of {names}')
    return str(found)


def _page(page: int | str) -> int:
    """Returns log2 of a size of a page: bytes, or a text such as 64K, 64KiB or 2M."""
    match = re.fullmatch(r"(\d+)(?:([kmgKMG])(?:iB)?)?", str(page))
    size = int(match[1]) << {"": 0, "k": 10, "m": 20, "g": 30}[(match[2] or "").lower()] if match else 0
    if size < 2 or size & (size - 1) or size >= 1 << 32:
        raise Error(f'page: found "{page}", expected a power of two in bytes, as 4096, 64K, 64KiB or 2M')
    return size.bit_length() - 1


def _separators(text: str | None) -> str:
    if text is None or text in _SEPARATORS:
        return "" if text is None else _SEPARATORS[text]
    if not 1 <= len(text) <= 6 or any(not (c == "\t" or " " <= c < "\x7f") or c in '"#.-' or c.isalnum() for c in text):
        raise Error(
            f'separator: found "{text}", expected blank, tab, comma, semicolon, bar, colon, or up to 6 characters that are in no field'
        )
    return text


def _how(
    form: str | None,
    page: int | str | None,
    page_shift: int | None,
    iterations: int | None,
    columns: str | None,
    separator: str | None,
    no_header: bool,
    renumber: bool,
) -> _core.How:
    """How a trace is read; the options are those of the command."""
    kind = _form(form, "form")
    if page_shift is not None and not 9 <= page_shift <= 30:
        raise Error(f'page_shift: found "{page_shift}", expected 9 to 30')
    if page_shift is not None and kind in ("auto", "text", "gwt"):
        raise Error("found page_shift, expected it with the form of another tool; larger pages of a walk trace: page")
    if iterations is not None and kind != "g10":
        raise Error("found iterations, expected it with form g10")
    if iterations is not None and not 1 <= iterations < 10**12:
        raise Error(f'iterations: found "{iterations}", expected a whole number from 1 to 10^12 - 1')
    for name, value in (("columns", columns), ("separator", separator), ("no_header", no_header or None)):
        if value is not None and kind != "table":
            raise Error(f"found {name}, expected it with form table")
    return _core.How(
        kind,
        page_shift or 0,
        0 if page is None else _page(page),
        iterations or 0,
        columns or "",
        _separators(separator),
        no_header,
        renumber,
    )


class Trace:
    """A whole trace in memory.

    Attributes:
        walks: array of `walk_dtype`, one record a walk, in order.
        hints: array of `hint_dtype`, in order; empty where there is none.
        page_shift: log2 of the bytes of a page.
        form: the form that was read, "" for a trace made in memory.
        source, licence, comment: texts of the header, or None.
        notes: lines for the user, as the command writes them to standard error.
    """

    walks: Array
    hints: Array
    page_shift: int
    form: str
    source: str | None
    licence: str | None
    comment: str | None
    notes: list[str]

    def __init__(
        self,
        walks: Array,
        page_shift: int = 12,
        hints: Array | None = None,
        *,
        source: str | None = None,
        licence: str | None = None,
        comment: str | None = None,
    ) -> None:
        self.walks = as_records(walks, walk_dtype, "walks")
        self.hints = np.zeros(0, hint_dtype) if hints is None else as_records(hints, hint_dtype, "hints")
        self.page_shift = page_shift
        self.form = ""
        self.source = source
        self.licence = licence
        self.comment = comment
        self.notes = []

    def __len__(self) -> int:
        return len(self.walks)

    def __repr__(self) -> str:
        return f"<gmmu.Trace: {len(self.walks)} walks, {len(self.hints)} hints, pages of {1 << self.page_shift} bytes>"


class Reader:
    """A trace that is read in chunks (`gmmu.open`): an iterator over arrays of `walk_dtype`, and a context manager.

    Attributes:
        page_shift: log2 of the bytes of a page.
        form: the form that is read.
        walks, pages: number of walks and of distinct pages that the header states, or None.
        source, licence, comment: texts of the header, or None.
        hints: array of `hint_dtype`: the hints before and among the walks of the last chunk; with the last chunk also those
            behind its walks. Their `walk` counts from the first walk of the trace.
    """

    page_shift: int
    form: str
    walks: int | None
    pages: int | None
    source: str | None
    licence: str | None
    comment: str | None
    hints: Array

    def __init__(self, path: Path, how: _core.How, chunk: int) -> None:
        if chunk < 1:
            raise ValueError(f"chunk: found {chunk}, expected at least 1")
        self._reader = _core.Reader(_path(path), how)
        self._path = path
        self._first = 0  # number of the walk that comes next
        self._chunk = chunk
        self.page_shift = self._reader.page_shift
        self.form = self._reader.form
        self.walks, self.pages, self.source, self.licence, self.comment = self._reader.about()
        self.hints = np.zeros(0, hint_dtype)

    @property
    def notes(self) -> list[str]:
        """Lines for the user, as the command writes them to standard error."""
        return self._reader.notes

    def _next(self, most: int) -> Array:
        walks, hints = self._reader.next(most)
        self._first += len(walks) // walk_dtype.itemsize
        self.hints = as_array(hints, hint_dtype)
        return as_array(walks, walk_dtype)

    def __iter__(self) -> Iterator[Array]:
        return self

    def __next__(self) -> Array:
        if self._reader.ended:
            raise StopIteration
        walks = self._next(self._chunk)
        if not len(walks) and not len(self.hints):
            raise StopIteration
        return walks

    def close(self) -> None:
        """Closes the file. A second call does nothing."""
        self._reader.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open(
    path: Path,
    *,
    chunk: int = 1 << 20,
    form: str | None = None,
    page: int | str | None = None,
    page_shift: int | None = None,
    iterations: int | None = None,
    columns: str | None = None,
    separator: str | None = None,
    no_header: bool = False,
    renumber: bool = False,
) -> Reader:
    """Opens a trace to read it in chunks of CHUNK walks; memory does not grow with the trace. The options are those of `read`.

    >>> with gmmu.open("large.gwt.zst") as trace:
    ...     for walks in trace:
    ...         writes += walks["write"].sum()

    Raises Error: the trace cannot be read, at once or, at a bad record, by the iterator.
    """
    how = _how(form, page, page_shift, iterations, columns, separator, no_header, renumber)
    return Reader(path, how, chunk)


def read(
    path: Path,
    *,
    form: str | None = None,
    page: int | str | None = None,
    page_shift: int | None = None,
    iterations: int | None = None,
    columns: str | None = None,
    separator: str | None = None,
    no_header: bool = False,
    renumber: bool = False,
) -> Trace:
    """Reads a whole trace, in any form that the command reads, compressed with gzip, xz or zstd or not.

    Args:
        path: the file; "-" is standard input.
        form: its form (`forms`); None: found by the content.
        page: a larger page in bytes, or as "64K", "2M": page numbers are shifted.
        page_shift: log2 of the bytes of a page, for forms of other tools: 9 to 30.
        iterations: form g10: iterations of the training.
        columns: form table: the columns from left to right, or ROLE=NAME,… (docs/reference/formats.md).
        separator: form table: blank, tab, comma, semicolon, bar, colon, or the characters.
        no_header: form table: no line of names stands first.
        renumber: pages and address spaces become 0, 1, 2… in order of first appearance.

    Raises:
        Error: the trace cannot be read. The text names file and line.
        MemoryError: there is no room for its walks: 40 bytes each.
    """
    how = _how(form, page, page_shift, iterations, columns, separator, no_header, renumber)
    reader = _core.Reader(_path(path), how)
    try:
        walks, hints = reader.next((1 << 63) - 1)
        trace = Trace(as_array(walks, walk_dtype), reader.page_shift, as_array(hints, hint_dtype))
        trace.form = reader.form
        trace.source, trace.licence, trace.comment = reader.about()[2:]
        trace.notes = reader.notes
    finally:
        reader.close()
    return trace


def write(
    path: Path,
    walks: Trace | Array | Iterable[Array],
    *,
    form: str | None = None,
    page_shift: int | None = None,
    hints: Array | None = None,
    source: str | None = None,
    licence: str | None = None,
    comment: str | None = None,
) -> None:
    """Writes a trace; a file that cannot be completed does not stay.

    Args:
        path: the file, compressed if it ends in .gz, .xz or .zst; "-" is standard output.
        walks: a Trace, an array with fields of `walk_dtype`, or arrays one after the other, such as an open `Reader`, of
            which the hints are written too.
        form: a form that is written (`forms`); None: gwt if PATH ends in .gwt, else text.
        page_shift: log2 of the bytes of a page, 9 to 30; None: the trace's, or 12.
        hints: array of `hint_dtype`; None: the trace's.
        source, licence, comment: texts for the header; None: the trace's.

    Raises Error: the file cannot be written, or the form cannot hold the walks (address spaces in a form of addresses).
    """
    kind = "" if form is None else _form(form, "form")
    if kind not in ("", "auto") and not forms()[kind]:
        able = ", ".join(name for name, writes in forms().items() if writes)
        raise Error(f'form: found "{form}", expected one that is written: {able}')
    about = walks if isinstance(walks, (Trace, Reader)) else None
    shift = page_shift if page_shift is not None else about.page_shift if about else 12
    if not 9 <= shift <= 30:
        raise Error(f'page_shift: found "{shift}", expected 9 to 30')
    texts = [
        given if given is not None else (getattr(about, name) or "" if about else "")
        for name, given in (("source", source), ("licence", licence), ("comment", comment))
    ]
    none = np.zeros(0, hint_dtype)
    given_hints = None if hints is None else as_records(hints, hint_dtype, "hints")
    whole: Any = walks.walks if isinstance(walks, Trace) else walks
    chunks: Iterable[Any] = [whole] if isinstance(whole, np.ndarray) else whole
    if isinstance(walks, Trace) and given_hints is None:
        given_hints = walks.hints
    if given_hints is not None and np.any(given_hints["walk"][1:] < given_hints["walk"][:-1]):
        raise Error("hints: found a walk before that of the hint before, expected hints in the order of the walks")
    name = _path(path)
    if isinstance(walks, Reader) and os.path.isfile(name) and os.path.exists(walks._path) and os.path.samefile(name, walks._path):
        raise Error(f"{os.fspath(path)}: found the trace that is read, expected another file to write to")
    begun = walks._first if isinstance(walks, Reader) else 0
    writer = _core.Writer(name, kind, shift, texts)
    try:
        count = 0
        for chunk in chunks:
            records = as_records(chunk, walk_dtype, "walks")
            now = none
            if isinstance(walks, Reader) and given_hints is None:
                now = walks.hints.copy()
                now["walk"] -= begun  # what was read before is not written
            if given_hints is not None:
                in_chunk = given_hints["walk"] < count + len(records)
                now, given_hints = given_hints[in_chunk], given_hints[~in_chunk]
            writer.put(as_bytes(records), as_bytes(now))
            count += len(records)
        if given_hints is not None:
            if len(given_hints) and int(given_hints["walk"][-1]) > count:
                raise Error("hints: found a walk behind the end, expected hints in the order of the walks")
            writer.put(as_bytes(np.zeros(0, walk_dtype)), as_bytes(given_hints))
        writer.close()
    finally:
        writer.abandon()
