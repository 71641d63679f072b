# SPDX-License-Identifier: BSD-3-Clause
"""``compare(X, Y)``: a comparison of data in memory."""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from labelsift.compare import Comparison, run_comparison
from labelsift.compare.answer import MARGIN
from labelsift.compare.request import as_data, make_setup
from labelsift.datasets import write_npz
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.task import DataSpec


def compare(
    X: Any,
    Y: Any = None,
    *,
    methods: str | Sequence[str] | Mapping[str, Any] = "fast",
    budgets: str | Sequence[str] | None = None,
    readout: Any = "ridge",
    cv: Any = 5,
    metric: Any = None,
    measures: Sequence[Any] | None = None,
    groups: Any = None,
    margin: float = MARGIN,
    costs: Any = None,
    max_cost: float | None = None,
    feature_groups: Any = None,
    preparation: Any = "auto",
    feature_names: Sequence[str] | None = None,
    label_names: Sequence[str] | None = None,
    target: str = "auto",
    sample_weight: Any = None,
    store: str | Path | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    random_state: int = 0,
    timeout: float | None = None,
    within: float | str | None = None,
    on_done: Callable[[int, int, Any], None] | None = None,
) -> Comparison:
    """Compare feature selectors on one data set by cross-validation.

    Features are chosen inside the folds, without the test rows. A random ranking and a
    fit on all features are always measured too. Methods use their default parameters;
    dense columns are standardised and sparse ones divided by their largest value.

    Parameters
    ----------
    X : array-like, sparse, DataFrame or MultiLabelData
        The samples, or samples and labels together; a DataFrame as it is.
    Y : array-like, sparse or DataFrame, optional
        Labels as 0/1, bool or -1/+1; the classes of a 1-D y become one label each; or
        values, see ``target``.
    methods : {"fast", "all"}, sequence of str or mapping, default="fast"
        Names of ``labelsift methods`` or classes as "package.module:Class"; or a
        mapping of names to such names and to estimators: selectors of ours or of
        scikit-learn, and estimators with ``feature_importances_`` or ``coef_``. "fast"
        leaves out what would take long on this data.
    budgets : str, sequence of str or None, default=None
        "1%:20%", "5,10,20" or a list of counts and shares; None: a sensible range.
        With costs, totals and shares of what all features cost.
    readout : str, sequence of str, estimator or mapping, default="ridge"
        What is trained on the chosen features: names of the catalogue (ridge, svm,
        logistic, knn, 3nn, forest, boosting, chain), classes as
        "sklearn.ensemble:ExtraTreesClassifier", or estimators by name. The answer is
        about the first.
    cv : int, str, splitter or iterable, default=5
        Folds, stratified over all labels, or any form that ``make_splits`` takes:
        "5x4", "holdout:0.3x10", "blocks", "published", a file, a splitter, pairs.
    metric : str or Measure, optional
        What the recommendation is about; None: "macro_auc", of values "r2".
    measures : sequence of str or Measure, optional
        What is measured; None: the papers' nine, and the labels served worst; of
        values R², RMSE, mean absolute error and rank correlation.
    groups : array-like of shape (n_samples,), optional
        Rows with the same value are never split between training and test.
    margin : float, default=0.01
        A difference of the metric that does not matter: methods within it are as good.
    costs : mapping, Series or path, optional
        Positive cost of each feature by name, or a CSV file (feature, cost). Budgets
        are totals of cost then, which every method is filled up to.
    max_cost : float, optional
        The largest total.
    feature_groups : mapping, Series or path, optional
        Group of features by name, or a CSV file (feature, group): taken whole and
        bought once, under a cost of its own name or for the sum of its features'.
    preparation : "auto", TablePreparation or None, default="auto"
        Makes numbers of a DataFrame, inside the folds; None: it holds numbers already.
    feature_names, label_names : sequence of str, optional
        Names; taken from DataFrames where not given.
    target : {"auto", "labels", "values"}, default="auto"
        What Y holds; "auto": values where every column has a fraction, else labels.
    sample_weight : array-like of shape (n_samples,), optional
        How often each row counts, in fits and measures.
    store : str, Path or None, default=None
        A ledger of finished work, from which a second call resumes.
    jobs : int, default=1
        Processes.
    scheduler : str or None, default=None
        A Dask cluster to work on; its workers read the data next to ``store``.
    random_state : int, default=0
        Seed of the folds.
    timeout : float or None, default=None
        Time limit in seconds for one method in one fold.
    within : float, str or None, default=None
        Time for all, as 60, "60s" or "2m": methods race, what does not fit is cut, and
        ``Comparison.cut`` says why. None: all runs.
    on_done : callable or None, default=None
        Called with (done, total, outcome) after each task.

    Returns
    -------
    Comparison
        With ``doubts``, ``recommend()``, ``frame()``, ``plot()`` and ``report(path)``.

    Examples
    --------
    >>> from labelsift.compare import compare
    >>> from labelsift.datasets import load_dataset
    >>> traits = load_dataset("traits")
    >>> result = compare(traits, methods=["fisher"], budgets="4,16", cv=2)
    >>> result.recommend().method
    'fisher'
    """
    started = time.time()
    data = as_data(X, Y, feature_names, label_names, target, sample_weight)
    with ExitStack() as stack:
        near = Path(store).parent if scheduler and store else None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=near)))
        source = folder / f"{data.checksum[:16]}.npz"
        write_npz(data, source, compress=False)  # it is removed again
        spec = DataSpec(str(source), checksum=data.checksum)
        setup = make_setup(
            spec,
            data,
            methods=methods,
            budgets=budgets,
            readout=readout,
            cv=cv,
            metric=metric,
            measures=measures,
            groups=groups,
            margin=margin,
            costs=costs,
            max_cost=max_cost,
            feature_groups=feature_groups,
            seed=random_state,
            preparation=preparation,
            within=within,
        )
        ledger = stack.enter_context(Ledger(store or folder / "runs.sqlite"))
        until = None if setup.within is None else started + setup.within
        engine = {"jobs": jobs, "timeout": timeout, "scheduler": scheduler}
        return run_comparison(setup, ledger, engine, on_done, until=until)
