// SPDX-License-Identifier: Apache-2.0
// rdgc_cases.c: which grids and which GPUs `gmmu rdgc` is asked for.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rdgc_request.h"

static bool bad_grids(const char *list, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text,
                   "--grid: found \"%.60s\", expected all, or up to %d of K, A-B, A- and A-/STEP, "
                   "comma-separated",
                   list, RDGC_RANGES);
    return false;
}

// A number below 10^9 at *text, which goes behind it.
static bool grid_number(const char **text, uint64_t *n) {
    const char *start = *text;
    *n = 0;
    for (; **text >= '0' && **text <= '9' && *text - start < 9; ++*text) {
        *n = *n * 10 + (uint64_t)(**text - '0');
    }
    return *text != start;
}

static bool parse_range(const char **at, rdgc_range *range) {
    *range = (rdgc_range){.step = 1};
    if (!grid_number(at, &range->first)) {
        return false;
    }
    range->last = range->first;
    if (**at == '-') {
        ++*at;
        if (!grid_number(at, &range->last)) {
            range->last = UINT64_MAX;
        }
    }
    if (**at == '/') {
        ++*at;
        if (!grid_number(at, &range->step)) {
            return false;
        }
    }
    return range->step > 0 && range->last >= range->first && (**at == ',' || **at == '\0');
}

bool rdgc_parse_grids(const char *list, rdgc_request *r, gmmu_error *err) {
    r->ranges = 0;
    if (strcmp(list, "all") == 0) {
        return true;
    }
    for (const char *at = list;; at++) {
        if (r->ranges == RDGC_RANGES || !parse_range(&at, &r->range[r->ranges])) {
            return bad_grids(list, err);
        }
        r->ranges++;
        if (*at == '\0') {
            return true;
        }
    }
}

bool rdgc_wants_grid(const rdgc_request *r, uint64_t number) {
    for (size_t i = 0; i < r->ranges; i++) {
        const rdgc_range *g = &r->range[i];
        if (number >= g->first && number <= g->last && (number - g->first) % g->step == 0) {
            return true;
        }
    }
    return r->ranges == 0;
}

bool rdgc_behind_last(const rdgc_request *r, uint64_t number) {
    bool behind = r->ranges > 0;
    for (size_t i = 0; i < r->ranges; i++) {
        behind &= number > r->range[i].last;
    }
    return behind;
}

// Cuts *at at the first BYTE and goes behind it; what was before it. NULL: *at was used up.
static char *piece(char **at, char byte) {
    char *start = *at;
    if (start == NULL) {
        return NULL;
    }
    char *end = strchr(start, byte);
    *at = end == NULL ? NULL : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    return start;
}

// The pieces of TEXT between BYTE; MOST + 1 of them: too many.
static size_t split(char *text, char byte, const char **pieces, size_t most) {
    size_t n = 0;
    for (char *p; (p = piece(&text, byte)) != NULL; n++) {
        if (n == most) {
            return most + 1;
        }
        pieces[n] = p;
    }
    return n;
}

static bool cut_variation(rdgc_variation *v) {
    char *values = v->text;
    char *keys = piece(&values, '=');
    v->keys = split(keys, '+', v->key, RDGC_TOGETHER);
    if (values == NULL || v->keys > RDGC_TOGETHER) {
        return false;
    }
    for (char *value; (value = piece(&values, ',')) != NULL; v->values++) {
        if (v->values == RDGC_VALUES) {
            return false;
        }
        const char **part = v->value[v->values];
        size_t parts = split(value, ':', part, v->keys);
        if (parts == 1) {  // one for all keys
            for (size_t k = 1; k < v->keys; k++) {
                part[k] = part[0];
            }
        } else if (parts != v->keys) {
            return false;
        }
    }
    return true;
}

