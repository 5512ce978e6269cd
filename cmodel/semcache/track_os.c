// SPDX-License-Identifier: Apache-2.0
// track_os.c: see track_os.h. System calls are made by number where a drop-in may stand before the
// function of that name.
#define _GNU_SOURCE  // process_vm_readv
#include "semcache/track_os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// ---- the kernel's interface, as of Linux 6.11

struct uffd_range {
    uint64_t start, len;
};
struct uffd_api {
    uint64_t api, features, ioctls;
};
struct uffd_register {
    struct uffd_range range;
    uint64_t mode, ioctls;
};
struct uffd_writeprotect {
    struct uffd_range range;
    uint64_t mode;
};
struct pagemap_scan {
    uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
    uint64_t inverted, mask, any_of, returned;
};
struct map_query {
    uint64_t size, flags, addr, start, end, vma_flags, page_size, offset, inode;
    uint32_t dev_major, dev_minor, name_size, build_id_size;
    uint64_t name_addr, build_id_addr;
};

#define UFFD_API_IOCTL _IOWR(0xAA, 0x3F, struct uffd_api)
#define UFFD_REGISTER_IOCTL _IOWR(0xAA, 0x00, struct uffd_register)
#define UFFD_WRITEPROTECT_IOCTL _IOWR(0xAA, 0x06, struct uffd_writeprotect)
#define PAGEMAP_SCAN_IOCTL _IOWR('f', 16, struct pagemap_scan)
#define MAP_QUERY_IOCTL _IOWR('f', 17, struct map_query)

enum { USER_MODE_ONLY = 1, API = 0xAA, MODE_WP = 2, WRITEPROTECT_ON = 1 };
enum { FAULT_WP = 1 << 0, WP_UNPOPULATED = 1 << 13, WP_ASYNC = 1 << 15 };
enum { HIGH = 200 };  // descriptors from there
enum { WP_MATCHING = 1, CHECK_WPASYNC = 2, IS_WRITTEN = 2 };
enum { VMA_READ = 1, VMA_WRITE = 2, VMA_EXEC = 4, VMA_SHARED = 8 };

static uint64_t page_bytes(void) {
    static uint64_t bytes;
    uint64_t b = __atomic_load_n(&bytes, __ATOMIC_RELAXED);
    if (b == 0) {
        b = (uint64_t)sysconf(_SC_PAGESIZE);
        __atomic_store_n(&bytes, b, __ATOMIC_RELAXED);
    }
    return b;
}

// ---- mappings

// One line of /proc/self/maps: "start-end rwxp …".
static bool parse_line(const char *line, gmmu_os_mapping *m) {
    char *at;
    m->start = strtoull(line, &at, 16);
    if (*at != '-')
        return false;
    m->end = strtoull(at + 1, &at, 16);
    if (*at != ' ' || strlen(at) < 5)
        return false;
    m->readable = at[1] == 'r';
    m->writable = at[2] == 'w';
    m->executable = at[3] == 'x';
    m->shared = at[4] == 's';
    return true;
}

// The slow way, for kernels before 6.11: all lines up to the one that has AT.
static bool read_maps(int fd, uint64_t at, gmmu_os_mapping *m) {
    char text[4097];
    size_t have = 0;
    for (;;) {
        const long n = syscall(SYS_read, fd, text + have, sizeof text - 1 - have);
        if (n <= 0)
            return false;
        have += (size_t)n;
        text[have] = '\0';
        char *line = text;
        for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            *end = '\0';
            if (parse_line(line, m) && at < m->end)
                return at >= m->start;
        }
        have -= (size_t)(line - text);
        if (have == sizeof text - 1)  // a name longer than that
            have = 40;
        memmove(text, line, have);
    }
}

// /proc/self/maps, open: a query is one system call. A program may close what is not its own: what
// answers otherwise than it should is not asked again. -1: not open.
static int maps = -1;

static int open_maps(void) {
    return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
}

