"""What stands and lies on a laid table."""

import math
from collections.abc import Sequence

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader, glass
from editor.engine.assets.source.studio import (
    LIES,
    Prop,
    View,
    lathe,
    moved,
    shaped,
    solid,
    thickened,
    tube,
)

Profile = Sequence[tuple[float, float]]


def glaze(name: str, color: str, deep: str, specks: float = 0.0) -> Shader:
    """Glazed stoneware: a color that pools darker, brown specks, a soft second reflection."""
    look = Shader(name, rough=0.22, coat=0.6, coat_rough=0.06)
    pooled = look.ramp(look.noise(22, 3), [(0.35, deep), (0.65, color)])
    dots = look.math("MULTIPLY", look.between(look.cells(260), 0.16, 0.08), specks)
    return look.set(
        color=look.mix(dots, pooled, "#4a3a2c"), normal=look.bump(look.noise(60, 2), 0.0005, strength=0.3)
    )


def _vessel(
    name: str, outside: Profile, inside: Profile, out: Shader, within: Shader
) -> list[bpy.types.Object]:
    """A wall in two colors that meet at the rim (the end of `outside`, the start of `inside`)."""
    return [lathe(name, outside, out, 160), lathe(f"{name} inside", inside, within, 160)]


def bowl() -> None:
    """Blue outside, cream inside."""
    outside = [
        (0.0285, 0.0035), (0.030, 0), (0.030, 0), (0.034, 0), (0.034, 0), (0.0355, 0.006), (0.0355, 0.006),
        (0.054, 0.0185), (0.070, 0.041), (0.0785, 0.066), (0.0783, 0.0685), (0.0768, 0.0692),
    ]  # fmt: skip
    inside = [
        (0.0768, 0.0692), (0.0752, 0.0683), (0.0745, 0.066), (0.066, 0.043), (0.050, 0.023), (0.03, 0.012),
        (0, 0.009),
    ]  # fmt: skip
    _vessel(
        "bowl",
        outside,
        inside,
        glaze("blue", "#2b5f8c", "#1d4468", 0.5),
        glaze("cream", "#e6dcc6", "#d8ccb2", 0.6),
    )


def cup() -> None:
    """White porcelain on its saucer, full of coffee."""
    _cup_of(_coffee())


def tea() -> None:
    """The same cup, full of black tea."""
    _cup_of(_black_tea())


def _cup_of(drink: Shader) -> None:
    white = Shader("porcelain", color="#e9e5dd", rough=0.14, coat=0.7, coat_rough=0.04)
    saucer = [
        (0, 0.003), (0.026, 0.003), (0.027, 0), (0.027, 0), (0.031, 0), (0.031, 0), (0.034, 0.004),
        (0.056, 0.0085), (0.0755, 0.0165), (0.0765, 0.0175), (0.0755, 0.0182), (0.056, 0.0108),
        (0.036, 0.0072), (0.028, 0.0068), (0.026, 0.006), (0, 0.006),
    ]  # fmt: skip
    lathe("saucer", saucer, white, 160)
    body = [
        (0, 0.009), (0.019, 0.009), (0.0195, 0.0062), (0.0195, 0.0062), (0.0235, 0.0062), (0.0235, 0.0062),
        (0.025, 0.012), (0.036, 0.024), (0.0425, 0.044), (0.0448, 0.0665), (0.0442, 0.0682), (0.043, 0.0675),
        (0.0405, 0.045), (0.034, 0.0265), (0.022, 0.015), (0, 0.0125),
    ]  # fmt: skip
    lathe("cup", body, white, 160)
    _handle(
        [
            (0.041, 0, 0.056), (0.053, 0, 0.0605), (0.0655, 0, 0.054), (0.065, 0, 0.042),
            (0.053, 0, 0.031), (0.038, 0, 0.0275),
        ],
        0.0031,
        white,
    )  # fmt: skip
    radius, level = _SURFACE
    lathe("drink", [(radius, level + 0.0006), (radius - 0.001, level), (0, level)], drink)


def _handle(path: Sequence[tuple[float, float, float]], radius: float, look: Shader) -> bpy.types.Object:
    radii = [radius * 1.4, *[radius] * (len(path) - 2), radius * 1.4]
    return moved(tube("handle", path, radii, look, flat=0.75, side=(0, 1, 0)), turned=(0, 0, -24))


