"""What people built: a log cabin, a sailing boat and a tent."""

import math
import random
from functools import partial
from typing import Any

from mathutils import Matrix, Vector

from editor.engine.assets.source.outdoors import boards, painted
from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, bar, beam, cuboid, egg, grid, mottled, thin
from editor.engine.assets.source.studio import Prop, View, rounded, thickened


def cabin() -> None:
    """A log cabin under a roof of boards, 4.2 m tall."""
    logs = Mesh()
    chance = random.Random(7)
    for course in range(11):
        z = 0.12 + course * 0.215
        for y, gap in ((-1.7, True), (1.7, False)):
            spans = [(-2.75, 2.75)]
            if gap:
                spans = [(-2.75, 0.35), (1.35, 2.75)] if z < 2.05 else spans
                if 0.95 < z < 1.85:
                    spans = [(-2.75, -1.75), (-0.75, 0.35), (1.35, 2.75)]
            for a, b in spans:
                _log(chance, logs, Vector((a, y, z)), Vector((b, y, z)))
        for x in (-2.5, 2.5):
            _log(chance, logs, Vector((x, -2.0, z + 0.107)), Vector((x, 2.0, z + 0.107)))
    for course in range(6):
        z, half = 2.55 + course * 0.215, 1.75 * (1 - (course + 0.6) / 6.6)
        for x in (-2.5, 2.5):
            _log(chance, logs, Vector((x, -half, z)), Vector((x, half, z)))
    wood = boards("logs", "#54341b", "#a97b49", along="X", grey=0.35)
    logs.build("logs", wood)
    _roof(chance)
    _door_and_window()


def _log(chance: random.Random, mesh: Mesh, start: Any, end: Any) -> None:
    size = chance.uniform(0.108, 0.122)
    path = [start.lerp(end, n / 10) + Vector((0, 0, chance.uniform(-0.006, 0.006))) for n in range(11)]
    bar(mesh, path, [size * chance.uniform(0.96, 1.04) for _ in path], 14)


def _roof(chance: random.Random) -> None:
    roof = Mesh()
    for way in (-1, 1):
        slope = Vector((0, -way * 2.35, -1.62))
        for row in range(9):
            x = -3.05
            while x < 3.0:
                wide = chance.uniform(0.16, 0.3)
                top = Vector((x + wide / 2, 0, 4.02)) + slope * (row / 9)
                lift = Vector((0, -way * 0.56, 0.82)) * (0.03 + chance.uniform(0, 0.018))
                beam(roof, top + lift * 0.2, top + slope * (1.35 / 9) + lift * 1.6, (wide * 0.96, 0.028))
                x += wide
    roof.build("roof", boards("shingles", "#46413a", "#85796a", along="Y", grey=0.5), smooth=False)
    stones = Mesh()
    for row in range(16):
        for number in range(4):
            for side in range(4):
                turn = Matrix.Rotation(side * math.pi / 2, 3, "Z")
                spot = turn @ Vector((-0.24 + number * 0.16 + 0.06 * (row % 2), -0.32, 0)) + Vector(
                    (1.5, 0.6, 2.9 + row * 0.115)
                )
                cuboid(stones, spot, (chance.uniform(0.13, 0.16), 0.12, chance.uniform(0.09, 0.112)), turn)
    cuboid(stones, (1.5, 0.6, 3.8), (0.6, 0.6, 1.8))
    rounded(
        stones.build("chimney", mottled("stone", "#8b857c", rough=0.9, scale=6, by=0.45, depth=0.02)), 0.02
    )


def _door_and_window() -> None:
    timber, panes = Mesh(), Mesh()
    for number in range(5):
        cuboid(timber, (0.46 + number * 0.195, -1.66, 1.02), (0.19, 0.05, 1.95))
    for z in (0.45, 1.6):
        cuboid(timber, (0.85, -1.7, z), (0.92, 0.04, 0.12))
    frames = [
        ((0.3, 1.05), (0.13, 2.1)),
        ((1.4, 1.05), (0.13, 2.1)),
        ((0.85, 2.08), (1.3, 0.13)),
        ((-1.78, 1.4), (0.1, 1.0)),
        ((-0.72, 1.4), (0.1, 1.0)),
        ((-1.25, 1.87), (1.2, 0.1)),
        ((-1.25, 0.92), (1.3, 0.1)),
        ((-1.25, 1.4), (0.05, 0.95)),
        ((-1.25, 1.4), (1.0, 0.05)),
    ]
    for (x, z), (wide, tall) in frames:
        cuboid(timber, (x, -1.8 if wide > 0.06 and tall > 0.06 else -1.74, z), (wide, 0.1, tall))
    rounded(timber.build("timber", boards("timber", "#3d2514", "#7b5330", along="Z", grey=0.15)), 0.008)
    cuboid(panes, (-1.25, -1.68, 1.4), (1.05, 0.02, 0.95))
    panes.build("panes", Shader("pane", color="#1d242b", rough=0.06, shine=0.8))
    knob = Mesh()
    egg(knob, Vector((1.24, -1.75, 1.0)), 0.04, 0.04)
    knob.build("knob", metal("iron", "#2b2b2b", 0.4))


