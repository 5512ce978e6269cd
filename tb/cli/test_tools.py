# SPDX-License-Identifier: Apache-2.0
"""test_tools.py: traces as tools write them: GPU tracers, profilers, CPU tracers, caches. Each sample has the form's peculiarities."""
import gzip
import lzma
import struct

import pytest

from command import refused, run
from test_tables import FORMS


def convert(gmmu, form, path, options="", **more):
    return gmmu("trace convert -o - %s --from" % options, form, path, **more)


def nvbit_line(opcode, *addresses, grid=0, context="0x00007f8a0040a000"):
    lanes = [*addresses, *[0] * (32 - len(addresses))]
    return "MEMTRACE: CTX %s - grid_launch_id %d - CTA 0,1,0 - warp 3 - %s - %s " % (context, grid, opcode, " ".join("0x%016x" % a for a in lanes))


def nvbit_launch(pc, name, grid, context="0x00007f8a0040a000"):
    return ("MEMTRACE: CTX %s - LAUNCH - Kernel pc 0x%016x - Kernel name %s - grid launch id %d - grid size 2,1,1 - block size 32,1,1 - "
            "nregs 8 - shmem 0 - cuda stream id 0" % (context, pc, name, grid))


NVBIT = ["------------- NVBit (NVidia Binary Instrumentation Tool v1.7.5) Loaded --------------", "Max error 0",
         nvbit_launch(0x7f1000, "vec - add(float*, float*)", 0), nvbit_line("LDG.E", 0x7f5000001000, 0, 0x7f5000002000, 0x7f5000001ff8),
         "done 50 %" + nvbit_line("STG.E.64", 0x7f5000003000), nvbit_line("LDS", 0x10), nvbit_line("UBLKCP", 0x20), nvbit_line("LDG.E"),
         nvbit_launch(0x7f1000, "vec - add(float*, float*)", 1), nvbit_line("LDG.E", 0x7f5000001000, grid=1), nvbit_launch(0x7f2000, "x" * 5000, 2),
         nvbit_line("ATOMG.E.ADD", 0x7f5000001000, grid=2, context="0x00007f8a00500000"), "y" * 9000]


def test_nvbit(gmmu, file):
    done = convert(gmmu, "nvbit", file("t", *NVBIT))
    rows = [walk.split(",") for walk in done.walks]
    assert [(row[0], row[2], (row[4:] or ["0"])[0]) for row in rows] == [
        ("0x7f5000001", "r", "0"), ("0x7f5000002", "r", "0"), ("0x7f5000003", "w", "0"), ("0x7f5000001", "r", "0"), ("0x7f5000001", "w", "1")]
    refs = [row[1] for row in rows]
    assert refs[0] == refs[1] == refs[3] and len(set(refs)) == 3  # the same kernel's LDG.E; others
    assert [line for line in done.lines if line.startswith("#!l")] == ["#!launch,%d" % pc for pc in (0x7f1000, 0x7f1000, 0x7f2000)]
    assert done.messages == "gmmu trace: 3 lines of the program, 1 accesses to shared, local or constant memory, 1 accesses by UBLKCP were not converted\n"


@pytest.mark.parametrize("line, expected", [
    (nvbit_line("LDG.E", 1)[:-30], "32 addresses with 0x"), (nvbit_line("LDG.E", 1) + "0x1", "32 addresses and no more"),
    ("MEMTRACE: CTX 12", "a context with 0x"),
    ("MEMTRACE: CTX 0x12 - LAUNCH - Kernel name", "Kernel pc 0x"), ("MEMTRACE: CTX 0x12 - grid", "LAUNCH or grid_launch_id"),
    (nvbit_line("ldg", 1), "an opcode"), (nvbit_line("LDG", 1).replace("0,1,0", "0,1"), "CTA x,y,z"),
    (nvbit_line("LDG", 1).replace("warp 3", "warp"), "warp and a number"),
    (nvbit_line("LDG", 1).replace("0x0000000000000001", "0x00000000000000g1"), "32 addresses with 0x"),
])
def test_nvbit_that_is_refused(gmmu, file, line, expected):
    assert "expected " + expected in gmmu.refuses("trace digest --from nvbit", file("t", nvbit_line("LDG", 5), line))


