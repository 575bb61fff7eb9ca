"""Tests that query parameters of admin lists do not reveal data that is hidden in the lists."""

from collections.abc import Callable

import pytest
from django.test import Client

from editor.models import User
from tests.cast import make_edit

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.mark.parametrize(
    "query",
    [
        "editor/edit/?prompt__startswith=private",
        "editor/edit/?failure_message__contains=private",
        "editor/edit/?plan__isnull=True",
        "editor/webhookendpoint/?secret__startswith=whsec_",
        "editor/webhookdelivery/?body__contains=signed",
        "editor/apikey/?digest__startswith=a",
        "editor/creditentry/?edit__prompt__startswith=private",
        "editor/user/?password__startswith=a",
        "mfa/authenticator/?data__secret__startswith=a",
    ],
)
def test_a_list_cannot_be_filtered_by_hidden_fields(
    client_of: SignIn, alice: User, staff: User, query: str
) -> None:
    make_edit(alice, prompt="private words")
    assert client_of(staff).get(f"/admin/{query}").headers["Location"].endswith("/?e=1")


@pytest.mark.parametrize("model", ["edit", "workspace", "user", "apikey"])
@pytest.mark.parametrize("row", ["9" * 30, "-1", "²", "0" * 5000, "\x00", "a-b"])
def test_an_invalid_row_id_is_not_found(client_of: SignIn, staff: User, model: str, row: str) -> None:
    verb = {"edit": "hide", "workspace": "open"}.get(model, "block")
    answer = client_of(staff).get(f"/admin/editor/{model}/do/{verb}/", {"row": row})
    assert answer.status_code == 404
