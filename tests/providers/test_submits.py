"""Tests for create requests.

They cover the format, the photos, and the cases in which nothing is sent.
"""

import email.parser
import email.policy
import json
import threading
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from editor.imaging.sandbox import DECODE, Sandbox
from editor.options import Region
from editor.outbound import Rules
from editor.providers import photo_editor, waits
from editor.providers.contract import (
    CREATE_SECONDS,
    REJECTED,
    UNAVAILABLE,
    UNREACHABLE,
    UNREADABLE,
    Fault,
    ProviderError,
)
from tests import cast
from tests.hostile_server import Authority, HostileServer, Received, answer
from tests.providers.conftest import Requests, Serve
from tests.providers.create_responses import task
from tests.providers.provider_factory import KEY, Watching, make_provider

URLS = (
    "https://ours.example.org/media/signed/a/photo-1.jpeg",
    "https://ours.example.org/media/signed/b/photo-2.png",
)


def form_of(request: Received) -> dict[str, EmailMessage]:
    """Return the parts of a multipart body by name. Fail the test if a name occurs twice."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    whole = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + request.body)
    parts = {str(part.get_param("name", header="content-disposition")): part for part in whole.iter_parts()}
    assert len(parts) == len(list(whole.iter_parts()))
    return parts  # type: ignore[return-value]


def fields_of(request: Received) -> dict[str, str]:
    """Return the text fields of the form."""
    parts = form_of(request).items()
    return {name: part.get_payload(decode=True).decode() for name, part in parts if not part.get_filename()}  # type: ignore[union-attr]


def sent(
    serve: Serve, request_for: Requests, *arguments: Any, profile: Any = None, **options: Any
) -> Received:
    server = serve(answer(200, task()))
    make_provider(server.origin, **(profile or {})).submit(request_for(*arguments, **options), Watching())
    [request] = server.requests
    return request


def test_one_result_is_requested_by_a_form_with_the_photos_in_order(
    serve: Serve, request_for: Requests, tmp_path: Path
) -> None:
    photos = []
    for number, (kind, suffix) in enumerate([("JPEG", "jpg"), ("PNG", "png"), ("WEBP", "webp")]):
        photos.append(tmp_path / f"{number}.{suffix}")
        photos[-1].write_bytes(cast.photo_bytes(40 + number, 30, format=kind))
    request = sent(
        serve, request_for, "Grün & hell, “bitte”\r\nnow", tuple(photos), URLS, output_format="webp"
    )
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "idempotency-key" not in request.headers
    assert int(request.headers["content-length"]) == request.length
    assert fields_of(request) == {"prompt": "Grün & hell, “bitte”\r\nnow", "outputFormat": "webp"}
    files = {name: part for name, part in form_of(request).items() if part.get_filename()}
    assert list(files) == ["file0", "file1", "file2"]
    assert [part.get_content_type() for part in files.values()] == ["image/jpeg", "image/png", "image/webp"]
    assert [part.get_payload(decode=True) for part in files.values()] == [
        path.read_bytes() for path in photos
    ]
    assert all("tmp" not in str(part.get_filename()) for part in files.values())


def test_a_chosen_aspect_ratio_is_sent(serve: Serve, request_for: Requests) -> None:
    assert fields_of(sent(serve, request_for, aspect_ratio="16:9"))["aspectRatio"] == "16:9"


def test_several_results_are_requested_by_json_with_photo_urls(serve: Serve, request_for: Requests) -> None:
    request = sent(
        serve, request_for, "sepia ü", (), URLS, outputs=3, aspect_ratio="1:1", profile={"lends": True}
    )
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json() == {
        "prompt": "sepia ü",
        "aspectRatio": "1:1",
        "outputFormat": "png",
        "imageUrls": list(URLS),
        "numImages": 3,
    }


def test_regions_and_partial_are_not_sent_to_an_ordinary_site(serve: Serve, request_for: Requests) -> None:
    request = sent(serve, request_for, regions=(Region(0.1, 0.2, 0.3, 0.4),), partial=True)
    assert set(fields_of(request)) == {"prompt", "outputFormat"}


def test_another_darkroom_gets_all_options_and_an_idempotency_key(
    serve: Serve, request_for: Requests
) -> None:
    regions = (Region(0.1, 0.2, 0.3, 0.4), Region(0.5, 0.5, 0.5, 0.5, image=2))
    options: dict[str, Any] = {"regions": regions, "partial": True, "outputs": 3, "urls": URLS}
    request = sent(serve, request_for, profile={"extensions": True, "lends": True}, **options)
    assert request.headers["idempotency-key"] == request_for().edit_id
    fields = fields_of(request)
    assert json.loads(fields.pop("regions")) == [region.as_json() for region in regions]
    assert fields == {"prompt": "black and white", "outputFormat": "png", "numImages": "3", "partial": "true"}


def test_a_repeated_request_to_another_darkroom_has_the_same_key(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(502), answer(200, task()))
    door = make_provider(server.origin, extensions=True)
    with pytest.raises(ProviderError) as error:
        door.submit(request_for(), Watching())
    assert error.value.retry_after is not None
    door.submit(request_for(), Watching())
    first, second = server.requests
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"]
    assert fields_of(first) == fields_of(second)


@pytest.mark.parametrize(
    ("profile", "outputs", "regions", "repeats"),
    [
        ({}, 1, False, False),
        ({"lends": True}, 4, False, False),
        ({"lends": True, "outputs": 2}, 2, False, False),
        ({"extensions": True}, 4, True, True),
    ],
)
def test_the_capabilities_depend_on_the_profile(
    profile: Any, outputs: int, regions: bool, repeats: bool
) -> None:
    can = make_provider("https://photos.example.org", **profile).capabilities()
    assert (can.max_outputs, can.regions, can.idempotent_submit, can.plans) == (
        outputs,
        regions,
        repeats,
        False,
    )


def test_no_authorization_header_is_sent_without_a_key(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, task()))
    make_provider(server.origin, key="").submit(request_for(), Watching())
    assert "authorization" not in server.requests[0].headers


def test_the_base_url_may_contain_a_path(serve: Serve, request_for: Requests) -> None:
    server = serve(answer(200, task()))
    make_provider(f"{server.origin}/engines/photo").submit(request_for(), Watching())
    assert server.requests[0].path == "/engines/photo/api/photo-editor/generate"


def test_only_photos_that_are_too_large_are_made_smaller(
    serve: Serve, request_for: Requests, tmp_path: Path
) -> None:
    large, small = tmp_path / "large.png", tmp_path / "small.jpg"
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (300, 400, 3), np.uint8)).save(large)
    small.write_bytes(cast.photo_bytes())
    sandbox = Sandbox(DECODE)
    server = serve(answer(200, task()))
    make_provider(server.origin, sandbox=sandbox, photo_bytes=100_000).submit(
        request_for(photos=(large, small)), Watching()
    )
    sandbox.close()
    first, second = (
        part.get_payload(decode=True) for name, part in form_of(server.requests[0]).items() if "file" in name
    )
    assert isinstance(first, bytes)
    assert 20_000 < len(first) <= 100_000
    assert second == small.read_bytes()
    assert large.stat().st_size > 100_000


def error_of(base_url: str, request: Any, **changes: Any) -> ProviderError:
    with pytest.raises(ProviderError) as error:
        make_provider(base_url, **changes).submit(request, Watching())
    return error.value


@pytest.mark.parametrize("lookup", [OSError("no such name"), [], RuntimeError("a bad resolver")])
def test_a_failed_name_lookup_will_be_tried_again(request_for: Requests, lookup: Any) -> None:
    def resolve(host: str, port: int) -> list[str]:
        if isinstance(lookup, Exception):
            raise lookup
        return list(lookup)

    error = error_of("https://photos.example.org", request_for(), rules=Rules(resolve=resolve))
    assert (error.code, error.message, error.fault) == ("engine_unavailable", UNREACHABLE, Fault.ENGINE)
    assert error.retry_after is not None
    assert 1 <= error.retry_after <= 30


def test_a_refused_connection_will_be_tried_again(request_for: Requests) -> None:
    with HostileServer() as server:
        pass
    error = error_of(server.origin, request_for())
    assert (error.code, error.fault, error.retry_after is not None) == (
        "engine_unavailable",
        Fault.ENGINE,
        True,
    )


def test_an_unreachable_network_will_be_tried_again(request_for: Requests) -> None:
    error = error_of("http://10.1.2.3:8000", request_for())
    assert (error.code, error.retry_after is not None) == ("engine_unavailable", True)


@pytest.mark.parametrize(
    "base_url",
    [
        "http://169.254.169.254",
        "http://0.0.0.0",
        "http://224.0.0.1",
        "http://127.1",
        "http://h:99999",
        "http://a b",
    ],
)
def test_a_forbidden_base_url_is_a_fault_of_the_operator_and_not_tried_again(
    request_for: Requests, base_url: str
) -> None:
    error = error_of(base_url, request_for())
    assert (error.code, error.message) == ("engine_unavailable", UNAVAILABLE)
    assert (error.fault, error.retry_after) == (Fault.OPERATOR, None)


def test_missing_tls_is_a_fault_of_the_operator(serve: Serve, request_for: Requests) -> None:
    server = serve(greeting=[b"HTTP/1.1 400 Bad Request\r\n\r\n"])
    error = error_of(server.origin.replace("http:", "https:"), request_for())
    assert (error.fault, error.retry_after, server.requests) == (Fault.OPERATOR, None, [])


@pytest.mark.parametrize(
    "names", [("127.0.0.1",), ("elsewhere.example.org",)], ids=["a stranger's", "another name's"]
)
def test_an_untrusted_certificate_is_a_fault_of_the_operator(
    serve: Serve, request_for: Requests, tmp_path: Path, names: tuple[str, ...]
) -> None:
    authority = Authority(tmp_path)
    server = serve(answer(200, task()), tls=authority.server_context(*names))
    trusted = None if names == ("127.0.0.1",) else str(authority.trust)
    error = error_of(server.origin, request_for(), rules=Rules(ca_file=trusted))
    assert (error.fault, error.retry_after, server.requests) == (Fault.OPERATOR, None, [])


@pytest.mark.parametrize("days", [(-9, -1), (1, 9)], ids=["expired", "not yet valid"])
def test_an_expired_or_future_certificate_is_a_fault_of_the_operator(
    serve: Serve, request_for: Requests, tmp_path: Path, days: tuple[int, int]
) -> None:
    authority = Authority(tmp_path)
    server = serve(answer(200, task()), tls=authority.server_context("127.0.0.1", days=days))
    error = error_of(server.origin, request_for(), rules=Rules(ca_file=str(authority.trust)))
    assert (error.fault, error.retry_after, server.requests) == (Fault.OPERATOR, None, [])


def test_a_valid_certificate_is_accepted(serve: Serve, request_for: Requests, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serve(answer(200, task()), tls=authority.server_context("127.0.0.1"))
    door = make_provider(server.origin, rules=Rules(ca_file=str(authority.trust)))
    assert door.submit(request_for(), Watching()).task_id == "task-1"
    assert server.requests[0].is_secure


@pytest.mark.parametrize("message", ["Insufficient credits", "Nobody paints 'payment required' here"])
def test_a_prompt_about_payment_is_not_taken_for_a_shortage_of_credits(
    serve: Serve, request_for: Requests, message: str
) -> None:
    server = serve(answer(400, {"message": message}))
    error = error_of(server.origin, request_for("add a sign that says Payment required"))
    assert (error.code, error.message, error.fault) == ("rejected", REJECTED, Fault.REQUEST)


def test_a_missing_photo_fails_the_edit_before_anything_is_sent(
    serve: Serve, request_for: Requests, tmp_path: Path
) -> None:
    server = serve(answer(200, task()))
    error = error_of(server.origin, request_for(photos=(tmp_path / "gone.jpg",)))
    assert (error.code, error.message, error.retry_after) == ("engine_failed", UNREADABLE, None)
    assert (error.fault, server.connections) == (Fault.REQUEST, 0)


def test_a_photo_that_cannot_be_made_smaller_fails_the_edit_before_sending(
    serve: Serve, request_for: Requests, tmp_path: Path
) -> None:
    junk, sandbox = tmp_path / "junk.png", Sandbox(DECODE)
    junk.write_bytes(b"x" * 2_000)
    server = serve(answer(200, task()))
    error = error_of(server.origin, request_for(photos=(junk,)), sandbox=sandbox, photo_bytes=1_000)
    sandbox.close()
    assert (error.code, error.fault, server.connections) == ("engine_failed", Fault.REQUEST, 0)
    assert error.message.endswith("You were not charged.")


def test_another_darkroom_with_a_full_queue_is_tried_again_when_it_asks(
    serve: Serve, request_for: Requests
) -> None:
    """Another Darkroom refuses the request before creating anything, so its 503 status is not ambiguous."""
    body = {"code": 503, "success": False, "message": "Too many edits are waiting.", "data": None}
    busy = answer(503, body, headers={"Retry-After": "60"})
    error = error_of(serve(busy).origin, request_for(), extensions=True)
    assert (error.code, error.retry_after) == ("engine_unavailable", 60)
    assert error_of(serve(busy).origin, request_for()).code == "unconfirmed"


def test_a_redirect_of_a_create_request_is_not_followed(serve: Serve, request_for: Requests) -> None:
    elsewhere = serve(answer(200, task()))
    server = serve(answer(307, headers={"Location": f"{elsewhere.origin}/api/photo-editor/generate"}))
    assert error_of(server.origin, request_for()).fault is Fault.OPERATOR
    assert (len(server.requests), elsewhere.connections) == (1, 0)


def test_one_provider_serves_several_threads(serve: Serve, request_for: Requests) -> None:
    server = serve(lambda request: answer(200, task(f"task-{request.number}"))(request))
    door, request, tickets = make_provider(server.origin), request_for(), set()
    threads = [
        threading.Thread(target=lambda: tickets.add(door.submit(request, Watching()).task_id))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tickets) == len(server.requests) == 8


def test_the_timeouts_and_limits_have_the_documented_values() -> None:
    assert (CREATE_SECONDS, photo_editor.STATUS_SECONDS, photo_editor.DOWNLOAD_SECONDS) == (
        90,
        15,
        60,
    )
    assert (photo_editor.ANSWER_BYTES, waits.MAX_WAIT_SECONDS) == (1024 * 1024, 120)
