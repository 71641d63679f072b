"""
The space that labels share
===========================

:class:`~labelsift.subspace.MLLS` fits all labels by least squares and lets them share a
subspace of the features: what a label does inside it is penalised less. Here the labels
are made from two hidden directions, and the model finds that two suffice.
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
# Where the labels lie in that space, and how alike they are: labels that use the
# components alike stand together.

model = search.best_estimator_
label_space(
    model.components_ @ model.coef_.T,
    data.label_names,
    gains=model.eigenvalues_,
    figure=plt.figure(layout="constrained"),
    title="12 labels made from 2 directions",
)

# %%
# Plain ridge regression is the model with nothing shared, and belongs beside it always:
# on real data the two are often level.

ridge = PathSearchCV(
    BinaryRidge(), {"alpha": [n * len(train.Y) for n in penalties]}, random_state=0
).fit(train.X, train.Y)
for name, found in (("MLLS", search), ("ridge", ridge)):
    print(f"{name:6} {macro_auc(test.Y, found.decision_function(test.X)):.3f}")
