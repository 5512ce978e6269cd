// SPDX-License-Identifier: Apache-2.0
// chunk_driver.h: a driver whose memory is chunks, where faults take time: NVIDIA's UVM driver
// (docs/reference/policies.md, "uvm"), with its own order of the chunks or with another one.
//
//    the chunk's pages in the batch --- tree ---> the pages that come, in one job
//                   |                                  ^
//                   | the chunk has no frame, and      | copied in when all has been copied out
//                   | memory is full                   |
//                   +---> the order's victim leaves whole: its pages are copied out
//
// A page that is missing in a resident chunk comes without the order. A chunk may leave whose pages
// are on their way, or have not been accessed yet: its copies out wait for those in, and its pages
// are not mapped.
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "arrival_driver.h"
#include "policy/uvm_blocks.h"
#include "unit.h"

// Memory in chunks.
struct ChunkMemory {
    gmmu_uvm_blocks blocks = {};
    unsigned block_shift;  // log2 of the pages of a block of a batch

    // As CONFIG says of policy uvm. BIG: bytes that a first touch brings; 0: 1/32 of a chunk, which
    // is a block of a batch then.
    ChunkMemory(const gmmu_policy_config &config, uint64_t big);
    ChunkMemory(const ChunkMemory &) = delete;
    ChunkMemory &operator=(const ChunkMemory &) = delete;
    ~ChunkMemory() { gmmu_uvm_destroy(&blocks); }
    unsigned shift() const { return static_cast<unsigned>(__builtin_ctz(blocks.chunk)); }
};

class ChunkDriver : public ArrivalDriver {
   public:
    struct ChunkCounts {
        uint64_t prefetched;  // pages that came without a fault
        uint64_t used;        // of these, pages with an access before they left
        uint64_t unused;      // pages that left without an access
        uint64_t chunks_out;
        uint64_t within;    // faults of pages of resident chunks
        uint64_t distinct;  // pages of accesses
    };
    ChunkCounts chunk_counts = {};
    ChunkDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
                uint32_t frames, ChunkMemory *memory, Timeline *timeline);
    // A walk, with its fault if it has one, before the unit hears of it.
    virtual void walked(const WalkTag &tag);
    // TAG as a walk of its page's chunk.
    void to_chunk(WalkTag *tag);

   protected:
    enum : uint32_t { NOBODY = UINT32_MAX };
    struct Chunk {
        bool resident = false;        // has a frame
        bool filled = false;          // and a page that is mapped
        uint32_t frame = 0;           // of a chunk's size
        uint64_t left = 0;            // number of the job with which the chunk left last
        uint64_t batch = 0;           // that brought pages last
        uint32_t asked = 0;           // the page that faulted last while the chunk had no frame
        std::vector<uint32_t> pages;  // in the chunk, or on their way there
    };
    gmmu_uvm_blocks &memory_;
    std::vector<uint32_t> in_;  // the chunk of each frame

    // The order: may chunk NUMBER have pages now? If not, its pages leave their batch.
    virtual bool may_come(uint32_t number) = 0;
    // Chunk NUMBER has pages: the chunk keeps its frame or gets C->frame. The chunk whose frame
    // this was leaves; NOBODY: none does.
    virtual uint32_t take(uint32_t number, Chunk *c) = 0;

    Chunk &chunk(uint32_t number) { return chunks_[number]; }
    uint32_t number_of(uint32_t page);
    Named named_by(uint32_t number) const override {
        return {gmmu_pages_asid(memory_.numbers, number),
                gmmu_pages_number(memory_.numbers, number)};
    }
    uint32_t known_by(uint32_t asid, uint64_t number) override { return intern(asid, number); }
    std::string named(uint32_t number) const override;
    size_t bring_block(size_t first, size_t end, uint32_t block) override;
    bool bring(uint32_t number, uint32_t block) override;
    void leave(Job *job, uint32_t frame, const gmmu_tier_decision &d) override;
    void map(const Job &job, const sc_core::sc_time &at) override;
    void b_decision(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) override;
    void wait_filled(uint32_t number);
    // The chunk that D names.
    uint32_t victim(const gmmu_tier_decision &d) const;

   private:
    enum : uint8_t {
        WAITED_FOR = 1,  // faulted, and not mapped since
        UNUSED = 2,      // came, and was not accessed since
        PREFETCHED = 4,  // came without a fault
    };
    std::deque<Chunk> chunks_;        // by number
    std::vector<uint32_t> numbers_;   // of each page: its chunk's number, from 1; 0: not known yet
    std::vector<uint8_t> flags_;      // of each page
    std::vector<uint32_t> faulted_;   // pages of the batch, of the chunk that is served
    uint32_t waits_filled_ = NOBODY;  // the driver waits for this chunk

    uint32_t intern(uint32_t asid, uint64_t number);
    uint8_t &flags(uint32_t page) {
        if (page >= flags_.size())
            flags_.resize(page * size_t(2) + 64);
        return flags_[page];
    }
    bool absent(uint32_t page) { return table_[page].place != GMMU_NEAR && !table_[page].coming; }
    size_t bring_faulted(uint32_t number, uint32_t block);
    std::vector<uint32_t> to_come(uint32_t number);
    void evict(uint32_t number, Job *job);
    void appear(PageTable::Entry *e) {
        chunk_counts.distinct += !e->seen;
        e->seen = true;
    }
};

// NVIDIA's order: the chunk whose last fault is oldest leaves. No unit decides.
class UvmDriver : public ChunkDriver {
   public:
    using ChunkDriver::ChunkDriver;
    void walked(const WalkTag &tag) override;

   protected:
    bool may_come(uint32_t number) override {
        (void)number;
        return true;
    }
    uint32_t take(uint32_t number, Chunk *c) override;
};

// The order of the unit, or of a policy in its place, which hears of walks of chunks.
class DecidedChunks : public ChunkDriver {
   public:
    bool asks = false;  // who decides hears ASK
    using ChunkDriver::ChunkDriver;

   protected:
    bool may_come(uint32_t number) override;
    uint32_t take(uint32_t number, Chunk *c) override;
    bool may_go_ahead(const gmmu_tier_decision &d) override;
};

// In the unit's place: tells a driver that decides itself of all walks.
class DriverUnit : public Unit {
   public:
    std::function<void(const WalkTag &tag)> walked;
    explicit DriverUnit(const sc_core::sc_module_name &name) : Unit(name, sc_core::SC_ZERO_TIME) {}

   protected:
    void walk(const WalkTag &tag) override { walked(tag); }
};

// Between walkers and unit: the unit hears of chunks.
class ChunkWalks : public sc_core::sc_module {
   public:
    DirectSocket<ChunkWalks> walks{"walks"};
    tlm_utils::simple_initiator_socket<ChunkWalks> unit{"unit"};
    ChunkWalks(const sc_core::sc_module_name &name, ChunkDriver *driver)
        : sc_module(name), driver_(driver) {
        walks.register_b_transport(this, &ChunkWalks::b_walk);
    }

   private:
    ChunkDriver *driver_;
    Tagged<WalkTag> walk_;

    void b_walk(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
        const WalkTag &tag = *trans.get_extension<WalkTag>();
        driver_->walked(tag);
        walk_.tag.copy_from(tag);
        driver_->to_chunk(&walk_.tag);
        walk_.trans.set_command(trans.get_command());
        walk_.trans.set_address(trans.get_address());
        walk_.trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        unit->b_transport(walk_.trans, delay);
        trans.set_response_status(walk_.trans.get_response_status());
    }
};
