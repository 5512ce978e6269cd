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

}  // namespace
