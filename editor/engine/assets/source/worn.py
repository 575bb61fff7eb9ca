"""What is worn on the head, seen level from the front; z = 0 is where the hat ends on the forehead."""

import math
import random
from typing import Any

from mathutils import Matrix, Vector, noise

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, bar, curve, each, egg, grid, outline, wheel
from editor.engine.assets.source.studio import Prop, View, ball, lumpy, moved, rounded, thickened

HEAD = 0.08  # half the width of a head; from front to back it is DEEP times as long
DEEP = 1.2
LEVEL = View(down=1, grounded=False)


def _oval(radius: float, turn: float, height: float) -> Any:
    return Vector((radius * math.cos(turn), radius * DEEP * math.sin(turn), height))


def top_hat() -> None:
    """A black top hat of felt with a band of silk, 15 cm tall."""
    hat, band = Mesh(), Mesh()
    side = [
        (HEAD, 0.0),
        (HEAD - 0.001, 0.03),
        (0.0775, 0.07),
        (0.08, 0.11),
        (0.087, 0.142),
        (0.0885, 0.148),
        (0.086, 0.152),
    ]
    profile = curve([(r, h, 0) for r, h in [*side, (0.05, 0.1535), (0.0, 0.154)]], 64)

    def crown(u: float, v: float) -> Any:
        spot = profile[round(v * (len(profile) - 1))]
        return _oval(spot.x, math.tau * u, spot.y)

    grid(hat, crown, 96, len(profile) - 1)
    grid(hat, lambda u, v: _brim(math.tau * u, v), 96, 20)
    edge = [_brim(math.tau * n / 96, 1.0) for n in range(97)]
    bar(hat, edge, [0.0022] * 97, 8)
    grid(band, lambda u, v: _oval(HEAD + 0.0012 - 0.0018 * v, math.tau * u, 0.003 + 0.034 * v), 96, 6)
    hat.build("hat", _felt("#1b1b1e"))
    silk = Shader("silk", color="#0d0d0f", rough=0.32)
    ribs = silk.node("TexWave", {"Scale": 160.0, "Vector": silk.place()}, bands_direction="Z").outputs["Fac"]
    thickened(band.build("band", silk.set(normal=silk.bump(ribs, 0.0004, strength=0.4))), 0.001)


def _brim(turn: float, share: float) -> Any:
    """A brim that rolls up at the sides and dips in front and behind."""
    roll = 0.03 * math.cos(turn) ** 2 - 0.011 * math.sin(turn) ** 2
    return _oval(HEAD + 0.046 * share, turn, roll * share**1.7)


def _felt(color: str, nap: float = 500) -> Shader:
    look = Shader("felt", rough=0.72, sheen=0.7, shine=0.3)
    fibres = look.noise(nap, 6, 0.7, look.place((1, 1, 0.4)))
    cloth = look.mix(1.0, color, look.math("MULTIPLY_ADD", look.noise(40, 5), 0.9, 0.6), "MULTIPLY")
    return look.set(color=cloth, normal=look.bump(fibres, 0.0007, strength=0.5))


def straw_hat() -> None:
    """A straw hat sewn of plaited coils, with a ribbon."""
    coils, ribbon = Mesh(), Mesh()
    profile = outline(
        "0.004 0.1, 0.03 0.099, 0.055 0.095, 0.072 0.08, 0.079 0.05, 0.082 0.015, 0.088 0.002, "
        "0.105 -0.003, 0.135 -0.008, 0.162 -0.012"
    )
    line = curve([(r, h, 0) for r, h in profile], 900)
    chance = random.Random(6)
    walked, last = 0.0, line[0]
    for spot in line:
        walked += (spot - last).length
        last = spot
        if walked > 0.0042:
            walked = 0.0
            _coil(coils, spot.x, spot.y, chance.uniform(-0.0004, 0.0004))
    coils.build("straw", _straw())
    grid(ribbon, lambda u, v: _straw_place(0.0882 - 0.0032 * v, math.tau * u, 0.006 + 0.026 * v), 128, 6)
    look = Shader("ribbon", color="#26292f", rough=0.55, sheen=0.3)
    ribs = look.node("TexWave", {"Scale": 130.0, "Vector": look.place()}, bands_direction="Z").outputs["Fac"]
    thickened(ribbon.build("ribbon", look.set(normal=look.bump(ribs, 0.0005, strength=0.5))), 0.0012)


