// SPDX-License-Identifier: Apache-2.0
// play.c: see play.h.
#include "semcache/play.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = UINT32_MAX, PAGE = 4096 };

const gmmu_sem_link gmmu_sem_usual_link = {
    .up_gbs = 15.75,
    .down_gbs = 15.75,
    .remote_gbs = 6,
    .transfer_us = 6,
    .gpu_gflops = 7000,
    .gpu_gbs = 900,
    .gpu_single_gflops = 14000,
    .cpu_gflops = 30,
    .cpu_gbs = 12,
    .call_us = 5,
};

// A range that was on the GPU: who touched it last.
typedef struct {
    uint64_t start, last;
    uint32_t site, cpu_site;
    uint32_t merge;  // number of the merge that made it, or NOBODY
} touched;

struct gmmu_sem_play {
    gmmu_sem_play_config cfg;
    gmmu_sem *runtime;    // WB, WT, PAGE, SPLIT; of DFU the directory of what was moved
    gmmu_sem_row *row;    // by site
    gmmu_sem_row nobody;  // what memory that comes or goes moves: pages that others share
    uint32_t sites, site_room;
    gmmu_sem_pair *pair;
    uint32_t pairs, pair_room;
    gmmu_sem_merge *merge;
    uint32_t merges, merge_room;
    touched *range;  // by their start
    uint32_t ranges, range_room;
    bool no_memory;
    double now;  // ns
    // the event under way
    gmmu_sem_row *of;
    uint32_t site;
    bool by_cpu;
    const gmmu_sem_event *event;
    uint64_t page;  // of PAGE that is fast; else 0
};

// ---- names

static bool power_of_two(const char *text, uint64_t *value) {
    char *end;
    const uint64_t n = strtoull(text, &end, 10);
    const unsigned shift = *end == 'k' ? 10 : *end == 'm' ? 20 : 0;
    *value = n << shift;
    return *text >= '0' && *text <= '9' && end[shift != 0] == 0 && n != 0 && n <= 1u << 20 &&
           (*value & (*value - 1)) == 0;
}

bool gmmu_sem_protocol_of(const char *text, gmmu_sem_protocol *p) {
    static const char *const names[] = {"naive", "fig9", "wb", "wt", "page", "dfu", "split"};
    *p = (gmmu_sem_protocol){0};
    if (strncmp(text, "page:", 5) == 0) {
        p->kind = GMMU_SEM_PAGE;
        return power_of_two(text + 5, &p->page);
    }
    if (strncmp(text, "split:", 6) == 0) {
        p->kind = GMMU_SEM_SPLIT;
        return power_of_two(text + 6, &p->page);
    }
    p->page = PAGE;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (i != GMMU_SEM_PAGE && strcmp(text, names[i]) == 0) {
            p->kind = (gmmu_sem_protocol_kind)i;
            return true;
        }
    return false;
}

// ---- growing tables

// Room for one more thing of SIZE bytes. False: no memory.
static bool room(void **things, uint32_t used, uint32_t *room, size_t size) {
    if (used < *room)
        return true;
    const uint32_t more = *room == 0 ? 64 : 2 * *room;
    void *grown = realloc(*things, more * size);
    if (grown == NULL)
        return false;
    *things = grown;
    *room = more;
    return true;
}

static gmmu_sem_row *row_of(gmmu_sem_play *p, uint32_t site) {
    while (site >= p->sites) {
        if (!room((void **)&p->row, p->sites, &p->site_room, sizeof *p->row))
            return NULL;
        p->row[p->sites++] = (gmmu_sem_row){0};
    }
    return &p->row[site];
}

// The range that starts at START; a new one if there is none. NULL: no memory.
static touched *range_of(gmmu_sem_play *p, uint64_t start) {
    uint32_t low = 0, high = p->ranges;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (p->range[mid].start < start)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < p->ranges && p->range[low].start == start)
        return &p->range[low];
    if (!room((void **)&p->range, p->ranges, &p->range_room, sizeof *p->range))
        return NULL;
    memmove(&p->range[low + 1], &p->range[low], (p->ranges - low) * sizeof *p->range);
    p->ranges++;
    p->range[low] = (touched){start, start, NOBODY, NOBODY, NOBODY};
    return &p->range[low];
}

