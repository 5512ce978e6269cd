// SPDX-License-Identifier: Apache-2.0
// track_os.h: the parts of Linux that the tracker needs: mappings, userfaultfd's asynchronous
// write-protection, protection, and memory that is not malloc's. All parts are looked for at run
// time, because the headers may be older than the system.
#ifndef GMMU_SEM_TRACK_OS_H
#define GMMU_SEM_TRACK_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t start, end;
    bool readable, writable, executable, shared;
} gmmu_os_mapping;

// Finds the mapping that contains AT. False: there is none, or the mapping is not known.
bool gmmu_os_mapping_at(uint64_t at, gmmu_os_mapping *m);
// Must be called in a child of fork, before any other function.
void gmmu_os_forked(void);
// True: all of [start, end) can be read.
bool gmmu_os_readable(uint64_t start, uint64_t end);
// True: the mapping is a stack, of the main thread or of this thread.
bool gmmu_os_is_stack(const gmmu_os_mapping *m);
// Returns the most mappings that a process may have; 65530, Linux' usual limit, if not known.
uint64_t gmmu_os_most_mappings(void);

// Returns zeroed memory from the system; NULL: none.
void *gmmu_os_map(size_t bytes);
// Gives BYTES of memory of gmmu_os_map, from P on, back.
void gmmu_os_unmap(void *p, size_t bytes);
// Gives the pages [start, end) the PROTECTION PROT_… of mprotect. False: the system refuses.
bool gmmu_os_protect(uint64_t start, uint64_t end, int protection);

// A run of pages [start, end) that were written.
typedef struct {
    uint64_t start, end, categories;
} gmmu_os_region;

typedef struct {
    int fd, pagemap;
} gmmu_os_uffd;

// Returns false: userfaultfd is not available, or does not see what it should see.
bool gmmu_os_uffd_open(gmmu_os_uffd *u);
// Closes U, if open: nothing is watched any more.
void gmmu_os_uffd_close(gmmu_os_uffd *u);
// Watches [start, end): writes are seen from now on. Mappings that are not registered are
// registered whole. False: this memory cannot be watched.
bool gmmu_os_uffd_watch(const gmmu_os_uffd *u, uint64_t start, uint64_t end);
// Ends the watch of [start, end): writes cost nothing any more, and are not seen.
void gmmu_os_uffd_let(const gmmu_os_uffd *u, uint64_t start, uint64_t end);
// Returns the number of regions, at most N, that were written in [*start, end) since the last scan.
// The regions are watched again, and *start is where the next scan goes on. A negative result: some
// of the memory is not registered.
int gmmu_os_uffd_scan(const gmmu_os_uffd *u, uint64_t *start, uint64_t end, gmmu_os_region *r,
                      int n);

#endif
