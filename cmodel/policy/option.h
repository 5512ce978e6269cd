// SPDX-License-Identifier: Apache-2.0
// option.h: the options of a policy, "key=value:key=value".
#ifndef GMMU_POLICY_OPTION_H
#define GMMU_POLICY_OPTION_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes one "key=value" off *options: true and the two parts (not terminated; their lengths), or
// false at the end. A part without '=' is a key with an empty value.
bool gmmu_policy_option(const char **options, const char **key, size_t *key_length,
                        const char **value, size_t *value_length);

// An option: a number, or a word if WORD is not NULL.
typedef struct {
    const char *key;
    void *value;         // the default, replaced by what is found
    size_t bytes;        // of a number: 4 or 8
    uint64_t low, high;  // its range, both included
    bool power;          // a power of two
    // Stores LENGTH characters of TEXT in *VALUE; false when it is none of the words.
    bool (*word)(void *value, const char *text, size_t length);
} gmmu_option;

// Rows of a table of options.
#define GMMU_NUMBER(key, value, low, high) \
    { key, value, sizeof *(value), low, high, false, NULL }
#define GMMU_POWER(key, value, low, high) \
    { key, value, sizeof *(value), low, high, true, NULL }
#define GMMU_WORD(key, value, function) \
    { key, value, 0, 0, 0, false, function }

// Reads config->options into the values of COUNT OPTIONS, in their order. False and *err when a key
// is unknown, a number is not a decimal one in its range, or a word is unknown.
bool gmmu_options_read(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, gmmu_error *err);
// The same for options of which EXPECT says what there are.
bool gmmu_options_take(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *expect,
                       gmmu_error *err);
// False and *err if there are options, for a policy that takes none.
bool gmmu_policy_no_options(const char *policy, const gmmu_policy_config *config, gmmu_error *err);

// PERCENT of FRAMES, rounded down, at least 1.
uint32_t gmmu_percent(uint32_t frames, uint64_t percent);

#ifdef __cplusplus
}
#endif
#endif
