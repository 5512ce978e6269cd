# SPDX-License-Identifier: Apache-2.0
"""GPU memory tiering: walk traces, replacement policies, the model of a hardware unit (docs/guide/python.md)."""

from ._arrays import ALLOC, FREE, LAUNCH, hint_dtype, make_walks, walk_dtype
from ._core import Walk, version as __version__
from ._error import Error
from ._mrc import mrc
from ._policy import Policy, PolicyInfo, load_plugin, policies
from ._replay import Rows, replay
from ._trace import Reader, Trace, forms, open, read, write
from ._unit import Access, Driven, Memory, Page, Snapshot, Unit, Victim, Walked, access_dtype, decision_dtype
from .layouts import Op, Tier

__all__ = [
    "ALLOC",
    "FREE",
    "LAUNCH",
    "Access",
    "Driven",
    "Error",
    "Memory",
    "Op",
    "Page",
    "Policy",
    "PolicyInfo",
    "Reader",
    "Rows",
    "Snapshot",
    "Tier",
    "Trace",
    "Unit",
    "Victim",
    "Walk",
    "Walked",
    "__version__",
    "access_dtype",
    "decision_dtype",
    "forms",
    "hint_dtype",
    "load_plugin",
    "make_walks",
    "mrc",
    "open",
    "policies",
    "read",
    "replay",
    "walk_dtype",
    "write",
]
