"""A snowman, a rubber duck and a teddy bear."""

import math
import random
from typing import Any

import bpy
from mathutils import Matrix, Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.shapes import Mesh, anywhere, bar, curve, egg, grid, outline, wheel
from editor.engine.assets.source.studio import (
    Prop,
    View,
    ball,
    lumpy,
    moved,
    shaped,
    smoothed,
    thickened,
    tube,
)
from editor.engine.assets.source.worn import furry


def snowman() -> None:
    """A snowman of three balls with hat, scarf, carrot and twigs for arms, 1.6 m tall."""
    snow = _snow()
    for radius, height, seed in ((0.4, 0.34, 1.0), (0.29, 0.88, 2.0), (0.21, 1.28, 3.0)):
        part = ball("snow", radius, snow, 6)
        lumpy(lumpy(part, radius * 0.12, radius * 0.9, seed), 0.012, 0.05, seed)
        moved(part, (0.01 * seed, 0, height), (10 * seed, 0, 40 * seed), (1.03, 1.03, 0.95))
    _snow_face()
    _twig_arms()
    _scarf()
    _old_hat()


def _snow() -> Shader:
    look = Shader("snow", rough=0.75, soft=0.35, soft_depth=(0.02, 0.026, 0.032), shine=0.25)
    clumps = look.math("MULTIPLY_ADD", look.noise(90, 5, 0.7), 0.4, look.noise(22, 6, 0.6))
    return look.set(
        color=look.mix(look.noise(10, 5), "#dfe6ee", "#f6f8fa"), normal=look.bump(clumps, 0.02, strength=0.55)
    )


def _snow_face() -> None:
    coal = Mesh()
    dark = Shader("coal", color="#17171a", rough=0.45)
    spots = [(x, 1.35, 1.28, 0.21, 0.024) for x in (-0.075, 0.075)]
    spots += [
        (0.095 * math.sin(a), 1.21 + 0.05 * (1 - math.cos(a * 1.05)), 1.28, 0.21, 0.014)
        for a in (-0.9, -0.45, 0, 0.45, 0.9)
    ]
    spots += [(0.01, z, 0.88, 0.285, 0.026) for z in (0.76, 0.88, 1.0)]
    for x, z, middle, radius, size in spots:
        depth = math.sqrt(max(0, (radius * 1.02) ** 2 - x * x - (z - middle) ** 2))
        egg(coal, Vector((x + 0.02, -depth + 0.004, z)), size, size * 0.9)
    lumpy(coal.build("coal", dark), 0.008, 0.02)
    carrot = Mesh()
    path = curve([(0.03, -0.17, 1.29), (0.035, -0.27, 1.285), (0.06, -0.37, 1.27)], 20)
    bar(
        carrot,
        path,
        [0.034 * (1 - n / 21) ** 0.7 * (1 + 0.06 * math.sin(n * 2.4)) + 0.002 for n in range(21)],
        20,
    )
    look = Shader("carrot", rough=0.55, soft=0.2, soft_depth=(0.01, 0.004, 0.002))
    carrot.build(
        "carrot",
        look.set(color=look.mix(look.noise(60, 4, 0.6, look.place((1, 8, 1))), "#c9560f", "#ee8a2c")),
    )


def _twig_arms() -> None:
    chance, twigs = random.Random(4), Mesh()
    for way in (-1, 1):
        path = curve(
            [
                (0.22 * way, 0, 0.98),
                (0.42 * way, -0.03, 1.1),
                (0.55 * way, -0.02, 1.1),
                (0.74 * way, -0.05, 1.26),
            ],
            24,
        )
        bar(twigs, path, [0.015 - 0.0004 * n for n in range(25)], 8)
        for spot, spread in ((14, 0.5), (19, -0.6), (21, 0.7)):
            ahead = (path[spot] - path[spot - 2]).normalized()
            tip = path[spot] + ahead * 0.11 + Vector((0, 0, spread * 0.16))
            bar(
                twigs,
                curve([path[spot], path[spot].lerp(tip, 0.5) + anywhere(chance) * 0.01, tip], 8),
                [0.007 - 0.0006 * n for n in range(9)],
                6,
            )
    look = Shader("twig", rough=0.9)
    look.set(
        color=look.mix(look.noise(60, 6), "#33251a", "#6b533c"), normal=look.bump(look.noise(120, 4), 0.004)
    )
    lumpy(twigs.build("twigs", look), 0.006, 0.05)


