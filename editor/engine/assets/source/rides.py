"""What carries people: a bicycle, a skateboard and a rowing boat."""

import math
from functools import partial
from typing import Any

import bpy
from mathutils import Matrix, Vector

from editor.engine.assets.source.shading import Shader, metal, wood
from editor.engine.assets.source.shapes import Mesh, bar, corners, curve, egg, grid, slab
from editor.engine.assets.source.studio import (
    Prop,
    View,
    all_turned,
    lathe,
    moved,
    ribbon,
    shaped,
    thickened,
    tube,
)

REAR, FRONT, PEDALS = Vector((-0.47, 0, 0.34)), Vector((0.6, 0, 0.34)), Vector((-0.02, 0, 0.285))
TYRE = 0.34


def bicycle() -> None:
    """A city bicycle with mudguards, seen from its chain's side, 1.1 m tall."""
    paint = Shader("paint", color="#1f4d4f", rough=0.28, coat=0.8, coat_rough=0.05)
    steel, rubber = metal("steel", "#c9cacc", 0.2), Shader("rubber", color="#161617", rough=0.75)
    leather = Shader("leather", color="#5a3219", rough=0.5)
    for hub in (REAR, FRONT):
        _wheel(hub, steel, rubber)
    _frame(paint, steel)
    _mudguards(paint, steel)
    _saddle(leather, steel)
    _handlebar(leather, steel)
    _drive(steel, rubber)


def _wheel(hub: Vector, steel: Shader, rubber: Shader) -> None:
    turns = [math.tau * k / 48 for k in range(48)]
    for radius, thick, look in ((TYRE - 0.017, 0.017, rubber), (TYRE - 0.035, 0.0085, steel)):
        ring = [hub + Vector((radius * math.cos(a), 0, radius * math.sin(a))) for a in turns]
        tube("wheel", ring, thick, look, closed=True)
    spokes = Mesh()
    for k in range(32):
        at, lean = math.tau * k / 32, 0.9 * (1 if k % 4 < 2 else -1)
        side = 0.028 * (1 if k % 2 else -1)
        inner = Vector((0.022 * math.cos(at + lean), side, 0.022 * math.sin(at + lean)))
        outer = Vector(((TYRE - 0.04) * math.cos(at), 0, (TYRE - 0.04) * math.sin(at)))
        bar(spokes, [hub + inner, hub + outer], [0.0013, 0.0013], 6)
    spokes.build("spokes", steel)
    axle = [(0.006, -0.06), (0.006, -0.034), (0.023, -0.033), (0.023, -0.027), (0.013, -0.022)]
    profile = [(r, z) for r, z in [(0, -0.06), *axle]]
    profile += [(r, -z) for r, z in reversed(profile)]
    moved(lathe("hub", profile, steel, 40), hub, (90, 0, 0))


def _frame(paint: Shader, steel: Shader) -> None:
    top, low = Vector((0.368, 0, 0.90)), Vector((0.422, 0, 0.745))
    seat = Vector((-0.185, 0, 0.765))
    tube("head", [top, low], 0.0215, paint)
    tube("seat tube", [PEDALS, seat], 0.0165, paint)
    tube("top tube", [seat.lerp(PEDALS, 0.05), top.lerp(low, 0.25)], 0.0155, paint)
    tube("down tube", [PEDALS, low.lerp(top, 0.18)], 0.0185, paint)
    for way in (-1, 1):
        out = Vector((0, 0.055 * way, 0))
        near = Vector((0, 0.03 * way, 0))
        tube(
            "chain stay",
            [PEDALS + near * 0.7, PEDALS.lerp(REAR, 0.3) + near, REAR + out],
            [0.011, 0.01, 0.007],
            paint,
        )
        tube(
            "seat stay",
            [seat.lerp(PEDALS, 0.07) + near * 0.6, seat.lerp(REAR, 0.5) + near, REAR + out],
            [0.008, 0.008, 0.006],
            paint,
        )
        blade = [low + near * 0.9, (0.478, 0.036 * way, 0.60), (0.525, 0.046 * way, 0.47), FRONT + out]
        tube("fork", blade, [0.0135, 0.0135, 0.011, 0.007], paint)
    tube("crown", [low + Vector((0.0, -0.032, -0.004)), low + Vector((0.0, 0.032, -0.004))], 0.016, paint)
    shell = [(0, -0.036), (0.021, -0.036), (0.021, -0.036), (0.021, 0.036), (0.021, 0.036), (0, 0.036)]
    moved(lathe("bracket", shell, paint, 40), PEDALS, (90, 0, 0))
    for spot, axis in ((top, 0.002), (low, -0.004)):
        tube(
            "cup",
            [spot + Vector((0.002, 0, -0.006 + axis)), spot + Vector((-0.002, 0, 0.006 + axis))],
            0.0235,
            steel,
        )
    stand = [PEDALS + Vector((-0.07, -0.03, 0.0)), (-0.16, -0.07, 0.17), (-0.235, -0.11, 0.045)]
    tube("stand", stand, [0.008, 0.007, 0.007], steel)


