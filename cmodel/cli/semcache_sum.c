// SPDX-License-Identifier: Apache-2.0
// semcache_sum.c: see semcache_sum.h. The sum is a JSON object: processes as they are; sites by
// routine and site, and in each of them sizes, shapes, lines and CPU's code by what names them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // sigabbrev_np
#endif
#include "cli/semcache_sum.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/demangle.h"
#include "cli/output.h"
#include "trace/message.h"

enum { NAME = 512, SHOWN = 3, SHOWN_LINES = 10, BAR = 20, MOST_RANKS = 100000 };

// ---- reading

static double number(const json_t *of, const char *name) {
    return json_number_value(json_object_get(of, name));
}

static uint64_t whole(const json_t *of, const char *name) {
    const double is = number(of, name);
    return is > 0 && is < 1.8e19 ? (uint64_t)is : 0;
}

static const char *text(const json_t *of, const char *name) {
    const char *is = json_string_value(json_object_get(of, name));
    return is == NULL ? "?" : is;
}

static void set_number(json_t *to, const char *name, double is) {
    (void)json_object_set_new(
        to, name,
        is == floor(is) && fabs(is) < 9e15 ? json_integer((json_int_t)is) : json_real(is));
}

static void add(json_t *to, const json_t *from, const char *name) {
    set_number(to, name, number(to, name) + number(from, name));
}

// The member KEY of the object TO; a new one gets the members of names that FROM has.
static json_t *member(json_t *to, const char *key, const json_t *from, const char *const *names) {
    json_t *is = json_object_get(to, key);
    if (is != NULL)
        return is;
    is = json_object();
    for (; *names != NULL; names++)
        if (json_object_get(from, *names) != NULL)
            (void)json_object_set(is, *names, json_object_get(from, *names));
    (void)json_object_set_new(to, key, is);
    return is;
}

// Adds the rows of the array LIST of FROM to the object LIST of TO, those with the same NAMES to
// one another.
static void add_rows(json_t *to, const json_t *from, const char *list, const char *const *names,
                     const char *const *sums) {
    static const char *const none[] = {NULL};
    json_t *rows = member(to, list, NULL, none);
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(from, list), i, row) {
        size_t room = 1;
        for (unsigned k = 0; names[k] != NULL; k++)
            room += 22 + json_string_length(json_object_get(row, names[k]));
        char *key = output_room(room, 1), *at = key;
        for (unsigned k = 0; names[k] != NULL; k++) {
            const json_t *value = json_object_get(row, names[k]);
            const size_t left = room - (size_t)(at - key);
            const int n = json_is_string(value)
                              ? snprintf(at, left, "%s ", json_string_value(value))
                              : snprintf(at, left, "%012" PRIu64 " ", whole(row, names[k]));
            at += n < 0 ? 0 : n;
        }
        json_t *sum = member(rows, key, row, names);
        free(key);
        for (unsigned k = 0; sums[k] != NULL; k++) add(sum, row, sums[k]);
    }
}

static void add_site(json_t *sites, const json_t *site) {
    static const char *const names[] = {"routine", "site", NULL};
    static const char *const sums[] = {"calls",       "below",      "flops",    "cpu_ns",
                                       "bytes",       "naive_ns",   "least_ns", "most_ns",
                                       "least_bytes", "most_bytes", NULL};
    static const struct {
        const char *list;
        const char *names[5], *sums[5];
    } lists[] = {{"sizes", {"from"}, {"calls", "cpu_ns", "naive_ns"}},
                 {"shapes", {"type", "m", "n", "k"}, {"calls", "cpu_ns", "naive_ns"}},
                 {"lines", {"line"}, {"calls", "cpu_ns", "naive_ns"}},
                 {"cpu_sides", {"code"}, {"downs", "down_bytes", "ups", "up_bytes"}}};
    const size_t room = strlen(text(site, "routine")) + strlen(text(site, "site")) + 2;
    char *key = output_room(room, 1);
    (void)snprintf(key, room, "%s %s", text(site, "routine"), text(site, "site"));
    json_t *sum = member(sites, key, site, names);
    free(key);
    for (unsigned i = 0; sums[i] != NULL; i++) add(sum, site, sums[i]);
    set_number(sum, "processes", number(sum, "processes") + 1);
    if (number(site, "cpu_ns") > number(sum, "most_cpu_ns"))
        set_number(sum, "most_cpu_ns", number(site, "cpu_ns"));
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++)
        add_rows(sum, site, lists[i].list, lists[i].names, lists[i].sums);
}