_SURFACE = (0.0417, 0.0585)  # of what is in the cup: its radius and how high it is


def _coffee() -> Shader:
    look = Shader("coffee", rough=0.06, shine=0.4)
    edge = look.near_axis(_SURFACE[0] * 0.55, _SURFACE[0])
    foam = look.math("ADD", edge, look.math("MULTIPLY_ADD", look.noise(130, 4, 0.6, twist=1.2), 0.9, -0.45))
    return look.set(color=look.ramp(foam, [(0.1, "#9a6234"), (0.35, "#5a2f15"), (0.8, "#24120a")]))


def _black_tea() -> Shader:
    look = Shader("tea", rough=0.03, shine=0.5, coat=0.5, coat_rough=0.02)
    deep = look.near_axis(_SURFACE[0], _SURFACE[0] * 0.6)
    return look.set(color=look.ramp(deep, [(0.0, "#c8742a"), (0.5, "#a24f16"), (1.0, "#7d370d")]))


def mug() -> None:
    """Speckled red stoneware, its foot unglazed."""
    clay = Shader("clay", color="#b99a78", rough=0.8)
    red = glaze("red", "#a8362a", "#87251d", 0.5)
    lathe(
        "foot",
        [
            (0, 0.003), (0.034, 0.003), (0.0345, 0), (0.0345, 0), (0.0375, 0), (0.0385, 0.0025),
            (0.0397, 0.009),
        ],
        clay,
    )  # fmt: skip
    outside = [
        (0.0398, 0.008), (0.0405, 0.0095), (0.0412, 0.02), (0.0414, 0.05), (0.0414, 0.085),
        (0.0414, 0.0965), (0.0408, 0.0982), (0.0397, 0.0984),
    ]  # fmt: skip
    inside = [
        (0.0397, 0.0984), (0.0385, 0.0975), (0.0378, 0.093), (0.0378, 0.05), (0.0375, 0.016),
        (0.033, 0.0095), (0.02, 0.008), (0, 0.008),
    ]  # fmt: skip
    _vessel("mug", outside, inside, red, glaze("cream", "#e8decb", "#dacdb6", 0.5))
    path = [
        (0.040, 0, 0.079), (0.054, 0, 0.0815), (0.069, 0, 0.073), (0.072, 0, 0.055), (0.066, 0, 0.036),
        (0.053, 0, 0.026), (0.040, 0, 0.0255),
    ]  # fmt: skip
    _handle(path, 0.0054, red)


def plate() -> None:
    """White porcelain with two thin blue lines on the rim."""
    white = Shader("porcelain", rough=0.13, coat=0.7, coat_rough=0.04)
    lines = white.math("MAXIMUM", _line(white, 0.1255, 0.0011), _line(white, 0.1215, 0.0004))
    white.set(color=white.mix(lines, "#e9e6df", "#2c4f86"))
    profile = [
        (0, 0.004), (0.066, 0.004), (0.068, 0), (0.068, 0), (0.074, 0), (0.074, 0), (0.078, 0.005),
        (0.094, 0.011), (0.128, 0.0195), (0.1295, 0.0208), (0.128, 0.0218), (0.096, 0.0145),
        (0.086, 0.0092), (0.078, 0.0076), (0.06, 0.007), (0, 0.007),
    ]  # fmt: skip
    lathe("plate", profile, white, 200)


def _line(look: Shader, radius: float, half: float) -> object:
    return look.math(
        "MULTIPLY",
        look.near_axis(radius + half * 1.3, radius + half),
        look.math("SUBTRACT", 1.0, look.near_axis(radius - half, radius - half * 1.3)),
    )


