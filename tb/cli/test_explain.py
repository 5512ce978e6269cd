# SPDX-License-Identifier: Apache-2.0
"""gmmu explain: the victim of one event and why, candidates, hints, protected pages, rows of a whole run, wrong inputs."""
import re

import pytest

KMEANS = "sim/traces/kmeans.walk"


def explain(gmmu, words, *more, stdin=None):
    return gmmu("explain " + words, *more, stdin=stdin)


def vpn_of_victim(done):
    return re.search(r"^victim: asid 0, vpn (0x[0-9a-f]+)", done.text, re.M).group(1)


@pytest.mark.parametrize("policy, victim", [
    ("leu", "0x4"),  # nothing is learnt of any page: the one used longest ago
    ("leu-exact", "0x3"),  # was used once; pages 1 and 2 come back after four walks
    ("lru", "0x4"),
])
def test_the_victim_is_named(gmmu, belady, policy, victim):
    assert vpn_of_victim(explain(gmmu, "--event 7 --frames 3 --policy " + policy, belady)) == victim


# ---- hints

def counts_at_the_end(gmmu, trace, stdin=None):
    """Faults, evictions and launches of hinted's last row."""
    last = explain(gmmu, "--every 9999 --frames 50% --policy hinted --format json", trace, stdin=stdin).json()[-1]
    return last["faults"], last["evictions"], last["launches"]


def test_hints_reach_the_policy(gmmu, hints):
    replay = gmmu.csv("replay --policy hinted --frames 50%", hints / "hints.gwt").rows[0]
    # behind the last of 16 launches is no walk
    assert counts_at_the_end(gmmu, hints / "hints.gwt") == (int(replay["faults"]), int(replay["evictions"]), 15)


def test_hints_of_a_pipe_reach_the_policy(gmmu, hints):
    assert counts_at_the_end(gmmu, "-", stdin=hints / "hints.gwt") == counts_at_the_end(gmmu, hints / "hints.walk")


@pytest.fixture
def said(gmmu, file):
    """said(words): what explain says of three walks with hints before the second and the third."""
    trace = file("said.walk", "# gmmu-walk 1 page_shift=12", "#!hints 1", "1,0x10,r", "#!launch,1", "#!launch,2", "#!launch,3", "#!launch,4",
                 "#!launch,5", "#!launch,6", "#!alloc,0x5,4,7", "#!free,0x1,2", "#!launch,16", "3,0x10,r", "#!launch,9", "1,0x10,r")
    return lambda words: explain(gmmu, "--frames 1 --policy hinted " + words, trace)


def hints_of(done):
    return [line for line in done.lines if line.startswith("hint: ")]


def test_the_last_hints_before_a_walk_and_what_hinted_makes_of_them(said):
    done = said("--event 2")
    assert hints_of(done)[-5:] == ["hint: launch 0x5", "hint: launch 0x6", "hint: alloc 0x7, asid 0, vpn 0x5, 4 pages",
                                   "hint: free, asid 0, vpn 0x1, 2 pages", "hint: launch 0x10"]
    assert "state: launches 7, forecasts_right 0, forecasts_wrong 0, believed 1" in done.lines


def test_the_hints_before_the_last_ones_are_counted(said):
    assert said("--event 2").lines.count("… 1 hints before these") == 1


def test_hints_as_json(said):
    done = said("--event 2 --format json").json()
    assert len(done["hints"]) == 9
    assert done["hints"][0] == {"kind": "launch", "id": "0x1"}
    assert done["hints"][-2:] == [{"kind": "free", "asid": 0, "vpn": "0x1", "pages": 2}, {"kind": "launch", "id": "0x10"}]
    assert done["state"]["launches"] == 7


@pytest.mark.parametrize("event, hints", [(1, []), (3, ["hint: launch 0x9"])])
def test_the_hints_of_other_walks(said, event, hints):
    assert hints_of(said("--event %d" % event)) == hints


# ---- protected pages

PROTECTED = KMEANS + " --frames 645 --event 1000 --policy leu:search=sample:protect=217"


def test_no_word_of_protection_without_it(gmmu):
    assert "protected" not in explain(gmmu, KMEANS + " --frames 645 --event 1000 --policy leu").text


def test_a_victim_that_is_not_protected(gmmu):
    assert [line.endswith(", not protected") for line in explain(gmmu, PROTECTED).lines if line.startswith("victim")] == [True]


def test_victim_and_state_are_the_same_as_json(gmmu):
    text = explain(gmmu, PROTECTED)
    json = explain(gmmu, PROTECTED + " --format json").json()
    state = re.search(r"^state: protected (\d+), limit (\d+), T ", text.text, re.M)
    assert json["victim"]["vpn"] == vpn_of_victim(text)
    assert (json["state"]["protected"], json["state"]["limit"]) == (int(state.group(1)), int(state.group(2)))


