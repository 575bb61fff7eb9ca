"""Tests that pages are compressed unless they contain both secrets and text that others can influence."""

import gzip

import pytest
from django.test import Client

from editor.models import User

GZIP = {"Accept-Encoding": "gzip"}


@pytest.mark.django_db
def test_a_plain_page_is_compressed(client: Client) -> None:
    answer = client.get("/", headers=GZIP)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert b"Say what should" in gzip.decompress(answer.content)


def test_a_response_to_user_input_is_not_compressed(client: Client, alice: User) -> None:
    client.force_login(alice)
    for answer in (
        client.get("/w/alice/history/?q=sunset", headers=GZIP),
        client.post("/w/alice/", {"prompt": ""}, headers=GZIP),
        client.post("/accounts/login/", {"login": "nobody"}, headers=GZIP),
    ):
        assert "Content-Encoding" not in answer.headers


def test_the_padding_differs_each_time(client: Client, alice: User) -> None:
    """The CSRF token is masked differently each time.

    In addition, a random name in the gzip data hides the length.
    """
    client.force_login(alice)
    assert len({len(client.get("/w/alice/credits/", headers=GZIP).content) for _ in range(8)}) > 1
