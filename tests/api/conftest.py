"""Fixtures for the API tests."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from editor.models import User, Workspace
from editor.services.people import accounts
from tests import cast

type Program = Callable[..., Client]


@pytest.fixture
def program() -> Program:
    """Return a function that creates a user's API key and returns a client that uses the key.

    The key belongs to the user's personal workspace unless another workspace is given.
    """

    def make(user: User, workspace: Workspace | None = None, **options: Any) -> Client:
        _, secret = accounts.create_api_key(cast.actor_of(user, workspace), name="a program")
        return Client(headers={"Authorization": f"Bearer {secret}"}, **options)

    return make


@pytest.fixture
def api(program: Program, alice: User) -> Client:
    """Return a client that uses an API key for alice's personal workspace, which has 400 credits."""
    return program(alice)
