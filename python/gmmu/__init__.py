# SPDX-License-Identifier: Apache-2.0
"""GPU memory tiering: walk traces, replacement policies, the model of a hardware unit."""

from ._core import version as __version__
from .layouts import Op, Tier
from .unit import ACCESS, DECISION, Access, Memory, Page, Unit, Victim, Walked

__all__ = ["ACCESS", "Access", "DECISION", "Memory", "Op", "Page", "Tier", "Unit", "Victim", "Walked", "__version__"]
