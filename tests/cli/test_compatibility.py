"""Model files of earlier versions are read by this one."""
import shutil
from pathlib import Path

import numpy as np
import pytest

MODELS = sorted((Path(__file__).parent / "data").glob("model_*.safetensors"))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_of_an_earlier_version_still_works(place, iris_csv, path):
    """Each file was made by `dualkpca fit iris.csv --label-col species --n-components 2 --gamma 0.5 --scale standard`."""
    shutil.copy(path, place.path / "old.safetensors")
    place.succeed("fit", iris_csv, "--label-col", "species", "--n-components", "2", "--gamma", "0.5", "--scale",
                  "standard", "-o", "new.safetensors", "--quiet")
    for name in ("old", "new"):
        place.succeed("transform", f"{name}.safetensors", iris_csv, "--label-col", "species", "-o", f"{name}.csv")
        assert "150 rows x 4 features" in place.succeed("info", f"{name}.safetensors").stdout
    np.testing.assert_allclose(place.read_scores("old.csv"), place.read_scores("new.csv"), atol=1e-4)


def test_there_is_one():
    assert MODELS
