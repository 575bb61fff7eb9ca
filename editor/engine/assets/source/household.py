"""What lies about in rooms: books, writing things, gifts, a candle, a clock."""

import math
from collections.abc import Sequence

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.studio import (
    LIES,
    Prop,
    View,
    all_turned,
    ball,
    block,
    joined,
    lathe,
    moved,
    ribbon,
    shaped,
    solid,
    thickened,
    tube,
)


def candle() -> None:
    """A burning pillar candle of ivory wax."""
    wax = Shader("wax", rough=0.5, soft=0.5, soft_depth=(0.012, 0.009, 0.006))
    lit = wax.between(wax.height(0.02, 0.125), 0.0, 1.0)
    wax.set(
        color=wax.mix(lit, "#d9c9a6", "#eadbb8"), glow=wax.mix(lit, "#000000", "#ff9a3c"), glow_power=0.22
    )
    profile = [
        (0, 0), (0.033, 0), (0.035, 0.002), (0.0352, 0.01), (0.0348, 0.06), (0.035, 0.112),
        (0.0345, 0.1185), (0.0325, 0.1195), (0.029, 0.115), (0.024, 0.1105), (0.012, 0.109), (0, 0.1088),
    ]  # fmt: skip
    body = lathe("candle", profile, wax, 160)
    shaped(
        body,
        lambda p: Vector(
            (p.x, p.y, p.z + (0.004 * math.sin(2 * math.atan2(p.y, p.x) + 1) * max(0.0, p.z - 0.1) / 0.02))
        ),
    )
    for angle, low, thick in ((-110, 0.066, 0.0035), (-62, 0.088, 0.003), (-140, 0.093, 0.0026)):
        x, y = 0.0345 * math.cos(math.radians(angle)), 0.0345 * math.sin(math.radians(angle))
        tube(
            "run",
            [(x * 0.97, y * 0.97, 0.118), (x, y, 0.105), (x * 1.005, y * 1.005, low + 0.008), (x, y, low)],
            [thick * 0.8, thick, thick * 1.15, thick * 0.5],
            wax,
        )
    tube(
        "wick",
        [(0, 0, 0.107), (0.0005, 0, 0.116), (0.002, 0, 0.123)],
        0.0009,
        Shader("wick", color="#1d1512", rough=0.9),
    )
    flame()


def flame() -> bpy.types.Object:
    """The flame of a candle whose wick ends at z = 0.123."""
    fire = Shader("flame", color="#000000", rough=1.0, shine=0.0)
    share = fire.height(0.117, 0.158)
    fire.set(
        glow=fire.ramp(
            share,
            [(0.0, "#5a6bd8"), (0.14, "#c98a3a"), (0.35, "#ffd98a"), (0.7, "#ffe9b0"), (1.0, "#ffb347")],
        )
    )
    facing = fire.node("LayerWeight", {"Blend": 0.5}).outputs["Facing"]
    solidity = fire.math("MULTIPLY", fire.between(facing, 1.0, 0.35), fire.between(share, -0.05, 0.3))
    fire.set(glow_power=2.6, alpha=fire.math("MULTIPLY", solidity, fire.between(share, 1.02, 0.75)))
    profile = [
        (0, 0.117), (0.0035, 0.119), (0.0065, 0.126), (0.0062, 0.134), (0.004, 0.144), (0.0016, 0.153),
        (0, 0.158),
    ]  # fmt: skip
    part = lathe("flame", profile, fire, 80)
    part.visible_shadow = False
    return part


def book() -> None:
    """A thick hardback lying, red cloth with gold lines, its pages towards us."""
    red = _bookcloth()
    paper = _pages()
    wide, deep, thick = 0.150, 0.215, 0.034
    for z in (0.0, thick - 0.003):
        moved(block("board", (wide, deep, 0.003), red, 0.0008), (0, 0, z))
    spine_path = [
        (-wide / 2 + 0.004, 0, 0.0008), (-wide / 2 - 0.004, 0, 0.004), (-wide / 2 - 0.0085, 0, thick / 2),
        (-wide / 2 - 0.004, 0, thick - 0.004), (-wide / 2 + 0.004, 0, thick - 0.0008),
    ]  # fmt: skip
    ribbon("spine", spine_path, deep, (0, 1, 0), red, 0.0024)
    moved(block("pages", (wide - 0.006, deep - 0.010, thick - 0.006), paper, 0.0), (-0.002, 0, 0.003))
    band = Shader("band", color="#b8a074", rough=0.6)
    moved(block("headband", (0.004, deep - 0.009, thick - 0.006), band, 0.001), (-wide / 2 + 0.004, 0, 0.003))
    all_turned(38)