def sailboat() -> None:
    """A small sailing boat, 7 m tall, seen from its side."""
    hull = Mesh()

    def side(u: float, v: float) -> Any:
        along = 2 * u - 1
        width = 0.95 * (1 - max(0.0, along) ** 2.4) * (1 - 0.35 * max(0.0, -along) ** 3)
        turn = math.pi * (v - 0.5)
        sheer = 0.62 + 0.22 * max(0.0, along) ** 2 + 0.06 * along * along
        flare = math.copysign(abs(math.sin(turn)) ** 0.7, turn)
        rise = 1 - math.cos(turn) ** 0.9 if math.cos(turn) > 0 else 1.0
        x = 2.7 * along + 0.35 * max(0.0, along) * rise
        return Vector((x, width * flare, 0.1 + sheer * rise + 0.12 * along**2))

    grid(hull, side, 64, 32)
    thickened(hull.build("hull", painted("hull", "#e9e9e6", "#b9b4aa", chips=0.0, rough=0.25, scale=2)), 0.03)
    trim, deck = Mesh(), Mesh()
    for v in (0.0, 1.0):
        path = [side(n / 48, v) + Vector((0, 0, 0.01)) for n in range(49)]
        bar(trim, path, [0.035] * 49, 8)
    grid(deck, lambda u, v: side(u, 0.0).lerp(side(u, 1.0), v) - Vector((0, 0, 0.06)), 32, 6)
    trim.build("trim", boards("teak", "#5a3218", "#9a6434", along="X", grey=0.0))
    deck.build("deck", boards("deck", "#7d5a36", "#b99160", along="X", grey=0.0))
    house = Mesh()
    cuboid(house, (0.55, 0, 0.86), (1.5, 0.95, 0.34))
    rounded(house.build("house", painted("house", "#e4e2dc", "#b9b4aa", chips=0.0, rough=0.3, scale=2)), 0.1)
    spars = Mesh()
    bar(
        spars, [Vector((0.35, 0, 0.6)), Vector((0.33, 0, 4)), Vector((0.28, 0, 7.2))], [0.05, 0.045, 0.03], 12
    )
    bar(spars, [Vector((0.3, 0, 1.45)), Vector((-2.3, 0.14, 1.38))], [0.04, 0.035], 10)
    for end in ((3.0, 0, 1.0), (-2.6, 0, 0.85)):
        bar(spars, [Vector((0.28, 0, 7.15)), Vector(end)], [0.008] * 2, 5)
    spars.build("spars", metal("spar", "#b4a58c", 0.4))
    sails = Mesh()
    _sail(sails, Vector((0.26, 0, 1.5)), Vector((-2.2, 0.14, 1.46)), Vector((0.24, 0, 7.0)), 0.32)
    _sail(sails, Vector((2.85, 0, 1.15)), Vector((0.0, 0.42, 1.4)), Vector((0.42, 0, 6.3)), 0.34)
    sails.build("sails", _sailcloth())


def _sail(mesh: Mesh, tack: Any, clew: Any, head: Any, belly: float) -> None:
    def cloth(u: float, v: float) -> Any:
        foot = tack.lerp(clew, u)
        spot = foot.lerp(head, v)
        roach = Vector((-0.28 * math.sin(math.pi * v) * u * (belly < 0.33), 0, 0))
        full = (
            belly
            * math.sin(math.pi * min(1, u * 0.9 + 0.05))
            * (1 - v) ** 0.7
            * (0.35 + math.sin(math.pi * min(1, v + 0.15)))
        )
        return spot + roach + Vector((0, full, 0))

    grid(mesh, cloth, 30, 50)