def _scarf() -> None:
    look = Shader("wool", rough=0.95, sheen=0.8)
    stripes = look.node(
        "TexWave", {"Scale": 14.0, "Distortion": 0.4, "Vector": look.place()}, bands_direction="Z"
    ).outputs["Fac"]
    knit = look.node("TexVoronoi", {"Scale": 170.0, "Vector": look.place((1, 1, 1.6))}).outputs["Distance"]
    look.set(
        color=look.mix(look.between(stripes, 0.45, 0.55), "#8f1d1f", "#a92a26"),
        normal=look.bump(knit, 0.008, strength=0.9),
    )
    ring = [
        (0.205 * math.cos(a) + 0.02, 0.205 * math.sin(a), 1.115 + 0.012 * math.sin(3 * a))
        for a in (math.tau * n / 14 for n in range(14))
    ]
    tube("scarf", ring, 0.048, look, closed=True)
    cloth = Mesh()
    for lean, length, start in ((0.03, 0.4, 0.1), (0.13, 0.33, 0.13)):

        def hanging(
            u: float, v: float, lean: float = lean, length: float = length, start: float = start
        ) -> Any:
            fold = 0.012 * math.sin(u * 9 + lean * 40) * (0.4 + v)
            x = start + lean * v + (u - 0.5) * (0.1 + 0.02 * v)
            z = 1.12 - length * v
            reach = max(0.0, 0.305**2 - (x * 0.8) ** 2 - (z - 0.88) ** 2)
            return Vector((x, -max(math.sqrt(reach), 0.2) - 0.02 + fold, z))

        grid(cloth, hanging, 16, 30)
    thickened(cloth.build("ends", look), 0.018)


def _old_hat() -> None:
    hat = Mesh()
    profile = outline(
        "0.0 0.0, 0.24 0.0, 0.245 0.008, 0.235 0.018, 0.165 0.014, 0.152 0.024, 0.151 0.034, "
        "0.15 0.07, 0.148 0.14, 0.156 0.22, 0.15 0.234, 0.0 0.228"
    )
    tilt = Matrix.Rotation(0.12, 4, "Y") @ Matrix.Rotation(0.1, 4, "X")
    frame = Matrix.Translation((0.03, 0.02, 1.43)) @ tilt
    wheel(hat, profile, 64, frame)
    look = Shader("old felt", rough=0.9, sheen=0.1, shine=0.2)
    look.set(
        color=look.mix(look.noise(30, 6), "#141416", "#2c2b2c"), normal=look.bump(look.noise(300, 4), 0.001)
    )
    lumpy(smoothed(hat.build("hat", look), 1), 0.006, 0.1)
    band = Mesh()
    wheel(band, [(0.167, 0.03), (0.163, 0.075)], 64, frame)
    band.build("band", Shader("band", color="#7e1a1c", rough=0.6))


def rubber_duck() -> None:
    """A yellow bath duck, 8 cm tall."""
    data = bpy.data.metaballs.new("duck")
    data.resolution = data.render_resolution = 0.0016
    data.threshold = 0.35
    lumps = [
        ((0, 0, 0.024), (0.042, 0.031, 0.027), 0.0),
        ((0.03, 0, 0.033), (0.02, 0.014, 0.015), -0.6),
        ((-0.022, 0, 0.062), (0.025, 0.024, 0.0245), 0.0),
        ((-0.02, 0, 0.042), (0.016, 0.016, 0.014), 0.0),
        ((0.044, 0, 0.044), (0.01, 0.007, 0.008), -0.9),
    ]
    for place, size, lean in lumps:
        lump = data.elements.new(type="ELLIPSOID")
        lump.co, lump.radius = place, 1.35
        lump.size_x, lump.size_y, lump.size_z = size
        lump.rotation = Matrix.Rotation(lean, 3, "Y").to_quaternion()
    part = bpy.data.objects.new("duck", data)
    bpy.context.scene.collection.objects.link(part)
    data.materials.append(_rubber("#efb80e").material)
    _duck_parts()


def _rubber(color: str) -> Shader:
    look = Shader("rubber", color=color, rough=0.3, coat=0.3, coat_rough=0.12)
    return look.set(normal=look.bump(look.noise(300, 3), 0.0002, strength=0.3))


