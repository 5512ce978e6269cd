// SPDX-License-Identifier: Apache-2.0
// arrival_policy.cpp: see arrival_policy.h.
#include "arrival_policy.h"

#include <unordered_map>

namespace {

// A policy of replay.
class Replayed : public ArrivalPolicy::Chooser {
    using Leaves = ArrivalPolicy::Leaves;

   public:
    Replayed(const gmmu_policy *policy, const gmmu_policy_config &config, bool ahead)
        : name_(policy->name) {
        gmmu_error err = {};
        if (policy->needs_future)
            bad("--policy: found " + name_ +
                ", expected one that does not go by the trace's order, or --set "
                "run.timeline=decided with it");
        if (policy->size_sum != nullptr)
            bad("--policy: found " + name_ + ", expected one whose memory has one size");
        if (ahead && policy->evict == nullptr)
            bad("--policy: found " + name_ +
                ", which names nobody ahead of need, expected unit.ahead=0 with it");
        sim_ = gmmu_sim_create(policy, &config, &err);
        if (sim_ == nullptr)
            bad(err.text);
    }
    Replayed(const Replayed &) = delete;
    Replayed &operator=(const Replayed &) = delete;
    ~Replayed() override { gmmu_sim_destroy(sim_); }
    bool access(uint32_t page, const WalkTag &tag, Leaves *leaves) override {
        gmmu_error err = {};
        gmmu_outcome out = {};
        if (gmmu_sim_access(sim_, page, &tag.walk, &out, &err) != GMMU_OK)
            bad(err.text);
        return read(out, page, leaves);
    }
    bool evict(Leaves *leaves) override {
        gmmu_error err = {};
        gmmu_outcome out = {};
        if (gmmu_sim_evict(sim_, &out, &err) != GMMU_OK)
            bad(err.text);
        return read(out, GMMU_NO_PAGE, leaves);
    }

   private:
    std::string name_;
    gmmu_sim *sim_ = nullptr;

    // What OUT moves but for PAGE, which comes.
    bool read(const gmmu_outcome &out, uint32_t page, Leaves *leaves) const {
        *leaves = {};
        for (uint32_t i = 0; i < out.count; i++) {
            const gmmu_move &m = out.move[i];
            if (m.page == page && m.to == GMMU_NEAR)
                continue;
            if (m.from == GMMU_NEAR && leaves->victim == GMMU_NO_PAGE) {
                leaves->victim = m.page;
                leaves->to = static_cast<gmmu_memory>(m.to);
            } else if (m.from == GMMU_HOST && m.to == GMMU_FAR && leaves->dropped == GMMU_NO_PAGE) {
                leaves->dropped = m.page;
            } else {
                bad("--policy: found " + name_ + ", which moves pages that nobody asked for, " +
                    "expected --set run.timeline=decided with it");
            }
        }
        if (out.after_count != 0)
            bad("--policy: found " + name_ + ", which moves pages behind an access, expected " +
                "--set run.timeline=decided with it");
        return !out.stuck;
    }
};

// OPT by the trace's order. Of pages without a next use the one used longest ago leaves first.
class Opt : public ArrivalPolicy::Chooser {
   public:
    explicit Opt(const gmmu_policy_config &config) : config_(config) {}
    bool access(uint32_t page, const WalkTag &tag, ArrivalPolicy::Leaves *leaves) override {
        *leaves = {};
        if (key_of_.count(page) == 0 && key_of_.size() == config_.frames && !evict(leaves))
            return false;
        used(page, tag.number);
        return true;
    }
    bool evict(ArrivalPolicy::Leaves *leaves) override {
        *leaves = {};
        for (const auto &k : by_use_) {
            if (!gmmu_may_leave(&config_.eligible, k.second))
                continue;
            leaves->victim = k.second;
            key_of_.erase(k.second);
            by_use_.erase(k.first);
            return true;
        }
        return false;
    }
    void merged(uint32_t page, uint64_t number) override {
        if (key_of_.count(page) != 0)
            used(page, number);
    }

   private:
    // The next use and, without one, the last use: the first key is to leave first.
    using Key = std::pair<uint64_t, uint64_t>;
    gmmu_policy_config config_;
    std::map<Key, uint32_t> by_use_;
    std::unordered_map<uint32_t, Key> key_of_;

    // By access NUMBER of the trace, from 1.
    void used(uint32_t page, uint64_t number) {
        const uint64_t next = config_.future->next[number - 1];
        const Key key = {GMMU_NEVER - next, next == GMMU_NEVER ? number : 0};
        const auto known = key_of_.find(page);
        if (known == key_of_.end()) {
            key_of_.emplace(page, key);
        } else if (key < known->second || (next == GMMU_NEVER && known->second.first != 0)) {
            by_use_.erase(known->second);
            known->second = key;
        } else {
            return;  // an access behind a later one
        }
        by_use_.emplace(key, page);
    }
};

}  // namespace

