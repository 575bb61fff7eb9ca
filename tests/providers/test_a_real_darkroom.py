"""Tests for the provider that use a complete Darkroom as the upstream site, over real HTTP."""

import dataclasses
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from editor.options import Region
from editor.providers.contract import EditRequest, Provider, ProviderError, Ticket, Update
from tests import scenes
from tests.portal import EMAIL, Portal, portal
from tests.providers.conftest import Requests
from tests.providers.provider_factory import Watching, make_provider


@pytest.fixture(scope="module")
def site() -> Iterator[Portal]:
    with portal(workers=1) as running:
        yield running


@pytest.fixture(scope="module")
def key(site: Portal) -> str:
    return site.manage("create_api_key", EMAIL, "--name", "downstream").strip()


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "lake.jpg"
    scenes.lake(300, 200).save(path, quality=95)
    return path


def worked_out(door: Provider, ticket: Ticket, request: EditRequest) -> Update:
    until = time.monotonic() + 600
    while time.monotonic() < until:
        update = door.poll(ticket, request, Watching())
        if update.state != "running":
            return update
        assert update.trouble == ""
        time.sleep(0.2)
    raise AssertionError("It never ends.")


def test_a_request_sent_twice_with_one_key_is_one_task_and_charged_once(
    site: Portal, key: str, request_for: Requests, photo: Path
) -> None:
    before = site.balance_and_held()
    door = make_provider(site.url, key=key, extensions=True)
    box = Region(0.0, 0.0, 0.5, 1.0)
    request = request_for("make the marked area black and white", photos=(photo,), outputs=2, regions=(box,))
    first, second = (door.submit(request, Watching()) for _ in range(2))
    assert first.task_id == second.task_id
    update = worked_out(door, first, request)
    assert update.state == "succeeded", update.message
    paths = door.collect(list(update.arrivals), request, Watching())
    assert len(paths) == 2
    with Image.open(paths[1]) as result:
        left, right = (result.convert("RGB").getpixel((x, 30)) for x in (20, 280))
    assert len(set(left)) == 1  # type: ignore[arg-type]
    assert len(set(right)) > 1  # type: ignore[arg-type]
    assert site.balance_and_held() == (before[0] - 40, 0)


def test_a_different_request_with_the_same_key_is_rejected(
    site: Portal, key: str, request_for: Requests, photo: Path
) -> None:
    door = make_provider(site.url, key=key, extensions=True)
    request = dataclasses.replace(
        request_for("make it sepia", photos=(photo,)), edit_id="0198c0de-0000-7000-8000-000000000002"
    )
    ticket = door.submit(request, Watching())
    with pytest.raises(ProviderError) as error:
        door.submit(dataclasses.replace(request, prompt="make it brighter"), Watching())
    assert (error.value.code, error.value.retry_after) == ("rejected", None)
    worked_out(door, ticket, request)  # Let the first task finish before the next one starts.


def test_a_refusal_is_passed_on_and_mentions_the_charge_only_once(
    site: Portal, key: str, request_for: Requests, photo: Path
) -> None:
    door, request = make_provider(site.url, key=key), request_for("add a flobberwick", photos=(photo,))
    before = site.balance_and_held()
    update = worked_out(door, door.submit(request, Watching()), request)
    assert update.state == "failed"
    assert "flobberwick" in update.message
    assert update.message.count("not charged") == 1
    assert site.balance_and_held() == before


def test_the_check_finds_wrong_settings_without_spending_credits(site: Portal, key: str) -> None:
    before = site.balance_and_held()
    assert make_provider(site.url, key=key).check().is_usable
    wrong = make_provider(site.url, key="drk_wrong").check()
    assert not wrong.is_usable
    assert "does not accept PHOTO_EDITOR_API_KEY" in wrong.lines[0]
    elsewhere = make_provider(f"{site.url}/admin", key=key).check()
    assert not elsewhere.is_usable
    assert site.balance_and_held() == before
