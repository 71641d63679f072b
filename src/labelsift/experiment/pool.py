# SPDX-License-Identifier: BSD-3-Clause
"""Run tasks on this machine or on a Dask cluster; only the driver writes the ledger."""

import atexit
import functools
import math
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
from joblib.externals.loky.process_executor import TerminatedWorkerError

from labelsift.core.optional import import_extra
from labelsift.core.scratch import release_scratch
from labelsift.experiment.catalogue import RANDOM
from labelsift.experiment.inputs import leave_in, look_in
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.models import RIDGE, by_factor
from labelsift.experiment.results import Outcome
from labelsift.experiment.run import run_at_once, run_task
from labelsift.experiment.task import DataSpec, Task

# After this many dead workers, tasks run one by one, so that the cause is known.
PATIENCE = 2
# Seconds between progress notes in the ledger.
NOTE_EVERY = 2.0
# How often a worker looks whether its driver lives, in seconds.
WATCH_EVERY = 0.5

Progress = Callable[[int, int, Outcome], None]
# Time limit of a task, when to stop, threads of a task, where tried points are.
Limits = tuple[float | None, float, int, Path | None]


def run_tasks(
    tasks: Iterable[Task],
    ledger: Ledger,
    *,
    jobs: int = 1,
    backend: str | None = None,
    scheduler: str | None = None,
    timeout: float | None = None,
    until: float = math.inf,
    threads: int = 1,
    retry_failed: bool = False,
    on_done: Progress | None = None,
) -> int:
    """Run the tasks that are missing in the ledger.

    Each outcome is written as it arrives, failed ones too. A dying worker loses only
    its own task: the others are run again; points of a large grid that were tried are
    not lost either (``tried``). Where a task with a limit of its fit runs
    out of time, the other splits of its method and data are not run, and written so.

    Parameters
    ----------
    tasks : iterable of Task
        The plan.
    ledger : Ledger
        Where outcomes are stored.
    jobs : int, default=1
        Processes on this machine; a Dask cluster has its own number.
    backend : {"loky", "dask"} or None, default=None
        Processes of this machine, or a Dask cluster; None: what ``scheduler`` says.
    scheduler : str or None, default=None
        Address of the Dask scheduler.
    timeout : float or None, default=None
        Time limit of a task in seconds.
    until : float, default=inf
        When to stop, in seconds as by ``time.time``. A task that has not ended by then
        is interrupted, one that has not begun is left: both are "cut", which
        ``on_done`` is told and the ledger is not.
    threads : int, default=1
        Threads for each task.
    retry_failed : bool, default=False
        Run failed and timed-out tasks again.
    on_done : callable or None
        Called with (done, total, outcome) after each task.

    Returns
    -------
    int
        How many tasks were run.
    """
    backend = backend or ("loky" if scheduler is None else "dask")
    finished = {
        key: status
        for key, status in ledger.statuses().items()
        if status == "done" or not retry_failed
    }
    planned = {task.key: task for task in tasks}
    missing = {key: task for key, task in planned.items() if key not in finished}
    if backend == "dask":
        missing = {key: _by_full_path(task) for key, task in missing.items()}
    writer = _Writer(ledger, len(missing), on_done)
    too_slow = {
        task.family
        for key, task in planned.items()
        if task.fit_limit and finished.get(key) == "timeout"
    }
    if jobs > 1 and backend == "loky":
        _share_data({task.data for task in missing.values()})
    with _parallel(backend, scheduler, jobs, threads):
        # Workers of a cluster may have other folders.
        tried_in = None if backend == "dask" else ledger.tried
        limits = (timeout, until, threads, tried_in)
        try:
            _run_all(missing, too_slow, writer, jobs, backend, limits)
        finally:
            release_scratch()
    return writer.done


def _by_full_path(task: Task) -> Task:
    """The task with full names of files: workers have folders of their own.

    A task never holds data. Every worker reads the files itself, once for all tasks of
    a data set, and compares the checksum, which stands for the data in the key.
    """
    spec = task.data
    names = {name: getattr(spec, name) for name in ("source", "test", "splits")}
    full = {name: str(Path(file).absolute()) for name, file in names.items() if file}
    files: dict[str, Any] = {
        k: file for k, file in full.items() if Path(file).is_file()
    }
    if spec.data_home:
        files["data_home"] = str(Path(spec.data_home).absolute())
    return replace(task, data=replace(spec, **files)) if spec.checksum else task


