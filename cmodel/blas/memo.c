// SPDX-License-Identifier: Apache-2.0
// memo.c: see memo.h.
#include "blas/memo.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas/flops.h"

enum { BUCKETS = 4096 };

struct gmmu_blas_memos {
    uint64_t limit, mask;
    gmmu_blas_content *bucket[BUCKETS];
    gmmu_blas_content ends;  // of a circle: ends.newer was used longest ago, ends.older last
    gmmu_blas_memo_counts counts;
};

// ---- what a call computes

bool gmmu_blas_computation_of(const gmmu_blas_call *call, gmmu_blas_computation *c) {
    gmmu_sem_operand operand[GMMU_BLAS_MOST_OPERANDS];
    gmmu_blas_call factor = *call;
    const bool potrf = call->family == GMMU_BLAS_POTRF;
    static const char triangles[] = {0, 'L', 'U'};
    const bool upper = call->uplo == 'U' || call->uplo == 'u';
    if ((!potrf && call->family != GMMU_BLAS_GETRF && call->family != GMMU_BLAS_GESV) ||
        gmmu_blas_operands(call, operand) == 0)
        return false;
    if (call->family == GMMU_BLAS_GESV) {  // GETRF, and GETRS with its result
        factor.family = GMMU_BLAS_GETRF;
        factor.m = factor.n;
    }
    *c = (gmmu_blas_computation){
        .start = call->a,
        .rows = (uint64_t)(potrf ? factor.n : factor.m),
        .columns = (uint64_t)factor.n,
        .ld = (uint64_t)call->lda,
        .element = call->type == 's'   ? 4
                   : call->type == 'z' ? 16
                                       : 8,
        .triangle = triangles[!potrf  ? 0
                              : upper ? 2
                                      : 1],
        .flops = gmmu_blas_flops(&factor),
    };
    const uint64_t pivots = potrf ? 0 : c->rows < c->columns ? c->rows : c->columns;
    c->result = c->rows * c->columns * c->element + pivots * (uint64_t)call->integer;
    if (potrf)
        (void)snprintf(c->name, sizeof c->name, "%cpotrf-%c", call->type, c->triangle);
    else
        (void)snprintf(c->name, sizeof c->name, "%cgetrf", call->type);
    return true;
}

// The elements of column I: *BYTES from where it begins.
static const unsigned char *column(const gmmu_blas_computation *c, uint64_t i, uint64_t *bytes) {
    const uint64_t from = c->triangle == 'L' ? i : 0;
    const uint64_t rows = c->triangle == 'U' ? i + 1 : c->rows - from;
    *bytes = rows * c->element;
    return c->start + (i * c->ld + from) * c->element;
}

static uint64_t content_bytes(const gmmu_blas_computation *c) {
    const uint64_t n = c->columns;
    return (c->triangle != 0 ? n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n : c->rows * n) *
           c->element;
}

static uint64_t digest(const gmmu_blas_computation *c) {
    uint64_t h = c->rows * UINT64_C(0x9E3779B97F4A7C15) + c->columns, word, bytes;
    for (uint64_t i = 0; i < c->columns; i++) {
        const unsigned char *p = column(c, i, &bytes);
        for (; bytes >= sizeof word; p += sizeof word, bytes -= sizeof word) {
            memcpy(&word, p, sizeof word);
            h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
            h ^= h >> 29;
        }
        word = 0;
        memcpy(&word, p, bytes);  // of single precision 4 may be left
        h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
    }
    return h;
}

static bool is_content(const gmmu_blas_content *k, uint64_t d, const gmmu_blas_computation *c) {
    if (k->digest != d || k->of.rows != c->rows || k->of.columns != c->columns ||
        k->of.result != c->result || strcmp(k->of.name, c->name) != 0)
        return false;
    const unsigned char *kept = (const unsigned char *)(uintptr_t)k->start;
    uint64_t bytes;
    for (uint64_t i = 0; i < c->columns; i++, kept += bytes) {
        const unsigned char *p = column(c, i, &bytes);
        if (memcmp(kept, p, bytes) != 0)
            return false;
    }
    return true;
}

// ---- what is kept

static uint64_t size_of(const gmmu_blas_content *k) {
    return k->last - k->start + 1;
}

static void take_out(gmmu_blas_content *k) {
    k->older->newer = k->newer;
    k->newer->older = k->older;
}

static void put_last(gmmu_blas_memos *m, gmmu_blas_content *k) {
    k->newer = &m->ends;
    k->older = m->ends.older;
    k->older->newer = k;
    m->ends.older = k;
}

static void let_go(gmmu_blas_memos *m, gmmu_blas_content *k) {
    gmmu_blas_content **at = &m->bucket[k->digest % BUCKETS];
    while (*at != k) at = &(*at)->next;
    *at = k->next;
    take_out(k);
    m->counts.contents--;
    m->counts.bytes -= size_of(k);
    free((void *)(uintptr_t)k->start);
    free(k);
}

