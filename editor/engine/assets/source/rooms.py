"""What furnishes rooms: a sofa, a bookshelf, a stool, a television, a box, a lantern, a handbag."""

import math
import random
from typing import Any

from mathutils import Vector

from editor.engine.assets.source.furniture import OAK, cloth
from editor.engine.assets.source.shading import Shader, glass, metal, wood
from editor.engine.assets.source.shapes import Mesh, corners, cuboid, grid, slab
from editor.engine.assets.source.studio import Prop, View, all_turned, block, lathe, moved, solid, tube


def sofa() -> None:
    """A gray sofa for two on short wooden legs, 84 cm tall."""
    gray = cloth("cloth", "#5d6469", "#7b8388", 260)
    leg = wood("leg", "#3d2616", "#5f3d23")
    for x in (-0.82, 0.82):
        for y in (-0.34, 0.34):
            profile = [(0.016, 0), (0.018, 0.01), (0.027, 0.13), (0, 0.13)]
            moved(lathe("leg", profile, leg, 40), (x, y, 0))
    _puff("base", (0.9, 0.42, 0.1), gray, (0, 0, 0.21), 0.18)
    for way in (-1, 1):
        _puff("arm", (0.105, 0.43, 0.25), gray, (0.86 * way, 0, 0.37), 0.3)
        _puff("seat", (0.385, 0.36, 0.085), gray, (0.383 * way, -0.07, 0.375), 0.26)
        back = _puff("back", (0.38, 0.12, 0.23), gray, (0, 0, 0), 0.34)
        moved(back, (0.38 * way, 0.235, 0.61), (-12, 0, 0))
    _puff("rear", (0.9, 0.1, 0.32), gray, (0, 0.36, 0.43), 0.25)
    all_turned(-24)


def _puff(
    name: str, half: tuple[float, float, float], look: Shader, place: tuple[float, float, float], power: float
) -> Any:
    """A stuffed box: the smaller the power, the sharper its edges."""

    def eased(value: float) -> float:
        return math.copysign(abs(value) ** power, value)

    def point(u: float, v: float) -> Any:
        a, b = math.tau * u, math.pi * (v - 0.5)
        level = eased(math.cos(b))
        x, y, z = eased(math.cos(a)) * level, eased(math.sin(a)) * level, eased(math.sin(b))
        plump = 1 + 0.05 * (1 - x * x) * (1 - y * y)
        return Vector((x * half[0], y * half[1], z * half[2] * plump))

    mesh = Mesh()
    grid(mesh, point, 160, 80)
    return moved(solid(name, mesh.verts, mesh.faces, look, weld=1e-5), place)


def bookshelf() -> None:
    """A wooden bookshelf with five rows of books, 1.8 m tall."""
    upright, across = (wood(f"oak {axis}", *OAK, along=axis, scale=0.7) for axis in "ZX")
    for x in (-0.415, 0.415):
        moved(block("side", (0.03, 0.3, 1.8), upright, 0.003), (x, 0, 0))
    for row in range(6):
        moved(block("shelf", (0.8, 0.29, 0.026), across, 0.002), (0, 0, 0.06 + row * 0.343))
    moved(block("back", (0.82, 0.01, 1.74), upright), (0, 0.145, 0.05))
    moved(block("foot", (0.8, 0.02, 0.06), across), (0, -0.13, 0))
    colors = (
        "#7a2420", "#1f3f5c", "#2f5138", "#c9b78f", "#3a3632", "#8a5a2b", "#a8a39a", "#5a2c4a", "#c58a2e",
        "#45707c",
    )  # fmt: skip
    looks = [_cover(color) for color in colors]
    pages = Shader("pages", color="#d8ccb2", rough=0.9)
    books, chance = Mesh(), random.Random(11)
    for row in range(5):
        _row_of_books(books, 0.088 + row * 0.343, len(colors), chance)
    books.build("books", *looks, pages, smooth=False)
    all_turned(-20)


def _cover(color: str) -> Shader:
    look = Shader("cover", rough=0.65, shine=0.3)
    shade = look.math("MULTIPLY_ADD", look.noise(30, 4), 0.5, 0.75)
    return look.set(color=look.mix(1.0, color, shade, "MULTIPLY"))


