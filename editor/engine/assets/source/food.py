"""Fruit and pumpkin: lathed, made uneven, and colored by noise the way skins are."""

import math
from itertools import pairwise

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.studio import (
    Prop,
    View,
    ball,
    copied,
    joined,
    lathe,
    leaf,
    lumpy,
    moved,
    scattered,
    shaped,
    solid,
    tube,
)

APPLE = [
    (0, 0.007),
    (0.007, 0.005),
    (0.017, 0.0),
    (0.029, 0.008),
    (0.0375, 0.025),
    (0.041, 0.044),
    (0.0385, 0.060),
    (0.030, 0.0715),
    (0.019, 0.0745),
    (0.010, 0.071),
    (0.004, 0.063),
    (0, 0.061),
]


def apple() -> None:
    """Red, with streaks over yellow and pale dots."""
    skin = Shader("skin", rough=0.26, coat=0.25, coat_rough=0.15)
    streaks = skin.noise(9, 5, 0.62, skin.meridians(9))
    blush = skin.noise(16, 2)
    share = skin.math("MULTIPLY_ADD", blush, 0.9, skin.math("MULTIPLY_ADD", streaks, 1.15, -0.5))
    red = skin.ramp(share, [(0.22, "#d9a441"), (0.34, "#c8402c"), (0.55, "#a8171c"), (0.85, "#6d0a12")])
    green = skin.between(skin.height(0.058, 0.0735), 0.0, 1.0)
    near = skin.math("MULTIPLY", green, skin.near_axis(0.024, 0.006))
    _apple(skin, skin.mix(near, red, "#a9a23c"), "#d9a877", 0.5)


def green_apple() -> None:
    """Green, faintly blushing on one side, with pale dots."""
    skin = Shader("skin", rough=0.26, coat=0.25, coat_rough=0.15)
    streaks = skin.noise(7, 4, 0.6, skin.meridians(9))
    green = skin.ramp(streaks, [(0.3, "#6f9a1d"), (0.7, "#9dbb34")])
    blush = skin.between(skin.noise(14, 2, where=skin.place(shift=(0.02, 0.3, 0))), 0.56, 0.8)
    color = skin.mix(skin.math("MULTIPLY", blush, 0.5), green, "#c9a23a")
    _apple(skin, skin.mix(skin.near_axis(0.02, 0.006), color, "#5f8418"), "#cdd98a", 0.6)


def _apple(skin: Shader, color: object, dots: str, dotted: float) -> None:
    spots = skin.math("MULTIPLY", skin.between(skin.cells(330), 0.2, 0.13), dotted)
    skin.set(color=skin.mix(spots, color, dots), normal=skin.bump(skin.noise(160, 3), 0.0006, strength=0.35))
    body = lathe("apple", APPLE, skin, 160)

    def lobes(p: Vector) -> Vector:
        five = 0.035 * math.cos(5 * math.atan2(p.y, p.x)) * (0.35 + 0.65 * (p.z < 0.03) * (1 - p.z / 0.03))
        return Vector((p.x * (1 + five), p.y * (1 + five), p.z + 0.05 * p.x * (p.z / 0.07)))

    lumpy(shaped(body, lobes), 0.0035, 0.05, 3.1)
    _stalk([(0, 0, 0.060), (0.001, 0, 0.07), (0.003, 0.001, 0.08), (0.0075, 0.0015, 0.09)], 0.0012, 0.0021)


def _stalk(path: list[tuple[float, float, float]], thin: float, thick: float, color: str = "#5b4126") -> None:
    bark = Shader("stalk", rough=0.7)
    fibres = bark.noise(900, 3, 0.6)
    bark.set(color=bark.ramp(fibres, [(0.3, "#37261a"), (0.7, color)]), normal=bark.bump(fibres, 0.0006))
    radii = [thin] * (len(path) - 2) + [thin * 1.15, thick]
    tube("stalk", path, radii, bark)


