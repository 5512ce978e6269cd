#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# parallel.sh: a sweep in 16 parts, four at a time, by GNU parallel; `--sshlogin` spreads them over machines that share the folder.
parallel --jobs 4 gmmu sweep plan.json --store store --threads 1 --shard {}/16 ::: {1..16}
