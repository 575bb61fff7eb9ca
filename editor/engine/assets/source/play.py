"""Balls and a kite."""

import math
from typing import Any

import bpy
from mathutils import Matrix, Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.shapes import Mesh, bar, curve, grid, thin
from editor.engine.assets.source.studio import Prop, View, ball, lumpy, moved, shaped
from editor.engine.assets.source.worn import furry

GOLDEN = (1 + math.sqrt(5)) / 2


def soccer_ball() -> None:
    """A football of 12 black and 20 white panels, 22 cm across."""
    radius, panels = 0.11, Mesh()
    corners = [
        Vector(spot).normalized()
        for a in (-1, 1)
        for b in (-GOLDEN, GOLDEN)
        for spot in ((0, a, b), (a, b, 0), (b, 0, a))
    ]
    near = (corners[0] - min(corners[1:], key=lambda c: (c - corners[0]).length)).length * 1.05
    around = [[c for c in corners if 0.1 < (c - corner).length < near] for corner in corners]
    turn = Matrix.Rotation(0.5, 3, "Y") @ Matrix.Rotation(0.42, 3, "X") @ Matrix.Rotation(0.3, 3, "Z")
    for corner, others in zip(corners, around, strict=True):
        rim = [corner.lerp(other, 1 / 3) for other in others]
        _panel(panels, [turn @ spot for spot in _in_order(corner, rim)], radius, 0)
    for a, b, c in _triangles(corners, near):
        rim = [one.lerp(other, part) for one, other in ((a, b), (b, c), (c, a)) for part in (1 / 3, 2 / 3)]
        _panel(panels, [turn @ spot for spot in _in_order((a + b + c) / 3, rim)], radius, 1)
    moved(panels.build("ball", _leather("#1b1b1d", 0.38), _leather("#e9e8e4", 0.42)), (0, 0, radius))


def _triangles(corners: list[Any], near: float) -> list[tuple[Any, Any, Any]]:
    count = range(len(corners))
    return [
        (corners[i], corners[j], corners[k])
        for i in count
        for j in count
        for k in count
        if i < j < k and max((corners[x] - corners[y]).length for x, y in ((i, j), (j, k), (k, i))) < near
    ]


def _in_order(middle: Any, rim: list[Any]) -> list[Any]:
    """The corners of a panel in their order around its middle."""
    ahead = middle.normalized()
    first = (rim[0] - ahead * rim[0].dot(ahead)).normalized()
    other = ahead.cross(first)
    return sorted(rim, key=lambda spot: math.atan2(spot.dot(other), spot.dot(first)))


def _panel(mesh: Mesh, rim: list[Any], radius: float, slot: int) -> None:
    """A panel as a fan of fine triangles on the ball, sinking into the seam at its rim."""
    middle = sum(rim, Vector()) / len(rim)
    rings = 10
    for one, other in zip(rim, [*rim[1:], rim[0]], strict=True):
        verts, faces = [], []
        for ring in range(rings + 1):
            share = 1 - (1 - ring / rings) ** 1.6
            for step in range(rings + 1):
                spot = middle.lerp(one.lerp(other, step / rings), share).normalized()
                gap = (1 - share) * 0.33
                verts.append(spot * radius * (1 - 0.03 * math.exp(-gap * 34)))
        for ring in range(rings):
            for step in range(rings):
                low = ring * (rings + 1) + step
                faces.append((low, low + rings + 1, low + rings + 2, low + 1))
        mesh.add(verts, faces, slot)


def _leather(color: str, rough: float) -> Shader:
    """Coated leather that was played with: fine grain, scuffs and some dust."""
    look = Shader("leather", rough=rough)
    dirt = look.math("MULTIPLY", look.between(look.noise(16, 8, 0.7), 0.5, 0.78), 0.42)
    return look.set(
        color=look.mix(dirt, color, "#8f8170"),
        rough=look.math("MULTIPLY_ADD", look.noise(30, 5), 0.25, rough - 0.08),
        normal=look.bump(look.noise(900, 3), 0.0004, strength=0.35),
    )


def basketball() -> None:
    """A basketball of eight panels, 24 cm across: pebbled, with black channels."""
    radius = 0.12
    part = ball("ball", radius, _pebbles(radius), 7)
    moved(
        shaped(part, lambda v: v * (1 - 0.022 * math.exp(-((_channel(v / radius) / 0.017) ** 4)))),
        (0, 0, radius),
        (16, -14, 24),
    )


def _channel(spot: Any) -> float:
    """How far a point of the unit ball is from the nearest channel: two great circles and two curves."""
    bow = abs(abs(spot.x) - (0.56 + 0.28 * spot.z * spot.z - 0.1 * spot.y**2))
    return float(min(abs(spot.y), abs(spot.z), bow * 0.9))


