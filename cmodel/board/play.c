// SPDX-License-Identifier: Apache-2.0
// play.c: see play.h.
#include "board/play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/beat.h"
#include "blocks/crc32c.h"

enum { RESET_READS = 100000, BEAT_BYTES = 128, QUEUE = 1024 };

struct gmmu_board_play {
    gmmu_link *link;
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_tier unit;
    void *memory;
    gmmu_decision_layout decision;
    // the driver's knowledge: where pages are, and what is in frames
    gmmu_pages *pages;
    uint32_t *frame_of;  // by page, ~0: none
    size_t room;
    uint32_t *page_in;  // by frame
    uint32_t filled;    // frames that are
    // operations that have not gone out, and where each begins
    uint8_t ops[GMMU_PACKET_MOST];
    size_t begins[GMMU_PACKET_MOST];
    size_t size, count;
    // what is expected of the unit
    gmmu_tier_decision expected[QUEUE];
    uint64_t walk_of[QUEUE];
    size_t first, waiting;
    gmmu_board_score score;
};

static bool fails(gmmu_error *err, const char *text) {
    (void)snprintf(err->text, sizeof err->text, "%s", text);
    return false;
}

bool gmmu_board_play_config(gmmu_link *l, gmmu_config *cfg, uint32_t *version, gmmu_error *err) {
    gmmu_link_registers registers = {l, {""}};
    const gmmu_bus bus = gmmu_link_bus(&registers);
    if (!gmmu_bus_identify(&bus, cfg, version)) {
        (void)snprintf(
            err->text, sizeof err->text, "%s",
            registers.err.text[0] != '\0' ? registers.err.text : "found no gmmu-tier on the board");
        return false;
    }
    return true;
}

static bool reset(gmmu_board_play *p, gmmu_error *err) {
    gmmu_link_registers registers = {p->link, {""}};
    const gmmu_bus bus = gmmu_link_bus(&registers);
    // cfg_sample is taken at reset: first the registers, then the reset that keeps them
    if (gmmu_bus_reset(&bus, false, RESET_READS) && gmmu_bus_write_regs(&bus, &p->regs) &&
        gmmu_bus_wait_regs(&bus, RESET_READS) && gmmu_bus_reset(&bus, true, RESET_READS))
        return true;
    return fails(err, registers.err.text[0] != '\0' ? registers.err.text
                                                    : "found a unit that does not end its reset");
}

gmmu_board_play *gmmu_board_play_create(gmmu_link *l, const gmmu_config *cfg, const gmmu_regs *regs,
                                        gmmu_error *err) {
    gmmu_board_play *p = calloc(1, sizeof *p);
    if (p == NULL) {
        (void)fails(err, "out of memory");
        return NULL;
    }
    p->link = l;
    p->cfg = *cfg;
    p->regs = *regs;
    const char *why = gmmu_config_error(&p->cfg);
    const size_t bytes = gmmu_tier_bytes(&p->cfg);
    p->memory = why == NULL ? malloc(bytes) : NULL;
    p->page_in = calloc(p->cfg.frames, sizeof *p->page_in);
    p->pages = gmmu_pages_create();
    p->decision = gmmu_decision_layout_of(&p->cfg);
    if (why == NULL && (p->memory == NULL || p->page_in == NULL || p->pages == NULL))
        why = "out of memory";
    if (why == NULL && (p->regs.tier != GMMU_PLACE_NONE || p->regs.rit_batch != 0))
        why = "found tiers or batches of records switched on, expected neither";
    if (why == NULL && (p->decision.bits + 7) / 8 != l->is.decision)
        why = "found decisions of another size than the unit's sizes make them";
    if (why == NULL && ((gmmu_walk_layout_of(&p->cfg).bits + 7) / 8 != l->is.walk ||
                        (gmmu_drv_layout_of(&p->cfg).bits + 7) / 8 != l->is.drv))
        why = "found walks or driver's operations of another size than the unit's sizes make them";
    if (why == NULL && gmmu_tier_init(&p->unit, &p->cfg, &p->regs, p->memory, bytes) != 0)
        why = "found registers that the unit does not have";
    if (why != NULL ? !fails(err, why) : !reset(p, err)) {
        gmmu_board_play_free(p);
        return NULL;
    }
    return p;
}

void gmmu_board_play_free(gmmu_board_play *p) {
    if (p == NULL)
        return;
    free(p->memory);
    free(p->page_in);
    free(p->frame_of);
    gmmu_pages_destroy(p->pages);
    free(p);
}

gmmu_board_score gmmu_board_play_score(const gmmu_board_play *p) {
    return p->score;
}

// ---- what comes back
// One field of a decision; the first that differs is told.
static bool same(gmmu_board_play *p, const char *name, uint64_t board, uint64_t model) {
    if (board == model)
        return true;
    if (p->score.mismatches++ == 0)
        (void)snprintf(p->score.where, sizeof p->score.where,
                       "walk %" PRIu64 ": decision's %s: board 0x%" PRIx64 ", C model 0x%" PRIx64,
                       p->walk_of[p->first], name, board, model);
    return false;
}

