// SPDX-License-Identifier: Apache-2.0
// semcache.c: `gmmu semcache`: what offloading a program's library calls would move, by protocol.
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blas/routines.h"
#include "cli/cli.h"
#include "cli/cut.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/semcache_print.h"
#include "cli/semcache_sum.h"
#include "semcache/link.h"

enum {
    OPT_EVICT = 0x100,
    OPT_GPU_MEM,
    OPT_RANGES,
    OPT_MIN,
    OPT_LINK,
    OPT_SWEEP,
    OPT_SITES,
    OPT_PAIRS,
    OPT_MERGES,
    OPT_PERFETTO,
    OPT_SUM,
    OPT_TOP
};

static const char usual_protocols[] = "naive,fig9,wb,wt,split,page:4k,page:2m,dfu";
// (mnk)^(1/3) below which calls stay on the CPU, of --sweep min
static const uint64_t sweep_of[] = {0, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
enum { SWEEPS = sizeof sweep_of / sizeof sweep_of[0] };

static bool parse_evict(const char *text, gmmu_sem_evict *evict, gmmu_error *err) {
    static const char *const names[GMMU_SEM_EVICTS] = {"least-hit", "lru", "leu"};
    for (unsigned i = 0; i < GMMU_SEM_EVICTS; i++)
        if (strcmp(text, names[i]) == 0) {
            *evict = (gmmu_sem_evict)i;
            return true;
        }
    (void)snprintf(err->text, sizeof err->text,
                   "--evict: found \"%.60s\", expected least-hit, lru or leu", text);
    return false;
}

// A number of bytes, with k, m, g or t behind it for 2^10, 2^20, 2^30, 2^40.
static bool parse_bytes(const char *option, const char *text, uint64_t *bytes, gmmu_error *err) {
    const char *p = text;
    const char *units = "kmgt";
    uint64_t n = 0;
    bool good = gmmu_parse_digits(&p, &n) && n != 0;
    const char *unit = *p == 0 ? NULL : strchr(units, *p | 0x20);
    const unsigned shift = unit == NULL ? 0 : 10 * (unsigned)(unit - units + 1);
    good = good && (*p == 0 || (unit != NULL && p[1] == 0)) && n <= UINT64_MAX >> shift;
    if (!good)
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected bytes, from 1 on, with k, m, g or t behind "
                       "them for 2^10, 2^20, 2^30, 2^40",
                       option, text);
    *bytes = n << shift;
    return good;
}

static bool parse_protocols(const char *list, semcache_options *o, gmmu_error *err) {
    o->protocols = 0;
    for (const char *at = list;;) {
        const size_t length = strcspn(at, ",");
        semcache_choice *c = &o->protocol[o->protocols];
        if (o->protocols == SEMCACHE_PROTOCOLS) {
            (void)snprintf(err->text, sizeof err->text,
                           "--protocol: found more than %d, expected that many at most",
                           SEMCACHE_PROTOCOLS);
            return false;
        }
        (void)snprintf(c->name, sizeof c->name, "%.*s",
                       (int)(length < sizeof c->name ? length : sizeof c->name - 1), at);
        if (length >= sizeof c->name || !gmmu_sem_protocol_of(c->name, &c->is)) {
            (void)snprintf(
                err->text, sizeof err->text,
                "--protocol: found \"%.*s\", expected naive, fig9, wb, wt, split, dfu, or "
                "page:BYTES or split:BYTES, a power of two with k or m",
                (int)(length < 60 ? length : 60), at);
            return false;
        }
        o->protocols++;
        if (at[length] == 0)
            return true;
        at += length + 1;
    }
}

static bool choose_show(semcache_options *o, semcache_show show, gmmu_error *err) {
    static const char *const name[] = {"", "--sites", "--pairs", "--merges"};
    if (o->show != SEMCACHE_TOTALS && o->show != show) {
        (void)snprintf(err->text, sizeof err->text, "found %s and %s, expected one of them",
                       name[o->show], name[show]);
        return false;
    }
    o->show = show;
    return true;
}

static bool fit_together(const semcache_options *o, gmmu_error *err) {
    if (o->sum && o->play_option != NULL)
        (void)snprintf(err->text, sizeof err->text,
                       "found %s with --sum, expected --top and --format alone", o->play_option);
    else if (!o->sum && o->top_given)
        (void)snprintf(err->text, sizeof err->text, "found --top, expected it with --sum");
    else if (o->sweep && o->least != 0)
        (void)snprintf(err->text, sizeof err->text,
                       "found --min and --sweep, expected one of them");
    else
        return true;
    return false;
}