// Out of the way of programs that count on the next number.
static void up_high(int *fd) {
    const int high = *fd < 0 ? -1 : fcntl(*fd, F_DUPFD_CLOEXEC, HIGH);
    if (high < 0)
        return;
    (void)syscall(SYS_close, *fd);
    *fd = high;
}

static bool query(int fd, uint64_t at, gmmu_os_mapping *m, int *error) {
    struct map_query q = {.size = sizeof q, .addr = at};
    *error = fd < 0 ? EBADF : ioctl(fd, MAP_QUERY_IOCTL, &q) == 0 ? 0 : errno;
    *m = (gmmu_os_mapping){.start = q.start,
                           .end = q.end,
                           .readable = (q.vma_flags & VMA_READ) != 0,
                           .writable = (q.vma_flags & VMA_WRITE) != 0,
                           .executable = (q.vma_flags & VMA_EXEC) != 0,
                           .shared = (q.vma_flags & VMA_SHARED) != 0};
    return *error == 0;
}

bool gmmu_os_mapping_at(uint64_t at, gmmu_os_mapping *m) {
    int error;
    int kept = __atomic_load_n(&maps, __ATOMIC_ACQUIRE);
    if (query(kept, at, m, &error))
        return true;
    if (error == ENOENT)
        return false;
    if (kept >= 0)
        (void)__atomic_compare_exchange_n(&maps, &kept, -1, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE);
    int fd = open_maps();
    if (fd < 0)
        return false;
    bool found = query(fd, at, m, &error);
    if (error == ENOTTY || error == EINVAL) {
        found = read_maps(fd, at, m);
        (void)syscall(SYS_close, fd);
        return found;
    }
    int none = -1;
    up_high(&fd);
    if (!__atomic_compare_exchange_n(&maps, &none, fd, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        (void)syscall(SYS_close, fd);
    return found;
}

void gmmu_os_forked(void) {
    const int fd = __atomic_exchange_n(&maps, -1, __ATOMIC_ACQ_REL);
    if (fd >= 0)
        (void)syscall(SYS_close, fd);
}

// A byte of each page, by a system call that says EFAULT.
static bool probe(uint64_t start, uint64_t end) {
    char byte;
    for (uint64_t at = start; at < end; at = (at | (page_bytes() - 1)) + 1) {
        struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)at, 1};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1 && errno == EFAULT)
            return false;
    }
    return true;
}

bool gmmu_os_readable(uint64_t start, uint64_t end) {
    while (start < end) {
        gmmu_os_mapping m;
        if (!gmmu_os_mapping_at(start, &m))
            return probe(start, end);
        if (!m.readable)
            return false;
        start = m.end;
    }
    return true;
}

bool gmmu_os_is_stack(const gmmu_os_mapping *m) {
    const uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    const uint64_t bottom = getauxval(AT_RANDOM);  // the kernel puts it on the main stack
    return (m->start <= here && here < m->end) || (m->start <= bottom && bottom < m->end);
}

uint64_t gmmu_os_most_mappings(void) {
    char text[32];
    const int fd =
        (int)syscall(SYS_openat, AT_FDCWD, "/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC, 0);
    const long n = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);
    if (fd >= 0)
        (void)syscall(SYS_close, fd);
    text[n > 0 ? n : 0] = '\0';
    const uint64_t most = strtoull(text, NULL, 10);
    return most != 0 ? most : 65530;
}

