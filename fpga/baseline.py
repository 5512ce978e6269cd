# SPDX-License-Identifier: Apache-2.0
"""fpga/baselines/DEVICE.json: the figures that were accepted last; docs/guide/fpga.md is made from them."""
import json
import os

FOLDER = "fpga/baselines"
STOCK = FOLDER + "/stock"  # rows with what nextpnr's own placer makes of the same netlist (fpga.py --stock)
TOLD = 0.03  # a greater change is told
COLUMNS = ("mhz_median", "lut", "lut4", "ccu2c", "ff", "ram", "lutram", "dsp")


def load(folder=FOLDER):
    """{(device, block, config): row}, each with the tools that made it."""
    out = {}
    if os.path.isdir(folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    rows = json.load(f)["rows"]
                out.update({(r["device"], r["block"], r["config"]): r for r in rows})
    return out


def changes(row, old):
    """[text] of what of ROW is more than 3 % away from OLD."""
    if old is None:
        return []
    out = []
    if row.get("fits", True) != old.get("fits", True):
        out.append("fits now" if row["fits"] else "does not fit any more")
    for column in COLUMNS:
        now, then = row.get(column), old.get(column)
        if now is None or then is None or abs(now - then) <= TOLD * then:
            continue
        seeds = ""  # a rate of few seeds beside one of many may differ by that alone
        if column == "mhz_median" and row.get("seeds") != old.get("seeds"):
            seeds = "; of %d seed%s, was of %d" % (row["seeds"], "s" * (row["seeds"] > 1), old["seeds"])
        out.append("%s %g, was %g%s%s" % (column.replace("mhz_median", "MHz"), now, then, " (%+.0f %%)" % (100 * (now - then) / then) if then else "", seeds))
    return out


def save(rows, order, folder=FOLDER):
    """Takes ROWS over; other rows stay, as long as ORDER [(block, config, device)] knows them or no list does."""
    kept = load(folder)
    kept.update({(r["device"], r["block"], r["config"]): r for r in rows})
    at = {key: n for n, key in enumerate(order)}
    os.makedirs(folder, exist_ok=True)
    for device in sorted({d for d, _, _ in kept}):
        mine = [r for (d, _, _), r in kept.items() if d == device]
        mine.sort(key=lambda r: (at.get((r["block"], r["config"], device), len(at)), r["block"], r["config"]))
        text = ",\n".join(json.dumps(r, ensure_ascii=False) for r in mine)
        path = os.path.join(folder, device + ".json")
        with open(path + ".new", "w", encoding="utf-8") as f:
            f.write('{"_": "SPDX-License-Identifier: Apache-2.0. Accepted figures of %s: make fpga%s ACCEPT=1", "rows": [\n%s\n]}\n' % (
                device, " STOCK=1" if folder == STOCK else "", text))
        os.replace(path + ".new", path)
