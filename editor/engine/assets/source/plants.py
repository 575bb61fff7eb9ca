"""Flowers, and what grows in pots."""

import math
import random
from typing import Any

from mathutils import Matrix, Vector, noise

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.shapes import (
    Mesh,
    across,
    bar,
    curve,
    each,
    egg,
    grid,
    mottled,
    outline,
    thin,
    wheel,
)
from editor.engine.assets.source.studio import Prop, lathe, smoothed, thickened
from editor.engine.assets.source.trees import leafy


def potted_plant() -> None:
    """A rubber plant in a pot of terracotta, 0.7 m tall."""
    chance = random.Random(21)
    _pot()
    stems, leaves = Mesh(), Mesh()
    for lean, turn, tall in ((0.04, 0.4, 0.46), (0.1, 2.6, 0.36), (0.09, 4.5, 0.3)):
        out = Vector((math.cos(turn), math.sin(turn), 0))
        foot = out * 0.03 + Vector((0, 0, 0.2))
        line = curve(
            [
                foot,
                foot + out * lean * 0.4 + Vector((0, 0, tall * 0.5)),
                foot + out * lean + Vector((0, 0, tall)),
            ],
            20,
        )
        bar(stems, line, [0.0075 - 0.0002 * n for n in range(21)], 8)
        count = int(tall / 0.036)
        for number in range(count):
            share = (number + 2) / (count + 1)
            base = line[min(20, int(share * 20))]
            angle = number * 2.39996 + turn
            rise = 0.15 + 1.0 * share**2 + chance.uniform(-0.15, 0.15)
            length = chance.uniform(0.16, 0.22) * (1.05 - 0.35 * share)
            _broad_leaf(chance, stems, leaves, base, angle, rise, length)
    stems.build("stems", mottled("stem", "#5c6130", rough=0.5, scale=40))
    thickened(leaves.build("leaves", _rubber_leaf()), 0.0012)


def _broad_leaf(
    chance: random.Random, stems: Mesh, leaves: Mesh, base: Any, turn: float, rise: float, length: float
) -> None:
    """A leathery leaf on its stalk, bowed along and across, with a crease in the middle."""
    way = Vector((math.cos(turn) * math.cos(rise), math.sin(turn) * math.cos(rise), math.sin(rise)))
    side, up = across(way)
    stalk = base + way * 0.04
    bar(stems, [base, base + way * 0.02, stalk], [0.0028] * 3, 6)
    bow, twist = chance.uniform(0.25, 0.6), chance.uniform(-0.25, 0.25)

    def surface(u: float, v: float) -> Any:
        width = 0.29 * math.sin(math.pi * v**0.82) ** 0.75 * (1 - 0.25 * v) if 0 < v < 1 else 0.0
        span = (2 * u - 1) * width
        lift = 0.3 * abs(span) + 0.012 * math.sin(v * 19 + twist * 30) * abs(2 * u - 1) - bow * v * v * 0.5
        return stalk + (way * v + side * (span + twist * lift) + up * lift) * length

    grid(leaves, surface, 10, 18)


def _rubber_leaf() -> Shader:
    look = Shader("rubber leaf", rough=0.24)
    tint = look.ramp(each(look), [(0.0, "#173313"), (0.8, "#2c5220"), (1.0, "#4d7030")])
    tint = look.mix(look.math("MULTIPLY", look.noise(30), 0.35), tint, "#4c6f33")
    return thin(look.set(color=tint), 0.12, "#7f9a30")


def _pot() -> None:
    profile = outline(
        "0 0, 0.085 0, 0.085 0, 0.088 0.004, 0.118 0.165, 0.118 0.165, 0.13 0.167, 0.134 0.172, "
        "0.139 0.214, 0.136 0.22, 0.131 0.221, 0.127 0.216, 0.12 0.19, 0 0.188"
    )
    lathe("pot", profile, _terracotta())
    soil = Mesh()
    grid(soil, lambda u, v: _clod(u, v, 0.121, 0.2), 70, 70)
    soil.build("soil", mottled("soil", "#33261c", rough=0.95, scale=60, by=0.5))


def _clod(u: float, v: float, radius: float, height: float) -> Any:
    """Rough earth in a disc."""
    spot = Vector((math.cos(math.tau * u), math.sin(math.tau * u), 0)) * (radius * v)
    return spot + Vector((0, 0, height + 0.009 * noise.noise(spot * 90) + 0.006 * noise.noise(spot * 260)))