static void add_pair(gmmu_sem_play *p, const touched *t, uint64_t bytes) {
    for (uint32_t i = 0; i < p->pairs; i++) {
        gmmu_sem_pair *is = &p->pair[i];
        if (is->start == t->start && is->site == t->site && is->cpu_site == t->cpu_site) {
            is->last = t->last;
            is->moves++;
            is->bytes += bytes;
            return;
        }
    }
    if (!room((void **)&p->pair, p->pairs, &p->pair_room, sizeof *p->pair)) {
        p->no_memory = true;
        return;
    }
    p->pair[p->pairs++] = (gmmu_sem_pair){t->start, t->last, t->site, t->cpu_site, 1, bytes};
}

// ---- transfers, for the event under way

// A run of fewer bytes than this takes as long as one of so many.
enum { LINE = 64 };

// COUNT runs of RUN bytes.
static double run_ns(double gbs, uint64_t run, uint64_t count) {
    return (double)(run < LINE ? LINE : run) * (double)count / gbs;
}

static void spend(gmmu_sem_play *p, gmmu_sem_work work, double ns, uint64_t bytes) {
    if (p->cfg.slice != NULL)
        p->cfg.slice(p->cfg.context, work, p->site, p->now, ns, bytes);
    p->of->ns += ns;
    p->of->transfer_ns += work == GMMU_SEM_UP || work == GMMU_SEM_DOWN ? ns : 0;
    p->now += ns;
}

// The bytes of [start, last] that no operand of the event has. Operands that overlap count twice,
// but never for more than there is.
static uint64_t excess(const gmmu_sem_play *p, uint64_t start, uint64_t last) {
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < p->event->operands; i++) {
        const gmmu_sem_operand *o = &p->event->operand[i];
        if (o->start > last || start > o->last)
            continue;
        if (start <= o->start && o->last <= last) {
            wanted += gmmu_sem_bytes(o);
            continue;
        }
        const uint64_t from = o->start > start ? o->start : start;
        const uint64_t to = o->last < last ? o->last : last;
        wanted += to - from + 1;  // of an operand with gaps: the gaps of this part, too
    }
    const uint64_t all = last - start + 1;
    return wanted < all ? all - wanted : 0;
}

// Does an operand of the event meet [start, last]? What leaves GPU memory for others it does not.
static bool is_of_event(const gmmu_sem_play *p, uint64_t start, uint64_t last) {
    for (uint32_t i = 0; i < p->event->operands; i++)
        if (p->event->operand[i].start <= last && start <= p->event->operand[i].last)
            return true;
    return false;
}

// BYTES, which begin at START and end at LAST, in one transfer that takes NS beside its start.
// BEYOND of them no operand of the event has.
static void move(gmmu_sem_play *p, bool up, uint64_t start, uint64_t last, uint64_t bytes,
                 uint64_t beyond, double ns) {
    gmmu_sem_row *r = p->of;
    const uint64_t transfers = p->page == 0 ? 1 : bytes / p->page;
    *(up ? &r->ups : &r->downs) += transfers;
    *(up ? &r->up_bytes : &r->down_bytes) += bytes;
    r->excess_bytes += beyond;
    spend(p, up ? GMMU_SEM_UP : GMMU_SEM_DOWN,
          1000 * p->cfg.link.transfer_us * (double)transfers + ns, bytes);
    touched *t = range_of(p, start);
    if (t == NULL) {
        p->no_memory = true;
        return;
    }
    t->last = last;
    if (t->merge != NOBODY)
        p->merge[t->merge].excess += beyond;
    if (p->site != NOBODY && is_of_event(p, start, last))
        *(p->by_cpu ? &t->cpu_site : &t->site) = p->site;
    if (t->site != NOBODY && t->cpu_site != NOBODY)
        add_pair(p, t, bytes);
}

static double gbs_of(const gmmu_sem_play *p, bool up) {
    return up ? p->cfg.link.up_gbs : p->cfg.link.down_gbs;
}

static void move_range(gmmu_sem_play *p, bool up, uint64_t start, uint64_t bytes) {
    const uint64_t last = start + (bytes - 1);
    move(p, up, start, last, bytes, excess(p, start, last), (double)bytes / gbs_of(p, up));
}

