// SPDX-License-Identifier: Apache-2.0
// gzip.cpp: compressed traces.
#include <gtest/gtest.h>

#include <string>

#include "gmmu/trace.h"
#include "random_trace.h"
#include "samples.h"
#include "trace_bytes.h"

namespace {

TEST(Gzip, EveryForm) {
    RandomTrace random(test_seed() + 5);
    const Walks walks = random_walks(&random, 200000);  // longer than the buffers
    const std::string text = written(walks, GMMU_FORM_TEXT);
    const std::string binary = written(walks, GMMU_FORM_GWT);
    expect_equal(read_bytes(gzipped(text)).walks, walks);
    expect_equal(read_bytes(gzipped(binary)).walks, walks);
    expect_equal(read_bytes(gzipped(binary), GMMU_FORM_GWT).walks, walks);
    // Members one after the other, an empty one among them.
    expect_equal(
        read_bytes(gzipped(text.substr(0, 1234567)) + gzipped("") + gzipped(text.substr(1234567)))
            .walks,
        walks);
    expect_equal(read_bytes(gzipped(kG10), GMMU_FORM_G10).walks,
                 read_bytes(kG10, GMMU_FORM_G10).walks);
    expect_equal(read_bytes(gzipped(kMooncake), GMMU_FORM_MOONCAKE).walks,
                 read_bytes(kMooncake, GMMU_FORM_MOONCAKE).walks);
    expect_equal(read_bytes(gzipped(kLackey), GMMU_FORM_LACKEY).walks,
                 read_bytes(kLackey, GMMU_FORM_LACKEY).walks);
    for (const ToolSample &tool : kTools) {
        const Read plain = read_bytes(tool.text, tool.form);
        EXPECT_EQ(plain.error, "") << tool.text;
        EXPECT_EQ(plain.walks.size(), tool.walks) << tool.text;
        expect_equal(read_bytes(gzipped(tool.text), tool.form).walks, plain.walks);
    }
    // A .gwt that is compressed cannot be sought in by its index, but by reading on.
    Memory m(gzipped(binary));
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(m.path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    ASSERT_EQ(gmmu_reader_seek(r, 150000, &err), GMMU_OK) << err.text;
    gmmu_walk w = {};
    ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_OK);
    EXPECT_TRUE(equal(w, walks[150000]));
    gmmu_reader_close(r);
}

TEST(Gzip, Damage) {
    RandomTrace random(test_seed() + 6);
    const Walks walks = random_walks(&random, 100000);
    const std::string good = gzipped(written(walks, GMMU_FORM_TEXT));
    std::string flipped = good;
    flipped[good.size() - 8] ^= 1;  // the CRC
    const Errors cases = {
        {good.substr(0, good.size() - 1), "found the end of the file at byte "},
        {good.substr(0, good.size() / 2), "found the end of the file at byte "},
        {good.substr(0, 3), "found the end of the file at byte 3, expected gzip data"},
        {flipped, "found incorrect data check at byte "},
        {good + "more", "found incorrect header check at byte "},
        {good + good.substr(0, 20), "found the end of the file at byte "},
        {gzipped("bad\n"), "1: found \"bad\", expected "},
        {gzipped(""), "1: found the end of the file, expected "},
    };
    for (const auto &c : cases) {
        for (bool keep_going : {false, true}) {
            const Read bad = read_bytes(c.first, GMMU_FORM_AUTO, keep_going);
            EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
        }
    }
    // What lies before the damage is read.
    EXPECT_GT(read_bytes(good.substr(0, good.size() - 1)).walks.size(), 90000U);
}

// What the first bytes say, whatever form was asked for.
TEST(Magic, Refused) {
    const std::string zeros(300, '\0');
    const std::string tar = std::string(257, 'x') + "ustar" + zeros;
    const Errors cases = {
        {"\x28\xb5\x2f\xfd" + std::string(300, '\xff'),
         "found Unsupported frame parameter at byte "},
        {std::string("\xfd\x37zXZ\0", 6) + zeros, "found corrupt data at byte "},
        {std::string("\x5d\0\0\x80\0", 5) + std::string(8, '\xff') + zeros, "found lzma data"},
        {"BZh91AY&SY" + zeros, "found bzip2 data"},
        {"BZh11AY&SY" + zeros, "found bzip2 data"},
        {"\x04\x22\x4d\x18" + zeros, "found lz4 data"},
        {"\x02\x21\x4c\x18" + zeros, "found lz4 data"},
        {"LZIP\x01" + zeros, "found lzip data"},
        {"\x89LZO" + std::string("\0\r\n\x1a\n", 5) + zeros, "found lzop data"},
        {"\x1f\x9d\x90" + zeros, "found compress data"},
        {std::string("\xff\x06\0\0sNaPpY", 10) + zeros, "found snappy data"},
        {"PK\x03\x04" + zeros, "found a zip archive"},
        {"7z\xbc\xaf\x27\x1c" + zeros, "found a 7z archive"},
        {tar, "found a tar archive"},
        {"SQLite format 3" + zeros, "found an SQLite database"},
        {"PERFILE2" + zeros, "found perf data"},
        {"\x89HDF\r\n\x1a\n" + zeros, "found an HDF5 file"},
        {"PAR1" + zeros, "found a Parquet file"},
        {"version https://git-lfs.github.com/spec/v1\n", "found a pointer of Git LFS"},
        {"<!DOCTYPE html>\n", "found a page in HTML"},
        {"ARROW1" + zeros, "found an Arrow file"},
        {"\x93NUMPY" + zeros, "found a NumPy array"},
        {"\x7f" + ("ELF" + zeros), "found an ELF file"},
        {"%PDF-" + zeros, "found a PDF file"},
        {"\x89PNG\r\n\x1a\n" + zeros, "found a PNG image"},
        {gzipped(gzipped("x")), "found gzip data"},
        {gzipped("PERFILE2" + zeros), "found perf data"},
    };
    for (const gmmu_form form :
         {GMMU_FORM_AUTO, GMMU_FORM_TEXT, GMMU_FORM_ACCELSIM, GMMU_FORM_LACKEY, GMMU_FORM_CSV,
          GMMU_FORM_ORACLE_GENERAL, GMMU_FORM_UVM_CSV, GMMU_FORM_G10, GMMU_FORM_MOONCAKE}) {
        expect_errors(cases, form);
    }
    const std::string gwt = written({{.vpn = 1}}, GMMU_FORM_GWT);
    for (const gmmu_form form : {GMMU_FORM_ORACLE_GENERAL, GMMU_FORM_LACKEY, GMMU_FORM_CSV}) {
        EXPECT_EQ(read_bytes(gwt, form).error.rfind("found a walk trace of the form gwt ", 0), 0U);
    }
    for (const gmmu_form form : {GMMU_FORM_AUTO, GMMU_FORM_LACKEY, GMMU_FORM_CSV}) {
        for (const char *mark : {"\xff\xfe", "\xfe\xff"}) {
            const std::string error = read_bytes(mark + zeros, form).error;
            EXPECT_EQ(error.rfind("found UTF-16 text by the first bytes", 0), 0U) << error;
        }
    }
}

// What editors and tools do to a text: byte order mark, CR LF, blanks at the end of lines, and no
// newline at the end of the file.
TEST(Text, AsEditorsLeaveIt) {
    const struct {
        const char *text;
        gmmu_form form;
    } texts[] = {
        {"# gmmu-walk 1 page_shift=12\n# a comment\n\n#!hints 1\n#!launch,1\n1,0x10,r\n"
         "2,0x20,w,3,4,5\n",
         GMMU_FORM_TEXT},
        {" L 1000,8\n\n S 2ffc,8\n", GMMU_FORM_LACKEY},
        {"#BEGIN_TB\nwarp = 0\ninsts = 1\n0010 1 1 R4 LDG.E 1 R2 4 0 0x1000\n\n#END_TB\n",
         GMMU_FORM_ACCELSIM},
        {"addr,rw\n4096,r\n\n8192,w\n", GMMU_FORM_CSV},
        {"start,end,type,addr,size\n1,2,page_in,4096,1\n", GMMU_FORM_UVM_CSV},
        {"kernel_id,rw,is_weight,bytes,va_start\n5,w,1,1,0\n", GMMU_FORM_G10},
        {"{\"timestamp\": 9, \"hash_ids\": [4, 5]}\n", GMMU_FORM_MOONCAKE},
    };
    for (const auto &t : texts) {
        const Read plain = read_bytes(t.text, t.form);
        ASSERT_EQ(plain.error, "");
        ASSERT_GE(plain.walks.size(), 1U);
        for (const char *end : {"\n", "\r\n", " \n", "\t\n", " \t \r\n"}) {
            for (const char *begin : {"", "\xef\xbb\xbf"}) {
                std::string changed = begin;
                for (const char *p = t.text; *p != '\0'; p++) {
                    changed += *p == '\n' ? std::string(end) : std::string(1, *p);
                }
                for (size_t cut = 0; cut <= std::string(end).size(); cut++) {
                    const Read got = read_bytes(changed.substr(0, changed.size() - cut), t.form);
                    EXPECT_EQ(got.error, "") << t.text << cut;
                    expect_equal(got.walks, plain.walks);
                }
            }
        }
    }
    const Read automatic = read_bytes(std::string("\xef\xbb\xbf") + texts[0].text);
    EXPECT_EQ(automatic.walks.size(), 2U);
}

}  // namespace
