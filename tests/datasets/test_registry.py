# SPDX-License-Identifier: BSD-3-Clause
import hashlib
from dataclasses import replace

import numpy as np
import pytest

from hostile_server import hostile_server
from labelsift.datasets import (
    list_datasets,
    load_dataset,
    make_planted,
    registry,
    write_npz,
)

ARFF = """@relation toy
@attribute id string
@attribute x real
@attribute a {0,1}
@data
u,1,0
v,2,1
"""
XML = "<labels><label name='a'/></labels>"


def prepared(home, name, seed=0):
    """Put a small set into a folder."""
    data = make_planted(9, 4, 2, n_relevant=2, random_state=seed)
    write_npz(replace(data, name=name), home / name / "data.npz", source="me")
    return data


@pytest.fixture
def homes(tmp_path, monkeypatch):
    """Three folders in the order in which they are searched."""
    folders = [tmp_path / name for name in ("argument", "shared", "cache")]
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("LABELSIFT_DATA", str(folders[1]))
    return folders


@pytest.fixture
def server():
    with hostile_server() as server:
        server.files = {"toy.arff": ARFF.encode(), "toy.xml": XML.encode()}
        yield server


def listing(server, **changes):
    """A registry.toml with one set of two files."""
    lines = ["[toy]", "drop = ['id']", *(f"{k} = {v!r}" for k, v in changes.items())]
    for name, content in server.files.items():
        digest = hashlib.sha256(content).hexdigest()
        lines += [
            "[[toy.files]]",
            f"url = '{server.address}/file/{name}'",
            f"sha256 = '{digest}'",
        ]
    return "\n".join(lines)


def test_folders_are_searched_in_order(homes):
    argument, shared, cache = homes
    last = prepared(cache, "toy", seed=3)
    assert load_dataset("toy", argument).checksum == last.checksum
    middle = prepared(shared, "toy", seed=2)
    assert load_dataset("toy", argument).checksum == middle.checksum
    first = prepared(argument, "toy", seed=1)
    assert load_dataset("toy", argument).checksum == first.checksum
    assert load_dataset("toy").checksum == middle.checksum


def test_the_list(homes):
    prepared(homes[0], "b-set")
    prepared(homes[2], "a-set")
    infos = list_datasets(homes[0])
    names = [info.name for info in infos]
    embedded = ["traits", "digit-halves", "diabetes"]
    assert names[:5] == [*embedded, "a-set", "b-set"]
    assert {"emotions", "enron", "scene", "yeast", "rcv1"} == set(names[5:])
    b_set = infos[4]
    assert (b_set.n_samples, b_set.n_features, b_set.n_labels) == (9, 4, 2)
    assert (b_set.source, b_set.licence, b_set.local) == ("me", "see source", True)
    assert not infos[5].local
    assert [info.cardinality for info in infos[1:3]] == [None, None]


def test_a_set_of_openml_that_the_user_lists(homes):
    (homes[0] / "registry.toml").write_text("[birds]\nopenml = 40588\n")
    info = next(info for info in list_datasets(homes[0]) if info.name == "birds")
    assert (info.n_samples, info.cardinality, info.local) == (None, None, False)
    assert info.source.endswith("40588")


def test_sizes_are_read_from_the_data_where_nothing_tells_them(homes):
    data = prepared(homes[0], "toy")
    path = homes[0] / "toy" / "data.npz"
    path.unlink()
    np.savez(path, X=data.X, Y=data.Y)
    path.with_name("meta.json").write_text('{"n": "many", "d": null}')
    info = list_datasets(homes[0])[3]
    assert (info.name, info.n_samples, info.n_labels) == ("toy", 9, 2)
    assert info.cardinality == pytest.approx(data.cardinality)


def test_an_unknown_name(homes):
    with pytest.raises(ValueError, match=r"no data set 'yeats' .*did you mean 'yeast'"):
        load_dataset("yeats")
    where = r"put it at .*shared.zzz.data\.npz"
    with pytest.raises(
        ValueError, match=rf"known: diabetes, digit-halves, .*traits, .*{where}"
    ):
        load_dataset("zzz")


@pytest.mark.parametrize("name", ["../toy", "/etc/toy", "a/../toy", ".", ""])
def test_names_are_not_paths(homes, name):
    prepared(homes[0].parent, "toy")
    with pytest.raises(ValueError, match="There is no data set"):
        load_dataset(name, homes[0])


