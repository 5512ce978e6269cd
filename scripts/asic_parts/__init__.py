# SPDX-License-Identifier: Apache-2.0
"""Parts of scripts/asic.py: the library's cells, netlists, timing."""
