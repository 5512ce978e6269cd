# SPDX-License-Identifier: Apache-2.0
"""gmmu explain: the reason of the victim of every policy, and the victim's stay, against what the trace and the rule say."""
import functools
import re

import pytest

from command import POLICIES

KMEANS = "sim/traces/kmeans.walk"
SHOW_CANDIDATES = ("leu", "leu-exact", "tier")  # test_explain.py
FRAMES = 645
SMALL = {"vmin": 100, "osl": 100}  # of these all reuses fit into 645 pages on average

REASONS = {
    "opt": r"never used again; of such pages used longest ago|its next use, event \d+, is the furthest ahead",
    "lru": "used longest ago of all resident pages",
    "mru": "used last of all resident pages",
    "fifo": "came first of all resident pages",
    "clock": r"its bit is clear(, and it is the first page under the hand|; the hand cleared the bits of \d+ pages on its way)",
    "random": "drawn by chance, as likely as each other resident page",
    "lfu": r"least uses since it came in, \d+; of such pages used longest ago",
    "2q": r"came first of A1in, which has \d+ pages, more than Kin, 161|came first of A1in: Am is empty|"
          r"used longest ago of Am: A1in has \d+ pages, not more than Kin, 161",
    "arc": r"used longest ago of (T1, the pages used once|T2, the pages used again); T1 has \d+ pages and aims at p = \d+",
    "lirs": "at the front of queue Q: of the resident HIR pages, longest in Q",
    "clockpro": "the first cold page under HANDcold whose bit is clear, (in|past) its test period",
    "srrip": r"its RRPV is 3, distant(, since all grew by [123])?; of such pages in the lowest frame",
    "rrip-hpe": r"its RRPV is 3, distant(, since all grew by [123])?; of such pages in the lowest frame",
    "sieve": r"its bit is clear(, and it is the first page under the hand|; the hand cleared the bits of \d+ pages on its way)",
    "s3fifo": "came first of the small queue; hits there [01], and 2 take a page to the main queue|"
              "at the end of the main queue, with no hit that earns it a further round",
    "uvm": "its chunk leaves whole: the chunk whose last fault is oldest",
    "vmin": r"never used again|its next use is \d+ walks ahead: no more reuses of that length are kept, tau is \d+",
    "osl": "its lease ended with this walk",
    "mean-ri": "not ranked: its mean reuse interval has passed, or its reference has no interval; of such pages used longest ago|"
               "expected latest, by the mean reuse interval of its last reference",
    "osl-rank": "not ranked: its best lease has passed, or its reference has no interval; of such pages used longest ago|"
                "expected latest, by the best lease of its last reference",
    "hawkeye": "averse by the reference of its last access; of such pages used last|used longest ago: all resident pages are friendly",
    "mockingjay": r"its estimated time of arrival is the farthest from now: ETR (\d+|-\d+, overdue); of such pages used last",
    "leu-host": "the lowest priority of all resident pages by what the host knows",
    "leu2": "expected latest by what is learnt, of the pages that the search met",
    "hpe": "the lowest page of the page set that leaves at present; strategy (LRU|MRU-C)",
    "hinted": "(must stay longest for its next hit by|unused for longer than any reuse of) its last reference, of the drawn pages",
    "hinted-known": "(must stay longest for its next hit by|unused for longer than any reuse of) its last reference, of the drawn pages",
    "bam": r"its bit is clear(, and it is the first page under the hand|; the hand cleared the bits of \d+ pages on its way)",
    "gmt-tierorder": "the first page under the hand whose bit is clear",
    "gmt-random": "the first page under the hand whose bit is clear",
    "gmt-reuse": "the first page under the hand whose bit is clear and that is not kept for a short reuse; expected reuse: (medium|long|not known)",
    "gmt-foretold": "the first page under the hand whose bit is clear and that is not kept for a short reuse; expected reuse: (medium|long|not known)",
    "opt-tiers": r"never used again; of such pages used longest ago|its next use, event \d+, is the furthest ahead",
}


@functools.cache
def pages():
    """The page of each event; events count from 1."""
    with open(KMEANS, encoding="ascii") as trace:
        return [None] + [int(line.split(",")[0], 0) for line in trace if not line.startswith("#")]


def victims(gmmu, policy, events=range(2000, 6000, 71), most=4):
    """(event, what explain says as JSON) of the first events with a victim."""
    found = []
    tiers = "--tier2 2x " if policy.startswith(("gmt", "opt-tiers", "tier")) else ""
    for event in events:
        frames = SMALL.get(policy, FRAMES)
        done = gmmu("explain %s --frames %d --format json %s--policy %s --event %d" % (KMEANS, frames, tiers, policy, event)).json()
        if "victim" in done:
            found.append((event, done))
        if len(found) == most:
            break
    assert found, "no victim of %s" % policy
    return found


def test_every_policy_without_candidates_has_its_reason():
    assert sorted(REASONS) == sorted(set(POLICIES) - set(SHOW_CANDIDATES))


