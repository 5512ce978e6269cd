// SPDX-License-Identifier: Apache-2.0
// track_os.h: what track.c asks of Linux: mappings, userfaultfd's asynchronous write-protection,
// protection, and memory that is not malloc's. Found out at run time; the headers may be older.
#ifndef GMMU_SEM_TRACK_OS_H
#define GMMU_SEM_TRACK_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t start, end;
    bool readable, writable, executable, shared;
} gmmu_os_mapping;

// The mapping that has AT. False: none has, or it cannot be told.
bool gmmu_os_mapping_at(uint64_t at, gmmu_os_mapping *m);
// In a child of fork, before anything else.
void gmmu_os_forked(void);
// Is all of [start, end) there to be read?
bool gmmu_os_readable(uint64_t start, uint64_t end);
// Is it a stack: the main thread's, or this one's?
bool gmmu_os_is_stack(const gmmu_os_mapping *m);
uint64_t gmmu_os_most_mappings(void);

// Zeroed memory, from the system; NULL: none.
void *gmmu_os_map(size_t bytes);
void gmmu_os_unmap(void *p, size_t bytes);
bool gmmu_os_protect(uint64_t start, uint64_t end, int protection);

// Pages [start, end) that were written.
typedef struct {
    uint64_t start, end, categories;
} gmmu_os_region;

typedef struct {
    int fd, pagemap;
} gmmu_os_uffd;

// False: it is not to be had, or does not see what it should.
bool gmmu_os_uffd_open(gmmu_os_uffd *u);
void gmmu_os_uffd_close(gmmu_os_uffd *u);
// Writes to [start, end) will be seen; the mappings are registered whole where they are not. False:
// this memory cannot be watched.
bool gmmu_os_uffd_watch(const gmmu_os_uffd *u, uint64_t start, uint64_t end);
// Writes there cost nothing any more, and are not seen.
void gmmu_os_uffd_let(const gmmu_os_uffd *u, uint64_t start, uint64_t end);
// What was written in [*start, end) since, up to N regions; they are watched again. *start: where
// to go on. Negative: some of it is memory that is not registered.
int gmmu_os_uffd_scan(const gmmu_os_uffd *u, uint64_t *start, uint64_t end, gmmu_os_region *r,
                      int n);

#endif