def _straw_place(radius: float, turn: float, height: float) -> Any:
    """The crown is pinched a little in front; the brim waves and comes up at the sides."""
    out = max(0.0, radius - HEAD) / 0.08
    wave = 0.012 * out**1.4 * math.cos(turn) ** 2 + 0.004 * out * math.sin(3 * turn + 0.6)
    top = max(0.0, height - 0.05) / 0.05
    dent = (
        1
        - 0.1 * top * math.exp(-(((turn % math.tau) - 4.35) ** 2) * 9)
        - 0.1 * top * math.exp(-(((turn % math.tau) - 5.1) ** 2) * 9)
    )
    hollow = 0.012 * top * math.exp(-((radius * math.cos(turn) / 0.022) ** 2))
    return _oval(radius * dent, turn, height + wave - hollow)


def _coil(mesh: Mesh, radius: float, height: float, slip: float) -> None:
    count = 192
    ring = [_straw_place(radius, math.tau * n / count, height + slip) for n in range(count + 1)]
    thick = [
        0.0026 * (1 + 0.13 * math.sin(math.tau * n / count * max(8, round(radius * 1500))))
        for n in range(count + 1)
    ]
    bar(mesh, ring, thick, 7)


def _straw() -> Shader:
    look = Shader("straw", rough=0.5, shine=0.45)
    place = look.place()
    turn = look.node(
        "Math", {0: look.part(place, "Y"), 1: look.part(place, "X")}, operation="ARCTAN2"
    ).outputs[0]
    plait = look.math(
        "SINE", look.math("MULTIPLY_ADD", look.part(place, "Z"), 900.0, look.math("MULTIPLY", turn, 150.0))
    )
    other = look.math(
        "SINE", look.math("MULTIPLY_ADD", look.part(place, "Z"), -900.0, look.math("MULTIPLY", turn, 150.0))
    )
    weave = look.math("MAXIMUM", plait, other)
    tint = look.mix(look.noise(160, 5, 0.7), "#b98b45", "#ecd19a")
    tint = look.mix(look.math("MULTIPLY", each(look), 0.4), tint, "#a67a3a")
    shade = look.math("MULTIPLY_ADD", weave, 0.14, 0.86)
    return look.set(
        color=look.mix(1.0, tint, shade, "MULTIPLY"), normal=look.bump(weave, 0.0009, strength=0.6)
    )


def santa_hat() -> None:
    """A red plush hat with white fur and a bobble, whose tip falls to the right."""
    cloth = Mesh()
    spots = [(0, 0, 0), (0, 0, 0.06), (0.012, 0, 0.125), (0.058, -0.01, 0.162), (0.103, -0.03, 0.13)]
    axis = curve([*spots, (0.118, -0.04, 0.07)], 60)

    def cone(u: float, v: float) -> Any:
        number = min(int(v * (len(axis) - 1)), len(axis) - 2)
        ahead = (axis[number + 1] - axis[number]).normalized()
        back = Vector((0, 1, 0))
        side = back.cross(ahead).normalized()
        radius = (HEAD + 0.007) * (1 - v) ** 0.8 * (1 - 0.12 * math.sin(math.pi * v)) + 0.007
        turn = math.tau * u
        spot = axis[number].lerp(axis[number + 1], v * (len(axis) - 1) - number)
        fold = 1 + 0.07 * noise.noise(Vector((math.cos(turn) * 1.6, math.sin(turn) * 1.6, v * 9))) * min(
            1, v * 5
        )
        crease = 1 - 0.075 * math.sin(v * 34 + math.cos(turn) * 1.4) * math.exp(-(((v - 0.5) / 0.2) ** 2))
        return spot + (side * math.cos(turn) + back * (DEEP * math.sin(turn))) * (radius * fold * crease)

    grid(cloth, cone, 120, 150)
    cloth.build("cloth", _plush("#b3141c"))
    trim = Mesh()
    ring = [_oval(HEAD + 0.012, math.tau * n / 64, 0.004) for n in range(65)]
    bar(trim, ring, [0.0185] * 65, 20)
    fur = _fur()
    band = lumpy(trim.build("trim", fur), 0.004, 0.02)
    furry(band, 6000, 0.009)
    bobble = moved(
        lumpy(ball("bobble", 0.021, fur, 4), 0.003, 0.02), axis[-1] + Vector((0.002, -0.006, -0.012))
    )
    furry(bobble, 2600, 0.009)


def _plush(color: str) -> Shader:
    look = Shader("plush", rough=0.9, sheen=1.0, shine=0.15)
    nap = look.noise(420, 5, 0.7)
    patches = look.math("MULTIPLY_ADD", look.noise(38, 5), 0.8, 0.62)
    return look.set(
        color=look.mix(1.0, color, patches, "MULTIPLY"), normal=look.bump(nap, 0.0012, strength=0.7)
    )


