// SPDX-License-Identifier: Apache-2.0
// import_programs.cpp: traces of programs and of caches: Lackey, Accel-Sim, oracleGeneral.
#include <gtest/gtest.h>

#include <string>

#include "gmmu/trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Import, Lackey) {
    const Read got = read_bytes(kLackey, GMMU_FORM_LACKEY);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.skipped, 2U);
    expect_equal(got.walks, {{.vpn = 0x1ffeffe},
                             {.write = true},
                             {.vpn = 1, .write = true},
                             {.vpn = 0x421c, .write = true}});
    // All pages of an access, more of them than are given at once; superblocks are counted.
    const Read wide = read_bytes("SB 04001003\n S 1000,409600 \t\n L 2fff,2\r\n", GMMU_FORM_LACKEY);
    ASSERT_EQ(wide.error, "");
    EXPECT_EQ(wide.skipped, 1U);
    ASSERT_EQ(wide.walks.size(), 102U);
    for (size_t i = 0; i < 100; i++) {
        EXPECT_TRUE(equal(wide.walks[i], {.vpn = 1 + i, .write = true})) << i;
    }
    const Errors cases = {
        {" X 1,2\n", "1: found \"X 1,2\", expected "},
        {"L 1,2\n", "1: found \"L 1,2\", expected "},
        {" L ,2\n", "1: found \",2\", expected an address"},
        {" L 12345678901234567,2\n", "1: found \"12345678901234567,2\", expected an address"},
        {" L 1 2\n", "1: found \"1 2\", expected an address"},
        {" L 1,x\n", "1: found \"x\", expected a size"},
        {" L 1,2 x\n", "1: found \"2 x\", expected a size"},
        {" L 1,1099511627777\n", "1: found \"1099511627777\", expected a size of at most 2^40"},
        {" L", "1: found \"\", expected an address"},
        {"", "found the end of the file, expected a trace in the form lackey"},
        {std::string(" L 1,2\n\0 L", 10), "2: found \"\", expected a line without NUL"},
    };
    expect_errors(cases, GMMU_FORM_LACKEY);
}

TEST(Import, Accelsim) {
    const Read got = read_bytes(kAccelsim, GMMU_FORM_ACCELSIM);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.skipped, 2U);
    expect_equal(got.walks, {{.vpn = 0x7fb0fc430, .ref = 0xa0},
                             {.vpn = 0x7fb0fc431, .ref = 0xa0},
                             {.vpn = 0x10, .ref = 0xb0, .write = true},
                             {.vpn = 0x12, .ref = 0xb0, .write = true},
                             {.vpn = 0x11, .ref = 0xb0, .write = true},
                             {.vpn = 0x5, .ref = 0xc0, .write = true},
                             {.vpn = 0x6, .ref = 0xd0},
                             {.vpn = 0x7, .ref = 0xd0}});
    EXPECT_EQ(
        read_bytes("-enable lineinfo = 1\n17 00a0 1 0 STG 1 R4 4 1 0x1000 4\n", GMMU_FORM_ACCELSIM)
            .walks.size(),
        1U);
    EXPECT_EQ(
        read_bytes("-enable lineinfo = 1\nzz 00a0 1 0 STG 1 R4 4 1 0x1000 4\n", GMMU_FORM_ACCELSIM)
            .error.rfind("2: found \"zz", 0),
        0U);
    for (const char *line :
         {"zz", "00a0", "00a0 1ffffffff 0 X 0 0", "00a0 1 99 X 0 0", "00a0 1 1 X X 0 0", "00a0 1 0",
          "00a0 1 0 LDG 99 0", "00a0 1 0 LDG 0 129 0 0x1", "00a0 1 0 LDG 0 4 3 0x1",
          "00a0 3 0 LDG 0 4 0 0x1", "00a0 3 0 LDG 0 4 1 0x1 x", "00a0 3 0 LDG 0 4 2 0x1",
          "-nothing", "-shmem base_addr = g"}) {
        const Read bad = read_bytes(std::string("#\n") + line + "\n", GMMU_FORM_ACCELSIM);
        EXPECT_EQ(bad.error.rfind("2: found ", 0), 0U) << line << ": " << bad.error;
    }
}

// A kernel trace of two blocks of two warps.
std::string kernel() {
    const std::string load = "0010 00000001 1 R4 LDG.E 1 R2 4 1 0x7f0000001000 0 0\n";
    std::string all = "-kernel name = k\n-grid dim = (2,1,1)\n\n#traces format = x\n\n\n";
    for (const char *block : {"0,0,0", "1,0,0"}) {
        all += std::string("#BEGIN_TB\n\nthread block = ") + block +
               "\ncluster id = 0,0,0\n\nwarp = 0\ninsts = 2\n" + load +
               "0020 00000001 1 UR4 UMOV 1 UR63 0 0\n\nwarp = 1\ninsts = 1\n" + load +
               "\n#END_TB\n\n";
    }
    return all;
}

