"""Compare previews with results: `python -m tests.likeness [--only OPERATION] [PHOTO...]`.

Every example of an operation is run on photos, until ENOUGH of them were edited: once on the full photo and
once as a preview. The result, scaled to the size of the preview, is compared with it by structural similarity
(SSIM: Wang, Bovik, Sheikh, and Simoncelli, "Image quality assessment", 2004). Each line gives the mean of an
example, and those below LEAST are marked, with the note in the operation's declaration. An example that no
photo suits is printed with the refusals. With `--worst`, only examples below LEAST and those that no photo
suits are printed.
"""

import argparse
import base64
import io
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from editor.engine.catalog import find_declaration
from editor.engine.errors import PlanRefused
from editor.engine.language.explain import explain
from editor.engine.preview import preview_files
from editor.engine.run import carry_out
from editor.engine.vision.analysis import Analysis, analyze
from editor.imaging.codecs import read, save
from editor.imaging.limits import STORED
from editor.imaging.picture import Bytes, Picture, eight_bits, flatten
from editor.options import EditOptions
from tests import scenes
from tests.contact_sheets import BOX, EXAMPLES, SECOND, Example
from tests.engine.people import eyes, people, with_spots
from tests.engine.photos import photo as read_photo
from tests.engine.photos import placed

LEAST = 0.95
ENOUGH = 2  # maximum number of photos on which an example is compared
SMALLEST = 1280  # minimum width of a full photo in pixels, to which smaller ones are enlarged
PHOTOS = (
    *(Path(f"static/img/samples/{name}.webp") for name in ("pier", "spacecraft", "canyon", "coffee")),
    *(Path(f"tests/photos/{name}.jpg") for name in ("cat", "astronaut")),
)
_FLASHED = (205, 45, 50)
type Grey = NDArray[np.float32]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.likeness", description=__doc__)
    parser.add_argument("photos", nargs="*", type=Path, default=PHOTOS)
    parser.add_argument("--only", help="one operation")
    parser.add_argument("--worst", action="store_true", help="print only what is below the limit")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        pictures = {path.stem: read(path.read_bytes(), STORED) for path in given.photos}
        pictures |= _scenes() if given.photos is PHOTOS else {}
        photos = [Photo(name, picture, Path(folder)) for name, picture in pictures.items()]
        for example in EXAMPLES:
            if given.only in (None, example.operation):
                line = _line(example, photos)
                if not given.worst or any(word in line for word in ("below", "differs", "refused")):
                    print(line, flush=True)  # noqa: T201


class Photo:
    """A photo, its analysis, and the copy that the site stores for previews."""

    def __init__(self, name: str, picture: Picture, folder: Path) -> None:
        self.full = _enlarged(picture)
        self.small, self.analyzed = folder / f"{name}-800.webp", folder / f"{name}.npz"
        size = (800, round(800 * self.full.height / self.full.width))
        save(Picture(_scaled(eight_bits(self.full), size)), self.small, "webp")

    @cached_property
    def analysis(self) -> Analysis:
        """The analysis, which is made and stored when an example first gets to this photo."""
        made = analyze(self.full)
        made.save(self.analyzed)
        return made


