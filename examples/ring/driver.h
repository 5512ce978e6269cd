// SPDX-License-Identifier: Apache-2.0
// driver.h: a driver of the unit in software, which has nothing of the unit but registers, two
// rings in memory, and an interrupt.
#ifndef RING_DRIVER_H
#define RING_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/unit_rings.h"
#include "trace/pages.h"

enum { NOWHERE = UINT32_MAX };

// The page table, which the GPU's walkers read: an entry for each page that the program has.
typedef struct {
    uint32_t frame;  // or NOWHERE
    bool dirty;      // the page was written since the page came: set by the walkers
} page_entry;

typedef struct {
    uint32_t page;  // in the page table; GMMU_NO_PAGE: none
    uint32_t frame;
    uint32_t seq;  // of the decision
    bool again;    // no page could leave: ask once more
    bool writes;   // the victim is copied out first
} transfer;

enum { DRIVER_MOST = 1024 };  // faults under way

typedef struct {
    transfer of[DRIVER_MOST];
    uint32_t first, count;
} transfers;

typedef struct {
    gmmu_bus bus;
    gmmu_config sizes;
    gmmu_decision_layout decision;
    gmmu_drv_layout drv;
    gmmu_unit_ring decisions, operations;
    const gmmu_pages *pages;
    page_entry *table;
    uint32_t frames, used;
    transfers to_move;  // decided, not yet moved
    transfers told;     // FILLs that are posted, and not yet taken by the unit
    uint64_t decided, evictions, writebacks, retries, kept;
    // called for each page that comes and for each decision, if not NULL
    void *context;
    void (*mapped)(void *context, uint32_t page);
    void (*heard)(void *context, uint32_t seq, uint32_t page, uint32_t frame, uint32_t victim);
} driver;

// Starts the unit with FRAMES frames, and the rings in MEMORY, which the unit sees at ADDRESS.
// False: the unit is not there, or refuses.
bool driver_start(driver *d, gmmu_bus bus, void *memory, uint64_t address, uint32_t frames,
                  const gmmu_unit_interrupts *when);
// The interrupt: takes all decisions that are in memory; their victims leave the page table.
bool driver_interrupt(driver *d);
// The transfer that is to be made next, or NULL.
const transfer *driver_next(const driver *d);
// That transfer has been made: the unit is told.
bool driver_moved(driver *d);
// Maps the pages whose FILL the unit has taken.
bool driver_map(driver *d);
// The unit has dropped no fault and refused no operation.
bool driver_clean(driver *d);

#endif
