"""The page of a list that an address names, for every page that has one."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/w/alice/history/", "/w/alice/webhooks/"])
@pytest.mark.parametrize(
    "page",
    ["000001" + "9" * 18, "000001" + "9" * 5000, "9" * 30, "0", "-1", "01", "\u0663", "1\n", "\x00", "x", ""],
)
def test_a_page_number_that_is_none_shows_the_first_page(
    client_of: Callable[[User], Client], alice: User, address: str, page: str
) -> None:
    response = client_of(alice).get(address, {"page": page})
    assert response.status_code == 200
    assert "Newer" not in response.text
