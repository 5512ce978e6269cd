// SPDX-License-Identifier: Apache-2.0
// registry.c: the policies by number and by name.
#include "policy/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROW(policy) &gmmu_policy_##policy,
static const gmmu_policy *const table[] = {GMMU_POLICIES(ROW)};
#undef ROW
enum { OWN = sizeof table / sizeof table[0] };

static const gmmu_policy **added;
static size_t added_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// LOCK is held.
static const gmmu_policy *at(size_t i) {
    if (i < OWN) {
        return table[i];
    }
    return i - OWN < added_count ? added[i - OWN] : NULL;
}

static const gmmu_policy *find(const char *name, size_t length) {
    const gmmu_policy *p = NULL;
    for (size_t i = 0; (p = at(i)) != NULL; i++) {
        if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) {
            return p;
        }
    }
    return NULL;
}

const gmmu_policy *gmmu_policy_at(size_t i) {
    (void)pthread_mutex_lock(&lock);
    const gmmu_policy *p = at(i);
    (void)pthread_mutex_unlock(&lock);
    return p;
}

const gmmu_policy *gmmu_policy_find(const char *name, size_t length) {
    (void)pthread_mutex_lock(&lock);
    const gmmu_policy *p = find(name, length);
    (void)pthread_mutex_unlock(&lock);
    return p;
}

// NAME can stand in a list of policies with their options.
static bool is_word(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
    return name[0] != '\0' && name[strspn(name, letters)] == '\0';
}

// POLICY, number I of those to be added, has what it needs.
static bool is_complete(const gmmu_policy *policy, size_t i, gmmu_error *err) {
    if (policy->name == NULL || !is_word(policy->name)) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy number %zu: found the name \"%.60s\", expected letters, digits and "
                       "the characters _-+.",
                       i + 1, policy->name == NULL ? "" : policy->name);
        return false;
    }
    const char *missing = policy->help == NULL      ? "help"
                          : policy->create == NULL  ? "create"
                          : policy->access == NULL  ? "access"
                          : policy->destroy == NULL ? "destroy"
                                                    : NULL;
    if (missing != NULL || strchr(policy->help, '\n') != NULL) {
        (void)snprintf(err->text, sizeof err->text, "policy %.60s: found %s, expected %s",
                       policy->name, missing != NULL ? "no member" : "a help of several lines",
                       missing != NULL ? missing : "one");
        return false;
    }
    return true;
}

// The name of policy number I of those to be added is new. LOCK is held.
static bool is_new(const gmmu_policy *const *policies, size_t i, gmmu_error *err) {
    const char *name = policies[i]->name;
    bool known = find(name, strlen(name)) != NULL;
    for (size_t j = 0; j < i; j++) {
        known |= strcmp(name, policies[j]->name) == 0;
    }
    if (known) {
        (void)snprintf(err->text, sizeof err->text,
                       "policy %.60s: found a name that another policy has, expected a new one",
                       name);
    }
    return !known;
}

bool gmmu_policy_add(const gmmu_policy *const *policies, size_t count, gmmu_error *err) {
    bool good = true;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; good && i < count; i++) {
        good = is_complete(policies[i], i, err) && is_new(policies, i, err);
    }
    if (good) {
        const gmmu_policy **more =
            gmmu_grow(added, added_count, added_count + count, sizeof(const gmmu_policy *), 0);
        good = more != NULL || (gmmu_policy_no_memory("registry", err), false);
        for (size_t i = 0; good && i < count; i++) {
            added = more;
            added[added_count++] = policies[i];
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return good;
}
