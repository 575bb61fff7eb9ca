"""How fast instructions become plans, and that no string at all makes them fail."""

import random
import string
import time
from collections.abc import Callable

from tests.benchmarks import Row

MUTATED = 100_000
PLANS = 3_000
LIMIT_PER_SECOND = 400

INSTRUCTIONS = (
    "Brighten the photo a little",
    "Could someone please remove the yellow tint and make the colors pop? It's my mother's birthday. Thanks!",
    'make the background white, crop to 4:5 and add the text "Summer 2026" at the bottom right',
    "increase contrast by 20% and saturation by 30%, then sharpen the subject slightly",
    "Turn the red car blue but keep everything else as it is",
    "black and white except the face, with a thin white border",
    "It is too dark and grainy, taken at night. Less noise, more light on her face so you can see her eyes",
    "rotate 90 degrees clockwise and flip it; remove the person on the left",
)
_ALPHABET = string.printable + "äéß…“”\u2019—·\u200b\u0301漢字жש\U0001f600"


def run() -> list[Row]:
    """CPU time in this process. The strings are the same in every run."""
    from editor.engine.language.explain import explain
    from editor.options import Region

    boxes = [Region(0.3, 0.3, 0.4, 0.4)]
    speed = _speed(lambda text: explain(text, regions=boxes))
    failed = sum(
        _fails(lambda given: explain(given, photos=2, regions=boxes), text) for text in mutated(MUTATED)
    )
    return [
        Row("instructions explained", speed, LIMIT_PER_SECOND, "/s", speed >= LIMIT_PER_SECOND),
        Row(f"failures of {MUTATED} mutated strings", failed, 0, "", failed == 0),
    ]


def _speed(call: Callable[[str], object]) -> float:
    for text in INSTRUCTIONS:
        call(text)
    started = time.process_time()
    for number in range(PLANS):
        call(f"{INSTRUCTIONS[number % len(INSTRUCTIONS)]} {number}")
    return PLANS / (time.process_time() - started)


def _fails(call: Callable[[str], object], text: str) -> bool:
    try:
        call(text)
    except Exception:
        return True
    return False


def mutated(number: int, seed: int = 1) -> list[str]:
    """Instructions with letters and words lost, doubled, swapped and made up, and plain noise."""
    chance = random.Random(seed)
    return [_mutated(chance) for _ in range(number)]


def _mutated(chance: random.Random) -> str:
    if chance.random() < 0.1:
        return "".join(chance.choices(_ALPHABET, k=chance.randint(0, 60)))
    words = " ".join(chance.sample(INSTRUCTIONS, chance.randint(1, 2))).split(" ")
    if chance.random() < 0.5:
        chance.shuffle(words)
    words = words[: chance.randint(1, len(words))]
    letters = list(chance.choice((" ", " ", "", ", ")).join(words))
    for _ in range(chance.randint(0, 6)):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randint(0, 2)] = chance.choices(_ALPHABET, k=chance.randint(0, 2))
    return "".join(letters)
