# SPDX-License-Identifier: Apache-2.0
# report.sh: a part of tb/blas_test.sh: reports of programs whose shapes, lines and accesses are known (tb/blas/report.c)
# shellcheck shell=bash disable=SC2154
gcc -std=gnu17 -O1 -Wall -Wextra tb/blas/report.c -o "$tmp/report" -l:libblas.so.3 || exit 1
g++ -std=c++17 -O1 -rdynamic tb/blas/report.cpp -o "$tmp/reportcpp" -l:libblas.so.3 || exit 1
reported() { # settings..., program and arguments behind --: $tmp/r.txt and $tmp/r.json
    local settings=()
    while [ "$1" != -- ]; do settings+=("$1") && shift; done
    shift
    rm -f "$tmp/r.txt" "$tmp/r.json"
    env GMMU_MIN=0 GMMU_REPORT="$tmp/r.txt" GMMU_JSON="$tmp/r.json" "${settings[@]}" LD_PRELOAD="$blas" "$@" >"$tmp/with"
}
json() { $python -c "import json,sys; r = json.loads(open('$tmp/r.json').read()); $1"; }

# ---- shapes, as the caller has them, and sizes
reported -- "$tmp/report" shapes
expect "shapes: by site" "$(sed -n 's/ [0-9.]* ms.*//;s/ *shapes: //p' "$tmp/r.txt" | sort | tr '\n' ';')" \
    "d M 100 N 100 K 100: 2 calls;d M 30 N 70 K 20: 3 calls;d N 90 K 30: 1 calls;"
expect "shapes: the others of the site" "$(grep -c 'shapes: d M 100 .*; d M 40 N 50 K 60: 5 calls [0-9.]* ms$' "$tmp/r.txt")" 1
expect "sizes: of all sites, N with 2 N^3 operations" \
    "$(awk '/^size from/ { on = 1 } / calls .* routine <- site/ { on = 0 } on' "$tmp/r.txt" | sed '/pays,/d' | awk '{ print $1, $2 }' | tr '\n' ';')" \
    "32 9;64 2;"
expect "the first line: the size from which on calls pay is the table's" \
    "$(sed -n '1s/.* pays from size \([0-9]*\) on .*/\1/p;1s/.*; no call by itself pays;.*/none/p' "$tmp/r.txt")" \
    "$(awk '/^size from/ { on = 1; next } / calls .* routine <- site/ { on = 0 }
        on && $5 == "yes" { print $1; found = 1; exit } END { if (!found) print "none" }' "$tmp/r.txt")"
expect "pays by itself: the smallest shape of the site" \
    "$(sed -n '/ d M 100 .*; d M 40 /,/pays/s/ *pays by itself: //p' "$tmp/r.txt")" "from d M 40 N 50 K 60 on"
expect "library: GEMM's calls, and that the reference is slow" \
    "$(grep '^library: /usr/lib/.*/blas/libblas.so[.0-9]*: [1-9][0-9]*[.][0-9] Gflop/s over 10 recorded calls of GEMM; ' "$tmp/r.txt" |
        grep -c '; the reference BLAS: a faster BLAS comes first$')" 1
expect "JSON: the library" "$(json 'print(all("/libblas.so" in t["library"] for t in r["sites"]), any(t["estimate"] for t in r["sites"]))')" "True False"
# 3 x (30 x 20 + 20 x 70 + 30 x 70) elements
expect "bytes a call" "$(awk '/cblas_dgemm <- / { print $9 }' "$tmp/r.txt")" "$(awk 'BEGIN { printf "%.1f", (600 + 1400 + 2100) * 8 / 1024 }')"
expect "JSON: the same shapes" \
    "$(json 'print(sorted((s["type"], s["m"], s["n"], s["k"], s["calls"]) for t in r["sites"] for s in t["shapes"]))')" \
    "[('d', 0, 90, 30, 1), ('d', 30, 70, 20, 3), ('d', 40, 50, 60, 5), ('d', 100, 100, 100, 2)]"
expect "JSON: bytes and calls" "$(json 'print(sorted((t["calls"], t["bytes"]) for t in r["sites"]))')" \
    "[(1, 86400), (3, 98400), (7, $((5 * (2400 + 3000 + 2000) * 8 + 2 * 30000 * 8)))]"
expect "the CPU's time beside the protocols', in ms" \
    "$(awk '/^on the CPU: / { cpu = $4 } $NF == "all" { all = $4 } END { print (cpu > 0 && cpu == all) }' "$tmp/r.txt")" 1
expect "the machine of the times" "$(grep -c '^machine: config/links/v100.json.*: link 15.75 GB/s up.* 7000 Gflop/s double.* 5 us a kernel' "$tmp/r.txt")" 1
reported -- "$tmp/report" many
expect "shapes: ever other ones are told by their bounds" "$(sed -n 's/ *shapes: //p' "$tmp/r.txt")" "d, different ones, within M 30..49 N 40 K 50"
expect "JSON: of 20 shapes 8 are kept" "$(json 'print(len(r["sites"][0]["shapes"]), r["sites"][0]["other_shapes"])')" "8 12"