def orange() -> None:
    """With pores, and the pale button where it hung."""
    peel = _peel("orange", ["#d56c08", "#dd780c", "#e28516"], 900)
    profile = [
        (0, 0.001), (0.010, 0.0003), (0.024, 0.007), (0.0355, 0.021), (0.0395, 0.037), (0.0365, 0.053),
        (0.026, 0.0665), (0.012, 0.0722), (0.005, 0.0715), (0, 0.0705),
    ]  # fmt: skip
    body = shaped(lathe("orange", profile, peel, 160), lambda p: _pucker(p, 0.073, 0.011, 0.0005))
    lumpy(body, 0.0016, 0.05, 1.4)
    button = Shader("button", rough=0.75)
    button.set(color=button.ramp(button.noise(700, 3), [(0.3, "#6a6a32"), (0.7, "#a5a05e")]))
    star = lathe(
        "button", [(0, 0.0735), (0.002, 0.0732), (0.0034, 0.0722), (0.0036, 0.070), (0, 0.070)], button, 60
    )
    shaped(star, lambda p: _waved(p, 5, 0.18))
    for part in (body, star):
        moved(part, (0, 0, 0.036), (0, 0, 0)).matrix_world.translation = (0, 0, 0)
        _about(part, 0.0365, (24, 14, 0))


def _about(part: bpy.types.Object, height: float, turned: tuple[float, float, float]) -> None:
    """Turns a thing about the point at that height above the origin."""
    moved(moved(part, (0, 0, -height)), (0, 0, height), turned)


def _waved(p: Vector, waves: int, depth: float) -> Vector:
    swing = 1 + depth * math.cos(waves * math.atan2(p.y, p.x))
    return Vector((p.x * swing, p.y * swing, p.z))


def _pucker(p: Vector, top: float, reach: float, depth: float) -> Vector:
    near = math.exp(-((math.hypot(p.x, p.y) / reach) ** 2)) * (p.z > top * 0.6)
    return p - Vector((0, 0, depth * near * (1 + math.cos(9 * math.atan2(p.y, p.x)))))


def _peel(name: str, colors: list[str], pores: float) -> Shader:
    peel = Shader(name, rough=0.36, shine=0.45)
    clouds = peel.noise(60, 2)
    pits = peel.between(peel.cells(pores), 0.0, 0.42)
    color = peel.ramp(clouds, [(0.3 + 0.2 * i, color) for i, color in enumerate(colors)])
    dark = peel.math("MULTIPLY", peel.between(pits, 0.55, 0.0), 0.22)
    peel.set(color=peel.mix(dark, color, colors[0], "MULTIPLY"))
    return peel.set(normal=peel.bump(pits, 0.00028, peel.bump(peel.noise(220, 2), 0.0006, strength=0.5)))


def lemon() -> None:
    """Lying on its side, a little green at one end."""
    peel = _peel("lemon", ["#dfa006", "#ebb50f", "#f0c42a"], 640)
    green = peel.between(peel.height(0.040, 0.088), 0.1, 1.0)
    uneven = peel.math("MULTIPLY", green, peel.between(peel.noise(90, 3), 0.2, 0.7))
    base = peel.surface.inputs["Base Color"].links[0].from_socket
    peel.set(color=peel.mix(peel.math("MULTIPLY", uneven, 0.9), base, "#6d8a14"))
    profile = [
        (0, 0), (0.0035, 0.0004), (0.0055, 0.003), (0.010, 0.008), (0.0195, 0.0155), (0.0275, 0.029),
        (0.0298, 0.043), (0.0268, 0.059), (0.018, 0.0715), (0.010, 0.0775), (0.0075, 0.082), (0.006, 0.0865),
        (0.003, 0.0885), (0, 0.0888),
    ]  # fmt: skip
    body = lathe("lemon", profile, peel, 160)
    shaped(body, lambda p: Vector((p.x + 0.0025 * math.sin(p.z / 0.0888 * math.pi), p.y, p.z)))
    lumpy(body, 0.003, 0.035, 5.2)
    moved(body, (0.044, 0, 0.029), (0, -87, 0))
    moved(body, turned=(0, 0, 22))