def _bookcloth() -> Shader:
    look = Shader("cloth", rough=0.7, sheen=0.2)
    x, y, z = (look.part(look.place(), axis) for axis in "XYZ")
    frame: object = 0.0
    for inset, half in ((0.012, 0.0007), (0.0155, 0.0003)):
        away = look.math(
            "MAXIMUM",
            look.math("SUBTRACT", look.math("ABSOLUTE", x), 0.075 - inset),
            look.math("SUBTRACT", look.math("ABSOLUTE", y), 0.1075 - inset),
        )
        frame = look.math("MAXIMUM", frame, look.between(look.math("ABSOLUTE", away), half + 0.0002, half))
    for at, half, reach in ((0.045, 0.006, 0.042), (0.026, 0.0035, 0.028), (-0.062, 0.0025, 0.022)):
        near = look.between(look.math("ABSOLUTE", look.math("SUBTRACT", y, at)), half + 0.0002, half)
        marks = look.between(look.noise(210, 0, 0.5, look.place((1, 0.02, 0))), 0.42, 0.46)
        frame = look.math(
            "MAXIMUM",
            frame,
            look.math(
                "MULTIPLY",
                look.math("MULTIPLY", near, marks),
                look.between(look.math("ABSOLUTE", x), reach, reach - 0.0003),
            ),
        )
    gold = look.math("MULTIPLY", frame, look.between(z, 0.0025, 0.0028))
    weave = look.noise(900, 1)
    red = look.ramp(weave, [(0.3, "#6a1518"), (0.7, "#8e2422")])
    look.set(color=look.mix(gold, red, "#c9a14e"), metal=gold, normal=look.bump(weave, 0.0003))
    return look.set(rough=look.math("MULTIPLY_ADD", gold, -0.35, 0.7))


def _pages() -> Shader:
    look = Shader("pages", rough=0.85)
    sheets = look.noise(1.0, 1, 0.5, look.place((6, 6, 2300)))
    return look.set(
        color=look.ramp(sheets, [(0.3, "#b9a888"), (0.55, "#e4d9c0"), (0.75, "#efe7d3")]),
        normal=look.bump(sheets, 0.0006),
    )


def notebook() -> None:
    """A spiral notebook lying, with a blue cover."""
    cover = Shader("cover", rough=0.5)
    cover.set(color=cover.ramp(cover.noise(300, 2), [(0.3, "#1d4d78"), (0.7, "#2a5f8f")]))
    wide, deep = 0.148, 0.21
    moved(block("back", (wide, deep, 0.0012), cover, 0.0003), (0, 0, 0))
    moved(block("pages", (wide - 0.003, deep - 0.003, 0.009), _pages(), 0.0), (0, 0, 0.0012))
    moved(block("front", (wide, deep, 0.0012), cover, 0.0003), (0, 0, 0.0104))
    label = Shader("label", color="#e8e2d3", rough=0.8)
    moved(block("label", (0.085, 0.045, 0.0002), label), (0.008, 0.045, 0.0116))
    ink = Shader("ink", color="#56616e", rough=0.8)
    for k in range(3):
        moved(block("line", (0.066, 0.0007, 0.0001), ink), (0.008, 0.056 - 0.011 * k, 0.0119))
    wire = metal("wire", "#b9bbbf", 0.2)
    hole = Shader("hole", color="#15181c", rough=0.9)
    for k in range(26):
        y = -deep / 2 + 0.008 + k * (deep - 0.016) / 25
        ring = [
            (
                -wide / 2 + 0.0005 + 0.0062 * math.cos(a),
                y + 0.0011 * math.sin(a / 2),
                0.0062 + 0.0072 * math.sin(a),
            )
            for a in [2 * math.pi * j / 12 for j in range(12)]
        ]
        tube("ring", ring, 0.00055, wire, closed=True)
        moved(block("hole", (0.0032, 0.0034, 0.0001), hole), (-wide / 2 + 0.0062, y, 0.0116))
    all_turned(32)


