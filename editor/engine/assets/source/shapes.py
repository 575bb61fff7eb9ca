"""Meshes of many small pieces (leaves, twigs, hairs, panels) for the props of `plants` and its neighbours."""

import math
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import bpy
from mathutils import Matrix, Vector

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.studio import rounded, solid, spline

Surface = Callable[[float, float], Any]


class Mesh:
    """Corners and faces collected piece by piece, made into one object by `build`."""

    def __init__(self) -> None:
        self.verts: list[Any] = []
        self.faces: list[tuple[int, ...]] = []
        self.slots: list[int] = []

    def add(self, verts: Iterable[Any], faces: Iterable[Sequence[int]], slot: int = 0) -> None:
        """Takes in a piece, whose faces count its own corners from 0; slot: which of the looks it has."""
        first = len(self.verts)
        self.verts.extend(verts)
        for face in faces:
            self.faces.append(tuple(first + corner for corner in face))
            self.slots.append(slot)

    def build(self, name: str, *looks: Shader, smooth: bool = True) -> Any:
        """The object of all pieces, in the scene."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(self.verts, [], self.faces)
        for look in looks:
            mesh.materials.append(look.material)
        mesh.polygons.foreach_set("material_index", self.slots)
        mesh.polygons.foreach_set("use_smooth", [smooth] * len(self.faces))
        mesh.update()
        part = bpy.data.objects.new(name, mesh)
        bpy.context.scene.collection.objects.link(part)
        return part


def bar(mesh: Mesh, points: Sequence[Any], radii: Sequence[float], sides: int = 8, slot: int = 0) -> None:
    """A round bar along `points`, closed at both ends."""
    verts = []
    side = across(points[1] - points[0])[0]
    for number, (point, radius) in enumerate(zip(points, radii, strict=True)):
        ahead = (points[min(number + 1, len(points) - 1)] - points[max(number - 1, 0)]).normalized()
        # The frame is carried along, so that the bar never twists.
        side = (side - ahead * side.dot(ahead)).normalized()
        up = ahead.cross(side)
        for corner in range(sides):
            angle = math.tau * corner / sides
            verts.append(point + side * (radius * math.cos(angle)) + up * (radius * math.sin(angle)))
    faces: list[Sequence[int]] = []
    for ring in range(len(points) - 1):
        for corner in range(sides):
            after = (corner + 1) % sides
            low = ring * sides
            faces.append((low + corner, low + after, low + sides + after, low + sides + corner))
    faces.append(range(sides - 1, -1, -1))
    faces.append(range(len(verts) - sides, len(verts)))
    mesh.add(verts, faces, slot)


def grid(mesh: Mesh, surface: Surface, columns: int, rows: int, slot: int = 0) -> None:
    """A sheet of columns x rows faces through `surface(u, v)`, with u and v from 0 to 1."""
    verts = [surface(u / columns, v / rows) for v in range(rows + 1) for u in range(columns + 1)]
    wide = columns + 1
    faces = [
        (v * wide + u, v * wide + u + 1, (v + 1) * wide + u + 1, (v + 1) * wide + u)
        for v in range(rows)
        for u in range(columns)
    ]
    mesh.add(verts, faces, slot)


def wheel(mesh: Mesh, profile: Sequence[tuple[float, float]], sides: int, frame: Any, slot: int = 0) -> None:
    """A profile of (radius, height) turned about the z axis of a 4x4 `frame`."""

    def surface(u: float, v: float) -> Any:
        radius, height = profile[round(v * (len(profile) - 1))]
        return frame @ Vector((radius * math.cos(math.tau * u), radius * math.sin(math.tau * u), height))

    grid(mesh, surface, sides, len(profile) - 1, slot)


def egg(mesh: Mesh, middle: Any, radius: float, half: float, slot: int = 0) -> None:
    """An ellipsoid `radius` wide and `half` high from its middle."""
    profile = [(radius * math.sin(math.pi * n / 12), -half * math.cos(math.pi * n / 12)) for n in range(13)]
    wheel(mesh, profile, 20, Matrix.Translation(middle), slot)


def cuboid(
    mesh: Mesh, center: Sequence[float], size: Sequence[float], turn: Any = None, slot: int = 0
) -> None:
    """A box of `size` about `center`, turned by a 3x3 Matrix about its center when given."""
    verts = []
    for x, y, z in [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]:
        corner = Vector((x * size[0], y * size[1], z * size[2]))
        verts.append(Vector(center) + (turn @ corner if turn else corner))
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.add(verts, faces, slot)


def beam(
    mesh: Mesh, start: Sequence[float], end: Sequence[float], size: Sequence[float], slot: int = 0
) -> None:
    """A straight timber from start to end, `size` wide and thick."""
    one, other = Vector(start), Vector(end)
    side, up = across(other - one)
    turn = Matrix((side, up, (other - one).normalized())).transposed()
    cuboid(mesh, (one + other) / 2, (size[0], size[1], (other - one).length), turn, slot)


def corners(wide: float, deep: float, radius: float) -> list[tuple[float, float]]:
    """The outline of a rectangle about the origin whose corners are rounded."""
    spots = [(wide / 2 - radius, deep / 2 - radius, turn) for turn in (0, 90, 180, 270)]
    ways = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return [
        (a * x + radius * math.cos(angle), b * y + radius * math.sin(angle))
        for (x, y, turn), (a, b) in zip(spots, ways, strict=True)
        for angle in (math.radians(turn + 7.5 * step) for step in range(13))
    ]


def slab(
    name: str, outline: Sequence[tuple[float, float]], thick: float, look: Shader, edge: float = 0.0
) -> Any:
    """A board of this outline (counterclockwise) lying on z = 0, its edges rounded by `edge` metres."""
    count = len(outline)
    verts = [(x, y, z) for z in (0.0, thick) for x, y in outline]
    faces: list[tuple[int, ...]] = [tuple(range(count))[::-1], tuple(range(count, 2 * count))]
    faces += [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    part = solid(name, verts, faces, look)
    part.data.use_auto_smooth = True
    return rounded(part, edge) if edge else part


def curve(points: Sequence[Sequence[float]], steps: int) -> list[Any]:
    """About `steps` + 1 points on a smooth curve through `points`."""
    return list(spline([Vector(point) for point in points], round(steps / (len(points) - 1))))


def outline(text: str) -> list[tuple[float, float]]:
    """The points of a profile out of "radius height, radius height, ..."."""
    return [(float(radius), float(height)) for radius, height in (pair.split() for pair in text.split(","))]


def across(direction: Any) -> tuple[Any, Any]:
    """Two unit vectors at right angles to `direction` and to each other, the first one level."""
    ahead = direction.normalized()
    side = ahead.cross(Vector((0, 0, 1)) if abs(ahead.z) < 0.95 else Vector((0, 1, 0))).normalized()
    return side, side.cross(ahead)


def anywhere(chance: random.Random) -> Any:
    """A random unit vector."""
    while True:
        spot = Vector([chance.uniform(-1, 1) for _ in range(3)])
        if 0.05 < spot.length < 1:
            return spot.normalized()


def each(look: Shader) -> Any:
    """A random number 0..1 for each loose piece of the mesh."""
    return look.node("NewGeometry").outputs["Random Per Island"]


def thin(look: Shader, share: float, glow: Any) -> Shader:
    """The same look for something thin: light shines through it, in the color `glow`."""
    back = look.node("BsdfTranslucent", {"Color": glow})
    both = look.node("MixShader", {0: share, 1: look.surface.outputs[0], 2: back.outputs[0]})
    look.link(both.outputs[0], look.tree.nodes["Material Output"].inputs["Surface"])
    return look


def mottled(
    name: str, color: str, *, rough: float, scale: float, by: float = 0.3, depth: float = 0.0
) -> Shader:
    """One color that is clouded by the share `by`, `scale` clouds a metre, its grains `depth` metres deep."""
    look = Shader(name, rough=rough, shine=0.3)
    clouds = look.noise(scale, 6, 0.6)
    grey = look.math("MULTIPLY_ADD", clouds, 2 * by, 1 - by)
    look.set(color=look.mix(1.0, color, grey, "MULTIPLY"))
    if depth:
        look.set(normal=look.bump(look.noise(scale * 6, 5), depth))
    return look
