// SPDX-License-Identifier: Apache-2.0
// steps.c: writes what tb/fourstate/bench.v plays to the unit behind its bus: accesses of its
// registers, walks and driver operations on the standard schedule (docs/guide/schedule.md), each
// decision as the C model makes it, and resets amid traffic.
//
//   steps NAME=VALUE...   sizes by the names of config/gmmu.json (FRAMES, T2_SLOTS, FRAME_MEM, ...)
//   beside those of `tiny`,
//                         and seed=N, walks=N
//
// A line is a step: a letter and its numbers, all in hexadecimal.
//   W address data              write of a register
//   C address data              read of a register that holds just this
//   P address mask data         reads of a register until the bits of the mask are so
//   A                           read of every word of the map, whatever the answer
//   k beat, d beat, x beat      a walk, an operation of the driver, an operation on a range
//   q                           until the unit is quiet
//   e mask beat                 the next decision
//   n cycles                    random traffic, which goes on in the next steps until the unit is
//   in reset S bits                      reset by the control register, with these bits H cycles
//   hard reset
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/beat.h"
#include "blocks/schedule.h"
#include "driver/unit_bus.h"

enum { PAGES = 64, MOST_FRAMES = 64, MOST_SLOTS = 64, WORDS = 16, NOWHERE = -1 };

typedef struct {
    gmmu_config cfg;
    gmmu_regs regs;
    gmmu_tier unit;
    void *memory;
    uint64_t random;
    // the driver: where each page is, and what is in the frames and slots
    int frame_of[PAGES], slot_of[PAGES];
    int page_in[MOST_FRAMES], page_below[MOST_SLOTS];
    bool pinned[MOST_FRAMES];
    // the decisions of the last step
    gmmu_tier_decision decided[8];
    unsigned decisions;
} play;

static uint32_t below(play *p, uint32_t n) {
    p->random = p->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((p->random >> 33) % n);
}

// ---- steps
static void beat(const uint32_t *words) {
    putchar(' ');
    for (int i = WORDS; i-- > 0;) printf("%08" PRIx32, words[i]);
}

static void step(char letter, const uint32_t *words) {
    putchar(letter);
    beat(words);
    putchar('\n');
}

static bool write_word(void *context, uint32_t address, uint32_t data) {
    (void)context;
    printf("W %" PRIx32 " %" PRIx32 "\n", address, data);
    return true;
}

static void hear(void *context, const gmmu_tier_decision *d) {
    play *p = context;
    p->decided[p->decisions++] = *d;
}

// The unit is left alone until it is quiet, then its decisions are compared: all fields that mean
// something.
static void settle(play *p) {
    const gmmu_decision_layout l = gmmu_decision_layout_of(&p->cfg);
    p->decisions = 0;
    gmmu_tier_settle(&p->unit, hear, p);
    puts("q");
    for (unsigned i = 0; i < p->decisions; i++) {
        const gmmu_tier_decision *d = &p->decided[i];
        uint32_t mask[WORDS] = {0}, expected[WORDS] = {0};
        const bool victim = d->tier == GMMU_TIER_2 || d->tier == GMMU_TIER_3,
                   tiers = p->regs.tier != 0;
#define FIELD(of, name, value, told)                      \
    if (told) {                                           \
        gmmu_beat_put(mask, l.name, UINT64_MAX);          \
        gmmu_beat_put(expected, l.name, (uint64_t)value); \
    }
        FIELD(d, seq, d->seq, true)
        FIELD(d, asid, d->asid, true)
        FIELD(d, vpn, d->vpn, true)
        FIELD(d, tier, d->tier, true)
        FIELD(d, frame, d->frame, victim)
        FIELD(d, v_asid, d->victim_asid, victim)
        FIELD(d, v_vpn, d->victim_vpn, victim)
        FIELD(d, v_dirty, d->victim_dirty, victim)
        FIELD(d, prio, d->priority, victim)
        FIELD(d, v_last, d->victim_last, victim)
        FIELD(d, rise, d->rise, tiers && d->tier != GMMU_TIER_NONE)
        FIELD(d, swap, d->swap, tiers && victim)
        FIELD(d, pred, d->pred, tiers && victim)
        FIELD(d, forced, d->forced, tiers && victim)
        FIELD(d, t2_valid, d->t2_valid, tiers && victim)
        FIELD(d, t2_slot, d->t2_slot, tiers && victim && d->t2_valid)
        FIELD(d, t2_asid, d->t2_asid, tiers && victim && d->t2_valid)
        FIELD(d, t2_vpn, d->t2_vpn, tiers && victim && d->t2_valid)
        FIELD(d, t2_dirty, d->t2_dirty, tiers && victim && d->t2_valid)
#undef FIELD
        putchar('e');
        beat(mask);
        beat(expected);
        putchar('\n');
    }
}

