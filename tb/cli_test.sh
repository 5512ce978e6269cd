#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# cli_test.sh: the `gmmu` command and `make` as a user meets them: counts of a textbook trace, exit
# statuses, one-line errors. Built with sanitizers.
set -u
cd "$(dirname "$0")/.."
gmmu=${GMMU_BIN:-build/gmmu-asan}
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
bad() { # what, command...: exit status 2 and one line on standard error
    local name=$1
    shift
    "$@" >"$tmp/out" 2>"$tmp/err"
    expect "$name: exit status" $? 2
    expect "$name: lines of message" "$(wc -l <"$tmp/err")" 1
}

# Belady's anomaly (Belady, Nelson, Shedler, CACM 1969): 1 2 3 4 1 2 5 1 2 3 4 5.
{
    echo "# gmmu-walk 1 page_shift=12"
    for p in 1 2 3 4 1 2 5 1 2 3 4 5; do echo "$p,0x10,r"; done
} >"$tmp/belady.walk"
faults() { "$gmmu" replay - --policy "$1" --frames "$2" --format csv <"$tmp/belady.walk" 2>/dev/null | tail -1 | cut -d, -f6; }
expect "FIFO, 3 frames" "$(faults fifo 3)" 9
expect "FIFO, 4 frames: more memory, more faults" "$(faults fifo 4)" 10
expect "LRU, 3 frames" "$(faults lru 3)" 10
expect "LRU, 4 frames" "$(faults lru 4)" 8
expect "OPT, 3 frames" "$(faults opt 3)" 7
expect "OPT, 4 frames" "$(faults opt 4)" 6
expect "CSV header" "$("$gmmu" replay "$tmp/belady.walk" --policy lru --frames 4 --format csv 2>/dev/null | head -1)" \
    "trace,policy,frames,accesses,distinct,faults,cold,evictions,writebacks"
expect "CSV header with three tiers" "$("$gmmu" replay "$tmp/belady.walk" --policy lru --frames 4 --tier2 2x --format csv 2>/dev/null | head -1)" \
    "trace,policy,frames,accesses,distinct,faults,cold,evictions,writebacks,tier1_hits,tier2_hits,tier3_reads,tier3_writes,wasted_lookups,tier2_puts"
tiers() { "$gmmu" replay "$tmp/belady.walk" --policy "$1" --frames 3 --tier2 "$2" --format csv 2>/dev/null | tail -1 | cut -d, -f6,10-; }
expect "three tiers: of a policy without, faults are reads of storage" "$(tiers bam 1)" "$(faults clock 3),2,0,10,0,0,0"
# 7 faults with 3 frames; with one page more OPT has 6, and Tier 2 gives the seventh
expect "three tiers: opt-tiers" "$(tiers opt-tiers 1)" "7,5,1,6,0,6,3"
expect "three tiers: a third of the frames is a page" "$(tiers opt-tiers 0.34x)" "$(tiers opt-tiers 1)"
expect "three tiers: a fifth of the pages is a page" "$(tiers opt-tiers 20%)" "$(tiers opt-tiers 1)"
for text in '' '[]' '{"read_us": [130, "x"]}' "$(sed 's/130,/-1,/' config/tier_times.json)" "$(sed 's/130,/"a",/' config/tier_times.json)"; do
    echo "$text" >"$tmp/times.json"
    bad "times of three tiers: ${text:0:20}" scripts/gmt.py --no-doc --times "$tmp/times.json"
done
bad "times of three tiers: no such file" scripts/gmt.py --no-doc --times "$tmp/nonesuch.json"
semcache() { "$gmmu" semcache sim/sem/chain.sem --format csv "$@" 2>/dev/null | tail -n +2 | cut -d, -f2,8-11 | tr '\n' ' '; }
expect "ranges: Fig. 1's chain" "$(semcache --protocol naive,fig9,wb,wt)" \
    "naive,6,3,805306368,402653184 fig9,9,3,1207959552,402653184 wb,2,1,268435456,134217728 wt,2,3,268435456,402653184 "
expect "ranges: a sweep has ten rows a protocol" "$(semcache --protocol wb,wt --sweep min | wc -w)" 20
expect "ranges: bounds without the CPU's accesses" \
    "$(sed 's/full/calls/' sim/sem/chain.sem | "$gmmu" semcache - --protocol wb --format csv | cut -d, -f3,8,9 | tr '\n' ' ')" \
    "bound,ups,downs least,2,1 most,6,3 "
expect "ranges: a time line" \
    "$("$gmmu" semcache sim/sem/chain.sem --protocol wb --perfetto "$tmp/line.json" >"$tmp/out" && python3 -c 'import json,sys
print(sorted(e["cat"] for e in json.load(open(sys.argv[1])) if e["ph"] == "X"))' "$tmp/line.json")" "['GPU', 'GPU', 'GPU', 'down', 'up', 'up']"
printf 'sem 1 full\ncall 0 a b 9 9 o:0x1000+64\nfree 1 0x1000+8\n' >"$tmp/part.sem"
expect "ranges: a time line of memory that is freed in part" \
    "$("$gmmu" semcache "$tmp/part.sem" --protocol wb --format csv --perfetto "$tmp/line.json" | cut -d, -f8,9 | tr '\n' ' '
    grep -c '"name":"free","cat":"down"' "$tmp/line.json")" "ups,downs 0,1 1"
bad "ranges: a time line in no folder" "$gmmu" semcache sim/sem/chain.sem --perfetto /nonexistent/x
echo 'sem 1 full
cpu 0 a r:0x1+0' >"$tmp/bad.sem"
bad "ranges: an empty one" "$gmmu" semcache "$tmp/bad.sem"
bad "ranges: no trace" "$gmmu" semcache
expect "ranges: times without a link file are the V100's" "$("$gmmu" semcache sim/sem/newmark.sem)" \
    "$("$gmmu" semcache sim/sem/newmark.sem --link config/links/v100.json)"
for option in "--protocol none" "--protocol page:3k" "--evict all" "--gpu-mem 0" "--gpu-mem 1x" "--ranges 1" "--min 0" "--sweep max" "--link $tmp/bad.sem"; do
    # shellcheck disable=SC2086  # two words
    bad "ranges: $option" "$gmmu" semcache sim/sem/chain.sem $option
