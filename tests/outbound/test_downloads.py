import stat
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from editor.outbound import OutboundError, Rules, calls
from tests.hostile_server import End, HostileServer, Script, after, answer, gzip_bomb, raw, redirect
from tests.outbound.conftest import Network

PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"
PNG = {"Content-Type": "image/png"}
ADDRESSES = {
    "photos.example.org": [PUBLIC],
    "other.example.org": [OTHER],
    "localhost": ["127.0.0.1"],
    "inside.example.org": ["10.0.0.1"],
    "mixed.example.org": [PUBLIC, "127.0.0.1"],
}


def resolve(host: str, port: int) -> list[str]:
    return ADDRESSES.get(host, [])


def download(url: str, target: Path, *listed: str, **options: Any) -> str:
    rules = Rules(allowed_origins=frozenset(listed), resolve=resolve)
    options = {"seconds": 60, "cap": 1_000_000, **options}
    return calls.download(url, target, rules=rules, **options)


def kind_of(url: str, target: Path, *listed: str, **options: Any) -> str:
    """Return the error's kind, and check that no file was left behind."""
    with pytest.raises(OutboundError) as error:
        download(url, target, *listed, **options)
    assert not target.exists()
    return error.value.kind


def test_a_download_is_saved_as_a_private_file(tmp_path: Path) -> None:
    with HostileServer(answer(200, b"pixels" * 50_000, headers=PNG)) as server:
        assert download(server.origin, tmp_path / "photo", server.origin) == "image/png"
    assert (tmp_path / "photo").read_bytes() == b"pixels" * 50_000
    assert stat.S_IMODE((tmp_path / "photo").stat().st_mode) == 0o600


def test_a_symbolic_link_at_the_target_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (tmp_path / "photo").symlink_to(tmp_path / "elsewhere")
    with HostileServer(answer(200, b"pixels")) as server:
        assert download(server.origin, tmp_path / "photo", server.origin) == ""
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert (tmp_path / "photo").read_bytes() == b"pixels"
    assert not (tmp_path / "photo").is_symlink()


@pytest.mark.parametrize("status", [204, 206, 304, 400, 403, 404, 410, 500])
def test_an_error_contains_the_status_of_the_response(tmp_path: Path, status: int) -> None:
    with (
        HostileServer(answer(status, b"sorry")) as server,
        pytest.raises(OutboundError) as error,
    ):
        download(server.origin, tmp_path / "photo", server.origin)
    assert (error.value.kind, error.value.status) == ("status", status)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("script", "kind"),
    [
        pytest.param(answer(200, b"x" * 1_000_001), "too_large", id="too large"),
        pytest.param(gzip_bomb(2), "too_large", id="bomb"),
        pytest.param(answer(200, b"half", length=8), "broken", id="half"),
        pytest.param(answer(200, b"half", length=8, then=End.RESET), "broken", id="reset"),
        pytest.param(raw(End.CLOSE), "broken", id="nothing"),
        pytest.param(answer(302), "status", id="redirect to nowhere"),
    ],
)
def test_a_failed_download_leaves_no_file(tmp_path: Path, script: Script, kind: str) -> None:
    with HostileServer(script) as server:
        assert kind_of(server.origin, tmp_path / "photo", server.origin) == kind


def test_an_older_file_is_deleted_if_the_download_fails(tmp_path: Path) -> None:
    (tmp_path / "photo").write_bytes(b"old")
    with HostileServer(answer(200, b"half", length=8)) as server:
        assert kind_of(server.origin, tmp_path / "photo", server.origin) == "broken"


def test_a_missing_target_folder_raises_file_not_found_error(tmp_path: Path) -> None:
    with HostileServer(answer(200, b"x")) as server, pytest.raises(FileNotFoundError):
        download(server.origin, tmp_path / "no folder" / "photo", server.origin)


