// SPDX-License-Identifier: Apache-2.0
// round_trip.cpp: what is written is read again: walks, digests, texts, and from anywhere in the
// file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "random_trace.h"
#include "trace_bytes.h"

namespace {

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
    const gmmu_walk base = {.vpn = 1, .ref = 2, .time = 3, .asid = 4, .sm = 5};
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

}  // namespace
