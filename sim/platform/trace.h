// SPDX-License-Identifier: Apache-2.0
// trace.h: the walks that the GPU plays, read as they are needed.
#pragma once
#include <cstdint>
#include <string>

#include "gmmu/trace.h"
#include "page_table.h"
#include "policy/future.h"

class Trace {
   public:
    const std::string path;

    // At most MOST walks of FILE; 0: all. On pages of BYTES; 0: the trace's own.
    Trace(const std::string &file, uint64_t most, uint64_t bytes);
    Trace(const Trace &) = delete;
    Trace &operator=(const Trace &) = delete;
    ~Trace();
    bool next(gmmu_walk *walk) {
        if (at_ == count_ && !read())
            return false;
        *walk = walks_[at_++];
        given_++;
        return true;
    }
    // The next walk, if there is one; valid until more() is asked.
    const gmmu_walk &take() {
        given_++;
        return walks_[at_++];
    }
    // Is there another walk?
    bool more() { return at_ != count_ || read(); }
    uint64_t given() const { return given_; }
    uint64_t page_bytes() const { return page_bytes_; }
    // Reads it to its end and rewinds: the number of pages; if KEEP the future, too. A page has as
    // many of the trace's as 2^COARSER.
    uint32_t look_ahead(gmmu_pages *pages, bool keep, gmmu_future *future, unsigned coarser);

   private:
    enum { BATCH = 1024 };
    uint64_t most_, bytes_, given_ = 0, page_bytes_ = 0;
    gmmu_reader *reader_ = nullptr;
    gmmu_walk own_[BATCH];
    const gmmu_walk *walks_ = nullptr;
    size_t at_ = 0, count_ = 0;
    bool end_ = false;

    bool read();
    void open();
};