def test_a_download_that_is_too_slow_is_aborted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "RATE_GRACE_SECONDS", 0.3)
    with HostileServer(answer(200, b"x" * 60_000, drip=0.01)) as server:
        began = time.monotonic()
        assert kind_of(server.origin, tmp_path / "photo", server.origin, seconds=600) == "timeout"
        assert 0.3 <= time.monotonic() - began <= 120


def test_a_download_without_data_after_the_headers_is_aborted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "RATE_GRACE_SECONDS", 0.2)
    with HostileServer(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", End.STALL)) as server:
        began = time.monotonic()
        assert kind_of(server.origin, tmp_path / "photo", server.origin, seconds=600) == "timeout"
        assert time.monotonic() - began <= 120


def test_a_download_that_is_just_fast_enough_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "RATE_GRACE_SECONDS", 0.1)
    # The first burst comes with the headers, and each burst allows a busy machine a pause of ten seconds.
    bursts = [piece for _ in range(7) for piece in (0.05, b"x" * 100_000)]
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 800000\r\n\r\n"
    with HostileServer(raw(head + b"x" * 100_000, *bursts)) as server:
        download(server.origin, tmp_path / "photo", server.origin, seconds=600)
    assert (tmp_path / "photo").stat().st_size == 800_000


def test_a_late_start_of_the_response_does_not_count_as_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "RATE_GRACE_SECONDS", 1.0)
    with HostileServer(after(2.0, answer(200, b"made just now"))) as server:
        download(server.origin, tmp_path / "photo", server.origin)
    assert (tmp_path / "photo").read_bytes() == b"made just now"


def test_a_stop_ends_a_download_quickly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "RATE_GRACE_SECONDS", 600.0)
    stop = threading.Event()
    with HostileServer(answer(200, b"x" * 99_999, drip=0.01)) as server:
        threading.Timer(0.2, stop.set).start()
        began = time.monotonic()
        assert kind_of(server.origin, tmp_path / "photo", server.origin, seconds=600, stop=stop) == "stopped"
        assert time.monotonic() - began <= 120


def test_it_follows_three_redirects_and_looks_up_each_host(tmp_path: Path, network: Network) -> None:
    scripts = {
        "/1": redirect("/2?a=b", 301),
        "/2": redirect("//other.example.org/3", 307),
        "/3": redirect("http://photos.example.org/4#top", 303),
        "/4": answer(200, b"pixels"),
    }
    with HostileServer(by_path=scripts) as server:
        network.servers = {PUBLIC: server, OTHER: server}
        download("http://photos.example.org/1", tmp_path / "photo")
    assert [request.path for request in server.requests] == ["/1", "/2?a=b", "/3", "/4"]
    assert [request.headers["host"] for request in server.requests][1:3] == [
        "photos.example.org",
        "other.example.org",
    ]
    assert network.dialled == [(PUBLIC, 80), (PUBLIC, 80), (OTHER, 80), (PUBLIC, 80)]
    assert (tmp_path / "photo").read_bytes() == b"pixels"


def test_redirects_are_followed_without_cookies_and_referrers(tmp_path: Path, network: Network) -> None:
    first = answer(302, headers={"Location": "/2", "Set-Cookie": "session=1; Path=/"})
    with HostileServer(first, answer(200)) as server:
        network.servers = {PUBLIC: server}
        download("http://photos.example.org/1?token=secret", tmp_path / "photo")
    assert [request.path for request in server.requests] == ["/1?token=secret", "/2"]
    for request in server.requests:
        assert set(request.headers) == {"host", "user-agent", "accept-encoding", "connection"}


