# SPDX-License-Identifier: BSD-3-Clause
"""The inputs that fuzzing starts from: one right file of every kind, and old faults.

Run as a program it writes them into corpus/, one folder per target.
"""

import io
import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).with_name("corpus")

ARFF = b"""@relation 'a: -C 1'
@attribute y {0,1}
@attribute 'x 1' numeric
@attribute c {a,'b c'}
@data
1,0.5,a
0,?,'b c'
{1 2, 2 'b c'}
"""
SVM = b"1,2 1:0.5 3:1 # comment\n2 2:1e3\n1:4\n"
CSV = b'"a b",b,y1,y2\n1,2.5,0,1\n-3,4,1,0\n'
XML = b"<labels xmlns='http://m'><label name='a'><label name='b'/></label></labels>"
SUITE = b"""title = "T"
paper = "naula"
measures = ["macro_auc"]
budgets = ["5%", "1:3"]
readouts = ["ridge"]
[protocol]
kind = "folds"
splits = 4
[quick]
splits = 2
[data.traits]
grids = { rfs = { gamma = [1.0] } }
[methods.rfs]
params = { gamma = 1.0 }
[[claims]]
says = "s"
better = "rfs"
worse = "random"
measure = "macro_auc"
"""
REGISTRY = b"""[birds]
openml = 40588
[tags]
labels = ["tag_*"]
n = 10
[[tags.files]]
url = "https://example.org/tags.csv"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
"""
SPLITS = b"split,part,row\n0,train,0\n0,train,1\n0,test,2\n"
COSTS = b"feature,cost\npixel_0_0,1.5\npixel_0_1,2\n"
SELECTOR = {
    "format": "labelsift-selection",
    "version": 1,
    "labelsift": "0.1.0",
    "method": "fisher",
    "parameters": {"n_features_to_select": 2},
    "data": "d",
    "checksum": "0",
    "n_features_in": 4,
    "feature_names": ["a", "b", "c", "d"],
    "order": [2, 0],
    "scores": [2.0, 1],
    "label_names": None,
    "coef": [[1.0, 2.0]],
    "intercept": [0.5],
}
EXPORT = {
    "date": "2026-01-01",
    "versions": {"python": "3.11"},
    "machine": {"system": "Linux", "processor": "x86_64", "cores": 2},
    "suites": {"ji-table3": {"effort": "quick", "values": "a.csv", "absent": {}}},
}


def _npz(**arrays: object) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _json(**changes: object) -> bytes:
    return json.dumps(SELECTOR | changes).encode()


