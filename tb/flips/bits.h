// SPDX-License-Identifier: Apache-2.0
// bits.h: the bits of a Verilated model's registers and RAMs (scripts/flips_public.py), by name.
#pragma once
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_syms.h"

namespace flips {

// A register, or a RAM of WORDS words.
struct Register {
    std::string part, name;  // gmmu_tier.frame_store.…, and the name in that module
    unsigned char *data;
    uint32_t words, width, bytes;  // of a word: bits, and bytes that it takes
    bool ram;
};

struct Bit {
    const Register *of;
    uint32_t word, bit;
    void flip() const {
        of->data[static_cast<std::size_t>(word) * of->bytes + bit / 8] ^=
            static_cast<unsigned char>(1u << bit % 8);
    }
    bool value() const {
        return of->data[static_cast<std::size_t>(word) * of->bytes + bit / 8] >> bit % 8 & 1;
    }
};

// All bits of registers and RAMs of a model.
class Bits {
   public:
    // Those with TEXT in their names.
    Bits(VerilatedContext &context, const std::string &text) : wanted(text) {
        for (const auto &scope : *context.scopeNameMap()) {
            if (scope.second->varsp() == nullptr)
                continue;
            for (const auto &named : *scope.second->varsp()) add(scope.first, named.second);
        }
        for (const Register &r : all)
            if ((r.part + "." + r.name).find(wanted) == std::string::npos)
                continue;
            else if (r.ram)
                rams.push_back(&r);
            else
                for (uint32_t w = 0; w < r.words * r.width; w++)
                    flops.push_back({&r, w / r.width, w % r.width});
    }
    Bits(const Bits &) = delete;
    Bits &operator=(const Bits &) = delete;

    // One of a RAM, each RAM as often as any other.
    Bit of_ram(std::mt19937_64 &rng) const {
        const Register &r = *rams[rng() % rams.size()];
        return {&r, static_cast<uint32_t>(rng() % r.words), static_cast<uint32_t>(rng() % r.width)};
    }
    Bit of_flop(std::mt19937_64 &rng) const { return flops[rng() % flops.size()]; }
    // Of either, as often.
    Bit any(std::mt19937_64 &rng) const {
        const bool ram = rng() % 2;
        return flops.empty() || (ram && !rams.empty()) ? of_ram(rng) : of_flop(rng);
    }
    bool none() const { return flops.empty() && rams.empty(); }
    // The register of this name, or nullptr.
    const Register *find(const std::string &name) const {
        for (const Register &r : all)
            if (r.part + "." + r.name == name)
                return &r;
        return nullptr;
    }
    const std::vector<const Register *> &all_rams() const { return rams; }
    std::size_t flop_bits() const { return flops.size(); }
    std::size_t ram_count() const { return rams.size(); }
    uint64_t ram_bits() const {
        uint64_t n = 0;
        for (const Register *r : rams) n += uint64_t{r->words} * r->width;
        return n;
    }

   private:
    const std::string wanted;
    std::vector<Register> all;
    std::vector<const Register *> rams;
    std::vector<Bit> flops;

    void add(const std::string &scope, const VerilatedVar &v) {
        if (!v.isPublicRW() || v.isParam() || v.udims() > 1)
            return;
        Register r = {};
        r.part = scope.compare(0, 4, "TOP.") == 0 ? scope.substr(4) : scope;
        r.name = v.name();
        r.data = static_cast<unsigned char *>(v.datap());
        r.words = v.udims() == 1 ? static_cast<uint32_t>(v.elements(1)) : 1;
        r.width = v.dims() > v.udims() ? static_cast<uint32_t>(v.elements(0)) : 1;
        r.bytes = v.entSize();
        r.ram = r.name == "mem";
        all.push_back(r);
    }
};

}  // namespace flips