ArrivalPolicy::ArrivalPolicy(const sc_core::sc_module_name &name, const Parameters &p,
                             const gmmu_policy *policy, gmmu_policy_config config,
                             gmmu_pages *pages)
    : Unit(name, p.unit.decision),
      fresh_(p.unit.fresh),
      ahead_(p.unit.ahead),
      frames_(config.frames),
      tiers_(config.tier2 != 0),
      pages_(pages),
      page_of_(config.frames) {
    config.eligible.context = this;
    config.eligible.may_leave = [](const void *self, uint32_t page) {
        return static_cast<const ArrivalPolicy *>(self)->may_leave(page);
    };
    hears_merged = std::string(policy->name) == "opt";
    if (hears_merged)
        chooser_ = std::make_unique<Opt>(config);
    else
        chooser_ = std::make_unique<Replayed>(policy, config, ahead_ != 0);
}

bool ArrivalPolicy::may_leave(uint32_t page) const {
    const Page &p = page_[page];
    if (p.pinned)
        return false;
    switch (p.is) {
        case Is::USED:
            return true;
        case Is::FRESH:
            return epoch() - p.filled >= 2;
        default:
            return false;
    }
}

// The part of D that says what leaves.
void ArrivalPolicy::leave(const Leaves &leaves, gmmu_tier_decision *d) {
    Page *p = &of(leaves.victim);
    d->tier = leaves.to == GMMU_HOST || !tiers_ ? GMMU_TIER_2 : GMMU_TIER_3;
    d->frame = p->frame;
    d->victim_asid = gmmu_pages_asid(pages_, leaves.victim);
    d->victim_vpn = gmmu_pages_number(pages_, leaves.victim);
    p->is = Is::ABSENT;
    resident_--;
    d->t2_valid = leaves.dropped != GMMU_NO_PAGE;
    if (!d->t2_valid)
        return;
    d->t2_asid = gmmu_pages_asid(pages_, leaves.dropped);
    d->t2_vpn = gmmu_pages_number(pages_, leaves.dropped);
}

// The policy hears of a fault of a page that it does not have. Where nobody may leave, the next
// replay brings the fault back.
void ArrivalPolicy::ask(const WalkTag &tag, bool lost) {
    Leaves leaves;
    gmmu_tier_decision d = {};
    d.asid = tag.walk.asid;
    d.vpn = tag.walk.vpn;
    d.lost = lost;
    stats_.lost += lost;
    if (!chooser_->access(tag.page, tag, &leaves)) {
        d.tier = GMMU_TIER_NONE;
        d.fresh = true;
        stats_.none++;
        stats_.none_fresh++;
    } else {
        d.tier = GMMU_TIER_FREE;
        if (leaves.victim != GMMU_NO_PAGE)
            leave(leaves, &d);
        of(tag.page).is = Is::COMING;
        resident_++;
    }
    decide(tag, d, takes());
}

void ArrivalPolicy::go_ahead(const WalkTag &tag) {
    while (frames_ - resident_ < ahead_ && !spent_) {
        Leaves leaves;
        spent_ = !chooser_->evict(&leaves);
        if (spent_)
            return;
        gmmu_tier_decision d = {};
        d.ahead = true;
        leave(leaves, &d);
        stats_.ahead++;
        decide(tag, d, takes());
    }
}

void ArrivalPolicy::walk(const WalkTag &tag) {
    Page *p = &of(tag.page);
    heard_++;
    spent_ = false;
    if (p->is == Is::ABSENT) {
        // a hit is of a page that is named, and will leave
        if (tag.fault)
            ask(tag, tag.replay);
    } else if (!tag.replay) {
        Leaves nobody;
        (void)chooser_->access(tag.page, tag, &nobody);
    } else {
        stats_.again += tag.fault;
    }
    p = &of(tag.page);
    if (!tag.fault && p->is == Is::FRESH)
        p->is = Is::USED;
    go_ahead(tag);
}

void ArrivalPolicy::operation(const gmmu_tier_drv_in &in) {
    spent_ = false;
    if (in.op == GMMU_FILL) {
        Page *p = &of(gmmu_pages_index(pages_, in.asid, in.vpn));
        p->is = fresh_ == 0 ? Is::USED : Is::FRESH;
        p->frame = in.frame;
        p->filled = epoch();
        p->pinned = false;
        page_of_[in.frame] = gmmu_pages_index(pages_, in.asid, in.vpn);
    } else if (in.op == GMMU_PIN || in.op == GMMU_UNPIN) {
        of(page_of_[in.frame]).pinned = in.op == GMMU_PIN;
    }
    WalkTag nobody;
    go_ahead(nobody);
}
