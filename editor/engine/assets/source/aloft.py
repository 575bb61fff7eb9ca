"""What floats or flies: a balloon, an umbrella, a butterfly, a saucer and a planet."""

import math
from typing import Any

import bpy
from mathutils import Matrix, Vector

from editor.engine.assets.source.shading import Shader, metal, wood
from editor.engine.assets.source.shapes import Mesh, bar, cuboid, curve, egg, grid, outline, thin, wheel
from editor.engine.assets.source.studio import Prop, View, ball, lathe, moved, rounded


def butterfly() -> None:
    """A monarch butterfly, 9 cm across, its wings half raised."""
    wings = Mesh()
    fore = outline("-8 0.55, 0 0.72, 14 0.86, 30 0.94, 44 1.03, 52 1.0, 58 0.8, 62 0.4")
    hind = outline("-78 0.42, -68 0.56, -52 0.68, -36 0.72, -20 0.7, -6 0.62, 4 0.5, 10 0.35")
    for way in (-1, 1):
        for edge, root, veins, lift in ((hind, -0.004, 7, 0.0), (fore, 0.004, 8, 0.0006)):
            _wing(wings, edge, way, root, veins, lift)
    looks = [_scales("#0d0a09", 0.02), _scales("#d5680f", 0.3), _scales("#efe9dc", 0.2)]
    wings.build("wings", *looks)
    body = Mesh()
    for y, radius, half in ((0.009, 0.0026, 0.0024), (0.0035, 0.0034, 0.005), (-0.0085, 0.0024, 0.0105)):
        piece = Mesh()
        egg(piece, Vector(), radius, half)
        body.add([Vector((v.x, y + v.z, v.y + 0.001)) for v in piece.verts], piece.faces)
    for way in (-1, 1):
        path = curve(
            [(0.001 * way, 0.011, 0.002), (0.006 * way, 0.02, 0.005), (0.0125 * way, 0.027, 0.006)], 20
        )
        bar(body, path, [0.00022] * 18 + [0.0004, 0.0006, 0.0004], 6)
    body.build("body", Shader("body", color="#17120f", rough=0.8, sheen=0.6))


