// SPDX-License-Identifier: Apache-2.0
// chunk_driver.cpp: see chunk_driver.h.
#include "chunk_driver.h"

using sc_core::sc_time;
using sc_core::sc_time_stamp;

ChunkMemory::ChunkMemory(const gmmu_policy_config &config, uint64_t big) {
    gmmu_error err = {};
    if (!gmmu_uvm_create(&blocks, &config, &err))
        bad(err.text);
    block_shift = shift();
    if (big == 0)
        return;
    const uint64_t least = std::max(1u, blocks.chunk / 32), pages = big >> config.page_shift;
    blocks.big = static_cast<uint32_t>(std::min<uint64_t>(std::max(least, pages), blocks.chunk));
    const unsigned block = config.page_shift < 21 ? 21 - config.page_shift : 0;
    block_shift = std::max(block_shift, block);
}

ChunkDriver::ChunkDriver(const sc_core::sc_module_name &name, const Parameters &p, PageTable *table,
                         uint32_t frames, ChunkMemory *memory, Timeline *timeline)
    : ArrivalDriver(name, p, table, frames, memory->blocks.page_shift, timeline),
      memory_(memory->blocks),
      in_(memory->blocks.slots, NOBODY) {
    page_of_.assign(page_of_.size(), GMMU_NO_PAGE);
    frames_ = memory_.slots;
    block_shift_ = memory->block_shift;
}

uint32_t ChunkDriver::intern(uint32_t asid, uint64_t number) {
    const uint32_t n = gmmu_uvm_block(&memory_, asid, number * memory_.chunk);
    if (n == GMMU_NO_PAGE)
        bad("out of memory: the map of chunks");
    if (n >= chunks_.size())
        chunks_.resize(n + size_t(1));
    return n;
}

uint32_t ChunkDriver::number_of(uint32_t page) {
    if (page >= numbers_.size())
        numbers_.resize(page * size_t(2) + 64);
    if (numbers_[page] == 0)
        numbers_[page] = intern(table_[page].asid, table_[page].vpn / memory_.chunk) + 1;
    return numbers_[page] - 1;
}

std::string ChunkDriver::named(uint32_t number) const {
    const Named n = named_by(number);
    char text[80];
    std::snprintf(text, sizeof text, "chunk 0x%llx of address space %u",
                  static_cast<unsigned long long>(n.vpn), n.asid);
    return text;
}

// ---- in the thread of the GPU

void ChunkDriver::walked(const WalkTag &tag) {
    uint8_t &is = flags(tag.page);
    Chunk &c = chunk(number_of(tag.page));
    if (tag.fault) {
        if (!tag.replay && (is & WAITED_FOR) == 0)
            just_decided_ = tag.page;  // the fault joins no other
        is |= WAITED_FOR;
        if (c.filled)
            chunk_counts.within += !tag.replay;
        else
            c.asked = tag.page;
        return;
    }
    chunk_counts.used += (is & PREFETCHED) != 0;
    is = 0;
    appear(&table_[tag.page]);
}

// A page that is missing in a resident chunk is a hit of the chunk.
void ChunkDriver::to_chunk(WalkTag *tag) {
    tag->page = number_of(tag->page);
    const Chunk &c = chunk(tag->page);
    tag->walk.vpn /= memory_.chunk;
    tag->fault = !c.filled;
    tag->frame = c.filled ? c.frame : 0;
    tag->coming = false;
}

// Decisions are of chunks; which faults join others is a matter of pages.
void ChunkDriver::b_decision(tlm::tlm_generic_payload &trans, sc_time &delay) {
    const uint32_t page = just_decided_;
    ArrivalDriver::b_decision(trans, delay);
    just_decided_ = page;
}

// The pages of a chunk that left before they came stay where they are.
void ChunkDriver::map(const Job &job, const sc_time &at) {
    Chunk &c = chunk(job.page);
    if (job.number < c.left)
        return;
    c.filled = true;
    if (waits_filled_ == job.page)
        wake(at - sc_time_stamp());
    for (const Copy &copy : job.copies) {
        if (copy.to != GMMU_NEAR)
            continue;
        const uint64_t vpn = table_[copy.page].vpn;
        const uint32_t frame = c.frame * memory_.chunk + static_cast<uint32_t>(vpn % memory_.chunk);
        if (page_of_[frame] != GMMU_NO_PAGE)
            disagree(frame);
        map_page(copy.page, frame, at);
        flags(copy.page) &= static_cast<uint8_t>(~WAITED_FOR);
    }
}

// ---- a chunk of a batch

// Of chunk NUMBER, in their order, if those in faulted_ are asked for.
std::vector<uint32_t> ChunkDriver::to_come(uint32_t number) {
    if (memory_.alone)
        return faulted_;
    uint32_t asked = 0;
    for (const uint32_t page : faulted_) asked |= 1u << gmmu_uvm_big(&memory_, table_[page].vpn);
    const Named n = named_by(number);
    const uint64_t first = n.vpn * memory_.chunk;
    std::vector<uint32_t> pages;
    for (uint32_t rest = gmmu_uvm_fetch(&memory_, number, asked); rest != 0; rest &= rest - 1) {
        const uint64_t big = first + uint64_t(__builtin_ctz(rest)) * memory_.big;
        for (uint64_t vpn = big; vpn < big + memory_.big; vpn++)
            pages.push_back(table_.number(n.asid, vpn));
    }
    return pages;
}

