"""Fixtures of the tests of the command."""
import os

import pytest
from sklearn.datasets import load_iris
from workplace import Workplace, csv_text


@pytest.fixture
def place(tmp_path):
    return Workplace(tmp_path)


@pytest.fixture(scope="session")
def iris():
    return load_iris()


@pytest.fixture
def iris_csv(place, iris):
    names = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]
    return place.write("iris.csv", csv_text(iris.data, names, [iris.target_names[t] for t in iris.target]))


@pytest.fixture
def model(place, iris_csv):
    """A fitted model of iris, beside iris.csv."""
    place.succeed("fit", iris_csv, "--label-col", "species", "-o", "iris.dkpca", "--quiet")
    return "iris.dkpca"


@pytest.fixture
def pipe_without_reader():
    """The end of a pipe to write to. Its reader is closed before the command starts, not at some time while it runs."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)
