// SPDX-License-Identifier: Apache-2.0
// damage.cpp: every form of damage to a binary trace, with its message.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "gwt_form.h"
#include "random_trace.h"
#include "trace_bytes.h"

namespace {

TEST(Gwt, HandMadeFile) {
    const Read got = read_bytes(gwt_file(kThree, 3));
    ASSERT_EQ(got.error, "");
    expect_equal(
        got.walks,
        {{.vpn = 1, .ref = 0x10}, {.vpn = 2, .ref = 0x10, .write = true}, {.vpn = 3, .ref = 0x10}});
}

// An index, sound in itself, that says what cannot be.
TEST(Gwt, SeekChecksTheIndex) {
    const std::string start = gwt_header() + gwt_block(kThree, 3);
    const struct {
        std::string end;
        uint64_t walk;
        const char *said;
    } cases[] = {
        {gwt_end(10, {{48, 0}}, 3), 1, "found no trailer"},
        {gwt_end(start.size(), {{48, 0}}, 100000), 70000, "expected the block of walk 70000"},
        {gwt_end(start.size(), {{48, 2}}, 3), 1, "expected the block of walk 1"},
        {gwt_end(start.size(), {{20, 0}}, 3), 1, "expected the block of walk 1"},
        {gwt_end(start.size(), {{start.size(), 0}}, 3), 1, "expected the block of walk 1"},
    };
    const std::string path = testing::TempDir() + "gwt_test_index_" + std::to_string(getpid());
    for (const auto &c : cases) {
        std::ofstream(path, std::ios::binary) << start + c.end;
        gmmu_error err = {};
        gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
        ASSERT_NE(r, nullptr) << err.text;
        EXPECT_EQ(gmmu_reader_seek(r, c.walk, &err), GMMU_BAD);
        EXPECT_NE(std::string(err.text).find(c.said), std::string::npos) << err.text;
        gmmu_reader_close(r);
    }
    (void)std::remove(path.c_str());
}

// Each field in turn: no code, an unknown one, a number that does not end, one that is too long or
// too large, differences that are cut short.
TEST(Gwt, EveryFieldIsChecked) {
    const std::string wide = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1";  // 2^64 - 1
    const std::string fields[] = {kConstant0, kConstant0, kConstant0,
                                  kConstant0, kConstant0, kConstant0};
    const char *const names[] = {"vpn", "ref", "rw", "sm", "asid", "time"};
    for (size_t f = 0; f < 6; f++) {
        std::string before;
        for (size_t i = 0; i < f; i++) {
            before += fields[i];
        }
        std::vector<std::string> bad = {"",    "\7",           std::string("\7\0", 2),
                                        kZero, kZero + "\x80", kZero + "\xff\xff"};
        if (f == 2) {
            bad.push_back(kZero + "\2");  // neither r nor w
            bad.push_back("\2");          // bits that are not there
            bad.push_back("\2\x0f");      // more bits than walks
        } else {
            bad.push_back(kZero + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\2");      // 2^64 and more
            bad.push_back(kZero + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x81\1");  // eleven bytes
            bad.push_back("\1\2");  // one difference of three
            bad.push_back("\1\2\x80");
            if (f == 3 || f == 4) {
                bad.push_back(kZero + wide);            // 2^32 and more
                bad.push_back("\1\1" + kZero + kZero);  // below 0
            }
        }
        for (const std::string &b : bad) {
            if ((before + b).empty()) {
                continue;  // a block has a byte
            }
            const Read got = read_bytes(gwt_file(before + b, 3));
            EXPECT_NE(got.error.find(std::string("found a bad code of ") + names[f]),
                      std::string::npos)
                << names[f] << ": " << got.error;
        }
    }
    // bits for more than a byte of walks
    const Read short_bits = read_bytes(gwt_file(kConstant0 + kConstant0 + "\2\xff", 9));
    EXPECT_NE(short_bits.error.find("found a bad code of rw"), std::string::npos)
        << short_bits.error;
}

TEST(Gwt, MessagesOfDamage) {
    const std::string good = gwt_file(kThree, 3);
    ASSERT_EQ(read_bytes(good).error, "");
    auto with = [&](size_t at, const std::string &bytes) {
        std::string s = good;
        return s.replace(at, bytes.size(), bytes);
    };
    auto sized = [](uint32_t source, uint32_t licence, uint32_t comment) {
        return kMagic + u32(1) + u32(12) + u64(0) + u64(0) + u32(source) + u32(licence) +
               u32(comment) + u32(0);
    };
    auto block = [](uint32_t walks, uint32_t raw, uint32_t packed) {
        const std::string head = "GWTB" + u32(walks) + u32(raw) + u32(packed) + u32(0);
        return gwt_header() + head + u32(crc(head));
    };
    auto raw = [](const std::string &bytes) { return gwt_file(bytes, 3); };
    const std::string at48 = "block 0 at byte 48: found ";
    const size_t end = good.size() - 28 - 16 - 4 - 16;
    const std::string at_end = "block 1 at byte " + std::to_string(end) + ": found ";
    const std::string vpn = "a bad code of vpn, expected 3 walks";
    const std::string ff(9, '\xff');
    const Errors cases = {
        {"",
         "1: found the end of the file, expected \"# gmmu-walk 1 page_shift=12\" (forms of "
         "other tools: gmmu trace convert)"},
        {good.substr(0, 5), "header: found the end of the file at byte 5, expected 48 bytes"},
        {good.substr(0, 47), "header: found the end of the file at byte 47, expected 48 bytes"},
        {with(3, "X"), "header: found \"\\x89GWX\\x0d\\x0a\\x1a\\x0a\", expected "},
        {with(8, u32(2)), "header: found version 2, expected 1"},
        {with(12, u32(13)), "header: found CRC-32C "},
        {gwt_header(0, 0, 8), "header: found page_shift 8, expected 9 to 30"},
        {gwt_header(0, 0, 31), "header: found page_shift 31, expected 9 to 30"},
        {sized(4097, 0, 0), "header: found a source of 4097 bytes, expected at most 4096"},
        {sized(0, UINT32_MAX, 0),
         "header: found a licence of 4294967295 bytes, expected at most 4096"},
        {sized(0, 0, UINT32_MAX),
         "header: found a comment of 4294967295 bytes, expected at most 1048576"},
        {sized(0, 0, 1 << 20),
         "header: found the end of the file at byte 48, expected 1048624 bytes"},
        {good.substr(0, 48), at48 + "the end of the file after 0 bytes, expected a block or the "},
        {good.substr(0, 60), at48 + "the end of the file after 12 bytes"},
        {good.substr(0, 75), at48 + "the end of the file after 3 bytes, expected "},
        {with(48, "XWTB"), at48 + "the tag \"XWTB\", expected \"GWTB\" or \"GWTE\""},
        {with(52, u32(4)), at48 + "CRC-32C "},
        {with(73, "X"), at48 + "CRC-32C "},
        {block(0, 9, 9), at48 + "0 walks, expected 1 to 65536"},
        {block(UINT32_MAX, 9, 9), at48 + "4294967295 walks, expected 1 to 65536"},
        {block(9, 0, 9), at48 + "0 bytes before compression, expected 1 to "},
        {block(9, UINT32_MAX, 9), at48 + "4294967295 bytes before compression, expected 1 to "},
        {block(9, 9, 0), at48 + "0 compressed bytes, expected 1 to "},
        {block(9, 9, UINT32_MAX), at48 + "4294967295 compressed bytes, expected 1 to "},
        {gwt_header() + gwt_block(kThree, 3, 9), at48 + "a zstd frame with \""},
        {gwt_header() + gwt_block(kThree, 3, 99), at48 + "14 bytes after decompression, expected "},
        {raw(kThree + "x"), at48 + "a bad code of bytes after the last field, expected 3 walks"},
        {raw(kThree.substr(0, 13)), at48 + "a bad code of time"},
        {raw(kThree.substr(0, 6)), at48 + "a bad code of rw"},
        {raw("\3" + kThree.substr(1)), at48 + vpn},
        {raw("\1\2\x80"), at48 + vpn},
        {raw("\1\2"), at48 + vpn},
        {raw(kZero + ff + "\2"), at48 + vpn},
        {raw(kZero + ff + "\x81\1"), at48 + vpn},
        {raw(kThree.substr(0, 6) + "\2\x0a" + kThree.substr(8)), at48 + "a bad code of rw"},
        {raw(kThree.substr(0, 6) + kZero + "\2" + kThree.substr(8)), at48 + "a bad code of rw"},
        {raw(kThree.substr(0, 8) + kZero + "\x80\x80\x80\x80\x10" + kThree.substr(10)),
         at48 + "a bad code of sm"},
        {raw(kThree.substr(0, 10) + std::string("\1\1\0\0", 4) + kThree.substr(12)),
         at48 + "a bad code of asid"},
        {good.substr(0, end), at_end + "the end of the file after 0 bytes, expected "},
        {good.substr(0, end + 26), at_end + "the end of the file, expected an end record"},
        {with(end + 8, "X"), at_end + "CRC-32C "},
        {good.substr(0, end + 30), at_end + "the end of the file at byte "},
        {good.substr(0, good.size() - 1), at_end + "the end of the file at byte "},
        {with(end + 30, "X"), at_end + "CRC-32C "},
        {with(good.size() - 1, "X"), at_end + "a bad trailer, expected "},
        {with(good.size() - 16, "X"), at_end + "a bad trailer, expected "},
        {good + "X", at_end + "bytes after the trailer, expected the end of the file"},
        {good.substr(0, end) + gwt_end(end, {{48, 0}}, 4),
         at_end + "1 blocks and 3 walks, expected 1 and 4"},
        {good.substr(0, end) + gwt_end(end, {}, 3),
         at_end + "1 blocks and 3 walks, expected 0 and 3"},
        {gwt_header(4) + good.substr(48), at_end + "3 walks, expected 4 as in the header"},
    };
    for (size_t i = 0; i < cases.size(); i++) {
        const Read got = read_bytes(cases[i].first);
        EXPECT_EQ(got.error.rfind(cases[i].second, 0), 0U)
            << "case " << i << ": " << got.error << "\nexpected: " << cases[i].second;
        EXPECT_NE(got.error.find(", expected "), std::string::npos) << got.error;
    }
    EXPECT_NE(read_file(testing::TempDir()).error.find("found a directory"), std::string::npos);
    EXPECT_NE(read_bytes("# gmmu-walk 1 page_shift=12\n", GMMU_FORM_GWT).error.find("header: "),
              std::string::npos);
}

TEST(Gwt, SeekRefusesABadIndex) {
    const std::string start = gwt_header() + gwt_block(kThree, 3);
    const uint64_t at = start.size();
    const std::vector<std::string> files = {start + gwt_end(at, {{47, 0}}, 3),
                                            start + gwt_end(at, {{at, 0}}, 3),
                                            start + gwt_end(at, {{48, 3}}, 3),
                                            start + gwt_end(at, {{48, 0}}, 3) + "X",
                                            start + gwt_end(at + 1, {{48, 0}}, 3),
                                            start + gwt_end(UINT64_MAX, {{48, 0}}, 3),
                                            start,
                                            gwt_header()};
    for (const std::string &f : files) {
        Memory m(f);
        gmmu_error err = {};
        gmmu_reader *r = gmmu_reader_open(m.path.c_str(), &err);
        ASSERT_NE(r, nullptr) << err.text;
        EXPECT_EQ(gmmu_reader_seek(r, 1, &err), GMMU_BAD);
        EXPECT_NE(std::string(err.text).find(", expected "), std::string::npos) << err.text;
        gmmu_reader_close(r);
    }
}

TEST(Gwt, KeepGoingKeepsWholeBlocksAndLines) {
    RandomTrace random(test_seed() + 3);
    const Walks walks = random.make(200000, 5000);
    std::string binary = written(walks, GMMU_FORM_GWT);
    const size_t second = binary.find("GWTB", 60);
    ASSERT_NE(second, std::string::npos);
    std::string damaged = binary;
    damaged[second + 30] ^= 1;
    Read got = read_bytes(damaged, GMMU_FORM_AUTO, true);
    EXPECT_EQ(got.errors, 1U);
    EXPECT_EQ(got.loss.walks, 8192U);
    Walks left(walks.begin(), walks.begin() + 8192);
    left.insert(left.end(), walks.begin() + 2 * 8192, walks.end());
    expect_equal(got.walks, left);

    got = read_bytes(binary.substr(0, second + 100), GMMU_FORM_AUTO, true);
    EXPECT_EQ(got.walks.size(), 8192U);
    EXPECT_EQ(got.loss.walks, 200000U - 8192U);
    damaged[second] ^= 1;
    got = read_bytes(damaged, GMMU_FORM_AUTO, true);
    EXPECT_EQ(got.walks.size(), 8192U);
    EXPECT_EQ(got.loss.walks, 200000U - 8192U);

    got = read_bytes("# gmmu-walk 1 page_shift=12\n1,2,r\nbad\n3,4,w\n" +
                         std::string(3000000, 'x') + "\n5,6,r\nbad",
                     GMMU_FORM_AUTO, true);
    EXPECT_EQ(got.walks.size(), 3U);
    EXPECT_EQ(got.loss.lines, 3U);
    EXPECT_EQ(got.error.substr(0, 3), "7: ") << got.error;
}

}  // namespace
