// SPDX-License-Identifier: Apache-2.0
// segv.h: one handler of SIGSEGV for all clients that protect memory. The handler of the program
// comes behind the clients.
#ifndef GMMU_SEM_SEGV_H
#define GMMU_SEM_SEGV_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GMMU_SEGV_READ, GMMU_SEGV_WRITE, GMMU_SEGV_EITHER } gmmu_segv_access;

// A client's part of the handler: the instruction at CODE faulted at address AT. EITHER: the
// machine does not report the kind of the access. Returns true: the access is to be tried again.
// All signals are blocked. The client may do only what a signal handler may do, unless the fault
// can only be in code that the client knows.
typedef bool (*gmmu_segv_client)(void *context, uint64_t at, gmmu_segv_access access,
                                 uint64_t code);

// Returns false: too many clients, or no handler can be set.
bool gmmu_segv_add(gmmu_segv_client client, void *context);
// Removes a client. No fault in the client's memory may be under way.
void gmmu_segv_remove(gmmu_segv_client client, void *context);
// For a wrapper of sigaction(SIGSEGV, ...): sets and returns the program's action, while the common
// handler stays. False: there is no common handler, and the wrapper must call sigaction.
bool gmmu_segv_action(const struct sigaction *action, struct sigaction *old);

#ifdef __cplusplus
}
#endif
#endif
