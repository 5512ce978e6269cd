// SPDX-License-Identifier: Apache-2.0
// arrival_policy.h: a policy of replay in the unit's place, where faults take time. The policy
// hears of every walk that is no replay, decides at each fault, and names no page that is on its
// way or fresh.
//
// OPT goes by the trace's order, which is not the order of the walks here: the page whose next use
// lies furthest ahead in the trace leaves, by the latest access to each page that began.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parameters.h"
#include "policy/replay.h"
#include "unit.h"

class ArrivalPolicy : public Unit {
   public:
    // Pages, or GMMU_NO_PAGE.
    struct Leaves {
        uint32_t victim = GMMU_NO_PAGE;   // near memory,
        gmmu_memory to = GMMU_FAR;        // for this one
        uint32_t dropped = GMMU_NO_PAGE;  // Tier 2
    };
    // Who names the victims.
    class Chooser {
       public:
        virtual ~Chooser() = default;
        // PAGE, of which a walk came: is it in memory as the policy has it? If not, the page comes,
        // and *LEAVES leave. False: memory is full, and nobody may leave.
        virtual bool access(uint32_t page, const WalkTag &tag, Leaves *leaves) = 0;
        // A victim without an access. False: nobody may leave.
        virtual bool evict(Leaves *leaves) = 0;
        // An access behind another one's walk.
        virtual void merged(uint32_t page, uint64_t number) {
            (void)page;
            (void)number;
        }
    };

    ArrivalPolicy(const sc_core::sc_module_name &name, const Parameters &p,
                  const gmmu_policy *policy, gmmu_policy_config config, gmmu_pages *pages);
    gmmu_counters counters() override { return stats_; }
    void merged(const gmmu_walk &walk, uint64_t number) {
        chooser_->merged(gmmu_pages_index(pages_, walk.asid, walk.vpn), number);
    }
    bool hears_merged = false;  // merged() changes something

   protected:
    void walk(const WalkTag &tag) override;
    void operation(const gmmu_tier_drv_in &in) override;

   private:
    enum class Is : uint8_t { ABSENT, COMING, FRESH, USED };
    struct Page {
        Is is = Is::ABSENT;
        bool pinned = false;
        uint32_t frame = 0;
        uint64_t filled = 0;  // in epochs
    };
    const unsigned fresh_;  // cfg_fresh
    const uint32_t ahead_, frames_;
    const bool tiers_;
    gmmu_pages *pages_;
    std::unique_ptr<Chooser> chooser_;
    std::vector<Page> page_;
    std::vector<uint32_t> page_of_;  // of each frame, since its last FILL
    uint64_t heard_ = 0;             // walks and replays
    uint32_t resident_ = 0;
    bool spent_ = false;  // nobody may leave ahead of need, and nothing has changed since
    gmmu_counters stats_ = {};

    Page &of(uint32_t page) {
        if (page >= page_.size())
            page_.resize(page * size_t(2) + 64);
        return page_[page];
    }
    uint64_t epoch() const { return fresh_ == 0 ? 0 : heard_ >> fresh_; }
    bool may_leave(uint32_t page) const;
    void ask(const WalkTag &tag, bool lost);
    void go_ahead(const WalkTag &tag);
    void leave(const Leaves &leaves, gmmu_tier_decision *d);
};
