"""Tests for the provider of our own engine, which run its real child process."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from editor.engine.language.explain import explain
from editor.imaging.errors import SandboxError
from editor.imaging.sandbox import EDIT, Sandbox
from editor.options import EditOptions, Limits
from editor.providers import embedded
from editor.providers.contract import EditRequest, ProviderError
from editor.providers.embedded import EmbeddedProvider
from tests import scenes
from tests.providers.provider_factory import Watching


@pytest.fixture(scope="module")
def provider() -> Iterator[EmbeddedProvider]:
    sandbox = Sandbox(EDIT)
    yield EmbeddedProvider(sandbox, Limits())
    sandbox.close()


@pytest.fixture
def request_for(tmp_path: Path) -> Callable[..., EditRequest]:
    scenes.lake(300, 200).save(tmp_path / "photo.jpg", quality=95)

    def make(prompt: str, **options: object) -> EditRequest:
        return EditRequest(
            edit_id="0198c0de",
            prompt=prompt,
            options=EditOptions(**options),  # type: ignore[arg-type]
            photos=(tmp_path / "photo.jpg",),
            work_dir=tmp_path,
            token=3,
            plan=explain(prompt).as_json(),
        )

    return make


def test_an_edit_runs_from_submit_to_result_files(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    request, watch = request_for("make it black and white", outputs=2, output_format="webp"), Watching()
    ticket = provider.submit(request, Watching())
    assert ticket.task_id == request.edit_id
    update = provider.poll(ticket, request, watch)
    assert update.state == "succeeded"
    assert watch.reports == sorted(watch.reports)
    paths = provider.collect(list(update.arrivals), request, watch).values()
    assert len(paths) == 2
    for path in paths:
        assert path.parent == request.work_dir
        with Image.open(path) as result:
            assert (result.format, result.size) == ("WEBP", (300, 200))


def test_a_kept_result_whose_file_is_gone_is_not_made_again(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    request = request_for("rotate it 90 degrees", outputs=2)
    arrivals = list(provider.poll(provider.submit(request, Watching()), request, Watching()).arrivals)
    Path(arrivals[0]["path"]).unlink()
    before = Path(arrivals[1]["path"]).stat().st_mtime_ns
    came = provider.collect(arrivals, replace(request, kept=frozenset({1})), Watching())
    assert came == {2: Path(arrivals[1]["path"])}
    assert came[2].stat().st_mtime_ns == before
    came[2].unlink()
    assert list(provider.collect(arrivals, replace(request, kept=frozenset({1})), Watching())) == [2]


def test_it_uses_the_stored_plan_instead_of_the_prompt(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    """An upgrade after the preview may change how the prompt is parsed, but it must not change the result."""
    shown = request_for("rotate it 90 degrees")
    request = replace(shown, prompt="make it sepia")
    arrivals = list(provider.poll(provider.submit(request, Watching()), request, Watching()).arrivals)
    for _ in range(2):
        (path,) = provider.collect(arrivals, request, Watching()).values()
        with Image.open(path) as result:
            assert result.size == (200, 300)
        path.unlink()


def test_it_refuses_an_edit_without_a_plan(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    with pytest.raises(ProviderError, match="Run it again") as error:
        provider.submit(replace(request_for("sepia"), plan=None), Watching())
    assert error.value.code == "rejected"


def test_it_says_when_a_photo_cannot_be_read(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    request = request_for("sepia")
    ticket = provider.submit(request, Watching())
    request.photos[0].write_bytes(b"not a photo any more")
    with pytest.raises(ProviderError, match="not a supported photo") as error:
        provider.poll(ticket, request, Watching())
    assert error.value.code == "rejected"


def test_it_requests_an_analysis_only_if_the_plan_needs_one(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    calls: list[object] = []

    def analyze(watch: object) -> None:
        calls.append(watch)

    for prompt, count in (("make it brighter", 0), ("make the sky darker", 1)):
        request, watch = replace(request_for(prompt), analyze=analyze), Watching()
        assert provider.poll(provider.submit(request, watch), request, watch).state == "succeeded"
        assert calls == [watch] * count


def test_an_edit_that_is_stopped_while_its_photo_is_analyzed_does_not_run(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    def is_stopped(watch: object) -> None:
        raise SandboxError("stopped", "The work was stopped.")

    request = replace(request_for("make the sky darker"), analyze=is_stopped)
    with pytest.raises(ProviderError) as error:
        provider.poll(provider.submit(request, Watching()), request, Watching())
    assert error.value.code == "stopped"


def test_its_check_warns_about_a_machine_with_too_little_memory(
    provider: EmbeddedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(provider.check().lines) == 1
    monkeypatch.setattr(embedded, "analysis_memory", lambda: None)
    check = provider.check()
    assert check.is_usable
    assert "at least 2 GB of memory" in check.lines[1]


def test_a_refusal_for_the_photo_names_the_words_and_gives_suggestions(
    provider: EmbeddedProvider, request_for: Callable[..., EditRequest]
) -> None:
    request = request_for("make it sepia and remove the dog")
    ticket = provider.submit(request, Watching())
    with pytest.raises(ProviderError) as caught:
        provider.poll(ticket, request, Watching())
    (refused,) = caught.value.refusals
    assert refused["words"] == "remove the dog"
    assert [way["kind"] for way in refused["ways"]] == ["box", "rest"]
