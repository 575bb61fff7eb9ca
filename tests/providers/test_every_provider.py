"""Tests of the rules that every provider follows."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from editor.imaging.sandbox import EDIT, Sandbox
from editor.options import Limits
from editor.providers.contract import Check, EditRequest, Provider, ProviderError, Ticket, Update
from editor.providers.embedded import EmbeddedProvider
from tests import scenes
from tests.providers.conftest import Requests
from tests.providers.images_site import ImagesSite
from tests.providers.provider_factory import PROMPT_SECONDS, Watching, make_images_provider, make_provider
from tests.providers.upstream import Upstream

SLOW_PROMPT = "make it black and white, slowly"
PROMPTS = {"embedded": "sharpen it", "photo-editor": SLOW_PROMPT, "openai-images": SLOW_PROMPT}


@pytest.fixture(params=PROMPTS)
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    if request.param == "embedded":
        sandbox = Sandbox(EDIT)
        yield EmbeddedProvider(sandbox, Limits())
        sandbox.close()
    elif request.param == "openai-images":
        site = ImagesSite("xinference")
        with site.server:
            yield make_images_provider(site.server.origin, dialect="xinference")
    else:
        upstream = Upstream()
        with upstream.server:
            yield make_provider(upstream.server.origin)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "lake.jpg"
    scenes.lake(300, 200).save(path, quality=95)
    return path


def worked_out(provider: Provider, ticket: Ticket, request: EditRequest) -> Update:
    """Poll until the task has ended, and return the last update."""
    for _ in range(20):
        update = provider.poll(ticket, request, Watching())
        ticket = update.ticket or ticket
        if update.state != "running":
            return update
    raise AssertionError("It never ends.")


def edited(provider: Provider, request: EditRequest) -> list[bytes]:
    update = worked_out(provider, provider.submit(request, Watching()), request)
    assert update.state == "succeeded", update.message
    came = provider.collect(list(update.arrivals), request, Watching())
    return [path.read_bytes() for path in came.values()]


def test_it_works_from_submit_to_a_picture(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,), output_format="png")
    ticket = provider.submit(request, Watching())
    assert ticket.task_id
    update = worked_out(provider, ticket, request)
    assert update.state == "succeeded", update.message
    [path] = provider.collect(list(update.arrivals), request, Watching()).values()
    assert path.parent == request.work_dir
    with Image.open(path) as result, Image.open(photo) as before:
        assert result.size == before.size == (300, 200)
        assert result.convert("RGB").tobytes() != before.convert("RGB").tobytes()


def test_the_same_asked_twice_gives_the_same(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,))
    assert edited(provider, request) == edited(provider, request)


def test_a_state_may_be_asked_for_and_results_fetched_again(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    ticket = provider.submit(request, Watching())
    first, second = (worked_out(provider, ticket, request) for _ in range(2))
    assert (first.state, first.arrivals) == (second.state, second.arrivals)
    once, twice = (
        provider.collect(list(first.arrivals), request, Watching())[1].read_bytes() for _ in range(2)
    )
    assert once == twice


def test_results_that_were_lost_come_again(provider: Provider, request_for: Requests, photo: Path) -> None:
    request = request_for("make it black and white", photos=(photo,))
    update = worked_out(provider, provider.submit(request, Watching()), request)
    for path in provider.collect(list(update.arrivals), request, Watching()).values():
        path.unlink()
    came = provider.collect(list(update.arrivals), request, Watching())
    assert [path.is_file() for path in came.values()] == [True]


def test_a_ticket_survives_its_way_through_a_row(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    ticket = provider.submit(request, Watching())
    again = Ticket(**json.loads(json.dumps(asdict(ticket))))
    assert worked_out(provider, again, request).state == "succeeded"


def test_what_it_does_not_understand_is_rejected_with_a_sentence(
    provider: Provider, request_for: Requests, photo: Path
) -> None:
    with pytest.raises(ProviderError) as error:
        provider.submit(request_for("add a flobberwick", photos=(photo,)), Watching())
    assert (error.value.code, error.value.retry_after) == ("rejected", None)
    assert "flobberwick" in error.value.message
    assert error.value.message.endswith((".", "?", "!"))


def test_a_stop_ends_the_work_at_once(
    provider: Provider, request_for: Requests, photo: Path, request: pytest.FixtureRequest
) -> None:
    scenes.lake(5000, 4000).save(photo, quality=80)
    asked = request_for(
        PROMPTS[provider.key], photos=(photo,), outputs=1 if provider.key != "embedded" else 4
    )
    watch = Watching()
    is_direct = provider.capabilities().answers_directly
    ticket = Ticket("") if is_direct else provider.submit(asked, Watching())
    stopper = threading.Thread(target=_stop_soon, args=(watch,))
    stopper.start()
    started = time.monotonic()
    with pytest.raises(ProviderError) as error:
        provider.submit(asked, watch) if is_direct else provider.poll(ticket, asked, watch)
    stopper.join()
    assert (error.value.code, error.value.retry_after) == ("stopped", None)
    assert time.monotonic() - started < PROMPT_SECONDS


def _stop_soon(watch: Watching) -> None:
    while not watch.stops:
        time.sleep(0.01)
    time.sleep(1)
    for stop in watch.stops:
        stop()


def test_it_says_honestly_what_it_can(provider: Provider, request_for: Requests, photo: Path) -> None:
    can = provider.capabilities()
    results = edited(provider, request_for("make it sepia", photos=(photo,), outputs=can.max_outputs))
    assert len(results) == can.max_outputs
    assert provider.capabilities() == can


def test_it_says_that_it_works(provider: Provider) -> None:
    check = provider.check()
    assert (type(check), check.is_usable) == (Check, True)
    assert all(line.endswith(".") for line in check.lines)


def test_getting_ready_returns_at_once(provider: Provider) -> None:
    started = time.monotonic()
    provider.warm()
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("photo_bytes", [b"", b"no photo", None], ids=["empty", "junk", "gone"])
def test_nothing_but_its_own_error_leaves_it(
    provider: Provider, request_for: Requests, photo: Path, photo_bytes: bytes | None
) -> None:
    request = request_for("make it black and white", photos=(photo,))
    photo.unlink() if photo_bytes is None else photo.write_bytes(photo_bytes)
    stages: list[Any] = []
    try:
        stages.append(provider.submit(request, Watching()))
        stages.append(worked_out(provider, stages[0], request))
    except ProviderError as error:
        stages.append(error)
    assert isinstance(stages[-1], (ProviderError, Update))