def _wing(mesh: Mesh, edge: Any, way: int, root: float, veins: int, lift: float) -> None:
    """A wing as a fan of small faces from its root: black along veins and rim, white spots in the rim."""
    line = curve([(angle, radius, 0) for angle, radius in edge], 140)
    columns, rows = len(line) - 1, 120
    raised = Matrix.Rotation(-math.radians(33 if way > 0 else 24) * way, 3, "Y")

    def place(u: float, v: float) -> Any:
        spot = line[round(u * columns)]
        turn, reach = (
            math.radians(spot.x),
            spot.y * 0.05 * v * (1 - 0.018 * (1 - math.cos(u * veins * math.tau)) * v**6),
        )
        x, y = reach * math.cos(turn), reach * math.sin(turn)
        bow = 0.0035 * math.sin(math.pi * v * 0.9) + 0.0005 * math.cos(u * veins * math.tau) * v
        return raised @ Vector((way * (x + 0.0015), y + root, bow + lift))

    piece = Mesh()
    grid(piece, place, columns, rows)
    for number, face in enumerate(piece.faces):
        u, v = (number % columns + 0.5) / columns, (number // columns + 0.5) / rows
        mesh.add([piece.verts[corner] for corner in face], [(0, 1, 2, 3)], _pattern(u, v, veins, root > 0))


def _pattern(u: float, v: float, veins: int, fore: bool) -> int:
    """0: black, 1: orange, 2: white."""
    cell = u * veins
    off = abs(cell - round(cell)) / veins
    inside = cell - math.floor(cell)
    for row, size in ((0.955, 0.017), (0.9, 0.021)):
        if ((inside - 0.5) / veins * 1.1) ** 2 + (v - row) ** 2 < size**2:
            return 2
    tip = 0.62 if fore and u > 0.62 else 0.85
    if fore and u > 0.66 and ((inside - 0.5) / veins * 1.3) ** 2 + (v - 0.74) ** 2 < 0.036**2:
        return 2 if u < 0.85 else 1
    rim = v > tip or u < 0.012 or u > 0.955 - 0.04 * v
    vein = off * v < 0.0052 + 0.003 * v if v > 0.45 else abs(cell - round(cell / 3) * 3) / veins * v < 0.006
    return 0 if rim or vein or (0.44 < v < 0.46 and 0.25 < u < 0.8) else 1


def _scales(color: str, through: float) -> Shader:
    look = Shader("scales", rough=0.75, shine=0.12)
    grey = look.math("MULTIPLY_ADD", look.noise(300, 5, 0.6), 0.6, 0.7)
    return thin(look.set(color=look.mix(1.0, color, grey, "MULTIPLY")), through, color)


def ufo() -> None:
    """A flying saucer of brushed metal with a glass dome and lights, 8 m across."""
    steel = Shader("steel", color="#aeb2b6", metal=1.0)
    brushed = steel.noise(4, 6, 0.7, steel.place((1, 1, 14)))
    steel.set(
        rough=steel.math("MULTIPLY_ADD", brushed, 0.3, 0.16), normal=steel.bump(brushed, 0.01, strength=0.2)
    )
    profile = outline(
        "0.0 -0.62, 0.9 -0.62, 0.9 -0.62, 1.05 -0.5, 2.2 -0.34, 3.6 -0.09, 3.95 0.0, 3.95 0.06, "
        "3.6 0.15, 2.4 0.42, 1.75 0.66, 1.75 0.66, 1.6 0.72, 1.45 0.72"
    )
    lathe("hull", profile, steel)
    dome = Shader("dome", color="#26343b", rough=0.04, shine=0.9, coat=1.0)
    lathe("dome", [(1.46, 0.7), (1.4, 1.0), (1.1, 1.4), (0.6, 1.66), (0.0, 1.75)], dome)
    seams, lamps = Mesh(), Mesh()
    for number in range(24):
        turn = math.tau * number / 24
        way = Vector((math.cos(turn), math.sin(turn), 0))
        bar(
            seams,
            [way * r + Vector((0, 0, z)) for r, z in ((1.8, 0.65), (2.4, 0.424), (3.6, 0.152), (3.92, 0.07))],
            [0.012] * 4,
            5,
        )
        if number % 2:
            egg(lamps, way * 3.2 + Vector((0, 0, -0.2)), 0.15, 0.08)
            egg(lamps, way * 3.0 + Vector((0, 0, 0.3)), 0.12, 0.06)
    seams.build("seams", metal("seam", "#5c6064", 0.4))
    lamps.build("lamps", Shader("lamp", color="#fff2c8", glow="#ffd98a", glow_power=2.2))
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, 0), (0, -7, 0))


def hot_air_balloon() -> None:
    """A hot-air balloon with its basket, 18 m tall."""
    envelope, ropes = Mesh(), Mesh()
    gores = 24
    side = outline(
        "0.0 18.0, 2.2 17.85, 4.6 16.9, 6.3 15.0, 6.9 12.4, 6.3 9.8, 4.9 7.3, 3.2 5.2, 1.9 3.8, 1.35 3.2"
    )
    line = curve([(r, z, 0) for r, z in side], 108)
    bands = ["#c3251f", "#eba21c", "#eee6d6", "#1f5a94"]
    for gore in range(gores):
        for row in range(len(line) - 1):
            low = row / (len(line) - 1)
            slot = int((low * 12 + gore * 0.5) % 4) if 0.12 < low < 0.8 else (0 if low <= 0.12 else 3)

            def patch(u: float, v: float, gore: int = gore, row: int = row) -> Any:
                spot = line[row].lerp(line[row + 1], v)
                belly = 1 + 0.028 * math.sin(math.pi * u)
                turn = math.tau * (gore + u) / gores
                return Vector((spot.x * belly * math.cos(turn), spot.x * belly * math.sin(turn), spot.y))

            grid(envelope, patch, 6, 1, slot)
    envelope.build("envelope", *[_nylon(color) for color in bands])
    for number in range(12):
        turn = math.tau * (number + 0.5) / 12
        way = Vector((math.cos(turn), math.sin(turn), 0))
        corner = Vector((math.copysign(0.6, way.x), math.copysign(0.6, way.y), 1.5))
        bar(ropes, [way * 1.36 + Vector((0, 0, 3.25)), corner], [0.022] * 2, 6)
    ropes.build("ropes", Shader("rope", color="#3c332a", rough=0.8))
    _basket()