# ---- Accel-Sim's list

def kernel(name, page, write=False):
    opcode = "STG.E 2 R2 R4" if write else "LDG.E 1 R2"
    return "\n".join(["-kernel name = " + name, "-grid dim = (1,1,1)", "", "#BEGIN_TB", "", "thread block = 0,0,0", "", "warp = 0", "insts = 2",
                      "0010 00000001 %s 4 1 0x%x 0 0" % ("0 " + opcode if write else "1 R4 " + opcode, page << 12), "0020 00000001 0 LDS 1 R2 4 1 0x10 0",
                      "", "#END_TB", ""])


@pytest.fixture
def kernels(tmp_path):
    (tmp_path / "kernel-1.traceg").write_text(kernel("a", 0x700001))
    (tmp_path / "kernel-2-ctx_0x55.traceg.xz").write_bytes(lzma.compress(kernel("b", 0x700002, True).encode()))
    (tmp_path / "kernel-3.traceg.gz").write_bytes(gzip.compress(kernel("a", 0x700001).encode()))
    path = tmp_path / "kernelslist.g"
    path.write_text("MemcpyHtoD,0x0000000700001000,8193\nkernel-1.traceg\nMemcpyHtoD,0x0000000700001000,8193\nncclGroupStart\nMemcpyDtoH,0x700001000,4\n"
                    "kernel-2-ctx_0x55.traceg.xz\nMemcpyHtoD,0x0000000700008000,1\nkernel-3.traceg\n\n")
    return path


def test_a_list_of_kernels(gmmu, kernels):
    done = convert(gmmu, "accelsim-list", kernels)
    lines = [line for line in done.lines if not line.startswith("# ")]
    first, second = lines[2], lines[4]
    assert lines == ["#!hints 1", "#!alloc,0x700001,3,0", first, "0x700001,0x10,r", second, "0x700002,0x10,w", "#!alloc,0x700008,1,1", first, "0x700001,0x10,r"]
    assert first.startswith("#!launch,") and second.startswith("#!launch,") and first != second
    assert done.messages == ("gmmu trace: 3 accesses to shared, local or constant memory, 1 calls of NCCL, 1 other copies and frees "
                             "were not converted\n")
    assert gmmu.csv("replay --from accelsim-list --policy lru --frames 1", kernels).column("faults") == ["3"]


def test_allocations_go_before_copies(gmmu, kernels):
    kernels.write_text("cudaMalloc,0x700000000,65536\nMemcpyHtoD,0x700001000,8192\nkernel-1.traceg\n")
    assert [line for line in convert(gmmu, "accelsim-list", kernels).lines if line.startswith("#!alloc")] == ["#!alloc,0x700000,16,0"]


@pytest.mark.parametrize("content, found", [
    ("kernel-9.traceg\n", ':1: found no readable file "kernel-9.traceg" beside the list, expected the trace of a kernel'),
    ("MemcpyHtoD,0x10,1\n", ":1: found the end of the list, expected a kernel"), ("kernel-1.traceg\nwhat\n", ':2: found "what", expected a kernel\'s file'),
    ("MemcpyHtoD,16,1\nkernel-1.traceg\n", ":1: found \"16,1\", expected an address with 0x, and a comma"),
    ("MemcpyHtoD,0x10\nkernel-1.traceg\n", "expected an address with 0x, and a comma"), ("MemcpyHtoD,0x10,x\nkernel-1.traceg\n", "expected a size"),
])
def test_lists_that_are_refused(gmmu, kernels, content, found):
    kernels.write_text(content)
    assert found in gmmu.refuses("trace digest --from accelsim-list", kernels)


def test_a_kernel_of_the_list_that_ends_early(gmmu, kernels, tmp_path):
    path = tmp_path / "kernel-1.traceg"
    path.write_text(path.read_text()[:-9])
    assert gmmu.refuses("trace digest --from accelsim-list", kernels).startswith("gmmu trace: %s:" % path)


