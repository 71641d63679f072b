"""
Few labelled rows, many without
===============================

:class:`~labelsift.selection.CSFS` also takes rows without labels: rows of Y that are
all NaN. It gives them soft labels between 0 and 1 while it chooses the features.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np

from labelsift.classification import BinaryRidge
from labelsift.datasets import load_dataset
from labelsift.metrics import macro_auc
from labelsift.selection import CSFS, RandomRanking

traits = load_dataset("traits")
train, test = traits.rows(slice(1000)), traits.rows(slice(1000, None))

# %%
# Only 40 of the 1000 training rows have labels.

labelled = np.random.default_rng(0).permutation(1000)[:40]
Y = np.full(train.Y.shape, np.nan)
Y[labelled] = train.Y[labelled]

selector = CSFS(16, gamma=30.0).fit(train.X, Y)
print(f"{selector.n_weighted_} features with weight after {selector.n_iter_} rounds")

# %%
# The soft labels of the unlabelled rows, compared with their true labels:

hidden = np.setdiff1d(np.arange(1000), labelled)
auc = macro_auc(train.Y[hidden], selector.soft_labels_[hidden])
print(f"macro AUC of the soft labels: {auc:.3f}")

# %%
# Whether the unlabelled rows help to *select* is another question. For several numbers
# of labelled rows, drawn five times each: choose 16 pixels with and without the
# unlabelled rows, train a ridge read-out on the labelled rows, and evaluate it on the
# test part.


def judged(selector, rows):
    """Macro AUC on the test part of a read-out on the chosen pixels."""
    ridge = BinaryRidge(100.0).fit(selector.transform(train.X[rows]), train.Y[rows])
    return macro_auc(test.Y, ridge.decision_function(selector.transform(test.X)))


def chosen(rows, seed):
    """Three selections of 16 pixels: two by CSFS, one at random."""
    Y = np.full(train.Y.shape, np.nan)
    Y[rows] = train.Y[rows]
    yield "labelled rows only", CSFS(16, gamma=30.0).fit(train.X[rows], train.Y[rows])
    yield "all rows", CSFS(16, gamma=30.0).fit(train.X, Y)
    yield "random pixels", RandomRanking(16, random_state=seed).fit(train.X, train.Y)


SIZES = (20, 40, 80, 160)
aucs = {}
for size in SIZES:
    for seed in range(5):
        rows = np.random.default_rng(seed).permutation(1000)[:size]
        for name, selector in chosen(rows, seed):
            aucs.setdefault(name, {}).setdefault(size, []).append(
                judged(selector, rows)
            )

fig, ax = plt.subplots(figsize=(5.2, 3.6), layout="constrained")
for name, values in aucs.items():
    means = [np.mean(values[size]) for size in SIZES]
    spread = [np.std(values[size]) for size in SIZES]
    ax.errorbar(SIZES, means, spread, marker="o", capsize=3, label=name)
ax.set(xscale="log", xticks=SIZES, xticklabels=SIZES)
ax.set(xlabel="labelled rows", ylabel="macro AUC on the test part")
ax.minorticks_off()
ax.legend(frameon=False)

# %%
# The two choices by CSFS hardly differ: on these data the unlabelled rows
# do not make the selection better. Both are far above a random one.

for name, values in aucs.items():
    print(f"{name:20}" + "".join(f"{np.mean(values[size]):7.3f}" for size in SIZES))
