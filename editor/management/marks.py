"""The command-line options for boxes and points."""

import argparse
from collections.abc import Callable

from editor.options import Point, Region


def add_marks(parser: argparse.ArgumentParser) -> None:
    """Add the options --region and --point, which collect lists of Region and Point."""
    box = "a box on the first photo, as fractions from 0 to 1: left, top, width, height; can be repeated"
    point = (
        "a point on the first photo that selects the thing that it is on, as fractions from 0 to 1; x,y,away "
        "takes the thing away from the selection; can be repeated"
    )
    _add(parser, "--region", Region.parse, "x,y,w,h", box)
    _add(parser, "--point", Point.parse, "x,y", point)


def _add[A](
    parser: argparse.ArgumentParser, name: str, parse: Callable[[str], A], form: str, help_text: str
) -> None:
    def parsed(text: str) -> A:
        try:
            return parse(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    parser.add_argument(name, type=parsed, action="append", default=[], metavar=form, help=help_text)
