# SPDX-License-Identifier: BSD-3-Clause
"""The measures of label sets, with Python's own sets. Y: lists of 0/1."""

from statistics import mean


def _set(row):
    return {label for label, present in enumerate(row) if present}


def _pairs(Y_true, Y_pred):
    return [(_set(a), _set(b)) for a, b in zip(Y_true, Y_pred, strict=True)]


def _f1(shared, both):
    return 2 * shared / both if both else 0


def zero_one_loss(Y_true, Y_pred):
    return mean(a != b for a, b in _pairs(Y_true, Y_pred))


def hamming_loss(Y_true, Y_pred):
    return mean(len(a ^ b) for a, b in _pairs(Y_true, Y_pred)) / len(Y_true[0])


def accuracy(Y_true, Y_pred, zero_division=1):
    return mean(
        len(a & b) / len(a | b) if a | b else zero_division
        for a, b in _pairs(Y_true, Y_pred)
    )


def micro_f1(Y_true, Y_pred):
    pairs = _pairs(Y_true, Y_pred)
    return _f1(
        sum(len(a & b) for a, b in pairs), sum(len(a) + len(b) for a, b in pairs)
    )


def macro_f1(Y_true, Y_pred):
    # The samples of a label are the set of a column.
    columns = _pairs(zip(*Y_true, strict=True), zip(*Y_pred, strict=True))
    return mean(_f1(len(a & b), len(a) + len(b)) for a, b in columns)


def example_f1(Y_true, Y_pred):
    return mean(
        2 * len(a & b) / (len(a) + len(b)) if a or b else 1
        for a, b in _pairs(Y_true, Y_pred)
    )


def subset_accuracy(Y_true, Y_pred):
    return mean(a == b for a, b in _pairs(Y_true, Y_pred))
