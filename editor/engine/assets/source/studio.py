"""The studio in which props are made: shapes, daylight, camera and render (materials: `shading.py`).

Runs inside Blender (3.4). Lengths are metres at the thing's true size; the thing stands on z = 0 and is seen
from -y; the light comes from the upper left in front. Whatever is random has a fixed seed.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
from mathutils import Matrix, Vector, noise

from editor.engine.assets.source.shading import Shader

WHITE_EXPOSURE = 0.45


@dataclass(frozen=True)
class View:
    """How the camera sees a prop: degrees down and round, the lens in mm, and whether ground shades it."""

    down: float
    grounded: bool = True
    turn: float = 0.0
    lens: float = 70.0


STANDS = View(down=11)
LIES = View(down=30)
FLIES = View(down=0, grounded=False)


@dataclass(frozen=True)
class Prop:
    """One prop: what builds it (into an empty scene) and how it is seen. `longest` is in pixels.

    Glass and polished metal take more `samples`: only the grain of diffuse light is taken off.
    """

    build: Callable[[], object]
    view: View = STANDS
    longest: int = 560
    samples: int = 10


def render(prop: Prop, path: Path, scale: float, samples: int) -> None:
    """Builds the prop and writes it to `path` (PNG, straight alpha), `scale` times its longest side."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    prop.build()
    scene = bpy.context.scene
    corners = _points_of_all()
    size = max((a - b).length for a in _box(corners) for b in _box(corners)) / 2
    _daylight(scene, size, _box(corners), prop.view.grounded)
    _frame(scene, prop, corners, scale)
    _settings(scene, samples)
    _calm(scene)
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def _points_of_all() -> list[Vector]:
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for part in bpy.context.scene.objects:
        if part.type in {"MESH", "CURVE", "FONT", "META"} and not part.hide_render:
            shown = part.evaluated_get(graph)
            mesh = shown.to_mesh()
            points += [shown.matrix_world @ vertex.co for vertex in mesh.vertices]
            shown.to_mesh_clear()
    return points


def _box(points: Sequence[Vector]) -> list[Vector]:
    return [Vector(edge(p[axis] for p in points) for axis in range(3)) for edge in (min, max)]


def _daylight(scene: bpy.types.Scene, size: float, box: Sequence[Vector], grounded: bool) -> None:
    """A large soft window from the upper left in front, a weak one behind on the right, sky and ground."""
    sky = Shader.world(scene)
    sky.gradient(
        [(0.0, "#3f3b37"), (0.46, "#5a554f"), (0.54, "#b4b7ba"), (0.75, "#a8aeb6"), (1.0, "#9da7b3")]
    )
    middle = (box[0] + box[1]) / 2
    _window(size, middle, Vector((-2.6, -2.9, 3.6)), 2.2, 260.0, "#fff6ea")
    _window(size, middle, Vector((3.2, 2.4, 2.6)), 1.6, 60.0, "#f1f6ff")
    if grounded:
        ground = plate("ground", size * 8, size * 8, Shader("ground", color="#76716b", rough=0.9))
        ground.location.z = box[0].z
        ground.visible_camera = ground.visible_transmission = False


def _window(size: float, middle: Vector, place: Vector, width: float, power: float, color: str) -> None:
    light = bpy.data.lights.new("window", "AREA")
    light.shape = "DISK"
    light.size = width * size
    light.energy = power * size * size
    light.color = Shader.linear(color)[:3]
    part = _link(bpy.data.objects.new("window", light))
    part.location = middle + place * size
    part.rotation_euler = (-place).to_track_quat("-Z", "Y").to_euler()


def _frame(scene: bpy.types.Scene, prop: Prop, points: Sequence[Vector], scale: float) -> None:
    """Puts the camera where all points fill the frame, whose shape is that of the thing."""
    view = prop.view
    camera = bpy.data.cameras.new("camera")
    camera.lens, camera.clip_start, camera.clip_end = view.lens, 0.001, 1000.0
    part = _link(bpy.data.objects.new("camera", camera))
    part.rotation_euler = (math.radians(90 - view.down), 0, math.radians(view.turn))
    scene.camera = part
    side = part.rotation_euler.to_matrix().transposed()
    seen = [side @ point for point in points]
    wide = max(p.x for p in seen) - min(p.x for p in seen)
    tall = max(p.y for p in seen) - min(p.y for p in seen)
    unit = prop.longest * scale * 1.04 / max(wide, tall)
    scene.render.resolution_x, scene.render.resolution_y = int(wide * unit) + 8, int(tall * unit) + 8
    bpy.context.view_layer.update()
    flat = [axis for point in points for axis in point]
    part.location, _ = part.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), flat)
    part.location += part.rotation_euler.to_matrix() @ Vector((0, 0, 0.03 * max(wide, tall)))


