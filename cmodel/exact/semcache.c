// SPDX-License-Identifier: Apache-2.0
// semcache.c: see semcache.h. Names are the paper's.
#include "exact/semcache.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned computation;
    uint64_t cpu_s, cpu_e;  // of the main cache's record
    uint64_t gpu_s;         // of the result
} memo;

struct gmmu_exact_sem {
    gmmu_exact_sem_gpu gpu;
    gmmu_exact_sem_record *entry;  // sorted by start
    size_t entries, entry_room;
    memo *result;
    size_t results, result_room;
    uint64_t lookups;
};

gmmu_exact_sem *gmmu_exact_sem_create(const gmmu_exact_sem_gpu *gpu) {
    gmmu_exact_sem *m = calloc(1, sizeof *m);
    if (m != NULL)
        m->gpu = *gpu;
    return m;
}

void gmmu_exact_sem_destroy(gmmu_exact_sem *m) {
    if (m == NULL)
        return;
    free(m->entry);
    free(m->result);
    free(m);
}

const gmmu_exact_sem_record *gmmu_exact_sem_records(const gmmu_exact_sem *m, size_t *n) {
    *n = m->entries;
    return m->entry;
}

uint64_t gmmu_exact_sem_lookups(const gmmu_exact_sem *m) {
    return m->lookups;
}

// Room for one more of SIZE bytes in *ARRAY.
static bool grow(void **array, size_t n, size_t *room, size_t size) {
    if (n < *room)
        return true;
    const size_t more = *room == 0 ? 16 : 2 * *room;
    void *larger = realloc(*array, more * size);
    if (larger == NULL)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static void release(gmmu_exact_sem *m, uint64_t *gpu_s) {
    if (*gpu_s != GMMU_EXACT_SEM_NOWHERE)
        m->gpu.release(m->gpu.context, *gpu_s);
    *gpu_s = GMMU_EXACT_SEM_NOWHERE;
}

// §5: "the corresponding entries in any computation caches are simply removed".
static void forget_results(gmmu_exact_sem *m, const gmmu_exact_sem_record *of) {
    for (size_t i = 0; i < m->results;) {
        if (m->result[i].cpu_s == of->cpu_s && m->result[i].cpu_e == of->cpu_e) {
            release(m, &m->result[i].gpu_s);
            m->result[i] = m->result[--m->results];
        } else {
            i++;
        }
    }
}

// ---- §4.2

// "Sets the status of entry to C." Its place in GPU memory stays until another is allocated.
void gmmu_exact_sem_invalidate_on_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry) {
    entry->status = GMMU_EXACT_SEM_C;
    forget_results(m, entry);
}

void gmmu_exact_sem_invalidate_on_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry) {
    (void)m;
    entry->status = GMMU_EXACT_SEM_G;
}

// "Removes infrequently used ranges from the GPU": the one with the fewest hits, the first of
// equals. False: there is none. That G would have to be copied back is not said.
static bool evict(gmmu_exact_sem *m) {
    gmmu_exact_sem_record *least = NULL;
    for (size_t i = 0; i < m->entries; i++)
        if (m->entry[i].gpu_s != GMMU_EXACT_SEM_NOWHERE &&
            (least == NULL || m->entry[i].hits < least->hits))
            least = &m->entry[i];
    if (least == NULL)
        return false;
    gmmu_exact_sem_invalidate_on_gpu(m, least);
    release(m, &least->gpu_s);
    return true;
}

// "Allocating new space on the GPU"; the old one is given back. What is done when no eviction is
// enough is not said: there is no address then.
void gmmu_exact_sem_to_gpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry) {
    const uint64_t bytes = entry->cpu_e - entry->cpu_s;
    release(m, &entry->gpu_s);
    do {
        entry->gpu_s = m->gpu.allocate(m->gpu.context, bytes);
    } while (entry->gpu_s == GMMU_EXACT_SEM_NOWHERE && evict(m));
    if (entry->gpu_s != GMMU_EXACT_SEM_NOWHERE)
        m->gpu.up(m->gpu.context, entry->cpu_s, entry->gpu_s, bytes);
    entry->status = GMMU_EXACT_SEM_S;
}

