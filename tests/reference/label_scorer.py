# SPDX-License-Identifier: BSD-3-Clause
"""Scores of labels from one model per label, sample by sample, from the definition."""

import numpy as np


def score(model, x):
    """Above 0 where a model of one label, coded 0 and 1, predicts it for a sample."""
    row = x[np.newaxis]
    if hasattr(model, "decision_function"):
        return model.decision_function(row)[0]
    if hasattr(model, "predict_proba"):
        return model.predict_proba(row)[0, list(model.classes_).index(1)] - 0.5
    return model.predict(row)[0] - 0.5


def label_scores(make, X, Y, samples):
    """A fresh model for every label; a label with one value is -1 or +1 for all."""
    scores = np.empty((len(samples), Y.shape[1]))
    for label in range(Y.shape[1]):
        if len(set(Y[:, label].tolist())) == 1:
            scores[:, label] = 1.0 if Y[0, label] else -1.0
            continue
        model = make().fit(X, Y[:, label])
        scores[:, label] = [score(model, sample) for sample in samples]
    return scores
