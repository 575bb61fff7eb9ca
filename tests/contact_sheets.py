"""Before and after, on sheets for eyes: `python -m tests.contact_sheets FOLDER [--photos FOLDER]`.

Every operation is asked for in words, on the photos that well-kept libraries ship (scikit-image and
scikit-learn), on drawn scenes, and on those of a folder. What is refused stands there with its sentence.

    uv run --group test --with scikit-image --with scikit-learn python -m tests.contact_sheets /tmp/sheets
"""

import argparse
import importlib.util
import io
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from editor.engine.language.explain import explain
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.plan import Plan
from editor.engine.run import carry_out
from editor.imaging.codecs import Picture, eight_bits, read
from editor.imaging.errors import JobError
from editor.imaging.limits import STORED
from editor.options import EditOptions, Region
from tests import scenes

TILE = 360
SECOND = "photo 2"  # an instruction with these words gets the lake as its second photo
BOX = Region(0.38, 0.3, 0.24, 0.3)


@dataclass(frozen=True)
class Ask:
    """An instruction that shows one operation, or one `variant` of it; `boxed`: with a box in the middle."""

    operation: str
    words: str
    boxed: bool = False
    variant: str = ""

    @property
    def file(self) -> str:
        return "-".join(filter(None, (self.operation, *self.variant.split()))) + ".png"


