#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""config_args.py CONFIG MODULE.v [NAME=VALUE...]: the Verilator arguments that give a module its sizes:
those of a named configuration, some of them changed, here or in its name: tiny.FRAMES3.LINES4.

Prints -GNAME=VALUE for every parameter of the module that config/gmmu.json sizes. `--sizes` prints what of
config/gmmu.json these arguments depend on.
"""
import json
import os
import re
import sys

import blocks

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Bad(Exception):
    pass


def sizes(src, config, changed=()):
    """{size: value} of CONFIG, a named configuration or one with changes in its name; CHANGED: (size, value), more of them."""
    named, *changes = config.split(".")
    known = src["configurations"]
    if named not in known:
        raise Bad('found configuration "%s", expected one of %s, or one of them with sizes changed: tiny.FRAMES64' % (named, " ".join(known)))
    values = dict(known[named])
    for change in changes:
        parts = re.fullmatch(r"([A-Z][A-Z_0-9]*?)(\d+)", change)
        if parts is None:
            raise Bad('found the change "%s" in configuration "%s", expected a size and its value: FRAMES64' % (change, config))
        changed = [*changed, parts.groups()]
    for name, value in changed:
        if name not in values:
            raise Bad('found size "%s", expected one of %s' % (name, " ".join(values)))
        values[name] = int(value)
    return values


def arguments(src, config, path, changed):
    values = sizes(src, config, changed)
    block = [b for b in src["blocks"] if blocks.module_of(b["name"]) == os.path.basename(path)[:-2]]
    own = block[0].get("parameters", {}) if block else {}
    derived = {d[0] for d in src["derived"]} - set(own)
    for name, of, _ in src["derived"]:
        values[name] = max(1, (values[of] - 1).bit_length())
    for name, terms in {**src["module_parameters"], **own}.items():
        values[name] = sum(int(t) if t.isdigit() else values[t] for t in terms.split(" + "))
    with open(path, encoding="utf-8") as file:
        header = file.read().split(") (", 1)[0]
    if "gmmu_parameters.vh" in header:
        header += "".join("\nparameter %s" % name for name, _, *block in src["parameters"] if not block)
    names = re.findall(r"^\s*parameter\s+(\w+)", header, flags=re.M)
    return " ".join("-G%s=%d" % (n, values[n]) for n in names if n in values and n not in derived)


def main():
    with open(os.path.join(ROOT, "config", "gmmu.json"), encoding="utf-8") as file:
        src = json.load(file)
    if sys.argv[1:] == ["--sizes"]:
        of = {key: src[key] for key in ("configurations", "derived", "module_parameters")}
        print(json.dumps([of, {b["name"]: b.get("parameters") for b in src["blocks"]}], indent=1))
    else:
        try:
            print(arguments(src, *sys.argv[1:3], [a.split("=") for a in sys.argv[3:]]))
        except Bad as bad:
            sys.exit("config_args.py: %s" % bad)


if __name__ == "__main__":
    main()