def _scenes() -> dict[str, Picture]:
    """Return pictures for examples that suit no photo.

    They are a sky at night, a sign, a shore with free ground, a cup and two cups beside which there is room,
    a person above whom there is room, a photo with a date in its corner, a person in a photo that lies on its
    side, and eyes that a flash made red.
    """
    pier = read(PHOTOS[0].read_bytes(), STORED)
    dated = Image.fromarray(eight_bits(pier))
    ImageDraw.Draw(dated).text(
        (0.94 * pier.width, 0.94 * pier.height),
        "21 08 2011",
        "orange",
        ImageFont.load_default(40),
        anchor="rs",
    )
    face = (430, 160, 400)
    sign = Image.new("RGB", (1280, 853), (150, 160, 170))
    draw = ImageDraw.Draw(sign)
    draw.rectangle((280, 240, 1000, 600), "white")
    draw.text((640, 420), "OPEN", "black", font=ImageFont.load_default(160), anchor="mm")
    return {
        "night": Picture((eight_bits(pier) // 5).astype(np.uint8)),
        "sign": Picture(np.asarray(sign)),
        "lake": Picture(np.asarray(scenes.lake(2400, 1600))),
        "cup": placed("cup", (240, 440, 300), width=1280, height=853),
        "cups": placed("cup", (80, 440, 300), (420, 440, 300), width=1280, height=853),
        "person": placed("astronaut", (440, 353, 500), width=1280, height=853),
        "date": Picture(np.asarray(dated)),
        "turned": Picture(np.rot90(read_photo("astronaut").pixels).copy()),
        "flash": with_spots(people(face, width=1280, height=853), *eyes(*face), radius=8, color=_FLASHED),
    }


def _enlarged(picture: Picture) -> Picture:
    if picture.width >= SMALLEST:
        return picture
    size = (SMALLEST, round(SMALLEST * picture.height / picture.width))
    return Picture(cast(Bytes, cv2.resize(picture.pixels, size, interpolation=cv2.INTER_CUBIC)))


def _line(example: Example, photos: list[Photo]) -> str:
    found = list(_compared(example, photos))
    values = [value for value in found if isinstance(value, float)]
    others = {value for value in found if isinstance(value, str)}
    if values:
        others = {value for value in others if not value.startswith("refused")}
    mean = sum(values) / len(values) if values else None
    declaration = find_declaration(example.operation)
    note = declaration.preview if declaration else ""
    mark = f" below ({note or 'without a note'})" if mean is not None and mean < LEAST else ""
    shown = "    -" if mean is None else f"{mean:.3f}"
    return f"{shown}{mark}  {example.operation}: {example.words}  {', '.join(sorted(others))}".rstrip()


def _compared(example: Example, photos: list[Photo]) -> Iterator[float | str]:
    """Yield each photo's similarity, or how the refusals of its preview and its edit differ."""
    lake = Picture(np.asarray(scenes.lake(900, 600)))
    options = EditOptions(regions=(BOX,) if example.has_region else ())
    compared = 0
    for photo in photos:
        if compared == ENOUGH:
            return
        with_second = SECOND in example.words
        plan = explain(example.words, photos=1 + with_second, regions=options.regions)
        pictures = [photo.full, lake] if with_second else [photo.full]
        result: Picture | None = None
        refusal = ""
        try:
            result = carry_out(plan, pictures, options, analysis=photo.analysis)[0]
        except PlanRefused as refused:
            refusal = refused.message
        paths = [str(photo.small), *([_stored(lake, photo.small)] if with_second else [])]
        answer = preview_files(
            plan.as_json(),
            paths,
            options.as_json(),
            photo.full.width,
            str(photo.analyzed),
            on_progress=lambda part: None,
        )
        if result is not None and answer["image"]:
            compared += 1
            yield similarity(_shown(result, answer["size"]), _decoded(answer["image"]))
        elif result is None and not answer["image"]:
            yield f"refused: {refusal}"
        elif answer["is_unsure"]:
            yield "left to the edit"
        else:
            yield f"differs: only the {'preview' if answer['image'] else 'edit'} is possible"


def similarity(one: NDArray[np.uint8], two: NDArray[np.uint8]) -> float:
    """Return the mean structural similarity, up to 1, of the lightness of two RGB images of the same size."""
    a, b = (cast(Grey, cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.float32)) for image in (one, two))

    def blurred(values: Grey) -> Grey:
        return cast(Grey, cv2.GaussianBlur(values, (11, 11), 1.5))

    mean_a, mean_b = blurred(a), blurred(b)
    variance = blurred(a * a) - mean_a**2 + blurred(b * b) - mean_b**2
    covariance = blurred(a * b) - mean_a * mean_b
    light, contrast = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    top = (2 * mean_a * mean_b + light) * (2 * covariance + contrast)
    return float((top / ((mean_a**2 + mean_b**2 + light) * (variance + contrast))).mean())


def _stored(picture: Picture, beside: Path) -> str:
    path = beside.with_name("second-800.webp")
    if not path.exists():
        save(picture, path, "webp")
    return str(path)


def _shown(picture: Picture, size: list[int]) -> NDArray[np.uint8]:
    return _scaled(flatten(eight_bits(picture)), (size[0], size[1]))


def _decoded(image: str) -> NDArray[np.uint8]:
    opened: Any = np.asarray(Image.open(io.BytesIO(base64.b64decode(image))))
    return flatten(opened)


def _scaled(pixels: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    return cast(NDArray[np.uint8], cv2.resize(pixels, size, interpolation=cv2.INTER_AREA))


if __name__ == "__main__":
    main()
