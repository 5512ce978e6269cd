// SPDX-License-Identifier: Apache-2.0
// record.c: runs a kernel on the SIMT front end and writes its walk trace.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // asprintf
#endif
#include "simt/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/pack.h"

typedef struct {
    gmmu_writer *writer;
    const gmmu_simt_request *request;
    gmmu_simt *machine;
    bool starting;  // no instruction of the grid has been issued yet
    uint64_t code;  // of the grid; 0: that of its first instruction
} recording;

// Is VALUE another number than the kernel's own?
static bool is_other(unsigned value, gmmu_simt_choice choice) {
    return value != 0 && value != choice.own;
}

// Has the user chosen a number of the kernel?
static bool chosen(const gmmu_simt_kernel *k, const gmmu_simt_params *p) {
    return is_other(p->launches, k->launches) || is_other(p->features, k->features) ||
           is_other(p->depth, k->depth) || is_other(p->element, k->element);
}

// A line of what is not as without these options; none where all is.
static void machine_comment(FILE *f, const gmmu_simt_request *r) {
    const gmmu_simt_params *p = &r->params;
    const gmmu_simt_kernel *k = r->kernel;
    const struct {
        const char *name;
        uint64_t value;
        bool usual;
    } numbers[] = {{"--threads-per-sm", p->threads_per_sm, p->threads_per_sm == 0},
                   {"--stall", p->stall, p->stall == 0},
                   {"--launches", p->launches, !is_other(p->launches, k->launches)},
                   {"--features", p->features, !is_other(p->features, k->features)},
                   {"--depth", p->depth, !is_other(p->depth, k->depth)}};
    const char *apart = "";
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].usual)
            continue;
        fprintf(f, "%s%s %" PRIu64, apart, numbers[i].name, numbers[i].value);
        apart = " ";
    }
    if (is_other(p->element, k->element)) {
        fprintf(f, "%s--element %s", apart, p->element == sizeof(float) ? "float" : "double");
        apart = " ";
    }
    if (p->arrays != NULL) {
        fprintf(f, "%s--arrays %s", apart, p->arrays);
        apart = " ";
    }
    if (*apart != '\0')
        fprintf(f, "\n");
}

// The caches and the shootdown, where there are any: a line each.
static void front_comment(FILE *f, const gmmu_simt_request *r) {
    const gmmu_simt_params *p = &r->params;
    machine_comment(f, r);
    if (p->caches != GMMU_FRONT_OFF) {
        gmmu_rdgc_config base = gmmu_rdgc_defaults();
        fprintf(f, "--caches %s", p->caches == GMMU_FRONT_L1 ? "l1" : "l2");
        const char *key;
        for (size_t i = 0; (key = gmmu_rdgc_config_key(i)) != NULL; i++) {
            char value[64];
            char usual[64];
            gmmu_rdgc_config_get(&p->cache, i, value, sizeof value);
            gmmu_rdgc_config_get(&base, i, usual, sizeof usual);
            if (strcmp(value, usual) != 0)
                fprintf(f, " --set %s=%s", key, value);
        }
        fprintf(f, "\n");
    }
    const gmmu_simt_memory *m = &r->memory;
    if (m->walk != NULL)
        fprintf(f, "--shootdown %s%s%s --frames %" PRIu32 "\n", m->policy,
                m->options != NULL ? ":" : "", m->options != NULL ? m->options : "", m->frames);
}

