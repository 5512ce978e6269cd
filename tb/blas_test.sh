#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# blas_test.sh: libgmmu_blas.so as a user meets it: numpy and LAPACK's testers print as without it; all names reach the
# real routines; traces have what was called and freed; forks, threads, no memory, wrong settings. GMMU_LONG=1: all of
# LAPACK's testers.
set -u
cd "$(dirname "$0")/.."
blas=${GMMU_BLAS:-$PWD/build/libgmmu_blas.so}
gmmu=${GMMU_BIN:-build/gmmu}
python=/usr/bin/python3
export GMMU_TRACK=calls # tb/blas_track_test.sh has the others
lapack=$(ls -d /usr/lib/*/lapack 2>/dev/null | head -1)
fails=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
expect() { # what, found, wanted
    if [ "$2" = "$3" ]; then
        echo "ok    $1"
    else
        echo "FAIL  $1: found \"$2\", expected \"$3\""
        fails=$((fails + 1))
    fi
}
recorded() { LD_PRELOAD=$blas "$@"; } # after NAME=VALUE settings
calls() { grep -c '^call' "$1"; }
frees() { grep -c '^free' "$1"; }
same() { # name, command...: prints the same, with the same status
    local name=$1 status
    shift
    "$@" >"$tmp/plain" 2>&1
    status=$?
    GMMU_TRACE=$tmp/same.sem recorded "$@" >"$tmp/with" 2>&1
    expect "$name: exit status" $? $status
    expect "$name: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
}
for c in libblas.so.3 liblapack.so.3; do
    if ! ls /usr/lib/*/$c >/dev/null 2>&1; then
        echo "blas_test: skipped: found no $c, expected Debian's reference: make setup"
        exit 0
    fi
done
gcc -std=gnu17 -O1 -Wall -Wextra -Wno-unused-result tb/blas/program.c -o "$tmp/program" -l:libblas.so.3 -l:liblapack.so.3 -lpthread || exit 1
program=$tmp/program

# ---- what other programs found
. tb/blas/defects.sh
. tb/blas/drivers.sh

# ---- what a report says
. tb/blas/report.sh

# ---- what is recorded
same "solve" "$program" solve
expect "a call within a call counts once" "$(cut -d' ' -f4- "$tmp/same.sem" | sed 's/ [0-9]* \([ruwo]:\)/ \1/;s/0x[0-9a-f]*//g' | tail -n +2 | tr '\n' ';')" \
    "dgesv_ 62 u:+128 o:+16 u:+32;cblas_dgemm 16 r:+16*2/24 r:+32 o:+32;"
expect "its site" "$(sed -n '2s/^call [0-9]* \(program+0x\)[0-9a-f]* .*/\1/p' "$tmp/same.sem")" "program+0x"
same "free" "$program" free
expect "memory given back: calls" "$(calls "$tmp/same.sem")" 6
expect "memory given back: in six ways" "$(frees "$tmp/same.sem")" 6
same "threads" "$program" threads
expect "threads: calls" "$(calls "$tmp/same.sem")" 800
$gmmu semcache "$tmp/same.sem" --protocol wb --sites --format csv >"$tmp/sites" 2>&1
expect "gmmu semcache reads it" $? 0
expect "gmmu semcache: calls, least and most" "$(cut -d, -f3,6 "$tmp/sites" | tail -n +2 | tr '\n' ' ')" "least,800 most,800 "
rm -f "$tmp/min.txt"
GMMU_MIN=100 GMMU_TRACE=$tmp/min.sem GMMU_REPORT=$tmp/min.txt recorded "$program" threads >"$tmp/with"
expect "GMMU_MIN: no call is recorded" "$(cat "$tmp/min.sem")" "sem 2 calls"
expect "GMMU_MIN: all are counted" "$(sed -n 2p "$tmp/min.txt" | cut -d\; -f1)" "0 calls, 800 below GMMU_MIN=100"
GMMU_TRACE=$tmp/fork.%p.sem recorded "$program" fork >"$tmp/with"
expect "fork: calls of both" "$(for f in "$tmp"/fork.*.sem; do calls "$f"; done | tr '\n' ' ')" "2 2 "
GMMU_TRACE=$tmp/one.sem recorded "$program" fork >"$tmp/with"
expect "fork: one name, two files" "$(ls "$tmp"/one.sem* | wc -l)" 2
expect "fork: the parent's" "$(calls "$tmp/one.sem") $(frees "$tmp/one.sem")" "2 1"
GMMU_MIN=0 GMMU_REPORT=$tmp/fork.%p.txt recorded "$program" fork >"$tmp/with"
expect "fork: two reports" "$(grep -h ' calls, ' "$tmp"/fork.*.txt | cut -d, -f1 | tr '\n' ' ')" "2 calls 2 calls "
# no lock is waited for without end: neither one's own on what both settings name, nor another program's
was=$(ls /dev)
expect "trace and report to /dev/null: the program ends" \
    "$(GMMU_TRACE=/dev/null GMMU_REPORT=/dev/null recorded timeout 60 "$program" solve >"$tmp/with"; echo $?)" 0
expect "trace and report to /dev/null: no file beside" "$(diff <(echo "$was" | grep '^null') <(ls /dev | grep '^null'))" ""
flock -o "$tmp/held.txt" sleep 30 >"$tmp/err" 2>&1 &
held=$!
while flock -n "$tmp/held.txt" true; do sleep 0.1; done
GMMU_REPORT=$tmp/held.txt recorded timeout 20 "$program" solve >"$tmp/with"
expect "a report's file that another program locks: written all the same" "$(grep -c '<- program' "$tmp/held.txt")" 2
kill "$held"
recorded "$program" solve >"$tmp/with" 2>"$tmp/err"
expect "no settings: a report on standard error" "$(grep -c '<- program' "$tmp/err")" 2
expect "no settings: the first line has what is saved, and what narrows the bounds" \
    "$(grep -c '^gmmu_blas: process [0-9]* (program): offloading saves nothing of [0-9.]* s of CPU time; .*GMMU_TRACK=writes or full narrows it$' "$tmp/err")" 1
expect "no settings: small calls are counted" "$(sed -n 2p "$tmp/err" | cut -d' ' -f1-5)" "0 calls, 2 below GMMU_MIN=16"
GMMU_REPORT=$tmp/found.txt recorded "$program" time 100 20 >"$tmp/with"
expect "no settings: large calls are recorded" "$(sed -n 2p "$tmp/found.txt" | cut -d' ' -f1-5)" "21 calls, 0 below GMMU_MIN=16"
# 21 DGEMMs of 100³: what is saved is the calls' time less naive's, and no more than write-back's least
expect "the first line: what is saved, of how much, by what" \
    "$(awk '/offloading saves at most/ {
        for (i = 1; i <= NF; i++) { if ($i == "most") most = $(i + 1); if ($i == "if" && $(i + 4) == "all") least = $(i - 3) + 0 }
        split($0, p, "[(%]"); percent = p[3] + 0; cpu = $0
        sub(/ s of CPU time.*/, "", cpu); sub(/.* /, "", cpu)
        by = $0 ~ /, by naive, if the CPU touches all that it may; each call by itself pays from size 64 on / }
        / s in calls, of / { split($0, c, "; "); calls = c[2] + 0 }
        /^naive:/ { naive = $(NF - 1) / 1000 } /^write-back, least:/ { wb = $(NF - 1) / 1000 }
        function near(x, y) { return x - y < 0.0021 && y - x < 0.0021 }
        END { print near(least, calls - naive), near(most, calls - wb), (most >= least), by, near(percent * cpu / 100, most) }' "$tmp/found.txt")" "1 1 1 1 1"
