"""How something is said in the language that is spoken now."""

from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language, gettext

from editor.sentences import Kept, Sentence, format_sentence, read


class Worded(str):
    """What is shown; `lang` is "en" where the page speaks another language and this stayed English."""

    lang = ""


def worded(text: Kept) -> Worded:
    """A sentence that was kept in English, or comes from where no language is known. What has no translation,
    as what an engine says of an instruction, stays as it is."""
    said = read(text)
    words, values = (said.words, said.values) if isinstance(said, Sentence) else (said, {})
    own = gettext(words) if words else ""
    inner = {name: worded(value) if isinstance(value, str) else value for name, value in values.items()}
    shown = Worded(format_sentence(own, inner, number))
    shown.lang = "en" if own == words and get_language() != "en" else ""
    return shown


def number(value: float) -> str:
    """With the separators of the language."""
    return str(number_format(value, force_grouping=True))


def moment(value: datetime) -> str:
    """Day and time in the zone of who reads it; where that is only the site's, it is named."""
    return f"{date_format(timezone.localtime(value), 'DATETIME_FORMAT')}{_zone()}"


def clock(value: datetime) -> str:
    """The time of day, likewise."""
    return f"{date_format(timezone.localtime(value), 'TIME_FORMAT')}{_zone()}"


def _zone() -> str:
    name = timezone.get_current_timezone_name()
    return f" {name}" if name == timezone.get_default_timezone_name() else ""


def duration(seconds: float) -> str:
    """In seconds, or from a minute on in minutes."""
    from django.template.defaultfilters import floatformat  # which brings the templates

    words, amount = (gettext("%(n)s s"), seconds) if seconds < 60 else (gettext("%(n)s min"), seconds / 60)
    return words % {"n": floatformat(amount, 1)}


class WithNotices(models.Model):
    """What people should know of a row, kept in English."""

    notices = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True

    @property
    def notices_shown(self) -> list[Worded]:
        """In the language that is spoken."""
        return [worded(notice) for notice in self.notices]