def peach() -> None:
    """Downy, blushing, with its seam in front."""
    skin = Shader("skin", rough=0.75, sheen=0.7, shine=0.2)
    clouds = skin.noise(26, 5, 0.6)
    side = skin.math("MULTIPLY_ADD", skin.part(skin.place(), "X"), 7.0, 0.35)
    share = skin.math("ADD", skin.math("MULTIPLY", clouds, 0.75), side)
    down = skin.noise(1500, 2, 0.7)
    red = skin.ramp(share, [(0.3, "#eab052"), (0.55, "#e38a45"), (0.75, "#c5463a"), (1.0, "#8f1f2a")])
    skin.set(color=skin.mix(skin.math("MULTIPLY", down, 0.22), red, "#f0cfa8"))
    skin.set(normal=skin.bump(down, 0.0002))
    profile = [
        (0, 0.0), (0.010, 0.0006), (0.024, 0.007), (0.0345, 0.021), (0.0375, 0.036), (0.035, 0.051),
        (0.026, 0.063), (0.014, 0.0675), (0.006, 0.064), (0.002, 0.058), (0, 0.057),
    ]  # fmt: skip

    def seam(p: Vector) -> Vector:
        angle = math.atan2(p.x + 0.004, -p.y)
        deep = 0.085 * math.exp(-((angle / 0.11) ** 2)) - 0.05 * math.exp(-((angle / 0.4) ** 2))
        return Vector((p.x * (1 - deep), p.y * (1 - deep), p.z))

    body = lumpy(shaped(lathe("peach", profile, skin, 240), seam), 0.0025, 0.045, 2.2)
    _about(body, 0.034, (10, 7, 18))
    blade = _green_leaf("#3f6a22", "#6c9440")
    moved(leaf("leaf", 0.062, 0.019, blade, bend=0.9), (0.001, 0.004, 0.066), (0, -32, 35))
    _stalk([(0.001, 0.004, 0.055), (0.001, 0.004, 0.062), (0, 0.005, 0.069)], 0.0016, 0.0023)


def _green_leaf(dark: str, light: str) -> Shader:
    """Green with a pale middle vein and side veins (a leaf of `studio.leaf` lies along x)."""
    blade = Shader("leaf", rough=0.42)
    y = blade.math("ABSOLUTE", blade.part(blade.place(), "Y"))
    slant = blade.math("SUBTRACT", blade.part(blade.place(), "X"), blade.math("MULTIPLY", y, 1.1))
    waves = blade.math("SINE", blade.math("MULTIPLY", slant, 1100.0))
    veins = blade.math("MAXIMUM", blade.between(waves, 0.8, 1.0), blade.between(y, 0.0007, 0.0003))
    green = blade.ramp(blade.noise(120, 4), [(0.3, dark), (0.75, light)])
    blade.set(color=blade.mix(blade.math("MULTIPLY", veins, 0.35), green, "#a9bd70"))
    return blade.set(normal=blade.bump(veins, -0.0004))


def pear() -> None:
    """Yellow-green with russet specks and a faint blush."""
    skin = Shader("skin", rough=0.34)
    green = skin.ramp(skin.noise(22, 4, 0.6), [(0.3, "#93a02b"), (0.7, "#c2b63e")])
    side = skin.between(
        skin.math("ADD", skin.part(skin.place(), "X"), skin.math("MULTIPLY", skin.noise(30), 0.03)),
        0.02,
        0.06,
    )
    blushed = skin.mix(skin.math("MULTIPLY", side, 0.6), green, "#b4632c")
    specks = skin.math("MULTIPLY", skin.between(skin.cells(520), 0.3, 0.16), 0.55)
    russet = skin.math(
        "MULTIPLY",
        skin.between(skin.height(0.02, 0.0), 0.2, 1.0),
        skin.between(skin.noise(150, 5), 0.45, 0.7),
    )
    color = skin.mix(skin.math("MULTIPLY", russet, 0.8), skin.mix(specks, blushed, "#7c6326"), "#7d5a2a")
    skin.set(color=color, normal=skin.bump(skin.noise(190, 3), 0.0007, strength=0.5))
    profile = [
        (0, 0.006), (0.006, 0.004), (0.014, 0.0), (0.026, 0.007), (0.0345, 0.022), (0.0355, 0.037),
        (0.0305, 0.054), (0.0225, 0.070), (0.0165, 0.085), (0.0125, 0.097), (0.0075, 0.1035),
        (0.003, 0.1035), (0, 0.102),
    ]  # fmt: skip
    body = lathe("pear", profile, skin, 160)
    shaped(body, lambda p: Vector((p.x + 0.006 * (p.z / 0.1) ** 2, p.y, p.z)))
    lumpy(body, 0.0055, 0.05, 7.7)
    _stalk(
        [(0.0062, 0, 0.100), (0.0066, 0, 0.108), (0.009, 0.001, 0.117), (0.014, 0.001, 0.125)], 0.0014, 0.0023
    )


