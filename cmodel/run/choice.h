// SPDX-License-Identifier: Apache-2.0
// choice.h: the policies and the memory sizes of a study, as a user gives them.
#ifndef GMMU_RUN_CHOICE_H
#define GMMU_RUN_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// A memory size: pages, a part of the distinct pages, or bytes; of Tier 2 also a multiple of
// Tier 1.
typedef struct {
    bool relative, multiple, bytes;
    uint64_t pages;     // when none of these
    uint64_t num, den;  // otherwise; of bytes: in units of 2^unit
    unsigned unit;
    char text[24];  // as given
} gmmu_size;

// Turns bytes into pages of 2^PAGE_SHIFT bytes; other sizes stay. False: an amount that is no whole
// number of pages, or too many; *err names OPTION.
bool gmmu_size_in_pages(gmmu_size *size, const char *option, unsigned page_shift, gmmu_error *err);

// The number of frames of a size that is not in bytes; a relative size is rounded down, to no less
// than 1.
uint32_t gmmu_size_frames(gmmu_size size, uint32_t distinct);

// The pages of Tier 2 beside FRAMES of Tier 1, rounded down, to no less than 1; more than
// GMMU_MAX_PAGES stand for any number that is too large.
uint32_t gmmu_size_tier2(gmmu_size size, uint32_t distinct, uint32_t frames);

// A policy as asked for: "name" or "name:key=value:key=value".
typedef struct {
    const gmmu_policy *policy;
    char *label;          // as given
    const char *options;  // its part after the first ':', or NULL
    void *context;        // gmmu_policy_config.context
    bool alone;           // replayed on the calling thread alone
} gmmu_choice;

// Digits at *p, below 10^12, or false.
bool gmmu_parse_digits(const char **p, uint64_t *value);
// Parse comma-separated lists; *items is allocated. False and *err on bad input.
bool gmmu_parse_sizes(const char *list, gmmu_size **items, size_t *count, gmmu_error *err);
// The size of Tier 2.
bool gmmu_parse_tier2(const char *text, gmmu_size *size, gmmu_error *err);
bool gmmu_parse_policies(const char *list, gmmu_choice **items, size_t *count, gmmu_error *err);
// Sets *LABEL to the label of P with the option that a memory of FRAMES pages needs, allocated;
// NULL: none is needed. False: no memory.
bool gmmu_choice_enlarge(const gmmu_choice *p, uint32_t frames, char **label);
void gmmu_choices_free(gmmu_choice *items, size_t count);

#ifdef __cplusplus
}
#endif
#endif
