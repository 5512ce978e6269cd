# SPDX-License-Identifier: Apache-2.0
"""Policies: those of the library, and the base of a policy in Python."""

from __future__ import annotations

import os
from dataclasses import dataclass

from . import _core
from ._core import Walk


@dataclass(frozen=True)
class PolicyInfo:
    """A policy of the library, as `gmmu replay --help` lists it.

    Attributes:
        name: the name, which options follow as ``name:key=value:key=value``.
        help: one line.
        options: the options, one or more a line; None: there is none.
        needs_future: the policy knows the whole trace in advance, as no machine does.
        tiers: the policy uses Tier 2.
        ideal: an option beyond any machine's knowledge, or None.
        plugin: path of the plugin that has the policy, or None.
    """

    name: str
    help: str
    options: str | None
    needs_future: bool
    tiers: bool
    ideal: str | None
    plugin: str | None


def policies() -> list[PolicyInfo]:
    """Returns the policies of the library, in the order of the command's help text."""
    return [PolicyInfo(*row) for row in _core.policies()]


def load_plugin(path: str | os.PathLike[str]) -> list[PolicyInfo]:
    """Loads a shared object with policies in C (docs/guide/adding_a_policy.md, as `gmmu replay --plugin`), and returns its policies.

    From now on, until the program ends, `replay` and `mrc` take them by their names. The code of the file runs in this program.

    Raises Error: the file is no plugin, or one for another version.
    """
    _core.load_plugin(os.fsencode(path))
    # a plugin whose file is gone stays loaded
    return [p for p in policies() if p.plugin is not None and os.path.exists(p.plugin) and os.path.samefile(p.plugin, path)]


class Policy:
    """The base of a replacement policy in Python. A replay makes one object for each size of memory.

    A page is a number: 0, 1, 2… in order of first appearance in the trace. The replay keeps which pages are resident, and
    calls ``hit``, ``victim`` and ``insert``:

    >>> class Fifo(gmmu.Policy):
    ...     def __init__(self, frames):
    ...         super().__init__(frames)
    ...         self.queue = collections.deque()
    ...     def insert(self, page, walk):
    ...         self.queue.append(page)
    ...     def victim(self, page, walk):
    ...         return self.queue.popleft()
    >>> gmmu.replay("trace.gwt", [Fifo, "fifo"], "50%")

    A class with a method ``access`` is called with every access instead. ``walk`` is one object for all accesses: keep its
    numbers (vpn, ref, time, asid, sm, write, number), not the object.

    An exception in a method ends the replay and reaches the caller of `gmmu.replay` as it is. A victim that is not resident
    is a gmmu.Error.
    """

    #: The policy's name in the rows; "": the name of the class.
    name: str = ""
    #: Size of memory in pages.
    frames: int

    def __init__(self, frames: int) -> None:
        self.frames = frames

    def hit(self, page: int, walk: Walk) -> None:
        """PAGE is resident and was accessed."""

    def insert(self, page: int, walk: Walk) -> None:
        """PAGE was accessed and comes to memory, in which there is room now."""

    def victim(self, page: int, walk: Walk) -> int:
        """PAGE is to come, and memory is full: returns the resident page that leaves."""
        raise NotImplementedError(f"{type(self).__name__}.victim: a policy names the page that leaves")

    def access(self, page: int, walk: Walk) -> int | None:
        """In place of the three methods above: every access. Returns the resident page that leaves if PAGE is not resident and
        memory is full, else None."""
        raise NotImplementedError
