import socket
import threading
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from editor.outbound import OutboundError, Response, Rules, addresses, calls, wire
from editor.outbound.addresses import origin_of
from tests.hostile_server import HostileServer, answer
from tests.outbound.conftest import Network
from tests.outbound.hostile_addresses import (
    FORBIDDEN_IPV4,
    FORBIDDEN_IPV6,
    hostile_addresses,
    odd_addresses,
    words,
)

FRAGMENTS = [
    *words(
        "127.0.0.1 example.org [::1] [::ffff: xn-- @ : / \\ ? # % . , - _ [ ] ; & = + %00 %2e %40 0x 017 80"
    ),
    *words("a ü ß 。 1"),
    "\t",
    "\n",
]
PUBLIC = "93.184.216.34"
OTHER_PUBLIC = "2606:2800:220:1::1"


class Resolver:
    """A resolver that returns or raises these answers one after another, and then repeats the last answer."""

    def __init__(self, *answers: Iterable[str] | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        said = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(said, Exception):
            raise said
        return list(said)


def fetch(url: str, resolve: Callable[[str, int], list[str]], *listed: str) -> Response:
    rules = Rules(resolve=resolve, allowed_origins=frozenset(listed))
    return calls.call("GET", url, rules=rules, seconds=60, cap=1_000)


def kind_of(url: str, resolve: Callable[[str, int], list[str]], *listed: str) -> str:
    """Check that an error is raised before anything is sent, and return the error's kind."""
    with pytest.raises(OutboundError) as error:
        fetch(url, resolve, *listed)
    assert error.value.sent is False
    return error.value.kind


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://example.org", "http://example.org"),
        ("HTTPS://Example.ORG:443/a?b#c", "https://example.org"),
        ("http://example.org:443/", "http://example.org:443"),
        ("http://10.0.0.5:8188/prompt", "http://10.0.0.5:8188"),
        ("http://[::0001]:80/", "http://[::1]"),
        ("http://comfyui:8188", "http://comfyui:8188"),
        ("https://münchen.example/ü", "https://xn--mnchen-3ya.example"),
        ("http://a_b.example.org/?x=@y", "http://a_b.example.org"),
    ],
)
def test_origin_of_returns_the_exact_origin(url: str, origin: str) -> None:
    assert origin_of(url) == origin
    assert origin_of(origin) == origin


@pytest.mark.parametrize(
    "url", ["http://example.org:65536", "http://example.org:0", "http://example.org:080", "example.org", "*"]
)
def test_origin_of_rejects_an_invalid_url(url: str) -> None:
    with pytest.raises(OutboundError):
        origin_of(url)


@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=9).map("".join))
def test_accepted_urls_are_parsed_the_same_way_by_other_parsers(text: str) -> None:
    try:
        target = addresses.parse(f"http://{text}")
    except OutboundError:
        return
    theirs = urlsplit(f"http://{text}")
    assert (target.url.raw_host.decode(), target.url.port or 80) == (target.host, target.port)
    assert (theirs.username, theirs.password, theirs.port or 80) == (None, None, target.port)
    host = theirs.hostname or ""
    assert not host.isascii() or host == target.host or IPv6Address(host) == IPv6Address(target.host)