// All that is needed to make the trace again, bit for bit; to be freed.
static char *header_comment(const gmmu_simt_request *r, const gmmu_space *space) {
    char *text = NULL;
    size_t length = 0;
    const gmmu_simt_params *p = &r->params;
    FILE *f = open_memstream(&text, &length);
    if (f == NULL)
        return NULL;
    fprintf(f,
            "gmmu record %s --size %" PRIu64 " --seed %" PRIu64
            " --sms %u --blocks-per-sm %u --block %u --page-shift %u --l1-tlb %u --l2-tlb %u"
            " --l2-ways %u%s%s%s\n",
            r->kernel->name, p->size, p->seed, p->sms, p->blocks_per_sm, p->block, p->page_shift,
            p->l1_entries, p->l2_entries, p->l2_ways, r->with_time ? " --with-time" : "",
            r->hints ? " --hints" : "", p->fold ? " --fold" : "");
    front_comment(f, r);
    fprintf(f, "front end version %d; size: %s%s\npages:", GMMU_SIMT_VERSION, r->kernel->size_text,
            chosen(r->kernel, p) ? ", but for what is chosen above" : "");
    for (unsigned i = 0; i < space->arrays; i++) {
        const gmmu_array *a = &space->array[i];
        uint64_t first = a->base >> space->page_shift;
        fprintf(f, " %s %" PRIu64 "-%" PRIu64, a->name, first,
                first + gmmu_space_array_pages(space, a) - 1);
    }
    fclose(f);
    return text;
}

static void forget(void *machine, uint64_t vpn) {
    gmmu_simt_shootdown(machine, vpn);
}

static int put_walk(void *ctx, const gmmu_walk *walk, gmmu_error *err) {
    const recording *rec = ctx;
    const gmmu_simt_memory *m = &rec->request->memory;
    int rc = m->walk == NULL ? GMMU_OK : m->walk(m->ctx, walk, forget, rec->machine, err);
    if (rc != GMMU_OK)
        return rc;
    gmmu_walk w = *walk;
    if (!rec->request->with_time)
        w.time = 0;
    return gmmu_writer_put(rec->writer, &w, err);
}

static int start_grid(void *ctx, const gmmu_simt_grid *grid, gmmu_error *err) {
    recording *rec = ctx;
    (void)err;
    rec->starting = true;
    rec->code = grid->code;
    return GMMU_OK;
}

// A kernel is known by the reference of the first instruction that it issues: its code begins
// there.
static int name_grid(void *ctx, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                     gmmu_error *err) {
    recording *rec = ctx;
    (void)w;
    (void)sm;
    if (!rec->starting)
        return GMMU_OK;
    rec->starting = false;
    const gmmu_hint launch = {.kind = GMMU_HINT_LAUNCH, .id = rec->code != 0 ? rec->code : op->ref};
    return gmmu_writer_hint(rec->writer, &launch, err);
}

// A hint of KIND for each array of the machine: allocations are numbered as in the header.
static int put_arrays(const recording *rec, gmmu_hint_kind kind, gmmu_error *err) {
    const gmmu_space *space = gmmu_simt_space(rec->machine);
    int rc = GMMU_OK;
    for (unsigned i = 0; rec->request->hints && i < space->arrays && rc == GMMU_OK; i++) {
        const gmmu_array *a = &space->array[i];
        const gmmu_hint hint = {.kind = kind,
                                .id = kind == GMMU_HINT_ALLOC ? i : 0,
                                .first = a->base >> space->page_shift,
                                .pages = gmmu_space_array_pages(space, a)};
        rc = gmmu_writer_hint(rec->writer, &hint, err);
    }
    return rc;
}

static void show_progress(void *ctx, double done) {
    const recording *rec = ctx;
    rec->request->progress(rec->request->ctx, done);
}

static void flip_result(const gmmu_simt *m) {
    const gmmu_array *a = gmmu_simt_result(m);
    ((unsigned char *)a->data)[a->count * a->element / 2] ^= 1;
}

