"""The command-line option for boxes."""

import argparse

from editor.options import Region


def add_regions(parser: argparse.ArgumentParser) -> None:
    """Add the option --region, which collects a list of Region as `region`."""
    box = "a box on the first photo, as fractions from 0 to 1: left, top, width, height; can be repeated"
    parser.add_argument("--region", type=_region, action="append", default=[], metavar="x,y,w,h", help=box)


def _region(text: str) -> Region:
    try:
        return Region.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
