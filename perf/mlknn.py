# SPDX-License-Identifier: BSD-3-Clause
"""Speed of MLkNN and scikit-multilearn-ng's, and a sparse set of 47236 features.

    pip install scikit-multilearn-ng
    OMP_NUM_THREADS=1 python perf/mlknn.py

2000 x 300 training samples, 20 labels, 1000 test samples, k = 10, not scaled, best of
three runs, both in this process. The peer counts a training sample among its own
neighbours unless set to skip one, and then skips one in prediction too; for the
comparison of predictions the setting is on in fit and off in predict. The sparse
set (rcv1-subset1) is run where LABELSIFT_DATA has it.
"""

import resource
import time
import warnings

from skmultilearn.adapt import MLkNN as Peer

from labelsift.classification import MLkNN
from labelsift.datasets import load_dataset, make_planted
from labelsift.kernels.neighbours import warm_up


def timed(call, repeats=3):
    """Result of a call and the least wall time of it."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def predict_as_published(peer, X):
    """Let the peer use the nearest training sample of a new one."""
    peer.ignore_first_neighbours = 0
    return peer.predict(X)


def compare():
    """Print both in the same run, and how many predictions differ."""
    data = make_planted(3000, 300, 20, n_relevant=20, random_state=0)
    X, Y, X_test = data.X[:2000], data.Y[:2000], data.X[2000:]
    ours, fit = timed(lambda: MLkNN(10, scale=False).fit(X, Y))
    labels, predict = timed(lambda: ours.predict(X_test))
    peer, peer_fit = timed(lambda: Peer(k=10, ignore_first_neighbours=1).fit(X, Y))
    peer_labels, peer_predict = timed(lambda: predict_as_published(peer, X_test))
    print("2000 x 300, 20 labels, 1000 test rows   fit s   predict s")
    print(f"labelsift                             {fit:7.3f}   {predict:7.3f}")
    print(
        f"scikit-multilearn-ng                  {peer_fit:7.3f}   {peer_predict:7.3f}"
    )
    tied = ours.decision_function(X_test) == 0  # the peer predicts a tie, we do not
    differ = (labels != peer_labels.toarray()) & ~tied
    print(
        f"predictions that differ: {differ.sum()} of {labels.size}; ties {tied.sum()}"
    )


def sparse():
    """Print time and memory of a fit and prediction on sparse text."""
    try:
        data = load_dataset("rcv1-subset1")
    except ValueError as error:
        print(f"rcv1-subset1 was not run: {error}")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # labels without positives
        model, fit = timed(lambda: MLkNN(10).fit(data.X, data.Y), repeats=1)
    _, predict = timed(lambda: model.predict(data.X[:1000]), repeats=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"rcv1-subset1 {data.X.shape}, {data.n_labels} labels: fit {fit:.2f} s,")
    print(f"  predict 1000 rows {predict:.2f} s, peak of the process {peak:.2f} GiB")


if __name__ == "__main__":
    warm_up()
    compare()
    sparse()
