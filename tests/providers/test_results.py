"""Tests for fetching results.

Each successful download becomes a file, and each failed download has a reason.
"""

import stat
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from editor.providers import photo_editor
from editor.providers.contract import NOT_STORED, ProviderError
from editor.providers.fetches import FETCH_AGAIN_SECONDS, NOT_FETCHED, TOO_LARGE
from tests import cast
from tests.hostile_server import (
    End,
    HostileServer,
    Piece,
    Received,
    Script,
    after,
    answer,
    chunked,
    endless,
    gzip_bomb,
    raw,
    redirect,
    reset,
    silence,
)
from tests.providers.conftest import Requests, Serve
from tests.providers.provider_factory import KEY, Watching, make_provider

PNG = cast.photo_bytes(64, 48, format="PNG")


def arrivals_at(*urls: str) -> list[dict[str, Any]]:
    return [{"url": url} for url in urls]


def collect(
    server: HostileServer, request_for: Requests, *urls: str, kept: tuple[int, ...] = (), **changes: Any
) -> dict[int, Path]:
    options = {"outputs": changes.pop("outputs", max(1, len(urls)))}
    arrivals = arrivals_at(*(urls or (f"{server.origin}/a.png",)))
    request = replace(request_for(**options), kept=frozenset(kept))
    return make_provider(server.origin, **changes).collect(arrivals, request, Watching())


def error_of(server: HostileServer, request_for: Requests, *urls: str, **changes: Any) -> ProviderError:
    with pytest.raises(ProviderError) as error:
        collect(server, request_for, *urls, **changes)
    assert not list(request_for().work_dir.glob("*-result-*"))
    return error.value


def test_results_are_saved_in_order_as_private_files(serve: Serve, request_for: Requests) -> None:
    server = serve(by_path={"/1.png": answer(200, b"one"), "/2.png": answer(200, b"two")})
    came = collect(server, request_for, f"{server.origin}/2.png?sig=x", f"{server.origin}/1.png")
    assert list(came) == [1, 2]
    paths = came.values()
    assert [path.read_bytes() for path in paths] == [b"two", b"one"]
    assert {path.parent for path in paths} == {request_for().work_dir}
    assert all(path.name.startswith(f"{request_for().token}-") for path in paths)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in paths)


def test_the_key_is_not_sent_when_a_result_is_fetched(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, PNG))
    collect(server, request_for)
    assert KEY not in str(server.requests[0].headers)


def test_no_more_results_than_requested_are_fetched(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, PNG))
    assert len(collect(server, request_for, *(f"{server.origin}/{n}" for n in range(5)), outputs=2)) == 2
    assert len(server.requests) == 2


def test_collecting_twice_gives_the_same_results(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, PNG))
    assert [collect(server, request_for)[1].read_bytes() for _ in range(2)] == [PNG, PNG]


@pytest.mark.parametrize(
    "script",
    [
        *(
            answer(status, PNG)
            for status in (201, 202, 204, 206, 400, 401, 403, 404, 410, 429, 500, 502, 503)
        ),
        reset(),
        raw(End.CLOSE),
        silence(),
        after(3.0, answer(200, PNG)),
        answer(200, PNG, length=len(PNG) + 1),
        chunked(PNG[:99], ending=b""),
        raw(b"SSH-2.0\r\n", End.CLOSE),
        answer(200, PNG, drip=0.2),
        answer(200, PNG, headers={"Content-Encoding": "br"}),
        answer(302),
    ],
)
def test_a_failed_download_will_be_tried_again_later(
    serve: Serve, request_for: Requests, monkeypatch: pytest.MonkeyPatch, script: Script
) -> None:
    monkeypatch.setattr(photo_editor, "DOWNLOAD_SECONDS", 0.5)
    error = error_of(serve(script), request_for)
    assert (error.code, error.message, error.retry_after) == (
        "result_unavailable",
        NOT_FETCHED,
        FETCH_AGAIN_SECONDS,
    )
    assert error.detail


def test_a_failed_download_does_not_prevent_the_downloads_after_it(
    serve: Serve, request_for: Requests
) -> None:
    away = redirect("http://10.0.0.1/x")
    server = serve(answer(200, PNG), by_path={"/2.png": answer(500), "/4.png": away})
    urls = [f"{server.origin}/{number}.png" for number in (1, 2, 3, 4)]
    with pytest.raises(ProviderError) as error:
        collect(server, request_for, *urls)
    assert {number: path.read_bytes() for number, path in error.value.partial_results.items()} == {
        1: PNG,
        3: PNG,
    }
    assert (error.value.code, error.value.retry_after) == ("result_unavailable", FETCH_AGAIN_SECONDS)


