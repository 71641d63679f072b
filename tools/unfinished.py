# SPDX-License-Identifier: BSD-3-Clause
"""Let a long run go on on another machine: its ledger in ``docs/results/unfinished``.

    python tools/unfinished.py save full.sqlite
    python tools/unfinished.py restore full.sqlite

``save`` packs a ledger, with what its large grids have tried, into an archive of the
same name, also while a run writes to it; ``restore`` puts both where ``labelsift bench
run --store full.sqlite`` finds them. Tasks are named after code, data and settings:
what is no longer the same is run again.
"""

import argparse
import gzip
import re
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from labelsift.datasets.atomic import replacing
from labelsift.experiment.ledger import Ledger

UNFINISHED = Path(__file__).parents[1] / "docs" / "results" / "unfinished"


def save(store, folder=UNFINISHED):
    """Pack a ledger; the same content gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    with Ledger(store, readonly=True) as ledger, TemporaryDirectory() as temporary:
        copy, tried = Path(temporary, store.name), ledger.tried
        with closing(sqlite3.connect(store)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
        _forget_folders(copy)
        with (
            replacing(folder / f"{store.stem}.tar.gz") as path,
            path.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(copy, store.name, filter=_plain)
            for points in sorted(tried.iterdir()) if tried.is_dir() else ():
                archive.add(points, f"{tried.name}/{points.name}", filter=_plain)
    return folder / f"{store.stem}.tar.gz"


def _forget_folders(store):
    """Files that tasks name keep their names; their folders belong to one machine."""
    with closing(sqlite3.connect(store)) as connection:
        rows = connection.execute("SELECT key, content FROM tasks").fetchall()
        short = [(re.sub(r'"(/[^"]*/)([^"/]+)"', r'"\2"', it), key) for key, it in rows]
        connection.executemany("UPDATE tasks SET content = ? WHERE key = ?", short)
        connection.commit()
        connection.execute("VACUUM")


def _plain(member):
    """A member of an archive without its owner and time."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def restore(store, folder=UNFINISHED):
    """Unpack a ledger that ``save`` packed; an existing file is never replaced."""
    if store.exists():
        raise SystemExit(f"{store} exists: choose another folder, or move it away.")
    path = folder / f"{store.stem}.tar.gz"
    if not path.is_file():
        raise SystemExit(f"There is no {path}: save a ledger of that name first.")
    with tarfile.open(path) as archive:
        archive.extractall(store.parent, filter="data")


def main():
    parser = argparse.ArgumentParser(description="Carry a run to another machine.")
    parser.add_argument("what", choices=["save", "restore"])
    parser.add_argument("store", type=Path)
    given = parser.parse_args()
    if given.what == "save":
        print(save(given.store))
    else:
        restore(given.store)


if __name__ == "__main__":
    main()
