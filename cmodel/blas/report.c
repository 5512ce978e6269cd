// SPDX-License-Identifier: Apache-2.0
// report.c: see report.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sigabbrev_np
#endif
#include "blas/report.h"

#include <fenv.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
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
    p->call_naive_ns = row_of(p->naive, e->site).ns - before;
    p->cpu_ns[i] += (double)e->ns;
    p->naive_ns[i] += p->call_naive_ns;
    return true;
}

static bool event_least(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    if (p->least == NULL || p->track == GMMU_SEM_CALLS)
        return event_of(p->least, e);
    const gmmu_sem_row before = row_of(p->least, e->site);
    if (!event_of(p->least, e))
        return false;
    const gmmu_sem_row is = row_of(p->least, e->site);
    p->went_up = is.up_bytes - before.up_bytes;
    p->came_down = is.down_bytes - before.down_bytes;
    p->least_ns = is.ns - before.ns;
    return true;
}

static bool event_unkept(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    return event_naive(p, e) && event_of(p->merging, e) && event_of(p->pages, e) &&
           event_least(p, e) && most_of(p->most, e, p->track);
}

static bool event_kept(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    return event_of(p->kept_least, e) && most_of(p->kept_most, e, p->track);
}

// The program's flags and traps of floating-point arithmetic are its own: the plays' do not count.
bool gmmu_blas_plays_event(gmmu_blas_plays *p, const gmmu_sem_event *e) {
    fenv_t its;
    (void)feholdexcept(&its);
    const bool good = event_unkept(p, e) && event_kept(p, e);
    (void)fesetenv(&its);
    return good;
}

bool gmmu_blas_plays_memo(gmmu_blas_plays *p, const gmmu_sem_event *call,
                          const gmmu_sem_event *memo, const gmmu_sem_event *rest) {
    fenv_t its;
    (void)feholdexcept(&its);
    const bool good = event_unkept(p, call) && event_kept(p, memo) && event_kept(p, rest);
    (void)fesetenv(&its);
    return good;
}

static double moved(gmmu_sem_row r) {
    return (double)(r.up_bytes + r.down_bytes) / mib;
}

// The two plays bound the truth, but not each in its place: what the CPU accesses ends a transfer
// here and begins one there.
static gmmu_blas_bounds in_order(gmmu_sem_row x, gmmu_sem_row y) {
    gmmu_blas_bounds b = {x, y};
    if (x.up_bytes + x.down_bytes > y.up_bytes + y.down_bytes)
        b = (gmmu_blas_bounds){y, x};
    b.least.ns = x.ns < y.ns ? x.ns : y.ns;
    b.most.ns = x.ns < y.ns ? y.ns : x.ns;
    return b;
}

// What comes back for the CPU's code is billed to the code by the play that has its accesses; here
// it is the site's whose calls wrote it.
static gmmu_blas_bounds bounds_of(const gmmu_blas_plays *p, const struct gmmu_blas_site *s) {
    gmmu_sem_row least = row_of(p->least, s->number);
    if (s->stats != NULL) {
        least.down_bytes += s->stats->back_bytes;
        least.ns += s->stats->back_ns;
    }
    return in_order(least, p->most == NULL ? least : row_of(p->most, s->number));
}

static double gain(const gmmu_blas_row *l) {
    return (double)l->ns - l->is.least.ns;
}

