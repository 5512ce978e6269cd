# SPDX-License-Identifier: Apache-2.0
"""GPU memory tiering: walk traces, replacement policies, the model of a hardware unit (docs/guide/python.md)."""

from ._arrays import ALLOC, FREE, LAUNCH, hint_dtype, make_walks, walk_dtype
from ._core import Walk, version as __version__
from ._error import Error
from ._policy import Policy, PolicyInfo, policies
from ._replay import Rows, replay
from ._trace import Reader, Trace, forms, open, read, write

__all__ = [
    "ALLOC",
    "FREE",
    "LAUNCH",
    "Error",
    "Policy",
    "PolicyInfo",
    "Reader",
    "Rows",
    "Trace",
    "Walk",
    "__version__",
    "forms",
    "hint_dtype",
    "make_walks",
    "open",
    "policies",
    "read",
    "replay",
    "walk_dtype",
    "write",
]
