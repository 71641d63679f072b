# SPDX-License-Identifier: BSD-3-Clause
"""The forest as a read-out: scikit-learn's defaults, and the one of the catalogue.

Macro AUC on one test part and processor seconds of a fit, on the tenth of the features
with the best Fisher scores of the training part.

Run: LABELSIFT_DATA=FOLDER python perf/forest_readout.py
"""

import time

from sklearn.ensemble import RandomForestClassifier

from labelsift.classification import LabelScorer
from labelsift.datasets import load_dataset
from labelsift.experiment.catalogue import READOUTS
from labelsift.metrics import macro_auc
from labelsift.model_selection import make_splits
from labelsift.selection import FisherScore

DATA = ("emotions", "scene", "yahoo-arts", "bibtex", "tmc2007-500")
FORESTS = {
    "defaults": lambda: LabelScorer(RandomForestClassifier(100, random_state=0)),
    "read-out": READOUTS["forest"],
}


def main():
    print(f"{'data':12} {'forest':>9} {'seconds':>8} {'macro AUC':>10}")
    for name in DATA:
        data = load_dataset(name)
        train, test = make_splits(5, data)[0]
        selector = FisherScore(0.1).fit(data.X[train], data.Y[train])
        seen, held_out = (selector.transform(data.X[rows]) for rows in (train, test))
        for forest, make in FORESTS.items():
            start = time.process_time()
            model = make().fit(seen, data.Y[train])
            seconds = time.process_time() - start
            auc = macro_auc(data.Y[test], model.decision_function(held_out))
            print(f"{name:12} {forest:>9} {seconds:8.2f} {auc:10.4f}", flush=True)


if __name__ == "__main__":
    main()
