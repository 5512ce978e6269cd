// SPDX-License-Identifier: Apache-2.0
// preload.h: what the parts of libgmmu_blas.so share. Each thread is outside, or inside one call
// that is counted, or inside the recorder, where nothing is.
#ifndef GMMU_BLAS_PRELOAD_H
#define GMMU_BLAS_PRELOAD_H

#include <stdatomic.h>

#include "blas/drivers.h"
#include "blas/flops.h"
#include "blas/preload/shadow.h"
#include "blas/recorder.h"

// seen by the program
#define GMMU_BLAS_PUBLIC __attribute__((visibility("default")))
#define GMMU_BLAS_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

// NULL: nothing is recorded.
extern gmmu_blas_recorder *gmmu_blas_the_recorder;
extern GMMU_BLAS_THREAD bool gmmu_blas_inside;
// Where the mark of the call is, within which this thread is; 0: it is in the recorder, or outside.
extern GMMU_BLAS_THREAD uintptr_t gmmu_blas_outer;
typedef volatile uintptr_t gmmu_blas_mark;
// Counts this thread's calls within another.
extern GMMU_BLAS_THREAD uint64_t gmmu_blas_inner;

static inline uintptr_t gmmu_blas_marked(uintptr_t at) {
    return at ^ (uintptr_t)0x9e3779b97f4a7c15;
}

// A call begins. MARK lies in the frame of its wrapper.
static inline void gmmu_blas_enter(gmmu_blas_mark *mark) {
    *mark = gmmu_blas_marked((uintptr_t)mark);
    gmmu_blas_outer = (uintptr_t)mark;
    gmmu_blas_inside = true;
}

// It returns.
static inline void gmmu_blas_exit(void) {
    gmmu_blas_outer = 0;
    gmmu_blas_inside = false;
}

// Is this thread within a call, or in the recorder? FRAME is GMMU_BLAS_FRAME of the function that
// the program called. A call that was left by longjmp or by an exception never returns: its frame
// is below the frames in use, or its mark is overwritten. (What lies further above is another
// stack, that of a handler of signals.)
#define GMMU_BLAS_FRAME ((uintptr_t)__builtin_dwarf_cfa())
static inline bool gmmu_blas_within(uintptr_t frame) {
    const uintptr_t stack = (uintptr_t)8 << 20, at = gmmu_blas_outer;
    if (!gmmu_blas_inside)
        return false;
    if (at == 0 || (frame - at >= stack && *(const gmmu_blas_mark *)at == gmmu_blas_marked(at)))
        return true;
    gmmu_blas_exit();
    return false;
}

// What the calls that allocate and free are watched for; 0: nothing yet.
enum {
    GMMU_BLAS_WATCH_FREED = 1,  // operands have been in memory
    GMMU_BLAS_WATCH_CAME = 2,   // the trace has blocks as they come
    GMMU_BLAS_WATCH_SHADOW = 4  // blocks are of the shadow's
};
extern unsigned gmmu_blas_watch;

// A routine called from one place: the real one, and the place. SITE is NULL where nothing is
// recorded. ROUTINE is always the same string, CALLER the return address.
typedef struct gmmu_blas_target {
    const char *routine;
    const void *caller;
    _Atomic(void *) real;
    _Atomic(gmmu_blas_site *) site;
    _Atomic(gmmu_blas_counter *) below;  // the site's
    atomic_uint generation;              // in which the two were found
    struct gmmu_blas_target *next;
} gmmu_blas_target;

// Counts what dlclose has made doubtful.
extern atomic_uint gmmu_blas_generation;

// Finds the target, and keeps it in *LAST. Ends the program if there is no such routine but ours.
// SPARE is the target where there is no memory.
const gmmu_blas_target *gmmu_blas_find(_Atomic(gmmu_blas_target *) *last, const char *routine,
                                       const void *caller, gmmu_blas_target *spare);
// *LAST, if that is the target; NULL: it is to be found.
static inline const gmmu_blas_target *gmmu_blas_last(_Atomic(gmmu_blas_target *) *last,
                                                     const void *caller) {
    const gmmu_blas_target *t = atomic_load_explicit(last, memory_order_acquire);
    const bool is = t != NULL && t->caller == caller &&
                    atomic_load_explicit(&t->generation, memory_order_acquire) ==
                        atomic_load_explicit(&gmmu_blas_generation, memory_order_relaxed);
    return is ? t : NULL;
}
// Objects have gone: what was found may be no more.
void gmmu_blas_forget(void);

