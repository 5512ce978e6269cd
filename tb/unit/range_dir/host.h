// SPDX-License-Identifier: Apache-2.0
// host.h: the operations that a host sends to range_dir: SemCache's runtime, limited to the block's
// records, on a recorded .sem trace; or a host that keeps nothing on the GPU (the paper's §3, Fig.
// 9).
//
// The runtime is that of cmodel/semcache, so what is refused is played as it plays it: pins are
// taken back, the CPU's copies put in order, and the call runs on the CPU.
#pragma once
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "semcache/runtime.h"

namespace host {

// An operation and the packet that the runtime had for it; none: it was made without one.
struct Asked {
    gmmu_range_op op;
    std::vector<gmmu_range_beat> packet;
};

using Events = std::vector<gmmu_sem_event>;

// A trace, its addresses moved down if they have more than ADDR_W bits. None: they do not fit.
inline Events recorded(const std::string &path, unsigned addr_w) {
    gmmu_error err = {};
    gmmu_sem_reader *r = gmmu_sem_open(path.c_str(), &err);
    if (r == nullptr)
        throw std::runtime_error(err.text);
    Events all;
    gmmu_sem_event e;
    uint64_t least = UINT64_MAX, most = 0;
    int status;
    while ((status = gmmu_sem_next(r, &e, &err)) == GMMU_OK) {
        for (uint32_t i = 0; i < e.operands; i++) {
            least = std::min(least, e.operand[i].start);
            most = std::max(most, e.operand[i].last);
        }
        all.push_back(e);
    }
    gmmu_sem_close(r);
    if (status != GMMU_END)
        throw std::runtime_error(err.text);
    const uint64_t end = addr_w == 64 ? UINT64_MAX : (1ull << addr_w) - 1;
    const uint64_t down = most > end ? least & ~((2ull << 20) - 1) : 0;
    if (most - down > end)
        return {};
    for (gmmu_sem_event &moved : all)
        for (uint32_t i = 0; i < moved.operands; i++) {
            moved.operand[i].start -= down;
            moved.operand[i].last -= down;
        }
    return all;
}

// The runtime with a GPU that has a place for all; what it asks of the directory is kept.
class Runtime {
   public:
    std::vector<Asked> asked;

    Runtime(const gmmu_sem_config &cfg, unsigned addr_w) : bits_(addr_w) {
        gmmu_sem_gpu gpu = {};
        gpu.allocate = [](void *self, uint64_t bytes, uint64_t *base) {
            Runtime *r = static_cast<Runtime *>(self);
            *base = r->next_ & (r->bits_ == 64 ? UINT64_MAX : (1ull << r->bits_) - 1);
            r->next_ += bytes;
            return true;
        };
        gpu.operation = [](void *self, const gmmu_range_op *op, const gmmu_range_beat *beat,
                           uint32_t n) {
            static_cast<Runtime *>(self)->asked.push_back({*op, {beat, beat + n}});
        };
        gpu.context = this;
        sem_ = gmmu_sem_create(&cfg, &gpu);
    }
    Runtime(const Runtime &) = delete;
    Runtime &operator=(const Runtime &) = delete;
    ~Runtime() { gmmu_sem_destroy(sem_); }

    gmmu_sem_counts counts() const { return gmmu_sem_counted(sem_); }

    void call(uint32_t site, const gmmu_sem_operand *operand, uint32_t n) {
        if (gmmu_sem_begin(sem_, site, operand, n, nullptr))
            gmmu_sem_end(sem_, operand, n);
    }
    void play(const Events &events) {
        uint64_t base, from;
        for (const gmmu_sem_event &e : events) switch (e.kind) {
                case GMMU_SEM_CALL:
                    call(e.site, e.operand, e.operands);
                    break;
                case GMMU_SEM_CPU:
                    gmmu_sem_cpu(sem_, e.operand[0]);
                    break;
                case GMMU_SEM_FREE:
                    gmmu_sem_free(sem_, e.operand[0]);
                    break;
                case GMMU_SEM_MEMO:
                    (void)gmmu_sem_computed(sem_, e.site, e.routine, e.operand[0], e.result, &base,
                                            &from);
                    break;
                default:
                    break;
            }
    }

   private:
    unsigned bits_;
    uint64_t next_ = 0;
    gmmu_sem *sem_;
};

inline void ask(std::vector<Asked> *to, unsigned kind, const gmmu_sem_operand &o, bool whole,
                bool pin) {
    gmmu_range_op op = {};
    op.op = static_cast<uint8_t>(kind);
    op.start = o.start;
    op.last = o.last;
    op.whole = whole;
    op.pin = pin;
    to->push_back({op, {}});
}

// Each call by itself: what it reads goes up, what it writes comes back, nothing stays. FIG9: what
// it writes goes up too.
inline std::vector<Asked> nothing_stays(const Events &events, bool fig9) {
    std::vector<Asked> all;
    for (const gmmu_sem_event &e : events) {
        if (e.kind != GMMU_SEM_CALL)
            continue;
        const std::vector<gmmu_sem_operand> operands(e.operand, e.operand + e.operands);
        for (const gmmu_sem_operand &o : operands) ask(&all, GMMU_RANGE_LOOKUP, o, false, false);
        for (const gmmu_sem_operand &o : operands)
            ask(&all, o.writes ? GMMU_RANGE_WRITE_GPU : GMMU_RANGE_READ_GPU, o, o.whole && !fig9,
                true);
        for (const gmmu_sem_operand &o : operands) ask(&all, GMMU_RANGE_UNPIN, o, false, false);
        for (const gmmu_sem_operand &o : operands)
            if (o.writes)
                ask(&all, GMMU_RANGE_READ_CPU, o, false, false);
        for (const gmmu_sem_operand &o : operands) ask(&all, GMMU_RANGE_RELEASE, o, false, false);
    }
    return all;
}

// Table 3's calls: a GEMM has three operands, GESV, XPY and COPY have two; on matrices in turn.
inline void table3(Runtime *runtime, unsigned gemm, unsigned others) {
    const auto matrix = [](unsigned i, bool writes) {
        const uint64_t at = static_cast<uint64_t>(i % 20) * 512;
        return gmmu_sem_operand{at, at + 511, !writes, writes, writes};
    };
    for (unsigned i = 0; i < gemm; i++) {
        const gmmu_sem_operand o[] = {matrix(i, false), matrix(i + 1, false), matrix(i + 2, true)};
        runtime->call(0, o, 3);
    }
    for (unsigned i = 0; i < others; i++) {
        gmmu_sem_operand o[] = {matrix(i, false), matrix(i + 1, true)};
        o[1].reads = true;
        o[1].whole = false;
        runtime->call(1, o, 2);
    }
}

}  // namespace host
