# SPDX-License-Identifier: Apache-2.0
"""gmmu rdgc: hit ratios and transactions of small traces by hand, grids, forms of output, descriptions of GPUs, kernels, wrong inputs."""
import gzip
import json
import lzma
import os

import pytest
from command import ROOT

LATENCIES = " --set l1.latency=1 --set l2.latency=1"
RATIOS = ("L1_R_Hit", "L2_Hit", "L2_Hit_L1B", "L1_R_Trans", "L2_Trans", "L2_Trans_L1B")


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    """one.rdgc: a thread of one block reads A, B, A, writes A, reads A and C. A step between two of them is all that memory takes, so that
    none waits. L1 (write-evict): misses A, B, hits A, loses A to the write, misses A, C. L2 sees A, B, the write, A, C. Without L1, L2 sees
    all six. two.rdgc: a grid of two blocks, each reads A. three.rdgc: one.rdgc and two.rdgc; L2 has kept A."""
    folder = tmp_path_factory.mktemp("rdgc")
    one = "# gmmu-rdgc 1 blocks=1 threads=32\n0,0,7,r,0x1000\n1,0,7,r,0x2000\n2,0,7,r,0x1004\n3,0,7,w,0x1008\n4,0,7,r,0x100c\n5,0,7,r,0x3000\n"
    two = "# gmmu-rdgc 1 blocks=2 threads=1\n0,0,0,r,0x1000\n0,1,0,r,0x1010\n"
    for name, text in (("one", one), ("two", two), ("three", one + two)):
        (folder / (name + ".rdgc")).write_text(text, encoding="utf-8")
    return folder


def rdgc(gmmu, trace, words="", stdin=None):
    return gmmu.csv("rdgc " + words + LATENCIES, trace, stdin=stdin)


def test_hit_ratios(gmmu, traces):
    assert rdgc(gmmu, traces / "one.rdgc").columns("L1_R_Hit", "L2_Hit", "L2_Hit_L1B") == [("0.200000", "0.400000", "0.500000")]


def test_transactions_of_a_pipe(gmmu, traces):
    done = rdgc(gmmu, "-", stdin=traces / "one.rdgc")
    assert done.columns("L1_R_Trans", "L2_Trans", "L2_Trans_L1B") == [("5", "5", "6")]


def test_steps_of_l1(gmmu, traces):
    assert rdgc(gmmu, traces / "one.rdgc").column("l1_steps") == ["6"]


def test_grids_and_accesses(gmmu, traces):
    names = ("grids", "blocks", "threads", "L", "L_sum", "reads", "writes")
    assert rdgc(gmmu, traces / "three.rdgc").columns(*names) == [("2", "3", "32", "6", "7", "7", "1")]


def test_l2_is_kept_from_grid_to_grid(gmmu, traces):
    assert rdgc(gmmu, traces / "three.rdgc").column("L2_Hit") == ["0.571429"]


def test_l2_is_not_kept(gmmu, traces):
    assert rdgc(gmmu, traces / "three.rdgc", "--set keep_l2=no").column("L2_Hit") == ["0.428571"]


def test_one_grid_alone(gmmu, traces):
    assert rdgc(gmmu, traces / "three.rdgc", "--grid 1").without("source") == rdgc(gmmu, traces / "two.rdgc").without("source")


@pytest.mark.parametrize("grids, count", [("0", "1"), ("0,1", "2"), ("0-", "2"), ("1-", "1"), ("0-1", "2"), ("0-/2", "1"), ("1-1/3", "1"), ("all", "2")])
def test_chosen_grids(gmmu, traces, grids, count):
    assert rdgc(gmmu, traces / "three.rdgc", "--grid " + grids).column("grids") == [count]


@pytest.mark.parametrize("words, ratios", [
    ("--l1 on", ("0.200000", "0.400000", "", "5", "5", "")),
    ("--l1 off", ("", "", "0.500000", "", "", "6")),
    ("--l1 both", ("0.200000", "0.400000", "0.500000", "5", "5", "6")),
    ("--gpu gt740m", ("", "", "0.500000", "", "", "6")),  # a GPU without L1
])
def test_with_and_without_l1(gmmu, traces, words, ratios):
    assert rdgc(gmmu, traces / "one.rdgc", words).columns(*RATIOS) == [ratios]


