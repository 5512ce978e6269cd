// SPDX-License-Identifier: Apache-2.0
// slow_policies.h: replacement policies written from their papers, O(n) a step: what the fast ones
// of cmodel/policy are compared with. Nothing is shared with them but the rows of
// docs/reference/policies.md.
#ifndef GMMU_TB_SLOW_POLICIES_H
#define GMMU_TB_SLOW_POLICIES_H

#include <memory>
#include <stdexcept>
#include <string>

#include "slow_policies/arc.h"
#include "slow_policies/clock_pro.h"
#include "slow_policies/hawkeye.h"
#include "slow_policies/lfu.h"
#include "slow_policies/lirs.h"
#include "slow_policies/mockingjay.h"
#include "slow_policies/mru.h"
#include "slow_policies/osl.h"
#include "slow_policies/policy.h"
#include "slow_policies/random.h"
#include "slow_policies/rank.h"
#include "slow_policies/rrip.h"
#include "slow_policies/s3fifo.h"
#include "slow_policies/sieve.h"
#include "slow_policies/two_q.h"
#include "slow_policies/vmin.h"

namespace slow {

inline std::unique_ptr<Policy> make(const std::string &name, const Setting &s) {
    if (name == "random") {
        return std::make_unique<Random>(s);
    }
    if (name == "lfu") {
        return std::make_unique<Lfu>(s);
    }
    if (name == "2q") {
        return std::make_unique<TwoQ>(s);
    }
    if (name == "arc") {
        return std::make_unique<Arc>(s);
    }
    if (name == "lirs") {
        return std::make_unique<Lirs>(s);
    }
    if (name == "clockpro") {
        return std::make_unique<ClockPro>(s);
    }
    if (name == "srrip" || name == "rrip-hpe") {
        return std::make_unique<Rrip>(s, name == "rrip-hpe");
    }
    if (name == "sieve") {
        return std::make_unique<Sieve>(s);
    }
    if (name == "s3fifo") {
        return std::make_unique<S3Fifo>(s);
    }
    if (name == "vmin") {
        return std::make_unique<Vmin>(s);
    }
    if (name == "osl") {
        return std::make_unique<Osl>(s);
    }
    if (name == "mru") {
        return std::make_unique<Mru>(s);
    }
    if (name == "mean-ri" || name == "osl-rank") {
        return std::make_unique<Rank>(s, name == "osl-rank");
    }
    if (name == "hawkeye") {
        return std::make_unique<Hawkeye>(s);
    }
    if (name == "mockingjay") {
        return std::make_unique<Mockingjay>(s);
    }
    throw std::invalid_argument("no slow model of " + name);
}

}  // namespace slow

#endif
