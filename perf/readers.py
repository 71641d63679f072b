# SPDX-License-Identifier: BSD-3-Clause
"""Readers and their peers: time, memory, and whether the real sets are read right.

Run with LABELSIFT_DATA set to the folder of real sets, and liac-arff installed to see
it too: ``python perf/readers.py``. Times are CPU seconds, the best of three.
"""

import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.io import arff as scipy_arff
from sklearn.datasets import load_svmlight_file

from labelsift.datasets import load_dataset, prepare_text, read_arff, read_libsvm

SETS = ("emotions", "flags", "scene", "yeast", "enron")
SPARSE = {"enron"}
YAHOO = ("arts", "education", "reference", "science")


def measured(read: Callable[[], Any]) -> str:
    """Best time of three, peak memory of one more run, or the error."""
    times = []
    try:
        for _ in range(3):
            start = time.process_time()
            read()
            times.append(time.process_time() - start)
        tracemalloc.start()
        read()
        peak = tracemalloc.get_traced_memory()[1]
    except Exception as error:  # a peer's failure is a result
        return f"{type(error).__name__}: {str(error)[:60]}"
    finally:
        tracemalloc.stop()
    return f"{min(times):6.3f} s, peak {peak / 1e6:6.1f} MB"


def liac_reader(paths: list[Path], sparse: bool) -> Callable[[], Any] | None:
    """liac-arff on some files, None where it is not installed."""
    try:
        import arff
    except ModuleNotFoundError:
        return None
    form = arff.COO if sparse else arff.DENSE
    return lambda: [arff.loads(p.read_text(), return_type=form) for p in paths]


def equal(a: Any, b: Any) -> bool:
    """Whether two matrices, dense or sparse, hold the same values."""
    if sp.issparse(a) != sp.issparse(b) or a.shape != b.shape:
        return False
    return (a != b).nnz == 0 if sp.issparse(a) else np.array_equal(a, b)


def show_arff(home: Path) -> None:
    """The train and test file of each set, against its npz and the peers."""
    for name in SETS:
        folder = home / name / "original"
        paths = [folder / f"{name}-{part}.arff" for part in ("train", "test")]
        size = sum(path.stat().st_size for path in paths)
        expected = load_dataset(name, home)
        parts = [read_arff(path) for path in paths]
        rows = [expected.train_idx, expected.test_idx]
        right = all(
            equal(part.X, expected.X[index]) and equal(part.Y, expected.Y[index])
            for part, index in zip(parts, rows, strict=True)
        )
        print(f"{name}: {size / 1e6:.2f} MB in two files, equal to the npz: {right}")
        readers = {
            "labelsift": lambda paths=paths: [read_arff(path) for path in paths],
            "scipy": lambda paths=paths: [scipy_arff.loadarff(path) for path in paths],
            "liac-arff": liac_reader(paths, name in SPARSE),
        }
        for reader, read in readers.items():
            print(f"  {reader:10} {measured(read) if read else 'not installed'}")


def show_libsvm(home: Path) -> None:
    """Both LIBSVM files, against scikit-learn."""
    for name in ("yeast_train.svm", "Apte21578-90.test.ltc.svm"):
        path = home / "libsvm-files" / name
        data = read_libsvm(path)
        size = path.stat().st_size / 1e6
        print(f"{name}: {size:.2f} MB, {data.X.shape}, {data.n_labels} labels")
        print(f"  labelsift  {measured(lambda path=path: read_libsvm(path))}")
        peer = measured(lambda path=path: load_svmlight_file(path, multilabel=True))
        print(f"  sklearn    {peer}")
    yeast = load_dataset("yeast", home)
    data = read_libsvm(home / "libsvm-files" / "yeast_train.svm")
    right = equal(data.X.toarray(), yeast.X[yeast.train_idx])
    right &= equal(data.Y, yeast.Y[yeast.train_idx])
    print(f"yeast_train.svm equals the training rows of yeast: {right}")


def show_yahoo(home: Path) -> None:
    """Sizes after the preparation of the paper (its Table 2)."""
    for name in YAHOO:
        raw = load_dataset(f"yahoo-{name}-full", home)
        start = time.process_time()
        data = prepare_text(raw)
        seconds = time.process_time() - start
        counts = data.Y.sum(axis=0)
        print(
            f"{name}: {data.n_samples} x {data.n_features} x {data.n_labels}, labels "
            f"of {counts.min()} to {counts.max()} rows, {seconds:.2f} s"
        )


if __name__ == "__main__":
    data_home = Path(os.environ["LABELSIFT_DATA"])
    show_arff(data_home)
    show_libsvm(data_home)
    show_yahoo(data_home)
