// SPDX-License-Identifier: Apache-2.0
// choice.c: see choice.h.
#include "run/choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/registry.h"

__extension__ typedef unsigned __int128 u128;

bool gmmu_parse_digits(const char **p, uint64_t *value) {
    const char *first = *p;
    *value = 0;
    while (**p >= '0' && **p <= '9') {
        *value = *value * 10 + (unsigned)(**p - '0');
        ++*p;
        if (*p - first > 12) {
            return false;
        }
    }
    return *p != first;
}

bool gmmu_size_in_pages(gmmu_size *size, const char *option, unsigned page_shift, gmmu_error *err) {
    if (!size->bytes) {
        return true;
    }
    const u128 bytes = (u128)size->num << size->unit;
    const u128 page = (u128)size->den << page_shift;
    if (bytes % page != 0 || bytes / page > GMMU_MAX_PAGES) {
        (void)snprintf(err->text, sizeof err->text,
                       "%s: found %s, expected a whole number of pages of %" PRIu64
                       " bytes, from 1 to %u pages",
                       option, size->text, UINT64_C(1) << page_shift, GMMU_MAX_PAGES);
        return false;
    }
    size->bytes = false;
    size->pages = (uint64_t)(bytes / page);
    return true;
}

uint32_t gmmu_size_frames(gmmu_size size, uint32_t distinct) {
    u128 pages = size.relative ? (u128)distinct * size.num / size.den : size.pages;
    return pages == 0 ? 1 : (uint32_t)pages;
}

uint32_t gmmu_size_tier2(gmmu_size size, uint32_t distinct, uint32_t frames) {
    u128 pages = size.multiple   ? (u128)frames * size.num / size.den
                 : size.relative ? (u128)distinct * size.num / size.den
                                 : size.pages;
    const u128 too_many = (u128)GMMU_MAX_PAGES + 1;
    return pages == 0 ? 1 : (uint32_t)(pages < too_many ? pages : too_many);
}

// The next item of a comma-separated list: its first character; *list moves past it, to NULL at
// the end.
static const char *next_item(const char **list, size_t *length) {
    const char *item = *list;
    *length = strcspn(item, ",");
    *list = item[*length] == ',' ? item + *length + 1 : NULL;
    return item;
}

// The unit of bytes in the LENGTH characters of TEXT, as log2: B, K, KiB and so on up to T, TiB.
static bool parse_unit(const char *text, size_t length, unsigned *unit) {
    static const char units[] = "kmgt";
    if (length == 1 && *text == 'B') {
        *unit = 0;
        return true;
    }
    const char *found = length == 0 ? NULL : strchr(units, *text | 0x20);
    if (found == NULL || (length != 1 && (length != 3 || strncmp(text + 1, "iB", 2) != 0))) {
        return false;
    }
    *unit = 10 * (unsigned)(found - units + 1);
    return true;
}

// A number, one with a fraction where '%', a unit of bytes or, if MULTIPLE, 'x' follows.
static bool parse_size(const char *item, size_t length, bool multiple, gmmu_size *size) {
    const char *p = item;
    *size = (gmmu_size){.den = 1};
    (void)snprintf(size->text, sizeof size->text, "%.*s", (int)length, item);
    if (!gmmu_parse_digits(&p, &size->pages)) {
        return false;
    }
    size->num = size->pages;
    const bool fraction = *p == '.';
    if (fraction) {
        const char *point = p++;
        uint64_t digits = 0;
        if (!gmmu_parse_digits(&p, &digits) || p - point > 7) {
            return false;
        }
        for (const char *q = point + 1; q < p; q++) {
            size->den *= 10;
            size->num *= 10;
        }
        size->num += digits;
    }
    size->relative = *p == '%';
    size->multiple = multiple && *p == 'x';
    if (size->multiple) {
        return p + 1 == item + length && size->num > 0;
    }
    if (size->relative) {
        size->den *= 100;
        return p + 1 == item + length && size->num > 0 && size->num <= size->den;
    }
    size->bytes = parse_unit(p, (size_t)(item + length - p), &size->unit);
    if (size->bytes) {
        return size->num > 0;
    }
    return !fraction && p == item + length && size->pages > 0 && size->pages <= GMMU_MAX_PAGES;
}