static void move_operand(gmmu_sem_play *p, bool up, const gmmu_sem_operand *o) {
    const uint64_t runs = gmmu_sem_runs(o);
    const double ns =
        runs == 1 ? (double)gmmu_sem_bytes(o) / gbs_of(p, up) : run_ns(gbs_of(p, up), o->run, runs);
    move(p, up, o->start, o->last, gmmu_sem_bytes(o), 0, ns);
}

static void on_up(void *ctx, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)base;
    move_range(ctx, true, start, bytes);
}

static void on_down(void *ctx, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)base;
    move_range(ctx, false, start, bytes);
}

static void on_gather(void *ctx, bool up, const gmmu_sem_piece *piece, size_t n) {
    gmmu_sem_play *p = ctx;
    uint64_t start = UINT64_MAX, last = 0, bytes = 0, beyond = 0;
    double ns = 0;
    if (n == 1 && piece->count == 1) {
        move_range(p, up, piece->start, piece->run);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t end =
            piece[i].start + (piece[i].count - 1) * piece[i].stride + (piece[i].run - 1);
        start = piece[i].start < start ? piece[i].start : start;
        last = end > last ? end : last;
        bytes += piece[i].run * piece[i].count;
        ns += run_ns(gbs_of(p, up), piece[i].run, piece[i].count);
        for (uint64_t k = 0; k < piece[i].count && !up; k++) {  // what goes up was asked for
            const uint64_t from = piece[i].start + k * piece[i].stride;
            beyond += excess(p, from, from + (piece[i].run - 1));
        }
    }
    move(p, up, start, last, bytes, beyond, ns);
}

// A copy within the GPU's memory: a kernel that reads and writes.
static void on_copy(void *ctx, uint64_t from, uint64_t to, uint64_t bytes) {
    gmmu_sem_play *p = ctx;
    (void)from;
    (void)to;
    spend(p, GMMU_SEM_ON_GPU, 1000 * p->cfg.link.call_us + 2 * (double)bytes / p->cfg.link.gpu_gbs,
          0);
}

static void on_merged(void *ctx, uint64_t start, uint64_t last, uint32_t site, uint32_t other) {
    gmmu_sem_play *p = ctx;
    uint32_t i = 0;
    while (i < p->merges && (p->merge[i].site != site || p->merge[i].other != other)) i++;
    touched *t = range_of(p, start);
    if (t == NULL || (i == p->merges &&
                      !room((void **)&p->merge, p->merges, &p->merge_room, sizeof *p->merge))) {
        p->no_memory = true;
        return;
    }
    if (i == p->merges)
        p->merge[p->merges++] = (gmmu_sem_merge){.site = site, .other = other};
    gmmu_sem_merge *m = &p->merge[i];
    m->merges++;
    m->largest = last - start + 1 > m->largest ? last - start + 1 : m->largest;
    t->merge = i;
}

// What a CPU access takes off the GPU has to come up again: that is its doing.
static void on_release(void *ctx, uint64_t start, uint64_t base, uint64_t bytes) {
    gmmu_sem_play *p = ctx;
    (void)base;
    (void)bytes;
    if (!p->by_cpu || start == UINT64_MAX)
        return;
    touched *t = range_of(p, start);
    if (t == NULL)
        p->no_memory = true;
    else
        t->cpu_site = p->site;
}

// ---- make and free

gmmu_sem_play *gmmu_sem_play_create(const gmmu_sem_play_config *config) {
    gmmu_sem_play *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->cfg = *config;
    gmmu_sem_config c = config->runtime;
    const bool hulls =
        config->protocol.kind != GMMU_SEM_PAGE && config->protocol.kind != GMMU_SEM_SPLIT;
    const gmmu_sem_gpu gpu = {.up = on_up,
                              .down = on_down,
                              .gather = on_gather,
                              .copy = on_copy,
                              .merged = hulls ? on_merged : NULL,
                              .release = on_release,
                              .context = p};
    const bool pages = config->protocol.kind == GMMU_SEM_PAGE;
    p->page = pages && config->fast ? config->protocol.page : 0;
    c.page = pages && !config->fast ? config->protocol.page : 0;
    c.write_through = config->protocol.kind == GMMU_SEM_WT;
    c.split = config->protocol.kind == GMMU_SEM_SPLIT || p->page != 0;
    c.grain = c.split ? config->protocol.page : 0;
    if (config->protocol.kind != GMMU_SEM_NAIVE && config->protocol.kind != GMMU_SEM_FIG9) {
        p->runtime = gmmu_sem_create(&c, &gpu);
        if (p->runtime == NULL) {
            free(p);
            return NULL;
        }
    }
    return p;
}

