"""Things that stand outdoors: street furniture, a rock, a mushroom, a cabin, and what floats or flies."""

import math
import random
from collections.abc import Sequence
from typing import Any

import bpy
from mathutils import Matrix, Vector, noise

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import (
    Mesh,
    anywhere,
    bar,
    cuboid,
    curve,
    each,
    egg,
    grid,
    mottled,
    outline,
    wheel,
)
from editor.engine.assets.source.studio import (
    Prop,
    View,
    ball,
    lathe,
    lumpy,
    moved,
    rounded,
    shaped,
    thickened,
)

UPRIGHT = Matrix.Identity(4)


def boards(name: str, dark: str, light: str, *, along: str, grey: float = 0.25) -> Shader:
    """Weathered boards, each a little different, their grain running along an axis."""
    look = Shader(name, rough=0.7, shine=0.3)
    grain = look.noise(55, 6, 0.65, look.place([0.05 if axis == along else 1.0 for axis in "XYZ"]))
    rings = look.noise(14, 3, 0.6, look.place([0.06 if axis == along else 1.0 for axis in "XYZ"]), 1.5)
    tint = look.ramp(
        look.math("MULTIPLY_ADD", grain, 0.6, look.math("MULTIPLY", rings, 0.4)),
        [(0.32, dark), (0.68, light)],
    )
    tint = look.mix(look.math("MULTIPLY", each(look), grey), tint, "#8d867b")
    return look.set(color=tint, normal=look.bump(grain, 0.004, strength=0.6))


def painted(
    name: str, color: str, under: str, *, chips: float, rough: float = 0.4, scale: float = 12
) -> Shader:
    """Paint with chips that show what is under it; `chips` 0..1 says how much is gone."""
    look = Shader(name, shine=0.4)
    gone = look.between(look.noise(scale, 10, 0.72), 0.78 - 0.3 * chips, 0.8 - 0.3 * chips)
    dirt = look.math("MULTIPLY_ADD", look.noise(scale * 0.6, 6, 0.6), 0.5, 0.74)
    return look.set(
        color=look.mix(gone, look.mix(1.0, color, dirt, "MULTIPLY"), under),
        rough=look.math("MULTIPLY_ADD", gone, 0.4, rough),
        normal=look.bump(look.math("SUBTRACT", look.noise(scale * 8, 3), gone), 0.002, strength=0.35),
    )


def bench() -> None:
    """A park bench of oiled slats on iron frames, 1.6 m long."""
    slats, iron = Mesh(), Mesh()
    for y in (-0.24, -0.135, -0.03, 0.075):
        cuboid(slats, (0, y, 0.445 + 0.012 * math.cos(y * 9)), (1.6, 0.088, 0.034))
    for number in range(4):
        z, y = 0.535 + number * 0.098, 0.165 + number * 0.032
        cuboid(slats, (0, y, z), (1.6, 0.032, 0.082), Matrix.Rotation(math.radians(-17), 3, "X"))
    rounded(slats.build("slats", boards("slats", "#5b3419", "#a5713f", along="X")), 0.007)
    for x in (-0.66, 0.66):
        ways = [
            [(-0.33, 0.0), (-0.29, 0.16), (-0.28, 0.34), (-0.28, 0.425)],
            outline("0.3 0.0, 0.22 0.16, 0.13 0.34, 0.14 0.44, 0.215 0.66, 0.295 0.88"),
            [(-0.29, 0.42), (-0.1, 0.427), (0.14, 0.425)],
            [(-0.28, 0.42), (-0.3, 0.58), (-0.24, 0.655), (-0.05, 0.65), (0.2, 0.63)],
            [(-0.285, 0.25), (-0.1, 0.21), (0.17, 0.25)],
        ]
        for way in ways:
            path = curve([(x, y, z) for y, z in way], 24)
            bar(iron, path, [0.019] * len(path), 12)
        for y in (-0.33, 0.3):
            cuboid(iron, (x, y, 0.008), (0.07, 0.1, 0.016))
    rounded(iron.build("iron", painted("iron", "#232524", "#5a3522", chips=0.35, rough=0.45)), 0.004)
    bolts = Mesh()
    for x in (-0.66, 0.66):
        for y in (-0.24, -0.135, -0.03, 0.075):
            egg(bolts, Vector((x, y, 0.466)), 0.011, 0.006)
    bolts.build("bolts", metal("bolt", "#8d8f90", 0.4))