def _settings(scene: bpy.types.Scene, samples: int) -> None:
    scene.render.engine = "CYCLES"
    scene.render.film_transparent = True
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGBA"
    scene.view_settings.view_transform = "Filmic"
    scene.view_settings.look = "Medium High Contrast"
    scene.view_settings.exposure = WHITE_EXPOSURE
    cycles = scene.cycles
    cycles.samples, cycles.seed = samples, 1
    cycles.use_denoising = False  # Debian's Blender has no denoiser: the samples must do
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.03
    cycles.film_transparent_glass, cycles.film_transparent_roughness = True, 0.2
    cycles.sample_clamp_indirect, cycles.blur_glossy = 4.0, 0.5
    cycles.diffuse_bounces, cycles.glossy_bounces = 2, 3
    cycles.max_bounces, cycles.transmission_bounces, cycles.transparent_max_bounces = 10, 10, 24
    cycles.caustics_reflective = cycles.caustics_refractive = False


def _calm(scene: bpy.types.Scene) -> None:
    """Takes the grain off the diffuse light (before color): blurred where the surface faces one way.

    Debian's Blender has no denoiser. image + (blurred light - light) * color leaves gloss and texture sharp.
    """
    layer = bpy.context.view_layer
    layer.use_pass_diffuse_direct = layer.use_pass_diffuse_indirect = layer.use_pass_diffuse_color = True
    layer.use_pass_normal = scene.use_nodes = True
    tree = scene.node_tree
    passes, out = tree.nodes["Render Layers"].outputs, tree.nodes["Composite"]

    def mixed(how: str, a: bpy.types.NodeSocket, b: bpy.types.NodeSocket) -> bpy.types.NodeSocket:
        node = tree.nodes.new("CompositorNodeMixRGB")
        node.blend_type = how
        tree.links.new(a, node.inputs[1])
        tree.links.new(b, node.inputs[2])
        return node.outputs[0]

    light = mixed("ADD", passes["DiffDir"], passes["DiffInd"])
    blur = tree.nodes.new("CompositorNodeBilateralblur")
    blur.iterations, blur.sigma_color, blur.sigma_space = 6, 0.25, 6.0
    tree.links.new(light, blur.inputs["Image"])
    tree.links.new(passes["Normal"], blur.inputs["Determinator"])
    change = mixed("MULTIPLY", mixed("SUBTRACT", blur.outputs[0], light), passes["DiffCol"])
    keep = tree.nodes.new("CompositorNodeSetAlpha")
    keep.mode = "REPLACE_ALPHA"
    tree.links.new(mixed("ADD", passes["Image"], change), keep.inputs["Image"])
    tree.links.new(passes["Alpha"], keep.inputs["Alpha"])
    tree.links.new(keep.outputs[0], out.inputs["Image"])


# Shapes. Each returns its object, linked into the scene, smooth and with its material.


def lathe(
    name: str, profile: Sequence[tuple[float, float]], look: Shader, round_: int = 128
) -> bpy.types.Object:
    """A solid of revolution about z: a smooth curve of (radius, height) points, outside from bottom up.

    A point given twice makes a sharp corner. For walls (a cup) go up the outside and down the inside.
    """
    curve = [(max(p.x, 0.0), p.y) for p in spline([Vector((r, z, 0)) for r, z in profile], 10)]
    vertices = [
        (r * math.cos(2 * math.pi * k / round_), r * math.sin(2 * math.pi * k / round_), z)
        for r, z in curve
        for k in range(round_)
    ]
    faces = joined(len(curve), round_)
    return solid(name, vertices, faces, look, weld=1e-6)


def joined(rows: int, across: int, *, closed: bool = True) -> list[tuple[int, ...]]:
    """The faces between rows of vertices, `across` in each; `closed` where a row's last meets its first."""
    return [
        (i * across + k, i * across + n, (i + 1) * across + n, (i + 1) * across + k)
        for i in range(rows - 1)
        for k in range(across if closed else across - 1)
        for n in [(k + 1) % across]
    ]