done
as_opt() { "$gmmu" replay "$1" --policy "$2" --frames 3 --as-opt --format csv 2>/dev/null | cut -d, -f8,10 | tr '\n' ' '; }
expect "all evictions of opt are opt's" "$(as_opt "$tmp/belady.walk" opt)" "evictions,as_opt 4,4 "
# FIFO evicts 1 and 2, which OPT keeps, two pages that OPT lets go too, and two that nobody needs again
expect "evictions that are opt's too" "$(as_opt "$tmp/belady.walk" fifo)" "evictions,as_opt 6,4 "
expect "evictions that are opt's too, of a pipe" "$(as_opt - fifo <"$tmp/belady.walk")" "evictions,as_opt 6,4 "
expect "JSON is JSON" "$("$gmmu" replay "$tmp/belady.walk" --format json 2>/dev/null | python3 -c 'import json,sys; json.load(sys.stdin); print("yes")')" yes
expect "file and pipe agree" \
    "$("$gmmu" replay "$tmp/belady.walk" --policy leu-exact,leu --frames 50% --format csv 2>/dev/null | cut -d, -f2-)" \
    "$("$gmmu" replay - --policy leu-exact,leu --frames 50% --format csv 2>/dev/null <"$tmp/belady.walk" | cut -d, -f2-)"
evictions() { "$gmmu" replay sim/traces/gemm.walk --policy "$1" --frames 60% --format csv 2>/dev/null | tail -1 | cut -d, -f4-; }
expect "leu-host that hears of every access decides as leu" "$(evictions leu-host:sample=0:sampler=4096:batch=7)" "$(evictions leu:sample=0:sampler=4096)"
expect "leu-host takes all its options" \
    "$(evictions leu-host:config=default:batch=3:flush=0:touch=0:feed=1:sample=2:pseudo=0:censor=0:refresh=3 | cut -d, -f1)" 13968
bad "leu-host: a batch beyond the queue" "$gmmu" replay "$tmp/belady.walk" --policy leu-host:config=tiny:batch=64 --frames 3
bad "leu-host: unknown option" "$gmmu" replay "$tmp/belady.walk" --policy leu-host:k=3 --frames 3
expect "same output twice" "$("$gmmu" replay sim/traces/bfs.walk --policy leu --frames 75% --format csv 2>/dev/null | md5sum)" \
    "$("$gmmu" replay sim/traces/bfs.walk --policy leu --frames 75% --format csv 2>/dev/null | md5sum)"
all="opt lru fifo clock random lfu 2q arc lirs clockpro srrip rrip-hpe sieve s3fifo vmin osl leu-exact leu leu-host leu2 hpe hinted hinted-known"
all+=" bam gmt-tierorder gmt-random gmt-reuse gmt-foretold tier opt-tiers"
every() { "$gmmu" replay "${2:-sim/traces/hotspot.walk}" --policy "${all// /,}" --frames 50%,9 --tier2 2x --seed 3 --threads "$1" --format csv 2>/dev/null; }
expect "every policy, two sizes" "$(every 1 | tail -n +2 | cut -d, -f2 | uniq | tr '\n' ' ')" "$all "
expect "any number of threads" "$(every 1 | md5sum)" "$(every 3 | md5sum)"
expect "a percentage of a pipe, any number of threads" "$(every 1 | cut -d, -f2- | md5sum)" \
    "$(every 2 - <sim/traces/hotspot.walk | cut -d, -f2- | md5sum)"
"$gmmu" record spmv --size 3000 --l1-tlb 4 --l2-tlb 16 --hints -o "$tmp/hints.gwt" 2>/dev/null
"$gmmu" trace convert "$tmp/hints.gwt" -o "$tmp/hints.walk"
hinted() { "$gmmu" replay "$@" --policy lru,hinted,hinted-known --frames 50% --format csv 2>/dev/null | cut -d, -f2-; }
expect "hints: 16 launches" "$("$gmmu" trace info "$tmp/hints.walk" | awk '$1 == "launches" { print $2 }')" 16
expect "hints reach policies from text, on any number of threads" "$(hinted "$tmp/hints.gwt" --threads 1)" "$(hinted "$tmp/hints.walk" --threads 3)"
expect "hints reach policies from a pipe" "$(hinted "$tmp/hints.gwt")" "$(hinted - <"$tmp/hints.gwt")"
expect "hints change what hinted does" "$([ "$(hinted "$tmp/hints.gwt")" = "$(grep -v '^#!' "$tmp/hints.walk" | hinted -)" ] && echo same || echo other)" other
expect "--hpe-ideal is an option of every hpe" \
    "$("$gmmu" replay sim/traces/kmeans.walk --hpe-ideal --policy lru,hpe,hpe:set=8 --frames 50% --format csv 2>/dev/null)" \
    "$("$gmmu" replay sim/traces/kmeans.walk --policy lru,hpe:ideal=1,hpe:set=8:ideal=1 --frames 50% --format csv 2>/dev/null)"
bad "hpe: page sets of 12" "$gmmu" replay "$tmp/belady.walk" --policy hpe:set=12 --frames 3
bad "a policy's option out of range" "$gmmu" replay "$tmp/belady.walk" --policy 2q:in=101 --frames 3
bad "a policy's option that is no number" "$gmmu" replay "$tmp/belady.walk" --policy lirs:hir=x --frames 3
bad "no threads" "$gmmu" replay "$tmp/belady.walk" --threads 0
for p in leu leu-exact lru; do
    "$gmmu" explain "$tmp/belady.walk" --event 7 --policy $p --frames 3 >"$tmp/out" 2>&1
    expect "explain $p: exit status" $? 0
    expect "explain $p names the victim" "$(grep -ci victim "$tmp/out" | sed 's/[1-9][0-9]*/some/')" some
done
every_hinted() { "$gmmu" explain "$@" --every 9999 --frames 50% --policy hinted --format json 2>/dev/null |
    python3 -c 'import json,sys; r = json.load(sys.stdin)[-1]; print(r["faults"], r["evictions"], r["launches"])'; }
expect "explain hands hints to the policy; behind the last of 16 launches is no walk" "$(every_hinted "$tmp/hints.gwt")" \
    "$("$gmmu" replay "$tmp/hints.gwt" --policy hinted --frames 50% --format csv 2>/dev/null | tail -1 | cut -d, -f6,8 | tr , ' ') 15"
