# SPDX-License-Identifier: BSD-3-Clause
from sklearn.utils.estimator_checks import parametrize_with_checks

from core.toys import ToyGreedy, ToyRanker, ToySubspace


@parametrize_with_checks([ToyRanker(), ToySubspace(), ToyGreedy(1.0)])
def test_the_base_classes_pass_scikit_learns_checks(estimator, check):
    check(estimator)
