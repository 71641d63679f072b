# SPDX-License-Identifier: BSD-3-Clause
"""From rows to pictures and pages; knows nothing of how rows were made."""