expect "a row of all" "$(awk '$NF == "all" { print $1, $2 }' "$tmp/found.txt")" "21 0"
GMMU_SITES=1 GMMU_REPORT=$tmp/one.txt recorded "$program" time 100 20 >"$tmp/with"
expect "GMMU_SITES: the site with most to gain" \
    "$(grep -c ' <- program' "$tmp/one.txt") $(awk '/ <- program/ { print $1 }' "$tmp/one.txt") $(tail -1 "$tmp/one.txt")" \
    "1 20 1 more sites: GMMU_SITES=0 has all"
for m in v100 gh200; do
    rm -f "$tmp/$m.txt"
    GMMU_LINK=config/links/$m.json GMMU_REPORT=$tmp/$m.txt recorded "$program" time 100 20 >"$tmp/with"
done
naive_ms() { sed -n 's/^naive: .* \([0-9.]*\) ms$/\1/p' "$1"; }
expect "GMMU_LINK: the V100 is the usual machine" "$(naive_ms "$tmp/v100.txt")" "$(naive_ms "$tmp/found.txt")"
expect "GMMU_LINK: the GH200 takes less time" \
    "$(awk -v a="$(naive_ms "$tmp/v100.txt")" -v b="$(naive_ms "$tmp/gh200.txt")" 'BEGIN { print (b > 0 && b < a) }')" 1
