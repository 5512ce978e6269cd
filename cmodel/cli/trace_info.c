// SPDX-License-Identifier: Apache-2.0
// trace_info.c: see trace_info.h.
#include "cli/trace_info.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/source_options.h"

enum { TOP = 10 };  // references listed

// A number and how often it occurred.
typedef struct {
    uint64_t number, count;
    uint32_t asid;
} tally;

typedef struct {
    gmmu_pages *pages, *refs, *asids, *intervals;
    uint64_t *last;        // of each page, the number of its last walk
    uint64_t *ref_walks;   // of each reference
    uint64_t *last_ref;    // of each page, that walk's reference
    uint64_t *octaves;     // of each reference, OCTAVES counts of reuse intervals in [2^i, 2^(i+1))
    uint64_t *interval_n;  // of each reuse interval
    uint32_t page_room, last_ref_room, ref_room, octave_room, interval_room;
    uint64_t walks, writes, reuses;
    uint64_t hints[GMMU_HINT_KINDS];
    bool hinted;
} summary;

enum { OCTAVES = 64 };

static const unsigned quantiles[] = {0, 10, 25, 50, 75, 90, 99, 100};
enum { QUANTILES = sizeof quantiles / sizeof quantiles[0] };

// The counter of INDEX, made if it is new; NULL when there is no memory.
static uint64_t *counter(uint64_t **array, uint32_t *room, uint32_t index) {
    if (index == GMMU_NO_PAGE) {
        return NULL;
    }
    if (index >= *room) {
        uint32_t more = gmmu_policy_capacity(*room, index);
        uint64_t *bigger = gmmu_grow(*array, *room, more, sizeof *bigger, 0);
        if (bigger == NULL) {
            return NULL;
        }
        *array = bigger;
        *room = more;
    }
    return &(*array)[index];
}

static bool add(summary *s, const gmmu_walk *w) {
    uint32_t page = gmmu_pages_index(s->pages, w->asid, w->vpn);
    uint32_t ref_index = gmmu_pages_index(s->refs, w->asid, w->ref);
    uint64_t *last = counter(&s->last, &s->page_room, page);
    uint64_t *last_ref = counter(&s->last_ref, &s->last_ref_room, page);
    uint64_t *ref = counter(&s->ref_walks, &s->ref_room, ref_index);
    uint32_t octaves =
        ref_index < GMMU_MAX_PAGES / OCTAVES ? ref_index * OCTAVES + OCTAVES - 1 : GMMU_NO_PAGE;
    if (last == NULL || last_ref == NULL || ref == NULL ||
        counter(&s->octaves, &s->octave_room, octaves) == NULL ||
        gmmu_pages_index(s->asids, 0, w->asid) == GMMU_NO_PAGE) {
        return false;
    }
    s->walks++;
    s->writes += w->write ? 1U : 0U;
    ++*ref;
    if (*last != 0) {
        uint64_t *n = counter(&s->interval_n, &s->interval_room,
                              gmmu_pages_index(s->intervals, 0, s->walks - *last));
        if (n == NULL) {
            return false;
        }
        ++*n;
        s->reuses++;
        unsigned octave = 63U - (unsigned)__builtin_clzll(s->walks - *last);
        s->octaves[*last_ref * OCTAVES + octave]++;
    }
    *last = s->walks;
    *last_ref = ref_index;
    return true;
}