def _duck_parts() -> None:
    wings, bill, eyes = Mesh(), Mesh(), Mesh()
    for way in (-1, 1):
        egg(wings, Vector(), 1, 1)
        for vert in wings.verts[-13 * 21 :]:
            x, y, z = vert
            vert.xyz = (0.012 + 0.024 * x, way * (0.031 + 0.006 * y), 0.033 + 0.013 * z + 0.35 * 0.024 * x)
        gaze = Vector((-0.72, way * 0.6, 0.36)).normalized()
        egg(eyes, Vector((-0.022, 0, 0.062)) + gaze * 0.0196, 0.0046, 0.0054)
        egg(eyes, Vector((-0.0225, 0, 0.0622)) + gaze * 0.0222, 0.0028, 0.0034, slot=1)
    wings.build("wings", _rubber("#efb80e"))
    eyes.build(
        "eyes", Shader("white", color="#f3f1ea", rough=0.25), Shader("pupil", color="#0d0d0e", rough=0.12)
    )
    for up in (1, -1):

        def lip(u: float, v: float, up: int = up) -> Any:
            turn, span = math.pi * (u - 0.5), 0.0155 + 0.004 * (up > 0)
            out = Vector((-math.cos(turn) * span * 1.05, math.sin(turn) * 0.0125, 0)) * v
            rise = (0.0062 if up > 0 else -0.0042) * (1 - v**2.2) + (0.0022 if up > 0 else 0.0008) * v**3
            return Vector((-0.0415, 0, 0.0575)) + out + Vector((0, 0, rise))

        grid(bill, lip, 24, 14)
    thickened(bill.build("bill", _rubber("#d9571a")), 0.0016)


def teddy_bear() -> None:
    """A brown teddy bear, sitting, 35 cm tall."""
    fur, pale = _plush("#7a4a22"), _plush("#c39a63")
    _tuft((0, 0, 0.1), (0.085, 0.075, 0.1), (0, 0, 0), fur, 2800)
    _tuft((0, -0.012, 0.245), (0.082, 0.072, 0.072), (0, 0, 0), fur, 2800)
    for way in (-1, 1):
        _tuft((0.066 * way, 0, 0.305), (0.032, 0.014, 0.032), (0, 8 * way, 0), fur, 1600)
        _tuft((0.083 * way, -0.115, 0.045), (0.042, 0.085, 0.043), (0, 0, 14 * way), fur, 1600)
        _tuft((0.108 * way, -0.045, 0.125), (0.035, 0.04, 0.075), (-24, -26 * way, 0), fur, 1600)
    _tuft((0, -0.078, 0.228), (0.038, 0.03, 0.029), (0, 0, 0), pale, 1000)
    for way in (-1, 1):
        _tuft((0.104 * way, -0.197, 0.052), (0.03, 0.009, 0.031), (-8, 0, 14 * way), pale, 600)
        _tuft((0.066 * way, -0.0125, 0.303), (0.02, 0.009, 0.02), (0, 8 * way, 0), pale, 400)
    details = Mesh()
    for way in (-1, 1):
        egg(details, Vector((0.031 * way, -0.077, 0.262)), 0.0088, 0.0092)
    nose = Mesh()
    egg(nose, Vector(), 1, 1)
    details.add(
        [Vector((0.0145 * v.x, -0.107 + 0.008 * v.y, 0.241 + 0.0095 * v.z)) for v in nose.verts], nose.faces
    )
    for way in (-1, 1):
        mouth = [
            (0, -0.109, 0.23),
            (0, -0.1095, 0.22),
            (0.009 * way, -0.107, 0.213),
            (0.017 * way, -0.1, 0.215),
        ]
        path = curve(mouth, 18)
        bar(details, path, [0.0013] * len(path), 8)
    moved(details.build("face", Shader("button", color="#110d0b", rough=0.16)), (0, -0.006, 0))


def _plush(color: str) -> Shader:
    look = Shader("plush", rough=0.85, sheen=0.6, shine=0.15)
    grey = look.math("MULTIPLY_ADD", look.noise(50, 5), 0.7, 0.66)
    return look.set(color=look.mix(1.0, color, grey, "MULTIPLY"))


def _tuft(place: Any, size: Any, turn: Any, look: Shader, count: int) -> None:
    """A furry ellipsoid."""
    part = shaped(ball("tuft", 1, look, 4), lambda v: Vector((v.x * size[0], v.y * size[1], v.z * size[2])))
    moved(part, place, turn)
    bpy.context.view_layer.update()
    furry(part, 4 * count, 0.005, 0.6, thick=0.00036)


PROPS = {
    "snowman": Prop(snowman),
    "rubber_duck": Prop(rubber_duck, View(down=11, turn=-38), longest=440),
    "teddy_bear": Prop(teddy_bear, View(down=7), longest=500),
}
