// SPDX-License-Identifier: Apache-2.0
// page_table.h: where each page is: the driver writes it, the walkers read it.
#pragma once
#include <cstdint>
#include <vector>

#include "host/slots_side.h"
#include "parameters.h"
#include "policy/outcome.h"
#include "trace/pages.h"

class PageTable {
   public:
    struct Entry {
        uint64_t vpn;  // of the page, as soon as the page has a number
        uint32_t asid;
        uint32_t frame;
        uint8_t place;  // gmmu_memory
        bool dirty, coming, seen;
    };

    SlotsSide slots{0};  // of Tier 2, where the unit knows of it

    // PAGES numbers the pages.
    PageTable(gmmu_pages *pages, bool preloaded) : pages_(pages), preloaded_(preloaded) {}
    uint32_t number(uint32_t asid, uint64_t vpn) {
        const uint32_t page = gmmu_pages_index(pages_, asid, vpn);
        if (page == GMMU_NO_PAGE)
            bad("out of memory: the page map");
        if (page >= entries_.size()) {
            const Entry fresh = {
                0,     0,     0,    static_cast<uint8_t>(preloaded_ ? GMMU_NEAR : GMMU_FAR),
                false, false, false};
            entries_.resize(gmmu_pages_count(pages_) * 5ull / 4 + 64, fresh);
        }
        entries_[page].vpn = vpn;
        entries_[page].asid = asid;
        return page;
    }
    // Memory that number, or operator[] if PAGE is known, is going to read.
    void prefetch(uint32_t page, uint32_t asid, uint64_t vpn) const {
        if (page == GMMU_NO_PAGE)
            gmmu_pages_prefetch(pages_, asid, vpn);
        else
            __builtin_prefetch(&entries_[page]);
    }
    Entry &operator[](uint32_t page) { return entries_[page]; }
    const gmmu_pages *pages() const { return pages_; }

   private:
    gmmu_pages *pages_;
    bool preloaded_;  // every page is in near memory from the beginning
    std::vector<Entry> entries_;
};