// Room for BYTES more, in place of what no call uses. False: there is not so much.
static bool make_room(gmmu_blas_memos *m, uint64_t bytes, gmmu_blas_left *left, void *context) {
    if (bytes > m->limit)
        return false;
    for (gmmu_blas_content *k = m->ends.newer, *newer; k != &m->ends; k = newer) {
        if (m->counts.bytes <= m->limit - bytes && m->counts.contents < GMMU_BLAS_MOST_CONTENTS)
            return true;
        newer = k->newer;
        if (k->running != 0)
            continue;
        left(context, k->start, k->last);
        m->counts.left++;
        let_go(m, k);
    }
    return m->counts.bytes <= m->limit - bytes && m->counts.contents < GMMU_BLAS_MOST_CONTENTS;
}

static gmmu_blas_content *copy_of(const gmmu_blas_computation *c, uint64_t d, uint64_t size) {
    gmmu_blas_content *k = malloc(sizeof *k);
    assert(size != 0);
    unsigned char *to = malloc(size);
    if (k == NULL || to == NULL) {
        free(k);
        free(to);
        return NULL;
    }
    *k = (gmmu_blas_content){.digest = d, .start = (uintptr_t)to, .of = *c};
    k->last = k->start + (size - 1);
    uint64_t bytes;
    for (uint64_t i = 0; i < c->columns; i++, to += bytes) {
        const unsigned char *p = column(c, i, &bytes);
        memcpy(to, p, bytes);
    }
    return k;
}

static gmmu_blas_content *keep(gmmu_blas_memos *m, const gmmu_blas_computation *c, uint64_t d,
                               gmmu_blas_left *left, void *context) {
    const uint64_t size = content_bytes(c);
    gmmu_blas_content *k = make_room(m, size, left, context) ? copy_of(c, d, size) : NULL;
    if (k == NULL) {
        m->counts.refused++;
        return NULL;
    }
    k->next = m->bucket[d % BUCKETS];
    m->bucket[d % BUCKETS] = k;
    put_last(m, k);
    m->counts.contents++;
    m->counts.bytes += size;
    return k;
}

gmmu_blas_content *gmmu_blas_memos_begin(gmmu_blas_memos *m, const gmmu_blas_computation *c,
                                         bool *found, gmmu_blas_left *left, void *context) {
    const uint64_t d = digest(c) & m->mask;
    gmmu_blas_content *k = m->bucket[d % BUCKETS];
    while (k != NULL && !is_content(k, d, c)) k = k->next;
    *found = k != NULL;
    if (k != NULL) {
        take_out(k);
        put_last(m, k);
    } else {
        k = keep(m, c, d, left, context);
    }
    if (k != NULL)
        k->running++;
    return k;
}

void gmmu_blas_memos_end(gmmu_blas_memos *m, gmmu_blas_content *content, bool found, uint64_t ns) {
    content->running--;
    m->counts.asked++;
    m->counts.flops += content->of.flops;
    m->counts.ns += ns;
    m->counts.found += found;
    m->counts.found_flops += found ? content->of.flops : 0;
    m->counts.found_ns += found ? ns : 0;
}

// What a call of solving beside a factorisation takes is by their operations; nothing takes 0 ns,
// which is not known.
gmmu_sem_event gmmu_blas_memo_split(const gmmu_blas_content *content, gmmu_sem_event *call) {
    const gmmu_blas_computation *c = &content->of;
    gmmu_sem_event memo = {.kind = GMMU_SEM_MEMO,
                           .time = call->time,
                           .site = call->site,
                           .flops = c->flops < call->flops ? c->flops : call->flops,
                           .ns = call->ns,
                           .result = c->result,
                           .single = call->single,
                           .operands = 1};
    memo.operand[0] =
        (gmmu_sem_operand){.start = content->start, .last = content->last, .reads = true};
    if (memo.flops != call->flops)
        memo.ns = (uint64_t)((double)call->ns * ((double)memo.flops / (double)call->flops));
    memo.ns = memo.ns == 0 ? 1 : memo.ns;
    call->flops -= memo.flops;
    call->ns = call->ns > memo.ns ? call->ns - memo.ns : 1;
    call->operand[0].reads = false;
    call->operand[0].whole = c->triangle == 0 || c->columns == 1;
    return memo;
}

gmmu_blas_memo_counts gmmu_blas_memos_counted(const gmmu_blas_memos *m) {
    return m->counts;
}

// ---- begin and end

gmmu_blas_memos *gmmu_blas_memos_create(uint64_t limit, uint64_t mask) {
    gmmu_blas_memos *m = calloc(1, sizeof *m);
    if (m == NULL)
        return NULL;
    m->limit = limit;
    m->mask = mask;
    m->ends.older = m->ends.newer = &m->ends;
    return m;
}

void gmmu_blas_memos_clear(gmmu_blas_memos *m) {
    for (gmmu_blas_content *k = m->ends.newer, *newer; k != &m->ends; k = newer) {
        newer = k->newer;
        free((void *)(uintptr_t)k->start);
        free(k);
    }
    m->ends.older = m->ends.newer = &m->ends;
    memset(m->bucket, 0, sizeof m->bucket);
    m->counts = (gmmu_blas_memo_counts){0};
}

void gmmu_blas_memos_destroy(gmmu_blas_memos *m) {
    if (m != NULL)
        gmmu_blas_memos_clear(m);
    free(m);
}
