# SPDX-License-Identifier: Apache-2.0
"""The paper's figures (AlSaber and Kulkarni, ICS '13), and the runs that are put beside them."""
import json
import os
import subprocess

GMMU, NEWMARK, FOLDER = "build/gmmu", "build/bench/newmark", "build/semcache"
LINKS = {"then": "config/links/c2070.json", "now": "config/links/v100.json"}
STEPS = 20
# name: cubes, levels of halves
INPUTS = {"Rocket32": ("7x7x112", 5), "Cube14": ("14x14x14", 3), "Cube10": ("10x10x10", 3)}
NODES = {"Rocket32": 7262, "Cube14": 3375, "Cube10": 1331}
# Table 1: GB sent and received, CUBLAS; SemCache
SENT = {"Rocket32": (23.70, 5.58, 2.02, 2.45), "Cube14": (10.67, 1.53, 1.01, 0.63), "Cube10": (3.01, 0.33, 0.29, 0.13)}
# Table 2: s of transfers to the GPU, CUBLAS; SemCache; its overhead
SECONDS = {"Rocket32": (11.09, 0.86, 0.38), "Cube14": (5.27, 0.47, 0.05), "Cube10": (1.32, 0.12, 0.023)}
# Table 3: GEMM, GESV, XPY, COPY, lookups
OPERATIONS = {"Rocket32": (6720, 1209, 3520, 480, 30578), "Cube14": (944, 233, 688, 104, 4882), "Cube10": (470, 131, 394, 62, 2584)}
PROTOCOLS = "naive,fig9,wb,wt,page:4k,split"
CHAIN_SIZES = (512, 1024, 2048, 4096, 8192)
EVICTS = ("least-hit", "lru", "leu")
MEMORY = (100, 75, 50, 25)  # % of what the input needs
RANGES = (16, 32, 64, 128, 256)
LOOKUP_US = 0.12  # a lookup in a directory of 10 000 ranges takes somewhat less (make bench, RangeLookup)


def command(args, text=None):
    done = subprocess.run(args, capture_output=True, text=True, input=text, check=False)
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(args[:3]), done.stderr.strip()[-300:] or "status %d" % done.returncode))
    return json.loads(done.stdout)


def play(trace, link, *more, text=None):
    """{protocol: row} of `gmmu semcache`."""
    return {r["protocol"]: r for r in command([GMMU, "semcache", trace, "--format", "json", "--link", LINKS[link], *more], text)}


def chain(n):
    """Fig. 1's chain of N x N doubles, as .sem."""
    bytes_, flops = 8 * n * n, 2 * n ** 3
    a, b, c, d, e = ("0x%x+%d" % (0x7f0000000000 + i * bytes_, bytes_) for i in range(5))
    calls = [(a, b, c), (c, b, d), (d, a, e)]
    lines = ["sem 1 full", "cpu 0 init o:" + a, "cpu 0 init o:" + b]
    lines += ["call 0 multiply%d dgemm %d 0 r:%s r:%s o:%s" % (i, flops, x, y, z) for i, (x, y, z) in enumerate(calls)]
    return "\n".join(lines + ["cpu 0 print r:" + e]) + "\n"


def guards(trace):
    """{kind: (sites, lines)} of a .sem file: calls, reads and writes of the CPU outside calls."""
    found = {"call": [], "read": [], "write": []}
    with open(trace, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if words and words[0] in ("call", "cpu"):
                kind = "call" if words[0] == "call" else "read" if words[3].startswith("r") else "write"
                found[kind].append(words[2])
    return {kind: (len(set(sites)), len(sites)) for kind, sites in found.items()}


def written_after_a_call(trace):
    """Lines of a .sem file by which the CPU writes after the first call."""
    with open(trace, encoding="utf-8") as f:
        lines = [line.split() for line in f]
    first = next(i for i, words in enumerate(lines) if words and words[0] == "call")
    return sum(1 for words in lines[first:] if words and words[0] == "cpu" and not words[3].startswith("r"))


def factor_seconds(trace, link):
    """Seconds of all factorisations of a .sem file, and of the first one of each matrix, and how many these are."""
    with open(link, encoding="utf-8") as f:
        rate = json.load(f)
    seconds, first, seen = 0.0, 0.0, set()
    with open(trace, encoding="utf-8") as f:
        for words in map(str.split, f):
            if words and words[0] == "memo":
                bytes_ = int(words[4].split("+")[1]) + int(words[5])
                took = 1e-9 * max(int(words[6]) / rate["cpu_gflops"][0], bytes_ / rate["cpu_gbs"][0])
                seconds += took
                first += took if (words[3], words[4]) not in seen else 0
                seen.add((words[3], words[4]))
    return seconds, first, len(seen)


class Data:
    """All that the page is made of."""

    def __init__(self, say):
        os.makedirs(FOLDER, exist_ok=True)
        self.chain = {n: play("-", "then", "--protocol", "naive,fig9,wb,wt,split", "--gpu-mem", "6g", text=chain(n)) for n in CHAIN_SIZES}
        self.run, self.rows, self.now, self.memory, self.ranges = {}, {}, {}, {}, {}
        self.guards, self.late_writes, self.factors = {}, {}, {}
        for name, (size, depth) in INPUTS.items():
            say(name)
            trace = "%s/%s.sem" % (FOLDER, name)
            args = [NEWMARK, "--size", size, "--depth", str(depth), "--steps", str(STEPS), "--dry"]
            self.run[name] = command(args + ["--trace", trace])
            self.guards[name], self.late_writes[name] = guards(trace), written_after_a_call(trace)
            self.factors[name] = factor_seconds(trace, LINKS["then"])
            self.rows[name] = play(trace, "then", "--protocol", PROTOCOLS, "--gpu-mem", "6g")
            self.now[name] = play(trace, "now", "--protocol", PROTOCOLS, "--gpu-mem", "16g")
            need = self.rows[name]["wb"]["gpu_bytes"]
            for part in MEMORY:
                for evict in EVICTS:
                    self.memory[name, part, evict] = play(trace, "then", "--protocol", "wb", "--evict", evict, "--gpu-mem", str(need * part // 100))["wb"]
            for n in RANGES:
                self.ranges[name, n] = play(trace, "then", "--protocol", "wb", "--ranges", str(n), "--gpu-mem", "6g")["wb"]
        size, depth = INPUTS["Cube10"]
        say("Cube10, in shadow execution")
        args = [NEWMARK, "--size", size, "--depth", str(depth), "--steps", str(STEPS)]
        self.real = [command(args + more) for more in (["--cpu"], [], ["--write-through"], ["--columns", "--cpu"], ["--columns"])]

    @staticmethod
    def factorised_of(row):
        return row["memos"] - row["elided"]

    def factorised(self, name, protocol):
        return self.factorised_of(self.rows[name][protocol])
