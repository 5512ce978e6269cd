// SPDX-License-Identifier: Apache-2.0
// gwt_test.cpp: the binary form of walk traces and the imported forms: round trips, digests,
// seeking, every form of damage with its message, and random mutations.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "blocks/crc32c.h"
#include "gmmu/trace.h"
#include "random_trace.h"

namespace {

using Walks = std::vector<gmmu_walk>;

// Bytes as a file, in memory.
class Memory {
   public:
    explicit Memory(const std::string &bytes = "") : fd_(memfd_create("gwt_test", 0)) {
        EXPECT_EQ(write(fd_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
        path = "/dev/fd/" + std::to_string(fd_);
    }
    ~Memory() { (void)close(fd_); }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    std::string bytes() const {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    std::string path;

   private:
    int fd_;
};

struct Read {
    Walks walks;
    std::vector<uint64_t> lines;  // of each walk
    std::string error;            // the last one; empty: none
    unsigned errors = 0;
    uint64_t skipped = 0;
    std::vector<std::string> reasons;
    std::string note;
    uint64_t digest = 0;
    gmmu_loss loss = {};
};

// Reads to the end, or to MOST walks.
Read drain(gmmu_reader *r, bool keep_going = false, size_t most = SIZE_MAX) {
    Read all;
    gmmu_error err = {};
    gmmu_walk w = {};
    gmmu_digest d = gmmu_digest_start(gmmu_reader_page_shift(r));
    while (all.walks.size() < most) {
        const int status = gmmu_reader_next(r, &w, &err);
        if (status == GMMU_OK) {
            all.walks.push_back(w);
            all.lines.push_back(gmmu_reader_line(r));
            gmmu_digest_add(&d, &w);
            continue;
        }
        if (status == GMMU_END) {
            break;
        }
        all.error = err.text;
        all.errors++;
        EXPECT_EQ(all.error.find('\n'), std::string::npos);
        EXPECT_NE(all.error.find("found "), std::string::npos) << all.error;
        if (!keep_going || !gmmu_reader_recover(r)) {
            break;
        }
    }
    const char *what = nullptr;
    uint64_t count = 0;
    for (size_t i = 0; (count = gmmu_reader_skipped(r, i, &what)) != 0; i++) {
        all.skipped += count;
        all.reasons.push_back(std::to_string(count) + " " + what);
    }
    all.note = gmmu_reader_note(r) == nullptr ? "" : gmmu_reader_note(r);
    all.digest = gmmu_digest_value(&d);
    all.loss = gmmu_reader_loss(r);
    return all;
}

Read read_file(const std::string &path, gmmu_form form = GMMU_FORM_AUTO, bool keep_going = false,
               unsigned shift = 12, uint64_t iterations = 0) {
    gmmu_error err = {};
    const gmmu_import_settings settings = {shift, iterations};
    gmmu_reader *r = gmmu_reader_open_import(path.c_str(), form, &settings, &err);
    if (r == nullptr) {
        Read none;
        none.errors = 1;
        none.error = err.text;
        EXPECT_NE(none.error.find("found "), std::string::npos) << none.error;
        return none;
    }
    Read all = drain(r, keep_going);
    gmmu_reader_close(r);
    return all;
}

Read read_bytes(const std::string &bytes, gmmu_form form = GMMU_FORM_AUTO, bool keep_going = false,
                unsigned shift = 12, uint64_t iterations = 0) {
    Memory m(bytes);
    Read all = read_file(m.path, form, keep_going, shift, iterations);
    if (all.error.rfind(m.path, 0) == 0) {
        all.error = all.error.substr(m.path.size() + 1);
        all.error.erase(0, all.error[0] == ' ' ? 1 : 0);
    }
    return all;
}

std::string written(const Walks &walks, gmmu_form form, gmmu_about about = {}) {
    Memory m;
    gmmu_error err = {};
    about.page_shift = about.page_shift == 0 ? 12 : about.page_shift;
    gmmu_writer *w = gmmu_writer_open_as(m.path.c_str(), form, &about, &err);
    EXPECT_NE(w, nullptr) << err.text;
    for (const gmmu_walk &x : walks) {
        EXPECT_EQ(gmmu_writer_put(w, &x, &err), GMMU_OK);
    }
    EXPECT_EQ(gmmu_writer_close(w, &err), GMMU_OK) << err.text;
    return m.bytes();
}

bool equal(const gmmu_walk &a, const gmmu_walk &b) {
    return a.vpn == b.vpn && a.ref == b.ref && a.time == b.time && a.asid == b.asid &&
           a.sm == b.sm && a.write == b.write;
}

void expect_equal(const Walks &a, const Walks &b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); i++) {
        ASSERT_TRUE(equal(a[i], b[i])) << "walk " << i;
    }
}

// Walks with numbers of all lengths and both ends of every field.
Walks random_walks(RandomTrace *random, size_t count) {
    Walks walks;
    auto number = [&](unsigned bits) {
        const uint64_t most = bits == 64 ? UINT64_MAX : UINT32_MAX;
        const uint64_t kind = random->below(4);
        return kind == 0   ? 0
               : kind == 1 ? most
                           : (random->below(UINT64_MAX) & most) >> random->below(bits);
    };
    for (size_t i = 0; i < count; i++) {
        gmmu_walk x = {};
        x.vpn = number(64);
        x.ref = number(64);
        x.time = number(64);
        x.sm = static_cast<uint32_t>(number(32));
        x.asid = static_cast<uint32_t>(number(32));
        x.write = random->below(2) != 0;
        walks.push_back(x);
    }
    return walks;
}

uint32_t crc(const std::string &bytes) {
    uint32_t c = 0xFFFFFFFFU;
    for (char b : bytes) {
        c = gmmu_crc32c_bits(c, static_cast<unsigned char>(b), 8);
    }
    return ~c;
}

std::string u32(uint64_t v) {
    std::string s;
    for (unsigned i = 0; i < 4; i++) {
        s += static_cast<char>(v >> (8 * i));
    }
    return s;
}

std::string u64(uint64_t v) {
    return u32(v) + u32(v >> 32);
}

// The form written a second time, from docs/formats.md, so that single fields can be wrong.
const std::string kMagic = "\x89GWT\r\n\x1a\n";

std::string gwt_header(uint64_t walks = UINT64_MAX, uint64_t pages = UINT64_MAX,
                       uint32_t shift = 12, uint32_t version = 1, const std::string &comment = "") {
    const std::string head = kMagic + u32(version) + u32(shift) + u64(walks) + u64(pages) + u32(0) +
                             u32(0) + u32(comment.size());
    return head + u32(crc(head + comment)) + comment;
}

std::string gwt_block(const std::string &raw, uint32_t walks, int64_t raw_size = -1) {
    std::string packed(ZSTD_compressBound(raw.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1));
    const std::string head = "GWTB" + u32(walks) +
                             u32(raw_size < 0 ? raw.size() : static_cast<uint64_t>(raw_size)) +
                             u32(packed.size()) + u32(crc(packed));
    return head + u32(crc(head)) + packed;
}

std::string gwt_end(uint64_t at, const std::vector<std::pair<uint64_t, uint64_t>> &blocks,
                    uint64_t walks) {
    const std::string head = "GWTE" + u32(blocks.size()) + u64(walks) + u64(UINT64_MAX);
    std::string index;
    for (const auto &b : blocks) {
        index += u64(b.first) + u64(b.second);
    }
    const std::string trailer = u64(at);
    return head + u32(crc(head)) + index + u32(crc(index)) + trailer + u32(crc(trailer)) + "GWT\n";
}

// A file with one block.
std::string gwt_file(const std::string &raw, uint32_t walks) {
    const std::string start = gwt_header() + gwt_block(raw, walks);
    return start + gwt_end(start.size(), {{48, 0}}, walks);
}

const std::string kZero("\0", 1);
const std::string kConstant0("\0\0", 2);
// vpn 1, 2, 3; ref 0x10; r w r; sm, asid and time 0
const std::string kThree = std::string("\1\2\2\2", 4) + std::string("\0\x10", 2) + "\2\2" +
                           kConstant0 + kConstant0 + kConstant0;

TEST(Gwt, HandMadeFile) {
    const Read got = read_bytes(gwt_file(kThree, 3));
    ASSERT_EQ(got.error, "");
    expect_equal(got.walks,
                 {{1, 0x10, 0, 0, 0, false}, {2, 0x10, 0, 0, 0, true}, {3, 0x10, 0, 0, 0, false}});
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

TEST(Gwt, RoundTripAndDigestOfRandomWalks) {
    RandomTrace random(test_seed());
    uint64_t vectors = 0;
    for (size_t count : {0, 1, 7, 8, 9, 8191, 8192, 8193, 65536, 200000}) {
        const Walks walks = random_walks(&random, count);
        const std::string binary = written(walks, GMMU_FORM_GWT);
        const Read got = read_bytes(binary);
        ASSERT_EQ(got.error, "");
        expect_equal(got.walks, walks);
        const Read text = read_bytes(written(walks, GMMU_FORM_TEXT));
        ASSERT_EQ(text.error, "");
        EXPECT_EQ(got.digest, text.digest);
        // From a pipe too.
        int fds[2];
        ASSERT_EQ(pipe(fds), 0);
        std::thread feeder([&] {
            for (size_t at = 0; at < binary.size(); at += 5000) {
                const size_t n = std::min<size_t>(5000, binary.size() - at);
                EXPECT_EQ(write(fds[1], binary.data() + at, n), static_cast<ssize_t>(n));
            }
            (void)close(fds[1]);
        });
        const Read piped = read_file("/dev/fd/" + std::to_string(fds[0]));
        feeder.join();
        (void)close(fds[0]);
        EXPECT_EQ(piped.error, "");
        EXPECT_EQ(piped.digest, got.digest);
        vectors += count;
    }
    for (int i = 0; i < 50; i++) {
        const Walks walks = random.make(1 + random.below(3000), 1 + random.below(500));
        expect_equal(read_bytes(written(walks, GMMU_FORM_GWT)).walks, walks);
        vectors += walks.size();
    }
    std::printf("[ vectors  ] round trip: %llu walks\n", static_cast<unsigned long long>(vectors));
}

TEST(Gwt, DigestTellsEveryField) {
    const gmmu_walk base = {1, 2, 3, 4, 5, false};
    auto digest = [](const Walks &walks, unsigned shift) {
        gmmu_digest d = gmmu_digest_start(shift);
        for (const gmmu_walk &w : walks) {
            gmmu_digest_add(&d, &w);
        }
        return gmmu_digest_value(&d);
    };
    const uint64_t right = digest({base, base}, 12);
    EXPECT_NE(right, digest({base, base}, 13));
    EXPECT_NE(right, digest({base}, 12));
    for (int field = 0; field < 6; field++) {
        gmmu_walk x = base;
        x.vpn += field == 0;
        x.ref += field == 1;
        x.time += field == 2;
        x.asid += field == 3;
        x.sm += field == 4;
        x.write = field == 5;
        EXPECT_NE(right, digest({base, x}, 12)) << field;
        EXPECT_NE(digest({x, base}, 12), digest({base, x}, 12)) << field;
    }
}

TEST(Gwt, HeaderHoldsCountsAndTexts) {
    RandomTrace random(test_seed() + 1);
    const Walks walks = random.make(100000, 9000);
    std::vector<std::pair<uint32_t, uint64_t>> pages;
    for (const gmmu_walk &w : walks) {
        pages.emplace_back(w.asid, w.vpn);
    }
    std::sort(pages.begin(), pages.end());
    pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
    gmmu_about about = {};
    about.page_shift = 21;
    about.source = "a source";
    about.licence = "CC0-1.0";
    about.comment = "two\nlines";
    Memory m(written(walks, GMMU_FORM_GWT, about));
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(m.path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    const gmmu_about *got = gmmu_reader_about(r);
    EXPECT_EQ(got->page_shift, 21U);
    EXPECT_EQ(got->walks, walks.size());
    EXPECT_EQ(got->pages, pages.size());
    EXPECT_STREQ(got->source, about.source);
    EXPECT_STREQ(got->licence, about.licence);
    EXPECT_STREQ(got->comment, about.comment);
    gmmu_reader_close(r);
    about.comment = nullptr;
    const std::string text = written({}, GMMU_FORM_TEXT, about);
    EXPECT_EQ(text, "# gmmu-walk 1 page_shift=21\n# source: a source\n# licence: CC0-1.0\n");
    about.comment = "c";
    const std::string lines(4097, 's');
    about.source = lines.c_str();
    Memory out;
    EXPECT_EQ(gmmu_writer_open_as(out.path.c_str(), GMMU_FORM_GWT, &about, &err), nullptr);
    EXPECT_NE(std::string(err.text).find("found a text of 4097 bytes"), std::string::npos);
}

TEST(Gwt, Seek) {
    RandomTrace random(test_seed() + 2);
    const Walks walks = random_walks(&random, 300001);
    Memory binary(written(walks, GMMU_FORM_GWT));
    Memory text(written(walks, GMMU_FORM_TEXT));
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(binary.path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    gmmu_walk w = {};
    for (int i = 0; i < 60; i++) {
        static const uint64_t edges[] = {0, 8191, 8192, 8193, 65536, 262144, 300000};
        const uint64_t to = i < 6 ? edges[i] : random.below(walks.size());
        ASSERT_EQ(gmmu_reader_seek(r, to, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_OK) << err.text;
        ASSERT_TRUE(equal(w, walks[to])) << to;
        ASSERT_EQ(gmmu_reader_line(r), to + 1);
    }
    for (uint64_t to : {300001, 400000}) {
        ASSERT_EQ(gmmu_reader_seek(r, to, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_END) << err.text;
    }
    ASSERT_EQ(gmmu_reader_seek(r, 200000, &err), GMMU_OK) << err.text;
    const Read rest = drain(r);
    EXPECT_EQ(rest.error, "");
    expect_equal(rest.walks, Walks(walks.begin() + 200000, walks.end()));
    gmmu_reader_close(r);

    r = gmmu_reader_open(text.path.c_str(), &err);
    ASSERT_NE(r, nullptr);
    ASSERT_EQ(gmmu_reader_seek(r, 1000, &err), GMMU_OK);
    ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_OK);
    ASSERT_TRUE(equal(w, walks[1000]));
    ASSERT_EQ(gmmu_reader_seek(r, 10, &err), GMMU_BAD);
    gmmu_reader_close(r);
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
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "1: found the end of the file, expected \"# gmmu-walk 1 page_shift=12\""},
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

// ---- imported forms

const std::string kLackey =
    "==12== Lackey, an example Valgrind tool\nI  04001000,3\n L 1ffeffe7e8,8\n S 00000ffc,8\n"
    " M 0421c7cc,4\n\nI  04001003,5\n==12== \n";

TEST(Import, Lackey) {
    const Read got = read_bytes(kLackey, GMMU_FORM_LACKEY);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.skipped, 2U);
    expect_equal(got.walks, {{0x1ffeffe, 0, 0, 0, 0, false},
                             {0, 0, 0, 0, 0, true},
                             {1, 0, 0, 0, 0, true},
                             {0x421c, 0, 0, 0, 0, true}});
    const std::vector<std::pair<std::string, std::string>> cases = {
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
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, GMMU_FORM_LACKEY);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
    }
}

const std::string kAccelsim =
    "-kernel name = k\n-shmem base_addr = 0x00007f0000000000\n"
    "-local mem base_addr = 0x00007e0000000000\n-enable lineinfo = 0\n\n#traces format = x\n\n"
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 7\n"
    "0010 ffffffff 1 R6 S2R 0 0 0 \n"
    "00a0 ffffffff 1 R4 LDG.E 1 R4 4 1 0x7fb0fc430fc0 4 0 \n"   // two pages
    "00b0 00000007 0 STG.E 2 R6 R9 4 2 0x10000 8192 -4096 0\n"  // three pages
    "00c0 00000011 0 RED.E.ADD 2 R6 R9 4 0 0x5000 0x5004 0\n"   // one page
    "00d0 00000003 1 R1 LD.E 1 R4 8 0 0x7f0000000100 0x6ffc\n"  // shared, two pages
    "00e0 ffffffff 1 R1 LDS 1 R4 4 1 0x100 4\n00f0 00000000 1 R1 LDG.E 1 R4 4 1 0x0 0\n#END_TB\n";

TEST(Import, Accelsim) {
    const Read got = read_bytes(kAccelsim, GMMU_FORM_ACCELSIM);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.skipped, 2U);
    expect_equal(got.walks, {{0x7fb0fc430, 0xa0, 0, 0, 0, false},
                             {0x7fb0fc431, 0xa0, 0, 0, 0, false},
                             {0x10, 0xb0, 0, 0, 0, true},
                             {0x12, 0xb0, 0, 0, 0, true},
                             {0x11, 0xb0, 0, 0, 0, true},
                             {0x5, 0xc0, 0, 0, 0, true},
                             {0x6, 0xd0, 0, 0, 0, false},
                             {0x7, 0xd0, 0, 0, 0, false}});
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

const std::string kOracle = u32(7) + u64(0x123456789abcdef0) + u32(100) + u64(UINT64_MAX) + u32(9) +
                            u64(5) + u32(1) + u64(0);

TEST(Import, OracleGeneral) {
    const Read got = read_bytes(kOracle, GMMU_FORM_ORACLE_GENERAL);
    ASSERT_EQ(got.error, "");
    expect_equal(got.walks, {{0x123456789abcdef0, 0, 7, 0, 0, false}, {5, 0, 9, 0, 0, false}});
    EXPECT_EQ(read_bytes(kOracle.substr(0, 30), GMMU_FORM_ORACLE_GENERAL).error,
              "record 2 at byte 24: found 6 bytes, expected 24");
}

const std::string kCsv =
    "# any tool\n\n\"Time\"; sm ;ADDR;pc;rw;size;warp\n1; 2 ;0x1ffc;0x40;r;8;3\r\n"
    "2;3;\"8192\";0x44;Store;;\n\n# a comment\n;;4096;;;1;\n";

TEST(Import, Csv) {
    Read got = read_bytes(kCsv, GMMU_FORM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "columns ignored: \"warp\"");
    EXPECT_EQ(got.skipped, 0U);
    expect_equal(got.walks, {{1, 0x40, 1, 0, 2, false},
                             {2, 0x40, 1, 0, 2, false},
                             {2, 0x44, 2, 0, 3, true},
                             {1, 0, 0, 0, 0, false}});
    EXPECT_EQ(got.lines, (std::vector<uint64_t>{4, 4, 5, 8}));

    // Other orders, separators, names; everything a number can be; byte order mark, no last
    // newline.
    got = read_bytes(
        "\xef\xbb\xbfwrite\tasid\tref\tvpn\nfalse\t4294967295\t0\t18446744073709551615\n"
        "TRUE\t0x0\t0XfF\t007",
        GMMU_FORM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    expect_equal(got.walks, {{UINT64_MAX, 0, 0, UINT32_MAX, 0, false}, {7, 0xff, 0, 0, 0, true}});
    // A tab that separates is no blank beside a field.
    expect_equal(read_bytes("vpn\tref\tasid\n5\t\t1\n", GMMU_FORM_CSV).walks,
                 {{5, 0, 0, 1, 0, false}});
    // A column alone; a separator, a quote and blanks in quotes.
    expect_equal(read_bytes("vpn\n5\n", GMMU_FORM_CSV).walks, {{5, 0, 0, 0, 0, false}});
    got = read_bytes("\"a,\"\"b\",vpn,\" x \"\n\"1,2\",\"3\" ,\"\"\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.note, "columns ignored: \"a,\"b\", \" x \"");
    expect_equal(got.walks, {{3, 0, 0, 0, 0, false}});
    // A size beside a page number says nothing; a page beyond the last one is not reached.
    got = read_bytes("vpn,size\n5,100000\n", GMMU_FORM_CSV);
    EXPECT_EQ(got.note, "columns ignored: \"size\"");
    EXPECT_EQ(got.walks.size(), 1U);
    EXPECT_EQ(read_bytes("addr,size\n18446744073709551615,8192\n", GMMU_FORM_CSV).walks.size(), 1U);
    // More pages than are given at once.
    got = read_bytes("addr,size,rw\n4095,4096000,w\n0,1,r\n", GMMU_FORM_CSV);
    ASSERT_EQ(got.walks.size(), 1002U);
    for (size_t i = 0; i < 1001; i++) {
        ASSERT_TRUE(equal(got.walks[i], {i, 0, 0, 0, 0, true}));
    }

    // The page size: as asked for, else from a comment before the header, else 4 KiB.
    const std::string shifted = "# page_shift=16\naddr\n65536\n";
    EXPECT_EQ(read_bytes(shifted, GMMU_FORM_CSV, false, 0).walks[0].vpn, 1U);
    EXPECT_EQ(read_bytes(shifted, GMMU_FORM_CSV, false, 13).walks[0].vpn, 8U);
    for (const char *other : {"# page_shift=99\n", "# page_shift=8\n", "# page_shift=\n",
                              "# page_shift=00000000000016\n", ""}) {
        EXPECT_EQ(
            read_bytes(other + std::string("addr\n65536\n"), GMMU_FORM_CSV, false, 0).walks[0].vpn,
            16U);
    }
    EXPECT_EQ(
        read_bytes("addr\n65536\n# page_shift=16\n65536\n", GMMU_FORM_CSV, false, 0).walks[1].vpn,
        16U);

    std::string many = "vpn";
    for (int i = 0; i < 300; i++) {
        many += ",c";
    }
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "found the end of the file, expected a trace in the form csv"},
        {"# only\n\n", "2: found the end of the file, expected a header"},
        {"ref,sm\n", "1: found \"neither\", expected either a column vpn or a column addr"},
        {"\nvpn,addr\n", "2: found \"both\", expected either a column vpn or a column addr"},
        {"vpn,Page\n", "1: found \"Page\", expected one column of that meaning"},
        {"\"vpn\n", "1: found \"\"vpn\", expected a closing quote"},
        {many + "\n", "1: found \"more than 256 fields\", expected fewer"},
        {std::string(5000, 'x'), "1: found a line of more than 4096 bytes"},
        {"vpn,rw\n1\n", "2: found \"1 fields\", expected as many as the header has"},
        {"vpn,rw\n1,r,1\n", "2: found \"3 fields\", expected as many as the header has"},
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
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, GMMU_FORM_CSV);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
        EXPECT_EQ(bad.errors, 1U);
    }
    got = read_bytes("vpn\n1\nx\n" + std::string(9000, '1') + "\n\"\n4\n", GMMU_FORM_CSV, true);
    EXPECT_EQ(got.walks.size(), 2U);
    EXPECT_EQ(got.loss.lines, 3U);
}

const std::string kUvm =
    "start,end,type,addr,size,sm\n10,20,memcpy_h2d,0x3000,8192,1\n15,25,kernel_launch,,,0\n"
    "30,40,prefetch_breakdown(1.25),20480,1,0\n31,50,prefetch,20480,65536,0\n"
    "60,70,write_back,0x3000,8192,1\n61,70,write_back,0,4096,1\n70,71,MEMCPY_H2D,1,0,0\n"
    "80,90,page_in,4095,2,7\n";

TEST(Import, UvmCsv) {
    Read got = read_bytes(kUvm, GMMU_FORM_UVM_CSV);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    EXPECT_EQ(got.reasons, (std::vector<std::string>{
                               "1 events of type kernel_launch", "1 events of type prefetch",
                               "2 events of type write_back", "1 page-ins of 0 bytes"}));
    expect_equal(got.walks, {{3, 0, 10, 0, 1, false},
                             {4, 0, 10, 0, 1, false},
                             {5, 0, 30, 0, 0, false},
                             {0, 0, 80, 0, 7, false},
                             {1, 0, 80, 0, 7, false}});
    // Any order; without the columns that are not needed.
    expect_equal(read_bytes("size;addr;type;start\n1;4096;memcpy_h2d;3\n", GMMU_FORM_UVM_CSV).walks,
                 {{1, 0, 3, 0, 0, false}});
    const std::string head = "start,end,type,addr,size,sm\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"start,end,addr,size,sm\n", "1: found \"no such column\", expected a column type"},
        {"end,type,addr,size,sm\n", "1: found \"no such column\", expected a column start"},
        {"start,end,type,size,sm\n", "1: found \"no such column\", expected a column addr"},
        {"start,end,type,addr,sm\n", "1: found \"no such column\", expected a column size"},
        {head + "1,2,,3,4,5\n", "2: found \"\", expected a type of event"},
        {head + "x,2,memcpy_h2d,3,4,5\n", "2: found \"x\", expected a start"},
        {head + "1,2,memcpy_h2d,x,4,5\n", "2: found \"x\", expected an address"},
        {head + "1,2,memcpy_h2d,3,,5\n", "2: found \"\", expected a size"},
        {head + "1,2,memcpy_h2d,3,1099511627777,5\n",
         "2: found \"1099511627777\", expected a size"},
        {head + "1,2,memcpy_h2d,3,4,x\n", "2: found \"x\", expected an sm"},
    };
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, GMMU_FORM_UVM_CSV);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
    }
    // Types that nobody knows do not take memory without bound, and do not break the line.
    std::string types = head;
    for (int i = 0; i < 1000; i++) {
        types += "1,2,t\x01\xff" + std::to_string(i) + ",3,4,5\n";
    }
    got = read_bytes(types, GMMU_FORM_UVM_CSV);
    EXPECT_EQ(got.skipped, 1000U);
    ASSERT_EQ(got.reasons.size(), 16U);
    EXPECT_EQ(got.reasons[0], "1 events of type t\\x01\\xff0");
    EXPECT_EQ(got.reasons[15], "985 other records");
}