void gmmu_sem_play_destroy(gmmu_sem_play *p) {
    if (p == NULL)
        return;
    p->by_cpu = false;
    gmmu_sem_destroy(p->runtime);
    free(p->row);
    free(p->pair);
    free(p->merge);
    free(p->range);
    free(p);
}

// ---- calls

// Operations, or the bytes of operands and result, whatever takes longer.
static double work_ns(const gmmu_sem_event *e, double gflops, double gbs) {
    double bytes = (double)e->result;
    for (uint32_t i = 0; i < e->operands; i++) bytes += (double)gmmu_sem_bytes(&e->operand[i]);
    const double ns = (double)e->flops / gflops;
    return bytes / gbs > ns ? bytes / gbs : ns;
}

static uint64_t cpu_ns(const gmmu_sem_play *p, const gmmu_sem_event *e) {
    const gmmu_sem_link *l = &p->cfg.link;
    return e->ns != 0 ? e->ns : (uint64_t)work_ns(e, l->cpu_gflops, l->cpu_gbs);
}

static double gpu_ns(const gmmu_sem_play *p, const gmmu_sem_event *e) {
    const gmmu_sem_link *l = &p->cfg.link;
    return 1000 * l->call_us +
           work_ns(e, e->single ? l->gpu_single_gflops : l->gpu_gflops, l->gpu_gbs);
}

// Each operand goes up, is used, comes back. False: they do not fit.
static bool alone(gmmu_sem_play *p, const gmmu_sem_event *e) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < e->operands; i++) {
        const uint64_t n = gmmu_sem_bytes(&e->operand[i]);
        if (n > p->cfg.runtime.limit - bytes)
            return false;
        bytes += n;
    }
    for (uint32_t i = 0; i < e->operands; i++) {
        const gmmu_sem_operand *o = &e->operand[i];
        if (o->reads || p->cfg.protocol.kind == GMMU_SEM_FIG9 || (o->writes && !o->whole))
            move_operand(p, true, o);
    }
    for (uint32_t i = 0; i < e->operands; i++)
        if (e->operand[i].writes)
            move_operand(p, false, &e->operand[i]);
    return true;
}

// Device first use: what came up stays, and is the only copy.
static bool at_home(gmmu_sem_play *p, const gmmu_sem_event *e) {
    gmmu_sem_operand all[GMMU_SEM_MOST_OPERANDS];
    for (uint32_t i = 0; i < e->operands; i++) {
        all[i] = gmmu_sem_hull(&e->operand[i]);
        all[i].writes = true;
    }
    const bool fits = gmmu_sem_begin(p->runtime, e->site, all, e->operands, NULL);
    if (fits)
        gmmu_sem_end(p->runtime, all, e->operands);
    return fits;
}

enum { PARTS = 3 };

// The pages of O: the first and the last, of which O may have a part, and those between. Returns
// the number of these PARTS.
static uint32_t pages_of(const gmmu_sem_play *p, const gmmu_sem_operand *o,
                         gmmu_sem_operand *part) {
    const uint64_t mask = p->page - 1;
    gmmu_sem_operand all = gmmu_sem_hull(o);
    uint32_t n = 0;
    const bool starts = (all.start & mask) != 0, ends = (all.last & mask) != mask;
    all.start &= ~mask;
    all.last |= mask;
    if (!all.whole || (!starts && !ends)) {
        part[0] = all;
        return 1;
    }
    gmmu_sem_operand edge = all;
    edge.whole = false;
    if (starts || all.last - all.start == mask) {
        edge.last = all.start | mask;
        part[n++] = edge;
        if (edge.last == all.last)
            return n;
        all.start = edge.last + 1;
    }
    if (ends) {
        edge.start = all.last & ~mask;
        edge.last = all.last;
        part[n++] = edge;
        if (edge.start == all.start)
            return n;
        all.last = edge.start - 1;
    }
    part[n++] = all;
    return n;
}

static bool pages_on_gpu(gmmu_sem_play *p, const gmmu_sem_event *e) {
    gmmu_sem_operand all[PARTS * GMMU_SEM_MOST_OPERANDS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->operands; i++) n += pages_of(p, &e->operand[i], &all[n]);
    if (!gmmu_sem_begin(p->runtime, e->site, all, n, NULL))
        return false;
    gmmu_sem_end(p->runtime, all, n);
    return true;
}

