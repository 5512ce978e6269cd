# SPDX-License-Identifier: Apache-2.0
"""Tables and curves of `make fpga`, as Markdown and as a picture."""
import math

import flow
import paths
import page
import plots

# Block, what x is, the configurations, each with its x
CURVES = [
    ("frame_table", "frames", [(n, "FRAMES%d" % n) for n in (64, 256, 1024, 4096, 16384)]),
    ("frame_mem", "frames under way or kept (`LINES`)", [(n, "LINES%d" % n) for n in (4, 16, 64, 256)]),
    ("trace_sampler", "entries of the sampler", [(n, "SAMPLER%d" % n) for n in (64, 256, 1024, 4096)]),
    ("ref_rit", "rows × bins", [(c * b, "CLASSES%d.BINS%d" % (c, b)) for c, b in ((8, 32), (16, 72), (64, 72), (256, 72))]),
    ("ppuc", "rows × bins", [(c * b, "CLASSES%d.BINS%d" % (c, b)) for c, b in ((8, 32), (16, 72), (64, 72), (256, 72))]),
    ("victim_select", "frames that a search keeps (`POOL`)", [(n, "POOL%d" % n) for n in (4, 8, 16, 32)]),
    ("victim_select", "candidates of a sample (`K`)", [(n, "K%d" % n) for n in (16, 64, 256)]),
]


def point(block, change):
    """The configuration of a point of a curve: `default`, changed; by its own name where nothing is."""
    name = "default." + change
    return "default" if flow.parameters(block, name) == flow.parameters(block, "default") else name


def table(heads, rows):
    return page.markdown(heads, [[str(c) for c in r] for r in rows])


def rate(row, target):
    """The clock rate of a placed row."""
    if not row["fits"]:
        return "does not fit"
    return spread(row) + ("; **misses %d**" % target if missed(row, target) else "")


def missed(row, target):
    return target is not None and row.get("fits", False) and row["mhz_median"] < target


def size(row, device):
    """LUT / FF / RAM / DSP"""
    text = " / ".join("%g" % row[c] if c in row else "-" for c in ("lut", "ff", "ram", "dsp"))
    if row.get("fits", True):
        return text
    has = flow.DEVICES[device]["has"]
    over = ["%g of %d %s" % (row[c], has[c], n) for c, n in zip(("lut", "ff", "ram", "dsp"), flow.DEVICES[device]["names"]) if row.get(c, 0) > has.get(c, 1e9)]
    return "%s: %s" % (text, ", ".join(over) or row.get("why", ""))


def wide(keys, rows, target):
    """The one table: a row a block and configuration, KEYS; ROWS {(device, block, config): row}."""
    devices = [d for d in flow.DEVICES if any(key[0] == d for key in rows)]
    families = [f for f in ("xc7", "cyclonev") if any(key[0] == f for key in rows)]
    heads = ["block", "configuration"]
    for d in devices:
        heads += ["%s: MHz" % flow.DEVICES[d]["title"], " / ".join(flow.DEVICES[d]["names"])]
    heads += ["%s: %s" % (flow.FAMILIES[f][0], " / ".join(flow.FAMILIES[f][2][c][0].split(" (")[0] for c in ("lut", "ff", "ram", "dsp"))) for f in families]
    out = []
    for block, config in keys:
        cells = [block, config]
        for d in devices:
            row = rows.get((d, block, config))
            cells += ["", ""] if row is None else [rate(row, target(block, d)), size(row, d)]
        for f in families:
            row = rows.get((f, block, config))
            cells.append("" if row is None else size(row, f))
        if any(cells[2:]):
            out.append(cells)
    return table(heads, out)


def worst_paths(keys, rows):
    found = [rows[d, b, c] for d in flow.DEVICES for b, c in keys if (d, b, c) in rows and rows[d, b, c].get("path")]
    return table(["device", "block", "configuration", "MHz", "worst path of the seed in the middle"],
                 [[r["device"], r["block"], r["config"], "%.1f" % r["mhz_median"], paths.text(r["path"])] for r in found])


def spread(row):
    """A rate with its least and most, and how many seeds where these are not five."""
    seeds = "" if row["seeds"] == 5 else ", %d seed%s" % (row["seeds"], "s" * (row["seeds"] > 1))
    return "%.1f%s%s" % (row["mhz_median"], " (%.1f … %.1f)" % (row["mhz_min"], row["mhz_max"]) if row["seeds"] > 1 else "", seeds)


