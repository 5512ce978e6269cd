// SPDX-License-Identifier: Apache-2.0
// report.c: see report.h.
#include "blas/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static const double mib = 1048576.0;
// as `gmmu semcache` without options
static const uint64_t usual_memory = UINT64_C(16) << 30;

bool gmmu_blas_plays_create(gmmu_blas_plays *p, gmmu_sem_track track, const gmmu_sem_link *link,
                            bool kept) {
    gmmu_sem_play_config cfg = {
        .protocol = {.kind = GMMU_SEM_NAIVE}, .runtime = {.limit = usual_memory}, .link = *link};
    p->naive = gmmu_sem_play_create(&cfg);
    (void)gmmu_sem_protocol_of("wb", &cfg.protocol);
    p->merging = gmmu_sem_play_create(&cfg);
    (void)gmmu_sem_protocol_of("page:4k", &cfg.protocol);
    cfg.fast = true;
    p->pages = gmmu_sem_play_create(&cfg);
    cfg.fast = false;
    (void)gmmu_sem_protocol_of("split", &cfg.protocol);
    p->least = gmmu_sem_play_create(&cfg);
    p->track = track;
    p->most = track != GMMU_SEM_FULL ? gmmu_sem_play_create(&cfg) : NULL;
    p->kept_least = kept ? gmmu_sem_play_create(&cfg) : NULL;
    p->kept_most = kept && p->most != NULL ? gmmu_sem_play_create(&cfg) : NULL;
    if (p->naive != NULL && p->merging != NULL && p->pages != NULL && p->least != NULL &&
        (p->most != NULL || track == GMMU_SEM_FULL) &&
        (!kept || (p->kept_least != NULL && (p->most == NULL || p->kept_most != NULL))))
        return true;
    gmmu_blas_plays_destroy(p);
    return false;
}

void gmmu_blas_plays_destroy(gmmu_blas_plays *p) {
    gmmu_sem_play_destroy(p->naive);
    gmmu_sem_play_destroy(p->merging);
    gmmu_sem_play_destroy(p->pages);
    gmmu_sem_play_destroy(p->least);
    gmmu_sem_play_destroy(p->most);
    gmmu_sem_play_destroy(p->kept_least);
    gmmu_sem_play_destroy(p->kept_most);
    *p = (gmmu_blas_plays){0};
}

// To a play that there may be; calls to the one of most, doubled.
static bool event_of(gmmu_sem_play *play, const gmmu_sem_event *e) {
    return play == NULL || gmmu_sem_play_event(play, e);
}

static bool most_of(gmmu_sem_play *play, const gmmu_sem_event *e, gmmu_sem_track track) {
    return play == NULL || (e->kind == GMMU_SEM_CALL ? gmmu_sem_play_most(play, e, track)
                                                     : gmmu_sem_play_event(play, e));
}

static gmmu_sem_row row_of(const gmmu_sem_play *p, uint32_t site) {
    uint32_t n;
    const gmmu_sem_row *rows = gmmu_sem_play_sites(p, &n);
    return site < n ? rows[site] : (gmmu_sem_row){0};
}

static uint64_t minimum(unsigned i) {
    uint64_t n = i < 16 ? i : 16;
    for (unsigned k = 16; k < i; k++) n += n / 4;
    return n;
}

// The largest minimum with which a call of FLOPS is offloaded.
static unsigned minimum_of(uint64_t flops) {
    uint64_t n = 1;
    unsigned i = 0;
    while (i + 1 < GMMU_BLAS_MINIMA && 2 * n * n * n <= flops) {
        i++;
        n += i < 16 ? 1 : n / 4;
    }
    return i;
}

static bool event_naive(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    if (p->naive == NULL || e->kind != GMMU_SEM_CALL)
        return event_of(p->naive, e);
    const double before = row_of(p->naive, e->site).ns;
    const unsigned i = minimum_of(e->flops);
    if (!event_of(p->naive, e))
        return false;
    p->cpu_ns[i] += (double)e->ns;
    p->naive_ns[i] += row_of(p->naive, e->site).ns - before;
    return true;
}

static bool event_unkept(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    return event_naive(p, e) && event_of(p->merging, e) && event_of(p->pages, e) &&
           event_of(p->least, e) && most_of(p->most, e, p->track);
}

