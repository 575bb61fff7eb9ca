"""A sword and a guitar."""

import itertools
import math
from collections.abc import Sequence

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader, metal, wood
from editor.engine.assets.source.shapes import Mesh, corners, cuboid, curve, slab
from editor.engine.assets.source.studio import Prop, View, all_turned, joined, lathe, moved, solid, tube


def sword() -> None:
    """A knight's sword that sticks in the ground, 1 m tall."""
    steel, brass = metal("steel", "#cfd1d4", 0.16), metal("brass", "#c39a4e", 0.24)
    _blade(steel)
    half = [(-0.115, 0.768, 0.0105), (-0.11, 0.769, 0.0135), (-0.06, 0.778, 0.0105), (0, 0.782, 0.0125)]
    spots = half + [(-x, z, r) for x, z, r in reversed(half[:-1])]
    path, radii = [(x, 0, z) for x, z, _ in spots], [r for *_, r in spots]
    tube("guard", path, radii, brass, flat=0.8, side=(0, 0, 1))
    leather = Shader("leather", color="#3a1f12", rough=0.55)
    wound = leather.math(
        "SINE", leather.math("MULTIPLY_ADD", leather.part(leather.place(), "Z"), 620.0, leather.turn())
    )
    leather.set(
        normal=leather.bump(wound, 0.003),
        color=leather.mix(leather.between(wound, -0.9, 0.2), "#1d0e07", "#4a2917"),
    )
    grip = [(0, 0, 0.788), (0, 0, 0.83), (0, 0, 0.87), (0, 0, 0.915)]
    tube("grip", grip, [0.0145, 0.0165, 0.0160, 0.0130], leather, flat=0.75, side=(1, 0, 0))
    pommel = [
        (0, -0.012),
        (0.012, -0.012),
        (0.0255, -0.006),
        (0.0275, 0),
        (0.0255, 0.006),
        (0.012, 0.012),
        (0, 0.012),
    ]
    moved(lathe("pommel", pommel, brass, 72), (0, 0, 0.938), (90, 0, 0))
    all_turned(24)


def _blade(steel: Shader) -> None:
    """A straight blade with a fuller, its point in the ground."""
    rows, vertices = 60, []
    for i in range(rows + 1):
        t = i / rows
        half, thick = 0.0175 + 0.0085 * t, 0.0030 + 0.0008 * t
        hollow = 0.0022 * min(1.0, max(0.0, (t - 0.28) / 0.06))
        side = [
            (-half, 0.0),
            (-0.42 * half, thick),
            (-0.30 * half, thick - hollow),
            (0.0, thick - 1.1 * hollow),
        ]
        front = [*side, *[(-x, y) for x, y in reversed(side[:-1])]]
        ring = [*front, *[(x, -y) for x, y in reversed(front[1:-1])]]
        vertices += [(x, y, 0.78 * t) for x, y in ring]
    part = solid("blade", vertices, joined(rows + 1, 12), steel)
    part.data.use_auto_smooth, part.data.auto_smooth_angle = True, math.radians(4)


HALF = [
    (0.0, 0.0), (0.06, 0.003), (0.135, 0.03), (0.188, 0.10), (0.19, 0.165), (0.155, 0.225), (0.124, 0.272),
    (0.124, 0.315), (0.140, 0.365), (0.137, 0.425), (0.10, 0.468), (0.045, 0.484), (0.0, 0.486),
]  # fmt: skip
TOP = 0.098
"""How far the front of the guitar is from its back."""


def guitar() -> None:
    """An acoustic guitar with a spruce top, standing, 1 m tall."""
    sides = wood("mahogany", "#4a2413", "#74401f", along="Y", scale=0.5)
    spruce, dark = (
        wood("spruce", "#b98044", "#d9a869", along="Y", scale=1.2),
        Shader("ebony", color="#20150f", rough=0.45),
    )
    spruce.set(coat=0.5, coat_rough=0.08)
    slab("body", _outline(1.0), TOP, sides, 0.004)
    moved(
        slab("binding", _outline(1.004), 0.004, Shader("ivory", color="#d8ccae", rough=0.4), 0.001),
        (0, -0.001, TOP - 0.003),
    )
    moved(slab("top", _outline(0.982), 0.002, spruce, 0.0008), (0, 0, TOP))
    _rosette(dark)
    bridge = [
        (0.085, 0.118),
        (0.082, 0.136),
        (0.03, 0.142),
        (-0.03, 0.142),
        (-0.082, 0.136),
        (-0.085, 0.118),
        (-0.03, 0.112),
        (0.03, 0.112),
    ]
    moved(slab("bridge", bridge, 0.009, dark, 0.002), (0, 0, TOP + 0.001))
    bone = Shader("bone", color="#e5dcc4", rough=0.4)
    moved(slab("saddle", corners(0.075, 0.003, 0.001), 0.004, bone), (0, 0.129, TOP + 0.0095))
    _neck(sides, dark, bone)
    _strings(bone)
    for part in bpy.context.scene.objects:
        moved(part, turned=(90 - 7, 0, 0))
    all_turned(-20)


