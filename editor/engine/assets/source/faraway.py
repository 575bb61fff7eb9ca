"""What is seen from afar: an airplane and a lighthouse."""

import math
from typing import Any

from mathutils import Vector

from editor.engine.assets.source.shading import Shader, glass, metal
from editor.engine.assets.source.shapes import Mesh, bar, grid
from editor.engine.assets.source.studio import Prop, View, all_turned, block, lathe, moved, shaped


def airplane() -> None:
    """A white airliner with a blue tail, 38 m long, seen from the left and a little below."""
    white = _livery()
    silver = metal("silver", "#b9bcc1", 0.3)
    profile = [
        (0, -18.5), (0.25, -17.6), (0.75, -15.5), (1.55, -10.5), (1.98, -6.5), (2.0, 0), (2.0, 11),
        (1.9, 14.5), (1.5, 16.8), (0.85, 18.3), (0.3, 18.85), (0, 18.9),
    ]  # fmt: skip
    body = lathe("body", profile, white, 96)
    shaped(body, lambda p: Vector((-p.z, p.y, p.x + 0.035 * max(0.0, -p.z - 6.5) ** 1.35)))
    wings = Mesh()
    for way in (-1, 1):
        _wing(wings, (-2.5, 1.5 * way, -1.1), (6.5, 17.2 * way, 0.6), 6.8, 1.5, 0.11)
        _wing(wings, (13.6, 0.6 * way, 1.0), (17.4, 6.3 * way, 1.7), 3.9, 1.3, 0.1)
    wings.build("wings", Shader("wing", color="#c9ccd0", rough=0.35))
    fin = Mesh()
    _wing(fin, (12.2, 0, 1.6), (17.6, 0, 7.7), 5.6, 2.0, 0.1, upright=True)
    fin.build("fin", Shader("fin", color="#1d4e8f", rough=0.3, coat=0.4))
    dark = Shader("dark", color="#17181a", rough=0.6)
    for way in (-1, 1):
        pod = [
            (0, 2.2),
            (0.35, 2.1),
            (0.7, 1.2),
            (1.08, 0),
            (1.12, -1.4),
            (1.0, -1.95),
            (0.92, -1.9),
            (0.86, -1.2),
        ]
        engine = lathe("engine", pod, white, 64)
        moved(shaped(engine, lambda p: Vector((p.z, p.y, p.x))), (-2.2, 5.6 * way, -2.35))
        fan = lathe("fan", [(0, 0), (0.87, 0.05)], dark, 48)
        moved(shaped(fan, lambda p: Vector((p.z, p.y, p.x))), (-3.4, 5.6 * way, -2.35))
        lip = [
            Vector((-4.15, 5.6 * way + 0.98 * math.cos(t), -2.35 + 0.98 * math.sin(t))) for t in _round(48)
        ]
        ring = Mesh()
        bar(ring, lip, [0.07] * 49, 8)
        ring.build("lip", silver)
        moved(block("pylon", (2.6, 0.25, 1.0), white, 0.1), (-1.2, 5.6 * way, -1.7), (0, 12, 0))
    all_turned(30)


def _round(count: int) -> list[float]:
    return [math.tau * k / count for k in range(count + 1)]


def _livery() -> Shader:
    """White, with a row of windows, those of the cockpit, and a pale belly."""
    look = Shader("white", rough=0.3, coat=0.4, coat_rough=0.1)
    x, y, z = (look.part(look.place(), axis) for axis in "XYZ")
    row = look.between(look.math("ABSOLUTE", look.math("SUBTRACT", z, 0.45)), 0.27, 0.2)
    each = look.between(look.math("SINE", look.math("MULTIPLY", x, 7.4)), 0.0, 0.35)
    cabin = look.between(look.math("ABSOLUTE", look.math("ADD", x, 0.5)), 13.6, 13.5)
    side = look.between(look.math("ABSOLUTE", y), 1.4, 1.5)
    windows = look.math("MULTIPLY", look.math("MULTIPLY", row, each), look.math("MULTIPLY", cabin, side))
    front = look.between(look.math("ABSOLUTE", look.math("ADD", x, 17.1)), 0.62, 0.55)
    front = look.math(
        "MULTIPLY", front, look.between(look.math("ABSOLUTE", look.math("SUBTRACT", z, 0.8)), 0.36, 0.3)
    )
    belly = look.mix(look.between(z, -0.9, -0.75), "#b6bcc4", "#eceef0")
    dark = look.math("MAXIMUM", windows, front)
    return look.set(color=look.mix(dark, belly, "#1b2735"))


