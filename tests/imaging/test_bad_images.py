"""Tests that bad files need few resources and never kill a child process.

To try more files, run `python -m tests.imaging.bad_images 1000`.
"""

from collections.abc import Iterator

import pytest

from editor.imaging.sandbox import Sandbox
from tests.imaging import bad_images


@pytest.fixture
def child() -> Iterator[Sandbox]:
    box = Sandbox(bad_images.TRIAL)
    yield box
    box.close()


@pytest.mark.slow
def test_150_bad_files_need_few_resources_and_kill_no_child_process(child: Sandbox) -> None:
    files = bad_images.by_hand()
    assert len({data for _, data in files}) == len(files) >= 150
    needs = bad_images.measure_files(files, child)
    assert needs.lost == []
    assert needs.refused >= 110
    assert needs.memory <= bad_images.MEMORY
    assert needs.seconds <= bad_images.SECONDS


def test_mutated_files_need_few_resources_and_kill_no_child_process(child: Sandbox) -> None:
    needs = bad_images.measure_files(list(bad_images.mutated(200, seed=3)), child)
    assert needs.lost == []
    assert needs.taken + needs.refused == 200
    assert min(needs.taken, needs.refused) >= 20
    assert needs.memory <= bad_images.MEMORY
    assert needs.seconds <= bad_images.SECONDS
