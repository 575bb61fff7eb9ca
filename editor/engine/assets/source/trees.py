"""Trees and shrubs: broad-leaved ones grown by space colonization, a palm and a spruce."""

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

from mathutils import Vector, kdtree, noise

from editor.engine.assets.source.shading import Shader
from editor.engine.assets.source.shapes import Mesh, across, anywhere, bar, curve, each, egg, mottled, thin
from editor.engine.assets.source.studio import Prop, View


def tree() -> None:
    """A broad-leaved tree, 10 m tall."""
    chance = random.Random(11)
    lobes = [
        (Vector((0, 0, 6.6)), 2.5),
        (Vector((-2.3, 0.3, 5.6)), 1.7),
        (Vector((2.4, -0.4, 5.9)), 1.8),
        (Vector((0.7, -1.6, 5.0)), 1.6),
        (Vector((-0.8, 1.7, 5.6)), 1.7),
        (Vector((-1.0, -0.6, 8.2)), 1.6),
        (Vector((1.2, 0.4, 8.0)), 1.5),
        (Vector((0.2, 0.0, 9.0)), 1.0),
        (Vector((-3.0, -0.9, 4.5)), 1.0),
        (Vector((3.1, 0.8, 4.6)), 1.1),
    ]
    trunk = curve([(0, 0, 0), (0.1, 0.03, 0.8), (-0.04, 0, 1.7), (0.12, 0.05, 2.6)], 12)
    wood = grown(chance, trunk, scattered(chance, lobes, 3600), step=0.22, reach=2.4)
    bark_tubes(wood, trunk_radius=0.25, look=bark("#6b5a49"))
    foliage(chance, wood, leaf_length=0.165, sprays=3, spray=0.4, look=leafy("#4c6b22", "#6f8f2f"))


def bush() -> None:
    """A round shrub, 1.2 m tall."""
    chance = random.Random(5)
    lobes = [
        (Vector((0, 0, 0.62)), 0.46),
        (Vector((-0.36, 0, 0.42)), 0.36),
        (Vector((0.38, -0.05, 0.46)), 0.38),
        (Vector((0.08, -0.3, 0.34)), 0.34),
        (Vector((-0.22, 0.1, 0.82)), 0.26),
        (Vector((0.24, 0.1, 0.88)), 0.22),
        (Vector((-0.54, -0.14, 0.2)), 0.22),
        (Vector((0.56, -0.14, 0.2)), 0.22),
        (Vector((-0.2, -0.3, 0.16)), 0.18),
        (Vector((0.25, -0.34, 0.16)), 0.18),
    ]
    stems = curve([(0, 0, 0), (0.01, 0, 0.03), (0, 0, 0.06)], 3)
    food = [point for point in scattered(chance, lobes, 2600) if point.z > 0.05]
    wood = grown(chance, stems, food, step=0.04, reach=0.5)
    bark_tubes(wood, trunk_radius=0.03, look=bark("#5d4c3b"))
    foliage(chance, wood, leaf_length=0.052, sprays=3, spray=0.1, look=leafy("#3f6420", "#67882f"))


def scattered(chance: random.Random, lobes: Sequence[tuple[Any, float]], count: int) -> list[Any]:
    """Points in the shell of each lobe, more for a larger one, with a few left out in noisy gaps."""
    points: list[Any] = []
    weights = [radius**2 for _, radius in lobes]
    while len(points) < count:
        center, radius = chance.choices(lobes, weights)[0]
        point = center + anywhere(chance) * radius * chance.uniform(0.35, 1) ** 0.5
        if noise.noise(point * (1.1 / radius)) > -0.18:
            points.append(point)
    return points


class Wood:
    """Joints of branches: where each is, and which one it grew from (-1: none)."""

    def __init__(self, trunk: Sequence[Any]) -> None:
        self.joints = list(trunk)
        self.parents = list(range(-1, len(trunk) - 1))

    def grow(self, parent: int, joint: Any) -> None:
        self.joints.append(joint)
        self.parents.append(parent)

    def children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.joints]
        for joint, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(joint)
        return found

    def radii(self, trunk_radius: float, power: float = 2.2) -> list[float]:
        """As thick as what a joint carries: the pipe model of Shinozaki, with Leonardo's rule softened."""
        load = [0.0] * len(self.joints)
        for joint in range(len(self.joints) - 1, -1, -1):
            load[joint] = load[joint] or 1.0
            if self.parents[joint] >= 0:
                load[self.parents[joint]] += load[joint]
        return [trunk_radius * (part / load[0]) ** (1 / power) for part in load]


