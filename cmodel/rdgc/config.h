// SPDX-License-Identifier: Apache-2.0
// config.h: the parameters of the GPU cache model. Source: Kiani and Rajabzadeh, "RDGC: A Reuse
// Distance-Based Approach to GPU Cache Performance Analysis", 2019, Table 2. The meaning of each
// parameter: docs/guide/rdgc.md.
#ifndef GMMU_RDGC_CONFIG_H
#define GMMU_RDGC_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_WARP = 32 };  // threads of a warp

// Limits; values outside are refused.
#define GMMU_RDGC_MAX_BLOCK 4096  // bytes
#define GMMU_RDGC_MIN_BLOCK 4     // bytes
#define GMMU_RDGC_MAX_WAYS 32768
#define GMMU_RDGC_MAX_PARTITIONS 256
#define GMMU_RDGC_MAX_BANKS 256         // of a partition
#define GMMU_RDGC_MAX_PORTS 64          // of a bank
#define GMMU_RDGC_MAX_CHUNK (1U << 20)  // blocks
#define GMMU_RDGC_MAX_SHIFT 40          // n of SMOD
#define GMMU_RDGC_MAX_MSHRS 4096        // of a set
#define GMMU_RDGC_MAX_MERGES 65535
#define GMMU_RDGC_MAX_LATENCY 1000000   // steps; the limit of K1 and K2, too
#define GMMU_RDGC_MAX_LINES (1U << 24)  // blocks of one cache
#define GMMU_RDGC_MAX_SECTORS 32        // L2 blocks in an L1 block
#define GMMU_RDGC_MAX_SMS 1024
#define GMMU_RDGC_MAX_SCHEDULERS 64
#define GMMU_RDGC_MAX_INFLIGHT 65536  // warps, and blocks, of an SM
#define GMMU_RDGC_MAX_READS 65535     // of a warp that waits for none of them

typedef enum {
    GMMU_RDGC_MOD,
    GMMU_RDGC_SMOD,
    GMMU_RDGC_PRI,
    GMMU_RDGC_XOR,
    GMMU_RDGC_FERMI  // the hash of a Fermi GPU's L1, of 32 or 64 sets (R18)
} gmmu_rdgc_index;

typedef enum {
    GMMU_RDGC_LRU,
    GMMU_RDGC_LFU,
    GMMU_RDGC_FIFO,
    GMMU_RDGC_RANDOM,
    GMMU_RDGC_NRU  // a mark a way: not recently used (R21)
} gmmu_rdgc_replacement;

typedef enum {
    GMMU_RDGC_OFF,  // nothing is bypassed: a write is treated as a read
    GMMU_RDGC_WON,  // writes are bypassed, and evict the block that they hit
    GMMU_RDGC_RWON  // all accesses are bypassed
} gmmu_rdgc_bypass;

// The time at which a block that was asked for in step i fills the cache and frees its MSHR, with
// latency n.
typedef enum {
    GMMU_RDGC_START,  // at the start of step i + n, as in the paper's Table 3 (n = 1)
    GMMU_RDGC_END     // at the end of step i + n, as in the text beside it (n = 1)
} gmmu_rdgc_arrival;

// When a miss takes its place in the set.
typedef enum {
    GMMU_RDGC_ON_FILL,  // when its block arrives
    GMMU_RDGC_ON_MISS   // when the MSHR is reserved; the place is not taken away meanwhile (R23)
} gmmu_rdgc_allocate;

