// SPDX-License-Identifier: Apache-2.0
// adjacency.cpp: a second client of the runtime, which has nothing of linear algebra: a graph whose
// structures are adjacency lists (SemCache, §4.1), walked breadth first on a GPU that is not there,
// while the CPU adds and removes edges between the walks.
//
// State space: random graphs of 2 to 120 vertices, 12 walks each, lists that grow, shrink, come and
// go. Parameter space: the three evictions, write-back and write-through, GPU memory from all to
// less than a step needs.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <queue>
#include <random>
#include <vector>

#include "random_trace.h"
#include "semcache/runtime.h"

namespace {

using Vertex = uint32_t;
enum : Vertex { FAR = UINT32_MAX };
enum : uint32_t { LISTS = GMMU_SEM_MOST_OPERANDS - 1 };  // of a call, beside the distances

// Two memories and what is where. Addresses are never used twice unless they were freed.
class Machine {
   public:
    explicit Machine(const gmmu_sem_config &cfg) {
        gmmu_sem_gpu gpu = {};
        gpu.allocate = [](void *c, uint64_t bytes, uint64_t *base) {
            Machine *m = static_cast<Machine *>(c);
            *base = m->next_;
            m->next_ += bytes + 8;
            m->gpu_[*base].assign(bytes, 0xEE);
            return true;
        };
        gpu.release = [](void *c, uint64_t, uint64_t base, uint64_t) {
            static_cast<Machine *>(c)->gpu_.erase(base);
        };
        gpu.up = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            Machine *m = static_cast<Machine *>(c);
            std::memcpy(m->gpu_.at(base).data(), m->cpu(start), bytes);
        };
        gpu.down = [](void *c, uint64_t start, uint64_t base, uint64_t bytes) {
            Machine *m = static_cast<Machine *>(c);
            std::memcpy(m->cpu(start), m->gpu_.at(base).data(), bytes);
        };
        gpu.context = this;
        sem = gmmu_sem_create(&cfg, &gpu);
    }
    Machine(const Machine &) = delete;
    Machine &operator=(const Machine &) = delete;
    ~Machine() { gmmu_sem_destroy(sem); }

    gmmu_sem *sem;

    uint8_t *cpu(uint64_t at) {
        if (memory_.size() < at + 4096)
            memory_.resize(2 * at + 65536, 0xAA);
        return memory_.data() + at;
    }
    uint8_t *gpu(uint64_t at) {
        auto i = gpu_.upper_bound(at);
        --i;
        EXPECT_LT(at - i->first, i->second.size());
        return i->second.data() + (at - i->first);
    }

   private:
    std::vector<uint8_t> memory_;
    std::map<uint64_t, std::vector<uint8_t>> gpu_;
    uint64_t next_ = 1 << 20;
};

// A list in the CPU's memory.
struct List {
    uint64_t at, used, room;
};

class Graph {
   public:
    Graph(Machine &m, uint32_t vertices) : machine_(m), list_(vertices, List{0, 0, 0}) {
        distance_ = take(vertices);
    }
    uint32_t size() const { return static_cast<uint32_t>(list_.size()); }

    void add(Vertex from, Vertex to) {
        List &l = list_[from];
        if (l.used == l.room) {
            const List old = l;
            l.room = old.room == 0 ? 4 : 2 * old.room;
            l.at = take(l.room);
            if (old.room != 0) {
                touch(old.at, old.used, true, false);
                std::memcpy(machine_.cpu(l.at), machine_.cpu(old.at), 4 * old.used);
                gmmu_sem_free(machine_.sem, operand(old.at, old.room, true, false));
                std::memset(machine_.cpu(old.at), 0xAA, 4 * old.room);
                free_[old.room].push_back(old.at);
            }
        }
        touch(l.at + 4 * l.used, 1, false, true);
        std::memcpy(machine_.cpu(l.at + 4 * l.used), &to, 4);
        l.used++;
    }
    void drop_last(Vertex from) {
        if (list_[from].used != 0)
            list_[from].used--;
    }
    std::vector<Vertex> edges(Vertex from) const {
        std::vector<Vertex> is(list_[from].used);
        if (!is.empty())
            std::memcpy(is.data(), machine_.cpu(list_[from].at), 4 * is.size());
        return is;
    }

    // All distances from ROOT, in shadow execution: a call is a part of the frontier.
    std::vector<Vertex> walk(Vertex root) {
        std::vector<Vertex> begin(size(), FAR);
        begin[root] = 0;
        touch(distance_, size(), false, true, true);
        std::memcpy(machine_.cpu(distance_), begin.data(), 4 * begin.size());
        std::vector<Vertex> frontier = {root};
        for (Vertex depth = 1; !frontier.empty(); depth++) {
            std::vector<Vertex> next;
            for (size_t i = 0; i < frontier.size(); i += LISTS)
                step({frontier.begin() + static_cast<long>(i),
                      frontier.begin() +
                          static_cast<long>(std::min(frontier.size(), i + size_t{LISTS}))},
                     depth, &next);
            frontier = next;
        }
        touch(distance_, size(), true, false);
        std::memcpy(begin.data(), machine_.cpu(distance_), 4 * begin.size());
        return begin;
    }

   private:
    Machine &machine_;
    std::vector<List> list_;
    uint64_t distance_, top_ = 0;
    std::map<uint64_t, std::vector<uint64_t>> free_;

