# SPDX-License-Identifier: BSD-3-Clause
import numpy as np
import pytest

from labelsift.datasets import load_dataset
from labelsift.model_selection.protocol import make_splits, read_splits


def test_splits_of_strangers_are_sentences(tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(b"no zip at all")
    with pytest.raises(ValueError, match="cannot be read as an npz file"):
        read_splits(path)
    np.savez(path, train_0=np.array([2**64 - 1], np.uint64), test_0=[1])
    with pytest.raises(ValueError, match="which is no row"):
        read_splits(path)
    path = tmp_path / "a.csv"
    path.write_text(f"split,part,row\n0,train,{10**30}\n0,test,1\n")
    with pytest.raises(ValueError, match="more than 64 bits"):
        read_splits(path)


@pytest.mark.parametrize("cv", ["2x999999999", "holdout:0.3x999999999"])
def test_splits_are_counted_before_they_are_made(cv):
    with pytest.raises(ValueError, match="is not known: use a number"):
        make_splits(cv, load_dataset("traits"))