expect "explain hands hints of a pipe to the policy" "$(every_hinted - <"$tmp/hints.gwt")" "$(every_hinted "$tmp/hints.walk")"
printf '%s\n' '# gmmu-walk 1 page_shift=12' '#!hints 1' 1,0x10,r '#!launch,1' '#!launch,2' '#!launch,3' '#!launch,4' '#!launch,5' '#!launch,6' \
    '#!alloc,0x5,4,7' '#!free,0x1,2' '#!launch,16' 3,0x10,r '#!launch,9' 1,0x10,r >"$tmp/said.walk"
said() { "$gmmu" explain "$tmp/said.walk" --frames 1 --policy hinted "$@" 2>/dev/null; }
expect "explain: what the driver said before a walk, and what hinted makes of it" \
    "$(said --event 2 | grep -e hint: -e ^state | tail -6 | tr '\n' ';')" \
    "hint: launch 0x5;hint: launch 0x6;hint: alloc 0x7, asid 0, vpn 0x5, 4 pages;hint: free, asid 0, vpn 0x1, 2 pages;hint: launch 0x10;$(
    )state: launches 7, forecasts_right 0, forecasts_wrong 0, believed 1;"
expect "explain: the hints before the last ones are counted" "$(said --event 2 | grep -c '^… 1 hints before these$')" 1
expect "explain: hints as JSON" "$(said --event 2 --format json | python3 -c 'import json,sys
r = json.load(sys.stdin)
print(len(r["hints"]), r["hints"][0], r["hints"][-2:], r["state"]["launches"])')" \
    "9 {'kind': 'launch', 'id': '0x1'} [{'kind': 'free', 'asid': 0, 'vpn': '0x1', 'pages': 2}, {'kind': 'launch', 'id': '0x10'}] 7"
expect "explain: a walk without hints" "$(said --event 1 | grep -c hint:) $(said --event 3 | grep -c hint:)" "0 1"
explain() { "$gmmu" explain sim/traces/kmeans.walk --frames 645 "$@" 2>/dev/null; }
expect "explain: no protection, no word of it" "$(explain --event 1000 --policy leu | grep -c protected)" 0
expect "explain: a decision of a protected segment" "$(explain --event 1000 --policy leu:search=sample:protect=217 | grep -c '^victim.*, not protected$')" 1
expect "explain: victim and state, in both formats" \
    "$(explain --event 1000 --policy leu:search=sample:protect=217 | sed -n -e 's/^victim: asid 0, vpn \(0x[0-9a-f]*\),.*/\1/p' \
        -e 's/^state: protected \([0-9]*\), limit \([0-9]*\), T .*/\1 \2/p' | tr '\n' ' ')" \
    "$(explain --event 1000 --policy leu:search=sample:protect=217 --format json | python3 -c 'import json,sys
r = json.load(sys.stdin)
state, all = r["state"], r["candidates"]
assert all[0]["vpn"] == r["victim"]["vpn"] and all[0]["met"] and all[0]["protected"] in ("no", "let go"), all[0]
assert sum(c["protected"] in ("yes", "let go") for c in all) == state["protected"], state
assert 64 <= sum(c["met"] for c in all) <= 64 + 16 and len(all) == r["frames"] == 645
print(r["victim"]["vpn"], state["protected"], state["limit"], end=" ")')"
standing() { "$gmmu" explain sim/traces/kmeans.walk --frames "${3:-500}" --event "$1" --policy "leu:$2" 2>/dev/null |
    sed -n -e 's/^victim:.*vpn 0x[0-9a-f]*, /victim: /p' -e 's/^why: //; s/, shared.*//; /^the/p' | tr '\n' ';'; }
expect "explain: all are protected" "$(standing 501 protect=256)" \
    "victim: protected: the search met no other;the lowest priority of those that the search met, which are all protected;"
expect "explain: protected by name" "$(standing 1623 search=sample:duel=1 900)" \
    "victim: protected by name only: the share is 0;the lowest priority of those that the search met;"
expect "explain: let go" "$(standing 1582 search=sample:protect=217)" \
    "victim: let go by this search: too many are protected, and it is T old;the lowest priority of those that the search met and that are not protected, alone;"
expect "explain --every: a row each, the counts of replay at the end" \
    "$(explain --every 2000 --policy leu:duel=1 --format json | python3 -c 'import json,sys
r = json.load(sys.stdin)
assert [x["walks"] for x in r[:-1]] == [2000, 4000, 6000]
assert all(x["limit"] == int(x["frames"] * x["share"]) and x["frames"] == 645 for x in r)
print(r[-1]["walks"], r[-1]["faults"], r[-1]["evictions"])')" \
    "$("$gmmu" replay sim/traces/kmeans.walk --policy leu:duel=1 --frames 645 --format csv 2>/dev/null | tail -1 | cut -d, -f4,6,8 | tr , ' ')"
expect "explain --every through a pipe" "$("$gmmu" explain - --every 5000 --frames 50% --policy leu:protect=64 <sim/traces/kmeans.walk 2>/dev/null)" \
    "$("$gmmu" explain sim/traces/kmeans.walk --every 5000 --frames 50% --policy leu:protect=64 2>/dev/null)"
if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null && [ -x build/gmmu ]; then
    "$gmmu" gen zipf --pages 40 --accesses 2000 -o "$tmp/zipf.walk" 2>/dev/null
    expect "report shows what goes back and forth" "$(/usr/bin/python3 scripts/report.py sim/sem/newmark.sem --out "$tmp/report.html" >/dev/null &&
        grep -o '<h2 id="newmark">[^<]*' "$tmp/report.html"; grep -c '<td>probe</td>' "$tmp/report.html")" '<h2 id="newmark">newmark: ranges
2'
    expect "report shows what is protected over time" "$(/usr/bin/python3 scripts/report.py "$tmp/zipf.walk" --out "$tmp/report.html" >/dev/null &&
        grep -o '<figcaption>[^<]*protected[^<]*' "$tmp/report.html" | sed 's/changed its share [0-9]* times\{0,1\}/changed/')" \
        "<figcaption>zipf: frames that are protected over time, memory 50 % of the pages; the duel changed."
fi
bad "explain --every of a policy without numbers" "$gmmu" explain sim/traces/kmeans.walk --every 5000 --policy lru