    uint64_t take(uint64_t words) {
        std::vector<uint64_t> &kept = free_[words];
        if (!kept.empty()) {
            const uint64_t at = kept.back();
            kept.pop_back();
            return at;
        }
        const uint64_t at = top_;
        top_ += 4 * words;
        return at;
    }
    static gmmu_sem_operand operand(uint64_t at, uint64_t words, bool reads, bool writes,
                                    bool whole = false) {
        gmmu_sem_operand o = {};
        o.start = at;
        o.last = at + 4 * words - 1;
        o.reads = reads;
        o.writes = writes;
        o.whole = whole;
        return o;
    }
    void touch(uint64_t at, uint64_t words, bool reads, bool writes, bool whole = false) {
        gmmu_sem_cpu(machine_.sem, operand(at, words, reads, writes, whole));
    }
    // The library's routine: neighbours of these vertices that are FAR are at DEPTH.
    void step(const std::vector<Vertex> &of, Vertex depth, std::vector<Vertex> *next) {
        std::vector<gmmu_sem_operand> ops = {operand(distance_, size(), true, true)};
        std::vector<Vertex> with;
        for (const Vertex v : of)
            if (list_[v].used != 0) {
                ops.push_back(operand(list_[v].at, list_[v].room, true, false));
                with.push_back(v);
            }
        const uint32_t n = static_cast<uint32_t>(ops.size());
        std::vector<uint64_t> base(n);
        const bool on_gpu = gmmu_sem_begin(machine_.sem, 1, ops.data(), n, base.data());
        const auto at = [&](uint32_t i) {
            return on_gpu ? machine_.gpu(base[i]) : machine_.cpu(ops[i].start);
        };
        for (uint32_t i = 0; i < with.size(); i++)
            for (uint64_t k = 0; k < list_[with[i]].used; k++) {
                Vertex to, is;
                std::memcpy(&to, at(i + 1) + 4 * k, 4);
                ASSERT_LT(to, size());
                std::memcpy(&is, at(0) + 4ul * to, 4);
                if (is != FAR)
                    continue;
                std::memcpy(at(0) + 4ul * to, &depth, 4);
                next->push_back(to);
            }
        if (on_gpu)
            gmmu_sem_end(machine_.sem, ops.data(), n);
    }
};

std::vector<Vertex> plain(const std::vector<std::vector<Vertex>> &edges, Vertex root) {
    std::vector<Vertex> d(edges.size(), FAR);
    std::queue<Vertex> todo;
    d[root] = 0;
    for (todo.push(root); !todo.empty(); todo.pop())
        for (const Vertex v : edges[todo.front()])
            if (d[v] == FAR) {
                d[v] = d[todo.front()] + 1;
                todo.push(v);
            }
    return d;
}

TEST(SemAdjacency, WalksOfAGraphThatChanges) {
    std::mt19937_64 rng(test_seed());
    uint64_t calls = 0, off = 0, hits = 0, lookups = 0, evictions = 0;
    for (int run = 0; run < 60 && !testing::Test::HasFailure(); run++) {
        gmmu_sem_config c = {};
        c.limit = run % 3 == 0 ? UINT64_C(1) << 40 : 200 + rng() % 2000;
        c.evict = static_cast<gmmu_sem_evict>(rng() % GMMU_SEM_EVICTS);
        c.write_through = rng() % 2;
        Machine m(c);
        Graph g(m, 2 + static_cast<uint32_t>(rng() % 119));
        std::vector<std::vector<Vertex>> truth(g.size());
        for (int walk = 0; walk < 12 && !testing::Test::HasFailure(); walk++) {
            for (uint64_t k = walk == 0 ? 2 * g.size() : rng() % 6; k != 0; k--) {
                const Vertex from = static_cast<Vertex>(rng() % g.size());
                if (rng() % 4 == 0 && !truth[from].empty()) {
                    g.drop_last(from);
                    truth[from].pop_back();
                } else {
                    const Vertex to = static_cast<Vertex>(rng() % g.size());
                    g.add(from, to);
                    truth[from].push_back(to);
                }
            }
            const Vertex root = static_cast<Vertex>(rng() % g.size());
            ASSERT_EQ(g.walk(root), plain(truth, root)) << "run " << run << " walk " << walk;
        }
        const gmmu_sem_counts n = gmmu_sem_counted(m.sem);
        calls += n.calls;
        off += n.on_cpu;
        hits += n.hits;
        lookups += n.lookups;
        evictions += n.evictions;
    }
    std::printf(
        "[ vectors  ] %llu calls, %llu on the CPU, %llu of %llu lookups hit, %llu evictions\n",
        static_cast<unsigned long long>(calls), static_cast<unsigned long long>(off),
        static_cast<unsigned long long>(hits), static_cast<unsigned long long>(lookups),
        static_cast<unsigned long long>(evictions));
    EXPECT_GT(calls, off);
    EXPECT_GT(off, 0u);
    EXPECT_GT(evictions, 100u);
    EXPECT_GT(2 * hits, lookups);
}

// A list goes up once; one that was written goes up again, alone.
TEST(SemAdjacency, OnlyListsThatChangedGoUpAgain) {
    gmmu_sem_config c = {};
    c.limit = UINT64_C(1) << 40;
    Machine m(c);
    enum : uint32_t { N = 50 };
    Graph g(m, N);
    for (Vertex v = 0; v + 1 < N; v++)
        for (Vertex k = 1; k <= 3; k++) g.add(v, std::min(v + k, N - 1));
    const auto sent = [&] { return gmmu_sem_counted(m.sem).up_bytes; };
    (void)g.walk(0);
    const uint64_t first = sent();
    EXPECT_EQ(first, 4 * N + (N - 1) * 16);  // distances; lists with room for four
    (void)g.walk(0);
    EXPECT_EQ(sent() - first, 4 * N);  // the CPU wrote the distances
    g.add(7, 0);
    g.add(20, 1);
    const uint64_t before = sent();
    (void)g.walk(0);
    EXPECT_EQ(sent() - before, 4 * N + 2 * 16);
}

}  // namespace
