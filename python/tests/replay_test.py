# SPDX-License-Identifier: Apache-2.0
# replay_test.py: replays have the counts of the command; policies in Python.
import collections
import subprocess
import threading
import traceback

import numpy as np
import pytest

import gmmu

THREE = ["2mm.gwt", "kmeans.walk", "spmv.walk"]


def same(table, rows):
    assert table.dtype.names == tuple(rows[0]) and len(table) == len(rows)
    for row, expected in zip(table, rows):
        for name, text in expected.items():
            if table.dtype[name].kind == "f":
                assert row[name] == pytest.approx(float(text), abs=2e-6)
            elif name != "trace":
                assert str(row[name]) == text, name


CASES = [
    ({"policies": "lru,opt,fifo,sieve", "frames": ["50%", "75%", 100]}, ["-p", "lru,opt,fifo,sieve", "-f", "50%,75%,100"]),
    ({"policies": ["opt", "leu-exact", "random"], "frames": "30%", "ratios": True, "as_opt": True, "seed": 5},
     ["-p", "opt,leu-exact,random", "-f", "30%", "-r", "--as-opt", "-s", "5"]),
    ({"policies": "lru,tier,gmt-reuse", "frames": "25%", "tier2": "2x"}, ["-p", "lru,tier,gmt-reuse", "-f", "25%", "--tier2", "2x"]),
    ({"policies": "hpe,lru", "frames": "512KiB", "hpe_ideal": True, "threads": 1}, ["-p", "hpe,lru", "-f", "512KiB", "--hpe-ideal", "-t", "1"]),
]


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("options, words", CASES)
def test_counts_of_the_command(command, traces, name, options, words):
    rows = command.rows("replay", *words, traces / name)
    same(gmmu.replay(traces / name, **options), rows)
    same(gmmu.replay(gmmu.read(traces / name), **options), rows)


def test_hints_reach_the_policy(command, tmp_path):
    walks = gmmu.make_walks(np.tile(np.arange(60), 40), ref=np.repeat(np.arange(40), 60))
    hints = np.zeros(40, gmmu.hint_dtype)
    hints["walk"], hints["id"] = np.arange(40) * 60, np.arange(40) % 3
    path = tmp_path / "t.gwt"
    gmmu.write(path, walks, hints=hints)
    rows = command.rows("replay", "-p", "hinted,lru", "-f", "50%", path)
    same(gmmu.replay(walks, "hinted,lru", "50%", hints=hints), rows)
    same(gmmu.replay(path, "hinted,lru", "50%"), rows)


def test_states_and_notes(traces, tmp_path, command):
    table = gmmu.replay(traces / "2mm.gwt", "leu,lru", "50%")
    told = [line for line in command.run("replay", "-p", "leu,lru", "-f", "50%", "-n", traces / "2mm.gwt").stderr.splitlines()
            if line.startswith("note: ")]
    assert [f"note: leu frames={table['frames'][0]} {table.states[0]}"] == told and table.states[1] == ""
    path = tmp_path / "t"
    path.write_text("addr,rw\n4096,r\n8192,w\n")
    assert "read with --from csv" in gmmu.replay(path, "lru", 1).notes[0]


@pytest.mark.parametrize("options, words", [
    ({"policies": "word"}, ["-p", "word"]),
    ({"policies": "lru:x=1"}, ["-p", "lru:x=1"]),
    ({"frames": "0"}, ["-f", "0"]),
    ({"frames": "1000B"}, ["-f", "1000B"]),
    ({"tier2": "x"}, ["--tier2", "x"]),
    ({"distinct": 5, "frames": 5}, ["--distinct", "5", "-f", "5"]),
])
def test_errors_of_the_command(command, traces, options, words):
    with pytest.raises(gmmu.Error) as caught:
        gmmu.replay(traces / "gesummv.gwt", **options)
    assert str(caught.value) == command.refuses("replay", *words, traces / "gesummv.gwt")


