"""Pure functions that create notices for users about requests that were not carried out exactly."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editor.options import EditOptions, sides_of
from editor.providers.image_dialects import Size
from editor.sentences import Sentence

SHAPE_TOLERANCE = 0.01
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


def notices(
    results: Sequence[Mapping[str, Any]],
    *,
    came: int,
    options: EditOptions,
    photo: Size,
    size: Size | None,
    keeps: bool = False,
) -> list[str]:
    """Return a notice for each way in which at least one result differs from the request.

    Each result has its `kind`, `width`, and `height`, and an `outcome` if a part of the photo was to be put
    back. `came` is the number of results that the engine sent, `photo` the size of photo 1, and `size` the
    requested size. `keeps` says whether everything that the prompt does not name was to be put back.
    """
    return [
        *_number(came, options),
        *(_kept(results) if keeps else ()),
        *_shape(results, options, photo, NOT_KEPT if keeps else NOT_PUT_BACK),
        *_kind(results, options),
        *_size(results, photo, size),
    ]


def _number(came: int, options: EditOptions) -> Iterator[str]:
    if came > options.outputs:
        yield Sentence(
            "The engine made %(came)s results. You asked for %(asked)s, so the others were left out.",
            came=came,
            asked=options.outputs,
        )


def _kept(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    outcomes = {result.get("outcome") for result in results}
    if outcomes <= {"done", "aligned"}:
        yield KEPT
    elif None in outcomes:
        yield NOT_FOUND


def _shape(
    results: Sequence[Mapping[str, Any]], options: EditOptions, photo: Size, not_put_back: str
) -> Iterator[str]:
    outcomes = {result.get("outcome") for result in results}
    width, height = sides_of(options.aspect_ratio) if options.aspect_ratio else photo
    is_other = any(
        abs(result["width"] * height / (result["height"] * width) - 1) > SHAPE_TOLERANCE for result in results
    )
    if "other_shape" in outcomes:
        yield not_put_back
    if is_other and options.aspect_ratio:
        yield Sentence("The engine did not make the shape %(shape)s.", shape=options.aspect_ratio)
    elif is_other and "other_shape" not in outcomes:
        yield OTHER_SHAPE
    if "aligned" in outcomes:
        yield MOVED


def _kind(results: Sequence[Mapping[str, Any]], options: EditOptions) -> Iterator[str]:
    kinds = sorted({str(result["kind"]).upper() for result in results} - {"PNG"})
    if kinds and options.output_format == "png":
        yield Sentence(
            "The engine sent the result as %(format)s, which loses fine details. It was saved as PNG.",
            format=kinds[0],
        )


def _size(results: Sequence[Mapping[str, Any]], photo: Size, size: Size | None) -> Iterator[str]:
    asked = size or photo
    other = next((one for one in results if (one["width"], one["height"]) != asked), None)
    if other is not None:
        yield Sentence(
            "The engine made a result of %(width)s by %(height)s pixels instead of %(across)s by %(down)s.",
            width=other["width"],
            height=other["height"],
            across=asked[0],
            down=asked[1],
        )
    elif results[0]["width"] * results[0]["height"] < photo[0] * photo[1]:
        yield Sentence(
            "The result has %(width)s by %(height)s pixels, fewer than your photo.",
            width=results[0]["width"],
            height=results[0]["height"],
        )
