# SPDX-License-Identifier: Apache-2.0
# drivers.sh: a part of tb/blas_test.sh: LAPACK's drivers are rows, and what they call is within them; results that are
# returned; the time of small calls; routines outside the table. By a small program (tb/blas/drivers.c)
# shellcheck shell=bash disable=SC2154
drivers_() { gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/drivers.c "$@" -l:liblapack.so.3 -l:libblas.so.3 || exit 1; }
drivers_ -rdynamic -o "$tmp/drivers"
drivers_ -DLEAVES -rdynamic -Wl,-z,now -o "$tmp/drivers_now"

for settings in GMMU_MIN=0 GMMU_TRACK=writes GMMU_TRACK=full GMMU_SHADOW=10; do
    "$tmp/drivers" drivers >"$tmp/plain" 2>&1
    rm -f "$tmp/drivers.txt"
    env "$settings" GMMU_TRACE="$tmp/drivers.sem" GMMU_REPORT="$tmp/drivers.txt" LD_PRELOAD="$blas" "$tmp/drivers" drivers \
        >"$tmp/with" 2>"$tmp/err"
    expect "drivers, $settings: print the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "drivers, $settings: one call each, and neither the question nor the refusal" \
        "$(grep '^call' "$tmp/drivers.sem" | cut -d' ' -f4 | tr '\n' ' ')" "dscal_ dgesdd_ zheevd_ "
done
expect "drivers: operands" "$(grep ' dgesdd_ ' "$tmp/drivers.sem" | cut -d' ' -f7- | sed 's/0x[0-9a-f]*//g')" \
    "u:+51200 o:+640 o:+51200 o:+51200"
expect "drivers: operands of complex numbers" "$(grep ' zheevd_ ' "$tmp/drivers.sem" | cut -d' ' -f7- | sed 's/0x[0-9a-f]*//g')" \
    "u:+102400 o:+640"
expect "drivers: what was in scratch memory has no meaning any more" \
    "$(awk '$1 == "call" && $4 == "dscal_" { split($NF, at, ":") } $1 == "free" { n += $3 == at[2] } END { print n + 0 }' "$tmp/drivers.sem")" 1
expect "drivers: the report has what they call" \
    "$(awk '/calls within recorded calls belong to them: / { print ($1 > 100), ($0 ~ / dgesdd_/), ($0 ~ / zheevd_/) }' "$tmp/drivers.txt")" "1 1 1"

# what is scaled is written; what EQUED says is not scaled is read alone
"$tmp/drivers" expert >"$tmp/plain" 2>&1
for settings in GMMU_MIN=0 GMMU_TRACK=writes GMMU_TRACK=full GMMU_SHADOW=10; do
    rm -f "$tmp/drivers.txt"
    env "$settings" GMMU_TRACE="$tmp/drivers.sem" GMMU_REPORT="$tmp/drivers.txt" LD_PRELOAD="$blas" "$tmp/drivers" expert \
        >"$tmp/with" 2>"$tmp/err"
    expect "expert drivers, $settings: print the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    expect "expert drivers, $settings: operands, by what EQUED says" \
        "$(grep '^call' "$tmp/drivers.sem" | cut -d' ' -f4,7- | sed 's/0x[0-9a-f]*//g')" \
        "dgesvx_ r:+51200 o:+51200 o:+320 r:+1920 o:+1920 o:+24 o:+24
dgesvx_ r:+51200 o:+51200 o:+320 o:+640 o:+640 r:+1920 o:+1920 o:+24 o:+24
dgesvx_ u:+51200 o:+51200 o:+320 o:+640 o:+640 u:+1920 o:+1920 o:+24 o:+24
dgesvx_ r:+51200 r:+51200 r:+320 r:+640 r:+640 u:+1920 o:+1920 o:+24 o:+24
zposvx_ r:+102400 w:+102400 o:+640 r:+3840 o:+3840 o:+24 o:+24
dgeevx_ u:+51200 o:+640 o:+640 o:+51200 o:+51200 o:+640 o:+640 o:+640
dggevx_ u:+51200 u:+51200 o:+640 o:+640 o:+640 o:+51200 o:+640 o:+640 o:+640 o:+640"
done
expect "expert drivers, shadow execution: all on the GPU" "$(grep -c 'shadow execution: 7 calls on the GPU, 0 on the CPU' "$tmp/err")" 1
expect "expert drivers: rows, all estimates" "$(grep -c '_ (estimate) <- ' "$tmp/drivers.txt")" 4

for settings in GMMU_MIN=0 GMMU_MIN=1000; do
    rm -f "$tmp/returned.txt"
    env "$settings" GMMU_REPORT="$tmp/returned.txt" LD_PRELOAD="$blas" "$tmp/drivers" returned 4000 >"$tmp/with"
    expect "returned, $settings: the same" "$(cat "$tmp/with")" "$("$tmp/drivers" returned 4000)"
done
expect "returned: calls below the minimum have an estimated time" \
    "$(awk '/^below the minimum: some/ { print $8, $12, ($5 > 0.00002 && $5 < 2) }' "$tmp/returned.txt")" "20000 35 1"
rm -f "$tmp/returned.txt"
GMMU_MIN=0 GMMU_REPORT=$tmp/returned.txt recorded "$tmp/drivers" returned 10 >"$tmp/with"
expect "returned: rows" "$(awk '$(NF - 1) == "<-" && $1 ~ /^[0-9]/ { print $1, $(NF - 2) }' "$tmp/returned.txt" | sort | tr '\n' ' ')" \
    "10 ddot_ 10 drot_ 10 idamax_ 10 sdot_ 10 snrm2_ "

if [ "$(uname -m)" = x86_64 ]; then
    for p in drivers drivers_now; do
        rm -f "$tmp/others.txt"
        "$tmp/$p" others >"$tmp/plain" 2>&1
        GMMU_MIN=0 GMMU_REPORT=$tmp/others.txt recorded "$tmp/$p" others >"$tmp/with" 2>&1
        expect "$p, outside the table: prints the same" "$(cmp "$tmp/plain" "$tmp/with" 2>&1)" ""
    done
    line=$(grep ' calls of routines outside the table, ' "$tmp/others.txt")
    expect "outside the table: calls" "$(echo "$line" | grep -oE '[0-9]+ (dsgesv_|dlange_|slange_|cblas_[a-z]*)' | sort | tr '\n' ' ')" \
        "1 cblas_drotmg 2 dsgesv_ 3 cblas_dtbmv 4 dlange_ 4 slange_ "
    expect "outside the table: calls of the table within are rows" "$(grep -c ' sgetrf_ <- dsgesv_' "$tmp/others.txt")" 1
fi