def solid(
    name: str,
    vertices: Iterable[Sequence[float]],
    faces: Iterable[Sequence[int]],
    look: Shader,
    *,
    weld: float = 0.0,
    smooth: bool = True,
) -> bpy.types.Object:
    """A mesh of its own; vertices nearer than `weld` metres become one."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v) for v in vertices], [], [tuple(f) for f in faces])
    if weld:
        _weld(mesh, weld)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    mesh.materials.append(look.material)
    return _link(bpy.data.objects.new(name, mesh))


def _weld(mesh: bpy.types.Mesh, distance: float) -> None:
    import bmesh

    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.remove_doubles(work, verts=work.verts, dist=distance)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    work.to_mesh(mesh)
    work.free()


def block(name: str, size: Sequence[float], look: Shader, edge: float = 0.0) -> bpy.types.Object:
    """A box standing on z = 0, its edges rounded by `edge` metres."""
    x, y, z = size[0] / 2, size[1] / 2, size[2]
    vertices = [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    part = solid(name, vertices, faces, look, smooth=bool(edge))
    return rounded(part, edge) if edge else part


def rounded(part: bpy.types.Object, edge: float) -> bpy.types.Object:
    """The same thing with its sharp edges (over 30 degrees) rounded by `edge` metres."""
    bevel = part.modifiers.new("edge", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = edge, 4, "ANGLE"
    bevel.harden_normals = True
    part.data.use_auto_smooth = True
    return part


def plate(name: str, wide: float, deep: float, look: Shader) -> bpy.types.Object:
    """A flat rectangle on z = 0."""
    x, y = wide / 2, deep / 2
    return solid(name, [(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2, 3)], look)


def ball(name: str, radius: float, look: Shader, detail: int = 5) -> bpy.types.Object:
    """A sphere about the origin of nearly even triangles."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=detail, radius=radius)
    part = bpy.context.object
    part.name = name
    part.data.materials.append(look.material)
    part.data.polygons.foreach_set("use_smooth", [True] * len(part.data.polygons))
    return part


def tube(
    name: str,
    path: Sequence[Sequence[float]],
    radius: float | Sequence[float],
    look: Shader,
    *,
    closed: bool = False,
    flat: float = 1.0,
    side: Sequence[float] | None = None,
) -> bpy.types.Object:
    """A round bar along a smooth path, its radius one number or one for each point.

    `flat` squeezes it across `side`, the way in which it keeps its radius.
    """
    radii = [radius] * len(path) if isinstance(radius, int | float) else radius
    dense = spline([Vector((*p, r)) for p, r in zip(path, radii, strict=True)], 12, closed=closed)
    return _swept(name, [p.to_3d() for p in dense], [p.w for p in dense], look, closed, flat, side)


def _swept(
    name: str,
    path: list[Vector],
    radii: list[float],
    look: Shader,
    closed: bool,
    flat: float,
    side: Sequence[float] | None,
) -> bpy.types.Object:
    round_, count = 32, len(path)
    ahead = [(path[min(i + 1, count - 1)] - path[max(i - 1, 0)]).normalized() for i in range(count)]
    if closed:
        ahead = [(path[(i + 1) % count] - path[i - 1]).normalized() for i in range(count)]
    across = Vector(side) if side else ahead[0].orthogonal().normalized()
    vertices: list[Vector] = []
    for centre, forward, radius in zip(path, ahead, radii, strict=True):
        across = (across - forward * across.dot(forward)).normalized()
        other = forward.cross(across)
        angles = [2 * math.pi * k / round_ for k in range(round_)]
        vertices += [centre + radius * (math.cos(a) * across + flat * math.sin(a) * other) for a in angles]
    rings = count if closed else count - 1
    faces: list[tuple[int, ...]] = [
        (i * round_ + k, i * round_ + (k + 1) % round_, j * round_ + (k + 1) % round_, j * round_ + k)
        for i in range(rings)
        for j in [(i + 1) % count]
        for k in range(round_)
    ]
    if not closed:
        faces += [tuple(range(round_))[::-1], tuple(range((count - 1) * round_, count * round_))]
    return solid(name, vertices, faces, look, weld=1e-7)


def ribbon(
    name: str,
    path: Sequence[Sequence[float]],
    width: float,
    side: Sequence[float],
    look: Shader,
    thick: float = 0.0006,
) -> bpy.types.Object:
    """A band along a smooth path, `width` broad along `side`."""
    dense, half = spline([Vector(p) for p in path], 16), Vector(side).normalized() * width / 2
    vertices = [edge for p in dense for edge in (p - half, p - half / 3, p + half / 3, p + half)]
    faces = [
        (4 * i + k, 4 * i + k + 1, 4 * i + k + 5, 4 * i + k + 4)
        for i in range(len(dense) - 1)
        for k in range(3)
    ]
    return thickened(solid(name, vertices, faces, look), thick)


