// SPDX-License-Identifier: Apache-2.0
// trace.cpp: see trace.h.
#include "trace.h"

#include <cstdlib>

Trace::Trace(const std::string &file, uint64_t most, uint64_t bytes)
    : path(file), most_(most), bytes_(bytes) {
    open();
}

Trace::~Trace() {
    gmmu_reader_close(reader_);
}

void Trace::open() {
    gmmu_error err = {};
    reader_ = gmmu_reader_open(path.c_str(), &err);
    if (reader_ == nullptr)
        bad(err.text);
    const unsigned shift = bytes_ == 0 ? 0 : static_cast<unsigned>(__builtin_ctzll(bytes_));
    if (shift != 0 && gmmu_reader_coarsen(reader_, shift, &err) != GMMU_OK) {
        gmmu_reader_close(reader_);
        bad(err.text);
    }
    page_bytes_ = 1ull << gmmu_reader_page_shift(reader_);
}

bool Trace::read() {
    gmmu_error err = {};
    at_ = count_ = 0;
    while (count_ == 0) {
        size_t n = BATCH;
        if (most_ != 0 && most_ - given_ < n)
            n = most_ - given_;
        if (end_ || n == 0)
            return false;
        const int status = gmmu_reader_batch(reader_, own_, &walks_, &n, &err);
        if (status == GMMU_BAD)
            bad(err.text);
        end_ = status == GMMU_END;
        count_ = n;
    }
    return true;
}

uint32_t Trace::look_ahead(gmmu_pages *pages, bool keep, gmmu_future *future, unsigned coarser) {
    if (path == "-")
        bad("-: found standard input, expected a file, which can be read twice, or --frames in "
            "pages or with --distinct, and a policy that does not know the future");
    uint64_t room = 0;
    for (gmmu_walk w; next(&w);) {
        const uint32_t page = gmmu_pages_index(pages, w.asid, w.vpn >> coarser);
        if (page == GMMU_NO_PAGE)
            bad("out of memory: the page map");
        if (!keep)
            continue;
        if (future->count == room) {
            const uint64_t more = room * 2 + BATCH;
            future->pages = static_cast<uint32_t *>(
                gmmu_grow(future->pages, room, more, sizeof *future->pages, 0));
            future->writes = static_cast<uint8_t *>(
                gmmu_grow(future->writes, room, more, sizeof *future->writes, 0));
            room = more;
            if (future->pages == nullptr || future->writes == nullptr)
                bad("out of memory: the future of the trace");
        }
        future->pages[future->count] = page;
        future->writes[future->count++] = w.write;
    }
    if (keep && gmmu_future_build(future, gmmu_pages_count(pages)) != GMMU_OK)
        bad("out of memory: the future of the trace");
    gmmu_reader_close(reader_);
    given_ = 0;
    at_ = count_ = 0;
    end_ = false;
    open();
    return gmmu_pages_count(pages);
}