def test_what_is_no_kernel(gmmu, kernels, file):
    assert gmmu.refuses("trace digest --from accelsim", kernels).endswith("expected a line of a kernel; a list of kernels is --from accelsim-list")
    assert gmmu.refuses("trace digest --from accelsim", file("t", "0 0 0 1 0010 ffffffff 1 R4 LDG.E 1 R2 4 0x1")).endswith(
        "expected an opcode; a raw .trace is to be post-processed first")


# ---- profilers of unified memory

NVPROF = ["==4982== NVPROF is profiling process 4982, command: ./a", "x[0] = 1", "==4982== Profiling result:",
          "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*           Device   Context    Stream        Unified Memory "
          " Virtual Address  Name",
          "507.34ms         -                    -               -         -         -         -                -         -         -           PC 0x400b82 "
          "  0x7f1e3c000000  [Unified Memory CPU page faults]",
          "529.04ms  188.99us                    -               -         -         -         -  GeForce GTX 108         -         -                     1 "
          "  0x7f1e3c000000  [Unified Memory GPU page faults]",
          "529.06ms  1.3566ms              (1 1 1)        (32 1 1)        11        0B        0B  GeForce GTX 108         1         7                     - "
          "               -  k(int, char*) [108]",
          "529.21ms  1.9520us                    -               -         -         -         -  GeForce GTX 108         -         -            4.000000KB "
          "  0x7f1e3c000000  [Unified Memory Memcpy HtoD]",
          "1.52925s  25.120us                    -               -         -         -         -  GeForce GTX 108         -         -                     1 "
          "  0x7f1e3c010000  [Unified Memory GPU page faults]",
          "", "Regs: Number of registers used per CUDA thread."]
NVPROF_CSV = ["==12== Profiling result:",
              '"Start","Duration","Grid X","Grid Y","Grid Z","Block X","Block Y","Block Z","Registers Per Thread","Static SMem","Dynamic '
              'SMem","Device","Context","Stream","Unified Memory","Virtual Address","Name"',
              'ms,ms,,,,,,,,KB,KB,,,,,,', '529.04,0.189,,,,,,,,,,"Tesla T4 (0)",,,"114","0x7f1e3c000000","[Unified Memory GPU page faults]"',
              '529.06,1.36,1,1,1,32,1,1,11,0.0,0.0,"Tesla T4 (0)","1","7",,,"k(int, char*) [108]"',
              '1529.25,0.025,,,,,,,,,,"Tesla T4 (0)",,,"81","0x7f1e3c010000","[Unified Memory GPU page faults]"']
FAULTS = ["0x7f1e3c000,0x0,r,0,0,529040000", "0x7f1e3c010,0x0,r,0,0,1529250000"]


def test_nvprof(gmmu, file):
    done = convert(gmmu, "nvprof", file("t", *NVPROF))
    assert done.walks == FAULTS
    assert done.messages == ("gmmu trace: 2 lines of the program, 1 events Unified Memory CPU page faults, 1 kernels and copies, "
                             "1 events Unified Memory Memcpy HtoD were not converted\n")
    assert convert(gmmu, "nvprof", file("t", *NVPROF_CSV)).walks == FAULTS


@pytest.mark.parametrize("lines", [NVPROF[:2], [*NVPROF[:4], NVPROF[5].replace("0x7f1e3c000000", "7f1e3c000000")],
                                   [*NVPROF[:4], NVPROF[5][:-20].replace("529", "5x9")],
                                   [*NVPROF[:4], NVPROF[4][:-2]], [NVPROF_CSV[1], NVPROF_CSV[3]],
                                   [*NVPROF_CSV[:3], NVPROF_CSV[3].replace(',"0x7f1e3c000000"', "")],
                                   [*NVPROF[:4], NVPROF[5].replace("529.04ms", "529.04")]])
def test_nvprof_that_is_refused(gmmu, file, lines):
    gmmu.refuses("trace digest --from nvprof", file("t", *lines))


