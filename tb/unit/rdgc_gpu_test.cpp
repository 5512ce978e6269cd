// SPDX-License-Identifier: Apache-2.0
// rdgc_gpu_test.cpp: tests of GPU descriptions: the committed files say what the papers' tables
// say, each value has its source beside it, what is compiled in is what the files hold; and what a
// user's file may have wrong.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rdgc/cache.h"
#include "rdgc/gpu.h"

namespace {

std::string folder() {
    const char *root = std::getenv("GMMU_ROOT");
    return std::string(root != nullptr ? root : ".") + "/config/gpus/";
}

std::string contents(const std::string &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

gmmu_gpu gpu(const char *name) {
    gmmu_gpu g = {};
    gmmu_error err = {};
    EXPECT_EQ(gmmu_gpu_find(&g, name, &err), GMMU_OK) << err.text;
    return g;
}

std::string all_of(const gmmu_gpu &g) {
    std::string text;
    const char *key = nullptr;
    for (size_t i = 0; (key = gmmu_gpu_key(i)) != nullptr; i++) {
        char value[GMMU_GPU_NAME];
        gmmu_gpu_get(&g, i, value, sizeof value);
        text += std::string(key) + " = " + value + "\n";
    }
    return text;
}

uint64_t sets(const gmmu_rdgc_cache_config &c) {
    return c.capacity / c.block / c.ways / c.partitions / c.banks;
}

uint64_t bank_bytes(const gmmu_rdgc_cache_config &c) {
    return c.capacity / c.partitions / c.banks;
}

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const gmmu_gpu_file *f = gmmu_gpu_files; f->name != nullptr; f++) all.push_back(f->name);
    return all;
}

TEST(GpuFiles, AreCompiledIn) {
    EXPECT_EQ(names(), (std::vector<std::string>{"a100", "gt740m", "gtx480", "gtx570", "gtx970",
                                                 "h200", "rdgc_base", "titan_x"}));
    for (const std::string &name : names()) {
        EXPECT_EQ(all_of(gpu(name.c_str())), all_of(gpu((folder() + name + ".gpu").c_str())))
            << name;
    }
}

// A file states each key once, with a word on where the value is from.
TEST(GpuFiles, StateEveryKeyAndItsSource) {
    for (const std::string &name : names()) {
        std::istringstream in(contents(folder() + name + ".gpu"));
        std::set<std::string> found;
        for (std::string line; std::getline(in, line);) {
            const size_t equals = line.find(" = ");
            if (line.empty() || line[0] == '#' || equals == std::string::npos)
                continue;
            const std::string key = line.substr(0, line.find_last_not_of(' ', equals) + 1);
            EXPECT_TRUE(found.insert(key).second) << name << ": " << key;
            EXPECT_EQ(line.find('#') == std::string::npos, key == "name" || key == "seed")
                << name << ": " << line;
        }
        size_t keys = 0;
        for (; gmmu_gpu_key(keys) != nullptr; keys++)
            EXPECT_EQ(found.count(gmmu_gpu_key(keys)), 1U) << name << ": " << gmmu_gpu_key(keys);
        EXPECT_EQ(found.size(), keys) << name;
    }
}