# 200 000 calls of 17³ take no longer than recording does: the minimum rises
GMMU_REPORT=$tmp/risen.txt recorded "$tmp/defects" many 17 200000 >"$tmp/with"
expect "no settings: the minimum rises" "$(sed -n 2p "$tmp/risen.txt" | awk '{ print ($3 > 190000), ($5 != "GMMU_MIN=16") }')" "1 1"

# ---- results that are kept: 4 of 6 DGESV's, DGETRF of the same content with gaps, 1 of 3 DPOTRF's
for t in calls writes full; do
    "$program" factors >"$tmp/plain"
    rm -f "$tmp/memo.txt"
    GMMU_TRACK=$t GMMU_MEMO=1 GMMU_TRACE=$tmp/memo.sem GMMU_REPORT=$tmp/memo.txt recorded "$program" factors >"$tmp/with" 2>&1
    expect "GMMU_MEMO, $t: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "GMMU_MEMO, $t: found" "$(grep -o '^10 factorisations, [0-9]* of contents that were kept' "$tmp/memo.txt")" \
        "10 factorisations, 6 of contents that were kept"
    expect "GMMU_MEMO, $t: memos, and what is kept" \
        "$(grep -c '^memo .* d\(getrf\|potrf-L\) 0x' "$tmp/memo.sem") $(grep -c '^alloc' "$tmp/memo.sem")" "10 4"
    $gmmu semcache "$tmp/memo.sem" --protocol wb --format csv >"$tmp/rows" 2>&1
    expect "GMMU_MEMO, $t: gmmu semcache finds them" \
        "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["memos"], $at["elided"] }' "$tmp/rows")" "10 6"
    GMMU_TRACK=$t GMMU_MEMO=0 GMMU_TRACE=$tmp/memo.sem recorded "$program" factors >"$tmp/with" 2>&1
    expect "GMMU_MEMO=0, $t: none" "$(grep -c '^memo' "$tmp/memo.sem") $(grep -c '^call' "$tmp/memo.sem")" "0 10"
done
GMMU_TRACE=$tmp/alloc.sem recorded "$program" free >"$tmp/with"
expect "blocks of malloc are told" "$(sed 's/ .*+/ /' "$tmp/alloc.sem" | tail -n +2 | cut -d' ' -f1 | tr '\n' ' ')" \
    "call free call free alloc call free alloc call free alloc call free alloc call free "

# ---- what it survives
same "no memory" "$program" exhaust
expect "no memory: says so in one line" "$(GMMU_REPORT=stderr recorded "$program" exhaust sooner 2>&1 >/dev/null)" \
    "gmmu_blas: call site: no memory; recording stops"
expect "no memory: the program goes on" "$(GMMU_REPORT=stderr recorded "$program" exhaust sooner 2>/dev/null)" "$("$program" exhaust)"
expect "closed by the program: says so in one line" "$(GMMU_TRACE=$tmp/closed.sem recorded "$program" close "$tmp/own" 2>&1 >/dev/null)" \
    "gmmu_blas: GMMU_TRACE: the program closed it; recording stops"
