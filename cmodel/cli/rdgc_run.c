// SPDX-License-Identifier: Apache-2.0
// rdgc_run.c: the grids of a kernel or a file, one after the other through all models, which are
// shared out among threads. What a model counts depends on its own grids alone, so the number of
// threads changes no result.
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cut.h"
#include "cli/rdgc_request.h"
#include "pool/pool.h"
#include "simt/logical.h"

enum { STOPPED = GMMU_SIMT_NO_MEMORY + 1 };  // what on_grid gives the kernel for --stop

// One model.
typedef struct {
    gmmu_rdgc *model;
    gmmu_error err;
    bool failed;
} job;

typedef struct {
    const rdgc_request *r;
    rdgc_totals *totals;
    bool terminal;
    bool shown;  // something stands on the terminal's line
    FILE *out;   // the threads' accesses; NULL: not wanted
    // The kernel's grid that is being collected, and its number.
    gmmu_rdgc_trace *trace;
    uint64_t number;  // of the next grid
    bool taking;
    int percent;
    // The models.
    job *jobs;
    size_t job_count;
    const gmmu_rdgc_grid *grid;
    gmmu_pool *pool;
    atomic_size_t done;
} run;

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_model(void *context, size_t i) {
    run *s = context;
    job *j = &s->jobs[i];
    if (s->r->twice) {
        j->failed = gmmu_rdgc_warm(j->model, s->grid, &j->err) != GMMU_OK;
    }
    j->failed = j->failed || gmmu_rdgc_run(j->model, s->grid, &j->err) != GMMU_OK;
    size_t done = atomic_fetch_add(&s->done, 1) + 1;
    if (s->terminal) {
        (void)fprintf(stderr, "\r\033[Kgmmu rdgc: %zu of %zu models", done, s->job_count);
    }
}

// All models take GRID.
static int run_models(run *s, const gmmu_rdgc_grid *grid, gmmu_error *err) {
    s->grid = grid;
    atomic_store(&s->done, 0);
    double start = now();
    gmmu_pool_run(s->pool, run_model, s, s->job_count);
    s->totals->models_seconds += now() - start;
    s->shown |= s->terminal;
    for (size_t i = 0; i < s->job_count; i++) {
        if (s->jobs[i].failed) {
            *err = s->jobs[i].err;
            return GMMU_BAD;
        }
    }
    return GMMU_OK;
}

static int take_grid(run *s, const gmmu_rdgc_grid *g, gmmu_error *err) {
    rdgc_totals *t = s->totals;
    t->grids++;
    t->blocks += g->blocks;
    t->threads = g->threads > t->threads ? g->threads : t->threads;
    t->longest = g->longest > t->longest ? g->longest : t->longest;
    t->longest_sum += g->longest;
    t->reads += g->reads;
    t->writes += g->writes;
    return run_models(s, g, err);
}

static int write_failed(const run *s, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to",
                   s->r->output, strerror(errno));
    return GMMU_BAD;
}

// ---------------------------------------------------------------- a kernel

// The grid that was collected, if one was.
static int end_grid(run *s, gmmu_error *err) {
    int status = GMMU_OK;
    if (s->taking) {
        status = gmmu_rdgc_trace_order(s->trace, err);
        if (status == GMMU_OK && s->out != NULL && gmmu_rdgc_trace_write(s->trace, s->out) != 0) {
            status = write_failed(s, err);
        }
        if (status == GMMU_OK) {
            status = take_grid(s, gmmu_rdgc_trace_grid(s->trace, 0), err);
        }
        gmmu_rdgc_trace_destroy(s->trace);
        s->trace = NULL;
        s->taking = false;
    }
    return status;
}