def test_no_ratio_of_no_reads(gmmu, file):
    done = gmmu("rdgc --format json", file("write.rdgc", "# gmmu-rdgc 1 blocks=1 threads=1", "0,0,0,w,64")).json()[0]
    assert (done["L1_R_Hit"], done["L1_R_Trans"], done["L2_Hit"], done["L2_Trans"]) == (None, 0, 0.0, 1)
    assert "C1R" not in done


# ---- counters of reuse distances

def counters(**counts):
    return [(name, distance, count) for name, row in counts.items() for distance, count in zip(("0", "1", "inf"), row.split())]


WITH_L1 = {"C1R": "1 0 4", "C1W": "1 0 0", "C2R": "1 0 3", "C2W": "1 0 0"}
WITHOUT_L1 = {"C2R_L1B": "2 0 3", "C2W_L1B": "1 0 0"}


@pytest.mark.parametrize("words, expected", [
    ("", counters(**WITH_L1, **WITHOUT_L1)),
    ("--l1 on", counters(**WITH_L1)),
])
def test_counters(gmmu, traces, words, expected):
    done = rdgc(gmmu, traces / "one.rdgc", "--gpu rdgc_base --set l1.ways=2 --set l2.ways=2 --profile " + words)
    assert done.columns("counters", "rd", "count") == expected


def test_json(gmmu, traces):
    done = gmmu("rdgc --l1 off --vary sms+seed=2:7 --format json --profile", traces / "one.rdgc").json()[0]
    assert done["varied"] == {"sms": "2", "seed": "7"}
    assert (done["L1_R_Hit"], done["L2_Trans_L1B"], sum(done["C2R_L1B"])) == (None, 6, 5)


# ---- tables for the eye

def table(gmmu, words, trace):
    return [line.rstrip() for line in gmmu("rdgc --gpu rdgc_base " + words, trace).lines]


def test_table_of_two_cases(gmmu, traces):
    lines = table(gmmu, "--profile --vary sms=2,3", traces / "one.rdgc")
    assert lines[4:7] == [
        "sms        L1_R_Hit L2_Hit L2_Hit_L1B L1_R_Trans L2_Trans L2_Trans_L1B",
        "2          0.200000 0.400000   0.500000          5        5            6",
        "3          0.200000 0.400000   0.500000          5        5            6"]
    assert lines[11:15] == ["", "2", "C1R      0: 1 inf: 4", "C1W      0: 1 inf: 0"]


def test_table_of_one_case(gmmu, traces):
    assert table(gmmu, "--profile", traces / "one.rdgc")[9:12] == ["", "C1R      0: 1 inf: 4", "C1W      0: 1 inf: 0"]


def test_table_with_a_long_key(gmmu, traces):
    assert [line[:22] for line in table(gmmu, "--vary l2.bank_chunk=1,64", traces / "one.rdgc")[4:7]] == \
        ["l2.bank_chunk L1_R_Hit", "1             0.200000", "64            0.200000"]


# ---- many cases

def test_128_models_on_any_number_of_threads(gmmu, traces):
    words = "--vary seed=" + ",".join(str(seed) for seed in range(1, 65))
    done = rdgc(gmmu, traces / "one.rdgc", words + " --threads 100")
    assert done.column("seed") == [str(seed) for seed in range(1, 65)]
    assert done.bytes == rdgc(gmmu, traces / "one.rdgc", words + " --threads 1").bytes


# ---- kernel traces of Accel-Sim

