#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""config_args.py CONFIG MODULE.v [NAME=VALUE...]: the Verilator arguments that give a module its sizes:
those of a named configuration, some of them changed, here or in its name: tiny.FRAMES3.LINES4.

Prints -GNAME=VALUE for every parameter of the module that config/gmmu.json sizes.
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main():
    config, path = sys.argv[1:3]
    changed = dict(a.split("=") for a in sys.argv[3:])
    src = json.load(open(os.path.join(ROOT, "config", "gmmu.json"), encoding="utf-8"))
    config, *changes = config.split(".")
    values = dict(src["configurations"][config])
    changed.update(re.fullmatch(r"([A-Z_]+)(\d+)", change).groups() for change in changes)
    for name in changed:
        if name not in values:
            sys.exit("config_args.py: found size \"%s\", expected one of %s" % (name, " ".join(values)))
    values.update({name: int(value) for name, value in changed.items()})
    for name, of, _ in src["derived"]:
        values[name] = max(1, (values[of] - 1).bit_length())
    values["ENTRIES"] = values["SAMPLER"]
    if os.path.basename(path) == "trace_sampler.v":
        values["WAYS"] = values["SWAYS"]
    values["CLASS_W"] = values["ROW_W"] + values["GEN_W"]
    values["TAG_W"] = 1 + values["TIME_W"] + values["FRAME_W"]
    derived = {d[0] for d in src["derived"]}
    header = open(path, encoding="utf-8").read().split(") (", 1)[0]
    names = re.findall(r"^\s*parameter\s+(\w+)", header, flags=re.M)
    print(" ".join("-G%s=%d" % (n, values[n]) for n in names if n in values and n not in derived))


if __name__ == "__main__":
    main()