def stock(keys, both, accepted):
    """What nextpnr alone and the placer make of the same netlists. KEYS: [(device, block, config)]; BOTH: rows with "stock"; ACCEPTED: rows
    of which those that fit and are not in BOTH say "not run"."""
    out, gains = [], {}
    for key in keys:
        row = both.get(key)
        if row is None:
            if accepted.get(key, {}).get("fits"):
                out.append([*key, "not run", "not run", "", "%.1f" % accepted[key]["mhz_median"]])
        elif row["fits"]:
            alone, gain = row["stock"], ""
            if "mhz_median" in alone:
                gains.setdefault(key[0], []).append(row["mhz_median"] / alone["mhz_median"])
                gain = "%+.1f %%" % (100 * gains[key[0]][-1] - 100)
            out.append([*key, spread(alone) if gain else "does not fit", spread(row), gain,
                        "%.1f" % accepted[key]["mhz_median"] if accepted.get(key, {}).get("fits") else ""])
    text = table(["device", "block", "configuration", "nextpnr alone, MHz", "with the placer, MHz", "gain", "accepted, MHz"], out)
    for device, ratios in gains.items():
        text += [] if len(ratios) == 1 else ["", "%s: %d netlists placed both ways, %+.1f %% in the geometric mean (%+.1f … %+.1f)." % (
            flow.DEVICES[device]["title"], len(ratios), 100 * math.prod(ratios) ** (1 / len(ratios)) - 100, 100 * min(ratios) - 100, 100 * max(ratios) - 100)]
    return text


def misses(keys, rows, target):
    """The table of what misses its rate, or does not fit."""
    out = []
    for d in flow.DEVICES:
        for b, c in keys:
            row = rows.get((d, b, c))
            if row and missed(row, target(b, d)):
                out.append([flow.DEVICES[d]["title"], b, c, "%.1f MHz of %d, %.0f %% less" % (
                    row["mhz_median"], target(b, d), 100 - 100 * row["mhz_median"] / target(b, d))])
            elif row and not row["fits"]:
                out.append([flow.DEVICES[d]["title"], b, c, "does not fit: " + size(row, d)])
    return table(["device", "block", "configuration", "what"], out) if out else ["No block misses its rate, and each block fits."]


def absent(wanted, rows):
    """The sentences of what of WANTED [(block, configuration, device)] nobody has measured."""
    by = {}
    for block, config, device in wanted:
        if (device, block, config) not in rows:
            by.setdefault(device, {}).setdefault(block, []).append(config)
    lines = ["No figures yet on %s: %s." % (d, ", ".join("%s (%s)" % (b, ", ".join(c)) for b, c in of.items())) for d, of in by.items()]
    return [""] * bool(lines) + lines


# ======== curves
def curve_points(rows):
    """(block, what x is, [(x, row)]) of each curve whose points are all there"""
    for block, what, points in CURVES:
        at = [(x, rows.get(("ecp5", block, point(block, change)))) for x, change in points]
        if all(r for _, r in at):
            yield block, what, at


def luts(row):
    """LUT4s of an ECP5 that are occupied: CCU2C is two, TRELLIS_DPR16X4 four and two more for its writing"""
    return row["lut4"] + 2 * row["ccu2c"] + 6 * row["lutram"]


def curve_table(rows):
    return table(["block", "over", "value", "LUT4 occupied", "FF", "DP16KD", "Kbit of DP16KD"],
                 [[block, what, x, luts(r), r["ff"], r["ram"], 18 * r["ram"]]
                  for block, what, at in curve_points(rows) for x, r in at])


def draw(rows):
    pyplot, save = plots.start("fpga")
    pyplot.rcParams["axes.spines.right"] = True
    curves = list(curve_points(rows))
    if not curves:
        return
    figure, axes = pyplot.subplots(-(-len(curves) // 3), 3, figsize=(8.5, 6.6), squeeze=False)
    for ax in axes.flat[len(curves):]:
        ax.set_axis_off()
    for ax, (block, what, at) in zip(axes.flat, curves):
        x = [p for p, _ in at]
        lut, = ax.plot(x, [luts(r) for _, r in at], "o-", color="#1f5a92", markersize=3, linewidth=1)
        other = ax.twinx()
        ram, = other.plot(x, [18 * r["ram"] for _, r in at], "s--", color="#c0504d", markersize=3, linewidth=1)
        ax.set_xscale("log", base=2)
        ax.set_xticks(x, ["%d" % p for p in x], fontsize=7)
        ax.minorticks_off()
        for a, line in ((ax, lut), (other, ram)):
            a.set_ylim(0, max(1, 1.15 * max(line.get_ydata())))
            a.tick_params(axis="y", colors=line.get_color())
        if ram.get_ydata()[-1] > 20 * max(1, ram.get_ydata()[0]):
            other.set_yscale("symlog", base=2, linthresh=36)
            other.set_ylim(0, 2 * max(ram.get_ydata()))
        ax.set_title(block, loc="left", fontsize=8)
        ax.set_xlabel(what.replace("`", ""), fontsize=7)
    axes.flat[0].legend([lut, ram], ["LUT4 (left)", "Kbit of block RAM (right)"], frameon=False, loc="upper left", fontsize=7)
    save(figure, "sizes")
