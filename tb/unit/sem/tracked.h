// SPDX-License-Identifier: Apache-2.0
// tracked.h: a tracker of a program's accesses, and what it tells.
#ifndef TB_UNIT_SEM_TRACKED_H
#define TB_UNIT_SEM_TRACKED_H

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "semcache/track.h"

namespace tracked {

inline const uint64_t PAGE = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));

inline uint64_t address(const void *p) {
    return reinterpret_cast<uintptr_t>(p);
}

struct Setting {
    gmmu_sem_track mode;
    gmmu_track_backend backend;
};

inline std::string name_of(const Setting &s) {
    static const char *const names[] = {"auto", "uffd", "compare", "mprotect"};
    return std::string(s.mode == GMMU_SEM_FULL ? "full_" : "writes_") + names[s.backend];
}

class Tracked : public testing::TestWithParam<Setting> {
   protected:
    gmmu_track *t = nullptr;
    std::vector<gmmu_track_change> seen;

    void SetUp() override {
        gmmu_track_config c = {};
        c.mode = GetParam().mode;
        c.backend = GetParam().backend;
        gmmu_error err = {};
        t = gmmu_track_create(&c, &err);
        if (t == nullptr && c.backend == GMMU_TRACK_UFFD)
            GTEST_SKIP() << err.text;
        ASSERT_NE(t, nullptr) << err.text;
    }
    void TearDown() override { gmmu_track_destroy(t); }

    const std::vector<gmmu_track_change> &collect() {
        seen.clear();
        EXPECT_TRUE(gmmu_track_collect(
            t,
            [](void *c, const gmmu_track_change *change) {
                static_cast<std::vector<gmmu_track_change> *>(c)->push_back(*change);
            },
            &seen));
        return seen;
    }
    static unsigned char *map(uint64_t pages, void *at = nullptr) {
        void *p = mmap(at, pages * PAGE, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | (at != nullptr ? MAP_FIXED : 0), -1, 0);
        EXPECT_NE(p, MAP_FAILED);
        return static_cast<unsigned char *>(p);
    }
    void arm(const void *p, uint64_t bytes, bool writes = true) {
        EXPECT_TRUE(gmmu_track_arm(t, address(p), address(p) + bytes - 1, writes));
    }
    bool wrote(const void *p, uint64_t bytes = 1) const {
        for (const gmmu_track_change &c : seen)
            if (c.writes && c.start <= address(p) && address(p) + bytes - 1 <= c.last)
                return true;
        return false;
    }
    bool has_read(const void *p) const {
        for (const gmmu_track_change &c : seen)
            if (c.reads && c.start <= address(p) && address(p) <= c.last)
                return true;
        return false;
    }
    bool full() const { return GetParam().mode == GMMU_SEM_FULL; }
    bool mprotects() const { return GetParam().backend == GMMU_TRACK_MPROTECT; }
    // read(2) gets EFAULT from a page that is closed, unless it is opened first.
    void from_file(unsigned char *p, size_t n) {
        const int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
        gmmu_track_touch(t, address(p), address(p) + n - 1, true, 0);
        EXPECT_EQ(read(fd, p, n), static_cast<ssize_t>(n)) << std::strerror(errno);
        close(fd);
    }
};

}  // namespace tracked

#endif
