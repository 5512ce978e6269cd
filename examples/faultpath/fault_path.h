// SPDX-License-Identifier: Apache-2.0
// fault_path.h: the unit in the fault path of a GPU simulator, in which faults and moves of pages
// take time (docs/guide/simulators.md). libgmmu alone is needed.
//
// The simulator has the page table, the walker, the link and the time. It says what happens when it
// happens: a page-table walk has ended, a victim is unmapped, a page has arrived.
#ifndef FAULT_PATH_H
#define FAULT_PATH_H

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "blocks/schedule.h"

class FaultPath {
   public:
    using Page = std::pair<uint32_t, uint64_t>;  // address space, virtual page number

    struct Decision {
        Page page;    // may come now
        bool leaves;  // VICTIM must be unmapped before PAGE comes
        Page victim;
        bool dirty;   // at the decision
        bool nobody;  // no page may leave: ask() later
    };

    // GPU memory of FRAMES pages, as policy `leu:search=sample` of `gmmu replay` has it. At most
    // FAULTS pages are outstanding at a time. Throws std::runtime_error if the sizes are not legal.
    explicit FaultPath(uint32_t frames, uint32_t faults = 512, bool scan = false);
    ~FaultPath();
    FaultPath(const FaultPath &) = delete;
    FaultPath &operator=(const FaultPath &) = delete;

    // A page-table walk has ended. PC: of the memory instruction, 0 if the simulator does not know
    // it. True: the page is mapped. False: the access waits until its page has arrived; unless a
    // fault of the page is outstanding already, a decision comes.
    bool walk(Page page, uint64_t pc, bool write);
    // The oldest decision that was not taken yet. False: there is none.
    bool decision(Decision *d);
    // The simulator has unmapped the victim of a decision, in page table and TLBs. Its frame is
    // empty from now on. True: the victim is dirty now, and must be written back.
    bool unmapped(Page victim);
    // The page is in GPU memory now, and mapped. Its victim must be unmapped before.
    void arrived(Page page);
    // The decision for PAGE is not followed: the victim stays, and the fault has ended.
    void keep(Page page);
    // A fault of the page again: after `nobody`, or after keep.
    void ask(Page page);

    bool mapped(Page page) const { return frame_of_.count(page) != 0; }
    uint64_t faults() const { return faults_; }        // pages that arrived for a fault
    uint64_t evictions() const { return evictions_; }  // victims that were unmapped
    uint64_t writebacks() const { return writebacks_; }
    // Of the unit: operations that it refused, faults that it dropped. Both stay 0.
    uint64_t errors() const;

   private:
    struct Promise {
        uint32_t frame;
        bool leaves;
        Page victim;
    };
    gmmu_config cfg_;
    gmmu_regs regs_;
    gmmu_tier unit_;
    std::vector<char> memory_;
    std::map<Page, uint32_t> frame_of_;  // mapped pages
    std::map<Page, Promise> promised_;   // decisions that were taken, and wait for their page
    std::map<Page, std::pair<Page, bool>> leaving_;  // of a victim: whose decision it is, dirty
    std::set<Page> stored_;        // faults with a store: an ASK does not bring the store back
    std::vector<uint32_t> empty_;  // frames
    std::deque<gmmu_tier_decision> decided_;
    uint64_t faults_ = 0, evictions_ = 0, writebacks_ = 0;

    void tell(unsigned op, uint32_t frame, Page page, bool dirty = false);
    void settle();
    static void decided(void *self, const gmmu_tier_decision *d);
};

#endif
