# SPDX-License-Identifier: Apache-2.0
"""gmmu replay: counts of a textbook trace, three tiers, every policy, any number of threads, hints, wrong inputs."""
import gzip

import pytest

from command import POLICIES, run

ONE_OF = "expected one of " + ", ".join(POLICIES)


def faults(gmmu, belady, policy, frames):
    return gmmu.csv("replay - --policy %s --frames %d" % (policy, frames), stdin=belady).column("faults")


@pytest.mark.parametrize("policy, frames, expected", [
    ("fifo", 3, "9"),
    ("fifo", 4, "10"),  # more memory, more faults
    ("lru", 3, "10"),
    ("lru", 4, "8"),
    ("uvm:chunk=1", 3, "9"),  # chunks of a page in the order of faults: fifo
    ("uvm:chunk=1:order=access", 3, "10"),  # and of accesses: lru
    ("mru", 3, "7"),
    ("mru", 4, "6"),
    ("opt", 3, "7"),
    ("opt", 4, "6"),
])
def test_faults_of_beladys_trace(gmmu, belady, policy, frames, expected):
    assert faults(gmmu, belady, policy, frames) == [expected]


def test_csv_header(gmmu, belady):
    assert gmmu.csv("replay --policy lru --frames 4", belady).lines[0] == \
        "trace,policy,frames,accesses,distinct,faults,cold,evictions,writebacks"


def test_csv_header_with_three_tiers(gmmu, belady):
    assert gmmu.csv("replay --policy lru --frames 4 --tier2 2x", belady).lines[0] == \
        "trace,policy,frames,accesses,distinct,faults,cold,evictions,writebacks," \
        "tier1_hits,tier2_hits,tier3_reads,tier3_writes,wasted_lookups,tier2_puts"


def test_json(gmmu, belady):
    replays = gmmu("replay --policy fifo --frames 3 --format json", belady).json()
    assert [(r["policy"], r["faults"]) for r in replays] == [("fifo", 9)]


@pytest.mark.parametrize("more", ["--frames 50%,100%", "--frames 7", "--frames 50% --tier2 2x", "--frames 25% --as-opt"])
def test_larger_pages_count_as_a_trace_of_larger_pages(gmmu, tmp_path, more):
    """Sizes of memory, and their percentages, are of the larger pages."""
    coarse = tmp_path / "coarse.gwt"
    gmmu("trace convert --page 64K sim/traces/spmv.walk -o", coarse)
    words = "replay --policy lru,opt,leu,uvm:prefetch=none %s " % more
    assert gmmu.csv(words + "--page 64K sim/traces/spmv.walk").without("trace") == gmmu.csv(words, coarse).without("trace")


# ---- several traces

TWO = "sim/traces/kmeans.walk sim/traces/spmv.walk"


def test_rows_of_several_traces_are_those_of_each(gmmu):
    words = " --policy lru,opt --frames 50%,600 "
    both = gmmu.csv("replay" + words + TWO)
    assert both.rows == [row for trace in TWO.split() for row in gmmu.csv("replay" + words + trace).rows]
    assert both.text.count("policy") == 1


def test_several_traces_as_json_are_one_list(gmmu):
    rows = gmmu("replay --policy lru,opt --frames 50% --format json " + TWO).json()
    assert [(row["trace"], row["policy"]) for row in rows] == [(trace, policy) for trace in TWO.split() for policy in ("lru", "opt")]


def test_several_traces_as_tables(gmmu):
    lines = gmmu("replay --policy lru,opt --frames 50% " + TWO).lines
    assert [lines.index("trace: " + trace) for trace in TWO.split()] == [0, 5]
    assert lines[4] == "" and lines[1] == lines[6]


def test_several_traces_in_several_forms(gmmu, file, bfs_gwt, belady):
    pages = file("pages.csv", "vpn,rw", "1,r", "2,w")
    done = gmmu.csv("replay --policy lru --frames 50%", bfs_gwt, belady, pages)
    assert done.columns("trace", "accesses", "distinct") == [(str(bfs_gwt), "168579", "3408"), (str(belady), "12", "5"), (str(pages), "2", "2")]


