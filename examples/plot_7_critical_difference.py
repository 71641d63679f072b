"""
Comparing methods: a critical-difference diagram
================================================

One data set proves little. Here five methods choose ten features on twelve data sets
with planted features, and a test over the data sets says which differences are more
than chance.
"""
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import matplotlib.pyplot as plt

from labelsift.classification import BinaryRidge
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc
from labelsift.plots import critical_difference
from labelsift.selection import CSFS, MRMR, FisherScore, GreedyRLS, RandomRanking
from labelsift.stats import friedman_nemenyi, wilcoxon_holm

# %%
# The sets differ in how many of the other features are noisy copies of the relevant
# ones, in how noisy the labels are, and in how much the labels share.

SETS = [
    make_planted(
        400, 200, 8, n_relevant=10, redundancy=redundancy, noise=noise,
        label_rank=rank, random_state=seed,
    )
    for seed, (redundancy, noise, rank) in enumerate(
        product((0.0, 0.5, 0.9), (0.5, 1.0), (2, 8))
    )
]  # fmt: skip
METHODS = {
    "GreedyRLS": GreedyRLS(10),
    "CSFS": CSFS(10, gamma=20.0),
    "MRMR": MRMR(10),
    "Fisher score": FisherScore(10),
    "random": RandomRanking(10, random_state=0),
}


def judged(method, data):
    """Macro AUC on the second half of a ridge read-out fitted on the first."""
    train, test = data.rows(slice(200)), data.rows(slice(200, None))
    chosen = method.fit(train.X, train.Y)
    ridge = BinaryRidge().fit(chosen.transform(train.X), train.Y)
    return macro_auc(test.Y, ridge.decision_function(chosen.transform(test.X)))


values = {
    name: [judged(method, data) for data in SETS] for name, method in METHODS.items()
}

# %%
# Friedman's test asks whether the average ranks differ at all. If so, methods whose
# ranks are closer than Nemenyi's critical difference are joined by a bar: the data do
# not separate them.

test = friedman_nemenyi(values)
print(f"Friedman: p = {test.p_value:.1e} over {test.n_blocks} data sets")
fig, ax = plt.subplots(figsize=(7, 2.4), layout="constrained")
critical_difference(test.ranks, test.critical_difference, ax=ax)

# %%
# Pairs against the control, by Wilcoxon's signed-rank test with Holm's correction:

for pair in wilcoxon_holm(values, control="random"):
    print(
        f"{pair.first} - {pair.second:13} {pair.mean_difference:+.3f}  "
        f"p = {pair.adjusted:.4f}"
    )

# %%
# Planted data favour methods with the model that generated them. That is what real
# data, splits and the papers' own protocols are for: ``labelsift bench``.