# Curves: the same counts as replays, from a file or a pipe, on any number of threads.
mrc() { "$gmmu" mrc "$@" --format csv 2>/dev/null | tail -n +2 | cut -d, -f2-8; }
replays() { "$gmmu" replay "$@" --format csv 2>/dev/null | tail -n +2 | cut -d, -f2-8; }
some=lru,opt,leu-exact,fifo,clock
expect "mrc counts as replay" "$(mrc "$tmp/belady.walk" --policy $some --points all)" "$(replays "$tmp/belady.walk" --policy $some --frames 1,2,3,4,5)"
expect "mrc of a recorded trace" "$(mrc sim/traces/gemm.walk --policy $some --frames 10%,33%,500,9999)" \
    "$(replays sim/traces/gemm.walk --policy $some --frames 10%,33%,500,9999)"
expect "mrc from a pipe, one thread or four" \
    "$(mrc - --policy opt,fifo,leu --threads 1 <sim/traces/spmv.walk)" "$(mrc sim/traces/spmv.walk --policy opt,fifo,leu --threads 4)"
expect "mrc: columns" \
    "$("$gmmu" mrc "$tmp/belady.walk" --format csv 2>/dev/null | head -1)" "trace,policy,frames,accesses,distinct,faults,cold,evictions,miss_ratio"
expect "mrc: sizes" "$(mrc sim/traces/gemm.walk --policy lru --points 4 | cut -d, -f2 | tr '\n' ' ')" "150 300 450 600 "
expect "mrc: sizes, --log" "$(mrc sim/traces/gemm.walk --policy lru --points 3 --log | cut -d, -f2 | tr '\n' ' ')" "1 24 600 "
expect "mrc: miss ratio" "$("$gmmu" mrc "$tmp/belady.walk" --policy lru --frames 3 --format csv 2>/dev/null | tail -1 | cut -d, -f9)" 0.833333
expect "mrc: JSON" "$("$gmmu" mrc "$tmp/belady.walk" --sample rate=50% --check --format json 2>/dev/null |
    python3 -c 'import json,sys; r = json.load(sys.stdin); print(len(r), sorted(r[0])[-2:])')" "10 ['std_error', 'trace']"
for how in rate=1 rate=100% size=5000; do
    expect "mrc: a sample of all pages ($how) is exact" "$(mrc sim/traces/kmeans.walk --policy lru,opt,leu-exact --sample $how)" \
        "$(mrc sim/traces/kmeans.walk --policy lru,opt,leu-exact)"
done
for how in rate=0.2 size=200; do
    expect "mrc: the exact ratio stands beside the estimate ($how)" \
        "$("$gmmu" mrc sim/traces/kmeans.walk --policy lru,opt --sample $how --check --frames 400,900 --format csv 2>/dev/null | tail -n +2 | cut -d, -f11)" \
        "$("$gmmu" mrc sim/traces/kmeans.walk --policy lru,opt --frames 400,900 --format csv 2>/dev/null | tail -n +2 | cut -d, -f9)"
    expect "mrc: --check does not change the estimate ($how)" \
        "$(mrc sim/traces/kmeans.walk --policy lru,leu-exact --sample $how --check --frames 400,900 | cut -d, -f1,2,5)" \
        "$(mrc sim/traces/kmeans.walk --policy lru,leu-exact --sample $how --frames 400,900 | cut -d, -f1,2,5)"
done
expect "mrc: a fixed size is kept" \
    "$("$gmmu" mrc sim/traces/kmeans.walk --policy lru --sample size=100 2>&1 >/dev/null | grep -c 'rate 0.0[0-9]* at the end')" 1
printf '# gmmu-walk 1 page_shift=12\n' >"$tmp/empty-trace.walk"
expect "mrc of no walks" "$(mrc "$tmp/empty-trace.walk" --policy lru,fifo)" "$(replays "$tmp/empty-trace.walk" --policy lru,fifo --frames 1)"
bad "mrc: unknown policy" "$gmmu" mrc "$tmp/belady.walk" --policy lruu
bad "mrc: options of a curve" "$gmmu" mrc "$tmp/belady.walk" --policy lru:x=1
bad "mrc: options of a run" "$gmmu" mrc sim/traces/gemm.walk --policy leu:config=none
for how in rate=0 rate=2 rate=1e rate=-1 rate=nan size=0 size=x 0.1; do
    bad "mrc: --sample $how" "$gmmu" mrc "$tmp/belady.walk" --sample $how
done
bad "mrc: a sample for fifo" "$gmmu" mrc "$tmp/belady.walk" --policy fifo --sample rate=0.5
bad "mrc: --check alone" "$gmmu" mrc "$tmp/belady.walk" --check
bad "mrc: no points" "$gmmu" mrc "$tmp/belady.walk" --points 0
bad "mrc: too many threads" "$gmmu" mrc "$tmp/belady.walk" --policy fifo --threads 5000
bad "mrc: no such file" "$gmmu" mrc "$tmp/nonesuch.walk"

printf '# gmmu-walk 1 page_shift=12\n1,2,r\n1,2,x\n' >"$tmp/bad.walk"
bad "mrc: bad record" "$gmmu" mrc "$tmp/bad.walk" --policy lru,fifo
bad "bad record" "$gmmu" replay "$tmp/bad.walk" --policy lru --frames 1
expect "it names the line" "$(grep -c 'bad.walk:3: found' "$tmp/err")" 1
: >"$tmp/empty.walk"
bad "empty file" "$gmmu" replay "$tmp/empty.walk"
bad "a directory" "$gmmu" replay "$tmp"
bad "no such file" "$gmmu" trace info "$tmp/none.walk"
bad "unknown policy" "$gmmu" replay "$tmp/belady.walk" --policy lruu
bad "no frames" "$gmmu" replay "$tmp/belady.walk" --frames 0
bad "unknown option of a policy" "$gmmu" replay sim/traces/bfs.walk --policy leu:config=none --frames 9
printf '# gmmu-walk 1 page_shift=12\n0x100000,1,r\n' >"$tmp/wide.walk"
bad "page wider than the configuration" "$gmmu" replay "$tmp/wide.walk" --policy leu:config=tiny --frames 1
"$gmmu" --help >"$tmp/out" 2>&1
expect "--help: exit status" $? 0
expect "--version" "$("$gmmu" --version | head -1 | grep -c "$(cat VERSION)")" 1

