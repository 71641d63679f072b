# SPDX-License-Identifier: BSD-3-Clause
"""Iterative stratification line by line (Sechidis 2011, algorithm 1), and coverage."""

from fractions import Fraction

import numpy as np


def iterative_stratification(Y, k, rng):
    """The subset of each example; D is a list in random order, ties by given draws."""
    n, q = Y.shape
    D, tie_order = list(rng.permutation(n)), list(rng.permutation(q))
    chance = rng.uniform(size=n)
    c = [Fraction(n, k)] * k
    c_label = [[Fraction(int(Y[:, i].sum()), k)] * k for i in range(q)]
    S = np.empty(n, dtype=int)

    def put(example, subsets):
        most = [j for j in subsets if c[j] == max(c[i] for i in subsets)]
        m = S[example] = most[int(chance[example] * len(most))]
        D.remove(example)
        for i in np.flatnonzero(Y[example]):
            c_label[i][m] -= 1
        c[m] -= 1

    while any(Y[example].any() for example in D):
        D_label = [[example for example in D if Y[example, i]] for i in range(q)]
        label = min((i for i in tie_order if D_label[i]), key=lambda i: len(D_label[i]))
        for example in D_label[label]:
            desired = c_label[label]
            put(example, [j for j in range(k) if desired[j] == max(desired)])
    for example in list(D):
        put(example, range(k))
    return S


def is_covered(Y, train, test):
    """Every label has a positive in train and, if it has two or more, one in test."""
    for label in range(Y.shape[1]):
        count = Y[:, label].sum()
        if count >= 1 and not Y[train, label].any():
            return False
        if count >= 2 and not Y[test, label].any():
            return False
    return True


def unmet(Y, train, test):
    """How many (label, part) pairs are missing."""
    count = Y.sum(axis=0)
    without = ((count >= 1) & ~Y[train].any(axis=0)).sum()
    return without + ((count >= 2) & ~Y[test].any(axis=0)).sum()