def _pebbles(radius: float) -> Shader:
    look = Shader("basketball", shine=0.35)
    x, y, z = (look.part(look.place((1 / radius,) * 3), axis) for axis in "XYZ")
    bow = look.math("MULTIPLY_ADD", look.math("MULTIPLY", z, z), 0.28, 0.56)
    bow = look.math("SUBTRACT", bow, look.math("MULTIPLY", look.math("MULTIPLY", y, y), 0.1))
    bow = look.math("ABSOLUTE", look.math("SUBTRACT", look.math("ABSOLUTE", x), bow))
    line = look.math("MINIMUM", look.math("ABSOLUTE", y), look.math("ABSOLUTE", z))
    line = look.between(look.math("MINIMUM", line, look.math("MULTIPLY", bow, 0.9)), 0.016, 0.022)
    pebbles = look.cells(560)
    hide = look.ramp(look.noise(14, 6), [(0.3, "#a84a19"), (0.7, "#cf6a2a")])
    hide = look.mix(look.between(pebbles, 0.2, 0.6), hide, "#8c3c15")
    return look.set(
        color=look.mix(line, "#151312", hide),
        rough=0.55,
        normal=look.bump(
            look.math("MULTIPLY", look.math("SUBTRACT", 1.0, pebbles), line), 0.0011, strength=0.6
        ),
    )


def baseball() -> None:
    """A baseball with its red stitches, 7.4 cm across."""
    radius = 0.037
    seam = [_seam(math.tau * n / 432) for n in range(432)]
    turn = Matrix.Rotation(math.radians(28), 3, "Y") @ Matrix.Rotation(math.radians(-62), 3, "X")
    hide = ball("hide", radius, _cowhide(), 7)

    def sunk(vert: Any) -> Any:
        spot = vert.normalized()
        gap = min((spot - other).length for other in seam[::3])
        return vert * (1 + 0.008 * math.exp(-((gap / 0.13) ** 2)) - 0.028 * math.exp(-((gap / 0.02) ** 2)))

    shaped(hide, lambda v: turn @ sunk(v))
    stitches = Mesh()
    for number in range(0, 432, 4):
        here, there = seam[number], seam[(number + 1) % 432]
        ahead = (there - here).normalized()
        side = here.cross(ahead).normalized()
        for way in (-1, 1):
            foot = here + ahead * 0.0
            hole = here + side * (0.085 * way) + ahead * 0.052
            top = here + side * (0.045 * way) + ahead * 0.03
            path = [foot.normalized() * 0.985, top.normalized() * 1.022, hole.normalized() * 0.995]
            bar(stitches, curve([turn @ spot * radius for spot in path], 8), [0.00052] * 9, 8)
    stitches.build("stitches", _thread())
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, radius))


def _seam(t: float) -> Any:
    """The curve of a baseball's seam on the unit ball (a spherical Lissajous curve)."""
    tilt = math.pi / 2 - (math.pi / 2 - 0.4) * math.cos(2 * t)
    turn = t + 0.4 * math.sin(4 * t)
    return Vector((math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)))


def _cowhide() -> Shader:
    look = Shader("cowhide", rough=0.5, shine=0.4)
    dirt = look.math("MULTIPLY", look.between(look.noise(60, 8, 0.7), 0.5, 0.8), 0.35)
    return look.set(
        color=look.mix(dirt, "#ece7da", "#a08a6c"),
        normal=look.bump(look.noise(1500, 4), 0.0002, strength=0.35),
    )


def _thread() -> Shader:
    return Shader("thread", color="#a3181c", rough=0.7, sheen=0.4)


def tennis_ball() -> None:
    """A tennis ball in its felt, 6.7 cm across."""
    radius = 0.0335
    seam = [_seam(math.tau * n / 300) for n in range(300)]
    turn = Matrix.Rotation(math.radians(35), 3, "Y") @ Matrix.Rotation(math.radians(-50), 3, "X")
    line = Mesh()
    bar(line, [turn @ (spot * radius * 0.992) for spot in [*seam, seam[0]]], [0.0017] * 301, 10)
    moved(line.build("seam", Shader("seam", color="#dfe3d6", rough=0.85)), (0, 0, radius))
    felt = ball("felt", radius, _felt("#c4d32a"), 6)
    shaped(
        felt,
        lambda v: (
            v
            * (
                1
                - 0.03 * math.exp(-((min((v.normalized() - turn @ s).length for s in seam[::3]) / 0.04) ** 4))
            )
        ),
    )
    moved(lumpy(felt, 0.0003, 0.003), (0, 0, radius))
    furry(felt, 9000, 0.0009, thick=0.00003)


def _felt(color: str) -> Shader:
    look = Shader("felt", rough=0.95, shine=0.1, sheen=1.0)
    wisps = look.noise(500, 5, 0.7)
    grey = look.math("MULTIPLY_ADD", wisps, 0.5, 0.72)
    dirty = look.math("MULTIPLY", look.between(look.noise(50, 6), 0.52, 0.75), 0.3)
    paint = look.mix(dirty, look.mix(1.0, color, grey, "MULTIPLY"), "#97955a")
    return look.set(color=paint, normal=look.bump(wisps, 0.0006, strength=0.6))


