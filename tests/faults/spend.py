"""Run one of several processes that spend the same balance simultaneously.

The command is `python -m tests.faults.spend EMAIL TIMES`. It prints the number of its edits that were
accepted.
"""

import os
import sys
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from editor.models import DraftPhoto, User


def spend(user: "User", drafts: "list[DraftPhoto]") -> int:
    """Submit an edit of each draft, and return the number of edits that the balance was sufficient for."""
    from editor.services.editing import submit
    from tests import cast

    accepted = 0
    for draft in drafts:
        try:
            submission = submit.Submission(prompt="black and white", drafts=[draft])
            cast.submit_edit(cast.actor_of(user), submission)
            accepted += 1
        except submit.InsufficientCredits:
            pass
    return accepted


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
    django.setup()

    from editor.models import User
    from tests import cast

    spender = User.objects.get(email=sys.argv[1])
    made = [cast.make_draft(spender) for _ in range(int(sys.argv[2]))]
    print(spend(spender, made))  # noqa: T201