def banana() -> None:
    """One banana lying on its side: five-cornered, ends dark, with brown flecks."""
    skin = Shader("skin", rough=0.4)
    along, ridge = (skin.node("Attribute", attribute_name=name).outputs["Fac"] for name in ("along", "ridge"))
    yellow = skin.ramp(skin.noise(25, 4), [(0.3, "#dca919"), (0.7, "#ecc63a")])
    green = skin.math("MULTIPLY", skin.between(along, 0.78, 0.9), 0.75)
    tips = skin.math("MAXIMUM", skin.between(along, 0.035, 0.012), skin.between(along, 0.985, 0.995))
    flecks = skin.between(skin.noise(150, 4, 0.55), 0.62, 0.68)
    edges = skin.math("MULTIPLY", skin.between(ridge, 0.8, 1.0), skin.between(skin.noise(90, 3), 0.35, 0.7))
    marks = skin.math("MULTIPLY", skin.math("MAXIMUM", flecks, edges), 0.6)
    color = skin.mix(marks, skin.mix(green, yellow, "#95a032"), "#74501d")
    skin.set(
        color=skin.mix(tips, color, "#2a1d12"), normal=skin.bump(skin.noise(130, 3), 0.0008, strength=0.4)
    )
    moved(_bent_fruit(skin), (0, 0, 0.024), (24, 0, 6))


BANANA = [
    (0, 0.0032),
    (0.015, 0.0042),
    (0.04, 0.0075),
    (0.12, 0.0142),
    (0.28, 0.0180),
    (0.5, 0.0188),
    (0.68, 0.0170),
    (0.78, 0.0128),
    (0.84, 0.0078),
    (0.88, 0.0056),
    (0.95, 0.0050),
    (0.985, 0.0055),
    (1, 0.0066),
]


def _bent_fruit(skin: Shader) -> bpy.types.Object:
    rows, round_, reach = 140, 80, 0.100
    vertices, shares, ridges = [], [], []
    for i in range(rows + 1):
        t = i / rows
        angle = math.radians(-152 + 125 * t - 0.5 * max(0, t - 0.8) * 60)
        thick = _between(BANANA, t)
        for k in range(round_):
            a = 2 * math.pi * k / round_
            ridge = max(0.0, math.cos(2.5 * (a + 0.5)) ** 2) ** 4
            girth = thick * (1 + 0.07 * ridge * math.sin(math.pi * t) ** 0.5)
            away = reach + girth * math.cos(a) + 0.03 * max(0, t - 0.8)
            vertices.append((math.cos(angle) * away, math.sin(angle) * away, girth * math.sin(a)))
            shares.append(t)
            ridges.append(ridge)
    faces = joined(rows + 1, round_)
    ends = [tuple(range(round_))[::-1], tuple(range(rows * round_, (rows + 1) * round_))]
    body = solid("banana", vertices, [*faces, *ends], skin)
    for name, values in (("along", shares), ("ridge", ridges)):
        body.data.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values)
    return body


def _between(stops: list[tuple[float, float]], t: float) -> float:
    for (a, low), (b, high) in pairwise(stops):
        if t <= b:
            share = (t - a) / (b - a)
            return low + (high - low) * share * share * (3 - 2 * share)
    return stops[-1][1]


def strawberry() -> None:
    """Lying with its leaves to the left; every seed sits in a dimple."""
    skin = Shader("skin", rough=0.24, coat=0.4, coat_rough=0.12)
    pale = skin.between(skin.height(0.029, 0.040), 0.1, 1.0)
    red = skin.ramp(skin.noise(60, 3), [(0.3, "#a50d12"), (0.7, "#c9191a")])
    skin.set(color=skin.mix(skin.math("MULTIPLY", pale, 0.55), red, "#dd6a4c"))
    skin.set(normal=skin.bump(skin.noise(500, 2), 0.0004, strength=0.4))
    profile = [(0, 0), (0.004, 0.0006), (0.009, 0.006), (0.0145, 0.016), (0.0175, 0.026), (0.0165, 0.034),
               (0.011, 0.0395), (0.005, 0.0395), (0, 0.038)]  # fmt: skip
    body = lumpy(lathe("berry", profile, skin, 260), 0.0015, 0.02, 4.0)
    seeds = _seeds(body)
    green = _green_leaf("#466f22", "#7da244")
    crown = [
        moved(
            leaf("sepal", 0.017 + 0.003 * (k % 3), 0.0075, green, bend=0.9 - 0.5 * (k % 2)),
            (0, 0, 0.0395),
            (0, -18 - 22 * (k % 2), 36 * k + 9 * (k % 3)),
        )
        for k in range(10)
    ]
    stem = Shader("stem", color="#7e9a4a", rough=0.5)
    crown.append(
        tube(
            "stem", [(0, 0, 0.038), (0.0005, 0, 0.045), (0.003, 0.001, 0.054)], [0.0013, 0.001, 0.0012], stem
        )
    )
    for part in (body, *seeds, *crown):
        moved(moved(part, (0, 0, -0.02)), (0, 0, 0.0165), (8, -68, -32))


