"""Tests that the number of child processes and their memory limits depend on the machine's memory."""

from pathlib import Path

import pytest

from editor.imaging.memory import (
    IDLE_SITE_BYTES,
    MAX_ANALYSIS_BYTES,
    MAX_CHILD_BYTES,
    MIB,
    MIN_ANALYSIS_BYTES,
    MIN_CHILD_BYTES,
    PREVIEW_BYTES,
    SHARED_LIBRARY_BYTES,
    analysis_memory,
    child_memory,
    machine_memory,
    max_parallel_jobs,
    preview_memory,
    takes_turns,
)

GIB = 1024 * MIB


@pytest.mark.parametrize(
    ("memory", "children", "least", "most"),
    [
        (1 * GIB, 1, 700, 700),
        (2 * GIB, 1, 750, 850),
        (4 * GIB, 1, 1750, 2048),
        (7 * GIB, 1, 2048, 2048),
        (8 * GIB, 2, 2048, 2048),
        (64 * GIB, 2, 2048, 2048),
    ],
)
def test_child_processes_leave_enough_memory_for_the_site(
    memory: int, children: int, least: int, most: int
) -> None:
    assert max_parallel_jobs(memory) == children
    assert least * MIB <= child_memory(memory) <= most * MIB
    if child_memory(memory) > MIN_CHILD_BYTES:
        site = IDLE_SITE_BYTES + (PREVIEW_BYTES if preview_memory(memory) else 0)
        assert site + 2 * children * (child_memory(memory) - SHARED_LIBRARY_BYTES) <= memory
    assert child_memory(memory) <= MAX_CHILD_BYTES


def test_the_memory_limit_of_a_container_is_used(tmp_path: Path) -> None:
    ours = tmp_path / "cgroup"
    ours.write_text("9:name=systemd:/\n0::/site.slice/darkroom.service\n")
    group = tmp_path / "site.slice/darkroom.service"
    group.mkdir(parents=True)
    machine = machine_memory(tmp_path, ours)
    for place, limit, counts in (
        (tmp_path / "memory.max", "max\n", machine),
        (tmp_path / "memory.max", f"{900 * MIB}\n", 900 * MIB),
        (group / "memory.max", f"{800 * MIB}\n", 800 * MIB),
    ):
        place.write_text(limit)
        assert machine_memory(tmp_path, ours) == counts
    older = tmp_path / "memory" / "memory.limit_in_bytes"
    older.parent.mkdir()
    older.write_text(f"{700 * MIB}\n")
    assert machine_memory(tmp_path, tmp_path / "none") == 700 * MIB


@pytest.mark.parametrize(
    ("memory", "limit", "one_large_child"),
    [
        (1 * GIB, None, True),
        (1790 * MIB, None, True),
        (1910 * MIB, MIN_ANALYSIS_BYTES, True),  # the memory reported by a machine sold with 2 GB
        (2 * GIB, MIN_ANALYSIS_BYTES, True),
        (4 * GIB, MAX_ANALYSIS_BYTES, True),
        (8 * GIB, MAX_ANALYSIS_BYTES, False),
    ],
)
def test_photos_are_analyzed_only_if_there_is_enough_memory(
    memory: int, limit: int | None, one_large_child: bool
) -> None:
    assert analysis_memory(memory) == limit
    assert takes_turns(memory) == one_large_child
    if limit is not None and not one_large_child:
        assert limit <= child_memory(memory), "a worker runs an analysis in place of an edit"