typedef struct {
    uint64_t capacity;  // bytes, of all banks
    uint32_t ways;      // K
    uint32_t block;     // bytes, a power of two
    uint32_t partitions;
    uint32_t banks;            // of a partition
    uint32_t ports;            // of a bank
    uint32_t partition_chunk;  // number of neighbouring blocks in one partition
    uint32_t bank_chunk;       // number of neighbouring blocks of a partition in one bank
    gmmu_rdgc_index index;
    uint32_t shift;  // n of SMOD-n
    gmmu_rdgc_replacement replacement;
    gmmu_rdgc_bypass bypass;
    uint32_t mshr_sets;
    uint32_t mshrs;   // of a set
    uint32_t merges;  // accesses that may join an MSHR beside the access that reserved it
    bool adaptive;
    uint32_t latency;  // a fixed latency in steps, at least 1
    uint32_t k1, k2;   // constants of the adaptive latency, in thousandths of a step
    gmmu_rdgc_arrival arrival;
    bool merged;  // true: a merged access counts as a hit (R13)
    gmmu_rdgc_allocate allocate;
    uint32_t hit;  // steps until a warp has the data of a hit; a warp scheduler alone looks at it
} gmmu_rdgc_cache_config;

typedef enum {
    GMMU_RDGC_RR,
    GMMU_RDGC_BPART1,  // partitions of four blocks
    GMMU_RDGC_BPART2,  // partitions of eight blocks
    GMMU_RDGC_RAND,
    GMMU_RDGC_DEMAND  // to the SM that has room first (R22); with warp schedulers only
} gmmu_rdgc_mapping;

// Who of an SM's warps issues next.
typedef enum {
    GMMU_RDGC_LISTS,  // the paper's Algorithm 2: AN by AN, block by block
    GMMU_RDGC_LRR,    // each scheduler: loose round robin (R19)
    GMMU_RDGC_GTO,    // each scheduler: greedy, then oldest (R19)
    GMMU_RDGC_LOOSE   // each scheduler: any that is ready, by lot (R19)
} gmmu_rdgc_schedule;

typedef enum {
    GMMU_RDGC_AS_WRITES,  // an atomic is a write
    GMMU_RDGC_PAST_L1     // an atomic goes to L2 past L1, and is counted by itself (R20)
} gmmu_rdgc_atomics;

typedef struct {
    gmmu_rdgc_cache_config l1;  // of an SM
    gmmu_rdgc_cache_config l2;
    uint32_t sms;         // P
    uint32_t schedulers;  // of an SM
    uint32_t max_warps;   // MAXCW, of an SM
    uint32_t max_blocks;  // MAXCB, of an SM
    gmmu_rdgc_mapping mapping;
    gmmu_rdgc_schedule schedule;
    uint32_t reads;  // of warp schedulers: reads that a warp issues before it waits for their data
    uint32_t gap;  // of warp schedulers: steps from one instruction of a warp to its next, at least
    gmmu_rdgc_atomics atomics;
    bool quads;             // true: count what a texture path's counter counts, too (R24)
    bool keep_l1, keep_l2;  // true: the content of the caches stays from one grid to the next
    uint64_t seed;          // seed of RAND and RANDOM
} gmmu_rdgc_config;

// Returns the paper's baseline (§5.3): 8 SMs, each with 32 KB of 4-way L1 in one bank of two ports;
// 1024 KB of 8-way L2 in four partitions of two banks; blocks of 128 bytes, PRI, LRU, RR, latency
// A2.
gmmu_rdgc_config gmmu_rdgc_defaults(void);
// Sets parameter KEY, such as "l1.ways" (docs/guide/rdgc.md, "Parameters"), from the text VALUE.
// GMMU_OK, or GMMU_BAD and *err (found, expected). gmmu_rdgc_config_check checks the parameters as
// a whole.
int gmmu_rdgc_config_set(gmmu_rdgc_config *c, const char *key, const char *value, gmmu_error *err);
// Return the name of key number I (NULL behind the last key), and the value of the key in the form
// of gmmu_rdgc_config_set.
const char *gmmu_rdgc_config_key(size_t i);
void gmmu_rdgc_config_get(const gmmu_rdgc_config *c, size_t i, char *text, size_t size);
// Checks the parameters. GMMU_OK: all agree with each other and are within their limits; else
// GMMU_BAD and *err.
int gmmu_rdgc_config_check(const gmmu_rdgc_config *c, gmmu_error *err);
// Checks the parameters of one cache. NAME ("l1.") stands before the keys in *err.
int gmmu_rdgc_cache_check(const gmmu_rdgc_cache_config *c, const char *name, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
