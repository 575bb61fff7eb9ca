"""The photo with which a result is compared, and the comparison view. The query string selects both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import ReferencePhoto, ResultPhoto
from editor.services.library.versions import Version

VIEWS = [
    ("slider", gettext_lazy("Slider")),
    ("side", gettext_lazy("Side by side")),
    ("one", gettext_lazy("One by one")),
]
# The largest relative difference between two aspect ratios at which the slider can compare the photos.
SAME_SHAPE = 0.02


@dataclass(frozen=True)
class ComparisonPhoto:
    """A photo to compare with the result. `kind` and `size` are parts of the photo's media URL."""

    value: str
    label: str
    short_label: str
    kind: str
    photo: ReferencePhoto | ResultPhoto
    size: str


def comparison(
    request: HttpRequest,
    selected: ResultPhoto | None,
    results: Sequence[ResultPhoto],
    references: Sequence[ReferencePhoto],
    versions: Version | None,
) -> dict[str, Any]:
    """Return what the templates need: `others`, the chosen `other` (by default the first), and the `view`.

    Photos of different shapes are shown side by side by default, because a slider would join parts that do
    not match.
    """
    pictures: list[ReferencePhoto | ResultPhoto] = [*references, *results]
    others = [_other(photo) for photo in pictures if photo != selected]
    if versions and selected:
        others += [one for one in _versions(versions, selected) if one.photo not in pictures]
    requested, view = request.GET.get("with", ""), request.GET.get("view", "")
    other = next((one for one in others if one.value == requested), others[0] if others else None)
    shapes_differ = bool(selected and other and _differ(selected, other.photo))
    if view not in dict(VIEWS):
        view = "side" if shapes_differ else "slider"
    return {"others": others, "other": other, "view": view, "views": VIEWS, "shapes_differ": shapes_differ}


def _other(photo: ReferencePhoto | ResultPhoto) -> ComparisonPhoto:
    kind, word = ("results", "result") if isinstance(photo, ResultPhoto) else ("references", "photo")
    template = _("Result %(number)s") if word == "result" else _("Photo %(number)s")
    label = template % {"number": photo.position}
    tag = _("Before") if (word, photo.position) == ("photo", 1) else label
    return ComparisonPhoto(f"{word}-{photo.position}", label, tag, kind, photo, _size(photo))


def _versions(first: Version, selected: ResultPhoto) -> Iterator[ComparisonPhoto]:
    """Yield the original photo, followed by the results of the edit's other versions.

    The results are labeled with their prompts.
    """
    if photo := first.first_photo:
        yield ComparisonPhoto("first", _("First photo"), _("First photo"), "references", photo, _size(photo))
    for version in first.walk():
        prompt = Truncator(version.edit.prompt)
        if version.edit.pk != selected.edit_id and (result := version.photo):
            value, label = f"version-{version.edit.pk}", f"“{prompt.chars(40)}”"
            yield ComparisonPhoto(value, label, prompt.chars(24), "results", result, _size(result))


def _size(photo: ReferencePhoto | ResultPhoto) -> str:
    return "1600" if photo.is_withheld else "original"


def _differ(a: ResultPhoto, b: ReferencePhoto | ResultPhoto) -> bool:
    return abs(a.width * b.height / (a.height * b.width) - 1) > SAME_SHAPE
