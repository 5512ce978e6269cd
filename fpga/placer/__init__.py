# SPDX-License-Identifier: Apache-2.0
"""Moves block RAMs, LUTs and flip-flops of netlists of nextpnr: docs/guide/placer.md."""
