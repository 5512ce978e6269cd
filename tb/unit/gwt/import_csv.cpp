// SPDX-License-Identifier: Apache-2.0
// import_csv.cpp: columns of any tool.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Import, Csv) {
    Read got = read_bytes(kCsv, GMMU_FORM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "columns ignored: \"warp\"");
    EXPECT_EQ(got.skipped, 0U);
    expect_equal(got.walks, {{.vpn = 1, .ref = 0x40, .time = 1, .sm = 2},
                             {.vpn = 2, .ref = 0x40, .time = 1, .sm = 2},
                             {.vpn = 2, .ref = 0x44, .time = 2, .sm = 3, .write = true},
                             {.vpn = 1}});
    EXPECT_EQ(got.lines, (std::vector<uint64_t>{4, 4, 5, 8}));

    // Other orders, separators, names; everything a number can be; byte order mark, no last
    // newline.
    got = read_bytes(
        "\xef\xbb\xbfwrite\tasid\tref\tvpn\nfalse\t4294967295\t0\t18446744073709551615\n"
        "TRUE\t0x0\t0XfF\t007",
        GMMU_FORM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    expect_equal(got.walks,
                 {{.vpn = UINT64_MAX, .asid = UINT32_MAX}, {.vpn = 7, .ref = 0xff, .write = true}});
    // A tab that separates is no blank beside a field.
    expect_equal(read_bytes("vpn\tref\tasid\n5\t\t1\n", GMMU_FORM_CSV).walks,
                 {{.vpn = 5, .asid = 1}});
    // A column alone; a separator, a quote and blanks in quotes.
    expect_equal(read_bytes("vpn\n5\n", GMMU_FORM_CSV).walks, {{.vpn = 5}});
    got = read_bytes("\"a,\"\"b\",vpn,\" x \"\n\"1,2\",\"3\" ,\"\"\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.error, "");
    const std::string reads = "; without a column rw each walk is a read";
    EXPECT_EQ(got.note, "columns ignored: \"a,\"b\", \" x \"" + reads);
    expect_equal(got.walks, {{.vpn = 3}});
    // A size beside a page number says nothing; a page beyond the last one is not reached.
    got = read_bytes("vpn,size\n5,100000\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.note, "columns ignored: \"size\"" + reads);
    EXPECT_EQ(got.walks.size(), 1U);
    EXPECT_EQ(read_bytes("addr,size\n18446744073709551615,8192\n", GMMU_FORM_CSV).walks.size(), 1U);
    // More pages than are given at once.
    got = read_bytes("addr,size,rw\n4095,4096000,w\n0,1,r\n", GMMU_FORM_CSV);
    ASSERT_EQ(got.walks.size(), 1002U);
    for (size_t i = 0; i < 1001; i++) {
        ASSERT_TRUE(equal(got.walks[i], {.vpn = i, .write = true}));
    }

    // The page size: as asked for, else from a comment before the header, else 4 KiB.
    const std::string shifted = "# page_shift=16\naddr\n65536\n";
    EXPECT_EQ(read_bytes(shifted, GMMU_FORM_CSV, false, 0).walks[0].vpn, 1U);
    EXPECT_EQ(read_bytes(shifted, GMMU_FORM_CSV, false, 13).walks[0].vpn, 8U);
    EXPECT_EQ(read_bytes("addr\n65536\n", GMMU_FORM_CSV, false, 0).walks[0].vpn, 16U);
    for (const char *same : {"00000000000000016", "16 as recorded", "16, 16 GiB"}) {
        got = read_bytes(std::string("# page_shift=") + same + "\naddr\n65536\n", GMMU_FORM_CSV,
                         false, 0);
        ASSERT_EQ(got.error, "") << same;
        EXPECT_EQ(got.walks[0].vpn, 1U) << same;
    }
    for (const char *other : {"99", "31", "8", "", " 16", "0x10", "2M", "16k", "21.5", "-16"}) {
        const std::string comment = std::string("# page_shift=") + other + "\naddr\n65536\n";
        EXPECT_NE(read_bytes(comment, GMMU_FORM_CSV, false, 0)
                      .error.find(std::string("1: found \"") + other +
                                  "\", expected a page_shift of 9 to 30"),
                  std::string::npos)
            << other;
        EXPECT_EQ(read_bytes(comment, GMMU_FORM_CSV, false, 13).walks[0].vpn, 8U) << other;
    }
    EXPECT_EQ(
        read_bytes("addr\n65536\n# page_shift=16\n65536\n", GMMU_FORM_CSV, false, 0).walks[1].vpn,
        16U);

    std::string many = "vpn";
    for (int i = 0; i < 300; i++) {
        many += ",c";
    }
    const Errors cases = {
        {"", "found the end of the file, expected a trace in the form csv"},
        {"# only\n\n", "2: found the end of the file, expected a header"},
        {"ref,sm\n", "1: found \"ref,sm\", expected either a column vpn or a column addr"},
        {"\nvpn,addr\n",
         "2: found \"columns vpn and addr\", expected either a column vpn or a column addr"},
        {"vpn,Page\n", "1: found \"Page\", expected one column of that meaning"},
        {"\"vpn\n", "1: found \"\"vpn\", expected a closing quote"},
        {many + "\n", "1: found \"more than 256 fields\", expected fewer"},
        {std::string(5000, 'x'), "1: found a line of more than 4096 bytes"},
        {"vpn,rw\n1\n", "2: found \"1 field\", expected 2, as many as the header has"},
        {"vpn,rw\n1,r,1\n", "2: found \"3 fields\", expected 2, as many as the header has"},
        {"vpn,rw\n1,r\n2,x\n", "3: found \"x\", expected r or w"},
        {"vpn\n\"1\"2\n", "2: found \"2\", expected a separator behind the closing quote"},
        {"vpn\n\"1\n", "2: found \"\"1\", expected a closing quote"},
        {std::string("vpn\n1\0\n", 7), "2: found \"1\", expected a line without NUL"},
        {"vpn,ref\n,1\n", "2: found \"\", expected a page number"},
        {"vpn\nff\n", "2: found \"ff\", expected a page number"},
        {"vpn\n0x\n", "2: found \"0x\", expected a page number"},
        {"vpn\n-1\n", "2: found \"-1\", expected a page number"},
        {"vpn\n1 2\n", "2: found \"1 2\", expected a page number"},
        {"vpn\n18446744073709551616\n", "2: found \"18446744073709551616\", expected a page"},
        {"vpn\n0x10000000000000000\n", "2: found \"0x10000000000000000\", expected a page"},
        {"addr\nq\n", "2: found \"q\", expected an address"},
        {"addr,size\n1,1099511627777\n", "2: found \"1099511627777\", expected a size"},
        {"vpn,pc\n1,q\n", "2: found \"q\", expected a reference"},
        {"vpn,sm\n1,4294967296\n", "2: found \"4294967296\", expected an sm below 2^32"},
        {"vpn,asid\n1,4294967296\n", "2: found \"4294967296\", expected an asid below 2^32"},
        {"vpn,time\n1,1.5\n", "2: found \"1.5\", expected a time"},
    };
    expect_errors(cases, GMMU_FORM_CSV);
    got = read_bytes("vpn\n1\nx\n" + std::string(9000, '1') + "\n\"\n4\n", GMMU_FORM_CSV, true);
    EXPECT_EQ(got.walks.size(), 2U);
    EXPECT_EQ(got.loss.lines, 3U);
}

// Names that other tools give to the columns, in any case and spelling.
TEST(Import, CsvNames) {
    for (const char *name :
         {"rw",         "write",      "R/W",        "is_write",    "IsWrite",    "type", "Op",
          "op_type",    "operation",  "Access",     "access_type", "accessType", "cmd",  "Command",
          "read_write", "Read/Write", "load/store", "kind",        "req_type",   "rd/wr"}) {
        for (const char *value : {"w", "W", "write", "Write", "STORE", "st", "wr", "1", "true"}) {
            const Read got = read_bytes(
                std::string("Cycle,addr,") + name + "\n32,4096," + value + "\n", GMMU_FORM_CSV);
            ASSERT_EQ(got.error, "") << name;
            expect_equal(got.walks, {{.vpn = 1, .write = true}});
        }
    }
    for (const char *name : {"vaddr", "VA", "virtual_address", "virtualAddress", "mem_addr",
                             "Memory Address", "fault_address", "byte-address", "vAddr"}) {
        const Read got = read_bytes(std::string(name) + ",rw\n0x3000,r\n", GMMU_FORM_CSV);
        ASSERT_EQ(got.error, "") << name;
        expect_equal(got.walks, {{.vpn = 3}});
    }
    for (const char *name : {"vpage", "page_number", "PageNumber", "page_id", "virtual page"}) {
        expect_equal(read_bytes(std::string(name) + "\n3\n", GMMU_FORM_CSV).walks, {{.vpn = 3}});
    }
    Read got = read_bytes("addr,bytes,ip,sm_id,pid,op\n4096,8192,7,2,300,store\n", GMMU_FORM_CSV);
    expect_equal(got.walks, {{.vpn = 1, .ref = 7, .asid = 300, .sm = 2, .write = true},
                             {.vpn = 2, .ref = 7, .asid = 300, .sm = 2, .write = true}});
    // A name of our own goes first; the other column is ignored, and named.
    got = read_bytes("type,addr,rw\nkernel,4096,w\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.note, "columns ignored: \"type\"");
    expect_equal(got.walks, {{.vpn = 1, .write = true}});
    // Words within words do not count.
    got = read_bytes("addr,rw,thread,workload,opcode,chip\n4096,r,1,2,3,4\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.error, "");
    got = read_bytes("addr,thread,workload,opaque,timestamp\n4096,1,2,3,1.5\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.note,
              "columns ignored: \"thread\", \"workload\", \"opaque\", \"timestamp\""
              "; without a column rw each walk is a read");
    // A column that looks like one that is missing is not ignored.
    for (const char *name : {"is_read", "read", "IsRead", "load", "is_load", "dirty", "write back",
                             "store_bit", "Mem Op", "event type", "rw_flag", "wr en"}) {
        const std::string error =
            read_bytes(std::string("addr,") + name + "\n1,1\n", GMMU_FORM_CSV).error;
        EXPECT_EQ(error, std::string("1: found \"") + name +
                             "\", expected a column rw (r or w), or no column of such a name");
    }
    const Errors cases = {
        {"addr,load_pc\n1,1\n", "1: found \"load_pc\", expected a column"},
        {"vpn,rw,pc_hex\n1,r,1\n", "1: found \"pc_hex\", expected a column ref"},
        {"vpn,rw,host pid\n1,r,1\n", "1: found \"host pid\", expected a column asid"},
        {"addr,rw,page_size\n1,r,1\n", "1: found \"page_size\", expected a column size"},
        {"vpn,op,type\n1,r,1\n", "1: found \"type\", expected one column of that meaning"},
        {"vaddr,vpage\n1,1\n", "1: found \"columns vpn and addr\", expected either a column vpn"},
        {"addr,type\n1,memcpy\n", "2: found \"memcpy\", expected r or w"},
    };
    expect_errors(cases, GMMU_FORM_CSV);
}

}  // namespace
