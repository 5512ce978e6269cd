// SPDX-License-Identifier: Apache-2.0
// claimant.h: the process behind a claim: its name, and whether it lives.
#ifndef GMMU_SWEEP_CLAIMANT_H
#define GMMU_SWEEP_CLAIMANT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CLAIMANT_TEXT = 400 };

// A process. BOOT and SPACE tell machines and containers apart whose processes have other numbers.
typedef struct {
    char host[72], boot[48], space[40];
    long pid;
    unsigned long long start;  // of the process, in ticks since the boot
} claimant;

claimant claimant_self(void);
// One line.
void claimant_print(const claimant *c, char text[CLAIMANT_TEXT]);
// Reads the line in the file PATH. False: no such file, or no such line.
bool claimant_read(const char *path, claimant *c);
// True: C ran here, and has ended.
bool claimant_dead(const claimant *c, const claimant *self);

#endif
