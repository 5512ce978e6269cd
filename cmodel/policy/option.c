// SPDX-License-Identifier: Apache-2.0
// option.c: see option.h.
#include "policy/option.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool gmmu_policy_option(const char **options, const char **key, size_t *key_length,
                        const char **value, size_t *value_length) {
    const char *p = *options;
    if (p == NULL || *p == '\0') {
        return false;
    }
    size_t part = strcspn(p, ":");
    size_t name = strcspn(p, ":=");
    *key = p;
    *key_length = name;
    *value = name < part ? p + name + 1 : p + part;
    *value_length = name < part ? part - name - 1 : 0;
    *options = p[part] == ':' ? p + part + 1 : p + part;
    return true;
}

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

// Stores a number or a word; false when OPTION does not take it.
static bool take(const gmmu_option *option, const char *text, size_t length) {
    if (option->word != NULL) {
        return option->word(option->value, text, length);
    }
    uint64_t value = 0;
    if (!number(text, length, &value) || value < option->low || value > option->high ||
        (option->power && (value & (value - 1)) != 0)) {
        return false;
    }
    if (option->bytes == sizeof(uint32_t)) {
        *(uint32_t *)option->value = (uint32_t)value;
    } else {
        *(uint64_t *)option->value = value;
    }
    return true;
}

// A part of the policy's options that was not taken, in the words of the policies that say what
// they expect, and of the others.
static void refuse(const char *policy, const char *expect, const gmmu_option *options, size_t count,
                   const char *key, size_t key_length, const char *text, size_t length,
                   gmmu_error *err) {
    size_t most = expect != NULL ? 15 : 30;
    int shown_key = (int)(key_length < most ? key_length : most);
    int shown = (int)(length < most ? length : most);
    if (expect != NULL) {
        (void)snprintf(err->text, sizeof err->text, "%s: found option \"%.*s=%.*s\", expected %s",
                       policy, shown_key, key, shown, text, expect);
        return;
    }
    char list[160];
    expected(options, count, list, sizeof list);
    (void)snprintf(err->text, sizeof err->text,
                   "policy %s: found the option \"%.*s=%.*s\", expected %s", policy, shown_key, key,
                   shown, text, list);
}

bool gmmu_options_take(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *expect,
                       gmmu_error *err) {
    const char *rest = config->options;
    const char *key = NULL;
    const char *text = NULL;
    size_t key_length = 0;
    size_t length = 0;
    while (gmmu_policy_option(&rest, &key, &key_length, &text, &length)) {
        const gmmu_option *found = NULL;
        for (size_t i = 0; i < count; i++) {
            if (strlen(options[i].key) == key_length &&
                memcmp(options[i].key, key, key_length) == 0) {
                found = &options[i];
            }
        }
        if (found == NULL || !take(found, text, length)) {
            refuse(policy, expect, found != NULL ? found : options, found != NULL ? 1 : count, key,
                   key_length, text, length, err);
            return false;
        }
    }
    return true;
}

bool gmmu_options_read(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, gmmu_error *err) {
    return gmmu_options_take(policy, config, options, count, NULL, err);
}

bool gmmu_policy_no_options(const char *policy, const gmmu_policy_config *config, gmmu_error *err) {
    if (config->options == NULL || config->options[0] == '\0') {
        return true;
    }
    (void)snprintf(err->text, sizeof err->text,
                   "policy %s: found the option \"%.60s\", expected none", policy, config->options);
    return false;
}

uint32_t gmmu_percent(uint32_t frames, uint64_t percent) {
    uint64_t part = frames * percent / 100;
    return part == 0 ? 1 : (uint32_t)part;
}
