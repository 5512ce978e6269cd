// SPDX-License-Identifier: Apache-2.0
// preload.h: what the parts of libgmmu_blas.so share. Each thread is outside, or inside one call
// that is counted, or inside the recorder, where nothing is.
#ifndef GMMU_BLAS_PRELOAD_H
#define GMMU_BLAS_PRELOAD_H

#include "blas/preload/shadow.h"
#include "blas/recorder.h"

// seen by the program
#define GMMU_BLAS_PUBLIC __attribute__((visibility("default")))
#define GMMU_BLAS_THREAD _Thread_local __attribute__((tls_model("initial-exec")))

// NULL: nothing is recorded.
extern gmmu_blas_recorder *gmmu_blas_the_recorder;
extern GMMU_BLAS_THREAD bool gmmu_blas_inside;

// A routine called from one place: the real one, and the place. SITE is NULL where nothing is
// recorded.
typedef struct {
    void *real;
    gmmu_blas_site *site;
} gmmu_blas_target;

// The target of a call of ROUTINE, always the same string, with the return address CALLER. Ends the
// program if there is no such routine but ours.
gmmu_blas_target gmmu_blas_find(const char *routine, const void *caller);
// Objects have gone: what was found may be no more.
void gmmu_blas_forget(void);

// True: P lies in this library.
bool gmmu_blas_is_ours(const void *p);
// The first ROUTINE behind ours in the global scope; NULL: there is none, and dlerror says so.
void *gmmu_blas_next(const char *routine);
// The ROUTINE that the object CALLER would reach without this library; NULL: none.
struct link_map;
void *gmmu_blas_look(const char *routine, const struct link_map *caller);

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
    gmmu_blas_target target;
    bool counted, on_gpu;
    uint64_t base[GMMU_BLAS_MOST_OPERANDS];  // on the GPU: where the operands are
    double scalar[2][2];  // alpha, beta; info: a kernel on the GPU finds the program's pages closed
    int64_t info;
    gmmu_blas_call call;
    gmmu_blas_record record;
} gmmu_blas_frame;

// A wrapper begins; if it is to be counted, fills in CALL and goes on.
static inline void gmmu_blas_enter(gmmu_blas_frame *f, const char *routine, const void *caller) {
    f->target = gmmu_blas_find(routine, caller);
    f->on_gpu = false;
    f->counted = f->target.site != NULL && !gmmu_blas_inside &&
                 gmmu_blas_recorder_works(gmmu_blas_the_recorder);
}
void gmmu_blas_go_on(gmmu_blas_frame *f);
// Where the kernel finds the array that the program has at P.
static inline void *gmmu_blas_place(const gmmu_blas_frame *f, void *p) {
    for (unsigned i = 0; f->on_gpu && i < f->record.operands; i++)
        if (f->record.operand[i].start == (uintptr_t)p)
            return (void *)(uintptr_t)f->base[i];
    return p;
}
void gmmu_blas_leave(gmmu_blas_frame *f);

#endif
