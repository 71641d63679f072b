# SPDX-License-Identifier: BSD-3-Clause
"""A suite that takes seconds."""

SMALL = """
title = "A small suite on the embedded data"
paper = "naula"
budgets = ["5%", "20%"]
readouts = ["ridge"]
measures = ["macro_auc"]

[protocol]
kind = "stratified"
splits = 3

[quick]
splits = 2

[data.traits]
[data.absent-set]

[methods.fisher]

[[claims]]
says = "Fisher's score is better than chance."
better = "fisher"
worse = "random"
measure = "macro_auc"
"""