def test_a_trace_that_cannot_be_read_costs_its_own_rows(gmmu, bad_walk):
    done = gmmu("replay --policy lru --frames 600 --format csv sim/traces/kmeans.walk", bad_walk, "sim/traces/spmv.walk", status=2)
    assert done.column("trace") == TWO.split()
    assert 'gmmu replay: %s:3: found "x", expected rw, r or w\n' % bad_walk in done.messages
    assert done.messages.endswith("\ngmmu replay: 1 of 3 traces have no rows\n")


def test_what_is_wrong_for_every_trace_is_said_once(gmmu):
    message = gmmu.refuses("replay --policy 2q:in=101 " + TWO)
    assert message == 'gmmu replay: sim/traces/kmeans.walk: policy 2q: found the option "in=101", expected in=0..100'


def test_standard_input_twice(gmmu, belady):
    assert gmmu.refuses("replay - -", stdin=belady) == "gmmu replay: found - twice, expected it once"


def test_distinct_is_of_one_trace(gmmu):
    assert gmmu.refuses("replay --distinct 5 " + TWO) == "gmmu replay: found --distinct and 2 traces, expected one trace"


# ---- sizes in bytes

@pytest.mark.parametrize("size, frames", [
    ("4KiB", "1"), ("4k", "1"), ("4096B", "1"), ("12K", "3"), ("0.5MiB", "128"), ("1m", "256"), ("4GiB", "1048576"), ("1.5G", "393216"), ("1TiB", "268435456"),
])
def test_bytes_are_frames(gmmu, belady, size, frames):
    assert gmmu.csv("replay --policy lru --frames " + size, belady).column("frames") == [frames]


def test_bytes_are_frames_of_the_pages_of_each_trace(gmmu, belady, file):
    large = file("large.walk", "# gmmu-walk 1 page_shift=16", "1,0x10,r")
    assert gmmu.csv("replay --policy lru --frames 128KiB", belady, large).column("frames") == ["32", "2"]
    assert gmmu.csv("replay --policy lru --frames 128KiB --page 64K", belady).column("frames") == ["2"]


@pytest.mark.parametrize("size", ["4095B", "6KiB", "0.001GiB", "999999TiB"])
def test_bytes_that_are_no_whole_pages(gmmu, belady, size):
    assert gmmu.refuses("replay --policy lru --frames " + size, belady) == \
        "gmmu replay: --frames: found %s, expected a whole number of pages of 4096 bytes, from 1 to 3221225469 pages" % size


@pytest.mark.parametrize("size", ["0GiB", "4GB", "4Gi", "4 GiB", "GiB", "4giB/2", "4PiB"])
def test_no_amount_of_bytes(gmmu, belady, size):
    message = gmmu.refuses("replay --policy lru --frames", size, belady)
    assert message.startswith('gmmu replay: --frames: found "%s", expected pages from 1 to ' % size)


def test_bytes_of_tier_2(gmmu, belady):
    words = "replay --policy opt-tiers --frames 3 --tier2 "
    assert gmmu.csv(words + "8KiB", belady).rows == gmmu.csv(words + "2", belady).rows
    assert gmmu.refuses(words + "5000B", belady).startswith("gmmu replay: --tier2: found 5000B, expected a whole number of pages")


@pytest.mark.parametrize("words", ["mrc --policy lru --format json --frames", "explain --policy lru --event 7 --format json --frames"])
def test_bytes_of_other_commands(gmmu, belady, words):
    def frames(size):
        done = gmmu(words, size, belady).json()
        return done["frames"] if isinstance(done, dict) else [row["frames"] for row in (done if isinstance(done, list) else done["rows"])]
    assert frames("12KiB") == frames("3")


# ---- ratios

def test_ratios(gmmu, belady):
    done = gmmu.csv("replay --policy lru,opt --frames 3,60%,16KiB --ratios", belady)
    assert done.columns("policy", "size", "percent", "miss_ratio", "faults_to_opt", "evictions_to_opt") == [
        ("lru", "3", "60.000000", "0.833333", "1.428571", "1.750000"),
        ("lru", "60%", "60.000000", "0.833333", "1.428571", "1.750000"),
        ("lru", "16KiB", "80.000000", "0.666667", "1.333333", "2.000000"),
        ("opt", "3", "60.000000", "0.583333", "1.000000", "1.000000"),
        ("opt", "60%", "60.000000", "0.583333", "1.000000", "1.000000"),
        ("opt", "16KiB", "80.000000", "0.500000", "1.000000", "1.000000"),
    ]