// What could be gained most first; sites that only have calls below the minimum at the end.
static int most_gain_first(const void *a, const void *b) {
    const gmmu_blas_row *x = a, *y = b;
    if ((x->calls == 0) != (y->calls == 0))
        return x->calls == 0 ? 1 : -1;
    if (gain(x) < gain(y) || gain(x) > gain(y))
        return gain(x) < gain(y) ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static gmmu_blas_bounds bounds_of_all(const gmmu_blas_plays *p) {
    const gmmu_sem_row row = gmmu_sem_play_total(p->least);
    return in_order(row, p->most == NULL ? row : gmmu_sem_play_total(p->most));
}

gmmu_blas_row *gmmu_blas_rows(const gmmu_blas_report *r, uint32_t *n, gmmu_blas_row *all) {
    gmmu_blas_row *rows = calloc((size_t)r->count + 1, sizeof *rows);
    *n = 0;
    if (rows == NULL)
        return NULL;
    *all = (gmmu_blas_row){.routine = "all",
                           .name = "",
                           .shown = "",
                           .naive_ns = gmmu_sem_play_total(r->plays->naive).ns,
                           .is = bounds_of_all(r->plays)};
    for (uint32_t i = 0; i < r->count; i++) {
        const struct gmmu_blas_site *s = r->sites[i];
        const gmmu_blas_row row = {.routine = s->routine,
                                   .name = s->name,
                                   .shown = s->shown == NULL ? s->name : s->shown,
                                   .number = s->number,
                                   .library = s->library,
                                   .estimated = s->estimated,
                                   .calls = s->calls,
                                   .below = gmmu_blas_counted(&s->below),
                                   .flops = s->flops,
                                   .ns = s->ns,
                                   .bytes = s->stats == NULL ? 0 : s->stats->bytes,
                                   .naive_ns = row_of(r->plays->naive, s->number).ns,
                                   .is = bounds_of(r->plays, s),
                                   .stats = s->stats};
        all->calls += row.calls;
        all->below += row.below;
        all->flops += row.flops;
        all->ns += row.ns;
        all->bytes += row.bytes;
        if (row.calls + row.below != 0)  // others call within other calls alone
            rows[(*n)++] = row;
        if (row.stats != NULL)
            gmmu_blas_stats_sort(row.stats);
    }
    qsort(rows, *n, sizeof *rows, most_gain_first);
    return rows;
}

const char *gmmu_blas_side_name(const gmmu_blas_report *r, uint32_t number) {
    return number < r->count ? r->sites[number]->name : "?";
}

static const char *pays(double cpu, double least, double most) {
    return most < cpu ? "yes" : least < cpu ? "perhaps" : "no";
}

static void write_row(FILE *to, const gmmu_blas_row *l) {
    (void)fprintf(
        to,
        "%9" PRIu64 " %9" PRIu64
        " %12.3f %12.3f %11.2f %11.2f %11.3f %11.3f %10.1f  %-7s  "
        "%s%s%s%s\n",
        l->calls, l->below, (double)l->flops * 1e-6, (double)l->ns * 1e-6, moved(l->is.least),
        moved(l->is.most), l->is.least.ns * 1e-6, l->is.most.ns * 1e-6,
        l->calls == 0 ? 0 : (double)l->bytes / (double)l->calls / 1024,
        l->calls == 0 ? "-" : pays((double)l->ns, l->is.least.ns, l->is.most.ns), l->routine,
        l->estimated ? " (estimate)" : "", *l->shown == 0 ? "" : " <- ", l->shown);
}

static const char indent[] = "                      ";

// "M 300 N 4..300 K 20": what a routine does not have is left out.
static void write_sizes(FILE *to, const gmmu_blas_shape *least, const gmmu_blas_shape *most) {
    const struct {
        char letter;
        int64_t least, most;
    } all[] = {{'M', least->m, most->m}, {'N', least->n, most->n}, {'K', least->k, most->k}};
    for (unsigned i = 0; i < 3; i++) {
        if (all[i].most == 0)
            continue;
        (void)fprintf(to, " %c %" PRId64, all[i].letter, all[i].least);
        if (all[i].least != all[i].most)
            (void)fprintf(to, "..%" PRId64, all[i].most);
    }
}

enum { SHOWN = 3 };

static void write_shapes(FILE *to, const gmmu_blas_stats *s) {
    uint64_t others = s->other_shapes;
    // calls of ever other shapes, as of a factorisation, have no shapes to be named
    const bool named = s->shapes <= SHOWN || s->shape[0].calls > 1;
    (void)fprintf(to, "%sshapes:", indent);
    for (unsigned i = 0; i < s->shapes; i++) {
        const gmmu_blas_shape_row *row = &s->shape[i];
        if (i >= SHOWN || !named) {
            others += row->calls;
            continue;
        }
        (void)fprintf(to, "%s %c", i == 0 ? "" : ";", row->is.type);
        write_sizes(to, &row->is, &row->is);
        (void)fprintf(to, ": %" PRIu64 " calls %.3f ms", row->calls, (double)row->ns * 1e-6);
    }
    if (others != 0) {
        if (named)
            (void)fprintf(to, "; %" PRIu64 " calls of others; all within", others);
        else
            (void)fprintf(to, " %c, different ones, within", s->least.type);
        write_sizes(to, &s->least, &s->most);
    }
    (void)fprintf(to, "\n%ssizes:", indent);
    const char *before = "";
    for (unsigned i = 0; i < GMMU_BLAS_SIZES; i++) {
        const gmmu_blas_size_row *row = &s->size[i];
        if (row->calls == 0)
            continue;
        (void)fprintf(to, "%s from %u: %" PRIu64 " calls %.3f ms (naive %.3f)", before, 1U << i,
                      row->calls, row->cpu_ns * 1e-6, row->naive_ns * 1e-6);
        before = ";";
    }
    gmmu_blas_shape least;
    if (gmmu_blas_stats_pays(s, &least)) {
        (void)fprintf(to, "\n%spays by itself: from %c", indent, least.type);
        write_sizes(to, &least, &least);
        (void)fprintf(to, " on\n");
    } else {
        (void)fprintf(to, "\n%spays by itself: no shape\n", indent);
    }
}

static void write_lines(FILE *to, const gmmu_blas_row *l) {
    const gmmu_blas_stats *s = l->stats;
    uint64_t others = s->other_lines;
    if (s->lines == 0)
        return;
    (void)fprintf(to, "%slines:", indent);
    for (unsigned i = 0; i < s->lines; i++) {
        if (i >= SHOWN) {
            others += s->line[i].calls;
            continue;
        }
        (void)fprintf(to, "%s %s: %" PRIu64 " calls %.3f ms", i == 0 ? "" : ";", s->line[i].text,
                      s->line[i].calls, (double)s->line[i].ns * 1e-6);
    }
    if (others != 0)
        (void)fprintf(to, "; %" PRIu64 " calls of others", others);
    if (s->asked < l->calls)
        (void)fprintf(to, " (estimated from %" PRIu64 " calls that were asked)", s->asked);
    (void)fprintf(to, "\n");
}

static void write_side(FILE *to, const char *what, const char *name, uint64_t times,
                       uint64_t bytes) {
    if (times != 0)
        (void)fprintf(to, "%s%s: %.2f MiB in %" PRIu64 " transfers, by %s\n", indent, what,
                      (double)bytes / mib, times, name);
}

// Whose accesses between the calls of the site move its operands.
static void write_sides(FILE *to, const gmmu_blas_report *r, const gmmu_blas_stats *s) {
    for (unsigned i = 0; i < s->sides; i++) {
        const char *name = gmmu_blas_side_name(r, s->side[i].site);
        write_side(to, "comes back", name, s->side[i].downs, s->side[i].down_bytes);
        write_side(to, "goes up, as the CPU wrote it", name, s->side[i].ups, s->side[i].up_bytes);
    }
}

// The sites, and a row of all.
static void write_sites(FILE *to, const gmmu_blas_report *r) {
    const uint64_t limit = r->settings->sites == 0 ? UINT64_MAX : r->settings->sites;
    gmmu_blas_row all;
    uint32_t n;
    gmmu_blas_row *rows = gmmu_blas_rows(r, &n, &all);
    if (rows == NULL)
        return;
    // sites of small calls alone are shown if there are no others
    uint32_t recorded = 0;
    while (recorded < n && rows[recorded].calls != 0) recorded++;
    const uint32_t small = recorded == 0 ? 0 : n - recorded;
    n -= small;
    for (uint32_t i = 0; i < n && i < limit; i++) {
        write_row(to, &rows[i]);
        if (rows[i].stats == NULL)
            continue;
        write_shapes(to, rows[i].stats);
        write_lines(to, &rows[i]);
        write_sides(to, r, rows[i].stats);
    }
    write_row(to, &all);
    bool estimated = false;
    for (uint32_t i = 0; i < n && i < limit; i++) estimated = estimated || rows[i].estimated;
    if (estimated)
        (void)fprintf(to,
                      "(estimate): the routine iterates, and its operations are not counted; both "
                      "bounds of its time are estimates\n");
    if (n > limit)
        (void)fprintf(to, "%" PRIu64 " more sites: GMMU_SITES=0 has all\n", n - limit);
    if (small != 0)
        (void)fprintf(to, "%" PRIu32 " sites have calls below the minimum alone\n", small);
    free(rows);
}

enum { MOST_LINES = 64, SHOWN_LINES = 10 };

static int most_time_first(const void *a, const void *b) {
    const gmmu_blas_line_row *x = a, *y = b;
    return (x->ns < y->ns) - (x->ns > y->ns);
}

// ROW to the N rows of ALL. Returns their number then.
static unsigned add_line(gmmu_blas_line_row *all, unsigned n, const gmmu_blas_line_row *row) {
    unsigned i = 0;
    while (i < n && strcmp(all[i].text, row->text) != 0) i++;
    if (i == MOST_LINES)
        return n;
    if (i == n)
        memcpy(all[i].text, row->text, sizeof all[i].text);
    all[i].calls += row->calls;
    all[i].ns += row->ns;
    all[i].naive_ns += row->naive_ns;
    return i == n ? n + 1 : n;
}

// The lines of the program, whatever routines and sites their calls have.
static void write_all_lines(FILE *to, const gmmu_blas_report *r) {
    gmmu_blas_line_row *all = calloc(MOST_LINES, sizeof *all);
    unsigned n = 0;
    uint64_t asked = 0, calls = 0;
    for (uint32_t i = 0; all != NULL && i < r->count; i++) {
        const gmmu_blas_stats *s = r->sites[i]->stats;
        calls += r->sites[i]->calls;
        asked += s == NULL ? 0 : s->asked;
        for (unsigned k = 0; s != NULL && k < s->lines; k++) n = add_line(all, n, &s->line[k]);
    }
    if (n != 0) {
        qsort(all, n, sizeof *all, most_time_first);
        (void)fprintf(to, "%9s %12s %12s  %-4s  line of the program (function: library's function)",
                      "calls", "cpu_ms", "naive_ms", "pays");
        if (asked < calls)
            (void)fprintf(to, ", estimated from %" PRIu64 " of %" PRIu64 " calls", asked, calls);
        (void)fprintf(to, "\n");
    }
    for (unsigned i = 0; i < n && i < SHOWN_LINES; i++)
        (void)fprintf(to, "%9" PRIu64 " %12.3f %12.3f  %-4s  %s\n", all[i].calls,
                      (double)all[i].ns * 1e-6, all[i].naive_ns * 1e-6,
                      pays((double)all[i].ns, all[i].naive_ns, all[i].naive_ns), all[i].text);
    free(all);
}

static void sizes_of_all(const gmmu_blas_report *r, gmmu_blas_size_row all[GMMU_BLAS_SIZES]) {
    memset(all, 0, GMMU_BLAS_SIZES * sizeof *all);
    for (uint32_t i = 0; i < r->count; i++)
        for (unsigned k = 0; r->sites[i]->stats != NULL && k < GMMU_BLAS_SIZES; k++) {
            all[k].calls += r->sites[i]->stats->size[k].calls;
            all[k].cpu_ns += r->sites[i]->stats->size[k].cpu_ns;
            all[k].naive_ns += r->sites[i]->stats->size[k].naive_ns;
        }
}

uint64_t gmmu_blas_pays_from(const gmmu_blas_report *r) {
    gmmu_blas_size_row all[GMMU_BLAS_SIZES];
    sizes_of_all(r, all);
    const unsigned from = gmmu_blas_sizes_pay(all);
    return from == GMMU_BLAS_SIZES ? 0 : UINT64_C(1) << from;
}

// All calls by size: from which size on does it pay?
static void write_all_sizes(FILE *to, const gmmu_blas_report *r) {
    gmmu_blas_size_row all[GMMU_BLAS_SIZES];
    sizes_of_all(r, all);
    (void)fprintf(to, "%9s %9s %12s %12s  %s\n", "size from", "calls", "cpu_ms", "naive_ms",
                  "pays, each call by itself (size: N of a call with 2 N^3 operations)");
    for (unsigned k = 0; k < GMMU_BLAS_SIZES; k++)
        if (all[k].calls != 0)
            (void)fprintf(to, "%9u %9" PRIu64 " %12.3f %12.3f  %s\n", 1U << k, all[k].calls,
                          all[k].cpu_ns * 1e-6, all[k].naive_ns * 1e-6,
                          pays(all[k].cpu_ns, all[k].naive_ns, all[k].naive_ns));
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
    const gmmu_blas_bounds is = in_order(row, gmmu_sem_play_total(most));
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
    if (worst == NULL || (double)r.excess_bytes < mib / 200)  // what two digits show
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

// The first of equally good ones, which differ by rounding alone.
static gmmu_blas_way better(gmmu_blas_way x, gmmu_blas_way y) {
    return y.ns > x.ns + 1 ? y : x;
}

// By itself each call knows what it costs: the best minimum is known, too.
static gmmu_blas_way best_naive(const gmmu_blas_plays *p, uint64_t least) {
    gmmu_blas_way best = {"naive", least, 0};
    double ns = 0;
    for (unsigned i = GMMU_BLAS_MINIMA; i-- > 0;) {
        ns += p->cpu_ns[i] - p->naive_ns[i];
        best = better(best, (gmmu_blas_way){"naive", minimum(i), ns});
    }
    best.minimum = best.minimum < least ? least : best.minimum;
    return best;
}

void gmmu_blas_ways(const gmmu_blas_report *r, gmmu_blas_way *least, gmmu_blas_way *most) {
    const gmmu_blas_plays *p = r->plays;
    const gmmu_blas_bounds is = bounds_of_all(p);
    const gmmu_blas_way naive = best_naive(p, r->least);
    double cpu = 0;
    for (uint32_t i = 0; i < r->count; i++) cpu += (double)r->sites[i]->ns;
    *most = better(naive, (gmmu_blas_way){"write-back", r->least, cpu - is.least.ns});
    *most = better(
        *most, (gmmu_blas_way){"pages of 4 KiB", r->least, cpu - gmmu_sem_play_total(p->pages).ns});
    *least = better(naive, (gmmu_blas_way){"write-back", r->least, cpu - is.most.ns});
}

// A call without threads is as long on the CPU as by the clock.
double gmmu_blas_cpu_ns(const gmmu_blas_report *r, double ns) {
    double in_calls = 0;
    for (uint32_t i = 0; i < r->count; i++) in_calls += (double)r->sites[i]->ns;
    return in_calls > 0 && ns > 0 ? ns * (double)r->busy_ns / in_calls : 0;
}

unsigned gmmu_blas_protocols(const gmmu_blas_report *r,
                             gmmu_blas_protocol all[GMMU_BLAS_PROTOCOLS]) {
    const gmmu_blas_plays *p = r->plays;
    const gmmu_blas_bounds is = bounds_of_all(p);
    const bool bounds = p->most != NULL;
    const char *least = bounds ? "least" : "";
    unsigned n = 0;
    all[n++] = (gmmu_blas_protocol){"naive", "", gmmu_sem_play_total(p->naive)};
    all[n++] = (gmmu_blas_protocol){"write-back", least, is.least};
    if (bounds)
        all[n++] = (gmmu_blas_protocol){"write-back", "most", is.most};
    all[n++] = (gmmu_blas_protocol){"pages", least, gmmu_sem_play_total(p->pages)};
    all[n++] = (gmmu_blas_protocol){"merging", least, gmmu_sem_play_total(p->merging)};
    return n;
}

// A signal's name without SIG.
static const char *signal_name(int number) {
    const char *name = sigabbrev_np(number);
    return name == NULL ? "?" : name;
}

// What offloading saves, what narrows the bounds, and what is known.
static void write_head(FILE *to, const gmmu_blas_report *r) {
    static const char *const narrower[GMMU_SEM_TRACKS] = {
        "; what the CPU touches between calls is not known; GMMU_TRACK=writes or full narrows it",
        "; what the CPU reads between calls is not known; GMMU_TRACK=full narrows it", ""};
    const gmmu_sem_track track = r->settings->track;
    gmmu_blas_way least, most;
    gmmu_blas_ways(r, &least, &most);
    (void)fprintf(to, "gmmu_blas: process %ld (%s)", (long)getpid(), r->settings->program);
    if (*r->settings->rank.number != 0)
        (void)fprintf(to, ", rank %s%s%s on %s", r->settings->rank.number,
                      *r->settings->rank.of == 0 ? "" : " of ", r->settings->rank.of,
                      r->settings->rank.host);
    if (r->signal != 0)
        (void)fprintf(to, ", ended by SIG%s", signal_name(r->signal));
    (void)fprintf(to, ": offloading saves ");
    if (most.ns > 0)
        (void)fprintf(to, "at most %.3f of %.3f s of CPU time (%.0f %%), by %s",
                      gmmu_blas_cpu_ns(r, most.ns) * 1e-9, (double)r->cpu_ns * 1e-9,
                      r->cpu_ns == 0 ? 0 : 100 * gmmu_blas_cpu_ns(r, most.ns) / (double)r->cpu_ns,
                      most.protocol);
    else
        (void)fprintf(to, "nothing of %.3f s of CPU time", (double)r->cpu_ns * 1e-9);
    if (most.ns > 0 && track != GMMU_SEM_FULL && least.ns > 0)
        (void)fprintf(to, "; %.3f, by %s, if the CPU touches all that it may",
                      gmmu_blas_cpu_ns(r, least.ns) * 1e-9, least.protocol);
    else if (most.ns > 0 && track != GMMU_SEM_FULL)
        (void)fprintf(to, "; nothing if the CPU touches all that it may");
    const uint64_t from = gmmu_blas_pays_from(r);
    if (from != 0)
        (void)fprintf(to, "; each call by itself pays from size %" PRIu64 " on (2 N^3 operations)",
                      from);
    else
        (void)fprintf(to, "; no call by itself pays");
    (void)fprintf(to, "%s\n", narrower[track]);
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
    if (empty != 0)
        (void)fprintf(to, ", %" PRIu64 " that touch nothing", empty);
    (void)fprintf(to,
                  "; %.3f s in calls, of %.3f s of CPU time and %.3f s of the clock; "
                  "GMMU_TRACK=%s%s%s\n",
                  (double)in_calls * 1e-9, (double)r->cpu_ns * 1e-9, (double)r->ns * 1e-9,
                  gmmu_blas_tracks[r->settings->track], r->back_end == NULL ? "" : ", found by ",
                  r->back_end == NULL ? "" : r->back_end);
    if (r->waited_ns * 10 > in_calls)
        (void)fprintf(
            to,
            "waiting: beside these, %.3f s in calls in which their thread did not run, as "
            "other programs had its processor\n",
            (double)r->waited_ns * 1e-9);
}

// Reports of ranks on one stream are cut where the launcher cuts it.
static void write_hint(FILE *to, const gmmu_blas_report *r) {
    const gmmu_blas_settings *s = r->settings;
    if (*s->rank.number != 0 && s->report != NULL && strcmp(s->report, "stderr") == 0)
        (void)fprintf(to,
                      "ranks: their reports on standard error may mix; GMMU_REPORT=FILE.%%r has a "
                      "file for each\n");
}

// Observing the program's accesses slows calls, too, by faults that nobody can tell from the call.
static void write_slowed(FILE *to, gmmu_sem_track track) {
    if (track != GMMU_SEM_CALLS)
        (void)fprintf(to,
                      "tracking: faults of watched pages are in the CPU's times, most of all of "
                      "small calls; choose the size by a run with GMMU_TRACK=calls\n");
}

// The machine of the times: a roofline.
static void write_machine(FILE *to, const gmmu_blas_report *r) {
    const gmmu_sem_link *l = &r->settings->link;
    (void)fprintf(to,
                  "machine: %s: link %g GB/s up, %g down, %g us a transfer; GPU %g Gflop/s double, "
                  "%g single, %g GB/s, %g us a kernel, all at its peak\n",
                  r->settings->link_name, l->up_gbs, l->down_gbs, l->transfer_us, l->gpu_gflops,
                  l->gpu_single_gflops, l->gpu_gbs, l->call_us);
}

// The objects that have the real routines, and how fast: GEMM, else all whose operations are no
// estimate.
static void write_libraries(FILE *to, const gmmu_blas_report *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        const char *library = r->sites[i]->library;
        bool first = library != NULL;
        uint64_t calls[2] = {0}, flops[2] = {0}, ns[2] = {0};  // [1]: of GEMM
        for (uint32_t k = 0; first && k < r->count; k++) {
            const struct gmmu_blas_site *s = r->sites[k];
            if (s->library == NULL || strcmp(s->library, library) != 0)
                continue;
            first = k >= i;
            for (int gemm = 0; !s->estimated && gemm <= (s->gemm ? 1 : 0); gemm++) {
                calls[gemm] += s->calls;
                flops[gemm] += s->flops;
                ns[gemm] += s->ns;
            }
        }
        if (!first)
            continue;
        const int of = calls[1] != 0;
        (void)fprintf(to, "library: %s: ", library);
        if (ns[of] != 0)
            (void)fprintf(to, "%.1f Gflop/s over %" PRIu64 " recorded calls%s",
                          (double)flops[of] / (double)ns[of], calls[of], of ? " of GEMM" : "");
        else
            (void)fprintf(to, "no recorded call of its own whose operations are counted");
        (void)fprintf(to, "%s\n",
                      fnmatch("/usr/lib/*/blas/libblas.so*", library, FNM_PATHNAME) == 0
                          ? "; the reference BLAS: a faster BLAS comes first"
                          : "");
    }
}

// What the CPU's accesses between calls move is seen, or not.
static void write_seen(FILE *to, gmmu_sem_track track) {
    static const char *const seen[GMMU_SEM_TRACKS] = {
        "not looked for: GMMU_TRACK=full names the CPU's code by site, writes its writes alone",
        "the CPU's writes are by site (program); GMMU_TRACK=full has reads, and names the code",
        "by site: comes back, goes up; the code is the first to access"};
    (void)fprintf(to, "ping-pong:         %s\n", seen[track]);
}

void gmmu_blas_report_write(FILE *to, const gmmu_blas_report *r) {
    const gmmu_blas_plays *p = r->plays;
    double cpu = 0;
    for (uint32_t i = 0; i < r->count; i++) cpu += (double)r->sites[i]->ns;
    write_head(to, r);
    write_counts(to, r);
    write_hint(to, r);
    write_slowed(to, r->settings->track);
    write_libraries(to, r);
    write_machine(to, r);
    (void)fprintf(to, "on the CPU:        %.3f ms, the same calls as they ran\n", cpu * 1e-6);
    write_protocol(to, "naive:            ", gmmu_sem_play_total(p->naive));
    write_bounds(to, "write-back:       ", "write-back, least:", "write-back, most: ", p->least,
                 p->most);
    write_protocol(to, p->most == NULL ? "pages of 4 KiB:   " : "pages, least:     ",
                   gmmu_sem_play_total(p->pages));
    write_merging(to, p->most == NULL ? "merging:          " : "merging, least:   ", p->merging,
                  r->sites, r->count);
    if (r->memos != NULL)
        write_kept(to, p, r->memos);
    write_seen(to, r->settings->track);
    write_all_sizes(to, r);
    write_all_lines(to, r);
    (void)fprintf(to, "%9s %9s %12s %12s %11s %11s %11s %11s %10s  %-7s  %s\n", "calls", "below",
                  "Mflop", "cpu_ms", "least_MiB", "most_MiB", "least_ms", "most_ms", "KiB/call",
                  "pays", "routine <- site");
    write_sites(to, r);
}