def grown(chance: random.Random, trunk: Sequence[Any], food: list[Any], *, step: float, reach: float) -> Wood:
    """Branches that grow towards points until each is reached (Runions and others, 2007)."""
    wood = Wood(trunk)
    for _ in range(90):
        known = kdtree.KDTree(len(wood.joints))
        for number, joint in enumerate(wood.joints):
            known.insert(joint, number)
        known.balance()
        pulls: dict[int, Any] = {}
        left = []
        for point in food:
            _, nearest, distance = known.find(point)
            if distance > step * 1.6:
                left.append(point)
            if step * 1.6 < distance < reach:
                pull = (point - wood.joints[nearest]).normalized()
                pulls[nearest] = pulls.get(nearest, Vector()) + pull
        food = left
        if not pulls or not food:
            break
        for parent, pull in pulls.items():
            way = (pull.normalized() + anywhere(chance) * 0.28 + Vector((0, 0, 0.06))).normalized()
            joint = wood.joints[parent] + way * step
            if known.find(joint)[2] > step * 0.4:
                wood.grow(parent, joint)
    return wood


def bark_tubes(wood: Wood, *, trunk_radius: float, look: Shader) -> None:
    """The branches as tubes: each runs on into its thickest child."""
    radii, children = wood.radii(trunk_radius), wood.children()
    mesh = Mesh()
    starts = [(-1, 0)]
    while starts:
        before, joint = starts.pop()
        path = [before] if before >= 0 else []
        while True:
            path.append(joint)
            after = sorted(children[joint], key=radii.__getitem__)
            if not after:
                break
            starts.extend((joint, other) for other in after[:-1])
            joint = after[-1]
        sizes = [radii[number] for number in path]
        if before >= 0:
            sizes[0] = sizes[1]
        else:
            # Roots flare out at the foot.
            sizes = [size * (1 + 0.7 * math.exp(-number * 1.1)) for number, size in enumerate(sizes)]
        if len(path) > 1:
            points = [wood.joints[number] for number in path]
            bar(mesh, points, sizes, 14 if sizes[0] > trunk_radius * 0.3 else 5)
    mesh.build("wood", look)


def bark(color: str) -> Shader:
    """Furrowed bark, its ridges running up the trunk."""
    look = Shader("bark", rough=0.92, shine=0.15)
    along = look.place((1, 1, 0.22))
    winding = look.mix(0.12, along, look.node("TexNoise", {"Vector": along, "Scale": 6.0}).outputs["Color"])
    height = look.math("MULTIPLY_ADD", look.noise(14, 8, 0.7, along), 0.6, look.cells(11, where=winding))
    shade = look.ramp(height, [(0.3, "#6a6866"), (0.62, "#c0c0c0"), (0.95, "#ffffff")])
    moss = look.math("MULTIPLY", look.between(look.noise(1.3, 5), 0.5, 0.75), 0.35)
    paint = look.mix(moss, look.mix(1.0, color, shade, "MULTIPLY"), "#5d6138")
    return look.set(color=paint, normal=look.bump(height, 0.05, strength=0.9))


def leafy(dark: str, light: str, *, rough: float = 0.42, through: float = 0.38) -> Shader:
    """A thin blade that light shines through, its green a little different from leaf to leaf."""
    look = Shader("leaf", rough=rough, shine=0.35)
    tint = look.ramp(each(look), [(0.0, dark), (0.75, light), (1.0, "#97a03c")])
    return thin(look.set(color=tint), through, look.mix(0.5, tint, "#b9c83a"))


def foliage(
    chance: random.Random, wood: Wood, *, leaf_length: float, sprays: int, spray: float, look: Shader
) -> None:
    """Sprays of leaves on the last joints of every twig."""
    mesh = Mesh()
    children, radii = wood.children(), wood.radii(1.0)
    thin = sorted(radii)[int(len(radii) * 0.72)]
    for joint, place in enumerate(wood.joints):
        if radii[joint] > thin or wood.parents[joint] < 0:
            continue
        ahead = (place - wood.joints[wood.parents[joint]]).normalized()
        for _ in range(sprays + (0 if children[joint] else 1)):
            way = (ahead + anywhere(chance) * 0.9 + Vector((0, 0, -0.12))).normalized()
            _spray(chance, mesh, place, way, spray * chance.uniform(0.6, 1.15), leaf_length)
    mesh.build("leaves", look, smooth=False)


def _spray(chance: random.Random, mesh: Mesh, start: Any, way: Any, length: float, leaf: float) -> None:
    for number in range(8):
        share = (number + 1) / 8
        place = start + way * (length * share) + Vector((0, 0, -0.16 * length * share * share))
        side = across(way)[0] * (1 if number % 2 else -1)
        ahead = (way * 0.7 + side * 0.8 + anywhere(chance) * 0.45 + Vector((0, 0, -0.2))).normalized()
        up = (Vector((0, 0, 1)) + anywhere(chance) * 0.75).normalized()
        blade(mesh, place, ahead, up, leaf * chance.uniform(0.65, 1.15))


