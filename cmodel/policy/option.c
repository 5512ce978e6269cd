// SPDX-License-Identifier: Apache-2.0
// option.c: reads the numeric options of a policy.
#include "policy/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A decimal number of at most 19 digits.
static bool number(const char *text, size_t length, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        *value = *value * 10 + (uint64_t)(text[i] - '0');
    }
    return length != 0 && length <= 19;
}

// What would have been taken: "small=0..100", and so on, as far as there is room.
static void expected(const gmmu_option *options, size_t count, char *text, size_t size) {
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        const int more =
            snprintf(text + used, size - used, "%s%s=%" PRIu64 "..%" PRIu64, i == 0 ? "" : ", ",
                     options[i].key, options[i].low, options[i].high);
        if (used + (size_t)more + sizeof ", ..." > size) {
            memcpy(text + used, ", ...", sizeof ", ...");
            return;
        }
    }
}

bool gmmu_options_read(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, gmmu_error *err) {
    const char *rest = config->options;
    const char *key;
    const char *text;
    size_t key_length;
    size_t length;
    while (gmmu_policy_option(&rest, &key, &key_length, &text, &length)) {
        const gmmu_option *found = NULL;
        for (size_t i = 0; i < count; i++) {
            if (strlen(options[i].key) == key_length &&
                memcmp(options[i].key, key, key_length) == 0) {
                found = &options[i];
            }
        }
        uint64_t value;
        if (found == NULL || !number(text, length, &value) || value < found->low ||
            value > found->high) {
            char list[160];
            if (found != NULL) {
                expected(found, 1, list, sizeof list);
            } else {
                expected(options, count, list, sizeof list);
            }
            (void)snprintf(err->text, sizeof err->text,
                           "policy %s: found the option \"%.*s=%.*s\", expected %s", policy,
                           (int)(key_length < 30 ? key_length : 30), key,
                           (int)(length < 30 ? length : 30), text, list);
            return false;
        }
        *found->value = value;
    }
    return true;
}

uint32_t gmmu_percent(uint32_t frames, uint64_t percent) {
    uint64_t part = frames * percent / 100;
    return part == 0 ? 1 : (uint32_t)part;
}
