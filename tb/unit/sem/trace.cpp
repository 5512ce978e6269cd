// SPDX-License-Identifier: Apache-2.0
// trace.cpp: .sem traces: what is written is read again; what is wrong is refused with its line and
// what was expected there; no input crashes the reader.
#include "semcache/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "random_trace.h"

namespace {

class File {
   public:
    explicit File(const std::string &text) {
        const int fd = mkstemp(name_);
        EXPECT_EQ(write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
        close(fd);
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { unlink(name_); }
    const char *name() const { return name_; }

   private:
    char name_[32] = "/tmp/gmmu_sem_XXXXXX";
};

// The events before the end, or before *err.
int read_all(const char *name, std::vector<gmmu_sem_event> *events, gmmu_error *err) {
    gmmu_sem_reader *r = gmmu_sem_open(name, err);
    if (r == nullptr)
        return GMMU_BAD;
    gmmu_sem_event e;
    int status;
    while ((status = gmmu_sem_next(r, &e, err)) == GMMU_OK) events->push_back(e);
    gmmu_sem_close(r);
    return status;
}

TEST(SemTrace, RefusesWhatIsWrongAndSaysWhere) {
    const struct {
        const char *text, *says;
    } bad[] = {
        {"", ": found the end of the line, expected sem 1 or sem 2, and calls, writes or full"},
        {"sem 3 full\n", ":1: found \"sem 3 full\", expected sem 1 or sem 2"},
        {"sem 1 some\n", "expected sem 1 or sem 2, and calls, writes or full"},
        {"sem 1 full\ncpu 1 a r:0x1+1*2/3", "expected r:, w:, u: or o: and 0xSTART+BYTES, one"},
        {"sem 2 full\ncpu 1 a r:0x1+4*1/8", "COUNT from 2 on"},
        {"sem 2 full\ncpu 1 a r:0x1+4*0/8", "COUNT from 2 on"},
        {"sem 2 full\ncpu 1 a r:0x1+4*2/4",
         ":2: found \"r:0x1+4*2/4\", expected r:, w:, u: or o: "
         "and 0xSTART+BYTES or 0xSTART+BYTES*COUNT/STRIDE"},
        {"sem 2 full\ncpu 1 a r:0x1+4*2", "STRIDE above BYTES"},
        {"sem 2 full\ncpu 1 a r:0x1+4*2/", "STRIDE above BYTES"},
        {"sem 2 full\ncpu 1 a r:0x1+4*2/9x", "STRIDE above BYTES"},
        {"sem 2 full\ncpu 1 a r:0xfffffffffffffff0+4*3/8", "within 64 bits"},
        {"sem 2 full\ncpu 1 a r:0x1+4*9223372036854775809/16", "within 64 bits"},
        {"sem 2 full\nfree 1 0x1+4*2/8", "found \"0x1+4*2/8\", expected 0xSTART+BYTES, one"},
        {"sem 1 full\n\nread 0 x\n", ":3: found \"read 0 x\", expected call, cpu, alloc, free or"},
        {"sem 1 full\ncpu x", ":2: found \"x\", expected a time in ns"},
        {"sem 1 full\ncpu 1", "found the end of the line, expected a call site"},
        {"sem 1 full\ncpu 1 a", "found the end of the line, expected r:, w:, u: or o:"},
        {"sem 1 full\ncpu 1 a x:0x1+1", "expected r:, w:, u: or o:"},
        {"sem 1 full\ncpu 1 a r:0x1+0", "one byte or more"},
        {"sem 1 full\ncpu 1 a r:0x1-0x2", "expected r:, w:, u: or o: and 0xSTART+BYTES"},
        {"sem 1 full\ncpu 1 a r:0xffffffffffffffff+2", "within 64 bits"},
        {"sem 1 full\ncpu 1 a r:0x1ffffffffffffffff+1", "within 64 bits"},
        {"sem 1 full\ncpu 1 a r:0x1+1 r:0x1+1", "expected the end of the line"},
        {"sem 1 full\ncall 1 a gemm -3 0 r:0x1+1", "found \"-3 0 r:0x1+1\", expected floating"},
        {"sem 1 full\ncall 1 a gemm 3 z r:0x1+1", "expected ns on the CPU"},
        {"sem 1 full\ncall 1 a gemm 3 0", "expected r:, w:"},
        {"sem 1 full\nfree 1 r:0x1+1", "expected 0xSTART+BYTES"},
        {"sem 1 full\nmemo 1 a f 0x1+1 0 1 1", "expected the result's bytes"},
        {"sem 1 full\nmemo 1 a f 0x1+1 8 1", "found the end of the line, expected ns"},
        {"sem 1 full\nalloc 99999999999999999999 0x1+1", "expected a time"},
    };
    for (const auto &b : bad) {
        const File f(b.text);
        gmmu_error err = {};
        std::vector<gmmu_sem_event> events;
        EXPECT_EQ(read_all(f.name(), &events, &err), GMMU_BAD) << b.text;
        EXPECT_NE(std::string(err.text).find(b.says), std::string::npos)
            << b.text << "\n  " << err.text;
        EXPECT_EQ(std::string(err.text).find(f.name()), 0u) << err.text;
    }
    gmmu_error err = {};
    EXPECT_EQ(gmmu_sem_open("/nonexistent/x.sem", &err), nullptr);
    EXPECT_NE(std::string(err.text).find("cannot be opened"), std::string::npos) << err.text;
}

std::string line_of(std::mt19937_64 &rng, unsigned version) {
    char *text = nullptr;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    gmmu_sem_event e = {};
    e.kind = static_cast<gmmu_sem_kind>(rng() % GMMU_SEM_KINDS);
    e.time = rng() >> rng() % 64;
    const bool call = e.kind == GMMU_SEM_CALL, memo = e.kind == GMMU_SEM_MEMO;
    e.operands = call ? 1 + rng() % GMMU_SEM_MOST_OPERANDS : 1;
    e.flops = call || memo ? rng() >> rng() % 64 : 0;
    e.ns = call || memo ? rng() >> rng() % 64 : 0;
    e.result = memo ? 1 + (rng() >> 1) : 0;
    for (uint32_t i = 0; i < e.operands; i++) {
        gmmu_sem_operand &o = e.operand[i];
        o.start = rng() >> rng() % 64;
        o.last = o.start + rng() % (UINT64_MAX - o.start > 1000 ? 1000 : 1);
        const unsigned kind = rng() % 4;
        o.reads = kind == 0 || kind == 2;
        o.writes = kind != 0;
        o.whole = kind == 3;
        if (version < GMMU_SEM_GAPS || (!call && e.kind != GMMU_SEM_CPU) || rng() % 2)
            continue;
        const uint64_t runs = 2 + rng() % 50;
        o.run = 1 + rng() % 1000;
        o.stride = o.run + 1 + rng() % 1000;
        o.start = std::min(o.start, UINT64_MAX - 2000 * 52);
        o.last = o.start + (runs - 1) * o.stride + o.run - 1;
    }
    EXPECT_GT(gmmu_sem_write(to, &e, "site+0x1", "dgemm_"), 0);
    std::fclose(to);
    const std::string line(text, size);
    std::free(text);
    return line;
}

void read_again(unsigned version) {
    std::mt19937_64 rng(test_seed());
    const std::string head = "# a comment\nsem " + std::to_string(version) + " writes\n\n";
    std::string text = head;
    for (int i = 0; i < 3000; i++) text += line_of(rng, version);
    const File f(text);
    gmmu_error err = {};
    gmmu_sem_reader *r = gmmu_sem_open(f.name(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    EXPECT_EQ(gmmu_sem_tracked(r), GMMU_SEM_WRITES);
    char *again = nullptr;
    size_t size = 0;
    FILE *to = open_memstream(&again, &size);
    EXPECT_GT(gmmu_sem_write_head(to, version, GMMU_SEM_WRITES), 0);
    gmmu_sem_event e;
    int status;
    while ((status = gmmu_sem_next(r, &e, &err)) == GMMU_OK)
        EXPECT_GT(gmmu_sem_write(to, &e, "site+0x1", "dgemm_"), 0);
    EXPECT_EQ(status, GMMU_END) << err.text;
    std::fclose(to);
    EXPECT_EQ(head + std::string(again + std::strlen("sem 1 writes\n")), text);
    EXPECT_EQ(gmmu_sem_version(r), version);
    EXPECT_EQ(gmmu_sem_sites(r)->used, 1u);
    EXPECT_EQ(gmmu_sem_routines(r)->used, 1u);
    std::free(again);
    gmmu_sem_close(r);
}

TEST(SemTrace, WhatIsWrittenIsReadAgain) {
    for (unsigned version = GMMU_SEM_PLAIN; version <= GMMU_SEM_VERSION; version++)
        read_again(version);
}

TEST(SemTrace, OperandsWithGaps) {
    const File f(
        "sem 2 full\ncall 0 a dgemm 9 0 o:0x100+8*3/20 r:0x10+5 u:0xfffffffffffffff6+1*2/9\n");
    gmmu_error err = {};
    std::vector<gmmu_sem_event> events;
    ASSERT_EQ(read_all(f.name(), &events, &err), GMMU_END) << err.text;
    const gmmu_sem_operand *o = events.at(0).operand;
    EXPECT_EQ(o[0].last, 0x100u + 2 * 20 + 7);
    EXPECT_EQ(gmmu_sem_runs(&o[0]), 3u);
    EXPECT_EQ(gmmu_sem_bytes(&o[0]), 24u);
    EXPECT_TRUE(o[0].whole);
    const gmmu_sem_operand hull = gmmu_sem_hull(&o[0]), same = gmmu_sem_hull(&o[1]);
    EXPECT_FALSE(hull.whole) << "the gaps are not written";
    EXPECT_EQ(gmmu_sem_bytes(&hull), 48u);
    EXPECT_EQ(gmmu_sem_runs(&same), 1u);
    EXPECT_EQ(gmmu_sem_bytes(&same), 5u);
    EXPECT_EQ(o[2].last, UINT64_MAX);
    EXPECT_EQ(gmmu_sem_bytes(&o[2]), 2u);
}

TEST(SemTrace, SurvivesAnything) {
    std::mt19937_64 rng(test_seed());
    uint64_t lines = 0, good = 0;
    const bool lots = std::getenv("GMMU_LONG") != nullptr;
    for (int file = 0; file < (lots ? 1000000 : 3000); file++) {
        const unsigned version = 1 + rng() % GMMU_SEM_VERSION;
        std::string text = "sem " + std::to_string(version) + " full\n";
        for (int i = 0; i < 4; i++) {
            std::string line = line_of(rng, version);
            for (unsigned n = rng() % 3; n > 0; n--) {
                const size_t at = rng() % line.size();
                const char *odd = " \t:+x0-rwuo\n#9f\r*/";
                if (rng() % 3 == 0)
                    line.erase(at, 1 + rng() % 4);
                else if (rng() % 8 == 0)
                    line[at] = static_cast<char>(rng());
                else
                    line.insert(at, 1, odd[rng() % 18]);
                if (line.empty())
                    line = "\n";
            }
            text += line;
            lines++;
        }
        const File f(text);
        gmmu_error err = {};
        std::vector<gmmu_sem_event> events;
        if (read_all(f.name(), &events, &err) == GMMU_BAD) {
            EXPECT_NE(std::strstr(err.text, "expected"), nullptr) << err.text;
        }
        for (const gmmu_sem_event &e : events)
            for (uint32_t i = 0; i < e.operands; i++) {
                const gmmu_sem_operand &o = e.operand[i];
                EXPECT_LE(o.start, o.last);
                EXPECT_TRUE(o.run == 0 || (o.stride > o.run && gmmu_sem_runs(&o) >= 2));
            }
        good += events.size();
    }
    std::printf("[ vectors  ] .sem: %llu lines, %llu read\n",
                static_cast<unsigned long long>(lines), static_cast<unsigned long long>(good));
}

}  // namespace