static void operation(play *p, gmmu_tier_drv_in in) {
    const gmmu_drv_layout l = gmmu_drv_layout_of(&p->cfg);
    uint32_t words[WORDS] = {0};
    gmmu_beat_put(words, l.op, in.op);
    gmmu_beat_put(words, l.frame, in.frame);
    gmmu_beat_put(words, l.asid, in.asid);
    gmmu_beat_put(words, l.vpn, in.vpn);
    gmmu_beat_put(words, l.dirty, in.dirty);
    gmmu_beat_put(words, l.t2, in.t2);
    gmmu_beat_put(words, l.slot, in.slot);
    step('d', words);
    (void)gmmu_tier_drv(&p->unit, in);
    settle(p);
}

// ---- the driver
static uint32_t asid_of(const play *p, int page) {
    return (uint32_t)page % (p->cfg.asid_w > 1 ? 3 : 2);
}

static uint64_t vpn_of(int page) {
    return 0x40 + (uint64_t)page * 7;
}

static int empty_place(const int *in, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (in[i] == NOWHERE)
            return (int)i;
    return NOWHERE;
}

static void comes(play *p, int page, int frame) {
    p->frame_of[page] = frame;
    p->page_in[frame] = page;
}

static void leaves_slot(play *p, int slot) {
    p->slot_of[p->page_below[slot]] = NOWHERE;
    p->page_below[slot] = NOWHERE;
}

// The answer to the decision D of PAGE (docs/guide/integration.md).
static void serve(play *p, int page, const gmmu_tier_decision *d) {
    gmmu_tier_drv_in fill = {
        .op = GMMU_FILL, .asid = asid_of(p, page), .vpn = vpn_of(page), .dirty = below(p, 4) == 0};
    if (d->tier == GMMU_TIER_NONE)
        return;
    if (d->tier != GMMU_TIER_FREE &&
        below(p, 16) == 0) {  // the victim stays; another decision is asked for later
        operation(p, (gmmu_tier_drv_in){.op = GMMU_CANCEL,
                                        .frame = d->frame,
                                        .asid = fill.asid,
                                        .vpn = fill.vpn,
                                        .t2 = d->rise,
                                        .slot = d->rise ? (uint32_t)p->slot_of[page] : 0});
        if (d->t2_valid)
            operation(p, (gmmu_tier_drv_in){.op = GMMU_T2_CANCEL, .slot = d->t2_slot});
        return;
    }
    fill.frame =
        d->tier == GMMU_TIER_FREE ? (uint32_t)empty_place(p->page_in, p->regs.frames) : d->frame;
    const int victim = p->page_in[fill.frame];
    int into = NOWHERE;
    if (d->t2_valid)
        leaves_slot(p, (int)d->t2_slot);
    if (d->rise) {
        fill.t2 = true;
        fill.slot = (uint32_t)p->slot_of[page];
    }
    if (d->swap) {
        fill.op = GMMU_T2_SWAP;
        into = (int)fill.slot;
    } else if (d->tier == GMMU_TIER_2 && p->regs.tier != 0) {
        into = empty_place(p->page_below, p->regs.t2_slots);
        operation(p, (gmmu_tier_drv_in){
                         .op = GMMU_T2_FILL_DONE, .frame = d->frame, .slot = (uint32_t)into});
    }
    if (victim != NOWHERE)
        p->frame_of[victim] = NOWHERE;
    if (d->rise)
        leaves_slot(p, (int)fill.slot);
    if (into != NOWHERE) {
        p->slot_of[victim] = into;
        p->page_below[into] = victim;
    }
    comes(p, page, (int)fill.frame);
    operation(p, fill);
}