def _row_of_books(books: Mesh, floor: float, pages: int, chance: random.Random) -> None:
    x = -0.39
    while x < 0.36:
        thick, tall = chance.uniform(0.016, 0.05), chance.uniform(0.19, 0.285)
        deep, slot = chance.uniform(0.16, 0.2), chance.randrange(pages)
        if chance.random() < 0.07:
            x += chance.uniform(0.02, 0.08)
            continue
        front = -0.115 + chance.uniform(0, 0.02)
        cuboid(
            books, (x + thick / 2, front + deep / 2, floor + tall / 2), (thick * 0.94, deep, tall), slot=slot
        )
        inner = (x + thick / 2, front + deep / 2 + 0.004, floor + tall / 2 + 0.002)
        cuboid(books, inner, (thick * 0.7, deep - 0.012, tall), slot=pages)
        for height in (0.16, 0.22, 0.8) if thick > 0.026 else (0.82,):
            band = (x + thick / 2, front, floor + tall * height)
            cuboid(books, band, (thick * 0.945, 0.0012, 0.004), slot=pages)
        x += thick


def stool() -> None:
    """A round wooden stool on four legs, 65 cm tall."""
    upright, deep = (wood(f"oak {axis}", *OAK, along=axis) for axis in "ZY")
    seat = [
        (0, 0.612),
        (0.14, 0.612),
        (0.168, 0.62),
        (0.172, 0.634),
        (0.165, 0.645),
        (0.13, 0.646),
        (0, 0.64),
    ]
    lathe("seat", seat, deep, 128)
    for turn in (45, 135, 225, 315):
        a = math.radians(turn)
        way = Vector((math.cos(a), math.sin(a), 0))
        leg = [way * 0.205, way * 0.165 + Vector((0, 0, 0.3)), way * 0.118 + Vector((0, 0, 0.615))]
        tube("leg", [tuple(spot) for spot in leg], [0.0125, 0.0165, 0.0185], upright)
    for turn, height in ((45, 0.19), (135, 0.25), (225, 0.19), (315, 0.25)):
        spots = [math.radians(turn), math.radians(turn + 90)]
        out = 0.205 - 0.13 * height
        rung = [(out * math.cos(a), out * math.sin(a), height) for a in spots]
        tube("rung", [rung[0], tuple((Vector(rung[0]) + Vector(rung[1])) / 2), rung[1]], 0.0095, deep)
    all_turned(-14)


def television() -> None:
    """A flat television, switched off, on its two feet."""
    black = Shader("frame", color="#141416", rough=0.35)
    screen = Shader("screen", color="#050608", rough=0.07, shine=0.6)
    moved(block("frame", (1.23, 0.035, 0.71), black, 0.004), (0, 0, 0.075))
    moved(block("screen", (1.21, 0.002, 0.685), screen), (0, -0.0175, 0.092))
    moved(block("rear", (0.8, 0.04, 0.4), black, 0.01), (0, 0.03, 0.1))
    for x in (-0.42, 0.42):
        for y in (-0.11, 0.12):
            tube("foot", [(x, 0, 0.085), (x, y * 0.5, 0.04), (x, y, 0.005)], [0.009, 0.009, 0.007], black)
    all_turned(-16)


def box() -> None:
    """A closed box of cardboard, taped."""
    board = Shader("board", rough=0.9, shine=0.1)
    waves = board.noise(1.0, 1, 0.5, board.place((3, 3, 190)))
    fibre = board.math(
        "MULTIPLY_ADD", board.noise(240, 4, 0.7), 0.5, board.math("MULTIPLY", board.noise(8, 3), 0.5)
    )
    board.set(color=board.ramp(fibre, [(0.3, "#9a703f"), (0.7, "#bd9159")]), normal=board.bump(waves, 0.0006))
    wide, deep, tall = 0.42, 0.32, 0.28
    block("box", (wide, deep, tall - 0.004), board, 0.004)
    for way in (-1, 1):
        flap = block("flap", (wide, deep / 2 - 0.0015, 0.0045), board, 0.0012)
        moved(flap, (0, way * deep / 4, tall - 0.003), (way * 0.7, 0, 0))
    tape = Shader("tape", color="#b88f56", rough=0.22, coat=0.4)
    moved(block("tape", (wide + 0.001, 0.05, 0.0008), tape), (0, 0, tall + 0.0022))
    for way in (-1, 1):
        moved(block("end", (0.0008, 0.05, 0.075), tape), (way * (wide / 2 + 0.0006), 0, tall - 0.073))
    ink = Shader("ink", color="#3d2b1a", rough=0.9)
    for x in (0.1, 0.14):
        moved(block("arrow", (0.006, 0.0006, 0.04), ink), (x, -deep / 2 - 0.0002, 0.04))
        tip = [(x - 0.013, -deep / 2 - 0.0006, 0.078), (x + 0.013, -deep / 2 - 0.0006, 0.078)]
        solid("tip", [*tip, (x, -deep / 2 - 0.0006, 0.098)], [(0, 1, 2)], ink)
    all_turned(-28)