static void pages_on_cpu(gmmu_sem_play *p, const gmmu_sem_operand *o) {
    gmmu_sem_operand part[PARTS];
    const uint32_t n = pages_of(p, o, part);
    for (uint32_t i = 0; i < n; i++) gmmu_sem_cpu(p->runtime, part[i]);
}

static bool on_gpu(gmmu_sem_play *p, const gmmu_sem_event *e) {
    if (p->runtime == NULL)
        return alone(p, e);
    if (p->page != 0)
        return pages_on_gpu(p, e);
    if (p->cfg.protocol.kind == GMMU_SEM_DFU)
        return at_home(p, e);
    if (!gmmu_sem_begin(p->runtime, e->site, e->operand, e->operands, NULL))
        return false;
    gmmu_sem_end(p->runtime, e->operand, e->operands);
    return true;
}

// The part of O that is on the GPU, accessed across the link.
static void remotely(gmmu_sem_play *p, const gmmu_sem_operand *o) {
    const gmmu_range_dir *d = gmmu_sem_ranges(p->runtime);
    for (uint32_t i = 0; i < d->used; i++) {
        const gmmu_range *r = &d->range[i];
        if (r->asid != 0 || r->state == GMMU_RANGE_C || r->start > o->last || o->start > r->last)
            continue;
        const uint64_t from = r->start > o->start ? r->start : o->start;
        const uint64_t to = r->last < o->last ? r->last : o->last;
        p->of->remote_bytes += to - from + 1;
        spend(p, GMMU_SEM_REMOTE, (double)(to - from + 1) / p->cfg.link.remote_gbs, to - from + 1);
    }
}

// What the CPU writes has to come up again: that is its doing, as in on_release.
static void taken(gmmu_sem_play *p, const gmmu_sem_operand *o) {
    uint32_t low = 0, high = p->ranges;
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        if (p->range[mid].start <= o->start)
            low = mid + 1;
        else
            high = mid;
    }
    for (uint32_t i = low == 0 ? 0 : low - 1; i < p->ranges && p->range[i].start <= o->last; i++)
        if (p->range[i].last >= o->start)
            p->range[i].cpu_site = p->site;
}

static void cpu_access(gmmu_sem_play *p, const gmmu_sem_operand *o) {
    p->by_cpu = true;
    if (p->runtime == NULL)
        return;
    if (p->cfg.protocol.kind == GMMU_SEM_DFU) {
        remotely(p, o);
        return;
    }
    if (p->page != 0)
        pages_on_cpu(p, o);
    else
        gmmu_sem_cpu(p->runtime, *o);
    if (p->cfg.protocol.kind == GMMU_SEM_SPLIT && o->writes)
        taken(p, o);
}

static bool is_small(const gmmu_sem_play *p, const gmmu_sem_event *e) {
    const double n = (double)p->cfg.least;
    return (double)e->flops < 2 * n * n * n;
}

static void call(gmmu_sem_play *p, const gmmu_sem_event *e) {
    gmmu_sem_row *r = p->of;
    r->calls++;
    r->flops += e->flops;
    r->cpu_ns += cpu_ns(p, e);
    if (!is_small(p, e)) {
        if (on_gpu(p, e)) {
            spend(p, GMMU_SEM_ON_GPU, gpu_ns(p, e), 0);
            return;
        }
    } else {
        for (uint32_t i = 0; i < e->operands; i++) cpu_access(p, &e->operand[i]);
    }
    r->on_cpu++;
    spend(p, GMMU_SEM_ON_CPU, (double)cpu_ns(p, e), 0);
}

// A result that may be kept. The CPU makes the result under every protocol, as the factors of
// GESV are made (section 6).
static void compute(gmmu_sem_play *p, const gmmu_sem_event *e) {
    gmmu_sem_row *r = p->of;
    uint64_t base, from;
    r->memos++;
    r->cpu_ns += cpu_ns(p, e);
    const bool kept =
        p->runtime != NULL && p->cfg.protocol.kind != GMMU_SEM_DFU &&
        gmmu_sem_computed(p->runtime, e->site, e->routine, e->operand[0], e->result, &base, &from);
    r->elided += kept;
    if (!kept) {
        r->flops += e->flops;
        spend(p, GMMU_SEM_ON_CPU, (double)cpu_ns(p, e), 0);
    }
}