const std::string kG10 =
    "kernel_id,kernel_name,exec_cycles,rw,tensor_id,is_weight,bytes,va_start\n"
    "0,conv,100,w,3,0,4194304,2097152\n0,conv,100,r,1,1,2,2097151\n0,conv,100,r,2,0,0,9\n"
    "7,add,50,r,3,0,1,2097152\n0,conv,10,r,3,0,1,0\n";

TEST(Import, G10) {
    Read got = read_bytes(kG10, GMMU_FORM_G10, false, 0, 2);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.note, "");
    EXPECT_EQ(got.reasons, std::vector<std::string>{"1 tensors of 0 bytes"});
    // Reads before writes, weights in their own address space, kernel 0 a second time later.
    Walks step = {{0, 0, 0, 1, 0, false}, {1, 0, 0, 1, 0, false},         {1, 1, 0, 0, 0, true},
                  {2, 1, 0, 0, 0, true},  {1, 7 << 16, 100, 0, 0, false}, {0, 0, 150, 0, 0, false}};
    Walks all = step;
    for (gmmu_walk w : step) {
        w.time += 160;
        all.push_back(w);
    }
    expect_equal(got.walks, all);
    EXPECT_EQ(got.lines, (std::vector<uint64_t>{3, 3, 2, 2, 5, 6, 3, 3, 2, 2, 5, 6}));
    EXPECT_EQ(read_bytes(kG10, GMMU_FORM_G10, false, 0).walks.size(), 18U);
    // Other pages: as asked for.
    EXPECT_EQ(read_bytes(kG10, GMMU_FORM_G10, false, 12, 1).walks.size(), 2U + 1024U + 1U + 1U);
    const std::string head = kG10.substr(0, kG10.find('\n') + 1);
    EXPECT_EQ(read_bytes(head, GMMU_FORM_G10).walks.size(), 0U);
    // A read that comes first stays there.
    expect_equal(
        read_bytes(head + "0,k,1,r,1,0,1,0\n0,k,1,w,2,0,1,2097152\n", GMMU_FORM_G10, false, 0, 1)
            .walks,
        {{0, 0, 0, 0, 0, false}, {1, 1, 0, 0, 0, true}});
    EXPECT_EQ(
        read_bytes(head + "0,k,1,r,1,0,0,0\n", GMMU_FORM_G10, false, 0, 1000000000000).skipped, 1U);
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"kernel_id,rw,is_weight,bytes\n",
         "1: found \"no such column\", expected a column va_start"},
        {"kernel_id,rw,is_weight,va_start\n",
         "1: found \"no such column\", expected a column bytes"},
        {"kernel_id,rw,bytes,va_start\n",
         "1: found \"no such column\", expected a column is_weight"},
        {"kernel_id,is_weight,bytes,va_start\n",
         "1: found \"no such column\", expected a column rw"},
        {"rw,is_weight,bytes,va_start\n",
         "1: found \"no such column\", expected a column kernel_id"},
        {head + "281474976710656,k,1,r,1,0,1,0\n",
         "2: found \"281474976710656\", expected a kernel_id"},
        {head + ",k,1,r,1,0,1,0\n", "2: found \"\", expected a kernel_id"},
        {head + "0,k,x,r,1,0,1,0\n", "2: found \"x\", expected exec_cycles"},
        {head + "0,k,1,,1,0,1,0\n", "2: found \"\", expected r or w"},
        {head + "0,k,1,q,1,0,1,0\n", "2: found \"q\", expected r or w"},
        {head + "0,k,1,r,1,2,1,0\n", "2: found \"2\", expected is_weight, 0 or 1"},
        {head + "0,k,1,r,1,0,1099511627777,0\n",
         "2: found \"1099511627777\", expected at most 2^40"},
        {head + "0,k,1,r,1,0,1,q\n", "2: found \"q\", expected a va_start"},
    };
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, GMMU_FORM_G10);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
        EXPECT_EQ(bad.walks.size(), 0U);
    }
    std::string wide = head;
    for (int i = 0; i < 65537; i++) {
        wide += "0,k,1,r,1,0,1,0\n";
    }
    EXPECT_EQ(read_bytes(wide, GMMU_FORM_G10).error,
              "65538: found \"0\", expected at most 65536 tensors of a kernel");
    got = read_bytes(head + "0,k,1,q,1,0,1,0\n0,k,1,r,1,0,1,0\n", GMMU_FORM_G10, true);
    EXPECT_EQ(got.walks.size(), 3U);
    EXPECT_EQ(got.loss.lines, 1U);
}

