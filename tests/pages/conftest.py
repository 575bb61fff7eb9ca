"""Fixtures for the page tests."""

import pytest

from editor.models import DraftPhoto, User
from editor.services.photos import drafts
from tests import cast


@pytest.fixture
def draft(alice: User) -> DraftPhoto:
    return drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="lake.jpg")
