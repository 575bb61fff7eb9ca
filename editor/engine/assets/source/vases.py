"""A vase with flowers."""

import math
import random

from mathutils import Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.studio import (
    Prop,
    View,
    ball,
    lathe,
    leaf,
    moved,
    shaped,
    tube,
)


def vase() -> None:
    """A white ribbed vase with pink and white daisies."""
    white = Shader("vase", rough=0.3, coat=0.4, coat_rough=0.1)
    white.set(color=white.ramp(white.noise(20, 3), [(0.3, "#d9d4c9"), (0.7, "#e6e2d9")]))
    outside = [
        (0, 0.002), (0.036, 0), (0.040, 0.002), (0.052, 0.03), (0.059, 0.07), (0.055, 0.11),
        (0.040, 0.145), (0.031, 0.165), (0.0305, 0.178), (0.036, 0.19), (0.0358, 0.1915), (0.0345, 0.1912),
        (0.0285, 0.178), (0.029, 0.165), (0.037, 0.145), (0.04, 0.11),
    ]  # fmt: skip
    body = lathe("vase", outside, white, 288)
    shaped(body, lambda p: _fluted(p, 24, 0.018))
    chance = random.Random(4)
    heads = [
        (0, -0.045, 0.36, "p"), (-0.075, -0.03, 0.335, "w"), (0.08, -0.03, 0.345, "p"),
        (-0.035, 0.03, 0.405, "p"), (0.045, 0.025, 0.41, "w"), (-0.11, 0.01, 0.375, "p"),
        (0.115, 0.02, 0.385, "w"), (0.03, -0.075, 0.29, "w"), (-0.05, -0.075, 0.275, "p"),
        (0.0, 0.05, 0.45, "p"),
    ]  # fmt: skip
    petals = {"p": _petal("#d0527f", "#e79ab4"), "w": _petal("#e8e3da", "#f1eee8")}
    stem = Shader("stem", color="#5d7f36", rough=0.5)
    heart = Shader("heart", rough=0.8)
    heart.set(color=heart.ramp(heart.noise(600, 2), [(0.35, "#a8700f"), (0.65, "#e5b52a")]))
    heart.set(normal=heart.bump(heart.cells(900), -0.0015))
    for x, y, z, kind in heads:
        way = Vector((x * 0.9, y * 0.9 - 0.05, 0.055)).normalized()
        foot = Vector((x * 0.15, y * 0.15, 0.12))
        tip = Vector((x, y, z))
        bow = foot.lerp(tip, 0.55) - Vector((x, y, 0)) * 0.22
        tube("stem", [foot, Vector((x * 0.2, y * 0.2, 0.185)), bow, tip - way * 0.002], 0.0019, stem)
        _daisy(tip, way, petals[kind], heart, chance)
    green = _foliage()
    for k in range(16):
        turn, lift = 137.5 * k, chance.uniform(18, 68)
        low = 0.19 + 0.009 * (k % 8)
        moved(
            leaf("leaf", chance.uniform(0.075, 0.115), 0.027, green, bend=chance.uniform(0.7, 1.3)),
            (0.013 * math.cos(math.radians(turn)), 0.013 * math.sin(math.radians(turn)), low),
            (0, -lift, turn),
        )


def _fluted(p: Vector, flutes: int, depth: float) -> Vector:
    share = min(1.0, max(0.0, p.z / 0.02)) * min(1.0, max(0.0, (0.172 - p.z) / 0.03))
    swing = 1 - depth * share * abs(math.sin(flutes / 2 * math.atan2(p.y, p.x))) ** 3
    return Vector((p.x * swing, p.y * swing, p.z))


def _petal(dark: str, light: str) -> Shader:
    look = Shader("petal", rough=0.55, sheen=0.3)
    along = look.part(look.place(), "X")
    streaks = look.noise(500, 2, 0.5, look.place((0.05, 1, 1)))
    share = look.math("ADD", look.math("MULTIPLY", along, 16.0), look.math("MULTIPLY", streaks, 0.5))
    return look.set(color=look.ramp(share, [(0.2, dark), (0.9, light)]))


def _foliage() -> Shader:
    look = Shader("foliage", rough=0.45)
    y = look.math("ABSOLUTE", look.part(look.place(), "Y"))
    green = look.ramp(look.noise(70, 3), [(0.3, "#35602a"), (0.7, "#5f8a41")])
    return look.set(color=look.mix(look.between(y, 0.0012, 0.0005), green, "#a3ba79"))


def _daisy(tip: Vector, way: Vector, petal: Shader, heart: Shader, chance: random.Random) -> None:
    turn = way.to_track_quat("Z", "Y").to_matrix().to_4x4()
    turn.translation = tip
    size = chance.uniform(0.85, 1.05)
    parts = []
    for k in range(30):
        ring, long = k % 2, 0.033 * size * chance.uniform(0.93, 1.05)
        one = leaf("petal", long, 0.0115, petal, bend=chance.uniform(0.15, 0.5), fold=-0.12, tip=0.62)
        parts.append(
            moved(one, (0, 0, 0.002 - 0.002 * ring), (0, -22 + 16 * ring + chance.uniform(-5, 5), 12 * k))
        )
    middle = moved(ball("heart", 0.0095 * size, heart, 4), (0, 0, 0.002), scale=(1, 1, 0.5))
    for part in (*parts, middle):
        part.matrix_world = turn @ part.matrix_world


PROPS = {
    "vase": Prop(vase, View(down=9)),
}
