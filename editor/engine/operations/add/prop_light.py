"""Match props to the light of a photo: exposure, white balance, contrast, blur, grain, and shadows."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from editor.engine.colors import Floats, chroma_of, oklab, oklab_from_8_bit, ramp, rgb
from editor.engine.drawing.gaussian import blurred
from editor.engine.drawing.paint import paint_over
from editor.engine.operations.color.noise import noise_of
from editor.engine.pixels import Box, top_value, working_copy
from editor.imaging.picture import Picture, Pixels

# Longer side, in pixels, of the working copy on which the light is measured.
_WORKING_PIXELS = 320
# OKLab chroma scale for weighting pixels when the color of the light is measured. Pixels with a low chroma
# count more, because gray objects show the color of the light.
_GRAY = 0.035
_WHITE = 0.55  # how much of the color of the light a prop takes on, from 0 to 1
# Share of the photo's mean color that is assumed to be the color of the light if nothing is gray.
_MEAN = 0.4
_CAST = 0.03  # maximum OKLab a and b values of the color of the light
_PROP_BLACK = 0.12  # OKLab lightness of the darkest parts of a prop's image.
_PROP_BRIGHT = 0.93  # OKLab lightness of the brightest parts of a prop's image.
# How much of the photo's deviation from daylight is applied to a prop's midtone lightness, from 0 to 1.
_FOLLOWS = 0.5
_USUAL = 0.6  # median OKLab lightness of a photo in daylight
_DULL = 0.005, 0.017  # mean OKLab chroma of a black-and-white photo and of a full-color photo
# OKLab lightness difference between the right and left sides above which the light comes from the right.
_SIDED = 0.06
_PLAIN = 0.03  # minimum strength of coarse detail (white is 1) at which sharpness can be measured
_SOFTNESS = (0.3, 0.6, 0.9, 1.3, 1.8, 2.5, 3.4)  # sigmas of the blurs that are tried on a prop, in pixels
_FIRM = 0.6  # opacity of the shadow where an object touches the ground
_CAST_SHADOW = 0.4  # opacity of the shadow that an object casts on the ground
_SHADOW_LENGTH = 0.26  # length of an object's shadow on the ground, as a share of the object's height
_SHADOW_LEAN = 0.55  # sideways offset of the far end of a cast shadow, as a share of the shadow's length

_MIRRORED = 0.55  # opacity of a reflection in still water, which is weaker farther down
_DIMMED = 0.75  # brightness of a reflection in water, as a share of that of the object
# Standard deviation of fine detail in the brightness of water (white is 1): of waves, and of still water.
# Waves break up a reflection.
_WAVES = (0.02, 0.006)


@dataclass(frozen=True, eq=False)
class SceneLight:
    """The light of a photo.

    `dark`, `middle`, and `bright` are the OKLab lightness of the photo's darkest, middle, and brightest
    parts. `cast` is the color of the light (OKLab a and b), and `chroma` is how colorful the photo is (0 to
    1). `noise` is the standard deviation of the photo's noise. `detail` is the photo's sharpness, where 0 is
    blurred.
    """

    dark: float
    middle: float
    bright: float
    cast: Floats
    chroma: float
    noise: float
    detail: float
    is_from_the_right: bool

    @classmethod
    def of(cls, picture: Picture) -> "SceneLight":
        lab = oklab_from_8_bit(working_copy(picture, _WORKING_PIXELS))
        light, chroma = lab[:, :, 0], chroma_of(lab)
        dark, middle, bright = (float(value) for value in np.quantile(light, (0.01, 0.5, 0.985)))
        weight = np.exp(-((chroma / _GRAY) ** 2)) * np.clip(light - 0.25, 0, 1) ** 2 + 1e-6
        trust = min(1.0, float(np.exp(-((chroma / _GRAY) ** 2)).mean()) / 0.1)
        gray = (lab[:, :, 1:] * weight[:, :, None]).sum((0, 1)) / weight.sum()
        gray = trust * gray + (1 - trust) * _MEAN * lab[:, :, 1:].mean((0, 1))
        halves = np.array_split(light, 2, axis=1)
        return cls(
            dark,
            middle,
            bright,
            cast=np.clip(gray, -_CAST, _CAST).astype(np.float32),
            chroma=ramp(chroma.mean(keepdims=True), *_DULL).item(),
            noise=noise_of(picture.pixels),
            detail=fineness(mean_light(picture.pixels)),
            is_from_the_right=bool(halves[1].mean() - halves[0].mean() > _SIDED),
        )


def mean_light(pixels: Pixels) -> Floats:
    """Return the mean of the color channels at each pixel, from 0 to 1."""
    return pixels[:, :, :3].mean(2, dtype=np.float32) * np.float32(1 / top_value(pixels))


def fineness(light: Floats, unclear: float = 1.0) -> float:
    """Return the strength of the finest details divided by that of the next coarser details.

    Returns `unclear` if the coarse details are too weak to measure.
    """
    size = (max(2, light.shape[1] // 2), max(2, light.shape[0] // 2))
    small = cv2.resize(light, size, interpolation=cv2.INTER_AREA)
    fine, coarse = (np.quantile(np.abs(cv2.Laplacian(part, cv2.CV_32F)), 0.97) for part in (light, small))
    return float(fine / coarse) if coarse > _PLAIN else unclear


def relight_prop(
    colors: Floats, coverage: Floats, air: SceneLight, pixels: Pixels, box: Box
) -> tuple[Floats, Floats]:
    """Return a prop's colors and coverage, matched to the light and the blur of the photo around a box."""
    lab = oklab(colors)
    dark, bright, power = _range(air, _around(pixels, box))
    share = np.clip((lab[:, :, 0] - _PROP_BLACK) / (_PROP_BRIGHT - _PROP_BLACK), 0, 1) ** np.float32(power)
    lit = np.float32(dark) + np.float32(bright - dark) * share
    ratio = lit / np.maximum(lab[:, :, 0], 0.05)
    tint = _WHITE * air.cast * air.chroma
    for channel in (1, 2):
        lab[:, :, channel] = (
            lab[:, :, channel] * np.clip(ratio, 0.3, 1.1) ** np.float32(0.7) * np.float32(air.chroma)
            + lit * tint[channel - 1]
        )
    lab[:, :, 0] = lit
    colors = rgb(lab)
    view = box.grown(0.3, pixels.shape[1], pixels.shape[0])
    near = fineness(mean_light(pixels[view.slices]), air.detail)
    sigma = _blur(colors, coverage, near)
    return blurred(colors, sigma), blurred(coverage, sigma)