def test_no_ratio_to_opt_without_opt(gmmu, belady):
    assert gmmu.csv("replay --policy lru --frames 3 --ratios", belady).lines[0].endswith(",size,percent,miss_ratio")


def test_no_ratio_where_opt_evicts_nothing(gmmu, belady):
    words = "replay --policy random,opt,uvm:chunk=1 --frames 5 --ratios"
    assert gmmu.csv(words, belady).column("evictions_to_opt") == ["1.000000"] * 3  # nothing leaves
    # VMIN lets pages go that OPT keeps
    rows = gmmu(words.replace("random", "vmin") + " --format json", belady).json()
    assert rows[0]["evictions"] > 0 and rows[0]["evictions_to_opt"] is None


# ---- the rows' file

def test_rows_in_a_file(gmmu, belady, tmp_path):
    words, rows = "replay --policy lru,opt --frames 3 --format csv", tmp_path / "rows.csv"
    assert gmmu(words + " -o", rows, belady).text == ""
    assert rows.read_text(encoding="utf-8") == gmmu(words, belady).text == gmmu(words + " -o -", belady).text


def test_rows_without_names_can_be_appended(gmmu, belady):
    words = "replay --policy lru,opt --frames 3 --format csv"
    assert gmmu(words + " --no-header", belady).lines == gmmu(words + " -H", belady).lines == gmmu(words, belady).lines[1:]


def test_with_a_table_no_header_is_of_the_table(gmmu, file):
    plain = file("plain.txt", "0x1000 R", "0x2000 W", "0x1000 R")
    words = "replay --policy lru --frames 2 --format csv --from table --columns addr,rw --no-header"
    named, unnamed = gmmu(words, plain).lines, gmmu(words + " -H", plain).lines
    assert named[0].startswith("trace,policy,") and named[1:] == unnamed == ["%s,lru,2,3,2,2,2,0,0" % plain]


@pytest.mark.parametrize("form", ["table", "json"])
def test_no_header_is_of_csv(gmmu, belady, form):
    assert gmmu.refuses("replay --no-header --format " + form, belady) == "gmmu replay: found --no-header, expected it with --format csv"


def test_a_file_of_no_rows_does_not_stay(gmmu, bad_walk, tmp_path):
    gmmu.refuses("replay --frames 1 --policy lru -o", tmp_path / "rows.csv", bad_walk)
    assert not (tmp_path / "rows.csv").exists()


def test_a_file_that_cannot_be_written(gmmu, belady, tmp_path):
    path = tmp_path / "none" / "rows.csv"
    assert gmmu.refuses("replay --frames 3 -o", path, belady) == "gmmu replay: %s: No such file or directory, expected a file to write to" % path
    assert gmmu("replay --frames 3 -o /dev/full", belady, status=2).messages.endswith("gmmu: /dev/full: No space left on device\n")


def test_the_trace_is_not_overwritten(gmmu, tmp_path, belady):
    copy = tmp_path / "copy.walk"
    copy.write_bytes(belady.read_bytes())
    assert gmmu.refuses("replay --frames 3 -o", copy, copy) == "gmmu replay: --output: found %s, which is to be read, expected another file" % copy
    assert copy.read_bytes() == belady.read_bytes()


# ---- three tiers

TIERS = ("faults", "tier1_hits", "tier2_hits", "tier3_reads", "tier3_writes", "wasted_lookups", "tier2_puts")


def tiers(gmmu, belady, policy, tier2):
    return gmmu.csv("replay --policy %s --frames 3 --tier2 %s" % (policy, tier2), belady).columns(*TIERS)


def test_without_a_second_tier_faults_are_reads_of_storage(gmmu, belady):
    assert tiers(gmmu, belady, "bam", "1") == [(*faults(gmmu, belady, "clock", 3), "2", "0", "10", "0", "0", "0")]


