// SPDX-License-Identifier: Apache-2.0
// cover.h: included before all else by `make coverage`: a model writes its coverage when it ends,
// one file a model in the folder GMMU_COVERAGE; models that are left when the program is stopped,
// too.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>

#include "Vdut.h"
#include "verilated_cov.h"

class CoveredDut : public Vdut {
   public:
    explicit CoveredDut(VerilatedContext *c) : Vdut(c) { all().insert(this); }
    ~CoveredDut() override {
        all().erase(this);
        write();
    }
    void write() {
        static int n = 0;
        const char *folder = std::getenv("GMMU_COVERAGE");
        if (folder != nullptr)
            contextp()->coveragep()->write((std::string(folder) + "/" + std::to_string(getpid()) +
                                            "_" + std::to_string(n++) + ".dat")
                                               .c_str());
    }
    static std::set<CoveredDut *> &all() {
        static std::set<CoveredDut *> models;
        return models;
    }
};

extern "C" void gmmu_cover_models() {
    for (CoveredDut *m : CoveredDut::all()) m->write();
}
#define Vdut CoveredDut
