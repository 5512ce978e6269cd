// SPDX-License-Identifier: Apache-2.0
// rdgc_print.c: metrics and MRU counters of `gmmu rdgc`, as table, CSV and JSON.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/rdgc_request.h"
#include "cli/table.h"

typedef enum { MISSING, COUNT, RATIO, CYCLES } metric_kind;

typedef struct {
    metric_kind kind;  // MISSING: that model was not run, or the ratio is of no accesses
    uint64_t count;    // of a RATIO its hits, of CYCLES the sum
    uint64_t of;
} metric;

static const char *const names[] = {
    "L1_R_Hit", "L2_Hit", "L2_Hit_L1B", "L1_R_Trans", "L2_Trans", "L2_Trans_L1B", "coalesced",
    "l1_fails", "l1_merges", "l1_steps", "l1_steps_longest", "l1_write_evictions", "l2_fails",
    "l2_merges", "l2_steps", "coalesced_l1b", "l2_fails_l1b", "l2_merges_l1b", "l2_steps_l1b",
    // --more
    "L2_R_Hit", "L2_R_Hit_L1B", "L1_Quad_Hit", "L2_R_Trans", "atomics", "L1_Quad_Trans",
    // --amat
    "AMAT", "AMAT_L1B"};
enum { METRICS = sizeof names / sizeof names[0], FIRST_TABLE = 6, MORE = 19, AMAT = 25 };

static const char *const total_names[] = {"grids", "blocks", "threads", "L",
                                          "L_sum", "reads",  "writes"};
enum { TOTALS = sizeof total_names / sizeof total_names[0] };

static void totals_of(const rdgc_totals *t, uint64_t value[TOTALS]) {
    const uint64_t all[TOTALS] = {t->grids,       t->blocks, t->threads, t->longest,
                                  t->longest_sum, t->reads,  t->writes};
    memcpy(value, all, sizeof all);
}

static metric count_of(bool there, uint64_t n) {
    return (metric){.kind = there ? COUNT : MISSING, .count = n};
}

static metric ratio_of(bool there, gmmu_rdgc_share s) {
    return (metric){
        .kind = there && s.accesses != 0 ? RATIO : MISSING, .count = s.hits, .of = s.accesses};
}

// Mean of HIT for the share's hits and MISS for the rest; of no accesses HIT.
static double mean_time(gmmu_rdgc_share s, double hit, double miss) {
    double part = s.accesses == 0 ? 1 : (double)s.hits / (double)s.accesses;
    return part * hit + (1 - part) * miss;
}

// Mean cycles of a read, in thousandths: L1's reads, then L2's reads behind them.
static metric amat_of(bool there, const uint32_t time[3], gmmu_rdgc_share l1, gmmu_rdgc_share l2) {
    double behind = mean_time(l2, time[1], time[2]);
    double all = l1.accesses == 0 ? behind : mean_time(l1, time[0], behind);
    return (metric){
        .kind = there ? CYCLES : MISSING, .count = (uint64_t)(1000 * all + 0.5), .of = 1000};
}

// All metrics, in the order of `names`.
static void metrics_of(const rdgc_request *r, const rdgc_case *c, metric m[METRICS]) {
    static const gmmu_rdgc_result none;
    const gmmu_rdgc_share nothing = {0, 0};
    const gmmu_rdgc_result *on = c->on == NULL ? &none : gmmu_rdgc_get_result(c->on);
    const gmmu_rdgc_result *off = c->off == NULL ? &none : gmmu_rdgc_get_result(c->off);
    bool a = c->on != NULL;
    bool b = c->off != NULL;
    gmmu_rdgc_share l1 = a ? gmmu_rdgc_l1_reads(on) : nothing;
    gmmu_rdgc_share l2 = a ? gmmu_rdgc_l2_all(on) : nothing;
    gmmu_rdgc_share l2_l1b = b ? gmmu_rdgc_l2_all(off) : nothing;
    gmmu_rdgc_share l2_r = a ? gmmu_rdgc_l2_reads(on) : nothing;
    gmmu_rdgc_share l2_r_l1b = b ? gmmu_rdgc_l2_reads(off) : nothing;
    gmmu_rdgc_share quads = a ? gmmu_rdgc_l1_quads(on) : nothing;
    bool q = a && c->gpu.rdgc.quads;
    const metric all[METRICS] = {ratio_of(a, l1),
                                 ratio_of(a, l2),
                                 ratio_of(b, l2_l1b),
                                 count_of(a, l1.accesses),
                                 count_of(a, l2.accesses),
                                 count_of(b, l2_l1b.accesses),
                                 count_of(a, on->coalesced),
                                 count_of(a, on->l1.rf),
                                 count_of(a, on->l1.merges),
                                 count_of(a, on->l1.steps),
                                 count_of(a, on->l1_steps_longest),
                                 count_of(a, on->l1.write_evictions),
                                 count_of(a, on->l2.rf),
                                 count_of(a, on->l2.merges),
                                 count_of(a, on->l2.steps),
                                 count_of(b, off->coalesced),
                                 count_of(b, off->l2.rf),
                                 count_of(b, off->l2.merges),
                                 count_of(b, off->l2.steps),
                                 ratio_of(a, l2_r),
                                 ratio_of(b, l2_r_l1b),
                                 ratio_of(q, quads),
                                 count_of(a, l2_r.accesses),
                                 count_of(a, on->atomics),
                                 count_of(q, quads.accesses),
                                 amat_of(a && r->time[0] != 0, r->time, l1, l2_r),
                                 amat_of(b && r->time[0] != 0, r->time, nothing, l2_r_l1b)};
    memcpy(m, all, sizeof all);
}

