"""The time zones that people live in. Who has said none lives in the site's."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

COOKIE = "zone"  # the browser's own, which a script of every page writes
_REGIONS = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


@cache
def names() -> dict[str, list[str]]:
    """Those that can be chosen, as Europe/Berlin, by their region."""
    by_region: dict[str, list[str]] = {}
    for name in sorted(_known()):
        region = name.partition("/")[0]
        if region in _REGIONS and name != region:
            by_region.setdefault(region, []).append(name)
    return by_region


def find_zone(name: str) -> ZoneInfo | None:
    """The zone of this name, which a person or a browser has given; None when there is none."""
    return ZoneInfo(name) if name in _known() else None


@cache
def _known() -> frozenset[str]:
    return frozenset(available_timezones())
