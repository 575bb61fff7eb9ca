"""What is packed and carried: a suitcase, a backpack and a basket."""

import math
from collections.abc import Sequence

import bpy
from mathutils import Vector

from editor.engine.assets.source.shading import Shader, metal
from editor.engine.assets.source.shapes import Mesh, bar, corners, curve, grid, slab
from editor.engine.assets.source.studio import Prop, View, all_turned, lathe, lumpy, moved, solid, tube


def suitcase() -> None:
    """A ribbed hard-shell suitcase on four wheels, its handle drawn out, 1 m tall."""
    shell = Shader("shell", color="#1f5f7a", rough=0.36, coat=0.35, coat_rough=0.2)
    shell.set(normal=shell.bump(shell.noise(380, 2), 0.0006, strength=0.4))
    black, steel = Shader("black", color="#151517", rough=0.5), metal("steel", "#c2c4c7", 0.22)
    wide, tall, deep = 0.43, 0.6, 0.25
    for way in (-1, 1):
        half = slab("half", corners(wide, tall, 0.055), deep / 2 - 0.004, shell, 0.03)
        moved(half, turned=(90 if way < 0 else -90, 0, 0))
        moved(half, (0, way * 0.004, 0.07 + tall / 2))
        for k in range(9):
            x = (k - 4) * 0.043
            reach = 0.235 if abs(k - 4) < 4 else 0.225
            rib = [(x, 0, 0.37 + step) for step in (-reach, 0.012 - reach, 0, reach - 0.012, reach)]
            part = tube("rib", rib, [0.004, 0.0125, 0.0125, 0.0125, 0.004], shell, flat=0.75, side=(1, 0, 0))
            moved(part, (0, way * (deep / 2 - 0.001), 0))
    zip_ = slab("zip", corners(wide - 0.004, tall - 0.004, 0.054), 0.016, black, 0.004)
    moved(zip_, (0, 0, -0.008))
    moved(zip_, turned=(90, 0, 0))
    moved(zip_, (0, 0, 0.07 + tall / 2))
    _trolley(black, steel)
    all_turned(-32)


def _trolley(black: Shader, steel: Shader) -> None:
    for x in (-0.09, 0.09):
        tube("rod", [(x, 0.07, 0.66), (x, 0.07, 1.0)], 0.0095, steel)
        moved(slab("mouth", corners(0.04, 0.035, 0.008), 0.006, black, 0.002), (x, 0.07, 0.668))
    tube(
        "grip",
        [(-0.107, 0.07, 1.0), (-0.105, 0.07, 1.0), (0, 0.07, 1.006), (0.105, 0.07, 1.0), (0.107, 0.07, 1.0)],
        [0.012, 0.0165, 0.0175, 0.0165, 0.012],
        black,
    )
    handle = [
        (-0.085, -0.03, 0.668),
        (-0.078, -0.03, 0.69),
        (-0.05, -0.03, 0.7),
        (0.05, -0.03, 0.7),
        (0.078, -0.03, 0.69),
        (0.085, -0.03, 0.668),
    ]
    tube("handle", handle, 0.011, black, flat=0.7, side=(0, 1, 0))
    tyre = [
        (0, -0.012),
        (0.02, -0.012),
        (0.026, -0.009),
        (0.027, 0),
        (0.026, 0.009),
        (0.02, 0.012),
        (0, 0.012),
    ]
    for x in (-0.165, 0.165):
        for y in (-0.08, 0.08):
            moved(slab("fork", corners(0.055, 0.05, 0.014), 0.03, black, 0.008), (x, y, 0.044))
            for side in (-0.014, 0.014):
                moved(lathe("wheel", tyre, black, 48), (x + side, y, 0.027), (0, 90, 0))
            moved(
                lathe("cap", [(0.012, 0), (0.011, 0.002), (0, 0.002)], steel, 32),
                (x - 0.0265, y, 0.027),
                (0, -90, 0),
            )