def blade(mesh: Mesh, base: Any, ahead: Any, up: Any, length: float, width: float = 0.27) -> None:
    """An ovate leaf of seven corners, folded a little along its middle."""
    side = ahead.cross(up).normalized()
    lift = side.cross(ahead) * (length * 0.07)
    middle, tip = base + ahead * (length * 0.5) - lift * 0.4, base + ahead * length - lift * 1.4
    near, far = ahead * (length * 0.3), ahead * (length * 0.68)
    wide, slim = side * (length * width), side * (length * width * 0.72)
    verts = [
        base,
        middle,
        tip,
        base + near - wide + lift,
        base + far - slim + lift,
        base + near + wide + lift,
        base + far + slim + lift,
    ]
    mesh.add(verts, [(0, 1, 2, 4, 3), (0, 5, 6, 2, 1)])


def palm_tree() -> None:
    """A coconut palm, 9 m tall, that leans."""
    chance = random.Random(3)
    path = curve([(0, 0, 0), (0.25, 0, 1.6), (0.75, 0.05, 3.6), (1.05, 0, 5.4), (1.2, 0, 6.6)], 152)
    swell = [0.17 + 0.13 * math.exp(-n / 9) - 0.05 * n / 152 + 0.012 * (n % 3 == 0) for n in range(153)]
    trunk = Mesh()
    bar(trunk, path, swell, 20)
    trunk.build("trunk", _ringed_bark())
    crown = Mesh()
    for number in range(34):
        turn = number * 2.39996 + chance.uniform(-0.2, 0.2)
        rise = 1.3 - 1.75 * (number / 33) + chance.uniform(-0.12, 0.12)
        _frond(
            chance,
            crown,
            path[-1] + Vector((0, 0, 0.1)),
            turn,
            rise,
            chance.uniform(2.7, 3.4),
            int(number > 31),
        )
    dry = leafy("#8a6d3c", "#a98a50", rough=0.7, through=0.15)
    crown.build("fronds", leafy("#49671f", "#78903a", rough=0.33, through=0.3), dry, smooth=False)
    _coconuts(chance, path[-1])


