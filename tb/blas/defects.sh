# SPDX-License-Identifier: Apache-2.0
# defects.sh: a part of tb/blas_test.sh: what other people's programs found, each by a small one (tb/blas/defects.c)
# shellcheck shell=bash disable=SC2154
cc_() { gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/defects.c "$@" || exit 1; }
reference=(-l:libblas.so.3 -lpthread)
cc_ -o "$tmp/defects" "${reference[@]}"

# ---- the user's BLAS is used, not the one on which the caller depends
cc_ '-DLIBRARY="the dependency"' -shared -fPIC -o "$tmp/libdependency.so"
cc_ '-DLIBRARY="the user"' -shared -fPIC -o "$tmp/libuser.so"
cc_ -DCALLER -shared -fPIC -o "$tmp/libcaller.so" -L"$tmp" -ldependency -Wl,-rpath,"$tmp"
echo 'void call(void); int main(void) { call(); }' >"$tmp/main.c"
gcc "$tmp/main.c" -o "$tmp/main" -L"$tmp" -lcaller -Wl,-rpath,"$tmp"
expect "no BLAS preloaded: the dependency's" "$(GMMU_REPORT=/dev/null recorded "$tmp/main")" "dgemm_ of the dependency"
expect "a BLAS preloaded: the user's" "$(GMMU_REPORT=/dev/null LD_PRELOAD="$blas $tmp/libuser.so" "$tmp/main")" \
    "$(LD_PRELOAD=$tmp/libuser.so "$tmp/main")"

# ---- at the end of the program no object begins again, and a library is known by either of its hash tables
cc_ -DBEGINS -shared -fPIC -o "$tmp/libbegins.so"
for hash in gnu sysv; do
    cc_ '-DLIBRARY="the user"' -shared -fPIC -Wl,--hash-style=$hash -o "$tmp/lib$hash.so"
    echo 'int main(void) { return 0; }' | gcc -x c - -o "$tmp/quiet" -Wl,--no-as-needed -L"$tmp" -l$hash -Wl,-rpath,"$tmp"
    expect "end of the program: each object begins and ends once ($hash)" \
        "$(LD_PRELOAD="$tmp/libbegins.so $blas" "$tmp/quiet" 2>"$tmp/err")" "$(printf 'begins\nends')"
    expect "a library that is not called is known ($hash)" "$(grep -o "no call seen; lib$hash.so is loaded" "$tmp/err")" "no call seen; lib$hash.so is loaded"
done

# ---- names that no library has are not there
cc_ -DPROBE -Wl,--no-as-needed -rdynamic -o "$tmp/probe" "${reference[@]}"
cc_ -DPROBE -rdynamic -o "$tmp/probe_none"
for p in probe probe_none; do
    expect "$p: names are there as without the library" "$(GMMU_REPORT=/dev/null recorded "$tmp/$p")" "$("$tmp/$p")"
done
expect "probe: dgemm_64_ is not" "$("$tmp/probe" | grep -c '^dgemm_64_: default not there, next not there, handle not there')" 1
expect "probe: dgemm_ is" "$("$tmp/probe" | grep -c '^weak: dgemm_ there, dgemm_64_ not there')" 1

# ---- shadow execution ends when there is a second thread
GMMU_SHADOW=10 GMMU_TRACE=/dev/null recorded "$tmp/defects" thread >"$tmp/with" 2>"$tmp/err"
expect "shadow execution, threads: exit status" $? 0
expect "shadow execution, threads: prints the same" "$(cat "$tmp/with")" "$("$tmp/defects" thread)"
expect "shadow execution, threads: says so once" "$(grep -c '^gmmu_blas: GMMU_SHADOW: found a second thread, expected ' "$tmp/err")" 1
expect "shadow execution, threads: the rest on the CPU" "$(grep -o '1 calls on the GPU, 1 on the CPU' "$tmp/err")" "1 calls on the GPU, 1 on the CPU"

