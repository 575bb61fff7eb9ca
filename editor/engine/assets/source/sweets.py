"""Cake and donut."""

import math
import random

import bpy
from mathutils import Matrix, Vector, noise

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.studio import (
    Prop,
    View,
    ball,
    copied,
    lathe,
    lumpy,
    moved,
    shaped,
    solid,
    tube,
)


def donut() -> None:
    """With pink icing and sprinkles."""
    dough = Shader("dough", rough=0.75)
    band = dough.between(
        dough.math("ABSOLUTE", dough.math("SUBTRACT", dough.part(dough.place(), "Z"), 0.016)), 0.007, 0.002
    )
    brown = dough.ramp(dough.noise(70, 3), [(0.3, "#a3622a"), (0.7, "#c68a48")])
    dough.set(
        color=dough.mix(dough.math("MULTIPLY", band, 0.55), brown, "#e2bd83"),
        normal=dough.bump(dough.noise(160, 3), 0.0012),
    )
    lumpy(_ring("donut", 0.030, 0.0175, dough, 0.0, 1.0), 0.0022, 0.02, 1.0)
    icing = Shader("icing", color="#dd7f9c", rough=0.22, coat=0.3)
    top = _ring("icing", 0.030, 0.0188, icing, -0.14, 0.5)
    lumpy(top, 0.0022, 0.02, 1.0)
    _sprinkles(top)


def _ring(name: str, radius: float, thick: float, look: Shader, low: float, wavy: float) -> bpy.types.Object:
    """A torus lying on the ground; `low` below 0: only its top, cut off along a wavy line that far down."""
    around, round_ = 200, 72
    vertices = []
    for i in range(around):
        a = 2 * math.pi * i / around
        drip = 0.22 * math.sin(5 * a + 1) + 0.16 * math.sin(9 * a) + 0.1 * math.sin(14 * a + 2)
        for k in range(round_):
            if low < 0:
                reach = math.pi / 2 - low + wavy * drip
                b = math.pi / 2 + reach * (2 * k / (round_ - 1) - 1)
                edge = abs(2 * k / (round_ - 1) - 1) ** 12
                girth = thick - 0.0022 * edge
            else:
                b, girth = 2 * math.pi * k / round_, thick
            out, up = radius + girth * math.cos(b), girth * math.sin(b) * 0.86
            vertices.append((out * math.cos(a), out * math.sin(a), 0.0150 + up))
    last = round_ - 1 if low < 0 else round_
    faces = [
        (
            i * round_ + k,
            (i + 1) % around * round_ + k,
            (i + 1) % around * round_ + (k + 1) % round_,
            i * round_ + (k + 1) % round_,
        )
        for i in range(around)
        for k in range(last)
    ]
    return solid(name, vertices, faces, look)


def _sprinkles(top: bpy.types.Object) -> None:
    chance = random.Random(5)
    looks = [
        Shader("sprinkle", color=color, rough=0.3)
        for color in ("#f2efe6", "#e9bf2e", "#3f8fc4", "#7fb23c", "#c22f2f")
    ]
    first = [
        tube(
            "sprinkle",
            [(-0.0022, 0, 0), (-0.0021, 0, 0), (0.0021, 0, 0), (0.0022, 0, 0)],
            [0.0004, 0.00065, 0.00065, 0.0004],
            look,
        )
        for look in looks
    ]
    spots = [v for v in top.data.vertices if v.co.z > 0.0225]
    places: list[Vector] = []
    for spot in chance.sample(spots, 900):
        if len(places) < 75 and all((spot.co - place).length > 0.0042 for place in places):
            places.append(spot.co.copy())
            grain = copied(first[len(places) % 5])
            turn = spot.normal.to_track_quat("Z", "Y").to_matrix().to_4x4()
            turn.translation = spot.co + spot.normal * 0.0003
            grain.matrix_world = turn @ Matrix.Rotation(chance.uniform(0, 6.28), 4, "Z")
    for grain in first:
        bpy.data.objects.remove(grain)


def cake() -> None:
    """A layer cake with a slice taken out: sponge, cream, chocolate that runs down, cherries on top."""
    cake_stand()
    low, high, radius = 0.055, 0.145, 0.108
    _cut(_layers(low, high, radius))
    cream = Shader("cream", rough=0.55, shine=0.3)
    cream.set(
        color=cream.ramp(cream.noise(30, 2), [(0.3, "#e5d6bb"), (0.7, "#eee3cf")]),
        normal=cream.bump(cream.noise(60, 2, 0.5, cream.place((1, 1, 5))), 0.0012),
    )
    dark = Shader("chocolate", color="#2c150c", rough=0.2, coat=0.4)
    _cut(_glaze(dark, high, radius + 0.0008))
    red = Shader("cherry", color="#8a0d16", rough=0.12, coat=0.6)
    for k in range(10):
        angle = math.radians(36 * k + 18 + 250)
        x, y = 0.083 * math.cos(angle), 0.083 * math.sin(angle)
        if not 222 < (36 * k + 18 + 250) % 360 < 318:
            rosette((x, y, high + 0.002), cream)
            moved(ball("cherry", 0.0105, red, 4), (x, y, high + 0.0195))


