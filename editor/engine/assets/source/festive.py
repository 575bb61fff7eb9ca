"""What belongs to feasts: a birthday cake."""

import math
import random

from mathutils import Vector, noise

from editor.engine.assets.source.household import flame
from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.studio import Prop, View, ball, copied, lathe, moved, shaped, tube
from editor.engine.assets.source.sweets import cake_stand, rosette

LOW, HIGH, RADIUS = 0.055, 0.145, 0.108
CANDLES = ("#d8455f", "#3f8fc4", "#e9bf2e", "#7fb23c", "#e58a3c", "#8d63b8")


def birthday_cake() -> None:
    """A cake in white cream with sprinkles, a pink edge and six burning candles."""
    cake_stand()
    cream = _cream("cream", "#e9dfcc", "#f1eadb")
    profile = [
        (0, LOW), (RADIUS, LOW), (RADIUS, LOW), (RADIUS, LOW + 0.003), (RADIUS, HIGH - 0.006),
        (RADIUS - 0.002, HIGH - 0.001), (RADIUS - 0.007, HIGH), (0, HIGH),
    ]  # fmt: skip
    body = lathe("cake", profile, cream, 240)
    shaped(body, lambda p: p * (1 + 0.006 * noise.noise(Vector((p.x * 9, p.y * 9, p.z * 60)))))
    pink = _cream("pink", "#d98a9f", "#e6a3b4")
    for k in range(18):
        angle = math.tau * (k + 0.5) / 18
        rosette((0.091 * math.cos(angle), 0.091 * math.sin(angle), HIGH - 0.001), pink)
    for k in range(36):
        angle = math.tau * k / 36
        moved(ball("pearl", 0.0092, pink, 3), (0.111 * math.cos(angle), 0.111 * math.sin(angle), LOW + 0.007))
    _scatter()
    for number, color in enumerate(CANDLES):
        angle = math.tau * (number + 0.25) / len(CANDLES)
        _candle(Vector((0.052 * math.cos(angle), 0.052 * math.sin(angle), HIGH - 0.004)), color)


def _cream(name: str, dark: str, light: str) -> Shader:
    look = Shader(name, rough=0.5, shine=0.3)
    smears = look.noise(40, 2, 0.5, look.place((1, 1, 6)))
    return look.set(color=look.ramp(smears, [(0.3, dark), (0.7, light)]), normal=look.bump(smears, 0.002))


def _scatter() -> None:
    """Sprinkles, on the top and thinning out down the side."""
    chance = random.Random(8)
    looks = [Shader("sprinkle", color=color, rough=0.3) for color in CANDLES]
    first = [tube("sprinkle", [(-0.0026, 0, 0), (0, 0, 0), (0.0026, 0, 0)], 0.0009, look) for look in looks]
    for number in range(330):
        angle, turn = chance.uniform(0, math.tau), chance.uniform(0, 360)
        grain = copied(first[number % len(first)])
        if number < 90:
            out = 0.078 * math.sqrt(chance.random())
            moved(grain, (out * math.cos(angle), out * math.sin(angle), HIGH + 0.0006), (0, 0, turn))
        else:
            height = LOW + 0.016 + (HIGH - LOW - 0.02) * chance.random() ** 2.2
            out = RADIUS + 0.0004
            moved(grain, turned=(0, turn, 0))
            moved(
                grain,
                (out * math.cos(angle), out * math.sin(angle), height),
                (0, 0, 90 + math.degrees(angle)),
            )
    for grain in first:
        grain.hide_render = True


def _candle(foot: Vector, color: str) -> None:
    """A thin candle with a white stripe that winds about it."""
    wax, radius, tall = Shader("wax", rough=0.4, soft=0.15, soft_depth=(0.004, 0.003, 0.002)), 0.0038, 0.062
    stripe = wax.math("SINE", wax.math("MULTIPLY_ADD", wax.part(wax.place(), "Z"), 420.0, wax.turn()))
    wax.set(color=wax.mix(wax.between(stripe, 0.45, 0.6), color, "#f2ece0"))
    profile = [
        (0, 0),
        (radius, 0),
        (radius, 0),
        (radius, tall - 0.001),
        (radius - 0.001, tall),
        (0, tall - 0.0005),
    ]
    moved(lathe("candle", profile, wax, 40), foot)
    top = foot + Vector((0, 0, tall))
    tube("wick", [top, top + Vector((0.0003, 0, 0.006))], 0.0006, Shader("wick", color="#1d1512", rough=0.9))
    moved(flame(), top - Vector((0, 0, 0.117 * 0.62 - 0.003)), scale=0.62)


PROPS = {
    "birthday_cake": Prop(birthday_cake, View(down=16), samples=14),
}