static double value_of(metric m) {
    return (double)m.count / (double)m.of;
}

// The counters of one case: of L1 and L2 with L1 as it is, and of L2 with L1 bypassed.
typedef struct {
    const char *name;
    const uint64_t *count;  // [ways + 1]
    uint32_t ways;
} counters;

enum { ARRAYS = 6 };

static size_t counters_of(const rdgc_case *c, counters list[ARRAYS]) {
    size_t n = 0;
    if (c->on != NULL) {
        const gmmu_rdgc_result *r = gmmu_rdgc_get_result(c->on);
        list[n++] = (counters){"C1R", r->l1.r, r->l1.ways};
        list[n++] = (counters){"C1W", r->l1.w, r->l1.ways};
        list[n++] = (counters){"C2R", r->l2.r, r->l2.ways};
        list[n++] = (counters){"C2W", r->l2.w, r->l2.ways};
    }
    if (c->off != NULL) {
        const gmmu_rdgc_result *r = gmmu_rdgc_get_result(c->off);
        list[n++] = (counters){"C2R_L1B", r->l2.r, r->l2.ways};
        list[n++] = (counters){"C2W_L1B", r->l2.w, r->l2.ways};
    }
    return n;
}

// ---------------------------------------------------------------- rows

enum { VARIED = RDGC_VARIATIONS * RDGC_TOGETHER, MOST_COLUMNS = 2 + VARIED + TOTALS + METRICS };

// A row in the making: columns and the values of one case.
typedef struct {
    table_column columns[MOST_COLUMNS];
    table_value values[MOST_COLUMNS];
    size_t count;
} row;

static void add(row *w, const char *name, int width, table_value value) {
    w->columns[w->count] = (table_column){name, width};
    w->values[w->count++] = value;
}

// The values of the keys that are varied.
static void add_varied(row *w, const rdgc_request *r, size_t number) {
    for (size_t v = 0; v < r->variations; v++) {
        for (size_t k = 0; k < r->variation[v].keys; k++) {
            const char *key = r->variation[v].key[k];
            int width = strlen(key) > 10 ? (int)strlen(key) : 10;
            add(w, key, -width, value_text(rdgc_value(r, number, v, k)));
        }
    }
}

static void add_totals(row *w, const uint64_t totals[TOTALS]) {
    for (size_t i = 0; i < TOTALS; i++) {
        add(w, total_names[i], 0, value_number(totals[i]));
    }
}

// The metrics FROM up to TO.
static void add_metrics(row *w, const rdgc_request *r, const rdgc_case *c, size_t from, size_t to) {
    metric m[METRICS];
    metrics_of(r, c, m);
    for (size_t i = from; i < to; i++) {
        add(w, names[i], (int)strlen(names[i]),
            m[i].kind == COUNT     ? value_number(m[i].count)
            : m[i].kind != MISSING ? value_ratio(value_of(m[i]))
                                   : (table_value){.kind = VALUE_NONE});
    }
}

// Those of every line, and those that were asked for.
static void add_all_metrics(row *w, const rdgc_request *r, const rdgc_case *c) {
    add_metrics(w, r, c, 0, MORE);
    if (r->more) {
        add_metrics(w, r, c, MORE, AMAT);
    }
    if (r->time[0] != 0) {
        add_metrics(w, r, c, AMAT, METRICS);
    }
}