const std::string kMooncake =
    "{\"timestamp\": 5, \"input_length\": 600, \"output_length\": 3, \"hash_ids\": [0, 9]}\n\n"
    "{\"hash_ids\": [], \"timestamp\": 6}\r\n"
    "{\"timestamp\": 7, \"hash_ids\": [0, 1, 2, 3, 4, 5, 6, 7, 9223372036854775807]}";

TEST(Import, Mooncake) {
    Read got = read_bytes(kMooncake, GMMU_FORM_MOONCAKE);
    ASSERT_EQ(got.error, "");
    EXPECT_EQ(got.reasons, std::vector<std::string>{"1 requests without blocks"});
    expect_equal(got.walks, {{0, 0, 5, 0, 0, false},
                             {9, 1, 5, 0, 0, false},
                             {0, 0, 7, 0, 0, false},
                             {1, 1, 7, 0, 0, false},
                             {2, 2, 7, 0, 0, false},
                             {3, 2, 7, 0, 0, false},
                             {4, 3, 7, 0, 0, false},
                             {5, 3, 7, 0, 0, false},
                             {6, 3, 7, 0, 0, false},
                             {7, 3, 7, 0, 0, false},
                             {INT64_MAX, 4, 7, 0, 0, false}});
    // A request longer than a line elsewhere, with more blocks than are given at once; it lies
    // across the end of the buffer.
    std::string wide;
    Walks all;
    for (uint64_t request = 0; request < 30; request++) {
        wide += "{\"timestamp\":" + std::to_string(request) + ",\"hash_ids\":[";
        for (uint64_t i = 0; i < 9000; i++) {
            wide += (i == 0 ? "" : ",") + std::to_string(100000 + i);
            uint64_t bits = 0;
            while (i >> bits != 0) {
                bits++;
            }
            all.push_back({100000 + i, bits, request, 0, 0, false});
        }
        wide += "]}\n";
    }
    got = read_bytes(wide, GMMU_FORM_MOONCAKE);
    EXPECT_EQ(got.error, "");
    expect_equal(got.walks, all);
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"[1]", "1: found \"[1]\", expected an object with timestamp and hash_ids"},
        {"7", "1: found \"7\", expected an object"},
        {"{\"timestamp\": 1", "1: found \"column 15: '}' expected"},
        {"\n{} x", "2: found \"column 4: end of file expected near 'x'\", expected a request as"},
        {"{\"timestamp\": 1, \"timestamp\": 1}", "1: found \"column "},
        {"\xff", "1: found \"column "},
        {std::string("{}\0", 3), "1: found \"column "},
        {std::string(4000, '['), "1: found \"column "},
        {"{\"hash_ids\": [1]}", "1: found \"nothing\", expected a timestamp"},
        {"{\"timestamp\": 1.5, \"hash_ids\": [1]}", "1: found \"1.5\", expected a timestamp"},
        {"{\"timestamp\": -1, \"hash_ids\": [1]}", "1: found \"-1\", expected a timestamp"},
        {"{\"timestamp\": \"1\", \"hash_ids\": [1]}", "1: found \"\"1\"\", expected a timestamp"},
        {"{\"timestamp\": 1}", "1: found \"nothing\", expected hash_ids"},
        {"{\"timestamp\": 1, \"hash_ids\": 1}", "1: found \"1\", expected hash_ids"},
        {"{\"timestamp\": 1, \"hash_ids\": [1, -1]}",
         "1: found \"-1\", expected a whole number in"},
        {"{\"timestamp\": 1, \"hash_ids\": [1, {}]}",
         "1: found \"{}\", expected a whole number in"},
        {"{\"timestamp\": 1, \"hash_ids\": [9223372036854775808]}", "1: found \"column "},
        {std::string(1100000, '['), "1: found a line of more than 1048574 bytes"},
    };
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first + "\n", GMMU_FORM_MOONCAKE);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
    }
    got = read_bytes("{}\n" + std::string(3000000, 'x') + "\n" + kMooncake + "\n{",
                     GMMU_FORM_MOONCAKE, true);
    EXPECT_EQ(got.walks.size(), 11U);
    EXPECT_EQ(got.loss.lines, 3U);
}

