# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's fetchers are replaced: tests never leave this machine."""

from urllib.error import URLError

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils import Bunch

from labelsift.datasets import sklearn_sets
from labelsift.datasets.sklearn_sets import load_openml, load_rcv1


@pytest.fixture
def serve(monkeypatch):
    """Let a fetcher answer with a bunch, or raise."""

    def replace(fetcher, answer):
        asked = []

        def fetch(**options):
            asked.append(options)
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(sklearn_sets, fetcher, fetch)
        return asked

    return replace


def bunch(target, data=None):
    return Bunch(
        data=np.eye(2) if data is None else data,
        target=np.array(target),
        feature_names=["u", "v"],
        target_names=["a", "b"],
    )


@pytest.mark.parametrize(
    "target",
    [
        [["TRUE", "FALSE"], ["FALSE", "TRUE"]],
        [["1", "0"], ["0", "1"]],
        [[1, 0], [0, 1]],
        [[1.0, 0.0], [0.0, 1.0]],
        [[True, False], [False, True]],
    ],
)
def test_openml(serve, tmp_path, target):
    asked = serve("fetch_openml", bunch(np.array(target, dtype=object)))
    data = load_openml("toy", 7, tmp_path / "cache")
    assert asked[0]["data_id"] == 7
    assert data.feature_names == ("u", "v")
    assert data.label_names == ("a", "b")
    assert data.Y.tolist() == [[1, 0], [0, 1]]
    assert not list((tmp_path / "cache").iterdir())


def test_sparse_openml(serve, tmp_path):
    serve("fetch_openml", bunch([["1", "0"]] * 2, sp.csr_matrix(np.eye(2))))
    X = load_openml("toy", 7, tmp_path).X
    assert isinstance(X, sp.csr_array)


@pytest.mark.parametrize("target", [["a", "b"], [["1", "2"], ["0", "1"]]])
def test_a_set_with_other_targets(serve, tmp_path, target):
    serve("fetch_openml", bunch(target))
    with pytest.raises(ValueError, match="toy is not a multi-label set"):
        load_openml("toy", 7, tmp_path)


def test_rcv1_has_its_published_split(serve, tmp_path, monkeypatch):
    monkeypatch.setattr(sklearn_sets, "_RCV1_TRAINING", 2)
    answer = Bunch(
        data=sp.csr_matrix(np.eye(3)),
        target=sp.csr_matrix(np.array([[1, 0], [0, 1], [1, 1]], dtype=np.uint8)),
        target_names=np.array(["C11", "ECAT"], dtype=object),
    )
    serve("fetch_rcv1", answer)
    data = load_rcv1("rcv1", tmp_path)
    assert data.train_idx.tolist() == [0, 1]
    assert data.test_idx.tolist() == [2]
    assert data.label_names == ("C11", "ECAT")
    assert data.Y.sum() == 4


@pytest.mark.parametrize(
    "error",
    [
        URLError("no network"),
        ValueError("no such id"),
        TimeoutError("slow"),
        EOFError(),
    ],
)
def test_a_failure_tells_where_to_put_the_file(serve, tmp_path, error):
    serve("fetch_openml", error)
    with pytest.raises(
        ValueError, match=r"toy was not downloaded .*toy.data\.npz your"
    ):
        load_openml("toy", 7, tmp_path)
    assert not list(tmp_path.iterdir())
