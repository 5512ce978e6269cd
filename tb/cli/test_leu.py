# SPDX-License-Identifier: Apache-2.0
"""LEU by rational arithmetic from the paper: Eq. 1 and 2 and section 3.2, and the unit's form of it, against `gmmu replay`.

Both models here know a trace and nothing of the C model. State space: random traces of 20 to 150 walks to 2 to 10 pages, by 1 to 4
references in 1 or 2 address spaces, in cycles, over a hot set, skewed, at random. Parameter space: each size of memory; of the unit
every page sampled and every walk a refresh, with and without pseudo-counts."""
import fractions
import random

import pytest

GROUPS, TRACES = 12, 10
UNIT = "leu:sample=0:refresh=0"


def trace(chance):
    """[(page, reference, written)], a page and a reference each with their address space."""
    pages, refs, asids, shape = chance.randint(2, 10), chance.randint(1, 4), chance.choice((1, 1, 2)), chance.randrange(4)
    by = chance.randrange(3)
    walks = []
    for i in range(chance.randint(20, 150)):
        page = (i % pages, chance.randrange(1 + pages // 3) if i % 2 else i // 2 % pages, chance.randrange(1 + chance.randrange(pages)),
                chance.randrange(pages))[shape]
        ref = (page % refs, i % refs, chance.randrange(refs))[by]
        walks.append(((page % asids, page), (page % asids, 16 * ref), chance.random() < 0.4))
    return walks


def reuses(walks):
    """Of each walk: (the reference of the page's access before, the interval), or None; and that access's walk."""
    last, found = {}, []
    for t, (page, ref, _) in enumerate(walks):
        found.append((last[page][0], t - last[page][1]) if page in last else None)
        last[page] = (ref, t)
    return found


class Memory:
    """Pages in FRAMES frames: the last reference, the time of the last access, whether written."""

    def __init__(self, frames):
        self.frames, self.resident, self.faults, self.evictions, self.written_back = frames, {}, 0, 0, 0

    def access(self, t, walk, priority):
        page, ref, write = walk
        self.faults += page not in self.resident
        if page not in self.resident and len(self.resident) == self.frames:
            # at equal priorities the older last access; two pages never have the same
            victim = min(self.resident, key=lambda p: (priority(self.resident[p][0], t - self.resident[p][1]), self.resident[p][1]))
            self.evictions += 1
            self.written_back += self.resident.pop(victim)[2]
        self.resident[page] = (ref, t, write or (page in self.resident and self.resident[page][2]))

    def counts(self):
        return self.faults, self.evictions, self.written_back


def replayed(walks, sizes, model, learnt_before):
    """{size: (faults, evictions, write-backs)}. MODEL orders pages by of(histograms, reference, age); the histograms have the reuse of
    the faulting walk if it is LEARNT_BEFORE the decision."""
    histograms, memories, known = model.begin(), [Memory(frames) for frames in sizes], {}

    def priority(ref, tesla):
        if (ref, tesla) not in known:
            known[ref, tesla] = model.of(histograms, ref, tesla)
        return known[ref, tesla]

    def learn(reuse):
        if reuse:
            model.learn(histograms, *reuse)
            known.clear()

    for t, (walk, reuse) in enumerate(zip(walks, reuses(walks))):
        if learnt_before:
            learn(reuse)
        for memory in memories:
            memory.access(t, walk, priority)
        if not learnt_before:
            learn(reuse)
    return {memory.frames: memory.counts() for memory in memories}


class Paper:
    """A histogram is a list of intervals."""
    begin = dict

    @staticmethod
    def learn(histograms, ref, interval):
        histograms.setdefault(ref, []).append(interval)

    @staticmethod
    def of(histograms, ref, tesla):
        """The largest PPUC over all leases: Eq. 1 over l - tesla. 0 where Eq. 1 is 0/0."""
        intervals = histograms.get(ref, [])
        left = sum(1 for i in intervals if i > tesla)  # N (1 - P(ri <= tesla))
        return max((fractions.Fraction(sum(1 for i in intervals if tesla < i <= lease), left * (lease - tesla))
                    for lease in set(intervals) if lease > tesla), default=fractions.Fraction(0))


def bin_of(interval):
    """Single intervals up to 7; then four bins an octave."""
    if interval < 8:
        return interval
    octave = interval.bit_length() - 1
    return 4 * octave - 4 + (interval >> (octave - 2)) % 4


def low_of(number):
    return number if number < 8 else (4 + number % 4) * 2 ** (number // 4 - 1)


def rounded_down(value):
    """To 1 + 10 bits."""
    if value == 0:
        return value
    scale = fractions.Fraction(1)
    while value < scale:
        scale /= 2
    return scale * (1 + fractions.Fraction(int((value / scale - 1) * 1024), 1024))


class Unit:
    """Histograms are rows of bins, beside row None of all references; priorities are computed when a row learns."""

    def __init__(self, pseudo):
        self.pseudo = pseudo

    @staticmethod
    def begin():
        return {"rows": {None: {}}, "tables": {}}

    def learn(self, histograms, ref, interval):
        for row in (ref, None):
            bins = histograms["rows"].setdefault(row, {})
            bins[bin_of(interval)] = bins.get(bin_of(interval), 0) + 1
        for row in (ref, None):
            histograms["tables"][row] = self.table(histograms["rows"], row)

    def table(self, rows, row):
        counts, every = dict(rows[row]), rows[None]
        if self.pseudo and row is not None and sum(counts.values()) < 8:
            total = sum(every.values())
            counts = {b: counts.get(b, 0) * total + 8 * every[b] for b in every}
        found = []
        for own in range(max(counts) + 1):
            tau, beyond = low_of(own), sum(n for b, n in counts.items() if b >= own)
            leases = ((b, max(low_of(b + 1) - 1 - tau, 1)) for b in counts if b >= own)
            found.append(rounded_down(max(fractions.Fraction(sum(n for c, n in counts.items() if own <= c <= b), beyond * cost) for b, cost in leases)))
        return found

    @staticmethod
    def of(histograms, ref, tesla):
        table = histograms["tables"].get(ref, histograms["tables"].get(None, []))
        return table[bin_of(tesla)] if bin_of(tesla) < len(table) else 0


@pytest.mark.parametrize("group", range(GROUPS))
def test_counts_of_random_traces(gmmu, file, group):
    chance = random.Random(20190930 + group)
    for number in range(TRACES):
        walks = trace(chance)
        sizes = range(1, len({page for page, _, _ in walks}) + 1)
        path = file("%d.walk" % number, "# gmmu-walk 1 page_shift=12",
                    *["%d,%d,%s,0,%d" % (page[1], ref[1], "w" if write else "r", page[0]) for page, ref, write in walks])
        models = {"leu-exact": (Paper, True), UNIT: (Unit(True), False), UNIT + ":pseudo=0": (Unit(False), False)}
        done = gmmu.csv("replay --policy %s --frames %s" % (",".join(models), ",".join(map(str, sizes))), path)
        found = {(row["policy"], int(row["frames"])): tuple(int(row[c]) for c in ("faults", "evictions", "writebacks")) for row in done.rows}
        for policy, model in models.items():
            assert {frames: found[policy, frames] for frames in sizes} == replayed(walks, sizes, *model), "%s: %s" % (policy, walks)
