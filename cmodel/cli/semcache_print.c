// SPDX-License-Identifier: Apache-2.0
// semcache_print.c: the tables of `gmmu semcache`.
#include "cli/semcache_print.h"

#include <stdlib.h>

#include "cli/demangle.h"
#include "cli/output.h"

enum { NAME = 1024 };

static const gmmu_sem_play *sorted_play;  // of the comparisons below

static void begin(const semcache_options *o, table *t, const table_column *columns, size_t count) {
    if (o->format == FORMAT_TABLE)
        (void)printf("trace: %s\n", o->trace);
    table_begin(t, o->format, columns, count);
}

// The name of a site; in a table a C++ name is demangled, to TO.
static table_value name_of(const semcache_options *o, const gmmu_sem_reader *r, uint32_t site,
                           char to[NAME]) {
    const char *is = gmmu_sem_sites(r)->name[site];
    return value_text(o->format == FORMAT_TABLE ? demangled(is, to, NAME) : is);
}

static table_value seconds(double ns) {
    return value_ratio(ns * 1e-9);
}

static uint64_t largest_merge(const gmmu_sem_play *p) {
    uint32_t n;
    uint64_t largest = 0;
    const gmmu_sem_merge *m = gmmu_sem_play_merges(p, &n);
    for (uint32_t i = 0; i < n; i++) largest = m[i].largest > largest ? m[i].largest : largest;
    return largest;
}

