"""Run one action of the web process or of housekeeping.

The action runs in a separate process that a test can kill at a crash point. The command is `python -m
tests.faults.actions submit|cancel|sweep|webhook`.
"""

import os
import sys
import uuid
from collections.abc import Callable

import django

SUBMIT_ID = uuid.UUID("0198c0de-0000-7000-8000-000000000001")


def submit_tray() -> None:
    from editor.models import User
    from editor.services.editing import submit
    from tests import cast

    user = User.objects.get()
    if submit.find_submitted(user, SUBMIT_ID) is not None:  # The editor page also makes this check first.
        return
    drafts = list(user.drafts.all())
    submission = submit.Submission(prompt="black and white", drafts=drafts, submit_id=SUBMIT_ID)
    cast.submit_edit(cast.actor_of(user), submission)


def cancel() -> None:
    from editor.models import Edit, User
    from editor.services.editing import lifecycle
    from tests import cast

    lifecycle.cancel(cast.actor_of(User.objects.get()), Edit.objects.get())


def sweep() -> None:
    from editor.services.editing import lifecycle

    lifecycle.sweep()


def deliver() -> None:
    from editor.services.editing import webhooks

    webhooks.deliver_due()


ACTIONS: dict[str, Callable[[], None]] = {
    "submit": submit_tray,
    "cancel": cancel,
    "sweep": sweep,
    "webhook": deliver,
}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
    django.setup()
    ACTIONS[sys.argv[1]]()