def test_opt_tiers(gmmu, belady):
    # 7 faults with 3 frames; with one page more OPT has 6, and Tier 2 gives the seventh
    assert tiers(gmmu, belady, "opt-tiers", "1") == [("7", "5", "1", "6", "0", "6", "3")]


@pytest.mark.parametrize("tier2", ["0.34x", "20%"])  # of the frames; of the pages
def test_a_part_that_is_one_page(gmmu, belady, tier2):
    assert tiers(gmmu, belady, "opt-tiers", tier2) == tiers(gmmu, belady, "opt-tiers", "1")


# ---- evictions beside OPT's

def test_all_evictions_of_opt_are_opts(gmmu, belady):
    assert gmmu.csv("replay --policy opt --frames 3 --as-opt", belady).columns("evictions", "as_opt") == [("4", "4")]


@pytest.mark.parametrize("pipe", [False, True])
def test_evictions_that_are_opts_too(gmmu, belady, pipe):
    # FIFO evicts 1 and 2, which OPT keeps, two pages that OPT lets go too, and two that nobody needs again
    done = gmmu.csv("replay --policy fifo --frames 3 --as-opt", "-" if pipe else belady, stdin=belady)
    assert done.columns("evictions", "as_opt") == [("6", "4")]


# ---- the same counts on every way

def test_file_and_pipe_agree(gmmu, belady):
    words = "replay --policy leu-exact,leu --frames 50%"
    file = gmmu.csv(words, belady).without("trace")
    assert len(file) == 2
    assert file == gmmu.csv(words, "-", stdin=belady).without("trace")


def test_same_output_twice(gmmu):
    words = "replay sim/traces/bfs.walk --policy leu --frames 75%"
    assert gmmu.csv(words).bytes == gmmu.csv(words).bytes


@pytest.fixture(scope="module")
def every(gmmu):
    """Every policy at two sizes, by one thread."""
    return replay_every(gmmu, 1, "sim/traces/hotspot.walk")


def replay_every(gmmu, threads, trace, stdin=None):
    return gmmu.csv("replay --policy %s --frames 50%%,9 --tier2 2x --seed 3 --threads %d" % (",".join(POLICIES), threads), trace, stdin=stdin)


def test_every_policy_at_two_sizes(every):
    assert every.column("policy") == [policy for policy in POLICIES for _ in range(2)]


def test_every_policy_on_three_threads(gmmu, every):
    assert replay_every(gmmu, 3, "sim/traces/hotspot.walk").bytes == every.bytes


def test_every_policy_from_a_pipe_with_a_percentage(gmmu, every):
    assert replay_every(gmmu, 2, "-", stdin="sim/traces/hotspot.walk").without("trace") == every.without("trace")


def test_a_pipe_of_known_pages_is_read_once(gmmu):
    words, trace = "replay --policy lru,uvm,leu:search=sample --frames 50%,75%", "sim/traces/bfs.walk"
    twice, once = gmmu.csv(words, trace), gmmu.csv(words + " --distinct 3408", "-", stdin=trace)
    assert once.without("trace") == twice.without("trace")
    assert "kept in memory" not in once.messages


def test_another_number_of_pages_is_found_at_the_end(gmmu):
    said = gmmu("replay --policy lru --distinct 3409 sim/traces/bfs.walk", status=2)
    assert said.text == "" and said.messages == "gmmu replay: --distinct: found 3409, expected 3408, the pages of the trace\n"


# ---- options of policies

def counts(gmmu, policy):
    return gmmu.csv("replay sim/traces/gemm.walk --frames 60% --policy", policy).without("policy")


def test_leu_host_that_hears_of_every_access_decides_as_leu(gmmu):
    assert counts(gmmu, "leu-host:sample=0:sampler=4096:batch=7") == counts(gmmu, "leu:sample=0:sampler=4096")


def test_leu_host_takes_all_its_options(gmmu):
    policy = "leu-host:config=default:batch=3:flush=0:touch=0:feed=1:sample=2:pseudo=0:censor=0:refresh=3"
    assert [row["accesses"] for row in counts(gmmu, policy)] == ["13968"]