# ---- who has the operands come back, and go up again: 10 results are read, and 10 times an operand is written
reported GMMU_TRACK=full -- "$tmp/report" sides
expect "full: what comes back, and by whom" "$(sed -n 's/ *comes back: \(.* by report+0x\).*/\1/p' "$tmp/r.txt")" "3.05 MiB in 10 transfers, by report+0x"
expect "full: what goes up again, and by whom" "$(sed -n 's/ *goes up, as the CPU wrote it: .* in \(9 transfers, by report+0x\).*/\1/p' "$tmp/r.txt")" \
    "9 transfers, by report+0x"
expect "full: two places of the program" "$(sed -n 's/.* transfers, by //p' "$tmp/r.txt" | sort -u | wc -l)" 2
expect "full: the site has what comes back" "$(awk '/ <- report/ { site = $5 } $NF == "all" { print (site == $5 && site > 6.3) }' "$tmp/r.txt")" 1
expect "JSON: the same" "$(json 'print([(s["downs"], s["down_bytes"]) for s in r["sites"][0]["cpu_sides"] if s["downs"]])')" "[(10, 3200000)]"
reported GMMU_TRACK=writes -- "$tmp/report" sides
expect "writes: what goes up again" "$(grep -c ' goes up, as the CPU wrote it: .* in 9 transfers, by program$' "$tmp/r.txt")" 1
expect "writes: tracking is in the times, and the report says so" \
    "$(grep -c '^tracking: .*GMMU_TRACK=calls$' "$tmp/r.txt")" 1
expect "writes: no reads" "$(grep -c ' comes back: ' "$tmp/r.txt")" 0
reported GMMU_TRACK=calls -- "$tmp/report" sides
expect "calls: nothing of tracking" "$(grep -c '^tracking: ' "$tmp/r.txt")" 0
expect "calls: says that it is not looked for" \
    "$(grep -c '^ping-pong: *not looked for: GMMU_TRACK=full' "$tmp/r.txt") $(grep -c ' transfers, by ' "$tmp/r.txt")" "1 0"

# ---- names of C++
reported GMMU_TRACE="$tmp/cpp.sem" -- "$tmp/reportcpp"
expect "C++: demangled in the report" "$(grep -c 'dgemm_ <- void linear::product<double>(std::vector<double' "$tmp/r.txt")" 1
expect "C++: as it is in trace and JSON" \
    "$(grep -c '^call .* _ZN6linear7product' "$tmp/cpp.sem") $(json 'print(r["sites"][0]["site"][:18])')" "1 _ZN6linear7product"
$gmmu semcache "$tmp/cpp.sem" --protocol wb --sites >"$tmp/sites"
$gmmu semcache --sum "$tmp/r.json" >"$tmp/sum"
expect "C++: demangled by gmmu semcache" "$(grep -c 'linear::product<double>' "$tmp/sites") $(grep -c 'linear::product<double>' "$tmp/sum")" "2 1"
expect "C++: not in its CSV" "$($gmmu semcache "$tmp/cpp.sem" --protocol naive --sites --format csv | grep -c ',_ZN6linear7product')" 1

# ---- ranks
GMMU_MIN=0 GMMU_REPORT=$tmp/rank.%r.txt GMMU_JSON=$tmp/rank.%r.json recorded "$tmp/report" shapes >"$tmp/with"
expect "no rank: the files' names" "$(cd "$tmp" && echo rank.*)" "rank.none.json rank.none.txt"
rm -f "$tmp"/rank.*
for rank in 0 1; do # Slurm's is of the job's step, PMIx's of the program
    SLURM_PROCID=7 PMIX_RANK=$rank OMPI_COMM_WORLD_SIZE=2 GMMU_MIN=0 GMMU_REPORT=$tmp/rank.%r.txt GMMU_JSON=$tmp/rank.%r.json \
        recorded "$tmp/report" shapes >"$tmp/with"
done
expect "ranks: the files' names" "$(cd "$tmp" && echo rank.*)" "rank.0.json rank.0.txt rank.1.json rank.1.txt"
expect "ranks: in the first line" "$(grep -c '^gmmu_blas: process [0-9]* (report), rank 1 of 2 on [^ ]*: offloading saves' "$tmp/rank.1.txt")" 1
expect "ranks: a hint on standard error alone" \
    "$(PMIX_RANK=1 GMMU_MIN=0 recorded "$tmp/report" shapes 2>&1 >/dev/null | grep -c '^ranks: .*=FILE.%r') $(grep -c '^ranks: ' "$tmp/rank.1.txt")" "1 0"
