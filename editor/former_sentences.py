"""Sentences that rows stored by earlier releases may still contain.

Nothing shows them but `models.wording.worded`, which looks their translation up. They are listed here so that
`makemessages` keeps them in the catalog.
"""

from django.utils.translation import gettext_noop

FORMER_SENTENCES: tuple[str, ...] = (
    gettext_noop("This edit can be done in one way only: some of the results are the same."),
    gettext_noop("This is too long to read. Split it into shorter requests."),
    gettext_noop("Transparent parts became white, since JPEG has no transparency."),
)