def test_wrong_arguments(traces):
    walks = gmmu.make_walks([1, 2])
    for bad in ({"policies": []}, {"policies": [3]}, {"policies": [int]}, {"form": "csv"}, {"hints": np.zeros(1)}):
        with pytest.raises(TypeError):
            gmmu.replay(walks, **{"frames": 1, **bad})
    for bad in ({"seed": 0}, {"threads": -1}):
        with pytest.raises(ValueError):
            gmmu.replay(walks, frames=1, **bad)
    hints = np.zeros(2, gmmu.hint_dtype)
    for walk, kind, pages in (([1, 0], 0, 0), ([0, 3], 0, 0), ([0, 1], 3, 0), ([0, 1], gmmu.FREE, 0)):
        hints["walk"], hints["kind"], hints["pages"] = walk, kind, pages
        with pytest.raises(gmmu.Error, match="^hint"):
            gmmu.replay(walks, "lru", 1, hints=hints)
    assert len(gmmu.replay(walks[:0], "lru,opt", "50%")) == 2


def test_two_replays_at_once(traces):
    trace = gmmu.read(traces / "2mm.gwt")
    expected = gmmu.replay(trace, "lru,opt,arc,leu", "50%,75%")
    found = [None] * 4

    def work(i):
        found[i] = gmmu.replay(trace, "lru,opt,arc,leu", "50%,75%") if i % 2 else gmmu.replay(traces / "2mm.gwt", [Lru, "lru,opt,arc,leu"], "50%,75%")

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for i in range(4):
        assert np.array_equal(found[i][-8:][list(expected.dtype.names[1:])], expected[list(expected.dtype.names[1:])])


# ---- policies in Python

class Lru(gmmu.Policy):
    def __init__(self, frames):
        super().__init__(frames)
        self.order = collections.OrderedDict()

    def hit(self, page, walk):
        self.order.move_to_end(page)

    def insert(self, page, walk):
        self.order[page] = None

    def victim(self, page, walk):
        return self.order.popitem(last=False)[0]


class Fifo(gmmu.Policy):
    name = "my fifo"

    def __init__(self, frames):
        super().__init__(frames)
        self.queue = collections.deque()

    def access(self, page, walk):
        if page in self.queue:
            return None
        self.queue.append(page)
        return self.queue.popleft() if len(self.queue) > self.frames else None


class Sieve(gmmu.Policy):
    """SIEVE (NSDI '24): a queue with a hand that spares visited pages."""

    def __init__(self, frames):
        super().__init__(frames)
        self.newer, self.older, self.visited = {}, {}, {}
        self.newest = self.oldest = self.hand = None

    def hit(self, page, walk):
        self.visited[page] = True

    def insert(self, page, walk):
        self.older[page], self.newer[page], self.visited[page] = self.newest, None, False
        if self.newest is not None:
            self.newer[self.newest] = page
        else:
            self.oldest = page
        self.newest = page

    def victim(self, page, walk):
        at = self.hand if self.hand is not None else self.oldest
        while self.visited[at]:
            self.visited[at] = False
            at = self.newer[at] if self.newer[at] is not None else self.oldest
        self.hand = self.newer[at]
        before, behind = self.newer.pop(at), self.older.pop(at)
        if before is None:
            self.newest = behind
        else:
            self.older[before] = behind
        if behind is None:
            self.oldest = before
        else:
            self.newer[behind] = before
        return at


COUNTS = ["frames", "accesses", "distinct", "faults", "cold", "evictions", "writebacks"]


@pytest.mark.parametrize("name", THREE)
@pytest.mark.parametrize("policy, like", [(Lru, "lru"), (Sieve, "sieve")])
def test_a_class_has_the_counts_of_c(traces, name, policy, like):
    table = gmmu.replay(traces / name, [policy, like], ["20%", "75%"])
    assert table["policy"].tolist() == [policy.__name__] * 2 + [like] * 2
    assert np.array_equal(table[:2][COUNTS], table[2:][COUNTS]) and table["evictions"].min() > 0


@pytest.mark.parametrize("name", THREE)
def test_access_has_the_counts_of_c(traces, name):
    table = gmmu.replay(traces / name, [Fifo, "fifo"], 50)
    assert table["policy"].tolist() == ["my fifo", "fifo"]
    assert np.array_equal(table[:1][COUNTS], table[1:][COUNTS]) and table["evictions"].min() > 0