@pytest.mark.parametrize("policy", sorted(REASONS))
def test_the_reason(gmmu, policy):
    for event, done in victims(gmmu, policy + (":chunk=4" if policy == "uvm" else "")):
        assert re.fullmatch(REASONS[policy], done["why"]), (event, done["why"])
        assert done["stay"]["uses"] >= 1 and done["stay"]["came"] <= done["stay"]["last_use"] <= event


def test_the_stay_of_lru_is_that_of_a_model(gmmu):
    wanted = dict(victims(gmmu, "lru", most=20))
    memory = {}  # page: came, last, uses; in order of last use
    for event, page in enumerate(pages()[1:], 1):
        came, uses = (memory[page][0], memory[page][2]) if page in memory else (event, 0)
        if page not in memory and len(memory) == FRAMES:
            victim = next(iter(memory))
            if event in wanted:
                done, stay = wanted.pop(event), memory[victim]
                assert int(done["victim"]["vpn"], 16) == victim
                assert done["stay"] == {
                    "came": stay[0], "last_use": stay[1], "uses": stay[2], "resident": FRAMES, "place_by_last_use": 1, "further_pages": 0,
                    "place_by_arrival": 1 + sum(other[0] < stay[0] for other in memory.values()),
                    "place_by_uses": 1 + sum(other[2] < stay[2] for other in memory.values())}
            del memory[victim]
        memory.pop(page, None)
        memory[page] = (came, event, uses + 1)
    assert not wanted


@pytest.mark.parametrize("policy, place, last", [
    ("lru", "place_by_last_use", False), ("mru", "place_by_last_use", True), ("fifo", "place_by_arrival", False), ("lfu", "place_by_uses", False),
])
def test_the_place_is_what_the_rule_says(gmmu, policy, place, last):
    for _, done in victims(gmmu, policy, most=10):
        assert done["stay"][place] == (done["stay"]["resident"] if last else 1) and done["stay"]["resident"] == FRAMES


def test_the_uses_of_lfu_are_those_of_the_stay(gmmu):
    for _, done in victims(gmmu, "lfu", most=10):
        assert re.search(r"came in, (\d+);", done["why"]).group(1) == str(done["stay"]["uses"])


def test_the_next_use_of_opt_is_that_of_the_trace(gmmu):
    for event, done in victims(gmmu, "opt", most=10):
        later = [e for e in range(event + 1, len(pages())) if pages()[e] == int(done["victim"]["vpn"], 16)]
        assert done["why"] == ("its next use, event %d, is the furthest ahead" % later[0] if later else "never used again; of such pages used longest ago")


def test_the_next_use_of_vmin_is_that_of_the_trace(gmmu):
    for event, done in victims(gmmu, "vmin", most=10):
        assert int(done["victim"]["vpn"], 16) == pages()[event] and done["outcome"] in ("hit", "fault", "cold fault")
        later = [e for e in range(event + 1, len(pages())) if pages()[e] == pages()[event]]
        assert done["why"].startswith("its next use is %d walks ahead" % (later[0] - event) if later else "never used again")


def test_a_clear_bit_of_clock(gmmu, belady):
    """With 3 frames, 1 2 3 4 1 2 5 1 2 3 4 5: at event 10 the bits of pages 1 and 2 are set, and that of 5 behind them is clear."""
    for policy in ("clock", "sieve", "bam"):
        words = "explain --policy %s --frames 3 --format json --event " % policy
        done = gmmu(words + "10", belady).json()
        assert (done["victim"]["vpn"], done["why"]) == ("0x5", "its bit is clear; the hand cleared the bits of 2 pages on its way")
        done = gmmu(words + "11", belady).json()
        assert (done["victim"]["vpn"], done["why"]) == ("0x1", "its bit is clear, and it is the first page under the hand")


@pytest.mark.parametrize("policy, why", [
    ("2q:in=100", "came first of A1in: Am is empty"),
    ("2q:in=1", "came first of A1in: Am is empty"),
    ("rrip-hpe:delay=100", "came first: no page's delay of 100 faults has passed"),
    ("hawkeye:averse=0", "used longest ago: all resident pages are friendly"),
    ("mockingjay:fine=1", "its estimated arrival, -3 walks from now, overdue, is the farthest"),
    ("uvm:chunk=1:order=access", "its chunk leaves whole: the chunk whose last access is oldest"),
    ("mean-ri:tesla=0", "not ranked: its reference has no interval; of such pages used longest ago"),
    ("srrip", "its RRPV is 3, distant, since all grew by 1; of such pages in the lowest frame"),
    ("hinted:candidates=0", "unused for longer than any reuse of its last reference, of all pages"),
])
def test_reasons_by_options(gmmu, belady, policy, why):
    assert gmmu("explain --frames 3 --event 4 --format json --policy " + policy, belady).json()["why"] == why