bool gmmu_parse_tier2(const char *text, gmmu_size *size, gmmu_error *err) {
    if (parse_size(text, strlen(text), true, size)) {
        return true;
    }
    (void)snprintf(
        err->text, sizeof err->text,
        "--tier2: found \"%.60s\", expected a multiple of each memory size above 0x, such "
        "as 4x, pages from 1 to %u, a part of the distinct pages up to 100%%, or bytes with a "
        "unit, such as 4GiB",
        text, GMMU_MAX_PAGES);
    return false;
}

bool gmmu_parse_sizes(const char *list, gmmu_size **items, size_t *count, gmmu_error *err) {
    *items = NULL;
    *count = 0;
    while (list != NULL) {
        size_t length = 0;
        const char *item = next_item(&list, &length);
        gmmu_size size = {0};
        bool good = parse_size(item, length, false, &size);
        gmmu_size *more = good ? gmmu_grow(*items, *count, *count + 1, sizeof **items, 0) : NULL;
        if (more == NULL) {
            if (good) {
                (void)snprintf(err->text, sizeof err->text, "out of memory");
            } else {
                (void)snprintf(err->text, sizeof err->text,
                               "--frames: found \"%.*s\", expected pages from 1 to %u, a part of "
                               "the distinct pages above 0%% and up to 100%%, such as 50%%, or "
                               "bytes with a unit, such as 4GiB",
                               (int)(length > 60 ? 60 : length), item, GMMU_MAX_PAGES);
            }
            free(*items);
            *items = NULL;
            return false;
        }
        *items = more;
        more[(*count)++] = size;
    }
    return true;
}

// Adds the names of all policies, or as many as fit, to TEXT.
static void list_policies(char *text, size_t size) {
    const gmmu_policy *p = NULL;
    for (size_t i = 0; (p = gmmu_policy_at(i)) != NULL; i++) {
        size_t used = strlen(text);
        (void)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : ", ", p->name);
    }
}

bool gmmu_parse_policies(const char *list, gmmu_choice **items, size_t *count, gmmu_error *err) {
    *items = NULL;
    *count = 0;
    while (list != NULL) {
        size_t length = 0;
        const char *item = next_item(&list, &length);
        size_t name = strcspn(item, ":,");
        const gmmu_policy *policy = gmmu_policy_find(item, name);
        if (policy == NULL) {
            char names[400] = "";
            list_policies(names, sizeof names);
            (void)snprintf(err->text, sizeof err->text,
                           "--policy: found \"%.*s\", expected one of %s",
                           (int)(name > 60 ? 60 : name), item, names);
            gmmu_choices_free(*items, *count);
            *items = NULL;
            return false;
        }
        gmmu_choice *more = gmmu_grow(*items, *count, *count + 1, sizeof **items, 0);
        char *label = more == NULL ? NULL : strndup(item, length);
        if (label == NULL) {
            (void)snprintf(err->text, sizeof err->text, "out of memory");
            gmmu_choices_free(more == NULL ? *items : more, *count);
            *items = NULL;
            return false;
        }
        *items = more;
        more[(*count)++] = (gmmu_choice){
            .policy = policy, .label = label, .options = name < length ? label + name + 1 : NULL};
    }
    return true;
}

bool gmmu_choice_enlarge(const gmmu_choice *p, uint32_t frames, char **label) {
    const char *option = p->policy->larger == NULL ? NULL : p->policy->larger(p->options, frames);
    *label = NULL;
    if (option == NULL) {
        return true;
    }
    const size_t length = strlen(p->label);
    const char *colon = p->label[length - 1] == ':' ? "" : ":";
    const size_t size = length + strlen(colon) + strlen(option) + 1;
    *label = malloc(size);
    if (*label != NULL) {
        (void)snprintf(*label, size, "%s%s%s", p->label, colon, option);
    }
    return *label != NULL;
}

void gmmu_choices_free(gmmu_choice *items, size_t count) {
    for (size_t i = 0; items != NULL && i < count; i++) {
        free(items[i].label);
    }
    free(items);
}
