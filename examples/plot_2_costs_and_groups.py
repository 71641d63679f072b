"""
A budget of costs, and features that come in groups
===================================================

Features seldom have equal costs. :class:`~labelsift.selection.GreedyRLS` weighs what a
feature gains against what it costs, never exceeds a total, and takes features in
whole blocks where they are only available together.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np

from labelsift.datasets import load_dataset
from labelsift.plots import pixels
from labelsift.selection import GreedyRLS

traits = load_dataset("traits")

# %%
# Let a pixel cost more the farther it is from the left edge, as if it were read out
# later: 1 in the first column, 8 in the last. The best sixteen pixels by error alone
# cost this much:

costs = 1.0 + np.arange(64) % 8
plain = GreedyRLS(16).fit(traits.X, traits.Y)
money = costs[plain.support_].sum()
print(f"16 pixels cost {money:.0f}, error {plain.loo_error_[-1]:.3f}")

# %%
# With ``costs`` the largest gain per unit of cost wins each step, and ``max_cost`` is
# never exceeded. For half of the cost:

thrifty = GreedyRLS(64, costs=costs, max_cost=money / 2).fit(traits.X, traits.Y)
chosen = thrifty.support_
print(f"{chosen.sum()} pixels cost {costs[chosen].sum():.0f}, "
      f"error {thrifty.loo_error_[-1]:.3f}")  # fmt: skip
fig = plt.figure(figsize=(8, 4.6), layout="constrained")
pixels(traits, thrifty.feature_order_, figure=fig)

# %%
# A line scanner cannot read a single pixel: it reads rows of eight. A list of index
# arrays that partition the features makes them blocks. The path now has three steps:
# the three rows that serve all six labels best.

rows = [np.arange(8 * row, 8 * row + 8) for row in range(8)]
scanner = GreedyRLS(24, groups=rows).fit(traits.X, traits.Y)
print("rows:", sorted({int(pixel) // 8 for pixel in scanner.feature_order_}))
print("error after each row:", scanner.loo_error_.round(3))
fig = plt.figure(figsize=(8, 4.6), layout="constrained")
pixels(traits, scanner.feature_order_, figure=fig)
