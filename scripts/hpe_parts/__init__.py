# SPDX-License-Identifier: Apache-2.0
"""What scripts/hpe.py is made of: the paper, the runs, the figures, statements, tables, pictures."""
