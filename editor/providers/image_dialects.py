"""The differences between servers that implement the OpenAI images API.

Each server has a row of settings, and pure functions build a request from such a row. The rows are based on
the servers' source code and manuals as of November 2026. Inside Darkroom, the white parts of every mask may
change; here, masks are converted to what the server expects. Fields that a server does not need are not sent,
because some servers refuse requests that have unknown fields.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from editor.options import EditOptions, Region, sides_of

type Size = tuple[int, int]

_MULTIPLE = 16  # Diffusion models need sides that are multiples of 16 pixels.
_MAX_SIDE = 3840
# If the shapes of several sizes differ from the requested shape by less than this, they count as equally
# good, and the largest size is used.
_CLOSE_SHAPE = 0.004


class MaskKind(StrEnum):
    """How a mask marks the parts that may change."""

    ALPHA = "alpha"  # transparent pixels change
    WHITE = "white"  # white pixels change


@dataclass(frozen=True)
class Dialect:
    """The requirements and capabilities of a server.

    - `mask` is the kind of mask that the server accepts in `mask_field`, or None. With `says_box`, boxes are
      also described in the prompt, because only some of the server's models use masks.
    - `sizes` are the only sizes that the server makes, except for models whose names begin with one of
      `free_models`. If `sizes` is empty, any multiple of 16 is possible. Results have about `pixels` pixels,
      and one side is at most `longest_ratio` times as long as the other.
    - `keeps_size` means that the server keeps the size of the photo if no size is sent.
    - `fields` are sent with every request.
    """

    mask: MaskKind | None = None
    mask_field: str = "mask"
    says_box: bool = False
    photos: int = 5
    outputs: int = 4
    sizes: tuple[Size, ...] = ()
    free_models: tuple[str, ...] = ()
    pixels: int = 1024 * 1024
    longest_ratio: float = 8.0
    keeps_size: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)


DIALECTS: Mapping[str, Dialect] = {
    "openai": Dialect(
        mask=MaskKind.ALPHA,
        outputs=10,
        sizes=((1024, 1024), (1536, 1024), (1024, 1536)),
        free_models=("gpt-image-2",),
        pixels=1536 * 1024,
        longest_ratio=3.0,
        fields={"output_format": "png"},
    ),
    # Most models of this server ignore `mask_image`.
    "vllm-omni": Dialect(
        mask=MaskKind.WHITE, mask_field="mask_image", says_box=True, fields={"output_format": "png"}
    ),
    # This server accepts a mask but never uses it. It sends JPEG unless another format is requested.
    "sglang": Dialect(fields={"output_format": "png", "response_format": "b64_json"}),
    "sd-server": Dialect(mask=MaskKind.WHITE, fields={"output_format": "png"}),
    "lemonade": Dialect(mask=MaskKind.WHITE, photos=1, fields={"response_format": "b64_json"}),
    # Unless a response format is requested, Xinference returns a path on its own disk. Its results are JPEG.
    "xinference": Dialect(mask=MaskKind.WHITE, keeps_size=True, fields={"response_format": "b64_json"}),
    # Whether a mask is accepted depends on the server behind LiteLLM. Some servers refuse requests with
    # masks.
    "litellm": Dialect(outputs=10),
}


def size_for(dialect: Dialect, model: str, photo: Size, aspect_ratio: str) -> Size | None:
    """Return the size to request, or None to send no size.

    The size has the chosen shape or, if none was chosen, the shape of the photo, as exactly as the server
    allows.
    """
    if dialect.keeps_size and not aspect_ratio:
        return None
    width, height = sides_of(aspect_ratio) if aspect_ratio else photo
    if dialect.sizes and not model.startswith(dialect.free_models):
        return min(dialect.sizes, key=lambda size: _difference(size, width / height))
    if not aspect_ratio and _is_possible(dialect, photo):
        return photo
    ratio = min(dialect.longest_ratio, max(1 / dialect.longest_ratio, width / height))
    sides = range(_MULTIPLE, _MAX_SIDE + 1, _MULTIPLE)
    sizes = ((round(side * ratio / _MULTIPLE) * _MULTIPLE, side) for side in sides)
    possible = [size for size in sizes if _is_possible(dialect, size)]
    return min(possible, key=lambda size: (max(_CLOSE_SHAPE, _difference(size, ratio)), -size[0] * size[1]))


def _is_possible(dialect: Dialect, size: Size) -> bool:
    width, height = size
    is_multiple = width % _MULTIPLE == 0 and height % _MULTIPLE == 0
    has_shape = max(size) <= min(_MAX_SIDE, 1.01 * dialect.longest_ratio * min(size))
    return is_multiple and has_shape and dialect.pixels / 2 <= width * height <= dialect.pixels


def _difference(size: Size, ratio: float) -> float:
    """Return the difference between a size's aspect ratio and `ratio`, as a fraction of the larger ratio."""
    shape = size[0] / size[1]
    return 1 - min(shape, ratio) / max(shape, ratio)


def prompt_for(dialect: Dialect, prompt: str, regions: Sequence[Region]) -> str:
    """Return the prompt for the model.

    If the server does not accept masks, the boxes are described in the prompt.
    """
    described = [region for region in regions if region.image > 1 or dialect.mask is None or dialect.says_box]
    parts = [_without_commands(prompt), _changing(described), *_others(described)]
    return "\n\n".join(filter(None, parts))


def fields_for(
    dialect: Dialect, *, model: str, prompt: str, options: EditOptions, size: Size | None
) -> dict[str, str]:
    """Return the text fields of the form."""
    fields = {
        "model": model,
        "prompt": prompt_for(dialect, prompt, options.regions),
        "n": str(options.outputs),
        "size": "x".join(map(str, size)) if size else "",
    }
    return {name: value for name, value in (fields | dict(dialect.fields)).items() if value}


def first_boxes(regions: Sequence[Region]) -> list[list[float]]:
    """Return the boxes on photo 1, which is the photo to edit, as [x, y, width, height] in fractions."""
    return [[region.x, region.y, region.w, region.h] for region in regions if region.image == 1]


def _without_commands(prompt: str) -> str:
    """Return the prompt with its commands disabled.

    The server stable-diffusion.cpp reads settings from the prompt.
    """
    return re.sub(r"<(?=\s*/?\s*sd_cpp_extra_args)", "(", prompt, flags=re.IGNORECASE)


def _changing(regions: Sequence[Region]) -> str:
    areas = [_area(region) for region in regions if region.image == 1]
    if not areas:
        return ""
    which = f"the area {areas[0]}" if len(areas) == 1 else f"these areas: {'; '.join(areas)}"
    return f"Change only {which} of image 1. Keep everything else in image 1 exactly as it is."


def _others(regions: Sequence[Region]) -> list[str]:
    return [f"A box in image {box.image} marks the area {_area(box)}." for box in regions if box.image > 1]


def _area(region: Region) -> str:
    left, right, top, bottom = (
        round(100 * side) for side in (region.x, region.x + region.w, region.y, region.y + region.h)
    )
    across, down = f"from {left}% to {right}% of the width", f"from {top}% to {bottom}% of the height"
    return f"{across} (counted from the left) and {down} (counted from the top)"