// The process of a report, without its sites; with their sums.
static json_t *process_of(const json_t *report) {
    static const char *const sums[] = {"calls", "below", "cpu_ns", NULL};
    json_t *is = json_copy((json_t *)report);
    size_t i;
    json_t *site;
    (void)json_object_del(is, "sites");
    for (unsigned k = 0; sums[k] != NULL; k++) set_number(is, sums[k], 0);
    json_array_foreach(json_object_get(report, "sites"), i, site) {
        for (unsigned k = 0; sums[k] != NULL; k++) add(is, site, sums[k]);
    }
    return is;
}

static bool add_line(json_t *sum, const char *file, uint64_t line, const char *text_, size_t length,
                     gmmu_error *err) {
    json_error_t bad;
    json_t *report = json_loadb(text_, length, JSON_REJECT_DUPLICATES, &bad);
    const bool good =
        json_is_object(report) && json_integer_value(json_object_get(report, "gmmu_blas")) == 1;
    if (!good) {
        char found[41];
        gmmu_printable(found, sizeof found, text_, length < 30 ? length : 30, 0x80);
        FAIL(err, file, line, "found \"%s\", expected a report of GMMU_JSON", found);
    } else {
        size_t i;
        json_t *site;
        (void)json_array_append_new(json_object_get(sum, "processes"), process_of(report));
        json_array_foreach(json_object_get(report, "sites"), i, site) {
            add_site(json_object_get(sum, "sites"), site);
        }
    }
    json_decref(report);
    return good;
}

static bool read_file(json_t *sum, const char *path, gmmu_error *err) {
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    uint64_t number_ = 0, reports = 0;
    bool good = file != NULL;
    if (!good)
        FAIL(err, path, 0, "cannot be read: %s", strerror(errno));
    while (good) {
        errno = 0;
        n = getline(&line, &room, file);
        if (n <= 0)
            break;
        const size_t length = (size_t)n - (line[n - 1] == '\n');
        number_++;
        reports += length != 0;
        good = length == 0 || add_line(sum, path, number_, line, length, err);
    }
    if (good && (ferror(file) != 0 || errno == ENOMEM)) {
        FAIL(err, path, number_, "cannot be read: %s",
             errno == ENOMEM ? "no memory for a line" : strerror(errno));
        good = false;
    }
    if (good && reports == 0) {
        FAIL(err, path, 0, "found no report, expected a line of GMMU_JSON");
        good = false;
    }
    free(line);
    if (file != NULL && file != stdin)
        (void)fclose(file);
    return good;
}

// ---- order

static double gain_of(const json_t *site) {
    return number(site, "cpu_ns") - number(site, "least_ns");
}

static double time_of(const json_t *row) {
    return number(row, "cpu_ns");
}

static double bytes_of(const json_t *row) {
    return number(row, "down_bytes") + number(row, "up_bytes");
}

static double (*measure)(const json_t *);

static int most_first(const void *a, const void *b) {
    const double x = measure(*(json_t *const *)a), y = measure(*(json_t *const *)b);
    return (x < y) - (x > y);
}

// The *n members of the object ROWS, most BY first; by NULL: in order of their keys.
static json_t **sorted(json_t *rows, double (*by)(const json_t *), size_t *n) {
    const char *key;
    json_t *row;
    json_t **all = output_room(json_object_size(rows), sizeof(json_t *));
    *n = 0;
    json_object_foreach(rows, key, row) {
        all[(*n)++] = row;
    }
    measure = by;
    qsort(all, *n, sizeof(json_t *), most_first);
    return all;
}

// ---- printing

static double from_of(const json_t *row) {
    return -number(row, "from");
}

static const char *pays(const json_t *row, const char *least, const char *most) {
    const double cpu = number(row, "cpu_ns");
    return number(row, most) < cpu ? "yes" : number(row, least) < cpu ? "perhaps" : "no";
}