def _nylon(color: str) -> Shader:
    look = Shader("nylon", rough=0.5, shine=0.35)
    folds = look.noise(0.9, 4, 0.5, look.place((1, 1, 0.4)))
    grey = look.math("MULTIPLY_ADD", folds, 0.35, 0.82)
    return thin(
        look.set(color=look.mix(1.0, color, grey, "MULTIPLY"), normal=look.bump(folds, 0.25, strength=0.35)),
        0.3,
        color,
    )


def _basket() -> None:
    wicker = Shader("wicker", rough=0.75)
    weave = wicker.node("TexChecker", {"Scale": 13.0, "Vector": wicker.place((1, 1, 2.2))}).outputs["Fac"]
    wicker.set(
        color=wicker.mix(
            wicker.math("MULTIPLY_ADD", weave, 0.5, wicker.math("MULTIPLY", wicker.noise(20, 4), 0.5)),
            "#5a3a1d",
            "#a9793f",
        ),
        normal=wicker.bump(weave, 0.03),
    )
    basket, rail = Mesh(), Mesh()
    cuboid(basket, (0, 0, 0.62), (1.35, 1.35, 1.15))
    rounded(basket.build("basket", wicker), 0.12)
    for z, wide in ((1.2, 0.69), (0.06, 0.66)):
        ring = [Vector((wide * a, wide * b, z)) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
        bar(rail, ring, [0.07] * 5, 8)
    bar(rail, [Vector((-0.35, 0, 1.95)), Vector((0.35, 0, 1.95))], [0.14] * 2, 12, 1)
    for a, b in ((-0.6, -0.6), (0.6, -0.6), (0.6, 0.6), (-0.6, 0.6)):
        bar(rail, [Vector((a, b, 1.2)), Vector((a * 0.9, b * 0.9, 1.95))], [0.03] * 2, 6, 1)
    rail.build("rail", Shader("hide", color="#3f2616", rough=0.6), metal("steel", "#b5b5b5", 0.3))


def umbrella() -> None:
    """A red umbrella, open, 0.9 m tall."""
    cloth, ribs = Mesh(), Mesh()

    def canopy(u: float, v: float) -> Any:
        turn, out = math.tau * u, v * math.pi / 2 * 0.78
        panel = abs(math.sin(4 * turn))
        sag = 1 - 0.06 * panel**0.8 * v**1.5
        radius = 0.62 * math.sin(out) * sag
        return Vector(
            (
                radius * math.cos(turn),
                radius * math.sin(turn),
                0.42 + 0.44 * math.cos(out) + 0.028 * panel * v**4 - 0.012 * panel * v,
            )
        )

    grid(cloth, canopy, 192, 40)
    cloth.build("cloth", _umbrella_cloth())
    for number in range(8):
        path = [canopy(number / 8, n / 20) - Vector((0, 0, 0.004)) for n in range(21)]
        path[-1] = path[-1] + (path[-1] - path[-2]) * 0.8
        bar(ribs, path, [0.0022] * 21, 6)
        bar(ribs, [path[10], Vector((0, 0, 0.5))], [0.0018] * 2, 6)
    bar(ribs, [Vector((0, 0, 0.06)), Vector((0, 0, 0.93))], [0.0055] * 2, 10)
    ribs.build("ribs", metal("steel", "#8d9092", 0.3))
    hook = [(0, 0.12), (0, 0.02), (0.012, -0.035), (0.045, -0.055), (0.078, -0.03), (0.08, 0.0)]
    handle = curve([(x, 0, z) for x, z in hook], 30)
    grip = Mesh()
    bar(grip, handle, [0.0115] * len(handle), 14)
    grip.build("grip", wood("grip", "#4c2a14", "#8a5a30"))
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, 0), (-8, 16, 0))


