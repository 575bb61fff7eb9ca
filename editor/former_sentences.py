"""Sentences that rows stored by earlier releases may still contain.

Nothing shows them but `models.wording.worded`, which looks their translation up. They are listed here so that
`makemessages` keeps them in the catalog.
"""

from django.utils.translation import gettext_noop

FORMER_SENTENCES: tuple[str, ...] = ()