static int rank_order(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    const double p = number(x, "rank"), q = number(y, "rank");
    const double s = number(x, "process"), t = number(y, "process");
    return p > q || (p >= q && s > t) ? 1 : p < q || s < t ? -1 : 0;
}

static json_t **processes_of(json_t *sum, size_t *n) {
    json_t *all = json_object_get(sum, "processes");
    *n = json_array_size(all);
    json_t **rows = output_room(*n, sizeof(json_t *));
    for (size_t i = 0; i < *n; i++) rows[i] = json_array_get(all, i);
    qsort(rows, *n, sizeof(json_t *), rank_order);
    return rows;
}

static bool has_rank(json_t *const *all, size_t n, double rank) {
    for (size_t i = 0; i < n; i++) {
        const json_t *is = json_object_get(all[i], "rank");
        if (json_is_integer(is) && json_number_value(is) >= rank && json_number_value(is) <= rank)
            return true;
    }
    return false;
}

// The ranks of whose processes there is no report: the first, and how many more.
static void print_missing(json_t *const *all, size_t n) {
    uint64_t ranks = 0, missing = 0;
    for (size_t i = 0; i < n; i++)
        ranks = whole(all[i], "ranks") > ranks ? whole(all[i], "ranks") : ranks;
    if (ranks > MOST_RANKS)
        return;
    for (uint64_t rank = 0; rank < ranks; rank++) {
        if (has_rank(all, n, (double)rank))
            continue;
        if (missing++ < BAR)
            (void)printf("%s%" PRIu64, missing == 1 ? "ranks without a report: " : ", ", rank);
    }
    if (missing > BAR)
        (void)printf(" and %" PRIu64 " more", missing - BAR);
    if (missing != 0)
        (void)printf(", of %" PRIu64 "\n", ranks);
}

static void print_processes(json_t *sum) {
    size_t n;
    json_t **all = processes_of(sum, &n);
    double most = 0, cpu = 0, wall = 0, most_saved = 0, least_saved = 0, process_cpu = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, number(all[i], "cpu_ns"));
        wall = fmax(wall, number(all[i], "ns"));
        cpu += number(all[i], "cpu_ns");
        process_cpu += number(all[i], "process_cpu_ns");
        most_saved += number(json_object_get(all[i], "saves_most"), "cpu_ns");
        least_saved += number(json_object_get(all[i], "saves_least"), "cpu_ns");
    }
    (void)printf(
        "%zu process%s: offloading saves at most %.3f of %.3f s of CPU time (%.0f %%), each "
        "process by its best; %.3f if the CPU touches all that it may; %.3f s in calls; the "
        "longest process took %.3f s\n",
        n, n == 1 ? "" : "es", most_saved * 1e-9, process_cpu * 1e-9,
        process_cpu > 0 ? 100 * most_saved / process_cpu : 0, least_saved * 1e-9, cpu * 1e-9,
        wall * 1e-9);
    print_missing(all, n);
    (void)printf("%6s %9s %-16s %-6s %9s %9s %10s %10s %9s %9s %5s  %s\n", "rank", "process",
                 "host", "track", "calls", "below", "in_calls_s", "process_s", "at_most_s",
                 "touched_s", "min", "time in calls");
    for (size_t i = 0; i < n; i++) {
        const json_t *best = json_object_get(all[i], "saves_most");
        const int ended = (int)number(all[i], "signal");
        const char *name = sigabbrev_np(ended);
        char rank[24] = "-", bar[BAR + 1];
        const unsigned length =
            most > 0 ? (unsigned)lround(BAR * number(all[i], "cpu_ns") / most) : 0;
        if (json_is_integer(json_object_get(all[i], "rank")))
            (void)snprintf(rank, sizeof rank, "%" PRIu64, whole(all[i], "rank"));
        memset(bar, '#', sizeof bar);
        bar[length < BAR ? length : BAR] = 0;
        (void)printf("%6s %9" PRIu64 " %-16.16s %-6s %9" PRIu64 " %9" PRIu64
                     " %10.3f %10.3f %9.3f %10.3f %5" PRIu64 "  %s%s%s\n",
                     rank, whole(all[i], "process"), text(all[i], "host"), text(all[i], "track"),
                     whole(all[i], "calls"), whole(all[i], "below"),
                     number(all[i], "cpu_ns") * 1e-9, number(all[i], "ns") * 1e-9,
                     number(best, "cpu_ns") * 1e-9,
                     number(json_object_get(all[i], "saves_least"), "cpu_ns") * 1e-9,
                     whole(best, "min"), bar, ended == 0 ? "" : "  ended by SIG",
                     ended == 0     ? ""
                     : name == NULL ? "?"
                                    : name);
    }
    free(all);
}