def test_results_are_fetched_in_parallel(serve: Serve, request_for: Requests) -> None:
    def once_all_are_asked_for(request: Received) -> Iterable[Piece]:
        server.wait_for(3)
        return answer(200, request.path.encode())(request)

    server = serve(once_all_are_asked_for)
    came = collect(server, request_for, *(f"{server.origin}/{number}.png" for number in (1, 2, 3)))
    assert [path.read_bytes() for path in came.values()] == [b"/1.png", b"/2.png", b"/3.png"]


def test_kept_results_are_not_fetched_again(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, PNG))
    urls = [f"{server.origin}/{number}.png" for number in (1, 2, 3)]
    came = collect(server, request_for, *urls, kept=(1, 3))
    assert {number: path.read_bytes() for number, path in came.items()} == {2: PNG}
    assert [request.path for request in server.requests] == ["/2.png"]
    assert collect(server, request_for, *urls, kept=(1, 2, 3)) == {}


def test_a_result_that_cannot_be_written_does_not_prevent_the_others(
    serve: Serve, request_for: Requests
) -> None:
    server, request = serve(answer(200, PNG)), request_for()
    # A folder at this path prevents the file from being created.
    (request.work_dir / f"{request.token}-result-2").mkdir()
    with pytest.raises(ProviderError) as error:
        collect(server, request_for, *(f"{server.origin}/{number}.png" for number in (1, 2, 3)))
    assert (error.value.code, error.value.retry_after) == ("storage", FETCH_AGAIN_SECONDS)
    assert {number: path.read_bytes() for number, path in error.value.partial_results.items()} == {
        1: PNG,
        3: PNG,
    }


def test_a_result_on_an_unreachable_host_will_be_tried_again_later(
    serve: Serve, request_for: Requests
) -> None:
    server = serve()
    error = error_of(server, request_for, "https://cdn.example.org/a.png")
    assert (error.code, error.retry_after) == ("result_unavailable", FETCH_AGAIN_SECONDS)


@pytest.mark.parametrize(
    "script", [endless(), answer(200, b"x" * 300_000), gzip_bomb(32), answer(200, PNG, length=10**12)]
)
def test_a_result_that_is_too_large_is_neither_kept_nor_tried_again(
    serve: Serve, request_for: Requests, script: Script
) -> None:
    error = error_of(serve(script), request_for, result_bytes=200_000)
    # A wrong Content-Length ends the download earlier and results in this other code.
    if error.code != "result_unavailable":
        assert (error.code, error.message, error.retry_after) == ("result_invalid", TOO_LARGE, None)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:1/a.png",
        "http://localhost/a.png",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/a.png",
        "http://10.0.0.1/a.png",
        "https://cdn.example.org:8443/a.png",
        "https://user:pw@cdn.example.org/a.png",
        "http://2130706433/a.png",
    ],
)
def test_an_engine_cannot_make_us_fetch_a_forbidden_url(
    serve: Serve, request_for: Requests, url: str
) -> None:
    error = error_of(serve(), request_for, url)
    assert (error.code, error.message, error.retry_after) == ("result_unavailable", NOT_FETCHED, None)


def test_a_redirect_on_the_same_site_is_followed_but_not_one_to_another_site(
    serve: Serve, request_for: Requests
) -> None:
    neighbour = serve(answer(200, PNG))
    server = serve(
        by_path={
            "/a.png": redirect("/b.png"),
            "/b.png": answer(200, PNG),
            "/away.png": redirect(f"{neighbour.origin}/b.png"),
            "/loop.png": redirect("/loop.png"),
        }
    )
    assert collect(server, request_for)[1].read_bytes() == PNG
    (request_for().work_dir / "3-result-1").unlink()
    assert error_of(server, request_for, f"{server.origin}/away.png").code == "result_unavailable"
    assert error_of(server, request_for, f"{server.origin}/loop.png").code == "result_unavailable"
    assert neighbour.connections == 0


def test_a_full_disk_is_reported_and_the_download_is_tried_again(
    serve: Serve, request_for: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("editor.outbound.calls._saved", full)
    error = error_of(serve(answer(200, PNG)), request_for)
    assert (error.code, error.message, error.retry_after) == ("storage", NOT_STORED, FETCH_AGAIN_SECONDS)


def test_a_stop_ends_the_download(serve: Serve, request_for: Requests) -> None:
    server, watch = serve(silence()), Watching()
    stopper = watch.stop_after(0.2)
    with pytest.raises(ProviderError) as error:
        make_provider(server.origin).collect(arrivals_at(f"{server.origin}/a.png"), request_for(), watch)
    stopper.join()
    assert error.value.code == "stopped"