def test_a_listed_set_is_downloaded_once(homes, server):
    home = homes[0]
    (home / "registry.toml").write_text(listing(server, n=2, d=1, t=1))
    data = load_dataset("toy", home)
    assert data.label_names == ("a",)
    assert data.X.ravel().tolist() == [1, 2]
    assert len(server.asked) == 2
    load_dataset("toy", home, offline=True)
    assert len(server.asked) == 2
    assert sorted(file.name for file in (home / "toy").iterdir()) == [
        "toy.arff",
        "toy.xml",
    ]
    info = next(info for info in list_datasets(home) if info.name == "toy")
    assert info.local
    assert info.source.startswith(server.address)


def test_downloads_go_to_the_cache_and_not_to_the_shared_folder(homes, server):
    _, shared, cache = homes
    (shared / "registry.toml").write_text(listing(server))
    load_dataset("toy")
    assert [file.name for file in shared.iterdir()] == ["registry.toml"]
    assert (cache / "toy" / "toy.arff").exists()


@pytest.mark.parametrize("by", ["argument", "variable"])
def test_offline(homes, server, monkeypatch, by):
    (homes[0] / "registry.toml").write_text(listing(server))
    offline = None
    if by == "argument":
        offline = True
    else:
        monkeypatch.setenv("LABELSIFT_OFFLINE", "1")
    with pytest.raises(ValueError, match=r"downloads are off: put it at .*toy\.arff"):
        load_dataset("toy", homes[0], offline=offline)
    assert not server.asked
    assert not (homes[0] / "toy").exists()


def test_a_file_with_a_wrong_checksum_is_not_kept(homes, server):
    home = homes[0]
    (home / "registry.toml").write_text(listing(server))
    server.files["toy.arff"] += b"w,3,1\n"
    with pytest.raises(ValueError, match=r"has the sha256 .* was not stored"):
        load_dataset("toy", home)
    assert not list((home / "toy").iterdir())


def test_a_file_that_was_changed_here(homes, server):
    home = homes[0]
    (home / "registry.toml").write_text(listing(server))
    load_dataset("toy", home)
    (home / "toy" / "toy.xml").write_text("changed")
    with pytest.raises(ValueError, match=r"toy\.xml does not have the sha256 .*remove"):
        load_dataset("toy", home)


def test_a_half_finished_download_leaves_nothing(homes, server):
    home = homes[0]
    text = listing(server).replace("/file/", "/truncate/")
    (home / "registry.toml").write_text(text)
    with pytest.raises(ValueError, match="only 5000 of 10000 bytes"):
        load_dataset("toy", home)
    assert not list((home / "toy").iterdir())


def test_another_version_of_a_set_is_not_used(homes, server):
    (homes[0] / "registry.toml").write_text(listing(server, n=3))
    with pytest.raises(
        ValueError, match=r"n, d, t = \(2, 1, 1\) where \(3, None, None"
    ):
        load_dataset("toy", homes[0])


@pytest.mark.parametrize("name", ["scene", "rcv1"])
def test_sets_of_scikit_learn_are_fetched_once(homes, monkeypatch, name):
    data = make_planted(9, 4, 2, n_relevant=2, random_state=0)
    calls = []

    def fetch(*arguments):
        calls.append(arguments)
        return replace(data, name=name)

    monkeypatch.setattr(registry, "load_openml", fetch)
    monkeypatch.setattr(registry, "load_rcv1", fetch)
    monkeypatch.setattr(registry, "_check_size", lambda *_: None)
    for _ in range(2):
        assert load_dataset(name).checksum == data.checksum
    assert len(calls) == 1
    assert (homes[2] / name / "data.npz").exists()
    monkeypatch.setenv("LABELSIFT_OFFLINE", "1")
    assert load_dataset(name).checksum == data.checksum


def test_a_wrong_set_of_scikit_learn_is_not_kept(homes, monkeypatch):
    data = make_planted(9, 4, 2, n_relevant=2, random_state=0)
    monkeypatch.setattr(registry, "load_openml", lambda *_: data)
    with pytest.raises(ValueError, match=r"scene from .*openml.* \(9, 4, 2\) where"):
        load_dataset("scene")
    assert not list(homes[2].iterdir())


def test_sets_of_scikit_learn_offline(homes):
    with pytest.raises(
        ValueError, match=r"scene is not available.*scene.data\.npz, or all"
    ):
        load_dataset("scene", offline=True)
