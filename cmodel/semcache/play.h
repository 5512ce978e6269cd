// SPDX-License-Identifier: Apache-2.0
// play.h: plays a .sem trace under a protocol: the transfers, their call sites, and their time by a
// model of the link and the GPU.
#ifndef GMMU_SEM_PLAY_H
#define GMMU_SEM_PLAY_H

#include "semcache/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    GMMU_SEM_NAIVE,  // §3: each time the inputs of a call go up and its outputs come back
    GMMU_SEM_FIG9,   // Fig. 9: as NAIVE; outputs go up, too
    GMMU_SEM_WB,     // SemCache, write-back
    GMMU_SEM_WT,     // SemCache, write-through
    GMMU_SEM_PAGE,   // write-back, with pages in place of ranges (Fig. 16)
    GMMU_SEM_DFU,    // device first use: memory goes up once; the CPU accesses the memory there
    GMMU_SEM_SPLIT   // write-back, with records that split
} gmmu_sem_protocol_kind;

typedef struct {
    gmmu_sem_protocol_kind kind;
    uint64_t page;  // PAGE: bytes of a page; SPLIT: of a grain; a power of two
} gmmu_sem_protocol;

// Reads a protocol: "naive", "fig9", "wb", "wt", "dfu", "split", which is "split:4k",
// "split:1", "page:4k", "page:2m", ... False: TEXT names no protocol.
bool gmmu_sem_protocol_of(const char *text, gmmu_sem_protocol *p);

// Rates and times of the model. A rate in GB/s is bytes a nanosecond.
typedef struct {
    double up_gbs, down_gbs,
        remote_gbs;              // the link up and down; the CPU's accesses across the link
    double transfer_us;          // of each transfer, before its bytes
    double gpu_gflops, gpu_gbs;  // a kernel takes the longer of its operations and its bytes
    double gpu_single_gflops;    // operations in single precision
    double cpu_gflops, cpu_gbs;  // likewise a call on the CPU whose time was not measured
    double call_us;              // of each kernel, before its work
} gmmu_sem_link;
// The link of a V100 beside a CPU core of its time: config/links/v100.json, with sources.
extern const gmmu_sem_link gmmu_sem_usual_link;

// The parts of the model's time. Parts follow one another; nothing runs at the same time.
typedef enum {
    GMMU_SEM_ON_CPU,  // a call, or the computation of a result
    GMMU_SEM_ON_GPU,
    GMMU_SEM_UP,
    GMMU_SEM_DOWN,
    GMMU_SEM_REMOTE  // accesses of the CPU across the link
} gmmu_sem_work;
// Called with a piece of time: WORK by SITE (UINT32_MAX: memory is freed) from START_NS on, for NS
// nanoseconds; BYTES: size of a transfer.
typedef void gmmu_sem_slice(void *context, gmmu_sem_work work, uint32_t site, double start_ns,
                            double ns, uint64_t bytes);

typedef struct {
    gmmu_sem_protocol protocol;
    gmmu_sem_slice *slice;  // is called with each piece of time; NULL: no call
    void *context;
    gmmu_sem_config runtime;  // only limit, ranges and evict are read
    // PAGE: the same transfers without a record for each page, in a fraction of the time. GPU
    // memory must be enough; lookups and hits are of operands, not of pages.
    bool fast;
    gmmu_sem_link link;
    uint64_t least;  // calls of fewer than 2·least³ operations run on the CPU; 0: no call does
} gmmu_sem_play_config;

// The counts of a call site, or of all call sites.
typedef struct {
    uint64_t calls, on_cpu, memos, elided, accesses;  // accesses: those of the CPU, outside calls
    uint64_t flops;
    uint64_t ups, downs, up_bytes, down_bytes, remote_bytes;
    uint64_t excess_bytes;  // of these, those that are not of the event's operands
    uint64_t cpu_ns;        // time of the calls on the CPU, measured, or else by cpu_gflops
    double ns;              // time of the calls by the model, transfers included
    double transfer_ns;     // the transfers' part of `ns`
} gmmu_sem_row;

// A range that goes back and forth between the calls of SITE and the accesses of CPU_SITE: the
// number of its moves, and their bytes.
typedef struct {
    uint64_t start, last;
    uint32_t site, cpu_site;
    uint64_t moves, bytes;
} gmmu_sem_pair;

// What it costs that operands which meet become one record: how often operands of SITE and records
// that OTHER had looked up last did, the largest record, and the bytes that such records moved
// beyond what was asked for.
typedef struct {
    uint32_t site, other;
    uint64_t merges, largest, excess;
} gmmu_sem_merge;

typedef struct gmmu_sem_play gmmu_sem_play;

// Creates a player; CONFIG is copied. NULL: no memory, or a wrong configuration of the runtime.
gmmu_sem_play *gmmu_sem_play_create(const gmmu_sem_play_config *config);
// Frees P (NULL: nothing), with the tables that P has returned.
void gmmu_sem_play_destroy(gmmu_sem_play *p);
// Plays the next event. False: no memory.
bool gmmu_sem_play_event(gmmu_sem_play *p, const gmmu_sem_event *e);
// Plays the next call or memo of a trace without all CPU accesses, as the bound *most*: the CPU
// reads all results after the call. The CPU also writes all operands before the call, unless
// TRACKED has the CPU's writes.
bool gmmu_sem_play_most(gmmu_sem_play *p, const gmmu_sem_event *e, gmmu_sem_track tracked);

// Returns the sums over all call sites, and over the transfers that belong to no call site.
gmmu_sem_row gmmu_sem_play_total(const gmmu_sem_play *p);
gmmu_sem_counts gmmu_sem_play_counts(
    const gmmu_sem_play *p);  // counts of the runtime; zeroes if the protocol has no runtime
// Returns the *n rows of the call sites, by site number. This table and the next two are valid
// until the next event.
const gmmu_sem_row *gmmu_sem_play_sites(const gmmu_sem_play *p, uint32_t *n);
// Returns the *n pairs, in no order.
const gmmu_sem_pair *gmmu_sem_play_pairs(const gmmu_sem_play *p, uint32_t *n);
// Returns the *n merges of WB, WT and DFU, in no order.
const gmmu_sem_merge *gmmu_sem_play_merges(const gmmu_sem_play *p, uint32_t *n);

#ifdef __cplusplus
}
#endif
#endif