// True: P lies in this library.
bool gmmu_blas_is_ours(const void *p);
// The first ROUTINE behind ours in the global scope; NULL: there is none, and dlerror says so.
void *gmmu_blas_next(const char *routine);
// ROUTINE in the loaded object of this name and in what the object depends on; NULL: there is none
// but ours.
void *gmmu_blas_look_in(const char *object, const char *routine);
// The ROUTINE that the object CALLER would reach without this library; NULL: none.
struct link_map;
void *gmmu_blas_look(const char *routine, const struct link_map *caller);
// Returns where the object, loaded and maybe already ended, defines the routine itself; NULL: it
// does not. The object is not opened: dlopen of an object whose destructors have run, as at the end
// of the program, runs its constructors again.
const void *gmmu_blas_defined(const struct link_map *object, const char *routine);

// The names of the routines that this library defines.
extern const char *const gmmu_blas_names[];
extern const unsigned gmmu_blas_names_count;
bool gmmu_blas_is_name(const char *name);
// Weak references to our routines that would find none without this library find none.
void gmmu_blas_unbind_weak(void);

// Writes to LINE, of SIZE bytes, why no call was seen. False: no BLAS is there. SIZE is 2048 at
// least.
bool gmmu_blas_unseen(char *line, size_t size);

// Signals that end the program call FINISH first.
void gmmu_blas_handle_signals(void (*finish)(void));

typedef struct {
    gmmu_blas_mark mark;
    bool on_gpu;
    uint64_t base[GMMU_BLAS_MOST_OPERANDS];  // on the GPU: where the operands are
    double scalar[2][2];  // alpha, beta; info: a kernel on the GPU finds the program's pages closed
    int64_t info;
    uint64_t inner;   // gmmu_blas_inner before the call
    unsigned placed;  // operands, and scratch memory, that are on the GPU
    gmmu_blas_call call;
    gmmu_blas_record record;
} gmmu_blas_frame;

// A call of fewer operations is counted, and no more: nothing is described, and nothing looked up.
extern const uint64_t *gmmu_blas_least;

// FLOPS are those of a call of TARGET. True: the call is below the minimum, and counted. False:
// gmmu_blas_below says more.
static inline bool gmmu_blas_is_below(const gmmu_blas_target *target, uint64_t flops) {
    return flops < __atomic_load_n(gmmu_blas_least, __ATOMIC_RELAXED) &&
           gmmu_blas_count_fast(atomic_load_explicit(&target->below, memory_order_relaxed),
                                &gmmu_blas_inside);
}

// The same, slowly: the call is counted, and may be one of those that are timed.
typedef enum { GMMU_BLAS_NOT_BELOW, GMMU_BLAS_BELOW, GMMU_BLAS_TIMED } gmmu_blas_side;
gmmu_blas_side gmmu_blas_below(const gmmu_blas_target *target, uint64_t flops);
uint64_t gmmu_blas_clock(void);
// A call that is timed took NS, by two readings of the clock.
void gmmu_blas_below_took(const gmmu_blas_target *target, uint64_t ns);

// Before a call at or above the minimum, and after it.
void gmmu_blas_go_on(gmmu_blas_frame *f, gmmu_blas_site *site);
// Where the kernel finds the array that the program has at P.
static inline void *gmmu_blas_place(const gmmu_blas_frame *f, void *p) {
    for (unsigned i = 0; f->on_gpu && i < f->placed; i++)
        if (f->record.operand[i].start == (uintptr_t)p)
            return (void *)(uintptr_t)f->base[i];
    return p;
}
void gmmu_blas_leave(gmmu_blas_frame *f);

// The same for a driver, whose arguments are all pointers. ARGUMENT: where they are; on the GPU
// they are others.
typedef struct {
    gmmu_blas_frame frame;
    const gmmu_blas_signature *signature;
    const gmmu_blas_target *target;
    void **argument;
    void *given[GMMU_BLAS_MOST_ARGUMENTS];   // on the GPU: the program's
    double value[GMMU_BLAS_MOST_ARGUMENTS];  // and what is handed over by value
    uint64_t began;                          // of a call that is timed; 0: it is not
    bool within;                             // the calls of the driver are within it
    bool records;
} gmmu_blas_drive;
// FRAME.call has the family, the type, and the size of an integer. FRAME: of gmmu_blas_within.
void gmmu_blas_drive_begin(gmmu_blas_drive *d, const gmmu_blas_target *target, uintptr_t frame);
void gmmu_blas_drive_end(gmmu_blas_drive *d);

#endif