static bool compare(gmmu_board_play *p, const uint8_t *bytes, size_t size) {
    uint32_t words[BEAT_BYTES / 4] = {0};
    if (p->waiting == 0) {
        p->score.mismatches++;
        (void)snprintf(p->score.where, sizeof p->score.where,
                       "walk %" PRIu64 ": the board decides where the C model does not",
                       p->score.walks);
        return false;
    }
    for (size_t i = 0; i < size; i++) words[i / 4] |= (uint32_t)bytes[i] << 8 * (i % 4);
    const gmmu_tier_decision *d = &p->expected[p->first];
    const gmmu_decision_layout *l = &p->decision;
    const bool victim = d->tier == GMMU_TIER_2 || d->tier == GMMU_TIER_3;
    bool good = same(p, "sequence number", gmmu_beat_get(words, l->seq), d->seq) &&
                same(p, "address space", gmmu_beat_get(words, l->asid), d->asid) &&
                same(p, "page", gmmu_beat_get(words, l->vpn), d->vpn) &&
                same(p, "tier", gmmu_beat_get(words, l->tier), d->tier);
    if (victim)
        good = good && same(p, "frame", gmmu_beat_get(words, l->frame), d->frame) &&
               same(p, "victim's address space", gmmu_beat_get(words, l->v_asid), d->victim_asid) &&
               same(p, "victim's page", gmmu_beat_get(words, l->v_vpn), d->victim_vpn) &&
               same(p, "victim's dirty bit", gmmu_beat_get(words, l->v_dirty), d->victim_dirty) &&
               same(p, "priority", gmmu_beat_get(words, l->prio), d->priority) &&
               same(p, "victim's last access", gmmu_beat_get(words, l->v_last), d->victim_last);
    p->score.decisions += good;
    p->first = (p->first + 1) % QUEUE;
    p->waiting--;
    return good;
}

