// SPDX-License-Identifier: Apache-2.0
// driver.c: see driver.h. The order of what is done is that of docs/guide/integration.md.
#include "driver.h"

#include <string.h>

#include "blocks/beat.h"
#include "gmmu/codes.h"

enum { PATIENCE = 100000, DECISIONS = 256, OPERATIONS = 128 };  // reads of a register; entries

static void push(transfers *q, transfer t) {
    q->of[(q->first + q->count++) % DRIVER_MOST] = t;
}

static transfer pop(transfers *q) {
    const transfer t = q->of[q->first];
    q->first = (q->first + 1) % DRIVER_MOST;
    q->count--;
    return t;
}

// excerpt rings_start
bool driver_start(driver *d, gmmu_bus bus, void *memory, uint64_t address, uint32_t frames,
                  const gmmu_unit_interrupts *when) {
    uint32_t version;
    d->bus = bus;
    if (!gmmu_bus_identify(&d->bus, &d->sizes, &version))
        return false;
    gmmu_regs regs = gmmu_regs_default(&d->sizes);
    regs.frames = d->frames = frames;
    regs.search = GMMU_SEARCH_SAMPLE;
    d->decision = gmmu_decision_layout_of(&d->sizes);
    d->drv = gmmu_drv_layout_of(&d->sizes);
    if (!gmmu_bus_write_regs(&d->bus, &regs) || !gmmu_bus_reset(&d->bus, true, PATIENCE) ||
        !gmmu_rings_open(&d->decisions, &d->bus, GMMU_RING_DECISION, PATIENCE) ||
        !gmmu_rings_open(&d->operations, &d->bus, GMMU_RING_DRV, PATIENCE))
        return false;
    const uint64_t behind = (gmmu_rings_bytes(&d->decisions, DECISIONS) + 63) / 64 * 64;
    return gmmu_rings_memory(&d->decisions, memory, address, DECISIONS) &&
           gmmu_rings_memory(&d->operations, (uint8_t *)memory + behind, address + behind,
                             OPERATIONS) &&
           gmmu_rings_interrupts(&d->decisions, when) && gmmu_rings_enable(&d->decisions) &&
           gmmu_rings_enable(&d->operations);
}
// end rings_start

static uint64_t field(const uint32_t *beat, gmmu_field f) {
    return gmmu_beat_get(beat, f);
}

// Posts an operation; a full ring has room when the unit has gone on.
static bool tell(driver *d, unsigned op, uint32_t frame, uint32_t page) {
    uint32_t beat[GMMU_UNIT_BEAT_WORDS] = {0};
    bool full = true;
    gmmu_beat_put(beat, d->drv.op, op);
    gmmu_beat_put(beat, d->drv.frame, frame);
    gmmu_beat_put(beat, d->drv.asid, gmmu_pages_asid(d->pages, page));
    gmmu_beat_put(beat, d->drv.vpn, gmmu_pages_number(d->pages, page));
    for (unsigned i = 0; i < PATIENCE && full; i++)
        if (!gmmu_rings_post(&d->operations, beat, &full))
            return false;
    return !full && gmmu_rings_ring(&d->operations);
}

// excerpt rings_follow
static bool follow(driver *d, const uint32_t *beat) {
    const gmmu_decision_layout *l = &d->decision;
    const uint32_t page =
        gmmu_pages_find(d->pages, (uint32_t)field(beat, l->asid), field(beat, l->vpn));
    const unsigned tier = (unsigned)field(beat, l->tier);
    transfer t = {.page = page, .seq = (uint32_t)field(beat, l->seq)};
    uint32_t victim = GMMU_NO_PAGE;
    d->decided++;
    t.frame = tier == GMMU_TIER_FREE ? d->used : (uint32_t)field(beat, l->frame);
    if (d->table[page].frame != NOWHERE) {  // the page has come meanwhile: a victim stays
        d->kept++;
        return tier == GMMU_TIER_NONE || tell(d, GMMU_CANCEL, t.frame, page);
    }
    t.again = tier == GMMU_TIER_NONE;
    if (tier == GMMU_TIER_FREE) {
        d->used++;
    } else if (!t.again) {
        victim = gmmu_pages_find(d->pages, (uint32_t)field(beat, l->v_asid), field(beat, l->v_vpn));
        // unmapped before the page is copied; the walkers' bit has the writes since the decision
        t.writes = field(beat, l->v_dirty) != 0 || d->table[victim].dirty;
        d->table[victim].frame = NOWHERE;
        d->evictions++;
        d->writebacks += t.writes;
    }
    push(&d->to_move, t);
    if (d->heard != NULL)
        d->heard(d->context, t.seq, page, t.again ? NOWHERE : t.frame, victim);
    return true;
}

bool driver_interrupt(driver *d) {
    uint32_t beat[GMMU_UNIT_BEAT_WORDS], events;
    if (!gmmu_rings_look(&d->decisions, NULL))
        return false;
    while (gmmu_rings_take(&d->decisions, beat, NULL))
        if (!follow(d, beat))
            return false;
    // the entries first: a bit whose condition still holds would come back
    return gmmu_rings_give_back(&d->decisions) && gmmu_rings_events(&d->decisions, &events) &&
           (events & GMMU_RING_STATUS_HIGH_ERROR) == 0;
}
// end rings_follow

const transfer *driver_next(const driver *d) {
    return d->to_move.count != 0 ? &d->to_move.of[d->to_move.first] : NULL;
}

bool driver_moved(driver *d) {
    const transfer t = pop(&d->to_move);
    if (t.again) {
        d->retries++;
        return d->table[t.page].frame != NOWHERE || tell(d, GMMU_ASK, 0, t.page);
    }
    push(&d->told, t);
    return tell(d, GMMU_FILL, t.frame, t.page);
}

// The unit knows of a page before a walk can hit the page.
bool driver_map(driver *d) {
    uint32_t waiting;
    if (d->told.count == 0)
        return true;
    if (!gmmu_rings_waiting(&d->operations, &waiting))
        return false;
    while (d->told.count > waiting) {
        const transfer t = pop(&d->told);
        d->table[t.page] = (page_entry){.frame = t.frame};
        if (d->mapped != NULL)
            d->mapped(d->context, t.page);
    }
    return true;
}

bool driver_clean(driver *d) {
    gmmu_counters n;
    return gmmu_bus_counters(&d->bus, &n) && n.drv_errors == 0 && n.fault_drops == 0 &&
           n.stale_hits == 0;
}
