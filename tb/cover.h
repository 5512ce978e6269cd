// SPDX-License-Identifier: Apache-2.0
// cover.h: included before all else by `make coverage`: a model writes its coverage when it ends, one
// file a model in the folder GMMU_COVERAGE.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "Vdut.h"
#include "verilated_cov.h"

class CoveredDut : public Vdut {
   public:
    explicit CoveredDut(VerilatedContext *c) : Vdut(c) {}
    ~CoveredDut() override {
        static int n = 0;
        const char *folder = std::getenv("GMMU_COVERAGE");
        if (folder != nullptr)
            contextp()->coveragep()->write((std::string(folder) + "/" + std::to_string(getpid()) + "_" +
                                           std::to_string(n++) + ".dat").c_str());
    }
};
#define Vdut CoveredDut