def stop_sign() -> None:
    """A stop sign on its post, 2.3 m tall."""
    radius, middle = 0.38, 1.9
    sign, rim = Mesh(), Mesh()
    eight = [math.pi / 8 + n * math.pi / 4 for n in range(8)]
    for mesh, outer, inner, y in ((sign, 1.0, 0.0, -0.03), (rim, 0.975, 0.925, -0.0315)):
        ring = [
            Vector((radius * k * math.cos(a), y, middle + radius * k * math.sin(a)))
            for k in (outer, inner)
            for a in eight
        ]
        mesh.add(ring, [(n, (n + 1) % 8, 8 + (n + 1) % 8, 8 + n) for n in range(8)])
    thickened(
        sign.build(
            "sign", painted("red", "#a8121b", "#6d2a22", chips=0.05, rough=0.35, scale=9), smooth=False
        ),
        0.002,
    )
    rim.build("rim", painted("white", "#e4e3df", "#a39a8c", chips=0.08, scale=9), smooth=False)
    letters = bpy.data.curves.new("letters", "FONT")
    letters.body, letters.size, letters.align_x, letters.offset = "STOP", 0.3, "CENTER", 0.0075
    letters.space_character = 1.06
    letters.extrude = 0.0004
    letters.materials.append(painted("white", "#e4e3df", "#a39a8c", chips=0.08, scale=9).material)
    text = bpy.data.objects.new("letters", letters)
    bpy.context.scene.collection.objects.link(text)
    moved(text, (0, -0.0325, middle - 0.108), (90, 0, 0), (0.84, 1.06, 1))
    post = Mesh()
    cuboid(post, (0, 0.0, 1.12), (0.055, 0.032, 2.24))
    rounded(post.build("post", mottled("zinc", "#8f9496", rough=0.45, scale=9)), 0.006)
    bolts = Mesh()
    for z in (middle + 0.27, middle - 0.27):
        egg(bolts, Vector((0, -0.033, z)), 0.011, 0.01)
    bolts.build("bolts", metal("bolt", "#a9abad", 0.35))


def traffic_cone() -> None:
    """A traffic cone with two white bands, 0.7 m tall."""
    profile = outline(
        "0.165 0.035, 0.165 0.035, 0.158 0.05, 0.14 0.062, 0.14 0.062, 0.085 0.38, 0.036 0.68, "
        "0.036 0.68, 0.031 0.69, 0.026 0.688, 0.024 0.66, 0.024 0.6"
    )
    look = Shader("plastic", shine=0.4)
    height = look.part(look.place(), "Z")
    white = look.math("MAXIMUM", _band(look, height, 0.275, 0.4), _band(look, height, 0.475, 0.56))
    dirt = look.math("MULTIPLY", look.between(look.noise(9, 9, 0.7, look.place((1, 1, 0.5))), 0.5, 0.72), 0.5)
    paint = look.mix(dirt, look.mix(white, "#e8480d", "#e6e6e2"), "#6d5a4c")
    lathe(
        "cone",
        profile,
        look.set(color=paint, rough=0.45, normal=look.bump(look.noise(160, 3), 0.001, strength=0.3)),
    )
    base = Mesh()
    cuboid(base, (0, 0, 0.018), (0.4, 0.4, 0.036), Matrix.Rotation(math.radians(22), 3, "Z"))
    rounded(base.build("base", mottled("rubber", "#2b2a2a", rough=0.75, scale=30, depth=0.002)), 0.012)


def _band(look: Shader, height: Any, low: float, high: float) -> Any:
    """1 where the height is between low and high, else 0."""
    above = look.between(height, high - 0.0005, high + 0.0005)
    return look.math("SUBTRACT", look.between(height, low - 0.0005, low + 0.0005), above)