// What every line of CSV begins with.
static void add_start(row *w, const rdgc_request *r, size_t number) {
    add(w, "source", 0, value_text(r->source));
    add(w, "gpu", 0, value_text(r->gpu.name));
    add_varied(w, r, number);
}

// ---------------------------------------------------------------- table

static void table_part(const rdgc_request *r, const rdgc_case *cases, size_t count, size_t from,
                       size_t to) {
    table t;
    row w;
    for (size_t n = 0; n < count; n++) {
        w.count = 0;
        add_varied(&w, r, n);
        add_metrics(&w, r, &cases[n], from, to);
        if (n == 0) {
            table_begin(&t, FORMAT_TABLE, w.columns, w.count);
        }
        table_row(&t, w.values, NULL);
    }
    table_end(&t);
}

// The varied values alone, as a line of the table begins.
static void print_values(const rdgc_request *r, size_t number) {
    row w = {.count = 0};
    add_varied(&w, r, number);
    const table t = {.format = FORMAT_TABLE, .columns = w.columns, .count = w.count};
    table_row(&t, w.values, " ");
}

static void table_counters(const rdgc_request *r, const rdgc_case *cases, size_t count) {
    for (size_t n = 0; n < count; n++) {
        counters list[ARRAYS];
        size_t arrays = counters_of(&cases[n], list);
        (void)putchar('\n');
        if (r->variations > 0) {
            print_values(r, n);
        }
        for (size_t a = 0; a < arrays; a++) {
            (void)printf("%-8s", list[a].name);
            for (uint32_t d = 0; d < list[a].ways; d++) {
                if (list[a].count[d] != 0) {
                    (void)printf(" %" PRIu32 ": %" PRIu64, d, list[a].count[d]);
                }
            }
            (void)printf(" inf: %" PRIu64 "\n", list[a].count[list[a].ways]);
        }
    }
}

static void print_table(const rdgc_request *r, const rdgc_case *cases, size_t count,
                        const uint64_t totals[TOTALS]) {
    (void)printf("source: %s\nGPU:    %s\n", r->source, r->gpu.name);
    for (size_t i = 0; i < TOTALS; i++) {
        (void)printf("%s%s %" PRIu64, i == 0 ? "" : ", ", total_names[i], totals[i]);
    }
    (void)fputs("\n\n", stdout);
    table_part(r, cases, count, 0, FIRST_TABLE);
    (void)putchar('\n');
    table_part(r, cases, count, FIRST_TABLE, MORE);
    if (r->more) {
        (void)putchar('\n');
        table_part(r, cases, count, MORE, AMAT);
    }
    if (r->time[0] != 0) {
        (void)putchar('\n');
        table_part(r, cases, count, AMAT, METRICS);
    }
    if (r->profile) {
        table_counters(r, cases, count);
    }
}

// ---------------------------------------------------------------- CSV

static void print_csv(const rdgc_request *r, const rdgc_case *cases, size_t count,
                      const uint64_t totals[TOTALS]) {
    table t;
    row w;
    for (size_t n = 0; n < count; n++) {
        w.count = 0;
        add_start(&w, r, n);
        add_totals(&w, totals);
        add_all_metrics(&w, r, &cases[n]);
        if (n == 0) {
            table_begin(&t, FORMAT_CSV, w.columns, w.count);
        }
        table_row(&t, w.values, NULL);
    }
    table_end(&t);
}

// A line a counter.
static void print_csv_profile(const rdgc_request *r, const rdgc_case *cases, size_t count) {
    table t;
    row w;
    for (size_t n = 0; n < count; n++) {
        counters list[ARRAYS];
        size_t arrays = counters_of(&cases[n], list);
        w.count = 0;
        add_start(&w, r, n);
        size_t own = w.count;
        for (size_t a = 0; a < arrays; a++) {
            for (uint32_t d = 0; d <= list[a].ways; d++) {
                w.count = own;
                add(&w, "counters", 0, value_text(list[a].name));
                add(&w, "rd", 0, d == list[a].ways ? value_text("inf") : value_number(d));
                add(&w, "count", 0, value_number(list[a].count[d]));
                if (n == 0 && a == 0 && d == 0) {
                    table_begin(&t, FORMAT_CSV, w.columns, w.count);
                }
                table_row(&t, w.values, NULL);
            }
        }
    }
    table_end(&t);
}

