// SPDX-License-Identifier: Apache-2.0
// hint_bytes.h: hints, and what a reader hands out of them.
#ifndef GMMU_TB_GWT_HINT_BYTES_H
#define GMMU_TB_GWT_HINT_BYTES_H

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "trace_bytes.h"

using Hints = std::vector<gmmu_hint>;

inline bool equal(const gmmu_hint &a, const gmmu_hint &b) {
    return a.walk == b.walk && a.kind == b.kind && a.id == b.id && a.first == b.first &&
           a.pages == b.pages && a.asid == b.asid;
}

inline void expect_equal(const Hints &a, const Hints &b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); i++) {
        ASSERT_TRUE(equal(a[i], b[i])) << "hint " << i << " before walk " << b[i].walk;
    }
}

inline gmmu_hint launch(uint64_t walk, uint64_t id) {
    return {.walk = walk, .id = id, .kind = GMMU_HINT_LAUNCH};
}

inline gmmu_hint alloc(uint64_t walk, uint64_t first, uint64_t pages, uint64_t id,
                       uint32_t asid = 0) {
    return {.walk = walk,
            .id = id,
            .first = first,
            .pages = pages,
            .asid = asid,
            .kind = GMMU_HINT_ALLOC};
}

inline gmmu_hint release(uint64_t walk, uint64_t first, uint64_t pages, uint32_t asid = 0) {
    return {.walk = walk, .first = first, .pages = pages, .asid = asid, .kind = GMMU_HINT_FREE};
}

struct Taken {
    Walks walks;
    Hints hints;
    std::string error;
};

// Reads by gmmu_reader_next, or by batches of BATCH walks at most; each hint is handed out with the
// call that hands out its walk.
inline Taken take(const std::string &bytes, size_t batch, uint64_t from = 0,
                  gmmu_form form = GMMU_FORM_AUTO, uint64_t iterations = 0) {
    Memory m(bytes);
    Taken all;
    gmmu_error err = {};
    const gmmu_import_settings settings = {0, iterations};
    gmmu_reader *r = gmmu_reader_open_import(m.path.c_str(), form, &settings, &err);
    EXPECT_NE(r, nullptr) << err.text;
    Walks own(batch + 1);
    int status = from == 0 ? GMMU_OK : gmmu_reader_seek(r, from, &err);
    while (status == GMMU_OK) {
        const size_t before = from + all.walks.size();
        const gmmu_walk *walks = own.data();
        size_t count = batch;
        if (batch == 0) {
            status = gmmu_reader_next(r, own.data(), &err);
            count = status == GMMU_OK ? 1 : 0;
        } else {
            status = gmmu_reader_batch(r, own.data(), &walks, &count, &err);
        }
        all.walks.insert(all.walks.end(), walks, walks + count);
        size_t hints = 0;
        const gmmu_hint *h = gmmu_reader_hints(r, &hints);
        for (size_t i = 0; i < hints; i++) {
            EXPECT_GE(h[i].walk, before);
            EXPECT_TRUE(h[i].walk < from + all.walks.size() || status == GMMU_END);
            all.hints.push_back(h[i]);
        }
    }
    if (status == GMMU_BAD) {
        all.error = err.text;
        all.error.erase(0, m.path.size() + 1);
        all.error.erase(0, all.error[0] == ' ' ? 1 : 0);
    }
    // and none twice
    size_t hints = 1;
    if (status == GMMU_END) {
        EXPECT_EQ(gmmu_reader_next(r, own.data(), &err), GMMU_END);
        (void)gmmu_reader_hints(r, &hints);
        EXPECT_EQ(hints, 0U);
    }
    gmmu_reader_close(r);
    return all;
}

#endif