// RDGC, Table 5, §3.1 and §4.4.2.
TEST(GpuFiles, Gtx970IsTable5) {
    const gmmu_rdgc_config c = gpu("gtx970").rdgc;
    EXPECT_EQ(c.sms, 13U * 2);
    EXPECT_EQ(c.l1.capacity, 24U << 10);
    EXPECT_EQ(c.l1.ways, 192U);
    EXPECT_EQ(c.l1.block, 32U);
    EXPECT_EQ(c.l1.index, GMMU_RDGC_XOR);
    EXPECT_EQ(c.l1.replacement, GMMU_RDGC_LRU);
    EXPECT_EQ(c.l1.bypass, GMMU_RDGC_WON);
    EXPECT_EQ(sets(c.l1), 4U);
    EXPECT_EQ(c.l1.partitions * c.l1.banks, 1U);
    EXPECT_EQ(c.l1.ports, 2U);
    EXPECT_EQ(c.l1.mshr_sets, 1U);
    EXPECT_EQ(c.l1.mshrs, 32U);
    EXPECT_EQ(c.l1.merges, 8U);
    EXPECT_EQ(c.l2.capacity, 1792U << 10);
    EXPECT_EQ(c.l2.ways, 8U);
    EXPECT_EQ(c.l2.block, 32U);
    EXPECT_EQ(c.l2.index, GMMU_RDGC_XOR);
    EXPECT_EQ(c.l2.replacement, GMMU_RDGC_LRU);
    EXPECT_EQ(c.l2.partitions, 7U);
    EXPECT_EQ(c.l2.banks, 2U);
    EXPECT_EQ(bank_bytes(c.l2), 128U << 10);
    EXPECT_EQ(c.l2.mshr_sets, 4U);
    EXPECT_EQ(c.l2.mshrs, 32U);
    EXPECT_EQ(c.mapping, GMMU_RDGC_RR);
    EXPECT_TRUE(c.l1.adaptive);
    EXPECT_EQ(c.l1.k1, 2000U);
    EXPECT_EQ(c.l1.k2, 250U);
    // the MSHR sets serve partitions 0 1, 2 3, 4 5 and 6 (§4.4.2)
    gmmu_error err = {};
    gmmu_rdgc_cache *l2 = gmmu_rdgc_cache_create(&c.l2, 1, &err);
    ASSERT_NE(l2, nullptr) << err.text;
    for (uint64_t block = 0; block < 28; block++) {
        const gmmu_rdgc_place p = gmmu_rdgc_cache_place(l2, block);
        EXPECT_EQ(p.partition, block % 7);
        EXPECT_EQ(p.bank, block / 7 % 2);
        EXPECT_EQ(p.mshr_set, block % 7 / 2);
    }
    gmmu_rdgc_cache_destroy(l2);
}

TEST(GpuFiles, Gt740mIsTable5) {
    const gmmu_rdgc_config c = gpu("gt740m").rdgc;
    EXPECT_EQ(c.sms, 2U);
    EXPECT_EQ(c.l1.bypass, GMMU_RDGC_RWON);
    EXPECT_EQ(c.l2.capacity, 512U << 10);
    EXPECT_EQ(c.l2.ways, 8U);
    EXPECT_EQ(c.l2.block, 32U);
    EXPECT_EQ(c.l2.index, GMMU_RDGC_XOR);
    EXPECT_EQ(c.l2.replacement, GMMU_RDGC_LRU);
    EXPECT_EQ(c.mapping, GMMU_RDGC_RR);
}

// HPE, Table I.
TEST(GpuFiles, Gtx480IsHpesTable) {
    const gmmu_gpu g = gpu("gtx480");
    EXPECT_EQ(g.rdgc.sms, 15U);
    EXPECT_EQ(g.rdgc.l1.capacity, 16U << 10);
    EXPECT_EQ(g.rdgc.l1.ways, 4U);
    EXPECT_EQ(g.rdgc.l1.replacement, GMMU_RDGC_LRU);
    EXPECT_EQ(g.rdgc.l2.capacity, 3U << 19);
    EXPECT_EQ(g.rdgc.l2.partitions, 12U);
    EXPECT_EQ(bank_bytes(g.rdgc.l2), 128U << 10);
    EXPECT_EQ(g.rdgc.l2.ways, 8U);
    EXPECT_EQ(g.rdgc.l2.replacement, GMMU_RDGC_LRU);
    EXPECT_EQ(g.l1_tlb, 128U);
    EXPECT_EQ(g.l2_tlb, 512U);
    EXPECT_EQ(g.l2_tlb_ways, 16U);
    EXPECT_EQ(g.page_shift[0], 12U);
}

// RDGC, §5.3: also the model's defaults, and so what a description leaves out.
TEST(GpuFiles, BaselineIsWhatIsLeftOut) {
    gmmu_gpu g = gmmu_gpu_defaults();
    gmmu_error err = {};
    ASSERT_EQ(gmmu_gpu_set(&g, "name", gpu("rdgc_base").name, &err), GMMU_OK);
    EXPECT_EQ(all_of(g), all_of(gpu("rdgc_base")));
    EXPECT_EQ(g.rdgc.sms, 8U);
    EXPECT_EQ(g.rdgc.l1.capacity, 32U << 10);
    EXPECT_EQ(g.rdgc.l1.ways, 4U);
    EXPECT_EQ(g.rdgc.l2.capacity, 1024U << 10);
    EXPECT_EQ(bank_bytes(g.rdgc.l2), 128U << 10);
    EXPECT_EQ(g.rdgc.l1.block, 128U);
    EXPECT_EQ(g.rdgc.l2.block, 128U);
    EXPECT_EQ(g.rdgc.l1.index, GMMU_RDGC_PRI);
}