# Two blocks of 40 threads, in the order of the tracer: block (1,0,0) first. AN counts the accesses to device memory of each warp; the atomic of
# block 1 is its warp's access 0, since STS and the generic access to shared memory have no number.
TRACED = ["-kernel name = k", "-kernel id = 1", "-grid dim = (2,1,1)", "-block dim = (40,1,1)", "-shmem base_addr = 0x00007f0000000000", "",
          "#traces format = x", "",
          "#BEGIN_TB", "", "thread block = 1,0,0", "", "warp = 1", "insts = 4", "0010 000000ff 0 STS 1 R2 4 1 0x10 4",
          "0020 00000003 1 R4 LD.E 1 R2 4 0 0x7f0000000010 0x7f0000000014", "0030 00000081 0 REDG.E.ADD 1 R2 4 2 0x9000 16",
          "0040 00000001 0 EXIT 0 0 0", "", "warp = 0", "insts = 0", "", "#END_TB", "",
          "#BEGIN_TB", "", "thread block = 0,0,0", "", "warp = 0", "insts = 3", "0010 80000005 1 R4 LDG.E 1 R2 4 1 0x1000 4",
          "0018 00000002 1 R4 LD.E 1 R2 4 0 0x7000", "0020 00000001 0 STG.E 2 R1 R2 4 1 0x2000 0", "", "#END_TB", ""]
TRACED_LINES = ["# gmmu-rdgc 1 blocks=2 threads=40", "0,0,0,r,0x1000", "0,0,2,r,0x1004", "0,0,31,r,0x1008", "1,0,1,r,0x7000", "2,0,0,w,0x2000",
                "0,1,32,a,0x9000", "0,1,39,a,0x9010"]


def test_a_kernel_trace(gmmu, file):
    done = gmmu("rdgc -o -", file("k.traceg", *TRACED))
    assert done.lines == TRACED_LINES
    assert done.messages == "gmmu rdgc: 2 accesses to shared, local or constant memory were not taken\n"


def test_a_kernel_trace_gives_what_its_threads_give(gmmu, file):
    traced = gmmu.csv("rdgc --profile --more", file("k.traceg", *TRACED, *TRACED))
    threads = gmmu.csv("rdgc --profile --more", file("k.rdgc", *TRACED_LINES, *TRACED_LINES))
    assert traced.without("source") == threads.without("source") and len(traced.rows) > 40
    one = gmmu.csv("rdgc --more --set atomics=past", file("k.traceg", *TRACED, *TRACED))
    assert one.columns("grids", "blocks", "threads", "reads", "writes", "atomics") == [("2", "4", "40", "8", "6", "2")]


def test_kernel_traces_in_all_ways(gmmu, file, tmp_path):
    path = file("kernel-1.traceg", *TRACED)
    (tmp_path / "kernelslist.g").write_text("MemcpyHtoD,0x0000000000001000,64\nkernel-1.traceg\nkernel-1.traceg\n")
    (tmp_path / "k.xz").write_bytes(lzma.compress(path.read_bytes()))
    (tmp_path / "mark").write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    for words, *more in (["", path], ["--from accelsim", path], ["", tmp_path / "k.xz"], ["", tmp_path / "mark"],
                         ["--grid 1", tmp_path / "kernelslist.g"], ["--grid 0 --from accelsim-list", tmp_path / "kernelslist.g"]):
        assert gmmu("rdgc -o - " + words, *more).lines == TRACED_LINES
    assert gmmu("rdgc -o - --from accelsim -", stdin=path).lines == TRACED_LINES
    assert gmmu("rdgc -o -", tmp_path / "kernelslist.g").lines == TRACED_LINES * 2


def test_blocks_of_a_kernel_in_three_dimensions(gmmu, file):
    blocks = [line for z in range(2) for y in range(3) for x in range(2) for line in (
        "#BEGIN_TB", "thread block = %d,%d,%d" % (x, y, z), "warp = 0", "insts = 1", "0 1 0 STG 2 R1 R2 4 0 0x%d%d%d000" % (z, y, x), "#END_TB")]
    done = gmmu("rdgc -o -", file("k.traceg", "-kernel name = k", "-grid dim = (2,3,2)", "-block dim = (1,2,4)", *blocks))
    assert done.lines == ["# gmmu-rdgc 1 blocks=12 threads=8"] + [
        "0,%d,0,w,0x%x" % (6 * z + 2 * y + x, int("%d%d%d000" % (z, y, x), 16)) for z in range(2) for y in range(3) for x in range(2)]