def test_candidates_as_json(gmmu):
    done = explain(gmmu, PROTECTED + " --format json").json()
    candidates = done["candidates"]
    assert len(candidates) == done["frames"] == 645
    assert candidates[0]["vpn"] == done["victim"]["vpn"]
    assert candidates[0]["met"] and candidates[0]["protected"] in ("no", "let go")
    assert sum(c["protected"] in ("yes", "let go") for c in candidates) == done["state"]["protected"]
    assert 64 <= sum(c["met"] for c in candidates) <= 64 + 16


@pytest.mark.parametrize("event, options, frames, victim, why", [
    (501, "protect=256", 500,
     "protected: the search met no other",
     "the lowest priority of those that the search met, which are all protected"),
    (1623, "search=sample:duel=1", 900,
     "protected by name only: the share is 0",
     "the lowest priority of those that the search met"),
    (1582, "search=sample:protect=217", 500,
     "let go by this search: too many are protected, and it is T old",
     "the lowest priority of those that the search met and that are not protected, alone"),
])
def test_protection_of_the_victim(gmmu, event, options, frames, victim, why):
    lines = explain(gmmu, "%s --frames %d --event %d --policy leu:%s" % (KMEANS, frames, event, options)).lines
    assert [re.sub(r"^victim:.*vpn 0x[0-9a-f]*, ", "", line) for line in lines if line.startswith("victim:")] == [victim]
    assert [re.sub(r"^why: |, shared.*", "", line) for line in lines if line.startswith("why:")] == [why]


# ---- rows of a whole run

def test_every_2000_walks_a_row_and_at_the_end_the_counts_of_replay(gmmu):
    rows = explain(gmmu, KMEANS + " --frames 645 --every 2000 --policy leu:duel=1 --format json").json()
    replay = gmmu.csv("replay %s --policy leu:duel=1 --frames 645" % KMEANS).rows[0]
    assert [row["walks"] for row in rows[:-1]] == [2000, 4000, 6000]
    assert all(row["limit"] == int(row["frames"] * row["share"]) and row["frames"] == 645 for row in rows)
    assert (rows[-1]["walks"], rows[-1]["faults"], rows[-1]["evictions"]) == tuple(int(replay[k]) for k in ("accesses", "faults", "evictions"))


def test_rows_through_a_pipe(gmmu):
    words = "--every 5000 --frames 50% --policy leu:protect=64 "
    rows = explain(gmmu, words + KMEANS).text
    assert rows.count("\n") == 3
    assert explain(gmmu, words + "-", stdin=KMEANS).text == rows


def test_rows_of_a_policy_without_numbers(gmmu):
    assert gmmu.refuses("explain %s --every 5000 --policy lru" % KMEANS) == \
        "gmmu explain: --every: found policy lru, expected one that decides by numbers of its own, as leu:protect=217"


def test_a_large_memory_takes_the_large_configuration(gmmu, belady):
    assert gmmu("explain --policy leu --frames 262145 --event 5 --format json", belady).json()["policy"] == "leu:config=large"


@pytest.fixture(scope="module")
def short(gmmu, tmp_path_factory):
    """400 walks of a recorded kernel with small TLBs."""
    folder = tmp_path_factory.mktemp("short")
    gmmu("record bfs --size 3000 --page-shift 9 --l1-tlb 4 --l2-tlb 16 -o", folder / "b.gwt")
    gmmu("trace cut --walks 1000:1400", folder / "b.gwt", "-o", folder / "x.gwt")
    return folder / "x.gwt"


@pytest.mark.parametrize("policy", ["random", "random:seed=3", "lru"])
def test_what_is_explained_is_what_is_replayed(gmmu, short, policy):
    """Event by event as many faults as a replay's, whose seed is explain's."""
    part = short.parent / "part.gwt"
    gmmu("trace head -n 150", short, "-o", part)
    words = "--policy %s --frames 30 " % policy
    faults = sum("cold fault" in text or "\nvictim: " in "\n" + text for text in
                 (explain(gmmu, words + "--event %d" % event, part).text for event in range(1, 151)))
    assert gmmu.csv("replay " + words, part).column("faults") == [str(faults)]


def test_a_fault_of_a_page_that_was_there_before_is_not_cold(gmmu, short):
    said = [explain(gmmu, "--policy uvm --frames 25%% --event %d" % event, short).text for event in range(1, 120)]
    room = [text for text in said if "memory has room" in text]
    cold = sum("cold fault, memory has room" in text for text in room)
    assert 0 < cold < len(room)
