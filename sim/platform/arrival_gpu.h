// SPDX-License-Identifier: Apache-2.0
// arrival_gpu.h: plays the trace where faults take time: an access that faulted waits in its TLB,
// and after a replay its translation is asked for again.
//
//    trace --> warps of an SM --> L1 TLB of the SM --> walkers --> unit --> hit: served
//                                  ^ (merges misses)                 |
//                                  +---- replay <---- driver <---- fault: waits
//
// The walks of an SM are dealt in the trace's order, each to the warp of the SM that is ready
// first. Between SMs the order depends on times. An L1 TLB has one walk under way for a page:
// accesses to the page wait for it. (The traces are walks behind TLBs: no TLB holds a translation
// here.)
//
// What the driver has for the unit goes there in this thread, each operation at its time: RTL takes
// its cycles there. So do the steps of the DMA, as each of them would need two switches of threads
// otherwise. The thread runs ahead of the kernel as long as nothing else is to happen before
// or at the same time, so that a result does not depend on the quantum.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fifo.h"
#include "gpu.h"
#include "walkers.h"

class ArrivalGpu : public Gpu {
   public:
    struct Counts {
        uint64_t merged = 0;   // accesses that waited for the walk of another one of their SM
        uint64_t replays = 0;  // of the whole GPU
        uint64_t repeated = 0, repeated_in_vain = 0;  // walks of replays; of these those that fault
    };
    Counts counts;
    // The driver's first operation for the unit is due then; never(): there is none. It goes, DELAY
    // from now. The same of the first step of the DMA.
    sc_core::sc_time operation_due = never(), copy_due = never();
    std::function<void(const sc_core::sc_time &delay)> operate, copy;
    // All walks of replays have ended, DELAY from now.
    std::function<void(const sc_core::sc_time &delay)> landed;

    // May be empty: of an access behind another one's walk.
    std::function<void(const gmmu_walk &walk, uint64_t number)> merged;

    Walkers *walkers = nullptr;  // where walks begin

    // Is its page mapped? For who waits.
    std::function<bool(const gmmu_walk &walk)> is_there;

    // WARPS in all.
    ArrivalGpu(const sc_core::sc_module_name &name, const Parameters &p, uint32_t warps,
               Trace *trace);
    static sc_core::sc_time never() { return sc_core::sc_time::from_value(UINT64_MAX); }
    uint32_t warps() const { return static_cast<uint32_t>(group_of_.size()); }
    // Has a walk of a replay not ended yet?
    bool replaying() const { return replaying_ != 0; }
    // The driver has an operation, or the DMA a step, DELAY from now.
    void nudge(const sc_core::sc_time &delay) {
        if (sleeps_until_ != sc_core::SC_ZERO_TIME &&
            simcontext()->time_stamp() + delay < sleeps_until_)
            wake_.notify(delay);
    }
    // Before it nothing else happens, unless the GPU's thread itself makes it: who does, or is to
    // go on by itself, makes it earlier.
    sc_core::sc_time horizon;
    std::string waits() const override;