// All calls of all processes by size; and the minimum that is best if all processes have the same.
static void print_sizes(json_t *sum) {
    json_t *all = json_object(), *site;
    const char *key;
    static const char *const names[] = {"from", NULL};
    static const char *const sums[] = {"calls", "cpu_ns", "naive_ns"};
    size_t n;
    json_object_foreach(json_object_get(sum, "sites"), key, site) {
        const char *from;
        json_t *row;
        json_object_foreach(json_object_get(site, "sizes"), from, row) {
            json_t *to = member(all, from, row, names);
            for (unsigned i = 0; i < 3; i++) add(to, row, sums[i]);
        }
    }
    json_t **rows = sorted(all, from_of, &n);
    double saved = 0, best = 0;
    uint64_t least = 0;
    for (size_t i = n; i-- > 0;) {
        saved += number(rows[i], "cpu_ns") - number(rows[i], "naive_ns");
        if (saved > best) {
            best = saved;
            least = whole(rows[i], "from");
        }
    }
    if (best > 0)
        (void)printf("each call by itself (naive): from size %" PRIu64 " on, %.3f s are saved\n",
                     least, best * 1e-9);
    else
        (void)printf("each call by itself (naive): nothing is saved\n");
    (void)printf("%9s %9s %12s %12s  %s\n", "size from", "calls", "cpu_ms", "naive_ms",
                 "pays (size: N of a call with 2 N^3 operations)");
    for (size_t i = 0; i < n; i++)
        (void)printf("%9" PRIu64 " %9" PRIu64 " %12.3f %12.3f  %s\n", whole(rows[i], "from"),
                     whole(rows[i], "calls"), number(rows[i], "cpu_ns") * 1e-6,
                     number(rows[i], "naive_ns") * 1e-6, pays(rows[i], "naive_ns", "naive_ns"));
    free(rows);
    json_decref(all);
}

static void print_lines(json_t *sum) {
    json_t *all = json_object(), *site;
    static const char *const names[] = {"line", NULL};
    const char *key;
    size_t n;
    json_object_foreach(json_object_get(sum, "sites"), key, site) {
        const char *line;
        json_t *row;
        json_object_foreach(json_object_get(site, "lines"), line, row) {
            json_t *to = member(all, line, row, names);
            add(to, row, "calls");
            add(to, row, "cpu_ns");
            add(to, row, "naive_ns");
        }
    }
    json_t **rows = sorted(all, time_of, &n);
    if (n != 0)
        (void)printf("%9s %12s %12s  %-4s  line of the program\n", "calls", "cpu_ms", "naive_ms",
                     "pays");
    for (size_t i = 0; i < n && i < SHOWN_LINES; i++)
        (void)printf("%9" PRIu64 " %12.3f %12.3f  %-4s  %s\n", whole(rows[i], "calls"),
                     number(rows[i], "cpu_ns") * 1e-6, number(rows[i], "naive_ns") * 1e-6,
                     pays(rows[i], "naive_ns", "naive_ns"), text(rows[i], "line"));
    free(rows);
    json_decref(all);
}

static void print_details(const json_t *site) {
    static const char indent[] = "                      ";
    static const char *const sizes[] = {"m", "n", "k", NULL};
    size_t n;
    json_t **rows = sorted(json_object_get(site, "shapes"), time_of, &n);
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        (void)printf("%s%s", indent, text(rows[i], "type"));
        for (const char *const *of = sizes; *of != NULL; of++)
            if (whole(rows[i], *of) != 0)
                (void)printf(" %c %" PRIu64, **of - 'a' + 'A', whole(rows[i], *of));
        (void)printf(": %" PRIu64 " calls %.3f ms\n", whole(rows[i], "calls"),
                     number(rows[i], "cpu_ns") * 1e-6);
    }
    free(rows);
    rows = sorted(json_object_get(site, "cpu_sides"), bytes_of, &n);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        (void)printf("%scomes back: %.2f MiB, goes up again: %.2f MiB, by %s\n", indent,
                     number(rows[i], "down_bytes") / 1048576, number(rows[i], "up_bytes") / 1048576,
                     text(rows[i], "code"));
    free(rows);
}