static bool event_kept(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    return event_of(p->kept_least, e) && most_of(p->kept_most, e, p->track);
}

bool gmmu_blas_plays_event(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    return event_unkept(p, e) && event_kept(p, e);
}

bool gmmu_blas_plays_memo(gmmu_blas_plays *p, const gmmu_sem_event *call,
                          const gmmu_sem_event *memo, const gmmu_sem_event *rest) {
    return event_unkept(p, call) && event_kept(p, memo) && event_kept(p, rest);
}

static double moved(gmmu_sem_row r) {
    return (double)(r.up_bytes + r.down_bytes) / mib;
}

// The two plays bound the truth, but not each in its place: what the CPU accesses ends a transfer
// here and begins one there. The lower bound is the lower of the two, in bytes and in time.
typedef struct {
    gmmu_sem_row least, most;
} bounds;

static bounds in_order(gmmu_sem_row x, gmmu_sem_row y) {
    bounds b = {x, y};
    if (x.up_bytes + x.down_bytes > y.up_bytes + y.down_bytes)
        b = (bounds){y, x};
    b.least.ns = x.ns < y.ns ? x.ns : y.ns;
    b.most.ns = x.ns < y.ns ? y.ns : x.ns;
    return b;
}

static bounds bounds_of(const gmmu_blas_plays *p, uint32_t site) {
    const gmmu_sem_row least = row_of(p->least, site);
    return in_order(least, p->most == NULL ? least : row_of(p->most, site));
}

// A row of the table: a site, or all.
typedef struct {
    const char *routine, *name;
    uint32_t number;
    uint64_t calls, below, flops, ns;
    bounds is;
} line;

static double gain(const line *l) {
    return (double)l->ns - l->is.least.ns;
}

// What could be gained most first; sites that only have calls below the minimum at the end.
static int most_gain_first(const void *a, const void *b) {
    const line *x = a, *y = b;
    if ((x->calls == 0) != (y->calls == 0))
        return x->calls == 0 ? 1 : -1;
    if (gain(x) < gain(y) || gain(x) > gain(y))
        return gain(x) < gain(y) ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static void write_line(FILE *to, const line *l) {
    const char *pays = l->calls == 0                    ? "-"
                       : l->is.most.ns < (double)l->ns  ? "yes"
                       : l->is.least.ns < (double)l->ns ? "perhaps"
                                                        : "no";
    (void)fprintf(to,
                  "%9" PRIu64 " %9" PRIu64
                  " %12.3f %12.3f %11.2f %11.2f %11.3f %11.3f  %-7s  "
                  "%s%s%s\n",
                  l->calls, l->below, (double)l->flops * 1e-6, (double)l->ns * 1e-6,
                  moved(l->is.least), moved(l->is.most), l->is.least.ns * 1e-6,
                  l->is.most.ns * 1e-6, pays, l->routine, *l->name == 0 ? "" : " <- ", l->name);
}

static bounds bounds_of_all(const gmmu_blas_plays *p) {
    const gmmu_sem_row row = gmmu_sem_play_total(p->least);
    return in_order(row, p->most == NULL ? row : gmmu_sem_play_total(p->most));
}

// The sites, and a row of all.
static void write_sites(FILE *to, const gmmu_blas_report *r) {
    const uint64_t limit = r->settings->sites == 0 ? UINT64_MAX : r->settings->sites;
    line *lines = calloc((size_t)r->count + 1, sizeof *lines);
    line all = {.routine = "all", .name = "", .is = bounds_of_all(r->plays)};
    uint32_t n = 0;
    if (lines == NULL)
        return;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct gmmu_blas_site *s = r->sites[i];
        const line l = {s->routine,
                        s->name,
                        s->number,
                        s->calls,
                        gmmu_blas_counted(&s->below),
                        s->flops,
                        s->ns,
                        bounds_of(r->plays, s->number)};
        all.calls += l.calls;
        all.below += l.below;
        all.flops += l.flops;
        all.ns += l.ns;
        if (l.calls + l.below != 0)  // others call within other calls alone
            lines[n++] = l;
    }
    qsort(lines, n, sizeof *lines, most_gain_first);
    for (uint32_t i = 0; i < n && i < limit; i++) write_line(to, &lines[i]);
    write_line(to, &all);
    if (n > limit)
        (void)fprintf(to, "%" PRIu64 " more sites: GMMU_SITES=0 has all\n", n - limit);
    free(lines);
}

