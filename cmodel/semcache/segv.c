// SPDX-License-Identifier: Apache-2.0
// segv.c: see segv.h.
#define _GNU_SOURCE  // REG_ERR
#include "semcache/segv.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST = 16 };

static struct {
    gmmu_segv_client client;
    void *context;
} clients[MOST];

static volatile char lock;
static bool installed;
static struct sigaction program;  // what the program has of SIGSEGV

// Whoever holds it does not fault, and has no signals.
static void take(void) {
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) (void)sched_yield();
}

static void give(void) {
    __atomic_clear(&lock, __ATOMIC_RELEASE);
}

static uint64_t block_all(void) {
    const uint64_t all = ~(uint64_t)0;
    uint64_t old = 0;
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &old, sizeof old);
    return old;
}

static void restore(uint64_t old) {
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &old, NULL, sizeof old);
}

static gmmu_segv_access access_of(const ucontext_t *u, uint64_t *code) {
#if defined(__x86_64__)
    *code = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
    return (u->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? GMMU_SEGV_WRITE : GMMU_SEGV_READ;
#elif defined(__aarch64__)
    *code = u->uc_mcontext.pc;
    return GMMU_SEGV_EITHER;
#else
    (void)u;
    *code = 0;
    return GMMU_SEGV_EITHER;
#endif
}

// sigaction as the system has it, where a drop-in stands before it.
static int really(const struct sigaction *action, struct sigaction *old) {
    typedef int (*function)(int, const struct sigaction *, struct sigaction *);
    static function f;
    if (f == NULL)
        *(void **)(&f) = dlsym(RTLD_NEXT, "sigaction");
    return f == NULL ? sigaction(SIGSEGV, action, old) : f(SIGSEGV, action, old);
}

// As the kernel would have done without us.
static void pass_on(int signal, siginfo_t *info, void *context) {
    take();
    const struct sigaction its = program;
    if ((its.sa_flags & (int)SA_RESETHAND) != 0)
        program = (struct sigaction){.sa_handler = SIG_DFL};
    give();
    const bool sent = info->si_code <= 0;  // by kill, not by an access
    if ((its.sa_flags & SA_SIGINFO) == 0 &&
        (its.sa_handler == SIG_DFL || its.sa_handler == SIG_IGN)) {
        if (its.sa_handler == SIG_IGN && sent)
            return;
        struct sigaction def = {.sa_handler = SIG_DFL};
        (void)really(&def, NULL);
        if (sent)
            (void)raise(
                signal);  // comes when this handler returns; an access comes again by itself
        return;
    }
    // a handler may touch what is protected: SIGSEGV stays open
    sigset_t mask = ((ucontext_t *)context)->uc_sigmask;
    for (int s = 1; s < 65; s++)
        if (sigismember(&its.sa_mask, s) == 1)
            (void)sigaddset(&mask, s);
    (void)sigdelset(&mask, SIGSEGV);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(uint64_t));
    if ((its.sa_flags & SA_SIGINFO) != 0)
        its.sa_sigaction(signal, info, context);
    else
        its.sa_handler(signal);
}

static void handler(int signal, siginfo_t *info, void *context) {
    const int saved = errno;
    uint64_t code;
    const gmmu_segv_access access = access_of(context, &code);
    bool done = false;
    for (int i = 0; i < MOST && info->si_code > 0 && !done; i++) {
        const gmmu_segv_client c = __atomic_load_n(&clients[i].client, __ATOMIC_ACQUIRE);
        if (c != NULL)
            done = c(clients[i].context, (uint64_t)(uintptr_t)info->si_addr, access, code);
    }
    if (!done)
        pass_on(signal, info, context);
    errno = saved;
}

bool gmmu_segv_add(gmmu_segv_client client, void *context) {
    bool good = false;
    const uint64_t mask = block_all();
    take();
    if (!installed) {
        struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
        ours.sa_sigaction = handler;
        (void)sigfillset(&ours.sa_mask);
        (void)sigdelset(&ours.sa_mask, SIGSEGV);
        installed = really(&ours, &program) == 0;
    }
    for (int i = 0; i < MOST && installed && !good; i++)
        if (clients[i].client == NULL) {
            clients[i].context = context;
            __atomic_store_n(&clients[i].client, client, __ATOMIC_RELEASE);
            good = true;
        }
    give();
    restore(mask);
    return good;
}

void gmmu_segv_remove(gmmu_segv_client client, void *context) {
    bool none = true;
    const uint64_t mask = block_all();
    take();
    for (int i = 0; i < MOST; i++) {
        if (clients[i].client == client && clients[i].context == context)
            __atomic_store_n(&clients[i].client, (gmmu_segv_client)NULL, __ATOMIC_RELEASE);
        none = none && clients[i].client == NULL;
    }
    if (none && installed) {
        struct sigaction is;
        if (really(NULL, &is) == 0 && is.sa_sigaction == handler)
            (void)really(&program, NULL);
        installed = false;
    }
    give();
    restore(mask);
}

bool gmmu_segv_action(const struct sigaction *action, struct sigaction *old) {
    const struct sigaction to = action != NULL ? *action : (struct sigaction){.sa_flags = 0};
    const uint64_t mask = block_all();
    take();
    const bool ours = installed;
    const struct sigaction was = program;
    if (ours && action != NULL)
        program = to;
    give();
    restore(mask);
    if (ours && old != NULL)
        *old = was;
    return ours;
}