expect "closed by the program: its own file is its own" "$(stat -c %s "$tmp/own")" 0
bad() { # setting
    local what=${1:0:30}
    env "$1" LD_PRELOAD="$blas" "$program" solve >"$tmp/with" 2>"$tmp/err"
    expect "$what: one line" "$(grep -c '^gmmu_blas: .*\(expected\|No such\)' "$tmp/err") $(wc -l <"$tmp/err")" "1 1"
    expect "$what: the program runs" "$(cat "$tmp/with")" "$("$program" solve)"
}
bad GMMU_TRACK=never
bad GMMU_MIN=-1
bad GMMU_SITES=few
bad GMMU_LINK=/nowhere.json
bad GMMU_LINK=/etc/passwd
bad GMMU_MIN=1x
bad GMMU_SHADOW=0
bad GMMU_SHADOW_THREADS=all
bad GMMU_MEMO=some
bad "GMMU_TRACE=$(printf '%5000s' x)"
bad GMMU_TRACE=/nonesuch/t.sem

# ---- the real routines
$python tb/blas/names.py "$tmp" && gcc -O1 -fno-builtin -w -shared -fPIC "$tmp/library.c" -o "$tmp/libnames.so" &&
    gcc -O1 -fno-builtin -w -rdynamic "$tmp/program.c" -o "$tmp/names" -L"$tmp" -lnames -Wl,-rpath,"$tmp"
expect "all names" "$("$tmp/names")" "1792 of 1792 arrived"
same "all names" "$tmp/names"
expect "all names, below the minimum" "$(GMMU_MIN=1000000 GMMU_REPORT=/dev/null recorded "$tmp/names")" "1792 of 1792 arrived"
cat >"$tmp/alone.c" <<'END'
extern void dgemm_(void) __attribute__((weak));
#ifdef MODULE
void run(void) { dgemm_(); }
#else
#include <dlfcn.h>
int main(int c, char **v) { return c < 2 ? 0 : (((void (*)(void))dlsym(dlopen(v[1], RTLD_NOW), "run"))(), 0); }
#endif
END
gcc -w "$tmp/alone.c" -o "$tmp/alone"
gcc -w -DMODULE -shared -fPIC "$tmp/alone.c" -o "$tmp/alone.so"
(recorded "$tmp/alone" "$tmp/alone.so") >"$tmp/with" 2>"$tmp/err"
expect "no such routine: one line" "$(grep gmmu_blas "$tmp/err" | sed 's/ called by [^ ]*//')" \
    "gmmu_blas: dgemm_, found no such routine in what that depends on, nor elsewhere, expected one beside libgmmu_blas.so's"