GMMU_SHADOW=10 GMMU_SHADOW_THREADS=1 GMMU_TRACE=/dev/null recorded "$tmp/defects" idle >"$tmp/with" 2>"$tmp/err"
expect "shadow execution, a thread that waits: exit status" $? 0
expect "shadow execution, a thread that waits: prints the same" "$(cat "$tmp/with")" "$("$tmp/defects" idle)"
expect "shadow execution, a thread that waits: all on the GPU" "$(grep -o '2 calls on the GPU, 0 on the CPU' "$tmp/err")" "2 calls on the GPU, 0 on the CPU"
(GMMU_SHADOW=10 GMMU_SHADOW_THREADS=1 GMMU_TRACE=/dev/null recorded "$tmp/defects" thread >"$tmp/with" 2>"$tmp/err"; exit $?) 2>/dev/null
expect "shadow execution, a thread that does not: ends by SIGSEGV" $? 139
expect "shadow execution, a thread that does not: says so" "$(grep -c '^gmmu_blas: GMMU_SHADOW_THREADS: found a thread that touches ' "$tmp/err")" 1

# ---- a program that calls nothing prints nothing
expect "shadow execution, no call: silent" "$(GMMU_SHADOW=10 recorded sh -c ': | sed p' 2>&1)" ""

# ---- reports survive what ends a program
ends() { # how, reports wanted
    local status
    status=$("$tmp/defects" end "$1" >"$tmp/plain" 2>&1; echo $?) 2>/dev/null
    rm -f "$tmp/end.txt"
    expect "end by $1: exit status" \
        "$(GMMU_MIN=0 GMMU_REPORT=$tmp/end.txt LD_PRELOAD=$blas "$tmp/defects" end "$1" >"$tmp/with" 2>&1; echo $?)" "$status" 2>/dev/null
    expect "end by $1: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "end by $1: reports" "$(grep -c ' calls, ' "$tmp/end.txt")" "$2"
}
ends term 1
expect "end by term: the report says so" "$(grep -c '^gmmu_blas: process [0-9]* (defects), ended by SIGTERM: offloading' "$tmp/end.txt")" 1
for how in abort _exit own ignore; do ends $how 1; done
ends pool 2
for i in 1 2 3 4 5; do
    ends busy 1
    ends "busy alone" 1
done

rm -f "$tmp/end.txt"
GMMU_REPORT=$tmp/end.txt recorded "$tmp/defects" end pool
expect "end by pool, small calls alone: reports" "$(grep -c '^0 calls, [12] below GMMU_MIN=' "$tmp/end.txt")" 2

# ---- one file for several programs: their reports are one after the other
rm -f "$tmp/two.txt"
GMMU_MIN=0 GMMU_REPORT=$tmp/two.txt recorded sh -c "'$tmp/defects' end _exit; '$tmp/defects' end _exit" >"$tmp/with" 2>&1
expect "one file, two programs: reports" "$(grep -c '^gmmu_blas: process ' "$tmp/two.txt") $(grep -c ' <- ' "$tmp/two.txt")" "2 4"

# ---- a BLAS is there and no call is seen: one line says why
unseen() { # name, wanted in the line, command...
    local name=$1 wanted=$2
    shift 2
    expect "no call seen, $name: prints the same" "$(recorded "$@" 2>"$tmp/err")" "$("$@" 2>/dev/null)"
    expect "no call seen, $name: one line" "$(wc -l <"$tmp/err") $(grep -c "^gmmu_blas: process [0-9]* ([a-z]*): no call seen.*; $wanted" "$tmp/err")" "1 1"
}
cc_ '-DLIBRARY="the program"' -DMAIN -o "$tmp/static"
cc_ -DCALLER -shared -fPIC -o "$tmp/module.so" -l:libblas.so.3
cc_ -DOUTSIDE -o "$tmp/outside" -l:libblas.so.3
unseen "linked statically" "the program has routines linked statically: dgemm_" "$tmp/static"
unseen "RTLD_DEEPBIND" "module.so calls a library directly (RTLD_DEEPBIND): dgemm_" "$tmp/defects" deep "$tmp/module.so"
unseen "outside the table" "the program uses routines outside the table: drotmg_" "$tmp/outside"
unseen "not called" "the program refers to routines and did not call them: dgemm_" "$tmp/defects" nothing
rm -f "$tmp/unseen.txt"
GMMU_REPORT=$tmp/unseen.txt recorded "$tmp/defects" nothing
expect "no call seen, in the report's file" \
    "$(grep -c 'no call seen; libblas.so.3 is loaded' "$tmp/unseen.txt")" 1
