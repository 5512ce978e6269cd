// SPDX-License-Identifier: Apache-2.0
// memory_of_sweeps.cpp: every allocation of `gmmu sweep` and of `gmmu semcache` fails in turn.
#include <gtest/gtest.h>

#include <string>

#include "fail.h"

namespace {

// A sweep that loses a row says so, with status 1.
TEST_F(Fail, MemoryOfSweep) {
    written = folder + "store";
    made.insert("store");
    loses_rows = true;
    put("plan.json", R"({"traces": [")" + folder + R"(small.walk"], "policies": ["lru", "leu"],
        "sizes": ["50%"], "configurations": [{"name": "a", "config": "tiny", "tier2": "9"}]})");
    each(MEMORY, "sweep plan.json --store @ --program p --threads 1", 40);
}

TEST_F(Fail, MemoryOfSemcache) {
    const std::string report =
        R"({"gmmu_blas": 1, "process": 7, "rank": 1, "ranks": 2, "sites": [)"
        R"({"routine": "dgemm_", "site": "a+0x1", "calls": 2, "cpu_ns": 9, "sizes": )"
        R"([{"from": 8, "calls": 2, "cpu_ns": 9, "naive_ns": 1}]}]})";
    put("t.sem",
        "sem 2 full\ncall 0 a dcopy_ 0 9 r:0x1000+8*4/800 o:0x9000+32\n"
        "call 1 b dscal_ 9 9 u:0x1080+4000\ncpu 2 p r:0x9000+16\nalloc 3 0x20000+4096\n"
        "memo 4 b dgetrf_ 0x20000+64 64 9 9\nfree 5 0x20000+4096\n");
    put("a.json", report + "\n");
    put("b.json", report + "\n" + report + "\n");
    each(MEMORY, "semcache t.sem --protocol wb,split,naive,page:4k --evict leu --format csv", 20);
    each(MEMORY, "semcache t.sem --protocol wb,dfu --sites --format json", 20);
    each(MEMORY, "semcache t.sem --protocol wb --pairs", 15);
    each(MEMORY, "semcache t.sem --protocol wb --merges --perfetto @", 20);
    for (const char *format : {"table", "csv", "json"}) {
        each(MEMORY, std::string("semcache --sum a.json b.json --format ") + format, 20);
    }
}

}  // namespace
