// SPDX-License-Identifier: Apache-2.0
// trace_sampler.c: see trace_sampler.h and docs/reference/blocks/trace_sampler.md.
#include "blocks/trace_sampler.h"

int gmmu_trace_sampler_init(gmmu_trace_sampler *ts, const gmmu_config *cfg, unsigned entries,
                            unsigned ways, unsigned sample, gmmu_arena *arena) {
    *ts = (gmmu_trace_sampler){0};
    ts->cfg = *cfg;
    ts->entries = entries;
    ts->ways = ways;
    ts->sets = entries / ways;
    ts->time_mask = (uint32_t)((1ull << cfg->time_w) - 1);
    ts->threshold = (uint32_t)GMMU_SAMPLER_ALL >> sample;
    ts->entry = gmmu_take(arena, entries, sizeof *ts->entry);
    return ts->entry == NULL;
}

// THRESH becomes pending at this number of valid entries.
static unsigned full(const gmmu_trace_sampler *ts) {
    return ts->entries - ts->entries / 8;
}

static uint32_t age(const gmmu_trace_sampler *ts, const gmmu_sampler_entry *e, uint32_t time) {
    return (time - e->last) & ts->time_mask;
}

static gmmu_rit_record record(const gmmu_trace_sampler *ts, const gmmu_sampler_entry *e,
                              uint32_t time, bool censored) {
    const gmmu_rit_record rec = {.cls = e->cls, .interval = age(ts, e, time), .censored = censored};
    return rec;
}

// The entry of SET that a new page takes: the first free entry, else the oldest, the lowest of
// equals.
static gmmu_sampler_entry *replaced(const gmmu_trace_sampler *ts, gmmu_sampler_entry *set,
                                    uint32_t time) {
    gmmu_sampler_entry *oldest = set;
    for (unsigned w = 0; w < ts->ways; w++) {
        if (!set[w].valid)
            return &set[w];
        if (age(ts, &set[w], time) > age(ts, oldest, time))
            oldest = &set[w];
    }
    return oldest;
}

void gmmu_trace_sampler_take(gmmu_trace_sampler *ts, uint64_t name, gmmu_class cls, uint32_t time,
                             gmmu_sampled *did) {
    const uint32_t h = (uint32_t)name;
    gmmu_sampler_entry *set = &ts->entry[(size_t)((h & 0xFFFFu) % ts->sets) * ts->ways];
    gmmu_sampler_entry *e = NULL;
    for (unsigned w = 0; w < ts->ways; w++)
        if (set[w].valid && set[w].name == name)
            e = &set[w];
    did->hit = e != NULL;
    if (e == NULL)
        e = replaced(ts, set, time);
    did->record = e->valid;
    if (did->record)
        did->rec = record(ts, e, time, !did->hit);
    else
        ts->occupied++;
    *e = (gmmu_sampler_entry){
        .name = name, .last = time, .cls = cls, .rank = (uint16_t)(h >> 16), .valid = true};
    // During a pass the table still holds entries that the last THRESH took out of the sample.
    if (ts->occupied >= full(ts) && ts->pass_left == 0 && ts->threshold > 1)
        ts->thresh_owed = true;
}

gmmu_scrubbed gmmu_trace_sampler_scrub(gmmu_trace_sampler *ts, uint32_t time) {
    gmmu_scrubbed did = {.index = ts->next};
    gmmu_sampler_entry *e = &ts->entry[ts->next];
    ts->next = ts->next + 1 == ts->entries ? 0 : ts->next + 1;
    if (ts->pass_left > 0)
        ts->pass_left--;
    did.removed =
        e->valid && (e->rank >= ts->threshold || age(ts, e, time) >= 1u << (ts->cfg.time_w - 2));
    if (did.removed) {
        did.rec = record(ts, e, time, true);
        e->valid = false;
        ts->occupied--;
    }
    return did;
}

uint32_t gmmu_trace_sampler_thresh(gmmu_trace_sampler *ts) {
    const uint32_t step = ts->threshold < 8 ? 1 : ts->threshold / 8;
    if (ts->threshold > 1)
        ts->threshold -= step;
    ts->thresh_owed = false;
    ts->pass_left = ts->entries;
    return ts->threshold;
}
