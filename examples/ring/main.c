// SPDX-License-Identifier: Apache-2.0
// main.c: a GPU whose accesses are those of a walk trace, the driver in software, the link that
// moves pages, and their time, around the model of the unit.
//
//   ring TRACE FRAMES [--show N]      one access at a time; faults, evictions and write-backs are
//                                     those of `gmmu replay --policy leu:search=sample`
//   ring TRACE FRAMES --interrupts    256 accesses at a time: interrupts by watermark and time
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/crc32c.h"
#include "device.h"
#include "driver.h"
#include "driver/unit_memory.h"
#include "gmmu/trace.h"

enum { WARPS = 256, INTERRUPT = 2000, BRING = 400, WRITE = 400 };  // cycles, but for the first
enum { STANDS = 10000000 };  // cycles without an access served: the driver will not wake again

typedef struct {
    uint32_t page;
    uint64_t ref;
    bool write;
} gpu_access;

typedef struct {
    gpu_access *access;
    size_t accesses;
    gmmu_pages *pages;
    uint32_t count;  // of pages
    uint32_t frames;
} program;

typedef struct {
    const program *p;
    const device *unit;
    driver driver;
    page_entry *table;
    uint32_t *waiting;  // accesses that wait for each page
    bool *stored;       // one of them writes
    size_t next, served;
    uint64_t faults, interrupts, show, delays, cycles;
} machine;

static void fail(const char *what) {
    (void)fprintf(stderr, "ring: %s\n", what);
    exit(2);
}

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n, size);
    if (p == NULL)
        fail("out of memory");
    return p;
}

static void read_trace(program *p, const char *path) {
    gmmu_error err = {0};
    gmmu_reader *trace = gmmu_reader_open(path, &err);
    gmmu_walk w;
    int got = trace != NULL ? GMMU_OK : GMMU_BAD;
    size_t room = 0;
    p->pages = gmmu_pages_create();
    while (got == GMMU_OK && (got = gmmu_reader_next(trace, &w, &err)) == GMMU_OK) {
        if (p->accesses == room) {
            room = room == 0 ? 65536 : 2 * room;
            p->access = realloc(p->access, room * sizeof *p->access);
        }
        if (p->access == NULL || p->pages == NULL)
            fail("out of memory");
        p->access[p->accesses++] =
            (gpu_access){gmmu_pages_index(p->pages, w.asid, w.vpn), w.ref, w.write};
    }
    gmmu_reader_close(trace);
    if (got == GMMU_BAD)
        fail(err.text);
    p->count = gmmu_pages_count(p->pages);
}

// ---- what the driver tells
static void mapped(void *context, uint32_t page) {
    machine *m = context;
    m->served += m->waiting[page];
    m->waiting[page] = 0;
    m->table[page].dirty = m->stored[page];
    m->stored[page] = false;
}

static void heard(void *context, uint32_t seq, uint32_t page, uint32_t frame, uint32_t victim) {
    machine *m = context;
    const uint64_t made = device_decided(m->unit, seq);
    m->delays += device_cycles(m->unit) - made;
    if (m->driver.decided > m->show)
        return;
    (void)printf("decision %llu at cycle %llu: page 0x%llx ", (unsigned long long)m->driver.decided,
                 (unsigned long long)made,
                 (unsigned long long)gmmu_pages_number(m->p->pages, page));
    if (frame == NOWHERE)
        (void)printf("waits: no page may leave\n");
    else if (victim == GMMU_NO_PAGE)
        (void)printf("comes into frame %u, which is empty\n", frame);
    else
        (void)printf("comes into frame %u, page 0x%llx leaves\n", frame,
                     (unsigned long long)gmmu_pages_number(m->p->pages, victim));
}

// ---- a run
static void walk(machine *m, device *d, const gpu_access *a) {
    page_entry *e = &m->table[a->page];
    const bool fault = e->frame == NOWHERE;
    e->dirty |= a->write && !fault;
    m->served += !fault;
    m->faults += fault && m->waiting[a->page] == 0;
    m->waiting[a->page] += fault;
    m->stored[a->page] |= fault && a->write;
    device_walk(d, &(gmmu_tier_walk_in){.vpn = gmmu_pages_number(m->p->pages, a->page),
                                        .asid = gmmu_pages_asid(m->p->pages, a->page),
                                        .ref = gmmu_fold_ref(a->ref, m->driver.sizes.ref_w),
                                        .write = a->write,
                                        .fault = fault,
                                        .frame = fault ? 0 : e->frame});
}