size_t ChunkDriver::bring_block(size_t first, size_t end, uint32_t block) {
    size_t come = 0;
    for (size_t i = first; i < end;) {
        const uint32_t number = number_of(batch_[i].page);
        faulted_.clear();
        for (; i < end && number_of(batch_[i].page) == number; i++)
            if (absent(batch_[i].page))
                faulted_.push_back(batch_[i].page);
        if (!faulted_.empty())
            come += bring_faulted(number, block);
    }
    return come;
}

// A decision is known whose fault is in no batch.
bool ChunkDriver::bring(uint32_t number, uint32_t block) {
    faulted_.assign(1, chunk(number).asked);
    return bring_faulted(number, block) != 0;
}

// The pages in faulted_, which are in chunk NUMBER, and what the tree brings with them.
size_t ChunkDriver::bring_faulted(uint32_t number, uint32_t block) {
    if (!may_come(number))
        return 0;
    const std::vector<uint32_t> pages = to_come(number);
    work(static_cast<double>(pages.size() - faulted_.size()) * p_.driver.prefetched);
    const bool comes = !chunk(number).resident;
    const uint32_t leaves = take(number, &chunk(number));
    Job *job = begin_job(number, sc_time_stamp());
    if (leaves != NOBODY)
        evict(leaves, job);
    Chunk *c = &chunk(number);
    c->resident = true;
    c->batch = counts.batches;
    in_[c->frame] = number;
    chunk_counts.prefetched += pages.size() - faulted_.size();
    for (const uint32_t page : pages) flags(page) |= UNUSED | PREFETCHED;
    for (const uint32_t page : faulted_) {
        flags(page) &= static_cast<uint8_t>(~PREFETCHED);
        counts.cold += !table_[page].seen;
        appear(&table_[page]);
    }
    for (const uint32_t page : pages) {
        table_[page].coming = true;
        c->pages.push_back(page);
        Copy in = copy(page, GMMU_FAR, GMMU_NEAR);
        in.with = page != pages.front();
        job->copies.push_back(in);
    }
    more.fetched += pages.size();
    to_arrive_++;
    blocks_[block]++;
    job->frame = c->frame;
    job->block = block;
    job->kind = Job::COMES;
    job->tells = comes;
    count_moves(*job);
    send(job);
    return faulted_.size();
}

// All pages of chunk NUMBER are unmapped and copied out.
void ChunkDriver::evict(uint32_t number, Job *job) {
    Chunk *c = &chunk(number);
    for (const uint32_t page : c->pages) {
        counts.evictions++;
        counts.writebacks += table_[page].dirty;
        chunk_counts.unused += (flags(page) & UNUSED) != 0;
        flags(page) &= WAITED_FOR;
        if (!table_[page].coming)
            page_of_[table_[page].frame] = GMMU_NO_PAGE;
        Copy out = copy(page, GMMU_NEAR, GMMU_FAR);
        out.moves |= p_.driver.clean == Parameters::COPIED;
        out.with = !job->copies.empty();
        job->copies.push_back(out);
        table_[page].coming = false;
    }
    memory_.trees[number] = 0;
    chunk_counts.chunks_out++;
    c->pages.clear();
    c->resident = c->filled = false;
    c->left = job->number;
}

uint32_t ChunkDriver::victim(const gmmu_tier_decision &d) const {
    const uint32_t number = in_[d.frame];
    if (number == NOBODY || named_by(number).asid != d.victim_asid ||
        named_by(number).vpn != d.victim_vpn)
        disagree(d.frame);
    return number;
}

void ChunkDriver::leave(Job *job, uint32_t frame, const gmmu_tier_decision &d) {
    evict(victim(d), job);
    in_[frame] = NOBODY;
}

void ChunkDriver::wait_filled(uint32_t number) {
    waits_filled_ = number;
    while (!chunk(number).filled) pause(Waits::PAGES);
    waits_filled_ = NOBODY;
}

// ---- NVIDIA's order

void UvmDriver::walked(const WalkTag &tag) {
    ChunkDriver::walked(tag);
    if (!tag.fault && memory_.by_access && !tag.replay)
        (void)gmmu_uvm_use(&memory_, number_of(tag.page));
}

uint32_t UvmDriver::take(uint32_t number, Chunk *c) {
    wait_landed();  // before anything is unmapped
    const uint32_t leaves = gmmu_uvm_use(&memory_, number);
    if (leaves != GMMU_NO_PAGE)
        c->frame = chunk(leaves).frame;
    else if (!c->resident)
        c->frame = empty_frame();
    return leaves == GMMU_NO_PAGE ? NOBODY : leaves;
}

// ---- the order of who decides

// A chunk without a decision has left since its fault: who hears no ASK hears the fault again, with
// the replay of the batch.
bool DecidedChunks::may_come(uint32_t number) {
    if (chunk(number).resident) {
        wait_filled(number);  // the first pages are on their way
        return true;
    }
    Known k;
    return (asks || decisions_.find(number) != nullptr) && decision_of(number, &k) &&
           k.d.tier != GMMU_TIER_NONE;
}

uint32_t DecidedChunks::take(uint32_t number, Chunk *c) {
    if (c->resident)
        return NOBODY;
    const gmmu_tier_decision d = decisions_.find(number)->d;
    uint32_t leaves = NOBODY;
    if (d.tier == GMMU_TIER_FREE) {
        c->frame = empty_frame();
    } else {
        wait_landed();
        leaves = victim(d);
        c->frame = d.frame;
    }
    decisions_.erase(number);
    return leaves;
}

// Between its pages' arrival and their replay a chunk stays, unless its frame is waited for: so
// each replay ends an access.
bool DecidedChunks::may_go_ahead(const gmmu_tier_decision &d) {
    return waits_ == Waits::FRAME || chunk(victim(d)).batch <= replayed_;
}