# ---- several threads, seen by ThreadSanitizer
gcc -std=gnu17 -O1 -g -fsanitize=thread -Icmodel/include -Icmodel tb/blas/threads.c cmodel/blas/*.c \
    cmodel/semcache/{link,play,runtime,segv,split,trace,track*,valid,worth}.c \
    cmodel/blocks/range_dir*.c cmodel/trace/{message,scan}.c -o "$tmp/threads" -lm -lpthread 2>"$tmp/err" || cat "$tmp/err"
expect "ThreadSanitizer" "$("$tmp/threads" "$tmp/threads.sem" 2>&1)" "8000 calls recorded"
for t in "writes auto" "writes compare" "writes mprotect" "full mprotect"; do
    # shellcheck disable=SC2086
    expect "ThreadSanitizer, $t" "$("$tmp/threads" "$tmp/threads.sem" $t 2>&1)" "8000 calls recorded"
done

# ---- records that split, end to end: of 16 windows of columns 12 cut the record of the one before
gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/splits.c -o "$tmp/splits" -l:liblapack.so.3 -l:libblas.so.3 || exit 1
"$tmp/splits" >"$tmp/plain"
for m in 1 10; do # 1 MiB: records leave meanwhile
    GMMU_SHADOW=$m GMMU_MIN=0 GMMU_TRACE=$tmp/splits.sem LD_PRELOAD=$blas "$tmp/splits" >"$tmp/with" 2>"$tmp/err"
    expect "splits, shadow execution, $m MiB: every byte is right" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "splits, shadow execution, $m MiB: all calls on the GPU" "$(grep -c ': 68 calls on the GPU, 0 on the CPU; ' "$tmp/err")" 1
    expect "splits, shadow execution, $m MiB: records grew and were split" \
        "$(sed -n 's/.*records: [1-9][0-9]* grew, \([0-9]*\) were split$/\1/p' "$tmp/err")" 12
done
expect "splits, shadow execution: records leave at 1 MiB alone" "$(grep -c ', 0 evictions, ' "$tmp/err")" 1

# ---- memory asked for in every way, and refused; three ends of a program
gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/memory.c -o "$tmp/memory" -l:libblas.so.3 -ldl || exit 1
for way in return _exit quick; do
    GMMU_MIN=0 same "memory, $way" "$tmp/memory" "$way"
    expect "memory, $way: calls, blocks that came, that went" \
        "$(calls "$tmp/same.sem") $(grep -c '^alloc' "$tmp/same.sem") $(frees "$tmp/same.sem")" "8 9 9"
    GMMU_SHADOW=10 GMMU_MIN=0 GMMU_TRACE=$tmp/same.sem LD_PRELOAD=$blas "$tmp/memory" "$way" >"$tmp/with" 2>"$tmp/err"
    expect "memory, $way, shadow execution: exit status" $? "$("$tmp/memory" "$way" >"$tmp/plain"; echo $?)"
    expect "memory, $way, shadow execution: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "memory, $way, shadow execution: calls on the GPU" "$(grep -c ': 4 calls on the GPU, 4 on the CPU; ' "$tmp/err")" 1
done

# ---- what a program does around its calls
gcc -std=gnu17 -O1 -Wall -Wextra -DHANDLERS -shared -fPIC tb/blas/transparent.c -o "$tmp/handlers.so" || exit 1
gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/transparent.c -o "$tmp/transparent" "$tmp/handlers.so" -l:liblapack.so.3 -l:libblas.so.3 -lm || exit 1
transparent=$tmp/transparent
for what in null cancel fork flags grow calls; do
    export GMMU_MIN=0
    same "$what" timeout -s KILL 60 "$transparent" $what
    GMMU_REPORT=/dev/null same "$what, report" timeout -s KILL 60 "$transparent" $what
    unset GMMU_MIN
done
"$transparent" grow >"$tmp/plain"
GMMU_SHADOW=10 GMMU_MIN=0 GMMU_TRACE=$tmp/same.sem LD_PRELOAD=$blas "$transparent" grow >"$tmp/with" 2>"$tmp/err"
expect "blocks that grow, shadow execution: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
expect "blocks that grow, shadow execution: on the GPU" "$(grep -c ': 1 calls on the GPU, 0 on the CPU; ' "$tmp/err")" 1
GMMU_SHADOW=10 GMMU_MIN=0 LD_PRELOAD=$blas "$transparent" fork >"$tmp/with" 2>"$tmp/err"
expect "forks, shadow execution: its parent alone says what was done" "$(grep -c 'shadow execution: [0-9]* calls on the GPU' "$tmp/err")" 1
# the lock of a trace does not outlive the program whose trace it is
GMMU_MIN=0 GMMU_TRACE=$tmp/child.sem LD_PRELOAD=$blas "$transparent" child >"$tmp/with"
GMMU_MIN=0 GMMU_TRACE=$tmp/child.sem LD_PRELOAD=$blas "$transparent" calls >"$tmp/with"
expect "a child that lives on: the trace is the next program's" "$(calls "$tmp/child.sem") $(ls "$tmp" | grep -c '^child.sem')" "400 1"
# reports and traces that cannot be written end no program
for to in GMMU_REPORT GMMU_JSON GMMU_TRACE; do
    env GMMU_MIN=0 $to=/dev/full LD_PRELOAD="$blas" "$transparent" calls >"$tmp/with" 2>"$tmp/err"
    expect "$to on a full disk: exit status" $? 0
    expect "$to on a full disk: one line says so" "$(cat "$tmp/err")" "gmmu_blas: /dev/full: No space left on device; recording stops"
    (ulimit -f 1 && env GMMU_MIN=0 $to="$tmp/limit.out" LD_PRELOAD="$blas" "$transparent" calls 2>"$tmp/err" | cat >"$tmp/with")
    expect "$to beyond the limit of a file: the program ends as ever" "$(cat "$tmp/with")" end
done
GMMU_MIN=0 GMMU_REPORT=stderr bash -c 'LD_PRELOAD=$1 "$2" calls 2>&1 >"$3" | true; exit "${PIPESTATUS[0]}"' _ "$blas" "$transparent" "$tmp/with"
expect "nobody reads standard error: exit status" $? 0
expect "nobody reads standard error: prints the same" "$(cat "$tmp/with")" end
mkfifo "$tmp/fifo"
head -c 100 <"$tmp/fifo" >/dev/null &
GMMU_MIN=0 GMMU_TRACE=$tmp/fifo LD_PRELOAD=$blas timeout 60 "$transparent" calls >"$tmp/with" 2>"$tmp/err"
expect "the reader of a trace ends: exit status" $? 0
expect "the reader of a trace ends: one line says so" "$(grep -c 'Broken pipe; recording stops' "$tmp/err")" 1

# ---- other people's programs
if $python -c 'import numpy' 2>/dev/null; then
    same "numpy" $python tb/blas/numpy_calls.py
    expect "numpy: calls" "$([ "$(calls "$tmp/same.sem")" -gt 1000 ] && echo more than 1000)" "more than 1000"
    # the second heap: bytes that are old where they are read are 0xFF, NaN
    $python tb/blas/numpy_calls.py >"$tmp/plain" 2>/dev/null
    GMMU_SHADOW=100 GMMU_TRACE=$tmp/shadow.sem LD_PRELOAD=$blas timeout 60 $python tb/blas/numpy_calls.py >"$tmp/with" 2>"$tmp/err"
    expect "numpy, shadow execution: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    on_gpu=$(sed -n 's/.*shadow execution: \([0-9]*\) calls on the GPU.*/\1/p' "$tmp/err")
    expect "numpy, shadow execution: calls on the GPU" "$([ "${on_gpu:-0}" -gt 1000 ] && echo more than 1000)" "more than 1000"
    expect "numpy, shadow execution: operands with gaps, records that grow" \
        "$(grep -c '; [1-9][0-9]* operands with gaps; records: [1-9][0-9]* grew, ' "$tmp/err")" 1
    code='import numpy as np; a = [np.full((200, 200), i / 7) for i in range(6)]; b = [x @ y for x in a for y in a]