// The option KEY, if it is of those that say how a trace is played. NULL: another.
static const char *name_of_option(int key) {
    static const struct {
        int key;
        const char *name;
    } of_play[] = {{'p', "--protocol"},      {OPT_EVICT, "--evict"},  {OPT_GPU_MEM, "--gpu-mem"},
                   {OPT_RANGES, "--ranges"}, {OPT_MIN, "--min"},      {OPT_LINK, "--link"},
                   {OPT_SWEEP, "--sweep"},   {OPT_SITES, "--sites"},  {OPT_PERFETTO, "--perfetto"},
                   {OPT_PAIRS, "--pairs"},   {OPT_MERGES, "--merges"}};
    for (size_t i = 0; i < sizeof of_play / sizeof of_play[0]; i++)
        if (of_play[i].key == key)
            return of_play[i].name;
    return NULL;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    semcache_options *o = state->input;
    const char *option = name_of_option(key);
    o->play_option = option != NULL ? option : o->play_option;
    gmmu_error err;
    uint64_t n = 0;
    bool good = true;
    switch (key) {
        case 'p':
            good = parse_protocols(arg, o, &err);
            break;
        case 'F':
            good = parse_format(arg, FORMAT_TABLE | FORMAT_CSV | FORMAT_JSON, &o->format, &err);
            break;
        case OPT_EVICT:
            good = parse_evict(arg, &o->runtime.evict, &err);
            break;
        case OPT_GPU_MEM:
            good = parse_bytes("--gpu-mem", arg, &o->runtime.limit, &err);
            break;
        case OPT_RANGES:
            good = parse_upto("--ranges", arg, 2, 1 << 28, &n, &err);
            o->runtime.ranges = (uint32_t)n;
            break;
        case OPT_MIN:
            good = parse_upto("--min", arg, 1, 1000000, &o->least, &err);
            break;
        case OPT_LINK:
            o->link_file = arg;
            good = gmmu_sem_link_read(arg, &o->link, &err);
            break;
        case OPT_SWEEP:
            o->sweep = good = strcmp(arg, "min") == 0;
            (void)snprintf(err.text, sizeof err.text, "--sweep: found \"%.60s\", expected min",
                           arg);
            break;
        case OPT_SITES:
            good = choose_show(o, SEMCACHE_SITES, &err);
            break;
        case OPT_PERFETTO:
            o->perfetto = arg;
            break;
        case OPT_PAIRS:
            good = choose_show(o, SEMCACHE_PAIRS, &err);
            break;
        case OPT_MERGES:
            good = choose_show(o, SEMCACHE_MERGES, &err);
            break;
        case OPT_SUM:
            o->sum = true;
            break;
        case OPT_TOP:
            o->top_given = true;
            good = parse_upto("--top", arg, 0, 1000000, &o->top, &err);
            break;
        case ARGP_KEY_ARGS:
            o->files = (const char *const *)state->argv + state->next;
            o->count = (size_t)(state->argc - state->next);
            o->trace = o->files[0];
            break;
        case ARGP_KEY_END:
            if (o->trace == NULL)
                argp_failure(state, 2, 0,
                             "found no trace, expected a .sem file, or - for standard input");
            if (o->count > 1 && !o->sum)
                argp_failure(state, 2, 0, "found a second trace \"%.60s\", expected one",
                             o->files[1]);
            good = fit_together(o, &err);
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good)
        argp_failure(state, 2, 0, "%s", err.text);
    return 0;
}

