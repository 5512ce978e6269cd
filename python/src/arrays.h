// SPDX-License-Identifier: Apache-2.0
// arrays.h: walks and hints as NumPy arrays. Of both the records are those of C, so that nothing is
// copied; gmmu/_arrays.py has their dtypes, and views bytes as records.
#ifndef GMMU_PYTHON_ARRAYS_H
#define GMMU_PYTHON_ARRAYS_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstring>
#include <vector>

#include "gmmu/trace.h"

// The bytes of an array that Python keeps, aligned as its records.
using Bytes =
    nanobind::ndarray<const uint8_t, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using OwnBytes = nanobind::ndarray<nanobind::numpy, uint8_t, nanobind::ndim<1>>;

static_assert(sizeof(gmmu_walk) == 40 && offsetof(gmmu_walk, ref) == 8 &&
              offsetof(gmmu_walk, time) == 16 && offsetof(gmmu_walk, asid) == 24 &&
              offsetof(gmmu_walk, sm) == 28 && offsetof(gmmu_walk, write) == 32);
static_assert(sizeof(gmmu_hint) == 40 && offsetof(gmmu_hint, id) == 8 &&
              offsetof(gmmu_hint, first) == 16 && offsetof(gmmu_hint, pages) == 24 &&
              offsetof(gmmu_hint, asid) == 32 && offsetof(gmmu_hint, kind) == 36 &&
              sizeof(gmmu_hint_kind) == 4);

template <class Record>
struct Records {
    const Record *data;
    size_t count;
};

template <class Record>
Records<Record> records(const Bytes &bytes) {
    return {reinterpret_cast<const Record *>(bytes.data()), bytes.shape(0) / sizeof(Record)};
}

// Adds COUNT walks, whose padding becomes 0.
inline void add_walks(std::vector<gmmu_walk> &to, const gmmu_walk *walks, size_t count) {
    enum { END = offsetof(gmmu_walk, write) + sizeof(bool) };
    const size_t before = to.size();
    to.insert(to.end(), walks, walks + count);
    for (size_t i = before; i < to.size(); i++) {
        std::memset(reinterpret_cast<char *>(&to[i]) + END, 0, sizeof(gmmu_walk) - END);
    }
}

// The bytes of the records, which the array owns from now on.
template <class Record>
OwnBytes array_of(std::vector<Record> &&records) {
    auto *own = new std::vector<Record>(std::move(records));
    const nanobind::capsule owner(
        own, [](void *p) noexcept { delete static_cast<std::vector<Record> *>(p); });
    const size_t size = own->size() * sizeof(Record);
    return OwnBytes(own->data(), {size}, owner);
}

// Throws gmmu.Error unless the hints stand in order among COUNT walks, each of a kind and a range
// that there are.
void check_hints(const Records<gmmu_hint> &hints, size_t count);

#endif
