"""Fixtures for the interface that programs call."""

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
    """A client that calls with a new key of this user, in their own workspace or in the one given."""

    def make(user: User, workspace: Workspace | None = None, **options: Any) -> Client:
        _, secret = accounts.create_api_key(cast.actor_of(user, workspace), name="a program")
        return Client(headers={"Authorization": f"Bearer {secret}"}, **options)

    return make


@pytest.fixture
def api(program: Program, alice: User) -> Client:
    """alice's program, in her own workspace with 400 credits."""
    return program(alice)
