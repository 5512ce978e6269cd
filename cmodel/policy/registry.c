// SPDX-License-Identifier: Apache-2.0
// registry.c: the table of the policies, and the counting replay around one of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/policy.h"

static const gmmu_policy *const table[] = {
    &gmmu_policy_opt,       &gmmu_policy_lru,      &gmmu_policy_fifo,     &gmmu_policy_clock,
    &gmmu_policy_random,    &gmmu_policy_lfu,      &gmmu_policy_2q,       &gmmu_policy_arc,
    &gmmu_policy_lirs,      &gmmu_policy_clockpro, &gmmu_policy_srrip,    &gmmu_policy_rrip_hpe,
    &gmmu_policy_sieve,     &gmmu_policy_s3fifo,   &gmmu_policy_vmin,     &gmmu_policy_osl,
    &gmmu_policy_leu_exact, &gmmu_policy_leu,      &gmmu_policy_leu_host, &gmmu_policy_leu2,
    &gmmu_policy_hpe,
};

const gmmu_policy *gmmu_policy_at(size_t i) {
    return i < sizeof table / sizeof table[0] ? table[i] : NULL;
}

const gmmu_policy *gmmu_policy_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strlen(table[i]->name) == length && memcmp(table[i]->name, name, length) == 0) {
            return table[i];
        }
    }
    return NULL;
}

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

uint32_t gmmu_policy_capacity(uint32_t cap, uint32_t page) {
    uint32_t twice = cap > GMMU_MAX_PAGES / 2 ? GMMU_MAX_PAGES : cap * 2;
    uint32_t need = page < 1024 ? 1024 : page + 1;
    return need > twice ? need : twice;
}

int gmmu_policy_no_memory(const char *policy, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%s: out of memory", policy);
    return GMMU_BAD;
}

bool gmmu_policy_no_options(const char *policy, const gmmu_policy_config *config, gmmu_error *err) {
    if (config->options == NULL || config->options[0] == '\0') {
        return true;
    }
    (void)snprintf(err->text, sizeof err->text,
                   "policy %s: found the option \"%.60s\", expected none", policy, config->options);
    return false;
}

enum { SEEN = 1, DIRTY = 2 };

struct gmmu_sim {
    const gmmu_policy *policy;
    void *state;
    gmmu_counts counts;
    uint8_t *flags;  // of each page
    uint32_t cap;
    uint32_t frames;
};

gmmu_sim *gmmu_sim_create(const gmmu_policy *policy, const gmmu_policy_config *config,
                          gmmu_error *err) {
    if (config->frames == 0 || (policy->needs_future && config->future == NULL)) {
        (void)snprintf(err->text, sizeof err->text, "policy %s: found %s", policy->name,
                       config->frames == 0 ? "0 frames, expected at least 1"
                                           : "no future, expected the whole trace");
        return NULL;
    }
    gmmu_sim *sim = calloc(1, sizeof *sim);
    if (sim == NULL) {
        (void)gmmu_policy_no_memory(policy->name, err);
        return NULL;
    }
    sim->policy = policy;
    sim->frames = config->frames;
    sim->state = policy->create(config, err);
    if (sim->state == NULL) {
        free(sim);
        return NULL;
    }
    return sim;
}

int gmmu_sim_access(gmmu_sim *sim, uint32_t page, const gmmu_walk *walk, gmmu_outcome *out,
                    gmmu_error *err) {
    if (page >= sim->cap) {
        uint32_t cap = gmmu_policy_capacity(sim->cap, page);
        uint8_t *flags = gmmu_grow(sim->flags, sim->cap, cap, 1, 0);
        if (flags == NULL) {
            return gmmu_policy_no_memory(sim->policy->name, err);
        }
        sim->flags = flags;
        sim->cap = cap;
    }
    int status = sim->policy->access(sim->state, page, walk, out, err);
    if (status != GMMU_OK) {
        return status;
    }
    gmmu_counts *n = &sim->counts;
    n->accesses++;
    if (out->fault) {
        n->faults++;
        if ((sim->flags[page] & SEEN) == 0) {
            n->cold++;
        }
        sim->flags[page] = SEEN;  // clean as it comes in
        if (out->victim != GMMU_NO_PAGE) {
            n->evictions++;
            n->writebacks += (sim->flags[out->victim] & DIRTY) != 0 ? 1U : 0U;
        }
    }
    if (walk->write) {
        sim->flags[page] = SEEN | DIRTY;
    }
    for (uint32_t i = 0; i < out->left_count; i++) {
        n->evictions++;
        n->writebacks += (sim->flags[out->left[i]] & DIRTY) != 0 ? 1U : 0U;
    }
    return GMMU_OK;
}

int gmmu_sim_replay(gmmu_sim *sim, const uint32_t *index, const gmmu_walk *walks, size_t count,
                    gmmu_error *err) {
    enum { AHEAD = 16 };
    gmmu_outcome out;
    int status = GMMU_OK;
    for (size_t i = 0; i < count && status == GMMU_OK; i++) {
        if (sim->policy->prefetch != NULL && i + AHEAD < count) {
            sim->policy->prefetch(sim->state, index[i + AHEAD]);
        }
        status = gmmu_sim_access(sim, index[i], &walks[i], &out, err);
    }
    return status;
}

uint32_t gmmu_sim_frames(const gmmu_sim *sim) {
    uint64_t walks = sim->counts.accesses;
    if (sim->policy->size_sum == NULL || walks == 0) {
        return sim->frames;
    }
    return (uint32_t)((sim->policy->size_sum(sim->state) + walks / 2) / walks);
}

gmmu_counts gmmu_sim_counts(const gmmu_sim *sim) {
    return sim->counts;
}

bool gmmu_sim_watch(gmmu_sim *sim, const gmmu_watch *watch) {
    if (sim->policy->watch == NULL) {
        return false;
    }
    sim->policy->watch(sim->state, watch);
    return true;
}

bool gmmu_sim_note(const gmmu_sim *sim, char *text, size_t size) {
    if (sim->policy->note == NULL) {
        return false;
    }
    sim->policy->note(sim->state, text, size);
    return true;
}

void gmmu_sim_destroy(gmmu_sim *sim) {
    if (sim != NULL) {
        sim->policy->destroy(sim->state);
        free(sim->flags);
        free(sim);
    }
}
