// SPDX-License-Identifier: Apache-2.0
// device.c: see device.h.
#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "blocks/beat.h"
#include "blocks/csr.h"
#include "blocks/ring.h"
#include "blocks/schedule.h"

enum { WAITING = 4096, RECENT = 65536, WORDS = GMMU_RING_MOST_WORDS };
enum { ANSWER = 20, ACCESS = 4 };  // cycles of memory for a write or a read; of the bus

struct device {
    gmmu_config cfg;
    gmmu_tier unit;
    gmmu_csr csr;
    gmmu_ring ring;
    void *unit_memory;
    uint8_t *memory;
    gmmu_decision_layout decision;
    gmmu_drv_layout drv;
    // m_axis_decision: decisions that wait, in a ring of their own
    uint32_t waiting[WAITING][WORDS];
    uint32_t first, count;
    // memory: an answer comes ANSWER cycles after its write or read; writes in order
    uint64_t written_at[GMMU_RING_MOST_WRITES], read_at;
    unsigned writes;
    gmmu_ring_burst burst;
    uint64_t cycle, decided[RECENT];
};

static void put_decision(void *context, const gmmu_tier_decision *is) {
    device *d = context;
    const gmmu_decision_layout *l = &d->decision;
    uint32_t *beat = d->waiting[(d->first + d->count++) % WAITING];
    memset(beat, 0, sizeof d->waiting[0]);
    gmmu_beat_put(beat, l->seq, is->seq);
    gmmu_beat_put(beat, l->asid, is->asid);
    gmmu_beat_put(beat, l->vpn, is->vpn);
    gmmu_beat_put(beat, l->tier, is->tier);
    gmmu_beat_put(beat, l->frame, is->frame);
    gmmu_beat_put(beat, l->v_asid, is->victim_asid);
    gmmu_beat_put(beat, l->v_vpn, is->victim_vpn);
    gmmu_beat_put(beat, l->v_dirty, is->victim_dirty);
    gmmu_beat_put(beat, l->prio, is->priority);
    gmmu_beat_put(beat, l->v_last, is->victim_last);
    d->decided[is->seq % RECENT] = d->cycle;
}

static void take_operation(device *d, const uint32_t *beat) {
    const gmmu_drv_layout *l = &d->drv;
    gmmu_tier_drv(&d->unit, (gmmu_tier_drv_in){.op = (unsigned)gmmu_beat_get(beat, l->op),
                                               .frame = (uint32_t)gmmu_beat_get(beat, l->frame),
                                               .asid = (uint32_t)gmmu_beat_get(beat, l->asid),
                                               .vpn = gmmu_beat_get(beat, l->vpn),
                                               .dirty = gmmu_beat_get(beat, l->dirty) != 0});
    gmmu_tier_settle(&d->unit, put_decision, d);
}

static void reset_unit(device *d) {
    d->first = d->count = 0;
    (void)gmmu_tier_init(&d->unit, &d->cfg, &d->csr.in_force, d->unit_memory,
                         gmmu_tier_bytes(&d->cfg));
    d->unit.hir_unheard = true;
}

device *device_create(const gmmu_config *cfg) {
    device *d = calloc(1, sizeof *d);
    if (d == NULL)
        return NULL;
    d->cfg = *cfg;
    d->decision = gmmu_decision_layout_of(cfg);
    d->drv = gmmu_drv_layout_of(cfg);
    d->unit_memory = malloc(gmmu_tier_bytes(cfg));
    d->memory = aligned_alloc(64, DEVICE_MEMORY);
    if (d->unit_memory == NULL || d->memory == NULL) {
        device_destroy(d);
        return NULL;
    }
    memset(d->memory, 0xA5, DEVICE_MEMORY);
    gmmu_csr_init(&d->csr, cfg);
    gmmu_ring_init(&d->ring, cfg, 40, 64, 8, 8);
    reset_unit(d);
    return d;
}

void device_destroy(device *d) {
    free(d->unit_memory);
    free(d->memory);
    free(d);
}

uint8_t *device_memory(device *d) {
    return d->memory;
}