blas3=$(ls /usr/lib/*/blas/libblas.so.3)
expect "a BLAS by LD_PRELOAD alone: silent" "$(LD_PRELOAD="$blas $blas3" sh -c 'ls / | sed p' 2>&1 >/dev/null)" ""
expect "a BLAS by LD_PRELOAD, and needed: one line" \
    "$(LD_PRELOAD="$blas $blas3" "$tmp/defects" nothing 2>&1 >/dev/null | grep -c ' (defects): no call seen; libblas.so.3 is loaded; ')" 1
expect "no BLAS: silent" "$(recorded sh -c 'ls / | sed p' 2>&1 >/dev/null)" ""

# ---- least is least
for t in calls writes; do
    rm -f "$tmp/bounds.txt"
    GMMU_MIN=0 GMMU_TRACK=$t GMMU_REPORT=$tmp/bounds.txt recorded "$tmp/defects" merge
    expect "$t: no site's least above its most" \
        "$(awk '/ <- / && !/routine <- site/ { rows++; if ($5 > $6 || $7 > $8) bad++ } END { print rows + 0, bad + 0 }' "$tmp/bounds.txt")" "2 0"
done

# ---- a call that the program leaves is noticed: by longjmp, and by an exception
cc_ -DLEAVES -rdynamic -o "$tmp/leaves" -l:liblapack.so.3 "${reference[@]}"
g++ -x c++ -O1 -Wall -Wextra -DLEAVES tb/blas/defects.c -rdynamic -o "$tmp/throws" -l:liblapack.so.3 "${reference[@]}" || exit 1
for p in leaves throws; do
    for settings in GMMU_TRACK=calls GMMU_TRACK=writes GMMU_TRACK=full GMMU_SHADOW=10; do
        rm -f "$tmp/left.txt"
        for how in left returns; do
            env "$settings" GMMU_MIN=0 GMMU_TRACE="$tmp/$how.sem" GMMU_REPORT="$tmp/left.txt" LD_PRELOAD="$blas" "$tmp/$p" $how \
                >"$tmp/with" 2>"$tmp/err"
            expect "$p, $settings, $how: prints the same" "$(cat "$tmp/with")" "$("$tmp/$p" $how)"
            expect "$p, $settings, $how: all calls behind are recorded" "$(grep -c '^call .* dgemm_ ' "$tmp/$how.sem")" 4
            expect "$p, $settings, $how: so is what is freed" "$(grep -c '^free' "$tmp/$how.sem")" 1
        done
        expect "$p, $settings: reports" "$(grep -c '^4 calls, ' "$tmp/left.txt")" 2
    done
    rm -f "$tmp/left.txt"
    GMMU_MIN=1000 GMMU_REPORT=$tmp/left.txt recorded "$tmp/$p" left >"$tmp/with"
    expect "$p: calls below the minimum are counted" "$(grep -c '^0 calls, [4-9] below GMMU_MIN=1000' "$tmp/left.txt")" 1
done

# ---- a call costs what its operands cost, whatever else lives
for t in "calls auto" "writes auto" "writes compare" "writes mprotect" "full mprotect"; do
    expect "${t/ / by }: the cost of a call" \
        "$(GMMU_MIN=0 GMMU_TRACK=${t% *} GMMU_TRACK_BACKEND=${t#* } GMMU_REPORT=/dev/null recorded "$tmp/defects" beside 2>/dev/null)" \
        "independent of what lives"
done