   private:
    struct Dealt {
        gmmu_walk walk;
        uint64_t number;
    };
    // The warps of some SMs: of one SM if there are enough of them.
    struct Group {
        Fifo<Dealt> queue;    // walks that no warp has begun
        Fifo<uint32_t> idle;  // warps without a walk
    };
    struct Waiter {
        uint32_t warp;
        uint64_t number;
        bool stalled;
        sc_core::sc_time since;
    };
    struct Key {
        uint64_t vpn;
        uint32_t asid, sm;
        bool operator==(const Key &b) const { return vpn == b.vpn && asid == b.asid && sm == b.sm; }
    };
    // Of a TLB: one page, one walk, and who waits for it.
    struct Miss {
        Key key;
        gmmu_walk walk;
        uint64_t number;
        uint32_t page;  // its number, from the end of the first walk on
        bool faulted;   // waits for a replay, or is part of one
        bool waits;
        std::vector<Waiter> waiters;
    };
    // All TLBs: misses by key, at most as many as there are warps; by linear probing.
    class Misses {
       public:
        explicit Misses(uint32_t most) {
            while (at_.size() < most * size_t(4)) at_.resize(at_.empty() ? 16 : at_.size() * 2);
        }
        bool empty() const { return count_ == 0; }
        // The miss of KEY; null: a new one, which the caller sets.
        Miss *&operator[](const Key &key) {
            size_t i = home(key);
            while (at_[i].miss != nullptr && !(at_[i].key == key)) i = next(i);
            count_ += at_[i].miss == nullptr;
            at_[i].key = key;
            return at_[i].miss;
        }
        void erase(const Key &key) {
            size_t hole = home(key);
            while (!(at_[hole].key == key)) hole = next(hole);
            for (size_t i = next(hole); at_[i].miss != nullptr; i = next(i)) {
                // into the hole, unless its home lies behind the hole
                const size_t mask = at_.size() - 1;
                if (((i - home(at_[i].key)) & mask) >= ((i - hole) & mask)) {
                    at_[hole] = at_[i];
                    hole = i;
                }
            }
            at_[hole].miss = nullptr;
            count_--;
        }

       private:
        struct Place {
            Key key = {0, 0, 0};
            Miss *miss = nullptr;
        };
        std::vector<Place> at_;
        size_t count_ = 0;
        size_t home(const Key &k) const {
            const uint64_t h = (k.vpn * 0x9e3779b97f4a7c15u) ^ (uint64_t(k.asid) << 32 | k.sm);
            return ((h ^ h >> 31) * 0xbf58476d1ce4e5b9u) >> 32 & (at_.size() - 1);
        }
        size_t next(size_t i) const { return (i + 1) & (at_.size() - 1); }
    };
    struct Due {
        sc_core::sc_time at;
        Miss *miss;
    };
    struct Ready {
        sc_core::sc_time at;
        uint32_t warp;
    };
    std::vector<Group> groups_;
    std::vector<uint32_t> group_of_;  // of each warp
    std::vector<uint32_t> group_of_sm_;
    // The end of walks, and warps that get ready: each in the order of time.
    Fifo<Due> ends_;
    Fifo<Ready> ready_;
    Misses tlb_;
    std::vector<std::unique_ptr<Miss>> all_;
    std::vector<Miss *> unused_;
    std::vector<Miss *> waiting_;  // for a replay, in the order of their faults
    Tagged<WalkTag> walk_;
    sc_core::sc_event wake_;
    sc_core::sc_time now_;           // the kernel's time, in the GPU's thread
    sc_core::sc_time sleeps_until_;  // never(): until wake_; zero: it is at work
    uint64_t queued_ = 0;            // walks in queues
    size_t idle_ = 0;                // warps
    uint64_t replaying_ = 0;
    bool ended_ = false;  // the trace

    void play_all() override;
    void b_resume(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    // Waits until AT is the next thing that happens; false: something came before.
    bool reach(const sc_core::sc_time &at);
    void sleep(const sc_core::sc_time &at);
    void deal(const sc_core::sc_time &at);
    // A walk that was dealt before goes to the warp that GROUP has now.
    void match(Group *group, const sc_core::sc_time &at);
    void begin(uint32_t warp, const gmmu_walk &walk, uint64_t number, const sc_core::sc_time &at);
    // A walk for MISS begins.
    void ask(Miss *miss, const sc_core::sc_time &at) {
        ends_.push({walkers->begin(miss->page, miss->walk, at), miss});
    }
    void end(Miss *miss, const sc_core::sc_time &at);
    void serve(Miss *miss, const sc_core::sc_time &at);
    void stall(Waiter *waiter, const sc_core::sc_time &at);
    // Of the platform: the trace's, modulo gpu.sms.
    uint32_t sm_of(const gmmu_walk &walk) const {
        return walk.sm < p_.gpu.sms ? walk.sm : walk.sm % p_.gpu.sms;
    }
};
