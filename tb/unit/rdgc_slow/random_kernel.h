// SPDX-License-Identifier: Apache-2.0
// random_kernel.h: random machines and kernels, as traces of the fast model.
#ifndef GMMU_TB_RDGC_SLOW_RANDOM_KERNEL_H
#define GMMU_TB_RDGC_SLOW_RANDOM_KERNEL_H

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compare.h"
#include "random_cache.h"
#include "rdgc/rdgc.h"
#include "slow_rdgc.h"

inline gmmu_rdgc_config random_config(Random *r) {
    gmmu_rdgc_config c = {};
    c.l1 = random_cache(r);
    c.l2 = random_cache(r);
    while (c.l1.block / c.l2.block > GMMU_RDGC_MAX_SECTORS) {
        c.l2.capacity *= 2;
        c.l2.block *= 2;
    }
    c.l1.bypass = static_cast<gmmu_rdgc_bypass>(r->of({0, 0, 1, 1, 1, 1, 1, 2, 2}));
    c.l2.bypass = static_cast<gmmu_rdgc_bypass>(r->of({0, 0, 0, 0, 0, 0, 0, 1, 1, 2}));
    c.sms = r->of32({1, 1, 2, 3, 4, 5, 7, 8, 16, 33});
    c.schedulers = r->of32({1, 2, 2, 3, 4, 5, 64});
    c.max_warps = r->of32({1, 2, 3, 4, 7, 8, 16, 64, 65536});
    c.max_blocks = r->of32({1, 2, 3, 4, 8, 32, 65536});
    c.mapping = static_cast<gmmu_rdgc_mapping>(r->of({0, 0, 1, 2, 3, 3}));
    c.reads = c.gap = 1;
    c.keep_l1 = r->percent(40);
    c.keep_l2 = r->percent(60);
    c.seed = r->of({0, 1, UINT64_MAX, r->bits()});
    if (r->percent(1)) {
        c.sms = GMMU_RDGC_MAX_SMS;
        c.l1.ways = std::min(c.l1.ways, 4U);
        c.l1.capacity = uint64_t{c.l1.block} * c.l1.ways * c.l1.partitions * c.l1.banks;
    }
    // long waits, and long lists of what waits, are in the cases of one cache
    if (c.l2.mshrs < 8) {
        c.l2.ports = std::min(c.l2.ports, 4U);
    }
    for (gmmu_rdgc_cache_config *l : {&c.l1, &c.l2}) {
        const bool few = l->mshrs < 8 || l->merges < 2;
        const uint32_t most = r->percent(2) ? 100 : few ? 3 : 10;
        l->latency = std::min(l->latency, most);
        l->k1 = std::min(l->k1, 1000 * most);
        const uint32_t d = l == &c.l1 ? c.l2.partitions * c.l2.banks : 1;
        if (longest_latency(*l, l == &c.l1 ? c.sms : 1, d) > 2 * most) {
            l->k2 = l->mshrs > 1000 ? 1 : 250;
        }
    }
    return c;
}

// A random kernel: each number has a pattern of addresses, of active threads, and of read and
// write.
class Kernel {
   public:
    // ROOM: bytes of an array. SHARE: of the usual length, one in so many.
    Kernel(Random *r, uint64_t room, uint64_t share) : r_(r), share_(share) {
        for (uint64_t &base : base_) {
            base = r->of({0, 0x10000, r->bits() >> (8 + r->below(40)), UINT64_MAX - room + 1,
                          0 - room / 2});  // before the end of memory, and across it
        }
        room_ = room;
    }

    slow_rdgc::Grid grid() {
        slow_rdgc::Grid g = {};
        g.threads = r_->of({1, 7, 31, 32, 33, 48, 64, 64, 65, 96, 128, 128, 256});
        g.blocks = r_->of({1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17});
        if (r_->percent(3)) {
            g.threads = 1024;
            g.blocks = 1 + r_->below(2);
        } else if (r_->percent(3)) {
            g.threads = 1 + r_->below(40);
            g.blocks = 100;
        }
        const uint64_t numbers = std::clamp<uint64_t>(
            r_->of({1000, 2000, 4000}) / share_ / (g.threads * g.blocks), 1, 1 + r_->below(10));
        uint64_t number = r_->percent(10) ? r_->below(30) : 0;
        number = r_->percent(2) ? GMMU_RDGC_MAX_NUMBER - 4 * numbers : number;
        for (uint64_t n = 0; n < numbers; n++) {
            const uint64_t kind = r_->below(10);  // read, write, both
            const uint64_t pattern = r_->bits();
            if (kind < 8) {
                site(&g, number, kind >= 6, pattern);
            } else {
                site(&g, number, false, pattern);
                site(&g, number, true, r_->percent(50) ? pattern : r_->bits());
            }
            number += r_->percent(90) ? 1 : 1 + r_->below(4);
        }
        if (number > GMMU_RDGC_MAX_NUMBER / 2) {
            site(&g, GMMU_RDGC_MAX_NUMBER, true, r_->bits());
        }
        return g;
    }

