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

# ---- a program that calls nothing prints nothing
expect "shadow execution, no call: silent" "$(GMMU_SHADOW=10 recorded sh -c ': | sed p' 2>&1)" ""