def drinking_glass() -> None:
    """A tumbler two thirds full of water."""
    outside = [
        (0, 0.001), (0.027, 0.0), (0.0295, 0.001), (0.031, 0.005), (0.034, 0.05), (0.0375, 0.108),
        (0.0374, 0.1096), (0.0366, 0.11),
    ]  # fmt: skip
    inside = [
        (0.0366, 0.11), (0.0359, 0.1094), (0.0355, 0.107), (0.0322, 0.05), (0.0296, 0.013),
        (0.0275, 0.0105), (0, 0.0105),
    ]  # fmt: skip
    lathe("glass", [*outside, *inside[1:]], glass("glass"), 160)
    level = 0.073
    water = [
        (0, 0.0108), (0.0275, 0.0108), (0.0297, 0.013), (0.0323, 0.05), (0.03365, level + 0.0008),
        (0.0331, level), (0.031, level - 0.0002), (0, level - 0.0002),
    ]  # fmt: skip
    lathe("water", water, Shader("water", color="#f4fbfd", clear=1.0, ior=1.333, rough=0.0), 160)


def wine_glass() -> None:
    """A stemmed glass a third full of red wine."""
    outside = [
        (0, 0.0), (0.030, 0.0), (0.0352, 0.0004), (0.0354, 0.0014), (0.030, 0.0028), (0.014, 0.0052),
        (0.0062, 0.0105), (0.0042, 0.022), (0.0036, 0.050), (0.0042, 0.076), (0.0085, 0.0845),
        (0.024, 0.0945), (0.0365, 0.114), (0.0405, 0.137), (0.0385, 0.163), (0.0325, 0.2),
        (0.0323, 0.2006), (0.0319, 0.2006),
    ]  # fmt: skip
    inside = [
        (0.0317, 0.2), (0.0377, 0.163), (0.0396, 0.137), (0.0357, 0.1146), (0.0236, 0.0962),
        (0.009, 0.0877), (0, 0.0866),
    ]  # fmt: skip
    lathe("glass", [*outside, *inside], glass("glass"), 160)
    level = 0.131
    wine = [
        (0, 0.0868), (0.009, 0.0879), (0.0237, 0.0963), (0.03575, 0.1146), (0.0391, level + 0.0006),
        (0.0386, level), (0.036, level - 0.0002), (0, level - 0.0002),
    ]  # fmt: skip
    red = Shader("wine", rough=0.03, shine=0.5)
    deep = red.between(red.node("LayerWeight", {"Blend": 0.3}).outputs["Facing"], 0.2, 1.0)
    body = red.mix(deep, "#8a1024", "#3a0610")
    lathe("wine", wine, red.set(color=body, glow=body, glow_power=0.2), 160)


def bottle() -> None:
    """A wine bottle of dark green glass with a plain label and a red capsule."""
    green = Shader("bottle", color="#18301a", rough=0.05, coat=1.0, coat_rough=0.03)
    thick = green.node("LayerWeight", {"Blend": 0.35}).outputs["Facing"]
    green.set(color=green.ramp(thick, [(0.0, "#1c3218"), (0.5, "#0c1a0b"), (1.0, "#040804")]))
    profile = [
        (0, 0.006), (0.03, 0.0), (0.0355, 0.001), (0.0375, 0.006), (0.0377, 0.06), (0.0377, 0.185),
        (0.036, 0.204), (0.025, 0.228), (0.0165, 0.243), (0.0145, 0.258), (0.0142, 0.292),
    ]  # fmt: skip
    lathe("bottle", profile, green, 160)
    foil = Shader("foil", color="#6d1420", rough=0.32, metal=0.35)
    foil.set(normal=foil.bump(foil.noise(120, 3, 0.5, foil.place((1, 1, 0.15))), 0.0008))
    cap = [
        (0.0147, 0.236 + 0.012), (0.0149, 0.2485), (0.0149, 0.285), (0.0149, 0.2855), (0.0157, 0.287),
        (0.0157, 0.292), (0.015, 0.2945), (0.0145, 0.2945), (0.0146, 0.3015), (0.0138, 0.303), (0, 0.303),
    ]  # fmt: skip
    lathe("capsule", cap, foil, 120)
    _label()


