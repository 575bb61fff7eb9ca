"""The time zones that users can choose. Users who have not chosen one get the site's time zone."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

COOKIE = "zone"  # name of the cookie that stores the browser's time zone; a script sets it
_REGIONS = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


@cache
def names() -> dict[str, list[str]]:
    """Return the time zones that users can choose, such as Europe/Berlin, grouped by region."""
    by_region: dict[str, list[str]] = {}
    for name in sorted(_known()):
        region = name.partition("/")[0]
        if region in _REGIONS and name != region:
            by_region.setdefault(region, []).append(name)
    return by_region


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with this name, or None if it is unknown.

    The name comes from a user or a browser.
    """
    return ZoneInfo(name) if name in _known() else None


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