// Runs P with WARPS accesses at a time. TIMED: interrupts and transfers take their time. False: the
// driver sleeps, and no interrupt will come.
static bool run(machine *m, const program *p, unsigned warps, bool timed,
                const gmmu_unit_interrupts *when, const gmmu_config *cfg) {
    device *d = device_create(cfg);
    if (d == NULL)
        fail("out of memory");
    m->p = p;
    m->unit = d;
    m->table = zeroed(p->count, sizeof *m->table);
    m->waiting = zeroed(p->count, sizeof *m->waiting);
    m->stored = zeroed(p->count, sizeof *m->stored);
    for (uint32_t i = 0; i < p->count; i++) m->table[i].frame = NOWHERE;
    m->driver = (driver){
        .pages = p->pages, .table = m->table, .context = m, .mapped = mapped, .heard = heard};
    bool good =
        driver_start(&m->driver, device_bus(d), device_memory(d), DEVICE_ADDRESS, p->frames, when);
    if (!good)
        fail("the unit cannot be started");
    uint64_t wakes = 0, moved = 0, last = device_cycles(d);  // cycles; 0: sleeps, nothing moves
    size_t before = 0;
    while (good && m->served < p->accesses && device_cycles(d) - last < STANDS) {
        const uint64_t now = device_cycles(d);
        if (m->next < p->accesses && m->next - m->served < warps)
            walk(m, d, &p->access[m->next++]);
        if (wakes == 0 && device_irq(d))
            wakes = now + (timed ? INTERRUPT : 1);
        if (wakes != 0 && wakes <= now) {
            m->interrupts++;
            good = driver_interrupt(&m->driver);
            wakes = 0;
        }
        const transfer *t = driver_next(&m->driver);
        if (moved == 0 && t != NULL)
            moved = now + (timed ? BRING + (t->writes ? WRITE : 0) : 1);
        if (moved != 0 && moved <= now) {
            good = good && driver_moved(&m->driver);
            moved = 0;
        }
        if (now % 16 == 0)
            good = good && driver_map(&m->driver);
        device_step(d);
        if (m->served != before) {
            before = m->served;
            last = device_cycles(d);
        }
    }
    if (!good || !driver_clean(&m->driver))
        fail(
            "the unit refused an operation, dropped a fault, or met a hit of a page that had left");
    m->cycles = device_cycles(d);
    free(m->table);
    free(m->waiting);
    free(m->stored);
    device_destroy(d);
    return m->served == p->accesses;
}

static void interrupts(const program *p, const gmmu_config *cfg) {
    static const uint32_t watermarks[] = {1, 4, 16, 64};
    static const unsigned waits[] = {0, 8, 12, 16};
    (void)printf(
        "| watermark | WAIT | interrupts per 1000 decisions | cycles from a decision to "
        "the driver | cycles of the run, in 1000 |\n|---|---|---|---|---|\n");
    for (unsigned w = 0; w < 4; w++)
        for (unsigned t = 0; t < 4; t++) {
            machine m = {0};
            const gmmu_unit_interrupts when = {.watermark = watermarks[w], .wait = waits[t]};
            const bool ends = run(&m, p, WARPS, true, &when, cfg);
            (void)printf("| %u | ", watermarks[w]);
            (void)(waits[t] == 0 ? printf("off") : printf("%u", waits[t]));
            if (ends)
                (void)printf(" | %.0f | %.0f | %.0f |\n",
                             1000.0 * (double)m.interrupts / (double)m.driver.decided,
                             (double)m.delays / (double)m.driver.decided,
                             (double)m.cycles / 1000.0);
            else
                (void)printf(" | the driver sleeps for ever after %zu of %zu accesses | | |\n",
                             m.served, p->accesses);
            (void)fflush(stdout);
        }
}

int main(int argc, char **argv) {
    const bool table = argc == 4 && strcmp(argv[3], "--interrupts") == 0;
    const bool show = argc == 5 && strcmp(argv[3], "--show") == 0;
    if (argc != 3 && !table && !show)
        fail("expected TRACE FRAMES [--show N | --interrupts]; FRAMES may be in percent");
    program p = {0};
    gmmu_config cfg = *gmmu_config_find("default");
    gmmu_regs regs;
    read_trace(&p, argv[1]);
    char *end;
    const uint64_t number = strtoull(argv[2], &end, 10);
    p.frames = (uint32_t)(*end == '%' ? p.count * number / 100 : number);
    if (p.frames == 0)
        fail("expected at least one frame");
    gmmu_unit_memory_sizes(&cfg, &regs, p.frames, 0, GMMU_PLACE_NONE);
    if (table) {
        interrupts(&p, &cfg);
    } else {
        machine m = {.show = show ? strtoull(argv[4], NULL, 10) : 0};
        const gmmu_unit_interrupts when = {.watermark = 1};
        if (!run(&m, &p, 1, false, &when, &cfg))
            fail("the driver sleeps, and no interrupt comes");
        (void)printf("%zu,%u,%u,%llu,%llu,%llu\n", p.accesses, p.count, p.frames,
                     (unsigned long long)m.faults, (unsigned long long)m.driver.evictions,
                     (unsigned long long)m.driver.writebacks);
    }
    free(p.access);
    gmmu_pages_destroy(p.pages);
    return 0;
}
