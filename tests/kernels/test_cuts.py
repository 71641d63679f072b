# SPDX-License-Identifier: BSD-3-Clause
from labelsift.kernels.cuts import best_cuts, warm_up


def test_warm_up_compiles_what_thresholds_need(rng):
    from labelsift.model_selection.threshold import scut_thresholds

    warm_up()
    compiled = len(best_cuts.signatures)
    for scores in (rng.normal(size=(9, 2)), rng.normal(size=(3, 9, 2)).round(1)):
        for weights in (None, rng.integers(1, 4, 9)):
            scut_thresholds(scores, rng.random((9, 2)) < 0.5, 0, weights)
    assert len(best_cuts.signatures) == compiled
