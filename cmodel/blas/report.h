// SPDX-License-Identifier: Apache-2.0
// report.h: sums up a process's calls while they are made, and writes the report at the end.
#ifndef GMMU_BLAS_REPORT_H
#define GMMU_BLAS_REPORT_H

#include "blas/counter.h"
#include "blas/memo.h"
#include "blas/settings.h"
#include "blas/stats.h"
#include "semcache/play.h"

struct gmmu_blas_site {
    char *name, *routine;
    char *shown;  // NAME as a person reads it: a C++ name demangled; NULL: NAME
    uint32_t number;
    gmmu_blas_counter below, empty;  // number of calls that are not in the trace
    uint64_t calls, flops, ns;       // counts of the calls in the trace; under the recorder's lock
    uint64_t inner;                  // calls of the table within these calls
    char *library;         // path of the object that has the real routine; NULL: it is not known
    bool gemm, estimated;  // of calls in the trace: the family, and that operations are an estimate
    gmmu_blas_stats *stats;  // NULL: no call is in the trace
};

// The minima that the report compares: 0 to 16, and then each a quarter above the one before.
enum { GMMU_BLAS_MINIMA = 70 };

typedef struct {
    gmmu_sem_track track;
    // write-back with records that split; `most` is NULL if all CPU accesses are known
    gmmu_sem_play *naive, *least, *most;
    gmmu_sem_play *merging, *pages;         // with records that merge, and by pages; as `least`
    gmmu_sem_play *kept_least, *kept_most;  // with kept results; NULL: results are not kept
    // by the minimum up to which a call is offloaded: ns on the CPU, and by `naive`
    double cpu_ns[GMMU_BLAS_MINIMA], naive_ns[GMMU_BLAS_MINIMA];
    // of the last event: the call's time by `naive`; bytes that `least` moved, if accesses are
    // known
    double call_naive_ns, least_ns;
    uint64_t went_up, came_down;
} gmmu_blas_plays;

// Creates the plays. False: no memory.
bool gmmu_blas_plays_create(gmmu_blas_plays *p, gmmu_sem_track track, const gmmu_sem_link *link,
                            bool kept);
void gmmu_blas_plays_destroy(gmmu_blas_plays *p);
bool gmmu_blas_plays_event(gmmu_blas_plays *p, const gmmu_sem_event *e);
// Plays CALL; where results are kept, MEMO and REST in place of CALL.
bool gmmu_blas_plays_memo(gmmu_blas_plays *p, const gmmu_sem_event *call,
                          const gmmu_sem_event *memo, const gmmu_sem_event *rest);

typedef struct {
    const gmmu_blas_settings *settings;
    const char *back_end;  // observes the accesses of the CPU; NULL: nothing does
    const gmmu_blas_plays *plays;
    const gmmu_blas_memos *memos;  // NULL: no results are kept
    struct gmmu_blas_site *const *sites;
    uint32_t count;          // of the sites
    uint64_t least, last;    // GMMU_MIN at first, and at the end
    uint64_t ns, cpu_ns;     // of the process: without WAITED_NS; the CPU's of all threads
    uint64_t spent_ns;       // the recorder's own
    void (*more)(FILE *to);  // writes further lines; NULL: there are none
    uint64_t waited_ns;      // in calls of one thread, for other programs
    int signal;              // that ends the process; 0: none
    uint64_t busy_ns;        // CPU time of the recorded calls
} gmmu_blas_report;

void gmmu_blas_report_write(FILE *to, const gmmu_blas_report *r);

// ---- what the report says, before it is text or JSON

// The lower bound is the lower of the two, in bytes and in time.
typedef struct {
    gmmu_sem_row least, most;
} gmmu_blas_bounds;

// A row of the table: a site, or all. STATS: NULL of all, and of calls below the minimum alone.
typedef struct {
    const char *routine, *name, *shown;
    uint32_t number;
    const char *library;  // NULL: it is not known
    bool estimated;
    uint64_t calls, below, flops, ns, bytes;
    double naive_ns;
    gmmu_blas_bounds is;
    gmmu_blas_stats *stats;
} gmmu_blas_row;

// Returns the rows of the sites that have calls, what could be gained most first, and *all; to be
// freed. NULL: no memory.
gmmu_blas_row *gmmu_blas_rows(const gmmu_blas_report *r, uint32_t *n, gmmu_blas_row *all);

// The size from which on offloading each call by itself saves most; 0: nothing is saved.
uint64_t gmmu_blas_pays_from(const gmmu_blas_report *r);

// A way to offload, and what it saves.
typedef struct {
    const char *protocol;
    uint64_t minimum;
    double ns;
} gmmu_blas_way;

void gmmu_blas_ways(const gmmu_blas_report *r, gmmu_blas_way *least, gmmu_blas_way *most);
// The CPU time that NS of the time in calls are.
double gmmu_blas_cpu_ns(const gmmu_blas_report *r, double ns);

// A protocol's sums; BOUND is "", "least" or "most".
typedef struct {
    const char *name, *bound;
    gmmu_sem_row row;
} gmmu_blas_protocol;
enum { GMMU_BLAS_PROTOCOLS = 8 };
unsigned gmmu_blas_protocols(const gmmu_blas_report *r,
                             gmmu_blas_protocol all[GMMU_BLAS_PROTOCOLS]);

// The name of the CPU's site of this NUMBER.
const char *gmmu_blas_side_name(const gmmu_blas_report *r, uint32_t number);

#endif
