"""Hats for feasts and plays (z = 0 is where they end on the forehead), and glasses."""

import math
import random
from typing import Any

from mathutils import Vector, noise

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, bar, curve, grid
from editor.engine.assets.source.studio import Prop, View, ball, block, lumpy, moved, solid, thickened, tube
from editor.engine.assets.source.worn import DEEP, HEAD, furry


def _oval(radius: float, turn: float, height: float) -> Any:
    return Vector((radius * math.cos(turn), radius * DEEP * math.sin(turn), height))


def party_hat() -> None:
    """A striped paper cone with a bobble, 21 cm tall."""
    paper = Shader("paper", rough=0.4, coat=0.2, coat_rough=0.4)
    slant = paper.math(
        "MULTIPLY_ADD", paper.part(paper.place(), "Z"), 34.0, paper.math("MULTIPLY", paper.turn(), 1.0)
    )
    wave = paper.math("SINE", slant)
    stripe = paper.between(wave, -0.06, 0.06)
    edge = paper.between(paper.math("ABSOLUTE", wave), 0.3, 0.22)
    paper.set(color=paper.mix(edge, paper.mix(stripe, "#1f7fc4", "#f3c22e"), "#f4f0e8"))
    cone = Mesh()

    def place(u: float, v: float) -> Any:
        turn = math.tau * u
        radius = 0.074 * (1 - v) + 0.003
        return Vector((radius * math.cos(turn), radius * math.sin(turn), 0.185 * v))

    grid(cone, place, 160, 40)
    thickened(cone.build("cone", paper), 0.0008)
    trim = Shader("trim", color="#d8324a", rough=0.9, sheen=0.5)
    ring = [
        (0.0765 * math.cos(math.tau * k / 64), 0.0765 * math.sin(math.tau * k / 64), 0.004) for k in range(65)
    ]
    fringe, chance = Mesh(), random.Random(3)
    bar(fringe, [Vector(spot) for spot in ring], [0.0045] * 65, 10)
    for _ in range(900):
        turn = chance.uniform(0, math.tau)
        spot = Vector((0.0765 * math.cos(turn), 0.0765 * math.sin(turn), 0.004))
        way = Vector((math.cos(turn), math.sin(turn), 0)) + Vector(
            [chance.uniform(-1.2, 1.2) for _ in range(3)]
        )
        bar(fringe, [spot, spot + way.normalized() * chance.uniform(0.006, 0.012)], [0.0007, 0.0004], 4)
    fringe.build("fringe", trim)
    bobble = moved(lumpy(ball("bobble", 0.014, trim, 4), 0.002, 0.012), (0, 0, 0.192))
    furry(bobble, 2200, 0.011)


def witch_hat() -> None:
    """A black pointed hat with a wide brim and a purple band, its tip bent."""
    felt = Shader("felt", rough=0.8, sheen=0.5, shine=0.25)
    cloud = felt.math("MULTIPLY_ADD", felt.noise(30, 5), 0.9, 0.55)
    felt.set(color=felt.mix(1.0, "#202024", cloud, "MULTIPLY"), normal=felt.bump(felt.noise(420, 5), 0.0009))
    cone, band = Mesh(), Mesh()
    spine = curve(
        [(0, 0, 0), (0, 0, 0.08), (0.006, 0, 0.16), (0.024, -0.003, 0.225), (0.056, -0.006, 0.275)], 60
    )

    def place(u: float, v: float) -> Any:
        at = min(round(v * (len(spine) - 1)), len(spine) - 1)
        ahead = (spine[min(at + 1, len(spine) - 1)] - spine[max(at - 1, 0)]).normalized()
        side = Vector((0, 1, 0)).cross(ahead).normalized()
        crease = 1 - 0.045 * math.sin(v * 34 + math.cos(math.tau * u) * 1.5) * math.exp(
            -(((v - 0.6) / 0.16) ** 2)
        )
        fold = 1 + 0.05 * noise.noise(
            Vector((math.cos(math.tau * u) * 1.5, math.sin(math.tau * u) * 1.5, v * 7))
        )
        radius = ((HEAD + 0.003) * (1 - v) ** 0.92 + 0.003) * crease * fold
        turn = math.tau * u
        return spine[at] + (side * math.cos(turn) + Vector((0, DEEP, 0)) * math.sin(turn)) * radius

    def brim(u: float, v: float) -> Any:
        turn = math.tau * u
        wave = (0.009 * math.sin(2 * turn + 0.5) + 0.006 * math.sin(5 * turn + 1)) * v**1.3 - 0.012 * v * v
        return _oval(HEAD + 0.105 * v, turn, wave)

    grid(cone, place, 144, 150)
    grid(cone, brim, 192, 30)
    bar(cone, [brim(k / 192, 1.0) for k in range(193)], [0.0022] * 193, 8)
    cone.build("hat", felt)
    grid(band, lambda u, v: place(u, 0.012 + 0.085 * v) * 1.012, 144, 8)
    silk = Shader("silk", color="#5b2a7d", rough=0.4, sheen=0.3)
    thickened(band.build("band", silk), 0.001)
    brass = metal("brass", "#d8b24a", 0.3)
    for x in (-0.019, 0.019):
        moved(block("buckle", (0.006, 0.004, 0.044), brass, 0.001), (x, -0.099, 0.0), (-14, 0, 0))
    for z in (0.001, 0.038):
        moved(block("buckle", (0.044, 0.004, 0.006), brass, 0.001), (0, -0.0985 + 0.24 * z, z), (-14, 0, 0))


