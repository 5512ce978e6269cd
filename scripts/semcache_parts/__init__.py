# SPDX-License-Identifier: Apache-2.0
"""What scripts/semcache.py is made of: the paper's figures, the runs, tables and statements, pictures."""
