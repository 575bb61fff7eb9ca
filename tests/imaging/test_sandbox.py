import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from editor.imaging import sandbox, stored_photos
from editor.imaging.codecs import PhotoError
from editor.imaging.errors import ChildLost
from editor.imaging.sandbox import DECODE, EDIT, Profile, Sandbox, SandboxError, SandboxPool
from tests.imaging import jobs
from tests.imaging.files import deep_png, four_corners, written
from tests.imaging.running import during_next_job

# Even a busy machine does not reach the wall-time limit. The test for this limit uses a shorter one.
TRIAL = Profile("trial", 1024**3, 2, 120, "json", (*sandbox.OUR_PACKAGES, "tests.imaging"))


@pytest.fixture
def child() -> Iterator[Sandbox]:
    box = Sandbox(TRIAL)
    yield box
    box.close()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_it_returns_the_result_of_the_function(child: Sandbox) -> None:
    assert child.call(jobs.echo, a=1, b=["ü", None]) == {"a": 1, "b": ["ü", None]}


def test_it_keeps_one_warm_child(child: Sandbox) -> None:
    first = child.call(jobs.process)
    assert first == child.call(jobs.process) != os.getpid()


def test_arguments_can_be_deferred_until_the_job_needs_them(child: Sandbox) -> None:
    assert child.call(jobs.adds, deferred_arguments=lambda: {"more": 4}, number=3) == 7
    with pytest.raises(PhotoError, match="No"):  # The job ends before it uses the deferred arguments.
        child.call(jobs.adds, deferred_arguments=lambda: {"more": 4}, number=-1)
    assert child.call(jobs.adds, deferred_arguments=lambda: {"more": 5}, number=3) == 8