TEST(GpuFiles, ModernOnesByTheirDocumentation) {
    const gmmu_gpu a = gpu("a100"), h = gpu("h200");
    EXPECT_EQ(a.rdgc.sms, 108U);
    EXPECT_EQ(h.rdgc.sms, 132U);
    EXPECT_EQ(a.rdgc.l2.capacity, 40U << 20);
    EXPECT_EQ(h.rdgc.l2.capacity, 50U << 20);
    EXPECT_EQ(bank_bytes(a.rdgc.l2), 512U << 10);
    EXPECT_EQ(a.rdgc.l1.capacity, 192U << 10);
    EXPECT_EQ(h.rdgc.l1.capacity, 256U << 10);
    for (const gmmu_gpu *g : {&a, &h}) {
        EXPECT_EQ(g->rdgc.max_warps, 64U);
        EXPECT_EQ(g->rdgc.max_blocks, 32U);
        EXPECT_EQ(g->rdgc.schedulers, 4U);
        EXPECT_EQ(g->page_shift[0], 21U);
    }
}

// What is written is what was read, for all keys, other values than the defaults included.
TEST(Gpu, TextIsReadBack) {
    for (const std::string &name : names()) {
        gmmu_gpu g = gpu(name.c_str()), again = {};
        gmmu_error err = {};
        ASSERT_EQ(gmmu_gpu_parse(&again, all_of(g).c_str(), "again", &err), GMMU_OK) << err.text;
        EXPECT_EQ(all_of(again), all_of(g));
    }
    const struct {
        const char *pages, *shown;
        std::vector<uint32_t> shift;
    } cases[] = {{"512", "512", {9}},
                 {"1024M,2048", "1024M,2K", {30, 11}},
                 {"1M,512K,65536", "1M,512K,64K", {20, 19, 16}},
                 {"512M,1K,4096K", "512M,1K,4M", {29, 10, 22}}};
    for (const auto &c : cases) {
        gmmu_gpu g = gmmu_gpu_defaults();
        gmmu_error err = {};
        ASSERT_EQ(gmmu_gpu_set(&g, "page_sizes", c.pages, &err), GMMU_OK) << err.text;
        EXPECT_EQ(std::vector<uint32_t>(g.page_shift, g.page_shift + g.page_sizes), c.shift)
            << c.pages;
        EXPECT_NE(all_of(g).find(std::string("page_sizes = ") + c.shown + "\n"), std::string::npos)
            << all_of(g);
    }
}

TEST(Gpu, LinesAsAUserWritesThem) {
    gmmu_gpu g = {};
    gmmu_error err = {};
    const char *text =
        "# mine\r\n\r\n  name=Small one # of two SMs\r\n\tsms =2\nl1.size= 16K\n \nl2_tlb = 0";
    ASSERT_EQ(gmmu_gpu_parse(&g, text, "mine", &err), GMMU_OK) << err.text;
    EXPECT_STREQ(g.name, "Small one");
    EXPECT_EQ(g.rdgc.sms, 2U);
    EXPECT_EQ(g.rdgc.l1.capacity, 16U << 10);
    EXPECT_EQ(g.l2_tlb, 0U);
    EXPECT_EQ(g.rdgc.l2.capacity, 1024U << 10);
    ASSERT_EQ(gmmu_gpu_parse(&g, "", "empty", &err), GMMU_OK) << err.text;
    EXPECT_EQ(all_of(g), all_of(gmmu_gpu_defaults()));
}