def _around(pixels: Pixels, box: Box) -> Floats:
    """Return the OKLab lightness around a prop's box, which shows how much light falls on the prop."""
    view = box.grown(0.5, pixels.shape[1], pixels.shape[0])
    return oklab_from_8_bit(working_copy(Picture(pixels[view.slices]), 120))[:, :, 0]


def _range(air: SceneLight, around: Floats) -> tuple[float, float, float]:
    """Return the lightness of a prop's darkest and brightest parts, and the exponent for its midtones."""
    near = max(float(np.quantile(around, 0.9)), 0.8 * air.bright)
    bright = float(np.clip(0.65 * air.bright + 0.35 * near, 0.3, 0.97))
    dark = float(np.clip(0.8 * air.dark + 0.02, 0.03, 0.3))
    middle = float(np.clip(0.5 * air.middle + 0.5 * np.median(around), 0.12, 0.9))
    wanted = float(np.clip(0.5 + _FOLLOWS * (middle - _USUAL), 0.15, 0.85))
    power = float(np.clip(np.log(wanted) / np.log(0.5), 0.75, 1.7))
    return dark, bright, power


def _blur(colors: Floats, coverage: Floats, detail: float) -> float:
    """Return the blur, in pixels, that makes a prop as soft as a photo with the sharpness `detail`."""
    light = colors.mean(2) * coverage + np.float32(0.5) * (1 - coverage)
    wanted = 1.15 * detail + 0.05
    return next((sigma for sigma in _SOFTNESS if fineness(blurred(light, sigma)) <= wanted), _SOFTNESS[-1])


def grainy(colors: Floats, air: SceneLight, random: np.random.Generator) -> Floats:
    """Return the colors of a prop with noise like that of the photo."""
    noise = random.standard_normal(colors.shape[:2], np.float32) * np.float32(air.noise)
    return cast(Floats, np.clip(colors + noise[:, :, None], 0, 1))