def leaf(
    name: str,
    length: float,
    width: float,
    look: Shader,
    *,
    bend: float = 0.6,
    fold: float = 0.25,
    tip: float = 1.3,
) -> bpy.types.Object:
    """A pointed leaf along +x from the origin, its tip bent down by `bend` radians, its halves folded up.

    `tip` above 1 puts the broadest place nearer the stalk.
    """
    rows, half = 28, 6
    vertices, x, z = [], 0.0, 0.0
    for i in range(rows + 1):
        t = i / rows
        wide = width / 2 * math.sin(math.pi * (1 - (1 - t) ** tip) ** 0.8) ** 0.9 if 0 < i < rows else 0.0
        for k in range(-half, half + 1):
            y = wide * k / half
            vertices.append(
                (x, y, z + fold * abs(y) + 0.06 * width * math.sin(9 * t + k * 0.2) * (k / half) ** 2)
            )
        x += length / rows * math.cos(bend * t)
        z -= length / rows * math.sin(bend * t)
    faces = joined(rows + 1, 2 * half + 1, closed=False)
    return solid(name, vertices, faces, look, weld=1e-6)


def scattered(count: int) -> list[Vector]:
    """Directions evenly over the sphere (Fibonacci's spiral), from top to bottom."""
    turn = math.pi * (3 - math.sqrt(5))
    heights = [1 - 2 * (i + 0.5) / count for i in range(count)]
    return [
        Vector((math.sqrt(1 - z * z) * math.cos(turn * i), math.sqrt(1 - z * z) * math.sin(turn * i), z))
        for i, z in enumerate(heights)
    ]


def spline(points: Sequence[Vector], steps: int, *, closed: bool = False) -> list[Vector]:
    """A curve through all points (Catmull-Rom); one given twice is a corner."""
    ends = [points[-1], *points, points[0], points[1]] if closed else [points[0], *points, points[-1]]
    curve = []
    for before, a, b, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        if (b - a).length > 1e-9:
            m, n = (b - before) / 2, (after - a) / 2
            curve += [_hermite(a, b, m, n, k / steps) for k in range(steps)]
    return curve if closed else [*curve, points[-1].copy()]


def _hermite(a: Vector, b: Vector, m: Vector, n: Vector, t: float) -> Vector:
    return (
        a * (2 * t**3 - 3 * t**2 + 1)
        + m * (t**3 - 2 * t**2 + t)
        + b * (3 * t**2 - 2 * t**3)
        + n * (t**3 - t**2)
    )


# What is done to a shape afterwards.


def moved(
    part: bpy.types.Object,
    to: Sequence[float] = (0, 0, 0),
    turned: Sequence[float] = (0, 0, 0),
    scale: float | Sequence[float] = 1.0,
) -> bpy.types.Object:
    """The same thing turned (degrees about x, y, z), scaled and moved, on top of how it lay before."""
    scales = (scale,) * 3 if isinstance(scale, int | float) else scale
    turn = Matrix.LocRotScale(Vector(to), _euler(turned), Vector(scales))
    part.matrix_world = turn @ part.matrix_world
    return part


def all_turned(degrees: float) -> None:
    """Turns all that was built about the upright axis."""
    bpy.context.view_layer.update()
    for part in bpy.context.scene.objects:
        moved(part, turned=(0, 0, degrees))


def _euler(degrees: Sequence[float]) -> object:
    turn = Matrix.Identity(3)
    for axis, angle in zip("XYZ", degrees, strict=True):
        turn = Matrix.Rotation(math.radians(angle), 3, axis) @ turn
    return turn.to_euler()


def copied(part: bpy.types.Object) -> bpy.types.Object:
    """A second one in the same place, of the same mesh."""
    return _link(part.copy())


def shaped(part: bpy.types.Object, change: Callable[[Vector], Vector]) -> bpy.types.Object:
    """The same thing with every vertex (in its own coordinates) put where `change` says."""
    for vertex in part.data.vertices:
        vertex.co = change(vertex.co.copy())
    part.data.update()
    return part


def lumpy(part: bpy.types.Object, depth: float, scale: float, seed: float = 0.0) -> bpy.types.Object:
    """The same thing with bumps of `depth` metres about `scale` metres wide, out along its normals."""
    bumps = [noise.noise(v.co / scale + Vector((seed, seed, seed))) * depth for v in part.data.vertices]
    for vertex, bump, normal in zip(
        part.data.vertices, bumps, [v.normal.copy() for v in part.data.vertices], strict=True
    ):
        vertex.co += normal * bump
    part.data.update()
    return part


def smoothed(part: bpy.types.Object, levels: int = 2) -> bpy.types.Object:
    """The same thing with subdivided, rounded faces."""
    modifier = part.modifiers.new("smooth", "SUBSURF")
    modifier.levels = modifier.render_levels = levels
    return part


def thickened(part: bpy.types.Object, thickness: float) -> bpy.types.Object:
    """A sheet made `thickness` metres thick, half on either side."""
    modifier = part.modifiers.new("thick", "SOLIDIFY")
    modifier.thickness, modifier.offset = thickness, 0.0
    return part


def _link(part: bpy.types.Object) -> bpy.types.Object:
    bpy.context.scene.collection.objects.link(part)
    return part
