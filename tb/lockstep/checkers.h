// SPDX-License-Identifier: Apache-2.0
// checkers.h: the list of the checkers.
//
// The first difference is the one that is reported. So a checker stands behind those whose results
// its block takes: a walk's time, then the frame's answer, then the record made of it.
#pragma once
#include "lockstep/fault_unit.h"
#include "lockstep/frame_mem.h"
#include "lockstep/frame_table.h"
#include "lockstep/hir_cache.h"
#include "lockstep/ppuc.h"
#include "lockstep/record_feed.h"
#include "lockstep/ref_rit.h"
#include "lockstep/refresh_wait.h"
#include "lockstep/rit_export.h"
#include "lockstep/side_port.h"
#include "lockstep/trace_sampler.h"
#include "lockstep/victim_select.h"
#include "lockstep/walk_pipe.h"

namespace lockstep {

using Checkers =
    CheckerSet<WalkPipe, SidePort, FrameTable, FrameMem, TraceSampler, RecordFeed, FaultUnit,
               VictimSelect, RefRit, RefreshWait, Ppuc, RitExport, HirCache>;

}  // namespace lockstep
