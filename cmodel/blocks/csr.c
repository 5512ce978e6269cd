// SPDX-License-Identifier: Apache-2.0
// csr.c: see csr.h and docs/reference/blocks/csr.md.
#include "blocks/csr.h"

#include <string.h>

#ifndef GMMU_VERSION
#error "GMMU_VERSION is the text of the file VERSION"
#endif

enum { RESET_CYCLES = 8 };

// A register of the description.
typedef struct {
    uint32_t address;
    unsigned bits;
    bool two_words, waits;
    uint64_t in_force, written;
} one;

static uint64_t mask(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

void gmmu_csr_init(gmmu_csr *c, const gmmu_config *cfg) {
    memset(c, 0, sizeof *c);
    c->cfg = cfg;
    c->in_force = c->written = gmmu_regs_default(cfg);
}

bool gmmu_csr_resets(const gmmu_csr *c, bool rests) {
    return c->left != 0 && (c->left < RESET_CYCLES || rests);
}

// Finds the register whose words are at ADDRESS and behind. False: there is none.
static bool find(const gmmu_csr *csr, uint32_t address, one *is) {
    const gmmu_config *c = csr->cfg;
    const uint32_t at = address & ~7u;
#define LOOK(name, its, width, reset, wide, quiet)                                   \
    if (at == (its)) {                                                               \
        *is = (one){its, width, wide, quiet, csr->in_force.name, csr->written.name}; \
        return address == at || (wide);                                              \
    }
    GMMU_CSR_LIST(LOOK)
#undef LOOK
    return false;
}

// Puts VALUE into the register at ADDRESS; WHOLE: no word of it waits for the other.
static void put(gmmu_csr *csr, uint32_t address, uint64_t value, bool whole) {
#define PUT(name, its, width, reset, wide, quiet)                       \
    if (address == (its)) {                                             \
        csr->written.name = (__typeof__(csr->written.name))value;       \
        if (!(quiet) && whole)                                          \
            csr->in_force.name = (__typeof__(csr->in_force.name))value; \
        return;                                                         \
    }
    GMMU_CSR_LIST(PUT)
#undef PUT
}

// Words that have waited long enough come into force alone.
static void end_waits(gmmu_csr *csr) {
#define END(name, its, width, reset, wide, quiet)    \
    if (wide) {                                      \
        gmmu_csr_half *half = &csr->half[(its) / 8]; \
        if (half->words != 0 && half->left-- == 1) { \
            half->words = 0;                         \
            put(csr, its, csr->written.name, true);  \
        }                                            \
    }
    GMMU_CSR_LIST(END)
#undef END
}

static void put_in_force(gmmu_csr *csr) {
#define FORCE(name, its, width, reset, wide, quiet) \
    if (quiet)                                      \
        csr->in_force.name = csr->written.name;
    GMMU_CSR_LIST(FORCE)
#undef FORCE
}

static bool waits(const gmmu_csr *csr) {
    bool is = false;
#define WAITS(name, its, width, reset, wide, quiet) \
    is = is || csr->in_force.name != csr->written.name;
    GMMU_CSR_LIST(WAITS)
#undef WAITS
    return is;
}

static bool size_at(const gmmu_config *c, uint32_t address, uint32_t *data) {
#define SIZE(name, its)     \
    if (address == (its)) { \
        *data = c->name;    \
        return true;        \
    }
    GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
    return false;
}

static bool counter_at(const gmmu_counters *n, uint32_t address, uint32_t *data) {
    uint32_t at = GMMU_CSR_COUNTERS;
#define COUNTER(name)    \
    if (address == at) { \
        *data = n->name; \
        return true;     \
    }                    \
    at += 4;
    GMMU_COUNTERS(COUNTER)
#undef COUNTER
    return false;
}

// "1.2.3" as 0x010203.
static uint32_t version(void) {
    uint32_t v = 0, part = 0;
    for (const char *p = GMMU_VERSION; *p != 0; p++) {
        if (*p == '.') {
            v = v << 8 | part;
            part = 0;
        } else {
            part = 10 * part + (uint32_t)(*p - '0');
        }
    }
    return v << 8 | part;
}

static bool read_word(const gmmu_csr *c, uint32_t address, bool quiet, uint32_t *data) {
    one is;
    *data = 0;
    switch (address) {
        case GMMU_CSR_ID:
            *data = 0x554D4D47;
            return true;
        case GMMU_CSR_VERSION:
            *data = version();
            return true;
        case GMMU_CSR_CONTROL:
            return true;
        case GMMU_CSR_STATUS:
            *data = (quiet ? GMMU_CSR_QUIET : 0u) | (c->left != 0 ? GMMU_CSR_RESETTING : 0u) |
                    (c->pending ? GMMU_CSR_PENDING : 0u);
            return true;
        case GMMU_CSR_IRQ:
            *data = c->happened;
            return true;
        case GMMU_CSR_IRQ_ENABLE:
            *data = c->enabled;
            return true;
        default:
            break;
    }
    if (size_at(c->cfg, address, data) || counter_at(&c->snapshot, address, data))
        return true;
    if (!find(c, address, &is))
        return false;
    *data = (uint32_t)(is.written >> (address & 4 ? 32 : 0));
    return true;
}

static uint32_t merged(uint32_t old, gmmu_csr_request r) {
    for (unsigned b = 0; b < 4; b++)
        if (r.strobes >> b & 1)
            old = (old & ~(0xFFu << 8 * b)) | (r.data & 0xFFu << 8 * b);
    return old;
}

// False: the word cannot be written.
static bool write_word(gmmu_csr *c, gmmu_csr_request r, const gmmu_csr_unit *unit) {
    const bool lowest = r.strobes & 1;
    one is;
    switch (r.address) {
        case GMMU_CSR_CONTROL:
            if (lowest && (r.data & GMMU_CSR_SNAPSHOT))
                c->snapshot = unit->counters;
            if (lowest && (r.data & (GMMU_CSR_RESET | GMMU_CSR_UNIT_RESET))) {
                c->left = RESET_CYCLES;  // from the next cycle on
                c->keep = !(r.data & GMMU_CSR_RESET);
            }
            return true;
        case GMMU_CSR_IRQ:
            c->happened &= lowest ? ~r.data : UINT32_MAX;
            return true;
        case GMMU_CSR_IRQ_ENABLE:
            c->enabled = lowest ? r.data & (GMMU_CSR_IRQS - 1u) : c->enabled;
            return true;
        default:
            break;
    }
    if (!find(c, r.address, &is))
        return false;
    const unsigned shift = r.address & 4 ? 32 : 0;
    const uint64_t word = merged((uint32_t)(is.written >> shift), r);
    const uint64_t value = (is.written & ~(UINT64_C(0xFFFFFFFF) << shift)) | word << shift;
    gmmu_csr_half *half = &c->half[is.address / 8];
    if (is.two_words && r.strobes != 0) {
        half->words |= shift != 0 ? 2u : 1u;
        half->left = GMMU_CSR_PATIENCE + 1;  // with this cycle
        if (half->words == 3)
            half->words = 0;
    }
    put(c, is.address, value & mask(is.bits), half->words == 0);
    return true;
}

static uint32_t sum_of_errors(const gmmu_counters *n) {
    return n->drv_errors + n->parity + n->watchdog;
}

static uint32_t sum_of_drops(const gmmu_counters *n) {
    return n->fault_drops + n->rec_drops + n->touch_drops + n->rit_drops + n->hir_drops;
}

gmmu_csr_answer gmmu_csr_cycle(gmmu_csr *c, gmmu_csr_request r, const gmmu_csr_unit *unit) {
    gmmu_csr_answer a = {0};
    const bool holds = c->left != 0, resets = gmmu_csr_resets(c, unit->rests);
    const bool was_waiting = waits(c);
    const gmmu_regs written = c->written;
    c->irq = (c->happened & c->enabled) != 0;
    if (r.valid && !r.write)
        a.bad = !read_word(c, r.address, unit->quiet, &a.data);
    if (r.valid && r.write)
        a.bad = holds || !write_word(c, r, unit);
    end_waits(c);
    c->happened |= unit->events;
    if (!holds && c->errors != sum_of_errors(&unit->counters))
        c->happened |= GMMU_CSR_IRQ_ERROR;
    if (!holds && c->drops != sum_of_drops(&unit->counters))
        c->happened |= GMMU_CSR_IRQ_DROP;
    c->errors = sum_of_errors(&unit->counters);
    c->drops = sum_of_drops(&unit->counters);
    if (resets || (unit->quiet && !unit->comes)) {  // earlier writes come into force
        const gmmu_regs now = c->written;
        c->written = written;
        put_in_force(c);
        c->written = now;
    }
    c->pending = was_waiting;
    if (resets && !c->keep) {
        gmmu_csr fresh;
        gmmu_csr_init(&fresh, c->cfg);
        fresh.left = c->left;
        *c = fresh;
    }
    if (resets)
        c->errors = c->drops = 0;  // the unit counts from 0 again
    if (resets)
        c->left--;
    return a;
}
