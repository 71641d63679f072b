# SPDX-License-Identifier: BSD-3-Clause
"""A folder of Parquet files larger than the memory that select and fit may use.

    python perf/out_of_core.py [GIGABYTES]

Writes a folder of float32 columns with 20 labels (default: 2 GB; row groups of 50 MB)
into a temporary directory, which is removed afterwards, and runs on it, each in a
process of its own: ``labelsift select`` with --memory 400M, ``GreedyRLS.fit`` on a
``pyarrow.dataset``, ``FisherScore.fit`` on it, and a process that only imports.
Prints peak resident memory (``ru_maxrss``) and seconds of the processor.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# Memory of a process counts for those that it starts: numpy and pyarrow are loaded by
# the process that writes the files.
FEATURES, LABELS, GROUP = 500, 20, 25_000
MEASURE = """
import resource, sys
{code}
used = resource.getrusage(resource.RUSAGE_SELF)
print("|", used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
"""
RUNS = {
    "imports alone": """
import pandas, pyarrow.dataset, labelsift.cli.select
import labelsift.experiment.all_files
""",
    "labelsift select 'parts/*.parquet' --memory 400M": """
from labelsift.cli.app import run
try:
    run(["select", FOLDER + "/*.parquet", "--labels", "tag_*", "-k", "50",
         "--memory", "400M", "--save", FOLDER + "/selection.json"])
except SystemExit as end:
    assert not end.code
""",
    "GreedyRLS(50, criterion='gcv').fit(dataset, 'tag_*')": """
import pyarrow.dataset
from labelsift.selection import GreedyRLS
data = pyarrow.dataset.dataset(FOLDER, exclude_invalid_files=True)
GreedyRLS(50, criterion="gcv").fit(data, "tag_*")
""",
    "FisherScore(50).fit(dataset, 'tag_*')": """
import pyarrow.dataset
from labelsift.selection import FisherScore
data = pyarrow.dataset.dataset(FOLDER, exclude_invalid_files=True)
FisherScore(50).fit(data, "tag_*")
""",
}


def write(folder, gigabytes):
    """Files of four row groups; the labels depend on 30 columns."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    weights = np.zeros((FEATURES, LABELS), np.float32)
    weights[:30] = rng.normal(size=(30, LABELS))
    groups = max(4, round(gigabytes * 1e9 / (4 * FEATURES * GROUP)))
    names = [f"x{i}" for i in range(FEATURES)] + [f"tag_{i}" for i in range(LABELS)]
    written = 0
    for number in range(-(-groups // 4)):
        writer = None
        for _ in range(min(4, groups - 4 * number)):
            X = rng.normal(size=(GROUP, FEATURES)).astype(np.float32)
            noise = rng.normal(size=(GROUP, LABELS))
            Y = (X @ weights + 4 * noise > 4).astype(np.int8)
            table = pa.table([*X.T.copy(), *Y.T.copy()], names=names)
            path = folder / f"part-{number:03}.parquet"
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
            written += GROUP
        writer.close()
    print(f"{written} rows x {FEATURES} float32, {LABELS} labels", end="", flush=True)


def measured(code, folder):
    """Peak MiB and processor seconds of a fresh process."""
    text = MEASURE.format(code=code).replace("FOLDER", repr(str(folder)))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    peak, seconds = done.stderr.rpartition("|")[2].split()
    return int(peak) / 1024, float(seconds)


def main():
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    with tempfile.TemporaryDirectory(prefix="labelsift-") as name:
        folder = Path(name)
        subprocess.run([sys.executable, __file__, str(gigabytes), name], check=True)
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f": {size / 1e9:.2f} GB")
        print(f"{'':55} {'peak MiB':>8} {'CPU s':>7}")
        for title, code in RUNS.items():
            peak, seconds = measured(code, folder)
            print(f"{title:55} {peak:8.0f} {seconds:7.1f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(Path(sys.argv[2]), float(sys.argv[1]))
    else:
        main()
