"""
Sparse text in a Pipeline, tuned by GridSearchCV
================================================

labelsift's selectors are scikit-learn transformers: they take the sparse matrix of a
vectoriser directly, and their budget is a parameter like any other.
"""
# SPDX-License-Identifier: BSD-3-Clause

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from labelsift.classification import BinaryRidge
from labelsift.metrics import scorer
from labelsift.model_selection import IterativeStratifiedKFold
from labelsift.plots import feature_curves
from labelsift.selection import FisherScore, GreedyRLS

# %%
# Documents with several topics each: words of the topics among many others that are
# common to all.

TOPICS = {
    "sea": ["wave", "tide", "reef", "harbour", "sail", "anchor", "gull", "salt"],
    "music": ["chord", "melody", "choir", "rhythm", "organ", "fiddle", "tempo"],
    "kitchen": ["flour", "oven", "simmer", "garlic", "whisk", "recipe", "butter"],
    "garden": ["soil", "seed", "prune", "blossom", "hedge", "compost", "salt"],
    "weather": ["storm", "frost", "gull", "cloud", "thunder", "drizzle", "wave"],
}
rng = np.random.default_rng(0)
OTHERS = [f"word{i:04}" for i in range(3000)]


def document():
    """A text and the topics in it."""
    topics = rng.random(len(TOPICS)) < 0.3
    words = list(rng.choice(OTHERS, size=60))
    for present, vocabulary in zip(topics, TOPICS.values(), strict=True):
        if present:
            words += list(rng.choice(vocabulary, size=3))
    return " ".join(words), topics


texts, labels = zip(*(document() for _ in range(600)), strict=True)
Y = np.array(labels, dtype=int)

# %%
# A pipeline of vectoriser, selector and read-out. Everything that learns from the
# labels is inside, so that cross-validation judges it as a whole. The folds keep each
# label's share; the scorer is one of the measures in ``labelsift.metrics``.

model = Pipeline(
    [
        ("words", TfidfVectorizer()),
        ("select", FisherScore()),
        ("predict", BinaryRidge()),
    ]
)
grid = {
    "select": [FisherScore(), GreedyRLS()],
    "select__n_features_to_select": [5, 10, 15, 20, 30, 40],
}
search = GridSearchCV(
    model,
    grid,
    scoring=scorer("macro_auc"),
    cv=IterativeStratifiedKFold(3, random_state=0),
).fit(texts, Y)

results = zip(
    search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
)
curves = {"FisherScore": ([], []), "GreedyRLS": ([], [])}
for params, auc in results:
    counts, values = curves[type(params["select"]).__name__]
    counts.append(params["select__n_features_to_select"])
    values.append(auc)
fig, ax = plt.subplots()
feature_curves(curves, ax=ax, title="words chosen, 3 folds")
print("best:", search.best_params_)

# %%
# The words that were chosen, best first: those of the topics, then random ones.

names = search.best_estimator_["words"].get_feature_names_out()
order = search.best_estimator_["select"].feature_order_
print(" ".join(names[order[:34]]))