@pytest.mark.parametrize("old, new, line, expected", [
    ("-block dim = (40,1,1)", "", 9, "the lines -grid dim and -block dim before"), ("-grid dim = (2,1,1)", "", 9, "the lines -grid dim and -block dim before"),
    ("-block dim = (40,1,1)", "-block dim = (40,1)", 4, "the grid's or block's size (x,y,z)"), ("thread block = 1,0,0", "", 13, "a warp of a thread block"),
    ("thread block = 1,0,0", "thread block = 2,0,0", 11, "a thread block x,y,z of the grid"), ("warp = 1", "warp = 2", 13, "a warp of a thread block"),
    ("thread block = 1,0,0", "thread block = 1,0", 11, "a thread block x,y,z of the grid"), ("warp = 1", "", 16, "thread block and warp before"),
    ("#BEGIN_TB", "#BEGIN0", 11, "#BEGIN_TB before"), ("#traces format = x", "#BEGIN_TB", 9, "#END_TB before"),
    ("thread block = 0,0,0", "-block dim = (4000,1,1)", 27, "-kernel name before"), ("thread block = 0,0,0", "-grid dim = (9,9,9)", 27, "-kernel name before"),
    ("#END_TB", "", 25, "#END_TB before"),
    ("0030 00000081", "0030 00000101", 17, "lanes below the threads of a block"),
    ("insts = 4", "insts = 5", 20, "as many as the line insts of the warp states"),
])
def test_kernel_traces_that_are_refused(gmmu, file, old, new, line, expected):
    path = file("k.traceg", *[text.replace(old, new) for text in TRACED])
    message = gmmu.refuses("rdgc", path)
    assert message.startswith("gmmu rdgc: %s:%d: found " % (path, line)) and message.endswith("expected " + expected)


def test_what_is_no_kernel_trace(gmmu, file, tmp_path):
    path = file("k.traceg", *[line.replace("(40,", "(1025,") for line in TRACED])
    assert gmmu.refuses("rdgc", path) == "gmmu rdgc: %s: threads: found 1025, expected 1 to 1024" % path
    assert gmmu.refuses("rdgc --from lackey", path) == 'gmmu rdgc: --from: found "lackey", expected accelsim or accelsim-list'
    assert gmmu.refuses("rdgc --size 5", path).startswith("gmmu rdgc: found --size")
    (tmp_path / "t.gz").write_bytes(gzip.compress(b" L 1000,8\n S 2ffc,8\n"))
    assert gmmu.refuses("rdgc", tmp_path / "t.gz").endswith("found a compressed file, expected text: zcat, xzcat or zstdcat FILE | gmmu rdgc -")


# ---- kernels

ATAX = "rdgc atax --size 70 --gpu rdgc_base"


@pytest.fixture(scope="module")
def atax(gmmu, tmp_path_factory):
    """The run of a kernel, and the file of its accesses."""
    path = tmp_path_factory.mktemp("atax") / "atax.rdgc"
    return gmmu.csv(ATAX + " -o", path), path


def test_the_result_is_checked(atax):
    assert atax[0].messages.count("result check passed") == 1


def test_accesses_of_atax(atax):
    # per grid and thread: (a load of the sum, of A, of the vector, a store) of 70 iterations
    assert atax[0].columns("grids", "L", "L_sum", "reads", "writes") == [("2", "280", "560", "29400", "9800")]


def test_what_is_written_reads_as_the_kernel(gmmu, atax):
    assert gmmu.csv("rdgc --gpu rdgc_base", atax[1]).without("source") == atax[0].without("source")


def test_a_kernel_into_a_pipe(gmmu, atax):
    assert gmmu(ATAX + " -o -").bytes == atax[1].read_bytes()


def test_one_grid_of_a_kernel(gmmu):
    one = gmmu(ATAX + " --grid 1 -o -").bytes
    assert gmmu.csv("rdgc - --gpu rdgc_base", stdin=one).column("reads") == ["14700"]


VARY = "rdgc --gpu rdgc_base --vary l1.size=8K,32K --vary l1.index+l2.index=pri,mod:xor"


def test_every_combination(gmmu, atax):
    assert gmmu.csv(VARY, atax[1]).columns("l1.size", "l1.index", "l2.index") == [
        ("8K", "pri", "pri"), ("8K", "mod", "xor"), ("32K", "pri", "pri"), ("32K", "mod", "xor")]


