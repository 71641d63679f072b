# SPDX-License-Identifier: BSD-3-Clause
"""Small files that would fill the memory: refused in a sentence before they do."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

from labelsift.core.peak_memory import PeakMemory
from labelsift.datasets import (
    describe,
    from_frame,
    open_data,
    read_arff,
    read_excel,
    read_feather,
    read_libsvm,
    read_npz,
    read_parquet,
    write_npz,
)
from labelsift.datasets.memory import DEFAULT, read_size, size_text

# A bound for tests, and what a reader may take beyond what it says; a bomb's own
# content is built before the measurement.
ALLOWED, SLACK_MIB = "4M", 40


def refused(read, path, *arguments, memory=ALLOWED, **options):
    """The sentence of a refusal, and MiB that the process held until then."""
    peak = PeakMemory()
    with pytest.raises(ValueError, match="say --memory") as caught:
        read(path, *arguments, memory=memory, **options)
    assert str(path) in str(caught.value)
    if not np.isnan(peak.before):
        assert peak.mib() < SLACK_MIB
    return str(caught.value)


@pytest.mark.parametrize(
    ("size", "count"),
    [
        (None, DEFAULT), (7, 7), ("7", 7), ("2k", 2048), ("1.5 MB", 3 * 2**19),
        ("8G", 8 * 2**30), ("1TiB", 2**40),
    ],
)  # fmt: skip
def test_sizes(size, count):
    assert read_size(size) == count
    assert read_size(size_text(count)) >= count


@pytest.mark.parametrize("size", ["", "G", "-1", "0", "1X", "1e9", "nan", "9" * 99])
def test_what_is_no_size(size):
    with pytest.raises(ValueError, match=r"is no size: write 500M or 8G\."):
        read_size(size)


def test_the_bound_in_python_and_in_words(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + "1,0\n2,1\n" * 40_000)
    sentence = refused(open_data, tmp_path / "a.csv", labels="y", memory="1M")
    assert "its cells would take about 4.6M of memory, and 1M are allowed" in sentence
    assert open_data(tmp_path / "a.csv", labels="y", memory="4.6M").n_samples == 80_000


def test_the_bound_on_the_command_line(tmp_path, capsys):
    from labelsift.cli.app import run

    (tmp_path / "a.csv").write_text("x,y\n" + "1,0\n2,1\n" * 40_000)
    asked = ["data", "info", str(tmp_path / "a.csv"), "--labels", "y"]
    assert run([*asked, "--memory", "1M"]) == 2
    assert "say --memory 4.6M" in " ".join(capsys.readouterr().err.split())
    assert run([*asked, "--memory", "much"]) == 2
    assert "is no size" in capsys.readouterr().err
    assert run([*asked, "--memory", "4.6M"]) == 0


def npz(**arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


CSR = {"X_data": [1.0], "X_indices": [0], "X_indptr": [0, 1, 1], "X_shape": [2, 10**9]}


def test_npz_with_a_billion_columns(tmp_path):
    (tmp_path / "a.npz").write_bytes(npz(**CSR, Y=[[1], [0]]))
    sentence = refused(read_npz, tmp_path / "a.npz", memory=None)
    assert "its 1000000001 columns would take about 59.7G" in sentence


def test_names_are_made_when_asked_for(tmp_path):
    columns = 10**7
    parts = CSR | {"X_shape": [2, columns]}
    (tmp_path / "a.npz").write_bytes(npz(**parts, Y=[[1], [0]]))
    peak = PeakMemory()
    names = read_npz(tmp_path / "a.npz").feature_names
    assert np.isnan(peak.before) or peak.mib() < SLACK_MIB
    assert len(names) == columns
    assert (names[0], names[-1], names[5:7]) == ("x0", "x9999999", ("x5", "x6"))
    assert "x123" in names
    assert not any(n in names for n in ("x0123", "x10000000", "y1", "x", 3, "x²"))


def test_npz_of_zeros(tmp_path):
    (tmp_path / "a.npz").write_bytes(npz(X=np.zeros((1000, 4000)), Y=np.eye(1000)))
    sentence = refused(read_npz, tmp_path / "a.npz")
    assert "its arrays would take about" in sentence


def test_npz_of_labels_without_rows(tmp_path):
    Y = np.zeros((0, 2**40))
    (tmp_path / "a.npz").write_bytes(npz(X=np.zeros((0, 3)), Y=Y))
    with pytest.raises(ValueError, match=r"X has 0 rows and 3 columns"):
        read_npz(tmp_path / "a.npz")


def test_npz_with_names_of_nothing(tmp_path):
    meta = np.frombuffer(b'{"feature_names": [' + b'"",' * 10**5 + b'""]}', np.uint8)
    (tmp_path / "a.npz").write_bytes(npz(X=np.eye(2), Y=np.eye(2), meta=meta))
    assert "its arrays would take" in refused(read_npz, tmp_path / "a.npz")


def test_npz_with_a_table_of_small_numbers(tmp_path):
    data = from_frame(pd.DataFrame({"x": [1, 2], "c": ["a", "b"], "y": [0, 1]}), "y")
    write_npz(data, tmp_path / "a.npz")
    assert read_npz(tmp_path / "a.npz", memory=ALLOWED).checksum == data.checksum
    with np.load(tmp_path / "a.npz") as file:
        arrays = dict(file)
    arrays["column_0"] = np.zeros(10**6, np.int8)
    np.savez_compressed(tmp_path / "a.npz", **arrays)
    assert "its table would take about 30.6M" in refused(read_npz, tmp_path / "a.npz")


def test_parquet_of_a_hundred_million_equal_rows(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    part = pyarrow.table({"x": np.ones(10**6), "y": np.ones(10**6, np.int8)})
    with parquet.ParquetWriter(path, part.schema) as writer:
        for _ in range(10):
            writer.write_table(part)
    assert path.stat().st_size < 10**5
    assert "about 763M" in refused(read_parquet, path, "y")


def test_parquet_of_one_long_text(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    pyarrow = pytest.importorskip("pyarrow")
    texts = pyarrow.DictionaryArray.from_arrays(np.zeros(5000, np.int32), ["a" * 10**5])
    path = tmp_path / "a.parquet"
    table = pyarrow.table({"x": texts, "y": np.ones(5000)})
    parquet.write_table(table, path, store_schema=False)
    assert path.stat().st_size < 10**5
    assert "its texts would take about 1.4G" in refused(read_parquet, path, "y")
    parquet.write_table(pyarrow.table({"x": ["a", None] * 9, "y": [0, 1] * 9}), path)
    assert read_parquet(path, "y", memory=ALLOWED).n_samples == 18


def test_feather_of_equal_rows(tmp_path):
    feather = pytest.importorskip("pyarrow.feather")
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "a.feather"
    ones = pyarrow.table({"x": np.ones(10**6), "y": np.ones(10**6, np.int8)})
    for packed in ("zstd", "lz4", "uncompressed"):
        feather.write_feather(ones, path, compression=packed)
        assert "its cells would take" in refused(read_feather, path, "y")
        few = ones.slice(0, 1000)
        feather.write_feather(few, path, compression=packed)
        assert read_feather(path, "y", memory=ALLOWED).n_samples == 1000


def test_feather_with_a_long_dictionary(tmp_path):
    feather = pytest.importorskip("pyarrow.feather")
    pyarrow = pytest.importorskip("pyarrow")
    texts = pyarrow.DictionaryArray.from_arrays(np.zeros(2, np.int32), ["a" * 10**7])
    path = tmp_path / "a.feather"
    table = pyarrow.table({"x": texts, "y": [0, 1]})
    feather.write_feather(table, path, compression="zstd")
    assert path.stat().st_size < 10**5
    assert "its cells would take about 28.7M" in refused(read_feather, path, "y")


def test_excel_with_a_cell_in_the_last_corner(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "x", 1
    book.save(tmp_path / "a.xlsx")
    assert "its cells would take" in refused(read_excel, tmp_path / "a.xlsx", "x")


MEKA = "@relation 'r: -C 1'\n@attribute y {0,1}\n"
# Text just below the limit of gzip, which is 64 MiB for a small file.
N_BYTES = 3 * 2**19
TEXTS = {
    "csv": "x,y\n" + "1,0\n" * (N_BYTES // 4),
    "csv, wide": "x," * 3000 + "y\n" + ("1," * 3000 + "0\n") * (N_BYTES // 6000),
    "csv, one row": "x,y\n" + "1," * N_BYTES + "\n",
    "csv, one header": "x," * N_BYTES + "y\n1,2\n",
    "csv, one record": "x,y\n" + '"\n",' * (N_BYTES // 4),
    "libsvm": "1 1:1\n" * (N_BYTES // 6),
    "libsvm, labels": ("1,2,3,4,5,6,7,8 1:1\n") * (N_BYTES // 20),
    "libsvm, one line": "1 " + "1:1 " * (N_BYTES // 4),
    "arff": MEKA + "@attribute x real\n@data\n" + "1,0\n" * (N_BYTES // 4),
    "arff, sparse": MEKA + "@attribute x real\n@data\n" + "{1 1}\n" * (N_BYTES // 6),
    "arff, attributes": MEKA
    + "".join(f"@attribute a{i} real\n" for i in range(N_BYTES // 20)),
    "arff, categories": f"{MEKA}@attribute x {{{','.join(map(str, range(10**5)))}}}\n",
    "arff, one row": f"{MEKA}@attribute x real\n@data\n{'1,' * N_BYTES}",
}


@pytest.mark.parametrize("name", TEXTS)
def test_packed_text_that_would_fill_the_memory(tmp_path, name):
    suffix = {"csv": "csv", "libsvm": "svm", "arff": "arff"}[name.partition(",")[0]]
    path = tmp_path / f"a.{suffix}.gz"
    path.write_bytes(gzip.compress(TEXTS[name].encode()))
    options = {"labels": "y", "sep": ","} if suffix == "csv" else {}
    sentence = refused(open_data, path, **options)
    assert "would take about" in sentence


@pytest.mark.parametrize("read", [read_libsvm, read_arff])
def test_a_claim_of_gzip_that_lies_is_seen_later(tmp_path, read):
    text = TEXTS["libsvm" if read is read_libsvm else "arff"]
    packed = bytearray(gzip.compress(text.encode()))
    packed[-4:] = (5).to_bytes(4, "little")
    (tmp_path / "a.gz").write_bytes(packed)
    refused(read, tmp_path / "a.gz")


def test_twelve_thousand_labels_in_a_line(tmp_path, capsys):
    from labelsift.cli.app import run

    path = tmp_path / "a.svm"
    path.write_text(",".join(map(str, range(12_000))) + " 1:1\n1 1:2\n")
    peak = PeakMemory()
    summary = describe(read_libsvm(path))
    assert np.isnan(peak.before) or peak.mib() < 100
    assert summary.co_occurrence is None
    assert summary.label_counts.sum() == 12_001
    path.write_text(",".join(map(str, range(4_001))) + " 1:1\n1 1:2\n")
    assert run(["data", "info", str(path)]) == 0
    assert "Pairs of 4001 labels are not counted" in capsys.readouterr().out


def test_a_limit_for_the_label_matrix(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text(",".join(map(str, range(9_000))) + " 1:1\n" + "1 1:2\n" * 3_000)
    sentence = refused(read_libsvm, path, memory="20M")
    assert "its label matrix would take about 78" in sentence
