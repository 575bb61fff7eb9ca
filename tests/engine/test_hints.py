"""Some rules read the English text of a hint. These tests list the hints that the rules are about.

If a test fails because you changed a sentence, put the new sentence into the set that says what it means. If
the sentence asks for a box or for a place, it must contain the words that the rule looks for. Otherwise, a
button disappears.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editor.engine.errors import OperationError
from editor.engine.plan import Reason, Refusal
from editor.sentences import Sentence

ENGINE = Path("editor/engine")
# Sentences outside the language that ask for a box, or for a better one.
ASKING_FOR_A_BOX = {
    "Choose another place, or draw a second box around a free one.",
    "Choose another side, or draw a box where it should go.",
    "Click the %(noun)s in the photo, or draw a box around it.",
    "Click the %(noun)s in the photo, or draw a box around them.",
    "Draw a box around each face. I cover every box, even if I can't find a face in it. To hide only "
    "the faces that I found, ask for “the visible faces”.",
    "Draw a box around each of the %(noun)s.",
    "Draw a box around each one.",
    "Draw a box around each part to change.",
    "Draw a box around it, or say “on the faces”.",
    "Draw a box around it.",
    "Draw a box around one line.",
    "Draw a box around the %(noun)s.",
    "Draw a box around the dusty area.",
    "Draw a box around the face.",
    "Draw a box around the subject.",
    "Draw a box around the teeth.",
    "Draw a box around the text only, close to its letters.",
    "Draw a box around what to keep, and say “crop to the box”.",
    "Draw a box around what to remove.",
    "Draw a box close around each one.",
    "Draw a box where it should go, or say where, for example “on the left” or “next to the woman”.",
    "Draw a box where it should go.",
    "Draw a larger box.",
    "Draw a separate box around each %(noun)s.",
    "Draw a separate box around each red eye.",
    "Draw a separate box close around each word.",
    "Draw a slightly wider box around it, or blur the background, which works with a rough outline.",
    "Draw a slightly wider box around it.",
    "Draw a slightly wider box around one whole thing.",
    "Draw a slightly wider box, with some of the surroundings.",
    "Draw the box around all of it, with a little space on each side.",
    "Draw the box around everything to crop off, up to the edge of the photo.",
    "Draw the box around the %(noun)s only, without the face.",
    "I can't find anything where you clicked. Draw a box around it instead.",
    "I can't tell what you clicked in this photo. Draw a box around it instead.",
    "Name a ratio such as 4:3, or draw a box around what to keep.",
    "Name its color, for example “the red %(noun)s”, or draw the box around all of it.",
    "Name their color, for example “the red %(noun)s”, or draw the box around all of them.",
    "Name the color, for example “the red %(noun)s”, or draw a box around the %(noun)s.",
    "Quote the old text too, or draw a box around it.",
    "Say where it is, for example “at the bottom right”, or draw a box around it.",
    "Say where the %(noun)s is, for example “on the left”, or draw a box around it.",
    "Use fewer letters, or draw a wider box.",
}
# Other sentences about boxes, which are not hints, and the name of a thing.
MENTIONING_A_BOX = {
    "I can't find any teeth in the box.",
    "I can't make out any letters in the box.",
    "I can't tell what is in the box from what is around it.",
    "I couldn't tell the %(color)s part from what is around it, so I changed the whole box.",
    "I couldn't tell the %(noun)s from what is around it, so I changed the whole box.",
    "I didn't find a face in a box, so I covered the whole box.",
    "One box contains several %(noun)s.",
    "The box contains many lines of text.",
    "The box doesn't reach the %(place)s of the photo.",
    "The box is too small for it.",
    "There is no box on this photo.",
    "box",
    "thing in the box",
}
# Hints to draw a box where something should go. A click on a thing cannot replace such a box.
ASKING_FOR_A_PLACE = {
    "Choose another side, or draw a box where it should go.",
    "Draw a box where it should go, or name something else next to it.",
    "Draw a box where it should go, or say where, for example “on the left” or “next to the woman”.",
    "Draw a box where it should go, or say where, for example “on the left”, “on the table”, or "
    "“next to the woman”.",
    "Draw a box where it should go.",
    "I don't have a photo of %(name)s. Draw a box where it should go, and I can add it as an emoji.",
    "I don't have a photo of %(name)s. Draw a box where they should go, and I can add them as an emoji.",
}
# Hints with the same words that do not ask for a box, or for a box around something that should disappear.
MENTIONING_A_PLACE = {
    "I can't draw furniture. Attach a photo of a piece and say where it should go.",
    "I can't draw new things. Attach a photo of it and say where it should go, or ask for an emoji of it.",
    "I don't decide which things should go. Name them, or draw a box around each one and say “remove this”.",
    "Say what should go. To keep only the subject, say “remove the background”.",
    "Say “flip the photo”, or say where the thing should go, for example “move the dog to the left”.",
    "To remove margins, say “crop off the white borders”. Otherwise, draw a box around what should go.",
}


def test_every_sentence_about_a_box_is_known() -> None:
    about_boxes = {
        one for one in _sentences(outside_language=True) if re.search(r"\bbox", one, re.IGNORECASE)
    }
    assert about_boxes == ASKING_FOR_A_BOX | MENTIONING_A_BOX


@pytest.mark.parametrize("hint", sorted(ASKING_FOR_A_BOX))
def test_an_error_with_a_hint_to_draw_a_box_asks_for_a_box(hint: str) -> None:
    assert OperationError(Reason.NEEDS_REGION, Sentence("No."), Sentence(hint)).asks_for_box


def test_every_hint_about_a_place_is_known() -> None:
    about_places = {one for one in [*_sentences(), *_declared_hints()] if "should go" in one}
    assert about_places == ASKING_FOR_A_PLACE | MENTIONING_A_PLACE


@pytest.mark.parametrize("hint", sorted(ASKING_FOR_A_PLACE))
def test_a_refusal_with_a_hint_to_draw_a_box_in_a_place_needs_a_place(hint: str) -> None:
    assert Refusal("a kite", Reason.NEEDS_REGION, Sentence(hint)).needs_place


def _sentences(*, outside_language: bool = False) -> Iterator[str]:
    """Yield the English texts of all sentences in the code of the engine."""
    for path in ENGINE.rglob("*.py"):
        if outside_language and "language" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name("Sentence"), args=[ast.Constant(str(text)), *_]):
                    yield text


def _declared_hints() -> Iterator[str]:
    """Yield the hints in the declarations of operations and in the grammar."""
    for path in ENGINE.rglob("*.toml"):
        yield from _hints(tomllib.loads(path.read_text("utf-8")))


def _hints(data: Any) -> Iterator[str]:
    for part in data if isinstance(data, list) else ():
        yield from _hints(part)
    for name, value in data.items() if isinstance(data, dict) else ():
        if isinstance(value, str) and name in ("hint", "alone"):
            yield value
        elif isinstance(value, dict) and name == "never":
            yield from value.values()
        else:
            yield from _hints(value)
