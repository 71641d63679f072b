# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of methods on one data set: which features, and how many."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from labelsift.compare.answer import MARGIN, Recommendation, recommend
from labelsift.compare.request import as_data, known_metric, make_setup
from labelsift.compare.setup import Setup
from labelsift.datasets import write_npz
from labelsift.experiment.catalogue import ALL_FEATURES, RANDOM
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks
from labelsift.experiment.results import Results
from labelsift.experiment.task import DataSpec
from labelsift.metrics import EVERY_MEASURE
from labelsift.model_selection.saved_selection import write_document
from labelsift.prepare import Doubt
from labelsift.prepare.doubts.folds import WorstLabel

__all__ = ["Comparison", "Recommendation", "compare", "recommend"]


@dataclass(frozen=True)
class Comparison:
    """Results of a comparison.

    Parameters
    ----------
    setup : Setup
        What is compared, and how.
    results : Results
        Every value, and every task with its status.
    artifacts : DataFrame
        By method, split and budget: the chosen features and the AUC of each label.
    final : DataFrame
        By method: the selection on all rows, its gains and its weights.
    command : str
        The command or call.
    interrupted : bool
        Whether it was stopped early.
    """

    setup: Setup
    results: Results
    artifacts: pd.DataFrame
    final: pd.DataFrame
    command: str = ""
    interrupted: bool = False
    _answers: dict[str, Recommendation] = field(default_factory=dict, repr=False)

    @property
    def measured(self) -> list[str]:
        """The methods that have values, in the order of the setup; controls last."""
        present = set(self.results.values["method"])
        names = (*self.setup.methods, RANDOM, ALL_FEATURES)
        return [name for name in names if name in present]

    @property
    def has_answer(self) -> bool:
        """Whether any method was measured."""
        return bool(set(self.measured) & set(self.setup.methods))

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What is doubtful: about the data, and about labels after the folds."""
        if not self.has_answer:
            return self.setup.doubts
        after = self.setup.fold_doubts(self.artifacts, self.recommend())
        return (*self.setup.doubts, *after)

    @property
    def worst_label(self) -> WorstLabel | None:
        """The label that the recommended features serve worst, with its mean AUC."""
        return self.setup.worst_label(self.artifacts, self.recommend())

    def frame(self) -> pd.DataFrame:
        """All values as a pandas DataFrame, one row each."""
        return self.results.values

    def recommend(self, metric: str | None = None) -> Recommendation:
        """The answer: a method and a number of features.

        Parameters
        ----------
        metric : str or None, default=None
            A name in ``labelsift.metrics.EVERY_MEASURE``; None: that of the comparison.

        Returns
        -------
        Recommendation
            With ``sentence``.
        """
        name = known_metric(metric or self.setup.metric)
        if name not in self._answers:
            ratio = self.setup.test_over_train
            results = self.results.where(readout=self.setup.readout)
            self._answers[name] = recommend(
                results, name, margin=self.setup.margin, test_over_train=ratio
            )
        return self._answers[name]

    def features(self, method: str | None = None) -> list[str]:
        """Names of the features that a method chose on all rows, best first.

        Parameters
        ----------
        method : str or None, default=None
            A method of the comparison; None: the recommended one.

        Returns
        -------
        list of str
            At the recommended budget; empty where the method was not fitted.
        """
        name = method or self.recommend().method
        final, names = self.final, self.setup.data.feature_names
        rows = final[(final["method"] == name) & (final["name"] == "order")]
        return [names[i] for order in rows["value"] for i in order]

    def total_cost(self, method: str | None = None) -> float | None:
        """What ``features(method)`` cost together; None without costs."""
        return self.setup.cost(self.features(method))

    def table(
        self,
        metric: str | None = None,
        *,
        readout: str | None = None,
        budget: str | int | None = None,
    ) -> Any:
        """The means as the table of a paper: the data set by methods.

        Parameters
        ----------
        metric, readout : str or None, default=None
            None: those that the answer is about.
        budget : str, int or None, default=None
            A number ("20") or share ("5%") of the features; None: the mean over all.

        Returns
        -------
        ResultTable
            With ``to_markdown``, ``to_latex``, ``to_csv``, ``to_html`` and ``frame``.
        """
        from labelsift.tables import result_table

        return result_table(
            self.results,
            known_metric(metric or self.setup.metric),
            readout=readout or self.setup.readout,
            budget=budget,
        )

    def ranks(self, metric: str | None = None) -> pd.Series:
        """Average rank of every method over the splits; 1 is the best.

        No test goes with them: splits share rows. See ``recommend().verdicts``.

        Parameters
        ----------
        metric : str or None, default=None
            As in ``recommend``.

        Returns
        -------
        Series
            By method, the best first.
        """
        name = known_metric(metric or self.setup.metric)
        results = self.results.where(readout=self.setup.readout)
        blocks = results.by_block(name, block="split")
        ranks = blocks.rank(axis=1, ascending=not EVERY_MEASURE[name].greater_is_better)
        return ranks.mean().sort_values()

    def plot(self, metric: str | None = None, ax: Any = None) -> Any:
        """Draw the curves over the budget, with bands of one standard error.

        Parameters
        ----------
        metric : str or None, default=None
            As in ``recommend``.
        ax : matplotlib Axes or None, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib Axes
            With one line per method; ``plot().figure`` is the figure.
        """
        from labelsift.plots import result_curves

        name = known_metric(metric or self.setup.metric)
        results = self.results.where(readout=self.setup.readout)
        axes = result_curves(results, name, ax=ax)
        if self.setup.costs:
            axes.set_xlabel("total cost")
        return axes

    def save(self, path: str | Path, method: str | None = None) -> None:
        """Write what a method chose on all rows as a file for ``labelsift apply``.

        It predicts by ridge regression, whatever the read-out of the comparison.

        Parameters
        ----------
        path : str or Path
            The file; ``load_selection`` reads it.
        method : str or None, default=None
            A method of the comparison; None: the recommended one.
        """
        name = method or self.recommend().method
        write_document(self.setup.saved(self.final, name), path)

    def report(self, path: str | Path) -> None:
        """Write the report: one self-contained HTML file.

        Parameters
        ----------
        path : str or Path
            The file; written atomically.
        """
        from labelsift.compare.page import write_page
        from labelsift.compare.page.data import page_data

        answer = self.recommend() if self.has_answer else None
        parts = (self.setup, self.results, self.artifacts, self.final, answer)
        page = page_data(*parts, command=self.command, doubts=self.doubts)
        write_page(page, path)


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
    random_state: int = 0,
    timeout: float | None = None,
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
    random_state : int, default=0
        Seed of the folds.
    timeout : float or None, default=None
        Time limit in seconds for one method in one fold.
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
    data = as_data(X, Y, feature_names, label_names, target, sample_weight)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        source = folder / f"{data.checksum[:16]}.npz"
        write_npz(data, source)
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
        )
        ledger = stack.enter_context(Ledger(store or folder / "runs.sqlite"))
        return run_comparison(setup, ledger, jobs, timeout, on_done)


def run_comparison(
    setup: Setup,
    ledger: Ledger,
    jobs: int = 1,
    timeout: float | None = None,
    on_done: Callable[[int, int, Any], None] | None = None,
    command: str = "",
) -> Comparison:
    """Run what is missing in the ledger and collect all; Ctrl-C returns a part."""
    results, artifacts, interrupted = setup.run(ledger, jobs, timeout, on_done)
    nothing = ledger.artifacts([])
    result = Comparison(setup, results, artifacts, nothing, command, interrupted)
    return _with_final_fits(result, ledger, jobs, timeout)


def _with_final_fits(
    result: Comparison, ledger: Ledger, jobs: int, timeout: float | None
) -> Comparison:
    """Fit on all rows at the recommended size: every method, or only that one."""
    if not result.has_answer:
        return result
    answer = result.recommend()
    methods = [name for name in result.measured if name in result.setup.methods]
    if result.interrupted:
        methods = [answer.method]
    planned = [result.setup.final_task(method, answer.budget) for method in methods]
    run_tasks([item.task for item in planned], ledger, jobs=jobs, timeout=timeout)
    final = result.setup.of_first_readout(ledger.artifacts(planned))
    return replace(result, final=final)