def fire_hydrant() -> None:
    """A red fire hydrant, 0.8 m tall, its paint chipped."""
    look = painted("paint", "#b0191b", "#59301f", chips=0.42, rough=0.36, scale=15)
    profile = outline(
        "0.0 0.0, 0.17 0.0, 0.17 0.0, 0.17 0.03, 0.17 0.03, 0.125 0.035, 0.115 0.06, 0.115 0.06, "
        "0.112 0.4, 0.125 0.45, 0.13 0.55, 0.13 0.55, 0.155 0.555, 0.155 0.555, 0.157 0.585, "
        "0.157 0.585, 0.133 0.59, 0.133 0.59, 0.128 0.64, 0.095 0.7, 0.04 0.733, 0.04 0.733, "
        "0.034 0.75, 0.034 0.75, 0.0 0.75"
    )
    lathe("body", profile, look, 96)
    _nozzles_and_bolts(look)


def _nozzles_and_bolts(look: Shader) -> None:
    parts = Mesh()
    _nut(parts, Matrix.Translation((0, 0, 0.75)), 0.026, 0.05)
    rim = outline(
        "0.07 0.08, 0.07 0.145, 0.082 0.148, 0.084 0.16, 0.084 0.19, 0.078 0.198, 0.03 0.203, 0 0.203"
    )
    for turn, height, size in ((-0.95, 0.475, 0.8), (math.pi - 0.95, 0.475, 0.8), (-1.95, 0.44, 1.15)):
        level = Matrix.Rotation(turn, 4, "Z") @ Matrix.Rotation(math.pi / 2, 4, "Y")
        frame = Matrix.Translation((0, 0, height)) @ level
        wheel(parts, [(radius * size, along) for radius, along in rim], 40, frame)
        _nut(parts, frame @ Matrix.Translation((0, 0, 0.2)), 0.022, 0.035)
    for number in range(8):
        turn = math.tau * number / 8 + 0.2
        _nut(parts, Matrix.Translation((0.143 * math.cos(turn), 0.143 * math.sin(turn), 0.584)), 0.011, 0.014)
        _nut(parts, Matrix.Translation((0.15 * math.cos(turn), 0.15 * math.sin(turn), 0.03)), 0.012, 0.016)
    rounded(parts.build("parts", look), 0.004)


def _nut(mesh: Mesh, frame: Any, radius: float, height: float) -> None:
    wheel(mesh, [(radius, 0.0), (radius * 0.94, height), (0.0, height)], 6, frame)


def rock() -> None:
    """A boulder of granite with lichen, 0.5 m tall."""
    look = Shader("granite", rough=0.9, shine=0.25)
    specks = look.ramp(look.noise(170, 6, 0.75), [(0.35, "#3f3d3b"), (0.5, "#8a8680"), (0.68, "#c3beb4")])
    stain = look.mix(look.between(look.noise(6, 6), 0.45, 0.7), specks, "#75695a", "MULTIPLY")
    stain = look.mix(0.35, stain, look.ramp(look.noise(4, 8, 0.65), [(0.3, "#5c5954"), (0.7, "#a8a49b")]))
    lichen = look.math(
        "MULTIPLY",
        look.between(look.noise(11, 8, 0.7), 0.56, 0.62),
        look.between(look.height(0.1, 0.5), 0.1, 0.9),
    )
    relief = look.math("MULTIPLY_ADD", look.noise(120, 6, 0.7), 0.4, look.noise(24, 8, 0.65))
    look.set(
        color=look.mix(look.math("MULTIPLY", lichen, 0.65), stain, "#8b8f62"),
        normal=look.bump(relief, 0.02, strength=0.8),
    )
    chance = random.Random(9)
    cuts = [(anywhere(chance), chance.uniform(0.62, 0.86)) for _ in range(26)]

    def broken(vert: Any) -> Any:
        spot = vert.normalized()
        reach = min([1.0, *(depth / max(0.05, spot.dot(way)) for way, depth in cuts if spot.dot(way) > 0.05)])
        rough = noise.fractal(spot * 2.2, 0.7, 2.1, 6) * 0.05 + noise.noise(spot * 1.1) * 0.1
        return Vector((spot.x * 0.46, spot.y * 0.36, spot.z * 0.32)) * (reach + rough)

    part = moved(shaped(ball("rock", 1, look, 7), broken), (0, 0, 0.12))
    shaped(part, lambda v: Vector((v.x, v.y, max(v.z, -0.12 + 0.006 * noise.noise(v * 30)))))


