// SPDX-License-Identifier: Apache-2.0
// main.cpp: the platform as a program (docs/guide/platform.md). Exit status 2: it was told what
// cannot be; 1: the watchdog ended the run.
#include <cstdio>
#include <cstdlib>

#include "platform.h"
#include "report.h"
#include "rtl_unit.h"
#ifndef GMMU_RTL
Rtl rtl_of_program() {
    return {};
}
#endif

// STATUS, or 2 if not all of standard output could be written.
static int written(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return status;
    std::fprintf(stderr, "platform: standard output: cannot be written\n");
    return status == 0 ? 2 : status;
}

int sc_main(int argc, char **argv) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    try {
        Options o;
        if (!parse_options(argc, argv, &o))
            return written(0);
        const Parameters p = read_parameters(o.parameters, o.set);
        Platform platform("platform", o, p, rtl_of_program());
        const int status = platform.run();
        if (status == 0)
            Report::print(platform);
        if (!platform.end_timeline()) {
            std::fprintf(stderr, "platform: %s: cannot be written\n", o.timeline.c_str());
            return status == 0 ? 2 : written(status);
        }
        return written(status);
    } catch (const Bad &e) {
        std::fflush(stdout);
        std::fprintf(stderr, "platform: %s\n", e.text.c_str());
        return 2;
    }
}

int main(int argc, char **argv) {
    // what SystemC says of itself at the start is not for every run
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    return sc_core::sc_elab_and_sim(argc, argv);
}
