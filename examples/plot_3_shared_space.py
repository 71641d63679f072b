"""
The space that labels share
===========================

:class:`~labelsift.subspace.MLLS` fits all labels by least squares and lets them share a
subspace of the features: what a label does inside it is penalised less. Here the labels
depend on two hidden directions, and the model selects two.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt

from labelsift.classification import BinaryRidge
from labelsift.datasets import make_planted
from labelsift.metrics import macro_auc
from labelsift.model_selection import PathSearchCV
from labelsift.plots import label_space
from labelsift.subspace import MLLS

data = make_planted(
    700, 300, 12, n_relevant=20, label_rank=2, noise=1.0, random_state=0
)
train, test = data.rows(slice(200)), data.rows(slice(200, None))

# %%
# A grid of both penalties and every dimension of the subspace, by cross-validation. It
# costs little more than one fit: all points share one decomposition per fold.

penalties = [0.01, 0.1, 1.0, 10.0, 100.0]
grid = {"alpha": penalties, "beta": penalties, "n_components": [1, 2, 3, 4, 6, 11]}
search = PathSearchCV(MLLS(), grid, random_state=0).fit(train.X, train.Y)
print(f"{len(search.cv_results_['params'])} points, best: {search.best_params_}")

# %%
# The positions of the labels in that space, and their similarity: labels that use the
# same components are neighbours.

model = search.best_estimator_
label_space(
    model.components_ @ model.coef_.T,
    data.label_names,
    gains=model.eigenvalues_,
    figure=plt.figure(layout="constrained"),
    title="12 labels that depend on 2 directions",
)

# %%
# Plain ridge regression is the model with nothing shared, and should always be
# compared: on real data the two often perform equally.

ridge = PathSearchCV(
    BinaryRidge(), {"alpha": [n * len(train.Y) for n in penalties]}, random_state=0
).fit(train.X, train.Y)
for name, fitted in (("MLLS", search), ("ridge", ridge)):
    print(f"{name:6} {macro_auc(test.Y, fitted.decision_function(test.X)):.3f}")