def test_a_function_makes_policies():
    walks = gmmu.make_walks([1, 2, 3, 1, 2, 3])
    made = []

    def make(frames):
        made.append(frames)
        return Lru(frames)

    table = gmmu.replay(walks, ("mine", make), [1, 3])
    assert made == [1, 3] and table["policy"].tolist() == ["mine", "mine"] and table["faults"].tolist() == [6, 3]


def test_the_walk():
    seen = []

    class Look(Lru):
        def insert(self, page, walk):
            seen.append((page, walk.number, walk.vpn, walk.ref, walk.time, walk.asid, walk.sm, walk.write))
            super().insert(page, walk)

    walks = np.array([(9, 1, 2, 3, 4, True), (9, 1, 2, 3, 4, True), (8, 5, 6, 7, 0, False)], gmmu.walk_dtype)
    gmmu.replay(walks, Look, 2)
    assert seen == [(0, 0, 9, 1, 2, 3, 4, True), (1, 2, 8, 5, 6, 7, 0, False)]


def answering(answer):
    return type("Wrong", (Lru,), {"victim": lambda self, page, walk: answer})


@pytest.mark.parametrize("answer", [2, 3, -1, 1 << 70, None, "0", 0.0])
def test_a_wrong_victim(answer):
    with pytest.raises(gmmu.Error) as caught:
        gmmu.replay(gmmu.make_walks([1, 2, 3]), ["lru", answering(answer)], 2)
    assert str(caught.value) == f"policy Wrong: walk 2: found page {answer!r} from victim, expected one of the 2 resident pages"


@pytest.mark.parametrize("answer", [0, True, np.int64(0)])
def test_a_right_victim(answer):
    assert gmmu.replay(gmmu.make_walks([1, 2, 3]), answering(answer), 2)["faults"][0] == 3


@pytest.mark.parametrize("pages, text", [([1, 1], "at a hit"), ([1, 2], "while memory has room")])
def test_a_page_that_need_not_leave(pages, text):
    policy = type("Wrong", (gmmu.Policy,), {"access": lambda self, page, walk: None if walk.number == 0 else 0})
    with pytest.raises(gmmu.Error, match=f"policy Wrong: walk 1: found page 0 from access, expected None {text}"):
        gmmu.replay(gmmu.make_walks(pages), policy, 2)


def test_what_is_no_policy():
    with pytest.raises(gmmu.Error, match="policy word: found an object of type list, expected a gmmu.Policy"):
        gmmu.replay(gmmu.make_walks([1]), ("word", lambda frames: []), 1)
    with pytest.raises(NotImplementedError):
        gmmu.replay(gmmu.make_walks([1, 2]), gmmu.Policy, 1)


class Own(Exception):
    pass


@pytest.mark.parametrize("where", ["__init__", "hit", "insert", "victim"])
def test_an_exception_passes(where):
    error = Own(where)

    def fail(self, *arguments):
        raise error

    policy = type("Failing", (Lru,), {where: fail})
    with pytest.raises(Own) as caught:
        gmmu.replay(gmmu.make_walks([1, 2, 1, 3, 4]), ["lru", policy, "opt"], 2)
    assert caught.value is error
    assert traceback.extract_tb(error.__traceback__)[-1].name == "fail"


# ---- a policy outside the tree

def test_a_plugin(traces, tmp_path):
    root = traces.parents[1]
    with pytest.raises(gmmu.Error, match="found no ELF file"):
        gmmu.load_plugin(traces / "2mm.gwt")
    path = tmp_path / "slru.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", f"-I{root}/cmodel/include", f"-I{root}/cmodel", str(root / "examples/plugin/slru.c"), "-o", str(path)],
                   check=True)
    (info,) = gmmu.load_plugin(path)
    assert info.name == "slru" and [p.name for p in gmmu.policies()][-1] == "slru"
    table = gmmu.replay(traces / "kmeans.walk", ["slru", "lru", Lru], "50%")
    assert table["faults"][0] != table["faults"][1] == table["faults"][2]
    assert gmmu.mrc(traces / "kmeans.walk", "slru", "50%")["faults"][0] == table["faults"][0]
