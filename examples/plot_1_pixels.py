"""
Pixels under a budget
=====================

How few pixels of a handwritten digit suffice to predict six of its traits? One fit of
:class:`~labelsift.selection.GreedyRLS` answers for every budget at once.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
from sklearn.model_selection import KFold

from labelsift.classification import BinaryRidge
from labelsift.datasets import load_dataset
from labelsift.metrics import macro_auc
from labelsift.plots import feature_curves, pixels
from labelsift.selection import FisherScore, GreedyRLS, RandomRanking

traits = load_dataset("traits")
print(f"{traits.n_samples} digits, {traits.n_features} pixels: {traits.label_names}")

# %%
# The selector takes one pixel after the other, each time the one that lowers the exact
# leave-one-out error of a ridge regression of all six labels most.

selector = GreedyRLS(20).fit(traits.X, traits.Y)
fig = plt.figure(figsize=(8, 4.6), layout="constrained")
pixels(traits, selector.feature_order_, figure=fig)

# %%
# The numbers in the first panel are the order of choice; the other panels show where
# the digits with a trait are darker or lighter than the others.
#
# Is that choice worth anything? Selection belongs inside the folds: features are chosen
# on the training part of each fold, and evaluated on its test part. One fit per fold
# serves all budgets through ``with_budget``. A random ranking is the control, as it
# should be in every comparison.

BUDGETS = (2, 4, 8, 12, 16, 24, 32)
METHODS = {
    "GreedyRLS": GreedyRLS(max(BUDGETS)),
    "Fisher score": FisherScore(max(BUDGETS)),
    "random": RandomRanking(max(BUDGETS), random_state=0),
}


def curve(method):
    """Mean macro AUC of a ridge read-out over three folds, for each budget."""
    sums = [0.0] * len(BUDGETS)
    folds = list(KFold(3, shuffle=True, random_state=0).split(traits.X))
    for train, test in folds:
        fitted = method.fit(traits.X[train], traits.Y[train])
        for i, budget in enumerate(BUDGETS):
            view = fitted.with_budget(budget)
            X_train, X_test = (
                view.transform(traits.X[train]),
                view.transform(traits.X[test]),
            )
            ridge = BinaryRidge().fit(X_train, traits.Y[train])
            sums[i] += macro_auc(traits.Y[test], ridge.decision_function(X_test))
    return [value / len(folds) for value in sums]


curves = {name: (BUDGETS, curve(method)) for name, method in METHODS.items()}
fig, ax = plt.subplots()
feature_curves(
    curves, ax=ax, title="traits, ridge read-out, 3 folds", controls=["random"]
)

# sphinx_gallery_thumbnail_number = 2

# %%
# The Fisher score rates one pixel at a time and so takes redundant neighbours; a greedy
# choice measures what a pixel adds to those already taken.

for name, (_, values) in curves.items():
    print(f"{name:14}" + "".join(f"{value:7.3f}" for value in values))
