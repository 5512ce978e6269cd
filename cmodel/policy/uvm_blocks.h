// SPDX-License-Identifier: Apache-2.0
// uvm_blocks.h: memory as NVIDIA's UVM driver keeps it, for the policy (uvm.c) and for the driver
// of the platform (sim/platform/chunk_driver.h): the options, the list of the resident chunks, and
// the tree over each block, which says what a fault brings. The facts with their places in the
// driver's source: docs/reference/policies.md, "uvm".
#ifndef GMMU_POLICY_UVM_BLOCKS_H
#define GMMU_POLICY_UVM_BLOCKS_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_lists gmmu_lists;

// A block is an aligned range of pages as large as a chunk; a resident block has one chunk.
typedef struct {
    uint32_t chunk, big;  // pages of a chunk, of a big page
    uint32_t slots;       // chunks that memory has room for
    unsigned page_shift;
    bool by_access;        // each access makes a chunk young, not only a fault
    bool alone;            // a fault brings its page alone
    gmmu_pages *numbers;   // of the blocks
    gmmu_lists *resident;  // the blocks that have a chunk; the front is the youngest
    uint32_t *trees;       // of each block, by number: the big pages that are resident, a bit each
    uint32_t cap;
} gmmu_uvm_blocks;

// An empty memory of config->frames pages. False and *err: bad options, or no memory.
bool gmmu_uvm_create(gmmu_uvm_blocks *m, const gmmu_policy_config *config, gmmu_error *err);
void gmmu_uvm_destroy(gmmu_uvm_blocks *m);
// Returns the number of the block of page VPN, from 0 on; GMMU_NO_PAGE: no memory.
uint32_t gmmu_uvm_block(gmmu_uvm_blocks *m, uint32_t asid, uint64_t vpn);
// Returns the number of the big page of VPN in its block.
static inline uint32_t gmmu_uvm_big(const gmmu_uvm_blocks *m, uint64_t vpn) {
    return (uint32_t)(vpn % m->chunk) / m->big;
}
// BLOCK's chunk is the youngest now; BLOCK gets one if it has none. Returns the block whose chunk
// this was before, which leaves whole, or GMMU_NO_PAGE.
uint32_t gmmu_uvm_use(gmmu_uvm_blocks *m, uint32_t block);
// Faults of the big pages FAULTS, a bit each, bring big pages of BLOCK, which has a chunk. Returns
// what comes; the tree has them from now on. Not for a memory whose faults bring their page alone.
uint32_t gmmu_uvm_fetch(gmmu_uvm_blocks *m, uint32_t block, uint32_t faults);

#ifdef __cplusplus
}
#endif
#endif