def _mudguards(paint: Shader, steel: Shader) -> None:
    for hub, first, last in ((REAR, 12, 178), (FRONT, 52, 196)):
        turns = [math.radians(first + (last - first) * k / 14) for k in range(15)]
        guard = [hub + Vector((0.356 * math.cos(a), 0, 0.356 * math.sin(a))) for a in turns]
        ribbon("guard", guard, 0.05, (0, 1, 0), paint, 0.004)
        for way in (-1, 1):
            far = hub + Vector((0.358 * math.cos(turns[-2]), 0.026 * way, 0.358 * math.sin(turns[-2])))
            tube("stay", [hub + Vector((0, 0.05 * way, 0)), far], 0.0022, steel)
    lamp = [(0, 0), (0.02, 0.004), (0.031, 0.022), (0.033, 0.04), (0.031, 0.043), (0.0, 0.045)]
    moved(lathe("lamp", lamp, steel, 48), (0.452, 0, 0.835), (0, 96, 0))
    moved(
        lathe("red lamp", lamp, Shader("red", color="#9c1512", rough=0.2), 48),
        (-0.835, 0, 0.395),
        (0, -100, 0),
        0.6,
    )


def _saddle(leather: Shader, steel: Shader) -> None:
    top = Vector((-0.215, 0, 0.885))
    tube("post", [(-0.18, 0, 0.75), top], 0.0125, steel)

    def place(u: float, v: float) -> Vector:
        wide = 0.022 + 0.068 * (1 / (1 + math.exp(-(u - 0.62) * 14)))
        wide *= math.sqrt(max(0.0, 1 - (2 * max(0.0, abs(u - 0.5) - 0.38) / 0.24) ** 2)) if u != 0.5 else 1
        angle = math.pi * (v - 0.5) * 1.25
        drop = 0.5 * wide * (1 - math.cos(angle)) + 0.012 * math.sin(math.pi * u)
        return Vector((0.145 - 0.275 * u, wide * math.sin(angle), 0.062 - drop + 0.012 * u))

    seat = Mesh()
    grid(seat, place, 60, 24)
    moved(thickened(seat.build("saddle", leather), 0.006), top)
    for way in (-1, 1):
        rail = [
            (0.12, 0.012 * way, 0.03),
            (0.04, 0.02 * way, 0.0),
            (-0.05, 0.024 * way, 0.0),
            (-0.1, 0.045 * way, 0.03),
        ]
        moved(tube("rail", rail, 0.0035, steel), top)
        spring = [
            (-0.095 + 0.011 * math.cos(k * 0.7), 0.05 * way + 0.011 * math.sin(k * 0.7), -0.01 + 0.0014 * k)
            for k in range(36)
        ]
        moved(tube("spring", spring, 0.0032, steel), top)


def _handlebar(leather: Shader, steel: Shader) -> None:
    tube("stem", [(0.368, 0, 0.90), (0.352, 0, 0.965), (0.365, 0, 0.99), (0.415, 0, 1.0)], 0.0125, steel)
    for way in (-1, 1):
        path = [
            (0.415, 0, 1.0),
            (0.425, 0.08 * way, 1.005),
            (0.39, 0.2 * way, 1.03),
            (0.28, 0.265 * way, 1.03),
            (0.16, 0.285 * way, 1.015),
        ]
        tube("bar", path, 0.0115, steel)
        tube(
            "grip",
            [(0.275, 0.267 * way, 1.0295), (0.2, 0.28 * way, 1.022), (0.145, 0.288 * way, 1.0125)],
            0.0165,
            leather,
        )
        tube(
            "lever",
            [(0.36, 0.235 * way, 1.02), (0.32, 0.255 * way, 0.995), (0.2, 0.272 * way, 0.985)],
            [0.009, 0.006, 0.005],
            steel,
        )
        cable = [
            (0.36, 0.235 * way, 1.02),
            (0.47, 0.13 * way, 0.99),
            (0.465, 0.03 * way, 0.9),
            (0.44, 0.02 * way, 0.75),
        ]
        tube("cable", cable, 0.003, Shader("cable", color="#1a1a1b", rough=0.5))
    bell = [(0.024, 0), (0.024, 0.006), (0.019, 0.017), (0.008, 0.023), (0, 0.024)]
    moved(lathe("bell", bell, steel, 48), (0.405, -0.13, 1.03))