bool rdgc_parse_variation(const char *text, rdgc_request *r, gmmu_error *err) {
    if (r->variations == RDGC_VARIATIONS) {
        (void)snprintf(err->text, sizeof err->text, "--vary: found more than %d, expected fewer",
                       RDGC_VARIATIONS);
        return false;
    }
    if (r->variation == NULL) {
        r->variation = calloc(RDGC_VARIATIONS, sizeof *r->variation);
    }
    char *copy = r->variation == NULL ? NULL : strdup(text);
    if (copy == NULL) {
        (void)snprintf(err->text, sizeof err->text, "--vary: out of memory");
        return false;
    }
    rdgc_variation *v = &r->variation[r->variations++];
    v->text = copy;
    if (!cut_variation(v)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--vary: found \"%.100s\", expected KEY=VALUE,VALUE... or "
                       "KEY+KEY=VALUE:VALUE,… with at most %d keys and %d values",
                       text, RDGC_TOGETHER, RDGC_VALUES);
        return false;
    }
    return true;
}

void rdgc_free_variations(rdgc_request *r) {
    for (size_t i = 0; i < r->variations; i++) {
        free(r->variation[i].text);
    }
    free(r->variation);
}

// Which of variation V's values case NUMBER takes.
static size_t choice(const rdgc_request *r, size_t number, size_t v) {
    for (size_t i = r->variations - 1; i > v; i--) {
        number /= r->variation[i].values;
    }
    return number % r->variation[v].values;
}

const char *rdgc_value(const rdgc_request *r, size_t number, size_t v, size_t k) {
    return r->variation[v].value[choice(r, number, v)][k];
}

// Case NUMBER's GPU and models.
static bool make_case(const rdgc_request *r, size_t number, rdgc_case *c, gmmu_error *err) {
    c->gpu = r->gpu;
    for (size_t v = 0; v < r->variations; v++) {
        for (size_t k = 0; k < r->variation[v].keys; k++) {
            if (gmmu_gpu_set(&c->gpu, r->variation[v].key[k], rdgc_value(r, number, v, k), err) !=
                GMMU_OK) {
                return false;
            }
        }
    }
    if (gmmu_gpu_check(&c->gpu, err) != GMMU_OK) {
        return false;
    }
    const gmmu_rdgc_config *g = &c->gpu.rdgc;
    if (r->ways && (g->l1.replacement != GMMU_RDGC_LRU || g->l2.replacement != GMMU_RDGC_LRU)) {
        (void)snprintf(err->text, sizeof err->text,
                       "--ways: found a cache without replace = lru, expected LRU in both: other "
                       "policies keep no counters of distances");
        return false;
    }
    bool bypassed = c->gpu.rdgc.l1.bypass == GMMU_RDGC_RWON;
    if (bypassed && r->l1 == RDGC_L1_ON) {
        (void)snprintf(err->text, sizeof err->text,
                       "--l1 on: found l1.bypass = rwon, expected a GPU whose L1 caches");
        return false;
    }
    if ((r->l1 & RDGC_L1_ON) != 0 && !bypassed) {
        c->on = gmmu_rdgc_create(&c->gpu.rdgc, err);
        if (c->on == NULL) {
            return false;
        }
    }
    if ((r->l1 & RDGC_L1_OFF) != 0) {
        gmmu_rdgc_config config = c->gpu.rdgc;
        config.l1.bypass = GMMU_RDGC_RWON;
        c->off = gmmu_rdgc_create(&config, err);
        if (c->off == NULL) {
            return false;
        }
    }
    return true;
}

rdgc_case *rdgc_make_cases(const rdgc_request *r, size_t *count, gmmu_error *err) {
    *count = 1;
    for (size_t v = 0; v < r->variations; v++) {
        *count *= r->variation[v].values;
        if (*count > RDGC_CASES) {
            (void)snprintf(err->text, sizeof err->text,
                           "--vary: found more than %d combinations, expected at most so many",
                           RDGC_CASES);
            return NULL;
        }
    }
    rdgc_case *cases = calloc(*count, sizeof *cases);
    if (cases == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory for %zu cases", *count);
        return NULL;
    }
    for (size_t i = 0; i < *count; i++) {
        if (!make_case(r, i, &cases[i], err)) {
            rdgc_free_cases(cases, *count);
            return NULL;
        }
    }
    return cases;
}

void rdgc_free_cases(rdgc_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        gmmu_rdgc_destroy(cases[i].on);
        gmmu_rdgc_destroy(cases[i].off);
    }
    free(cases);
}
