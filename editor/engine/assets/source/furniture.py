"""Furniture and what stands and lies on it: lamp, chair, table, cushion."""

import math
import random

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader, metal, wood
from editor.engine.assets.source.studio import (
    Prop,
    View,
    all_turned,
    block,
    joined,
    lathe,
    moved,
    shaped,
    smoothed,
    solid,
    thickened,
    tube,
)


def lamp() -> None:
    """A table lamp, lit: ceramic foot, linen shade."""
    ceramic = Shader("foot", rough=0.2, coat=0.6, coat_rough=0.05)
    ceramic.set(color=ceramic.ramp(ceramic.noise(9, 3), [(0.35, "#2c5a63"), (0.65, "#3d717a")]))
    foot = [
        (0, 0), (0.062, 0), (0.064, 0.004), (0.060, 0.012), (0.066, 0.03), (0.084, 0.075), (0.085, 0.11),
        (0.070, 0.155), (0.042, 0.19), (0.024, 0.21), (0.02, 0.222), (0.021, 0.228), (0.0, 0.228),
    ]  # fmt: skip
    lathe("foot", foot, ceramic, 160)
    brass = metal("brass", "#c8a661", 0.2)
    neck = [
        (0.012, 0.225),
        (0.012, 0.228),
        (0.010, 0.23),
        (0.009, 0.27),
        (0.013, 0.272),
        (0.013, 0.30),
        (0, 0.30),
    ]
    lathe("neck", neck, brass, 60)
    finial = [(0.003, 0.42), (0.003, 0.433), (0.007, 0.436), (0.0075, 0.442), (0.004, 0.448), (0, 0.4495)]
    lathe("finial", finial, brass, 60)
    for turn in (0, 120, 240):
        spoke = tube("spoke", [(0, 0, 0.428), (0.05, 0, 0.427), (0.098, 0, 0.4265)], 0.0016, brass)
        moved(spoke, turned=(0, 0, turn))
    _shade()


def _shade() -> None:
    linen = Shader("shade", rough=0.95, shine=0.1)
    z = linen.part(linen.place(), "Z")
    threads = linen.math("SINE", linen.math("MULTIPLY", z, 2600.0))
    weave = linen.math("MULTIPLY_ADD", threads, 0.12, linen.noise(150, 1, 0.5, linen.meridians(0.0)))
    near = linen.between(linen.math("ABSOLUTE", linen.math("SUBTRACT", z, 0.335)), 0.13, 0.0)
    linen.set(color=linen.ramp(weave, [(0.2, "#cdbf9f"), (0.8, "#e4d9bf")]))
    linen.set(
        glow=linen.mix(weave, "#f2b565", "#ffd392"), glow_power=linen.math("MULTIPLY_ADD", near, 0.62, 0.22)
    )
    thickened(
        lathe("shade", [(0.145, 0.235), (0.145, 0.235), (0.098, 0.43), (0.098, 0.43)], linen, 160), 0.0016
    )
    trim = Shader("trim", color="#cdbd98", rough=0.9)
    for radius, z_ in ((0.145, 0.236), (0.098, 0.429)):
        edge = [(radius + 0.001, z_ - 0.004), (radius + 0.0022, z_), (radius + 0.0002, z_ + 0.004)]
        lathe("trim", edge, trim, 160)


OAK = ("#96693c", "#b48550")


def chair() -> None:
    """A wooden chair with a spindle back."""
    upright, across, deep = (wood(f"oak {axis}", *OAK, along=axis) for axis in "ZXY")
    moved(block("seat", (0.43, 0.42, 0.028), deep, 0.010), (0, 0, 0.432))
    for x in (-0.18, 0.18):
        front = [(x * 1.08, -0.185, 0), (x * 1.03, -0.178, 0.22), (x, -0.17, 0.435)]
        tube("front leg", front, [0.0135, 0.017, 0.020], upright)
        back = [
            (x * 1.06, 0.225, 0), (x * 1.02, 0.195, 0.22), (x, 0.182, 0.44), (x, 0.20, 0.64),
            (x * 0.98, 0.245, 0.89),
        ]  # fmt: skip
        tube("back leg", back, [0.0135, 0.017, 0.020, 0.0175, 0.014], upright)
        _stretcher((x * 1.04, -0.178, 0.16), (x * 1.04, 0.20, 0.16), deep)
        moved(block("apron", (0.36, 0.02, 0.055), across, 0.003), (0, x * 0.97, 0.378))
        moved(block("apron", (0.02, 0.35, 0.055), deep, 0.003), (x, 0, 0.378))
    _stretcher((-0.187, 0.01, 0.16), (0.187, 0.01, 0.16), across)
    for x in (-0.09, 0.0, 0.09):
        spindle = [(x, 0.178, 0.445), (x, 0.196, 0.60), (x, 0.228, 0.80)]
        tube("spindle", spindle, [0.0085, 0.0115, 0.009], upright)
    moved(block("rail", (0.375, 0.022, 0.085), across, 0.008), (0, 0.232, 0.79), (-12, 0, 0))
    all_turned(-32)