static const struct argp_option option_list[] = {
    {"protocol", 'p', "LIST", 0,
     "naive (each time the inputs of a call go up and its outputs come back), fig9 (outputs go up, "
     "too), wb, wt (SemCache, write-back or write-through), split (write-back, with records that "
     "split; split:BYTES: what the CPU needs comes in blocks of BYTES, not of 4k), page:BYTES "
     "(write-back, with pages in place of ranges), dfu (device first use: memory goes up once, and "
     "the CPU accesses the memory there). Default: naive,fig9,wb,wt,split,page:4k,page:2m,dfu",
     0},
    {"gpu-mem", OPT_GPU_MEM, "BYTES", 0, "size of GPU memory in bytes, or with k, m, g or t (16g)",
     0},
    {"evict", OPT_EVICT, "NAME", 0,
     "the range that leaves GPU memory: least-hit, lru, leu (least-hit)", 0},
    {"ranges", OPT_RANGES, "N", 0, "number of ranges at most, as in the hardware (any number)", 0},
    {"min", OPT_MIN, "N", 0, "calls of fewer than 2 N^3 operations run on the CPU (0)", 0},
    {"sweep", OPT_SWEEP, "min", 0, "print a row for each of several --min", 0},
    {"sites", OPT_SITES, NULL, 0, "print a row for each call site, most bytes first", 0},
    {"pairs", OPT_PAIRS, NULL, 0,
     "print a row for each range that goes back and forth between a call site and the CPU", 0},
    {"merges", OPT_MERGES, NULL, 0,
     "print a row for each two call sites whose operands became one record, most bytes first", 0},
    {"link", OPT_LINK, "FILE", 0,
     "JSON file with numbers of the time model: up_gbs, down_gbs (15.75), remote_gbs (6), "
     "transfer_us (6), gpu_gflops (7000), gpu_single_gflops (14000), gpu_gbs (900), cpu_gflops "
     "(30), cpu_gbs (12), call_us "
     "(5)",
     0},
    {"sum", OPT_SUM, NULL, 0,
     "the files are reports of libgmmu_blas.so in JSON (GMMU_JSON), as of MPI's ranks: print their "
     "sum",
     0},
    {"top", OPT_TOP, "N", 0, "of --sum: N call sites, what could be gained most first (20; 0: all)",
     0},
    {"perfetto", OPT_PERFETTO, "FILE", 0,
     "write the time line of the first protocol to FILE, for https://ui.perfetto.dev", 0},
    {"format", 'F', "FORMAT", 0, "table, csv or json (table)", 0},
    {0}};

// ---- the plays

static void plays_free(semcache_play *all, size_t count) {
    for (size_t i = 0; i < count; i++) gmmu_sem_play_destroy(all[i].play);
    free(all);
}

// NULL: no memory.
static semcache_play *plays_make(const semcache_options *o, bool bounds, semcache_line *line,
                                 size_t *count) {
    const size_t steps = o->sweep ? SWEEPS : 1;
    semcache_play *all = calloc(2 * steps * o->protocols + 1, sizeof *all);
    *count = 0;
    for (size_t i = 0; all != NULL && i < steps * o->protocols; i++) {
        const semcache_choice *c = &o->protocol[i / steps];
        const bool cached = c->is.kind != GMMU_SEM_NAIVE && c->is.kind != GMMU_SEM_FIG9;
        for (int most = 0; most <= (bounds && cached ? 1 : 0); most++) {
            semcache_play *p = &all[(*count)++];
            gmmu_sem_play_config cfg = {.protocol = c->is,
                                        .runtime = o->runtime,
                                        .link = o->link,
                                        .least = o->sweep ? sweep_of[i % steps] : o->least};
            p->of = c;
            if (*count == 1 && line->to != NULL) {
                cfg.slice = semcache_slice;
                cfg.context = line;
            }
            p->least = cfg.least;
            p->bound = !bounds || !cached ? "" : most ? "most" : "least";
            p->most = most != 0;
            p->play = gmmu_sem_play_create(&cfg);
            if (p->play == NULL) {
                plays_free(all, *count);
                return NULL;
            }
        }
    }
    return all;
}

// A play by pages looks at each page of an operand.
static const uint64_t most_pages = UINT64_C(1) << 24;

// The first operand of E with more pages than a play looks at is refused.
static bool pages_are_few(const gmmu_sem_reader *r, const gmmu_sem_event *e,
                          const semcache_play *all, size_t count, gmmu_error *err) {
    for (size_t i = 0; i < count && e->kind != GMMU_SEM_ALLOC; i++)
        for (uint32_t k = 0; k < e->operands && all[i].of->is.kind == GMMU_SEM_PAGE; k++) {
            const uint64_t page = all[i].of->is.page;
            const gmmu_sem_operand hull = gmmu_sem_hull(&e->operand[k]);
            const uint64_t more = hull.last / page - hull.start / page;
            char found[80], expected[160];
            if (more < most_pages)
                continue;
            (void)snprintf(found, sizeof found, "an operand of %" PRIu64 " pages",
                           more + (more != UINT64_MAX));
            (void)snprintf(expected, sizeof expected,
                           "%" PRIu64 " pages of %" PRIu64
                           " bytes at most by page:BYTES; --protocol with larger pages, or "
                           "without pages, plays the trace",
                           most_pages, page);
            gmmu_sem_refuse(r, found, expected, err);
            return false;
        }
    return true;
}