def _frond(
    chance: random.Random, mesh: Mesh, base: Any, turn: float, rise: float, length: float, slot: int
) -> None:
    """A feather leaf: a rib that bows under its own weight, with leaflets in two rows."""
    way = Vector((math.cos(turn), math.sin(turn), 0))
    rib, place, slope = [base], base.copy(), rise
    for step in range(30):
        slope -= (0.006 + 0.05 * (step / 30) ** 1.3) * (0.75 + 0.9 * math.cos(rise))
        place = place + (way * math.cos(slope) + Vector((0, 0, math.sin(slope)))) * (length / 30)
        rib.append(place.copy())
    bar(mesh, rib, [0.045 * (1 - 0.9 * n / 30) for n in range(31)], 5, slot)
    for number in range(150):
        share = 0.14 + 0.86 * (number // 2) / 75
        spot = min(int(share * 30), 29)
        ahead = (rib[spot + 1] - rib[spot]).normalized()
        start = rib[spot].lerp(rib[spot + 1], share * 30 - spot)
        side = ahead.cross(Vector((0, 0, 1))).normalized() * (1 if number % 2 else -1)
        out = (
            side + ahead * (0.45 + 0.6 * share) + anywhere(chance) * 0.13 + Vector((0, 0, 0.18))
        ).normalized()
        size = 0.75 * math.sin(math.pi * min(1, 0.22 + 0.74 * share)) ** 0.7 * chance.uniform(0.85, 1.1)
        _leaflet(mesh, start, out, size, 0.05, slot)


def _leaflet(mesh: Mesh, start: Any, out: Any, length: float, width: float, slot: int) -> None:
    """A narrow strip that hangs more towards its tip."""
    verts = []
    place, way = start.copy(), out.copy()
    for number, share in enumerate((0.35, 1.0, 0.85, 0.5, 0.04)):
        side = way.cross(Vector((0, 0, 1))).normalized() * (width * share / 2)
        keel = Vector((0, 0, -width * 0.25 * share))
        verts += [place - side, place + keel, place + side]
        way = (way + Vector((0, 0, -0.17 - 0.08 * number))).normalized()
        place = place + way * (length / 4)
    faces = [(3 * n + k, 3 * n + k + 1, 3 * n + k + 4, 3 * n + k + 3) for n in range(4) for k in (0, 1)]
    mesh.add(verts, faces, slot)


def _coconuts(chance: random.Random, top: Any) -> None:
    mesh = Mesh()
    for number in range(7):
        turn = number * 0.9 + chance.uniform(-0.2, 0.2)
        middle = top + Vector((0.27 * math.cos(turn), 0.27 * math.sin(turn), -0.14 - chance.uniform(0, 0.14)))
        egg(mesh, middle, 0.13, 0.16)
    mesh.build("coconuts", mottled("coconut", "#8a7a34", rough=0.5, scale=5))


def _ringed_bark() -> Shader:
    look = Shader("palm bark", rough=0.9, shine=0.15)
    paint = look.ramp(look.noise(9, 8, 0.7), [(0.28, "#4a4037"), (0.5, "#84776a"), (0.72, "#a79a8a")])
    rings = look.node(
        "TexWave",
        {"Scale": 2.6, "Distortion": 1.2, "Detail": 3.0, "Vector": look.place()},
        bands_direction="Z",
    ).outputs["Fac"]
    paint = look.mix(0.55, paint, look.ramp(rings, [(0.0, "#929292"), (0.3, "#ffffff")]), "MULTIPLY")
    height = look.math("ADD", rings, look.noise(20, 6, 0.7, look.place((1, 1, 0.3))))
    return look.set(color=paint, normal=look.bump(height, 0.04, strength=0.7))


def pine() -> None:
    """A spruce, 11 m tall: whorls of boughs that hang and turn up at their ends."""
    chance = random.Random(8)
    wood, needles = Mesh(), Mesh()
    trunk = curve([(0, 0, 0), (0.04, 0, 3.5), (-0.03, 0.02, 7), (0, 0, 11)], 30)
    bar(wood, trunk, [0.2 * (1 - n / 31) + 0.012 for n in range(31)], 12)
    height = 0.75
    while height < 10.75:
        share = 1 - height / 11
        for number in range(7 if share > 0.1 else 5):
            turn = math.tau * number / 7 + height * 3.1 + chance.uniform(-0.3, 0.3)
            length = (0.14 + 2.65 * share**0.85) * chance.uniform(0.68, 1.12)
            at = Vector((0, 0, height + chance.uniform(-0.12, 0.12)))
            _bough(chance, wood, needles, at, turn, length, 0.62 - 1.05 * min(1, share * 1.35))
        height += 0.2 + 0.16 * share
    _bough(chance, wood, needles, Vector((0, 0, 10.6)), 0.0, 0.5, 1.55)
    wood.build("wood", bark("#5f5148"))
    needles.build("needles", leafy("#1f3a1e", "#3b5a2b", rough=0.5, through=0.18), smooth=False)


def _bough(
    chance: random.Random, wood: Mesh, needles: Mesh, base: Any, turn: float, length: float, rise: float
) -> None:
    way = Vector((math.cos(turn), math.sin(turn), 0))
    side = Vector((-way.y, way.x, 0))
    line = []
    for step in range(9):
        share = step / 8
        lift = length * (rise * share * 0.7 + 0.26 * share**3 - 0.1 * share)
        line.append(
            base + way * (length * share) + Vector((0, 0, lift)) + anywhere(chance) * (0.012 * length)
        )
    bar(wood, line, [0.028 * (1 - 0.85 * n / 8) * (0.4 + length / 3) for n in range(9)], 5)
    _needled(chance, needles, line)
    twigs = max(2, int(length / 0.085))
    for number in range(twigs):
        share = 0.12 + 0.86 * number / twigs
        spot = min(int(share * 8), 7)
        start = line[spot].lerp(line[spot + 1], share * 8 - spot)
        out = (side * (1 if number % 2 else -1) + way * chance.uniform(0.5, 1.0)).normalized()
        reach = (0.1 + 0.3 * length * (1 - share) ** 0.8) * chance.uniform(0.7, 1.1)
        hang = Vector((0, 0, -chance.uniform(0.15, 0.45)))
        twig = [start + (out * s + hang * s * s) * reach for s in (0, 0.33, 0.66, 1)]
        _needled(chance, needles, twig)


def _needled(chance: random.Random, needles: Mesh, line: Sequence[Any]) -> None:
    """Needles all around a twig, leaning forward."""
    for start, end in itertools.pairwise(line):
        ahead = end - start
        count = max(2, int(ahead.length / 0.011))
        way = ahead.normalized()
        for number in range(count):
            place = start + ahead * (number / count)
            out = (way * 0.8 + anywhere(chance)).normalized()
            side = out.cross(anywhere(chance)).normalized() * 0.0075
            needles.add([place - side, place + side, place + out * chance.uniform(0.06, 0.1)], [(0, 1, 2)])


TALL = View(down=5, lens=85)
PROPS = {
    "tree": Prop(tree, TALL, longest=640),
    "palm_tree": Prop(palm_tree, TALL, longest=640),
    "pine": Prop(pine, TALL, longest=640),
    "bush": Prop(bush, View(down=9)),
}