ASKS = (
    Ask("brightness", "make it brighter"),
    Ask("brightness", "brighten the left side a lot", variant="left"),
    Ask("exposure", "raise the exposure a bit"),
    Ask("contrast", "more contrast"),
    Ask("highlights", "lower the highlights"),
    Ask("shadows", "lift the shadows"),
    Ask("saturation", "more saturated"),
    Ask("vibrance", "increase the vibrance"),
    Ask("colorize", "bring the colors back"),
    Ask("clarity", "more clarity"),
    Ask("warmth", "make it warmer"),
    Ask("tint", "add a green tint"),
    Ask("white_balance", "fix the white balance"),
    Ask("sharpness", "sharpen it"),
    Ask("black_and_white", "black and white"),
    Ask("sepia", "make it sepia"),
    Ask("negative", "invert the colors"),
    Ask("faded", "give it a faded vintage look"),
    Ask("cinematic", "make it cinematic"),
    Ask("hdr", "make it look HDR"),
    Ask("duotone", "duotone in navy and orange"),
    Ask("noir", "make it noir"),
    Ask("moody", "give it a moody look"),
    Ask("dreamy", "make it dreamy"),
    Ask("neon", "give it a cyberpunk look"),
    Ask("golden_hour", "make it look like golden hour"),
    Ask("nightfall", "turn day into night"),
    Ask("bleach_bypass", "add a bleach bypass effect"),
    Ask("cross_process", "cross processed look"),
    Ask("infrared", "make it infrared"),
    Ask("autumn", "make it autumn"),
    Ask("winter", "add a winter effect"),
    Ask("pencil_sketch", "turn it into a pencil sketch"),
    Ask("colored_pencil", "turn it into a colored pencil drawing"),
    Ask("charcoal", "turn it into a charcoal drawing"),
    Ask("line_drawing", "turn it into a line drawing"),
    Ask("blueprint", "make it a blueprint"),
    Ask("oil_painting", "turn it into an oil painting"),
    Ask("watercolor", "turn it into a watercolor"),
    Ask("pointillism", "make it pointillist"),
    Ask("cartoon", "turn it into a cartoon"),
    Ask("comic", "make it look like a comic book"),
    Ask("pop_art", "turn it into pop art"),
    Ask("posterize", "posterize it"),
    Ask("halftone", "make it look like a newspaper print"),
    Ask("pixel_art", "turn it into pixel art"),
    Ask("mosaic", "turn it into a mosaic"),
    Ask("stained_glass", "make it look like stained glass"),
    Ask("enhance", "make it better"),
    Ask("low_light", "it was taken at night and is too dark"),
    Ask("dehaze", "remove the haze"),
    Ask("denoise", "remove the noise"),
    Ask("grain", "add film grain"),
    Ask("blur", "blur the whole photo"),
    Ask("pixelate", "pixelate this", boxed=True),
    Ask("smooth_skin", "smooth the skin"),
    Ask("recolor", "make the red parts blue"),
    Ask("text", 'add the text "Summer 2026" at the bottom'),
    Ask("text_instead", 'change the text to "Darkroom"', boxed=True),
    Ask("watermark", 'add a watermark "Darkroom"'),
    Ask("border", "add a thick white border"),
    Ask("frame", "put it in a polaroid frame"),
    Ask("shape", "draw a red circle around this", boxed=True),
    Ask("arrow", "add a yellow arrow pointing at this", boxed=True),
    Ask("emoji", "add a 🎈 in the top right corner"),
    Ask("emoji", "put sunglasses emojis on the faces", variant="worn"),
    Ask("shape", "add a star above the person", variant="beside"),
    Ask("speech_bubble", 'add a speech bubble saying "What a day!" at the top left'),
    Ask("prop", "add two trees"),
    Ask("prop", "add a soccer ball on the right", variant="small"),
    Ask("prop", "put an apple here", boxed=True, variant="boxed"),
    Ask("prop", "put a top hat on the person", variant="worn"),
    Ask("prop", "add a hot air balloon in the sky", variant="sky"),
    Ask("prop_instead", "replace it with a teapot", boxed=True),
    Ask("balloons", "add balloons"),
    Ask("petals", "add falling rose petals"),
    Ask("leaves", "add falling leaves"),
    Ask("birds", "add a flock of birds"),
    Ask("fire", "add fire at the bottom"),
    Ask("water_drops", "add water drops on the lens"),
    Ask("vignette", "add a vignette"),
    Ask("shadow", "add a drop shadow to the photo"),
    Ask("light_leak", "add a light leak"),
    Ask("fog", "add fog"),
    Ask("smoke", "add smoke"),
    Ask("light_rays", "add sun rays"),
    Ask("lens_flare", "add a lens flare"),
    Ask("sparkles", "add sparkles"),
    Ask("bokeh_lights", "add bokeh lights"),
    Ask("confetti", "add confetti"),
    Ask("hearts", "add hearts"),
    Ask("bubbles", "add soap bubbles"),
    Ask("rainbow", "add a rainbow"),
    Ask("stars", "add stars to the sky"),
    Ask("moon", "add a moon"),
    Ask("sun", "add the sun"),
    Ask("clouds", "add clouds"),
    Ask("lightning", "add lightning"),
    Ask("fireworks", "add fireworks"),
    Ask("snow", "add snow"),
    Ask("rain", "add rain"),
    Ask("sticker", "put photo 2 in the bottom left corner"),
    Ask("solid_background", "make the background white"),
    Ask("gradient_background", "make the background a gradient from navy to pink"),
    Ask("drawn_background", "change the background to a sunset"),
    *(Ask("drawn_background", f"change the background to {name}", variant=name) for name in DRAWN_PLACES),
    Ask("drawn_sky", "replace the sky with a sunset"),
    Ask("drawn_sky", "replace the sky with a cloudy sky", variant="day"),
    Ask("drawn_sky", "replace the sky with a night sky", variant="night"),
    Ask("blur_background", "blur the background"),
    Ask("transparent_background", "remove the background"),
    Ask("photo_background", "use photo 2 as the background"),
    Ask("crop", "crop to 1:1"),
    Ask("trim", "crop the borders"),
    Ask("straighten", "straighten the photo"),
    Ask("rotate", "rotate it 5 degrees"),
    Ask("upright", "turn it the right way up"),
    Ask("flip", "flip it horizontally"),
    Ask("resize", "resize to 50%"),
    Ask("stretch", "make the photo narrower"),
    Ask("print_size", "crop to a 4x6 print"),
    Ask("file_format", "save it as a JPEG"),
    Ask("zoom", "zoom in"),
    Ask("center", "center the subject"),
    Ask("extend", "extend the canvas by 20% on the left"),
    Ask("shift", "move the photo down by 10%"),
    Ask("collage", "make a collage with photo 2"),
    Ask("move_thing", "move this to the left", boxed=True),
    Ask("copy_thing", "duplicate the cup"),
    Ask("count_thing", "change the count of cups to 3"),
    Ask("resize_thing", "make the cup a bit smaller"),
    Ask("flip_thing", "mirror the cup"),
    Ask("rotate_thing", "rotate the cup 20 degrees clockwise"),
    Ask("erase", "remove this", boxed=True),
    Ask("erase_text", "remove the date at the bottom right"),
    Ask("red_eye", "fix the red eyes"),
    Ask("hide_faces", "pixelate the faces"),
    Ask("blemishes", "remove the blemishes"),
    Ask("dust", "remove the dust and scratches"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.contact_sheets", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sheets go")
    parser.add_argument("--photos", type=Path, help="a folder of photos beside the shipped ones")
    parser.add_argument("--only", help="one operation")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    photos = dict(_photos(given.photos))
    for ask in ASKS:
        if given.only in (None, ask.operation):
            path = given.folder / ask.file
            sheet(ask, photos).save(path)
            print(path)  # noqa: T201


def sheet(ask: Ask, photos: dict[str, Picture]) -> Image.Image:
    """A row for each photo: as it was, and two variations or the refusal."""
    rows = [[_tile(photo, name), *_after(ask, photo)] for name, photo in photos.items()]
    heights = [max(tile.height for tile in row) for row in rows]
    page = Image.new("RGB", (3 * (TILE + 8), sum(heights) + 8 * len(rows) + 30), "white")
    ImageDraw.Draw(page).text((6, 6), f"{ask.operation}: {ask.words}", "black", font=_font(18))
    top = 30
    for row, height in zip(rows, heights, strict=True):
        for column, tile in enumerate(row):
            page.paste(tile, (column * (TILE + 8), top))
        top += height + 8
    return page


def _after(ask: Ask, photo: Picture) -> list[Image.Image]:
    supplied = [photo, _picture(scenes.lake(900, 600))] if SECOND in ask.words else [photo]
    options = EditOptions(outputs=2, regions=(BOX,) if ask.boxed else ())
    plan = explain(ask.words, photos=len(supplied), regions=options.regions)
    if not plan.accepted:
        return [_sentence(plan.message)]
    try:
        made = carry_out(plan, supplied, options)
    except JobError as refusal:
        return [_sentence(refusal.message)]
    return [_tile(picture, _said(plan, picture)) for picture in made]


def _said(plan: Plan, picture: Picture) -> str:
    return " ".join([*(step.says for step in plan.steps), *picture.notices])


def _tile(picture: Picture, words: str) -> Image.Image:
    """The picture on a checkerboard, where it is transparent, above its words."""
    image = Image.fromarray(eight_bits(picture))
    image.thumbnail((TILE, TILE))
    tile = Image.new("RGB", (TILE, image.height + 34), "white")
    tile.paste(_checkerboard(image.size), (0, 0))
    tile.paste(image, (0, 0), image if image.mode == "RGBA" else None)
    lines = textwrap.wrap(words, 56)[:2]
    ImageDraw.Draw(tile).text((2, image.height + 2), "\n".join(lines), "black", font=_font(12))
    return tile


def _sentence(words: str) -> Image.Image:
    tile = Image.new("RGB", (TILE, 120), "lavender")
    ImageDraw.Draw(tile).text((6, 6), "\n".join(textwrap.wrap(words, 52)), "black", font=_font(12))
    return tile


def _checkerboard(size: tuple[int, int]) -> Image.Image:
    rows, columns = np.indices((size[1], size[0])) // 12
    return Image.fromarray(np.where((rows + columns) % 2, 215, 245).astype(np.uint8)).convert("RGB")


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
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
                continue  # what is no color photo has nothing to show
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
