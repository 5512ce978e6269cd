// SPDX-License-Identifier: Apache-2.0
// curves_read.c: one reading of the trace through the stacks of curves.
#include "run/curves_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "policy/option.h"

enum {
    BLOCK = 256,  // walks read at a time
    AHEAD = 8     // walks from the fetch of what a stack has of a page to its use
};

// Walks and the numbers of their pages.
typedef struct {
    gmmu_walk walks[BLOCK];
    uint32_t page[BLOCK], hash[BLOCK];
    size_t count;
} block;

static bool no_memory(const char *what, gmmu_error *err) {
    (void)gmmu_policy_no_memory(what, err);
    return false;
}

// The stacks that are wanted, and what must be kept for the rest.
bool gmmu_curves_begin(gmmu_curves *s, gmmu_error *err) {
    s->pages = gmmu_pages_create();
    s->curves = calloc(s->policy_count, sizeof *s->curves);
    if (s->pages == NULL || s->curves == NULL) {
        return no_memory("page map", err);
    }
    s->sampling = s->rate != 0 || s->most != 0;
    s->number_all = !s->sampling || s->check;
    if (s->check && !s->sampling) {
        (void)snprintf(err->text, sizeof err->text,
                       "--check: found no --sample, expected one to compare with the exact curve");
        return false;
    }
    for (size_t i = 0; i < s->policy_count; i++) {
        gmmu_policy_curve *c = &s->curves[i];
        c->choice = &s->policies[i];
        const char *name = c->choice->policy->name;
        c->kind = gmmu_stack_find(name, strlen(name));
        gmmu_policy_config config = {.options = c->choice->options};
        if (c->kind != NULL && !gmmu_policy_no_options(name, &config, err)) {
            return false;
        }
        if (c->kind == NULL && s->sampling) {
            (void)snprintf(err->text, sizeof err->text,
                           "--sample: found the policy %s, expected lru, opt or leu-exact", name);
            return false;
        }
        s->runs |= c->kind == NULL;
        s->hinted = c->choice->policy->hint != NULL ? name : s->hinted;
        bool exact = c->kind != NULL && s->number_all;
        bool sampled = c->kind != NULL && s->sampling;
        c->exact = exact ? c->kind->create() : NULL;
        c->sampled = sampled ? c->kind->create() : NULL;
        if ((exact && c->exact == NULL) || (sampled && c->sampled == NULL)) {
            return no_memory(name, err);
        }
    }
    double threshold = s->rate != 0 ? rint(s->rate * (double)GMMU_SAMPLE_ALL) : 0x1p32;
    gmmu_sample_set_init(&s->set, s->most != 0 ? (uint32_t)s->most : GMMU_MAX_PAGES,
                         (uint64_t)threshold);
    return true;
}

static bool sample_access(gmmu_curves *s, gmmu_policy_curve *c, const gmmu_touch *touch,
                          uint32_t hash, gmmu_error *err) {
    uint32_t distance = 0;
    if (c->kind->access(c->sampled, touch, &distance, err) != GMMU_OK) {
        return false;
    }
    if (gmmu_estimate_add(&c->estimate, distance, hash, s->set.threshold) != GMMU_OK) {
        return no_memory(c->kind->policy, err);
    }
    return true;
}

// One access to a page of the sample; IS_NEW: the page's first.
static bool take_sample(gmmu_curves *s, const gmmu_touch *touch, uint32_t hash, bool is_new,
                        gmmu_error *err) {
    bool bounded = s->most != 0;
    if (bounded && is_new && gmmu_sample_set_add(&s->set, hash, touch->page) != GMMU_OK) {
        return no_memory("sample", err);
    }
    uint32_t out = 0;
    while (bounded && is_new && gmmu_sample_set_shrink(&s->set, &out)) {
        for (size_t i = 0; i < s->policy_count; i++) {
            if (s->curves[i].kind->forget != NULL) {
                s->curves[i].kind->forget(s->curves[i].sampled, out);
            }
        }
    }
    if (hash >= s->set.threshold) {
        return true;  // it was the page that left
    }
    bool keep = false;
    for (size_t i = 0; i < s->policy_count; i++) {
        gmmu_policy_curve *c = &s->curves[i];
        if (bounded && c->kind->forget == NULL) {
            keep = true;
        } else if (!sample_access(s, c, touch, hash, err)) {
            return false;
        }
    }
    if (keep && s->touch_count == s->touch_cap) {
        size_t cap = s->touch_cap == 0 ? 4096 : s->touch_cap * 2;
        gmmu_sampled_touch *touches = gmmu_grow(s->touches, s->touch_cap, cap, sizeof *touches, 0);
        if (touches == NULL) {
            return no_memory("sample", err);
        }
        s->touches = touches;
        s->touch_cap = cap;
    }
    if (keep) {
        s->touches[s->touch_count++] = (gmmu_sampled_touch){.touch = *touch, .hash = hash};
    }
    return true;
}

