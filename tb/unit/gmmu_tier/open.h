// SPDX-License-Identifier: Apache-2.0
// open.h: scenes in a unit of which registers and RAMs are written (open.vlt).
#pragma once
#include <string>

#include "flips/bits.h"
#include "scene.h"

// Is it built so? (Makefile, scripts/mutate.py)
inline bool is_open() {
#ifdef GMMU_OPEN
    return true;
#else
    return false;
#endif
}

// The RTL alone: no twin does what is written so.
class OpenScene : public Scene {
   public:
    OpenScene(const gmmu_regs &regs, const char *ram)
        : Scene(regs, ram), bits(*step.dut->contextp(), "") {
        step.compare = false;
    }
    // Of the unit, by its name there; a test without it fails.
    const flips::Register *find(const std::string &name) const {
        const flips::Register *r = bits.find("gmmu_tier." + name);
        EXPECT_NE(r, nullptr) << name;
        return r;
    }

   private:
    const flips::Bits bits;
};
