#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fpga.py [BLOCK ...]: `make fpga`: clock rates, sizes, worst paths and floor plans of every block and of the unit on FPGAs.

hx8k, up5k, ecp5-85k  Yosys, and nextpnr with several seeds; between shift registers, so that pins limit nothing
--stock               besides, the same netlists by nextpnr's own placer with its own weights: what the placer is worth (docs/guide/placer.md)
counts                Yosys' counts of cells for Artix-7 and Cyclone V (asked for by name: ECP5 too)
curves                the same for ECP5 over sizes

Without --device: hx8k, ecp5-85k, counts, curves. build/fpga keeps each figure with a digest of what it was made from, so that only
what changed is done again; fpga.json and fpga.csv there have the figures of the last run, BLOCK-CONFIG.DEVICE.png are floor plans.
A change of more than 3 % against fpga/baselines is told. --accept puts the run's figures there, and all of them into
docs/guide/fpga.md and docs/pictures; --doc does the latter alone. --check says whether the page has the accepted figures, and notes how many are of other
sources than the present ones. config/gmmu.json ("fpga")
says which configurations, and how fast they are to be. Exit status 1: one is slower; 2: a tool is missing or failed, or what
is asked for is not there.
"""
import argparse
import concurrent.futures
import csv
import filecmp
import json
import os
import shutil
import sys
import tempfile
import threading
import time

import baseline
import floorplan
import flow
import tables
from flow import DEVICES, FAMILIES, OUT, ROOT, WANTED, Failure, Missing, listed, own, target
import page
import plots

TOPS = listed.NAMES + [t for t in WANTED["tops"] if t not in listed.NAMES]
PARTS = list(DEVICES) + ["counts", "curves"]
PICTURES = "docs/pictures/fpga-%s-%s.png"  # floor plans of the unit


class Options:
    at_once = 1  # seeds of a block, where it is alone

    def __init__(self, version, seeds, make):
        self.version, self.seeds, self.make = version, seeds, make
        self.under_way = {}  # job: since when

    def tell(self, text):
        print("fpga: " + text, file=sys.stderr, flush=True)

    def tick(self, every=60):
        """On a terminal a line a minute about what is under way: a step of the unit may take many."""
        while sys.stderr.isatty():
            time.sleep(every)
            if self.under_way:
                self.tell("under way: " + ", ".join("%s %s %s (%.0f s)" % (*job[1:], time.time() - since) for job, since in list(self.under_way.items())))


def configs(block, device):
    if "configs" in own(block, device):
        return own(block, device)["configs"]
    if device == "hx8k" and block in listed.NAMES and "hx8k" in listed.entry(block):
        return listed.entry(block)["hx8k"]
    return WANTED["devices"].get(device, {}).get("configs", ["tiny", "default"])


def list_jobs(blocks, asked, parts, families, place=flow.place):
    """[(function, block, configuration, device)]; PLACE: flow.place or flow.stock"""
    jobs = []
    for part in parts:
        if part in DEVICES:
            jobs += [(place, b, c, part) for b in blocks for c in asked or configs(b, part)]
        elif part == "counts":
            jobs += [(flow.counts, b, c, f) for b in blocks for c in asked or configs(b, "counts") + ["onchip", "large"] * (b == listed.UNIT) for f in families]
        else:
            jobs += [(flow.counts, b, tables.point(b, change), "ecp5") for b, _, points in tables.CURVES if b in blocks for _, change in points]
    return list(dict.fromkeys(jobs))


def everything():
    """The jobs of a run of everything, up5k too: the order of the baselines and of the page."""
    return list_jobs(TOPS, None, PARTS, [f for f in FAMILIES if f != "ecp5"])


# ======== the run
def measure(jobs, o, workers):
    """({job: row}, [what failed])"""
    rows, failed = {}, []
    with open("VERSION", encoding="utf-8") as f:
        release = f.read().strip()
    threading.Thread(target=o.tick, daemon=True).start()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        def work(job):
            o.under_way[job] = start = time.time()
            try:
                row, new = job[0](*job[1:], o)
            finally:
                del o.under_way[job]
            row["tools"] = ", ".join(o.version[t] for t in (["yosys"] + [DEVICES[job[3]]["tool"]] if job[3] in DEVICES else ["yosys"]))
            row.setdefault("sources", flow.state(*job[1:4]))
            row.setdefault("release", release)
            return row, "%.0f s" % (time.time() - start) if new else "kept"
        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            for n, done in enumerate(concurrent.futures.as_completed(waiting), 1):
                job = waiting[done]
                try:
                    row, how = done.result()
                except Missing:
                    continue
                except Failure as e:
                    failed.append("%s %s %s: %s" % (*job[1:], e))
                    o.tell(failed[-1])
                    continue
                rows[job] = row
                what = "" if job[3] not in DEVICES else ", %.1f MHz" % row["mhz_median"] if row["fits"] else ", does not fit"
                o.tell("%d of %d: %s %s %s: %s%s" % (n, len(jobs), row["block"], row["config"], row["device"], how, what))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return rows, failed


def plans(rows, o):
    """Floor plans of what was placed, where it still lies."""
    for r in rows:
        base = "%s/%s-%s.%s" % (OUT, r["block"], r["config"], r["device"])
        if not r.get("fits") or not os.path.exists(base + ".placed.json"):
            continue
        if os.path.exists(base + ".png") and os.path.getmtime(base + ".png") > os.path.getmtime(base + ".placed.json"):
            continue
        floorplan.draw(base + ".placed.json", "%s %s on %s, seed 1" % (r["block"], r["config"], DEVICES[r["device"]]["title"]), base + ".png")
        o.tell("floor plan: %s.png" % base)


def releases(rows):
    """Of each release the devices that have figures of it, as `make fpga DEVICE=` names them, and how many."""
    found = {}
    for (device, *_), r in sorted(rows.items()):
        of = found.setdefault(r["release"], {})
        of[device] = of.get(device, 0) + 1
    return ["- release %s: %s" % (name, ", ".join("`%s` %d" % pair for pair in sorted(of.items()))) for name, of in sorted(found.items())]


def write_page(picture, path="docs/guide/fpga.md"):
    """docs/guide/fpga.md, or a copy of it at PATH, from the baselines."""
    rows = baseline.load()
    keys = list(dict.fromkeys((b, c) for _, b, c, _ in everything()))
    named = [k for k in keys if any((d, *k) in rows for d in list(DEVICES) + ["xc7", "cyclonev"])]
    named.sort(key=lambda k: TOPS.index(k[0]))
    tools = sorted({t for r in rows.values() for t in r["tools"].split(", ")})
    page.fill(path, "fpga", {
        "tools": ["; ".join(tools) + ".", "", "%d figures:" % len(rows), "", *releases(rows)],
        "all": tables.wide(named, rows, target), "paths": tables.worst_paths(named, rows),
        "misses": tables.misses(named, rows, target) + tables.absent([job[1:] for job in everything() if job[3] not in ("up5k", "ecp5")], rows),
        "curves": tables.curve_table(rows)})
    if picture:
        tables.draw(rows)


def write_placer_page(path="docs/guide/placer.md"):
    """docs/guide/placer.md, or a copy of it at PATH: both rates of each netlist that was placed both ways, and what was not."""
    both = baseline.load(baseline.STOCK)
    jobs = [job[1:] for job in everything() if job[3] in DEVICES and DEVICES[job[3]].get("plans")]
    page.fill(path, "fpga", {"stock": tables.stock([(d, b, c) for b, c, d in jobs], both, baseline.load())})


def older():
    """How many of the accepted figures are of other sources than the present ones."""
    def changed(row):
        try:
            return row.get("sources") != flow.state(row["block"], row["config"], row["device"])
        except (Failure, KeyError, OSError, StopIteration):  # a block that has another name by now
            return True
    return sum(changed(r) for r in baseline.load().values())


def show(rows, version, form):
    if form == "json":
        print(json.dumps({"versions": version, "rows": rows}, indent=1, ensure_ascii=False))
    elif form == "csv":
        write_csv(rows, sys.stdout)
    else:
        by = {(r["device"], r["block"], r["config"]): r for r in rows}
        keys = list(dict.fromkeys((r["block"], r["config"]) for r in rows))
        print("\n".join(tables.wide(keys, by, target)))
        if any("stock" in r for r in rows):
            print("\n" + "\n".join(tables.stock(list(by), by, {})))
        if any(r.get("path") for r in rows):
            print("\n" + "\n".join(tables.worst_paths(keys, by)))
        for r in rows:
            if r["device"] == "ecp5":
                print("ECP5 by Yosys alone, %s %s: %s" % (r["block"], r["config"], ", ".join(
                    "%g %s" % (r[c], title) for c, (title, _) in FAMILIES["ecp5"][2].items())))


def write_csv(rows, file):
    flat = [{**{k: v for k, v in r.items() if k != "path"}, **({"path": tables.paths.text(r["path"], 99)} if r.get("path") else {})} for r in rows]
    out = csv.DictWriter(file, list(dict.fromkeys(k for r in flat for k in r)))
    out.writeheader()
    out.writerows(flat)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    ap.add_argument("blocks", nargs="*", metavar="BLOCK", help=" ".join(TOPS))
    ap.add_argument("--device", "--only", action="append", dest="parts", metavar="PART", help=" ".join(PARTS) + "; may be repeated")
    ap.add_argument("--config", action="append", help="instead of those that config/gmmu.json names; may be repeated")
    ap.add_argument("--seeds", type=int, default=5)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--stock", action="store_true", help="besides, the same netlists by nextpnr's own placer; of hx8k and ecp5-85k")
    ap.add_argument("--kept", action="store_true", help="only figures that are kept and current, of all runs; measures nothing")
    ap.add_argument("--accept", action="store_true", help="the figures become the baselines, and docs/guide/fpga.md is made from these")
    ap.add_argument("--doc", action="store_true", help="only make docs/guide/fpga.md from the baselines")
    ap.add_argument("--check", action="store_true", help="only: is docs/guide/fpga.md of the baselines? 1: no")
    ap.add_argument("--format", choices=["text", "json", "csv"], default="text")
    a = ap.parse_args()
    for kind, found, known in [("block", b, TOPS) for b in a.blocks] + [("device", p, PARTS) for p in a.parts or []]:
        if found not in known:
            raise Failure('found %s "%s", expected one of %s' % (kind, found, " ".join(known)))
    if a.seeds < 1 or a.jobs < 1:
        raise Failure("found %d seeds and %d jobs, expected at least 1 of each" % (a.seeds, a.jobs))
    os.chdir(ROOT)
    if a.check:
        with tempfile.TemporaryDirectory() as at:
            copy, placer = [shutil.copy("docs/guide/%s.md" % name, at) for name in ("fpga", "placer")]
            write_page(False, copy)
            write_placer_page(placer)
            old = older()
            if old:
                print("note: %d of %d figures of fpga/baselines are of other sources than the present ones" % (old, len(baseline.load())))
            bad = [page for page, made in (("docs/guide/fpga.md", copy), ("docs/guide/placer.md", placer)) if not filecmp.cmp(made, page, False)]
            if not bad:
                return 0
        why = "found figures in %s that are not those of fpga/baselines, expected: fpga/fpga.py --doc" % " and ".join(bad)
        print("fpga: " + why, file=sys.stderr)
        return 1
    pictures = not plots.missing()
    if not pictures and (a.doc or a.accept):  # before the work that would be lost without it
        raise Failure(plots.missing())
    if a.doc:
        write_page(True)
        write_placer_page()
        return 0
    for b in a.blocks or TOPS[:1]:
        for c in a.config or []:
            flow.parameters(b, c)
    planned = [p for p in DEVICES if DEVICES[p].get("plans")]
    if a.stock and set(a.parts or []) - set(planned):
        raise Failure("found --stock for %s, expected %s, which the placer serves" % (" ".join(sorted(set(a.parts) - set(planned))), " or ".join(planned)))
    parts = a.parts or (planned if a.stock else [p for p in PARTS if p != "up5k"])
    o = Options(flow.versions(["yosys"] + list(dict.fromkeys(DEVICES[p]["tool"] for p in parts if p in DEVICES))), a.seeds, not a.kept)
    os.makedirs(OUT, exist_ok=True)
    jobs = list_jobs(a.blocks or TOPS, a.config, parts, [f for f in FAMILIES if f != "ecp5" or a.parts], flow.stock if a.stock else flow.place)
    o.at_once = a.jobs if len(jobs) == 1 else 1
    found, failed = measure(jobs, o, a.jobs)
    rows = [found[j] for j in jobs if j in found]
    if pictures:
        plans(rows, o)
    with open(OUT + "/fpga.json", "w", encoding="utf-8") as f:
        json.dump({"versions": o.version, "rows": rows}, f, indent=1, ensure_ascii=False)
    with open(OUT + "/fpga.csv", "w", encoding="utf-8", newline="") as f:
        write_csv(rows, f)
    show(rows, o.version, a.format)
    old = baseline.load()
    for r in rows:
        for text in baseline.changes(r, old.get((r["device"], r["block"], r["config"]))):
            o.tell("against the baseline: %s %s %s: %s" % (r["block"], r["config"], r["device"], text))
    slow = [r for r in rows if r["device"] in DEVICES and tables.missed(r, target(r["block"], r["device"]))]
    for r in slow:
        o.tell("too slow: %s %s %s: %.1f MHz, wanted %d" % (r["block"], r["config"], r["device"], r["mhz_median"], target(r["block"], r["device"])))
    if a.accept and a.stock:
        baseline.save(rows, [(b, c, d) for _, b, c, d in everything()], baseline.STOCK)
        write_placer_page()
        o.tell("%s, docs/guide/placer.md" % baseline.STOCK)
    elif a.accept:
        baseline.save(rows, [(b, c, d) for _, b, c, d in everything()])
        for r in rows:
            plan = "%s/%s-%s.%s.png" % (OUT, r["block"], r["config"], r["device"])
            if r["block"] == listed.UNIT and r["device"] == "ecp5-85k" and r.get("fits") and os.path.exists(plan):
                with open(plan, "rb") as f, open(PICTURES % (r["device"], r["config"].split(".")[0]), "wb") as g:
                    g.write(f.read())
        write_page(any(r["device"] == "ecp5" for r in rows))
        write_placer_page()  # the accepted rates stand there, too
        o.tell("fpga/baselines, docs/guide/fpga.md, docs/guide/placer.md")
    if failed:
        raise Failure("%d of %d failed: %s" % (len(failed), len(jobs), failed[0]))
    return 1 if slow else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as e:
        print("fpga: %s" % e, file=sys.stderr)
        sys.exit(2)