TEST(Gpu, WrongLines) {
    const std::string many(300, 'k'), name(64, 'n');
    const struct {
        std::string text, said;
    } cases[] = {
        {"sms = 2\nsms", "f:2: found \"sms\", expected key = value"},
        {"= 3", "f:1: found \"\", expected"},
        {"\nsm = 2", "f:2: found \"sm\", expected"},
        {"sms = 0", "f:1: sms: found \"0\", expected 1 to 1024"},
        {"sms = 2\n\nsms = 2", "f:3: found sms a second time, expected it once"},
        {"sms =", "f:1: sms: found \"\""},
        {"name =", "f:1: name: found 0 bytes, expected 1 to 63"},
        {"name = " + name, "f:1: name: found 64 bytes, expected 1 to 63"},
        {many + " = 3", "f:1: found a key or value of more than 255 bytes"},
        {"sms = " + many, "f:1: found a key or value of more than 255 bytes"},
        {"l1_tlb = -1", "f:1: l1_tlb: found \"-1\", expected 0 to 1048576"},
        {"l1_tlb = x", "f:1: l1_tlb: found \"x\""},
        {"l1_tlb = 12 3", "f:1: l1_tlb: found \"12 3\""},
        {"l2_tlb = 1048577", "f:1: l2_tlb: found \"1048577\", expected 0 to 1048576"},
        {"l2_tlb_ways = 0", "f:1: l2_tlb_ways: found \"0\", expected 1 to 1048576"},
        {"l2_tlb_ways = 24", "f: l2_tlb: found 512, expected a multiple of l2_tlb_ways = 24"},
        {"l1.ways = 7", "f: l1."},
        {"page_sizes =", "f:1: page_sizes: found \"\", expected up to 3 different powers of two"},
        {"page_sizes = K", "f:1: page_sizes: found \"K\""},
        {"page_sizes = 0", "f:1: page_sizes: found \"0\""},
        {"page_sizes = 256", "f:1: page_sizes: found \"256\""},
        {"page_sizes = 3K", "f:1: page_sizes: found \"3K\""},
        {"page_sizes = 4K,", "f:1: page_sizes: found \"4K,\""},
        {"page_sizes = 4K 64K", "f:1: page_sizes: found \"4K 64K\""},
        {"page_sizes = 4K,4096", "f:1: page_sizes: found \"4K,4096\""},
        {"page_sizes = 4K,8K,16K,32K", "f:1: page_sizes: found \"4K,8K,16K,32K\""},
        {"page_sizes = 2048M", "f:1: page_sizes: found \"2048M\""},
        {"page_sizes = 99999999999999999999", "f:1: page_sizes: found \"99999999999999999999\""},
    };
    for (const auto &c : cases) {
        gmmu_gpu g = {};
        gmmu_error err = {};
        EXPECT_EQ(gmmu_gpu_parse(&g, c.text.c_str(), "f", &err), GMMU_BAD) << c.text;
        EXPECT_EQ(std::string(err.text).find(c.said), 0U) << c.text << ": " << err.text;
        EXPECT_NE(std::string(err.text).find("expected"), std::string::npos) << err.text;
    }
}

TEST(Gpu, FilesThatAreNone) {
    const std::string here = testing::TempDir() + "rdgc_gpu_test." + std::to_string(getpid());
    gmmu_gpu g = {};
    gmmu_error err = {};
    const auto said = [&](const std::string &path) {
        EXPECT_EQ(gmmu_gpu_find(&g, path.c_str(), &err), GMMU_BAD);
        return std::string(err.text);
    };
    EXPECT_EQ(
        said("gtx9"),
        "gtx9: No such file or directory, expected a100, gt740m, gtx480, gtx570, gtx970, h200, "
        "rdgc_base, titan_x, or a file");
    EXPECT_EQ(said("/"), "/: Is a directory, expected a GPU description");
    std::ofstream(here) << std::string("sms = 2\n\0\n", 10);
    EXPECT_EQ(said(here), here + ": found a byte 0, expected a GPU description");
    std::ofstream(here) << std::string(GMMU_GPU_TEXT + 1, '\n');
    EXPECT_EQ(said(here), here + ": found more than 64 KB, expected a GPU description");
    std::ofstream(here) << std::string(GMMU_GPU_TEXT, '\n');
    EXPECT_EQ(gmmu_gpu_find(&g, here.c_str(), &err), GMMU_OK) << err.text;
    std::ofstream(here) << "sms = 2\nports = 3\n";
    EXPECT_EQ(said(here).find(here + ":2: found \"ports\", expected"), 0U) << err.text;
    std::remove(here.c_str());
}

}  // namespace