def _seeds(body: bpy.types.Object) -> list[bpy.types.Object]:
    """Sinks a dimple for every seed into the berry and puts the seeds there."""
    spots = _spots(body)
    deep = {}
    for vertex in body.data.vertices:
        near = min((vertex.co - spot).length_squared for spot, _ in spots)
        deep[vertex.index] = vertex.co - vertex.normal * 0.0009 * math.exp(-near / 0.0011**2)
    for index, place in deep.items():
        body.data.vertices[index].co = place
    body.data.update()
    husk = Shader("seed", color="#d9b457", rough=0.35, coat=0.3)
    first = ball("seed", 1.0, husk, 2)
    seeds = []
    for number, (spot, normal) in enumerate(spots):
        seed = first if number == 0 else copied(first)
        turn = (-normal).to_track_quat("Z", "Y").to_matrix().to_4x4()
        seed.matrix_world = turn
        seed.matrix_world.translation = spot - normal * 0.00055
        seed.scale = (0.00042, 0.00072, 0.0004)
        bpy.context.view_layer.update()
        seeds.append(seed)
    return seeds


def _spots(body: bpy.types.Object) -> list[tuple[Vector, Vector]]:
    """Points and normals evenly over the berry's skin, none at the crown."""
    centre, spots = Vector((0, 0, 0.021)), []
    for way in scattered(190):
        ray = Vector((way.x * 0.9, way.y * 0.9, way.z)).normalized()
        hit, place, normal, _ = body.ray_cast(centre, ray)
        if hit and place.z < 0.0375:
            spots.append((place, normal))
    return spots


def cherries() -> None:
    """A pair on one stalk with a leaf."""
    skin = Shader("skin", rough=0.12, coat=0.6, coat_rough=0.05)
    share = skin.noise(70, 4, 0.55)
    skin.set(color=skin.ramp(share, [(0.28, "#4a040c"), (0.55, "#7c0a14"), (0.8, "#a11a1e")]))
    profile = [(0, 0), (0.004, 0.0002), (0.009, 0.0028), (0.0122, 0.010), (0.0118, 0.0165), (0.0085, 0.0212),
               (0.005, 0.0222), (0.002, 0.0208), (0, 0.0202)]  # fmt: skip
    for place, turned in (((-0.012, 0, 0), (4, 8, 20)), ((0.0135, -0.004, 0), (3, -10, 200))):
        berry = shaped(lathe("cherry", profile, skin, 120), lambda p: _cleft(p))
        lumpy(berry, 0.0008, 0.02, place[0] * 900)
        moved(berry, (*place[:2], 0), turned)
    green = Shader("stalk", rough=0.45)
    green.set(color=green.ramp(green.noise(300), [(0.3, "#5d6b2a"), (0.7, "#8f9a48")]))
    top = (0.001, 0.004, 0.064)
    tube(
        "stalk",
        [(-0.0102, 0, 0.0205), (-0.0085, 0.001, 0.034), (-0.004, 0.003, 0.052), top],
        [0.0008, 0.0006, 0.0006, 0.001],
        green,
    )
    tube(
        "stalk",
        [(0.0098, -0.003, 0.0205), (0.0105, -0.001, 0.034), (0.006, 0.002, 0.053), top],
        [0.0008, 0.0006, 0.0006, 0.001],
        green,
    )
    tube(
        "twig",
        [(-0.0005, 0.004, 0.0625), (0.001, 0.004, 0.064), (0.003, 0.004, 0.068)],
        [0.0012, 0.0018, 0.0017],
        green,
    )
    moved(
        leaf("leaf", 0.044, 0.021, _green_leaf("#33601d", "#5c8a34"), bend=0.8),
        (0.0015, 0.004, 0.0645),
        (8, -24, -14),
    )


