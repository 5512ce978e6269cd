// SPDX-License-Identifier: Apache-2.0
// option.h: the options of a policy, "key=value:key=value".
#ifndef GMMU_POLICY_OPTION_H
#define GMMU_POLICY_OPTION_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes one "key=value" off *options. True: *key and *value are the two parts, not terminated, with
// their lengths. False: the end. A part without '=' is a key with an empty value.
bool gmmu_policy_option(const char **options, const char **key, size_t *key_length,
                        const char **value, size_t *value_length);

// An option: a number, or, if `word` is not NULL, a word.
typedef struct {
    const char *key;
    void *value;         // the default at first, then the value that was read
    size_t bytes;        // size of a number: 4 or 8
    uint64_t low, high;  // range of a number, both included
    bool power;          // the number must be a power of two
    // Stores the meaning of the LENGTH characters of TEXT in *VALUE. False: an unknown word.
    bool (*word)(void *value, const char *text, size_t length);
} gmmu_option;

// Rows of a table of options.
#define GMMU_NUMBER(key, value, low, high) \
    { key, value, sizeof *(value), low, high, false, NULL }
#define GMMU_POWER(key, value, low, high) \
    { key, value, sizeof *(value), low, high, true, NULL }
#define GMMU_WORD(key, value, function) \
    { key, value, 0, 0, 0, false, function }

// Reads config->options into the values of the COUNT OPTIONS, in order. False and *err: an unknown
// key, a number that is not decimal or not in its range, or an unknown word.
bool gmmu_options_read(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, gmmu_error *err);
// The same; EXPECT is the text behind "expected" in the message about an unknown option.
bool gmmu_options_take(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *expect,
                       gmmu_error *err);
// The same for a policy of many options: behind "expected" stand the names of all, or the values of
// a known one. WORDS has those of the words, "config=tiny|large:search=scan|clock".
bool gmmu_options_list(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *words,
                       gmmu_error *err);
// For a policy without options: false and *err if config->options has any.
bool gmmu_policy_no_options(const char *policy, const gmmu_policy_config *config, gmmu_error *err);

// Returns PERCENT per cent of FRAMES, rounded down, at least 1.
uint32_t gmmu_percent(uint32_t frames, uint64_t percent);

#ifdef __cplusplus
}
#endif
#endif