# Installed, linked by pkg-config from another folder, shared and static alike.
make --no-print-directory -s install PREFIX=/usr DESTDIR="$tmp/root" >"$tmp/out" 2>&1
expect "make install: exit status" $? 0
cat >"$tmp/use.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "blocks/gmmu_tier.h"
int main(void) {
    const gmmu_config *c = gmmu_config_find("tiny");
    const gmmu_regs r = gmmu_regs_default(c);
    gmmu_tier u;
    void *mem = malloc(gmmu_tier_bytes(c));
    if (mem == NULL || gmmu_tier_init(&u, c, &r, mem, gmmu_tier_bytes(c)) != 0)
        return 1;
    gmmu_tier_walk_in w = {.vpn = 1, .ref = 2, .fault = true};
    printf("%u\n", gmmu_tier_walk(&u, w).time);
    free(mem);
    return 0;
}
C
gcc -std=gnu17 -I"$tmp/root/usr/include/gmmu-tier" "$tmp/use.c" -L"$tmp/root/usr/lib" -lgmmu -o "$tmp/use" 2>"$tmp/err"
expect "a program links libgmmu" $? 0
expect "and runs" "$(LD_LIBRARY_PATH="$tmp/root/usr/lib" "$tmp/use")" 1
expect "soname" "$(objdump -p "$tmp/root/usr/lib/libgmmu.so" | sed -n 's/.*SONAME *//p')" "libgmmu.so.$(cut -d. -f1 VERSION)"
make -s install PREFIX="$tmp/second" >/dev/null 2>"$tmp/err"
expect "each installation's pkg-config file has its own prefix" \
    "$(sed -n 's/^prefix=//p' "$tmp"/{root/usr,second}/lib/pkgconfig/gmmu{,-systemc}.pc | tr '\n' ' ')" "/usr /usr $tmp/second $tmp/second "
expect "one version everywhere" "$(sed -n 's/^Version: //p' "$tmp/root/usr/lib/pkgconfig/gmmu.pc")" "$(cat VERSION)"
for c in replay mrc explain trace record rdgc gen; do
    expect "the manual has $c" "$(grep -ci "gmmu.*$c" docs/gmmu.1 | sed 's/[1-9][0-9]*/some/')" some
done

expect "docs/reference/cli.md is what --help says (make man)" "$(scripts/cli_page.sh "$gmmu" | cmp - docs/reference/cli.md 2>&1)" ""

# Trace forms: convert, digest, cut, head, imported traces, damage.
t=sim/traces/bfs.walk
digest() { "$gmmu" trace digest "$@" 2>/dev/null | cut -d' ' -f1-4; }
"$gmmu" trace convert $t -o "$tmp/bfs.gwt"
expect "convert: exit status" $? 0
expect "text and .gwt have one digest" "$(digest $t)" "$(digest "$tmp/bfs.gwt")"
expect "a .gwt through a pipe" "$(digest $t)" "$(cat "$tmp/bfs.gwt" | digest -)"
expect "back to text" "$("$gmmu" trace convert "$tmp/bfs.gwt" -o - | cmp - $t && echo same)" same
expect "a .gwt replays as its text" "$("$gmmu" replay "$tmp/bfs.gwt" --policy opt --frames 50% --format csv 2>/dev/null | tail -1 | cut -d, -f2-)" \
    "$("$gmmu" replay $t --policy opt --frames 50% --format csv 2>/dev/null | tail -1 | cut -d, -f2-)"
walks() { grep -v '^#'; }
for f in $t "$tmp/bfs.gwt"; do
    expect "cut $f" "$("$gmmu" trace cut --walks 70000:70005 "$f" | walks)" "$(walks <$t | sed -n 70001,70005p)"
    expect "head $f" "$("$gmmu" trace head -n 3 "$f" | walks)" "$(walks <$t | head -3)"
done
for f in r.walk r.gwt; do "$gmmu" record atax --size 64 -o "$tmp/$f" 2>/dev/null; done
expect "record writes .gwt" "$(head -c 4 "$tmp/r.gwt" | tail -c 3)" GWT
expect "record: one digest in both forms" "$(digest "$tmp/r.walk")" "$(digest "$tmp/r.gwt")"
printf ' L 1000,8\nI  04001000,3\n S 2ffc,8\n M 1008,4\n' >"$tmp/small.lackey"
expect "lackey" "$("$gmmu" trace convert --from lackey "$tmp/small.lackey" -o - 2>/dev/null | walks | tr '\n' ' ')" \
    "0x1,0x0,r 0x2,0x0,w 0x3,0x0,w 0x1,0x0,w "
expect "what is no walk is counted" "$("$gmmu" replay --from=lackey "$tmp/small.lackey" --frames 1 2>&1 | grep -c '1 instruction fetches were not converted')" 1
bad "unknown form" "$gmmu" replay --from nonesuch $t
bad "imported as another form" "$gmmu" trace digest --from accelsim "$tmp/small.lackey"
bad "output is the input" "$gmmu" trace convert "$tmp/bfs.gwt" -o "$tmp/bfs.gwt"
head -c 300000 "$tmp/bfs.gwt" >"$tmp/short.gwt"
bad "truncated .gwt" "$gmmu" trace convert "$tmp/short.gwt" -o "$tmp/out.walk"
expect "it names block and byte" "$(grep -c 'short.gwt: block [0-9]* at byte [0-9]*: found' "$tmp/err")" 1
expect "no half a trace stays" "$(ls "$tmp/out.walk" 2>/dev/null)" ""
"$gmmu" trace convert --keep-going "$tmp/short.gwt" -o "$tmp/out.walk" 2>"$tmp/err"
expect "keep going: exit status" $? 2
expect "keep going: whole blocks are kept" "$(walks <"$tmp/out.walk" | wc -l)" $((14 * 8192))
expect "keep going: says what is lost" "$(grep -c "kept $((14 * 8192)) walks, lost $((168579 - 14 * 8192)) walks" "$tmp/err")" 1
"$gmmu" trace convert --keep-going "$tmp/bad.walk" -o "$tmp/out.walk" 2>"$tmp/err"
expect "keep going in text" "$?,$(walks <"$tmp/out.walk"),$(grep -c '1 bad lines' "$tmp/err")" "2,0x1,0x2,r,1"

