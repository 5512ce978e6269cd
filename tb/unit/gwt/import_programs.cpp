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
    const Errors cases = {
        {" X 1,2\n", "1: found \"X 1,2\", expected "},
        {"L 1,2\n", "1: found \"L 1,2\", expected "},
        {" L ,2\n", "1: found \",2\", expected an address"},
        {" L 12345678901234567,2\n", "1: found \"12345678901234567,2\", expected an address"},
        {" L 1 2\n", "1: found \"1 2\", expected an address"},
        {" L 1,x\n", "1: found \"x\", expected a size"},
        {" L 1,2 \n", "1: found \"2 \", expected a size"},
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

TEST(Import, OracleGeneral) {
    const Read got = read_bytes(kOracle, GMMU_FORM_ORACLE_GENERAL);
    ASSERT_EQ(got.error, "");
    expect_equal(got.walks, {{.vpn = 0x123456789abcdef0, .time = 7}, {.vpn = 5, .time = 9}});
    EXPECT_EQ(read_bytes(kOracle.substr(0, 30), GMMU_FORM_ORACLE_GENERAL).error,
              "record 2 at byte 24: found 6 bytes, expected 24");
}

}  // namespace
