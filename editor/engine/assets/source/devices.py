"""Laptop, smartphone and camera."""

import math

import bpy

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, corners, cuboid, slab
from editor.engine.assets.source.studio import Prop, View, all_turned, block, lathe, moved, rounded


def laptop() -> None:
    """An open laptop of aluminium, its screen dark."""
    shell = Shader("aluminium", color="#b9bbbf", metal=0.85, rough=0.34)
    dark = Shader("keys", color="#15161a", rough=0.55)
    wide, deep = 0.305, 0.212
    moved(slab("base", corners(wide, deep, 0.011), 0.0115, shell, 0.003), (0, 0, 0.002))
    moved(slab("well", corners(0.276, 0.104, 0.004), 0.0004, dark), (0, 0.037, 0.0134))
    _keys(dark)
    pad = Shader("pad", color="#a6a8ad", metal=0.6, rough=0.3)
    moved(slab("pad rim", corners(0.1148, 0.0708, 0.0046), 0.0002, dark), (0, -0.0575, 0.01345))
    moved(slab("pad", corners(0.114, 0.07, 0.0042), 0.0003, pad), (0, -0.0575, 0.0135))
    hinge = [
        (0.0001, -0.125),
        (0.0058, -0.125),
        (0.0058, -0.125),
        (0.0058, 0.125),
        (0.0058, 0.125),
        (0, 0.125),
    ]
    moved(lathe("hinge", hinge, dark, 48), (0, deep / 2 - 0.004, 0.0125), (0, 90, 0))
    lid = slab("lid", corners(wide, 0.208, 0.011), 0.0052, shell, 0.0018)
    bezel = slab(
        "bezel", corners(wide - 0.004, 0.204, 0.0095), 0.0004, Shader("bezel", color="#08080a", rough=0.12)
    )
    screen = slab("screen", corners(wide - 0.018, 0.184, 0.003), 0.0002, _dark_screen())
    for part, lift, up in ((lid, 0.0, 0.104), (bezel, 0.0051, 0.104), (screen, 0.0054, 0.106)):
        moved(part, (0, up, lift))
        moved(part, (0, deep / 2 + 0.001, 0.0135), (106, 0, 0))
    all_turned(-24)


def _keys(look: Shader) -> None:
    keys = Mesh()
    pitch = 0.0187
    for row in range(6):
        y, high = 0.0805 - 0.0172 * row, 0.0085 if row == 0 else 0.0148
        wides = [1.0] * 14
        if row == 5:
            wides = [1, 1, 1, 1.25, 5.25, 1.25, 1, 1, 1]
        elif row:
            wides = [1 + 0.25 * row, *[1.0] * (13 - row), 0.0]
            wides[-1] = 14 - sum(wides)
        x = -7 * pitch + 0.004
        scale = (14 * pitch - 0.008) / (sum(wides) * pitch)
        for wide in wides:
            step = wide * pitch * scale
            cuboid(keys, (x + step / 2, y, 0.0143), (step - 0.0026, high, 0.0014))
            x += step
    rounded(keys.build("keys", look), 0.0005)


def _dark_screen() -> Shader:
    look = Shader("screen", color="#0a0c10", rough=0.3, shine=0.25)
    slope = look.math(
        "ADD",
        look.part(look.place((2.2, 4.0, 1), (0.5, 0.5, 0)), "X"),
        look.part(look.place((1, 4.0, 1)), "Y"),
    )
    return look.set(glow=look.ramp(slope, [(0.1, "#05070b"), (0.9, "#1a222e")]), glow_power=0.5)


def phone() -> None:
    """A black smartphone lying, its screen lit."""
    frame = Shader("frame", color="#1b1c20", metal=0.7, rough=0.25)
    wide, long = 0.0725, 0.150
    slab("body", corners(wide, long, 0.0105), 0.0078, frame, 0.0022)
    front = Shader("front", color="#060608", rough=0.06, coat=0.5)
    moved(slab("front", corners(wide - 0.0022, long - 0.0022, 0.0096), 0.0004, front, 0.0002), (0, 0, 0.0076))
    moved(slab("screen", corners(wide - 0.0068, long - 0.0068, 0.0075), 0.0001, _wallpaper()), (0, 0, 0.008))
    moved(slab("notch", corners(0.018, 0.0046, 0.0023), 0.0001, front), (0, 0.0655, 0.00812))
    white = Shader("writing", color="#ffffff", glow="#ffffff", glow_power=0.55, rough=0.3)
    for text, size, y in (("10:24", 0.0185, 0.036), ("Saturday, 12 June", 0.0046, 0.0545)):
        _writing(text, size, y, white)
    moved(slab("home", corners(0.024, 0.0011, 0.0005), 0.0001, white), (0, -0.067, 0.00812))
    for y, high in ((0.028, 0.013), (0.008, 0.02)):
        moved(block("button", (0.0012, high, 0.0024), frame, 0.0005), (wide / 2, y, 0.0028))
    all_turned(-32)


def _wallpaper() -> Shader:
    look = Shader("wallpaper", color="#000000", rough=0.06, shine=0.5)
    waves = look.math(
        "MULTIPLY_ADD",
        look.noise(14, 1, 0.4, twist=1.6),
        0.7,
        look.part(look.place((1, 5.5, 1), (0, 0.15, 0)), "Y"),
    )
    colors = [(0.1, "#10204e"), (0.35, "#2a4f9a"), (0.55, "#6d5fb0"), (0.75, "#d2749a"), (0.95, "#f2b184")]
    return look.set(glow=look.ramp(waves, colors), glow_power=0.62)


