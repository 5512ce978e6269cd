// SPDX-License-Identifier: Apache-2.0
// told_policy.h: a policy that moves what it is told to, right or wrong.
#ifndef GMMU_TB_TOLD_POLICY_H
#define GMMU_TB_TOLD_POLICY_H

#include <cstdint>
#include <vector>

#include "policy/policy.h"

// What the policy does next.
struct Told {
    bool fault = false;
    std::vector<gmmu_move> moves, after;
    bool stuck = false;
    uint32_t untouched_in = 0, untouched_out = 0;
    int status = GMMU_OK;
};
inline Told told;

inline int obey_told(gmmu_outcome *out) {
    *out = {};
    out->fault = told.fault;
    out->stuck = told.stuck;
    for (const gmmu_move &m : told.moves) {
        out->move[out->count++] = m;
    }
    out->after = told.after.data();
    out->after_count = static_cast<uint32_t>(told.after.size());
    out->untouched_in = told.untouched_in;
    out->untouched_out = told.untouched_out;
    return told.status;
}

inline gmmu_policy told_policy(bool tiers) {
    gmmu_policy p = {};
    p.name = "told";
    p.tiers = tiers;
    p.create = [](const gmmu_policy_config *, gmmu_error *) -> void * { return &told; };
    p.access = [](void *, uint32_t, const gmmu_walk *, gmmu_outcome *out, gmmu_error *) {
        return obey_told(out);
    };
    p.evict = [](void *, gmmu_outcome *out, gmmu_error *) { return obey_told(out); };
    p.destroy = [](void *) {};
    return p;
}

inline gmmu_move from_to(uint32_t page, gmmu_memory from, gmmu_memory to) {
    return {page, static_cast<uint8_t>(from), static_cast<uint8_t>(to)};
}

#endif