def test_it_opens_no_connection_for_any_hostile_address(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The resolver maps every name to the listener, and the listener's port is allowed."""
    with HostileServer(host="0.0.0.0") as listener:
        monkeypatch.setattr(wire, "ALLOWED_PORTS", (80, 443, listener.port))
        forms = hostile_addresses(listener.port)
        kinds = {form: kind_of(form, Resolver(["127.0.0.1"])) for form in forms}
        assert listener.connections == 0
    assert {form: kind for form, kind in kinds.items() if kind != "refused"} == {}
    assert network.dialled == []
    assert len(forms) >= 400


def test_oddly_written_addresses_are_refused_without_a_dns_lookup(network: Network) -> None:
    resolver = Resolver([PUBLIC])
    for form in odd_addresses(80):
        assert kind_of(form, resolver) == "refused", form
    assert resolver.asked == []
    assert network.dialled == []


@pytest.mark.parametrize("url", hostile_addresses(8188)[::7])
def test_a_refusal_gives_no_reason(url: str) -> None:
    with pytest.raises(OutboundError) as refused:
        fetch(url, Resolver(["127.0.0.1"]))
    assert refused.value.message == str(refused.value) == "This URL is not allowed."


def test_it_logs_the_reason_but_neither_query_nor_password(caplog: pytest.LogCaptureFixture) -> None:
    for url in ("http://user:hidden@example.org/", "http://10.0.0.1/?token=hidden", "http://a b/?hidden"):
        kind_of(url, Resolver([PUBLIC]))
    assert len(caplog.records) == 3
    assert "10.0.0.1" in caplog.text
    assert "hidden" not in caplog.text


@pytest.mark.parametrize("ip", FORBIDDEN_IPV4 + FORBIDDEN_IPV6)
def test_a_forbidden_address_is_not_public(ip: str) -> None:
    assert not addresses.is_public(ip)


@pytest.mark.parametrize(
    "ip",
    words(
        """
    1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255
    192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0
    203.0.112.255 203.0.114.0 223.255.255.255 2001:200::1 2001:4860:4860::8888 2001:db7::1
    2001:db9::1 2003::1 2600:: 3ffe::1 3fff:1000::1
    """
    ),
)
def test_an_ordinary_address_is_public(ip: str) -> None:
    assert addresses.is_public(ip)


@pytest.mark.parametrize(
    "ip",
    words(
        """
    127.0.0.1 10.0.0.5 172.17.0.2 192.168.1.9 100.64.7.7 ::1 fd12::5 1.1.1.1 2606::1
    """
    ),
)
def test_a_private_or_public_address_can_be_listed(ip: str) -> None:
    assert addresses.is_listable(ip)


@pytest.mark.parametrize(
    "ip",
    words(
        """
    0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 100.100.100.200 168.63.129.16 192.0.0.192 224.0.0.1
    255.255.255.255 240.0.0.1 198.18.0.1 fe80::1 fd00:ec2::254 fd20:ce::254 ff02::1 ::
    ::ffff:10.0.0.5 64:ff9b::a00:5 fec0::1 fe80::1%eth0 fd12::5%1 10.0.0.5.6 engine
    """
    ),
)
def test_a_special_address_cannot_be_listed(ip: str) -> None:
    assert not addresses.is_listable(ip)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        pytest.param(["127.0.0.1"], "refused", id="loopback"),
        pytest.param(["10.1.2.3"], "refused", id="private"),
        pytest.param(["169.254.169.254"], "refused", id="metadata"),
        pytest.param(["0.0.0.0"], "refused", id="this host"),
        pytest.param(["255.255.255.255"], "refused", id="broadcast"),
        pytest.param(["239.1.1.1"], "refused", id="multicast"),
        pytest.param(["::1"], "refused", id="loopback of IPv6"),
        pytest.param(["fd00::1"], "refused", id="private IPv6"),
        pytest.param(["::ffff:10.0.0.1"], "refused", id="mapped"),
        pytest.param(["::10.0.0.1"], "refused", id="compatible"),
        pytest.param(["64:ff9b::a00:1"], "refused", id="NAT64"),
        pytest.param(["2002:a00:1::"], "refused", id="6to4"),
        pytest.param(["2001:0:a00:1::"], "refused", id="Teredo"),
        pytest.param(["fe80::1%eth0"], "refused", id="link-local with a zone"),
        pytest.param(["2606::1%lo"], "refused", id="public with a zone"),
        pytest.param([PUBLIC, "10.0.0.1"], "refused", id="mixed, good first"),
        pytest.param(["10.0.0.1", PUBLIC], "refused", id="mixed, bad first"),
        pytest.param([PUBLIC, "::1"], "refused", id="mixed families"),
        pytest.param([PUBLIC] * 100 + ["127.0.0.1"], "refused", id="bad one at the very end"),
        pytest.param(["2130706433"], "refused", id="decimal"),
        pytest.param(["0x7f000001"], "refused", id="hex"),
        pytest.param(["127.1"], "refused", id="short"),
        pytest.param([" 127.0.0.1"], "refused", id="space"),
        pytest.param(["internal.example.org"], "refused", id="a name, as a CNAME would"),
        pytest.param([""], "refused", id="empty text"),
        pytest.param([], "unreachable", id="no address"),
        pytest.param(socket.gaierror(-2, "unknown"), "unreachable", id="unknown name"),
        pytest.param(TimeoutError("no answer"), "unreachable", id="timeout"),
        pytest.param(UnicodeError("label too long"), "unreachable", id="unencodable"),
        pytest.param(RuntimeError("broken resolver"), "unreachable", id="broken resolver"),
    ],
)
def test_no_connection_is_opened_after_a_bad_dns_answer(
    network: Network, said: list[str] | Exception, kind: str
) -> None:
    resolver = Resolver(said)
    assert kind_of("http://photos.example.org/", resolver) == kind
    assert network.dialled == []
    assert resolver.asked == ["photos.example.org"]


