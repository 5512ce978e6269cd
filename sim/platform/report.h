// SPDX-License-Identifier: Apache-2.0
// report.h: what came out of a run, as a table, CSV or JSON.
#pragma once
#include "platform.h"

class Report {
   public:
    static void print(Platform &p);
};