def _wing(
    mesh: Mesh,
    root: tuple[float, float, float],
    tip: tuple[float, float, float],
    chord: float,
    end: float,
    thick: float,
    *,
    upright: bool = False,
) -> None:
    """A tapered wing from the front edge of its root to that of its tip; chords run backwards (+x)."""

    def place(u: float, v: float) -> Any:
        front, long = Vector(root).lerp(Vector(tip), v), chord + (end - chord) * v
        share = (1 - math.cos(math.tau * u)) / 2
        swell = thick * long * math.sin(math.tau * u) * (1 - share) ** 0.5 * 0.62
        return front + Vector((long * share, swell if upright else 0.0, 0.0 if upright else swell))

    grid(mesh, place, 48, 12)
    mesh.add([place(k / 48, 1.0) for k in range(48)], [tuple(range(48))])


def lighthouse() -> None:
    """A white lighthouse with red bands, 22 m tall."""
    wall = Shader("wall", rough=0.75, shine=0.25)
    z = wall.part(wall.place(), "Z")
    bands = wall.between(wall.math("SINE", wall.math("MULTIPLY_ADD", z, 0.785, -0.75)), -0.03, 0.03)
    stain = wall.math("MULTIPLY_ADD", wall.noise(1.2, 6, 0.6, wall.place((1, 1, 0.25))), 0.45, 0.74)
    paint = wall.mix(bands, "#ece9e2", "#a82a22")
    wall.set(color=wall.mix(1.0, paint, stain, "MULTIPLY"), normal=wall.bump(wall.noise(9, 4), 0.03))
    tower = [(3.1, 0), (3.1, 0), (3.0, 0.6), (2.65, 4), (2.2, 9), (1.9, 14), (1.8, 16), (1.8, 16), (0, 16)]
    lathe("tower", tower, wall, 128)
    stone = Shader("stone", color="#7d7a74", rough=0.9)
    lathe("foot", [(3.4, 0), (3.4, 0), (3.4, 0.5), (3.2, 0.6), (0, 0.6)], stone, 96)
    dark, red = (
        Shader("dark", color="#26282b", rough=0.4),
        Shader("red", color="#9c241d", rough=0.4, coat=0.3),
    )
    lathe("gallery", [(1.9, 15.7), (2.5, 16), (2.5, 16), (2.5, 16.25), (2.5, 16.25), (0, 16.25)], dark, 96)
    rail = Mesh()
    for height in (16.7, 17.2):
        bar(
            rail,
            [Vector((2.42 * math.cos(t), 2.42 * math.sin(t), height)) for t in _round(64)],
            [0.045] * 65,
            6,
        )
    for t in _round(20)[:-1]:
        post = Vector((2.42 * math.cos(t), 2.42 * math.sin(t), 16.2))
        bar(rail, [post, post + Vector((0, 0, 1.0))], [0.04, 0.04], 6)
    for t in _round(8)[:-1]:
        post = Vector((1.35 * math.cos(t), 1.35 * math.sin(t), 16.2))
        bar(rail, [post, post + Vector((0, 0, 2.7))], [0.07, 0.07], 6)
    rail.build("rail", dark)
    lathe("pane", [(1.33, 16.9), (1.33, 16.9), (1.33, 18.8), (1.33, 18.8)], glass("pane", "#dfe9ee"), 64)
    lamp = Shader("lamp", color="#fff2c8", glow="#ffe9a8", glow_power=2.0)
    lathe("lamp", [(0, 17), (0.5, 17.1), (0.65, 17.8), (0.5, 18.5), (0, 18.6)], lamp, 48)
    lathe("sill", [(1.5, 16.2), (1.5, 16.2), (1.5, 16.9), (1.5, 16.9), (0, 16.9)], red, 64)
    dome = [
        (1.75, 18.75),
        (1.75, 18.75),
        (1.6, 19.1),
        (1.1, 19.9),
        (0.4, 20.5),
        (0.2, 20.8),
        (0.25, 21),
        (0, 21.3),
    ]
    lathe("dome", dome, red, 96)
    bar_ = Mesh()
    bar(bar_, [Vector((0, 0, 21.2)), Vector((0, 0, 22.2))], [0.05, 0.03], 6)
    bar_.build("rod", dark)
    _openings(dark)


def _openings(dark: Shader) -> None:
    """A door at the bottom and windows above each other, towards us."""
    stone = Shader("stone", color="#8f8b84", rough=0.9)
    for turn, height, wide, tall in (
        (-14, 0.6, 1.0, 2.1),
        (-8, 5.0, 0.6, 1.1),
        (-8, 9.2, 0.55, 1.0),
        (-8, 13.0, 0.5, 0.9),
    ):
        out = 3.02 - 0.088 * height if height > 1 else 2.93
        for look, more, depth in ((stone, 0.3, 0.0), (dark, 0.0, 0.12)):
            part = block("opening", (wide + more, 0.3, tall + more / 2), look, 0.02)
            moved(moved(part, (0, -out - depth + 0.1, height)), turned=(0, 0, turn))


PROPS = {
    "airplane": Prop(airplane, View(down=-14, grounded=False), longest=620),
    "lighthouse": Prop(lighthouse, View(down=3), longest=640),
}