def _parquet() -> dict[str, bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def packed(**columns: object) -> bytes:
        file = io.BytesIO()
        pq.write_table(pa.table(columns), file, compression="none")
        return file.getvalue()

    broken = pa.Array.from_buffers(
        pa.string(),
        2,
        [None, pa.py_buffer(np.array([0, 1, 2], "i4")), pa.py_buffer(b"\xff\xfe")],
    )
    return {
        "right": packed(x=[1.0, 2.0], y=[0, 1]),
        "text-not-utf8": packed(x=broken, y=[0, 1]),
        "dates": packed(x=pa.array([1, 2], pa.timestamp("s")), y=[0, 1]),
    }


def _feather() -> dict[str, bytes]:
    import pyarrow as pa
    from pyarrow import feather

    def packed(compression: str = "uncompressed", **columns: object) -> bytes:
        file = io.BytesIO()
        feather.write_feather(pa.table(columns), file, compression=compression)
        return file.getvalue()

    right = packed(x=[1.0, None], c=["a", "bb"], y=[False, True])
    offsets = np.array([0, 1, 3], "<i4").tobytes()
    beyond = np.array([0, 2**30, 2**31 - 1], "<i4").tobytes()
    texts = pa.array(["a", "b", None]).dictionary_encode()
    return {
        "right": right,
        "crash-offsets": right.replace(offsets, beyond),
        "packed": packed("zstd", x=[1.0, 2.0], y=[0, 1]),
        "dictionary": packed("lz4", x=texts, y=[0, 1, 1]),
        "many-equal-rows": packed("zstd", x=np.ones(10**6), y=np.ones(10**6, "i1")),
    }


def _excel() -> dict[str, bytes]:
    import openpyxl

    def saved(**cells: object) -> bytes:
        file, book = io.BytesIO(), openpyxl.Workbook()
        for row in (("x", "c", "y"), (1.5, "a", 0), (None, "b", 1)):
            book.active.append(row)
        for place, value in cells.items():
            book.active[place] = value
        book.save(file)
        return file.getvalue()

    right = saved()
    return {
        "right": right,
        "half": right[: len(right) // 2],
        "last-corner": saved(XFD1048576=1),
    }


def cases() -> dict[str, dict[str, bytes]]:
    """Content by target and name."""
    sparse = {
        "X_data": [1.0],
        "X_indices": [0],
        "X_indptr": [0, 1, 1],
        "X_shape": [2, 1],
    }
    Y = [[1], [0]]
    return {
        "arff": {"right": ARFF, "empty": b"", "no-data": ARFF[:80]},
        "libsvm": {
            "right": SVM,
            "label-1e400": b"9" * 400 + b" 1:1\n",
            "wide": b"1 999999999999:1\n",
        },
        "npz": {
            "dense": _npz(X=np.eye(2), Y=Y),
            "sparse": _npz(**sparse, Y=Y),
            "crash-no-entries": _npz(**sparse | {"X_indptr": [0, 10**8, 0]}, Y=Y),
            "crash-overflow": _npz(
                X_data=np.ones(4), X_indices=np.zeros(4, int), Y=[[1], [0], [1]],
                X_indptr=[0, 2**63 - 1, -2, 4], X_shape=[3, 1],
            ),
            "billion-columns": _npz(**sparse | {"X_shape": [2, 10**9]}, Y=Y),
            "dates": _npz(X=np.eye(2), Y=np.zeros((2, 1), "M8[s]")),
            "text": _npz(X=np.eye(2), Y=[["a"], ["b"]]),
            "records": _npz(X=np.eye(2), Y=np.zeros((2, 1), "V4")),
            "labels-without-rows": _npz(X=np.zeros((0, 3)), Y=np.zeros((0, 2**40))),
        },
        "csv": {
            "right": CSV,
            "empty": b"",
            "names-with-breaks": b'"a\nb",y\n1,1\n2,0\n',
        },
        "parquet": _parquet(),
        "feather": _feather(),
        "xlsx": _excel(),
        "xml": {"right": XML, "entity": b"<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"},
        "meta": {
            "right": _npz(meta=np.frombuffer(b'{"n": 3, "name": "a"}', "u1")),
            "deep": _npz(meta=np.frombuffer(b"[" * 9999, "u1")),
        },
        "selector": {
            "right": _json(),
            "score-1e400": _json(scores=[10**400, 1]),
            "order-1e25": _json(
                n_features_in=10**26, feature_names=None, order=[10**25]
            ),
            "nothing": b"{}",
        },
        "suite": {
            "right": SUITE,
            "path": b'suite = "../../X"\n' + SUITE,
            "extends-itself": b'extends = "a.toml"\n' + SUITE,
            "many-splits": SUITE.replace(b"splits = 4", b"splits = 1" + b"0" * 18),
            "many-budgets": SUITE.replace(b"1:3", b"1:9999999999"),
            "text-for-list": SUITE.replace(b'["macro_auc"]', b'"macro_auc"'),
        },
        "registry": {"right": REGISTRY, "path": REGISTRY.replace(b"birds", b'"../b"')},
        "splits": {
            "right": SPLITS,
            "row-1e30": SPLITS + b"0,test," + b"9" * 30 + b"\n",
        },
        "costs": {
            "right": COSTS,
            "empty": b"",
            "long-head": b"feature," + b"cost" * 1000 + b"\npixel_0_0,1\n",
            "long-cost": COSTS.replace(b"1.5", b"9" * 4000),
        },
        "export": {
            "right": json.dumps(EXPORT).encode(),
            "nothing": b"{}",
            "path": json.dumps(EXPORT).replace("a.csv", "../../x").encode(),
        },
    }  # fmt: skip


def stored() -> dict[str, list[bytes]]:
    """The committed inputs of every target."""
    return {
        folder.name: [path.read_bytes() for path in sorted(folder.iterdir())]
        for folder in sorted(FOLDER.iterdir())
    }


if __name__ == "__main__":
    for target, contents in cases().items():
        for name, content in contents.items():
            path = FOLDER / target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