def test_hpe_ideal_is_an_option_of_every_hpe(gmmu):
    words = "replay sim/traces/kmeans.walk --frames 50%"
    ideal = gmmu.csv(words + " --hpe-ideal --policy lru,hpe,hpe:set=8").bytes
    assert ideal == gmmu.csv(words + " --policy lru,hpe:ideal=1,hpe:set=8:ideal=1").bytes


def uvm(gmmu, policy):
    """The counts of POLICY, and its note as a dictionary."""
    done = gmmu("replay sim/traces/hotspot.walk --frames 80% --format csv --notes --policy", policy)
    note = next(line for line in done.messages.splitlines() if line.startswith("note: "))
    return done.rows[0], dict(word.split("=") for word in note.split()[2:])


def test_uvm_takes_the_chunk_from_the_page_size_of_the_trace(gmmu):
    row, note = uvm(gmmu, "uvm")
    assert (note["chunk"], int(note["chunks"])) == ("512", int(row["frames"]) // 512)
    assert int(note["bytes_in"]) == 4096 * int(note["in"])


def test_uvm_counts_pages_and_chunks(gmmu):
    row, note = uvm(gmmu, "uvm:chunk=64")
    assert int(note["in"]) == int(row["faults"]) + int(note["prefetched"])
    assert note["out"] == row["evictions"]
    assert 0 < int(note["chunks_out"]) < int(note["out"]) <= int(note["in"])
    assert 0 < int(note["used"]) <= int(note["prefetched"])


# KiB that nvprof saw come to a GTX 1080 Ti at each touch of a 64 KiB block: one thread, one fault at a time (docs/reference/policies.md)
MEASURED = {"getHWPrefetcherP1": ([0, 1, 2, 4, 8, 16], [64, 64, 128, 256, 512, 1024]),
            "getHWPrefetcherP2": ([1, 3, 0, 4, 8, 16], [64, 64, 128, 256, 512, 1024]),
            "getHWPrefetcherP3": ([1, 3, 5, 7, 0, 8, 16], [64, 64, 64, 64, 256, 512, 1024]),
            "largePageBoundary": ([32 * j + i for j in range(3) for i in (0, 1, 2, 4, 8, 16)], 3 * [64, 64, 128, 256, 512, 1024]),
            "managedAllocRoundUp": ([0, 1, 2, 4, 8, 16, 32, 33, 34], [64, 64, 128, 256, 512, 1024, 64, 64, 128])}


@pytest.mark.parametrize("benchmark", MEASURED)
def test_uvm_brings_what_a_gpu_was_seen_to_bring(gmmu, file, benchmark):
    blocks, measured = MEASURED[benchmark]
    came = [0]
    for n in range(1, len(blocks) + 1):
        touches = file("%d.csv" % n, "addr,rw", *["0x%x,w" % (0x7f246e000000 + 65536 * block) for block in blocks[:n]])
        done = gmmu("replay --from csv --policy uvm --frames 4096 --notes", touches)
        came.append(4 * int(done.messages.split(" in=")[1].split()[0]))
    assert [b - a for a, b in zip(came, came[1:])] == measured


def test_uvm_on_demand_prefetches_nothing(gmmu):
    row, note = uvm(gmmu, "uvm:chunk=64:prefetch=none")
    assert (note["prefetched"], note["in"]) == ("0", row["faults"])


# ---- hints

def hinted(gmmu, words, trace, stdin=None):
    return gmmu.csv("replay --policy lru,hinted,hinted-known --frames 50% " + words, trace, stdin=stdin).without("trace")


def test_hints_reach_policies_from_both_forms_on_any_number_of_threads(gmmu, hints):
    assert hinted(gmmu, "--threads 1", hints / "hints.gwt") == hinted(gmmu, "--threads 3", hints / "hints.walk")


def test_hints_reach_policies_from_a_pipe(gmmu, hints):
    assert hinted(gmmu, "", hints / "hints.gwt") == hinted(gmmu, "", "-", stdin=hints / "hints.gwt")


def test_hints_change_what_hinted_does(gmmu, hints):
    lines = (hints / "hints.walk").read_bytes().splitlines(keepends=True)
    without = hinted(gmmu, "", "-", stdin=b"".join(line for line in lines if not line.startswith(b"#!")))
    with_hints = hinted(gmmu, "", hints / "hints.gwt")
    assert [row["policy"] for row in with_hints if row not in without] == ["hinted", "hinted-known"]


# ---- other forms of traces

def test_a_gwt_replays_as_its_text(gmmu, bfs_gwt):
    words = "replay --policy opt --frames 50%"
    assert gmmu.csv(words, bfs_gwt).without("trace") == gmmu.csv(words, "sim/traces/bfs.walk").without("trace")


def test_a_text_in_gzip_is_read_twice(gmmu, tmp_path):
    packed = tmp_path / "bfs.walk.gz"
    with open("sim/traces/bfs.walk", "rb") as trace:
        packed.write_bytes(gzip.compress(trace.read(), 1))
    words = "replay --policy opt --frames 50%"
    assert gmmu.csv(words, packed).without("trace") == gmmu.csv(words, "sim/traces/bfs.walk").without("trace")


def test_what_is_no_walk_is_counted(gmmu, lackey):
    assert "1 instruction fetches were not converted" in gmmu("replay --from=lackey --frames 1", lackey).messages


def test_a_csv_that_is_read_twice_names_its_ignored_columns_once(gmmu, table):
    assert gmmu("replay --from csv --frames 50%", table).messages.count("columns ignored") == 1


# ---- wrong inputs

OF_LEU = "config, search, k, pool, classes, count, sampler, ref, pseudo, censor, feed, sample, refresh, protect, duel, share, shadow, decay, " \
    "deviations, back, octave, drop, keep, prior, early, engine, merge"
LEU_HOST = "config=tiny|default|onchip|large, batch=1..128, flush=0|1, touch=0|1, feed=0|1, sample=0..8, sampler=N, pseudo=0|1, censor=0|1 or refresh=0..20"


@pytest.mark.parametrize("words, message", [
    ("--policy lruu", '--policy: found "lruu", ' + ONE_OF),
    ("--policy leu:config=none", 'leu: found option "config=none", expected config=tiny|default|onchip|large'),
    ("--policy leu:serch=scan", 'leu: found option "serch=scan", expected one of ' + OF_LEU),
    ("--policy leu:place=order", 'leu: found option "place=order", expected one of ' + OF_LEU),
    ("--policy tier:serch=scan --tier2 8", 'tier: found option "serch=scan", expected one of ' + OF_LEU +
     ", tie, ahead, place, full, default, limit, sets, ways"),
    ("--policy tier:place=no --tier2 8", 'tier: found option "place=no", expected place=priority|order|random|reuse'),
    ("--policy leu:k=0", 'leu: found option "k=0", expected k=1..1048576'),
    ("--policy leu2:tabel=8", 'leu2: found option "tabel=8", expected one of config, k, pool, sample, refresh, samples, ring, table, history, '
     "unknown, seed"),
    ("--policy leu2:table=3", 'leu2: found option "table=3", expected table=2..65536, a power of two'),
    ("--policy 2q:in=101", 'policy 2q: found the option "in=101", expected in=0..100'),
    ("--policy lirs:hir=x", 'policy lirs: found the option "hir=x", expected hir=0..100'),
    ("--policy hpe:set=12", "policy hpe: sets=128:ways=8:set=12:bits=2, 3 frames: HIR_PAGES: expected a power of two"),
    ("--policy uvm:chunk=48", 'uvm: found option "chunk=48", '
     'expected chunk=1..65536, a power of two, order=fault|access, prefetch=tbn|none'),
    ("--policy leu-host:k=3", 'leu-host: found option "k=3", expected ' + LEU_HOST),
    ("--policy leu-host:config=tiny:batch=64", "leu-host: configuration tiny with 256 frames: batch must not exceed RITQ"),
    ("--policy tier:config=large --tier2 8", "tier: configuration large with 1048576 frames: T2_SLOTS must be 0 with FRAME_MEM 1"),
    ("--frames 0", '--frames: found "0", expected pages from 1 to 3221225469, '
                   "a part of the distinct pages above 0% and up to 100%, such as 50%, or bytes with a unit, such as 4GiB"),
    ("--distinct 0", '--distinct: found "0", expected a whole number from 1 to 10^12 - 1'),
    ("--threads 0", '--threads: found "0", expected a whole number from 1 to 10^12 - 1'),
    ("--from nonesuch", '--from: found "nonesuch", expected one of auto, text, gwt, accelsim, lackey, oracle-general, csv, uvm-csv, g10, mooncake, '
     "accelsim-list, nvbit, nvprof, chunk-trace, drmemtrace, perf-script, perf-mem, champsim, vscsi, cachelib, table, pinatrace, ramulator, "
     "ramulator-cpu, ramulator2, dramsim3, dramsys, gem5, prospero, msr, spc"),
])
def test_wrong_option(gmmu, belady, words, message):
    frames = "" if "--frames" in words else " --frames 3"
    assert gmmu.refuses("replay " + words + frames, belady) == "gmmu replay: " + message


@pytest.mark.parametrize("policy, words", [
    (policy, value) for policy, words in (("leu", ["config=tiny|default|onchip|large", "search=scan|sample|clock"]),
                                          ("tier", ["tie=older|younger", "place=priority|order|random|reuse", "full=evict|drop",
                                                    "default=tierorder|random", "limit=tier2|both"])) for value in words])
def test_words_that_a_message_names_are_taken(gmmu, belady, policy, words):
    key, values = words.split("=")
    message = gmmu.refuses("replay --frames 3 --tier2 4 --policy %s:%s=?" % (policy, key), belady)
    assert message == 'gmmu replay: %s: found option "%s=?", expected %s' % (policy, key, words)
    for value in values.split("|"):
        done = run(gmmu.program, "replay --frames 3 %s --policy %s:%s=%s" % ("--tier2 4" if policy == "tier" else "", policy, key, value), belady)
        assert "found option" not in done.messages, value


def test_wrong_record(gmmu, bad_walk):
    assert gmmu.refuses("replay --policy lru --frames 1", bad_walk) == 'gmmu replay: %s:3: found "x", expected rw, r or w' % bad_walk


def test_empty_file(gmmu, file):
    empty = file("empty.walk")
    assert gmmu.refuses("replay", empty) == \
        'gmmu replay: %s:1: found the end of the file, expected "# gmmu-walk 1 page_shift=12" (forms of other tools: --from, any table: --from table)' % empty


def test_a_directory(gmmu, tmp_path):
    assert gmmu.refuses("replay", tmp_path) == "gmmu replay: %s: found a directory, expected a walk trace" % tmp_path


def test_a_page_wider_than_the_configuration(gmmu, file):
    wide = file("wide.walk", "# gmmu-walk 1 page_shift=12", "0x100000,1,r")
    assert gmmu.refuses("replay --policy leu:config=tiny --frames 1", wide) == \
        "gmmu replay: leu: found page 0x100000 of address space 0, expected at most 20 and 2 bits (configuration tiny)"


def test_wrong_row_of_a_csv(gmmu, file):
    bad = file("bad.csv", "vpn", "x")
    assert gmmu.refuses("replay --from csv", bad) == 'gmmu replay: %s:2: found "x", expected a page number below 2^64' % bad


# ---- a policy's limits cost its own row

@pytest.fixture
def far(file):
    """The third walk is beyond the widths of every configuration."""
    return file("far.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r", "2,0x10,r", "0x10000000000000,0x10,r", "1,0x10,w")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("policy", ["leu", "leu2", "leu-host", "leu:config=large"])
def test_a_page_beyond_a_policy(gmmu, far, policy, threads):
    done = gmmu("replay --format csv --frames 2 --policy lru,%s,opt --threads %d" % (policy, threads), far, status=2)
    assert done.columns("policy", "faults") == [("lru", "4"), ("opt", "3")]
    last = done.messages.splitlines()[-1]
    assert last.startswith("gmmu replay: %s with 2 frames has no row: %s: found page 0x10000000000000 of address space 0, " %
                           (policy, policy.split(":")[0])), last


def test_an_address_space_beyond_a_policy(gmmu, file):
    done = gmmu("replay --format csv --frames 2 --policy leu,lru,leu:config=large",
                file("t.walk", "# gmmu-walk 1 page_shift=12", "1,0x10,r,0,256"), status=2)
    assert done.column("policy") == ["lru", "leu:config=large"]


def test_no_row_left(gmmu, far):
    assert "expected at most 52 and 8 bits (configuration default)" in gmmu.refuses("replay --frames 2 --policy leu,leu2", far)


@pytest.mark.parametrize("policy, row", [
    ("leu", "leu:config=large"), ("leu2", "leu2:config=large"), ("leu-host", "leu-host:config=large"),
    ("leu:protect=2", "leu:protect=2:config=large"), ("leu:", "leu:config=large"), ("leu:config=large", "leu:config=large"),
])
def test_large_memories(gmmu, belady, policy, row):
    done = gmmu.csv("replay --frames 262145,262144 --policy lru,%s" % policy, belady)
    assert done.columns("policy", "frames") == \
        [("lru", "262145"), ("lru", "262144"), (row, "262145"), (row if policy.endswith("large") else policy, "262144")]
    assert done.column("faults") == ["5"] * 4


def test_lru_of_a_pipe_is_mattsons_at_each_size(gmmu, tmp_path):
    """The number of pages is not known before: what holds their order grows while pages leave. Mattson's stack counts otherwise."""
    path = tmp_path / "z.walk"
    gmmu("gen zipf -n 40000 -p 5000", "-o", path)
    sizes = ",".join(map(str, range(500, 4200, 97)))
    curve = gmmu("mrc --policy lru --format csv --frames " + sizes, path).columns("frames", "faults")
    assert gmmu("replay - --policy lru --format csv --frames " + sizes, stdin=path).columns("frames", "faults") == curve
    assert len(curve) == 39


# ---- edges of policies

@pytest.mark.parametrize("before, after", [
    ("leu:octave=1:config=default", "leu:config=default:octave=1"),
    ("leu:search=sample:k=2:pool=1:config=default", "leu:config=default:search=sample:k=2:pool=1"),
    ("leu:classes=8:count=4:sampler=16:config=default", "leu:config=default:classes=8:count=4:sampler=16"),
    ("leu-host:sampler=8:config=default", "leu-host:config=default:sampler=8"),
])
def test_options_in_any_order(gmmu, tmp_path, before, after):
    trace = tmp_path / "z.gwt"
    gmmu("gen zipf -p 300 -n 20000 --skew 0.8 -o", trace)
    rows = gmmu.csv("replay -f 100 -p %s,%s,%s" % (before, after, before.split(":")[0]), trace).column("faults")
    assert rows[0] == rows[1] != rows[2]


def test_pages_ahead_where_there_is_no_place(gmmu, file):
    """One frame has no room beside the page of the fault; behind the last page there is none."""
    one = file("one.walk", "# gmmu-walk 1 page_shift=12", *["%d,0,r" % (i % 2) for i in range(5)])
    rows = gmmu.csv("replay -p tier,tier:ahead=8,bam,bam:ahead=8 -f 1 --tier2 2", one).columns("faults", "tier2_hits", "tier3_reads")
    assert rows[0] == rows[1] == ("5", "3", "2") and rows[2] == rows[3]
    last = file("last.walk", "# gmmu-walk 1 page_shift=12", *["%d,0,r" % page for page in (0, 5, 6, 7, 2**64 - 1, 0)])
    rows = gmmu.csv("replay -p bam,bam:ahead=4 -f 3 --tier2 2", last).without("policy")
    assert rows[0] == rows[1]
    last = file("last52.walk", "# gmmu-walk 1 page_shift=12", *["%d,0,r" % page for page in (0, 5, 6, 7, 2**52 - 1, 0)])
    rows = gmmu.csv("replay -p tier,tier:ahead=4 -f 3 --tier2 2", last).columns("faults", "tier1_hits")
    assert rows[0] == rows[1]


def test_an_address_space_beyond_hpes_costs_hpe_alone(gmmu, file):
    trace = file("as.walk", "# gmmu-walk 1 page_shift=12", "0,0,r,0,70000", "1,0,r,0,0")
    done = gmmu("replay -p lru,hpe -f 1 --format csv", trace, status=2)
    assert done.column("policy") == ["lru"]
    assert "hpe with 1 frames has no row: hpe: found address space 70000, expected at most 65535" in done.messages
