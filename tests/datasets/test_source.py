# SPDX-License-Identifier: BSD-3-Clause
import pytest

from labelsift.datasets import load_dataset, make_planted, open_data, write_npz


def test_names():
    assert open_data("traits").checksum == load_dataset("traits").checksum
    assert open_data("traits", drop=["pixel_0_*", "pixel_7_7"]).n_features == 55


def test_a_name_in_a_folder(tmp_path):
    data = make_planted(9, 4, 2, n_relevant=2, random_state=0)
    write_npz(data, tmp_path / "a.b" / "data.npz")
    assert open_data("a.b", data_home=tmp_path).checksum == data.checksum


def test_files(write):
    path = write("toy.csv", "id,x,y\nu,1,0\nv,2,1\n")
    for source in (path, str(path)):
        data = open_data(source, labels=["y"], drop=("id",))
        assert data.feature_names == ("x",)


def test_real_files(real, data_home):
    scene = open_data(data_home / "scene" / "original" / "scene-test.arff", labels=())
    expected = real("scene")
    assert scene.Y.tolist() == expected.Y[expected.test_idx].tolist()
    yeast = open_data(data_home / "libsvm-files" / "yeast_train.svm")
    assert yeast.X.shape == (1500, 103)


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    [
        (
            "traits",
            {"labels": "even"},
            "traits has its own 6 labels: leave labels= out",
        ),
        ("traits", {"drop": "pixel_9_9"}, "traits has no column 'pixel_9_9'"),
        ("nowhere", {}, "There is no data set 'nowhere'"),
        ("nowhere.arff", {}, r"nowhere\.arff does not exist"),
    ],
)
def test_bad_input(source, options, sentence):
    with pytest.raises((ValueError, OSError), match=sentence):
        open_data(source, **options)


def test_a_file_without_a_known_suffix(write):
    with pytest.raises(ValueError, match=r"toy\.dat has no suffix .*rename it"):
        open_data(write("toy.dat", "1 1:1"))