# Imported tables, and gzip.
printf 'addr;size;rw;warp\n0x1ffc;8;r;1\n8192;;Store;2\n' >"$tmp/t.csv"
as_text() { "$gmmu" trace convert "$@" -o - 2>"$tmp/err" | walks | tr '\n' ' '; }
expect "csv" "$(as_text --from csv "$tmp/t.csv")" "0x1,0x0,r 0x2,0x0,r 0x2,0x0,w "
expect "csv: ignored columns are named once" "$(cat "$tmp/err")" 'gmmu trace: columns ignored: "warp"'
"$gmmu" replay --from csv "$tmp/t.csv" --frames 50% >"$tmp/out" 2>"$tmp/err"
expect "csv, read twice: named once all the same" "$?,$(grep -c 'columns ignored' "$tmp/err")" 0,1
printf 'start,end,type,addr,size,sm\n1,2,memcpy_h2d,0,8192,3\n2,3,invalidate,0,8192,3\n2,3,dma,0,1,3\n4,5,dma,0,1,3\n' >"$tmp/t.uvm"
expect "uvm-csv" "$(as_text --from uvm-csv "$tmp/t.uvm")" "0x0,0x0,r,3,0,1 0x1,0x0,r,3,0,1 "
expect "uvm-csv: the rest is counted by reason" "$(cat "$tmp/err")" \
    'gmmu trace: 1 events of type invalidate, 2 events of type dma were not converted'
printf 'kernel_id,rw,is_weight,bytes,va_start\n5,w,1,1,0\n5,r,0,1,2097152\n' | gzip >"$tmp/t.g10.gz"
expect "g10, compressed" "$(as_text --from g10 --iterations 2 "$tmp/t.g10.gz")" \
    "0x1,0x50000,r 0x0,0x50001,w,0,1 0x1,0x50000,r 0x0,0x50001,w,0,1 "
expect "g10 through a pipe, other pages" "$("$gmmu" trace info --from g10 --page-shift 12 --format json - <"$tmp/t.g10.gz" |
    python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["page_shift"], d["walks"])')" "12 6"
printf '{"timestamp": 9, "hash_ids": [4, 5, 6]}\n' >"$tmp/t.jsonl"
expect "mooncake" "$(as_text --from mooncake "$tmp/t.jsonl")" "0x4,0x0,r,0,0,9 0x5,0x1,r,0,0,9 0x6,0x2,r,0,0,9 "
gzip -c $t >"$tmp/bfs.walk.gz"
expect "a text in gzip, read twice" "$("$gmmu" replay "$tmp/bfs.walk.gz" --policy opt --frames 50% --format csv 2>/dev/null | cut -d, -f2-)" \
    "$("$gmmu" replay $t --policy opt --frames 50% --format csv 2>/dev/null | cut -d, -f2-)"
printf 'vpn\nx\n' >"$tmp/bad.csv"
bad "bad row of a csv" "$gmmu" replay --from csv "$tmp/bad.csv"
expect "it names the line" "$(cat "$tmp/err")" "gmmu replay: $tmp/bad.csv:2: found \"x\", expected a page number below 2^64"
bad "csv without a page" "$gmmu" trace info --from csv "$tmp/t.jsonl"
bad "bad JSON" "$gmmu" trace info --from mooncake "$tmp/t.csv"
head -c 900 "$tmp/bfs.walk.gz" >"$tmp/short.gz"
bad "truncated gzip" "$gmmu" trace digest "$tmp/short.gz"
bad "iterations of another form" "$gmmu" trace info --iterations 2 $t
bad "no iterations" "$gmmu" trace info --from g10 --iterations 0 "$tmp/t.g10.gz"

# Synthetic traces against a slow generator.
cat >"$tmp/gen.py" <<'P'
import bisect, sys
kind, n, p, s, a = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5])
M = 2**64 - 1
def draw():
    global s
    s = s + 0x9E3779B97F4A7C15 & M
    z = (s ^ s >> 30) * 0xBF58476D1CE4E5B9 & M
    z = (z ^ z >> 27) * 0x94D049BB133111EB & M
    return z ^ z >> 31
