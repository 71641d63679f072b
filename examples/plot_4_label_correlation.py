"""
Label correlation, learned
==========================

:class:`~labelsift.classification.CLaRankSVM` ranks the labels of each sample, and
learns which labels' weights go together. Here its learned covariance is shown
next to how the labels occur together.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt

from labelsift.classification import CLaRankSVM, LaRankSVM
from labelsift.datasets import load_dataset
from labelsift.metrics import ranking_loss
from labelsift.plots import label_correlation

traits = load_dataset("traits")
train, test = traits.rows(slice(1000)), traits.rows(slice(1000, None))

# %%
# The machine stops at a duality gap, which says how far from its optimum it can be at
# most.

ranker = CLaRankSVM(C=0.1, mu=0.1, standardize=True).fit(train.X, train.Y)
print(f"{ranker.n_iter_} sweeps, relative duality gap {ranker.dual_gap_:.1e}")

# %%
# The learned covariance compares labels within a sample, so its rows sum to zero:
# unrelated labels are slightly below zero.

fig = plt.figure(figsize=(6.4, 3), layout="constrained")
label_correlation(ranker.label_covariance_, train.Y, traits.label_names, figure=fig)

# %%
# Does the covariance help to rank? That is a question for the test part, and the answer
# is not always yes. C and mu act together (mu shrinks all weights, too), so both are
# given a few values here; on your own data choose them by cross-validation.

for C in (0.01, 0.1, 1.0):
    models = {
        "mu = 0  ": LaRankSVM(C, standardize=True),
        "mu = 0.1": CLaRankSVM(C, mu=0.1, standardize=True),
    }
    for name, model in models.items():
        scores = model.fit(train.X, train.Y).decision_function(test.X)
        print(f"C = {C:<5} {name} ranking loss {ranking_loss(test.Y, scores):.3f}")
