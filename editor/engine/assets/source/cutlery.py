"""Knife, fork and spoon of steel: one set."""

import math
from collections.abc import Sequence
from typing import Any

from mathutils import Vector

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, curve, grid
from editor.engine.assets.source.studio import Prop, View, all_turned, solid, thickened, tube

CUTLERY_TURN = 52


def _handle(neck: float, look: Shader) -> None:
    """A slender handle from its broad end to the neck at x = 0, `neck` metres above the table."""
    spots = [
        (-0.132, 0.0022, 0.0098), (-0.118, 0.0024, 0.0096), (-0.07, 0.2 * neck + 0.003, 0.0064),
        (-0.025, 0.85 * neck, 0.0036), (0, neck, 0.0036),
    ]  # fmt: skip
    path, radii = _blunt(spots, 0.0105)
    tube("handle", path, radii, look, flat=0.28, side=(0, 1, 0))


def _blunt(
    spots: Sequence[Sequence[float]], end: float
) -> tuple[list[tuple[float, float, float]], list[float]]:
    """A handle's path and radii through spots of (x, z, radius), its first `end` metres rounded off."""
    dense = curve(spots, 120)
    into = [min(1.0, (p.x - dense[0].x + 2e-5) / end) for p in dense]
    return [(p.x, 0.0, p.y) for p in dense], [
        p.z * math.sqrt(1 - (1 - t) ** 2) for p, t in zip(dense, into, strict=True)
    ]


def _steel() -> Shader:
    return metal("steel", "#d2d2d3", 0.12)


def knife() -> None:
    """A table knife, lying."""
    steel = _steel()
    spots = [
        (-0.108, 0.0035, 0.0092), (-0.094, 0.0035, 0.0090), (-0.05, 0.0035, 0.0084), (-0.01, 0.0035, 0.007),
        (0.004, 0.003, 0.0066),
    ]  # fmt: skip
    path, radii = _blunt(spots, 0.0085)
    tube("handle", path, radii, steel, flat=0.42, side=(0, 1, 0))
    rows, across, vertices = 80, 6, []
    for i in range(rows + 1):
        t = i / rows
        x = 0.122 * t
        end = math.sqrt(max(0.0, 1 - max(0.0, (t - 0.86) / 0.14) ** 2.0))
        spine = 0.0066 - 0.0012 * t - 0.0085 * (1 - end)
        edge = -0.0066 - 0.0030 * math.sin(math.pi * min(1.0, t * 1.25) ** 0.8 * 0.62) + 0.0062 * (1 - end)
        for k in range(across + 1):
            y = spine + (edge - spine) * k / across
            vertices.append((x, y, 0.0030 - 0.0006 * (k / across) ** 2))
    wide = across + 1
    faces = [
        (i * wide + k, i * wide + k + 1, (i + 1) * wide + k + 1, (i + 1) * wide + k)
        for i in range(rows)
        for k in range(across)
    ]
    thickened(solid("blade", vertices, faces, steel), 0.0012)
    all_turned(CUTLERY_TURN)


def fork() -> None:
    """A table fork with four tines, lying on its back."""
    steel, neck = _steel(), 0.0155
    _handle(neck, steel)
    sheet = Mesh()
    grid(sheet, lambda u, v: _fork_place(0.034 * u, (2 * v - 1) * _fork_half(0.034 * u)), 40, 24)
    for tine in range(4):
        middle = (tine - 1.5) * 0.00685

        def prong(u: float, v: float, middle: float = middle) -> Any:
            half = 0.0022 * math.sqrt(max(0.0, 1 - max(0.0, (u - 0.8) / 0.2) ** 2)) * (1 - 0.2 * u)
            return _fork_place(0.0338 + 0.044 * u, middle * (1 + 0.02 * u) + (2 * v - 1) * half)

        grid(sheet, prong, 60, 8)
    thickened(sheet.build("tines", steel), 0.0019)
    all_turned(CUTLERY_TURN)


def _fork_half(x: float) -> float:
    share = min(1.0, x / 0.022)
    return 0.0034 + 0.0090 * (3 * share**2 - 2 * share**3)


def _fork_place(x: float, y: float) -> Any:
    """A point of the fork's head: hollow, its tips rising again."""
    t = x / 0.078
    return Vector(
        (x, y, 0.0155 - 0.0205 * math.sin(math.pi * min(t, 1.0) ** 0.8 * 0.62) + 0.0155 * t**2.2 + 0.006 * t)
    )


def spoon() -> None:
    """A table spoon, lying."""
    steel = _steel()
    _handle(0.0125, steel)
    bowl = Mesh()

    def place(u: float, v: float) -> Any:
        angle, r = math.tau * u, v
        x = 0.0335 * math.cos(angle) * r
        y = 0.0205 * math.sin(angle) * r * (1 - 0.17 * math.cos(angle) * r)
        stem = math.exp(-((y / 0.0052) ** 2)) * max(0.0, -x / 0.0335) ** 6
        return Vector(
            (x + 0.0325, y, 0.0012 + 0.0092 * r**2.3 - 0.0018 * r * r * math.cos(angle) + 0.0008 * stem)
        )

    grid(bowl, place, 128, 30)
    thickened(solid("bowl", bowl.verts, bowl.faces, steel, weld=1e-6), 0.0013)
    all_turned(CUTLERY_TURN)


PROPS = {
    "knife": Prop(knife, View(down=40), samples=40),
    "fork": Prop(fork, View(down=40), samples=40),
    "spoon": Prop(spoon, View(down=40), samples=40),
}