def lantern() -> None:
    """A black metal lantern with a candle behind glass, 36 cm tall."""
    iron = Shader("iron", color="#1b1a1a", rough=0.45, metal=0.6)
    iron.set(normal=iron.bump(iron.noise(180, 3), 0.0008))
    moved(block("foot", (0.17, 0.17, 0.014), iron, 0.003), (0, 0, 0))
    moved(block("floor", (0.15, 0.15, 0.014), iron, 0.003), (0, 0, 0.013))
    moved(block("ceiling", (0.16, 0.16, 0.012), iron, 0.003), (0, 0, 0.232))
    for x in (-0.067, 0.067):
        for y in (-0.067, 0.067):
            moved(block("post", (0.011, 0.011, 0.21), iron, 0.002), (x, y, 0.025))
        moved(block("bar", (0.005, 0.13, 0.005), iron), (x, 0, 0.128))
        moved(block("bar", (0.13, 0.005, 0.005), iron), (0, x, 0.128))
    pane = glass("pane")
    for turn in (0, 90, 180, 270):
        moved(moved(block("pane", (0.125, 0.0015, 0.205), pane), (0, -0.066, 0.027)), turned=(0, 0, turn))
    roof = [
        (0.085, 0.0),
        (0.085, 0.0),
        (0.05, 0.042),
        (0.026, 0.06),
        (0.026, 0.06),
        (0.026, 0.075),
        (0, 0.078),
    ]
    moved(lathe("roof", roof, iron, 4), (0, 0, 0.244), (0, 0, 45), (1.25, 1.25, 1))
    ring = [
        (0.032 * math.cos(math.tau * k / 16), 0, 0.345 + 0.032 * math.sin(math.tau * k / 16))
        for k in range(16)
    ]
    tube("ring", ring, 0.004, iron, closed=True)
    _candle_in_it()
    all_turned(-24)


def _candle_in_it() -> None:
    wax = Shader("wax", color="#eadbb8", rough=0.5, glow="#ff9a3c", glow_power=0.5)
    moved(
        lathe("candle", [(0, 0), (0.03, 0), (0.03, 0.09), (0.027, 0.094), (0, 0.09)], wax, 64), (0, 0, 0.027)
    )
    fire = Shader("flame", color="#000000", rough=1.0, glow="#ffd58a", glow_power=6.0)
    flame = [(0, 0.0), (0.005, 0.006), (0.0065, 0.014), (0.004, 0.026), (0, 0.038)]
    moved(lathe("flame", flame, fire, 48), (0, 0, 0.125))


def handbag() -> None:
    """A brown leather handbag with two handles, 34 cm tall."""
    leather = Shader("leather", rough=0.42, shine=0.45)
    grain = leather.cells(420)
    tone = leather.noise(12, 4)
    leather.set(color=leather.ramp(tone, [(0.3, "#5a3018"), (0.7, "#7d4a28")]))
    leather.set(normal=leather.bump(grain, 0.0009, strength=0.45))
    brass = metal("brass", "#d9b565", 0.25)
    body = _puff("body", (0.17, 0.068, 0.115), leather, (0, 0, 0), 0.22)
    for vertex in body.data.vertices:
        up = (vertex.co.z / 0.115 + 1) / 2
        vertex.co.x *= 1.06 - 0.2 * up
        vertex.co.y *= 1.05 - 0.45 * up
    moved(body, (0, 0, 0.117))
    for way in (-1, 1):
        y = way * 0.05
        loop = [
            (-0.085, y, 0.19), (-0.088, y * 0.9, 0.25), (-0.06, y * 0.75, 0.32), (0, y * 0.7, 0.342),
            (0.06, y * 0.75, 0.32), (0.088, y * 0.9, 0.25), (0.085, y, 0.19),
        ]  # fmt: skip
        tube("handle", loop, 0.0068, leather)
        for x in (-0.085, 0.085):
            tab = slab("tab", corners(0.028, 0.05, 0.012), 0.004, leather, 0.0015)
            moved(moved(tab, turned=(90, 0, 0)), (x, y * 1.12, 0.18))
            moved(
                lathe("stud", [(0.006, 0), (0.005, 0.003), (0, 0.0035)], brass, 32),
                (x, y * 1.18, 0.17),
                (90, 0, 0),
            )
    tube("zip", [(-0.13, 0, 0.233), (0, 0, 0.236), (0.13, 0, 0.233)], 0.004, brass, flat=0.5, side=(0, 1, 0))
    all_turned(-20)


PROPS = {
    "sofa": Prop(sofa, View(down=11)),
    "bookshelf": Prop(bookshelf, View(down=6), longest=620),
    "stool": Prop(stool, View(down=14), longest=480),
    "television": Prop(television, View(down=6)),
    "cardboard_box": Prop(box, View(down=20), longest=480),
    "lantern": Prop(lantern, View(down=10), longest=500, samples=30),
    "handbag": Prop(handbag, View(down=10), longest=480),
}