static void write_protocol(FILE *to, const char *name, gmmu_sem_row r) {
    (void)fprintf(to, "%s %.2f up + %.2f down MiB, %.3f ms\n", name, (double)r.up_bytes / mib,
                  (double)r.down_bytes / mib, r.ns * 1e-6);
}

// The line of a play, or those of the bounds.
static void write_bounds(FILE *to, const char *one, const char *lower, const char *upper,
                         const gmmu_sem_play *least, const gmmu_sem_play *most) {
    const gmmu_sem_row row = gmmu_sem_play_total(least);
    if (most == NULL) {
        write_protocol(to, one, row);
        return;
    }
    const bounds is = in_order(row, gmmu_sem_play_total(most));
    write_protocol(to, lower, is.least);
    write_protocol(to, upper, is.most);
}

static const char *name_of(struct gmmu_blas_site *const *sites, uint32_t count, uint32_t number) {
    return number < count ? sites[number]->name : "?";
}

// What records that merge would move, and why: the two sites whose operands cost most as one
// record.
static void write_merging(FILE *to, const char *name, const gmmu_sem_play *p,
                          struct gmmu_blas_site *const *sites, uint32_t count) {
    const gmmu_sem_row r = gmmu_sem_play_total(p);
    uint32_t n;
    const gmmu_sem_merge *m = gmmu_sem_play_merges(p, &n), *worst = NULL;
    uint64_t merges = 0, largest = 0;
    write_protocol(to, name, r);
    for (uint32_t i = 0; i < n; i++) {
        merges += m[i].merges;
        largest = m[i].largest > largest ? m[i].largest : largest;
        worst = worst == NULL || m[i].excess > worst->excess ? &m[i] : worst;
    }
    if (worst == NULL)
        return;
    (void)fprintf(to,
                  "                   %" PRIu64
                  " merges, the largest of %.2f MiB; %.2f MiB beside "
                  "what was asked for, %.2f of them by %s and %s\n",
                  merges, (double)largest / mib, (double)r.excess_bytes / mib,
                  (double)worst->excess / mib, name_of(sites, count, worst->site),
                  name_of(sites, count, worst->other));
}

static void write_kept(FILE *to, const gmmu_blas_plays *p, const gmmu_blas_memos *m) {
    const gmmu_blas_memo_counts n = gmmu_blas_memos_counted(m);
    (void)fprintf(to,
                  "%" PRIu64 " factorisations, %" PRIu64
                  " of contents that were kept: %.3f of %.3f Mflop, %.3f of %.3f ms; %" PRIu64
                  " contents kept, %.2f MiB; %" PRIu64 " had left, %" PRIu64 " found no room\n",
                  n.asked + n.refused, n.found, (double)n.found_flops * 1e-6,
                  (double)n.flops * 1e-6, (double)n.found_ns * 1e-6, (double)n.ns * 1e-6,
                  n.contents, (double)n.bytes / mib, n.left, n.refused);
    write_bounds(to, "results kept:     ", "results kept, least:", "results kept, most: ",
                 p->kept_least, p->kept_most);
}

// A way to offload, and what it saves.
typedef struct {
    const char *protocol;
    uint64_t minimum;
    double ns;
} way;

// The first of equally good ones, which differ by rounding alone.
static way better(way x, way y) {
    return y.ns > x.ns + 1 ? y : x;
}

// By itself each call knows what it costs: the best minimum is known, too.
static way best_naive(const gmmu_blas_plays *p, uint64_t least) {
    way best = {"naive", least, 0};
    double ns = 0;
    for (unsigned i = GMMU_BLAS_MINIMA; i-- > 0;) {
        ns += p->cpu_ns[i] - p->naive_ns[i];
        best = better(best, (way){"naive", minimum(i), ns});
    }
    best.minimum = best.minimum < least ? least : best.minimum;
    return best;
}

