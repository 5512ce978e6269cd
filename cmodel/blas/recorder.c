// SPDX-License-Identifier: Apache-2.0
// recorder.c: see recorder.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // strndup, mallopt
#endif
#include "blas/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "blas/allocs.h"
#include "blas/blocks.h"
#include "blas/drivers.h"
#include "blas/file.h"
#include "blas/flops.h"
#include "blas/inner.h"
#include "blas/place.h"
#include "blas/report_json.h"
#include "blas/seen.h"
#include "semcache/track.h"

enum {
    NAME = 4096,
    FINISH_SECONDS = 3,
    LOOK = 64,
    MOST_FOUND = 1000,
    FREE_NS = 2000000,
    MOST_NS = 1000000,
    FIRST_LINES = 16,  // calls of a site whose line is asked for, and then each so manieth
    LARGE = 4000000,   // operations
    CLOCKED = 65536    // operations of a call whose CPU time is looked at
};

// This thread is in a recorder, or about to be; and what a signal has left to be done then.
#define THREAD _Thread_local __attribute__((tls_model("initial-exec")))
static THREAD volatile bool held;
static THREAD void (*volatile after)(void);
static THREAD int cancels;  // what the thread had before it came into the recorder

struct gmmu_blas_recorder {
    gmmu_blas_settings settings;
    uint64_t began;  // ns
    uint64_t least;  // operations; atomic
    atomic_bool works;
    pthread_mutex_t lock;  // of what follows
    uint64_t least_n;      // LEAST is 2·least_n³
    uint64_t spent;        // ns in the recorder, in recorded calls
    uint64_t waited;       // ns in calls of one thread in which that did not run
    uint64_t busy;         // CPU time of recorded calls, ns
    int signal;            // that ends the process; 0: none
    uint64_t moves;        // begins and ends of calls
    unsigned since;        // recorded calls since the last look at SPENT
    long process;          // whose recording it is
    bool asked;            // something was recorded: files are open
    bool forked;           // a child of fork that has not asked: sites count from 0
    FILE *trace;
    gmmu_blas_file file;  // of TRACE
    gmmu_blas_plays plays;
    gmmu_blas_memos *memos;  // NULL: no results are kept
    gmmu_blas_site **site;
    uint32_t sites, room;
    gmmu_blas_seen *seen;
    gmmu_blas_more_function *more;  // NULL: no further lines
    gmmu_blas_blocks blocks;
    gmmu_blas_allocs allocs;
    gmmu_track *track;     // NULL: the program's own accesses are not known
    gmmu_blas_site **cpu;  // sites of them, by a hash of their code
    uint64_t *code;
    size_t codes, cpu_room;
    gmmu_blas_line_function *line;        // NULL: lines are not known
    gmmu_blas_touches *by_call, *by_cpu;  // who wrote memory; NULL: accesses are not known
};