def _terracotta() -> Shader:
    look = Shader("terracotta", rough=0.85, shine=0.25)
    clay = look.ramp(look.noise(14, 6), [(0.3, "#a4583a"), (0.7, "#c37a55")])
    lime = look.math(
        "MULTIPLY", look.between(look.noise(9, 8, 0.7, look.place((1, 1, 0.5))), 0.54, 0.72), 0.4
    )
    height = look.math("ADD", look.noise(60, 4), look.noise(8, 2, 0.5, look.place((0.3, 0.3, 12))))
    return look.set(color=look.mix(lime, clay, "#d9c3ae"), normal=look.bump(height, 0.004, strength=0.25))


def flower() -> None:
    """A daisy on its stem, 0.35 m tall."""
    chance = random.Random(2)
    green, petals, disc = Mesh(), Mesh(), Mesh()
    stem = curve([(0.01, 0, 0), (-0.006, 0, 0.1), (0.006, 0, 0.2), (0, -0.004, 0.3)], 30)
    bar(green, stem, [0.0031 - 0.00003 * n for n in range(31)], 10)
    for number, height in enumerate((5, 10, 15)):
        _jagged_leaf(green, stem[height], 0.5 + number * 2.5, 0.1 - 0.02 * number)
    _daisy(chance, green, petals, disc, stem[-1], Matrix.Rotation(math.radians(58), 3, "X"), 0.052)
    green.build("green", leafy("#4d7030", "#5b7d36", through=0.15))
    smoothed(petals.build("petals", _petal("#f4f2ec", "#dfe0c8")), 1)
    disc.build("disc", _florets())


def _daisy(
    chance: random.Random, green: Mesh, petals: Mesh, disc: Mesh, at: Any, tilt: Any, radius: float
) -> None:
    """A head of petals in two rows around a dome of florets, tilted by a Matrix."""
    for number in range(34):
        turn = math.tau * number / 34 + chance.uniform(-0.05, 0.05)
        layer = number % 2
        length = radius * chance.uniform(0.9, 1.06)
        droop, roll = chance.uniform(-0.05, 0.22) + 0.07 * layer, chance.uniform(-0.2, 0.2)
        spin = tilt @ Matrix.Rotation(turn, 3, "Z")

        def surface(
            u: float,
            v: float,
            long: float = length,
            d: float = droop,
            r: float = roll,
            s: Any = spin,
            k: int = layer,
        ) -> Any:
            span = 2 * u - 1
            width = long * 0.125 * (math.sin(math.pi * min(1, 0.12 + v * 0.78)) ** 0.5)
            notch = 0.05 * long * (v**8) * (math.cos(span * 7) - 1) * 0.5 - 0.03 * long * v**6 * span**2
            z = (
                long * (0.09 * math.sin(v * 2.2) - d * v * v + 0.02 * abs(span) + r * span * 0.12)
                - 0.0012 * k
            )
            ridge = -0.012 * long * math.cos(span * 9)
            return at + s @ Vector((radius * 0.2 + long * 0.82 * v + notch, span * width, z + ridge))

        grid(petals, surface, 8, 10)
    for number in range(420):
        share = math.sqrt((number + 0.5) / 420)
        turn, out = number * 2.39996, radius * 0.29 * share
        dome = Vector(
            (math.cos(turn) * out, math.sin(turn) * out, 0.005 + radius * 0.13 * math.sqrt(1.02 - share**2))
        )
        egg(disc, at + tilt @ dome, radius * 0.0125, radius * 0.03 * (0.55 + 0.5 * share))
    cup = [(0.003, -0.008), (radius * 0.2, -0.004), (radius * 0.3, 0.002), (radius * 0.27, 0.005), (0, 0.006)]
    wheel(green, cup, 24, Matrix.Translation(at) @ tilt.to_4x4())


def _jagged_leaf(mesh: Mesh, base: Any, turn: float, length: float) -> None:
    out = Vector((math.cos(turn), math.sin(turn) * 0.8, 0))
    side = out.cross(Vector((0, 0, 1)))

    def surface(u: float, v: float) -> Any:
        width = (0.03 + 0.15 * math.sin(math.pi * v**1.4)) * (1 - 0.3 * abs(math.sin(v * 20))) * (v < 1)
        span = 2 * u - 1
        rise = 0.75 * v - 0.75 * v * v + 0.12 * abs(span) * width
        return base + (out * (0.8 * v) + side * (span * width) + Vector((0, 0, rise))) * length

    grid(mesh, surface, 4, 40)


def _petal(one: str, other: str) -> Shader:
    look = Shader("petal", rough=0.6, shine=0.2)
    tint = look.mix(each(look), one, other)
    return thin(look.set(color=tint, normal=look.bump(look.noise(90), 0.002, strength=0.15)), 0.3, tint)


def _florets() -> Shader:
    look = Shader("florets", rough=0.65, shine=0.2)
    return look.set(color=look.mix(each(look), "#d98e08", "#f4c322"))