CHUNKS = ["time_ms,hook_type,pid,owner_pid,va_space,cpu,chunk_addr,list_addr,va_block,va_start,va_end,va_page_index",
          "0,ACTIVATE,100,4321,0xffff8881,3,0xffffc900,0xffff8882,0xffff8883,0x7f0000200000,0x7f00003fffff,0",
          "5,POPULATE,100,4321,0xffff8881,3,0xffffc900,0xffff8882,0xffff8883,0x7f0000400000,0x7f00005fffff,16",
          "6,EVICTION_PREPARE,100,,,3,0xffffc900,0xffff8882,,,,0", "7,ACTIVATE,100,,,3,0xffffc900,0xffff8882,,,,0"]


def test_chunk_trace(gmmu, file):
    done = convert(gmmu, "chunk-trace", file("t", *CHUNKS))
    assert "page_shift=21" in done.text and done.walks == ["0x3f80001,0x0,r,0,4321", "0x3f80002,0x0,r,0,4321,5"]
    assert done.messages == "gmmu trace: 1 events EVICTION_PREPARE, 1 events without a block of addresses were not converted\n"
    assert convert(gmmu, "chunk-trace", file("t", *CHUNKS), "--page-shift 12").walks == ["0x7f0000200,0x0,r,0,4321", "0x7f0000410,0x0,r,0,4321,5"]
    assert convert(gmmu, "chunk-trace", file("t", *CHUNKS), "--renumber").walks == ["0x0,0x0,r", "0x1,0x0,r,0,0,5"]


@pytest.mark.parametrize("line", ["0,MOVE,1,1,,,,,,0x1,0x2,0", "x,ACTIVATE,1,1,,,,,,0x1,0x2,0", "0,ACTIVATE,1,1,,,,,,0x1,0x2,512",
                                  "0,ACTIVATE,1,,,,,,,0x1,0x2,0", "0,ACTIVATE,1,1"])
def test_chunk_trace_that_is_refused(gmmu, file, line):
    assert ":2: found " in gmmu.refuses("trace digest --from chunk-trace", file("t", CHUNKS[0], line))


# ---- tracers and profilers of CPUs

VIEW = ["Output format:", "<--record#-> <--instr#->: <---tid---> <record details>", "------------------------------------------------------------",
        "           1           0:     1296577 <marker: version 4>", "           7           0:     1296577 <marker: timestamp 13309323446399692>",
        "          12           1:     1296577 ifetch       3 byte(s) @ 0x00007fe2fd1f6fa0 48 89 e7             mov    %rsp -> %rdi",
        "          13           1:     1296577 read         8 byte(s) @ 0x00007ffe00001ffc by PC 0x00007fe2fd1f6fa0",
        "          14           1:     1296577 write        8 byte(s) @ 0x00007ffe00003000 by PC 0x00007fe2fd1f6fa3",
        "          15           1:     1296577 pref-r-L1   64 byte(s) @ 0x00007ffe00003000 by PC 0x00007fe2fd1f6fa3",
        "          16           2:     1296577 ifetch      10 byte(s) @ 0x00007fe2fd1f6fb0 48 b8 00 00 00 00 00 mov    $0x0 -> %rax",
        "                                 1296577                                                    00 00 00", "   20   2:  1296577 <thread 1296577 exited>",
        "View tool results:", "              2 : total instructions"]
OLD_VIEW = ["   173370: T1774669 read         8 byte(s) @ 0x00007f8881e37c70 by PC 0x0000000000402680",
            "10 2: W3.T292 write 8 byte(s) @ 0x0000000000002345 by PC 0x0000000000006789"]


def test_drmemtrace(gmmu, file):
    done = convert(gmmu, "drmemtrace", file("t", *VIEW))
    time = ",0,0,13309323446399692"
    assert done.walks == ["0x7ffe00001,0x7fe2fd1f6fa0,r" + time, "0x7ffe00002,0x7fe2fd1f6fa0,r" + time, "0x7ffe00003,0x7fe2fd1f6fa3,w" + time]
    assert done.messages == "gmmu trace: 2 instruction fetches, 1 prefetches and flushes were not converted\n"
    assert convert(gmmu, "drmemtrace", file("t", *OLD_VIEW)).walks == ["0x7f8881e37,0x402680,r", "0x2,0x6789,w,0,3"]


