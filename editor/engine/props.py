"""Props: things that Darkroom has pictures of its own of, and adds by name. Light on purpose: the language
knows them too.

The pictures stand in assets/props/NAME.webp: cut out, lit from the upper left, cropped to what is seen; what
is said of each stands beside them, in props.toml.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from editor.engine.kinds import plural_of

FOLDER = Path(__file__).parent / "assets" / "props"


@dataclass(frozen=True, slots=True)
class Prop:
    """A picture of a thing: its nouns, how tall it is, in metres, and how it `sits`: it "stands" on ground,
    "lies" on a table or the ground, "floats" on water, "flies", "hangs" on a wall, or is worn: on the "head"
    or over the "eyes".

    `colors` are those that it has; with `is_recolorable` it may get another one. `fits` are words beside the
    noun that are true of the picture. With `is_one` a noun in the plural is of the one picture. Of a
    hat `hairline` is how far below its top it meets the forehead, in its height, `head` how wide the head in
    it is, and `middle` where the middle of that is, in its width.
    """

    name: str
    nouns: str
    metres: float
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
        """What it is called in a sentence."""
        return self.nouns.partition(",")[0]


def _read() -> dict[str, Prop]:
    table = tomllib.loads((FOLDER / "props.toml").read_text())
    return {name: Prop(name, **facts) for name, facts in table.items()}


PROPS: dict[str, Prop] = _read()


def _plain(noun: str) -> str:
    return " ".join(noun.replace("-", " ").split())


def several_of(noun: str) -> str:
    """ "Cups of coffee" of "cup of coffee"."""
    head, of, rest = noun.partition(" of ")
    return plural_of(head) + of + rest


def _named() -> Iterator[tuple[str, Prop]]:
    for prop in PROPS.values():
        yield from ((noun, prop) for noun in prop.nouns.split(", "))


NOUNS: dict[str, str] = {_plain(noun): prop.name for noun, prop in _named()}
PLURALS: dict[str, str] = {
    several: prop.name
    for noun, prop in _named()
    if not prop.is_one and (several := _plain(several_of(noun))) not in NOUNS
}
"""What people call one, and several, with the name of the prop."""
