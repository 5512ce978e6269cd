// SPDX-License-Identifier: Apache-2.0
// address_writer.h: writes walks as accesses at addresses, in the forms of simulators of DRAM.
#ifndef GMMU_TRACE_ADDRESS_WRITER_H
#define GMMU_TRACE_ADDRESS_WRITER_H

#include "trace/form_writer.h"

extern const gmmu_form_writer gmmu_ramulator_writer, gmmu_ramulator2_writer, gmmu_dramsim3_writer;

#endif