// Reads up to BLOCK walks and numbers their pages; those outside the sample are GMMU_NO_PAGE where
// that is all that is wanted. GMMU_END once fewer than BLOCK were left.
static int read_block(gmmu_curves *s, block *b, gmmu_error *err) {
    int status = GMMU_OK;
    for (b->count = 0; b->count < BLOCK; b->count++) {
        gmmu_walk *w = &b->walks[b->count];
        status = gmmu_source_next(s->source, w, err);
        if (status != GMMU_OK) {
            break;
        }
        size_t hints = 0;
        if (s->hinted != NULL && (gmmu_source_hints(s->source, &hints), hints != 0)) {
            (void)snprintf(err->text, sizeof err->text,
                           "%.200s: found hints, expected none with the policy %s, to which curves "
                           "hand none (gmmu replay does)",
                           s->source->path, s->hinted);
            return GMMU_BAD;
        }
        gmmu_pages_prefetch(s->pages, w->asid, w->vpn);
    }
    for (size_t i = 0; status != GMMU_BAD && i < b->count; i++) {
        const gmmu_walk *w = &b->walks[i];
        if (s->sampling) {
            b->hash[i] = (uint32_t)gmmu_sample_hash(w->asid, w->vpn);
        }
        b->page[i] = GMMU_NO_PAGE;
        if (s->number_all || b->hash[i] < s->set.threshold) {
            b->page[i] = gmmu_pages_index(s->pages, w->asid, w->vpn);
            if (b->page[i] == GMMU_NO_PAGE) {
                return gmmu_policy_no_memory("page map", err);
            }
        }
    }
    return status;
}

static gmmu_touch touch_of(const gmmu_curves *s, const block *b, size_t i) {
    const gmmu_walk *w = &b->walks[i];
    return (gmmu_touch){
        .page = b->page[i], .asid = w->asid, .ref = w->ref, .time = s->accesses + i + 1};
}

static bool take_exact(const gmmu_curves *s, gmmu_policy_curve *c, const block *b,
                       gmmu_error *err) {
    for (size_t i = 0; i < b->count; i++) {
        if (c->kind->prefetch != NULL && i + AHEAD < b->count) {
            c->kind->prefetch(c->exact, b->page[i + AHEAD]);
        }
        gmmu_touch touch = touch_of(s, b, i);
        uint32_t distance = 0;
        if (c->kind->access(c->exact, &touch, &distance, err) != GMMU_OK) {
            return false;
        }
        if (gmmu_curve_add(&c->curve, distance) != GMMU_OK) {
            return no_memory(c->kind->policy, err);
        }
    }
    return true;
}

static bool take_block(gmmu_curves *s, const block *b, gmmu_error *err) {
    for (size_t i = 0; i < s->policy_count; i++) {
        if (s->curves[i].exact != NULL && !take_exact(s, &s->curves[i], b, err)) {
            return false;
        }
    }
    for (size_t i = 0; s->runs && i < b->count; i++) {
        if (gmmu_kept_add(&s->kept, b->page[i], &b->walks[i]) != GMMU_OK) {
            return no_memory("trace", err);
        }
    }
    for (size_t i = 0; s->sampling && i < b->count; i++) {
        gmmu_touch touch = touch_of(s, b, i);
        bool is_new = b->page[i] == s->met;  // pages are numbered in order of appearance
        s->met += is_new ? 1 : 0;
        if (b->hash[i] < s->set.threshold && !take_sample(s, &touch, b->hash[i], is_new, err)) {
            return false;
        }
    }
    s->accesses += b->count;
    return true;
}

bool gmmu_curves_read(gmmu_curves *s, gmmu_error *err) {
    block b;
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        status = gmmu_source_stopped(s->source, err) ? GMMU_BAD : read_block(s, &b, err);
        if (status == GMMU_BAD || !take_block(s, &b, err)) {
            return false;
        }
    }
    // Stacks that cannot forget a page: now the sample is known.
    for (size_t i = 0; i < s->touch_count; i++) {
        const gmmu_sampled_touch *k = &s->touches[i];
        for (size_t j = 0; k->hash < s->set.threshold && j < s->policy_count; j++) {
            gmmu_policy_curve *c = &s->curves[j];
            if (c->kind->forget == NULL && !sample_access(s, c, &k->touch, k->hash, err)) {
                return false;
            }
        }
    }
    return true;
}
