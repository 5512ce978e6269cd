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

static bool is_key(const gmmu_option *option, const char *key, size_t length) {
    return strlen(option->key) == length && memcmp(option->key, key, length) == 0;
}

// The values of an option: "k=1..64", "table=4..64, a power of two", or its part of WORDS.
static void expected_values(const gmmu_option *option, const char *words, char *text, size_t size) {
    const char *key = NULL;
    const char *value = "";
    size_t key_length = 0;
    size_t length = 0;
    bool found = false;
    while (option->word != NULL && !found &&
           gmmu_policy_option(&words, &key, &key_length, &value, &length)) {
        found = is_key(option, key, key_length);
    }
    if (option->word != NULL) {
        (void)snprintf(text, size, "%s=%.*s", option->key, (int)length, value);
    } else {
        (void)snprintf(text, size, "%s=%" PRIu64 "..%" PRIu64 "%s", option->key, option->low,
                       option->high, option->power ? ", a power of two" : "");
    }
}

// The names of the options, "one of k, pool", as far as there is room.
static void expected_names(const gmmu_option *options, size_t count, char *text, size_t size) {
    static const char rest[] = ", ...";
    size_t used = (size_t)snprintf(text, size, "one of ");
    for (size_t i = 0; i < count; i++) {
        const char *comma = i == 0 ? "" : ", ";
        if (used + strlen(comma) + strlen(options[i].key) + sizeof rest > size) {
            (void)snprintf(text + used, size - used, "%s", rest);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", comma, options[i].key);
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

// How a part that was not taken is refused.
typedef struct {
    const char *expect;  // what is expected; NULL: the ranges of the options
    const char *words;   // not NULL: the options' names, or the values of a known one
} refusal;

static bool read_all(const char *policy, const gmmu_policy_config *config,
                     const gmmu_option *options, size_t count, refusal how, gmmu_error *err) {
    const char *rest = config->options;
    const char *key = NULL;
    const char *text = NULL;
    size_t key_length = 0;
    size_t length = 0;
    while (gmmu_policy_option(&rest, &key, &key_length, &text, &length)) {
        const gmmu_option *found = NULL;
        for (size_t i = 0; i < count; i++) {
            if (is_key(&options[i], key, key_length)) {
                found = &options[i];
            }
        }
        if (found == NULL || !take(found, text, length)) {
            char list[400];
            if (how.words != NULL && found != NULL) {
                expected_values(found, how.words, list, sizeof list);
            } else if (how.words != NULL) {
                expected_names(options, count, list, sizeof list);
            }
            refuse(policy, how.words != NULL ? list : how.expect, found != NULL ? found : options,
                   found != NULL ? 1 : count, key, key_length, text, length, err);
            return false;
        }
    }
    return true;
}

bool gmmu_options_take(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *expect,
                       gmmu_error *err) {
    return read_all(policy, config, options, count, (refusal){.expect = expect}, err);
}

bool gmmu_options_list(const char *policy, const gmmu_policy_config *config,
                       const gmmu_option *options, size_t count, const char *words,
                       gmmu_error *err) {
    return read_all(policy, config, options, count, (refusal){.words = words}, err);
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