void gmmu_exact_sem_to_cpu(gmmu_exact_sem *m, gmmu_exact_sem_record *entry) {
    if (entry->gpu_s != GMMU_EXACT_SEM_NOWHERE)
        m->gpu.down(m->gpu.context, entry->cpu_s, entry->gpu_s, entry->cpu_e - entry->cpu_s);
    entry->status = GMMU_EXACT_SEM_S;
}

// A new entry for [s, e), in front of entry AT.
static gmmu_exact_sem_record *create(gmmu_exact_sem *m, size_t at, uint64_t s, uint64_t e) {
    if (!grow((void **)&m->entry, m->entries, &m->entry_room, sizeof *m->entry))
        return NULL;
    memmove(&m->entry[at + 1], &m->entry[at], (m->entries - at) * sizeof *m->entry);
    m->entries++;
    m->entry[at] = (gmmu_exact_sem_record){
        .cpu_s = s, .cpu_e = e, .gpu_s = GMMU_EXACT_SEM_NOWHERE, .status = GMMU_EXACT_SEM_C};
    return &m->entry[at];
}

// Entries FIRST to before END become one that spans them and [s, e); "appropriate data movement
// operations so that the eventual state of the new entry is C". Their hits add up, which is not
// said.
static gmmu_exact_sem_record *merge(gmmu_exact_sem *m, size_t first, size_t end, uint64_t e) {
    gmmu_exact_sem_record all = {.cpu_s = m->entry[first].cpu_s,
                                 .cpu_e = e,
                                 .gpu_s = GMMU_EXACT_SEM_NOWHERE,
                                 .status = GMMU_EXACT_SEM_C};
    for (size_t i = first; i < end; i++) {
        gmmu_exact_sem_record *r = &m->entry[i];
        if (r->status == GMMU_EXACT_SEM_G)
            gmmu_exact_sem_to_cpu(m, r);
        gmmu_exact_sem_invalidate_on_gpu(m, r);
        release(m, &r->gpu_s);
        all.cpu_e = r->cpu_e > all.cpu_e ? r->cpu_e : all.cpu_e;
        all.hits += r->hits;
    }
    m->entry[first] = all;
    memmove(&m->entry[first + 1], &m->entry[end], (m->entries - end) * sizeof *m->entry);
    m->entries -= end - first - 1;
    return &m->entry[first];
}

gmmu_exact_sem_record *gmmu_exact_sem_lookup(gmmu_exact_sem *m, uint64_t s, uint64_t e) {
    m->lookups++;
    // "the entry with the largest start address less than or equal to s"
    size_t after = 0;
    while (after < m->entries && m->entry[after].cpu_s <= s) after++;
    // "If the end address of the found entry is less than or equal to s": the entries behind it are
    // not looked at. That there may be none is not said.
    if (after == 0 || m->entry[after - 1].cpu_e <= s)
        return create(m, after, s, e);
    gmmu_exact_sem_record *found = &m->entry[after - 1];
    if (found->cpu_e >= e) {
        found->hits++;
        return found;
    }
    size_t end = after;
    while (end < m->entries && m->entry[end].cpu_s < e) end++;
    return merge(m, after - 1, end, e);
}

// ---- Fig. 5

// "execute after writing CPU address range [s,e)"
bool gmmu_exact_sem_write_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry) {
    gmmu_exact_sem_record *r = gmmu_exact_sem_lookup(m, s, e);
    if (r == NULL)
        return false;
    gmmu_exact_sem_invalidate_on_gpu(m, r);
    *entry = *r;
    return true;
}

// "execute before reading CPU address range [s,e)"
bool gmmu_exact_sem_read_cpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry) {
    gmmu_exact_sem_record *r = gmmu_exact_sem_lookup(m, s, e);
    if (r == NULL)
        return false;
    if (r->status == GMMU_EXACT_SEM_G)
        gmmu_exact_sem_to_cpu(m, r);
    *entry = *r;
    return true;
}