@pytest.mark.parametrize("line", [VIEW[6][:90], VIEW[6].replace("read", "swap"), VIEW[6].replace(" @ ", " at "),
                                  VIEW[6].replace("0x00007ffe00001ffc", "7ffe"), "hello", VIEW[6][:30],
                                  VIEW[6].replace("8 byte", "x byte"), VIEW[3][:-2]])
def test_drmemtrace_that_is_refused(gmmu, file, line):
    assert ":2: found " in gmmu.refuses("trace digest --from drmemtrace", file("t", VIEW[6], line))


PERF = ["# captured on    : Tue", "",
        "chromium  465/472 [002] 544966.882384:      10000 \tcpu_core/MEM_UOPS_RETIRED.LOAD_LATENCY/: 7ffdf1391b0c     10268100142  |OP LOAD|LVL L1 hit|SNP "
        "None|TLB L1 or L2 hit|LCK No|BLK    N/A    5   7    0   7fad7c47425d [unknown] (/usr/lib64/libglib-2.0.so)",
        "    sve-test 14753 [011]  3678.072400:          1        memory:  ffffa7c22b4b2a00 288100144 |OP STORE|LVL L1 hit|SNP None|TLB Walker hit|LCK "
        "No|BLK  N/A   aaaac17c3e88 main+0x10 (/a)",
        "  a 7/7 1.5: page-faults:u:   7f0000001234            46c57c f+0x1 (/a)", "                  46c57c runtime.memclr+0x11c (/usr/local/bin/minio)", "",
        "  a 7/7 2.000001: cpu/mem-stores/P:     7f0000002000 401000", "  a 7/8 3.0: mem-loads: 0 401000",
        "  a 7/8 4.0: ibs: 5000 10 |OP PFETCH|LVL N/A 401000",
        "bash-930   [003] d...  6288.896762: page_fault_user: address=0x55bc6c5557d0 ip=0x7ff74f7aa84c error_code=0x7",
        "a 7/7 [000] 5.0: exceptions:page_fault_user: address=0x1000 ip=0x2000 error_code=0x14"]


def test_perf_script(gmmu, file):
    done = convert(gmmu, "perf-script", file("t", *PERF))
    assert done.walks == ["0x7ffdf1391,0x7fad7c47425d,r,0,465,544966882384000", "0xffffa7c22b4b2,0xaaaac17c3e88,w,0,0,3678072400000",
                          "0x7f0000001,0x46c57c,r,0,7,1500000000",
                          "0x7f0000002,0x401000,w,0,7,2000001000", "0x55bc6c555,0x7ff74f7aa84c,w,0,0,6288896762000", "0x1,0x2000,r,0,7,5000000000"]
    assert done.messages == "gmmu trace: 1 samples without an address, 1 samples of neither a load nor a store were not converted\n"


@pytest.mark.parametrize("line, expected", [
    ("a 7/7 1.5: cycles: 1000 401000", "an event named load, store or fault"), ("a 7/7 1.5: page-faults:", "an address behind the event"),
    ("a 7/7 1.5: page-faults: main", "an address"),
    ("a 7/7 1.5 page-faults: 1000", "a time"), ("a 7/7 1.5: page-faults 1000", "an event and a colon"), ("    46c57c f", "a time"),
    ("a 7 1.5: page_fault_user: address=0x1000 ip=0x2000", "address=0x"), ("a 7 1.5: page_fault_user: address=0x1000 ip=0x2000 error_code=", "address=0x")])
def test_perf_script_that_is_refused(gmmu, file, line, expected):
    assert "expected " + expected in gmmu.refuses("trace digest --from perf-script", file("t", line))


PERF_MEM = ["# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL", " 4242  4243 0x0000000000401136 0x0167ffd12345678    32 0x68100142 /usr/bin/a:main",
            " 4242  4242 0x0000000000401140 0x0165555000     0 0x68100144 /usr/bin/a:main",
            " 4242  4242 0x0000000000401140 0x0165555000     0 0x68100141 ???:???",
            " 4242  4242 0x0000000000401140 0x0160     0 0x68100142 /a b:x"]
