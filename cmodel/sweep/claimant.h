// SPDX-License-Identifier: Apache-2.0
// claimant.h: the process behind a claim: its name, and whether it lives.
#ifndef GMMU_SWEEP_CLAIMANT_H
#define GMMU_SWEEP_CLAIMANT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { GMMU_CLAIMANT_TEXT = 400 };

// A process. BOOT and SPACE tell machines and containers apart whose processes have other numbers.
typedef struct {
    char host[72], boot[48], space[40];
    long pid;
    unsigned long long start;  // of the process, in ticks since the boot
} gmmu_claimant;

gmmu_claimant gmmu_claimant_self(void);
// One line.
void gmmu_claimant_print(const gmmu_claimant *c, char text[GMMU_CLAIMANT_TEXT]);
// Reads the line in the file PATH. False: no such file, or no such line.
bool gmmu_claimant_read(const char *path, gmmu_claimant *c);
// True: C ran here, and has ended.
bool gmmu_claimant_dead(const gmmu_claimant *c, const gmmu_claimant *self);

#endif
