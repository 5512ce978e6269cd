// SPDX-License-Identifier: Apache-2.0
// explain_stay.h: the stays of pages in near memory, which `gmmu explain` shows of a victim
// whatever the policy is: when it came, when it was used last, how often, and its place among the
// resident pages by each of these.
#ifndef GMMU_CLI_EXPLAIN_STAY_H
#define GMMU_CLI_EXPLAIN_STAY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "policy/outcome.h"

// The stay of one page; events count from 1.
typedef struct {
    uint64_t came;  // 0: ahead of its first use, before it had a number
    uint64_t last;  // its last use; 0: none in this stay
    uint64_t uses;
    bool in;
} explain_page;

typedef struct {
    explain_page *pages;
    uint32_t cap;
} explain_stays;

// A victim's stay, and its places from 1 on among the resident pages: 1 is the oldest, or the least
// used.
typedef struct {
    explain_page page;
    uint64_t event;  // with which it left
    uint32_t resident, by_last, by_arrival, by_uses;
    uint32_t others;  // further pages that left with it
} explain_stay;

// The first page that left near memory, for an access or after it; GMMU_NO_PAGE: none did.
uint32_t explain_victim(const gmmu_outcome *out);
// Event EVENT accessed PAGE, and OUT moved. False: no memory.
bool explain_stays_take(explain_stays *s, uint64_t event, uint32_t page, const gmmu_outcome *out);
// What is known of the victim of OUT, which is not taken yet.
explain_stay explain_stays_of(const explain_stays *s, uint64_t event, const gmmu_outcome *out);
void explain_stays_free(explain_stays *s);
void explain_print_stay(const explain_stay *v);
json_t *explain_json_stay(const explain_stay *v);

#endif
