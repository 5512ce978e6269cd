# SPDX-License-Identifier: Apache-2.0
"""What scripts/statements.py is made of: the strict rule, the pages' tables, and the statements of each paper."""