static int record_to(const gmmu_simt_request *r, gmmu_simt *m, const char *path, gmmu_error *err) {
    char *comment = header_comment(r, gmmu_simt_space(m));
    if (comment == NULL) {
        snprintf(err->text, sizeof err->text, "no memory");
        return GMMU_RECORD_BAD;
    }
    // by the name it will have, not by that under which it grows
    gmmu_form form = r->form != GMMU_FORM_AUTO ? r->form : gmmu_form_of_path(r->output);
    gmmu_about about = {.page_shift = r->params.page_shift, .comment = comment};
    recording rec = {
        .writer = gmmu_writer_open_as(path, form, &about, err), .request = r, .machine = m};
    free(comment);
    if (rec.writer == NULL)
        return GMMU_RECORD_BAD;
    gmmu_simt_hooks hooks = {
        .ctx = &rec, .walk = put_walk, .progress = r->progress != NULL ? show_progress : NULL};
    if (r->hints) {
        hooks.grid = start_grid;
        hooks.op = name_grid;
    }
    int status = GMMU_RECORD_BAD;
    if (put_arrays(&rec, GMMU_HINT_ALLOC, err) == GMMU_OK &&
        gmmu_simt_run(m, &hooks, err) == GMMU_OK &&
        put_arrays(&rec, GMMU_HINT_FREE, err) == GMMU_OK)
        status = GMMU_RECORD_OK;
    if (status == GMMU_RECORD_OK && r->inject_fault)
        flip_result(m);
    bool check = status == GMMU_RECORD_OK && !r->params.fold;
    int checked = check ? gmmu_simt_check(m, err) : GMMU_OK;
    if (checked != GMMU_OK)
        status = checked == GMMU_BAD ? GMMU_RECORD_WRONG : GMMU_RECORD_BAD;
    gmmu_error close_err;
    if (gmmu_writer_close(rec.writer, &close_err) != GMMU_OK && status == GMMU_RECORD_OK) {
        *err = close_err;
        status = GMMU_RECORD_BAD;
    }
    return status;
}

// A file grows under another name, so that its own never holds half a trace or one of a wrong
// result; the other name ends as its own does where that asks for compression. NULL: no memory; to
// be freed.
static char *growing_name(const char *output) {
    struct stat st;
    bool as_is = strcmp(output, "-") == 0 || (stat(output, &st) == 0 && !S_ISREG(st.st_mode));
    const char *ending = as_is ? "" : output + strlen(output) - gmmu_pack_ending(output);
    char *path = NULL;
    return asprintf(&path, "%s%s%s", output, as_is ? "" : ".part", ending) < 0 ? NULL : path;
}

// An error of the file that grows as PATH names OUTPUT, which was asked for.
static void name_output(const char *path, const char *output, gmmu_error *err) {
    const gmmu_error was = *err;
    const size_t length = strnlen(path, 200);  // an error shows no more of a name
    if (strncmp(was.text, path, length) == 0 && was.text[length] == ':')
        snprintf(err->text, sizeof err->text, "%.200s%s", output, was.text + length);
}

int gmmu_simt_distinct(const gmmu_simt_request *r, uint64_t *distinct, gmmu_error *err) {
    gmmu_simt *m = gmmu_simt_create(r->kernel, &r->params, err);
    if (m == NULL)
        return GMMU_BAD;
    recording rec = {.request = r};
    gmmu_simt_hooks hooks = {.ctx = &rec, .progress = r->progress != NULL ? show_progress : NULL};
    int rc = gmmu_simt_run(m, &hooks, err);
    *distinct = gmmu_simt_get_stats(m).distinct;
    gmmu_simt_destroy(m);
    return rc;
}

int gmmu_simt_record(const gmmu_simt_request *r, gmmu_simt_stats *stats, gmmu_error *err) {
    gmmu_simt *m = gmmu_simt_create(r->kernel, &r->params, err);
    if (m == NULL)
        return GMMU_RECORD_BAD;
    int status = GMMU_RECORD_BAD;
    char *path = growing_name(r->output);
    if (path == NULL) {
        snprintf(err->text, sizeof err->text, "no memory");
    } else {
        bool rename_it = strcmp(path, r->output) != 0;
        status = record_to(r, m, path, err);
        if (rename_it && status == GMMU_RECORD_OK && rename(path, r->output) != 0) {
            snprintf(err->text, sizeof err->text, "%.200s: %s, expected a file to write to",
                     r->output, strerror(errno));
            status = GMMU_RECORD_BAD;
        }
        if (rename_it && status != GMMU_RECORD_OK) {
            name_output(path, r->output, err);
            (void)unlink(path);
        }
    }
    *stats = gmmu_simt_get_stats(m);
    gmmu_simt_destroy(m);
    free(path);
    return status;
}
