// SPDX-License-Identifier: Apache-2.0
// device.h: a model of gmmu_tier_ring: C twins of the unit, its registers and its rings, behind a
// bus, beside a memory. Software has the bus, the memory and the interrupt; the GPU has walks.
#ifndef RING_DEVICE_H
#define RING_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "blocks/gmmu_tier.h"
#include "driver/unit_bus.h"

enum { DEVICE_MEMORY = 0x10000 };             // bytes
#define DEVICE_ADDRESS UINT64_C(0x880000000)  // of the memory, as the unit sees it

typedef struct device device;

device *device_create(const gmmu_config *cfg);  // NULL: no memory
void device_destroy(device *d);
// What software sees.
gmmu_bus device_bus(device *d);
uint8_t *device_memory(device *d);
bool device_irq(const device *d);
// A walk of the GPU. The unit decides at once, and the ring gets the decision.
void device_walk(device *d, const gmmu_tier_walk_in *walk);
// A cycle passes. An access to the bus takes some cycles itself.
void device_step(device *d);
uint64_t device_cycles(const device *d);
// The cycle in which decision SEQ was made, one of the last 65536.
uint64_t device_decided(const device *d, uint32_t seq);

#endif