TEST(Import, AccelsimTruncated) {
    const std::string one = kernel();
    for (const std::string &good : {one, one + one}) {
        const Read got = read_bytes(good, GMMU_FORM_ACCELSIM);
        EXPECT_EQ(got.error, "");
        EXPECT_EQ(got.walks.size(), good.size() / one.size() * 4);
    }
    // Every truncation is an error, but for the blank lines at the end.
    const size_t last = one.rfind("#END_TB") + 7;
    for (size_t size = one.find('\n'); size < last; size++) {
        for (bool keep_going : {false, true}) {
            const Read bad = read_bytes(one.substr(0, size), GMMU_FORM_ACCELSIM, keep_going);
            EXPECT_NE(bad.error, "") << size;
        }
    }
    EXPECT_EQ(read_bytes(one.substr(0, last), GMMU_FORM_ACCELSIM).error, "");
    const Errors cases = {
        {"warp = 0\ninsts = 3\n0010 1 0 X 0 0\n",
         "3: found \"1 instructions\", expected as many as the line insts of the warp states"},
        {"warp = 0\ninsts = 1\n0010 1 0 X 0 0\n0010 1 0 X 0 0\nwarp = 1\n",
         "5: found \"2 instructions\", expected as many"},
        {"#BEGIN_TB\ninsts = 1\n#END_TB\n", "3: found \"0 instructions\", expected as many"},
        {"insts = x\n", "1: found \"x\", expected the number of instructions"},
        {"#BEGIN_TB\n", "1: found \"the end of the kernel\", expected #END_TB before"},
        {"#BEGIN_TB\n#BEGIN_TB\n", "2: found \"#BEGIN_TB\", expected #END_TB before"},
        {"#END_TB\n", "1: found \"#END_TB\", expected #BEGIN_TB before"},
        {"-grid dim = (2,2,1)\n#BEGIN_TB\n#END_TB\n-kernel name = k\n",
         "4: found \"1 thread blocks\", expected as many as the line -grid dim states"},
        {"-grid dim = (1,1,1)\n#BEGIN_TB\n#END_TB\n#BEGIN_TB\n#END_TB\n",
         "5: found \"2 thread blocks\", expected as many"},
        {"-grid dim = (1,1)\n", "1: found \")\", expected the grid's size"},
        {"-grid dim = (1,1,0)\n", "1: found \",0)\", expected the grid's size"},
        {"-grid dim = (1,1,1\n", "1: found \"\", expected a bracket"},
    };
    expect_errors(cases, GMMU_FORM_ACCELSIM);
}

std::string oracle(uint32_t time, uint64_t next) {
    return u32(time) + u64(5) + u32(4096) + u64(next);
}

TEST(Import, OracleGeneral) {
    const Read got = read_bytes(kOracle, GMMU_FORM_ORACLE_GENERAL);
    ASSERT_EQ(got.error, "");
    expect_equal(got.walks, {{.vpn = 0, .time = 7}, {.vpn = 1, .time = 9}});  // numbered
    EXPECT_EQ(read_bytes(kOracle.substr(0, 30), GMMU_FORM_ORACLE_GENERAL).error,
              "record 2 at byte 24: found 6 bytes, expected 24");
    // What says that there is no next access, and what cannot be a request.
    for (const uint64_t next : {UINT64_MAX, UINT64_MAX - 1, uint64_t{INT64_MAX}, uint64_t{0},
                                uint64_t{1}, uint64_t{1} << 48}) {
        EXPECT_EQ(read_bytes(oracle(1, next), GMMU_FORM_ORACLE_GENERAL).error, "") << next;
    }
    for (const uint64_t next : {UINT64_MAX - 2, (uint64_t{1} << 48) + 1, uint64_t{INT64_MAX} - 1,
                                uint64_t{INT64_MAX} + 1}) {
        const std::string error = read_bytes(oracle(1, next), GMMU_FORM_ORACLE_GENERAL).error;
        EXPECT_EQ(error.rfind("record 1 at byte 0: found the next access ", 0), 0U) << error;
    }
    EXPECT_EQ(
        read_bytes(oracle(1, 2) + oracle(1, 1), GMMU_FORM_ORACLE_GENERAL)
            .error.rfind("record 2 at byte 24: found the next access 1, expected a later ", 0),
        0U);
    EXPECT_EQ(read_bytes(oracle(0xfeff, 1), GMMU_FORM_ORACLE_GENERAL).error, "");
    EXPECT_EQ(read_bytes(gzipped(kOracle), GMMU_FORM_ORACLE_GENERAL).walks.size(), 2U);
}

}  // namespace