def mushroom() -> None:
    """A fly agaric, 16 cm tall."""
    red = Shader("cap", rough=0.28, soft=0.15, soft_depth=(0.004, 0.001, 0.001), coat=0.25)
    red.set(
        color=red.mix(red.noise(60, 5), "#a5130b", "#d3341a"),
        normal=red.bump(red.noise(150, 3), 0.0006, strength=0.3),
    )
    profile = outline(
        "0.012 0.108, 0.05 0.104, 0.066 0.102, 0.0685 0.106, 0.064 0.122, 0.05 0.141, 0.028 0.153, 0.0 0.157"
    )
    cap = lathe("cap", profile, red)
    shaped(cap, lambda v: v + Vector((0, 0, 0.004 * noise.noise(v * 22) - 0.05 * v.x)))
    pale = Shader("flesh", rough=0.75, soft=0.2, soft_depth=(0.006, 0.005, 0.004), shine=0.2)
    fibres = pale.noise(160, 5, 0.65, pale.place((1, 1, 0.15)))
    pale.set(color=pale.mix(fibres, "#cfc4a8", "#f1ecdf"), normal=pale.bump(fibres, 0.0015, strength=0.5))
    stem = outline(
        "0.0 0.0, 0.016 0.001, 0.022 0.012, 0.02 0.024, 0.02 0.024, 0.0165 0.03, 0.018 0.035, "
        "0.0145 0.044, 0.012 0.075, 0.011 0.11"
    )
    shaped(
        lumpy(lathe("stem", stem, pale), 0.0016, 0.012),
        lambda v: v + Vector((0.006 * math.sin(v.z * 22), 0, 0)),
    )
    skirt = Mesh()
    grid(skirt, lambda u, v: _skirt(math.tau * u, v), 96, 10)
    thickened(skirt.build("skirt", pale), 0.0006)
    _warts(profile, pale)


def _warts(profile: Sequence[tuple[float, float]], pale: Shader) -> None:
    """Warts all over the cap that has this profile."""
    warts = Mesh()
    chance, line = random.Random(15), curve([(r, z, 0) for r, z in profile], 140)
    for number in range(46):
        share = math.sqrt((number + 0.5) / 46)
        turn, out = number * 2.39996 + chance.uniform(-0.2, 0.2), 0.066 * share
        height = next(spot.y for spot in reversed(line) if spot.x >= out)
        spot = Vector((math.cos(turn) * out, math.sin(turn) * out, height - 0.05 * math.cos(turn) * out))
        egg(warts, spot, chance.uniform(0.003, 0.0075) * (1.1 - 0.45 * share), 0.003)
    lumpy(warts.build("warts", pale), 0.0022, 0.004)


def _skirt(turn: float, share: float) -> Any:
    radius = 0.012 + 0.017 * share**1.2 + 0.0016 * math.sin(turn * 11) * share
    return Vector(
        (
            radius * math.cos(turn) + 0.0055,
            radius * math.sin(turn),
            0.092 - 0.019 * share**1.3 + 0.0015 * math.sin(turn * 7 + 1),
        )
    )


