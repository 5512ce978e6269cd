// SPDX-License-Identifier: Apache-2.0
// offload.c: see offload.h.
#include "newmark/offload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// of BLAS and LAPACK, column-major; the numbers at the end are the lengths of the texts
void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *,
            const double *, const int *, const double *, const int *, const double *, double *,
            const int *, size_t, size_t);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
void dcopy_(const int *, const double *, const int *, double *, const int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgetrs_(const char *, const int *, const int *, const double *, const int *, const int *,
             double *, const int *, int *, size_t);

// The CPU's memory is told by where it is in a reserved piece of addresses: the same in each run.
static const uint64_t first_byte = UINT64_C(1) << 28;
static const size_t reserved = (size_t)1 << 38;
enum { ALIGN = 64 };
enum { FACTORS, COLUMNS };  // computations
static const char *const computations[] = {"dgetrf", "transpose"};

struct offload {
    offload_config cfg;
    offload_counts counts;
    gmmu_sem *sem;
    unsigned char *memory;
    size_t used;
    bool bad;
    uint64_t event;
};

static uint64_t address(const offload *o, const void *p) {
    return first_byte + (uint64_t)((const unsigned char *)p - o->memory);
}

static void *cpu_memory(const offload *o, uint64_t address) {
    return o->memory + (address - first_byte);
}

static void *gpu_memory(uint64_t base) {
    return (void *)(uintptr_t)base;
}

static void *need(offload *o, size_t bytes) {
    void *p = malloc(bytes);
    o->bad |= p == NULL;
    return p;
}

// ---- the GPU

static bool gpu_allocate(void *context, uint64_t bytes, uint64_t *base) {
    (void)context;
    void *p = malloc(bytes);
    *base = (uint64_t)(uintptr_t)p;
    return p != NULL;
}

static void gpu_release(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    (void)context;
    (void)start;
    (void)bytes;
    free(gpu_memory(base));
}

static void gpu_up(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    memcpy(gpu_memory(base), cpu_memory(context, start), bytes);
}

static void gpu_down(void *context, uint64_t start, uint64_t base, uint64_t bytes) {
    memcpy(cpu_memory(context, start), gpu_memory(base), bytes);
}

// ---- operands and the trace

static gmmu_sem_operand reading(const offload *o, const double *p, size_t doubles) {
    const uint64_t at = address(o, p);
    return (gmmu_sem_operand){
        .start = at, .last = at + doubles * sizeof(double) - 1, .reads = true};
}

static gmmu_sem_operand changing(const offload *o, const double *p, size_t doubles) {
    gmmu_sem_operand is = reading(o, p, doubles);
    is.writes = true;
    return is;
}

static gmmu_sem_operand writing(const offload *o, const double *p, size_t doubles) {
    gmmu_sem_operand is = reading(o, p, doubles);
    is.reads = false;
    is.writes = is.whole = true;
    return is;
}

static void record(offload *o, gmmu_sem_event e, newmark_site site, const char *routine) {
    e.time = o->event++;
    if (o->cfg.trace != NULL)
        (void)gmmu_sem_write(o->cfg.trace, &e, newmark_site_names[site], routine);
}

static void record_call(offload *o, newmark_site site, const char *routine, uint64_t flops,
                        const gmmu_sem_operand *operand, uint32_t n) {
    gmmu_sem_event e = {.kind = GMMU_SEM_CALL, .flops = flops, .operands = n};
    memcpy(e.operand, operand, n * sizeof *operand);
    record(o, e, site, routine);
}

static void record_one(offload *o, gmmu_sem_kind kind, newmark_site site, gmmu_sem_operand is) {
    gmmu_sem_event e = {.kind = kind, .operands = 1};
    e.operand[0] = is;
    record(o, e, site, "");
}

// ---- results that are kept

static void transpose(const double *from, size_t rows, size_t columns, double *to) {
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) to[j * rows + i] = from[i * columns + j];
}

// What a call has made for itself and frees, or has been given: by the runtime.
typedef struct {
    double *is;
    bool own;
} result;

static void done_with(result r) {
    if (r.own)
        free(r.is);
}

// Room for COMPUTATION's result on A, which is the CPU's A, and is to be made; *kept: it need not.
static result room_for(offload *o, newmark_site site, unsigned computation, const double *a,
                       size_t doubles, size_t result_doubles, uint64_t flops, bool on_gpu,
                       bool *kept) {
    const gmmu_sem_operand is = reading(o, a, doubles);
    gmmu_sem_event e = {.kind = GMMU_SEM_MEMO,
                        .flops = flops,
                        .result = result_doubles * sizeof(double),
                        .operands = 1};
    e.operand[0] = is;
    record(o, e, site, computations[computation]);
    uint64_t base = UINT64_MAX, from;
    *kept = on_gpu && gmmu_sem_computed(o->sem, site, computation, is, e.result, &base, &from);
    if (o->cfg.dry)
        return (result){NULL, false};
    if (base != UINT64_MAX)
        return (result){gpu_memory(base), false};
    return (result){need(o, e.result), true};
}

