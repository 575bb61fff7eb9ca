"""Fixtures for tests of races and of killed processes, with real files and real transactions."""

from collections.abc import Callable

import pytest

from editor.models import Edit, User
from editor.services.editing import submit
from editor.services.photos import drafts
from tests import cast


@pytest.fixture
def submitted(transactional_db: None) -> Callable[..., Edit]:
    """Return a function that submits an edit of one photo as the page does.

    The wake-up of the edit remains in the queue.
    """

    def make(user: User, prompt: str = "black and white", size: tuple[int, int] = (640, 480)) -> Edit:
        actor = cast.actor_of(user)
        photo = cast.photo_file(width=size[0], height=size[1])
        draft = drafts.create_draft(actor, photo, name="photo.jpg")
        return cast.submit_edit(actor, submit.Submission(prompt=prompt, drafts=[draft]))

    return make