// ---- gzip

std::string gzipped(const std::string &bytes) {
    z_stream z = {};
    EXPECT_EQ(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(deflateBound(&z, bytes.size()), '\0');
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    z.next_out = reinterpret_cast<Bytef *>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.resize(z.total_out);
    (void)deflateEnd(&z);
    return out;
}

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
    const std::vector<std::pair<std::string, std::string>> cases = {
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

// ---- random mutations: no crash, nothing that sanitizers find, messages of one line

std::string mutated(std::string s, RandomTrace *random) {
    for (uint64_t n = 1 + random->below(4); n > 0 && !s.empty(); n--) {
        const size_t at = random->below(s.size());
        switch (random->below(6)) {
            case 0:
                s[at] = static_cast<char>(s[at] ^ (1U << random->below(8)));
                break;
            case 1:
                s[at] = static_cast<char>(random->below(256));
                break;
            case 2:
                s.erase(at, 1 + random->below(9));
                break;
            case 3:
                s.insert(at, s.substr(random->below(s.size()), random->below(30)));
                break;
            case 4:
                s.resize(at);
                break;
            default:
                s[at] = random->below(2) == 0 ? '\0' : '\xff';
                break;
        }
    }
    return s;
}

TEST(Fuzz, Mutations) {
    RandomTrace random(test_seed() + 4);
    const Walks walks = random_walks(&random, 12);
    const std::string text = written(walks, GMMU_FORM_TEXT);
    const std::string binary = written(walks, GMMU_FORM_GWT);
    const int each = std::getenv("GMMU_LONG") != nullptr
                         ? 10000
                         : 3000;  // of each form; `make fuzz` does a million
    uint64_t refused = 0;
    uint64_t accepted = 0;
    const std::vector<std::pair<gmmu_form, std::function<std::string()>>> makers = {
        {GMMU_FORM_TEXT, [&] { return mutated(text, &random); }},
        {GMMU_FORM_GWT, [&] { return mutated(binary, &random); }},
        // With right checksums, so that what lies behind them is reached.
        {GMMU_FORM_GWT, [&] { return gwt_file(mutated(kThree, &random), 3); }},
        {GMMU_FORM_ACCELSIM, [&] { return mutated(kAccelsim, &random); }},
        {GMMU_FORM_LACKEY, [&] { return mutated(kLackey, &random); }},
        {GMMU_FORM_ORACLE_GENERAL, [&] { return mutated(kOracle, &random); }},
        {GMMU_FORM_CSV, [&] { return mutated(kCsv, &random); }},
        {GMMU_FORM_UVM_CSV, [&] { return mutated(kUvm, &random); }},
        {GMMU_FORM_G10, [&] { return mutated(kG10, &random); }},
        {GMMU_FORM_MOONCAKE, [&] { return mutated(kMooncake, &random); }},
        {GMMU_FORM_TEXT, [&] { return mutated(gzipped(text), &random); }}};
    for (const auto &m : makers) {
        const int count = m.first == GMMU_FORM_GWT ? each / 2 : each;
        for (int i = 0; i < count; i++) {
            Memory file(m.second());
            gmmu_error err = {};
            gmmu_reader *r = gmmu_reader_open_as(file.path.c_str(), m.first, 12, &err);
            if (r == nullptr) {
                refused++;
                continue;
            }
            if (i % 4 == 0) {
                (void)gmmu_reader_seek(r, random.below(14), &err);
            }
            const Read got = drain(r, i % 2 == 0, 1000);
            (got.errors != 0 ? refused : accepted)++;
            gmmu_reader_close(r);
        }
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(accepted, 0U);
    std::printf("[ vectors  ] mutations: %llu read, %llu refused\n",
                static_cast<unsigned long long>(accepted),
                static_cast<unsigned long long>(refused));
}

}  // namespace