print(repr(sum(b).sum())); b[7].tofile("/dev/null"); print(repr(b[7].sum()))'
    GMMU_SHADOW=1 GMMU_TRACE=$tmp/shadow.sem LD_PRELOAD=$blas timeout 60 $python -c "$code" >"$tmp/with" 2>"$tmp/err"
    expect "numpy, shadow execution, 1 MiB: prints the same" "$(cat "$tmp/with")" "$($python -c "$code")"
    expect "numpy, shadow execution, 1 MiB: ranges leave" "$(grep -c ' [1-9][0-9]* evictions' "$tmp/err")" 1
else
    echo "blas_test: numpy skipped: found none for $python, expected python3-numpy: make setup"
fi
timeless() { sed 's/[0-9.]* seconds//g;s/[Tt]otal time used.*//'; }
tester() { # program, input
    expect "LAPACK's ${1#x} < $2" "$(GMMU_TRACE=/dev/null recorded "$lapack/$1" <"$lapack/$2" 2>&1 | timeless | md5sum)" \
        "$("$lapack/$1" <"$lapack/$2" 2>&1 | timeless | md5sum)"
}
if [ -x "$lapack/xlintstd" ]; then
    cd "$tmp" || exit 1
    for t in s d c z; do
        tester xeigtst$t nep.in
        [ -z "${GMMU_LONG:-}" ] && continue
        tester xlintst$t ${t}test.in
        tester xlintstrf$t ${t}test_rfp.in
        for f in ${t}ec sep se2 svd gg gsv csd lse gqr glm ${t}gg ${t}gd ${t}sb ${t}sg ${t}bal ${t}bak ${t}gbal ${t}gbak ${t}bb; do
            [ ! -e "$lapack/$f.in" ] || tester xeigtst$t $f.in
        done
    done
    [ -n "${GMMU_LONG:-}" ] || tester xlintstrfd dtest_rfp.in
    [ -z "${GMMU_LONG:-}" ] || { tester xlintstds dstest.in && tester xlintstzc zctest.in; }
else
    echo "blas_test: LAPACK's testers skipped: found none, expected liblapack-test: make setup"
fi
[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