static int by_number(const void *a, const void *b) {
    const tally *x = a;
    const tally *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_count(const void *a, const void *b) {
    const tally *x = a;
    const tally *y = b;
    if (x->count != y->count) {
        return x->count < y->count ? 1 : -1;
    }
    if (x->asid != y->asid) {
        return x->asid > y->asid ? 1 : -1;
    }
    return by_number(a, b);
}

static tally *sorted(const gmmu_pages *map, const uint64_t *counts,
                     int (*order)(const void *, const void *)) {
    uint32_t n = gmmu_pages_count(map);
    tally *t = calloc((size_t)n + 1, sizeof *t);
    for (uint32_t i = 0; t != NULL && counts != NULL && i < n; i++) {
        t[i] = (tally){gmmu_pages_number(map, i), counts[i], gmmu_pages_asid(map, i)};
    }
    if (t != NULL && n > 1) {
        qsort(t, n, sizeof *t, order);
    }
    return t;
}

// The nearest-rank quantile of PERCENT; there is a reuse.
static uint64_t quantile(const summary *s, const tally *intervals, unsigned percent) {
    uint64_t rank = s->reuses / 100 * percent + (s->reuses % 100 * percent + 99) / 100;
    uint64_t seen = intervals->count;
    while (seen < rank) {
        seen += (++intervals)->count;
    }
    return intervals->number;
}

static const char *const hint_names[GMMU_HINT_KINDS] = {"launches", "allocations", "frees"};

static void print_table(const char *trace, const summary *s, unsigned shift, const tally *intervals,
                        const tally *refs) {
    uint32_t ref_count = gmmu_pages_count(s->refs);
    (void)printf(
        "trace           %s\npage shift      %u\nwalks           %" PRIu64
        "\ndistinct pages  %u\nreferences      %u\naddress spaces  %u\nwrites          %" PRIu64
        "\nreuses          %" PRIu64 "\n",
        trace, shift, s->walks, gmmu_pages_count(s->pages), ref_count, gmmu_pages_count(s->asids),
        s->writes, s->reuses);
    for (unsigned k = 0; s->hinted && k < GMMU_HINT_KINDS; k++) {
        (void)printf("%-16s%" PRIu64 "\n", hint_names[k], s->hints[k]);
    }
    if (s->reuses != 0) {
        (void)printf("\nreuse interval, walks\n");
        for (size_t i = 0; i < QUANTILES; i++) {
            (void)printf("  %3u %%  %12" PRIu64 "\n", quantiles[i],
                         quantile(s, intervals, quantiles[i]));
        }
    }
    static const table_column columns[] = {{"top references", -20}, {"asid", 6}, {"walks", 12}};
    table top;
    (void)putchar('\n');
    table_begin(&top, FORMAT_TABLE, columns, sizeof columns / sizeof columns[0]);
    for (uint32_t i = 0; i < ref_count && i < TOP; i++) {
        const table_value values[] = {value_hex(refs[i].number), value_number(refs[i].asid),
                                      value_number(refs[i].count)};
        table_row(&top, values, NULL);
    }
}

// The reuse intervals that followed walks of one reference: a count for each octave up to the last
// that is not 0.
static json_t *octaves_of(const summary *s, const tally *ref) {
    size_t first = (size_t)gmmu_pages_find(s->refs, ref->asid, ref->number) * OCTAVES;
    assert(s->octaves != NULL);  // there is a reference, so that there was a walk
    const uint64_t *n = s->octaves + first;
    size_t used = OCTAVES;
    while (used != 0 && n[used - 1] == 0) {
        used--;
    }
    json_t *all = json_array();
    for (size_t i = 0; i < used; i++) {
        (void)json_array_append_new(all, json_integer((json_int_t)n[i]));
    }
    return all;
}

static void print_json(const char *trace, const summary *s, unsigned shift, const tally *intervals,
                       const tally *refs) {
    uint32_t ref_count = gmmu_pages_count(s->refs);
    json_t *all = json_object();
    (void)json_object_set_new(all, "trace", output_text(trace));
    output_number(all, "page_shift", shift);
    output_number(all, "walks", s->walks);
    output_number(all, "distinct", gmmu_pages_count(s->pages));
    output_number(all, "refs", ref_count);
    output_number(all, "asids", gmmu_pages_count(s->asids));
    output_number(all, "writes", s->writes);
    output_number(all, "reuses", s->reuses);
    for (unsigned k = 0; s->hinted && k < GMMU_HINT_KINDS; k++) {
        output_number(all, hint_names[k], s->hints[k]);
    }
    json_t *quants = json_object();
    for (size_t i = 0; i < QUANTILES && s->reuses != 0; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "%u%%", quantiles[i]);
        output_number(quants, key, quantile(s, intervals, quantiles[i]));
    }
    (void)json_object_set_new(all, "reuse_interval", quants);
    json_t *top = json_array();
    for (uint32_t i = 0; i < ref_count && i < TOP; i++) {
        json_t *row = json_object();
        output_hex(row, "ref", refs[i].number);
        output_number(row, "asid", refs[i].asid);
        output_number(row, "walks", refs[i].count);
        (void)json_object_set_new(row, "reuse_interval_octaves", octaves_of(s, &refs[i]));
        (void)json_array_append_new(top, row);
    }
    (void)json_object_set_new(all, "top_refs", top);
    output_json(all);
}

static void count_hints(summary *s, const gmmu_source *source) {
    size_t count = 0;
    const gmmu_hint *hints = gmmu_source_hints(source, &count);
    s->hinted |= count != 0;
    for (size_t i = 0; i < count; i++) {
        s->hints[hints[i].kind]++;
    }
}

// Reads and prints; false and *err on failure.
static bool info(const char *trace, const gmmu_source_form *from, output_format format, summary *s,
                 gmmu_error *err) {
    gmmu_source source;
    gmmu_walk walk;
    if (!source_open(&source, "gmmu trace", trace, from, false, err)) {
        return false;
    }
    int status = GMMU_OK;
    while ((status = gmmu_source_next(&source, &walk, err)) == GMMU_OK) {
        count_hints(s, &source);
        if (!add(s, &walk)) {
            status = gmmu_policy_no_memory("trace info", err);
            break;
        }
    }
    count_hints(s, &source);
    unsigned shift = source.page_shift;
    gmmu_source_close(&source);
    if (status != GMMU_END) {
        return false;
    }
    tally *intervals = sorted(s->intervals, s->interval_n, by_number);
    tally *refs = sorted(s->refs, s->ref_walks, by_count);
    bool good = intervals != NULL && refs != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("trace info", err);
    } else if (format == FORMAT_JSON) {
        print_json(trace, s, shift, intervals, refs);
    } else {
        print_table(trace, s, shift, intervals, refs);
    }
    free(intervals);
    free(refs);
    return good;
}

int trace_info(const char *trace, const gmmu_source_form *from, output_format format) {
    gmmu_error err = {""};
    summary s = {.pages = gmmu_pages_create(),
                 .refs = gmmu_pages_create(),
                 .asids = gmmu_pages_create(),
                 .intervals = gmmu_pages_create()};
    bool good = s.pages != NULL && s.refs != NULL && s.asids != NULL && s.intervals != NULL;
    if (!good) {
        (void)gmmu_policy_no_memory("trace info", &err);
    }
    good = good && info(trace, from, format, &s, &err);
    if (!good) {
        (void)fprintf(stderr, "gmmu trace: %s\n", err.text);
    }
    gmmu_pages_destroy(s.pages);
    gmmu_pages_destroy(s.refs);
    gmmu_pages_destroy(s.asids);
    gmmu_pages_destroy(s.intervals);
    free(s.last);
    free(s.ref_walks);
    free(s.last_ref);
    free(s.octaves);
    free(s.interval_n);
    return good ? 0 : 2;
}
