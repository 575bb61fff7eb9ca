"""The time zones that users can choose. The site's time zone applies to users without a choice."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

COOKIE = "zone"  # name of the cookie with the browser's time zone, which a script sets
_REGIONS = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


@cache
def names() -> dict[str, list[str]]:
    """Return the time zones that can be chosen, such as Europe/Berlin, grouped by region."""
    by_region: dict[str, list[str]] = {}
    for name in sorted(_known()):
        region = name.partition("/")[0]
        if region in _REGIONS and name != region:
            by_region.setdefault(region, []).append(name)
    return by_region


def find_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with this name, which a user or a browser sent, or None if it is unknown."""
    return ZoneInfo(name) if name in _known() else None


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