   private:
    void site(slow_rdgc::Grid *g, uint64_t number, bool write, uint64_t pattern) {
        Random p(pattern);
        const uint64_t base = base_[p.below(std::size(base_))];
        const uint64_t kind = p.below(8);
        const uint64_t stride =
            p.of({0, 4, 4, 4, 8, 8, 16, 32, 64, 128, 256, 4096, 3, 5, 2048 + 4});
        const uint64_t offset = p.of({0, 0, 4, 128, p.below(room_)});
        const uint64_t active = r_->below(9);
        for (uint64_t b = 0; b < g->blocks; b++) {
            const bool block_in = !r_->percent(25);
            for (uint64_t t = 0; t < g->threads; t++) {
                if (t % 32 == 0) {
                    warp_in_ = r_->percent(50);
                }
                if (!in(active, t, block_in)) {
                    continue;
                }
                const uint64_t thread = b * g->threads + t;
                uint64_t at = thread * stride;
                switch (kind) {
                    case 0:
                        at = t * stride;
                        break;
                    case 1:
                        at = b * stride;
                        break;
                    case 2:
                        at = p.bits();
                        break;
                    case 3:
                        at = 0 - thread * stride;
                        break;  // downwards
                    case 4:
                        at = (thread ^ 5) * stride;
                        break;
                    case 5:
                        at = t / 8 * stride + t % 8 * 4;
                        break;
                    default:
                        break;
                }
                g->accesses.push_back({number, b, t, write, base + (offset + at) % room_});
            }
        }
    }
    bool in(uint64_t active, uint64_t t, bool block_in) {
        switch (active) {
            case 0:
                return r_->percent(50);
            case 1:
                return t % 2 == 1;
            case 2:
                return t % 32 == 31;
            case 3:
                return warp_in_;
            case 4:
                return block_in;
            case 5:
                return r_->percent(10);
            default:
                return true;
        }
    }

    Random *r_;
    uint64_t base_[3];
    uint64_t room_;
    uint64_t share_;
    bool warp_in_ = true;
};

inline std::string number_text(Random *r, uint64_t n) {
    char text[32];
    std::snprintf(text, sizeof text, r->percent(50) ? "%" PRIu64 : "0x%" PRIx64, n);
    return text;
}

inline std::string grid_text(Random *r, const slow_rdgc::Grid &g,
                             const std::vector<ThreadAccess> &order) {
    std::string text = "# gmmu-rdgc 1 blocks=" + std::to_string(g.blocks) +
                       " threads=" + std::to_string(g.threads) + "\n";
    for (const ThreadAccess &a : order) {
        text += number_text(r, a.number) + "," + number_text(r, a.block) + "," +
                number_text(r, a.thread) + (a.write ? ",w," : ",r,") + number_text(r, a.address) +
                "\n";
        text += r->percent(1) ? "\n# a remark\n" : "";
    }
    return text;
}

// The grids as the fast model's trace: from the text, or added warp by warp, in any order.
inline FastTrace fast_trace(Random *r, const std::vector<slow_rdgc::Grid> &grids, gmmu_error *err) {
    FastTrace t(gmmu_rdgc_trace_create(err));
    std::string text;
    const bool by_text = r->percent(30);
    for (const slow_rdgc::Grid &g : grids) {
        std::vector<ThreadAccess> order = g.accesses;
        if (by_text) {
            r->shuffle(&order);
            text += grid_text(r, g, order);
            continue;
        }
        if (gmmu_rdgc_trace_begin(t.get(), g.blocks, g.threads, err) != GMMU_OK) {
            return nullptr;
        }
        // some warps in several parts
        std::map<std::tuple<uint64_t, uint64_t, uint64_t, bool, uint64_t>, Lanes> parts;
        const uint64_t split = r->of({1, 1, 2, 5});
        for (const ThreadAccess &a : order) {
            uint64_t part = a.thread % split;
            while (!parts[{a.block, a.number, a.thread / 32, a.write, part}]
                        .emplace(static_cast<unsigned>(a.thread % 32), a.address)
                        .second) {
                part += split;  // twice: not in one call
            }
        }
        std::vector<decltype(parts)::const_iterator> calls;
        for (auto p = parts.begin(); p != parts.end(); ++p) {
            calls.push_back(p);
        }
        if (r->percent(80)) {
            r->shuffle(&calls);
        }
        for (const auto &call : calls) {
            const auto &[block, number, warp, write, part] = call->first;
            uint64_t addr[GMMU_WARP];
            std::fill(std::begin(addr), std::end(addr), 0xdeadU);
            uint32_t mask = 0;
            for (const auto &[lane, address] : call->second) {
                addr[lane] = address;
                mask |= 1U << lane;
            }
            if (gmmu_rdgc_trace_add(t.get(), block, warp, number, write, mask, addr, err) !=
                GMMU_OK) {
                return nullptr;
            }
        }
    }
    if (by_text) {
        const std::unique_ptr<FILE, int (*)(FILE *)> in(fmemopen(text.data(), text.size(), "r"),
                                                        fclose);
        return gmmu_rdgc_trace_read(t.get(), in.get(), "text", err) == GMMU_OK ? std::move(t)
                                                                               : nullptr;
    }
    return gmmu_rdgc_trace_order(t.get(), err) == GMMU_OK ? std::move(t) : nullptr;
}

#endif