upto, page, turn, hot = [], list(range(p)), 0, max(1, p // 10)
if kind == "zipf":
    for i in range(p):
        upto.append((upto[-1] if upto else 0.0) + pow(float(i + 1), -a))
    for i in range(p - 1, 0, -1):
        j = draw() % (i + 1)
        page[i], page[j] = page[j], page[i]
for i in range(n):
    if kind == "zipf":
        x = page[min(bisect.bisect_left(upto, (draw() >> 11) / 2.0**53 * upto[-1]), p - 1)]
    elif kind == "cyc" and draw() & 1:
        x = draw() % hot
    elif kind == "cyc":
        x, turn = hot + turn, (turn + 1) % (p - hot)
    else:
        x = draw() % p if kind == "uniform" else i % p
    print("0x%x,0x0,r" % x)
P
for g in "zipf 5000 1000 12345 1" "zipf 5000 3 9 0.5" "zipf 5000 700 9 3" "zipf 5000 700 9 0" "cyc 5000 90 777 1" "cyc 50 2 5 1" \
    "uniform 5000 7777 1 1" "scan 20 7 1 1"; do
    read -r kind n p s a <<<"$g"
    skew=$([ "$kind" = zipf ] && echo "--skew $a")
    # shellcheck disable=SC2086
    expect "gen $g" "$("$gmmu" gen "$kind" -n "$n" -p "$p" -s "$s" $skew | walks | md5sum)" "$(python3 "$tmp/gen.py" $g | md5sum)"
done
"$gmmu" gen zipf -n 70000 -p 500 -o "$tmp/z.gwt"
expect "gen into a file, a pipe, as text: one digest" "$("$gmmu" gen zipf -n 70000 -p 500 --to gwt | digest -),$(digest "$tmp/z.gwt")" \
    "$("$gmmu" gen zipf -n 70000 -p 500 | digest -),$(digest "$tmp/z.gwt")"
bad "gen: unknown kind" "$gmmu" gen zip
bad "gen: no kind" "$gmmu" gen
bad "gen: one page" "$gmmu" gen scan --pages 1
bad "gen: no accesses" "$gmmu" gen scan --accesses 0
bad "gen: bad skew" "$gmmu" gen zipf --skew -1
bad "gen: skew of a scan" "$gmmu" gen scan --skew 1
bad "gen: bad seed" "$gmmu" gen cyc --seed x
bad "gen: a full disk" "$gmmu" gen cyc -o /dev/full

# Caches. A thread of one block reads A, B, A, writes A, reads A and C; a step between two of them is all that memory
# takes, so that none waits. L1 (write-evict): misses A, B, hits A, loses it to the write, misses A, C. L2 sees A, B, the
# write, A, C. Without L1 it sees all six.
{
    echo "# gmmu-rdgc 1 blocks=1 threads=32"
    for a in 0,r,0x1000 1,r,0x2000 2,r,0x1004 3,w,0x1008 4,r,0x100c 5,r,0x3000; do echo "${a%%,*},0,7,${a#*,}"; done
} >"$tmp/one.rdgc"
{ # a second grid, of two blocks: each reads A, which L2 has kept
    echo "# gmmu-rdgc 1 blocks=2 threads=1"
    echo 0,0,0,r,0x1000
    echo 0,1,0,r,0x1010
} >"$tmp/two.rdgc"
cat "$tmp/one.rdgc" "$tmp/two.rdgc" >"$tmp/three.rdgc"
rdgc() { "$gmmu" rdgc "$@" --set l1.latency=1 --set l2.latency=1 --format csv 2>/dev/null; }
column() { # name: the values of a column
    python3 -c 'import csv,sys; print(" ".join(r[sys.argv[1]] for r in csv.DictReader(sys.stdin)))' "$1"
}
expect "rdgc: hit ratios" "$(for c in L1_R_Hit L2_Hit L2_Hit_L1B; do rdgc "$tmp/one.rdgc" | column $c; done | tr '\n' ' ')" "0.200000 0.400000 0.500000 "
expect "rdgc: transactions" "$(for c in L1_R_Trans L2_Trans L2_Trans_L1B; do rdgc - <"$tmp/one.rdgc" | column $c; done | tr '\n' ' ')" "5 5 6 "
expect "rdgc: steps of L1, a list each" "$(rdgc "$tmp/one.rdgc" | column l1_steps)" 6
expect "rdgc: L, accesses" "$(for c in grids blocks threads L L_sum reads writes; do rdgc "$tmp/three.rdgc" | column $c; done | tr '\n' ' ')" "2 3 32 6 7 7 1 "
expect "rdgc: L2 is kept from grid to grid" "$(rdgc "$tmp/three.rdgc" | column L2_Hit)" 0.571429
expect "rdgc: or not" "$(rdgc "$tmp/three.rdgc" --set keep_l2=no | column L2_Hit)" 0.428571
expect "rdgc: one grid" "$(rdgc "$tmp/three.rdgc" --grid 1 | cut -d, -f2-)" "$(rdgc "$tmp/two.rdgc" | cut -d, -f2-)"
expect "rdgc: some grids" \
    "$(for g in 0 0,1 0- 1- 0-1 0-/2 1-1/3 all; do rdgc "$tmp/three.rdgc" --grid $g | column grids; done | tr '\n' ' ')" "1 2 2 1 2 1 1 2 "
expect "rdgc: L1 on, off" "$(for l in on off both; do rdgc "$tmp/one.rdgc" --l1 $l | tail -1 | cut -d, -f10-15; done | tr '\n' ' ')" \
    "0.200000,0.400000,,5,5, ,,0.500000,,,6 0.200000,0.400000,0.500000,5,5,6 "
expect "rdgc: a GPU without L1" "$(rdgc "$tmp/one.rdgc" --gpu gt740m | tail -1 | cut -d, -f10-15)" ",,0.500000,,,6"
expect "rdgc: counters" "$(rdgc "$tmp/one.rdgc" --gpu rdgc_base --set l1.ways=2 --set l2.ways=2 --profile | tail -n +2 | cut -d, -f3- | tr '\n' ' ')" \
    "C1R,0,1 C1R,1,0 C1R,inf,4 C1W,0,1 C1W,1,0 C1W,inf,0 C2R,0,1 C2R,1,0 C2R,inf,3 C2W,0,1 C2W,1,0 C2W,inf,0 "\
"C2R_L1B,0,2 C2R_L1B,1,0 C2R_L1B,inf,3 C2W_L1B,0,1 C2W_L1B,1,0 C2W_L1B,inf,0 "
expect "rdgc: counters with L1 alone" \
    "$(rdgc "$tmp/one.rdgc" --gpu rdgc_base --set l1.ways=2 --set l2.ways=2 --l1 on --profile | tail -n +2 | cut -d, -f3- | tr '\n' ' ')" \
    "C1R,0,1 C1R,1,0 C1R,inf,4 C1W,0,1 C1W,1,0 C1W,inf,0 C2R,0,1 C2R,1,0 C2R,inf,3 C2W,0,1 C2W,1,0 C2W,inf,0 "
expect "rdgc: JSON" "$("$gmmu" rdgc "$tmp/one.rdgc" --l1 off --vary sms+seed=2:7 --format json --profile 2>/dev/null |
    python3 -c 'import json,sys; r = json.load(sys.stdin)[0]; print(r["varied"], r["L1_R_Hit"], r["L2_Trans_L1B"], sum(r["C2R_L1B"]))')" \
    "{'sms': '2', 'seed': '7'} None 6 5"
expect "rdgc: table" "$("$gmmu" rdgc "$tmp/one.rdgc" --gpu rdgc_base --profile --vary sms=2,3 2>/dev/null | sed 's/ *$//' | sed -n '5,7p;12,15p')" "\
sms        L1_R_Hit L2_Hit L2_Hit_L1B L1_R_Trans L2_Trans L2_Trans_L1B
2          0.200000 0.400000   0.500000          5        5            6
3          0.200000 0.400000   0.500000          5        5            6

2
C1R      0: 1 inf: 4
C1W      0: 1 inf: 0"
expect "rdgc: table of one case" "$("$gmmu" rdgc "$tmp/one.rdgc" --gpu rdgc_base --profile 2>/dev/null | sed 's/ *$//' | sed -n '10,12p')" "
C1R      0: 1 inf: 4
C1W      0: 1 inf: 0"
expect "rdgc: table with a long key" "$("$gmmu" rdgc "$tmp/one.rdgc" --gpu rdgc_base --vary l2.bank_chunk=1,64 2>/dev/null | sed -n '5,7p' | cut -c1-22)" "\
l2.bank_chunk L1_R_Hit
1             0.200000
64            0.200000"
printf '# gmmu-rdgc 1 blocks=1 threads=1\n0,0,0,w,64\n' >"$tmp/write.rdgc"
expect "rdgc: no ratio of no reads" "$("$gmmu" rdgc "$tmp/write.rdgc" --format json 2>/dev/null |
    python3 -c 'import json,sys; r = json.load(sys.stdin)[0]; print(r["L1_R_Hit"], r["L1_R_Trans"], r["L2_Hit"], r["L2_Trans"], "C1R" in r)')" \
    "None 0 0.0 1 False"