@pytest.mark.parametrize("hops", [4, 10, None])
def test_it_follows_at_most_three_redirects(tmp_path: Path, network: Network, hops: int | None) -> None:
    """If `hops` is None, the redirects form a loop."""
    scripts = {f"/{n}": redirect(f"/{n + 1 if hops else n}") for n in range(hops or 1)}
    with HostileServer(answer(200), by_path=scripts) as server:
        network.servers = {PUBLIC: server}
        assert kind_of("http://photos.example.org/0", tmp_path / "photo") == "refused"
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.1:{port}/",
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "//127.0.0.1/",
        "//10.0.0.1/",
        "/\\127.0.0.1/",
        "\\\\127.0.0.1\\",
        "http:\\\\127.0.0.1/",
        "http://photos.example.org@127.0.0.1/",
        "http://photos.example.org:8080/",
        "http://photos.example.org:{port}/",
        "http://inside.example.org/",
        "http://mixed.example.org/",
        "http://user:word@other.example.org/",
        "http://localhost/",
        "file:///etc/passwd",
        "ftp://other.example.org/",
        "gopher://other.example.org/",
        "data:image/png;base64,AAAA",
        "javascript:alert(1)",
        "ht\ttp://127.0.0.1/",
        "http://oth\ter.example.org/",
        "http://other.example.org\\@127.0.0.1/",
        " http://127.0.0.1/",
        "http://127.0.0.1\t/",
        "http://[::1",
        "http://[127.0.0.1]/",
        "http://\uff11\uff12\uff17.0.0.1/",
        "http://127.0.0.1%00.example.org/",
        "http://a, http://b",
    ],
)
def test_a_redirect_to_a_forbidden_url_is_refused(tmp_path: Path, network: Network, place: str) -> None:
    with HostileServer(host="0.0.0.0") as listener:
        location = place.format(port=listener.port).encode().decode("latin-1")
        with HostileServer(redirect(location)) as server:
            network.servers = {PUBLIC: server}
            kind = kind_of("http://photos.example.org/", tmp_path / "photo")
        assert listener.connections == 0
    assert kind == "refused"
    assert network.dialled[0] == (PUBLIC, 80)
    assert {address for address, _ in network.dialled} == {PUBLIC}


def test_a_listed_origin_cannot_redirect_to_another_private_origin(tmp_path: Path) -> None:
    """Even another listed origin is untrusted here, because the remote site chose it, not the operator."""
    with (
        HostileServer(answer(200, b"inside")) as inner,
        HostileServer(redirect(inner.origin)) as server,
    ):
        assert kind_of(server.origin, tmp_path / "photo", server.origin) == "refused"
        assert kind_of(server.origin, tmp_path / "photo", server.origin, inner.origin) == "refused"
        assert inner.connections == 0
        download(inner.origin, tmp_path / "photo", inner.origin)


def test_a_public_site_cannot_redirect_to_a_listed_origin(tmp_path: Path, network: Network) -> None:
    with HostileServer(answer(200, b"inside")) as inner, HostileServer(redirect(inner.origin)) as server:
        network.servers = {PUBLIC: server}
        assert kind_of("http://photos.example.org/", tmp_path / "photo", inner.origin) == "refused"
        assert inner.connections == 0


def test_a_listed_origin_may_redirect_within_itself(tmp_path: Path) -> None:
    with HostileServer(redirect("/view?file=1"), answer(200, b"pixels")) as server:
        download(f"{server.origin}/latest", tmp_path / "photo", server.origin)
    assert (tmp_path / "photo").read_bytes() == b"pixels"


def test_a_redirect_to_our_own_origin_is_refused(tmp_path: Path, network: Network) -> None:
    with HostileServer(redirect("http://other.example.org/media/1")) as server:
        network.servers = {PUBLIC: server, OTHER: server}
        rules = Rules(refused_origins=frozenset({"http://other.example.org"}), resolve=resolve)
        with pytest.raises(OutboundError) as error:
            calls.download("http://photos.example.org/", tmp_path / "photo", rules=rules, seconds=60, cap=99)
    assert error.value.kind == "refused"
    assert network.dialled == [(PUBLIC, 80)]


def test_a_caller_can_refuse_redirects(tmp_path: Path) -> None:
    with HostileServer(by_path={"/1": redirect("/2"), "/2": answer(200, b"pixels")}) as server:
        assert kind_of(f"{server.origin}/1", tmp_path / "photo", server.origin, redirects=0) == "refused"
        assert download(f"{server.origin}/1", tmp_path / "photo", server.origin, redirects=1) == ""