static int play_all(gmmu_sem_reader *r, semcache_play *all, size_t count, uint64_t *events,
                    gmmu_error *err) {
    gmmu_sem_event e;
    int status;
    while ((status = gmmu_sem_next(r, &e, err)) == GMMU_OK) {
        ++*events;
        if (!pages_are_few(r, &e, all, count, err))
            return GMMU_BAD;
        if (e.kind == GMMU_SEM_CALL || e.kind == GMMU_SEM_MEMO)
            e.single = gmmu_blas_is_single(gmmu_sem_routines(r)->name[e.routine]);
        for (size_t i = 0; i < count; i++) {
            const bool doubled =
                all[i].most && (e.kind == GMMU_SEM_CALL || e.kind == GMMU_SEM_MEMO);
            if (doubled ? !gmmu_sem_play_most(all[i].play, &e, gmmu_sem_tracked(r))
                        : !gmmu_sem_play_event(all[i].play, &e)) {
                (void)snprintf(err->text, sizeof err->text, "no memory after %" PRIu64 " events",
                               *events);
                return GMMU_BAD;
            }
        }
    }
    return status == GMMU_END ? GMMU_OK : status;
}

// The file of the time line, if one is wanted.
static int line_begin(const semcache_options *o, semcache_line *line, gmmu_error *err) {
    if (o->perfetto == NULL)
        return 0;
    const char *inputs[] = {o->trace, o->link_file};
    if (!output_is_new("--perfetto", o->perfetto, inputs, 2, err))
        return 2;
    line->to = fopen(o->perfetto, "we");
    if (line->to != NULL) {
        output_besides(o->perfetto);
        return 0;
    }
    (void)snprintf(err->text, sizeof err->text, "%.200s: cannot be opened: %s", o->perfetto,
                   strerror(errno));
    return 2;
}

static int play_and_print(const char *command, const semcache_options *o, gmmu_sem_reader *r,
                          semcache_line *line, gmmu_error *err) {
    size_t count = 0;
    semcache_play *all = plays_make(o, gmmu_sem_tracked(r) != GMMU_SEM_FULL, line, &count);
    int status = 2;
    uint64_t events = 0;
    if (all == NULL) {
        (void)snprintf(err->text, sizeof err->text, "no memory");
        return 2;
    }
    if (play_all(r, all, count, &events, err) == GMMU_OK) {
        cut_look(command, o->trace, "standard input");
        semcache_print(o, r, all, count);
        status = 0;
    }
    plays_free(all, count);
    return status;
}

int cmd_semcache(int argc, char **argv) {
    static const struct argp argp = {
        option_list,
        parse,
        "TRACE\n--sum FILE...",
        "Print the bytes that offloading the library calls of TRACE, a .sem file, would move, by "
        "protocol.\vexcess_bytes are transferred bytes that no operand of the call or access has: "
        "the "
        "rest of a merged record, or of a page. Times come from a model (--link). For a trace "
        "without the CPU's accesses "
        "(calls in the first line), or without the CPU's reads (writes), the rows are bounds: "
        "least, if the "
        "CPU does nothing else between calls, and most.",
        NULL,
        NULL,
        NULL};
    semcache_options o = {.format = FORMAT_TABLE,
                          .top = SEMCACHE_TOP,
                          .runtime = {.limit = UINT64_C(16) << 30},
                          .link = gmmu_sem_usual_link};
    gmmu_error err = {""};
    (void)parse_protocols(usual_protocols, &o, &err);
    if (!parse_options(&argp, argc, argv, &o))
        return 2;
    if (o.sum) {
        const int sum = semcache_sum(o.files, o.count, (size_t)o.top, o.format, &err);
        if (sum != 0)
            (void)fprintf(stderr, "%s: %s\n", argv[0], err.text);
        return sum;
    }
    gmmu_sem_reader *r = gmmu_sem_open(o.trace, &err);
    semcache_line line = {.names = r};
    int status = r == NULL ? 2 : line_begin(&o, &line, &err);
    if (status == 0)
        status = play_and_print(argv[0], &o, r, &line, &err);
    if (line.to != NULL && !semcache_line_end(&line) && status == 0) {
        (void)snprintf(err.text, sizeof err.text, "%.200s: cannot be written: %s", o.perfetto,
                       strerror(errno));
        status = 2;
    }
    if (status != 0) {
        (void)fprintf(stderr, "%s: %s\n", argv[0], err.text);
        output_discard();
    }
    gmmu_sem_close(r);
    return status;
}