def _writing(text: str, size: float, y: float, look: Shader) -> None:
    bpy.ops.object.text_add()
    part = bpy.context.object
    part.data.body, part.data.size, part.data.extrude = text, size, 0.00002
    part.data.align_x = "CENTER"
    part.data.materials.append(look.material)
    part.location = (0, y, 0.00816)
    bpy.context.view_layer.update()


def camera() -> None:
    """A classic camera with a leather skin and a silver top."""
    silver = Shader("silver", color="#c4c4c2", metal=0.9, rough=0.3)
    black = Shader("black", color="#101012", rough=0.35)
    skin = Shader("leather", color="#17161a", rough=0.6)
    skin.set(normal=skin.bump(skin.cells(700), 0.0006))
    upright = corners(0.138, 0.033, 0.0155)
    moved(slab("bottom", upright, 0.009, silver, 0.0015))
    moved(slab("body", corners(0.1375, 0.0325, 0.0153), 0.052, skin), (0, 0, 0.008))
    moved(slab("top", upright, 0.0185, silver, 0.0018), (0, 0, 0.0575))
    hump = [(-0.024, 0), (0.024, 0), (0.017, 0.0155), (0.0125, 0.0175), (-0.0125, 0.0175), (-0.017, 0.0155)]
    moved(slab("prism", hump, 0.031, silver, 0.002), (0, 0.0145, 0.0745), (90, 0, 0))
    moved(block("plate", (0.021, 0.001, 0.0075), black, 0.0003), (0, -0.0167, 0.0785))
    _lens(black)
    _dials(silver, black)
    all_turned(-22)


def _lens(black: Shader) -> None:
    silver = metal("ring", "#bfbfbf", 0.22)
    grip = Shader("grip", color="#141416", rough=0.5)
    ribs = grip.math("SINE", grip.math("MULTIPLY", grip.turn(), 72.0))
    grip.set(normal=grip.bump(ribs, 0.0012))
    place = (0, -0.0162, 0.0335)
    rings = [
        (silver, [
            (0.0335, 0), (0.0335, 0), (0.0335, 0.005), (0.0325, 0.006), (0.0325, 0.006), (0.0275, 0.006),
        ]),
        (black, [(0.0300, 0.005), (0.0300, 0.005), (0.0300, 0.013), (0.0300, 0.013), (0.027, 0.0135)]),
        (grip, [
            (0.0315, 0.0125), (0.0315, 0.0125), (0.0318, 0.0135), (0.0318, 0.0255), (0.0315, 0.0265),
            (0.029, 0.0265),
        ]),
        (silver, [(0.0302, 0.026), (0.0302, 0.026), (0.0302, 0.0295), (0.0302, 0.0295), (0.028, 0.0298)]),
        (black, [
            (0.0296, 0.029), (0.0300, 0.0305), (0.0300, 0.0385), (0.0293, 0.0395), (0.0278, 0.0395),
            (0.0272, 0.0385), (0.0268, 0.037), (0.0190, 0.031), (0.0190, 0.031), (0.0186, 0.0305),
        ]),
    ]  # fmt: skip
    for look, profile in rings:
        moved(lathe("ring", profile, look, 144), place, (90, 0, 0))
    front = Shader("lens", rough=0.03, coat=1.0, coat_rough=0.02, shine=0.8)
    front.set(color=front.mix(front.near_axis(0.016, 0.003), "#1b1030", "#0a1c2c"))
    moved(
        lathe("lens", [(0.0189, 0.029), (0.014, 0.0325), (0.007, 0.0345), (0, 0.035)], front, 96),
        place,
        (90, 0, 0),
    )


def _dials(silver: Shader, black: Shader) -> None:
    knurl = metal("knurl", "#b4b4b3", 0.3)
    knurl.set(normal=knurl.bump(knurl.math("SINE", knurl.math("MULTIPLY", knurl.turn(), 60.0)), 0.0008))
    for x, radius, high in ((-0.052, 0.0105, 0.0085), (0.037, 0.0088, 0.0075), (0.056, 0.0062, 0.005)):
        dial = [
            (radius, 0),
            (radius, 0),
            (radius, high - 0.001),
            (radius - 0.001, high),
            (radius - 0.001, high),
            (0, high),
        ]
        moved(lathe("dial", dial, knurl, 120), (x, 0, 0.0758))
        moved(
            lathe("face", [(radius - 0.002, 0), (0, 0)], black if x < 0.05 else silver, 60),
            (x, 0, 0.0760 + high),
        )
    moved(
        lathe("shutter", [(0.003, 0), (0.003, 0.003), (0.0022, 0.0036), (0, 0.0036)], silver, 48),
        (0.056, 0, 0.081),
    )
    for x in (-0.0705, 0.0705):
        moved(
            lathe("lug", [(0.002, 0), (0.0025, 0.002), (0, 0.003)], silver, 32),
            (x, 0, 0.066),
            (0, math.copysign(90, x), 0),
        )
    glass = Shader("window", color="#0e1218", rough=0.05, coat=1.0)
    moved(block("window", (0.014, 0.001, 0.008), black, 0.0004), (-0.045, -0.0167, 0.0625))
    moved(block("pane", (0.011, 0.001, 0.0055), glass, 0.0002), (-0.045, -0.0173, 0.0637))


PROPS = {
    "laptop": Prop(laptop, View(down=20), samples=40),
    "phone": Prop(phone, View(down=40), samples=24),
    "camera": Prop(camera, View(down=11), samples=40),
}