void *gmmu_os_map(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void gmmu_os_unmap(void *p, size_t bytes) {
    (void)syscall(SYS_munmap, p, bytes);
}

bool gmmu_os_protect(uint64_t start, uint64_t end, int protection) {
    return syscall(SYS_mprotect, start, end - start, protection) == 0;
}

// ---- userfaultfd

void gmmu_os_uffd_close(gmmu_os_uffd *u) {
    if (u->fd >= 0)
        (void)syscall(SYS_close, u->fd);
    if (u->pagemap >= 0)
        (void)syscall(SYS_close, u->pagemap);
    *u = (gmmu_os_uffd){-1, -1};
}

static int protect(const gmmu_os_uffd *u, uint64_t start, uint64_t end, uint64_t mode) {
    struct uffd_writeprotect wp = {{start, end - start}, mode};
    int rc;
    do rc = ioctl(u->fd, UFFD_WRITEPROTECT_IOCTL, &wp);
    while (rc != 0 && (errno == EAGAIN || errno == EINTR));
    return rc;
}

static bool enlist(const gmmu_os_uffd *u, uint64_t start, uint64_t end) {
    while (start < end) {
        gmmu_os_mapping m;
        // what other processes write to shared memory is not seen here
        if (!gmmu_os_mapping_at(start, &m) || m.shared)
            return false;
        struct uffd_register r = {.range = {m.start, m.end - m.start}, .mode = MODE_WP};
        if (ioctl(u->fd, UFFD_REGISTER_IOCTL, &r) != 0)
            return false;
        start = m.end;
    }
    return true;
}

bool gmmu_os_uffd_watch(const gmmu_os_uffd *u, uint64_t start, uint64_t end) {
    if (protect(u, start, end, WRITEPROTECT_ON) == 0)
        return true;
    return errno == ENOENT && enlist(u, start, end) && protect(u, start, end, WRITEPROTECT_ON) == 0;
}

void gmmu_os_uffd_let(const gmmu_os_uffd *u, uint64_t start, uint64_t end) {
    (void)protect(u, start, end, 0);
}

int gmmu_os_uffd_scan(const gmmu_os_uffd *u, uint64_t *start, uint64_t end, gmmu_os_region *r,
                      int n) {
    struct pagemap_scan s = {.size = sizeof s,
                             .flags = WP_MATCHING | CHECK_WPASYNC,
                             .start = *start,
                             .end = end,
                             .vec = (uint64_t)(uintptr_t)r,
                             .vec_len = (uint64_t)n,
                             .mask = IS_WRITTEN,
                             .returned = IS_WRITTEN};
    int rc;
    do rc = ioctl(u->pagemap, PAGEMAP_SCAN_IOCTL, &s);
    while (rc < 0 && errno == EINTR);
    *start = s.walk_end;
    return rc;
}

// Of eight pages, one is written by the program, one by the kernel; both are seen, and once.
static bool sees(const gmmu_os_uffd *u) {
    const uint64_t page = page_bytes();
    char *m = gmmu_os_map(8 * page);
    if (m == NULL)
        return false;
    const uint64_t at = (uint64_t)(uintptr_t)m;
    bool good = gmmu_os_uffd_watch(u, at, at + 8 * page);
    gmmu_os_region r[8];
    if (good) {
        *(volatile char *)(m + 2 * page) = 1;
        const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
        good = fd >= 0 && syscall(SYS_read, fd, m + 5 * page, 1) == 1;
        if (fd >= 0)
            (void)syscall(SYS_close, fd);
    }
    for (int time = 0; time < 2 && good; time++) {
        uint64_t from = at;
        const int n = gmmu_os_uffd_scan(u, &from, at + 8 * page, r, 8);
        good = from == at + 8 * page && n == (time == 0 ? 2 : 0) &&
               (n == 0 || (r[0].start == at + 2 * page && r[0].end == at + 3 * page &&
                           r[1].start == at + 5 * page && r[1].end == at + 6 * page));
    }
    gmmu_os_unmap(m, 8 * page);
    return good;
}

bool gmmu_os_uffd_open(gmmu_os_uffd *u) {
    *u = (gmmu_os_uffd){-1, -1};
    // user mode only: what anyone may have; asynchronous protection needs no more
    u->fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);
    struct uffd_api api = {.api = API, .features = FAULT_WP | WP_UNPOPULATED | WP_ASYNC};
    if (u->fd >= 0 && ioctl(u->fd, UFFD_API_IOCTL, &api) == 0)
        u->pagemap = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    up_high(&u->fd);
    up_high(&u->pagemap);
    if (u->pagemap >= 0 && sees(u))
        return true;
    gmmu_os_uffd_close(u);
    return false;
}