// What offloading saves, what narrows the bounds, and what is known.
static void write_head(FILE *to, const gmmu_blas_report *r) {
    static const char *const tracks[GMMU_SEM_TRACKS] = {"calls", "writes", "full"};
    static const char *const narrower[GMMU_SEM_TRACKS] = {
        ": what the CPU touches between calls is not known; GMMU_TRACK=writes or full narrows it",
        ": what the CPU reads between calls is not known; GMMU_TRACK=full narrows it", ""};
    const gmmu_blas_plays *p = r->plays;
    const gmmu_sem_track track = r->settings->track;
    const bounds is = bounds_of_all(p);
    const way naive = best_naive(p, r->least);
    double cpu = 0;
    for (uint32_t i = 0; i < r->count; i++) cpu += (double)r->sites[i]->ns;
    way most = better(naive, (way){"write-back", r->least, cpu - is.least.ns});
    most = better(most, (way){"pages of 4 KiB", r->least, cpu - gmmu_sem_play_total(p->pages).ns});
    const way least = better(naive, (way){"write-back", r->least, cpu - is.most.ns});
    (void)fprintf(to, "gmmu_blas: process %ld: offloading saves ", (long)getpid());
    if (most.ns > 0)
        (void)fprintf(to, "at most %.3f of %.3f s (%.0f %%), by %s with GMMU_MIN=%" PRIu64,
                      most.ns * 1e-9, (double)r->ns * 1e-9,
                      r->ns == 0 ? 0 : 100 * most.ns / (double)r->ns, most.protocol, most.minimum);
    else
        (void)fprintf(to, "nothing of %.3f s", (double)r->ns * 1e-9);
    if (least.ns > 0)
        (void)fprintf(to, ", at least %.3f, by %s with GMMU_MIN=%" PRIu64, least.ns * 1e-9,
                      least.protocol, least.minimum);
    (void)fprintf(to, "%s; GMMU_TRACK=%s%s%s\n", narrower[track], tracks[track],
                  r->back_end == NULL ? "" : ", found by ", r->back_end == NULL ? "" : r->back_end);
}

static void write_counts(FILE *to, const gmmu_blas_report *r) {
    uint64_t calls = 0, below = 0, empty = 0, in_calls = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        calls += r->sites[i]->calls;
        below += gmmu_blas_counted(&r->sites[i]->below);
        empty += gmmu_blas_counted(&r->sites[i]->empty);
        in_calls += r->sites[i]->ns;
    }
    (void)fprintf(to, "%" PRIu64 " calls, %" PRIu64 " below GMMU_MIN=%" PRIu64, calls, below,
                  r->last);
    if (r->settings->find_least && r->last != r->least)
        (void)fprintf(to, " (found while it ran, %" PRIu64 " at first)", r->least);
    if (r->settings->find_least)
        (void)fprintf(to, " (recording took %.3f s of the CPU's %.3f)", (double)r->spent_ns * 1e-9,
                      (double)r->cpu_ns * 1e-9);
    (void)fprintf(to, ", %" PRIu64 " that touch nothing; %.3f s in calls, of %.3f s\n", empty,
                  (double)in_calls * 1e-9, (double)r->ns * 1e-9);
}

void gmmu_blas_report_write(FILE *to, const gmmu_blas_report *r) {
    const gmmu_blas_plays *p = r->plays;
    write_head(to, r);
    write_counts(to, r);
    write_protocol(to, "naive:            ", gmmu_sem_play_total(p->naive));
    write_bounds(to, "write-back:       ", "write-back, least:", "write-back, most: ", p->least,
                 p->most);
    write_protocol(to, p->most == NULL ? "pages of 4 KiB:   " : "pages, least:     ",
                   gmmu_sem_play_total(p->pages));
    write_merging(to, p->most == NULL ? "merging:          " : "merging, least:   ", p->merging,
                  r->sites, r->count);
    if (r->memos != NULL)
        write_kept(to, p, r->memos);
    (void)fprintf(to, "%9s %9s %12s %12s %11s %11s %11s %11s  %-7s  %s\n", "calls", "below",
                  "Mflop", "cpu_ms", "least_MiB", "most_MiB", "least_ms", "most_ms", "pays",
                  "routine <- site");
    write_sites(to, r);
}