class _Writer:
    """Writes outcomes and reports progress."""

    def __init__(self, ledger: Ledger, total: int, on_done: Progress | None) -> None:
        self.ledger, self.total, self.on_done = ledger, total, on_done
        self.done, self.started, self.noted = 0, time.time(), 0.0
        if total:
            self._note()

    def write(self, outcome: Outcome) -> None:
        if outcome.status != "cut":
            self.ledger.add(outcome)
        self.done += 1
        if time.time() - self.noted > NOTE_EVERY or self.done == self.total:
            self._note()
        if self.on_done is not None:
            self.on_done(self.done, self.total, outcome)

    def _note(self) -> None:
        self.noted = time.time()
        self.ledger.note(
            driver=os.getpid(),
            started=self.started,
            at=self.noted,
            done=self.done,
            total=self.total,
        )


def _run_all(
    missing: dict[str, Task],
    too_slow: set[str],
    writer: _Writer,
    jobs: int,
    backend: str,
    limits: Limits,
) -> None:
    deaths = 0
    left_out: list[Task] = []
    while missing:
        alone = deaths >= PATIENCE
        part = list(missing.values())[:1] if alone else list(missing.values())
        try:
            _send_own_code(part)
            waiting = _unless_too_slow(part, too_slow, left_out)
            for outcome in _outcomes(waiting, 2 if alone else jobs, limits):
                task = missing.pop(outcome.key)
                writer.write(outcome)
                if outcome.status == "timeout" and task.fit_limit:
                    too_slow.add(task.family)
                _write_left_out(left_out, missing, writer)
            _write_left_out(left_out, missing, writer)
        except _deaths(backend) as error:
            deaths += 1
            if alone:
                task = missing.pop(part[0].key)
                writer.write(_died(task, error))


def _unless_too_slow(
    tasks: Sequence[Task], too_slow: set[str], left_out: list[Task]
) -> Iterator[Task]:
    """The tasks of which no other split has run out of time so far.

    joblib may ask for the next one in another thread: nothing is written here.
    """
    for task in tasks:
        if task.fit_limit and task.family in too_slow:
            left_out.append(task)
        else:
            yield task


def _write_left_out(
    left_out: list[Task], missing: dict[str, Task], writer: "_Writer"
) -> None:
    """Write what is not run as ended by the limit, too."""
    while left_out:
        task = left_out.pop()
        missing.pop(task.key, None)
        error = "Not run: another split ran out of time."
        writer.write(Outcome(task.key, task.content, "timeout", error=error))


def _outcomes(tasks: Iterable[Task], jobs: int, limits: Limits) -> Iterator[Outcome]:
    """Outcomes as they come; tasks are handed out a few at a time."""
    pool = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
    outcomes = pool(_calls(_batches(tasks), limits))
    try:
        for some in outcomes:
            yield from some if isinstance(some, list) else [some]
    finally:
        outcomes.close()


def _calls(batches: Iterable[list[Task]], limits: Limits) -> Iterator[Any]:
    """What workers do for each batch."""
    timeout, until, *other = limits
    for tasks in batches:
        if len(tasks) > 1:
            yield joblib.delayed(_run_draws)(tasks, *limits)
        elif until == math.inf:
            yield joblib.delayed(run_task)(*tasks, timeout, *other)
        else:
            yield joblib.delayed(_run_until)(*tasks, *limits)


