"""Tests for the `before` and `after` keys in the URLs of all paged lists."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import User
from tests.cast import make_edit

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("way", ["before", "after"])
@pytest.mark.parametrize("address", ["/w/alice/history/", "/w/alice/webhooks/"])
@pytest.mark.parametrize(
    "key", ["9" * 30, "9" * 5000, "0", "-1", "01", "\u0663", "1\n", "\x00", "x", "", "\U0001f600"]
)
def test_an_invalid_key_does_not_break_a_list(
    client_of: Callable[[User], Client], alice: User, address: str, way: str, key: str
) -> None:
    make_edit(alice, prompt="the newest one")
    response = client_of(alice).get(address, {way: key})
    assert response.status_code == 200
    assert ("the newest one" in response.text) == ("history" in address)
    assert "Newer" not in response.text
