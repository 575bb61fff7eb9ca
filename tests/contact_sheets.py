"""Draw photos before and after edits: `python -m tests.contact_sheets FOLDER [--photos FOLDER]`.

Every example of an operation is run on the photos included in scikit-image and scikit-learn, on drawn scenes,
and on the photos in a folder. A refused edit is shown with its message.

    uv run --group test --with scikit-image --with scikit-learn python -m tests.contact_sheets /tmp/sheets
"""

import argparse
import importlib.util
import io
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from editor.engine.catalog import examples
from editor.engine.language.explain import explain
from editor.engine.plan import Plan
from editor.engine.run import carry_out
from editor.imaging.codecs import read
from editor.imaging.errors import JobError
from editor.imaging.limits import STORED
from editor.imaging.picture import Picture, eight_bits
from editor.options import EditOptions, Region
from tests import scenes

TILE = 360
SECOND = "photo 2"  # For prompts that contain this text, photo 2 is the lake.
BOX = Region(0.38, 0.3, 0.24, 0.3)


@dataclass(frozen=True)
class Example:
    """An example of an operation. If `has_region` is true, a region in the middle of the photo is marked."""

    operation: str
    words: str
    has_region: bool = False

    @property
    def file(self) -> str:
        return "-".join((self.operation, *re.findall(r"\w+", self.words))) + ".png"


EXAMPLES = tuple(Example(told.name, words, "boxes" in held) for told, words, held in examples())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.contact_sheets", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sheets go")
    parser.add_argument("--photos", type=Path, help="a folder of photos beside the shipped ones")
    parser.add_argument("--only", help="one operation")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    photos = dict(_photos(given.photos))
    for ask in EXAMPLES:
        if given.only in (None, ask.operation):
            path = given.folder / ask.file
            sheet(ask, photos).save(path)
            print(path)  # noqa: T201


def sheet(ask: Example, photos: dict[str, Picture]) -> Image.Image:
    """Return a sheet with a row for each photo.

    Each row shows the original and either two variations or the refusal message.
    """
    rows = [[tile(photo, name), *_after(ask, photo)] for name, photo in photos.items()]
    heights = [max(image.height for image in row) for row in rows]
    page = Image.new("RGB", (3 * (TILE + 8), sum(heights) + 8 * len(rows) + 30), "white")
    ImageDraw.Draw(page).text((6, 6), f"{ask.operation}: {ask.words}", "black", font=font(18))
    top = 30
    for row, height in zip(rows, heights, strict=True):
        for column, image in enumerate(row):
            page.paste(image, (column * (TILE + 8), top))
        top += height + 8
    return page


def _after(ask: Example, photo: Picture) -> list[Image.Image]:
    supplied = [photo, _picture(scenes.lake(900, 600))] if SECOND in ask.words else [photo]
    options = EditOptions(outputs=2, regions=(BOX,) if ask.has_region else ())
    plan = explain(ask.words, photos=len(supplied), regions=options.regions)
    if not plan.accepted:
        return [sentence_tile(plan.message)]
    try:
        made = carry_out(plan, supplied, options)
    except JobError as refusal:
        return [sentence_tile(refusal.message)]
    return [tile(picture, _said(plan, picture)) for picture in made]


def _said(plan: Plan, picture: Picture) -> str:
    return " ".join([*(step.says for step in plan.steps), *picture.notices])


def tile(picture: Picture, words: str) -> Image.Image:
    """Return a tile with the picture above a caption. Transparent areas show a checkerboard."""
    image = Image.fromarray(eight_bits(picture))
    image.thumbnail((TILE, TILE))
    tile = Image.new("RGB", (TILE, image.height + 34), "white")
    tile.paste(_checkerboard(image.size), (0, 0))
    tile.paste(image, (0, 0), image if image.mode == "RGBA" else None)
    lines = textwrap.wrap(words, 56)[:2]
    ImageDraw.Draw(tile).text((2, image.height + 2), "\n".join(lines), "black", font=font(12))
    return tile


def sentence_tile(words: str) -> Image.Image:
    tile = Image.new("RGB", (TILE, 120), "lavender")
    ImageDraw.Draw(tile).text((6, 6), "\n".join(textwrap.wrap(words, 52)), "black", font=font(12))
    return tile


def _checkerboard(size: tuple[int, int]) -> Image.Image:
    rows, columns = np.indices((size[1], size[0])) // 12
    return Image.fromarray(np.where((rows + columns) % 2, 215, 245).astype(np.uint8)).convert("RGB")


def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _photos(folder: Path | None) -> Iterator[tuple[str, Picture]]:
    yield "drawn lake", _picture(scenes.lake(900, 600))
    for package, place in (("skimage", "data"), ("sklearn", "datasets/images")):
        found = importlib.util.find_spec(package)
        if found is not None and found.origin is not None:
            yield from _in_folder(Path(found.origin).parent / place)
    if folder is not None:
        yield from _in_folder(folder)


def _in_folder(folder: Path) -> Iterator[tuple[str, Picture]]:
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"):
            try:
                picture = read(path.read_bytes(), STORED)
            except JobError:
                continue  # Skip files that are not color photos.
            if min(picture.width, picture.height) >= 200 and _is_colored(picture):
                yield path.stem, picture


def _is_colored(picture: Picture) -> bool:
    colors = eight_bits(picture)[:, :, :3].astype(np.int16)
    return bool((colors.max(2) - colors.min(2)).mean() > 4)


def _picture(image: Image.Image) -> Picture:
    file = io.BytesIO()
    image.save(file, "PNG")
    return read(file.getvalue(), STORED)


if __name__ == "__main__":
    main()
