# SPDX-License-Identifier: Apache-2.0
"""gmmu rdgc against rdgc_model.py: random GPUs and kernels, every counter of both levels."""
import os
import random

import pytest
from rdgc_model import Grid, Model

CASES = 120
BASE = {"partition_chunk": 1, "bank_chunk": 1, "replace": "lru", "arrival": "start", "merged": "miss", "allocate": "fill", "hit": 1}


def cache(r, level):
    one = r.random() < 0.5
    c = dict(BASE, ways=r.choice([1, 2, 3, 4, 8]), block=r.choice([32, 64, 128]), partitions=1 if one else r.choice([2, 3, 5, 7]),
             banks=1 if one else r.choice([1, 2, 3]), ports=r.choice([1, 2, 4]), partition_chunk=r.choice([1, 1, 2, 3]), bank_chunk=r.choice([1, 1, 2]),
             replace=r.choice(["lru", "lru", "fifo", "lfu", "random", "nru", "nru"]), mshrs=r.choice([1, 2, 4, 32]), merges=r.choice([0, 1, 2, 8]),
             latency=r.choice([1, 2, 5, 40, "adaptive"]), k1=r.choice([0, 500, 2000, 3333]), k2=r.choice([0, 125, 250, 1500]),
             arrival=r.choice(["start", "start", "end"]), merged=r.choice(["miss", "hit"]), hit=r.choice([1, 3, 20]))
    c["bypass"] = r.choice(["off", "won", "won", "won", "rwon"] if level == 1 else ["off", "off", "off", "won", "rwon"])
    c["mshr_sets"] = r.randint(1, c["partitions"])
    c["index"] = r.choice(["mod", "smod-1", "smod-3", "pri", "xor", "fermi"])
    sets = r.choice([32, 64]) if c["index"] == "fermi" else r.choice([1, 2, 3, 5, 8, 16])
    c["size"] = sets * c["block"] * c["ways"] * c["partitions"] * c["banks"]
    if c["replace"] in ("lru", "fifo", "nru"):
        c["allocate"] = r.choice(["fill", "miss"])
    return c


def gpu(r):
    schedule = r.choice(["lists", "lists", "lrr", "gto", "gto", "loose"])
    mappings = ["rr", "bpart1", "bpart2", "rand"] + ["demand"] * 3 * (schedule != "lists")
    return {"l1": cache(r, 1), "l2": cache(r, 2), "sms": r.randint(1, 5), "schedulers": r.randint(1, 4),
            "max_warps": r.choice([1, 3, 8, 64]),
            "max_blocks": r.choice([1, 2, 3, 4]), "mapping": r.choice(mappings), "schedule": schedule,
            "reads": r.choice([1, 2, 5]), "gap": r.choice([1, 1, 4, 15]),
            "atomics": r.choice(["write", "past"]), "quads": r.choice(["no", "yes"]), "keep_l1": r.choice(["no", "yes"]), "keep_l2": r.choice(["no", "yes"]),
            "seed": r.randint(0, 2 ** 64 - 1)}


def grid(r):
    """Warps that walk: neighbours, strides, one address, anywhere; some lanes, some instructions, kinds by turns."""
    blocks, threads = r.choice([1, 3, 6, 9, 20]), r.choice([1, 32, 40, 64, 96])
    accesses = []
    span = r.choice([512, 4096, 1 << 16])
    for block in range(blocks):
        for warp in range(-(-threads // 32)):
            lanes = [n for n in range(min(32, threads - 32 * warp)) if r.random() < 0.9]
            if r.random() < 0.1:
                continue
            for number in range(r.choice([1, 2, 4, 7, 7])):
                if r.random() < 0.2:
                    continue
                base, way = r.randrange(span) * 4, r.choice(["row", "stride", "one", "any"])
                kind = r.choice("rrrrwwa")
                for lane in lanes:
                    address = {"row": base + 4 * lane, "stride": base + 256 * lane, "one": base, "any": r.randrange(span) * 4}[way]
                    accesses.append((number, block, 32 * warp + lane, kind, address))
    if not accesses:
        accesses.append((0, 0, 0, "r", 64))
    return Grid(blocks, threads, accesses), "# gmmu-rdgc 1 blocks=%d threads=%d\n" % (blocks, threads) + "".join("%d,%d,%d,%s,%d\n" % a for a in accesses)


def settings(config):
    words = []
    for key, value in config.items():
        inner = value.items() if isinstance(value, dict) else [(None, value)]
        for name, v in inner:
            text = "%d.%03d" % divmod(v, 1000) if name in ("k1", "k2") else str(v)
            words += ["--set", "%s%s=%s" % (key, "." + name if name else "", text)]
    return words


def expected(config, grids, bypassed):
    m = Model(config, bypassed)
    for g in grids:
        m.run(g)
    l1, l2 = m.total, m.l2
    if bypassed:
        return {"C2R_L1B": l2.r, "C2W_L1B": l2.w, "coalesced_l1b": m.coalesced, "l2_fails_l1b": l2.fails, "l2_merges_l1b": l2.merges, "l2_steps_l1b": l2.steps}
    out = {"C1R": l1("r"), "C1W": l1("w"), "C2R": l2.r, "C2W": l2.w, "coalesced": m.coalesced, "l1_fails": l1("fails"), "l1_merges": l1("merges"),
           "l1_steps": l1("steps"), "l1_steps_longest": m.longest, "l1_write_evictions": l1("write_evictions"), "l2_fails": l2.fails, "l2_merges": l2.merges,
           "l2_steps": l2.steps, "atomics": m.atomics}
    if config["quads"] == "yes":
        out["L1_Quad_Trans"] = m.quad_reads + m.quad_writes
    return out


def cases():
    """The number of cases: GMMU_CASES=0.1 for a tenth, 10 for ten times as many."""
    return max(10, int(CASES * float(os.environ.get("GMMU_CASES", "1"))))


@pytest.mark.parametrize("tenth", range(10))
def test_random_gpus_and_kernels(gmmu, tmp_path, tenth):
    path = tmp_path / "case.rdgc"
    for n in range(tenth * cases() // 10, (tenth + 1) * cases() // 10):
        r = random.Random(n)
        config = gpu(r)
        made = [grid(r) for _ in range(r.choice([1, 1, 2, 3]))]
        path.write_text("".join(text for _, text in made), encoding="utf-8")
        found = gmmu("rdgc --gpu rdgc_base --format json --profile --more", *settings(config), path).json()[0]
        grids = [g for g, _ in made]
        for bypassed in ([True] if config["l1"]["bypass"] == "rwon" else [False, True]):
            wanted = expected(config, grids, bypassed)
            assert {k: found[k] for k in wanted} == wanted, "case %d: %s" % (n, config)
