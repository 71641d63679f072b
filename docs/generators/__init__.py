# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the documentation that are made, not typed; conf.py calls them."""
