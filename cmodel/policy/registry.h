// SPDX-License-Identifier: Apache-2.0
// registry.h: the list of all policies.
#ifndef GMMU_POLICY_REGISTRY_H
#define GMMU_POLICY_REGISTRY_H

#include "policy/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

// All policies, in the order of the help text.
#define GMMU_POLICIES(POLICY) \
    POLICY(opt)               \
    POLICY(lru)               \
    POLICY(mru)               \
    POLICY(fifo)              \
    POLICY(clock)             \
    POLICY(random)            \
    POLICY(lfu)               \
    POLICY(2q)                \
    POLICY(arc)               \
    POLICY(lirs)              \
    POLICY(clockpro)          \
    POLICY(srrip)             \
    POLICY(rrip_hpe)          \
    POLICY(sieve)             \
    POLICY(s3fifo)            \
    POLICY(uvm)               \
    POLICY(vmin)              \
    POLICY(osl)               \
    POLICY(mean_ri)           \
    POLICY(osl_rank)          \
    POLICY(hawkeye)           \
    POLICY(mockingjay)        \
    POLICY(leu_exact)         \
    POLICY(leu)               \
    POLICY(leu_host)          \
    POLICY(leu2)              \
    POLICY(hpe)               \
    POLICY(hinted)            \
    POLICY(hinted_known)      \
    POLICY(bam)               \
    POLICY(gmt_tierorder)     \
    POLICY(gmt_random)        \
    POLICY(gmt_reuse)         \
    POLICY(gmt_foretold)      \
    POLICY(tier)              \
    POLICY(opt_tiers)

#define GMMU_POLICY_EXTERN(policy) extern const gmmu_policy gmmu_policy_##policy;
GMMU_POLICIES(GMMU_POLICY_EXTERN)
#undef GMMU_POLICY_EXTERN

// Returns policy number I, NULL past the last policy; the policy named NAME (LENGTH characters), or
// NULL. The policies that were added stand behind the others.
const gmmu_policy *gmmu_policy_at(size_t i);
const gmmu_policy *gmmu_policy_find(const char *name, size_t length);
// Adds the COUNT POLICIES, which last as long as the program: all, or none and *err. False: a
// policy lacks a member that it needs, its name is no word or is known, or there is no memory.
bool gmmu_policy_add(const gmmu_policy *const *policies, size_t count, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