def _fur() -> Shader:
    return Shader("fur", color="#eceae6", rough=0.9, sheen=0.5, shine=0.1)


def furry(part: Any, count: int, length: float, curl: float = 0.45, thick: float = 0.0004) -> None:
    """Gives a thing hairs of its own look, `length` metres long, that lie every which way."""
    part.modifiers.new("fur", "PARTICLE_SYSTEM")
    hair = part.particle_systems[0].settings
    hair.type, hair.count, hair.hair_length = "HAIR", count, length
    hair.use_advanced_hair = True
    hair.hair_step, hair.render_step, hair.display_step = 4, 3, 3
    hair.factor_random = length * curl
    hair.brownian_factor = length * curl * 0.3
    hair.child_type, hair.rendered_child_count = "INTERPOLATED", 2
    hair.roughness_2, hair.roughness_2_size = length * curl * 0.5, length
    hair.radius_scale, hair.root_radius, hair.tip_radius = 1.0, thick, thick * 0.3
    # Loose corners, which nobody sees, tell the camera how far the hairs reach.
    reach = Mesh()
    far = length * (1 + curl)
    reach.add([part.matrix_world @ (v.co + v.normal * far) for v in part.data.vertices], [])
    reach.build("reach")


def cap() -> None:
    """A red baseball cap with a curved peak."""
    crown, seams, peak = Mesh(), Mesh(), Mesh()
    grid(crown, lambda u, v: _dome(math.tau * u, v), 192, 48)
    for number in range(6):
        turn = math.tau * number / 6 + math.pi / 2
        line = [_dome(turn, n / 40) * 1.004 for n in range(41)]
        for off in (-0.0035, 0.0035):
            stitched = [
                _dome(turn + off / (HEAD * max(0.12, math.cos(n / 40 * math.pi / 2))), n / 40) * 1.003
                for n in range(40)
            ]
            bar(seams, stitched, [0.0005] * 40, 6, 1)
        bar(seams, line, [0.0011] * 41, 6)
    grid(peak, _peak, 60, 30)
    cloth = _twill("#b3202a")
    thickened(crown.build("crown", cloth), 0.0015)
    seams.build("seams", cloth, Shader("thread", color="#c23a40", rough=0.8))
    rounded(thickened(peak.build("peak", cloth), 0.004), 0.0015)
    rows = Mesh()
    for row in range(1, 7):
        bar(rows, [_peak(n / 60, row / 7) + Vector((0, 0, 0.0023)) for n in range(61)], [0.00045] * 61, 6)
    rows.build("rows", Shader("thread", color="#8f1820", rough=0.8))
    moved(ball("button", 0.0065, cloth, 3), _dome(0, 1.0) + Vector((0, 0, 0.001)), scale=(1, 1, 0.6))
    _eyelets()


def _dome(turn: float, rise: float) -> Any:
    """The crown of the cap: each of its panels bellies out a little between the seams."""
    lift = rise * math.pi / 2
    belly = 1 + 0.012 * math.sin(2 * lift) * abs(math.sin(3 * (turn - math.pi / 2)))
    front = 0.012 * math.exp(-(((turn % math.tau) - 1.5 * math.pi) ** 2) * 1.2) * math.sin(lift * 1.4)
    radius = (HEAD + 0.004) * math.cos(lift) ** 0.62 * belly
    return _oval(radius, turn, 0.1 * math.sin(lift) + front + 0.002)


def _peak(u: float, v: float) -> Any:
    """The peak, from the forehead (v = 0) to its rim: longest in the middle and bent down at the sides."""
    turn = math.radians(-90 + 142 * (u - 0.5))
    foot = _oval(HEAD + 0.0045, turn, 0.004)
    long = 0.072 * max(0.0, math.cos((u - 0.5) * math.pi)) ** 0.55
    spot = foot + Vector((0.12 * math.sin((u - 0.5) * 2.2) * 0.35, -1, 0)) * (long * v)
    return spot + Vector((0, 0, -5.0 * spot.x**2 * v**0.6 - 0.012 * v * v + 0.004 * v))


def _twill(color: str) -> Shader:
    look = Shader("twill", rough=0.85, sheen=0.4, shine=0.25)
    slant = look.node(
        "Mapping", {"Vector": look.node("TexCoord").outputs["Object"], "Rotation": (0.0, 0.8, 0.4)}
    ).outputs[0]
    ribs = look.node("TexWave", {"Scale": 330.0, "Distortion": 0.5, "Vector": slant}).outputs["Fac"]
    worn = look.math("MULTIPLY_ADD", look.noise(45, 6), 0.5, 0.76)
    return look.set(
        color=look.mix(1.0, color, worn, "MULTIPLY"), normal=look.bump(ribs, 0.0005, strength=0.35)
    )