bool device_irq(const device *d) {
    return gmmu_ring_irq(&d->ring);
}

uint64_t device_cycles(const device *d) {
    return d->cycle;
}

uint64_t device_decided(const device *d, uint32_t seq) {
    return d->decided[seq % RECENT];
}

void device_walk(device *d, const gmmu_tier_walk_in *walk) {
    gmmu_tier_walk(&d->unit, *walk);
    gmmu_tier_settle(&d->unit, put_decision, d);
}

static void step_writes(device *d) {
    gmmu_ring_entry e;
    if (d->count != 0 && gmmu_ring_take(&d->ring, GMMU_RING_DECISION, d->waiting[d->first], true,
                                        &e) == GMMU_RING_FATE_ENTRY) {
        d->first = (d->first + 1) % WAITING;
        d->count--;
        memcpy(d->memory + (e.address - DEVICE_ADDRESS), e.data, e.bytes);
        d->written_at[d->writes++] = d->cycle + ANSWER;
    }
    if (d->writes != 0 && d->written_at[0] <= d->cycle) {
        memmove(d->written_at, d->written_at + 1, --d->writes * sizeof d->written_at[0]);
        gmmu_ring_written(&d->ring, true);
    }
}

static void step_reads(device *d) {
    if (d->burst.entries == 0 && gmmu_ring_fetch(&d->ring, GMMU_RING_DRV, &d->burst))
        d->read_at = d->cycle + ANSWER;
    if (d->burst.entries != 0 && d->read_at <= d->cycle) {
        gmmu_ring_fetched(&d->ring, d->memory + (d->burst.address - DEVICE_ADDRESS), true);
        d->burst.entries = 0;
    }
    const uint32_t *op = gmmu_ring_op(&d->ring, GMMU_RING_DRV);
    if (op != NULL) {
        take_operation(d, op);
        gmmu_ring_op_taken(&d->ring, GMMU_RING_DRV);
    }
}

void device_step(device *d) {
    step_writes(d);
    step_reads(d);
    gmmu_ring_clock(&d->ring);
    d->cycle++;
}

// A cycle of csr, and with RESET under way the cycles until its end.
static bool csr_access(device *d, gmmu_csr_request r, uint32_t *data) {
    gmmu_csr_answer answer = {0};
    bool resets = false;
    do {
        const gmmu_csr_unit is = {.quiet = d->count == 0,
                                  .rests = gmmu_ring_rests(&d->ring),
                                  .counters = gmmu_tier_counters(&d->unit)};
        resets = resets || gmmu_csr_resets(&d->csr, is.rests);
        const gmmu_csr_answer now = gmmu_csr_cycle(&d->csr, r, &is);
        answer = r.valid ? now : answer;
        r.valid = false;
        gmmu_ring_stop(&d->ring, d->csr.left != 0);
        device_step(d);
    } while (d->csr.left != 0);
    if (resets) {
        gmmu_ring_reset(&d->ring, !d->csr.keep);
        reset_unit(d);
    }
    *data = answer.data;
    return !answer.bad;
}

static bool read32(void *context, uint32_t address, uint32_t *data) {
    device *d = context;
    for (unsigned i = 0; i < ACCESS; i++) device_step(d);
    if (address >= GMMU_RING_PAGE)
        return gmmu_ring_read(&d->ring, (address - GMMU_RING_PAGE) / 4, data);
    return csr_access(d, (gmmu_csr_request){.valid = true, .address = address}, data);
}

static bool write32(void *context, uint32_t address, uint32_t data) {
    device *d = context;
    uint32_t none;
    bool ok;
    if (address >= GMMU_RING_PAGE)
        ok = gmmu_ring_write(&d->ring, (address - GMMU_RING_PAGE) / 4, data, 15);
    else
        ok = csr_access(d, (gmmu_csr_request){true, true, address, data, 15}, &none);
    for (unsigned i = 0; i < ACCESS; i++) device_step(d);
    return ok;
}

gmmu_bus device_bus(device *d) {
    return (gmmu_bus){.context = d, .read32 = read32, .write32 = write32};
}