// ---- what goes out
static void append(gmmu_board_play *p, unsigned op, const uint32_t *words, size_t bytes) {
    p->begins[p->count++] = p->size;
    p->ops[p->size++] = (uint8_t)op;
    for (size_t i = 0; i < bytes; i++) p->ops[p->size++] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

// The operations go out until none is left; all that comes back is compared.
static bool flush(gmmu_board_play *p, gmmu_error *err) {
    append(p, GMMU_LINK_NONE | GMMU_LINK_RESTS, NULL, 0);
    size_t from = 0;
    while (from < p->count) {
        gmmu_link_done done;
        if (!gmmu_link_run(p->link, p->ops + p->begins[from], p->size - p->begins[from], &done,
                           err))
            return false;
        size_t at = 0, size;
        unsigned kind;
        const uint8_t *bytes;
        while (gmmu_link_record(p->link, &done, &at, &kind, &bytes, &size)) {
            if (kind != GMMU_LINK_OF_DECISION || size == 0 || size > BEAT_BYTES)
                return fails(err, "found a record of the board that nobody asked for");
            if (!compare(p, bytes, size))
                return true;
        }
        if (done.status == GMMU_LINK_STUCK || done.status == GMMU_LINK_BAD ||
            done.done > p->count - from || (done.done == 0 && done.records == 0))
            return fails(err, done.status == GMMU_LINK_STUCK
                                  ? "found a unit that does not come to rest"
                                  : "found operations refused by the board");
        from += done.done;
    }
    p->size = p->count = 0;
    if (p->waiting != 0 && p->score.mismatches++ == 0)
        (void)snprintf(p->score.where, sizeof p->score.where,
                       "walk %" PRIu64 ": the C model decides where the board does not",
                       p->walk_of[p->first]);
    return true;
}

static void expect(void *context, const gmmu_tier_decision *d) {
    gmmu_board_play *p = context;
    const size_t at = (p->first + p->waiting++) % QUEUE;
    p->expected[at] = *d;
    p->walk_of[at] = p->score.walks;
}

static bool page_index(gmmu_board_play *p, const gmmu_walk *w, uint32_t *index, gmmu_error *err) {
    *index = gmmu_pages_index(p->pages, w->asid, w->vpn);
    if (*index != GMMU_NO_PAGE && *index >= p->room) {
        const size_t room = p->room == 0 ? 4096 : p->room * 2;
        uint32_t *grown = gmmu_grow(p->frame_of, p->room, room, sizeof *grown, 0xFF);
        if (grown == NULL)
            return fails(err, "out of memory");
        p->frame_of = grown;
        p->room = room;
    }
    return *index != GMMU_NO_PAGE || fails(err, "out of memory");
}

static bool fits(const gmmu_board_play *p, const gmmu_walk *w, gmmu_error *err) {
    const gmmu_config *c = &p->cfg;
    const bool vpn = c->vpn_w >= 64 || w->vpn >> c->vpn_w == 0;
    if (vpn && (c->asid_w >= 32 || w->asid >> c->asid_w == 0))
        return true;
    (void)snprintf(err->text, sizeof err->text,
                   "walk %" PRIu64 ": found page 0x%" PRIx64 " of address space %" PRIu32
                   ", expected numbers of %u and %u bits, which the board's unit has",
                   p->score.walks + 1, w->vpn, w->asid, c->vpn_w, c->asid_w);
    return false;
}

static void send_walk(gmmu_board_play *p, const gmmu_tier_walk_in *in) {
    const gmmu_walk_layout l = gmmu_walk_layout_of(&p->cfg);
    uint32_t words[BEAT_BYTES / 4] = {0};
    gmmu_beat_put(words, l.vpn, in->vpn);
    gmmu_beat_put(words, l.ref, in->ref);
    gmmu_beat_put(words, l.asid, in->asid);
    gmmu_beat_put(words, l.write, in->write);
    gmmu_beat_put(words, l.fault, in->fault);
    gmmu_beat_put(words, l.frame, in->frame);
    append(p, GMMU_LINK_WALK | GMMU_LINK_RESTS, words, p->link->is.walk);
    (void)gmmu_tier_walk(&p->unit, *in);
    gmmu_tier_settle(&p->unit, expect, p);
}

// The answer to the last decision: the page goes into the lowest free frame, or over the victim.
static void send_fill(gmmu_board_play *p, const gmmu_tier_decision *d, uint32_t page) {
    const bool over = d->tier != GMMU_TIER_FREE;
    const gmmu_drv_layout l = gmmu_drv_layout_of(&p->cfg);
    uint32_t words[BEAT_BYTES / 4] = {0};
    const gmmu_tier_drv_in in = {
        .op = GMMU_FILL, .vpn = d->vpn, .asid = d->asid, .frame = over ? d->frame : p->filled++};
    if (over)
        p->frame_of[p->page_in[in.frame]] = UINT32_MAX;
    p->frame_of[page] = in.frame;
    p->page_in[in.frame] = page;
    p->score.evictions += over;
    gmmu_beat_put(words, l.op, in.op);
    gmmu_beat_put(words, l.vpn, in.vpn);
    gmmu_beat_put(words, l.asid, in.asid);
    gmmu_beat_put(words, l.frame, in.frame);
    append(p, GMMU_LINK_DRV | GMMU_LINK_RESTS, words, p->link->is.drv);
    (void)gmmu_tier_drv(&p->unit, in);
    gmmu_tier_settle(&p->unit, expect, p);
}

bool gmmu_board_play_walk(gmmu_board_play *p, const gmmu_walk *w, gmmu_error *err) {
    const gmmu_link_hello *is = &p->link->is;
    // a walk, its FILL, the last operation of a packet
    const size_t most = 3 + (size_t)is->walk + is->drv;
    uint32_t page;
    if (p->score.mismatches != 0 || !fits(p, w, err) || !page_index(p, w, &page, err))
        return false;
    if (((p->count != 0 && p->size + most > p->link->most - GMMU_PACKET_HEAD) ||
         p->waiting + 2 > QUEUE) &&
        (!flush(p, err) || p->score.mismatches != 0))
        return false;
    p->score.walks++;
    const uint32_t frame = p->frame_of[page];
    const gmmu_tier_walk_in in = {.vpn = w->vpn,
                                  .asid = w->asid,
                                  .ref = gmmu_fold_ref(w->ref, p->cfg.ref_w),
                                  .write = w->write,
                                  .fault = frame == UINT32_MAX,
                                  .frame = frame == UINT32_MAX ? 0 : frame};
    const size_t before = p->waiting;
    send_walk(p, &in);
    if (!in.fault)
        return true;
    p->score.faults++;
    if (p->waiting == before)
        return fails(err, "found no decision of the C model for a fault");
    const gmmu_tier_decision d = p->expected[(p->first + p->waiting - 1) % QUEUE];
    if (d.tier == GMMU_TIER_NONE)
        return fails(err, "found no candidate for a fault");
    send_fill(p, &d, page);
    return true;
}

bool gmmu_board_play_end(gmmu_board_play *p, gmmu_error *err) {
    if (p->score.mismatches != 0 || !flush(p, err) || p->score.mismatches != 0)
        return false;
    gmmu_link_registers registers = {p->link, {""}};
    const gmmu_bus bus = gmmu_link_bus(&registers);
    gmmu_counters board;
    const gmmu_counters model = gmmu_tier_counters(&p->unit);
    if (!gmmu_bus_counters(&bus, &board))
        return fails(err, registers.err.text);
#define COMPARE(name)                                                           \
    if (board.name != model.name && p->score.mismatches++ == 0)                 \
        (void)snprintf(p->score.where, sizeof p->score.where,                   \
                       "after walk %" PRIu64 ": stat_" #name ": board %" PRIu32 \
                       ", C model %" PRIu32,                                    \
                       p->score.walks, board.name, model.name);
    GMMU_COUNTERS(COMPARE)
#undef COMPARE
    return p->score.mismatches == 0;
}