static void freed(gmmu_sem_play *p, const gmmu_sem_event *e) {
    gmmu_sem_operand gone = e->operand[0];
    if (p->runtime == NULL || (e->kind != GMMU_SEM_FREE && p->cfg.protocol.kind == GMMU_SEM_PAGE))
        return;
    gone.writes = gone.whole = true;
    gone.reads = false;
    if (p->page != 0)
        pages_on_cpu(p, &gone);
    else
        gmmu_sem_free(p->runtime, gone);
}

bool gmmu_sem_play_event(gmmu_sem_play *p, const gmmu_sem_event *e) {
    const bool sited = e->kind != GMMU_SEM_ALLOC && e->kind != GMMU_SEM_FREE;
    p->of = sited ? row_of(p, e->site) : &p->nobody;
    p->site = sited ? e->site : NOBODY;
    p->by_cpu = false;
    p->event = e;
    if (p->of == NULL)
        return false;
    switch (e->kind) {
        case GMMU_SEM_CALL:
            call(p, e);
            break;
        case GMMU_SEM_CPU:
            p->of->accesses++;
            cpu_access(p, &e->operand[0]);
            break;
        case GMMU_SEM_MEMO:
            compute(p, e);
            break;
        default:
            // what comes is new, too: what was there is gone; but a page may hold other memory
            freed(p, e);
            break;
    }
    p->of = NULL;
    // what a program survives, a figure does not
    return !p->no_memory && (p->runtime == NULL || gmmu_sem_counted(p->runtime).no_memory == 0);
}

bool gmmu_sem_play_most(gmmu_sem_play *p, const gmmu_sem_event *e, gmmu_sem_track tracked) {
    gmmu_sem_event touch = {.kind = GMMU_SEM_CPU, .time = e->time, .site = e->site, .operands = 1};
    bool good = true;
    for (uint32_t i = 0; i < e->operands && good && tracked == GMMU_SEM_CALLS; i++) {
        touch.operand[0] = e->operand[i];
        touch.operand[0].reads = touch.operand[0].writes = true;
        touch.operand[0].whole = false;
        good = gmmu_sem_play_event(p, &touch);
    }
    good = good && gmmu_sem_play_event(p, e);
    for (uint32_t i = 0; i < e->operands && good; i++) {
        touch.operand[0] = e->operand[i];
        touch.operand[0].reads = true;
        touch.operand[0].writes = touch.operand[0].whole = false;
        good = !e->operand[i].writes || gmmu_sem_play_event(p, &touch);
    }
    return good;
}

// ---- what came of it

gmmu_sem_row gmmu_sem_play_total(const gmmu_sem_play *p) {
    gmmu_sem_row all = p->nobody;
    for (uint32_t i = 0; i < p->sites; i++) {
        const gmmu_sem_row *r = &p->row[i];
        all.calls += r->calls;
        all.on_cpu += r->on_cpu;
        all.memos += r->memos;
        all.elided += r->elided;
        all.accesses += r->accesses;
        all.flops += r->flops;
        all.ups += r->ups;
        all.downs += r->downs;
        all.up_bytes += r->up_bytes;
        all.down_bytes += r->down_bytes;
        all.remote_bytes += r->remote_bytes;
        all.excess_bytes += r->excess_bytes;
        all.cpu_ns += r->cpu_ns;
        all.ns += r->ns;
        all.transfer_ns += r->transfer_ns;
    }
    return all;
}

gmmu_sem_counts gmmu_sem_play_counts(const gmmu_sem_play *p) {
    return p->runtime == NULL ? (gmmu_sem_counts){0} : gmmu_sem_counted(p->runtime);
}

const gmmu_sem_row *gmmu_sem_play_sites(const gmmu_sem_play *p, uint32_t *n) {
    *n = p->sites;
    return p->row;
}

const gmmu_sem_pair *gmmu_sem_play_pairs(const gmmu_sem_play *p, uint32_t *n) {
    *n = p->pairs;
    return p->pair;
}

const gmmu_sem_merge *gmmu_sem_play_merges(const gmmu_sem_play *p, uint32_t *n) {
    *n = p->merges;
    return p->merge;
}
