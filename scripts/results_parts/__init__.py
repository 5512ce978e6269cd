# SPDX-License-Identifier: Apache-2.0
"""What scripts/results.py is made of: what is studied, the replays, their figures, tables, pictures."""
