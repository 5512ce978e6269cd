// SPDX-License-Identifier: Apache-2.0
// gmmu_tvi.vh: the tier verification interface: the actions of each cycle and their results (docs/schedule.md), one
// line each: range, name, what it shows. gmmu_tier includes it twice with GMMU_TVI, as ports and as assignments, and not
// at all without. Codes: gmmu_codes.vh.
// the actions of this cycle and their results, in the order SEND, side, background, walk
`GMMU_SHOW1(tvi_send, send)
`GMMU_SHOW([1:0], tvi_rit_side, side_export)                              // RIT_*
`GMMU_SHOW([1:0], tvi_rit_walk, walk_export)                              // RIT_*
`GMMU_SHOW1(tvi_side_valid, s3_valid)
`GMMU_SHOW([3:0], tvi_side_kind, s3_kind)                                 // SIDE_*
`GMMU_SHOW([FRAME_W-1:0], tvi_side_frame, s3_frame)
`GMMU_SHOW([T2_W-1:0], tvi_side_slot, s3_slot)
`GMMU_SHOW1(tvi_drv_refused, s3_refused)
`GMMU_SHOW1(tvi_drv_left, s3_left)
`GMMU_SHOW1(tvi_drv_hit, s3_hit)
`GMMU_SHOW([1:0], tvi_drv_record, left_record)                            // REC_*, of the cycle before
`GMMU_SHOW([TIME_W-1:0], tvi_drv_age, s3_left ? f_age : {TIME_W{1'b0}})
`GMMU_SHOW([1:0], tvi_drv_fault, s3_fault)                                // FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_drv_entry, s3_entry)
`GMMU_SHOW1(tvi_fill_dirty, fill_dirty)                                   // FILL: what goes into the frame
`GMMU_SHOW([TIME_W-1:0], tvi_fill_last, fill_last)
`GMMU_SHOW([ROW_W-1:0], tvi_fill_row, fill_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_fill_gen, fill_class[GEN_W-1:0])
`GMMU_SHOW([AGE_W-1:0], tvi_age_index, age_index)
`GMMU_SHOW1(tvi_age_clamped, f_clamped || s3_clamped || t_clamped)
`GMMU_SHOW1(tvi_install_current, install_current)
`GMMU_SHOW([ROW_W-1:0], tvi_row, s3_install ? install_row : serving)      // INSTALL: the row; CAND: the serving row
`GMMU_SHOW1(tvi_cand_eligible, s3_cand2 ? t_eligible : f_eligible)
`GMMU_SHOW1(tvi_hand_recent, f_recent)                                    // HAND: hit since it was filled or passed
`GMMU_SHOW([TIME_W-1:0], tvi_cand_last, s3_cand2 ? t_last : f_last)
`GMMU_SHOW([2:0], tvi_dec_tier, decide_tier)                              // TIER_*
`GMMU_SHOW1(tvi_dec_kept, f_take && f_taken && f_keep)                    // RETRY: the candidate is kept
`GMMU_SHOW([IDX_W-1:0], tvi_dec_entry, decide_entry)
`GMMU_SHOW([15:0], tvi_dec_priority, decide_priority)
`GMMU_SHOW1(tvi_rises, rises)                                             // RISE
`GMMU_SHOW([2:0], tvi_place_tier, place_tier)                             // PLACE: TIER_*
`GMMU_SHOW1(tvi_forgetting, forgetting)                                   // FORGET: as long, no page has an entry, or gets one
`GMMU_SHOW1(tvi_foretell_valid, foretell)                                 // FORETELL, before the side action
`GMMU_SHOW([2:0], tvi_foretell_kind, foretell_kind)                       // TP_*
`GMMU_SHOW1(tvi_allow, allow)                                             // other frames than before may be protected: after the side action
`GMMU_SHOW([FRAME_W:0], tvi_limit, limit)                                 // ALLOW: so many
`GMMU_SHOW1(tvi_pending, rit_pending)                                     // some row is pending, before this cycle's actions
`GMMU_SHOW1(tvi_bg_valid, bg_valid)
`GMMU_SHOW([1:0], tvi_bg_kind, bg_kind)                                   // BG_*
`GMMU_SHOW([ROW_W-1:0], tvi_bg_row, bg_row)
`GMMU_SHOW1(tvi_bg_queue, bg_queue)
`GMMU_SHOW1(tvi_bg_applied, bg_applied)
`GMMU_SHOW1(tvi_thresh_valid, thresh_valid)
`GMMU_SHOW([16:0], tvi_thresh, thresh)
`GMMU_SHOW1(tvi_scrub_valid, scrub_valid)
`GMMU_SHOW1(tvi_scrub_removed, scrub_removed)
`GMMU_SHOW([SAMP_W-1:0], tvi_scrub_index, scrub_index)
`GMMU_SHOW([TIME_W-1:0], tvi_scrub_age, scrub_age)
`GMMU_SHOW([ROW_W-1:0], tvi_scrub_row, scrub_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_scrub_gen, scrub_class[GEN_W-1:0])
`GMMU_SHOW([1:0], tvi_scrub_record, scrub_record)                         // REC_*, of the cycle before
`GMMU_SHOW1(tvi_flush_valid, w9_flush)                                    // FLUSH: in the slot of the WALK, before it
`GMMU_SHOW1(tvi_flushing, flushing)                                       // before this cycle's actions
`GMMU_SHOW1(tvi_flush_removed, w9_flush && given)
`GMMU_SHOW([ROW_W-1:0], tvi_flush_row, given_class[GEN_W +: ROW_W])
`GMMU_SHOW1(tvi_sampled_selected, samp_selected)                          // of the WALK
`GMMU_SHOW1(tvi_sampled_stolen, samp_stolen)
`GMMU_SHOW1(tvi_sampled_hit, samp_hit)
`GMMU_SHOW1(tvi_sampled_record, samp_valid)
`GMMU_SHOW([TIME_W-1:0], tvi_sampled_interval, samp_interval)
`GMMU_SHOW([ROW_W-1:0], tvi_sampled_row, samp_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_sampled_gen, samp_class[GEN_W-1:0])
`GMMU_SHOW1(tvi_walk_valid, w9_valid)
`GMMU_SHOW([TIME_W-1:0], tvi_walk_time, w9_time)
`GMMU_SHOW([ROW_W-1:0], tvi_walk_row, w9_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_walk_gen, w9_class[GEN_W-1:0])
`GMMU_SHOW1(tvi_walk_alloc, w9_alloc)
`GMMU_SHOW1(tvi_walk_tick, w9_tick)
`GMMU_SHOW([1:0], tvi_walk_touch, w9_touch)                               // REC_*
`GMMU_SHOW1(tvi_walk_match, hit_match)                                    // FRAME_MEM: this and the next three are TOUCH's
`GMMU_SHOW([ROW_W-1:0], tvi_walk_was_row, hit1_class[GEN_W +: ROW_W])     // of the cycle before
`GMMU_SHOW([GEN_W-1:0], tvi_walk_was_gen, hit1_class[GEN_W-1:0])          // of the cycle before
`GMMU_SHOW([TIME_W-1:0], tvi_walk_ri, hit1_interval)                      // of the cycle before
`GMMU_SHOW([1:0], tvi_walk_record, walk_record)                           // REC_*, of the cycle before
`GMMU_SHOW([1:0], tvi_walk_fault, w9_outcome)                             // FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_walk_entry, w9_entry)
`GMMU_SHOW([1:0], tvi_walk_hir, hir_outcome)                              // walk hit: HIR_*
`GMMU_SHOW1(tvi_walk_due, hir_due)                                        // fault: DRAIN_SWAP was due,
`GMMU_SHOW1(tvi_walk_swap, hir_swap)                                      // and closed a packet
`GMMU_SHOW1(tvi_range, s_axis_range_tvalid && s_axis_range_tready)        // RANGE: what stands at s_axis_range; its packet is m_axis_xfer's next
// results that come later, each in the order of its actions
`GMMU_SHOW1(tvi_learnt_valid, learnt_valid)                               // LEARN
`GMMU_SHOW([BIN_W-1:0], tvi_learnt_bin, learnt_bin)
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_count, learnt_count)
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_gcount, learnt_gcount)
`GMMU_SHOW1(tvi_snap_valid, snap_valid)                                   // REFRESH: the counts, a bin a cycle
`GMMU_SHOW([BIN_W-1:0], tvi_snap_bin, snap_bin)
`GMMU_SHOW([CNT_W-1:0], tvi_snap_reuse, snap_reuse)
`GMMU_SHOW([CNT_W-1:0], tvi_snap_censored, snap_censored)
`GMMU_SHOW([CNT_W-1:0], tvi_snap_greuse, snap_greuse)
`GMMU_SHOW([CNT_W-1:0], tvi_snap_gcensored, snap_gcensored)
`GMMU_SHOW1(tvi_prio_valid, prio_valid)                                   // REFRESH: the priorities, from the last bin down
`GMMU_SHOW([BIN_W-1:0], tvi_prio_bin, prio_bin)
`GMMU_SHOW([15:0], tvi_prio, prio)
`GMMU_SHOW1(tvi_looked_valid, looked_valid)                               // CAND: its priority
`GMMU_SHOW([FRAME_W-1:0], tvi_looked_frame, looked_frame)
`GMMU_SHOW([15:0], tvi_looked_priority, looked_priority)
`GMMU_SHOW1(tvi_looked2_valid, looked && looked_2)                        // CAND2: its priority
`GMMU_SHOW([T2_W-1:0], tvi_looked2_slot, looked_slot)
`GMMU_SHOW1(tvi_foretold_valid, foretold)                                 // FORETELL
`GMMU_SHOW([1:0], tvi_foretold_pred, tp_pred)
`GMMU_SHOW([1:0], tvi_foretold_right, tp_right)
`GMMU_SHOW([1:0], tvi_foretold_goes, tp_goes)
`GMMU_SHOW1(tvi_foretold_found, tp_found)
`GMMU_SHOW1(tvi_foretold_forced, tp_forced)
`GMMU_SHOW1(tvi_foretold_clamped, tp_clamped)
`GMMU_SHOW1(tvi_looked_guarded, looked_guarded)                           // and whether it is protected
`GMMU_SHOW([FRAME_W:0], tvi_guarded, guarded)                             // frames that are protected, with the ALLOW of four cycles before,
`GMMU_SHOW([TIME_W+6:0], tvi_horizon, horizon)                             // T, in 1/256 walks,
`GMMU_SHOW1(tvi_filling, filling)                                         // filling
