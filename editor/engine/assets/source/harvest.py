"""What grows in gardens and in the desert: grapes, a watermelon, a carrot, a cactus."""

import math
import random
from collections.abc import Sequence
from typing import Any

from mathutils import Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.shapes import Mesh, bar, curve, egg, grid
from editor.engine.assets.source.studio import (
    Prop,
    View,
    all_turned,
    lathe,
    lumpy,
    moved,
    scattered,
    shaped,
    tube,
)


def grapes() -> None:
    """A bunch of dark grapes lying, with its stalk."""
    skin = Shader("skin", rough=0.3, coat=0.25, coat_rough=0.25, soft=0.15, soft_depth=(0.004, 0.001, 0.003))
    tone = skin.node("NewGeometry").outputs["Random Per Island"]
    bloom = skin.between(skin.noise(140, 4), 0.42, 0.7)
    color = skin.ramp(tone, [(0.0, "#2b0d2e"), (0.5, "#4a1640"), (1.0, "#6a2350")])
    skin.set(color=skin.mix(skin.math("MULTIPLY", bloom, 0.4), color, "#8d7fa6"))
    berries, chance = Mesh(), random.Random(4)
    for spot in scattered(95):
        along = spot.x
        width = 0.036 * (1.05 - 0.45 * along) * math.sqrt(max(0.0, 1 - along * along)) ** 0.4
        middle = Vector((0.078 * along, spot.y * width, 0.035 + spot.z * width * 0.72))
        if middle.z > 0.004:
            egg(berries, middle + Vector([chance.uniform(-0.003, 0.003) for _ in range(3)]), 0.0112, 0.0118)
    berries.build("berries", skin)
    bark = Shader("stalk", rough=0.75)
    bark.set(color=bark.ramp(bark.noise(500, 3), [(0.3, "#5e5a25"), (0.7, "#8e8a48")]))
    path = [(-0.05, 0, 0.045), (-0.082, 0, 0.056), (-0.1, 0.002, 0.066), (-0.113, 0.006, 0.08)]
    tube("stalk", path, [0.002, 0.0024, 0.0022, 0.003], bark)
    tube("cross", [(-0.118, -0.012, 0.081), (-0.113, 0.006, 0.08), (-0.11, 0.022, 0.083)], 0.0026, bark)
    all_turned(-22)


def watermelon() -> None:
    """A whole watermelon lying, with its dark jagged stripes."""
    rind = Shader("rind", rough=0.34, coat=0.2, coat_rough=0.3)
    jag = rind.node("TexNoise", {"Vector": rind.place(), "Scale": 22.0, "Detail": 6.0}).outputs["Fac"]
    y, z = (rind.part(rind.place(), axis) for axis in "YZ")
    turn = rind.node("Math", {0: y, 1: z}, operation="ARCTAN2").outputs[0]
    bent = rind.math("MULTIPLY_ADD", rind.math("SUBTRACT", jag, 0.5), 0.85, turn)
    stripe = rind.math("SINE", rind.math("MULTIPLY", bent, 12.0))
    pale = rind.ramp(rind.noise(60, 5), [(0.3, "#5d8a35"), (0.7, "#9dbb66")])
    dark = rind.ramp(rind.noise(35, 4), [(0.3, "#10300f"), (0.7, "#23501c")])
    rind.set(color=rind.mix(rind.between(stripe, -0.35, 0.2), pale, dark))
    profile = [
        (0, -0.155), (0.03, -0.152), (0.07, -0.135), (0.105, -0.09), (0.12, 0.0), (0.105, 0.09),
        (0.07, 0.135), (0.03, 0.152), (0, 0.155),
    ]  # fmt: skip
    body = lumpy(lathe("melon", [(r, h) for r, h in profile], rind, 160), 0.003, 0.1, 2.0)
    shaped(body, lambda p: Vector((p.z, p.y, -p.x)))
    moved(body, (0, 0, 0.12))
    bark = Shader("stalk", color="#6b6a35", rough=0.8)
    tube("stalk", [(0.15, 0, 0.12), (0.168, 0, 0.124), (0.18, 0.004, 0.136)], [0.006, 0.004, 0.005], bark)
    all_turned(-28)


def carrot() -> None:
    """A carrot lying, with its leaves cut short."""
    root = Shader("root", rough=0.5, shine=0.35, soft=0.1, soft_depth=(0.006, 0.002, 0.001))
    rings = root.noise(1.0, 4, 0.6, root.place((60, 60, 420)))
    tone = root.ramp(root.noise(22, 4), [(0.3, "#d4650f"), (0.7, "#ee8a26")])
    scars = root.between(rings, 0.36, 0.26)
    root.set(color=root.mix(root.math("MULTIPLY", scars, 0.55), tone, "#9c4a10"))
    root.set(normal=root.bump(rings, 0.0016, strength=0.7))
    profile = [
        (0, 0.0), (0.0012, 0.004), (0.004, 0.022), (0.009, 0.065), (0.0145, 0.115), (0.019, 0.152),
        (0.0195, 0.166), (0.016, 0.175), (0.008, 0.177), (0, 0.176),
    ]  # fmt: skip
    body = lathe("carrot", profile, root, 96)
    shaped(body, lambda p: Vector((p.x + 0.005 * math.sin(p.z * 22), p.y + 0.004 * math.sin(p.z * 15), p.z)))
    lumpy(body, 0.0016, 0.022, 3.0)
    _greens()
    for part in _parts():
        moved(part, (0, 0, 0.0195), (0, 90, 0))
    all_turned(-30)