// ---------------------------------------------------------------- other numbers of ways

// A line for each number of ways that the counters of one cache tell.
static void add_ways(row *w, table *t, const char *cache, const gmmu_rdgc_cache_config *config,
                     const gmmu_rdgc_counts *k, bool writes, bool *begun, output_format format,
                     json_t *all) {
    size_t own = w->count;
    for (uint32_t ways = 1; ways <= k->ways; ways++) {
        gmmu_rdgc_share s = gmmu_rdgc_with_ways(k, writes, ways);
        w->count = own;
        add(w, "cache", -6, value_text(cache));
        add(w, "ways", 5, value_number(ways));
        add(w, "bytes", 10, value_number(config->capacity / config->ways * ways));
        add(w, "hit", 8,
            s.accesses == 0 ? (table_value){.kind = VALUE_NONE}
                            : value_ratio((double)s.hits / (double)s.accesses));
        if (format == FORMAT_JSON) {
            json_t *object = json_object();
            table_members(object, w->columns, w->values, w->count);
            (void)json_array_append_new(all, object);
            continue;
        }
        if (!*begun) {
            table_begin(t, format, w->columns, w->count);
        }
        *begun = true;
        table_row(t, w->values, NULL);
    }
    w->count = own;
}

// What one run says of caches with fewer ways: L1's reads, and all accesses of L2.
static void print_ways(const rdgc_request *r, const rdgc_case *cases, size_t count) {
    table t;
    row w;
    bool begun = false;
    json_t *all = r->format == FORMAT_JSON ? json_array() : NULL;
    for (size_t n = 0; n < count; n++) {
        w.count = 0;
        add_varied(&w, r, n);
        const gmmu_rdgc_config *c = &cases[n].gpu.rdgc;
        if (cases[n].on != NULL) {
            const gmmu_rdgc_result *on = gmmu_rdgc_get_result(cases[n].on);
            add_ways(&w, &t, "L1_R", &c->l1, &on->l1, false, &begun, r->format, all);
            add_ways(&w, &t, "L2", &c->l2, &on->l2, true, &begun, r->format, all);
        }
        if (cases[n].off != NULL) {
            const gmmu_rdgc_result *off = gmmu_rdgc_get_result(cases[n].off);
            add_ways(&w, &t, "L2_L1B", &c->l2, &off->l2, true, &begun, r->format, all);
        }
    }
    if (all != NULL) {
        output_json(all);
    } else if (begun) {
        table_end(&t);
    }
}

// ---------------------------------------------------------------- JSON

static json_t *json_case(const rdgc_request *r, const rdgc_case *c, size_t number,
                         const uint64_t totals[TOTALS]) {
    json_t *object = json_object();
    row w = {.count = 0};
    add(&w, "source", 0, value_text(r->source));
    add(&w, "gpu", 0, value_text(r->gpu.name));
    table_members(object, w.columns, w.values, w.count);
    json_t *varied = json_object();
    w.count = 0;
    add_varied(&w, r, number);
    table_members(varied, w.columns, w.values, w.count);
    (void)json_object_set_new(object, "varied", varied);
    w.count = 0;
    add_totals(&w, totals);
    add_all_metrics(&w, r, c);
    table_members(object, w.columns, w.values, w.count);
    counters list[ARRAYS];
    size_t arrays = r->profile ? counters_of(c, list) : 0;
    for (size_t a = 0; a < arrays; a++) {
        json_t *values = json_array();
        for (uint32_t d = 0; d <= list[a].ways; d++) {
            (void)json_array_append_new(values, json_integer((json_int_t)list[a].count[d]));
        }
        (void)json_object_set_new(object, list[a].name, values);
    }
    return object;
}

void rdgc_print(const rdgc_request *r, const rdgc_case *cases, size_t count,
                const rdgc_totals *totals) {
    uint64_t value[TOTALS];
    totals_of(totals, value);
    if (r->ways) {
        print_ways(r, cases, count);
    } else if (r->format == FORMAT_TABLE) {
        print_table(r, cases, count, value);
    } else if (r->format == FORMAT_CSV && r->profile) {
        print_csv_profile(r, cases, count);
    } else if (r->format == FORMAT_CSV) {
        print_csv(r, cases, count, value);
    } else {
        json_t *all = json_array();
        for (size_t n = 0; n < count; n++) {
            (void)json_array_append_new(all, json_case(r, &cases[n], n, value));
        }
        output_json(all);
    }
}
