# SPDX-License-Identifier: BSD-3-Clause
"""How anything is measured: tasks, the runs that do them, the ledger, the results.

``catalogue`` knows the methods by name, ``task`` says what is to be measured, ``run``
measures it, ``pool`` runs many tasks, ``ledger`` stores what they gave and ``results``
is the one table that statistics, pages and exports read.
"""