static int on_grid(void *context, const gmmu_simt_grid *grid, gmmu_error *err) {
    run *s = context;
    if (end_grid(s, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (s->r->stop && rdgc_behind_last(s->r, s->number)) {
        return STOPPED;
    }
    if (!rdgc_wants_grid(s->r, s->number++)) {
        return GMMU_OK;
    }
    s->trace = gmmu_rdgc_trace_create(err);
    if (s->trace == NULL) {
        return GMMU_BAD;
    }
    s->taking = true;
    return gmmu_simt_logical_grid(s->trace, grid, err);
}

// Is NAME one of the comma-separated LIST?
static bool named(const char *list, const char *name) {
    size_t length = strlen(name);
    for (;;) {
        size_t n = strcspn(list, ",");
        if (n == length && strncmp(list, name, n) == 0) {
            return true;
        }
        if (list[n] == '\0') {
            return false;
        }
        list += n + 1;
    }
}

static int on_op(void *context, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                 gmmu_error *err) {
    run *s = context;
    bool left_out = s->r->without != NULL && named(s->r->without, op->array->name);
    return s->taking && !left_out ? gmmu_simt_logical_op(s->trace, w, sm, op, err) : GMMU_OK;
}

// Is each name of --without that of an array?
static bool arrays_are_there(const rdgc_request *r, const gmmu_space *space, gmmu_error *err) {
    for (const char *name = r->without; name != NULL;) {
        const size_t length = strcspn(name, ",");
        unsigned i = 0;
        while (i < space->arrays && (strncmp(space->array[i].name, name, length) != 0 ||
                                     space->array[i].name[length] != '\0')) {
            i++;
        }
        if (i == space->arrays) {
            (void)snprintf(err->text, sizeof err->text,
                           "--without: found '%.*s', expected an array of kernel %s",
                           (int)(length > 40 ? 40 : length), name, r->kernel->name);
            return false;
        }
        name = name[length] == ',' ? name + length + 1 : NULL;
    }
    return true;
}

static void on_progress(void *context, double done) {
    run *s = context;
    int percent = (int)(done * 100.0);
    if (percent != s->percent) {
        s->percent = percent;
        s->shown = true;
        (void)fprintf(stderr, "\r\033[Kgmmu rdgc: %s %3d %%", s->r->kernel->name, percent);
    }
}

// As --inject-fault of `gmmu record`.
static void flip_result(const gmmu_simt *m) {
    const gmmu_array *a = gmmu_simt_result(m);
    ((unsigned char *)a->data)[a->count * a->element / 2] ^= 1;
}

static int run_kernel(run *s, gmmu_error *err) {
    gmmu_simt *m = gmmu_simt_create(s->r->kernel, &s->r->params, err);
    if (m == NULL) {
        return 2;
    }
    gmmu_simt_hooks hooks = {
        .ctx = s, .grid = on_grid, .op = on_op, .progress = s->terminal ? on_progress : NULL};
    int status = GMMU_BAD;
    if (arrays_are_there(s->r, gmmu_simt_space(m), err)) {
        status = gmmu_simt_run(m, &hooks, err);
    }
    s->totals->stopped = status == STOPPED;
    status = s->totals->stopped ? GMMU_OK : status;
    if (status == GMMU_OK) {
        status = end_grid(s, err);
    }
    gmmu_rdgc_trace_destroy(s->trace);
    int code = status == GMMU_OK ? 0 : 2;
    if (code == 0 && !s->totals->stopped) {
        if (s->r->inject_fault) {
            flip_result(m);
        }
        status = gmmu_simt_check(m, err);
        code = status == GMMU_OK ? 0 : status == GMMU_BAD ? 1 : 2;
    }
    gmmu_simt_destroy(m);
    return code;
}

// ---------------------------------------------------------------- a kernel trace

typedef struct {
    run *run;
    gmmu_error why;  // with which the caller refuses the trace
} traced;

static const char *on_kernel(void *context, uint64_t blocks, uint64_t threads) {
    traced *t = context;
    // too many threads are refused as such
    const gmmu_simt_grid grid = {.blocks = blocks,
                                 .threads = threads > UINT_MAX ? UINT_MAX : (unsigned)threads};
    return on_grid(t->run, &grid, &t->why) == GMMU_OK ? NULL : t->why.text;
}

static const char *on_access(void *context, uint64_t block, uint64_t warp, bool write, bool atomic,
                             uint32_t mask, const uint64_t address[32]) {
    traced *t = context;
    const unsigned kind = atomic ? GMMU_RDGC_ATOMIC : write ? GMMU_RDGC_WRITE : GMMU_RDGC_READ;
    const bool good = !t->run->taking || gmmu_rdgc_trace_issue(t->run->trace, block, warp, kind,
                                                               mask, address, &t->why) == GMMU_OK;
    return good ? NULL : t->why.text;
}

static int run_traced(run *s, gmmu_error *err) {
    traced t = {.run = s};
    const gmmu_kernel_watch watch = {.context = &t, .kernel = on_kernel, .access = on_access};
    int status = rdgc_read_traced(s->r, &watch, err);
    if (status == GMMU_OK) {
        status = end_grid(s, err);
    }
    gmmu_rdgc_trace_destroy(s->trace);
    if (status != GMMU_OK && t.why.text[0] != '\0') {
        (void)snprintf(err->text, sizeof err->text, "%.100s: %.300s", s->r->source, t.why.text);
    }
    return status == GMMU_OK ? 0 : 2;
}

// ---------------------------------------------------------------- threads' accesses

static int read_trace(const rdgc_request *r, gmmu_rdgc_trace *t, gmmu_error *err) {
    bool standard = strcmp(r->source, "-") == 0;
    FILE *in = standard ? stdin : fopen(r->source, "r");
    if (in == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "found \"%.200s\", which is no kernel of gmmu record and no readable file "
                       "(%s), expected either",
                       r->source, strerror(errno));
        return GMMU_BAD;
    }
    int status = gmmu_rdgc_trace_read(t, in, standard ? "<stdin>" : r->source, err);
    if (!standard) {
        (void)fclose(in);
    }
    if (status == GMMU_OK) {
        cut_look("gmmu rdgc", r->source, "<stdin>");
    }
    return status;
}

static int run_trace(run *s, gmmu_error *err) {
    gmmu_rdgc_trace *t = gmmu_rdgc_trace_create(err);
    int status = t == NULL ? GMMU_BAD : read_trace(s->r, t, err);
    for (; status == GMMU_OK && s->number < gmmu_rdgc_trace_grids(t); s->number++) {
        if (rdgc_wants_grid(s->r, s->number)) {
            status = take_grid(s, gmmu_rdgc_trace_grid(t, (size_t)s->number), err);
        }
    }
    gmmu_rdgc_trace_destroy(t);
    return status == GMMU_OK ? 0 : 2;
}

// ---------------------------------------------------------------- both

static bool is_standard(const rdgc_request *r) {
    return strcmp(r->output, "-") == 0;
}

// Half a file does not stay.
static int close_output(run *s, int code, gmmu_error *err) {
    struct stat kind;
    int closed = is_standard(s->r) ? fflush(s->out) : fclose(s->out);
    if (closed != 0 && code == 0) {
        (void)write_failed(s, err);
        code = 2;
    }
    if (code != 0 && !is_standard(s->r) && lstat(s->r->output, &kind) == 0 &&
        S_ISREG(kind.st_mode)) {
        (void)unlink(s->r->output);
    }
    return code;
}

static int run_source(run *s, gmmu_error *err) {
    if (s->r->output != NULL) {
        s->out = is_standard(s->r) ? stdout : fopen(s->r->output, "w");
        if (s->out == NULL) {
            (void)write_failed(s, err);
            return 2;
        }
    }
    int code = s->r->traced           ? run_traced(s, err)
               : s->r->kernel == NULL ? run_trace(s, err)
                                      : run_kernel(s, err);
    if (code == 0 && s->totals->grids == 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "--grid: found none of these in %" PRIu64 " grids, expected numbers from 0",
                       s->number);
        code = 2;
    }
    return s->out == NULL ? code : close_output(s, code, err);
}

int rdgc_run(const rdgc_request *r, rdgc_case *cases, size_t count, rdgc_totals *totals,
             gmmu_error *err) {
    *totals = (rdgc_totals){0};
    run s = {.r = r, .totals = totals, .terminal = isatty(STDERR_FILENO) != 0, .percent = -1};
    s.jobs = calloc(2 * count + 1, sizeof *s.jobs);
    if (s.jobs == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory for %zu cases", count);
        return 2;
    }
    for (size_t i = 0; i < count; i++) {
        if (cases[i].on != NULL) {
            s.jobs[s.job_count++].model = cases[i].on;
        }
        if (cases[i].off != NULL) {
            s.jobs[s.job_count++].model = cases[i].off;
        }
    }
    s.pool = gmmu_pool_create(s.job_count < r->threads ? (unsigned)s.job_count : r->threads);
    int code = run_source(&s, err);
    gmmu_pool_destroy(s.pool);
    for (size_t i = 0; i < s.job_count; i++) {
        totals->models_accesses += gmmu_rdgc_get_result(s.jobs[i].model)->coalesced;
    }
    free(s.jobs);
    if (s.shown) {
        (void)fprintf(stderr, "\r\033[K");
    }
    return code;
}
