// SPDX-License-Identifier: Apache-2.0
// main.c: newmark as a command: how often it calls what, what is transferred, and a .sem trace.
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "newmark/offload.h"
#include "trace/scan.h"

typedef struct {
    newmark_config mesh;
    offload_config lib;
    uint64_t steps;
    const char *trace;
} options;

static bool parse_size(const char *text, unsigned size[3], gmmu_error *err) {
    const char *p = text;
    uint64_t n;
    for (int d = 0; d < 3; d++) {
        if (!gmmu_scan_digits(&p, 10, &n) || n == 0 || n > 1000 || *p != (d == 2 ? 0 : 'x')) {
            (void)snprintf(err->text, sizeof err->text,
                           "--size: found \"%.60s\", expected XxYxZ, each 1 to 1000", text);
            return false;
        }
        size[d] = (unsigned)n;
        p++;
    }
    return true;
}

static bool parse_between(const char *option, const char *text, uint64_t least, uint64_t most,
                          uint64_t *value, gmmu_error *err) {
    const bool good = gmmu_scan_whole(text, most, value) && *value >= least;
    if (!good)
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found \"%.60s\", expected %" PRIu64 " to %" PRIu64, option, text, least,
                       most);
    return good;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
    options *o = state->input;
    gmmu_error err;
    uint64_t n = 0;
    bool good = true;
    switch (key) {
        case 's':
            good = parse_size(arg, o->mesh.size, &err);
            break;
        case 'd':
            good = parse_between("--depth", arg, 0, 10, &n, &err);
            o->mesh.depth = (unsigned)n;
            break;
        case 'n':
            good = parse_between("--steps", arg, 1, 1000000, &o->steps, &err);
            break;
        case 'r':
            good = parse_between("--report", arg, 0, 1000000, &n, &err);
            o->mesh.report = (unsigned)n;
            break;
        case 'm':
            good = parse_between("--gpu-mem", arg, 1, UINT64_C(1) << 20, &n, &err);
            o->lib.runtime.limit = n << 20;
            break;
        case 'c':
            o->lib.gpu = false;
            break;
        case 'w':
            o->lib.runtime.write_through = true;
            break;
        case 'y':
            o->lib.dry = true;
            break;
        case 'l':
            o->lib.columns = true;
            break;
        case 't':
            o->trace = arg;
            break;
        default:
            return ARGP_ERR_UNKNOWN;
    }
    if (!good)
        argp_failure(state, 2, 0, "%s", err.text);
    return 0;
}

static const struct argp_option option_list[] = {
    {"size", 's', "XxYxZ", 0, "cubes in each direction (10x10x10)", 0},
    {"depth", 'd', "N", 0, "2^N sub-domains (3)", 0},
    {"steps", 'n', "N", 0, "of time (20)", 0},
    {"report", 'r', "N", 0, "every so many steps the CPU reads all displacements; 0: never (10)",
     0},
    {"gpu-mem", 'm', "MIB", 0, "of GPU memory (16384)", 0},
    {"cpu", 'c', NULL, 0, "no GPU", 0},
    {"write-through", 'w', NULL, 0, "results come back after each call", 0},
    {"columns", 'l', NULL, 0, "the GPU wants matrices by columns, and keeps them so", 0},
    {"dry", 'y', NULL, 0, "nothing is computed: what would be called and transferred", 0},
    {"trace", 't', "FILE", 0, "write the calls there, as a .sem trace", 0},
    {0}};

// FNV-1a of the displacements: the same bits, the same number.
static uint64_t digest_of(const double *u, size_t n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    const unsigned char *p = (const unsigned char *)u;
    for (size_t i = 0; i < n * sizeof *u; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static int run(const options *o, offload *lib) {
    const newmark_library library = offload_library(lib);
    newmark *m = newmark_create(&o->mesh, &library);
    if (m == NULL) {
        (void)fprintf(stderr, "newmark: no memory, or too few cubes for so many sub-domains\n");
        return 2;
    }
    double tip = 0;
    for (uint64_t i = 0; i < o->steps; i++) tip = newmark_step(m);
    const size_t n = newmark_unknowns(m);
    double *u = malloc(n * sizeof *u);
    if (u == NULL || !offload_good(lib)) {
        (void)fprintf(stderr, "newmark: no memory\n");
        free(u);
        newmark_destroy(m);
        return 2;
    }
    const offload_counts c = offload_counted(lib);
    newmark_displacements(m, u);
    (void)printf("{\"unknowns\": %zu, \"leaves\": %u, \"steps\": %" PRIu64
                 ", \"tip\": %.12e, \"digest\": \"%016" PRIx64 "\",\n",
                 n, newmark_leaves(m), o->steps, tip, digest_of(u, n));
    (void)printf(" \"gemm\": %" PRIu64 ", \"gesv\": %" PRIu64 ", \"xpy\": %" PRIu64
                 ", \"copy\": %" PRIu64 ", \"factorised\": %" PRIu64 ", \"transposed\": %" PRIu64
                 ", \"cpu_reads\": %" PRIu64 ", \"cpu_writes\": %" PRIu64 ",\n",
                 c.gemm, c.gesv, c.xpy, c.copy, c.factorised, c.transposed, c.reads, c.writes);
    (void)printf(" \"lookups\": %" PRIu64 ", \"hits\": %" PRIu64 ", \"on_cpu\": %" PRIu64
                 ", \"up_bytes\": %" PRIu64 ", \"down_bytes\": %" PRIu64 ", \"evictions\": %" PRIu64
                 ", \"most_bytes\": %" PRIu64 "}\n",
                 c.sem.lookups, c.sem.hits, c.sem.on_cpu, c.sem.up_bytes, c.sem.down_bytes,
                 c.sem.evictions, c.sem.most_bytes);
    free(u);
    newmark_destroy(m);
    return 0;
}

int main(int argc, char **argv) {
    static const struct argp argp = {
        option_list,
        parse,
        NULL,
        "Structural dynamics by recursive sub-domains, in shadow execution on a GPU that is not "
        "there (docs/papers/semcache_results.md). What came of it, as JSON.",
        NULL,
        NULL,
        NULL};
    options o = {.mesh = {{10, 10, 10}, 3, 10, 0.5}, .steps = 20};
    o.lib.gpu = true;
    o.lib.runtime.limit = UINT64_C(16) << 30;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return 2;
    if (o.trace != NULL && (o.lib.trace = fopen(o.trace, "we")) == NULL) {
        (void)fprintf(stderr, "newmark: %s: cannot be opened: %s\n", o.trace, strerror(errno));
        return 2;
    }
    offload *lib = offload_create(&o.lib);
    int status = 2;
    if (lib != NULL)
        status = run(&o, lib);
    else
        (void)fprintf(stderr, "newmark: no memory\n");
    offload_destroy(lib);
    if (o.lib.trace != NULL) {
        const bool bad = ferror(o.lib.trace) != 0;
        if (fclose(o.lib.trace) != 0 || bad) {
            (void)fprintf(stderr, "newmark: %s: cannot be written\n", o.trace);
            status = 2;
        }
    }
    return status;
}