def _drive(steel: Shader, rubber: Shader) -> None:
    flat = [(0.072, 0), (0.088, 0), (0.088, 0.003), (0.072, 0.003), (0.072, 0)]
    ring = [point for point in flat for _ in range(2)]
    near = Vector((0, -0.046, 0))
    moved(lathe("chainring", ring, steel, 96), PEDALS + near, (90, 0, 0))
    for k in range(5):
        arm = [PEDALS + near, PEDALS + near + 0.078 * Vector((math.cos(k * 1.2566), 0, math.sin(k * 1.2566)))]
        tube("spider", arm, 0.007, steel, flat=0.4, side=(0, 0.01, 1))
    cog = [(0, 0), (0.034, 0), (0.034, 0), (0.034, 0.004), (0.034, 0.004), (0, 0.004)]
    moved(lathe("cog", cog, steel, 48), REAR + near, (90, 0, 0))
    loop = [
        PEDALS + near + Vector((0.089 * math.sin(a), 0, 0.089 * math.cos(a)))
        for a in (math.pi * k / 8 for k in range(9))
    ]
    loop += [
        REAR + near + Vector((-0.036 * math.sin(a), 0, -0.036 * math.cos(a)))
        for a in (math.pi * k / 6 for k in range(7))
    ]
    chain = [
        p
        for a, b in zip(loop, loop[1:] + loop[:1], strict=True)
        for p in (a, a.lerp(b, 0.33), a.lerp(b, 0.67))
    ]
    tube("chain", chain, 0.0042, Shader("chain", color="#4a4744", metal=0.8, rough=0.45), closed=True)
    for way in (-1, 1):
        _pedal(way, steel, rubber)


def _pedal(way: int, steel: Shader, rubber: Shader) -> None:
    end = PEDALS + Vector((way * -0.16, way * 0.075, way * 0.055))
    tube(
        "crank",
        [PEDALS + Vector((0, way * 0.058, 0)), end - Vector((0, way * 0.012, 0))],
        [0.0125, 0.0095],
        steel,
        flat=0.6,
        side=(0, 0, 1),
    )
    moved(
        slab("pedal", corners(0.095, 0.085, 0.012), 0.022, rubber, 0.003),
        end + Vector((0, way * 0.045, -0.011)),
    )


def skateboard() -> None:
    """A skateboard with four wheels, 80 cm long."""
    deck, sides = Mesh(), Mesh()
    grid(deck, lambda u, v: _deck(u, v) + Vector((0, 0, 0.0065)), 160, 24)
    grip = Shader("grip", rough=0.95, shine=0.2)
    specks = grip.noise(900, 2)
    grip.set(
        color=grip.ramp(specks, [(0.35, "#141415"), (0.75, "#333336")]), normal=grip.bump(specks, 0.0008)
    )
    thickened(deck.build("grip", grip), 0.001)
    grid(sides, _deck, 160, 24)
    maple = wood("maple", "#b4763a", "#dcae72", along="X")
    thickened(sides.build("deck", maple), 0.011)
    grid(under := Mesh(), lambda u, v: _deck(u, v) - Vector((0, 0, 0.0062)), 160, 24)
    thickened(under.build("print", Shader("print", color="#b3261f", rough=0.3, coat=0.4)), 0.001)
    steel = metal("steel", "#bfc1c4", 0.25)
    bolts = Mesh()
    for x in (-0.215, 0.215):
        _truck(x, steel)
        for a in (-0.027, 0.027):
            for b in (-0.0205, 0.0205):
                egg(bolts, Vector((x + a, b, 0.1045)), 0.0042, 0.0016)
    bolts.build("bolts", steel)
    all_turned(24)


def _deck(u: float, v: float) -> Vector:
    """A point of the middle of the board, its ends round and bent up."""
    x = 0.4 * (2 * u - 1)
    end = max(0.0, (abs(x) - 0.3) / 0.1)
    half = 0.1 * math.sqrt(max(0.0, 1 - end**2.3))
    y = half * (2 * v - 1)
    kick = max(0.0, abs(x) - 0.275)
    rise = 0.36 * kick**2 / (kick + 0.025)
    return Vector((x, y, 0.0975 + rise + 0.009 * (y / 0.1) ** 2))