def _umbrella_cloth() -> Shader:
    look = Shader("cloth", rough=0.5, shine=0.4, sheen=0.3)
    folds = look.noise(9, 4)
    grey = look.math("MULTIPLY_ADD", folds, 0.3, 0.86)
    return thin(
        look.set(
            color=look.mix(1.0, "#b5161f", grey, "MULTIPLY"), normal=look.bump(folds, 0.01, strength=0.3)
        ),
        0.22,
        "#c8222a",
    )


def planet() -> None:
    """A banded planet with a ring."""
    look = Shader("planet", rough=0.9, shine=0.05)
    swirl = look.noise(3, 6, 0.6, look.place((1, 1, 2.5)), 0.8)
    level = look.math("MULTIPLY_ADD", swirl, 0.09, look.part(look.place(), "Z"))
    bands = look.node(
        "TexNoise",
        {
            "Vector": look.node("CombineXYZ", {2: level}).outputs[0],
            "Scale": 5.5,
            "Detail": 4.0,
            "Roughness": 0.6,
        },
    ).outputs["Fac"]
    look.set(
        color=look.ramp(
            bands,
            [(0.28, "#94704a"), (0.42, "#d0ab7a"), (0.52, "#e7d3ab"), (0.62, "#c59a68"), (0.75, "#f0e4c8")],
        )
    )
    ball("planet", 1.0, look, 6)
    ring = Mesh()
    wheel(ring, [(1.28 + 0.96 * n / 60, 0.0) for n in range(61)], 192, Matrix.Identity(4))
    ring.build("ring", _ring_dust())
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, 0), (17, -16, 0))


def _ring_dust() -> Shader:
    """Bands of dust around the axis, with a gap between them."""
    dust = Shader("ring", rough=0.9, shine=0.05)
    place = dust.place()
    out = dust.node("VectorMath", {0: place}, operation="LENGTH").outputs["Value"]
    grooves = dust.node(
        "TexNoise",
        {
            "Vector": dust.node("CombineXYZ", {0: out}).outputs[0],
            "Scale": 9.0,
            "Detail": 7.0,
            "Roughness": 0.75,
        },
    ).outputs["Fac"]
    gap = dust.math(
        "SUBTRACT",
        1.0,
        dust.math(
            "MULTIPLY",
            dust.between(out, 1.86, 1.875),
            dust.math("SUBTRACT", 1.0, dust.between(out, 1.93, 1.945)),
        ),
    )
    body = dust.math("MULTIPLY", dust.between(grooves, 0.3, 0.62), gap)
    return dust.set(
        color=dust.ramp(grooves, [(0.3, "#8b7658"), (0.7, "#e2d0ad")]),
        alpha=dust.math("MULTIPLY_ADD", body, 0.85, dust.math("MULTIPLY", gap, 0.1)),
    )


PROPS = {
    "hot_air_balloon": Prop(hot_air_balloon, View(down=-4, grounded=False, lens=85)),
    "umbrella": Prop(umbrella, View(down=6, grounded=False), longest=500),
    "planet": Prop(planet, View(down=0, grounded=False), longest=500),
    "butterfly": Prop(butterfly, View(down=52, turn=24, grounded=False), longest=480),
    "ufo": Prop(ufo, View(down=7, grounded=False), longest=520),
}