// A page is used: some by one instruction again and again, the others in turn.
static void walk(play *p, int page, uint64_t ref) {
    const gmmu_walk_layout l = gmmu_walk_layout_of(&p->cfg);
    const int frame = p->frame_of[page], slot = p->slot_of[page];
    const gmmu_tier_walk_in in = {.vpn = vpn_of(page),
                                  .ref = ref,
                                  .asid = asid_of(p, page),
                                  .write = below(p, 3) == 0,
                                  .fault = frame == NOWHERE,
                                  .frame = frame == NOWHERE ? 0 : (uint32_t)frame,
                                  .t2 = frame == NOWHERE && slot != NOWHERE,
                                  .slot = slot == NOWHERE ? 0 : (uint32_t)slot};
    uint32_t words[WORDS] = {0};
    gmmu_beat_put(words, l.vpn, in.vpn);
    gmmu_beat_put(words, l.ref, in.ref);
    gmmu_beat_put(words, l.asid, in.asid);
    gmmu_beat_put(words, l.sm, below(p, 8));
    gmmu_beat_put(words, l.write, in.write);
    gmmu_beat_put(words, l.fault, in.fault);
    gmmu_beat_put(words, l.frame, in.frame);
    gmmu_beat_put(words, l.t2, in.t2);
    gmmu_beat_put(words, l.slot, in.slot);
    step('k', words);
    (void)gmmu_tier_walk(&p->unit, in);
    settle(p);
    if (in.fault && p->decisions != 0) {
        const gmmu_tier_decision d = p->decided[p->decisions - 1];
        serve(p, page, &d);
    }
}

static void range(play *p) {
    const gmmu_range_layout l = gmmu_range_layout_of(&p->cfg);
    const uint64_t start = 64 * below(p, 40);
    uint32_t words[WORDS] = {0};
    gmmu_beat_put(words, l.op, below(p, 11));
    gmmu_beat_put(words, l.tag, below(p, 256));
    gmmu_beat_put(words, l.asid, below(p, 2));
    gmmu_beat_put(words, l.start, start);
    gmmu_beat_put(words, l.last, start + 63 + 64 * below(p, 3));
    step('x', words);
    puts("q");
}

// A use of a page, and now and then another operation of the driver.
static void turn(play *p, int count) {
    const bool hot = count % 3 == 0;
    walk(p, hot ? count / 3 % 5 : 5 + count * 3 % (PAGES / 2),
         hot ? 3 : 11 + (uint64_t)(count / 40));
    if (count % 7 == 3 && p->cfg.ranges != 0)
        range(p);
    const int frame = (int)below(p, p->regs.frames), page = p->page_in[frame];
    if (count % 16 != 9 || page == NOWHERE)
        return;
    if (below(p, 2) == 0) {
        p->page_in[frame] = p->frame_of[page] = NOWHERE;
        operation(p, (gmmu_tier_drv_in){.op = GMMU_FREE, .frame = (uint32_t)frame});
    } else {
        operation(p, (gmmu_tier_drv_in){.op = GMMU_PIN, .frame = (uint32_t)frame});
        walk(p, 40 + count / 16, 5);
        operation(p, (gmmu_tier_drv_in){.op = GMMU_UNPIN, .frame = (uint32_t)frame});
    }
}

// ---- a session: the registers, COUNT uses, the counters
static void fresh(play *p) {
    memset(p->frame_of, 0xFF, sizeof p->frame_of);
    memset(p->slot_of, 0xFF, sizeof p->slot_of);
    memset(p->page_in, 0xFF, sizeof p->page_in);
    memset(p->page_below, 0xFF, sizeof p->page_below);
    if (gmmu_tier_init(&p->unit, &p->cfg, &p->regs, p->memory, gmmu_tier_bytes(&p->cfg)) != 0) {
        fprintf(stderr, "steps: found registers or sizes that the unit does not have\n");
        exit(2);
    }
}

static void registers(play *p) {
    const gmmu_bus bus = {.write32 = write_word};
    (void)gmmu_bus_write_regs(&bus, &p->regs);
    (void)write_word(NULL, GMMU_CSR_IRQ_ENABLE, 0x3F);
    printf("P %x %x 0\n", GMMU_CSR_STATUS, GMMU_CSR_PENDING);
}

static void session(play *p, int count) {
    fresh(p);
    for (int i = 0; i < count; i++) turn(p, i);
    printf("P %x 3 1\n", GMMU_CSR_STATUS);
    (void)write_word(NULL, GMMU_CSR_CONTROL, GMMU_CSR_SNAPSHOT);
    const gmmu_counters n = gmmu_tier_counters(&p->unit);
#define COUNTER(name, at) printf("C %x %" PRIx32 "\n", at, n.name);
    COUNTER(walks, GMMU_CSR_STAT_WALKS)
    COUNTER(stale_hits, GMMU_CSR_STAT_STALE_HITS)
    COUNTER(merged, GMMU_CSR_STAT_MERGED)
    COUNTER(rec_drops, GMMU_CSR_STAT_REC_DROPS)
    COUNTER(drv_errors, GMMU_CSR_STAT_DRV_ERRORS)
    COUNTER(none, GMMU_CSR_STAT_NONE)
    COUNTER(t2_stale, GMMU_CSR_STAT_T2_STALE)
    COUNTER(t2_none, GMMU_CSR_STAT_T2_NONE)
    COUNTER(parity, GMMU_CSR_STAT_PARITY)
#undef COUNTER
}

