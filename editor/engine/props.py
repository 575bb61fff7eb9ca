"""Props: things that Darkroom has pictures of and can add by name.

The pictures are assets/props/NAME.webp: cut out, lit from the upper left, and cropped to what is visible. The
facts about each prop are in props.toml in the same folder. This module does not import OpenCV, because the
language needs it too.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from editor.engine.kinds import plural_of

FOLDER = Path(__file__).parent / "assets" / "props"


@dataclass(frozen=True, slots=True)
class Prop:
    """A picture of a thing that can be added to a photo.

    `nouns` are the thing's names, separated by commas. `meters` is its height in meters. `sits` says how it
    is placed: it "stands" on the ground, "lies" on a table or the ground, "floats" on water, "flies", "hangs"
    on a wall, or is worn on the "head" or over the "eyes". `colors` are the colors that it has. If
    `is_recolorable` is true, the prop can be given another color. `fits` are adjectives that are true of the
    picture. If `is_one` is true, the plural nouns also refer to the single picture.

    For a hat, `hairline` is the distance from the top of the hat to the forehead, as a share of the hat's
    height. `head` is the width of the head inside the hat, and `middle` is the horizontal center of that
    head, both as shares of the hat's width.
    """

    name: str
    nouns: str
    meters: float
    sits: str
    colors: str = ""
    is_recolorable: bool = False
    fits: str = ""
    is_one: bool = False
    hairline: float = 0.9
    head: float = 0.6
    middle: float = 0.5

    @property
    def is_worn(self) -> bool:
        return self.sits in ("head", "eyes")

    @property
    def title(self) -> str:
        """The prop's name as used in a sentence."""
        return self.nouns.partition(",")[0]


def _read() -> dict[str, Prop]:
    table = tomllib.loads((FOLDER / "props.toml").read_text())
    return {name: Prop(name, **facts) for name, facts in table.items()}


PROPS: dict[str, Prop] = _read()


def _plain(noun: str) -> str:
    return " ".join(noun.replace("-", " ").split())


def _named() -> Iterator[tuple[str, Prop]]:
    for prop in PROPS.values():
        yield from ((noun, prop) for noun in prop.nouns.split(", "))


NOUNS: dict[str, str] = {_plain(noun): prop.name for noun, prop in _named()}
# NOUNS maps the singular names of props to the props' keys, and PLURALS maps the plural names.
PLURALS: dict[str, str] = {
    several: prop.name
    for noun, prop in _named()
    if not prop.is_one and (several := _plain(plural_of(noun))) not in NOUNS
}