def _batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Tasks one by one; draws of the random ranking that follow each other together.

    Only where all their models are ridge fits: other models take as long together.
    """
    draws: list[Task] = []
    for task in tasks:
        if draws and task.but_for_seed != draws[0].but_for_seed:
            yield draws
            draws = []
        if task.method.name == RANDOM and task.readouts == (RIDGE,) and by_factor(task):
            draws.append(task)
        else:
            yield [task]
    if draws:
        yield draws


def _run_draws(
    tasks: list[Task], timeout: float | None, until: float, *other: Any
) -> list[Outcome]:
    """Run draws at once; one by one where that does not end well."""
    left = (until - time.time()) / len(tasks)
    if left > 0:
        limit = left if timeout is None else min(left, timeout)
        outcomes = run_at_once(tasks, None if limit == math.inf else limit, *other)
        if all(outcome.status == "done" for outcome in outcomes):
            return outcomes
    return [_run_until(task, timeout, until, *other) for task in tasks]


def _run_until(task: Task, timeout: float | None, until: float, *other: Any) -> Outcome:
    """Run a task in the time that is left."""
    left = until - time.time()
    if left <= 0:
        return Outcome(task.key, task.content, "cut")
    limit = left if timeout is None else min(left, timeout)
    outcome = run_task(task, None if limit == math.inf else limit, *other)
    late = outcome.status == "timeout" and time.time() >= until
    return replace(outcome, status="cut", error="") if late else outcome


def _send_own_code(tasks: Sequence[Task]) -> None:
    """Let the code of what users bring travel to workers that cannot import it.

    A module outside of site-packages is pickled by value: a worker on another machine
    need not have it, and a worker that had an older version of it gets the new one.
    """
    things = [thing for task in tasks for thing in task.own.values()]
    packages = {package for thing in things for package in _packages(thing)}
    for name in packages - {"builtins", "labelsift"}:
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if module is None or file is None or "site-packages" in Path(file).parts:
            continue
        for pickler in ("joblib.externals.cloudpickle", "cloudpickle"):
            if find_spec(pickler) is not None:
                import_module(pickler).register_pickle_by_value(module)


def _packages(thing: Any) -> Iterator[str]:
    """Top packages of the classes and functions that an object holds."""
    parts = [thing, getattr(thing, "function", None)]
    if hasattr(thing, "get_params"):
        parts += thing.get_params(deep=True).values()
    for part in parts:
        named = part if hasattr(part, "__qualname__") else type(part)
        yield str(named.__module__).partition(".")[0]


def _deaths(backend: str) -> tuple[type[BaseException], ...]:
    """The errors raised when a worker is killed."""
    if backend == "dask":
        distributed = import_extra("distributed", "The Dask backend")
        return (distributed.scheduler.KilledWorker,)
    return (TerminatedWorkerError,)


def _died(task: Task, error: BaseException) -> Outcome:
    text = " ".join(str(error).split())
    return Outcome(
        task.key,
        task.content,
        "failed",
        error=f"The worker died, perhaps for lack of memory. {text[:200]}",
    )


@contextmanager
def _parallel(
    backend: str, scheduler: str | None, jobs: int, threads: int
) -> Iterator[None]:
    if backend == "loky":
        with (
            warnings.catch_warnings(),
            joblib.parallel_config(
                "loky",
                inner_max_num_threads=threads,
                initializer=_start_worker,
                initargs=(os.getpid(), os.getcwd(), str(_shared_folder())),
            ),
        ):
            # One whose memory has grown is replaced; no task of it is lost.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs")
            yield
    elif backend == "dask":
        if scheduler is None:
            raise ValueError("The Dask backend needs the address of a scheduler.")
        distributed = import_extra("distributed", "The Dask backend")
        with (
            distributed.Client(scheduler, set_as_default=True),
            joblib.parallel_config("dask", n_jobs=-1),
        ):
            yield
    else:
        raise ValueError(f"backend={backend!r} is not known: use 'loky' or 'dask'.")


def _share_data(specs: set[DataSpec]) -> None:
    """Leave the data of a comparison for its workers, which map it into memory."""
    if len(specs) == 1:
        # What cannot be opened is the outcome of each task.
        with suppress(OSError, ValueError):
            leave_in(_shared_folder(), *specs)


@functools.cache
def _shared_folder() -> Path:
    """Where this process leaves data for its workers, until it ends."""
    folder = tempfile.mkdtemp(prefix="labelsift-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _start_worker(driver: int, folder: str, shared: str) -> None:
    """Let this worker end when its driver does, however that one ends.

    A driver that is killed closes nothing, so that workers would wait for their next
    task, and hold its pipes, for minutes. Paths start from the driver's folder; for
    another folder there are other workers. Data are memory-mapped from what the
    driver leaves in ``shared``.
    """
    os.chdir(folder)
    look_in(shared)

    def watch() -> None:
        while os.getppid() == driver:
            time.sleep(WATCH_EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
