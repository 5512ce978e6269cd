// SPDX-License-Identifier: Apache-2.0
// memory_of_commands.cpp: every allocation of a command fails in turn.
#include <gtest/gtest.h>

#include <cerrno>
#include <climits>
#include <map>
#include <string>

#include "fail.h"
#include "gmmu/trace.h"
#include "simt/kernels/kernels.h"
#include "simt/simt.h"

namespace {

const char *const kReplay =
    "--policy lru,fifo,clock,opt,leu-exact,leu:config=tiny,leu-host:config=tiny:batch=4 --frames "
    "50% ";

TEST_F(Fail, MemoryOfReplay) {
    each(MEMORY, std::string("replay small.walk --format csv ") + kReplay, 40);
    each(MEMORY,
         "replay wide.walk --format json --policy lru,fifo,clock,opt,leu-exact --frames 1500", 60);
    put("five.walk", kFive);
    each(MEMORY, "replay five.walk --policy lru --frames 3", 10);
    each(MEMORY, "replay wide.walk --policy lru --frames 1500", 10);
    each(MEMORY, "replay - <small.walk --format table --policy lru --frames 7,50%", 20);
    each(MEMORY, "replay small.walk --ratios --policy lru,opt --frames 12KiB -o @ --format json",
         20);
    each(MEMORY, "replay small.walk --as-opt --policy lru --frames 3,9", 20);
    // without a thread the others do its work
    each(MEMORY, "replay small.walk --format csv --policy lru,fifo --frames 3,9 --threads 4", 20);
}

// Each policy by itself, more pages and frames than the first room of any array.
TEST_F(Fail, MemoryOfEachPolicy) {
    for (const char *policy : {"random",  "lfu",      "2q",           "arc",
                               "lirs",    "clockpro", "srrip",        "rrip-hpe:delay=3",
                               "sieve",   "s3fifo",   "uvm:chunk=64", "vmin",
                               "osl",     "leu2",     "hpe",          "mru",
                               "mean-ri", "osl-rank", "hawkeye",      "mockingjay"}) {
        each(MEMORY,
             std::string("replay wide.walk --threads 1 --format csv --frames 1500 --policy ") +
                 policy,
             10);
    }
    for (const char *policy : {"bam", "bam:ahead=8", "opt-tiers", "gmt-random", "gmt-reuse:sets=8",
                               "gmt-foretold", "tier"}) {
        each(MEMORY,
             std::string("replay wide.walk --threads 1 --tier2 1500 --frames 1500 --policy ") +
                 policy,
             10);
    }
    each(MEMORY, "replay small.walk --threads 2 --frames 3,9 --policy lru", 10);
    each(MEMORY, "replay small.walk --hpe-ideal --frames 3 --policy hpe,lru,hpe:set=8", 10);
}

TEST_F(Fail, MemoryOfDiff) {
    put("a.csv", "trace,policy,frames,part\nt,lru,3,10.5\n\"t\",opt,3,\n");
    put("b.json",
        "[{\"trace\": \"t\", \"policy\": \"lru\", \"frames\": 3, \"part\": 10.5},"
        " {\"trace\": \"t\", \"policy\": \"opt\", \"frames\": 3, \"part\": null}]");
    each(MEMORY, "diff a.csv a.csv", 10);
    each(MEMORY, "diff b.json a.csv --format json", 20);
}

TEST_F(Fail, MemoryOfCurves) {
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact,arc,vmin --points 4 --threads 1", 40);
    each(MEMORY, "mrc wide.walk --policy lru,opt --points 2 --format json", 20);
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact --sample rate=0.5 --check --points 3",
         20);
    each(MEMORY, "mrc small.walk --policy lru,opt,leu-exact --sample size=5 --points 3", 20);
    each(MEMORY, "mrc small.walk --policy fifo,clock --points 3 --threads 4", 20);
}

TEST_F(Fail, MemoryOfGen) {
    for (const char *kind : {"zipf", "cyc", "uniform", "scan"}) {
        each(MEMORY, std::string("gen ") + kind + " -n 200 -p 50 -o @", 3);
    }
}

TEST_F(Fail, MemoryOfExplain) {
    each(MEMORY, "explain small.walk --event 60 --frames 7 --format json", 40);
    each(MEMORY, "explain wide.walk --event 2200 --frames 2000 --top 3", 30);
    each(MEMORY, "explain small.walk --event 60 --policy opt --frames 50%", 20);
    each(MEMORY, "explain wide.walk --event 2200 --frames 1000 --policy lru --format json", 10);
    each(MEMORY, "explain small.walk --event 60 --frames 5 --policy bam --tier2 50%", 10);
    each(MEMORY, "explain small.walk --every 7 --policy leu:protect=99 --frames 50%", 20);
}

TEST_F(Fail, MemoryOfTrace) {
    each(MEMORY, "trace info small.walk", 15);
    each(MEMORY, "trace info wide.walk --format json", 30);
    each(MEMORY, "trace convert small.walk -o @", 5);
    each(MEMORY, "trace cut --walks 5:70 small.gwt -o @", 9);
    each(MEMORY, "trace digest --from lackey small.lackey", 3);
    each(MEMORY, "trace digest --from oracle-general small.oracle", 3);
    each(MEMORY, "trace digest --from csv small.csv", 4);
    each(MEMORY, "trace digest --from g10 wide.g10", 6);
    each(MEMORY, "trace digest --from mooncake wide.mooncake", 4);
    each(MEMORY, "trace digest wide.walk.gz", 6);
}