def test_combinations_on_any_number_of_threads(gmmu, atax):
    assert gmmu.csv(VARY + " --threads 1", atax[1]).bytes == gmmu.csv(VARY + " --threads 3", atax[1]).bytes


def test_vary_is_as_set(gmmu, atax):
    varied = gmmu.csv(VARY, atax[1]).without("l1.size", "l1.index", "l2.index")[3]  # 32K is rdgc_base's
    assert varied == gmmu.csv("rdgc --gpu rdgc_base --set l2.index=xor --set l1.index=mod", atax[1]).rows[0]


def test_a_gpu_of_ones_own(gmmu, atax, tmp_path):
    mine = tmp_path / "mine.gpu"
    mine.write_bytes(gmmu("rdgc --show --gpu gt740m --set l2.banks=4").bytes)
    assert gmmu("rdgc --gpu", mine, atax[1]).text == gmmu("rdgc --gpu gt740m --set l2.banks=4", atax[1]).text


def test_a_wrong_result_leaves_nothing(gmmu, tmp_path):
    wrong = tmp_path / "wrong.rdgc"
    done = gmmu("rdgc atax --size 40 --inject-fault -o", wrong, status=1)
    assert done.text == ""
    assert done.messages.count("atax: y[20]: found") == 1
    assert not wrong.exists()


# ---- wrong inputs

@pytest.mark.parametrize("words, message", [
    ("atax --gpu gtx97", "gtx97: No such file or directory, expected a100, gt740m, gtx480, gtx570, gtx970, h200, rdgc_base, titan_x, or a file"),
    ("nonesuch", 'found "nonesuch", which is no kernel of gmmu record and no readable file (No such file or directory), expected either'),
    ("atax --set l3.ways=2", 'found "l3.ways", expected a parameter as l1.ways or sms'),
])
def test_wrong_option(gmmu, words, message):
    assert gmmu.refuses("rdgc " + words) == "gmmu rdgc: " + message


def test_a_grid_that_is_not_there(gmmu, traces):
    assert gmmu.refuses("rdgc --grid 2", traces / "three.rdgc") == "gmmu rdgc: --grid: found none of these in 2 grids, expected numbers from 0"


def test_wrong_record(gmmu, file):
    bad = file("bad.rdgc", "# gmmu-rdgc 1 blocks=1 threads=1", "0,0,1,r,0")
    assert gmmu.refuses("rdgc", bad) == 'gmmu rdgc: %s:2: found "1", expected TID, a number below Bdim' % bad


# ---- other sizes, times, what counters of GPUs show

def test_other_numbers_of_ways(gmmu, traces):
    done = rdgc(gmmu, traces / "one.rdgc", "--gpu rdgc_base --set l1.ways=2 --set l2.ways=2 --ways")
    assert done.columns("cache", "ways", "bytes", "hit") == [
        ("L1_R", "1", "16384", "0.200000"), ("L1_R", "2", "32768", "0.200000"), ("L2", "1", "524288", "0.400000"), ("L2", "2", "1048576", "0.400000"),
        ("L2_L1B", "1", "524288", "0.500000"), ("L2_L1B", "2", "1048576", "0.500000")]


def test_fewer_ways_are_as_runs_with_fewer_ways(gmmu):
    conv = "rdgc 2dconv --size 100 --grid 0 --stop --gpu rdgc_base --l1 on --set l1.latency=1 "
    sums = [hit for cache, hit in gmmu.csv(conv + "--ways --set l1.size=16K").columns("cache", "hit") if cache == "L1_R"]
    runs = gmmu.csv(conv + "--vary l1.size+l1.ways=4K:1,8K:2,12K:3,16K:4").column("L1_R_Hit")
    assert sums == runs
    assert sums == sorted(sums) and len(set(sums)) == 4


def test_ways_in_json(gmmu, traces):
    done = gmmu("rdgc --ways --l1 on --format json --gpu rdgc_base --set l1.ways=1 --set l2.ways=1", traces / "one.rdgc").json()
    assert [(line["cache"], line["ways"]) for line in done] == [("L1_R", 1), ("L2", 1)]


def test_ways_of_another_policy(gmmu, traces):
    assert gmmu.refuses("rdgc --ways --set l2.replace=fifo", traces / "one.rdgc").startswith("gmmu rdgc: --ways: found a cache without replace = lru")


