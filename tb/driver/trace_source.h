// SPDX-License-Identifier: Apache-2.0
// trace_source.h: a recorded trace as the accesses of warps (walker.h). Each warp that is ready
// takes the next walk of the trace.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "blocks/crc32c.h"
#include "driver/walker.h"
#include "gmmu/trace.h"

namespace driver {

class TraceSource {
   public:
    // REF_W: bits of a reference inside the unit. MOST: walks of the trace, at most.
    TraceSource(const std::string &path, unsigned ref_w, uint64_t most = UINT64_MAX)
        : reader_(gmmu_reader_open(path.c_str(), &error_), gmmu_reader_close),
          ref_w_(ref_w),
          left_(most) {}

    // Empty: all is well so far.
    std::string error() const {
        return reader_ == nullptr || bad_ ? std::string(error_.text) : std::string();
    }
    // False: the trace is over, or bad.
    bool next(Access *a) {
        gmmu_walk walk;
        if (reader_ == nullptr || bad_ || left_ == 0)
            return false;
        const int got = gmmu_reader_next(reader_.get(), &walk, &error_);
        bad_ = got == GMMU_BAD;
        if (got != GMMU_OK)
            return false;
        left_--;
        a->page = Page(walk.asid, walk.vpn);
        a->ref = gmmu_fold_ref(walk.ref, ref_w_);
        a->write = walk.write;
        return true;
    }
    // The rest of the trace: its walks, and its distinct pages.
    std::pair<uint64_t, uint64_t> count() {
        std::set<Page> pages;
        uint64_t walks = 0;
        for (Access a; next(&a); walks++) pages.insert(a.page);
        return {walks, pages.size()};
    }

   private:
    gmmu_error error_ = {};
    std::unique_ptr<gmmu_reader, void (*)(gmmu_reader *)> reader_;
    const unsigned ref_w_;
    uint64_t left_;
    bool bad_ = false;
};

}  // namespace driver