def cowboy_hat() -> None:
    """A brown felt hat with a pinched crown, its brim rolled up at the sides."""
    felt = Shader("felt", rough=0.8, sheen=0.5, shine=0.25)
    cloud = felt.math("MULTIPLY_ADD", felt.noise(26, 5), 0.6, 0.7)
    felt.set(color=felt.mix(1.0, "#7a5230", cloud, "MULTIPLY"), normal=felt.bump(felt.noise(420, 5), 0.0008))
    hat, band = Mesh(), Mesh()
    profile = curve(
        [
            (HEAD, 0, 0),
            (0.0785, 0.04, 0),
            (0.074, 0.08, 0),
            (0.066, 0.106, 0),
            (0.05, 0.118, 0),
            (0.0, 0.12, 0),
        ],
        64,
    )

    def crown(u: float, v: float) -> Any:
        spot, turn = profile[round(v * (len(profile) - 1))], math.tau * u
        top = max(0.0, spot.y - 0.04) / 0.08
        x, y = spot.x * math.cos(turn), spot.x * math.sin(turn)
        crease = 0.03 * top * math.exp(-((x / 0.02) ** 2))
        pinch = 1 - 0.24 * top * math.exp(-(((y / 0.08) + 0.75) ** 2) * 5)
        return Vector((x * pinch, y * DEEP, spot.y - crease))

    def brim(u: float, v: float) -> Any:
        turn = math.tau * u
        roll = 0.062 * abs(math.cos(turn)) ** 2.4 - 0.014 * math.sin(turn) ** 2
        out = HEAD + (0.078 - 0.012 * abs(math.cos(turn)) ** 2) * v
        return _oval(out, turn, roll * v**1.6)

    grid(hat, crown, 160, len(profile) - 1)
    grid(hat, brim, 160, 30)
    bar(hat, [brim(k / 160, 1.0) for k in range(161)], [0.0022] * 161, 8)
    hat.build("hat", felt)
    grid(band, lambda u, v: _oval(HEAD + 0.0012 - 0.0006 * v, math.tau * u, 0.004 + 0.018 * v), 128, 6)
    thickened(band.build("band", Shader("band", color="#2e1c10", rough=0.5)), 0.0016)


def sunglasses() -> None:
    """Dark glasses in a black frame, seen from the front."""
    lens = Shader("lens", rough=0.05, shine=0.7, alpha=0.9)
    lens.set(color=lens.ramp(lens.height(-0.022, 0.022), [(0.0, "#24211f"), (1.0, "#060607")]))
    _spectacles(Shader("frame", color="#0c0c0e", rough=0.16, coat=0.8, coat_rough=0.06), 0.0032, lens)


def glasses() -> None:
    """Glasses in a thin dark frame, seen from the front."""
    lens = Shader("lens", color="#dfe8ee", rough=0.05, shine=0.5, alpha=0.1)
    _spectacles(Shader("frame", color="#231814", rough=0.2, coat=0.6, coat_rough=0.1), 0.0021, lens)


def _spectacles(frame: Shader, thick: float, lens: Shader) -> None:
    """Two lenses, their rims, the bridge and the hinges, 14 cm wide; the middle of the eyes is the origin."""
    for way in (-1, 1):
        rim = [_rim(way, math.tau * k / 48) for k in range(48)]
        tube("rim", rim, thick, frame, closed=True, flat=0.8, side=(0, 1, 0))
        middle = sum(rim, Vector()) / len(rim)
        pane = [middle, *rim]
        solid("lens", pane, [(0, k, k % 48 + 1) for k in range(1, 49)], lens, smooth=False)
        hinge = [(way * 0.0625, 0, 0.013), (way * 0.0675, 0.001, 0.0138), (way * 0.069, 0.012, 0.0135)]
        tube("hinge", hinge, thick * 1.05, frame)
        arm = [(way * 0.069, 0.012, 0.0135), (way * 0.0695, 0.04, 0.013), (way * 0.0695, 0.06, 0.012)]
        tube("arm", arm, thick, frame)
    bridge = [(-0.0115, 0, 0.007), (-0.006, -0.002, 0.0115), (0.006, -0.002, 0.0115), (0.0115, 0, 0.007)]
    tube("bridge", bridge, thick * 1.1, frame)


def _rim(way: int, turn: float) -> Any:
    """A rounded lens, broader at the brow than below and drawn towards the temple."""
    x, z = math.cos(turn), math.sin(turn)
    wide, high = math.copysign(abs(x) ** 0.62, x), math.copysign(abs(z) ** 0.68, z)
    wide *= 0.0262 * (1 + 0.1 * high)
    return Vector(
        (way * (0.0365 + wide), 0.9 * (abs(0.0365 + wide) / 0.07) ** 2 * 0.004, 0.0215 * high - 0.001)
    )


WORN = View(down=3, grounded=False)
PROPS = {
    "party_hat": Prop(party_hat, View(down=2, grounded=False), longest=420),
    "witch_hat": Prop(witch_hat, WORN, longest=500),
    "cowboy_hat": Prop(cowboy_hat, WORN, longest=500),
    "sunglasses": Prop(sunglasses, View(down=0, grounded=False), longest=460, samples=24),
    "glasses": Prop(glasses, View(down=0, grounded=False), longest=460, samples=24),
}
