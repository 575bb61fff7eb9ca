"""The parts of a sentence, before they become steps."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from editor.engine.kinds import is_plural, kinds_of, plural_of, singular_of
from editor.engine.language.chart import Edge
from editor.engine.language.findable import class_of
from editor.engine.language.tokens import Token
from editor.engine.plan import Reason, Target
from editor.sentences import Sentence

# A target, as a construction describes it. A description contains only the keys that have a value:
#
# - what: as in `Target`, or "it", "this", "rest", "photo", or "photos". Without it, the target is a thing.
# - noun, color, place, count: as in `Target`
# - of: the noun of the owner, as in "the man's hat"
# - photo: the number of a photo, as in "the second photo"; 0 for "the other photo"
# - box: the number of a box, as in "the car in box 2"
# - several: true for "them", and for a singular noun that stands for all things of its kind: "every car"
# - described: true if words that the engine cannot check distinguish the thing, as in "the small dog"; "worn"
#   if only a box can show the thing, as in "the woman between the men"; "idle" if the words select nothing
# - pointed: the word that points at the thing, as in "these cars"
# - is_one: true for one of several things that another word selects, as in "one of the cars, the red one"
# - is_shown: true if the words describe the content of a box, as in "this old thing here"
# - is_alike: true if the noun is that of the wish before, as in "all but the two on the left"
# - is_plain: in a remark, true if "it" afterwards means the photo, as in "the weather was bad, brighten it"
# - either: lists of descriptions, of which only one may name a part of the photo, as in "sharpen the photo in
#   the face". In this case, there is no other key.
type Description = Mapping[str, Any]
# A wish. Besides the fields of its operation, a wish and each of its changes may have these keys:
#
# - operation: the name of the operation
# - target: the description of what should change, or a list of descriptions
# - each: the changes, if there are several. The keys of a change override those of the wish.
# - keep: the description of what should stay as it is, or a list of descriptions
# - photo: the number of the photo that the step uses, or 0 for "the other photo"
# - amount: the stated amount, which is `share` (from -1 to 1), a number under the name of its unit, `measure`
#   (a number and its unit), `dial` (the position of a slider), `moved` (how far to move a slider), or `grown`
#   (the percentage by which a size changes)
# - usual: the share if no amount is stated; "none" if the step then has no amount
# - more: true if the change says only "more", as in "more contrast"
# - sign, turn, slide: 1 or -1. Their product is the direction. The sign is that of the word ("darker"), the
#   turn is -1 for a complaint ("too dark"), and the slide is that of a verb ("reduce").
# - again: true if the change continues the wish before it, as in "more contrast, and saturation"
# - vague: true if a wish names what should change but not how, as in "adjust the brightness"
# - of_colors: true if a word for tones is about colors, as in "make the colors brighter"
# - bare: true if the wish names nothing else, which only rules of `becomes` use
# - context: the context of the photo, such as "night", which only rules of `becomes` use
# - faulty: true if the wish only names a fault, as in "the photo is crooked"
# - mends: true if the wish only asks to mend a fault that is named before it, as in "fix it"
# - unsure: true if an adjective may be a complaint or a wish, as in "hazy"
type WishValues = Mapping[str, Any]

# Words for the owners of faces that refer to everyone in the photo.
EVERYBODY = frozenset({"people", "persons", "everyone", "everybody"})
# Values of `what` for targets that are the whole photo if no box is drawn.
PHOTO_TARGETS = frozenset({"whole", "it", "this", "photo", "photos"})


@dataclass(frozen=True)
class UserInput:
    """A user's input: the instruction, the number of photos, and the numbers of the boxes on photo 1.

    If the user selected a thing by clicking it, the last box is around that thing. `selected` is then the
    detector's name for the thing, or "". `names_photo` is true if the instruction mentions the photo.
    """

    instruction: str
    photos: int = 1
    boxes: tuple[int, ...] = ()
    names_photo: bool = False
    selected: str | None = None

    def text_of(self, span: tuple[int, int]) -> str:
        """Return the words between these offsets of the instruction, without spaces around them."""
        return self.instruction[slice(*span)].strip()


class InterpretationError(ValueError):
    """Raised when the words make no sense in this context; `hint` says what would help.

    `instead` maps a word to its possible replacements.
    """

    def __init__(
        self, reason: Reason, hint: Sentence, instead: Mapping[str, Sequence[str]] = MappingProxyType({})
    ) -> None:
        super().__init__(hint)
        self.reason = reason
        self.hint = hint
        self.instead = instead

    def nearest(self, words: str) -> Iterator[str]:
        """Yield the words with one word replaced, once for each possible replacement."""
        for old, others in self.instead.items():
            for new in others:
                text, changes = re.subn(rf"\b{re.escape(old)}\b", new, words, count=1, flags=re.IGNORECASE)
                if changes:
                    yield text


@dataclass(frozen=True)
class SentencePart:
    """A part of a sentence.

    `words` are the offsets of the part in the instruction. `edge` is the edge of the chart from which the
    part was read. `value` depends on the `role`:

    - "wish": a change, as WishValues
    - "spared" (something to keep): a description or a list of descriptions
    - "moderate" ("but not too much"): not used
    - "refined" (a later remark on a wish): `scale`, `amount`, or what replaces parts of the target
    - "remark" (what a thing is like): the thing's description as `target`, and `is_story`, which is true if
      the remark may be part of a story
    - "aim" (what the next wish is for): a description
    - "aside": one of `context` (such as "night"), `purpose` (with `likened` if the purpose is a comparison),
      `inherent` (the operation that keeps the named thing as it is), `excluded` (a color that must not be
      used), `hint` (why the wish before it is refused; with `of_all` only if that wish is about everything,
      and with `hides` only if it does not hide what `hidden` describes),
      `alternative` (the wish after "or"), and `alone` (the hint if the prompt requests nothing else)
    - a refusal: the `reason`, `hint`, `nearest`, `instead`, and `limits` of its construction
    """

    role: str
    value: Any
    words: tuple[int, int]
    edge: Edge


@dataclass
class Clause:
    """The text between two joining words or stops: its parts, and the words that no construction claims."""

    parts: list[SentencePart] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    gap: tuple[int, int] = (0, 0)  # offsets of the first unread words in the text
    start: int = -1  # offsets of the clause in the text, without courteous words at its ends
    end: int = -1
    is_restricting: bool = False  # whether the unread words may forbid something
    story: tuple[int, int] = (0, 0)  # offsets of words that request nothing and may tell what is wrong
    has_aside: bool = False  # whether some of its words request nothing, and may name something
    told: list[tuple[int, int]] = field(default_factory=list)  # offsets of all words that only tell something
    # ",", "and", "but", "because", or "with" if the clause may describe what the clause before it names
    link: str = ""
    tokens: tuple[int, int] = (0, 0)  # the first token, and the stop or joining word after the last one

    def extend(self, start: int, end: int) -> None:
        self.start, self.end = start if self.start < 0 else self.start, end

    def add_unread(self, word: Token, tokens: Sequence[Token]) -> None:
        """Record an unread word, and extend the first gap if the word follows directly."""
        if not self.unread:
            self.gap = (word.start, word.end)
        elif not any(self.gap[1] <= one.start < word.start for one in tokens):
            self.gap = (self.gap[0], word.end)
        self.unread.append(word.text)


def is_about(words: str, others: str) -> bool:
    """Return whether one of two parts of an instruction contains the other."""
    return words in others or others in words


def as_list(value: Any) -> list[Any]:
    """Return the value as a list."""
    return value if isinstance(value, list) else [value]


def changes_of(wish: WishValues) -> Sequence[WishValues]:
    """Return the changes that a wish asks for. A list inside their list counts as several changes."""
    return [change for one in wish.get("each") or [{}] for change in as_list(one)]


def target_of(description: Description) -> Target:
    """Return the target that a construction describes.

    The engine cannot check a description such as "tall". A singular noun with a description must therefore be
    the only thing of its kind, and a plural needs a count. An "idle" description selects nothing, so these
    rules do not apply to it.

    Raises InterpretationError if several things are described without a count, if a thing is described only
    by what is "worn", or if a plural is "pointed" at, as in "these cars". Also raises it if only some
    people's faces are meant, because this needs a box.
    """
    noun, count, owner = description.get("noun"), description.get("count"), description.get("of")
    if description.get("what") == "face" and is_plural(owner or "") and owner not in EVERYBODY:
        raise InterpretationError(Reason.NEEDS_REGION, Sentence("Draw a box around each face that you mean."))
    if description.get("described") and not (description.get("place") or description.get("color")):
        if (is_plural(noun or "") and not count) or description["described"] == "worn":
            raise InterpretationError(Reason.AMBIGUOUS, Sentence("Draw a box around each one that you mean."))
        count = count or (None if description["described"] == "idle" else 1)
    is_chosen = count or description.get("place") or description.get("color")
    if description.get("pointed") and not is_chosen and is_plural(noun or "") and kinds_of(noun):
        raise InterpretationError(Reason.NEEDS_REGION, Sentence("Draw a box around each one that you mean."))
    if description.get("is_one") and noun:
        noun = singular_of(noun)
    is_several = (description.get("several") and kinds_of(noun)) or (count and count > 1)
    if is_several and noun and not is_plural(noun):
        noun = plural_of(noun)
    what = description.get("what") or "thing"
    target = Target(
        what="whole" if what in ("it", "this", "rest") else what,
        noun=noun,
        color=description.get("color"),
        place=description.get("place"),
        count=int(count) if count else None,
        of=None if what == "face" and is_plural(owner or "") else owner,
    )
    return replace(target, color="green") if class_of(target) == "green" and not target.color else target


def names_nothing(target: Any) -> bool:
    """Return whether a target names nothing, as in "remove" and "get rid of it"."""
    pronouns = ({"what": "it"}, {"what": "it", "several": True}, {"what": "this"})
    return all(one is None or one in pronouns for one in as_list(target))