def _eyelets() -> None:
    holes = Mesh()
    for number in range(6):
        turn = math.tau * (number + 0.5) / 6 + math.pi / 2
        spot = _dome(turn, 0.64)
        out = Vector((spot.x, spot.y / DEEP**2, spot.z * 0.6)).normalized()
        frame = Matrix.Translation(spot + out * 0.001) @ out.to_track_quat("Z", "Y").to_matrix().to_4x4()
        wheel(holes, [(0.0036, 0.0), (0.003, 0.0009), (0.0018, 0.0009), (0.0014, 0.0)], 24, frame)
        wheel(holes, [(0.0016, 0.0004), (0.0, 0.0004)], 24, frame, 1)
    holes.build(
        "holes", Shader("thread", color="#a01c25", rough=0.8), Shader("hole", color="#1a0a0b", rough=1.0)
    )


def crown() -> None:
    """A golden crown with eight points, jewels and a cap of red velvet."""
    gold = metal("gold", "#f2c557", 0.3)
    gold.set(normal=gold.bump(gold.noise(130, 2), 0.0015, strength=0.35), glow="#b8801e", glow_power=0.14)
    wall, trim, jewels = Mesh(), Mesh(), Mesh()
    grid(wall, lambda u, v: _crown_place(u, v * _crown_height(u)), 384, 40)
    thickened(wall.build("wall", gold), 0.0022)
    for height, thick in ((0.003, 0.0034), (0.029, 0.0026)):
        bar(trim, [_crown_place(k / 96, height) for k in range(97)], [thick] * 97, 10)
    bar(trim, [_crown_place(k / 384, _crown_height(k / 384)) for k in range(385)], [0.0014] * 385, 8)
    for k in range(8):
        tip = _crown_place(k / 8, _crown_height(k / 8))
        egg(trim, tip + Vector((0, 0, 0.005)), 0.0068, 0.0068)
        _jewel(jewels, _crown_place(k / 8, 0.0165), 0.0085, 0.0095, k % 2)
        _jewel(jewels, _crown_place(k / 8 + 1 / 16, 0.0165), 0.0045, 0.0045, 2)
        _jewel(jewels, _crown_place(k / 8, 0.052), 0.0052, 0.0075, 1 - k % 2)
    trim.build("trim", gold)
    looks = [
        Shader("jewel", color=color, rough=0.06, coat=1.0) for color in ("#8a0a1c", "#0d3f96", "#e9e4d8")
    ]
    jewels.build("jewels", *looks)
    velvet = Shader("velvet", color="#6d0d18", rough=0.9, sheen=1.0)
    puff = Mesh()
    grid(puff, _velvet, 128, 30)
    lumpy(puff.build("velvet", velvet), 0.005, 0.03)


def _crown_height(u: float) -> float:
    """How high the wall is, u once round: 0 and every eighth is a point."""
    away = abs((8 * u + 0.5) % 1.0 - 0.5) * 2
    return 0.042 + 0.052 * math.pow(1 - away, 1.6) + 0.004 * away


def _crown_place(u: float, height: float) -> Any:
    return _oval(HEAD + 0.001 + 0.02 * (height / 0.09) ** 1.5, math.tau * (u + 0.25), height)


def _jewel(mesh: Mesh, place: Any, half: float, high: float, slot: int) -> None:
    egg(mesh, place + Vector((place.x, place.y, 0)).normalized() * 0.001, half, high, slot=slot)


def _velvet(u: float, v: float) -> Any:
    """The cap within: gathered into folds, bulging above the low part of the wall."""
    folds = 1 + 0.035 * math.sin(16 * math.tau * u) * (1 - v)
    return _oval(
        (HEAD - 0.003 + 0.008 * math.sin(math.pi * v)) * math.cos(math.pi / 2 * v) ** 0.5 * folds,
        math.tau * u,
        0.028 + 0.05 * math.sin(math.pi / 2 * v),
    )


PROPS = {
    "top_hat": Prop(top_hat, LEVEL),
    "straw_hat": Prop(straw_hat, View(down=3, grounded=False)),
    "santa_hat": Prop(santa_hat, LEVEL),
    "cap": Prop(cap, View(down=2, grounded=False)),
    "crown": Prop(crown, View(down=2, grounded=False), samples=40),
}
