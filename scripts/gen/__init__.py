# SPDX-License-Identifier: Apache-2.0
"""What scripts/gen_config.py writes, one module a kind of output."""