def beach_ball() -> None:
    """A beach ball of six colored gores around a white cap, 40 cm across, with a valve."""
    radius = 0.2
    part = ball("ball", radius, _gores(), 6)
    shaped(part, lambda v: v * (1 - 0.006 * math.exp(-((_gore_edge(v) / 0.02) ** 2))))
    moved(part, (0, 0, radius), (38, 24, 40))


def _gore_edge(vert: Any) -> float:
    turn = math.atan2(vert.y, vert.x) / (math.tau / 6)
    return abs(turn - round(turn)) * math.hypot(vert.x, vert.y) * 5


def _gores() -> Shader:
    look = Shader("vinyl", rough=0.22, coat=0.5, coat_rough=0.08)
    place = look.place()
    turn = look.node(
        "Math", {0: look.part(place, "Y"), 1: look.part(place, "X")}, operation="ARCTAN2"
    ).outputs[0]
    share = look.math("MULTIPLY_ADD", turn, 1 / math.tau, 0.5)
    colors = ["#c9232a", "#eeeae2", "#e8b923", "#2467ad", "#eeeae2", "#2f8f4e"]
    node = look.node("ValToRGB", {0: share})
    node.color_ramp.interpolation = "CONSTANT"
    stops = node.color_ramp.elements
    for number, color in enumerate(colors):
        stop = stops[number] if number < 2 else stops.new(number / 6)
        stop.position, stop.color = number / 6, look.linear(color)
    cap = look.between(look.math("ABSOLUTE", look.part(place, "Z")), 0.1905, 0.1912)
    creases = look.noise(9, 4, 0.5, look.place((1, 1, 0.35)))
    return look.set(
        color=look.mix(cap, node.outputs[0], "#eeeae2"), normal=look.bump(creases, 0.01, strength=0.25)
    )


def kite() -> None:
    """A diamond kite of cloth with a tail of bows, 1 m tall without it."""
    cloth, sticks = Mesh(), Mesh()
    left, right, top, foot = (
        Vector(p) for p in ((-0.42, 0, 0.28), (0.42, 0, 0.28), (0, 0, 0.62), (0, 0, -0.5))
    )
    cross_ = Vector((0, -0.03, 0.28))
    for slot, (one, other) in enumerate(((left, top), (top, right), (right, foot), (foot, left))):

        def field(u: float, v: float, one: Any = one, other: Any = other) -> Any:
            spot = cross_.lerp(one.lerp(other, u), v)
            belly = (
                0.06 * math.sin(math.pi * u) * math.sin(math.pi * min(1, v * 0.8))
                + 0.004 * math.sin(u * 30 + v * 9) * v
            )
            return spot + Vector((0, belly, 0.02 * math.sin(math.pi * u) * (0.5 - v)))

        grid(cloth, field, 24, 24, slot)
    looks = [_ripstop(color) for color in ("#c4262b", "#e8b21f", "#c4262b", "#e8b21f")]
    cloth.build("cloth", *looks)
    for path in ([left, cross_, right], [top, cross_, foot]):
        bar(sticks, [spot + Vector((0, 0.004, 0)) for spot in path], [0.006] * 3, 10)
    sticks.build("sticks", Shader("stick", color="#8a6a45", rough=0.5))
    _kite_tail(foot)
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, 0), (0, 14, 0))


def _kite_tail(foot: Any) -> None:
    """A string with bows of cloth."""
    tail = Mesh()
    line = curve([foot, (0.1, 0, -0.72), (-0.06, 0, -0.95), (0.12, 0, -1.2), (0.02, 0, -1.42)], 80)
    bar(tail, line, [0.0025] * len(line), 6)
    for number in range(12, len(line), 11):
        ahead = (line[number] - line[number - 1]).normalized()
        for way in (-1, 1):

            def bow(u: float, v: float, at: Any = line[number], ahead: Any = ahead, way: int = way) -> Any:
                side = Vector((ahead.z, 0, -ahead.x)) * way
                return (
                    at
                    + side * (0.085 * v)
                    + ahead * ((u - 0.5) * 0.085 * v**0.8)
                    + Vector((0, 0.018 * math.sin(v * 4 + u * 3), 0))
                )

            grid(tail, bow, 8, 10, 1 + number % 2)
    tail.build("tail", Shader("string", color="#e6e0d2", rough=0.8), _ripstop("#2a63a8"), _ripstop("#e8b21f"))


def _ripstop(color: str) -> Shader:
    """Thin nylon, which light shines through."""
    look = Shader("nylon", rough=0.5, shine=0.4)
    folds = look.noise(9, 5, 0.6)
    look.set(
        color=look.mix(1.0, color, look.math("MULTIPLY_ADD", folds, 0.3, 0.85), "MULTIPLY"),
        normal=look.bump(folds, 0.012, strength=0.5),
    )
    return thin(look, 0.35, color)


FLOATS = View(down=4, grounded=False)
PROPS = {
    "soccer_ball": Prop(soccer_ball, longest=480),
    "basketball": Prop(basketball, longest=480),
    "baseball": Prop(baseball, longest=440),
    "tennis_ball": Prop(tennis_ball, longest=440),
    "ball": Prop(beach_ball, longest=480),
    "kite": Prop(kite, FLOATS),
}
