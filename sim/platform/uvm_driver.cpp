// SPDX-License-Identifier: Apache-2.0
// uvm_driver.cpp: see uvm_driver.h.
#include "uvm_driver.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

UvmDriver::UvmDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
                     const gmmu_policy_config &config, Timeline *timeline)
    : ArrivalDriver(name, p, table, config.frames, config.page_shift, timeline) {
    gmmu_error err = {};
    if (!gmmu_uvm_create(&memory_, &config, &err))
        bad(err.text);
    page_of_.assign(page_of_.size(), GMMU_NO_PAGE);
    block_shift_ = static_cast<unsigned>(__builtin_ctz(memory_.chunk));
}

uint32_t UvmDriver::block_of(uint32_t asid, uint64_t vpn) {
    const uint32_t number = gmmu_uvm_block(&memory_, asid, vpn);
    if (number == GMMU_NO_PAGE)
        bad("uvm: out of memory");
    if (number >= blocks_of_.size())
        blocks_of_.resize(number * size_t(2) + 64);
    return number;
}

// ---- in the thread of the GPU

void UvmDriver::walked(const WalkTag &tag) {
    uint8_t &is = flags(tag.page);
    if (tag.fault) {
        if (!tag.replay && (is & WAITED_FOR) == 0)
            just_decided_ = tag.page;  // the fault joins no other
        is |= WAITED_FOR;
        return;
    }
    uvm.used += (is & PREFETCHED) != 0;
    is = 0;
    appear(&table_[tag.page]);
    if (memory_.by_access && !tag.replay)
        (void)gmmu_uvm_use(&memory_, block_of(tag.walk.asid, tag.walk.vpn));
}

// The pages of a chunk that left before they came stay where they are.
void UvmDriver::map(const Job &job, const sc_time &at) {
    const uint32_t asid = gmmu_pages_asid(table_.pages(), job.page);
    const Block &b = blocks_of_[block_of(asid, gmmu_pages_number(table_.pages(), job.page))];
    if (job.number < b.left)
        return;
    for (const Copy &c : job.copies) {
        if (c.to != GMMU_NEAR)
            continue;
        const uint64_t vpn = gmmu_pages_number(table_.pages(), c.page);
        const uint32_t frame = b.frame + static_cast<uint32_t>(vpn % memory_.chunk);
        if (page_of_[frame] != GMMU_NO_PAGE)
            disagree(frame);
        map_page(c.page, frame, at);
        flags(c.page) &= static_cast<uint8_t>(~WAITED_FOR);
    }
}

// ---- a block of a batch

// Of block NUMBER, in their order, if FAULTED are asked for.
std::vector<uint32_t> UvmDriver::to_come(uint32_t number, const std::vector<uint32_t> &faulted) {
    if (memory_.alone)
        return faulted;
    uint32_t asked = 0;
    for (const uint32_t page : faulted)
        asked |= 1u << gmmu_uvm_big(&memory_, gmmu_pages_number(table_.pages(), page));
    const uint32_t asid = gmmu_pages_asid(memory_.numbers, number);
    const uint64_t first = gmmu_pages_number(memory_.numbers, number) * memory_.chunk;
    std::vector<uint32_t> pages;
    for (uint32_t rest = gmmu_uvm_fetch(&memory_, number, asked); rest != 0; rest &= rest - 1) {
        const uint64_t big = first + uint64_t(__builtin_ctz(rest)) * memory_.big;
        for (uint64_t vpn = big; vpn < big + memory_.big; vpn++)
            pages.push_back(table_.number(asid, vpn));
    }
    return pages;
}

size_t UvmDriver::bring_block(size_t first, size_t end, uint32_t block) {
    const uint32_t number = block_of(batch_[first].asid, batch_[first].vpn);
    std::vector<uint32_t> faulted;
    for (size_t i = first; i < end; i++)
        if (absent(batch_[i].page))
            faulted.push_back(batch_[i].page);
    if (faulted.empty())
        return 0;
    const std::vector<uint32_t> pages = to_come(number, faulted);
    work(static_cast<double>(pages.size() - faulted.size()) * p_.driver.prefetched);
    wait_landed();  // before anything is unmapped
    Job *job = begin_job(pages.front(), sc_time_stamp());
    const uint32_t leaves = gmmu_uvm_use(&memory_, number);
    Block *b = &blocks_of_[number];
    if (leaves != GMMU_NO_PAGE) {
        b->frame = blocks_of_[leaves].frame;
        evict(leaves, job);
    } else if (!b->resident) {
        b->frame = chunks_++ * memory_.chunk;
    }
    b->resident = true;
    uvm.prefetched += pages.size() - faulted.size();
    for (const uint32_t page : pages) flags(page) |= UNUSED | PREFETCHED;
    for (const uint32_t page : faulted) {
        flags(page) &= static_cast<uint8_t>(~PREFETCHED);
        counts.cold += !table_[page].seen;
        appear(&table_[page]);
    }
    for (const uint32_t page : pages) {
        table_[page].coming = true;
        b->pages.push_back(page);
        Copy c = copy(page, GMMU_FAR, GMMU_NEAR);
        c.with = page != pages.front();
        job->copies.push_back(c);
    }
    more.fetched += pages.size();
    to_arrive_++;
    blocks_[block]++;
    job->frame = b->frame;
    job->block = block;
    job->kind = Job::COMES;
    count_moves(*job);
    send(job);
    return faulted.size();
}

// All pages of block NUMBER are unmapped and copied out, clean ones too.
void UvmDriver::evict(uint32_t number, Job *job) {
    Block *b = &blocks_of_[number];
    for (const uint32_t page : b->pages) {
        counts.evictions++;
        counts.writebacks += table_[page].dirty;
        uvm.unused += (flags(page) & UNUSED) != 0;
        flags(page) &= WAITED_FOR;
        if (!table_[page].coming)
            page_of_[table_[page].frame] = GMMU_NO_PAGE;
        Copy c = copy(page, GMMU_NEAR, GMMU_FAR);
        c.moves = true;
        c.with = !job->copies.empty();
        job->copies.push_back(c);
        table_[page].coming = false;
    }
    uvm.chunks_out++;
    b->pages.clear();
    b->resident = false;
    b->left = job->number;
}