def test_deferred_arguments_that_fail_end_the_job(child: Sandbox) -> None:
    first = child.call(jobs.process)
    with pytest.raises(ZeroDivisionError):
        child.call(jobs.adds, deferred_arguments=lambda: {"more": 1 // 0}, number=3)
    assert child.call(jobs.process) != first


def test_it_replaces_its_child_after_many_jobs(child: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "JOBS_PER_CHILD", 2)
    seen = [child.call(jobs.process) for _ in range(4)]
    assert seen[0] == seen[1] != seen[2] == seen[3]
    assert not is_running(seen[0])


def test_it_rebuilds_a_photo_within_its_limits(tmp_path: Path) -> None:
    source = written(tmp_path / "in.png", four_corners(7000, 5700))
    box = Sandbox(DECODE)
    facts = box.call(stored_photos.rebuild, source=str(source), target_stem=str(tmp_path / "out"))
    box.close()
    assert (facts["width"], facts["height"]) == (7000, 5700)
    assert (tmp_path / "out.jpg").stat().st_mode & 0o777 == 0o600


LARGEST = Image.linear_gradient("L").resize((8000, 5000))


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("kind", "bands", "options"),
    [
        ("webp", ("RGB",), {"quality": 50, "method": 0}),
        ("webp", ("RGBA",), {"quality": 50, "method": 0}),
        ("avif", ("RGBA",), {"quality": 40, "speed": 10}),
        ("jpeg", ("CMYK",), {}),
    ],
)
def test_40_megapixels_of_every_format_fit_in_its_memory(
    kind: str, bands: tuple[str, ...], options: dict[str, Any], tmp_path: Path
) -> None:
    image = LARGEST.convert(bands[0])
    if bands == ("RGBA",):
        image.putalpha(90)
    image.save(tmp_path / "in", kind, **options)
    assert rebuilt_width(tmp_path) == 8000


@pytest.mark.sampled(1)
@pytest.mark.parametrize("channels", [2, 4])
def test_40_megapixels_with_16_bits_and_alpha_fit_in_its_memory(channels: int, tmp_path: Path) -> None:
    row = np.full((1, 8000, channels), 30_000, np.uint16)
    (tmp_path / "in").write_bytes(deep_png(np.broadcast_to(row, (5000, 8000, channels))))
    assert rebuilt_width(tmp_path) == 8000


def rebuilt_width(folder: Path) -> int:
    box = Sandbox(DECODE)
    facts = box.call(stored_photos.rebuild, source=str(folder / "in"), target_stem=str(folder / "out"))
    box.close()
    return int(facts["width"])


def test_a_warm_child_of_each_profile_works(tmp_path: Path) -> None:
    written(tmp_path / "a.png", four_corners())
    for profile in (DECODE, EDIT):
        box = Sandbox(profile)
        box.warm()
        assert (
            box.call(
                stored_photos.verify_result, source=str(tmp_path / "a.png"), target_stem=str(tmp_path / "b")
            )["width"]
            == 64
        )
        box.close()


def test_it_passes_on_progress_reports(child: Sandbox) -> None:
    seen: list[float] = []
    assert child.call(jobs.counts, on_progress=seen.append) == "counted"
    assert seen == [0.25, 0.5, 1.0]


def test_an_error_in_the_progress_callback_leaves_no_pending_result(child: Sandbox) -> None:
    def fail(part: float) -> None:
        raise KeyError(part)

    with pytest.raises(KeyError):
        child.call(jobs.counts, on_progress=fail)
    assert child.call(jobs.echo) == {}


def test_known_errors_are_raised_again_in_the_parent(child: Sandbox) -> None:
    with pytest.raises(PhotoError) as caught:
        child.call(jobs.refuses)
    assert (caught.value.message, caught.value.details) == ("No.", {"why": [1, 2]})


def test_output_printed_by_the_child_is_ignored(child: Sandbox) -> None:
    assert child.call(jobs.prints) == "mine"
    assert child.call(jobs.echo, a=1) == {"a": 1}


def test_it_refuses_functions_of_other_packages() -> None:
    box = Sandbox(DECODE)
    with pytest.raises(SandboxError) as caught:
        box.call(os.getcwd)
    assert caught.value.kind == "crashed"
    with pytest.raises(SandboxError):
        box.call(jobs.echo)
    box.close()


def test_the_child_does_not_inherit_our_environment(child: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hush")
    threads = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}
    python = {"LC_CTYPE", "LD_LIBRARY_PATH"}  # Python and OpenCV set these variables.
    assert set(child.call(jobs.environment)) <= {"PATH", "LANG"} | threads | python


@pytest.mark.parametrize(
    ("function", "kind", "is_lost"),
    [
        (jobs.aborts, "crashed", True),
        (jobs.segfaults, "crashed", True),
        (jobs.exits, "crashed", True),
        (jobs.is_killed, "crashed", True),
        (jobs.fails, "crashed", False),
        (jobs.never_ends, "timeout", False),
        (jobs.lacks_memory, "memory", False),
    ],
)
def test_it_survives_a_failed_job_and_says_whether_a_retry_makes_sense(
    child: Sandbox, function: object, kind: str, is_lost: bool
) -> None:
    with pytest.raises(SandboxError) as caught:
        child.call(function)  # type: ignore[arg-type]
    assert (caught.value.kind, isinstance(caught.value, ChildLost)) == (kind, is_lost)
    assert caught.value.message.endswith(".")
    assert child.call(jobs.echo, a=1) == {"a": 1}


def test_a_lowered_cpu_limit_is_multiplied_by_the_time_factor() -> None:
    box = Sandbox(replace(TRIAL, cpu_seconds=10).with_cpu_seconds(1))
    assert box.call(jobs.burns, time_factor=4, seconds=2.5) == "done"
    with pytest.raises(SandboxError) as caught:
        box.call(jobs.burns, time_factor=1, seconds=2.5)
    assert (caught.value.kind, isinstance(caught.value, ChildLost)) == ("timeout", False)
    box.close()


def test_more_cpu_time_raises_the_wall_time_but_less_does_not_lower_it() -> None:
    assert EDIT.with_cpu_seconds(60).wall_seconds == 2 * EDIT.wall_seconds
    assert EDIT.with_cpu_seconds(10).wall_seconds == EDIT.wall_seconds


def test_it_survives_a_child_that_sleeps_too_long() -> None:
    box = Sandbox(replace(TRIAL, wall_seconds=0.5))
    with pytest.raises(ChildLost) as caught:
        box.call(jobs.slow, seconds=600)
    assert caught.value.kind == "timeout"
    box.close()


def test_the_wall_time_limit_is_multiplied_by_the_time_factor() -> None:
    box = Sandbox(replace(TRIAL, wall_seconds=2))
    box.warm()
    assert box.call(jobs.slow, time_factor=60, seconds=2.5) == "done"
    with pytest.raises(SandboxError) as caught:
        box.call(jobs.slow, seconds=600)
    assert caught.value.kind == "timeout"
    box.close()


def test_the_cpu_time_limit_is_multiplied_by_the_time_factor() -> None:
    box = Sandbox(replace(TRIAL, cpu_seconds=1))
    assert box.call(jobs.burns, time_factor=3, seconds=1.4) == "done"
    with pytest.raises(SandboxError) as caught:
        box.call(jobs.burns, seconds=2.5)
    assert caught.value.kind == "timeout"
    box.close()


def test_the_wall_time_is_at_least_four_times_the_cpu_time() -> None:
    assert all(profile.wall_seconds >= 4 * profile.cpu_seconds for profile in (DECODE, EDIT))


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has an OOM killer that can be configured.")
def test_the_oom_killer_kills_the_child_first(child: Sandbox) -> None:
    process = child.call(jobs.process)
    assert Path(f"/proc/{process}/oom_score_adj").read_text() == "1000\n"


def test_it_survives_a_huge_allocation(child: Sandbox) -> None:
    assert child.call(jobs.allocates, megabytes=200) == 1
    with pytest.raises(SandboxError) as caught:
        child.call(jobs.allocates, megabytes=3000)
    assert caught.value.kind == "memory"
    assert child.call(jobs.echo) == {}


def test_a_child_cannot_fill_the_disk(child: Sandbox, tmp_path: Path) -> None:
    with pytest.raises(SandboxError):
        child.call(jobs.fills, path=str(tmp_path / "big"))
    assert (tmp_path / "big").stat().st_size <= 250 * 1024**2


def test_the_cpu_limit_applies_to_each_job(child: Sandbox) -> None:
    for _ in range(3):  # Together, the calls exceed the two seconds that each call may take.
        assert child.call(jobs.burns, seconds=0.8) == "done"


def test_stop_ends_the_running_call_from_another_thread(child: Sandbox) -> None:
    child.call(jobs.echo)
    during_next_job(child, child.stop)
    with pytest.raises(SandboxError) as caught:
        child.call(jobs.slow, seconds=60)
    assert caught.value.kind == "stopped"
    assert child.call(jobs.echo, a=1) == {"a": 1}


def test_the_call_after_a_stop_gets_a_new_child(child: Sandbox) -> None:
    for number in range(5):
        first = child.call(jobs.process)
        child.stop()
        assert child.call(jobs.echo, n=number) == {"n": number}
        assert not Path(f"/proc/{first}").exists()


def test_a_pool_waits_for_a_free_child_but_not_for_ever(tmp_path: Path) -> None:
    hasty, patient = SandboxPool(TRIAL, 1, patience=0.1), SandboxPool(TRIAL, 1, patience=None)
    for number, pool in enumerate((hasty, patient)):
        end = tmp_path / f"end {number}"
        job = {"path": str(tmp_path / f"begun {number}"), "end": str(end), "on_progress": lambda part: None}
        busy = threading.Thread(target=pool.call, args=(jobs.takes_steps_until,), kwargs=job)
        busy.start()
        while not pool._free.empty():
            time.sleep(0.01)
        if pool is patient:
            threading.Timer(0.2, end.touch).start()
            assert pool.call(jobs.echo, a=1) == {"a": 1}
        else:
            with pytest.raises(SandboxError, match="busy with other photos") as caught:
                pool.call(jobs.echo)
            assert caught.value.kind == "busy"
            end.touch()
        busy.join()
    assert hasty.call(jobs.echo, a=1) == {"a": 1}


def test_threads_share_it_one_job_at_a_time(child: Sandbox) -> None:
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda n=n: answers.append(child.call(jobs.echo, n=n)["n"])) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == list(range(8))


def test_the_child_outlives_the_thread_that_called_first(child: Sandbox) -> None:
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(child.call(jobs.process)))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert child.call(jobs.process) == seen[0]


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux ends a child with its parent.")
def test_a_killed_parent_leaves_no_child() -> None:
    program = (
        "from tests.imaging import jobs; from tests.imaging.test_sandbox import TRIAL;"
        "from editor.imaging.sandbox import Sandbox; box = Sandbox(TRIAL);"
        "print(box.call(jobs.process), flush=True); box.call(jobs.slow, seconds=900)"
    )
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.send_signal(signal.SIGKILL)
    until = time.monotonic() + 300  # less than the time for which the child sleeps
    while is_running(pid):
        assert time.monotonic() < until, "The child outlived its parent."
        time.sleep(0.05)


def test_the_parent_imports_no_image_decoder() -> None:
    program = (
        "import sys, editor.imaging.sandbox; print([m for m in ('cv2', 'PIL', 'numpy') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[2]
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True
    )
    assert answer.stdout == "[]\n"
