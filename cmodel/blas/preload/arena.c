// SPDX-License-Identifier: Apache-2.0
// arena.c: see arena.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // syscall
#endif
#include "blas/preload/arena.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local __attribute__((tls_model("initial-exec"))) bool gmmu_blas_in_arena;

enum { LEAST_ALIGNMENT = 16 };
static const size_t most = (size_t)1 << 30, few = (size_t)1 << 26;

static struct {
    uintptr_t start, next, end;  // the memory is there when it is touched
} arena;

static uintptr_t reserve(size_t bytes) {
    const long p = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, (off_t)0);
    return p == -1 ? 0 : (uintptr_t)p;
}

// Only one thread finishes, so only one is here.
void *gmmu_blas_arena_malloc(size_t alignment, size_t bytes) {
    if (arena.start == 0) {
        const uintptr_t start = reserve(most);
        arena.start = start != 0 ? start : reserve(few);
        arena.next = arena.start;
        arena.end = arena.start == 0 ? 0 : arena.start + (start != 0 ? most : few);
    }
    if (alignment < LEAST_ALIGNMENT)
        alignment = LEAST_ALIGNMENT;
    const uintptr_t at =
        (arena.next + sizeof(size_t) + alignment - 1) & ~(uintptr_t)(alignment - 1);
    if (arena.start == 0 || at > arena.end || bytes > arena.end - at)
        return NULL;
    ((size_t *)at)[-1] = bytes;
    arena.next = at + bytes;
    return (void *)at;
}

size_t gmmu_blas_arena_size(const void *p) {
    const uintptr_t at = (uintptr_t)p;
    return at >= arena.start && at < arena.end ? ((const size_t *)at)[-1] : 0;
}