many() { rdgc "$tmp/one.rdgc" --vary seed="$(seq -s, 64)" "$@"; }
expect "rdgc: 128 models" "$(many --threads 100 | wc -l),$(many --threads 100 | md5sum)" "65,$(many --threads 1 | md5sum)"
k="atax --size 70 --gpu rdgc_base"
# shellcheck disable=SC2086
"$gmmu" rdgc $k -o "$tmp/atax.rdgc" --format csv >"$tmp/out" 2>"$tmp/err"
expect "rdgc: the result is checked" "$(grep -c 'result check passed' "$tmp/err")" 1
# per grid and thread: (a load of the sum, of A, of the vector, a store) of 70 iterations
expect "rdgc: L of atax" "$(for c in grids L L_sum reads writes; do column $c <"$tmp/out"; done | tr '\n' ' ')" "2 280 560 29400 9800 "
expect "rdgc: what is written reads as the kernel" \
    "$("$gmmu" rdgc "$tmp/atax.rdgc" --gpu rdgc_base --format csv 2>/dev/null | cut -d, -f2-)" "$(cut -d, -f2- "$tmp/out")"
# shellcheck disable=SC2086
expect "rdgc: into a pipe" "$("$gmmu" rdgc $k -o - | md5sum)" "$(md5sum <"$tmp/atax.rdgc")"
# shellcheck disable=SC2086
expect "rdgc: one grid of it" "$("$gmmu" rdgc $k --grid 1 -o - | "$gmmu" rdgc - --gpu rdgc_base --format csv 2>/dev/null | column reads)" 14700
some() { "$gmmu" rdgc "$tmp/atax.rdgc" --gpu rdgc_base --vary l1.size=8K,32K --vary l1.index+l2.index=pri,mod:xor --format csv "$@" 2>/dev/null; }
expect "rdgc: every combination" "$(some | tail -n +2 | cut -d, -f3-5 | tr '\n' ' ')" "8K,pri,pri 8K,mod,xor 32K,pri,pri 32K,mod,xor "
expect "rdgc: any number of threads" "$(some --threads 1)" "$(some --threads 3)"
expect "rdgc: --vary as --set" "$(some | sed -n 5p | cut -d, -f6-)" \
    "$("$gmmu" rdgc "$tmp/atax.rdgc" --gpu rdgc_base --set l2.index=xor --set l1.index=mod --format csv 2>/dev/null | tail -1 | cut -d, -f3-)"
"$gmmu" rdgc --show --gpu gt740m --set l2.banks=4 >"$tmp/mine.gpu"
expect "rdgc: a GPU of one's own" \
    "$("$gmmu" rdgc "$tmp/atax.rdgc" --gpu "$tmp/mine.gpu" 2>/dev/null)" "$("$gmmu" rdgc "$tmp/atax.rdgc" --gpu gt740m --set l2.banks=4 2>/dev/null)"
expect "rdgc: descriptions are installed" "$(cmp "$tmp/root/usr/share/gmmu-tier/gpus/gtx970.gpu" config/gpus/gtx970.gpu && echo same)" same
"$gmmu" rdgc atax --size 40 --inject-fault -o "$tmp/wrong.rdgc" >"$tmp/out" 2>"$tmp/err"
expect "rdgc: a wrong result" "$?,$(wc -c <"$tmp/out"),$(grep -c 'atax: y\[20\]: found' "$tmp/err"),$(ls "$tmp/wrong.rdgc" 2>/dev/null)" "1,0,1,"
bad "rdgc: unknown GPU" "$gmmu" rdgc atax --gpu gtx97
bad "rdgc: neither kernel nor file" "$gmmu" rdgc nonesuch
bad "rdgc: unknown key" "$gmmu" rdgc atax --set l3.ways=2
bad "rdgc: a grid that is not there" "$gmmu" rdgc "$tmp/three.rdgc" --grid 2
printf '# gmmu-rdgc 1 blocks=1 threads=1\n0,0,1,r,0\n' >"$tmp/bad.rdgc"
bad "rdgc: bad line" "$gmmu" rdgc "$tmp/bad.rdgc"
expect "it names the line" "$(grep -c 'bad.rdgc:2: ' "$tmp/err")" 1

# make wave FORMAT=vcd: GTKWave's fst2vcd is no package of make setup, so here a copy stands in for it
bad "make wave: no such format" scripts/wave.sh leu_priority tiny ghw
bad "make wave: no waves" scripts/wave.sh nonesuch tiny vcd
waves=build/sim/cli_test-tiny
mkdir -p "$waves" "$tmp/tools"
echo "some waves" >"$waves/waves.fst"
ln -sf "$(command -v dirname)" "$(command -v bash)" "$tmp/tools"
bad "make wave: no fst2vcd" env PATH="$tmp/tools" scripts/wave.sh cli_test tiny vcd
printf '#!/bin/sh\n[ "$1 $3" = "-f -o" ] && cp "$2" "$4"\n' >"$tmp/tools/fst2vcd"
chmod +x "$tmp/tools/fst2vcd"
expect "make wave FORMAT=vcd names what it writes" \
    "$(PATH="$tmp/tools:$PATH" make --no-print-directory wave TEST=cli_test CONFIG=tiny FORMAT=vcd)" "$waves/waves.vcd"
expect "make wave FORMAT=vcd writes it" "$(cmp "$waves/waves.fst" "$waves/waves.vcd" && echo same)" same
: >"$waves/waves.fst"
bad "make wave: an FST that is none" env PATH="$tmp/tools:$PATH" scripts/wave.sh cli_test tiny vcd
rm -r "$waves"

make --no-print-directory sim TEST=nonesuch >"$tmp/out" 2>&1
expect "make sim, unknown test: exit status" $? 2
expect "make sim lists the tests" "$(make --no-print-directory sim | grep -c leu_priority)" 1
expect "make prints help" "$(make --no-print-directory | grep -c 'make sim TEST=leu_priority')" 1
[ $fails -eq 0 ]