// A by columns, from A at AT.
static result by_columns(offload *o, newmark_site site, const double *a, const double *at,
                         size_t rows, size_t columns, bool on_gpu) {
    if (rows == 1 || columns == 1)
        return (result){(double *)at, false};  // it is the same
    bool kept;
    const size_t n = rows * columns;
    const result r = room_for(o, site, COLUMNS, a, n, n, 0, on_gpu, &kept);
    o->counts.transposed += !kept;
    if (!kept && r.is != NULL)
        transpose(at, rows, columns, r.is);
    return r;
}

// A's factors and its pivots behind them.
static result factors(offload *o, newmark_site site, const double *a, const double *at, size_t n,
                      bool on_gpu) {
    bool kept;
    const size_t n2 = n * n;
    const result r =
        room_for(o, site, FACTORS, a, n2, n2 + n, 2 * (uint64_t)n2 * n / 3, on_gpu, &kept);
    o->counts.factorised += !kept;
    if (kept || r.is == NULL)
        return r;
    const int size = (int)n;
    int info;
    memcpy(r.is, at, n2 * sizeof *at);
    dgetrf_(&size, &size, r.is, &size, (int *)(r.is + n2), &info);
    o->bad |= info != 0;
    return r;
}

// ---- a call

// Where the operands of a call are: on the GPU, or as the CPU has them.
static bool begin(offload *o, newmark_site site, const gmmu_sem_operand *operand, uint32_t n,
                  double **at) {
    uint64_t base[GMMU_SEM_MOST_OPERANDS];
    const bool gpu = o->sem != NULL && gmmu_sem_begin(o->sem, site, operand, n, base);
    for (uint32_t i = 0; i < n; i++)
        at[i] = gpu ? gpu_memory(base[i]) : cpu_memory(o, operand[i].start);
    return gpu;
}

// The kernel is done; what it wrote the CPU does not have, until it comes down.
static void end(offload *o, const gmmu_sem_operand *operand, uint32_t n, bool gpu) {
    for (uint32_t i = 0; i < n && gpu; i++) {
        double *p = cpu_memory(o, operand[i].start);
        const size_t doubles = (operand[i].last - operand[i].start + 1) / sizeof *p;
        for (size_t j = 0; j < doubles && operand[i].writes && !o->cfg.dry; j++) p[j] = NAN;
    }
    if (gpu)
        gmmu_sem_end(o->sem, operand, n);
}

// ---- the library

static void *take(void *context, size_t bytes) {
    offload *o = context;
    const size_t at = (o->used + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes == 0 || bytes > reserved - at)
        return NULL;
    o->used = at + bytes;
    record_one(o, GMMU_SEM_ALLOC, AT_SETUP, reading(o, (double *)(o->memory + at), bytes / 8));
    return o->memory + at;
}

static void lib_reads(void *context, newmark_site site, const void *p, size_t bytes) {
    offload *o = context;
    const gmmu_sem_operand is = reading(o, p, bytes / sizeof(double));
    o->counts.reads++;
    record_one(o, GMMU_SEM_CPU, site, is);
    if (o->sem != NULL)
        gmmu_sem_cpu(o->sem, is);
}

static void lib_writes(void *context, newmark_site site, void *p, size_t bytes) {
    offload *o = context;
    const gmmu_sem_operand is = writing(o, p, bytes / sizeof(double));
    o->counts.writes++;
    record_one(o, GMMU_SEM_CPU, site, is);
    if (o->sem != NULL)
        gmmu_sem_cpu(o->sem, is);
}

