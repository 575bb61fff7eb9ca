"""Renders props inside Blender:

    blender -b -P editor/engine/assets/source/__main__.py -- NAME... --out FOLDER

Writes FOLDER/NAME.png at 1.25 times the asset's size; `python -m editor.engine.assets.source.finish FOLDER`
makes the assets of them. Without a name, all are rendered.
"""

import argparse
import importlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4]))

from editor.engine.assets.source.studio import Prop, render

SORTS = [
    "food",
    "sweets",
    "tableware",
    "cutlery",
    "vases",
    "household",
    "furniture",
    "trees",
    "plants",
    "outdoors",
    "built",
    "aloft",
    "play",
    "figures",
    "worn",
    "devices",
    "rides",
    "festive",
    "carried",
    "treasures",
    "harvest",
    "rooms",
    "feasts",
    "faraway",
]


def main(words: list[str]) -> None:
    """Renders the props named on the command line, one after the other."""
    parser = argparse.ArgumentParser(prog="blender -b -P editor/engine/assets/source/__main__.py --")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scale", type=float, default=1.25, help="how many times the asset's size")
    parser.add_argument("--samples", type=int, help="instead of the prop's own")
    asked = parser.parse_args(words)
    props: dict[str, Prop] = {}
    for sort in SORTS:
        if not asked.names or not props.keys() >= set(asked.names):
            props |= importlib.import_module(f"editor.engine.assets.source.{sort}").PROPS
    asked.out.mkdir(parents=True, exist_ok=True)
    for name in asked.names or props:
        samples = asked.samples or props[name].samples
        render(props[name], asked.out / f"{name}.png", asked.scale, samples)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1 :])
