"""Tests for signed photo URLs.

Such a URL works for anyone and can be embedded on any site, until it expires or its user loses access.
"""

from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from editor.models import Edit, Membership, ReferencePhoto, ResultPhoto, User, Workspace
from editor.pages.errors import NOT_FOUND
from editor.pages.photos.media import HEADERS
from editor.services.core import access, links
from editor.services.photos import drafts
from tests import cast

pytestmark = pytest.mark.django_db
CROSS_SITE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}


@pytest.fixture
def result(alice: User, team: Workspace) -> ResultPhoto:
    """Create alice's result in the team, with stored files."""
    glass = cast.photo_file(format="PNG", mode="RGBA", color=(70, 130, 180, 99))
    upload = drafts.store_upload(glass, name="a.png")
    edit = cast.make_edit(
        alice, workspace=team, prompt="Make the sky darker!", results=[upload.file_fields()]
    )
    return edit.results.get()


def address_of(photo: ResultPhoto | ReferencePhoto, user: User, **changed: Any) -> str:
    until = timezone.now() + timedelta(days=7)
    options: dict[str, Any] = {"user_id": user.pk, "expires": until, "site": ""}
    return links.signed_photo_url(photo, **options | changed)


def fetch(address: str, client: Client | None = None, headers: dict[str, str] | None = None) -> Any:
    response: Any = (client or Client()).get(address, headers=headers)
    response.body = response.getvalue() if response.streaming else response.content
    return response


def assert_dead(address: str) -> None:
    response = fetch(address)
    assert response.status_code == 404
    assert NOT_FOUND in unescape(response.text)


def test_anyone_with_the_url_gets_the_photo_and_no_cookies(alice: User, result: ResultPhoto) -> None:
    response = fetch(address_of(result, alice))
    assert response.status_code == 200
    assert response.body == cast.path_of(result).read_bytes()
    assert not response.cookies


def test_the_photo_can_be_embedded_on_other_sites(alice: User, result: ResultPhoto) -> None:
    response = fetch(address_of(result, alice), headers=CROSS_SITE)
    assert response.status_code == 200
    expected = HEADERS | {"Cross-Origin-Resource-Policy": "cross-origin", "Referrer-Policy": "no-referrer"}
    assert {name: response.headers[name] for name in expected} == expected
    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Content-Disposition"] == 'inline; filename="make-the-sky-darker-1.png"'


def test_the_original_file_name_of_a_photo_is_not_revealed(alice: User, result: ResultPhoto) -> None:
    reference = result.edit.references.get()
    reference.key, reference.name = f"aa/{reference.id.hex}.jpg", "Alice's passport.jpg"
    reference.save()
    cast.path_of(reference).parent.mkdir(parents=True, exist_ok=True)
    cast.path_of(reference).write_bytes(cast.photo_bytes())
    response = fetch(address_of(reference, alice))
    assert response.headers["Content-Disposition"] == 'inline; filename="photo-1.jpg"'


def test_the_signed_in_user_makes_no_difference(
    alice: User, charlie: User, client_of: Callable[[User], Client], result: ResultPhoto
) -> None:
    assert fetch(address_of(result, alice), client_of(charlie)).status_code == 200
    assert fetch(address_of(result, charlie), client_of(alice)).status_code == 404, (
        "the URL was signed for a stranger"
    )


def test_the_url_ends_with_a_file_name_that_can_be_changed(alice: User, result: ResultPhoto) -> None:
    address = address_of(result, alice)
    assert address.endswith("/result-1.png")
    assert fetch(address.replace("result-1.png", "sky.png")).status_code == 200


def test_the_url_expires_on_time(alice: User, result: ResultPhoto) -> None:
    with time_machine.travel("2026-01-01 12:00Z", tick=False) as clock:
        address = address_of(result, alice)
        clock.move_to("2026-01-08 11:59Z")
        assert fetch(address).status_code == 200
        clock.move_to("2026-01-08 12:00Z")
        assert_dead(address)


def test_the_url_stops_working_when_the_photo_is_gone(alice: User, result: ResultPhoto) -> None:
    address = address_of(result, alice)
    Edit.objects.update(purged=timezone.now())
    assert_dead(address)
    Edit.objects.update(purged=None)
    cast.path_of(result).unlink()
    assert_dead(address)
    result.delete()
    assert_dead(address)


def test_the_url_stops_working_when_its_user_loses_access(
    alice: User, bob: User, team: Workspace, result: ResultPhoto
) -> None:
    of_bob, of_alice = address_of(result, bob), address_of(result, alice)
    Membership.objects.filter(user=bob, workspace=team).delete()
    assert_dead(of_bob)
    assert fetch(of_alice).status_code == 200
    User.objects.filter(id=alice.id).update(is_active=False)
    assert_dead(of_alice)


@pytest.mark.parametrize(
    "change", [lambda s: s[:-1], lambda s: "x" + s[1:], lambda s: s.replace(".", ":", 1)]
)
def test_a_changed_url_is_invalid(alice: User, result: ResultPhoto, change: Callable[[str], str]) -> None:
    _, signed, name = address_of(result, alice).rsplit("/", 2)
    assert_dead(f"/media/signed/{change(signed)}/{name}")


def test_a_signature_for_one_purpose_is_invalid_for_another(alice: User, result: ResultPhoto) -> None:
    signed = address_of(result, alice).split("/")[3]
    assert links.unsign_status(signed) is None
    assert_dead(f"/media/signed/{links.sign_status(result.edit, alice)}/x.png")
    assert Client().get(f"/s/{signed}/").status_code == 404


def test_the_url_allows_get_and_head_but_not_post(alice: User, result: ResultPhoto) -> None:
    address = address_of(result, alice)
    assert Client().post(address).status_code == 405
    head: Any = Client().head(address)
    head._resource_closers[0]()  # Close the file, as a client does when it has read the body.
    assert head.status_code == 200


@pytest.mark.parametrize("site", ["", "https://photos.example.org", "http://127.0.0.1:8000"])
def test_a_url_of_this_site_is_recognized_under_any_host_name(
    alice: User, result: ResultPhoto, site: str
) -> None:
    known = links.unsign_photo_url(address_of(result, alice, site=site))
    assert known == links.SignedPhoto("results", result.id, alice.pk)
    assert access.find_signed_photo(known) == result
    escaped = address_of(result, alice, site=site).replace(":", "%3A").replace("https%3A", "https:")
    if not site.startswith("http:"):
        assert links.unsign_photo_url(escaped) == known


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/photo.jpg",
        "https://example.org/media/signed/x/y.png",
        "https://example.org/media/signed/x",
        "https://[::1/media/signed/x/y.png",
        "",
    ],
)
def test_other_urls_are_not_recognized(address: str) -> None:
    assert links.unsign_photo_url(address) is None


def test_an_expired_url_is_not_recognized(alice: User, result: ResultPhoto) -> None:
    late = address_of(result, alice, expires=timezone.now() - timedelta(seconds=1))
    assert links.unsign_photo_url(late) is None


def test_the_signature_is_redacted_in_logs(alice: User, result: ResultPhoto) -> None:
    from editor.logs import redact

    address = address_of(result, alice, site="https://photos.example.org")
    signed = address.split("/")[5]
    assert signed not in redact(f"Not Found: {address}")
    assert redact("/media/results/0199f0c2/360/") == "/media/results/0199f0c2/360/"
