"""Knife and spoon of steel."""

import math

from tests.renders.shading import metal
from tests.renders.studio import (
    Prop,
    View,
    all_turned,
    solid,
    thickened,
    tube,
)

CUTLERY_TURN = 52


def knife() -> None:
    """A table knife, lying."""
    steel = metal("steel", "#cfd0d2", 0.14)
    tube(
        "handle",
        [
            (-0.115, 0, 0.003), (-0.114, 0, 0.003), (-0.10, 0, 0.003), (-0.05, 0, 0.0032),
            (-0.015, 0, 0.0034), (-0.003, 0, 0.003),
        ],
        [0.0085, 0.0105, 0.0108, 0.0092, 0.0074, 0.0062],
        steel,
        flat=0.36,
        side=(0, 1, 0),
    )  # fmt: skip
    rows, vertices = 60, []
    for i in range(rows + 1):
        t = i / rows
        spine = 0.0068 + 0.0014 * math.sin(math.pi * t) - 0.0125 * max(0.0, (t - 0.8) / 0.2) ** 2.4
        edge = -0.0052 - 0.0055 * math.sin(math.pi * min(1, t * 1.05) ** 0.85) ** 0.8 + 0.001 * t
        x, half = -0.006 + 0.118 * t, 0.0009
        vertices += [(x, spine, 0.003 + half), (x, edge, 0.0031), (x, spine, 0.003 - half)]
    faces = [
        (3 * i + k, 3 * i + (k + 1) % 3, 3 * i + 3 + (k + 1) % 3, 3 * i + 3 + k)
        for i in range(rows)
        for k in range(3)
    ]
    blade = solid("blade", vertices, [*faces, (0, 1, 2), (3 * rows, 3 * rows + 2, 3 * rows + 1)], steel)
    blade.data.use_auto_smooth = True
    all_turned(CUTLERY_TURN)


def spoon() -> None:
    """A table spoon, lying."""
    steel = metal("steel", "#cfd0d2", 0.12)
    tube(
        "handle",
        [
            (-0.105, 0, 0.002), (-0.104, 0, 0.002), (-0.085, 0, 0.003), (-0.03, 0, 0.009),
            (0.010, 0, 0.015), (0.026, 0, 0.0145), (0.036, 0, 0.0122),
        ],
        [0.0085, 0.0105, 0.0100, 0.0055, 0.0036, 0.0045, 0.006],
        steel,
        flat=0.30,
        side=(0, 1, 0),
    )  # fmt: skip
    rings, round_ = 24, 96
    vertices = [(0.0615, 0.0, 0.0008)]
    for i in range(1, rings + 1):
        r = i / rings
        for k in range(round_):
            a = 2 * math.pi * k / round_
            x = 0.0315 * math.cos(a) * r
            y = 0.0205 * math.sin(a) * r * (1 - 0.14 * math.cos(a) * r)
            vertices.append((0.0615 + x, y, 0.0008 + 0.0098 * r**2.4 + 0.0018 * r * -math.cos(a) * r))
    faces: list[tuple[int, ...]] = [(0, 1 + k, 1 + (k + 1) % round_) for k in range(round_)]
    faces += [
        (
            1 + i * round_ + k,
            1 + (i + 1) * round_ + k,
            1 + (i + 1) * round_ + (k + 1) % round_,
            1 + i * round_ + (k + 1) % round_,
        )
        for i in range(rings - 1)
        for k in range(round_)
    ]
    thickened(solid("bowl", vertices, faces, steel), 0.0013)
    all_turned(CUTLERY_TURN)


PROPS = {
    "knife": Prop(knife, View(down=40)),
    "spoon": Prop(spoon, View(down=40)),
}
