// SPDX-License-Identifier: Apache-2.0
// mappings.cpp: what is mapped where, asked of Linux 6.11 and later, and read from /proc/self/maps
// as before: both say the same of every mapping, also of one whose line is longer than what is read
// at once.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "shortage.h"

extern "C" {
#include "semcache/track_os.h"
}

namespace {

const uint64_t kPage = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));

std::string shown(const std::optional<gmmu_os_mapping> &m) {
    char text[64] = "none";
    if (m)
        std::snprintf(text, sizeof text, "%llx-%llx %c%c%c%c",
                      static_cast<unsigned long long>(m->start),
                      static_cast<unsigned long long>(m->end), m->readable ? 'r' : '-',
                      m->writable ? 'w' : '-', m->executable ? 'x' : '-', m->shared ? 's' : 'p');
    return text;
}

std::string asked(uint64_t at) {
    gmmu_os_mapping m = {};
    const bool found = gmmu_os_mapping_at(at, &m);
    return shown(found ? std::optional(m) : std::nullopt);
}

// The lines of /proc/self/maps as they are shown here, by their addresses.
std::vector<std::string> lines() {
    std::ifstream maps("/proc/self/maps");
    std::vector<std::string> all;
    for (std::string line; std::getline(maps, line);)
        all.push_back(line.substr(0, line.find(' ') + 5));
    return all;
}

uint64_t start_of(const std::string &line) {
    return std::strtoull(line.c_str(), nullptr, 16);
}

class Mappings : public testing::Test {
   protected:
    std::string folder_ = testing::TempDir() + "mappings." + std::to_string(getpid());
    uint8_t *at_ = nullptr;

    // Eight pages: r, none, rw shared, a file with a long path, a hole, rwx.
    void SetUp() override {
        at_ = static_cast<uint8_t *>(
            mmap(nullptr, 8 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ASSERT_NE(at_, MAP_FAILED);
        ASSERT_EQ(mprotect(at_, kPage, PROT_READ), 0);
        ASSERT_NE(mmap(at_ + 2 * kPage, kPage, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                  MAP_FAILED);
        const int file = long_path();
        ASSERT_GE(file, 0);
        ASSERT_NE(mmap(at_ + 4 * kPage, kPage, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0),
                  MAP_FAILED);
        ASSERT_EQ(close(file), 0);
        ASSERT_EQ(munmap(at_ + 5 * kPage, kPage), 0);
        ASSERT_EQ(mprotect(at_ + 6 * kPage, kPage, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    }
    void TearDown() override {
        shortage::old_kernel = false;
        ASSERT_EQ(munmap(at_, 8 * kPage), 0);
        std::filesystem::remove_all(folder_);
    }
    // A path of 4095 bytes and the line's other 73 are more than 4096.
    int long_path() const {
        const std::string name(200, 'n');
        if (mkdir(folder_.c_str(), 0700) != 0)
            return -1;
        int in = open(folder_.c_str(), O_PATH);
        for (size_t length = folder_.size(); in >= 0 && length + 220 < 4090; length += 201) {
            const int outer = in;
            in = mkdirat(outer, name.c_str(), 0700) == 0 ? openat(outer, name.c_str(), O_PATH) : -1;
            (void)close(outer);
        }
        const int file = openat(in, std::string(150, 'f').c_str(), O_RDWR | O_CREAT, 0600);
        (void)close(in);
        return file >= 0 && ftruncate(file, static_cast<off_t>(kPage)) == 0 ? file : -1;
    }
    void expect_ours() const {
        const uint64_t at = reinterpret_cast<uintptr_t>(at_);
        const char *const rights[] = {"r--p", "---p", "rw-s", "---p", "r--p", nullptr, "rwxp"};
        for (uint64_t i = 0; i < 7; i++) {
            const std::string is = asked(at + i * kPage + 5);
            if (rights[i] == nullptr)
                EXPECT_EQ(is, "none");
            else
                EXPECT_EQ(is.substr(is.find(' ') + 1), rights[i]) << i;
        }
        EXPECT_TRUE(gmmu_os_readable(at, at + kPage));
        EXPECT_FALSE(gmmu_os_readable(at, at + kPage + 1));
        EXPECT_FALSE(gmmu_os_readable(at + 5 * kPage, at + 6 * kPage));
        EXPECT_TRUE(gmmu_os_readable(at + 6 * kPage, at + 7 * kPage));
    }
    static void expect_all() {
        for (const std::string &line : lines()) {
            const uint64_t start = start_of(line), end = start_of(line.substr(line.find('-') + 1));
            if (line.find("vsyscall") != std::string::npos || start >> 63 != 0)
                continue;
            // what is asked may map more: a line that is gone has another in its place
            std::string is = asked(start);
            EXPECT_EQ(is.substr(0, is.find('-')), line.substr(0, line.find('-')));
            is = asked(end - 1);
            EXPECT_EQ(is.substr(is.find(' ')), line.substr(line.find(' ')));
        }
    }
};

TEST_F(Mappings, AskedOfTheKernel) {
    expect_ours();
    expect_all();
}

TEST_F(Mappings, ReadLineByLine) {
    shortage::old_kernel = true;
    expect_ours();
    expect_all();
    EXPECT_EQ(asked(8), "none");
    EXPECT_EQ(asked(UINT64_MAX / 2), "none");
}

// A program may close what is not its own, or have another file there.
TEST_F(Mappings, AfterTheProgramClosedAllDescriptors) {
    expect_ours();
    const int other = open("/dev/null", O_RDONLY);
    for (int fd = 200; fd < 260; fd++) (void)(fd % 2 ? close(fd) : dup2(other, fd));
    expect_ours();
    for (int fd = 200; fd < 260; fd++) (void)close(fd);
    expect_ours();
    gmmu_os_forked();
    expect_ours();
    (void)close(other);
}

}  // namespace