def _sailcloth() -> Shader:
    look = Shader("sailcloth", rough=0.65, shine=0.25)
    seams = look.node("TexWave", {"Scale": 0.42, "Vector": look.place()}, bands_direction="Z").outputs["Fac"]
    seam = look.between(seams, 0.985, 0.995)
    return thin(
        look.set(
            color=look.mix(look.math("MULTIPLY", seam, 0.5), "#ebe7dc", "#b7b0a2"),
            normal=look.bump(look.noise(1.6, 4), 0.08, strength=0.3),
        ),
        0.3,
        "#efe8d6",
    )


def tent() -> None:
    """A ridge tent of canvas, 1.3 m tall, its door tied back."""
    cloth, lines = Mesh(), Mesh()
    for way in (-1, 1):
        grid(cloth, partial(_slope, way), 60, 40)
        grid(cloth, partial(_door, way), 24, 40)
        for share in (0.0, 0.34, 0.67, 1.0):
            foot = _slope(way, share, 1.0)
            peg = foot + Vector((0.16 * way, 0, -foot.z))
            bar(lines, [foot, peg], [0.005] * 2, 5)
            bar(
                lines,
                [peg + Vector((0.02 * way, 0, 0.05)), peg - Vector((0.01 * way, 0, 0))],
                [0.011] * 2,
                6,
                1,
            )
    back = [Vector((-0.95, 1.1, 0)), Vector((0.95, 1.1, 0)), Vector((0, 1.1, 1.3))]
    cloth.add(back, [(0, 1, 2)])
    thickened(cloth.build("canvas", _canvas("#bf6a2c")), 0.006)
    for y in (-1.1, 1.1):
        bar(lines, [Vector((0, y, 0)), Vector((0, y, 1.4))], [0.018] * 2, 8, 1)
        bar(lines, [Vector((0, y, 1.33)), Vector((0, y * 1.75, 0))], [0.005] * 2, 5)
    lines.build(
        "lines", Shader("rope", color="#d8d0bd", rough=0.8), boards("pole", "#6b4a2a", "#a67c4c", along="Z")
    )
    floor = Mesh()
    cuboid(floor, (0, 0, 0.006), (1.8, 2.16, 0.012))
    floor.build("floor", Shader("sheet", color="#4c4a3f", rough=0.7))


def _slope(way: int, u: float, v: float) -> Any:
    """A side of the roof, from front to back and from ridge to ground, sagging between ridge and pegs."""
    sag = 0.055 * math.sin(math.pi * v) * (0.5 + 0.5 * math.sin(math.pi * u)) + 0.03 * math.sin(
        math.pi * u
    ) * (1 - v)
    scallop = 0.025 * abs(math.sin(3 * math.pi * u)) * v**6
    crease = 0.008 * math.sin(u * 31 + v * 5) * v * v
    return Vector(
        (way * (0.95 * v - 0.5 * sag - 0.6 * scallop + crease), -1.1 + 2.2 * u, 1.3 * (1 - v) - sag + scallop)
    )


def _door(way: int, u: float, v: float) -> Any:
    """A half of the door, gathered where its tie holds it."""
    outer = 0.95 * v
    inner = outer * (0.3 + 0.5 * math.exp(-(((v - 0.62) / 0.22) ** 2)))
    fold = 0.03 * math.sin(u * 17 + 2 * v) * min(1.0, v * 2) * (1 - u)
    return Vector(
        (
            way * (inner + (outer - inner) * u),
            -1.1 - 0.05 * math.sin(math.pi * u) * v + fold,
            1.3 * (1 - v) + 0.012,
        )
    )


def _canvas(color: str) -> Shader:
    look = Shader("canvas", rough=0.85, sheen=0.3, shine=0.2)
    faded = look.math("MULTIPLY_ADD", look.noise(2.5, 6), 0.45, 0.78)
    creases = look.noise(7, 5, 0.6)
    dirt = look.math(
        "MULTIPLY",
        look.between(look.height(0.35, 0.0), 0.1, 1.0),
        look.math("MULTIPLY", look.noise(9, 6), 0.7),
    )
    paint = look.mix(dirt, look.mix(1.0, color, faded, "MULTIPLY"), "#6b5a44")
    return thin(look.set(color=paint, normal=look.bump(creases, 0.03, strength=0.4)), 0.25, color)


PROPS = {
    "cabin": Prop(cabin, View(down=9, turn=-30), longest=600),
    "tent": Prop(tent, View(down=9, turn=-33)),
    "sailboat": Prop(sailboat, View(down=4, turn=20)),
}
