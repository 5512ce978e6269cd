# SPDX-License-Identifier: Apache-2.0
"""RDGC, slowly: Algorithms 1 to 3, §4.4 and docs/guide/rdgc.md once more, one step, one access and one list at a time.

Nothing here is taken from cmodel/: sets are lists of blocks, MSHRs a list of what is outstanding, L2's input a list of all
departures. The keys of CONFIG are those of `gmmu rdgc --set`; a cache's keys are without `l1.` and `l2.`.
"""
WARP = 32
MASK = (1 << 64) - 1


class SplitMix:
    def __init__(self, state):
        self.state = state & MASK

    def upper(self):
        """The upper half of the next number."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return (z ^ z >> 31) >> 32


class Access:
    def __init__(self, block, warp, write, past=False, sectors=()):
        self.block, self.warp, self.write, self.past, self.sectors = block, warp, write, past, sectors
        self.due = 0  # step from which its warp has the data


class Cache:
    def __init__(self, config, seed):
        self.c = config
        self.banks = config["partitions"] * config["banks"]
        self.sets = config["size"] // (config["block"] * config["ways"] * self.banks)
        self.random = SplitMix(seed)
        self.factor = (1, 1)
        self.step = 0
        self.steps = self.fails = self.merges = self.write_evictions = 0
        self.r = [0] * (config["ways"] + 1)
        self.w = [0] * (config["ways"] + 1)
        self.flush()

    def flush(self):
        self.rows = {}       # (bank, set): blocks, the front first
        self.counts = {}     # LFU: uses of a block
        self.way = {}        # NRU: way of a block
        self.free = {}       # NRU: (bank, set): free ways, the next first
        self.marked = {}     # NRU: (bank, set): marked ways
        self.out = []        # outstanding: [block, row, MSHR set, due, merges]

    def place(self, b):
        c = self.c
        chunk, p = c["partition_chunk"], c["partitions"]
        partition = b // chunk % p
        q = b // chunk // p * chunk + b % chunk
        chunk, k = c["bank_chunk"], c["banks"]
        bank = q // chunk % k
        i = q // chunk // k * chunk + q % chunk
        kind = c["index"]
        bits = (self.sets - 1).bit_length()
        if kind.startswith("smod-"):
            i >>= int(kind[5:])
        elif kind == "xor":
            i = (i % 2 ** bits) ^ (i // 2 ** bits % 2 ** bits)
        elif kind == "fermi":
            low = [i >> n & 1 for n in range(6)]
            for n, other in enumerate((6, 7, 8, 10, 12)):
                low[n] ^= i >> other & 1
            i = sum(bit << n for n, bit in enumerate(low))
        modulus = self.sets
        while kind == "pri" and any(modulus % d == 0 for d in range(2, modulus)):
            modulus -= 1
        return (partition * k + bank, i % modulus), partition // -(-p // c["mshr_sets"])

    # ---- sets

    def mark(self, row, way):
        marks = self.marked.setdefault(row, set())
        marks.add(way)
        if len(marks) == self.c["ways"]:
            marks.intersection_update({way})

    def use(self, row, block):
        """A hit's change of the set."""
        blocks, kind = self.rows[row], self.c["replace"]
        if kind == "nru":
            self.mark(row, self.way[block])
        if kind == "lfu":
            self.counts[block] += 1
        if kind in ("lru", "lfu"):
            blocks.remove(block)
            blocks.insert(0, block)

    def take_out(self, row, block):
        self.rows[row].remove(block)
        if self.c["replace"] == "nru":
            way = self.way.pop(block)
            self.free[row].insert(0, way)
            self.marked[row].discard(way)

    def victim(self, row):
        """Who leaves a full set; None: all are outstanding."""
        blocks, kind = self.rows[row], self.c["replace"]
        waiting = {o[0] for o in self.out} if self.c["allocate"] == "miss" else set()
        can = [b for b in blocks if b not in waiting]
        if not can:
            return None
        if kind == "random":
            return blocks[self.random.upper() * len(blocks) >> 32]
        if kind == "lfu":
            return min(reversed(blocks), key=lambda b: self.counts[b])
        if kind == "nru":
            return min(can, key=lambda b: (self.way[b] in self.marked[row] and self.c["ways"] > 1, self.way[b]))
        return can[-1]

    def put(self, row, block):
        """False: no place."""
        blocks = self.rows.setdefault(row, [])
        self.free.setdefault(row, list(range(self.c["ways"])))
        self.marked.setdefault(row, set())
        way = None
        if len(blocks) == self.c["ways"]:
            gone = self.victim(row)
            if gone is None:
                return False
            blocks.remove(gone)
            way = self.way.pop(gone, None)
        elif self.c["replace"] == "nru":
            way = self.free[row].pop(0)
        blocks.insert(0, block)
        self.counts[block] = 1
        if self.c["replace"] == "nru":
            self.way[block] = way
            self.mark(row, way)
        return True

    # ---- steps

    def latency(self, busy):
        if self.c["latency"] != "adaptive":
            return self.c["latency"]
        n, d = self.factor
        return max(1, (2 * (self.c["k1"] * d + self.c["k2"] * busy * n) + 1000 * d) // (2000 * d))

    def arrive(self, until):
        for o in [o for o in self.out if o[3] <= until]:
            self.out.remove(o)
            if self.c["allocate"] == "fill":
                self.put(o[1], o[0])

    def drain(self):
        self.arrive(MASK)

    def idle(self, until):
        while self.step < until:
            self.arrive(self.step)
            self.step += 1
            self.steps += 1

    def join(self, o, a):
        if o[4] == self.c["merges"]:
            return "failed"
        o[4] += 1
        self.merges += 1
        a.due = o[3]
        return "merged"

    def attempt(self, a, row, mshr_set, later):
        """What an access at a port comes to; changes for the end of the step go to LATER."""
        if a.past or self.c["bypass"] == "rwon":
            a.due = self.step
            return "passed"
        blocks, counts = self.rows.get(row, []), self.w if a.write else self.r
        there = a.block in blocks
        position = blocks.index(a.block) if there else self.c["ways"]
        if there and self.c["replace"] != "lru":
            position = 0
        waiting = [o for o in self.out if o[0] == a.block]
        if a.write and self.c["bypass"] == "won":
            counts[position] += 1
            if there:
                later.append((self.evict, row, a.block))
            a.due = self.step
            return "passed"
        if there and not (self.c["allocate"] == "miss" and waiting):
            counts[position] += 1
            later.append((self.use, row, a.block))
            a.due = self.step + self.c["hit"]
            return "hit"
        if waiting:
            status = self.join(waiting[0], a)
            if status == "merged" and there:
                later.append((self.use, row, a.block))
        else:
            busy = sum(o[2] == mshr_set for o in self.out)
            if busy == self.c["mshrs"] or (self.c["allocate"] == "miss" and not self.put(row, a.block)):
                status = "failed"
            else:
                status = "miss"
                a.due = self.step + self.latency(busy + 1)
                self.out.append([a.block, row, mshr_set, a.due, 0])
        if status == "failed":
            self.fails += 1
        else:
            counts[0 if status == "merged" and self.c["merged"] == "hit" else self.c["ways"]] += 1
        return status

    def evict(self, row, block):
        self.take_out(row, block)
        self.write_evictions += 1

    def profile(self, accesses):
        """Runs steps until all are resolved; [(step, access)] that go on."""
        at = [self.place(a.block) for a in accesses]
        left = sorted(range(len(accesses)), key=lambda n: (accesses[n].warp, at[n][0][0], n))
        sent = []
        while left:
            if self.c["arrival"] == "start":
                self.arrive(self.step)
            ports, later, keep = {}, [], []
            for n in left:
                bank = at[n][0][0]
                if ports.get(bank, 0) == self.c["ports"]:
                    keep.append(n)
                    continue
                ports[bank] = ports.get(bank, 0) + 1
                status = self.attempt(accesses[n], at[n][0], at[n][1], later)
                if status == "failed":
                    keep.append(n)
                elif status in ("miss", "passed"):
                    sent.append((self.step, accesses[n]))
            for change, row, block in later:
                if block in self.rows.get(row, []):
                    change(row, block)
            left = keep
            if self.c["arrival"] == "end":
                self.arrive(self.step)
            self.step += 1
            self.steps += 1
        return sent


class Warp:
    def __init__(self, records, start, age):
        self.records, self.at, self.start, self.age = records, 0, start, age
        self.due, self.flying = 0, 0


class Schedulers:
    """The warps of an SM under schedule = lrr, gto or loose."""

    def __init__(self, config, grid, slots, seed):
        self.c, self.grid = config, grid
        self.slots = [[] for _ in range(slots)]
        self.last = [None] * config["schedulers"]
        self.random = seed
        self.begun = 0

    def begin(self, slot, queue, now):
        while queue and not any(w.at < len(w.records) for w in self.slots[slot]):
            block = queue.pop(0)
            warps = [[] for _ in range(self.grid.warps)]
            for record in self.grid.of_block(block):
                warps[record.warp].append(record)
            self.slots[slot] = [Warp(records, now, self.begun + n) for n, records in enumerate(warps)]
            self.begun += len(warps)

    def numbered(self):
        return [w for slot in self.slots for w in (slot or [Warp([], 0, 0)] * self.grid.warps)]

    def ready(self, w):
        """The step from which the warp may issue; None: it has ended."""
        if w.at == len(w.records):
            return None
        if w.records[w.at].kind != "r" or w.flying == self.c["reads"]:
            return max(w.start, w.due)
        return w.start

    def pick(self, now):
        """Numbers of the warps that issue."""
        warps, picked = self.numbered(), []
        for k in range(self.c["schedulers"]):
            mine = list(range(k, len(warps), self.c["schedulers"]))
            can = [n for n in mine if self.ready(warps[n]) is not None and self.ready(warps[n]) <= now]
            if not can:
                continue
            if self.c["schedule"] == "loose":
                n = can[self.random.upper() * len(can) >> 32]
            elif self.c["schedule"] == "gto":
                n = self.last[k] if self.last[k] in can else min(can, key=lambda n: warps[n].age)
            else:
                n = min(can, key=lambda n: (self.last[k] is not None and n <= self.last[k], n))
            self.last[k] = n
            picked.append(n)
        return picked

    def wake(self):
        steps = [self.ready(w) for w in self.numbered()]
        return min([s for s in steps if s is not None], default=None)

    def issued(self, number, now, due, queue):
        w = self.numbered()[number]
        if w.due <= now:
            w.flying = 0
        if w.records[w.at].kind == "r":
            w.flying += 1
            w.due = max(w.due, due)
        w.start = now + self.c["gap"]
        w.at += 1
        slot = number // self.grid.warps
        if all(x.at == len(x.records) for x in self.slots[slot]):
            self.begin(slot, queue, now + 1)


class Record:
    def __init__(self, number, block, warp, kind, lanes):
        self.number, self.block, self.warp, self.kind, self.lanes = number, block, warp, kind, lanes


class Grid:
    """ACCESSES: (AN, BID, TID, S, ADD) of threads."""

    def __init__(self, blocks, threads, accesses):
        self.blocks, self.threads = blocks, threads
        self.warps = -(-threads // WARP)
        groups = {}
        for number, block, thread, kind, address in accesses:
            groups.setdefault((block, number, thread // WARP, "rwa".index(kind)), {})[thread % WARP] = address
        self.records = [Record(n, b, w, "rwa"[k], lanes) for (b, n, w, k), lanes in sorted(groups.items(), key=lambda g: g[0])]

    def of_block(self, block):
        return [r for r in self.records if r.block == block]


def distinct(values):
    return list(dict.fromkeys(values))


class Model:
    def __init__(self, config, bypassed=False):
        self.c = config
        l1, self.l2_block = dict(config["l1"]), config["l2"]["block"]
        if bypassed or l1["bypass"] == "rwon":
            l1.update(bypass="rwon", block=self.l2_block, size=self.l2_block * l1["ways"] * l1["partitions"] * l1["banks"])
        self.l1_config = l1
        p = config["sms"]
        self.l1 = [Cache(l1, config["seed"] + 1 + i) for i in range(p)]
        self.l2 = Cache(config["l2"], config["seed"] + 1 + p)
        self.lots = [SplitMix(config["seed"] + 2 + p + i) for i in range(p)]
        self.grids = self.coalesced = self.atomics = self.longest = self.quad_reads = self.quad_writes = 0

    def coalesce(self, record):
        size = self.l1_config["block"]
        past = record.kind == "a" and self.c["atomics"] == "past"
        lanes = [record.lanes[n] for n in sorted(record.lanes)]
        blocks = distinct(a // size for a in lanes)
        if self.c["quads"] == "yes" and not past:
            if record.kind == "r":
                for first in range(0, WARP, 4):
                    self.quad_reads += len({a // size for n, a in record.lanes.items() if first <= n < first + 4})
            else:
                self.quad_writes += len(blocks)
        self.atomics += len(blocks) if past else 0
        return [Access(b, record.warp, record.kind != "r", past, sorted({a // self.l2_block for a in lanes if a // size == b})) for b in blocks]

    def mapping(self, grid):
        kind, p = self.c["mapping"], self.c["sms"]
        random = SplitMix(self.c["seed"] + (self.grids << 32))
        return [random.upper() * p >> 32 if kind == "rand" else b // {"bpart1": 4, "bpart2": 8}.get(kind, 1) % p for b in range(grid.blocks)]

    def concurrent(self, warps, bsm):
        n = min(bsm, self.c["max_blocks"])
        return n if warps * n <= self.c["max_warps"] else max(1, self.c["max_warps"] // warps)

    def lists(self, grid, blocks):
        """Algorithm 2: the lists of an SM, each of records."""
        cb = self.concurrent(grid.warps, len(blocks)) if blocks else 1
        numbers = sorted({r.number for r in grid.records})
        for i in range(0, len(blocks), cb):
            for j in numbers:
                for block in blocks[i:i + cb]:
                    mine = [r for r in grid.of_block(block) if r.number == j]
                    for first in range(0, grid.warps, self.c["schedulers"]):
                        some = [r for r in mine if first <= r.warp < first + self.c["schedulers"]]
                        if some:
                            yield some

    def departures(self, sm, sent, start, out):
        ratio = self.l1_config["block"] // self.l2_block
        for step, a in sent:
            if ratio <= 1:
                blocks = [a.block * self.l1_config["block"] // self.l2_block]
            elif a.past or (a.write and self.l1_config["bypass"] != "off"):
                blocks = a.sectors
            else:
                blocks = [a.block * ratio + n for n in range(ratio)]
            out += [(step - start, sm, b, a.write) for b in blocks]

    def run_lists(self, grid, sm, blocks, out):
        l1, start = self.l1[sm], self.l1[sm].step
        for records in self.lists(grid, blocks):
            accesses = sum((self.coalesce(r) for r in records), [])
            self.coalesced += len(accesses)
            self.departures(sm, l1.profile(accesses), start, out)

    def round(self, sm, schedulers, queue, start, out):
        """One round of the SM's schedulers; False: it has ended."""
        l1, now = self.l1[sm], self.l1[sm].step
        picked = schedulers.pick(now)
        if not picked:
            wake = schedulers.wake()
            if wake is None:
                return False
            l1.idle(wake)
            return True
        warps, parts = schedulers.numbered(), []
        for n, number in enumerate(picked):
            part = self.coalesce(warps[number].records[warps[number].at])
            for a in part:
                a.warp = n
            parts.append(part)
        accesses = sum(parts, [])
        self.coalesced += len(accesses)
        self.departures(sm, l1.profile(accesses), start, out)
        for number, part in zip(picked, parts):
            schedulers.issued(number, now, max(a.due for a in part), queue)
        return True

    def run(self, grid):
        p = self.c["sms"]
        sm_of = self.mapping(grid)
        blocks = [[b for b in range(grid.blocks) if sm_of[b] == i] for i in range(p)]
        for i in range(p):
            self.l1[i].factor = (sum(bool(b) for b in blocks), self.c["l2"]["partitions"] * self.c["l2"]["banks"])
        starts, out = [c.step for c in self.l1], []
        if self.c["schedule"] == "lists":
            for i in range(p):
                self.run_lists(grid, i, blocks[i], out)
        else:
            slots = [self.concurrent(grid.warps, len(b)) if b else 0 for b in blocks]
            common = list(range(grid.blocks))
            queues = [common if self.c["mapping"] == "demand" else list(b) for b in blocks]
            sms = [Schedulers(self.c, grid, slots[i], self.lots[i]) for i in range(p)]
            for slot in range(max(slots)):
                for i in range(p):
                    if slot < slots[i]:
                        sms[i].begin(slot, queues[i], starts[i])
            busy = {i for i in range(p) if slots[i]}
            while busy:
                i = min(busy, key=lambda i: (self.l1[i].step - starts[i], i))
                if not self.round(i, sms[i], queues[i], starts[i], out):
                    busy.remove(i)
        by_step = {}
        for step, sm, block, write in out:
            by_step.setdefault(step, []).append(Access(block, sm, write))
        for step in sorted(by_step):
            self.l2.profile(sorted(by_step[step], key=lambda a: a.warp))
        self.longest += max(c.step - s for c, s in zip(self.l1, starts))
        for c, keep in [(c, self.c["keep_l1"]) for c in self.l1] + [(self.l2, self.c["keep_l2"])]:
            c.drain()
            if keep == "no":
                c.flush()
        self.grids += 1

    def total(self, name):
        values = [getattr(c, name) for c in self.l1]
        return [sum(v) for v in zip(*values)] if isinstance(values[0], list) else sum(values)
