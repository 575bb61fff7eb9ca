"""Materials out of shader nodes, written short: a `Shader` is one Principled surface and what feeds it."""

from collections.abc import Sequence
from typing import Any

import bpy

INPUTS = {
    "color": "Base Color",
    "rough": "Roughness",
    "metal": "Metallic",
    "soft": "Subsurface",
    "soft_depth": "Subsurface Radius",
    "shine": "Specular",
    "coat": "Clearcoat",
    "coat_rough": "Clearcoat Roughness",
    "sheen": "Sheen",
    "clear": "Transmission",
    "ior": "IOR",
    "glow": "Emission",
    "glow_power": "Emission Strength",
    "alpha": "Alpha",
    "normal": "Normal",
}


class Shader:
    """A material; its keywords are those of INPUTS, a color "#rrggbb" (sRGB), or sockets made by its methods.

    `paint = Shader("paint", rough=0.4); paint.set(color=paint.mix(paint.noise(30), "#a11", "#d33"))`
    """

    def __init__(self, name: str, **inputs: Any) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.surface = self.tree.nodes["Principled BSDF"]
        self.surface.subsurface_method = "RANDOM_WALK"
        self.set(**inputs)

    @classmethod
    def world(cls, scene: bpy.types.Scene) -> "Shader":
        """The surroundings of a scene, to be given a `gradient`."""
        shader = cls.__new__(cls)
        scene.world = bpy.data.worlds.new("sky")
        scene.world.use_nodes = True
        shader.tree = scene.world.node_tree
        return shader

    def gradient(self, colors: Sequence[tuple[float, str]]) -> None:
        """The world's light from straight below (0) to straight above (1), uneven to liven metal."""
        place = self.node("TexCoord").outputs["Generated"]
        height = self.math("MULTIPLY_ADD", self.part(place, "Z"), 0.5, 0.5)
        walls = self.ramp(self.noise(2.1, 2, 0.5, place, 0.6), [(0.4, "#7a7a7a"), (0.6, "#ffffff")])
        color = self.mix(1.0, self.ramp(height, colors), walls, "MULTIPLY")
        self.link(color, self.tree.nodes["Background"].inputs["Color"])
        self.link(1.3, self.tree.nodes["Background"].inputs["Strength"])

    def set(self, **inputs: Any) -> "Shader":
        """Gives the surface these inputs and returns the shader itself."""
        for name, value in inputs.items():
            self.link(value, self.surface.inputs[INPUTS[name]])
            if name == "color":
                self.link(value, self.surface.inputs["Subsurface Color"])
        return self

    @staticmethod
    def linear(color: str) -> tuple[float, float, float, float]:
        """The linear light of an sRGB color "#rrggbb" or "#rgb", with alpha 1."""
        digits = color[1:] if len(color) == 7 else "".join(d * 2 for d in color[1:])
        shares = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
        light = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return light[0], light[1], light[2], 1.0

    def link(self, value: Any, socket: Any) -> None:
        """Feeds an input with another node's output, a color or a plain number."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = self.linear(value) if isinstance(value, str) else value

    def node(self, kind: str, inputs: dict[Any, Any] | None = None, **settings: Any) -> Any:
        """A node of the type "ShaderNode" + kind; `inputs` by name or number."""
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        for key, value in (inputs or {}).items():
            self.link(value, node.inputs[key])
        return node

    def place(self, scale: Sequence[float] = (1, 1, 1), shift: Sequence[float] = (0, 0, 0)) -> Any:
        """The point in the thing's own coordinates (metres), stretched and shifted."""
        where = self.node("TexCoord").outputs["Object"]
        inputs = {"Vector": where, "Scale": tuple(scale), "Location": tuple(shift)}
        return self.node("Mapping", inputs).outputs[0]

    def part(self, vector: Any, axis: str) -> Any:
        """The X, Y or Z of a vector."""
        return self.node("SeparateXYZ", {0: vector}).outputs[axis]

    def meridians(self, along: float = 0.0) -> Any:
        """The direction about z (a circle of radius 1), the height times `along`: for streaks."""
        x, y, z = (self.part(self.place(), axis) for axis in "XYZ")
        far = self.math("SQRT", self.math("ADD", self.math("MULTIPLY", x, x), self.math("MULTIPLY", y, y)))
        inputs = {
            0: self.math("DIVIDE", x, far),
            1: self.math("DIVIDE", y, far),
            2: self.math("MULTIPLY", z, along),
        }
        return self.node("CombineXYZ", inputs).outputs[0]

    def turn(self) -> Any:
        """The angle about z, -pi to pi."""
        x, y = (self.part(self.place(), axis) for axis in "XY")
        return self.node("Math", {0: y, 1: x}, operation="ARCTAN2").outputs[0]

    def near_axis(self, far: float, near: float) -> Any:
        """1 within `near` metres of the z axis, 0 beyond `far`."""
        x, y = (self.part(self.place(), axis) for axis in "XY")
        away = self.math("SQRT", self.math("ADD", self.math("MULTIPLY", x, x), self.math("MULTIPLY", y, y)))
        return self.between(away, far, near)

    def bent(self, depth: float, scale: float) -> Any:
        """The point shifted by noise, so that what is drawn there is not too even."""
        shift = self.node("TexNoise", {"Vector": self.place(), "Scale": scale}).outputs["Color"]
        inputs = {0: shift, 1: (depth,) * 3, 2: self.place()}
        return self.node("VectorMath", inputs, operation="MULTIPLY_ADD").outputs[0]

    def height(self, low: float, high: float) -> Any:
        """0 at z = low to 1 at z = high (metres, the thing's own coordinates)."""
        inputs = {"Value": self.part(self.place(), "Z"), "From Min": low, "From Max": high}
        return self.node("MapRange", inputs).outputs[0]

    def noise(
        self, scale: float, detail: float = 3, rough: float = 0.5, where: Any = None, twist: float = 0.0
    ) -> Any:
        """Cloudy noise about 0.5, `scale` clouds a metre."""
        inputs = {"Scale": scale, "Detail": detail, "Roughness": rough, "Distortion": twist}
        return self.node("TexNoise", inputs | {"Vector": where or self.place()}).outputs["Fac"]

    def cells(self, scale: float, feature: str = "F1", where: Any = None) -> Any:
        """The distance to the nearest of scattered points, `scale` points a metre."""
        inputs = {"Scale": scale, "Vector": where or self.place()}
        return self.node("TexVoronoi", inputs, feature=feature).outputs["Distance"]

    def rings(self, scale: float, twist: float = 3.0, where: Any = None, axis: str = "Z") -> Any:
        """Year rings about an axis: wood grain when `where` is stretched along it."""
        inputs = {"Scale": scale, "Distortion": twist, "Detail": 3, "Vector": where or self.place()}
        settings = {"wave_type": "RINGS", "rings_direction": axis}
        return self.node("TexWave", inputs, **settings).outputs["Fac"]

    def math(self, how: str, a: Any, b: Any = 0.0, c: Any = 0.0) -> Any:
        """Arithmetic on numbers: "ADD", "MULTIPLY", "POWER", "MULTIPLY_ADD"..."""
        return self.node("Math", {0: a, 1: b, 2: c}, operation=how).outputs[0]

    def ramp(self, value: Any, colors: Sequence[tuple[float, str]]) -> Any:
        """Colors at places between 0 and 1, blended in between."""
        node = self.node("ValToRGB", {0: value})
        stops = node.color_ramp.elements
        while len(stops) < len(colors):
            stops.new(0.5)
        while len(stops) > len(colors):
            stops.remove(stops[-1])
        for stop, (place, color) in zip(stops, colors, strict=True):
            stop.position, stop.color = place, self.linear(color)
        return node.outputs["Color"]

    def between(self, value: Any, low: float, high: float) -> Any:
        """0 where the value is below low, 1 above high, a soft step in between."""
        inputs = {"Value": value, "From Min": low, "From Max": high}
        return self.node("MapRange", inputs, interpolation_type="SMOOTHSTEP").outputs[0]

    def mix(self, share: Any, a: Any, b: Any, how: str = "MIX") -> Any:
        """Color a where the share is 0, b where it is 1."""
        return self.node("MixRGB", {0: share, 1: a, 2: b}, blend_type=how).outputs[0]

    def bump(self, height: Any, depth: float, onto: Any = None, strength: float = 1.0) -> Any:
        """A normal for `set(normal=...)`: relief `depth` metres deep where height goes from 0 to 1."""
        node = self.node("Bump", {"Height": height, "Distance": depth, "Strength": strength})
        if onto is not None:
            self.link(onto, node.inputs["Normal"])
        return node.outputs[0]


