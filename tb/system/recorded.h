// SPDX-License-Identifier: Apache-2.0
// recorded.h: a recorded trace, walk by walk, and as a whole.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gmmu/trace.h"
#include "policy/policy.h"

class Reader {
   public:
    explicit Reader(const std::string &path);
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    ~Reader() { gmmu_reader_close(r); }
    bool next(gmmu_walk *w);

   private:
    gmmu_error err = {};
    gmmu_reader *r;
};

// Read once: its length, its pages, and what other policies make of it.
class Recorded {
   public:
    const std::string path;
    uint64_t walks = 0, distinct = 0;

    explicit Recorded(const std::string &file);
    Recorded(const Recorded &) = delete;
    Recorded &operator=(const Recorded &) = delete;
    ~Recorded();
    std::string name() const { return path.substr(path.rfind('/') + 1); }
    // "N" or "N%" of the pages as frames.
    uint32_t frames(const std::string &text) const;
    // Evictions of a policy with so many FRAMES.
    uint64_t evictions(const char *policy, uint32_t frames, const char *options = nullptr);

   private:
    gmmu_pages *pages;
    std::vector<uint32_t> index;
    gmmu_future future = {};
};