static void print_sites(json_t *sum, size_t limit) {
    size_t n;
    json_t **rows = sorted(json_object_get(sum, "sites"), gain_of, &n);
    (void)printf("%9s %9s %9s %12s %12s %12s %11s %11s %11s  %-7s  %s\n", "processes", "calls",
                 "below", "Mflop", "cpu_ms", "most_of_one", "naive_ms", "least_ms", "most_ms",
                 "pays", "routine <- site");
    for (size_t i = 0; i < n && (limit == 0 || i < limit); i++) {
        char name[NAME];
        (void)printf("%9" PRIu64 " %9" PRIu64 " %9" PRIu64
                     " %12.3f %12.3f %12.3f %11.3f %11.3f %11.3f  %-7s  %s <- %s\n",
                     whole(rows[i], "processes"), whole(rows[i], "calls"), whole(rows[i], "below"),
                     number(rows[i], "flops") * 1e-6, number(rows[i], "cpu_ns") * 1e-6,
                     number(rows[i], "most_cpu_ns") * 1e-6, number(rows[i], "naive_ns") * 1e-6,
                     number(rows[i], "least_ns") * 1e-6, number(rows[i], "most_ns") * 1e-6,
                     whole(rows[i], "calls") == 0 ? "-" : pays(rows[i], "least_ns", "most_ns"),
                     text(rows[i], "routine"), demangled(text(rows[i], "site"), name, sizeof name));
        print_details(rows[i]);
    }
    if (limit != 0 && n > limit)
        (void)printf("%zu more sites: --top 0 has all\n", n - limit);
    free(rows);
}

static void print_rows(json_t *sum) {
    static const table_column columns[] = {
        {"routine", 0},   {"site", 0},     {"processes", 9},    {"calls", 9},      {"below", 9},
        {"flops", 16},    {"cpu_ns", 14},  {"most_cpu_ns", 14}, {"bytes", 16},     {"naive_ns", 14},
        {"least_ns", 14}, {"most_ns", 14}, {"least_bytes", 16}, {"most_bytes", 16}};
    enum { COLUMNS = sizeof columns / sizeof columns[0] };
    table t;
    size_t n;
    json_t **rows = sorted(json_object_get(sum, "sites"), gain_of, &n);
    table_begin(&t, FORMAT_CSV, columns, COLUMNS);
    for (size_t i = 0; i < n; i++) {
        table_value values[COLUMNS] = {value_text(text(rows[i], "routine")),
                                       value_text(text(rows[i], "site"))};
        char large[COLUMNS][32];  // sums that are no uint64_t
        for (unsigned k = 2; k < COLUMNS; k++) {
            const double is = number(rows[i], columns[k].name);
            (void)snprintf(large[k], sizeof large[k], "%.0f", is < 1e24 ? is : 1e24);
            values[k] =
                is < 1.8e19 ? value_number(whole(rows[i], columns[k].name)) : value_text(large[k]);
        }
        table_row(&t, values, NULL);
    }
    table_end(&t);
    free(rows);
}

int semcache_sum(const char *const *files, size_t count, size_t sites, output_format format,
                 gmmu_error *err) {
    json_t *sum = json_pack("{s:[],s:{}}", "processes", "sites");
    bool good = true;
    for (size_t i = 0; good && i < count; i++) good = read_file(sum, files[i], err);
    if (good && format == FORMAT_JSON) {
        (void)json_dumpf(sum, stdout, JSON_INDENT(1));
        (void)putchar('\n');
    } else if (good && format == FORMAT_CSV) {
        print_rows(sum);
    } else if (good) {
        print_processes(sum);
        print_sizes(sum);
        print_lines(sum);
        print_sites(sum, sites);
    }
    json_decref(sum);
    return good ? 0 : 2;
}