PERF_MEM_X = ["# PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL",
              "4242,4243,0x401136,0x7ffd12345678,0x0000000012345678,4K,32,0x68100142,/usr/bin/a:main",
              "4242,4242,0x401140,0x5555000,0x0000000012345678,2M,0,0x68100144,/usr/bin/a:main"]
SAMPLES = ["0x7ffd12345,0x401136,r,0,4242", "0x5555,0x401140,w,0,4242"]


def test_perf_mem(gmmu, file):
    done = convert(gmmu, "perf-mem", file("t", *PERF_MEM))
    assert done.walks == SAMPLES
    assert done.messages == "gmmu trace: 1 samples of neither a load nor a store, 1 samples without an address were not converted\n"
    assert convert(gmmu, "perf-mem", file("t", *PERF_MEM_X)).walks == SAMPLES
    assert convert(gmmu, "perf-mem", file("t", PERF_MEM_X[0].replace(" DATA PAGE SIZE,", ""),
                                          *[line.replace(",4K", "").replace(",2M", "") for line in PERF_MEM_X[1:]])).walks == SAMPLES


@pytest.mark.parametrize("line, expected", [
    ("4242,4243,0x401136,0x7ffd12345678,32,0x68100142", "PID, TID, IP"), ("4242 4243 0x401136 0x016123456789abcd 3 0x42 a:b",
                                                                          "an address that perf mem report -D -x, prints"),
    ("4242,4243,401136,0x7ffd12345678,32,0x68100142,a:b", "an IP"), ("4242,4243,0x401136,7ffd12345678,32,0x68100142,a:b", "an address"),
    ("4242,4243,0x1,0x7ffd12345678,x,0x2,a:b", "a weight"),
    ("4242,4243,0x1,0x7ffd12345678,3,2,a:b", "a data source"), ("a,4243,0x1,0x7ffd12345678,3,0x2,a:b", "the numbers of a process")])
def test_perf_mem_that_is_refused(gmmu, file, line, expected):
    assert "expected " + expected in gmmu.refuses("trace digest --from perf-mem",
                                                  file("t", "1,1,0x1,0x1,1,0x2,a:b" if "," in line else "1 1 0x1 0x1 1 0x2 a:b", line))


def champsim(ip, reads=(), writes=(), branch=0):
    return struct.pack("<QBB6B2Q4Q", ip, branch, 0, 1, 2, 3, 4, 5, 6, *[*writes, 0, 0][:2], *[*reads, 0, 0, 0, 0][:4])


CHAMPSIM = champsim(0x401000, [0x7000, 0x8010]) + champsim(0x401004, branch=1) + champsim(0x401008, [0x9000], [0x9000, 0xa000])


@pytest.mark.parametrize("pack", [bytes, lzma.compress, gzip.compress])
def test_champsim(gmmu, tmp_path, pack):
    path = tmp_path / "t.champsimtrace"
    path.write_bytes(pack(CHAMPSIM))
    done = convert(gmmu, "champsim", path)
    assert done.walks == ["0x7,0x401000,r", "0x8,0x401000,r", "0x9,0x401008,r", "0x9,0x401008,w", "0xa,0x401008,w"]
    assert done.messages == "gmmu trace: 1 instructions without access were not converted\n"


# ---- caches and disks

def vscsi(version, command, block, length, time):
    if version == 1:
        return struct.pack("<IIIHHQQ", 1, length, 2, command, 0x100, block, time)
    return struct.pack("<HHIIIQQQ", command, 0x200, 1, length, 2, block, time, 9)


def requests(version):
    return b"".join(vscsi(version, *r) for r in ((0x28, 8, 8192, 1), (0x2a, 16, 4096, 2), (0x12, 0, 0, 3), (0x8a, 7, 0, 4), (0x88, 24, 512, 5)))


@pytest.mark.parametrize("version", [1, 2])
def test_vscsi(gmmu, tmp_path, version):
    path = tmp_path / "t.vscsi"
    path.write_bytes(requests(version))
    done = convert(gmmu, "vscsi", path)
    assert done.walks == ["0x1,0x0,r,0,0,1", "0x2,0x0,r,0,0,1", "0x2,0x0,w,0,0,2", "0x3,0x0,r,0,0,5"]
    assert done.messages == "gmmu trace: 1 SCSI commands 0x12, 1 requests of 0 bytes were not converted\n"


