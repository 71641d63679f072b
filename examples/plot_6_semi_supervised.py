"""
Few labelled rows, many without
===============================

:class:`~labelsift.selection.CSFS` also takes rows without labels: rows of Y that are
all NaN. It gives them soft labels between 0 and 1 while it chooses the features.
"""
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from labelsift.classification import BinaryRidge
from labelsift.datasets import load_dataset
from labelsift.metrics import macro_auc
from labelsift.selection import CSFS, RandomRanking

traits = load_dataset("traits")
train, test = traits.rows(slice(1000)), traits.rows(slice(1000, None))

# %%
# Labels are kept for 40 of the 1000 training rows.

labelled = np.random.default_rng(0).permutation(1000)[:40]
Y = np.full(train.Y.shape, np.nan)
Y[labelled] = train.Y[labelled]

selector = CSFS(16, gamma=30.0).fit(train.X, Y)
print(f"{selector.n_weighted_} features with weight after {selector.n_iter_} rounds")

# %%
# What the unlabelled rows were given, beside what they are:

hidden = np.setdiff1d(np.arange(1000), labelled)
auc = macro_auc(train.Y[hidden], selector.soft_labels_[hidden])
print(f"macro AUC of the soft labels: {auc:.3f}")

# %%
# Whether the unlabelled rows help to *select* is another question. Over ten draws of
# the labelled rows: choose 16 pixels with and without the unlabelled rows, then train a
# ridge read-out on the labelled rows and judge it on the test part.


def judged(selector, rows):
    """Macro AUC on the test part of a read-out on the chosen pixels."""
    ridge = BinaryRidge(100.0).fit(selector.transform(train.X[rows]), train.Y[rows])
    return macro_auc(test.Y, ridge.decision_function(selector.transform(test.X)))


found = {"labelled rows only": [], "all rows": [], "random": []}
for seed in range(10):
    rows = np.random.default_rng(seed).permutation(1000)[:40]
    Y = np.full(train.Y.shape, np.nan)
    Y[rows] = train.Y[rows]
    supervised = CSFS(16, gamma=30.0).fit(train.X[rows], train.Y[rows])
    semi = CSFS(16, gamma=30.0).fit(train.X, Y)
    control = RandomRanking(16, random_state=seed).fit(train.X, train.Y)
    for name, chosen in zip(found, (supervised, semi, control), strict=True):
        found[name].append(judged(chosen, rows))
for name, values in found.items():
    print(f"{name:20} {np.mean(values):.3f} +- {np.std(values):.3f}")
