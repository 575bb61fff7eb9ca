"""One of several processes that spend one purse at once: `python -m tests.faults.spend EMAIL TIMES`.

Prints how many of its edits were accepted.
"""

import os
import sys
import uuid

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "photoeditor_site.settings")
    django.setup()

    from editor.models import User
    from editor.options import EditOptions
    from editor.services import submit
    from tests import cast

    email, times = sys.argv[1], int(sys.argv[2])
    user = User.objects.get(email=email)
    accepted = 0
    for _ in range(times):
        draft = cast.make_draft(user)
        try:
            submit.submit_edit(
                cast.actor_of(user),
                prompt="black and white",
                options=EditOptions(),
                drafts=[draft],
                submit_id=uuid.uuid4(),
            )
            accepted += 1
        except submit.InsufficientCredits:
            pass
    print(accepted)  # noqa: T201