TEST_F(Fail, MemoryOfImports) {
    const std::string kernel = "-kernel name = k\n#BEGIN_TB\n0 1 0 LDG 1 R2 4 0 0x1000\n#END_TB\n";
    std::string lanes = "0x0000000000001000";
    for (int i = 1; i < 32; i++) lanes += " 0x0000000000000000";
    std::string texts;
    for (int i = 0; i < 1500; i++)
        texts += "key" + std::to_string(i) + " h" + std::to_string(i % 3) + "\n";
    put("k.traceg", kernel);
    put("kernel-1.traceg", kernel);
    put("kernelslist.g", "MemcpyHtoD,0x1000,8192\nkernel-1.traceg\nMemcpyHtoD,0x9000,1\n");
    put("t.nvbit",
        "MEMTRACE: CTX 0x1 - LAUNCH - Kernel pc 0x10 - Kernel name f - grid launch id 0\n"
        "MEMTRACE: CTX 0x1 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG - " +
            lanes + "\n");
    put("texts.txt", texts);
    put("t.cachelib", "key,op,op_count\nabc,GET,2\n");
    each(MEMORY, "trace digest --from accelsim k.traceg", 4);
    each(MEMORY, "trace digest --from accelsim-list kernelslist.g", 7);
    each(MEMORY, "trace digest --from nvbit t.nvbit", 5);
    each(MEMORY, "trace digest --from table --no-header --columns page:text,asid:text texts.txt",
         10);
    each(MEMORY, "trace digest --from cachelib t.cachelib", 6);
    each(MEMORY, "trace digest --renumber wide.walk", 6);
    each(MEMORY, "trace digest t.cachelib", 8);
    for (const char *ending : {"gz", "xz", "zst"}) {
        written = folder + "out." + ending;
        each(MEMORY, "trace convert small.walk -o @", 5);
        (void)std::remove(written.c_str());
    }
}

TEST_F(Fail, MemoryOfTraceToGwt) {
    written = folder + "out.gwt";
    each(MEMORY, "trace convert wide.walk -o @", 9);
    each(MEMORY, "trace convert small.gwt -o @", 14);
}

TEST_F(Fail, MemoryOfRecord) {
    // those that would take long
    const std::map<std::string, std::string> sizes = {
        {"lavamd", "2"}, {"heartwall", "1"}, {"leukocyte", "2"}};
    for (unsigned i = 0; gmmu_simt_kernels[i] != nullptr; i++) {
        const auto it = sizes.find(gmmu_simt_kernels[i]->name);
        const std::string size = it == sizes.end() ? "33" : it->second;
        const std::string name = gmmu_simt_kernels[i]->name;
        // after its own arrays heartwall computes for seconds; what comes then is common to all
        each(MEMORY, "record --size " + size + " --sms 2 -o @ " + name, 15, EIO,
             name == "heartwall" ? 24 : LONG_MAX);
    }
    each(MEMORY, "record gemm --size 33 --sms 2 --caches l1 --shootdown lru --frames 3 -o @", 20);
    each(MEMORY, "record gemm --size 33 --sms 2 --caches l2 --shootdown clock --frames 50% -o @",
         20);
}

// The only memory that heartwall takes after its arrays.
TEST_F(Fail, MemoryOfHeartwallsCheck) {
    gmmu_simt_params p = gmmu_simt_defaults(&gmmu_simt_heartwall);
    p.size = 1;
    gmmu_error err = {};
    gmmu_simt *m = gmmu_simt_create(&gmmu_simt_heartwall, &p, &err);
    ASSERT_NE(m, nullptr) << err.text;
    calls = 0;
    plan.group = MEMORY;
    plan.at = 1;
    const int status = gmmu_simt_check(m, &err);
    plan = Plan();
    EXPECT_EQ(status, GMMU_SIMT_NO_MEMORY);
    EXPECT_STREQ(err.text, "heartwall: no memory for the check");
    gmmu_simt_destroy(m);
}

TEST_F(Fail, MemoryOfRdgcCommand) {
    put("small.rdgc", kThreads);
    put("small.gpu", "sms = 2\nl1.size = 1K\nl2.size = 8K\n");
    each(MEMORY, "rdgc atax --size 33 --gpu small.gpu --threads 1 --format json --profile", 30);
    each(MEMORY,
         "rdgc small.rdgc --gpu small.gpu --vary l1.ways=1,2 --vary sms+seed=1:2 --format csv", 20);
    each(MEMORY, "rdgc 2dconv --size 5 --gpu small.gpu --grid 3 -o @ --threads 2", 20);
    each(MEMORY, "rdgc gemm --size 5 -o - --threads 1", 10);
    each(MEMORY,
         "rdgc small.rdgc --gpu small.gpu --set schedule=loose --set mapping=demand --ways "
         "--threads 1",
         20);
}

// Help does what it can.
TEST_F(Fail, MemoryOfHelp) {
    for (const char *arguments : {"replay --help", "record --help", "explain --help",
                                  "record nonesuch -o @", "rdgc --help"}) {
        const Ended good = gmmu(arguments);
        Plan p;
        p.group = MEMORY;
        for (p.at = 1;; p.at++) {
            const Ended e = gmmu(arguments, p);
            ASSERT_TRUE(e.status == good.status || (e.fired && e.status == 2))
                << arguments << " " << e.status << e.err;
            if (!e.fired)
                break;
        }
        EXPECT_GT(p.at, 1) << arguments;
    }
}

}  // namespace
