# SPDX-License-Identifier: Apache-2.0
"""The exception of the package."""

from __future__ import annotations

import re

_PLACE = re.compile(r"(?P<path>.+?):(?:(?P<line>\d+):)? (?=.*found )")
_FOUND = re.compile(r"found (?P<found>.+?), expected (?P<expected>.+)", re.DOTALL)


class Error(Exception):
    """Bad input: a trace, a policy, a size or an answer of a policy in Python that cannot be used.

    The text is that of the command `gmmu`, in one line: ``FILE:LINE: found X, expected Y``.

    Attributes (each None where the text does not say it):
        path: the file, or what else stands before the first colon.
        line: line of the file, from 1; in a binary form the number of the record.
        found: what was found.
        expected: what was expected.
    """

    path: str | None
    line: int | None
    found: str | None
    expected: str | None

    def __init__(self, text: str) -> None:
        super().__init__(text)
        place = _PLACE.match(text)
        self.path = place["path"] if place else None
        self.line = int(place["line"]) if place and place["line"] else None
        found = _FOUND.search(text)
        self.found = found["found"] if found else None
        self.expected = found["expected"] if found else None


Error.__module__ = "gmmu"  # its name in tracebacks is the name by which programs catch it
