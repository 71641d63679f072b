# SPDX-License-Identifier: BSD-3-Clause
"""Kill drivers of two workers at random moments; count orphans and lost rows.

    python tools/kill_drivers.py --kills 50

Every second kill is SIGKILL, the others are SIGTERM, and only the driver is hit. A
driver goes on with the ledger of the one before. An orphan is a worker that lives
longer than the limit after its driver; a row is lost if a driver said that it was
stored and it is not there, or if its values differ from an undisturbed run. Needs /proc
(Linux).
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

DRIVER = """
import sys, time
from experiment.tasks import quick_tasks
from labelsift.experiment.ledger import Ledger
from labelsift.experiment.pool import run_tasks

def told(done, total, outcome):
    print(outcome.key, flush=True)

if __name__ == "__main__":
    with Ledger(sys.argv[1]) as ledger:
        run_tasks(quick_tasks(splits=int(sys.argv[2])), ledger, jobs=2, on_done=told)
"""


def main() -> int:
    """Kill, count, print."""
    options = _options()
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        campaign = Campaign(Path(name), options)
        while campaign.kills < options.kills:
            campaign.round(rng)
    print(campaign)
    return int(campaign.failed)


class Campaign:
    """Drivers on one ledger after the other, and what became of them."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder, self.options = folder, options
        self.kills = self.orphans = self.lost = self.unreadable = 0
        self.completed = self.equal = self.rows = 0
        self.slowest = 0.0
        self._told: set[str] = set()
        (folder / "driver.py").write_text(DRIVER)

    @property
    def ledger(self) -> Path:
        """The one that drivers write to now."""
        return self.folder / f"{self.completed}.sqlite"

    def round(self, rng: random.Random) -> None:
        """One driver from its start to its end."""
        driver = _Driver(self.folder, self.ledger, self.options.splits)
        driver.wait_for_workers()
        if rng.random() > self.options.early:
            driver.wait_for_a_row()
        time.sleep(rng.uniform(0, self.options.seconds))
        workers = _descendants(driver.process.pid)
        if driver.process.poll() is None:
            end = signal.SIGKILL if self.kills % 2 else signal.SIGTERM
            driver.process.send_signal(end)
            driver.process.wait()
            self.kills += 1
            seconds, orphans = _wait_until_gone(workers, self.options.limit)
            self.slowest = max(self.slowest, seconds)
            self.orphans += orphans
        new = driver.keys()
        self.rows += len(new)
        self._told |= new
        self._look()

    def _look(self) -> None:
        """Compare the ledger with what drivers said of it."""
        there = _keys(self.ledger)
        if there is None:
            self.unreadable += 1
            return
        self.lost += len(self._told - there)
        if len(there) == 3 * self.options.splits:
            self.equal += _is_whole(self.ledger, self.options.splits)
            self.completed += 1
            self._told = set()

    @property
    def failed(self) -> bool:
        """Whether anything is not as promised."""
        wrong = self.orphans or self.lost or self.unreadable
        return bool(wrong or self.equal < self.completed)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({(self.kills + 1) // 2} SIGTERM, {self.kills // 2} "
            f"SIGKILL): {self.orphans} orphans, {self.lost} lost rows, "
            f"{self.unreadable} ledgers that cannot be read\n"
            f"the last worker ended {self.slowest:.1f} s after its driver\n"
            f"{self.rows} rows were stored meanwhile; {self.completed} ledgers of "
            f"{3 * self.options.splits} tasks were completed, {self.equal} of them "
            "equal to an undisturbed run"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--early", type=float, default=0.3, help="share before a row")
    parser.add_argument("--seconds", type=float, default=2.0, help="latest moment")
    parser.add_argument("--limit", type=float, default=20.0, help="orphans live longer")
    parser.add_argument("--splits", type=int, default=20, help="three tasks for each")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


class _Driver:
    """A driver, and what it says."""

    def __init__(self, folder: Path, ledger: Path, splits: int) -> None:
        paths = [str(ROOT / "tests"), str(ROOT / "src")]
        self.process = subprocess.Popen(
            [sys.executable, str(folder / "driver.py"), str(ledger), str(splits)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what joblib says of leaked semaphores
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.append(line)

    def wait_for_workers(self) -> None:
        """Wait until it has two children, or has ended."""
        while self.process.poll() is None and len(_descendants(self.process.pid)) < 2:
            time.sleep(0.02)

    def wait_for_a_row(self) -> None:
        """Wait until it has stored something, or has ended."""
        while self.process.poll() is None and not self._lines:
            time.sleep(0.02)

    def keys(self) -> set[str]:
        """Tasks that it called stored; the pipe must end, or somebody holds it."""
        self._reader.join(60)
        assert not self._reader.is_alive(), "somebody holds the pipe"
        return {line.strip() for line in self._lines if line.endswith("\n")}


def _descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents.setdefault(parent, []).append(int(path.parent.name))
    found, new = [], [pid]
    while new:
        new = [child for parent in new for child in parents.get(parent, [])]
        found += new
    return found


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def _wait_until_gone(workers: list[int], limit: float) -> tuple[float, int]:
    """How long the last worker lived, and how many live still."""
    start = time.monotonic()
    while any(map(_alive, workers)) and time.monotonic() - start < limit:
        time.sleep(0.05)
    left = [pid for pid in workers if _alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return time.monotonic() - start, len(left)


def _keys(path: Path) -> set[str] | None:
    """Tasks in a ledger; None where it cannot be read."""
    from labelsift.experiment.ledger import Ledger

    if not path.exists():
        return set()
    try:
        with Ledger(path, readonly=True) as ledger:
            return set(ledger.statuses())
    except (ValueError, OSError) as error:
        print(f"{path.name}: {error}")
        return None


def _is_whole(path: Path, splits: int) -> bool:
    """Whether a ledger holds the values of an undisturbed run, bit by bit."""
    from experiment.tasks import quick_tasks, untimed
    from labelsift.experiment.ledger import Ledger
    from labelsift.experiment.pool import run_tasks
    from labelsift.experiment.task import Planned

    tasks = quick_tasks(splits=splits)
    planned = [Planned(task, "traits", task.method.name) for task in tasks]
    whole = path.with_name("whole.sqlite")
    with Ledger(whole) as ledger:
        run_tasks(tasks, ledger)
        expected = untimed(ledger.results(planned).values)
    with Ledger(path, readonly=True) as ledger:
        return expected.equals(untimed(ledger.results(planned).values))


if __name__ == "__main__":
    sys.exit(main())
