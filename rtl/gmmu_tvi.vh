// SPDX-License-Identifier: Apache-2.0
// gmmu_tvi.vh: the tier verification interface: the actions of each cycle and their results (docs/guide/schedule.md), one
// line each: range, name, what it shows. gmmu_tier includes it twice with GMMU_TVI, as ports and as assignments, and not
// at all without. Codes: gmmu_codes.vh.
// the actions of this cycle and their results, in the order SEND, side, background, walk
`GMMU_SHOW1(tvi_send, send)
`GMMU_SHOW([1:0], tvi_rit_side, side_export) // RIT_*
`GMMU_SHOW([1:0], tvi_rit_walk, walk_export) // RIT_*
`GMMU_SHOW1(tvi_side_valid, s3[S3_VALID_O])
`GMMU_SHOW([3:0], tvi_side_kind, s3[S3_KIND_O +: 4]) // SIDE_*
`GMMU_SHOW([FRAME_W-1:0], tvi_side_frame, s3[S3_FRAME_O +: FRAME_W])
`GMMU_SHOW([T2_W-1:0], tvi_side_slot, s3[S3_SLOT_O +: T2_W])
`GMMU_SHOW1(tvi_drv_refused, s3_refused)
`GMMU_SHOW1(tvi_drv_left, s3_left)
`GMMU_SHOW1(tvi_drv_hit, s3_hit)
`GMMU_SHOW([1:0], tvi_drv_record, learner_tvi[LTVI_LEFT_RECORD_O +: 2]) // REC_*, of the cycle before
`GMMU_SHOW([TIME_W-1:0], tvi_drv_age, s3_left ? held[HELD_AGE_O +: TIME_W] : {TIME_W{1'b0}})
`GMMU_SHOW([1:0], tvi_drv_fault, s3_fault) // FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_drv_entry, s3_entry)
`GMMU_SHOW1(tvi_fill_dirty, fill_dirty) // FILL: what goes into the frame
`GMMU_SHOW([TIME_W-1:0], tvi_fill_last, fill_last)
`GMMU_SHOW([ROW_W-1:0], tvi_fill_row, fill_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_fill_gen, fill_class[GEN_W-1:0])
`GMMU_SHOW([AGE_W-1:0], tvi_age_index, age_index)
`GMMU_SHOW1(tvi_age_clamped, held[HELD_CLAMPED_O] || s3_clamped || slot_held[SLOT_CLAMPED_O])
`GMMU_SHOW1(tvi_install_current, learner_tvi[LTVI_INSTALL_CURRENT_O])
`GMMU_SHOW([ROW_W-1:0], tvi_row, s3[S3_INSTALL_O] ? learner_tvi[LTVI_INSTALL_ROW_O +: ROW_W] : learner_tvi[LTVI_SERVING_O +: ROW_W]) // INSTALL: the row; CAND: the serving row
`GMMU_SHOW1(tvi_cand_eligible, s3[S3_CAND2_O] ? slot_held[SLOT_ELIGIBLE_O] : held[HELD_ELIGIBLE_O])
`GMMU_SHOW1(tvi_hand_recent, held[HELD_RECENT_O]) // HAND: hit since it was filled or passed
`GMMU_SHOW([TIME_W-1:0], tvi_cand_last, s3[S3_CAND2_O] ? slot_held[SLOT_LAST_O +: TIME_W] : held[HELD_LAST_O +: TIME_W])
`GMMU_SHOW([2:0], tvi_dec_tier, decide_tier) // TIER_*
`GMMU_SHOW1(tvi_dec_kept, f_take && held[HELD_TAKEN_O] && f_keep) // RETRY: the candidate is kept
`GMMU_SHOW([IDX_W-1:0], tvi_dec_entry, decide_entry)
`GMMU_SHOW([15:0], tvi_dec_priority, decide_priority)
`GMMU_SHOW1(tvi_rises, tiers_tvi[TTVI_RISES_O]) // RISE
`GMMU_SHOW([2:0], tvi_place_tier, tiers_tvi[TTVI_PLACE_O +: 3]) // PLACE: TIER_*
`GMMU_SHOW1(tvi_forgetting, tiers_tvi[TTVI_FORGETTING_O]) // FORGET: as long, no page has an entry, or gets one
`GMMU_SHOW1(tvi_foretell_valid, tiers_tvi[TTVI_FORETELL_O]) // FORETELL, before the side action
`GMMU_SHOW([2:0], tvi_foretell_kind, tiers_tvi[TTVI_KIND_O +: 3]) // TP_*
`GMMU_SHOW1(tvi_allow, store_tvi[STVI_ALLOW_O]) // other frames than before may be protected: after the side action
`GMMU_SHOW([FRAME_W:0], tvi_limit, store_tvi[STVI_LIMIT_O +: FRAME_W+1]) // ALLOW: so many
`GMMU_SHOW1(tvi_pending, learner_tvi[LTVI_PENDING_O]) // some row is pending, before this cycle's actions
`GMMU_SHOW1(tvi_bg_valid, learner_tvi[LTVI_BG_VALID_O])
`GMMU_SHOW([1:0], tvi_bg_kind, learner_tvi[LTVI_BG_KIND_O +: 2]) // BG_*
`GMMU_SHOW([ROW_W-1:0], tvi_bg_row, learner_tvi[LTVI_BG_ROW_O +: ROW_W])
`GMMU_SHOW1(tvi_bg_queue, learner_tvi[LTVI_BG_QUEUE_O])
`GMMU_SHOW1(tvi_bg_applied, learner_tvi[LTVI_BG_APPLIED_O])
`GMMU_SHOW1(tvi_thresh_valid, learner_tvi[LTVI_THRESH_VALID_O])
`GMMU_SHOW([16:0], tvi_thresh, learner_tvi[LTVI_THRESH_O +: 17])
`GMMU_SHOW1(tvi_scrub_valid, learner_tvi[LTVI_SCRUB_VALID_O])
`GMMU_SHOW1(tvi_scrub_removed, learner_tvi[LTVI_SCRUB_REMOVED_O])
`GMMU_SHOW([SAMP_W-1:0], tvi_scrub_index, learner_tvi[LTVI_SCRUB_INDEX_O +: SAMP_W])
`GMMU_SHOW([TIME_W-1:0], tvi_scrub_age, learner_tvi[LTVI_SCRUB_AGE_O +: TIME_W])
`GMMU_SHOW([ROW_W-1:0], tvi_scrub_row, learner_tvi[LTVI_SCRUB_CLASS_O + GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_scrub_gen, learner_tvi[LTVI_SCRUB_CLASS_O +: GEN_W])
`GMMU_SHOW([1:0], tvi_scrub_record, learner_tvi[LTVI_SCRUB_RECORD_O +: 2]) // REC_*, of the cycle before
`GMMU_SHOW1(tvi_flush_valid, w9_flush) // FLUSH: in the slot of the WALK, before it
`GMMU_SHOW1(tvi_flushing, learner_tvi[LTVI_FLUSHING_O]) // before this cycle's actions
`GMMU_SHOW1(tvi_flush_removed, w9_flush && given)
`GMMU_SHOW([ROW_W-1:0], tvi_flush_row, given_class[GEN_W +: ROW_W])
`GMMU_SHOW1(tvi_sampled_selected, learner_tvi[LTVI_SAMP_SELECTED_O]) // of the WALK
`GMMU_SHOW1(tvi_sampled_stolen, learner_tvi[LTVI_SAMP_STOLEN_O])
`GMMU_SHOW1(tvi_sampled_hit, learner_tvi[LTVI_SAMP_HIT_O])
`GMMU_SHOW1(tvi_sampled_record, learner_tvi[LTVI_SAMP_VALID_O])
`GMMU_SHOW([TIME_W-1:0], tvi_sampled_interval, learner_tvi[LTVI_SAMP_INTERVAL_O +: TIME_W])
`GMMU_SHOW([ROW_W-1:0], tvi_sampled_row, learner_tvi[LTVI_SAMP_CLASS_O + GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_sampled_gen, learner_tvi[LTVI_SAMP_CLASS_O +: GEN_W])
`GMMU_SHOW1(tvi_walk_valid, w9[W9_VALID_O])
`GMMU_SHOW([TIME_W-1:0], tvi_walk_time, w9[W9_TIME_O +: TIME_W])
`GMMU_SHOW([ROW_W-1:0], tvi_walk_row, w9_class[GEN_W +: ROW_W])
`GMMU_SHOW([GEN_W-1:0], tvi_walk_gen, w9_class[GEN_W-1:0])
`GMMU_SHOW1(tvi_walk_alloc, w9_alloc)
`GMMU_SHOW1(tvi_walk_tick, w9[W9_TICK_O])
`GMMU_SHOW([1:0], tvi_walk_touch, w9_touch) // REC_*
`GMMU_SHOW1(tvi_walk_match, hit_match) // FRAME_MEM: this and the next three are TOUCH's
`GMMU_SHOW([ROW_W-1:0], tvi_walk_was_row, hit1_class[GEN_W +: ROW_W]) // of the cycle before
`GMMU_SHOW([GEN_W-1:0], tvi_walk_was_gen, hit1_class[GEN_W-1:0]) // of the cycle before
`GMMU_SHOW([TIME_W-1:0], tvi_walk_ri, hit1_interval) // of the cycle before
`GMMU_SHOW([1:0], tvi_walk_record, learner_tvi[LTVI_WALK_RECORD_O +: 2]) // REC_*, of the cycle before
`GMMU_SHOW([1:0], tvi_walk_fault, w9_outcome) // FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_walk_entry, w9_entry)
`GMMU_SHOW([1:0], tvi_walk_hir, hir_outcome) // walk hit: HIR_*
`GMMU_SHOW1(tvi_walk_due, hir_due) // fault: DRAIN_SWAP was due,
`GMMU_SHOW1(tvi_walk_swap, hir_swap) // and closed a packet
`GMMU_SHOW1(tvi_range, s_axis_range_tvalid && s_axis_range_tready) // RANGE: what stands at s_axis_range; its packet is m_axis_xfer's next
// results that come later, each in the order of its actions
`GMMU_SHOW1(tvi_learnt_valid, learner_tvi[LTVI_LEARNT_VALID_O]) // LEARN
`GMMU_SHOW([BIN_W-1:0], tvi_learnt_bin, learner_tvi[LTVI_LEARNT_BIN_O +: BIN_W])
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_count, learner_tvi[LTVI_LEARNT_COUNT_O +: CNT_W])
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_gcount, learner_tvi[LTVI_LEARNT_GCOUNT_O +: CNT_W])
`GMMU_SHOW1(tvi_snap_valid, learner_tvi[LTVI_SNAP_VALID_O]) // REFRESH: the counts, a bin a cycle
`GMMU_SHOW([BIN_W-1:0], tvi_snap_bin, learner_tvi[LTVI_SNAP_BIN_O +: BIN_W])
`GMMU_SHOW([CNT_W-1:0], tvi_snap_reuse, learner_tvi[LTVI_SNAP_REUSE_O +: CNT_W])
`GMMU_SHOW([CNT_W-1:0], tvi_snap_censored, learner_tvi[LTVI_SNAP_CENSORED_O +: CNT_W])
`GMMU_SHOW([CNT_W-1:0], tvi_snap_greuse, learner_tvi[LTVI_SNAP_GREUSE_O +: CNT_W])
`GMMU_SHOW([CNT_W-1:0], tvi_snap_gcensored, learner_tvi[LTVI_SNAP_GCENSORED_O +: CNT_W])
`GMMU_SHOW1(tvi_prio_valid, learner_tvi[LTVI_PRIO_VALID_O]) // REFRESH: the priorities, from the last bin down
`GMMU_SHOW([BIN_W-1:0], tvi_prio_bin, learner_tvi[LTVI_PRIO_BIN_O +: BIN_W])
`GMMU_SHOW([15:0], tvi_prio, learner_tvi[LTVI_PRIO_O +: 16])
`GMMU_SHOW1(tvi_looked_valid, looked[LOOKED_VALID_O] && !looked[LOOKED_T2_O]) // CAND: its priority
`GMMU_SHOW([FRAME_W-1:0], tvi_looked_frame, looked[LOOKED_PLACE_O +: FRAME_W])
`GMMU_SHOW([15:0], tvi_looked_priority, looked[LOOKED_PRIORITY_O +: 16])
`GMMU_SHOW1(tvi_looked2_valid, looked[LOOKED_VALID_O] && looked[LOOKED_T2_O]) // CAND2: its priority
`GMMU_SHOW([T2_W-1:0], tvi_looked2_slot, looked[LOOKED_PLACE_O +: T2_W])
`GMMU_SHOW1(tvi_foretold_valid, tiers_tvi[TTVI_FORETOLD_O]) // FORETELL
`GMMU_SHOW([1:0], tvi_foretold_pred, tiers_tvi[TTVI_PRED_O +: 2])
`GMMU_SHOW([1:0], tvi_foretold_right, tiers_tvi[TTVI_RIGHT_O +: 2])
`GMMU_SHOW([1:0], tvi_foretold_goes, tiers_tvi[TTVI_GOES_O +: 2])
`GMMU_SHOW1(tvi_foretold_found, tiers_tvi[TTVI_FOUND_O])
`GMMU_SHOW1(tvi_foretold_forced, tiers_tvi[TTVI_FORCED_O])
`GMMU_SHOW1(tvi_foretold_clamped, tiers_tvi[TTVI_CLAMPED_O])
`GMMU_SHOW1(tvi_looked_guarded, looked_guarded) // and whether it is protected
`GMMU_SHOW([FRAME_W:0], tvi_guarded, store_tvi[STVI_COUNT_O +: FRAME_W+1]) // frames that are protected, with the ALLOW of four cycles before,
`GMMU_SHOW([TIME_W+6:0], tvi_horizon, store_tvi[STVI_T_O +: TIME_W+7]) // T, in 1/256 walks,
`GMMU_SHOW1(tvi_filling, store_tvi[STVI_FILLING_O]) // filling