static void print_totals(const semcache_options *o, const semcache_play *all, size_t count) {
    static const table_column columns[] = {
        {"trace", 0},         {"protocol", -9},     {"bound", -6},      {"min", 8},
        {"calls", 9},         {"on_cpu", 8},        {"lookups", 10},    {"hits", 10},
        {"ups", 9},           {"downs", 9},         {"up_bytes", 16},   {"down_bytes", 16},
        {"remote_bytes", 16}, {"excess_bytes", 16}, {"evictions", 10},  {"merges", 8},
        {"largest", 14},      {"splits", 8},        {"copy_bytes", 14}, {"memos", 8},
        {"elided", 8},        {"gpu_bytes", 14},    {"model_s", 14},    {"transfer_s", 14},
        {"cpu_s", 14}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    table t;
    begin(o, &t, columns, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const gmmu_sem_row r = gmmu_sem_play_total(all[i].play);
        const gmmu_sem_counts n = gmmu_sem_play_counts(all[i].play);
        const table_value values[COLUMNS] = {value_text(o->trace),
                                             value_text(all[i].of->name),
                                             value_text(all[i].bound),
                                             value_number(all[i].least),
                                             value_number(r.calls),
                                             value_number(r.on_cpu),
                                             value_number(n.lookups),
                                             value_number(n.hits),
                                             value_number(r.ups),
                                             value_number(r.downs),
                                             value_number(r.up_bytes),
                                             value_number(r.down_bytes),
                                             value_number(r.remote_bytes),
                                             value_number(r.excess_bytes),
                                             value_number(n.evictions),
                                             value_number(n.merges),
                                             value_number(largest_merge(all[i].play)),
                                             value_number(n.splits),
                                             value_number(n.copy_bytes),
                                             value_number(r.memos),
                                             value_number(r.elided),
                                             value_number(n.most_bytes),
                                             seconds(r.ns),
                                             seconds(r.transfer_ns),
                                             seconds((double)r.cpu_ns)};
        table_row(&t, values, NULL);
    }
    table_end(&t);
}

static uint64_t moved(const gmmu_sem_row *r) {
    return r->up_bytes + r->down_bytes + r->remote_bytes;
}

static int most_bytes_first(const void *a, const void *b) {
    uint32_t n;
    const gmmu_sem_row *rows = gmmu_sem_play_sites(sorted_play, &n);
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint64_t p = moved(&rows[x]), q = moved(&rows[y]);
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

// 0 … n − 1, sorted.
static uint32_t *order(const gmmu_sem_play *p, uint32_t n, int (*by)(const void *, const void *)) {
    uint32_t *at = output_room(n, sizeof *at);
    for (uint32_t i = 0; i < n; i++) at[i] = i;
    sorted_play = p;
    qsort(at, n, sizeof *at, by);
    return at;
}

static void print_sites(const semcache_options *o, const gmmu_sem_reader *r,
                        const semcache_play *all, size_t count) {
    static const table_column columns[] = {
        {"trace", 0},       {"protocol", -9},     {"bound", -6},   {"min", 8},    {"site", -32},
        {"calls", 9},       {"on_cpu", 8},        {"accesses", 9}, {"flops", 16}, {"up_bytes", 16},
        {"down_bytes", 16}, {"remote_bytes", 16}, {"model_s", 14}, {"cpu_s", 14}, {"pays", -5}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    table t;
    begin(o, &t, columns, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        uint32_t n;
        const gmmu_sem_row *rows = gmmu_sem_play_sites(all[i].play, &n);
        uint32_t *at = order(all[i].play, n, most_bytes_first);
        for (uint32_t k = 0; k < n; k++) {
            const gmmu_sem_row *s = &rows[at[k]];
            char name[NAME];
            const bool works = s->calls + s->memos != 0;
            const table_value values[COLUMNS] = {value_text(o->trace),
                                                 value_text(all[i].of->name),
                                                 value_text(all[i].bound),
                                                 value_number(all[i].least),
                                                 name_of(o, r, at[k], name),
                                                 value_number(s->calls + s->memos),
                                                 value_number(s->on_cpu),
                                                 value_number(s->accesses),
                                                 value_number(s->flops),
                                                 value_number(s->up_bytes),
                                                 value_number(s->down_bytes),
                                                 value_number(s->remote_bytes),
                                                 seconds(s->ns),
                                                 seconds((double)s->cpu_ns),
                                                 value_text(!works                      ? ""
                                                            : s->ns < (double)s->cpu_ns ? "yes"
                                                                                        : "no")};
            table_row(&t, values, NULL);
        }
        free(at);
    }
    table_end(&t);
}

static int most_moved_first(const void *a, const void *b) {
    uint32_t n;
    const gmmu_sem_pair *pairs = gmmu_sem_play_pairs(sorted_play, &n);
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint64_t p = pairs[x].bytes, q = pairs[y].bytes;
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

static void print_pairs(const semcache_options *o, const gmmu_sem_reader *r,
                        const semcache_play *all, size_t count) {
    static const table_column columns[] = {
        {"trace", 0},  {"protocol", -9}, {"bound", -6},     {"min", 8},   {"start", 18},
        {"bytes", 14}, {"site", -32},    {"cpu_site", -32}, {"moves", 9}, {"moved_bytes", 16}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    table t;
    begin(o, &t, columns, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        uint32_t n;
        const gmmu_sem_pair *pairs = gmmu_sem_play_pairs(all[i].play, &n);
        uint32_t *at = order(all[i].play, n, most_moved_first);
        for (uint32_t k = 0; k < n; k++) {
            const gmmu_sem_pair *p = &pairs[at[k]];
            char name[NAME], other[NAME];
            const table_value values[COLUMNS] = {
                value_text(o->trace),         value_text(all[i].of->name),
                value_text(all[i].bound),     value_number(all[i].least),
                value_hex(p->start),          value_number(p->last - p->start + 1),
                name_of(o, r, p->site, name), name_of(o, r, p->cpu_site, other),
                value_number(p->moves),       value_number(p->bytes)};
            table_row(&t, values, NULL);
        }
        free(at);
    }
    table_end(&t);
}

static int most_excess_first(const void *a, const void *b) {
    uint32_t n;
    const gmmu_sem_merge *m = gmmu_sem_play_merges(sorted_play, &n);
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const uint64_t p = m[x].excess, q = m[y].excess;
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

static void print_merges(const semcache_options *o, const gmmu_sem_reader *r,
                         const semcache_play *all, size_t count) {
    static const table_column columns[] = {{"trace", 0},  {"protocol", -9}, {"bound", -6},
                                           {"min", 8},    {"site", -32},    {"other", -32},
                                           {"merges", 9}, {"largest", 14},  {"excess_bytes", 16}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    table t;
    begin(o, &t, columns, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        uint32_t n;
        const gmmu_sem_merge *merges = gmmu_sem_play_merges(all[i].play, &n);
        uint32_t *at = order(all[i].play, n, most_excess_first);
        for (uint32_t k = 0; k < n; k++) {
            const gmmu_sem_merge *m = &merges[at[k]];
            char name[NAME], other[NAME];
            const table_value values[COLUMNS] = {
                value_text(o->trace),         value_text(all[i].of->name),
                value_text(all[i].bound),     value_number(all[i].least),
                name_of(o, r, m->site, name), name_of(o, r, m->other, other),
                value_number(m->merges),      value_number(m->largest),
                value_number(m->excess)};
            table_row(&t, values, NULL);
        }
        free(at);
    }
    table_end(&t);
}

// ---- the time line

void semcache_slice(void *context, gmmu_sem_work work, uint32_t site, double start_ns, double ns,
                    uint64_t bytes) {
    static const char *const names[] = {"CPU", "GPU", "up", "down", "remote"};
    semcache_line *line = context;
    json_t *e = json_object(), *args = json_object();
    (void)json_object_set_new(e, "name",
                              site == UINT32_MAX
                                  ? json_string("free")
                                  : output_text(gmmu_sem_sites(line->names)->name[site]));
    (void)json_object_set_new(e, "cat", json_string(names[work]));
    (void)json_object_set_new(e, "ph", json_string("X"));
    (void)json_object_set_new(e, "ts", json_real(start_ns / 1000));
    (void)json_object_set_new(e, "dur", json_real(ns / 1000));
    output_number(e, "pid", 1);
    output_number(e, "tid", (uint64_t)work + 1);
    if (bytes != 0)
        output_number(args, "bytes", bytes);
    (void)json_object_set_new(e, "args", args);
    (void)fputs(line->slices == 0 ? "[\n" : ",\n", line->to);
    for (unsigned i = 0; line->slices == 0 && i < sizeof names / sizeof names[0]; i++)
        (void)fprintf(line->to,
                      "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": %u, "
                      "\"args\": {\"name\": \"%s\"}},\n",
                      i + 1, names[i]);
    line->bad |= json_dumpf(e, line->to, JSON_COMPACT) != 0;
    line->slices++;
    json_decref(e);
}

bool semcache_line_end(semcache_line *line) {
    (void)fputs(line->slices == 0 ? "[]\n" : "\n]\n", line->to);
    const bool good = ferror(line->to) == 0 && !line->bad;
    return fclose(line->to) == 0 && good;
}

void semcache_print(const semcache_options *o, const gmmu_sem_reader *r, const semcache_play *all,
                    size_t count) {
    if (o->show == SEMCACHE_SITES)
        print_sites(o, r, all, count);
    else if (o->show == SEMCACHE_PAIRS)
        print_pairs(o, r, all, count);
    else if (o->show == SEMCACHE_MERGES)
        print_merges(o, r, all, count);
    else
        print_totals(o, all, count);
}