def tulips() -> None:
    """A bunch of seven red tulips, 0.4 m tall."""
    chance = random.Random(12)
    green, petals = Mesh(), Mesh()
    for number in range(9):
        turn = number * 2.39996
        spread = 0.0 if number == 0 else 0.055 + 0.012 * number
        tall = 0.36 - 0.11 * spread / 0.16 + chance.uniform(-0.02, 0.02)
        foot = Vector((math.cos(turn), math.sin(turn), 0)) * (spread * 0.18)
        head = Vector((math.cos(turn) * spread, math.sin(turn) * spread, tall))
        middle = foot.lerp(head, 0.55) + Vector((0, 0, 0.03)) - Vector((head.x, head.y, 0)) * 0.15
        stem = curve([foot, middle, head], 24)
        bar(green, stem, [0.0042 - 0.00004 * n for n in range(25)], 10)
        _tulip(chance, petals, head, (stem[-1] - stem[-3]).normalized(), chance.uniform(0.95, 1.1))
        for _ in range(2 if number % 2 else 1):
            _strap(chance, green, foot, turn + chance.uniform(-1.2, 1.2), tall * chance.uniform(0.7, 0.95))
    green.build("green", leafy("#49703a", "#6a8f52", rough=0.45, through=0.2))
    smoothed(thickened(petals.build("petals", _tulip_petal()), 0.0006), 1)


def _tulip(chance: random.Random, mesh: Mesh, at: Any, ahead: Any, size: float) -> None:
    side, up = across(ahead)
    spin = Matrix((side, up, ahead)).transposed()
    start = chance.uniform(0, 6)
    for number in range(6):
        outer = number % 2
        turn = start + math.tau * number / 6 + chance.uniform(-0.08, 0.08)
        gape, tall = chance.uniform(-0.04, 0.16) + 0.05 * outer, chance.uniform(0.95, 1.05)

        def surface(
            u: float, v: float, t: float = turn, g: float = gape, h: float = tall, o: int = outer
        ) -> Any:
            span = 2 * u - 1
            belly = 0.0255 * math.sin(math.pi * (0.06 + 0.66 * v)) ** 0.8 + 0.012 * g * v**3 * 6 + 0.0012 * o
            half = 0.78 * math.sin(math.pi * min(1, 0.2 + 0.8 * v)) ** 0.55 * (1 - 0.25 * v**4)
            angle = t + span * half
            crease = 1 - 0.06 * math.exp(-((span * 6) ** 2)) * v + 0.03 * span * span
            curl = 0.003 * v**6 * abs(span)
            height = 0.066 * h * (v - 0.09 * v**5 * span * span)
            return (
                at
                + spin
                @ Vector(
                    (
                        math.cos(angle) * (belly * crease + curl),
                        math.sin(angle) * (belly * crease + curl),
                        height,
                    )
                )
                * size
            )

        grid(mesh, surface, 12, 14)


def _strap(chance: random.Random, mesh: Mesh, foot: Any, turn: float, length: float) -> None:
    """A long tulip leaf that wraps its stem and bends over."""
    out = Vector((math.cos(turn), math.sin(turn), 0))
    side = out.cross(Vector((0, 0, 1)))
    lean, twist = chance.uniform(0.14, 0.4), chance.uniform(-0.4, 0.4)

    def surface(u: float, v: float) -> Any:
        span = 2 * u - 1
        width = 0.058 * math.sin(math.pi * (0.16 + 0.84 * v) ** 0.8) ** 0.9 * (1 - v**6)
        fold = abs(span) * width * 0.8 * (1 - 0.6 * v) + 0.004 * math.sin(v * 14 + twist * 9) * span
        reach = lean * (v**2.1) * 0.9
        return (
            foot
            + out * (reach * length + fold * 0.35 - 0.004)
            + side * (span * width * length * 1.6 + twist * length * 0.12 * v * v)
            + Vector((0, 0, length * (v - 0.28 * lean * v**4) + fold * 0.2))
        )

    grid(mesh, surface, 8, 24)


def _tulip_petal() -> Shader:
    look = Shader("tulip petal", rough=0.42, shine=0.35)
    veins = look.noise(70, 4, 0.6, look.place((1, 1, 0.12)))
    tint = look.ramp(each(look), [(0.0, "#a80f16"), (1.0, "#d2231f")])
    tint = look.mix(look.math("MULTIPLY", look.between(veins, 0.45, 0.75), 0.35), tint, "#e2553a")
    return thin(look.set(color=tint, normal=look.bump(veins, 0.003, strength=0.2)), 0.28, "#e03020")


PROPS = {
    "potted_plant": Prop(potted_plant),
    "flower": Prop(flower),
    "tulips": Prop(tulips),
}