def _label() -> None:
    paper = Shader("label", rough=0.75)
    z, angle = paper.part(paper.place(), "Z"), paper.part(paper.place(), "X")
    half = paper.math("ABSOLUTE", angle)
    bands = [
        (0.126, 0.0016, 0.028), (0.066, 0.0006, 0.028), (0.108, 0.0042, 0.0165), (0.098, 0.0013, 0.012),
        (0.0935, 0.0009, 0.0145), (0.082, 0.0008, 0.0075), (0.0775, 0.0008, 0.009),
    ]  # fmt: skip
    ink: object = 0.0
    for height, thick, reach in bands:
        near = paper.between(paper.math("ABSOLUTE", paper.math("SUBTRACT", z, height)), thick + 0.0002, thick)
        ink = paper.math(
            "MAXIMUM", ink, paper.math("MULTIPLY", near, paper.between(half, reach, reach - 0.0003))
        )
    fibre = paper.ramp(paper.noise(500, 3), [(0.3, "#ddd2b8"), (0.7, "#e9e0c9")])
    paper.set(color=paper.mix(paper.math("MULTIPLY", ink, 0.85), fibre, "#5c1a1e"))
    rows = [0.055, 0.0551, 0.095, 0.1349, 0.135]
    steps = [math.radians(-78 + 156 * k / 80) for k in range(81)]
    vertices = [(0.0379 * math.sin(a), -0.0379 * math.cos(a), z_) for z_ in rows for a in steps]
    faces = [
        (i * 81 + k, i * 81 + k + 1, i * 81 + 82 + k, i * 81 + 81 + k) for i in range(4) for k in range(80)
    ]
    thickened(solid("label", vertices, faces, paper), 0.0003)


def teapot() -> None:
    """Round, teal, with a lid and a curved spout."""
    teal = glaze("teal", "#1f7370", "#124c4c", 0.4)
    body = [
        (0, 0.003), (0.038, 0.003), (0.0385, 0), (0.0385, 0), (0.045, 0), (0.0455, 0.004), (0.0455, 0.004),
        (0.063, 0.018), (0.0765, 0.042), (0.078, 0.062), (0.070, 0.086), (0.054, 0.104), (0.044, 0.110),
        (0.0425, 0.1125), (0.0405, 0.112),
    ]  # fmt: skip
    lathe("body", body, teal, 200)
    lid = [
        (0.0405, 0.1095), (0.0415, 0.1125), (0.0425, 0.1135), (0.041, 0.1165), (0.030, 0.1235),
        (0.013, 0.128), (0.0065, 0.1295), (0.006, 0.133), (0.0095, 0.138), (0.0108, 0.1435),
        (0.008, 0.149), (0, 0.1505),
    ]  # fmt: skip
    lathe("lid", lid, teal, 160)
    spout = [
        (-0.058, 0, 0.036), (-0.083, 0, 0.047), (-0.099, 0, 0.070), (-0.108, 0, 0.093), (-0.122, 0, 0.111),
    ]  # fmt: skip
    pipe = tube("spout", spout, [0.0225, 0.018, 0.0125, 0.0098, 0.0088], teal)
    dark = Shader("hole", color="#0c2a2a", rough=0.5)
    hole = lathe("hole", [(0.0066, 0.0), (0.0060, 0.0006), (0, 0.0006)], dark, 60)
    moved(hole, (-0.1222, 0, 0.1114), (0, -38, 0))
    ear = [
        (0.062, 0, 0.094), (0.086, 0, 0.106), (0.112, 0, 0.098), (0.120, 0, 0.074), (0.109, 0, 0.049),
        (0.088, 0, 0.034), (0.066, 0, 0.030),
    ]  # fmt: skip
    tube(
        "handle",
        ear,
        [0.0085, 0.0062, 0.0058, 0.0058, 0.0058, 0.0062, 0.0085],
        teal,
        flat=0.8,
        side=(0, 1, 0),
    )
    shaped(pipe, lambda p: Vector((p.x, p.y, max(p.z, 0.02))))


PROPS = {
    "bowl": Prop(bowl, View(down=20)),
    "cup": Prop(cup, View(down=24)),
    "tea": Prop(tea, View(down=24)),
    "mug": Prop(mug, View(down=14)),
    "plate": Prop(plate, LIES),
    "glass": Prop(drinking_glass, View(down=12), samples=64),
    "wine_glass": Prop(wine_glass, View(down=9), samples=64),
    "bottle": Prop(bottle, View(down=8)),
    "teapot": Prop(teapot, View(down=14)),
}