def glass(name: str = "glass", tint: str = "#ffffff", rough: float = 0.0) -> Shader:
    """Clear glass, through which the render stays transparent."""
    return Shader(name, color=tint, clear=1.0, ior=1.45, rough=rough)


def wood(name: str, dark: str, light: str, along: str = "Z", scale: float = 1.0) -> Shader:
    """Planed, oiled wood whose grain runs along an axis; `scale` 1 has rings about 1 cm apart."""
    look = Shader(name, rough=0.45)
    stretch = [scale * (0.06 if axis == along else 1.0) for axis in "XYZ"]
    where = look.place(stretch, (0.31, 0.17, 0.05))
    grain = look.rings(10, 7.0, where, along)
    fibre = look.noise(420 * scale, 4, 0.6, look.place([0.03 if axis == along else 1.0 for axis in "XYZ"]))
    color = look.ramp(
        look.math("MULTIPLY_ADD", fibre, 0.7, look.math("MULTIPLY", grain, 0.3)),
        [(0.2, dark), (0.8, light)],
    )
    return look.set(color=color, normal=look.bump(fibre, 0.0003 / scale, strength=0.4))


def metal(name: str, color: str = "#c9cacc", rough: float = 0.18) -> Shader:
    """Polished metal, slightly uneven in its polish."""
    look = Shader(name, color=color, metal=1.0)
    return look.set(rough=look.math("MULTIPLY_ADD", look.noise(40), 0.1, rough))
