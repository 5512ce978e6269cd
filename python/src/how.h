// SPDX-License-Identifier: Apache-2.0
// how.h: how a trace is read, from the keywords of Python (gmmu/_read.py, which checks them).
#ifndef GMMU_PYTHON_HOW_H
#define GMMU_PYTHON_HOW_H

#include <string>

#include "run/source.h"

class How {
   public:
    How(const std::string &form, unsigned page_shift, unsigned coarse_shift, uint64_t iterations,
        std::string columns, std::string separators, bool no_header, bool renumber);
    // Valid as long as this object.
    gmmu_source_form form() const;

   private:
    gmmu_source_form form_ = {};
    std::string columns_, separators_;
};

#endif
