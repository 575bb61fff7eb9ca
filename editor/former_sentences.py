"""Sentences that may still be in rows stored by earlier releases.

Only `models.wording.translate_text` looks them up in the catalog. They are listed here so that `makemessages`
does not remove them from the catalog.
"""

from django.utils.translation import gettext_noop

FORMER_SENTENCES: tuple[str, ...] = (
    gettext_noop("%(thing)s"),
    gettext_noop("The engine did not make the shape %(shape)s."),
    gettext_noop("This edit can be done in one way only: some of the results are the same."),
    gettext_noop("This is too long to read. Split it into shorter requests."),
    gettext_noop("Transparent parts became white, since JPEG has no transparency."),
    gettext_noop("A result could not be read as a picture. You were not charged. You can run it again."),
    gettext_noop("A result is too large to be kept. You were not charged."),
    gettext_noop("Answered 410: this address wants to hear nothing more."),
    gettext_noop("Closed: the credits that were left"),
    gettext_noop("Could not store the result. You were not charged. You can run it again."),
    gettext_noop("I can draw a blue sky with clouds, a clear sky, a sunset, or a night sky."),
    gettext_noop("I can't find what should stay as it is. Draw a box around what should change."),
    gettext_noop("I can only crop to a rectangle. I can crop to a square, or round the corners."),
    gettext_noop("It could not be stored. Try again later."),
    gettext_noop("It could not be told."),
    gettext_noop("Result %(which)s of %(all)s is missing. Here is what came; you were not charged."),
    gettext_noop("Results %(which)s of %(all)s are missing. Here is what came; you were not charged."),
    gettext_noop("The address was removed, or who added it has left."),
    gettext_noop("The answer did not come in time."),
    gettext_noop("The answer is larger than allowed."),
    gettext_noop("The certificate of this address could not be verified."),
    gettext_noop("The connection broke before the answer was complete."),
    gettext_noop(
        "The disk of this site is full. You were not charged. You can run it again when there is room."
    ),
    gettext_noop("The engine no longer knows this edit. You were not charged. You can run it again."),
    gettext_noop("The engine stopped working on this edit."),
    gettext_noop("There is no room on the disk for this photo."),
    gettext_noop("This address could not be reached."),
    gettext_noop("This address did not give a file."),
    gettext_noop("This address is not allowed."),
    gettext_noop("This edit needs more memory than it may have. Try it with a smaller photo."),
    gettext_noop("This edit needs too much memory. Try a smaller photo."),
    gettext_noop("This edit was not done in time. You were not charged. You can run it again."),
    gettext_noop("This file moves: only its first picture is used."),
    gettext_noop("This is not a photo that can be edited: use JPEG, PNG, WebP, HEIC or AVIF."),
    gettext_noop("This photo is no longer here."),
    gettext_noop("This photo is too large: at most %(most)s MB are allowed."),
    gettext_noop(
        "This photo is too large: at most %(most)s megapixels and %(side)s pixels a side are allowed."
    ),
    gettext_noop("This photo was reduced to 8 bits for each color, because of its color profile."),
    gettext_noop(
        "This result waits for approval, so you edit its 1600-pixel preview. Once it is approved, you can "
        "edit the original."
    ),
    gettext_noop("WebP holds at most %(most)s pixels a side: choose PNG or JPEG."),
)
