// SPDX-License-Identifier: Apache-2.0
// hints.cpp: hints in both forms: what is written is read again, each once and where it stood;
// files without them and readers that do not know them are left in peace; damage is named.
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "gwt_form.h"
#include "hint_bytes.h"
#include "random_trace.h"
#include "trace_bytes.h"

namespace {

// A hint of any kind, with numbers of all lengths, often at their ends.
gmmu_hint random_hint(RandomTrace *random, uint64_t walk) {
    auto number = [&] {
        return random->below(4) == 0 ? UINT64_MAX : random->below(UINT64_MAX) >> random->below(64);
    };
    gmmu_hint h = {.walk = walk, .kind = static_cast<gmmu_hint_kind>(random->below(3))};
    if (h.kind != GMMU_HINT_FREE) {
        h.id = number();
    }
    if (h.kind != GMMU_HINT_LAUNCH) {
        h.first = number();
        const uint64_t most = UINT64_MAX - h.first;
        h.pages = random->below(3) == 0 ? most : random->below(UINT64_MAX) & most;
        h.pages += h.pages != UINT64_MAX ? 1 : 0;
        h.asid = random->below(2) == 0 ? 0 : static_cast<uint32_t>(number());
    }
    return h;
}

// Hints before one walk in RARE, and often at the end.
Hints random_hints(RandomTrace *random, size_t walks, uint64_t rare) {
    Hints all;
    for (size_t i = 0; i <= walks; i++) {
        if (i == walks || random->below(rare) == 0) {
            for (uint64_t n = random->below(4); n > 0; n--) {
                all.push_back(random_hint(random, i));
            }
        }
    }
    return all;
}

std::string written(const Walks &walks, const Hints &hints, gmmu_form form) {
    Memory m;
    gmmu_error err = {};
    gmmu_about about = {};
    about.page_shift = 12;
    gmmu_writer *w = gmmu_writer_open_as(m.path.c_str(), form, &about, &err);
    EXPECT_NE(w, nullptr) << err.text;
    size_t at = 0;
    for (size_t i = 0; i <= walks.size(); i++) {
        for (; at < hints.size() && hints[at].walk == i; at++) {
            EXPECT_EQ(gmmu_writer_hint(w, &hints[at], &err), GMMU_OK) << err.text;
        }
        if (i < walks.size()) {
            EXPECT_EQ(gmmu_writer_put(w, &walks[i], &err), GMMU_OK) << err.text;
        }
    }
    EXPECT_EQ(gmmu_writer_close(w, &err), GMMU_OK) << err.text;
    return m.bytes();
}

// What a reader of version 1 that knows no hints makes of the file: its bytes without the comment
// lines of a text; of a .gwt, a file whose blocks are the frames of the walks alone.
Walks without_knowing(const std::string &bytes) {
    if (bytes[0] == '#') {
        std::string text = bytes.substr(0, bytes.find('\n') + 1);
        for (size_t at = text.size(); at < bytes.size(); at = bytes.find('\n', at) + 1) {
            text += bytes[at] == '#' ? "" : bytes.substr(at, bytes.find('\n', at) + 1 - at);
        }
        return read_bytes(text).walks;
    }
    auto number = [&](size_t at) {
        uint64_t v = 0;
        for (unsigned i = 0; i < 4; i++) {
            v |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
        }
        return v;
    };
    Walks all;
    for (size_t at = 48; bytes.compare(at, 4, "GWTB") == 0; at += 24 + number(at + 12)) {
        std::string raw(number(at + 8), '\0');
        EXPECT_EQ(ZSTD_decompress(raw.data(), raw.size(), &bytes[at + 24], number(at + 12)),
                  raw.size());
        const Walks some = read_bytes(gwt_file(raw, static_cast<uint32_t>(number(at + 4)))).walks;
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

TEST(Hints, RoundTripOfRandomHints) {
    RandomTrace random(test_seed() + 20);
    uint64_t vectors = 0;
    for (size_t count : {1, 2, 8191, 8192, 8193, 20001}) {
        for (uint64_t rare : {2, 5000}) {
            const Walks walks = random_walks(&random, count);
            const Hints hints = random_hints(&random, count, rare);
            for (gmmu_form form : {GMMU_FORM_TEXT, GMMU_FORM_GWT}) {
                const std::string bytes = written(walks, hints, form);
                for (size_t batch : {0, 7, 100000}) {
                    const Taken got = take(bytes, batch);
                    ASSERT_EQ(got.error, "");
                    expect_equal(got.walks, walks);
                    expect_equal(got.hints, hints);
                }
                expect_equal(take(gzipped(bytes), 1024).hints, hints);
                expect_equal(without_knowing(bytes), walks);
                EXPECT_EQ(read_bytes(bytes).digest, read_bytes(written(walks, form)).digest);
            }
            vectors += hints.size();
        }
    }
    std::printf("[ vectors  ] round trip: %llu hints\n", static_cast<unsigned long long>(vectors));
}

TEST(Hints, TextAsItIsWritten) {
    const Walks walks = {{.vpn = 1, .ref = 2}, {.vpn = 3, .ref = 4, .write = true}};
    const Hints hints = {alloc(0, 0, UINT64_MAX, 0),
                         alloc(0, UINT64_MAX, 1, UINT64_MAX, UINT32_MAX),
                         launch(0, 0),
                         launch(1, UINT64_MAX),
                         release(2, 1, UINT64_MAX),
                         release(2, 16, 3, 9)};
    const std::string text =
        "# gmmu-walk 1 page_shift=12\n#!hints 1\n#!alloc,0x0,18446744073709551615,0\n"
        "#!alloc,0xffffffffffffffff,1,18446744073709551615,4294967295\n#!launch,0\n0x1,0x2,r\n"
        "#!launch,18446744073709551615\n0x3,0x4,w\n#!free,0x1,18446744073709551615\n"
        "#!free,0x10,3,9\n";
    EXPECT_EQ(written(walks, hints, GMMU_FORM_TEXT), text);
    expect_equal(take(text, 0).hints, hints);
    expect_equal(take(written(walks, hints, GMMU_FORM_GWT), 0).hints, hints);
    // in other spellings, and hints without walks
    std::string other = text;
    other.replace(other.find("#!free,0x10,3,9\n"), 16, "#!free,0016,0x3,0X9\r\n# c\n#!hints 1");
    expect_equal(take(other, 3).hints, hints);
    const Taken alone = take("# gmmu-walk 1 page_shift=12\n# c\n#!hints 1\n#!launch,5", 0);
    EXPECT_EQ(alone.error, "");
    expect_equal(alone.hints, {launch(0, 5)});
}

// What is a comment in an old file stays one, whatever it says.
TEST(Hints, CommentsOfOldFiles) {
    const std::string text =
        "# gmmu-walk 1 page_shift=12\n#!launch,x\n1,2,r\n#!free\n#!\n#! hints "
        "1\n#!hints\n#!nothing\n3,4,w\n";
    const Taken got = take(text, 0);
    EXPECT_EQ(got.error, "");
    EXPECT_EQ(got.walks.size(), 2U);
    EXPECT_EQ(got.hints.size(), 0U);
    Memory m(text);
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(m.path.c_str(), &err);
    ASSERT_NE(r, nullptr);
    EXPECT_STREQ(gmmu_reader_about(r)->comment, "!launch,x");
    gmmu_reader_close(r);
    // hints are no comment
    Memory hinted("# gmmu-walk 1 page_shift=12\n# c\n#!hints 1\n#!launch,1\n# d\n1,2,r\n");
    r = gmmu_reader_open(hinted.path.c_str(), &err);
    ASSERT_NE(r, nullptr);
    EXPECT_STREQ(gmmu_reader_about(r)->comment, "c");
    gmmu_reader_close(r);
    // other frames behind that of the walks mean nothing
    const std::string frames =
        u32(0x184D2A50) + u32(3) + "abc" + u32(0x184D2A5A) + u32(4) + "GWH" + std::string("\2", 1);
    const Taken skipped = take(gwt_file(kThree, 3, frames), 0);
    EXPECT_EQ(skipped.error, "");
    EXPECT_EQ(skipped.walks.size(), 3U);
    EXPECT_EQ(skipped.hints.size(), 0U);
}

TEST(Hints, MessagesOfDamagedText) {
    const std::string head = "# gmmu-walk 1 page_shift=12\n#!hints 1\n";
    const std::string at = "3: found ";
    const Errors cases = {
        {head + "#!lunch,1\n", at + "\"#!lunch\", expected #!launch, #!alloc or #!free"},
        {head + "#! launch,1\n", at + "\"#! launch\", expected #!launch"},
        {head + "#!\n", at + "\"#!\", expected #!launch"},
        {head + "#!launch\n", at + "the end of the line, expected a comma and id"},
        {head + "#!launched,1\n", at},
        {head + "#!launch,\n", at + "the end of the line, expected id, a number below 2^64"},
        {head + "#!launch,-1\n", at + "\"-1\", expected id, a number below 2^64"},
        {head + "#!launch,18446744073709551616\n", at + "\"18446744073709551616\", expected id"},
        {head + "#!launch,1,2\n", at + "\"2\", expected the end of the hint"},
        {head + "#!launch,1 1\n", at + "\"1 1\", expected id"},
        {head + "#!alloc\n", at + "the end of the line, expected a comma and first"},
        {head + "#!alloc,x,1,1\n", at + "\"x\", expected first, a number below 2^64"},
        {head + "#!alloc,1\n", at + "the end of the line, expected a comma and pages"},
        {head + "#!alloc,1,0,1\n", at + "\"0\", expected pages, at least 1"},
        {head + "#!alloc,1,18446744073709551615\n",
         at + "the end of the line, expected a comma and id"},
        {head + "#!alloc,2,18446744073709551615,1\n",
         at + "\"18446744073709551615\", expected pages, no more than there are"},
        {head + "#!alloc,1,1\n", at + "the end of the line, expected a comma and id"},
        {head + "#!alloc,1,1,1,4294967296\n", at + "\"4294967296\", expected asid"},
        {head + "#!alloc,1,1,1,1,1\n", at + "\"1\", expected the end of the hint"},
        {head + "#!free,1,1,x\n", at + "\"x\", expected asid, a number below 2^32"},
        {head + "#!free,1,1,0,5\n", at + "\"5\", expected the end of the hint"},
        {head + "#!launch,1" + std::string(5000, '1') + "\n",
         at + "a line of more than 4096 bytes"},
        {head + "#!launch," + std::string(4096, '0') + "\n", at + "a line of more than 4096 bytes"},
        {head + "#!hints 2\n", at + "\"2\", expected version 1 of hints"},
        {"# gmmu-walk 1 page_shift=12\n#!hints 10\n",
         "2: found \"10\", expected version 1 of hints"},
        {"# gmmu-walk 1 page_shift=12\n#!hints \n",
         "2: found the end of the line, expected version 1 of hints"},
    };
    expect_errors(cases, GMMU_FORM_TEXT);
    const std::string most = std::string("#!launch,") + std::string(4087, '0') + "\n1,2,r\n";
    EXPECT_EQ(read_bytes(head + most).error, "");
}

TEST(Hints, MessagesOfDamagedBlocks) {
    auto file = [](const std::string &hints, int64_t size = -1) {
        const std::string body = std::string("GWH\1", 4) + hints;
        return gwt_file(
            kThree, 3,
            u32(0x184D2A5A) + u32(size < 0 ? body.size() : static_cast<size_t>(size)) + body);
    };
    auto bytes = [](std::initializer_list<int> list) {
        std::string s;
        for (int b : list) {
            s += static_cast<char>(b);
        }
        return s;
    };
    const std::string wide = std::string(9, '\xff') + "\1";
    const Taken good = take(file(bytes({3, 0, 0, 9, 1, 3, 4, 5, 6, 7, 2, 0, 0, 1, 1})), 0);
    EXPECT_EQ(good.error, "");
    expect_equal(good.hints, {launch(0, 9), alloc(3, 5, 6, 7, 4), release(3, 1, 1)});
    const std::string at = "block 0 at byte 48: found a bad ";
    const Errors cases = {
        {file(""), at + "number behind 0 hints, expected hints among 3 walks"},
        {file(bytes({0})), at + "number"},
        {file("\x80"), at + "number"},
        {file(bytes({0x81, 0x80, 2})), at + "number"},  // 2^15 + 1
        {file(bytes({1})), at + "kind behind 0 hints"},
        {file(bytes({1, 3, 0, 1})), at + "kind behind 0 hints"},
        {file(bytes({2, 0, 0, 9})), at + "kind behind 1 hints"},
        {file(bytes({1, 0})), at + "walk"},
        {file(bytes({1, 0, 4, 9})), at + "walk"},
        {file(bytes({2, 0, 2, 9, 0, 2, 9})), at + "walk behind 1 hints"},
        {file(bytes({1, 0}) + wide + "\1"), at + "walk"},
        {file(bytes({1, 0, 0})), at + "id"},
        {file(bytes({1, 0, 0}) + std::string(9, '\xff') + "\2"), at + "id"},
        {file(bytes({1, 1, 0})), at + "asid"},
        {file(bytes({1, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x10, 1, 1, 1})), at + "asid"},
        {file(bytes({1, 1, 0, 0, 1})), at + "range"},
        {file(bytes({1, 1, 0, 0, 1, 0, 1})), at + "range"},
        {file(bytes({1, 2, 0, 0, 2}) + wide), at + "range"},
        {file(bytes({1, 1, 0, 0, 1, 1})), at + "id"},
        {file(bytes({1, 0, 0, 9, 0})), at + "end behind 1 hints"},
        {file(bytes({1, 0, 0, 9}), 9), "block 0 at byte 48: found a zstd frame with "},
        {gwt_file(
             kThree, 3,
             u32(0x184D2A5A) + u32(8) + std::string("GWH\1\1\0\0\1", 8) + u32(0x184D2A50) + u32(0)),
         at + "size"},
    };
    expect_errors(cases, GMMU_FORM_AUTO);
}

TEST(Hints, WriterRefuses) {
    gmmu_error err = {};
    gmmu_about about = {};
    about.page_shift = 12;
    const gmmu_walk walk = {.vpn = 1, .ref = 2};
    for (gmmu_form form : {GMMU_FORM_TEXT, GMMU_FORM_GWT}) {
        Memory m;
        gmmu_writer *w = gmmu_writer_open_as(m.path.c_str(), form, &about, &err);
        ASSERT_NE(w, nullptr);
        for (const gmmu_hint &bad :
             {alloc(0, 1, 0, 1), alloc(0, 2, UINT64_MAX, 1), release(0, UINT64_MAX, 2),
              gmmu_hint{.kind = GMMU_HINT_KINDS}}) {
            EXPECT_EQ(gmmu_writer_hint(w, &bad, &err), GMMU_BAD);
            EXPECT_NE(std::string(err.text).find("found another hint, expected "),
                      std::string::npos);
        }
        // as many as there may be, twice
        const gmmu_hint largest = alloc(0, UINT64_MAX, 1, UINT64_MAX, UINT32_MAX);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < GMMU_HINTS; i++) {
                ASSERT_EQ(gmmu_writer_hint(w, &largest, &err), GMMU_OK) << i;
            }
            EXPECT_EQ(gmmu_writer_hint(w, &largest, &err), GMMU_BAD);
            EXPECT_NE(std::string(err.text).find("found more than 32768 hints, expected a walk"),
                      std::string::npos);
            ASSERT_EQ(gmmu_writer_put(w, &walk, &err), GMMU_OK);
        }
        ASSERT_EQ(gmmu_writer_close(w, &err), GMMU_OK) << err.text;
        for (size_t batch : {0, 5}) {
            const Taken got = take(m.bytes(), batch);
            EXPECT_EQ(got.error, "");
            EXPECT_EQ(got.walks.size(), 2U);
            ASSERT_EQ(got.hints.size(), size_t{2 * GMMU_HINTS});
            EXPECT_EQ(got.hints[GMMU_HINTS - 1].walk, 0U);
            EXPECT_EQ(got.hints[GMMU_HINTS].walk, 1U);
        }
    }
    std::string many = "# gmmu-walk 1 page_shift=12\n#!hints 1\n";
    for (int i = 0; i <= GMMU_HINTS; i++) {
        many += "#!launch,1\n";
    }
    EXPECT_EQ(read_bytes(many).error,
              "32771: found \"#!launch,1\", expected a walk behind so many hints");
    Memory m;
    gmmu_writer *w = gmmu_writer_open_as(m.path.c_str(), GMMU_FORM_GWT, &about, &err);
    ASSERT_NE(w, nullptr);
    const gmmu_hint first = launch(0, 1);
    ASSERT_EQ(gmmu_writer_hint(w, &first, &err), GMMU_OK);
    EXPECT_EQ(gmmu_writer_close(w, &err), GMMU_BAD);
    EXPECT_NE(std::string(err.text).find("found hints and no walk"), std::string::npos) << err.text;
}

// From anywhere: the hints of the walks that are still to come, and no others.
TEST(Hints, Seek) {
    RandomTrace random(test_seed() + 21);
    const Walks walks = random_walks(&random, 30001);
    const Hints hints = random_hints(&random, walks.size(), 2);
    for (gmmu_form form : {GMMU_FORM_TEXT, GMMU_FORM_GWT}) {
        const std::string bytes = written(walks, hints, form);
        for (uint64_t from : {1, 8191, 8192, 8193, 30000, 30001}) {
            const Taken got = take(bytes, from % 2 == 0 ? 0 : 100, from);
            Hints rest;
            for (const gmmu_hint &h : hints) {
                if (h.walk >= from && (from < walks.size() || form == GMMU_FORM_TEXT)) {
                    rest.push_back(h);
                }
            }
            expect_equal(got.hints, rest);
        }
    }
}

// A bad hint is one lost line, or one lost block.
TEST(Hints, KeepGoing) {
    const Read text =
        read_bytes("# gmmu-walk 1 page_shift=12\n#!hints 1\n#!launch,1\n1,2,r\n#!launch\n3,4,w\n",
                   GMMU_FORM_AUTO, true);
    EXPECT_EQ(text.walks.size(), 2U);
    EXPECT_EQ(text.loss.lines, 1U);
    const Read block =
        read_bytes(gwt_file(kThree, 3, u32(0x184D2A5A) + u32(5) + std::string("GWH\1\0", 5)),
                   GMMU_FORM_AUTO, true);
    EXPECT_EQ(block.walks.size(), 0U);
    EXPECT_EQ(block.loss.walks, 3U);
    EXPECT_EQ(block.errors, 1U);
}

}  // namespace