def backpack() -> None:
    """A rucksack of red canvas with a front pocket and a leather bottom, 48 cm tall."""
    canvas = _canvas("canvas", "#86211e", "#a52f29")
    webbing = _canvas("webbing", "#1b1b1e", "#2a2a2e")
    leather = Shader("leather", color="#4f2f1b", rough=0.5)
    leather.set(normal=leather.bump(leather.cells(260), 0.0012, strength=0.5))
    body = _sack("body", (0.152, 0.09, 0.225), canvas, 2.0, (0, 0, 0.222))
    pocket = _sack("pocket", (0.118, 0.045, 0.092), canvas, 5.0, (0, -0.083, 0.128))
    _sack("bottom", (0.1545, 0.094, 0.052), leather, 2.0, (0, 0, 0.05))
    for way in (-1, 1):
        _sack("side", (0.024, 0.055, 0.08), canvas, 8.0 + way, (0.148 * way, 0.01, 0.125))
    arch = [(-0.128, 0.02), (-0.128, 0.08), (-0.118, 0.145), (-0.075, 0.178), (0, 0.183)]
    _zip(body, [*arch, *[(-x, z) for x, z in reversed(arch[:-1])]], webbing)
    _zip(pocket, [(-0.098, 0.044), (-0.05, 0.05), (0, 0.051), (0.05, 0.05), (0.098, 0.044)], webbing)
    rim = [
        (
            0.104 * math.copysign(abs(math.cos(a)) ** 0.4, math.cos(a)),
            0.078 * math.copysign(abs(math.sin(a)) ** 0.45, math.sin(a)),
        )
        for a in (math.tau * k / 40 for k in range(40))
    ]
    moved(
        tube("piping", [_onto(pocket, x, z) for x, z in rim], 0.0028, webbing, closed=True), pocket.location
    )
    patch = slab("patch", corners(0.05, 0.032, 0.004), 0.002, leather, 0.0008)
    moved(patch, turned=(90, 0, 0))
    moved(patch, (0, _onto(pocket, 0, -0.01).y - 0.0005, -0.01))
    moved(patch, pocket.location)
    _straps(webbing)
    all_turned(24)


def _straps(webbing: Shader) -> None:
    loop = [
        (-0.045, 0.045, 0.425),
        (-0.04, 0.04, 0.465),
        (0, 0.035, 0.482),
        (0.04, 0.04, 0.465),
        (0.045, 0.045, 0.425),
    ]
    tube("loop", loop, 0.011, webbing, flat=0.45, side=(0, 1, 0))
    for way in (-1, 1):
        strap = [
            (0.07 * way, 0.06, 0.42),
            (0.10 * way, 0.115, 0.43),
            (0.145 * way, 0.155, 0.33),
            (0.172 * way, 0.135, 0.18),
            (0.15 * way, 0.075, 0.05),
        ]
        tube("strap", strap, [0.024, 0.03, 0.032, 0.022, 0.014], webbing, flat=0.3, side=(1, 0, 0))


def _onto(part: bpy.types.Object, x: float, z: float) -> Vector:
    """The point of a sack's front there, in its own coordinates."""
    hit, place, _, _ = part.ray_cast(Vector((x, -1, z)), Vector((0, 1, 0)))
    assert hit, (x, z)
    return place


