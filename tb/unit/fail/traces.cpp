// SPDX-License-Identifier: Apache-2.0
// traces.cpp: files of traces: reads that fail anywhere, disks that are full, and sizes at which
// tables grow.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "fail.h"
#include "gmmu/trace.h"
#include "random_trace.h"

namespace {

// Every call on files fails in turn, in the middle of large blocks and on the way to a walk.
TEST_F(Fail, FilesOfTheReader) {
    RandomTrace random(3);
    gmmu_error err = {};
    const std::string path = folder + "random.gwt";
    made.insert("random.gwt");
    gmmu_writer *to = gmmu_writer_open(path.c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    for (unsigned i = 0; i < 200000; i++) {
        gmmu_walk w = {};
        w.vpn = random.below(UINT64_MAX);
        w.ref = random.below(UINT64_MAX);
        w.time = random.below(UINT64_MAX);
        w.sm = static_cast<uint32_t>(
            random.below(UINT32_MAX));  // so that blocks are longer than the writer's buffer
        w.asid = static_cast<uint32_t>(random.below(UINT32_MAX));
        ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
    for (const uint64_t target : {0, 70000, 140000, 250000}) {
        for (long n = 1;; n++) {
            Plan p;
            p.group = FILES;
            p.at = n;
            arm(p);
            err.text[0] = '\0';
            gmmu_walk w = {};
            gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
            int status = r == nullptr ? GMMU_BAD : gmmu_reader_seek(r, target, &err);
            for (unsigned i = 0; status == GMMU_OK && i < 150000; i++)
                status = gmmu_reader_next(r, &w, &err);
            const bool before = shared->fired;
            gmmu_reader_close(r);  // whose failure is of no concern
            plan = Plan();
            EXPECT_EQ(status == GMMU_BAD, before) << "call " << n;
            EXPECT_EQ(err.text[0] != '\0', before) << "call " << n;
            if (!shared->fired)
                break;
        }
    }
}

// Where the buffer ends within a short file, reading fails: the comment decides where that is.
TEST_F(Fail, ReaderAtEveryBoundary) {
    gmmu_error err = {};
    // the first refill ends behind 5000 bytes
    for (size_t length = 4790; length < 5300; length += length < 5000 ? 3 : 50) {
        const std::string comment(length, 'c');
        gmmu_about about = {};
        about.page_shift = 12;
        about.comment = comment.c_str();
        gmmu_writer *to = gmmu_writer_open_as(written.c_str(), GMMU_FORM_GWT, &about, &err);
        ASSERT_NE(to, nullptr) << err.text;
        gmmu_walk w = {};
        EXPECT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
        EXPECT_EQ(gmmu_writer_close(to, &err), GMMU_OK);
        for (long n = 1; n < 99; n++) {
            Plan p;
            p.small = true;
            p.group = FILES;
            p.at = n;
            arm(p);
            gmmu_reader *r = gmmu_reader_open(written.c_str(), &err);
            int status = r == nullptr ? GMMU_BAD : GMMU_OK;
            while (status == GMMU_OK) status = gmmu_reader_next(r, &w, &err);
            const bool before = shared->fired;
            gmmu_reader_close(r);
            plan = Plan();
            EXPECT_EQ(status, before ? GMMU_BAD : GMMU_END) << "call " << n << ", " << length;
            if (!before)
                break;
        }
    }
}

// A disk that is full just before the end record, the index, the trailer: the comment decides where
// the buffer is.
TEST_F(Fail, FullAtTheEnd) {
    gmmu_error err = {};
    for (int gap = -8; gap < 96; gap += 4) {
        std::string comment(200000, 'c');
        for (int round = 0; round < 2; round++) {
            const std::string path = round == 0 ? written : "/dev/full";
            gmmu_about about = {};
            about.page_shift = 12;
            about.comment = comment.c_str();
            gmmu_writer *to = gmmu_writer_open_as(path.c_str(), GMMU_FORM_GWT, &about, &err);
            ASSERT_NE(to, nullptr) << err.text;
            gmmu_walk w = {};
            EXPECT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
            EXPECT_EQ(gmmu_writer_close(to, &err), round == 0 ? GMMU_OK : GMMU_BAD);
            // the file is to end GAP bytes behind the first buffer
            comment.resize(
                comment.size() + (1 << 18) + static_cast<size_t>(gap) - contents(written).size(),
                'c');
        }
        EXPECT_EQ(std::string(err.text),
                  "/dev/full: No space left on device, expected a file to write to");
    }
    // behind an error nothing is written any more
    for (const gmmu_form form : {GMMU_FORM_TEXT, GMMU_FORM_GWT}) {
        gmmu_about about = {};
        about.page_shift = 12;
        gmmu_writer *to = gmmu_writer_open_as("/dev/full", form, &about, &err);
        RandomTrace random(5);
        int status = GMMU_OK;
        for (unsigned i = 0; i < 200000; i++) {
            gmmu_walk w = {};
            w.vpn = random.below(UINT64_MAX);
            w.ref = random.below(UINT64_MAX);
            status |= gmmu_writer_put(to, &w, &err);
        }
        EXPECT_EQ(status, GMMU_BAD);
        EXPECT_EQ(gmmu_writer_close(to, &err), GMMU_BAD);
        EXPECT_EQ(std::string(err.text),
                  "/dev/full: an earlier write failed, expected a file to write to");
    }
}

// More blocks than the first index has room for, more pages than are counted, and the same page
// number in many address spaces.
TEST_F(Fail, LargeGwt) {
    gmmu_error err = {};
    const std::string path = folder + "large.gwt";
    made.insert("large.gwt");
    gmmu_writer *to = gmmu_writer_open(path.c_str(), 12, nullptr, &err);
    ASSERT_NE(to, nullptr) << err.text;
    const uint64_t walks = 66 * 65536;
    for (uint64_t i = 0; i < walks; i++) {
        gmmu_walk w = {};
        w.vpn = i / 7;
        w.asid = static_cast<uint32_t>(i % 7);
        ASSERT_EQ(gmmu_writer_put(to, &w, &err), GMMU_OK);
    }
    ASSERT_EQ(gmmu_writer_close(to, &err), GMMU_OK) << err.text;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    ASSERT_NE(r, nullptr) << err.text;
    EXPECT_EQ(gmmu_reader_about(r)->walks, walks);
    EXPECT_EQ(gmmu_reader_about(r)->pages, GMMU_UNKNOWN);
    gmmu_walk w = {};
    for (const uint64_t at : {walks - 1, uint64_t{0}, uint64_t{64 * 65536 + 5}}) {
        ASSERT_EQ(gmmu_reader_seek(r, at, &err), GMMU_OK) << err.text;
        ASSERT_EQ(gmmu_reader_next(r, &w, &err), GMMU_OK) << err.text;
        EXPECT_EQ(w.vpn, at / 7);
        EXPECT_EQ(w.asid, at % 7);
    }
    gmmu_reader_close(r);
}

}  // namespace
