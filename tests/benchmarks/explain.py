"""Measure the time it takes to turn a prompt into a plan, and count the texts for which this fails."""

import random
import string
import sys
import time
from collections.abc import Callable, Iterable, Sequence

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
    """Measure the CPU time in this process.

    Every run of the benchmark uses the same texts.
    """
    from editor.engine.language.explain import explain
    from editor.options import Region

    boxes = [Region(0.3, 0.3, 0.4, 0.4)]
    speed = _speed(lambda text: explain(text, regions=boxes))
    failed = failures(lambda given: explain(given, photos=2, regions=boxes), mutated(MUTATED))
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


def failures(call: Callable[[str], object], texts: Iterable[str]) -> int:
    """Print the texts for which `call` raises an exception, and return their number."""
    count = 0
    for text in texts:
        try:
            call(text)
        except Exception as error:
            count += 1
            print(f"{text!r} raises {error!r}", file=sys.stderr)  # noqa: T201
    return count


def mutated(number: int, seed: int = 1) -> list[str]:
    """Return prompts and examples in which letters and words are randomly changed, and random characters."""
    from editor.engine.language.reader import reader

    prompts = [*INSTRUCTIONS, *(words for rule in reader().grammar.rules for words in rule.examples)]
    chance = random.Random(seed)
    return [_mutated(prompts, chance) for _ in range(number)]


def _mutated(prompts: Sequence[str], chance: random.Random) -> str:
    if chance.random() < 0.1:
        return "".join(chance.choices(_ALPHABET, k=chance.randint(0, 60)))
    words = " ".join(chance.sample(prompts, chance.randint(1, 2))).split(" ")
    for _ in range(chance.randint(0, 2)):
        words[chance.randrange(len(words))] = chance.choice(chance.choice(prompts).split())
    if chance.random() < 0.5:
        chance.shuffle(words)
    words = words[: chance.randint(1, len(words))]
    letters = list(chance.choice((" ", " ", "", ", ")).join(words))
    for _ in range(chance.randint(0, 6)):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randint(0, 2)] = chance.choices(_ALPHABET, k=chance.randint(0, 2))
    return "".join(letters)
