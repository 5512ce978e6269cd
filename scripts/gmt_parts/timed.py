# SPDX-License-Identifier: Apache-2.0
"""GMT's statements on time, those of docs/reference/platform_results.md, by a time that is a sum."""
from gmt_parts.runs import APPS
from gmt_parts.tables import GRAPHS, NAMES, SPEEDUP, f2

THREE = [("Reuse", "gmt-reuse", 1.23), ("TierOrder", "gmt-tierorder", 1.03), ("Random", "gmt-random:full=drop", 1.14)]
MEANS = [("TierOrder", "gmt-tierorder", 1.07), ("Random, evicts", "gmt-random", 1.24), ("Random, drops", "gmt-random:full=drop", 1.24),
         ("Reuse, evicts", "gmt-reuse:full=evict", 1.50), ("Reuse, drops", "gmt-reuse", 1.50)]
WORDS = {"lavamd": "LavaMD 12 % slower", "pathfinder": "Pathfinder 25 % faster", "bfs": "BFS 28 %", "multivectoradd": "MultiVectorAdd 40 %",
         "srad_v2": "Srad 133 %", "backprop": "Backprop 179 %", "pagerank": "PageRank 18 %", "sssp": "SSSP 13 %", "hotspot": "Hotspot 125 %"}
NEAR = 0.05  # as on the platform's page


def near(found, paper):
    return abs(found - paper) <= NEAR


def statements(d):
    """(§, what the paper states, figures, whether it comes out, what it comes out as [(paper, figure)] or None for words)"""
    rows = []

    def figure(place, words, found, paper):
        rows.append((place, words, f2(found), near(found, paper), [(paper, found)]))
    for name, policy, paper in MEANS:
        figure("3.3", "%s %.2f times as fast as BaM" % (name, paper), d.mean_up("gmt", policy), paper)
    reuse, order, chance = (d.mean_up("gmt", p) for _, p, _ in THREE)
    rows.append(("3.3", "Reuse is faster than the other two", "%s; %s, %s" % (f2(reuse), f2(order), f2(chance)), reuse > max(order, chance),
                 reuse > 1.1 * max(order, chance)))
    for app in APPS:
        figure("3.3", "Reuse: " + WORDS[app], d.up("gmt", app, "gmt-reuse"), SPEEDUP[app])
    chance, reuse = (d.up("gmt", "lavamd", p) for p in ("gmt-random:full=drop", "gmt-reuse"))
    rows.append(("3.3", "%s: Random is faster than Reuse" % NAMES["lavamd"], "%s, %s" % (f2(chance), f2(reuse)), chance > reuse, chance > reuse))
    for name, policy, paper in THREE:
        figure("3.5", "oversubscription 4: %s %.2f" % (name, paper), d.mean_up("gmt4", policy), paper)
    rise = [d.mean_up(w, "gmt-reuse") for w in d.ratios()]
    rows.append(("3.5", "Tier 2 of 2, 4, 8 times Tier 1: Reuse's speed-up rises", ", ".join(map(f2, rise)), rise[0] < rise[1] < rise[2],
                 rise[0] < rise[1] < rise[2]))
    reuse, order, chance = (d.mean_up("large", p, apps=[a for a in APPS if a not in GRAPHS]) for _, p, _ in THREE)
    pairs = [(1.45, reuse), (1.2, reuse / chance), (1.35, reuse / order)]
    rows.append(("3.5", "without graphs, twice the data: Reuse 1.45, 20 % over Random, 35 % over TierOrder",
                 "%s; over them %s, %s" % tuple(f2(v) for _, v in pairs), all(near(v, p) for p, v in pairs), pairs))
    return rows
