// SPDX-License-Identifier: Apache-2.0
// policy.h: what the slow policies have in common.
//
// A queue is a vector whose front is the youngest end (the papers' head, MRU or top) and whose back
// is the oldest (tail, LRU or bottom).
#ifndef GMMU_TB_SLOW_POLICIES_POLICY_H
#define GMMU_TB_SLOW_POLICIES_POLICY_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace slow {

using Page = uint32_t;
using Queue = std::vector<Page>;
using Ref = std::pair<uint32_t, uint64_t>;  // (asid, ref)

inline bool has(const Queue &q, Page p) {
    return std::find(q.begin(), q.end(), p) != q.end();
}
inline void push(Queue *q, Page p) {
    q->insert(q->begin(), p);
}
inline Page pop(Queue *q) {
    const Page p = q->back();
    q->pop_back();
    return p;
}
inline void take(Queue *q, Page p) {
    q->erase(std::find(q->begin(), q->end(), p));
}

template <class Pages>
void add(const Pages &pages, std::vector<Page> *all) {
    all->insert(all->end(), pages.begin(), pages.end());
}

// What a model is told.
struct Setting {
    uint64_t frames = 1;
    std::map<std::string, uint64_t> options;  // those that differ from the defaults
    uint64_t seed = 1;
    std::vector<Page> trace;  // for those that know the future
    std::vector<Ref> refs;    // of each walk

    uint64_t option(const std::string &key, uint64_t otherwise) const {
        auto found = options.find(key);
        return found == options.end() ? otherwise : found->second;
    }
    // A percentage of memory, in pages.
    uint64_t share(const std::string &key, uint64_t otherwise) const {
        return std::max<uint64_t>(1, frames * option(key, otherwise) / 100);
    }
};

class Policy {
   public:
    explicit Policy(const Setting &s) : m(s.frames) {}
    virtual ~Policy() = default;
    Policy(const Policy &) = delete;
    Policy &operator=(const Policy &) = delete;
    virtual void access(Page p) = 0;
    // Adds the resident pages to *ALL, in any order.
    virtual void resident(std::vector<Page> *all) const = 0;

   protected:
    const uint64_t m;  // size of memory
};

}  // namespace slow

#endif
