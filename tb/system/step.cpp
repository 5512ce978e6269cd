// SPDX-License-Identifier: Apache-2.0
// step.cpp: what the steps of all kinds read and send.
#include "step.h"

#include "blocks/crc32c.h"
#include "host/bad.h"

std::string text_of(json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    if (s == nullptr)
        bad(std::string("step: found no \"") + key + "\", expected a string");
    return s;
}

uint64_t number_of(json_t *o, const char *key, uint64_t otherwise) {
    json_t *v = json_object_get(o, key);
    return json_is_integer(v) ? static_cast<uint64_t>(json_integer_value(v)) : otherwise;
}

gmmu_tier_walk_in walk_of(const gmmu_walk &walk, const gmmu_config &cfg) {
    gmmu_tier_walk_in w = {};
    w.vpn = walk.vpn;
    w.asid = walk.asid;
    w.ref = gmmu_fold_ref(walk.ref, cfg.ref_w);
    w.write = walk.write;
    return w;
}