@pytest.mark.parametrize("policy, frames, event, why", [
    ("mean-ri:tesla=0", 645, 4574, "the largest mean reuse interval of its last reference"),
    ("osl-rank:tesla=0", 645, 4574, "the largest best lease of its last reference"),
    ("osl-rank", 200, 1858, "expected latest, by the best lease of its last reference"),
    ("hpe:category=2", 645, 694, "the lowest page of the page set that leaves at present; strategy LRU"),
    ("hpe:category=1", 645, 694, "the lowest page of the page set that leaves at present; strategy MRU-C"),
    ("mockingjay", 645, 6126, r"its estimated time of arrival is the farthest from now: ETR \d+; of such pages used last"),
    ("mockingjay:fine=1", 200, 1179, r"its estimated arrival, \d+ walks from now, is the farthest"),
    ("clockpro", 645, 1664, "the first cold page under HANDcold whose bit is clear, past its test period"),
    ("arc", 645, 4477, r"used longest ago of T2, the pages used again; T1 has \d+ pages and aims at p = \d+"),
    ("s3fifo", 645, 6320, "at the end of the main queue, with no hit that earns it a further round"),
    ("hawkeye:averse=0", 645, 1082, "averse by the reference of its last access; of such pages used longest ago"),
    ("2q", 200, 2149, r"used longest ago of Am: A1in has \d+ pages, not more than Kin, 50"),
    ("2q", 645, 1276, r"came first of A1in, which has \d+ pages, more than Kin, 161"),
])
def test_further_reasons(gmmu, policy, frames, event, why):
    done = gmmu("explain %s --policy %s --frames %d --event %d --format json" % (KMEANS, policy, frames, event)).json()
    assert re.fullmatch(why, done["why"]), done["why"]


def test_a_page_that_came_ahead_of_its_use(gmmu, file):
    """Two chunks of 512 pages fit, and a fault brings 16 pages: page 1 comes with page 0, the second time for nothing."""
    trace = file("chunks.walk", "# gmmu-walk 1 page_shift=12", *["%d,0x10,r" % page for page in (0, 1, 512, 1024, 0, 512, 1024)])
    words = "explain --policy uvm --frames 1024 --event "
    lines = gmmu(words + "4", trace).lines
    assert lines[-4:-2] == ["why: its chunk leaves whole: the chunk whose last fault is oldest",
                            "stay: came ahead of its first use, uses 1, the last with event 2, 2 walks before"]
    assert lines[-1] == "with it: 15 further pages left"
    assert "stay: came with event 5, not used" in gmmu(words + "7", trace).lines


def test_a_chunk_takes_further_pages_along(gmmu):
    _, done = victims(gmmu, "uvm:chunk=4:prefetch=none", most=1)[0]
    assert 0 <= done["stay"]["further_pages"] <= 3
    _, done = victims(gmmu, "uvm:chunk=64", range(2000, 8000, 7), most=1)[0]
    assert done["stay"]["further_pages"] > 3


def test_as_text(gmmu, belady):
    assert gmmu("explain --frames 3 --event 7 --policy lru", belady).lines[-5:] == [
        "policy lru, 3 frames: cold fault, memory is full", "victim: asid 0, vpn 0x4", "why: used longest ago of all resident pages",
        "stay: came with event 4, uses 1, the last with event 4, 3 walks before",
        "place: among 3 resident pages that were ever used 1 by last use, 1 by arrival (1: the oldest), 1 by uses (1: the fewest)"]


def test_the_tier_of_the_victim(gmmu, belady):
    words = "explain --frames 3 --event 7 --policy "
    assert "victim: asid 0, vpn 0x4, to Tier 2" in gmmu(words + "opt-tiers --tier2 2x", belady).lines
    assert "victim: asid 0, vpn 0x1, to Tier 3" not in gmmu(words + "opt-tiers", "--tier2", "8KiB", belady).lines
    assert gmmu.refuses(words + "opt-tiers", belady).endswith("found no Tier 2, expected its size (gmmu replay --tier2)")


@pytest.mark.parametrize("policy", ["hinted", "hinted-known"])
def test_hints_that_decide(gmmu, file, policy):
    """Four kernels in turn, ten pages each: what the latest used comes again after 39 further walks. A page that is given back does not."""
    lines = [line for _ in range(8) for k in (1, 2, 3, 4) for line in ["#!launch,%d" % k] + ["%d,0x%x,r" % (100 * k + i, k) for i in range(10)]]
    turns = file("turns.walk", "# gmmu-walk 1 page_shift=12", "#!hints 1", *lines)
    words = "explain --policy %s%s --format json --frames %d --event %d"
    assert gmmu(words % (policy, ":candidates=0:far=0", 15, 290), turns).json()["why"] == "by the hints used again in 39 walks, the latest of all pages"
    given = file("given.walk", "# gmmu-walk 1 page_shift=12", "#!hints 1", "1,0x10,r", "2,0x10,r", "#!free,0x1,1", "3,0x10,r")
    done = gmmu(words % (policy, "", 2, 3), given).json()
    assert (done["victim"]["vpn"], done["why"]) == ("0x1", "by the hints never used again")
