#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [RUNS]: the trace reader under libFuzzer, RUNS runs with the checksums checked and RUNS
# past them; without libFuzzer by gcc and a loop of our own (tb/fuzz/loop.c). Exit status: 0 no
# finding, 1 a finding (its input lies in build/fuzz).
set -eu
cd "$(dirname "$0")/.."
runs=${1:-1000000}
out=build/fuzz
mkdir -p $out/seeds
# libFuzzer does not define FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION by itself
flag=(-DGMMU_FUZZ -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
build() { # name, flag, compiler, its fuzzer
    "$3" -g -O1 "$2" "-fsanitize=address,undefined$4" -fno-sanitize-recover=all -Icmodel/include \
        -Icmodel tb/fuzz/reader_fuzz.c "${@:5}" cmodel/trace/*.c -ljansson -lzstd -llzma -lz -o "$out/$1"
}
loop=
if ! command -v clang >/dev/null || ! build checked "${flag[0]}" clang ,fuzzer 2>$out/build.log; then
    echo "fuzz: no clang with libFuzzer (make setup-fuzz): a loop of our own"
    loop=tb/fuzz/loop.c
    build checked "${flag[0]}" gcc "" $loop
fi
if [ -z "$loop" ]; then
    build unchecked "${flag[1]}" clang ,fuzzer
else
    build unchecked "${flag[1]}" gcc "" $loop
fi

# Seeds: a few walks in each form, behind the byte that says how to read and that of the form
# (tb/fuzz/reader_fuzz.c).
rm -f $out/seeds/*
seed() { { printf '%b' "\\x$1\\x$2"; cat; } >"$out/seeds/$3"; }
head -60 sim/traces/bfs.walk >$out/small.walk
build/gmmu trace convert $out/small.walk --source a --licence b -o $out/small.gwt
build/gmmu trace convert $out/small.walk --to gwt -o - >$out/pipe.gwt
{
    head -1 $out/small.walk
    printf '#!hints 1\n#!alloc,0x1,900,0\n#!alloc,18446744073709551615,1,1,2\n#!launch,16\n'
    sed -n '/^[^#]/p' $out/small.walk
    printf '#!launch,0x20\n0x1,2,w\n#!free,0x1,900\n'
} >$out/hints.walk
build/gmmu trace convert $out/hints.walk -o $out/hints.gwt
for how in 00 80 40 c0; do
    seed $how 00 text_$how <$out/small.walk
    seed $how 00 gwt_$how <$out/small.gwt
    seed $how 00 pipe_$how <$out/pipe.gwt
    seed $how 00 hints_$how <$out/hints.walk
    seed $how 00 hints_gwt_$how <$out/hints.gwt
done
printf '%s\n' '-kernel name = k' '-shmem base_addr = 0x00007f0000000000' '-local mem base_addr = 0x00007e0000000000' \
    '#BEGIN_TB' 'thread block = 0,0,0' 'warp = 0' 'insts = 2' '0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000 4' \
    '0010 00000003 0 STG.E 2 R1 R2 4 0 0x7f2000 0x7f3ffe' '#END_TB' | seed 80 03 accelsim
printf '%s\n' '-kernel name = k' '-grid dim = (2,1,1)' '-block dim = (40,1,1)' '#BEGIN_TB' 'thread block = 1,0,0' 'warp = 1' 'insts = 2' \
    '0010 000000ff 1 R1 LDG.E 1 R2 4 2 0x7f1000 4 4 8 -8 4 4 4' '0020 00000001 0 REDG.E.ADD 2 R1 R2 4 1 0x7f2000 0' '#END_TB' \
    '#BEGIN_TB' 'thread block = 0,0,0' 'warp = 0' 'insts = 0' '#END_TB' | seed 81 03 accelsim_watched
printf '%s\n' '-kernel name = k' '-grid dim = (2,1,1)' '-block dim = (40,1,1)' '-grid dim =& (2,1,1)' '#BEGIN_TB' 'thread block = 1,0,0' \
    'warp = 1' 'warp = 9' 'insts = 1' '0010 000000ff 1 R1 LDG.E 1 R2 4 1 0x7f1000 4' '#END_TB' | seed 81 03 accelsim_refused
printf ' L 1000,8\nI  04001000,3\n S 2ffc,8\n M 1008,4\n' | seed 80 04 lackey
printf '%b' '\0007\0000\0000\0000\0005\0000\0000\0000\0000\0000\0000\0000\0000\0020\0000\0000'"$(printf '\\0377%.0s' 1 2 3 4 5 6 7 8)" | seed 80 05 oracle
printf 'time;sm;addr;pc;rw;size\n1; 2 ;0x1ffc;0x40;r;8\r\n# c\n2;3;"8192";68;Store;\n' | seed 90 06 csv
printf 'vpn\tasid\tx\n18446744073709551615\t1\t"a""b"\n' | seed 00 06 csv_tab
printf 'start,end,type,addr,size,sm\n10,20,memcpy_h2d,0x3000,8192,1\n15,25,kernel_launch,,,0\n' | seed 80 07 uvm
printf 'kernel_id,exec_cycles,rw,is_weight,bytes,va_start\n0,9,w,0,4194304,2097152\n0,9,r,1,2,2097151\n' | seed 80 08 g10
printf '{"timestamp": 5, "hash_ids": [0, 9, 8]}\n{"timestamp": 7, "hash_ids": []}\n' | seed 80 09 mooncake
# the forms of other tools, each with the lines that its reader tells apart
lines() { printf '%s\n' "$@"; }
zeros=$(printf ' 0x0000000000000000%.0s' {1..30})
lines 'MemcpyHtoD,0x0000000700001000,8193' 'cudaMalloc,0x700000000,65536' 'kernel-1.traceg' 'MemcpyDtoH,0x7,4' 'ncclGroupEnd' | seed 80 0a list
lines 'a line' 'MEMTRACE: CTX 0x00007f8a0040a000 - LAUNCH - Kernel pc 0x00007f1000 - Kernel name f(int) - grid launch id 1 - grid size 1,1,1' \
    "MEMTRACE: CTX 0x00007f8a0040a000 - grid_launch_id 1 - CTA 0,1,0 - warp 3 - LDG.E - 0x00007f0000001000 0x00007f0000002000$zeros " | seed 80 0b nvbit
lines '==1== Profiling result:' '   Start  Duration   Unified Memory  Virtual Address  Name' \
    '529.04ms  188.99us   1   0x7f1e3c000000  [Unified Memory GPU page faults]' \
    '1.5s  1us   4KB   0x7f1e3c000000  [Unified Memory Memcpy HtoD]' | seed 80 0c nvprof
lines '"Start","Unified Memory","Virtual Address","Name"' 'ms,,,' '529.04,"114","0x7f1e3c000000","[Unified Memory GPU page faults]"' | seed 80 0c nvprof_csv
lines 'time_ms,hook_type,pid,owner_pid,va_space,cpu,chunk_addr,list_addr,va_block,va_start,va_end,va_page_index' \
    '0,ACTIVATE,100,4321,0xff,3,0xff,0xff,0xff,0x7f0000200000,0x7f00003fffff,16' '6,EVICTION_PREPARE,100,,,3,0xff,0xff,,,,0' | seed 80 0d chunk
lines 'Output format:' '  7  0:  1296577 <marker: timestamp 1330>' '  12  1:  1296577 ifetch 3 byte(s) @ 0x00007fe2fd1f6fa0 48 89 e7 mov' \
    '  13  1:  W1.T12 read 8 byte(s) @ 0x00007ffe00001ffc by PC 0x00007fe2fd1f6fa0' '    1296577    00 00 00' '   2 : total instructions' | seed 80 0e view
lines 'a 465/472 [002] 5.8: 1 cpu/L/: 7ffdf1391b0c 10268100142 |OP LOAD|LVL L1 hit|BLK N/A 5 7 0 7fad7c47425d [unknown] (/a)' \
    '   46c57c f' 'b 3 6288.896762: page_fault_user: address=0x55bc6c5557d0 ip=0x7ff74f7aa84c error_code=0x7' \
    'a 7/7 2.1: mem-stores: 7f00 401000' | seed 80 0f perf_script
lines '# PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL' \
    '42,42,0x401136,0x7ffd12345678,0x12,4K,32,0x68100142,a:main' | seed 80 10 perf_mem
lines '# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL' ' 42  43 0x0000000000401136 0x0167ffd12345678    32 0x68100144 a:main' | seed 80 10 perf_mem_blank
{
    printf '\0\020\100\0\0\0\0\0\001\0\1\2\3\4\5\6'
    printf '\0\0%.0s' {1..8}
    printf '\0\160\0\0\0\0\0\0'
    printf '\0\0%.0s' {1..12}
} | seed 80 11 champsim
printf '\1\0\0\0\0\040\0\0\2\0\0\0\050\0\0\1\010\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0' | seed 80 12 vscsi_1
printf '\052\0\0\2\1\0\0\0\0\040\0\0\2\0\0\0\010\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' | seed 80 12 vscsi_2
lines 'key,op,size,op_count,key_size' '16,SET,82,1,40' 'abc,GET,0,3,3' 'abc,DELETE,0,1,3' | seed 80 13 cachelib
lines '4104,r,5' '0x12ff8,WRITE,6' | seed 80 14 table_0
lines '1008 r 7' '12FF8 w' '0x5 r 1 2 3' | seed 81 14 table_1
lines 'alpha,host,r,4f' '"b,c",host,w' | seed 82 14 table_2
lines 'c;b;a' '1.5;w;77' | seed 83 14 table_3
lines '0.5,8,512,u' '1,8,512,r' '9,4104,8192' '7' | seed 84 14 table_4
lines '4f: r 12 (8)' '0x4f: w 13' | seed 85 14 table_5
printf 'a\tb\tc\td\te\n1\tx\t2\t3\tr\n' | seed 86 14 table_6
lines '0x401000: R 0x1008' '0x7f0000401010: W 0x12ff8 8 0x0' '#eof' | seed 80 15 pinatrace
lines '0x00001008 R' '00012ff8 W' | seed 80 16 ramulator
lines '3 4104' '1 0x1000 77816' '0 77816 W' | seed 80 17 ramulator_cpu
lines 'LD 0x1008' 'ST 77816' | seed 80 18 ramulator2
lines '0x1008 READ  30' '0x2000 P_MEM_WR 40' | seed 80 19 dramsim3
lines '# c' '31: read 0x1008' '40: (8192) write 0x2000 0xde' | seed 80 1a dramsys
lines 'r,4104,8,0,1000' 'u,9,4,0,2100' '7,w,4096,64,0,4000,4198404' | seed 80 1b gem5
lines '10 R 4104 8' '12 W 8192 8192' | seed 80 1c prospero
lines '128166372003061629,hm,1,Read,4096,4096,100' '128166372016382155,hm,0,Write,73728,8192,90' | seed 80 1d msr
lines '0,8,4096,r,0.000000' '1,144,512,W,0.026214,x' | seed 80 1e spc
for file in "$out"/seeds/*; do # each once more without its form
    { printf '\x20\x00'; tail -c +3 "$file"; } >"$file.guess"
done
gzip -c $out/small.walk | seed 80 00 gzip
xz -c $out/small.walk | seed 80 00 xz
zstd -qc $out/small.walk | seed 80 00 zstd
for name in checked unchecked; do
    mkdir -p "$out/corpus_$name"
    echo "fuzz: $runs runs, checksums $name"
    if [ -n "$loop" ]; then
        if ! "$out/$name" "$runs" 1 $out/seeds >"$out/$name.log" 2>&1 </dev/null; then
            tail -40 "$out/$name.log"
            echo "fuzz: a finding, its input is $out/seeds.last"
            exit 1
        fi
        tail -1 "$out/$name.log"
        continue
    fi
    if ! "$out/$name" -runs="$runs" -seed=1 -max_len=4096 -print_final_stats=1 -artifact_prefix=$out/ \
        "$out/corpus_$name" $out/seeds >"$out/$name.log" 2>&1; then
        tail -40 "$out/$name.log"
        echo "fuzz: a finding, see $out/$name.log"
        exit 1
    fi
    sed -n 's/^stat:://p' "$out/$name.log" | head -3
    grep -E '^#[0-9]+.*DONE' "$out/$name.log" || true
done
echo "fuzz: no finding"
