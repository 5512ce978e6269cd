// SPDX-License-Identifier: Apache-2.0
// bits.h: fields in and out of Verilator's ports, whatever their width.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gmmu/config.h"
#include "verilated.h"

template <typename T>
inline void clear_bits(T &port) {
    port = 0;
}
template <std::size_t N>
inline void clear_bits(VlWide<N> &port) {
    for (std::size_t i = 0; i < N; i++) port[i] = 0;
}

template <typename T>
inline void put_bits(T &port, gmmu_field f, uint64_t value) {
    const uint64_t mask = f.width == 64 ? ~0ull : (1ull << f.width) - 1;
    port = static_cast<T>((port & ~(mask << f.offset)) | ((value & mask) << f.offset));
}
template <std::size_t N>
inline void put_bits(VlWide<N> &port, gmmu_field f, uint64_t value) {
    for (unsigned i = 0; i < f.width;) {  // word by word
        const unsigned bit = f.offset + i, at = bit % 32;
        const unsigned n = f.width - i < 32 - at ? f.width - i : 32 - at;
        const uint32_t mask = static_cast<uint32_t>(((1ull << n) - 1) << at);
        port[bit / 32] =
            (port[bit / 32] & ~mask) | (static_cast<uint32_t>((value >> i) << at) & mask);
        i += n;
    }
}

template <typename T>
inline uint64_t get_bits(const T &port, gmmu_field f) {
    const uint64_t mask = f.width == 64 ? ~0ull : (1ull << f.width) - 1;
    return (static_cast<uint64_t>(port) >> f.offset) & mask;
}
template <std::size_t N>
inline uint64_t get_bits(const VlWide<N> &port, gmmu_field f) {
    uint64_t value = 0;
    for (unsigned i = 0; i < f.width;) {
        const unsigned bit = f.offset + i, at = bit % 32;
        const unsigned n = f.width - i < 32 - at ? f.width - i : 32 - at;
        value |= static_cast<uint64_t>((port[bit / 32] >> at) & ((1ull << n) - 1)) << i;
        i += n;
    }
    return value;
}
