// SPDX-License-Identifier: Apache-2.0
// signals.c: see signals.h.
//
// A handler may do little, and the report does much. Three things make it safe enough:
// - A thread that is in the recorder when the signal comes finishes when it leaves.
// - Memory comes from an arena of its own, as the handler may have interrupted malloc.
// - Another thread that is in the recorder is waited for, a few seconds at most.
// The signal is then raised again with the default action: the program ends as without the library.
#include "blas/preload/signals.h"

#include <errno.h>
#include <stddef.h>

#include "blas/preload/arena.h"
#include "blas/preload/preload.h"

static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGPIPE,   SIGALRM, SIGTERM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF};
enum { ENDING = sizeof ending / sizeof ending[0] };

static gmmu_blas_sigaction_function *real;
static void (*finish)(void);
static char finishing;  // a thread finishes already
static volatile sig_atomic_t pending;

// NUMBER ends the program: now, or when the handler returns.
static void die(int number) {
    const struct sigaction its = {.sa_handler = SIG_DFL};
    (void)real(number, &its, NULL);
    (void)raise(number);
}

static void finish_and_die(int number) {
    if (!__atomic_test_and_set(&finishing, __ATOMIC_ACQ_REL)) {
        gmmu_blas_in_arena = true;
        if (gmmu_blas_the_recorder != NULL)
            gmmu_blas_recorder_ends(gmmu_blas_the_recorder, number);
        finish();
        gmmu_blas_in_arena = false;
    }
    die(number);
}

static void when_left(void) {
    finish_and_die(pending);
}

static void handler(int number) {
    const int error = errno;
    pending = number;
    if (gmmu_blas_recorder_may_finish(when_left))
        finish_and_die(number);
    errno = error;
}

static bool is_ending(int number) {
    for (unsigned i = 0; i < ENDING; i++)
        if (ending[i] == number)
            return true;
    return false;
}

static struct sigaction ours(void) {
    struct sigaction its = {.sa_flags = SA_RESTART};
    its.sa_handler = handler;
    (void)sigfillset(&its.sa_mask);
    (void)sigdelset(&its.sa_mask, SIGSEGV);  // the recorder's own pages
    return its;
}

static bool is_default(const struct sigaction *a) {
    return (a->sa_flags & SA_SIGINFO) == 0 && a->sa_handler == SIG_DFL;
}

void gmmu_blas_signals_begin(gmmu_blas_sigaction_function *function, void (*before_end)(void)) {
    const struct sigaction its = ours();
    struct sigaction is;
    real = function;
    finish = before_end;
    for (unsigned i = 0; i < ENDING; i++)
        if (real(ending[i], NULL, &is) == 0 && is_default(&is))
            (void)real(ending[i], &its, NULL);
}

const struct sigaction *gmmu_blas_signals_action(int number, const struct sigaction *action,
                                                 struct sigaction *copy) {
    if (real == NULL || action == NULL || !is_default(action) || !is_ending(number) ||
        __atomic_load_n(&finishing, __ATOMIC_ACQUIRE) != 0)
        return action;
    *copy = ours();
    return copy;
}

void gmmu_blas_signals_hide(struct sigaction *told) {
    if (told != NULL && (told->sa_flags & SA_SIGINFO) == 0 && told->sa_handler == handler)
        *told = (struct sigaction){.sa_handler = SIG_DFL};
}