static void lib_gemm(void *context, newmark_site site, size_t m, size_t n, size_t k, double alpha,
                     const double *a, const double *b, double beta, double *c) {
    offload *o = context;
    const gmmu_sem_operand operand[] = {reading(o, a, m * k), reading(o, b, k * n),
                                        beta == 0 ? writing(o, c, m * n) : changing(o, c, m * n)};
    double *at[3];
    o->counts.gemm++;
    record_call(o, site, "dgemm", 2 * (uint64_t)m * n * k, operand, 3);
    const bool gpu = begin(o, site, operand, 3, at);
    const int im = (int)m, in = (int)n, ik = (int)k;
    if (!o->cfg.columns) {  // by rows it is C' = B' A' by columns
        if (!o->cfg.dry)
            dgemm_("N", "N", &in, &im, &ik, &alpha, at[1], &in, at[0], &ik, &beta, at[2], &in, 1,
                   1);
        end(o, operand, 3, gpu);
        return;
    }
    const result ca = by_columns(o, site, a, at[0], m, k, gpu);
    const result cb = by_columns(o, site, b, at[1], k, n, gpu);
    double *cc = o->cfg.dry ? NULL : need(o, m * n * sizeof *cc);
    if (cc != NULL && !o->bad) {
        if (beta != 0)
            transpose(at[2], m, n, cc);
        dgemm_("N", "N", &im, &in, &ik, &alpha, ca.is, &im, cb.is, &ik, &beta, cc, &im, 1, 1);
        transpose(cc, n, m, at[2]);
    }
    free(cc);
    end(o, operand, 3, gpu);
    done_with(ca);
    done_with(cb);
}

static void lib_gesv(void *context, newmark_site site, size_t n, size_t r, const double *a,
                     double *b) {
    offload *o = context;
    const gmmu_sem_operand operand[] = {reading(o, a, n * n), changing(o, b, n * r)};
    double *at[2];
    o->counts.gesv++;
    record_call(o, site, "dgesv", 2 * (uint64_t)n * n * r, operand, 2);
    const bool gpu = begin(o, site, operand, 2, at);
    const result lu = factors(o, site, a, at[0], n, gpu);
    double *x = o->cfg.dry ? NULL : need(o, n * r * sizeof *x);
    if (x != NULL && !o->bad) {
        const int in = (int)n, ir = (int)r;
        int info;
        transpose(at[1], n, r, x);
        // the factors are of the rows as columns: of A'
        dgetrs_("T", &in, &ir, lu.is, &in, (int *)(lu.is + n * n), x, &in, &info, 1);
        transpose(x, r, n, at[1]);
    }
    free(x);
    end(o, operand, 2, gpu);
    done_with(lu);
}

static void lib_xpy(void *context, newmark_site site, size_t n, double alpha, const double *x,
                    double *y) {
    offload *o = context;
    const gmmu_sem_operand operand[] = {reading(o, x, n), changing(o, y, n)};
    double *at[2];
    const int in = (int)n, one = 1;
    o->counts.xpy++;
    record_call(o, site, "daxpy", 2 * (uint64_t)n, operand, 2);
    const bool gpu = begin(o, site, operand, 2, at);
    if (!o->cfg.dry)
        daxpy_(&in, &alpha, at[0], &one, at[1], &one);
    end(o, operand, 2, gpu);
}

static void lib_copy(void *context, newmark_site site, size_t n, const double *x, double *y) {
    offload *o = context;
    const gmmu_sem_operand operand[] = {reading(o, x, n), writing(o, y, n)};
    double *at[2];
    const int in = (int)n, one = 1;
    o->counts.copy++;
    record_call(o, site, "dcopy", 0, operand, 2);
    const bool gpu = begin(o, site, operand, 2, at);
    if (!o->cfg.dry)
        dcopy_(&in, at[0], &one, at[1], &one);
    end(o, operand, 2, gpu);
}

// ---- make and free

offload *offload_create(const offload_config *config) {
    offload *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    o->cfg = *config;
    o->cfg.runtime.page = 0;
    o->memory = mmap(NULL, reserved, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (o->memory == MAP_FAILED) {
        free(o);
        return NULL;
    }
    const gmmu_sem_gpu gpu = {.allocate = gpu_allocate,
                              .release = gpu_release,
                              .up = gpu_up,
                              .down = gpu_down,
                              .context = o};
    const gmmu_sem_gpu nobody = {.context = o};
    if (config->gpu)
        o->sem = gmmu_sem_create(&o->cfg.runtime, config->dry ? &nobody : &gpu);
    if (config->gpu && o->sem == NULL) {
        offload_destroy(o);
        return NULL;
    }
    if (config->trace != NULL)
        (void)gmmu_sem_write_head(config->trace, GMMU_SEM_PLAIN, GMMU_SEM_FULL);
    return o;
}

void offload_destroy(offload *o) {
    if (o == NULL)
        return;
    gmmu_sem_destroy(o->sem);
    (void)munmap(o->memory, reserved);
    free(o);
}

newmark_library offload_library(offload *o) {
    return (newmark_library){o, take, lib_gemm, lib_gesv, lib_xpy, lib_copy, lib_reads, lib_writes};
}

offload_counts offload_counted(const offload *o) {
    offload_counts n = o->counts;
    if (o->sem != NULL)
        n.sem = gmmu_sem_counted(o->sem);
    return n;
}

bool offload_good(const offload *o) {
    return !o->bad;
}
