# SPDX-License-Identifier: Apache-2.0
"""The tables, values and statements of docs/papers/semcache_results.md."""
from page import markdown
from semcache_parts import runs

MIB, GB = 1 << 20, 1e9
NAMES = {"naive": "each alone (CULA)", "fig9": "Fig. 9 (CUBLAS)", "wb": "SemCache, write-back", "wt": "SemCache, write-through", "page:4k": "pages of 4 KiB",
         "split": "records that split"}


def gb(n):
    return "%.3g" % (n / GB)


def chain_table(d):
    rows = []
    for p in ("naive", "fig9", "wb", "wt", "split"):
        r = d.chain[4096][p]
        rows.append([NAMES[p], str(r["ups"]), str(r["downs"]), str(r["up_bytes"] // MIB), str(r["down_bytes"] // MIB)])
    return markdown(["three multiplies, N = 4096", "sent", "received", "MiB sent", "MiB received"], rows)


def chain_times(d):
    rows = [[NAMES[p]] + ["%.2f" % (d.chain[n][p]["model_s"] / d.chain[n]["wb"]["model_s"]) for n in runs.CHAIN_SIZES]
            for p in ("wb", "wt", "naive", "fig9", "split")]
    return markdown(["time over write-back's, N ="] + [str(n) for n in runs.CHAIN_SIZES], rows)


def overhead_table(d):
    """What lookups cost, by our directory's rate and by the paper's own cost of a lookup."""
    rows = []
    for name, row, paper in [("chain, N = %d" % n, d.chain[n]["wb"], None) for n in runs.CHAIN_SIZES[:3]] + \
            [(n, d.rows[n]["wb"], runs.SECONDS[n][2] / runs.OPERATIONS[n][4]) for n in runs.INPUTS]:
        ours = 1e-6 * runs.LOOKUP_US * row["lookups"]
        theirs = paper and paper * row["lookups"]
        rows.append([name, str(row["lookups"]), "%.1f %%" % (100 * row["hits"] / row["lookups"]), "%.2g" % ours, "%.2g %%" % (100 * ours / row["model_s"]),
                     "%.1f" % (1e6 * paper) if paper else "not stated", "%.2g %%" % (100 * theirs / row["model_s"]) if paper else "-"])
    return markdown(["write-back", "lookups", "hits", "cost, s", "of the time", "paper: µs a lookup", "with the paper's, of the time"], rows)


def guards_table(d):
    rows = [[name] + ["%d | %d" % d.guards[name][kind] for kind in ("call", "read", "write")] + [str(d.late_writes[name])] for name in runs.INPUTS]
    return markdown(["input", "call sites", "calls", "reads: sites", "times", "writes: sites", "times", "of these after the first call"], rows)


def inputs_table(d):
    rows = []
    for name, (size, depth) in runs.INPUTS.items():
        r, unknowns = d.rows[name]["wb"], d.run[name]["unknowns"]
        rows.append([name, size.replace("x", " × "), str(2 ** depth), "%d | %d" % (unknowns // 3, runs.NODES[name]), "%d" % round(r["gpu_bytes"] / MIB)])
    return markdown(["input", "cubes", "sub-domains", "nodes: ours", "the paper's", "MiB that SemCache needs"], rows)


def operations_table(d):
    rows = []
    for name in runs.INPUTS:
        r, paper = d.run[name], runs.OPERATIONS[name]
        ours = [r["gemm"], r["gesv"], r["xpy"], r["copy"], r["lookups"]]
        rows.append([name] + ["%d | %d" % pair for pair in zip(ours, paper)])
    heads = sum((["%s: ours" % x, "paper"] for x in ("GEMM", "GESV", "XPY", "COPY", "lookups")), [])
    return markdown(["input"] + heads, rows)


def moved_table(d):
    rows = []
    for name in runs.INPUTS:
        paper = runs.SENT[name]
        for i, p in ((0, "fig9"), (2, "wb"), (None, "wt"), (None, "page:4k"), (None, "split")):
            r = d.rows[name][p]
            stated = ["%.2f" % paper[i], "%.2f" % paper[i + 1]] if i is not None else ["not stated", "not stated"]
            rows.append([name, NAMES[p], gb(r["up_bytes"]), stated[0], gb(r["down_bytes"]), stated[1]])
    return markdown(["input", "", "GB sent", "paper", "GB received", "paper"], rows)


def seconds_table(d):
    rows = []
    for name in runs.INPUTS:
        paper, r = runs.SECONDS[name], d.rows[name]
        rows.append([name, "%.2f" % r["fig9"]["transfer_s"], "%.2f" % paper[0], "%.3f" % r["wb"]["transfer_s"], "%.2f" % paper[1],
                     str(r["wb"]["lookups"]), "%.3f" % paper[2]])
    return markdown(["input", "Fig. 9, s", "paper: CUBLAS", "write-back, s", "paper: SemCache", "lookups", "paper: their cost, s"], rows)


def times_table(d):
    rows = []
    for name in runs.INPUTS:
        for when, all_rows in (("C2070", d.rows), ("V100", d.now)):
            r = all_rows[name]
            base = r["fig9"]["model_s"]
            rows.append([name, when, "%.2f" % (r["wb"]["cpu_s"] / base)] +
                        ["%.3f" % (r[p]["model_s"] / base) for p in ("naive", "wt", "wb", "page:4k", "split")])
    return markdown(["input", "machine", "CPU", "each alone", "write-through", "write-back", "pages of 4 KiB", "records that split"], rows)


def factors_table(d):
    rows = [[name, str(d.factorised(name, "fig9")), str(d.factorised(name, "wb")),
             "%.1f %%" % (100 * (1 - d.factorised(name, "wb") / d.factorised(name, "fig9"))),
             "%.1f" % d.factors[name][0], "%.2f" % d.factors[name][1], "%.1f %%" % (100 * (1 - d.factors[name][1] / d.factors[name][0]))]
            for name in runs.INPUTS]
    return markdown(["input", "factorisations", "with SemCache", "fewer", "their time, s", "with SemCache, s", "less"], rows)


def pages_table(d):
    """Times over Fig. 9's, with pages: footnote 3's variant keeps no result."""
    rows = []
    for name in runs.INPUTS:
        base, again = d.rows[name]["fig9"]["model_s"], d.factors[name][0] - d.factors[name][1]
        rows.append([name] + ["%.3f" % (s / base) for s in (d.rows[name]["wb"]["model_s"], d.rows[name]["page:4k"]["model_s"],
                                                          d.rows[name]["page:4k"]["model_s"] + again)])
    return markdown(["input", "write-back", "pages of 4 KiB", "pages, each factorisation made anew"], rows)


def memory_table(d):
    rows = []
    for name in runs.INPUTS:
        for e in runs.EVICTS:
            rows.append([name, e] + ["%s, %d" % (gb(d.memory[name, part, e]["up_bytes"]), d.factorised_of(d.memory[name, part, e])) for part in runs.MEMORY])
    return markdown(["input", "who leaves"] + ["%d %%" % part for part in runs.MEMORY], rows)


def ranges_table(d):
    rows = [[name] + ["%s" % gb(d.ranges[name, n]["up_bytes"]) for n in runs.RANGES] + [gb(d.rows[name]["wb"]["up_bytes"])] for name in runs.INPUTS]
    return markdown(["input"] + [str(n) for n in runs.RANGES] + ["any number"], rows)


def statements(d):
    """[(section, stated, what is shown, holds)]"""
    out = []

    def say(section, stated, shown, holds):
        out.append((section, stated, shown, holds))

    c = d.chain[4096]
    hand = (2, 1)
    say("7.1", "write-back performs exactly as much communication as hand-tuned libraries",
        "%d + %d transfers; A, B up and E down are %d + %d" % (c["wb"]["ups"], c["wb"]["downs"], *hand), (c["wb"]["ups"], c["wb"]["downs"]) == hand)
    say("7.1", "in write-through the data sent is minimized, data is always copied back",
        "%d sent, %d received of 3 results" % (c["wt"]["ups"], c["wt"]["downs"]), (c["wt"]["ups"], c["wt"]["downs"]) == (2, 3))
    order = [[r[p]["model_s"] for p in ("wb", "wt", "naive", "fig9")] for r in d.chain.values()]
    say("7.1", "write-back is closest to hand-tuned, write-through next; CULA is slowed down", "so at each of %d sizes" % len(order),
        all(o == sorted(o) for o in order))
    less = {n: 1 - d.rows[n]["wb"]["up_bytes"] / d.rows[n]["fig9"]["up_bytes"] for n in runs.INPUTS}
    say("7.2", "more than 80 % of the unoptimized communication is reduced", "sent: " + ", ".join("%s %.1f %%" % (n, 100 * v) for n, v in less.items()),
        all(v > 0.8 for v in less.values()))
    say("7.2", "both policies reduced the size of the data sent alike", "the same bytes on all inputs",
        all(d.rows[n]["wb"]["up_bytes"] == d.rows[n]["wt"]["up_bytes"] for n in runs.INPUTS))
    back = {n: d.rows[n]["wb"]["down_bytes"] / d.rows[n]["fig9"]["down_bytes"] for n in runs.INPUTS}
    say("7.2", "write-back reduced the data received (Table 1: to 39 to 44 %)", ", ".join("%s to %.2g %%" % (n, 100 * v) for n, v in back.items()),
        all(v < 0.45 for v in back.values()))
    hits = {n: d.run[n]["on_cpu"] for n in runs.INPUTS}
    say("7.2", "all of the calculations were computed on the GPU", "%d calls on the CPU" % sum(hits.values()), sum(hits.values()) == 0)
    fewer = {n: 1 - d.factorised(n, "wb") / d.factorised(n, "fig9") for n in runs.INPUTS}
    if any(d.factors[n][2] != d.factorised(n, "wb") for n in runs.INPUTS):
        raise RuntimeError("write-back makes another number of factorisations than there are matrices")
    sooner = {n: 1 - d.factors[n][1] / d.factors[n][0] for n in runs.INPUTS}
    say("7.2", "fewer factorizations: computation time down by more than 80 %",
        "their time: " + ", ".join("%s %.1f %%" % (n, 100 * v) for n, v in sooner.items()), all(v > 0.8 for v in list(fewer.values()) + list(sooner.values())))
    looked = {n: d.run[n]["lookups"] - 3 * d.run[n]["gemm"] - 2 * (d.run[n]["gesv"] + d.run[n]["xpy"] + d.run[n]["copy"]) for n in runs.INPUTS}
    say("7.2", "a lookup for each matrix: 3 per GEMM, 2 per GESV, XPY and COPY",
        "and one for each result that is made: %s" % ", ".join(str(v) for v in looked.values()),
        all(looked[n] == d.run[n]["factorised"] for n in runs.INPUTS))
    speed = {n: d.rows[n]["wb"]["cpu_s"] / d.rows[n]["fig9"]["model_s"] for n in runs.INPUTS}
    say("7.2", "three to six times speedups on the GPU over the CPU version (CUBLAS)", ", ".join("%s %.1f" % (n, v) for n, v in speed.items()),
        all(3 <= v <= 6 for v in speed.values()))
    wt = {n: 1 - d.rows[n]["wt"]["model_s"] / d.rows[n]["fig9"]["model_s"] for n in runs.INPUTS}
    say("7.2", "write-through improves on CUBLAS by 30 to 40 %", ", ".join("%s %.0f %%" % (n, 100 * v) for n, v in wt.items()),
        all(0.3 <= v <= 0.4 for v in wt.values()))
    wb = {n: d.rows[n]["wt"]["model_s"] / d.rows[n]["fig9"]["model_s"] - d.rows[n]["wb"]["model_s"] / d.rows[n]["fig9"]["model_s"] for n in runs.INPUTS}
    say("7.2", "write-back gains an additional 4 to 10 %", ", ".join("%s %.1f %%" % (n, 100 * v) for n, v in wb.items()),
        all(0.04 <= v <= 0.1 for v in wb.values()))
    same = {n: d.rows[n]["page:4k"]["up_bytes"] / d.rows[n]["wb"]["up_bytes"] for n in runs.INPUTS}
    say("7.2", "pages communicate the same amount of data", "sent, over ranges: " + ", ".join("%s %.4f" % (n, v) for n, v in same.items()),
        all(v < 1.01 for v in same.values()))
    slower = {n: d.rows[n]["page:4k"]["model_s"] / d.rows[n]["wb"]["model_s"] for n in runs.INPUTS}
    say("7.2", "… in more operations: fixed granularity is slower", ", ".join("%s %.1f ×" % (n, v) for n, v in slower.items()),
        all(v > 1 for v in slower.values()))
    bits = {r["digest"] for r in d.real[:3]}, {r["digest"] for r in d.real[3:]}
    say("ours", "Cube10 in shadow execution has the bits of the plain run: by rows, write-back and write-through; by columns",
        "%d and %d digests" % (len(bits[0]), len(bits[1])), all(len(b) == 1 for b in bits))
    moved = {n: (d.rows[n]["wb"]["up_bytes"] + d.rows[n]["wb"]["down_bytes"])
              / (d.rows[n]["fig9"]["up_bytes"] + d.rows[n]["fig9"]["down_bytes"]) for n in runs.INPUTS}
    say("ours", "up + down at most 20 % of Fig. 9's", ", ".join("%s %.1f %%" % (n, 100 * v) for n, v in moved.items()), all(v <= 0.2 for v in moved.values()))
    over = {n: sum(d.rows[n]["split"][k] for k in ("up_bytes", "down_bytes"))
            / min(sum(d.rows[n][p][k] for k in ("up_bytes", "down_bytes")) for p in ("naive", "wb", "page:4k")) for n in runs.INPUTS}
    say("ours", "records that split: up + down at most 1.05 × of the least of each alone, write-back and pages",
        ", ".join("%s %.4f" % (n, v) for n, v in over.items()), all(v <= 1.05 for v in over.values()))
    mixed = [r[k] / r["gemm"] / (paper[i] / paper[0]) for n in runs.INPUTS for r, paper in ((d.run[n], runs.OPERATIONS[n]),)
             for i, k in ((1, "gesv"), (2, "xpy"), (3, "copy"))]
    say("ours", "each kind of call beside GEMM within 2 × of Table 3", "%.2f to %.2f of the paper's" % (min(mixed), max(mixed)),
        0.5 <= min(mixed) and max(mixed) <= 2)
    return out


def all_tables(d, found):
    tables = {"chain": chain_table(d), "chaintimes": chain_times(d), "inputs": inputs_table(d), "operations": operations_table(d), "moved": moved_table(d),
              "seconds": seconds_table(d), "times": times_table(d), "factors": factors_table(d),
              "overhead": overhead_table(d), "guards": guards_table(d), "pages": pages_table(d), "memory": memory_table(d), "ranges": ranges_table(d)}
    tables["statements"] = markdown(["§", "the paper", "here", "", "why"],
                                    [[where, stated, shown, "yes" if holds else "**no**", ""] for where, stated, shown, holds in found])
    return tables