def pencil() -> None:
    """A sharpened yellow pencil, lying."""
    look = Shader("pencil", rough=0.35, coat=0.3)
    painted, along = (
        look.node("Attribute", attribute_name=name).outputs["Fac"] for name in ("painted", "along")
    )
    grain = look.noise(500, 3, 0.6, look.place((1, 1, 0.05)))
    bare = look.ramp(grain, [(0.3, "#c79a63"), (0.7, "#e0bd8b")])
    point = look.mix(look.between(along, 0.0052, 0.0050), bare, "#2b2b2e")
    look.set(color=look.mix(look.between(painted, 0.45, 0.55), point, "#dba013"))
    _sharpened(look)
    band = [
        (0.0036, 0.157), (0.0038, 0.1575), (0.0038, 0.160), (0.0041, 0.1605), (0.0038, 0.161),
        (0.0041, 0.162), (0.0038, 0.163), (0.0038, 0.166), (0.0041, 0.167), (0.0038, 0.168),
        (0.0041, 0.169), (0.0038, 0.17), (0.0036, 0.171),
    ]  # fmt: skip
    lathe("ferrule", band, metal("brass", "#c9b27a", 0.25), 80)
    rubber = [(0.0035, 0.17), (0.0035, 0.178), (0.0032, 0.1805), (0.002, 0.1815), (0, 0.1817)]
    lathe("eraser", rubber, Shader("eraser", color="#cf7d79", rough=0.8), 80)
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, 0.0034), (0, 0, 30))
        moved(part, turned=(0, 90, 0))
    all_turned(-142)


def _sharpened(look: Shader) -> None:
    """A six-sided bar cut by a cone: paint stays where the cone is the wider one."""
    rows = [0.0003, *[0.0003 + 0.0235 * i / 90 for i in range(1, 91)], 0.05, 0.10, 0.158]
    round_, vertices, paints, lengths = 144, [], [], []
    for z in rows:
        for k in range(round_):
            a = 2 * math.pi * k / round_
            hexagon = 0.0034 / math.cos((a % (math.pi / 3)) - math.pi / 6)
            cone = 0.0003 + z * 0.185
            vertices.append((min(hexagon, cone) * math.cos(a), min(hexagon, cone) * math.sin(a), z))
            paints.append(min(1.0, max(0.0, (cone - hexagon) / 0.0001 + 0.5)))
            lengths.append(z)
    body = solid("pencil", vertices, [*joined(len(rows), round_), tuple(range(round_))[::-1]], look)
    body.data.use_auto_smooth, body.data.auto_smooth_angle = True, math.radians(25)
    for name, values in (("painted", paints), ("along", lengths)):
        body.data.attributes.new(name, "FLOAT", "POINT").data.foreach_set("value", values)


def gift() -> None:
    """A red box with a golden ribbon and bow."""
    paper = Shader("paper", rough=0.35)
    dots = paper.between(paper.cells(36), 0.16, 0.13)
    paper.set(
        color=paper.mix(dots, "#a3151c", "#c23a35"),
        normal=paper.bump(paper.noise(25, 2), 0.002, strength=0.35),
    )
    gold = Shader("satin", rough=0.3, shine=0.6, sheen=0.5)
    threads = gold.noise(1500, 1, 0.5, gold.place((1, 1, 0.05)))
    gold.set(color=gold.ramp(threads, [(0.3, "#c08f2a"), (0.7, "#e2bb5a")]))
    x, y, z = 0.115, 0.115, 0.085
    block("box", (2 * x, 2 * y, 2 * z - 0.035), paper, 0.003)
    moved(block("lid", (2 * x + 0.008, 2 * y + 0.008, 0.045), paper, 0.003), (0, 0, 2 * z - 0.045))
    top = 2 * z + 0.0008
    for across in (True, False):
        for low, high, out in ((0.0, 2 * z - 0.045, 0.0008), (2 * z - 0.045, 2 * z, 0.0048)):
            for way in (-1, 1):
                band = moved(block("band", (0.034, 0.0012, high - low), gold), (0, way * (y + out), low))
                moved(band, turned=(0, 0, 0 if across else 90))
        moved(
            block("band", (0.034, 2 * y + 0.0105, 0.0012), gold),
            (0, 0, top - 0.0008),
            (0, 0, 0 if across else 90),
        )
    _bow(gold, top)
    all_turned(32)