static void sized(play *p, const char *name, unsigned value) {
    gmmu_config *c = &p->cfg;
    const struct {
        const char *name;
        unsigned *size;
    } sizes[] = {{"FRAMES", &c->frames},   {"T2_SLOTS", &c->t2_slots}, {"FRAME_MEM", &c->frame_mem},
                 {"PARITY", &c->parity},   {"BINS", &c->bins},         {"TP_SETS", &c->tp_sets},
                 {"TP_WAYS", &c->tp_ways}, {"RANGES", &c->ranges},     {"LINES", &c->lines},
                 {"SAMPLER", &c->sampler}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(name, sizes[i].name) == 0) {
            *sizes[i].size = value;
            return;
        }
    fprintf(stderr, "steps: found size \"%s\", expected FRAMES, T2_SLOTS, FRAME_MEM, PARITY, ...\n",
            name);
    exit(2);
}

int main(int argc, char **argv) {
    static play p;
    int walks = 74;
    p.cfg = gmmu_configs[0];
    p.random = 1;
    for (int i = 1; i < argc; i++) {
        char name[32];
        unsigned value;
        if (sscanf(argv[i], "%31[^=]=%u", name, &value) != 2) {
            fprintf(stderr, "usage: steps NAME=VALUE...\n");
            return 2;
        }
        if (strcmp(name, "seed") == 0)
            p.random = value;
        else if (strcmp(name, "walks") == 0)
            walks = (int)value;
        else
            sized(&p, name, value);
    }
    const char *why = gmmu_config_error(&p.cfg);
    if (why != NULL || p.cfg.frames > MOST_FRAMES || p.cfg.t2_slots > MOST_SLOTS) {
        fprintf(stderr, "steps: %s\n",
                why != NULL ? why : "found more frames or slots than it has places for");
        return 2;
    }
    p.memory = malloc(gmmu_tier_bytes(&p.cfg));
    if (p.memory == NULL)
        return 2;
    const bool tiers = p.cfg.t2_slots != 0;

    // from power-up
    puts("H 4");
    p.regs = gmmu_regs_default(&p.cfg);
    p.regs.search = p.cfg.frame_mem != 0 ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_SCAN;
    p.regs.refresh = 5;
    p.regs.rit_batch = 4;
    p.regs.rit_wait = 5;
    p.regs.transfer = 4;
    p.regs.protect = p.cfg.frame_mem != 0 ? 0 : 64;
    p.regs.tier = tiers ? GMMU_PLACE_PRIORITY : 0;
    p.regs.range_bytes = 4096;
    registers(&p);
    session(&p, walks);

    // a soft reset amid traffic, all registers as at power-up
    puts("n 300");
    printf("S %x\n", GMMU_CSR_RESET);
    p.regs.search = p.cfg.frame_mem != 0 ? GMMU_SEARCH_SAMPLE : GMMU_SEARCH_CLOCK;
    p.regs.feed = 1;
    p.regs.protect = 0;
    p.regs.tier = tiers ? GMMU_PLACE_REUSE : 0;
    registers(&p);
    session(&p, walks / 3 + 2);

    // one that keeps the registers, while fewer frames are enabled
    p.regs.frames = p.cfg.frames - p.cfg.frames / 4;
    p.regs.sample = 1;
    p.regs.search = GMMU_SEARCH_SAMPLE;
    p.regs.feed = 0;
    registers(&p);
    puts("n 200");
    printf("S %x\n", GMMU_CSR_UNIT_RESET);
    session(&p, walks / 4 + 4);

    // a hard reset of one cycle amid traffic, and in the clearing of tables a soft one
    puts("n 250");
    puts("H 1");
    puts("n 40");
    printf("S %x\n", GMMU_CSR_RESET);
    p.regs = gmmu_regs_default(&p.cfg);
    p.regs.search = GMMU_SEARCH_SAMPLE;
    p.regs.refresh = 4;
    p.regs.rit_batch = 7;
    p.regs.rit_wait = 4;
    p.regs.rit_fault = 0;
    p.regs.tier = tiers ? GMMU_PLACE_ORDER : 0;
    registers(&p);
    session(&p, walks / 4 + 4);
    puts("A");

    // two at once behind a moment of traffic
    puts("n 23");
    printf("S %x\n", GMMU_CSR_UNIT_RESET);
    puts("n 9");
    printf("S %x\n", GMMU_CSR_UNIT_RESET);
    session(&p, walks / 8);
    puts(".");
    free(p.memory);
    return 0;
}