def _cleft(p: Vector) -> Vector:
    shrink = 1 - 0.03 * math.exp(-((math.atan2(p.x, -p.y) / 0.2) ** 2))
    return Vector((p.x * shrink, p.y * shrink, p.z))


def pumpkin() -> None:
    """Ribbed, with a dry crooked stalk."""
    skin = Shader("skin", rough=0.4, shine=0.4)
    clouds = skin.noise(11, 5, 0.6)
    streaks = skin.noise(14, 4, 0.6, skin.meridians(3))
    share = skin.math("MULTIPLY_ADD", clouds, 0.5, skin.math("MULTIPLY", streaks, 0.5))
    groove = skin.node("Attribute", attribute_name="groove").outputs["Fac"]
    color = skin.ramp(share, [(0.3, "#b9520b"), (0.5, "#d56d12"), (0.72, "#e08a2a")])
    specks = skin.math("MULTIPLY", skin.between(skin.cells(150), 0.25, 0.1), 0.35)
    color = skin.mix(specks, skin.mix(skin.math("MULTIPLY", groove, 0.6), color, "#93400a"), "#e9b878")
    skin.set(color=color, normal=skin.bump(skin.noise(70, 5), 0.002, strength=0.5))
    profile = [
        (0, 0.018), (0.03, 0.008), (0.07, 0.0), (0.115, 0.022), (0.145, 0.07), (0.148, 0.115),
        (0.128, 0.165), (0.09, 0.197), (0.05, 0.203), (0.022, 0.192), (0, 0.180),
    ]  # fmt: skip
    body = lathe("pumpkin", profile, skin, 480)
    deep = [_rib(v.co) for v in body.data.vertices]
    body.data.attributes.new("groove", "FLOAT", "POINT").data.foreach_set("value", deep)
    for vertex, share_ in zip(body.data.vertices, deep, strict=True):
        vertex.co = vertex.co - Vector((vertex.co.x, vertex.co.y, (vertex.co.z - 0.1) * 0.5)) * 0.13 * share_
    lumpy(body, 0.010, 0.10, 1.0)
    _pumpkin_stalk()


def _rib(p: Vector) -> float:
    """1 in a groove, 0 on the back of a rib; the ribs are unevenly broad."""
    angle = math.atan2(p.y, p.x)
    uneven = angle + 0.09 * math.sin(2 * angle + 1) + 0.07 * math.sin(5 * angle)
    return math.pow(1 - abs(math.sin(5.5 * uneven)), 2.2)


def _pumpkin_stalk() -> None:
    bark = Shader("stalk", rough=0.75)
    fibre = bark.noise(160, 4, 0.6, bark.place((1, 1, 0.15)))
    bark.set(color=bark.ramp(fibre, [(0.25, "#4c4a22"), (0.55, "#7d7a3e"), (0.8, "#a89b68")]))
    bark.set(normal=bark.bump(fibre, 0.004))
    path = [
        (0, 0, 0.178), (0, 0, 0.195), (0.004, -0.002, 0.215), (0.016, -0.006, 0.24), (0.036, -0.01, 0.256),
    ]  # fmt: skip
    stalk = tube("stalk", path, [0.034, 0.024, 0.0155, 0.013, 0.0165], bark)
    axis = [Vector(p) for p in path]

    def ribbed(p: Vector) -> Vector:
        heart = min(axis, key=lambda a: (a - p).length)
        angle = math.atan2(p.y - heart.y, p.x - heart.x)
        return p + (p - heart) * 0.16 * math.cos(6 * angle)

    shaped(stalk, ribbed)


FRUIT = View(down=13)
PROPS = {
    "apple": Prop(apple, View(down=19)),
    "green_apple": Prop(green_apple, View(down=19)),
    "orange": Prop(orange, FRUIT),
    "lemon": Prop(lemon, View(down=18)),
    "peach": Prop(peach, FRUIT),
    "pear": Prop(pear, FRUIT),
    "banana": Prop(banana, View(down=38)),
    "strawberry": Prop(strawberry, View(down=22)),
    "cherries": Prop(cherries, FRUIT),
    "pumpkin": Prop(pumpkin, FRUIT),
}
