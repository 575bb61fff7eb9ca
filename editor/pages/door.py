"""The landing page that strangers see at `/`. tests/pages/test_door.py makes its examples again with the
engine."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from editor.options import Region


@dataclass(frozen=True)
class Print:
    """An example on the landing page: a sample photo, the instruction, the engine's plan, and the result."""

    sentence: str
    kind: str
    says: str
    sample: str
    result: str
    before: Promise
    after: Promise
    region: Region | None = None

    @property
    def regions(self) -> tuple[Region, ...]:
        return (self.region,) if self.region else ()


LARGE = Print(
    "make it autumn",
    "color",
    "Give the photo an autumn look",
    "bear",
    "bear-autumn",
    _("A teddy bear on a plank, before green trees"),
    _("The same bear, before trees in yellow and brown"),
)
PRINTS = (
    Print(
        "turn the red cup blue",
        "color",
        "Make the red cup blue",
        "desk",
        "desk-blue",
        _("A lamp, a camera and a red cup on a desk"),
        _("The same desk, and the cup is blue"),
    ),
    Print(
        "make the background white",
        "background",
        "Make the background white",
        "bear",
        "bear-white",
        _("A teddy bear on a plank, before green trees"),
        _("The same bear on plain white"),
    ),
    Print(
        "remove the lemon",
        "remove",
        "Erase the marked lemon",
        "tea",
        "tea-erased",
        _("A teapot, a pear, a vase of flowers and a lemon, with a box drawn around the lemon"),
        _("The same table, and where the lemon lay there is wood"),
        Region(0.468, 0.735, 0.16, 0.18),
    ),
)


def door(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/door/door.html", {"large": LARGE, "prints": PRINTS})