// "called after a GPU method that writes [s, e)"
bool gmmu_exact_sem_write_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                              gmmu_exact_sem_record *entry) {
    gmmu_exact_sem_record *r = gmmu_exact_sem_lookup(m, s, e);
    if (r == NULL)
        return false;
    gmmu_exact_sem_invalidate_on_cpu(m, r);
    *entry = *r;
    return true;
}

// "called before a GPU method that reads [s, e)"
bool gmmu_exact_sem_read_gpu(gmmu_exact_sem *m, uint64_t s, uint64_t e,
                             gmmu_exact_sem_record *entry) {
    gmmu_exact_sem_record *r = gmmu_exact_sem_lookup(m, s, e);
    if (r == NULL)
        return false;
    if (r->status == GMMU_EXACT_SEM_C)
        gmmu_exact_sem_to_gpu(m, r);
    *entry = *r;
    return true;
}

// ---- §5, Fig. 8

bool gmmu_exact_sem_computed(gmmu_exact_sem *m, unsigned computation, uint64_t s, uint64_t e,
                             uint64_t (*compute)(void *context, uint64_t s, uint64_t e),
                             uint64_t *result, bool *elided) {
    gmmu_exact_sem_record *r = gmmu_exact_sem_lookup(m, s, e);
    if (r == NULL)
        return false;
    *elided = false;
    if (r->status != GMMU_EXACT_SEM_C)
        for (size_t i = 0; i < m->results && !*elided; i++)
            if (m->result[i].computation == computation && m->result[i].cpu_s == r->cpu_s &&
                m->result[i].cpu_e == r->cpu_e) {
                *result = m->result[i].gpu_s;
                *elided = true;
            }
    if (*elided)
        return true;
    if (!grow((void **)&m->result, m->results, &m->result_room, sizeof *m->result))
        return false;
    // "the GPU computation is performed, the status of the range is set to S, and the computation
    // cache is updated": no transfer is named
    *result = compute(m->gpu.context, s, e);
    r->status = GMMU_EXACT_SEM_S;
    m->result[m->results++] = (memo){computation, r->cpu_s, r->cpu_e, *result};
    return true;
}

// ---- multiply

bool gmmu_exact_sem_dgemm(gmmu_exact_sem *m, bool writeback, const gmmu_exact_sem_gemm *call) {
    gmmu_exact_sem_record a, b, c;
    const uint64_t end_a = call->a + call->m * call->k * 8, end_b = call->b + call->k * call->n * 8,
                   end_c = call->c + call->m * call->n * 8;
    if (!gmmu_exact_sem_read_gpu(m, call->a, end_a, &a) ||
        !gmmu_exact_sem_read_gpu(m, call->b, end_b, &b) ||
        !gmmu_exact_sem_read_gpu(m, call->c, end_c, &c))
        return false;
    // Fig. 11 has entry.gpu_s; the matrix may begin within the entry
    m->gpu.gemm(m->gpu.context, call, a.gpu_s + (call->a - a.cpu_s), b.gpu_s + (call->b - b.cpu_s),
                c.gpu_s + (call->c - c.cpu_s));
    return writeback ? gmmu_exact_sem_write_gpu(m, call->c, end_c, &c)
                     : gmmu_exact_sem_read_cpu(m, call->c, end_c, &c);
}

void gmmu_exact_sem_alone(const gmmu_exact_sem_gpu *gpu, bool fig9,
                          const gmmu_exact_sem_gemm *call) {
    const uint64_t cpu[3] = {call->a, call->b, call->c};
    const uint64_t bytes[3] = {call->m * call->k * 8, call->k * call->n * 8, call->m * call->n * 8};
    uint64_t at[3];
    for (int i = 0; i < 3; i++) at[i] = gpu->allocate(gpu->context, bytes[i]);
    for (int i = 0; i < (fig9 ? 3 : 2); i++) gpu->up(gpu->context, cpu[i], at[i], bytes[i]);
    gpu->gemm(gpu->context, call, at[0], at[1], at[2]);
    gpu->down(gpu->context, cpu[2], at[2], bytes[2]);
    for (int i = 0; i < 3; i++) gpu->release(gpu->context, at[i]);
}
