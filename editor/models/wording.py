"""Translate stored sentences and format values in the active language."""

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, gettext

from editor.sentences import Sentence, SentenceData, format_sentence, from_json_data, has_words

# The value that is a sentence in these templates. Earlier releases stored it as a string.
_FORMER_STRINGS = {
    "%(said)s You were not charged.": "said",
    "%(why)s You were not charged. Draw a box around it, or turn off “Keep everything else”.": "why",
    "A photo could not be made small enough. %(why)s": "why",
    "Photo %(number)s could not be used: %(why)s": "why",
}


class TranslatedText(str):
    """Text to show.

    `lang` is "en" if the page uses another language but this text has not been translated from English.
    """

    lang = ""


def translate_text(text: SentenceData) -> TranslatedText:
    """Translate text that was created in English before the reader's language was known.

    Text without a translation, such as a message of an external engine, is returned unchanged.
    """
    sentence = from_json_data(text)
    words = sentence.template
    own = gettext(words) if words else ""
    inner = {
        name: translate_text(value) if _is_sentence(value, name, words) else value
        for name, value in sentence.values.items()
    }
    shown = TranslatedText(format_sentence(own, inner, number))
    is_english = own == words if has_words(words) else any(getattr(one, "lang", "") for one in inner.values())
    shown.lang = "en" if is_english and get_language() != "en" else ""
    return shown


def _is_sentence(value: object, name: str, words: str) -> bool:
    """Return whether a value of a sentence is itself a sentence.

    Other strings, such as words of the prompt or what an administrator wrote, are shown unchanged.
    """
    return isinstance(value, Sentence) or (isinstance(value, str) and _FORMER_STRINGS.get(words) == name)


def number(value: float) -> str:
    """Format a number with the active language's separators."""
    return str(number_format(value, force_grouping=True))


def moment(value: datetime) -> str:
    """Format a day and time in the reader's time zone.

    If this is only the site's default time zone, its name is added.
    """
    return f"{date_format(timezone.localtime(value), 'DATETIME_FORMAT')}{_zone()}"


def time_of_day(value: datetime) -> str:
    """Format a time of day in the reader's time zone.

    If this is only the site's default time zone, its name is added.
    """
    return f"{date_format(timezone.localtime(value), 'TIME_FORMAT')}{_zone()}"


def _zone() -> str:
    name = timezone.get_current_timezone_name()
    return f" {name}" if name == timezone.get_default_timezone_name() else ""


def duration(seconds: float) -> str:
    """Format a duration in seconds or, if it is at least a minute, in minutes, with one decimal."""
    # Imported here because this module loads the template engine.
    from django.template.defaultfilters import floatformat

    words, amount = (gettext("%(n)s s"), seconds) if seconds < 60 else (gettext("%(n)s min"), seconds / 60)
    return words % {"n": floatformat(amount, 1)}


class WithNotices(models.Model):
    """A row with user-readable notices, stored in English."""

    notices = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True

    @property
    def notices_shown(self) -> list[TranslatedText]:
        """Return the notices in the active language."""
        return [translate_text(notice) for notice in self.notices]
