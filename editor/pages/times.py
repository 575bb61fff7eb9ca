"""Filters of all templates: times as people read them, in their zone, and as programs do."""

from datetime import datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from editor.models import wording

register = Library()


@register.filter(expects_localtime=True)
def moment(value: datetime | None) -> SafeString | str:
    """Day and time."""
    return _time(value, wording.moment(value)) if value else ""


@register.filter(expects_localtime=True)
def day(value: datetime | None) -> SafeString | str:
    return _time(value, date_format(value, "DATE_FORMAT")) if value else ""


@register.filter(expects_localtime=True)
def clock(value: datetime | None) -> SafeString | str:
    """The time of a day that stands beside it."""
    return _time(value, wording.clock(value)) if value else ""


@register.filter(expects_localtime=True)
def in_words(value: datetime) -> str:
    """As `moment`, for mails."""
    return wording.moment(value)


def _time(value: datetime, said: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), said)
