// SPDX-License-Identifier: Apache-2.0
// shortage.cpp: see shortage.h.
#include "shortage.h"

#include <cerrno>
#include <cstddef>
#include <random>

namespace shortage {

unsigned one_in;
uint64_t failed;
bool old_kernel;

}  // namespace shortage

namespace {

bool fails() {
    static std::minstd_rand random(1);
    if (shortage::one_in == 0 || random() % shortage::one_in != 0)
        return false;
    shortage::failed++;
    errno = ENOMEM;
    return true;
}

}  // namespace

extern "C" {
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);

int __real_ioctl(int fd, unsigned long request, void *argument);

int __wrap_ioctl(int fd, unsigned long request, void *argument) {
    if (shortage::old_kernel && (request & 0xffff) == ('f' << 8 | 17)) {
        errno = ENOTTY;
        return -1;
    }
    return __real_ioctl(fd, request, argument);
}
void *__wrap_malloc(size_t n) {
    return fails() ? nullptr : __real_malloc(n);
}
void *__wrap_calloc(size_t n, size_t size) {
    return fails() ? nullptr : __real_calloc(n, size);
}
void *__wrap_realloc(void *p, size_t n) {
    return fails() ? nullptr : __real_realloc(p, n);
}
}
