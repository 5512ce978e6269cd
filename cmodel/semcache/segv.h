// SPDX-License-Identifier: Apache-2.0
// segv.h: one handler of SIGSEGV for all who protect memory, before the program's own.
#ifndef GMMU_SEM_SEGV_H
#define GMMU_SEM_SEGV_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GMMU_SEGV_READ, GMMU_SEGV_WRITE, GMMU_SEGV_EITHER } gmmu_segv_access;

// An access to AT by the instruction at CODE faulted; EITHER: the machine does not say which. True:
// it is to be tried again. All signals are blocked; what it does is for a handler to do, unless the
// fault can only be in code that it knows.
typedef bool (*gmmu_segv_client)(void *context, uint64_t at, gmmu_segv_access access,
                                 uint64_t code);

// False: too many clients, or no handler can be set.
bool gmmu_segv_add(gmmu_segv_client client, void *context);
// No fault of its memory may be under way.
void gmmu_segv_remove(gmmu_segv_client client, void *context);
// For whoever stands before sigaction(SIGSEGV, …): sets and tells what the program has of it, while
// the handler stays. False: there is none, and sigaction is to be called.
bool gmmu_segv_action(const struct sigaction *action, struct sigaction *old);

#ifdef __cplusplus
}
#endif
#endif
