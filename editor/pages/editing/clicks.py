"""Marks on photo 1 without JavaScript.

The page shows the photo as a button. A click on it submits the form with the place of the click, which
becomes a point that selects something, or a box.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext

from editor.engine.plan import Way, WayKind
from editor.models import DraftPhoto
from editor.options import EditOptions, Point, Region
from editor.services.editing.refusals import MARKS

CLEAR = "clear-marks"
_SIDE = 272  # longest side of the photo in CSS pixels; the panel has room for it on the narrowest phone
_BOX = 0.3  # width and height of the box, as with a tap in static/js/point.js
_NAMES = {WayKind.POINT: "click-point", WayKind.BOX: "click-box"}


class NoPlace(Exception):
    """Raised when the photo was activated with a key, so that there is no place."""

    def __init__(self) -> None:
        super().__init__(
            gettext("Click the place in the photo, or name it in the prompt, such as “the dog on the left”.")
        )


@dataclass(frozen=True)
class ClickablePhoto:
    """Photo 1 as a button with this name and size. It is shown at first if something should be marked."""

    photo: DraftPhoto
    kind: WayKind
    is_open: bool

    @property
    def name(self) -> str:
        return _NAMES[self.kind]

    @property
    def size(self) -> tuple[int, int]:
        return _size(self.photo)


def clickable_photo(
    photo: DraftPhoto, ways: Sequence[Way], options: EditOptions, *, can_select: bool, tool: str = ""
) -> ClickablePhoto:
    """Return the button for what the ways to continue ask for. `tool` is the tool that the URL names."""
    kinds = {way.kind for way in ways} | {tool}
    has_box = WayKind.BOX in kinds or bool(options.regions)
    needs_box = not can_select or (has_box and WayKind.POINT not in kinds)
    is_open = bool(kinds & {*MARKS} or options.regions or options.points)
    return ClickablePhoto(photo, WayKind.BOX if needs_box else WayKind.POINT, is_open)


def is_click(names: Collection[str]) -> bool:
    """Check whether a form with these fields was submitted to change the marks."""
    return CLEAR in names or any(f"{name}.x" in names for name in _NAMES.values())


def with_click(data: QueryDict, photo: DraftPhoto | None) -> QueryDict:
    """Return the form data with the mark that the person made by a click, instead of those made before.

    Raises NoPlace.
    """
    if not is_click(data) or (photo is None and CLEAR not in data):
        return data
    changed = data.copy()
    changed.setlist("point", [])
    changed.setlist("region", [])
    if photo is None or CLEAR in data:
        return changed
    kind = next(kind for kind, name in _NAMES.items() if f"{name}.x" in data)
    x, y = _place(data, _NAMES[kind], photo)
    if kind is WayKind.POINT:
        changed["point"] = str(Point(x, y))
    else:
        left, top = (min(max(side - _BOX / 2, 0), 1 - _BOX) for side in (x, y))
        box = Region(left, top, _BOX, _BOX)
        changed["region"] = f"{box.x:.4f},{box.y:.4f},{box.w},{box.h}"
    return changed


def _place(data: QueryDict, name: str, photo: DraftPhoto) -> tuple[float, float]:
    """Return the place of the click as fractions of the photo's width and height. Raises NoPlace."""
    try:
        at = [int(data.get(f"{name}.{axis}", "")) for axis in "xy"]
    except ValueError:
        raise NoPlace from None
    if at == [0, 0]:
        raise NoPlace
    x, y = (min(max(side / most, 0), 1) for side, most in zip(at, _size(photo), strict=True))
    return round(x, 4), round(y, 4)


def _size(photo: DraftPhoto) -> tuple[int, int]:
    scale = _SIDE / max(photo.width, photo.height)
    return max(1, round(photo.width * scale)), max(1, round(photo.height * scale))
