// SPDX-License-Identifier: Apache-2.0
// signals.h: signals that end the program, SIGTERM and SIGABRT among them: the report is written
// first. The program does not see our handler: to it, the action is the default.
#ifndef GMMU_BLAS_SIGNALS_H
#define GMMU_BLAS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

// sigaction as the system has it.
typedef int gmmu_blas_sigaction_function(int, const struct sigaction *, struct sigaction *);

// Handles the signals whose action is the default. FINISH writes the report.
void gmmu_blas_signals_begin(gmmu_blas_sigaction_function *real, void (*finish)(void));
// For a wrapper of sigaction: the action to set in place of ACTION, which may be copied to COPY.
const struct sigaction *gmmu_blas_signals_action(int number, const struct sigaction *action,
                                                 struct sigaction *copy);
// The action that the system told becomes what the program knows.
void gmmu_blas_signals_hide(struct sigaction *told);

#endif
