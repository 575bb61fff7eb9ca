"""Makes assets of rendered props: `python -m editor.engine.assets.source.finish FOLDER [--out FOLDER]`.

Each FOLDER/NAME.png is cropped to what is not transparent, scaled to its longest side and written as WebP.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

ASSETS = Path(__file__).parents[1] / "props"
GRAIN = 1.0  # strength of the denoising: Debian's Blender has no denoiser of its own
LARGEST = 50_000  # bytes of an asset
SEEN = 4  # alpha above which a pixel belongs to the prop


def finish(picture: Image.Image, scale: float) -> Image.Image:
    """The picture without its grain, `scale` times smaller (premultiplied: no dark edge), cropped."""
    light, alpha = np.asarray(picture.convert("RGBa"))[..., :3], picture.getchannel("A")
    calm = cv2.fastNlMeansDenoisingColored(light[..., ::-1].copy(), None, GRAIN, 3 * GRAIN, 5, 15)[..., ::-1]
    size = (round(picture.width / scale), round(picture.height / scale))
    layers = [
        layer.resize(size, Image.Resampling.LANCZOS) for layer in (*Image.fromarray(calm).split(), alpha)
    ]
    small = Image.merge("RGBa", layers).convert("RGBA")
    box = small.getchannel("A").point(lambda alpha: 255 * (alpha > SEEN)).getbbox()
    return small.crop(box)


def main() -> None:
    """Finishes all renders of a folder."""
    parser = argparse.ArgumentParser(prog="python -m editor.engine.assets.source.finish")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=ASSETS)
    parser.add_argument(
        "--scale", type=float, default=1.25, help="how many times the asset's size it was rendered"
    )
    parser.add_argument("--largest", type=int, default=LARGEST, help="bytes of an asset")
    asked = parser.parse_args()
    for path in sorted(asked.folder.glob("*.png")):
        with Image.open(path) as picture:
            asset = finish(picture, asked.scale)
        target = asked.out / f"{path.stem}.webp"
        # Leaves and fur are costly: they get less until they are small enough.
        for quality in (86, 74, 62, 50):
            asset.save(target, quality=quality, alpha_quality=quality + 6, method=6)
            if target.stat().st_size <= asked.largest:
                break


if __name__ == "__main__":
    main()
