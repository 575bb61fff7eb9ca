"""Pure functions that create notices for users about requests that were not carried out exactly.

Only the adapters know how many results an engine sent and what happened to a box. Everything else follows
from the results themselves, so `deviations` serves all engines.
"""

from collections.abc import Iterator, Mapping, Set
from typing import Any

from editor.options import EditOptions, have_same_shape, sides_of
from editor.sentences import Sentence

type Size = tuple[int, int]

NOT_PUT_BACK = Sentence(
    "The result has a different shape than your photo, so areas outside your box may have changed."
)
KEPT = Sentence("Only the area that your prompt names has changed. Everything else was kept from your photo.")
NOT_FOUND = Sentence(
    "The area that your prompt names was not found in your photo, so other areas may have changed, too."
)
NOT_KEPT = Sentence(
    "The result has a different shape than your photo, so areas that your prompt does not name may have "
    "changed."
)
MOVED = Sentence("The engine moved the photo slightly, so the result was realigned with your photo.")
OTHER_SHAPE = Sentence("The result has a different shape than your photo.")
BOXES_IGNORED = Sentence("This engine does not support boxes, so areas outside your box may have changed.")


def extra_results(count: int, options: EditOptions) -> Iterator[str]:
    """Yield a notice if the engine sent more results than requested. `count` is the number that it sent."""
    if count > options.outputs:
        yield Sentence(
            "The engine made %(came)s results. You asked for %(asked)s, so the others were left out.",
            came=count,
            asked=options.outputs,
        )


def put_back(outcomes: Set[str | None], *, keeps: bool) -> Iterator[str]:
    """Yield notices about the parts of the photo that were to be put back into the results.

    `outcomes` has the outcomes of `imaging.put_back`, and None if there was nothing to put back in a result.
    `keeps` says whether this applies to everything that the prompt does not name.
    """
    if keeps and outcomes <= {"done", "aligned"}:
        yield KEPT
    elif keeps and None in outcomes:
        yield NOT_FOUND
    if "other_shape" in outcomes:
        yield NOT_KEPT if keeps else NOT_PUT_BACK
    if "aligned" in outcomes:
        yield MOVED


def deviations(
    size: Size, kind: str, arrival: Mapping[str, Any], *, options: EditOptions, photo: Size
) -> list[str]:
    """Return a notice for each way in which a result of another engine differs from the request.

    `size` is the size of the result in pixels, and `kind` is the format of the file that arrived. `arrival`
    may contain more about the result (`contract.Update`). `photo` is the size of photo 1 in pixels. If
    neither a shape nor a size was requested, none is expected, because the prompt may ask for a crop.
    """
    requested: Size | None = tuple(arrival["requested_size"]) if "requested_size" in arrival else None
    shape = sides_of(options.aspect_ratio) if options.aspect_ratio else photo if requested else size
    has_other_shape = not have_same_shape(size, shape)
    is_noted = arrival.get("outcome") == "other_shape"  # `put_back` has a notice of its own.
    return [
        *(_shape(options, is_noted=is_noted) if has_other_shape else ()),
        *_kind(arrival.get("kind") or kind, options),
        *(_size(size, requested, photo) if requested else ()),
    ]


def _shape(options: EditOptions, *, is_noted: bool) -> Iterator[str]:
    if options.aspect_ratio:
        yield Sentence("The result does not have the requested shape, %(shape)s.", shape=options.aspect_ratio)
    elif not is_noted:
        yield OTHER_SHAPE


def _kind(kind: str, options: EditOptions) -> Iterator[str]:
    """Yield a notice if a lossless result was requested and the file that arrived is lossy."""
    if options.output_format == "png" and kind != "png":
        yield Sentence(
            "The engine sent the result as %(format)s, which loses fine details. It was saved as PNG.",
            format=kind.upper(),
        )


def _size(size: Size, requested: Size, photo: Size) -> Iterator[str]:
    if size != requested:
        yield Sentence(
            "The engine made a result of %(width)s by %(height)s pixels instead of %(across)s by %(down)s.",
            width=size[0],
            height=size[1],
            across=requested[0],
            down=requested[1],
        )
    elif size[0] * size[1] < photo[0] * photo[1]:
        yield Sentence(
            "The result has %(width)s by %(height)s pixels, fewer than your photo.",
            width=size[0],
            height=size[1],
        )