def _greens() -> None:
    green = Shader("green", rough=0.6, shine=0.3)
    green.set(color=green.ramp(green.noise(120, 3), [(0.3, "#3c6a1c"), (0.7, "#6f9c3a")]))
    leaves, chance = Mesh(), random.Random(9)
    for number in range(9):
        turn = math.tau * number / 9
        out = Vector((math.cos(turn), math.sin(turn), 0)) * chance.uniform(0.010, 0.022)
        tip = Vector((0, 0, 0.176)) + out + Vector((0, 0, chance.uniform(0.06, 0.1)))
        stalk = [Vector((0, 0, 0.172)) + out * 0.25, Vector((0, 0, 0.2)) + out * 0.5, tip]
        dense = curve([tuple(spot) for spot in stalk], 14)
        bar(leaves, dense, [0.0019 - 0.0008 * k / len(dense) for k in range(len(dense))], 7)
        for spot in dense[6:]:
            for _ in range(5):
                way = Vector([chance.uniform(-1, 1) for _ in range(3)]).normalized()
                end = spot + way * chance.uniform(0.006, 0.014) + Vector((0, 0, 0.006))
                bar(leaves, [spot, (spot + end) / 2, end], [0.0007, 0.0017, 0.0003], 5)
    leaves.build("leaves", green)


def _parts() -> list[Any]:
    import bpy

    bpy.context.view_layer.update()
    return list(bpy.context.scene.objects)


def cactus() -> None:
    """A saguaro with two arms, 3 m tall."""
    green = Shader("green", rough=0.6, shine=0.25)
    tone = green.math("MULTIPLY_ADD", green.noise(3, 5), 0.8, green.math("MULTIPLY", green.noise(40, 3), 0.2))
    green.set(color=green.ramp(tone, [(0.3, "#33512d"), (0.7, "#5d7d48")]))
    green.set(normal=green.bump(green.noise(60, 3), 0.006))
    flesh, spines = Mesh(), Mesh()
    trunk = [(0, 0, 0), (0.01, 0, 0.8), (0, 0, 1.7), (0.0, 0, 2.6), (0, 0, 3.0)]
    left = [(-0.05, 0, 1.25), (-0.3, 0, 1.22), (-0.5, 0, 1.36), (-0.53, 0, 1.7), (-0.52, 0, 2.15)]
    right = [(0.05, 0, 0.95), (0.28, 0, 0.94), (0.44, 0, 1.08), (0.47, 0, 1.35), (0.46, 0, 1.6)]
    for path, radius in ((trunk, 0.21), (left, 0.125), (right, 0.12)):
        _ribbed(flesh, spines, path, radius)
    flesh.build("flesh", green)
    spines.build("spines", Shader("spines", color="#d9cda6", rough=0.8))
    all_turned(12)


def _ribbed(mesh: Mesh, spines: Mesh, path: Sequence[tuple[float, float, float]], radius: float) -> None:
    """A limb with ribs along it and a round end; tufts of spines stand on the ribs."""
    line, ribs = curve(path, 90), 15
    chance = random.Random(len(mesh.verts))

    def place(u: float, v: float) -> Any:
        at = min(round(v * (len(line) - 1)), len(line) - 1)
        ahead = (line[min(at + 1, len(line) - 1)] - line[max(at - 1, 0)]).normalized()
        back = Vector((0, 1, 0))
        side = back.cross(ahead).normalized()
        rest = (line[-1] - line[at]).length / radius
        girth = math.sqrt(1 - (1 - min(1.0, rest)) ** 2) * (0.86 + 0.14 * min(1.0, v * 6))
        rib = 1 - 0.13 * (1 - abs(math.cos(ribs * math.pi * u)) ** 0.8)
        turn = math.tau * u
        return line[at] + (side * math.cos(turn) + back * math.sin(turn)) * (radius * girth * rib)

    grid(mesh, place, ribs * 12, 90)
    for rib in range(ribs):
        for step in range(2, round(len(line) * 0.93), 2):
            spot, v = place(rib / ribs, step / len(line)), step / len(line)
            out = (spot - line[min(round(v * (len(line) - 1)), len(line) - 1)]).normalized()
            for _ in range(4):
                way = (out + Vector([chance.uniform(-0.9, 0.9) for _ in range(3)])).normalized()
                bar(spines, [spot, spot + way * 0.035], [0.0022, 0.0008], 4)


PROPS = {
    "grapes": Prop(grapes, View(down=24), longest=480),
    "watermelon": Prop(watermelon, View(down=14), longest=520),
    "carrot": Prop(carrot, View(down=30)),
    "cactus": Prop(cactus, View(down=8), longest=620),
}
