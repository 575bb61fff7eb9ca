"""Template filters for times: readable text in the user's time zone, along with a machine-readable value."""

from datetime import datetime

from django.template import Library
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from editor.models import wording

register = Library()


@register.filter(expects_localtime=True)
def moment(value: datetime | None) -> SafeString | str:
    """Show the date and the time of day."""
    return _time(value, wording.moment(value)) if value else ""


@register.filter(expects_localtime=True)
def day(value: datetime | None) -> SafeString | str:
    return _time(value, date_format(value, "DATE_FORMAT")) if value else ""


@register.filter(expects_localtime=True)
def clock(value: datetime | None) -> SafeString | str:
    """Show only the time of day, for use next to a date."""
    return _time(value, wording.time_of_day(value)) if value else ""


@register.filter(expects_localtime=True)
def in_words(value: datetime) -> str:
    """Return the date and time as plain text, for emails."""
    return wording.moment(value)


def _time(value: datetime, text: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), text)