def cake_stand() -> None:
    """A low stand of white porcelain, its plate at z = 0.055."""
    white = Shader("stand", color="#e8e5de", rough=0.15, coat=0.5)
    lathe(
        "stand",
        [
            (0, 0), (0.06, 0), (0.062, 0.004), (0.02, 0.012), (0.016, 0.03), (0.022, 0.044), (0.05, 0.049),
            (0.138, 0.051), (0.141, 0.054), (0.138, 0.057), (0.05, 0.0545), (0, 0.0545),
        ],
        white,
        160,
    )  # fmt: skip


def _layers(low: float, high: float, radius: float) -> bpy.types.Object:
    crumb = Shader("sponge", rough=0.9)
    holes = crumb.noise(330, 3, 0.6)
    sponge = crumb.ramp(holes, [(0.3, "#b07f3d"), (0.5, "#dcb268"), (0.75, "#e6c588")])
    part = crumb.node(
        "Math", {0: crumb.math("MULTIPLY", crumb.height(low, high), 4.0)}, operation="FRACT"
    ).outputs[0]
    filling = crumb.math(
        "MULTIPLY", crumb.between(part, 0.80, 0.84), crumb.between(crumb.height(low, high), 0.97, 0.96)
    )
    jam = crumb.math("MULTIPLY", filling, crumb.between(part, 0.91, 0.89))
    color = crumb.mix(filling, sponge, "#f0e6d2")
    crumb.set(
        color=crumb.mix(jam, color, "#9c1c22"), normal=crumb.bump(crumb.mix(filling, holes, "#bbbbbb"), 0.003)
    )
    return lathe(
        "sponge",
        [(0, low), (0, low), (radius, low), (radius, low), (radius, high), (radius, high), (0, high)],
        crumb,
        200,
    )


def _glaze(dark: Shader, top: float, radius: float) -> bpy.types.Object:
    """Chocolate over the top, running down the side in drops of their own length."""
    around, rows, vertices = 420, 30, []
    for i in range(around):
        a = 2 * math.pi * i / around
        drop = max(0.0, math.sin(17 * a)) ** 0.6 * (
            0.5 + 0.5 * noise.noise(Vector((3 * math.cos(a), 3 * math.sin(a), 1)))
        )
        run = 0.010 + 0.034 * drop
        swell = 0.0016 + 0.0012 * drop
        for k in range(rows):
            t = k / (rows - 1)
            if t < 0.5:
                out, z = (radius - 0.002) * t / 0.5, top + 0.0022
            else:
                down = (t - 0.5) / 0.5
                out = radius + swell * (1 - down**6) - 0.003 * math.exp(-12 * down) - 0.002 * down**14
                z = top + 0.0022 - 0.0008 - run * down
            vertices.append((out * math.cos(a), out * math.sin(a), z))
    faces = [
        (i * rows + k, i * rows + k + 1, (i + 1) % around * rows + k + 1, (i + 1) % around * rows + k)
        for i in range(around)
        for k in range(rows - 1)
    ]
    return solid("glaze", vertices, faces, dark, weld=1e-6)


def rosette(place: tuple[float, float, float], cream: Shader) -> None:
    """A dab of cream out of a fluted nozzle, 1.6 cm high."""
    profile = [(0, 0), (0.014, 0), (0.0165, 0.004), (0.014, 0.009), (0.009, 0.014), (0, 0.016)]
    swirl = lathe("rosette", profile, cream, 144)

    def fluted(p: Vector) -> Vector:
        swing = 1 + 0.13 * math.cos(9 * (math.atan2(p.y, p.x) + 60 * p.z))
        return Vector((p.x * swing, p.y * swing, p.z))

    moved(shaped(swirl, fluted), place)


def _cut(part: bpy.types.Object) -> None:
    """Takes the slice in front out of a part of the cake."""
    a, b, far = math.radians(238), math.radians(292), 0.3
    corners = [(0.0, 0.0), (far * math.cos(a), far * math.sin(a)), (far * math.cos(b), far * math.sin(b))]
    vertices = [(x, y, z) for z in (-0.1, 0.4) for x, y in corners]
    knife = solid(
        "slice",
        vertices,
        [(2, 1, 0), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)],
        Shader("slice"),
        smooth=False,
    )
    knife.hide_render = True
    taken = part.modifiers.new("slice", "BOOLEAN")
    taken.object, taken.operation, taken.solver = knife, "DIFFERENCE", "EXACT"
    part.data.use_auto_smooth = True


PROPS = {
    "cake": Prop(cake, View(down=18)),
    "donut": Prop(donut, View(down=32)),
}
