"""Tests for signed URLs."""

import pytest
import time_machine

from editor.models import User
from editor.services.core import links
from tests import cast

pytestmark = pytest.mark.django_db


def test_a_status_url_identifies_its_edit_and_its_user(alice: User) -> None:
    edit = cast.make_edit(alice)
    assert links.unsign_status(links.sign_status(edit, alice)) == links.SignedStatus(
        str(edit.id), alice.pk, "en"
    )


def test_a_status_url_expires_after_a_day(alice: User) -> None:
    with time_machine.travel("2026-01-01 12:00Z", tick=False):
        signed = links.sign_status(cast.make_edit(alice), alice)
    with time_machine.travel("2026-01-02 11:59Z", tick=False):
        assert links.unsign_status(signed)
    with time_machine.travel("2026-01-02 12:01Z", tick=False):
        assert links.unsign_status(signed) is None


@pytest.mark.parametrize(
    "change", [lambda s: s[:-1], lambda s: "x" + s[1:], lambda s: "", lambda s: "a.b.c:d"]
)
def test_a_changed_status_url_is_invalid(alice: User, change: object) -> None:
    signed = links.sign_status(cast.make_edit(alice), alice)
    assert links.unsign_status(change(signed)) is None  # type: ignore[operator]


def test_a_signature_for_one_purpose_is_invalid_for_another() -> None:
    assert links.unsign_status(links.owner_link_token()) is None


def test_the_owner_link_is_valid_only_while_there_is_no_account(db: None) -> None:
    token = links.owner_link_token()
    assert links.is_owner_token(token)
    assert not links.is_owner_token(token[:-1])
    cast.make_user()
    assert not links.is_owner_token(token)
