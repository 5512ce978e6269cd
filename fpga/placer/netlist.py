# SPDX-License-Identifier: Apache-2.0
"""Netlists in JSON, as Yosys and nextpnr write them."""
import json


def load(path):
    """The file PATH: a design with modules that have cells."""
    with open(path, encoding="utf-8") as f:
        try:
            design = json.load(f)
        except ValueError as error:
            raise ValueError("%s: found no JSON, expected a netlist of Yosys or nextpnr: %s" % (path, error)) from None
    modules = design.get("modules") if isinstance(design, dict) else None
    if not isinstance(modules, dict) or not modules or any("cells" not in mod for mod in modules.values()):
        raise ValueError('%s: found no "modules" with "cells", expected a netlist of Yosys or nextpnr' % path)
    return design


def top(design, path):
    """The top module of Yosys' DESIGN, which is the file PATH."""
    for mod in design["modules"].values():
        if int(mod.get("attributes", {}).get("top", "0"), 2):
            return mod
    raise ValueError("%s: found no module with the attribute top, expected Yosys' -top" % path)


def save(design, path):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(design, f)
