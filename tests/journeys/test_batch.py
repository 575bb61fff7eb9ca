"""A recipe saved from an edit, and a batch of twenty from its photos to its zip."""

from pathlib import Path

import pytest

from tests import scenes

COUNT = 20


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("batch")
    paths = [folder / f"lake {number:02}.jpg" for number in range(1, COUNT + 1)]
    for number, path in enumerate(paths):
        scenes.lake(240, 160, seed=number).save(path, quality=90)
    return paths