def _stretcher(start: tuple[float, float, float], end: tuple[float, float, float], look: Shader) -> None:
    middle = (Vector(start) + Vector(end)) / 2
    tube("stretcher", [start, middle, end], [0.009, 0.0115, 0.009], look)


def table() -> None:
    """A wooden table for four."""
    upright, across, deep = (wood(f"oak {axis}", *OAK, along=axis, scale=0.6) for axis in "ZXY")
    for k in range(5):
        board = moved(block("board", (1.4, 0.1585, 0.032), across, 0.004), (0, -0.318 + 0.159 * k, 0.718))
        board.name = f"board {k}"
    for x in (-0.62, 0.62):
        for y in (-0.32, 0.32):
            leg = block("leg", (0.07, 0.07, 0.72), upright, 0.006)
            shaped(
                leg,
                lambda p: Vector((p.x * (0.65 + 0.35 * p.z / 0.72), p.y * (0.65 + 0.35 * p.z / 0.72), p.z)),
            )
            moved(leg, (x, y, 0))
    for y in (-0.325, 0.325):
        moved(block("apron", (1.2, 0.022, 0.09), across, 0.003), (0, y, 0.628))
    for x in (-0.625, 0.625):
        moved(block("apron", (0.022, 0.6, 0.09), deep, 0.003), (x, 0, 0.628))
    all_turned(-24)


def pillow() -> None:
    """A plump square cushion standing a little back."""
    linen = cloth("linen", "#3d6480", "#557d99", 420)
    count, thick = 90, 0.085
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, ...]] = []
    chance = random.Random(2)
    creases = [(chance.uniform(0, 6.28), chance.uniform(7, 13), chance.uniform(0, 6.28)) for _ in range(5)]
    for side in (-1, 1):
        start = len(vertices)
        for number in range((count + 1) ** 2):
            u, v = 2 * (number // (count + 1)) / count - 1, 2 * (number % (count + 1)) / count - 1
            plump = max(0.0, (1 - u**4) * (1 - v**4)) ** 0.55 * (1 - 0.22 * (u * u + v * v) / 2)
            rim = max(abs(u), abs(v)) ** 3
            crease = sum(
                0.0022 * math.sin(f * (u * math.cos(a) + v * math.sin(a)) + p) for a, f, p in creases
            )
            folds = 0.014 * math.sin(26 * (u if abs(v) > abs(u) else v)) * rim * (1 - rim)
            x, z = _seam(u, v)
            vertices.append(
                (x, side * (thick * plump + (crease * (1 - rim) + folds) * min(1.0, plump * 2)), z)
            )
        faces += [tuple(start + k for k in face) for face in joined(count + 1, count + 1, closed=False)]
    smoothed(solid("pillow", vertices, faces, linen, weld=1e-6), 1)
    sides = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    edge = [
        Vector(a).lerp(Vector(b), k / 4)
        for a, b in zip(sides, sides[1:] + sides[:1], strict=True)
        for k in (0, 0, 1, 2, 3)
    ]
    points = [(x, 0.0, z) for x, z in (_seam(p.x, p.y) for p in edge)]
    tube("piping", points, 0.0042, cloth("piping", "#35586f", "#44697f", 300), closed=True)
    for part in bpy.context.scene.objects:
        moved(part, turned=(-14, 0, 0))
    all_turned(-16)


def _seam(u: float, v: float) -> tuple[float, float]:
    """Where a point of the square (-1..1) lies in the cushion, whose sides are drawn in."""
    pull = 1 - 0.085 * (1 - abs(v) ** 2.2) * u * u, 1 - 0.085 * (1 - abs(u) ** 2.2) * v * v
    return 0.225 * u * pull[0], 0.225 * v * pull[1] + 0.225


def cloth(name: str, dark: str, light: str, threads: float) -> Shader:
    """Woven cloth, `threads` a metre."""
    look = Shader(name, rough=0.9, sheen=0.4, shine=0.15)
    across, up = (
        look.math("SINE", look.math("MULTIPLY", look.part(look.place(), axis), threads * 6.28))
        for axis in "XZ"
    )
    weave = look.math("MULTIPLY", across, up)
    look.set(
        color=look.ramp(
            look.math("MULTIPLY_ADD", weave, 0.2, look.noise(9, 2)), [(0.25, dark), (0.75, light)]
        )
    )
    return look.set(normal=look.bump(weave, 0.3 / threads))


PROPS = {
    "lamp": Prop(lamp, View(down=9)),
    "chair": Prop(chair, View(down=13)),
    "table": Prop(table, View(down=14)),
    "pillow": Prop(pillow, View(down=12)),
}
