// SPDX-License-Identifier: Apache-2.0
// waves.h: some cycles of a run as FST, or as VCD (models built with it only).
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "Vdut.h"
#if defined(GMMU_FST)
#include "verilated_fst_c.h"
#elif defined(GMMU_VCD)
#include "verilated_vcd_c.h"
#endif

namespace lockstep {

#if defined(GMMU_FST)
using WaveFile = VerilatedFstC;
#elif defined(GMMU_VCD)
using WaveFile = VerilatedVcdC;
#endif

class Waves {
   public:
#ifdef GMMU_VCD
    static constexpr const char *NAME = "ports.vcd";
#else
    static constexpr const char *NAME = "waves.fst";
#endif
    void wanted(std::string file, uint64_t first, uint64_t last) {
        path = std::move(file);
        from = first;
        to = last;
    }
#if defined(GMMU_FST) || defined(GMMU_VCD)
    ~Waves() {
        if (waves.isOpen())
            waves.close();
    }
    // HALF 0: the clock is low.
    void dump(Vdut &dut, uint64_t cycle, unsigned half) {
        if (cycle < from || cycle > to)
            return;
        if (!waves.isOpen()) {
            dut.trace(&waves, 99);
            waves.open(path.c_str());
        }
        waves.dump(cycle * 10 + uint64_t{half} * 5);
    }
#else
    void dump(Vdut &, uint64_t, unsigned) {}
#endif

   private:
    std::string path;
    uint64_t from = 1, to = 0;
#if defined(GMMU_FST) || defined(GMMU_VCD)
    WaveFile waves;
#endif
};

}  // namespace lockstep
