// SPDX-License-Identifier: Apache-2.0
// unit_bus.c: see unit_bus.h.
#include "driver/unit_bus.h"

enum { ID = 0x554D4D47 };

static bool read32(const gmmu_bus *b, uint32_t address, uint32_t *data) {
    return b->read32(b->context, address, data);
}

static bool write32(const gmmu_bus *b, uint32_t address, uint32_t data) {
    return b->write32(b->context, address, data);
}

bool gmmu_bus_identify(const gmmu_bus *b, gmmu_config *sizes, uint32_t *version) {
    uint32_t id;
    *sizes = (gmmu_config){0};
    if (!read32(b, GMMU_CSR_ID, &id) || id != ID || !read32(b, GMMU_CSR_VERSION, version))
        return false;
#define SIZE(name, at)                \
    if (!read32(b, at, &sizes->name)) \
        return false;
    GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
    sizes->addr_w = sizes->vpn_w + 12;  // of range_dir in the unit
    return true;
}

// Of two words, in either order, the second puts both in force.
static bool write_one(const gmmu_bus *b, uint32_t at, uint64_t value, bool two_words) {
    return (!two_words || write32(b, at + 4, (uint32_t)(value >> 32))) &&
           write32(b, at, (uint32_t)value);
}

static bool read_one(const gmmu_bus *b, uint32_t at, uint64_t *value, bool two_words) {
    uint32_t low, high = 0;
    if (!read32(b, at, &low) || (two_words && !read32(b, at + 4, &high)))
        return false;
    *value = (uint64_t)high << 32 | low;
    return true;
}

bool gmmu_bus_write_regs(const gmmu_bus *b, const gmmu_regs *r) {
#define WRITE(name, at, bits, reset, two_words, waits) \
    if (!write_one(b, at, r->name, two_words))         \
        return false;
    GMMU_CSR_LIST(WRITE)
#undef WRITE
    return true;
}

bool gmmu_bus_read_regs(const gmmu_bus *b, gmmu_regs *r) {
    uint64_t value;
#define READ(name, at, bits, reset, two_words, waits) \
    if (!read_one(b, at, &value, two_words))          \
        return false;                                 \
    r->name = (__typeof__(r->name))value;
    GMMU_CSR_LIST(READ)
#undef READ
    return true;
}

static bool wait_for(const gmmu_bus *b, uint32_t bits, unsigned most) {
    uint32_t status = bits;
    for (; most != 0 && (status & bits) != 0; most--)
        if (!read32(b, GMMU_CSR_STATUS, &status))
            return false;
    return (status & bits) == 0;
}

bool gmmu_bus_wait_regs(const gmmu_bus *b, unsigned most) {
    return wait_for(b, GMMU_CSR_PENDING, most);
}

bool gmmu_bus_counters(const gmmu_bus *b, gmmu_counters *n) {
    uint32_t at = GMMU_CSR_COUNTERS;
    if (!write32(b, GMMU_CSR_CONTROL, GMMU_CSR_SNAPSHOT))
        return false;
#define COUNTER(name)             \
    if (!read32(b, at, &n->name)) \
        return false;             \
    at += 4;
    GMMU_COUNTERS(COUNTER)
#undef COUNTER
    return true;
}

static bool flushes(const gmmu_bus *b, uint32_t *done) {
    return write32(b, GMMU_CSR_CONTROL, GMMU_CSR_SNAPSHOT) &&
           read32(b, GMMU_CSR_STAT_FLUSHES, done);
}

bool gmmu_bus_flush(const gmmu_bus *b, uint32_t asid, unsigned most) {
    uint32_t before, done;
    if (!flushes(b, &before) || !write32(b, GMMU_CSR_FLUSH, 0) ||
        !write32(b, GMMU_CSR_FLUSH, asid << 1 | 1))
        return false;
    done = before;
    for (; most != 0 && done == before; most--)
        if (!flushes(b, &done))
            return false;
    return write32(b, GMMU_CSR_FLUSH, 0) && done != before;
}

bool gmmu_bus_reset(const gmmu_bus *b, bool keep, unsigned most) {
    return write32(b, GMMU_CSR_CONTROL, keep ? GMMU_CSR_UNIT_RESET : GMMU_CSR_RESET) &&
           wait_for(b, GMMU_CSR_RESETTING, most);
}