def test_mean_time_of_a_read(gmmu, traces):
    # L1 hits 1 of 5 reads, L2 behind it 1 of 4; alone L2 hits 2 of 5
    done = rdgc(gmmu, traces / "one.rdgc", "--amat 10,100,1000")
    assert done.columns("AMAT", "AMAT_L1B") == [("622.000000", "640.000000")]


@pytest.mark.parametrize("text", ["10,100", "10,100,0", "10,100,x", "10,100,1000,5", ""])
def test_wrong_times(gmmu, traces, text):
    assert "expected three numbers of cycles" in gmmu.refuses("rdgc --amat", text, traces / "one.rdgc")


def test_reads_of_l2(gmmu, traces):
    assert rdgc(gmmu, traces / "one.rdgc", "--more").columns("L2_R_Hit", "L2_R_Hit_L1B", "L2_R_Trans", "atomics", "L1_Quad_Hit") == \
        [("0.250000", "0.400000", "4", "0", "")]


def test_the_second_time_is_counted(gmmu, traces):
    assert rdgc(gmmu, traces / "one.rdgc", "--twice").columns("grids", "L1_R_Hit", "L2_Hit", "L2_Trans") == [("1", "0.200000", "1.000000", "5")]


ATOMICS = "0,0,0,r,0x1000", "1,0,0,a,0x1000", "2,0,0,r,0x1000"


@pytest.mark.parametrize("words, figures", [
    ("", ("0.000000", "1", "0", "3")),  # a write: L1 loses the block
    ("--set atomics=past", ("0.500000", "0", "1", "2")),
])
def test_atomics(gmmu, file, words, figures):
    path = file("atomic.rdgc", "# gmmu-rdgc 1 blocks=1 threads=1", *ATOMICS)
    assert rdgc(gmmu, path, "--more " + words).columns("L1_R_Hit", "l1_write_evictions", "atomics", "L2_Trans") == [figures]


def test_atomics_of_a_kernel(gmmu):
    lines = gmmu("rdgc histo --size 4 --grid 0 --stop -o -").lines
    assert {line.split(",")[3] for line in lines if line[0] != "#"} == {"r", "a"}


def test_quads(gmmu, file):
    # 32 neighbours of 4 bytes: 4 sectors, each asked for by two quads; then all read one address; then they write the sectors
    lines = ["%d,0,%d,%s,%d" % (number, lane, kind, 0x1000 + 4 * lane * wide) for number, kind, wide in ((0, "r", 1), (1, "r", 0), (2, "w", 1))
             for lane in range(32)]
    done = rdgc(gmmu, file("quads.rdgc", "# gmmu-rdgc 1 blocks=1 threads=32", *lines), "--more --l1 on --set quads=yes --set l1.merged=hit")
    assert done.columns("L1_Quad_Hit", "L1_Quad_Trans") == [("0.600000", "20")]


def test_stop(gmmu):
    done = gmmu.csv("rdgc atax --size 70 --grid 0 --stop --gpu rdgc_base")
    assert done.column("reads") == ["14700"]
    assert "stopped, result not checked" in done.messages


def test_without_an_array(gmmu):
    assert gmmu.csv("rdgc atax --size 70 --without A,x --gpu rdgc_base").column("reads") == ["14700"]


@pytest.mark.parametrize("option", ["--stop", "--without A", "--depth 3", "--launches 3"])
def test_options_of_kernels(gmmu, traces, option):
    assert gmmu.refuses("rdgc " + option, traces / "one.rdgc") == "gmmu rdgc: found %s with \"%s\", expected it with a kernel of gmmu record" % (
        option.split()[0], str(traces / "one.rdgc")[:60])


def test_depth_and_launches(gmmu):
    words = "rdgc stencil --size 12 --gpu rdgc_base --l1 on --depth "
    assert gmmu.csv(words + "6 --launches 3").columns("grids", "reads") != gmmu.csv(words + "5 --launches 3").columns("grids", "reads")
    assert gmmu.csv(words + "6 --launches 3").column("grids") == ["3"]


# ---- against counters of real GPUs (scripts/rdgc_hardware.json; make rdgc-hardware has all kernels)

