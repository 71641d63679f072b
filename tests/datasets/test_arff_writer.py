# SPDX-License-Identifier: BSD-3-Clause
from dataclasses import replace

import numpy as np
import pytest

from labelsift.datasets import make_planted, read_arff, write_arff

NAMES = ("it's", 'say "x"', "back\\slash", "new\nline", " edge ", "ж,{}%", "\t", "?")


@pytest.mark.parametrize("density", [0.3, 1.0])
def test_what_is_written_is_read_back_exactly(tmp_path, density):
    data = make_planted(
        40, len(NAMES), 3, density=density, n_relevant=3, random_state=0
    )
    data = replace(data, feature_names=NAMES, label_names=("a b", "-C 1", "c'"))
    write_arff(data, tmp_path / "a.arff")
    back = read_arff(tmp_path / "a.arff")
    assert back.feature_names == NAMES
    assert back.label_names == data.label_names
    assert back.checksum == data.checksum


def test_missing_values(tmp_path):
    data = make_planted(5, 2, 1, n_relevant=1, random_state=0)
    data.X[3, 1] = np.nan
    write_arff(data, tmp_path / "a.arff")
    np.testing.assert_array_equal(read_arff(tmp_path / "a.arff").X, data.X)


def test_real_sets_survive(real, tmp_path):
    for name in ("flags", "enron"):
        data = real(name)
        write_arff(data, tmp_path / f"{name}.arff")
        back = read_arff(tmp_path / f"{name}.arff")
        # ARFF knows one precision, float64.
        assert back.checksum == replace(data, X=data.X.astype(np.float64)).checksum
        assert back.feature_names == data.feature_names
