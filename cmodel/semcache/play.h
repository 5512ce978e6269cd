// SPDX-License-Identifier: Apache-2.0
// play.h: a .sem trace under a protocol: what is transferred, for which call site, and how long
// that takes by a model of the link and the GPU.
#ifndef GMMU_SEM_PLAY_H
#define GMMU_SEM_PLAY_H

#include "semcache/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GMMU_SEM_NAIVE,  // §3: what a call reads goes up, what it writes comes back, each time
    GMMU_SEM_FIG9,   // Fig. 9: what it writes goes up too
    GMMU_SEM_WB,     // SemCache, write-back
    GMMU_SEM_WT,     // SemCache, write-through
    GMMU_SEM_PAGE,   // write-back, of pages in place of ranges (Fig. 16)
    GMMU_SEM_DFU     // device first use: moved up once; the CPU accesses it there
} gmmu_sem_protocol_kind;

typedef struct {
    gmmu_sem_protocol_kind kind;
    uint64_t page;  // PAGE: bytes
} gmmu_sem_protocol;

// "naive", "fig9", "wb", "wt", "dfu", "page:4k", "page:2m", … False: none of these.
bool gmmu_sem_protocol_of(const char *text, gmmu_sem_protocol *p);

// Rates and times of the model.
typedef struct {
    double up_gbs, down_gbs, remote_gbs;  // bytes a ns: link, and the CPU's accesses across it
    double transfer_us;                   // each transfer, before its bytes
    double gpu_gflops, gpu_gbs;           // a kernel takes as long as its operations or its bytes
    double cpu_gflops, cpu_gbs;           // so does a call there whose time was not measured
    double call_us;                       // each kernel, before its work
} gmmu_sem_link;
// A V100 beside a core of its time: config/links/v100.json, with sources.
extern const gmmu_sem_link gmmu_sem_usual_link;

// What the model's time goes into, one after the other.
typedef enum {
    GMMU_SEM_ON_CPU,  // a call, or the making of a result
    GMMU_SEM_ON_GPU,
    GMMU_SEM_UP,
    GMMU_SEM_DOWN,
    GMMU_SEM_REMOTE  // the CPU's accesses across the link
} gmmu_sem_work;
// A piece of it: by SITE, UINT32_MAX where memory is freed, from START_NS on; BYTES of transfers.
typedef void gmmu_sem_slice(void *context, gmmu_sem_work work, uint32_t site, double start_ns,
                            double ns, uint64_t bytes);

typedef struct {
    gmmu_sem_protocol protocol;
    gmmu_sem_slice *slice;  // told of each piece of time; NULL: nobody
    void *context;
    gmmu_sem_config runtime;  // limit, ranges, evict
    gmmu_sem_link link;
    uint64_t least;  // calls of fewer than 2·least³ operations run on the CPU; 0: none do
} gmmu_sem_play_config;

// Of a call site, or of all.
typedef struct {
    uint64_t calls, on_cpu, memos, elided, accesses;  // accesses: by the CPU, outside calls
    uint64_t flops;
    uint64_t ups, downs, up_bytes, down_bytes, remote_bytes;
    uint64_t cpu_ns;     // what its calls take on the CPU, measured or else by cpu_gflops
    double ns;           // what they take by the model, transfers and all
    double transfer_ns;  // of it: transfers
} gmmu_sem_row;

// A range that went back and forth: how often its bytes moved since SITE calls it and CPU_SITE
// touches it.
typedef struct {
    uint64_t start, last;
    uint32_t site, cpu_site;
    uint64_t moves, bytes;
} gmmu_sem_pair;

typedef struct gmmu_sem_play gmmu_sem_play;

// NULL: no memory.
gmmu_sem_play *gmmu_sem_play_create(const gmmu_sem_play_config *config);
void gmmu_sem_play_destroy(gmmu_sem_play *p);
// The next event. False: no memory.
bool gmmu_sem_play_event(gmmu_sem_play *p, const gmmu_sem_event *e);
// The next call or memo of a trace without all CPU accesses: the CPU may read all results after it
// and, unless TRACKED has its writes, may have written all operands before it.
bool gmmu_sem_play_most(gmmu_sem_play *p, const gmmu_sem_event *e, gmmu_sem_track tracked);

gmmu_sem_row gmmu_sem_play_total(const gmmu_sem_play *p);
gmmu_sem_counts gmmu_sem_play_counts(const gmmu_sem_play *p);  // of the runtime; zeroes without one
// By site number, *n of them.
const gmmu_sem_row *gmmu_sem_play_sites(const gmmu_sem_play *p, uint32_t *n);
// In no order.
const gmmu_sem_pair *gmmu_sem_play_pairs(const gmmu_sem_play *p, uint32_t *n);

#ifdef __cplusplus
}
#endif
#endif
