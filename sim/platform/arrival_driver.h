// SPDX-License-Identifier: Apache-2.0
// arrival_driver.h: serves faults in batches where faults take time (the order rules are those of
// docs/guide/integration.md).
//
//    batch --- sorted, each page once, by 2 MiB block ---> for each page: its decision
//      ^                                                        |
//      |                          unmaps the victim, copies it out, copies the page in
//      |                                                        |
//    faults <--- GPU <--- replay <--- all arrived <--- FILL, then maps <--- the page arrived
//
// A page without a frame leaves its batch; the replay at the end of the batch brings its fault
// back. A second batch in a row that brings no page takes what is decided for others: their faults
// may hold all that the unit has room for.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "by_page.h"
#include "driver.h"
#include "fifo.h"

class ArrivalDriver : public Driver {
   public:
    struct MoreCounts {
        uint64_t fetched;  // pages that came
        uint64_t none;     // decisions without a frame
        uint64_t asks;
        uint64_t others;   // pages that came with a batch that had no frame for its own
        uint64_t ahead;    // victims ahead of need that left
        uint64_t flushed;  // entries of the fault buffer that a replay made void
    };
    MoreCounts more = {};
    // Of the GPU: is a replay under way? An operation is due, so long from now.
    std::function<bool()> replaying;
    std::function<void(const sc_core::sc_time &)> nudge;
    // The GPU knows the first operation's time, and until when the driver does nothing by itself.
    sc_core::sc_time *due = nullptr, *horizon = nullptr;
    std::function<uint64_t()> drops;  // stat_fault_drops
    uint64_t lose_others = 0;         // batches that take no others, from this one on; 0: none
    std::unique_ptr<Side> side;       // sets cfg_protect; null: nobody does
    bool tiers = false;               // there is Tier 2
    bool slots = false;               // whose slots the unit knows

    // PAGE_SHIFT: log2 of a page's bytes.
    ArrivalDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
                  uint32_t frames, unsigned page_shift, Timeline *timeline);
    bool idle() const override {
        return buffer_.empty() && serving_ == 0 && operations_.empty() && aheads_.empty() &&
               drops_.empty() && !busy_now_;
    }
    std::string waits() const override;
    void catch_up() override { set_share(side.get()); }

    // ---- the thread of the GPU
    // The first operation goes, DELAY from now.
    void operate_next(const sc_core::sc_time &delay);
    // The replay under way has ended, DELAY from now.
    void landed(const sc_core::sc_time &delay) { wake(delay); }

   protected:
    struct Entry {
        uint32_t page;
        sc_core::sc_time at;
    };
    struct Wanted {  // of a batch
        uint32_t asid, page;
        uint64_t vpn;
        bool operator<(const Wanted &b) const {
            return asid != b.asid ? asid < b.asid : vpn < b.vpn;
        }
    };
    struct Named {
        uint32_t asid;
        uint64_t vpn;
    };
    struct Known {
        gmmu_tier_decision d;
        sc_core::sc_time at;  // when the driver knows
    };
    struct Operation {
        sc_core::sc_time due;
        gmmu_tier_drv_in in;
        Job *job;  // whose page arrived or left; ASK: null
    };
    enum class Waits { NOTHING, DECISION, FRAME, PAGES, REPLAY };

    unsigned block_shift_;     // from page numbers to blocks of 2 MiB
    uint32_t frames_;          // that the unit knows
    uint32_t never_used_ = 0;  // frames from this one on
    Fifo<uint32_t> empty_;     // frames that are empty again
    Fifo<Entry> buffer_;
    OfPages<Known> decisions_;  // not followed
    Fifo<Known> aheads_;
    Fifo<Known> drops_;  // decisions with which a page leaves Tier 2
    // Pages that leave Tier 2 by a decision later than the one by which they come there, which is
    // not followed yet; and pages on their way to a slot.
    std::unordered_set<uint32_t> dropped_, descending_;
    std::vector<uint64_t> mapped_at_;    // of each page, in time's units; 0: never
    std::vector<uint32_t> blocks_;       // of each that is under way: pages that are to come
    std::vector<uint32_t> blocks_over_;  // their numbers may be given again
    Fifo<Operation> operations_;         // the first one due first
    std::vector<Wanted> batch_;
    sc_core::sc_event wake_, never_;
    uint64_t asked_ = 0;
    uint32_t waits_page_ = 0, just_decided_ = GMMU_NO_PAGE;
    size_t to_arrive_ = 0;
    size_t barren_ = 0;  // batches in a row that brought nothing
    uint64_t took_others_ = 0;
    uint64_t replayed_ = 0;  // batches before the last replay
    bool owes_replay_ = false;
    bool busy_now_ = false;  // with a batch
    bool paused_ = false;    // until something wakes the driver
    Waits waits_ = Waits::NOTHING;

    void serve() override;
    bool take_batch();
    void serve_batch();
    // The copies of the pages FIRST to END - 1 of the batch begin, which are in one block of 2 MiB.
    // Returns how many of them come; BLOCK: the number of what is replayed together.
    virtual size_t bring_block(size_t first, size_t end, uint32_t block);
    // True: PAGE's copies begin; false: the page has no frame.
    virtual bool bring(uint32_t page, uint32_t block);
    void follow(uint32_t page, const gmmu_tier_decision &d, uint32_t block);
    bool decision_of(uint32_t page, Known *k);
    bool ask(uint32_t page);
    size_t bring_others();
    void begin_aheads();
    void begin_drops();
    virtual void leave(Job *job, uint32_t frame, const gmmu_tier_decision &d);
    uint32_t empty_frame();
    // May the victim ahead of need leave now?
    virtual bool may_go_ahead(const gmmu_tier_decision &d) {
        (void)d;
        return true;
    }
    // What decisions are of is a page, or what a driver of its own has in its place: the unit's
    // name of it, and back.
    virtual Named named_by(uint32_t page) const { return {table_[page].asid, table_[page].vpn}; }
    virtual uint32_t known_by(uint32_t asid, uint64_t vpn) { return table_.number(asid, vpn); }
    // The page of the walk that a decision came with, or of another one.
    uint32_t page_of(const DecisionTag &tag);
    void arrived(Job *job, const sc_core::sc_time &delay);
    // What JOB brought is mapped, at AT.
    virtual void map(const Job &job, const sc_core::sc_time &at);
    void map_page(uint32_t page, uint32_t frame, const sc_core::sc_time &at);
    Copy copy(uint32_t page, gmmu_memory from, gmmu_memory to);
    void work(const sc_core::sc_time &time);
    void wake(const sc_core::sc_time &delay);
    void pause(Waits what);
    void wait_until(const sc_core::sc_time &at);
    void goes_on_at(const sc_core::sc_time &at) { *horizon = std::min(*horizon, at); }
    void wait_arrived();
    void wait_landed();
    // The number of a block whose pages are going to come. One of them, which none is, keeps the
    // block under way until one_less.
    uint32_t begin_block();
    void one_less(uint32_t block, const sc_core::sc_time &delay);
    void replay(const sc_core::sc_time &delay);
    void flush();
    void push(const gmmu_tier_drv_in &in, Job *job, const sc_core::sc_time &delay);
    bool replayed_since(const Entry &e) const {
        return e.page < mapped_at_.size() && mapped_at_[e.page] > e.at.value();
    }
    virtual std::string named(uint32_t page) const;
    void b_fault(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    void b_decision(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    void b_packet(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    tlm::tlm_sync_enum nb_done(tlm::tlm_generic_payload &trans, tlm::tlm_phase &phase,
                               sc_core::sc_time &delay) override;
};
