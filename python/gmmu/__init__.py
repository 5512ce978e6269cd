# SPDX-License-Identifier: Apache-2.0
"""GPU memory tiering: walk traces, replacement policies, the model of a hardware unit."""

from ._core import version as __version__

__all__ = ["__version__"]
