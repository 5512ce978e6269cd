// SPDX-License-Identifier: Apache-2.0
// waves.h: some cycles of a run as FST (models built with it only).
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "Vdut.h"
#ifdef GMMU_FST
#include "verilated_fst_c.h"
#endif

namespace lockstep {

class Waves {
   public:
    void wanted(std::string file, uint64_t first, uint64_t last) {
        path = std::move(file);
        from = first;
        to = last;
    }
#ifdef GMMU_FST
    ~Waves() {
        if (fst.isOpen())
            fst.close();
    }
    // HALF 0: the clock is low.
    void dump(Vdut &dut, uint64_t cycle, unsigned half) {
        if (cycle < from || cycle > to)
            return;
        if (!fst.isOpen()) {
            dut.trace(&fst, 99);
            fst.open(path.c_str());
        }
        fst.dump(cycle * 10 + uint64_t{half} * 5);
    }
#else
    void dump(Vdut &, uint64_t, unsigned) {}
#endif

   private:
    std::string path;
    uint64_t from = 1, to = 0;
#ifdef GMMU_FST
    VerilatedFstC fst;
#endif
};

}  // namespace lockstep