static uint64_t clock_ns(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t cpu_ns(clockid_t of) {
    struct timespec t;
    (void)clock_gettime(of, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static size_t hash(uint64_t code) {
    return (size_t)(code * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

// ---- the lock

// (A thread that is cancelled in the recorder, which writes, would keep the lock.)
static void lock(gmmu_blas_recorder *r) {
    int was;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &was);
    held = true;
    (void)pthread_mutex_lock(&r->lock);
    cancels = was;
}

static void left(void) {
    held = false;
    void (*const then)(void) = after;
    after = NULL;
    if (then != NULL)
        then();
    (void)pthread_setcancelstate(cancels, NULL);
}

static void unlock(gmmu_blas_recorder *r) {
    (void)pthread_mutex_unlock(&r->lock);
    left();
}

void gmmu_blas_recorder_ends(gmmu_blas_recorder *r, int number) {
    r->signal = number;
}

bool gmmu_blas_recorder_may_finish(void (*then)(void)) {
    if (!held)
        return true;
    after = then;
    return false;
}

// One line, and no more of them.
static void stop(gmmu_blas_recorder *r, const char *name, const char *why) {
    if (!atomic_exchange(&r->works, false))
        return;
    if (r->track != NULL)
        gmmu_track_drop(r->track, 0, UINT64_MAX);
    char text[NAME + 200];
    const int n = snprintf(text, sizeof text, "gmmu_blas: %s: %s; recording stops\n", name, why);
    if (n > 0)
        (void)gmmu_blas_file_write(STDERR_FILENO, text, (size_t)n);
}

// ---- a recording

static void open_trace(gmmu_blas_recorder *r) {
    char name[NAME];
    (void)gmmu_blas_file_name(name, sizeof name, r->settings.trace, r->process);
    r->trace = gmmu_blas_file_open(&r->file, name, sizeof name, r->process);
    if (r->trace == NULL)
        stop(r, name, errno == ENOMEM ? "no memory" : strerror(errno));
    else if (gmmu_sem_write_head(r->trace, GMMU_SEM_VERSION, r->settings.track) < 0)
        stop(r, name, strerror(errno));
}

// Before anything is recorded: files are opened; a forked process forgets what its parent did.
static void ask(gmmu_blas_recorder *r) {
    const long process = (long)getpid();
    if (r->asked && r->process == process)
        return;
    if (r->asked) {
        if (r->trace != NULL)
            (void)fclose(r->trace);
        r->trace = NULL;
        gmmu_blas_plays_destroy(&r->plays);
        gmmu_blas_seen_clear(r->seen);
        gmmu_blas_allocs_untold(&r->allocs);
        if (r->memos != NULL)
            gmmu_blas_memos_clear(r->memos);
    }
    r->process = process;
    r->asked = true;
    r->forked = false;
    if (r->settings.trace != NULL)
        open_trace(r);
    if ((r->settings.report != NULL || r->settings.json != NULL) &&
        !gmmu_blas_plays_create(&r->plays, r->settings.track, &r->settings.link, r->memos != NULL))
        stop(r, "report", "no memory");
}

static void write_line(gmmu_blas_recorder *r, const gmmu_sem_event *e, const char *site,
                       const char *routine) {
    if (r->trace != NULL && atomic_load(&r->works) &&
        gmmu_sem_write(r->trace, e, site, routine) < 0)
        stop(r, "GMMU_TRACE", errno == EBADF ? "the program closed it" : strerror(errno));
}

static void event(gmmu_blas_recorder *r, const gmmu_sem_event *e, const gmmu_blas_site *site) {
    write_line(r, e, site == NULL ? "" : site->name, site == NULL ? "" : site->routine);
    if (!gmmu_blas_plays_event(&r->plays, e))
        stop(r, "report", "no memory");
}

// ---- results that are kept

static void memory_event(gmmu_blas_recorder *r, gmmu_sem_kind kind, uint64_t start, uint64_t last) {
    const gmmu_sem_event e = {.kind = kind,
                              .time = clock_ns() - r->began,
                              .operands = 1,
                              .operand[0] = {.start = start, .last = last}};
    event(r, &e, NULL);
}

static void content_left(void *context, uint64_t start, uint64_t last) {
    memory_event(context, GMMU_SEM_FREE, start, last);
}

// Before a call, whose operands may be read now.
static void find_content(gmmu_blas_recorder *r, const gmmu_blas_call *call,
                         gmmu_blas_record *record) {
    gmmu_blas_computation c;
    if (r->memos == NULL || !gmmu_blas_recorder_works(r) || !gmmu_blas_computation_of(call, &c))
        return;
    record->content = gmmu_blas_memos_begin(r->memos, &c, &record->found, content_left, r);
    if (record->content != NULL && !record->found)
        memory_event(r, GMMU_SEM_ALLOC, record->content->start, record->content->last);
}

// The call that is E has run: it is the factorisation, and the rest.
static void with_content(gmmu_blas_recorder *r, const gmmu_sem_event *e,
                         const gmmu_blas_record *record) {
    gmmu_sem_event rest = *e;
    const gmmu_sem_event memo = gmmu_blas_memo_split(record->content, &rest);
    gmmu_blas_memos_end(r->memos, record->content, record->found, memo.ns);
    write_line(r, &memo, record->site->name, record->content->of.name);
    write_line(r, &rest, record->site->name, record->site->routine);
    if (!gmmu_blas_plays_memo(&r->plays, e, &memo, &rest))
        stop(r, "report", "no memory");
}

// ---- the program's own accesses

static gmmu_blas_site *new_site(gmmu_blas_recorder *r, const char *name, const char *routine);

// Room for another code's site.
static bool grow_codes(gmmu_blas_recorder *r) {
    if (2 * (r->codes + 1) <= r->cpu_room)
        return true;
    const size_t room = r->cpu_room == 0 ? 64 : 2 * r->cpu_room;
    gmmu_blas_site **cpu = calloc(room, sizeof(void *));
    uint64_t *codes = calloc(room, sizeof *codes);
    if (cpu == NULL || codes == NULL) {
        free(cpu);
        free(codes);
        return false;
    }
    for (size_t i = 0; i < r->cpu_room; i++) {
        size_t to = hash(r->code[i]) & (room - 1);
        while (r->cpu[i] != NULL && cpu[to] != NULL) to = (to + 1) & (room - 1);
        if (r->cpu[i] != NULL) {
            cpu[to] = r->cpu[i];
            codes[to] = r->code[i];
        }
    }
    free(r->cpu);
    free(r->code);
    r->cpu = cpu;
    r->code = codes;
    r->cpu_room = room;
    return true;
}

// The site of CODE; 0: it is not known. NULL: no memory.
static gmmu_blas_site *cpu_site(gmmu_blas_recorder *r, uint64_t code) {
    if (!grow_codes(r))
        return NULL;
    size_t at = hash(code) & (r->cpu_room - 1);
    while (r->cpu[at] != NULL && r->code[at] != code) at = (at + 1) & (r->cpu_room - 1);
    if (r->cpu[at] == NULL) {
        char name[GMMU_SEM_MOST_NAME] = "program";
        if (code != 0)
            gmmu_blas_place_name(name, sizeof name, code);
        r->cpu[at] = new_site(r, name, "");
        r->code[at] = code;
        r->codes += r->cpu[at] != NULL;
    }
    return r->cpu[at];
}

// What the code at SITE accessed was written by the calls of another site, and came back.
static void came_back(gmmu_blas_recorder *r, const gmmu_track_change *c, uint32_t site) {
    uint32_t writer;
    if (r->by_call != NULL && r->plays.came_down != 0 &&
        gmmu_blas_toucher(r->by_call, c->start, c->last, &writer) && writer < r->sites &&
        r->site[writer]->stats != NULL) {
        gmmu_blas_stats_side(r->site[writer]->stats, site, false, r->plays.came_down);
        r->site[writer]->stats->back_bytes += r->plays.came_down;
        r->site[writer]->stats->back_ns += r->plays.least_ns;
    }
    if (r->by_cpu != NULL && c->writes)
        gmmu_blas_touched(r->by_cpu, c->start, c->last, site);
}

static void accessed(void *context, const gmmu_track_change *c) {
    gmmu_blas_recorder *r = context;
    const gmmu_blas_site *site = cpu_site(r, c->code);
    if (site == NULL) {
        stop(r, "call site", "no memory");
        return;
    }
    const gmmu_sem_event e = {
        .kind = GMMU_SEM_CPU,
        .time = clock_ns() - r->began,
        .site = site->number,
        .operands = 1,
        .operand[0] = {.start = c->start, .last = c->last, .reads = c->reads, .writes = c->writes}};
    event(r, &e, site);
    came_back(r, c, e.site);
}

static void collect(gmmu_blas_recorder *r) {
    if (!gmmu_track_collect(r->track, accessed, r))
        stop(r, "accesses", "no memory");
}

static void collect_in(gmmu_blas_recorder *r, gmmu_blas_range range) {
    if (!gmmu_track_collect_in(r->track, range.start, range.last, accessed, r))
        stop(r, "accesses", "no memory");
}

// The three places where the program's own accesses are found, under the lock. Before a call's
// operands are touched, in the memory that they meet; elsewhere accesses and calls do not depend on
// one another, and accesses are found when a call meets them, or the memory is freed, or at the
// end:
static void before_call(gmmu_blas_recorder *r, const gmmu_blas_record *record) {
    if (r->track == NULL || !gmmu_blas_recorder_works(r))
        return;
    gmmu_blas_range was = {1, 0};
    for (unsigned i = 0; i < record->operands; i++) {
        const gmmu_blas_range is = gmmu_blas_seen_around(
            r->seen, (gmmu_blas_range){record->operand[i].start, record->operand[i].last});
        if (is.start < was.start || is.last > was.last)
            collect_in(r, is);
        was = is;
    }
    for (unsigned i = 0; i < record->operands; i++)
        gmmu_track_open(r->track, record->operand[i].start, record->operand[i].last,
                        record->operand[i].writes);
}

// after it:
static void after_call(gmmu_blas_recorder *r, const gmmu_blas_record *record) {
    for (unsigned i = 0; i < record->operands; i++)
        if (!gmmu_blas_seen_add(
                r->seen, (gmmu_blas_range){record->operand[i].start, record->operand[i].last}))
            stop(r, "memory of operands", "no memory");
    for (unsigned i = 0; i < record->operands && r->track != NULL && gmmu_blas_recorder_works(r);
         i++)
        if (!gmmu_track_arm(r->track, record->operand[i].start, record->operand[i].last,
                            record->operand[i].writes))
            stop(r, "memory of operands", "no memory");
}

// What is allocated is told when an operand lies there for the first time.
static void tell_allocs(gmmu_blas_recorder *r, const gmmu_blas_record *record) {
    for (unsigned i = 0; i < record->operands; i++) {
        const gmmu_blas_range *block =
            gmmu_blas_allocs_tell(&r->allocs, record->operand[i].start, record->operand[i].last);
        if (block != NULL)
            memory_event(r, GMMU_SEM_ALLOC, block->start, block->last);
    }
}

// and before memory with operands in it is freed:
static void before_free(gmmu_blas_recorder *r, gmmu_blas_range range) {
    if (r->track != NULL && gmmu_blas_recorder_works(r))
        collect_in(r, range);
    memory_event(r, GMMU_SEM_FREE, range.start, range.last);
    if (r->track != NULL)
        gmmu_track_drop(r->track, range.start, range.last);
    gmmu_blas_blocks_drop(&r->blocks, range.start, range.last);
}

// and before memory with operands in it is a call's scratch memory: what was there has no meaning
// any more, and an offloaded call would have scratch memory of its own.
static void before_scratch(gmmu_blas_recorder *r, const gmmu_sem_operand *o) {
    const gmmu_blas_range range = {o->start, o->last};
    if (!gmmu_blas_seen_maybe(r->seen, range) || !gmmu_blas_seen_remove(r->seen, range))
        return;
    if (r->track != NULL && gmmu_blas_recorder_works(r))
        collect_in(r, range);
    memory_event(r, GMMU_SEM_FREE, range.start, range.last);
    if (r->track != NULL)
        gmmu_track_drop(r->track, range.start, range.last);
}

// ---- the minimum that is found while the program runs

// Of the program's CPU time, in thousandths, by GMMU_TRACK: tracking costs the program more than
// the recorder sees.
static const uint64_t may_take[GMMU_SEM_TRACKS] = {
    [GMMU_SEM_CALLS] = 10, [GMMU_SEM_WRITES] = 200, [GMMU_SEM_FULL] = 500};

static void set_least(gmmu_blas_recorder *r, uint64_t n) {
    r->least_n = n;
    __atomic_store_n(&r->least, 2 * n * n * n, __ATOMIC_RELAXED);
}

// NS were spent. What is longer than MOST_NS was another process's turn for the most part.
static void spend(gmmu_blas_recorder *r, uint64_t ns) {
    r->spent += ns < MOST_NS ? ns : MOST_NS;
}

// Recording may take a share of the CPU time, and 2 ms, which a short program has for nothing.
// Where it takes more, the minimum rises by a quarter.
static void find_least(gmmu_blas_recorder *r) {
    if (!r->settings.find_least || ++r->since < LOOK || r->least_n >= MOST_FOUND)
        return;
    const uint64_t cpu = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    r->since = 0;
    const uint64_t others = cpu > r->spent ? cpu - r->spent : 0;
    if (r->spent > FREE_NS && (r->spent - FREE_NS) * 1000 > others * may_take[r->settings.track])
        set_least(r, r->least_n + r->least_n / 4);
}

const uint64_t *gmmu_blas_recorder_least(const gmmu_blas_recorder *r) {
    return &r->least;
}

gmmu_blas_counter *gmmu_blas_recorder_below(gmmu_blas_site *site) {
    return &site->below;
}

void gmmu_blas_recorder_lines(gmmu_blas_recorder *r, gmmu_blas_line_function *function) {
    r->line = r->settings.report == NULL && r->settings.json == NULL ? NULL : function;
}

static bool wants_line(const gmmu_blas_recorder *r, const gmmu_blas_record *record) {
    const uint64_t calls = record->site->calls;
    return r->line != NULL &&
           (calls < FIRST_LINES || calls % FIRST_LINES == 0 || record->flops >= LARGE);
}

// The call that is E has run and was played: what the report says of its site.
static void note(gmmu_blas_recorder *r, const gmmu_sem_event *e, const gmmu_blas_record *record) {
    gmmu_blas_site *site = record->site;
    uint64_t bytes = 0;
    uint32_t writer;
    if (r->plays.naive == NULL)
        return;
    if (site->stats == NULL && (site->stats = calloc(1, sizeof *site->stats)) == NULL)
        return;
    for (unsigned i = 0; i < e->operands; i++) bytes += gmmu_sem_bytes(&e->operand[i]);
    gmmu_blas_stats_call(site->stats, &record->shape, e->flops, bytes, e->ns,
                         r->plays.call_naive_ns);
    if (record->asked)
        gmmu_blas_stats_line(site->stats, record->line, record->sampled, e->flops, e->ns,
                             r->plays.call_naive_ns);
    else if (r->line != NULL)
        gmmu_blas_stats_unasked(site->stats, e->ns, r->plays.call_naive_ns);
    for (unsigned i = 0; r->by_cpu != NULL && r->plays.went_up != 0 && i < e->operands; i++)
        if (!e->operand[i].whole &&
            gmmu_blas_toucher(r->by_cpu, e->operand[i].start, e->operand[i].last, &writer)) {
            gmmu_blas_stats_side(site->stats, writer, true, r->plays.went_up);
            break;
        }
    for (unsigned i = 0; r->by_call != NULL && i < e->operands; i++)
        if (e->operand[i].writes)
            gmmu_blas_touched(r->by_call, e->operand[i].start, e->operand[i].last, site->number);
}

void gmmu_blas_recorder_begin(gmmu_blas_recorder *r, gmmu_blas_site *site,
                              const gmmu_blas_call *call, gmmu_blas_record *record) {
    const uint64_t entered = clock_ns();
    const int error = errno;
    record->site = site;
    record->flops = gmmu_blas_flops(call);
    record->operands = record->scratch = 0;
    record->inner = 0;
    record->refused = false;
    record->unwritten = 0;
    record->content = NULL;
    record->found = false;
    record->single = call->type == 's' || call->type == 'c';
    record->line[0] = 0;
    if (record->flops < __atomic_load_n(&r->least, __ATOMIC_RELAXED)) {
        (void)gmmu_blas_count(&site->below, (const void *)&held);
        return;
    }
    record->operands = gmmu_blas_operands(call, record->operand);
    if (record->operands == 0) {
        (void)gmmu_blas_count(&site->empty, (const void *)&held);
        return;
    }
    if (gmmu_blas_is_driver(call->family))
        record->scratch = gmmu_blas_driver_scratch(call, record->operand + record->operands);
    lock(r);
    ask(r);
    before_call(r, record);
    for (unsigned i = 0; i < record->scratch; i++)
        before_scratch(r, &record->operand[record->operands + i]);
    tell_allocs(r, record);
    find_content(r, call, record);
    record->shape = gmmu_blas_shape_of(call);
    record->asked = wants_line(r, record);
    record->sampled = site->calls >= FIRST_LINES && record->flops < LARGE;
    record->moves = ++r->moves;
    site->gemm = call->family == GMMU_BLAS_GEMM;
    site->estimated = gmmu_blas_is_estimated(call->family);
    unlock(r);
    if (record->asked && !r->line(record->line, sizeof record->line))
        record->line[0] = 0;
    errno = error;
    record->thread = record->process = 0;
    if (record->flops >= CLOCKED) {
        record->process = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
        record->thread = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    }
    record->time = clock_ns();
    record->spent = record->time - entered;
}

// The CPU time of the thread and of the process during a call that has run just now.
typedef struct {
    uint64_t thread, process;
} cpu_times;

static cpu_times cpu_times_of(const gmmu_blas_record *record) {
    if (record->thread == 0)
        return (cpu_times){0};
    return (cpu_times){.thread = cpu_ns(CLOCK_THREAD_CPUTIME_ID) - record->thread,
                       .process = cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - record->process};
}

static bool others_ran(const cpu_times *t) {
    return t->process > t->thread + t->thread / 10;
}

// Of the NS of a call, those in which its thread waited for a processor. If other threads ran
// meanwhile, the call may have been theirs, too, and none is known.
static uint64_t waiting(const cpu_times *t, uint64_t ns) {
    return t->process == 0 || others_ran(t) || t->thread >= ns ? 0 : ns - t->thread;
}

// The CPU time of a call of NS without waiting: that of the process, whose threads are BLAS's; if
// other calls ran meanwhile, of the thread alone.
static uint64_t busy(const cpu_times *t, uint64_t ns, bool alone) {
    return t->process == 0 || !others_ran(t) ? ns : alone ? t->process : t->thread;
}

void gmmu_blas_recorder_end(gmmu_blas_recorder *r, const gmmu_blas_record *record) {
    const int error = errno;
    const uint64_t returned = clock_ns();
    if (record->operands == 0)
        return;
    gmmu_sem_event e = {.kind = GMMU_SEM_CALL,
                        .time = record->time - r->began,
                        .site = record->site->number,
                        .flops = record->flops,
                        .ns = returned - record->time,
                        .single = record->single,
                        .operands = record->operands};
    memcpy(e.operand, record->operand, record->operands * sizeof record->operand[0]);
    for (unsigned i = 0; i < e.operands; i++)
        e.operand[i].writes = e.operand[i].writes && (record->unwritten >> i & 1) == 0;
    const cpu_times times = cpu_times_of(record);
    const uint64_t waited = waiting(&times, e.ns);
    e.ns -= waited;
    lock(r);
    const bool alone = r->moves++ == record->moves;
    if (record->refused) {
        (void)gmmu_blas_count(&record->site->empty, (const void *)&held);
        after_call(r, record);
        unlock(r);
        errno = error;
        return;
    }
    r->waited += waited;
    r->busy += busy(&times, e.ns, alone);
    record->site->calls++;
    record->site->inner += record->inner;
    record->site->flops += e.flops;
    record->site->ns += e.ns;
    if (record->content != NULL && r->process == (long)getpid())
        with_content(r, &e, record);
    else
        event(r, &e, record->site);
    note(r, &e, record);
    after_call(r, record);
    spend(r, record->spent);
    spend(r, clock_ns() - returned);
    find_least(r);
    unlock(r);
    errno = error;
}

void gmmu_blas_recorder_came(gmmu_blas_recorder *r, uint64_t start, uint64_t last) {
    const int error = errno;
    if (r->settings.trace == NULL || last - start < GMMU_BLAS_LEAST_ALLOC - 1)
        return;
    lock(r);
    gmmu_blas_allocs_add(&r->allocs, start, last);
    unlock(r);
    errno = error;
}

bool gmmu_blas_recorder_maybe(const gmmu_blas_recorder *r, uint64_t start, size_t bytes) {
    return gmmu_blas_seen_maybe(r->seen, (gmmu_blas_range){start, start + (bytes - 1)});
}

void gmmu_blas_recorder_freed(gmmu_blas_recorder *r, uint64_t start, uint64_t last) {
    const gmmu_blas_range range = {start, last};
    const bool came = r->settings.trace != NULL && last - start >= GMMU_BLAS_LEAST_ALLOC - 1;
    if (!came && !gmmu_blas_seen_maybe(r->seen, range))
        return;
    const int error = errno;
    lock(r);
    if (came)
        gmmu_blas_allocs_remove(&r->allocs, start, last);
    if (r->asked && r->process == (long)getpid() && gmmu_blas_seen_remove(r->seen, range)) {
        const uint64_t entered = clock_ns();
        before_free(r, range);
        spend(r, clock_ns() - entered);
    }
    unlock(r);
    errno = error;
}

bool gmmu_blas_recorder_closes(const gmmu_blas_recorder *r) {
    return r->track != NULL && gmmu_track_closes(r->track);
}

void gmmu_blas_recorder_touched(gmmu_blas_recorder *r, uint64_t start, uint64_t last, bool writes,
                                uint64_t code) {
    gmmu_track_touch(r->track, start, last, writes, code);
}

void gmmu_blas_recorder_left(gmmu_blas_recorder *r, uint64_t start, uint64_t last) {
    if (!gmmu_track_has(r->track, start, last))
        return;
    const int error = errno;
    const gmmu_track_change change = {start, last, true, true, 0};
    lock(r);
    accessed(r, &change);
    gmmu_track_drop(r->track, start, last);
    gmmu_blas_blocks_drop(&r->blocks, start, last);
    unlock(r);
    errno = error;
}

// ---- sites

static char *name_of(const char *text) {
    char *is = strndup(text, GMMU_SEM_MOST_NAME);
    for (char *p = is; p != NULL && *p != 0; p++)
        if (*p <= ' ' || *p == 0x7f)
            *p = '_';
    return is;
}

static gmmu_blas_site *new_site(gmmu_blas_recorder *r, const char *name, const char *routine) {
    if (r->sites == r->room) {
        const uint32_t room = r->room == 0 ? 64 : 2 * r->room;
        gmmu_blas_site **more = realloc(r->site, room * sizeof(gmmu_blas_site *));
        if (more == NULL)
            return NULL;
        r->site = more;
        r->room = room;
    }
    gmmu_blas_site *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->name = name_of(name);
    s->routine = name_of(routine);
    s->number = r->sites;
    if (s->name == NULL || s->routine == NULL) {
        free(s->name);
        free(s->routine);
        free(s);
        return NULL;
    }
    r->site[r->sites++] = s;
    return s;
}

gmmu_blas_site *gmmu_blas_recorder_site(gmmu_blas_recorder *r, const char *name,
                                        const char *routine) {
    gmmu_blas_site *found = NULL;
    lock(r);
    for (uint32_t i = 0; i < r->sites && found == NULL; i++)
        if (strcmp(r->site[i]->name, name) == 0 && strcmp(r->site[i]->routine, routine) == 0)
            found = r->site[i];
    if (found == NULL)
        found = new_site(r, name, routine);
    if (found == NULL)
        stop(r, "call site", "no memory");
    unlock(r);
    return found;
}

void gmmu_blas_recorder_show(gmmu_blas_recorder *r, gmmu_blas_site *site, const char *shown) {
    lock(r);
    if (site->shown == NULL)
        site->shown = strdup(shown);  // without memory it is not shown
    unlock(r);
}

void gmmu_blas_recorder_library(gmmu_blas_recorder *r, gmmu_blas_site *site, const char *path) {
    lock(r);
    if (site->library == NULL)
        site->library = strdup(path);  // without memory it is not known
    unlock(r);
}

// ---- begin and end

gmmu_blas_recorder *gmmu_blas_recorder_create(const gmmu_blas_settings *settings) {
    gmmu_blas_recorder *r = calloc(1, sizeof *r);
    if (r == NULL || (r->seen = gmmu_blas_seen_create()) == NULL) {
        free(r);
        return NULL;
    }
    if (settings->memo != 0 &&
        (r->memos = gmmu_blas_memos_create(settings->memo << 20, UINT64_MAX)) == NULL) {
        gmmu_blas_seen_destroy(r->seen);
        free(r);
        return NULL;
    }
    r->settings = *settings;
    r->began = clock_ns();
    set_least(r, settings->least);
    r->process = (long)getpid();
    r->file.descriptor = -1;
    atomic_init(&r->works, true);
    (void)pthread_mutex_init(&r->lock, NULL);
    const gmmu_track_config config = {.mode = settings->track,
                                      .backend = settings->backend,
                                      .alone = gmmu_blas_blocks_alone,
                                      .context = &r->blocks};
    gmmu_error err;
    if (settings->track != GMMU_SEM_CALLS) {
        r->by_call = calloc(1, sizeof *r->by_call);  // without memory there are none
        r->by_cpu = calloc(1, sizeof *r->by_cpu);
        r->track = gmmu_track_create(&config, &err);
        if (r->track == NULL)
            stop(r, "GMMU_TRACK_BACKEND", err.text);
        else if (settings->track == GMMU_SEM_FULL)  // blocks of a page and more get their own
            (void)mallopt(M_MMAP_THRESHOLD, (int)sysconf(_SC_PAGESIZE));
    }
    return r;
}

void gmmu_blas_recorder_more(gmmu_blas_recorder *r, gmmu_blas_more_function *function) {
    r->more = function;
}

bool gmmu_blas_recorder_works(const gmmu_blas_recorder *r) {
    return atomic_load_explicit(&r->works, memory_order_relaxed);
}

void gmmu_blas_recorder_lock(gmmu_blas_recorder *r) {
    lock(r);
}

void gmmu_blas_recorder_unlock(gmmu_blas_recorder *r) {
    unlock(r);
}

void gmmu_blas_recorder_forked(gmmu_blas_recorder *r) {
    for (uint32_t i = 0; i < r->sites; i++) {
        gmmu_blas_site *s = r->site[i];
        s->calls = s->flops = s->ns = s->inner = 0;
        s->below = s->empty = (gmmu_blas_counter){0};
        free(s->stats);
        s->stats = NULL;
    }
    r->waited = r->busy = 0;
    r->forked = true;
    if (r->trace != NULL)  // the parent's, whose lock must not outlive it
        (void)fclose(r->trace);
    r->trace = NULL;
}

// TEXT to the file GIVEN, or to standard error, at once: reports of several processes do not mix.
static void put(gmmu_blas_recorder *r, const char *given, const char *text, size_t n) {
    char name[NAME] = "stderr";
    int fd = STDERR_FILENO;
    if (given != NULL && strcmp(given, name) != 0) {
        (void)gmmu_blas_file_name(name, sizeof name, given, (long)getpid());
        fd = gmmu_blas_file_append(name);
    }
    if (fd < 0 || !gmmu_blas_file_write(fd, text, n))
        stop(r, name, strerror(errno));
    if (fd > STDERR_FILENO)
        (void)close(fd);
}

static void put_report(gmmu_blas_recorder *r, const char *given, const gmmu_blas_report *is,
                       void write_it(FILE *, const gmmu_blas_report *)) {
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to != NULL) {
        write_it(to, is);
        (void)fclose(to);
    }
    if (text == NULL)
        stop(r, "report", "no memory");
    else
        put(r, given, text, n);
    free(text);
}

static void write_text(FILE *to, const gmmu_blas_report *is) {
    gmmu_blas_report_write(to, is);
    gmmu_blas_report_inner(to, is);
}

static void report(gmmu_blas_recorder *r) {
    const uint64_t ns = clock_ns() - r->began, cpu = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    const gmmu_blas_report is = {
        .settings = &r->settings,
        .back_end = r->track == NULL ? NULL : gmmu_track_backend_name(r->track),
        .plays = &r->plays,
        .memos = r->memos,
        .sites = r->site,
        .count = r->sites,
        .least = r->settings.least,
        .last = r->least_n,
        .ns = r->waited < ns ? ns - r->waited : ns,  // several threads may wait at once
        .cpu_ns = cpu,
        .busy_ns = r->busy < cpu ? r->busy : cpu,
        .waited_ns = r->waited,
        .signal = r->signal,
        .spent_ns = r->spent,
        .more = r->more};
    if (r->settings.report != NULL)
        put_report(r, r->settings.report, &is, write_text);
    if (r->settings.json != NULL)
        put_report(r, r->settings.json, &is, gmmu_blas_report_json);
}

static uint64_t not_recorded(const gmmu_blas_site *s) {
    return gmmu_blas_counted(&s->below) + gmmu_blas_counted(&s->empty);
}

bool gmmu_blas_recorder_seen(gmmu_blas_recorder *r) {
    bool seen = false;
    lock(r);
    for (uint32_t i = 0; i < r->sites && !seen; i++)
        seen = r->site[i]->calls + not_recorded(r->site[i]) != 0;
    unlock(r);
    return seen;
}

void gmmu_blas_recorder_say(gmmu_blas_recorder *r, const char *line) {
    put(r, r->settings.report, line, strlen(line));
}

void gmmu_blas_recorder_finish(gmmu_blas_recorder *r) {
    struct timespec until;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    held = true;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FINISH_SECONDS;
    if (pthread_mutex_timedlock(&r->lock, &until) != 0) {
        left();
        return;
    }
    const bool own = r->forked || r->process == (long)getpid();
    for (uint32_t i = 0; own && i < r->sites && (r->forked || !r->asked); i++)
        if (not_recorded(r->site[i]) != 0)
            ask(r);
    const bool has = own && r->asked && !r->forked;
    if (has && r->track != NULL && gmmu_blas_recorder_works(r))
        collect(r);  // what is read last comes back from the GPU, too
    if (has && r->plays.naive != NULL) {
        report(r);
        gmmu_blas_plays_destroy(&r->plays);
    }
    unlock(r);
}

void gmmu_blas_recorder_destroy(gmmu_blas_recorder *r) {
    if (r == NULL)
        return;
    if (r->trace != NULL)
        (void)fclose(r->trace);
    gmmu_blas_plays_destroy(&r->plays);
    gmmu_blas_seen_destroy(r->seen);
    gmmu_blas_memos_destroy(r->memos);
    for (uint32_t i = 0; i < r->sites; i++) {
        free(r->site[i]->name);
        free(r->site[i]->routine);
        free(r->site[i]->shown);
        free(r->site[i]->library);
        free(r->site[i]->stats);
        free(r->site[i]);
    }
    free(r->site);
    gmmu_blas_allocs_free(&r->allocs);
    free(r->cpu);
    free(r->code);
    free(r->by_call);
    free(r->by_cpu);
    gmmu_track_destroy(r->track);
    (void)pthread_mutex_destroy(&r->lock);
    free(r);
}