def test_a_name_is_looked_up_once_and_the_checked_address_is_used(network: Network) -> None:
    resolver = Resolver([PUBLIC], ["127.0.0.1"])
    with HostileServer(answer(200, b"hello")) as server:
        network.servers[PUBLIC] = server
        assert fetch("http://rebinding.example.org/a?b=c", resolver).content == b"hello"
    assert resolver.asked == ["rebinding.example.org"]
    assert network.dialled == [(PUBLIC, 80)]
    assert server.requests[0].headers["host"] == "rebinding.example.org"
    assert server.requests[0].path == "/a?b=c"


def test_it_tries_the_next_address_when_one_is_dead(network: Network) -> None:
    with HostileServer() as server:
        network.servers[PUBLIC] = server
        assert fetch("http://example.org/", Resolver([OTHER_PUBLIC, PUBLIC])).status == 200
    assert network.dialled == [(OTHER_PUBLIC, 80), (PUBLIC, 80)]


def test_it_waits_no_longer_than_the_deadline_for_a_slow_resolver(network: Network) -> None:
    over = threading.Event()

    def slow(host: str, port: int) -> list[str]:
        over.wait(600)
        return [PUBLIC]

    began = time.monotonic()
    with pytest.raises(OutboundError) as late:
        calls.call("GET", "http://example.org/", rules=Rules(resolve=slow), seconds=0.2, cap=9)
    assert time.monotonic() - began < 120
    over.set()
    assert (late.value.kind, late.value.sent) == ("unreachable", False)
    assert network.dialled == []


def test_a_listed_origin_works_on_loopback_and_at_its_own_port() -> None:
    with HostileServer(answer(200, b"engine")) as server:
        assert fetch(f"{server.origin}/prompt", Resolver([]), server.origin).content == b"engine"


def test_a_listed_name_is_sent_in_the_host_header(network: Network) -> None:
    with HostileServer() as server:
        origin = server.origin_for("comfyui")
        assert fetch(origin, Resolver(["127.0.0.1"]), origin).status == 200
    assert server.requests[0].headers["host"] == f"comfyui:{server.port}"
    assert network.dialled == [("127.0.0.1", server.port)]


@pytest.mark.parametrize(
    "listed",
    [
        "https://127.0.0.1:{port}",
        "http://127.0.0.2:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}",
        "http://127.0.0.0/8",
        "*",
    ],
)
def test_a_listed_origin_allows_no_other_origin(network: Network, listed: str) -> None:
    with HostileServer() as server:
        assert kind_of(server.origin, Resolver([]), listed.format(port=server.port)) == "refused"
    assert network.dialled == []


@pytest.mark.parametrize("said", [["169.254.169.254"], ["127.0.0.1", "169.254.1.1"], ["0.0.0.0"]])
def test_a_listed_name_that_resolves_to_a_forbidden_address_is_refused(
    network: Network, said: list[str]
) -> None:
    assert kind_of("http://engine:8188/", Resolver(said), "http://engine:8188") == "refused"
    assert network.dialled == []


def test_our_own_origin_is_refused_even_when_listed() -> None:
    with HostileServer() as server:
        own = frozenset({server.origin})
        rules = Rules(allowed_origins=own, refused_origins=own)
        with pytest.raises(OutboundError) as refused:
            calls.call("GET", server.origin, rules=rules, seconds=60, cap=9)
        assert server.connections == 0
    assert refused.value.kind == "refused"