def shadow(pixels: Pixels, coverage: Floats, box: Box, air: SceneLight) -> None:
    """Darken the ground, in place, under a prop and, less strongly, where the prop's shadow falls."""
    height, width = coverage.shape
    pad = round(0.7 * max(width, height)) + 2
    wide = cv2.copyMakeBorder(coverage, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
    foot, lean = pad + height - 1, _SHADOW_LEAN * (-1 if air.is_from_the_right else 1)
    # The shadow of a point above a prop's base falls behind the prop and to the side, in proportion to the
    # height of the point.
    matrix = np.array(
        [
            [1, -lean * _SHADOW_LENGTH, lean * _SHADOW_LENGTH * foot],
            [0, _SHADOW_LENGTH, foot * (1 - _SHADOW_LENGTH)],
        ],
        np.float32,
    )
    fallen = cv2.warpAffine(wide, matrix, (wide.shape[1], wide.shape[0]), flags=cv2.INTER_AREA)
    fallen = blurred(fallen, max(0.8, 0.025 * max(width, height)))
    deep = max(1.0, 0.03 * min(width, height))
    touching = blurred(_lowest(wide, foot, deep, 0.12 * height), max(0.6, 0.8 * deep))
    dark = 1 - (1 - np.float32(_CAST_SHADOW) * fallen) * (1 - np.float32(_FIRM) * touching)
    paint_over(pixels, dark, (0, 0, 0), (box.left - pad, box.top - pad))


def reflect_in_water(pixels: Pixels, colors: Floats, coverage: Floats, box: Box) -> None:
    """Mirror a floating prop, in place, below its waterline, which is the lower end of each of its columns.

    The rougher the water, the fainter the mirror image.
    """
    height, width = coverage.shape
    rows = np.arange(2 * height, dtype=np.float32)[:, None]
    waterline = _waterline(coverage)
    columns = np.broadcast_to(np.arange(width, dtype=np.float32), (len(rows), width)).copy()
    sprite = np.dstack([colors * coverage[:, :, None], coverage]).astype(np.float32)
    image = cv2.remap(sprite, columns, 2 * waterline - rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    image = blurred(image * (rows > waterline)[:, :, None], max(0.6, 0.012 * height))
    share = _MIRRORED * _stillness(pixels, box) * np.clip(1 - (rows - waterline) / (1.1 * height), 0, 1)
    paint = _DIMMED * image[:, :, :3] / np.maximum(image[:, :, 3:], np.float32(1e-3))
    paint_over(pixels, (image[:, :, 3] * share).astype(np.float32), paint, (box.left, box.top))


def _waterline(coverage: Floats) -> Floats:
    """Return the row of the lower end of each column of a prop, slightly smoothed."""
    rows = np.arange(len(coverage))[:, None]
    lowest = np.where(coverage > 0.5, rows, -1).max(0)
    columns = np.flatnonzero(lowest >= 0)
    whole = np.interp(np.arange(coverage.shape[1]), columns, lowest[columns]).astype(np.float32)
    return cast(Floats, cv2.blur(whole[None], (coverage.shape[1] // 12 | 1, 1))[0])


def _stillness(pixels: Pixels, box: Box) -> float:
    """Return how still the water in front of a box is, from 0 (waves) to 1."""
    front = box.moved(0, box.height).within(pixels.shape[1], pixels.shape[0])
    if not front.area:
        return 0.0
    light = mean_light(pixels[front.slices])
    waves = float((light - blurred(light, max(1.0, 0.05 * box.height))).std())
    return ramp(waves, *_WAVES)


def _lowest(wide: Floats, foot: int, deep: float, reach: float) -> Floats:
    """Return a mask of the pixels within `deep` pixels of a prop's lower edge.

    The higher the lower edge is above the ground, the weaker the mask.
    """
    rows = np.arange(len(wide), dtype=np.float32)[:, None]
    lowest = np.where(wide > 0.5, rows, -np.inf).max(0)
    near = np.clip(1 - (foot - lowest) / max(2.0, reach), 0, 1)
    return cast(Floats, (near * (np.abs(rows - lowest + 0.2 * deep) <= deep)).astype(np.float32))