def _outline(scale: float) -> list[tuple[float, float]]:
    right = [(p.x * scale, 0.243 + (p.y - 0.243) * scale) for p in curve([(x, y, 0) for x, y in HALF], 120)]
    return right + [(-x, y) for x, y in reversed(right[1:-1])]


def _rosette(dark: Shader) -> None:
    hole = Shader("hole", color="#0d0806", rough=0.9)
    moved(lathe("hole", [(0.049, 0), (0.049, 0), (0, 0)], hole, 96), (0, 0.335, TOP + 0.0024))
    light = Shader("inlay", color="#d9c69a", rough=0.4)
    for radius, wide, look in (
        (0.0495, 0.0012, light),
        (0.0555, 0.0035, dark),
        (0.0575, 0.0008, light),
        (0.0535, 0.0008, light),
        (0.0625, 0.0014, dark),
    ):
        ring = [(radius, 0.0), (radius, 0.0), (radius + wide, 0.0), (radius + wide, 0.0)]
        moved(lathe("ring", ring, look, 96), (0, 0.335, TOP + 0.0023 + 0.0001 * (look is light)))


def _neck(wood_: Shader, dark: Shader, bone: Shader) -> None:
    neck = [(-0.022, 0.47), (0.022, 0.47), (0.0205, 0.838), (-0.0205, 0.838)]
    moved(slab("neck", neck, 0.024, wood_, 0.008), (0, 0, TOP - 0.019))
    board = [(-0.028, 0.385), (0.028, 0.385), (0.0215, 0.835), (-0.0215, 0.835)]
    moved(slab("fretboard", board, 0.0055, dark, 0.001), (0, 0, TOP + 0.0015))
    wires, dots = Mesh(), Mesh()
    scale = 0.706
    for fret in range(1, 20):
        y = 0.129 + scale * 0.5 ** (fret / 12)
        cuboid(wires, (0, y, TOP + 0.0073), (0.0425 + 0.012 * (0.835 - y) / 0.45, 0.0018, 0.0012))
        if fret in (3, 5, 7, 9, 15):
            cuboid(dots, (0, y + 0.012, TOP + 0.0071), (0.006, 0.006, 0.0006))
    wires.build("frets", metal("fret", "#d5d2c8", 0.25))
    dots.build("dots", bone)
    moved(slab("nut", corners(0.043, 0.005, 0.001), 0.009, bone, 0.001), (0, 0.8365, TOP + 0.0005))
    head = [
        (-0.022, 0.838),
        (0.022, 0.838),
        (0.036, 0.862),
        (0.033, 1.005),
        (0.02, 1.012),
        (0, 1.006),
        (-0.02, 1.012),
        (-0.033, 1.005),
        (-0.036, 0.862),
    ]
    moved(slab("head", head, 0.016, wood_, 0.003), (0, 0, TOP - 0.014))
    moved(slab("veneer", [(x * 0.97, y) for x, y in head], 0.0012, dark, 0.0005), (0, 0, TOP + 0.0018))


def _strings(bone: Shader) -> None:
    steel, bronze = metal("steel", "#c9cacc", 0.2), metal("bronze", "#b58a52", 0.3)
    posts: Sequence[float] = (0.885, 0.928, 0.971)
    for k in range(6):
        x = k - 2.5
        way = math.copysign(1, x)
        post = Vector((0.0235 * way, posts[k if k < 3 else 5 - k], TOP + 0.012))
        path = [(0.0108 * x, 0.129, TOP + 0.0138), (0.0072 * x, 0.8365, TOP + 0.0098), post]
        look, radius = (bronze, 0.0011) if k < 4 else (steel, 0.0008)
        for a, b in itertools.pairwise(path):
            tube("string", [a, b], radius, look)
        moved(
            lathe("post", [(0.0035, 0), (0.0035, 0.012), (0.0028, 0.0135), (0, 0.0135)], steel, 32),
            (post.x, post.y, TOP + 0.003),
        )
        tube("shaft", [(0.03 * way, post.y, TOP - 0.006), (0.05 * way, post.y, TOP - 0.006)], 0.0028, steel)
        moved(
            slab("peg", corners(0.016, 0.019, 0.006), 0.007, bone, 0.003), (0.056 * way, post.y, TOP - 0.0095)
        )
        moved(
            lathe("pin", [(0.003, 0), (0.0032, 0.002), (0, 0.0035)], bone, 24),
            (0.0112 * x, 0.1195, TOP + 0.0095),
        )


PROPS = {
    "sword": Prop(sword, View(down=5), samples=32),
    "guitar": Prop(guitar, View(down=6), samples=16),
}