$gmmu semcache --sum "$tmp"/rank.*.json >"$tmp/sum" 2>&1
expect "--sum: exit status" $? 0
expect "--sum: no rank is missing" "$(grep -c '^ranks' "$tmp/sum")" 0
expect "--sum: the rank that is missing" "$($gmmu semcache --sum "$tmp/rank.1.json" | grep '^ranks')" "ranks without a report: 0, of 2"
expect "--sum: percent of CPU time" "$(sed -n '1s/.* s of CPU time (\([0-9]*\) %).*/yes/p' "$tmp/sum")" yes
sed 's/"signal":null/"signal":15/' "$tmp/rank.1.json" >"$tmp/ended.json"
expect "--sum: what ended by a signal" "$($gmmu semcache --sum "$tmp/rank.0.json" "$tmp/ended.json" | grep -c '  ended by SIGTERM$')" 1
expect "--sum: a row for each rank" "$(awk '$1 == "rank" { on = 2; next } on-- > 0 { print $1, $5, $6 }' "$tmp/sum" | tr '\n' ';')" "0 11 0;1 11 0;"
expect "--sum: sites of both" "$(awk '/ <- report/ { print $1, $2 }' "$tmp/sum" | sort | tr '\n' ';')" "2 14;2 2;2 6;"
expect "--sum: shapes of both" "$(grep -c ' d M 40 N 50 K 60: 10 calls ' "$tmp/sum")" 1
expect "--sum: sizes of both" "$(awk '/^size from/ { on = 1; next } /processes/ { on = 0 } on { print $1, $2 }' "$tmp/sum" | tr '\n' ';')" "32 18;64 4;"
expect "--sum: CSV" "$($gmmu semcache --sum "$tmp"/rank.*.json --format csv | cut -d, -f3,4 | sort | tr '\n' ';')" "2,14;2,2;2,6;processes,calls;"
ranks_and_calls='import json,sys; d = json.load(sys.stdin); print([p["rank"] for p in d["processes"]], sum(s["calls"] for s in d["sites"].values()))'
expect "--sum: JSON" "$($gmmu semcache --sum "$tmp"/rank.*.json --format json | $python -c "$ranks_and_calls")" "[0, 1] 22"
expect "--sum --top: the others are counted" "$($gmmu semcache --sum "$tmp"/rank.*.json --top 1 | tail -1)" "2 more sites: --top 0 has all"
expect "--sum: a text is no report" \
    "$($gmmu semcache --sum "$tmp/rank.0.txt" 2>&1 | grep -c 'rank.0.txt:1: found "gmmu_blas: .*", expected a report of GMMU_JSON$')" 1
: >"$tmp/none.json"
expect "--sum: an empty file" "$($gmmu semcache --sum "$tmp/none.json" 2>&1 | grep -c 'none.json: found no report, expected a line of GMMU_JSON$')" 1
expect "GMMU_JSON alone: no text" "$(GMMU_MIN=0 GMMU_JSON=$tmp/alone.json recorded "$tmp/report" shapes 2>&1 >/dev/null)" ""
expect "GMMU_JSON alone: a report" "$(grep -c '^{"gmmu_blas":1,' "$tmp/alone.json")" 1

# ---- lines of the program
if $python -c 'import numpy' 2>/dev/null; then
    reported -- $python tb/blas/report.py
    at() { grep -n "$1" tb/blas/report.py | head -1 | cut -d: -f1; }
    expect "Python: lines of the products" "$(sed -n '/(multiply)/{s/ [0-9.]* ms//g;s/ *lines: //p}' "$tmp/r.txt")" \
        "report.py:$(at 'a @ a') (multiply): 3 calls; report.py:$(at 'matrix @ matrix') (<module>): 1 calls"
    expect "Python: the library's function" "$(json 'print(set(l["line"] for t in r["sites"] for l in t["lines"] if "solve" in l["line"]))')" \
        "{'report.py:$(at np.linalg.solve) (solve: solve)'}"
    expect "Python: operations of iterative routines are marked" "$(grep -c ' (estimate) <- ' "$tmp/r.txt") $(grep -c '^(estimate): ' "$tmp/r.txt")" "1 1"
    expect "JSON: the same marks" "$(json 'print([t["routine"] for t in r["sites"] if t["estimate"]])')" "['dsyevd_']"
    expect "Python: all sites' lines" \
        "$(awk '/ line of the program / { on = 1; next } / routine <- site/ { on = 0 } on { print $5 }' "$tmp/r.txt" | sort | head -2 | tr '\n' ';')" \
        "report.py:$(at 'a @ a');report.py:$(at np.linalg.solve);"
    expect "Python, threads: prints the same" "$(reported -- $python tb/blas/report.py threads && cat "$tmp/with")" "$($python tb/blas/report.py threads)"
    expect "Python, threads: a line is of the thread that calls" \
        "$(json 'print(all(l["line"].startswith("report.py:") for t in r["sites"] for l in t["lines"]))')" True
fi
if command -v Rscript >/dev/null; then
    printf 'f <- function(a) {\n    a %%*%% a\n}\nx <- f(diag(100) + 1)\ncat(sum(x))\n' >"$tmp/script.R"
    reported -- Rscript -e 'options(keep.source = TRUE)' -e "source('$tmp/script.R')"
    expect "R: prints the same" "$(cat "$tmp/with")" "$(Rscript "$tmp/script.R")"
    expect "R: the line" "$(json 'print([l["line"] for t in r["sites"] for l in t["lines"] if "script.R" in l["line"]])')" "['script.R:2']"
else
    echo "blas_test: R skipped: found no Rscript"
fi