def _bow(look: Shader, top: float) -> None:
    loops = (
        [(0.115, 0.075, k * 90 + 45, 0.0) for k in range(4)]
        + [(0.088, 0.085, k * 90, 0.006) for k in range(4)]
        + [(0.055, 0.08, k * 120 + 20, 0.012) for k in range(3)]
    )
    for reach, rise, turn, lift in loops:
        path = [
            (0, 0, 0.002), (reach * 0.45, 0, rise * 0.28), (reach * 0.9, 0, rise * 0.72),
            (reach * 0.88, 0, rise * 1.05), (reach * 0.5, 0, rise * 0.92), (reach * 0.12, 0, rise * 0.4),
            (0, 0, 0.004),
        ]  # fmt: skip
        moved(ribbon("loop", path, 0.032, (0, 1, 0), look, 0.001), (0, 0, top + lift), (0, 0, turn))
    for turn in (-62, -118):
        path = [(0, 0, 0.004), (0.04, 0, 0.012), (0.08, 0, 0.006), (0.105, 0, 0.011)]
        moved(ribbon("tail", path, 0.032, (0, 1, 0), look, 0.001), (0, 0, top), (0, 0, turn))
    moved(ball("knot", 0.017, look, 4), (0, 0, top + 0.022), scale=(1, 1, 0.8))


def clock() -> None:
    """A round wall clock at ten past ten."""
    rim = Shader("rim", color="#22262b", rough=0.3, coat=0.5)
    face = Shader("face", color="#e9e6df", rough=0.5)
    lathe(
        "rim",
        [
            (0.135, 0), (0.15, 0.002), (0.154, 0.012), (0.154, 0.028), (0.149, 0.0355), (0.143, 0.035),
            (0.139, 0.028), (0.1385, 0.012),
        ],
        rim,
        200,
    )  # fmt: skip
    lathe("face", [(0.14, 0.0125), (0.14, 0.0125), (0, 0.0125)], face, 160)
    ink = Shader("ink", color="#17191c", rough=0.5)
    for minute in range(60):
        long = 0.012 if minute % 5 == 0 else 0.006
        tick = moved(
            block("tick", (0.0034 if minute % 5 == 0 else 0.0012, long, 0.0006), ink),
            (0, 0.130 - long / 2, 0.0126),
        )
        moved(tick, turned=(0, 0, -6 * minute))
    for hour in range(1, 13):
        angle = math.radians(90 - 30 * hour)
        _numeral(str(hour), (0.1005 * math.cos(angle), 0.1005 * math.sin(angle), 0.0127), ink)
    _hand(304, 0.072, 0.0075, 0.017, ink)
    _hand(60, 0.108, 0.0052, 0.020, ink)
    _hand(212, 0.112, 0.0016, 0.023, Shader("red", color="#b3221c", rough=0.4))
    lathe("hub", [(0.0075, 0.012), (0.0075, 0.025), (0.006, 0.0265), (0, 0.0265)], ink, 60)
    for part in bpy.context.scene.objects:
        moved(part, turned=(90, 0, 0))


def _numeral(text: str, place: Sequence[float], look: Shader) -> None:
    bpy.ops.object.text_add()
    part = bpy.context.object
    part.data.body, part.data.size, part.data.extrude = text, 0.030, 0.0003
    part.data.align_x, part.data.align_y, part.data.offset = "CENTER", "CENTER", 0.0004
    part.data.materials.append(look.material)
    part.location = place
    bpy.context.view_layer.update()


def _hand(degrees: float, long: float, wide: float, lift: float, look: Shader) -> None:
    half = wide / 2
    outline = [(-half, -0.024), (half, -0.024), (half * 0.55, long), (-half * 0.55, long)]
    faces = [(0, 1, 2, 3)]
    hand = thickened(solid("hand", [(x, y, 0) for x, y in outline], faces, look, smooth=False), 0.0012)
    moved(hand, (0, 0, lift), (0, 0, -degrees))


PROPS = {
    "candle": Prop(candle, View(down=12)),
    "book": Prop(book, LIES),
    "notebook": Prop(notebook, View(down=38)),
    "pencil": Prop(pencil, View(down=36)),
    "gift": Prop(gift, View(down=17)),
    "clock": Prop(clock, View(down=0, grounded=False, turn=0)),
}