@pytest.mark.parametrize("form, content, size", [("champsim", CHAMPSIM, 64), ("vscsi", requests(1), 32), ("vscsi", requests(2), 40)])
def test_a_cut_record(gmmu, tmp_path, form, content, size):
    path = tmp_path / "t"
    for length in range(1, 3 * size):
        path.write_bytes(content[:length])
        if length % size == 0:
            convert(gmmu, form, path)
        elif length >= 32 or form == "champsim":
            assert gmmu.refuses("trace digest --from", form, path).endswith("record %d at byte %d: found %d bytes, expected %d" % (
                length // size + 1, length // size * size, length % size, size))


@pytest.mark.parametrize("form, content", [
    ("champsim", CHAMPSIM + bytes([2] * 64)), ("vscsi", requests(1)[:32] + requests(2)[:32]), ("vscsi", bytes(64)), ("vscsi", vscsi(1, 0x28, 1 << 60, 512, 1)),
    ("champsim", b"CHAMPSIMTRACEV2_" * 8), ("vscsi", b"# PID, TID, IP, ADDR, LOCAL WEIGHT")])
def test_records_that_are_refused(gmmu, tmp_path, form, content):
    path = tmp_path / "t"
    path.write_bytes(content)
    assert " at byte " in gmmu.refuses("trace digest --from", form, path)


CACHELIB = ["key,op,size,op_count,key_size", "1668757755,SET,82,1,40", "abc,GET,0,3,3", "1668757755,GET_LEASE,82,1,40", "abc,DELETE,0,1,3", "abc,GET,0,0,3"]


def test_cachelib(gmmu, file):
    done = convert(gmmu, "cachelib", file("t", *CACHELIB))
    assert done.walks == ["0x0,0x0,w", *["0x1,0x0,r"] * 3, "0x0,0x0,r"]
    assert done.messages == "gmmu trace: 1 operations DELETE, 1 operations with op_count 0 were not converted\n"
    assert convert(gmmu, "cachelib", file("t", "op_time,key,key_size,op,op_count,size,cache_hits,ttl", "564726470,798057486,83,GET,100,62,1,0")).walks == \
        ["0x0,0x0,r,0,0,564726470"] * 100
    assert "found pages without addresses" in gmmu.refuses("trace digest --from cachelib --page 64K", file("t", *CACHELIB))


@pytest.mark.parametrize("line", ["1,TOUCH,1,1,1", "1,GET,1,x,1", ",GET,1,1,1", "1,GET"])
def test_cachelib_that_is_refused(gmmu, file, line):
    assert ":2: found " in gmmu.refuses("trace digest --from cachelib", file("t", CACHELIB[0], line))


# ---- every truncation

TEXTS = {"nvbit": NVBIT, "nvprof": NVPROF, "chunk-trace": CHUNKS, "drmemtrace": VIEW, "perf-script": PERF, "perf-mem": PERF_MEM, "cachelib": CACHELIB,
         **{form: lines for form, (lines, _) in FORMS.items()}}


@pytest.mark.parametrize("form", sorted(TEXTS))
def test_every_truncation(gmmu, tmp_path, form):
    """A text that ends within a line is an error, or the missing newline is said; the walks are then a beginning of the whole's but for the last line's."""
    lines = [line for line in TEXTS[form] if len(line) < 2000]
    whole = "".join(line + "\n" for line in lines)
    path = tmp_path / "t"
    path.write_text(whole)
    walks = convert(gmmu, form, path).walks
    for size in [*range(1, len(whole), max(7, len(whole) // 60)), *range(len(whole) - 40, len(whole))]:
        path.write_text(whole[:size])
        done = run(gmmu.program, "trace convert -o - --from", form, path)
        if done.status != 0:
            refused(done)
            continue
        assert whole[size - 1] == "\n" or "the last line has no newline: the file may be cut" in done.messages, size
        kept = done.walks if whole[size - 1] == "\n" else done.walks[:-2]
        assert kept == walks[:len(kept)], size
