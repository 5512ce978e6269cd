#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh [RUNS]: the trace reader under libFuzzer, RUNS runs with the checksums checked and RUNS
# past them. Exit status: 0 no finding, 1 a finding (its input lies in build/fuzz), 2 no libFuzzer.
set -eu
cd "$(dirname "$0")/.."
runs=${1:-1000000}
out=build/fuzz
mkdir -p $out/seeds
build() { # name, flag
    clang -g -O1 "$2" -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Icmodel/include \
        -Icmodel tb/fuzz/reader_fuzz.c cmodel/trace/*.c -ljansson -lzstd -llzma -lz -o "$out/$1"
}
if ! command -v clang >/dev/null || ! build checked -DGMMU_FUZZ 2>$out/build.log; then
    echo "fuzz: no clang with libFuzzer: make setup-fuzz" >&2
    exit 2
fi
# libFuzzer does not define it by itself
build unchecked -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION

# Seeds: a few walks in each form, behind the byte that says the form (its low four bits), the page
# size (0x10), whether to seek (0x40) and whether to go on behind errors (0x80).
seed() { { printf '%b' "\\x$1"; cat; } >"$out/seeds/$2"; }
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
    seed $how text_$how <$out/small.walk
    seed $how gwt_$how <$out/small.gwt
    seed $how pipe_$how <$out/pipe.gwt
    seed $how hints_$how <$out/hints.walk
    seed $how hints_gwt_$how <$out/hints.gwt
done
printf '%s\n' '-kernel name = k' '-shmem base_addr = 0x00007f0000000000' '-local mem base_addr = 0x00007e0000000000' \
    '#BEGIN_TB' 'thread block = 0,0,0' 'warp = 0' 'insts = 2' '0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7f1000 4' \
    '0010 00000003 0 STG.E 2 R1 R2 4 0 0x7f2000 0x7f3ffe' '#END_TB' | seed 83 accelsim
printf ' L 1000,8\nI  04001000,3\n S 2ffc,8\n M 1008,4\n' | seed 84 lackey
printf '%b' '\0007\0000\0000\0000\0005\0000\0000\0000\0000\0000\0000\0000\0000\0020\0000\0000'"$(printf '\\0377%.0s' 1 2 3 4 5 6 7 8)" | seed 85 oracle
printf 'time;sm;addr;pc;rw;size\n1; 2 ;0x1ffc;0x40;r;8\r\n# c\n2;3;"8192";68;Store;\n' | seed 96 csv
printf 'vpn\tasid\tx\n18446744073709551615\t1\t"a""b"\n' | seed 06 csv_tab
printf 'start,end,type,addr,size,sm\n10,20,memcpy_h2d,0x3000,8192,1\n15,25,kernel_launch,,,0\n' | seed 87 uvm
printf 'kernel_id,exec_cycles,rw,is_weight,bytes,va_start\n0,9,w,0,4194304,2097152\n0,9,r,1,2,2097151\n' | seed 88 g10
printf '{"timestamp": 5, "hash_ids": [0, 9, 8]}\n{"timestamp": 7, "hash_ids": []}\n' | seed 89 mooncake
gzip -c $out/small.walk | seed 80 gzip
for name in checked unchecked; do
    mkdir -p "$out/corpus_$name"
    echo "fuzz: $runs runs, checksums $name"
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
