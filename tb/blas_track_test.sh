#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# blas_track_test.sh: libgmmu_blas.so finding what a program does between its calls, by each back end: programs print as
# without it, and what they touch is in the trace. GMMU_LONG=1: numpy by each back end, LAPACK's testers.
set -u
cd "$(dirname "$0")/.."
blas=${GMMU_BLAS:-$PWD/build/libgmmu_blas.so}
gmmu=${GMMU_BIN:-build/gmmu}
python=/usr/bin/python3
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
if ! ls /usr/lib/*/libblas.so.3 >/dev/null 2>&1; then
    echo "blas_track_test: skipped: found no libblas.so.3, expected Debian's reference: make setup"
    exit 0
fi
for p in accesses program; do
    gcc -std=gnu17 -O1 -Wall -Wextra -Wno-unused-result tb/blas/$p.c -o "$tmp/$p" -l:libblas.so.3 -l:liblapack.so.3 -lpthread || exit 1
done
tracked() { # track, back end, command...: with a trace and a report
    local track=$1 back=$2
    shift 2
    rm -f "$tmp/t.txt"
    GMMU_TRACK=$track GMMU_TRACK_BACKEND=$back GMMU_TRACE=$tmp/t.sem GMMU_REPORT=$tmp/t.txt LD_PRELOAD=$blas "$@"
}
same() { # name, track, back end, command...: prints the same, with the same status
    local name=$1 track=$2 back=$3 status
    shift 3
    "$@" >"$tmp/plain" 2>&1
    status=$?
    rm -f "$tmp"/t.sem* "$tmp"/t.txt*
    tracked "$track" "$back" "$@" >"$tmp/with" 2>&1
    expect "$name, $track by $back: exit status" $? $status
    expect "$name, $track by $back: prints the same" "$(diff "$tmp/plain" "$tmp/with" | head -3)" ""
}
cpu() { grep -c "^cpu .* [$2]:" "$1"; }
some() { [ "$1" -gt 0 ] && echo some || echo none; }

# ---- what is to be had here
tracked writes auto "$tmp/program" solve >/dev/null 2>&1
auto=$(sed -n '2s/.*found by //p' "$tmp/t.txt")
backs="compare mprotect"
[ "$auto" = uffd ] && backs="uffd $backs"
expect "writes: the back end" "$(echo "$auto" | grep -cx 'uffd\|compare')" 1
[ "$auto" = uffd ] || echo "blas_track_test: uffd skipped: found none here"
tracked full auto "$tmp/program" solve >/dev/null 2>&1
expect "full: the back end" "$(sed -n '2s/.*found by //p' "$tmp/t.txt")" mprotect
LD_PRELOAD=$blas "$tmp/program" solve >/dev/null 2>"$tmp/err"
expect "no settings: calls" "$(sed -n '2s/.*GMMU_TRACK=\([a-z]*\)$/\1/p' "$tmp/err")" calls

# ---- programs that touch what they compute with
each() { # name, command...
    local b name=$1
    shift
    for b in $backs; do
        same "$name" writes "$b" "$@"
        eval "writes_$b=$(cpu "$tmp/t.sem" w)"
    done
    same "$name" full mprotect "$@"
}
each mix "$tmp/accesses" mix
expect "mix, full: head" "$(head -1 "$tmp/t.sem")" "sem 2 full"
expect "mix, full: calls" "$(grep -c ^call "$tmp/t.sem")" 8
expect "mix, full: stores" "$(some "$(cpu "$tmp/t.sem" w)")" some
expect "mix, full: loads" "$(some "$(cpu "$tmp/t.sem" r)")" some
expect "mix, full: the code is told" "$(some "$(grep -c '^cpu [0-9]* accesses+0x' "$tmp/t.sem")")" some
for b in $backs; do expect "mix, writes by $b: stores" "$(some "$(eval echo "\$writes_$b")")" some; done
each handler "$tmp/accesses" handler
each "files and sockets" "$tmp/accesses" files
each free "$tmp/program" free
each threads "$tmp/program" threads
each fork "$tmp/program" fork
for b in $backs; do
    expect "no memory, writes by $b: the program goes on" "$(tracked writes "$b" "$tmp/program" exhaust 2>/dev/null)" "$("$tmp/program" exhaust)"
done
for b in ${backs/compare/}; do same "ranges" writes "$b" "$tmp/accesses" ranges 600; done
[ "$auto" != uffd ] || same "33 000 ranges" writes uffd "$tmp/accesses" ranges 33000
$gmmu semcache "$tmp/t.sem" --protocol wb --format csv >"$tmp/rows" 2>&1
expect "gmmu semcache: bounds" "$(tail -n +2 "$tmp/rows" | cut -d, -f3 | tr '\n' ' ')" "least most "

# ---- several threads, seen by ThreadSanitizer
gcc -std=gnu17 -O1 -g -fsanitize=thread -Icmodel/include -Icmodel tb/blas/track_threads.c cmodel/semcache/{segv,track*}.c -o "$tmp/threads" -lpthread || exit 1
for b in $backs; do expect "ThreadSanitizer, writes by $b" "$("$tmp/threads" writes "$b" 2>&1)" "done"; done
expect "ThreadSanitizer, full by mprotect" "$("$tmp/threads" full mprotect 2>&1)" "done"

# ---- what a run without tracking would print, where there is no userfaultfd
"$tmp/accesses" mix >"$tmp/plain"
"$tmp/accesses" denied true
if [ $? = 0 ]; then
    rm -f "$tmp/t.txt"
    GMMU_TRACK=writes GMMU_MIN=0 GMMU_REPORT=$tmp/t.txt "$tmp/accesses" denied env LD_PRELOAD="$blas" "$tmp/accesses" mix >"$tmp/with"
    expect "userfaultfd denied: prints the same" "$(diff "$tmp/plain" "$tmp/with")" ""
    expect "userfaultfd denied: copies" "$(sed -n '2s/.*found by //p' "$tmp/t.txt")" compare
    GMMU_TRACK=writes GMMU_TRACK_BACKEND=uffd "$tmp/accesses" denied env LD_PRELOAD="$blas" "$tmp/accesses" mix >"$tmp/with" 2>"$tmp/err"
    expect "userfaultfd forced and denied: one line" "$(grep -c '^gmmu_blas: GMMU_TRACK_BACKEND: found no userfaultfd' "$tmp/err") $(wc -l <"$tmp/err")" "1 1"
    expect "userfaultfd forced and denied: prints the same" "$(diff "$tmp/plain" "$tmp/with")" ""
else
    echo "blas_track_test: userfaultfd denied: skipped: found no seccomp"
fi
bad() { # settings...
    env "$@" GMMU_TRACE="$tmp/bad.sem" LD_PRELOAD="$blas" "$tmp/accesses" mix >"$tmp/with" 2>"$tmp/err"
    expect "$*: one line" "$(grep -c '^gmmu_blas: GMMU_TRACK.*expected' "$tmp/err") $(wc -l <"$tmp/err")" "1 1"
    expect "$*: prints the same" "$(diff "$tmp/plain" "$tmp/with")" ""
}
bad GMMU_TRACK=some
bad GMMU_TRACK=writes GMMU_TRACK_BACKEND=magic
bad GMMU_TRACK=full GMMU_TRACK_BACKEND=uffd
bad GMMU_TRACK=full GMMU_TRACK_BACKEND=compare

# ---- other people's programs
if $python -c 'import numpy' 2>/dev/null; then
    same numpy writes auto $python tb/blas/numpy_calls.py
    same numpy full mprotect $python tb/blas/numpy_calls.py
    same "numpy's files" full mprotect $python tb/blas/numpy_accesses.py
    expect "numpy, full: loads" "$(some "$(cpu "$tmp/t.sem" r)")" some
    for b in ${GMMU_LONG:+$backs}; do
        same numpy writes "$b" $python tb/blas/numpy_calls.py
        same "numpy's files" writes "$b" $python tb/blas/numpy_accesses.py
    done
else
    echo "blas_track_test: numpy skipped: found none for $python, expected python3-numpy: make setup"
fi
timeless() { sed 's/[0-9.]* seconds//g;s/[Tt]otal time used.*//'; }
if [ -x "$lapack/xeigtstd" ]; then
    for t in ${GMMU_LONG:+s c z} d; do
        for f in lse ${GMMU_LONG:+gqr csd nep}; do
            expect "LAPACK's eigtst$t < $f.in, writes" \
                "$(GMMU_TRACE=/dev/null GMMU_TRACK=writes LD_PRELOAD=$blas "$lapack/xeigtst$t" <"$lapack/$f.in" 2>&1 | timeless | md5sum)" \
                "$("$lapack/xeigtst$t" <"$lapack/$f.in" 2>&1 | timeless | md5sum)"
        done
    done
else
    echo "blas_track_test: LAPACK's testers skipped: found none, expected liblapack-test: make setup"
fi
[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
