# SPDX-License-Identifier: Apache-2.0
"""missing.py: a clear message where a package that others have is not installed. Nothing beyond Python's own library."""
from __future__ import annotations

import importlib
from typing import Any


def require(module: str, wanted: str) -> Any:
    """The module; ImportError names the package that `pip install` brings. An error inside the module is handed on as it is."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or module != error.name and not module.startswith(error.name + "."):
            raise
        raise ImportError(f"gmmu.cocotb: found no module {error.name}, expected it: pip install '{wanted}' in a clone of gmmu-tier", name=error.name) from None
