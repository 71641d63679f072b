# SPDX-License-Identifier: BSD-3-Clause
"""Experiments: tasks, their runs, the ledger of finished tasks, the results.

``catalogue`` lists the methods by name, ``task`` describes what to measure, ``run``
measures it, ``pool`` runs many tasks, ``ledger`` stores their outcomes and ``results``
is the one table that statistics, pages and exports read.
"""
