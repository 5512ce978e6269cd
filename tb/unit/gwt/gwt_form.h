// SPDX-License-Identifier: Apache-2.0
// gwt_form.h: the binary form written a second time, from docs/reference/formats.md, so that single
// fields can be wrong.
#ifndef GMMU_TB_GWT_GWT_FORM_H
#define GMMU_TB_GWT_GWT_FORM_H

#include <zstd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "blocks/crc32c.h"

inline uint32_t crc(const std::string &bytes) {
    uint32_t c = 0xFFFFFFFFU;
    for (char b : bytes) {
        c = gmmu_crc32c_bits(c, static_cast<unsigned char>(b), 8);
    }
    return ~c;
}

inline std::string u32(uint64_t v) {
    std::string s;
    for (unsigned i = 0; i < 4; i++) {
        s += static_cast<char>(v >> (8 * i));
    }
    return s;
}

inline std::string u64(uint64_t v) {
    return u32(v) + u32(v >> 32);
}

inline const std::string kMagic = "\x89GWT\r\n\x1a\n";

inline std::string gwt_header(uint64_t walks = UINT64_MAX, uint64_t pages = UINT64_MAX,
                              uint32_t shift = 12, uint32_t version = 1,
                              const std::string &comment = "") {
    const std::string head = kMagic + u32(version) + u32(shift) + u64(walks) + u64(pages) + u32(0) +
                             u32(0) + u32(comment.size());
    return head + u32(crc(head + comment)) + comment;
}

inline std::string gwt_block(const std::string &raw, uint32_t walks, int64_t raw_size = -1,
                             const std::string &behind = "") {
    std::string packed(ZSTD_compressBound(raw.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1));
    packed += behind;
    const std::string head = "GWTB" + u32(walks) +
                             u32(raw_size < 0 ? raw.size() : static_cast<uint64_t>(raw_size)) +
                             u32(packed.size()) + u32(crc(packed));
    return head + u32(crc(head)) + packed;
}

inline std::string gwt_end(uint64_t at, const std::vector<std::pair<uint64_t, uint64_t>> &blocks,
                           uint64_t walks) {
    const std::string head = "GWTE" + u32(blocks.size()) + u64(walks) + u64(UINT64_MAX);
    std::string index;
    for (const auto &b : blocks) {
        index += u64(b.first) + u64(b.second);
    }
    const std::string trailer = u64(at);
    return head + u32(crc(head)) + index + u32(crc(index)) + trailer + u32(crc(trailer)) + "GWT\n";
}

// A file with one block, and what is BEHIND the frame of its walks.
inline std::string gwt_file(const std::string &raw, uint32_t walks,
                            const std::string &behind = "") {
    const std::string start = gwt_header() + gwt_block(raw, walks, -1, behind);
    return start + gwt_end(start.size(), {{48, 0}}, walks);
}

inline const std::string kZero("\0", 1);
inline const std::string kConstant0("\0\0", 2);
// vpn 1, 2, 3; ref 0x10; r w r; sm, asid and time 0
inline const std::string kThree = std::string("\1\2\2\2", 4) + std::string("\0\x10", 2) + "\2\2" +
                                  kConstant0 + kConstant0 + kConstant0;

#endif