def _truck(x: float, steel: Shader) -> None:
    moved(slab("plate", corners(0.082, 0.055, 0.006), 0.008, steel, 0.002), (x, 0, 0.083))
    tube(
        "hanger",
        [(x, -0.07, 0.031), (x, -0.03, 0.042), (x, 0, 0.05), (x, 0.03, 0.042), (x, 0.07, 0.031)],
        [0.009, 0.013, 0.02, 0.013, 0.009],
        steel,
    )
    red = Shader("bushing", color="#b3331f", rough=0.4)
    tube("bushing", [(x, 0, 0.05), (x, 0, 0.084)], 0.0165, red)
    tube("axle", [(x, -0.112, 0.028), (x, 0.112, 0.028)], 0.004, steel)
    white = Shader("wheel", color="#e4dfd2", rough=0.35)
    tread = [
        (0.012, -0.016),
        (0.02, -0.0165),
        (0.0245, -0.0155),
        (0.028, -0.010),
        (0.028, 0.010),
        (0.0245, 0.0155),
        (0.02, 0.0165),
        (0.012, 0.016),
    ]
    for way in (-1, 1):
        moved(lathe("wheel", tread, white, 72), (x, 0.09 * way, 0.028), (90, 0, 0))
        core = [(0.0125, -0.013), (0.0125, -0.013), (0, -0.013)]
        moved(
            lathe("bearing", [(0.0125, 0.0135), (0.006, 0.0135), (0.006, 0.0145), (0, 0.0145)], steel, 40),
            (x, 0.09 * way, 0.028),
            (90 * -way, 0, 0),
        )
        moved(lathe("core", core, steel, 40), (x, 0.09 * way, 0.028), (90, 0, 0))


WATER = 0.13
STRAKES = 7
BREADTHS = [(0.0, 0.43), (0.2, 0.585), (0.45, 0.66), (0.7, 0.545), (0.88, 0.27), (0.97, 0.075), (1.0, 0.02)]


def rowing_boat() -> None:
    """A clinker-built rowing boat afloat with its oars, 3.6 m long; z = 0 is the water."""
    paint = Shader("paint", rough=0.4, coat=0.3, coat_rough=0.2)
    paint.set(color=paint.mix(paint.noise(3, 4), "#1c4a6e", "#2a5f86"))
    pine, rail = (
        wood("pine", "#8f6234", "#c1905a", along="X", scale=0.25),
        wood("rail", "#6d4322", "#9c6a3a", along="X", scale=0.3),
    )
    outside, inside = Mesh(), Mesh()
    for way in (-1, 1):
        for strake in range(STRAKES):
            low, high = strake / STRAKES, (strake + 1) / STRAKES
            grid(outside, partial(_strake, way, low, high, 0.016, 0.0), 70, 3)
            grid(inside, partial(_strake, way, low, high, -0.014, -0.014), 70, 3)
        edge = [_hull(k / 30, 1.0, way, 0.004) + Vector((0, 0, 0.008)) for k in range(31)]
        tube("gunwale", edge, 0.026, rail)
    grid(outside, lambda u, v: _hull(0.0, v, 1, 0.0) * (1 - u) + _hull(0.0, v, -1, 0.0) * u, 6, 20)
    thickened(outside.build("hull", paint), 0.012)
    thickened(inside.build("lining", pine), 0.006)
    _fittings(pine, rail)
    _oars(wood("ash", "#a87c48", "#d1a870", along="X", scale=0.3))
    _afloat()
    all_turned(-36)


def _strake(way: int, low: float, high: float, out: float, under: float, u: float, v: float) -> Vector:
    """A point of a plank from `low` to `high`, its lower edge `out` metres out over the one below it."""
    return _hull(u, low + (high - low) * v, way, out + (under - out) * v)


def _hull(u: float, v: float, way: int, out: float) -> Vector:
    """A point of the hull: u from stern to bow, v from keel to gunwale."""
    spots = [p.y for p in curve([(x, y, 0) for x, y in BREADTHS], 96)]
    place = u * (len(spots) - 1)
    low = min(int(place), len(spots) - 2)
    breadth = spots[low] + (spots[low + 1] - spots[low]) * (place - low)
    angle = v * math.pi / 2
    sheer = 0.5 + 0.10 * (1 - u) ** 2 * 0.6 + 0.30 * max(0.0, u - 0.35) ** 2
    keel = 0.10 * max(0.0, u - 0.8) ** 2 / 0.04
    y = breadth * math.sin(angle) ** 0.72 + out
    z = keel + (sheer - keel) * (0.25 * v + 0.75 * (1 - math.cos(angle)) ** 0.9)
    rake = 0.22 * (z / 0.6) * max(0.0, u - 0.7) / 0.3 - 0.10 * (z / 0.6) * max(0.0, 0.3 - u) / 0.3
    return Vector((-1.7 + 3.3 * u + rake, way * max(y, 0.004), z))