with open(os.path.join(ROOT, "scripts/rdgc_hardware.json"), encoding="utf-8") as measured_file:
    MEASURED = json.load(measured_file)
KERNELS = {kernel["name"]: kernel for kernel in MEASURED["kernels"]}


def test_misses_of_a_walk_round_an_array(gmmu):
    walk = MEASURED["walk"]
    for elements, misses in zip(walk["elements"], walk["misses"]):
        text = "# gmmu-rdgc 1 blocks=1 threads=1\n" + "".join(
            "%d,0,0,r,%d\n" % (n, 0x100000 + n * walk["stride"] % elements * walk["element"]) for n in range(walk["loads"]))
        done = gmmu.csv("rdgc - --gpu gtx570 --l1 on", stdin=text.encode())
        assert abs(100 - 100 * float(done.column("L1_R_Hit")[0]) - misses) < 0.01


@pytest.mark.parametrize("name, l1, l2", [("atax K1", 1.2, 1), ("atax K2", 0.01, 0.01), ("gesummv", 0.4, 2)])
def test_gtx570(gmmu, name, l1, l2):
    done = gmmu.csv("rdgc %s --gpu gtx570 --l1 on --more" % KERNELS[name]["command"])
    found = [100 * float(done.column(column)[0]) for column in ("L1_R_Hit", "L2_R_Hit")]
    wanted = KERNELS[name]["gtx570"]
    assert abs(found[0] - wanted["l1"]) < l1 and abs(found[1] - wanted["l2_reads"]) < l2


@pytest.mark.parametrize("name", ["atax K2", "gesummv", "bicg K1", "bicg K2", "mvt K1", "mvt K2"])
def test_titan_x(gmmu, name):
    done = gmmu.csv("rdgc %s --gpu titan_x --l1 on --more" % KERNELS[name]["command"])
    assert abs(100 * float(done.column("L1_Quad_Hit")[0]) - KERNELS[name]["titan_x"]["tex"]) < 0.15


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_file_is_named(gmmu, tmp_path, pack):
    path = tmp_path / "t.rdgc"
    path.write_bytes(pack(b"# gmmu-rdgc 1 blocks=1 threads=32\n0,0,0,r,0x10000\n"))
    assert gmmu.refuses("rdgc", path) == "gmmu rdgc: %s: found a compressed file, expected text: zcat, xzcat or zstdcat FILE | gmmu rdgc -" % path


def test_a_cut_trace_is_said(gmmu, tmp_path):
    path = tmp_path / "cut.rdgc"
    path.write_text("# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,0x10")
    assert gmmu("rdgc", path).messages.startswith("gmmu rdgc: %s: the last line has no newline: the file may be cut\n" % path)
    path.write_text("# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,r,0x10\n")
    assert "may be cut" not in gmmu("rdgc", path).messages


def test_a_cut_kernel_trace_is_said(gmmu, tmp_path):
    path = tmp_path / "k.traceg"
    path.write_text("\n".join(TRACED).rstrip("\n"))
    said = "gmmu rdgc: %s: the last line has no newline: the file may be cut\n"
    whole = "".join(line + "\n" for line in TRACED)
    assert said % path in gmmu("rdgc", path).messages
    assert said % "<stdin>" in gmmu("rdgc --from accelsim -", stdin=whole.rstrip("\n").encode()).messages
    path.write_text(whole)
    assert "may be cut" not in gmmu("rdgc", path).messages


@pytest.mark.parametrize("kinds", ["r", "rw", "rwa"])
def test_reads_writes_and_atomics_of_one_access_number(gmmu, file, kinds):
    """Each lane in a block of its own: as long a list as an SM can have."""
    trace = file("long.txt", "# gmmu-rdgc 1 blocks=1 threads=1024", *[
        "%d,0,%d,%s,%d" % (an, t, kind, (an * 3072 + t * 3 + k) * 4096 + (1 << 20))
        for an in range(2) for t in range(1024) for k, kind in enumerate(kinds)])
    done = gmmu.csv("rdgc --l1 on", trace)
    assert "%d coalesced accesses" % (2 * 1024 * len(kinds)) in done.messages
