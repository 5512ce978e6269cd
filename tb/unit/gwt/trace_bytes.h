// SPDX-License-Identifier: Apache-2.0
// trace_bytes.h: traces as bytes in memory, written and read back.
#ifndef GMMU_TB_GWT_TRACE_BYTES_H
#define GMMU_TB_GWT_TRACE_BYTES_H

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "gmmu/trace.h"
#include "random_trace.h"

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
inline Read drain(gmmu_reader *r, bool keep_going = false, size_t most = SIZE_MAX) {
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

inline Read read_file(const std::string &path, gmmu_form form = GMMU_FORM_AUTO,
                      bool keep_going = false, unsigned shift = 12, uint64_t iterations = 0) {
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

inline Read read_bytes(const std::string &bytes, gmmu_form form = GMMU_FORM_AUTO,
                       bool keep_going = false, unsigned shift = 12, uint64_t iterations = 0) {
    Memory m(bytes);
    Read all = read_file(m.path, form, keep_going, shift, iterations);
    if (all.error.rfind(m.path, 0) == 0) {
        all.error = all.error.substr(m.path.size() + 1);
        all.error.erase(0, all.error[0] == ' ' ? 1 : 0);
    }
    return all;
}

inline std::string written(const Walks &walks, gmmu_form form, gmmu_about about = {}) {
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

inline bool equal(const gmmu_walk &a, const gmmu_walk &b) {
    return a.vpn == b.vpn && a.ref == b.ref && a.time == b.time && a.asid == b.asid &&
           a.sm == b.sm && a.write == b.write;
}

inline void expect_equal(const Walks &a, const Walks &b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); i++) {
        ASSERT_TRUE(equal(a[i], b[i])) << "walk " << i;
    }
}

// Walks with numbers of all lengths and both ends of every field.
inline Walks random_walks(RandomTrace *random, size_t count) {
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

inline std::string gzipped(const std::string &bytes) {
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

using Errors = std::vector<std::pair<std::string, std::string>>;  // bytes, how their error starts

// Each of them is refused once, and how.
inline void expect_errors(const Errors &cases, gmmu_form form) {
    for (const auto &c : cases) {
        const Read bad = read_bytes(c.first, form);
        EXPECT_EQ(bad.error.rfind(c.second, 0), 0U) << bad.error << "\nexpected " << c.second;
        EXPECT_EQ(bad.errors, 1U) << bad.error;
    }
}

#endif