def _lining(u: float, height: float) -> Vector:
    """Where the hull's inside is that high, u from stern to bow."""
    spots = (_hull(u, k / 60, 1, -0.03) for k in range(61))
    return next(spot for spot in spots if spot.z >= height)


def _fittings(pine: Shader, rail: Shader) -> None:
    floor, ribs = Mesh(), Mesh()

    def boards(u: float, v: float) -> Vector:
        side = _lining(0.04 + 0.86 * u, 0.18)
        return Vector((side.x, (2 * v - 1) * side.y, 0.18))

    grid(floor, boards, 40, 10)
    floor.build("floor", pine)
    for k in range(13):
        for way in (-1, 1):
            path = [_hull(0.05 + 0.07 * k, 0.3 + 0.7 * n / 10, way, -0.026) for n in range(11)]
            bar(ribs, path, [0.016] * 11, 8)
    ribs.build("ribs", rail)
    for u, deep in ((0.09, 0.36), (0.42, 0.24), (0.72, 0.22)):
        ends = [_lining(u + step, 0.40) for step in (-0.05, 0.05)]
        middle, wide = (ends[0].x + ends[1].x) / 2, 2 * min(end.y for end in ends)
        look = wood("seat", "#8f6234", "#c1905a", along="Y", scale=0.25)
        moved(slab("thwart", corners(deep, wide, 0.01), 0.03, look, 0.006), (middle, 0, 0.40))
    stem = [_hull(1.0, v, 1, 0.0) for v in (0.0, 0.3, 0.6, 0.85, 1.0)]
    tube(
        "stem", [(p.x + 0.01, 0, p.z) for p in stem] + [(stem[-1].x + 0.02, 0, stem[-1].z + 0.07)], 0.03, rail
    )


def _oars(ash: Shader) -> None:
    steel = metal("lock", "#8f8f8d", 0.35)
    oars = Mesh()
    for way in (-1, 1):
        lock = _hull(0.53, 1.0, way, 0.0) + Vector((0, 0, 0.075))
        grip, tip = Vector((-1.15, 0.34 * way, 0.63)), Vector((1.05, 0.46 * way, 0.60))
        path = [grip.lerp(tip, k / 10) for k in range(11)]
        bar(oars, path, [0.019, 0.019, *[0.025] * 7, 0.022, 0.02], 16)
        ahead = (tip - grip).normalized()

        def blade(u: float, v: float, tip: Vector = tip, ahead: Vector = ahead) -> Any:
            half = 0.075 * min(1.0, 0.25 + 1.4 * u) * math.sqrt(max(0.0, 1 - max(0.0, (u - 0.9) / 0.1) ** 2))
            return tip + ahead * (0.55 * u - 0.03) + Vector((0, (2 * v - 1) * half, 0))

        flat = Mesh()
        grid(flat, blade, 30, 8)
        thickened(flat.build("blade", ash), 0.014)
        tube(
            "lock",
            [
                lock + Vector((0.045, 0, 0.05)),
                lock + Vector((0.035, 0, -0.02)),
                lock + Vector((0, 0, -0.035)),
                lock + Vector((-0.035, 0, -0.02)),
                lock + Vector((-0.045, 0, 0.05)),
            ],
            0.009,
            steel,
        )
    oars.build("oars", ash)


def _afloat() -> None:
    """Lets the water hide what is below it: nothing reaches lower than z = 0."""
    bpy.context.view_layer.update()
    for part in bpy.context.scene.objects:
        moved(part, (0, 0, -WATER))
        shaped(part, partial(_lifted, part.matrix_world.copy()))


def _lifted(base: Matrix, point: Vector) -> Vector:
    place = base @ point
    return base.inverted() @ Vector((place.x, place.y, max(place.z, 0.0)))


PROPS = {
    "bicycle": Prop(bicycle, View(down=5, turn=10), samples=24),
    "skateboard": Prop(skateboard, View(down=17), samples=24),
    "rowing_boat": Prop(rowing_boat, View(down=17), longest=570),
}