def fence() -> None:
    """A stretch of white picket fence, 2.4 m long and 1 m tall."""
    chance, pickets, rails = random.Random(2), Mesh(), Mesh()
    for number in range(19):
        x, tall = -1.17 + number * 0.13, 0.93 + chance.uniform(-0.006, 0.006)
        lean = math.radians(chance.uniform(-0.6, 0.6))
        shape = [(-0.042, 0.05), (0.042, 0.05), (0.042, tall - 0.07), (0, tall), (-0.042, tall - 0.07)]
        verts = [Vector((x + dx + (z * math.tan(lean)), y, z)) for y in (-0.011, 0.011) for dx, z in shape]
        sides = [(n, (n + 1) % 5, 5 + (n + 1) % 5, 5 + n) for n in range(5)]
        pickets.add(verts, [(0, 1, 2, 3, 4), (9, 8, 7, 6, 5), *sides])
    for z in (0.26, 0.7):
        cuboid(rails, (0, 0.034, z), (2.44, 0.042, 0.085))
    for x in (-1.04, 0, 1.04):
        cuboid(rails, (x, 0.1, 0.48), (0.09, 0.09, 0.96))
    paint = painted("paint", "#e9e7e0", "#8f7f6a", chips=0.4, rough=0.6, scale=7)
    rounded(pickets.build("pickets", paint, smooth=True), 0.003)
    rounded(rails.build("rails", paint), 0.004)


def street_lamp() -> None:
    """A street lamp of cast iron with a lantern, 3.6 m tall."""
    iron = painted("iron", "#1f2423", "#4b3426", chips=0.1, rough=0.42, scale=8)
    pole = outline(
        "0.0 0.0, 0.2 0.0, 0.2 0.0, 0.2 0.08, 0.2 0.08, 0.165 0.1, 0.15 0.14, 0.15 0.14, "
        "0.14 0.5, 0.14 0.5, 0.155 0.52, 0.155 0.55, 0.12 0.6, 0.075 0.72, 0.068 0.78, "
        "0.085 0.8, 0.085 0.83, 0.06 0.86, 0.052 1.6, 0.046 2.5, 0.046 2.5, 0.07 2.52, "
        "0.07 2.56, 0.045 2.6, 0.04 2.72, 0.075 2.78, 0.13 2.82, 0.13 2.84, 0.0 2.84"
    )
    lathe("pole", pole, iron, 48)
    _lantern(iron)


def _lantern(iron: Shader) -> None:
    lantern = Mesh()
    wheel(
        lantern,
        outline(
            "0.3 3.32, 0.315 3.33, 0.315 3.35, 0.2 3.45, 0.1 3.52, 0.09 3.56, 0.05 3.58, 0.02 3.6, "
            "0.012 3.66, 0.0 3.68"
        ),
        6,
        UPRIGHT,
    )
    wheel(lantern, [(0.0, 2.83), (0.16, 2.83), (0.17, 2.86), (0.0, 2.86)], 6, UPRIGHT)
    for number in range(6):
        turn = math.tau * number / 6
        way = Vector((math.cos(turn), math.sin(turn), 0))
        bar(
            lantern,
            [
                way * 0.16 + Vector((0, 0, 2.84)),
                way * 0.24 + Vector((0, 0, 3.1)),
                way * 0.3 + Vector((0, 0, 3.34)),
            ],
            [0.012] * 3,
            8,
        )
    bar(lantern, [Vector((-0.3, 0, 2.64)), Vector((0, 0, 2.64)), Vector((0.3, 0, 2.64))], [0.014] * 3, 10)
    for x in (-0.3, 0.3):
        egg(lantern, Vector((x, 0, 2.64)), 0.026, 0.026)
    rounded(lantern.build("lantern", iron, smooth=False), 0.004)
    panes = Mesh()
    wheel(panes, [(0.152, 2.86), (0.228, 3.1), (0.285, 3.33)], 6, UPRIGHT)
    milk = Shader("milk glass", color="#e9e2d2", rough=0.25, glow="#ffe2ad", glow_power=0.5)
    panes.build("panes", milk, smooth=False)


PROPS = {
    "bench": Prop(bench, View(down=12, turn=24)),
    "stop_sign": Prop(stop_sign, View(down=3, turn=-6)),
    "traffic_cone": Prop(traffic_cone, View(down=12), longest=480),
    "fire_hydrant": Prop(fire_hydrant, View(down=10), longest=520),
    "rock": Prop(rock, View(down=12), longest=520),
    "mushroom": Prop(mushroom, View(down=6), longest=500),
    "fence": Prop(fence, View(down=6, turn=8)),
    "street_lamp": Prop(street_lamp, View(down=4, lens=85), longest=640),
}