def _zip(part: bpy.types.Object, line: Sequence[tuple[float, float]], tape: Shader) -> None:
    """A zip along a line of (x, z) on a sack's front, its slider at three quarters."""
    steel = metal("zip", "#b9b6ae", 0.3)
    dense = curve([(x, z, 0) for x, z in line], 60)
    path = [_onto(part, p.x, p.y) for p in dense]
    way = (dense[1] - dense[0]).normalized()
    moved(tube("tape", path[::3], 0.0085, tape, flat=0.28, side=(-way.y, 0, way.x)), part.location)
    moved(tube("teeth", [p + Vector((0, -0.0022, 0)) for p in path[::3]], 0.0018, steel), part.location)
    spot = path[len(path) * 3 // 4] + part.location + Vector((0, -0.005, 0))
    moved(slab("slider", corners(0.010, 0.014, 0.003), 0.004, steel, 0.001), spot, (90, 0, 0))
    tube(
        "puller",
        [spot + Vector((0, -0.003, -0.004)), spot + Vector((0.002, -0.006, -0.034))],
        0.0042,
        tape,
        flat=0.4,
        side=(1, 0, 0),
    )


def _canvas(name: str, dark: str, light: str) -> Shader:
    look = Shader(name, rough=0.85, sheen=0.25, shine=0.2)
    fade = look.noise(9, 3)
    threads = look.noise(900, 1)
    folds = look.math("MULTIPLY_ADD", threads, 0.05, look.noise(16, 3, 0.5, twist=0.8))
    return look.set(
        color=look.ramp(
            look.math("MULTIPLY_ADD", threads, 0.3, look.math("MULTIPLY", fade, 0.7)),
            [(0.3, dark), (0.7, light)],
        ),
        normal=look.bump(folds, 0.012, strength=0.6),
    )


def _point(u: float, v: float, size: tuple[float, float, float]) -> Vector:
    """A point of a plump box about the origin: u round it, v from bottom to top."""
    a, b = math.tau * u, math.pi * (v - 0.5)

    def eased(value: float, power: float) -> float:
        return math.copysign(abs(value) ** power, value)

    level = eased(math.cos(b), 0.36)
    x, y = eased(math.cos(a), 0.42) * level, eased(math.sin(a), 0.48) * level
    z = eased(math.sin(b), 0.6)
    narrow = 1 - 0.13 * max(0.0, z) ** 2
    return Vector((x * size[0] * narrow, y * size[1] * (1 - 0.2 * max(0.0, z)), z * size[2]))


def _sack(
    name: str, size: tuple[float, float, float], look: Shader, seed: float, place: tuple[float, float, float]
) -> bpy.types.Object:
    mesh = Mesh()
    grid(mesh, lambda u, v: _point(u, v, size), 160, 100)
    part = lumpy(solid(name, mesh.verts, mesh.faces, look, weld=1e-5), 0.007, 0.12, seed)
    moved(lumpy(part, 0.0022, 0.03, seed), place)
    bpy.context.view_layer.update()
    return part


def basket() -> None:
    """A round wicker basket with a handle, 40 cm tall."""
    willow = Shader("willow", rough=0.55, shine=0.35)
    tone = willow.math(
        "MULTIPLY_ADD",
        willow.node("NewGeometry").outputs["Random Per Island"],
        0.5,
        willow.math("MULTIPLY", willow.noise(60, 3), 0.6),
    )
    willow.set(color=willow.ramp(tone, [(0.1, "#6e4520"), (0.5, "#a3713a"), (0.9, "#c79a5e")]))
    weave, stakes, rows, count = Mesh(), 30, 17, 240
    for row in range(rows):
        height = 0.012 + 0.0105 * row
        ring = []
        for k in range(count + 1):
            a = math.tau * k / count
            out = _girth(height) + 0.0052 * math.sin(stakes / 2 * a + math.pi * row)
            ring.append(
                Vector((out * math.cos(a), 0.82 * out * math.sin(a), height + 0.0008 * math.sin(7 * a + row)))
            )
        bar(weave, ring, [0.0056] * (count + 1), 8)
    for k in range(stakes):
        a = math.tau * (k + 0.5) / stakes
        path = [
            Vector((_girth(z) * math.cos(a), 0.82 * _girth(z) * math.sin(a), z))
            for z in (0.0, 0.04, 0.09, 0.14, 0.19)
        ]
        bar(weave, path, [0.0045] * 5, 8)
    _braid(weave, 0.193, 3, 0.0085)
    _braid(weave, 0.006, 2, 0.0065)
    _arch(weave)
    weave.build("basket", willow)
    floor = Shader("floor", color="#4a2d14", rough=0.9)
    moved(lathe("floor", [(0.118, 0), (0, 0)], floor, 64), (0, 0, 0.012), (0, 0, 0), (1, 0.82, 1))
    all_turned(-28)


def _arch(mesh: Mesh) -> None:
    """The handle: three strands twisted into one."""
    for strand in range(3):
        arch = []
        for k in range(121):
            t = math.pi * k / 120
            turn = 16 * t + math.tau * strand / 3
            out, along = 0.0065 * math.cos(turn), 0.0075 * math.sin(turn)
            middle = Vector((-(_girth(0.19) - 0.002) * math.cos(t), 0, 0.16 + 0.215 * math.sin(t) ** 0.8))
            arch.append(middle + Vector((out * math.cos(t), along, out * math.sin(t))))
        bar(mesh, arch, [0.0072] * 121, 8)


def _girth(height: float) -> float:
    """The basket's half width at a height; it is 0.82 times as deep."""
    return 0.128 + 0.052 * math.pow(height / 0.19, 0.8) + 0.010 * math.sin(math.pi * height / 0.19)


def _braid(mesh: Mesh, height: float, strands: int, thick: float) -> None:
    for strand in range(strands):
        ring = []
        for k in range(361):
            a = math.tau * k / 360
            turn = 24 * a + math.tau * strand / strands
            out = _girth(height) + 0.0055 * math.cos(turn)
            ring.append(
                Vector((out * math.cos(a), 0.82 * out * math.sin(a), height + 0.006 * math.sin(turn)))
            )
        bar(mesh, ring, [thick] * 361, 8)


PROPS = {
    "suitcase": Prop(suitcase, View(down=11), samples=20),
    "backpack": Prop(backpack, View(down=9)),
    "basket": Prop(basket, View(down=20)),
}
