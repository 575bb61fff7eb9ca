"""Another text in the place of one that the photo shows: "change the word "Lunch" to "Dinner"", "make the
sign say "Closed"", ""Libary" should be "Library""."""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile
from typing import NamedTuple

from editor.engine.kinds import LIVING, kinds_of
from editor.engine.language.atoms import Atom, is_packing
from editor.engine.language.changing import NO_LETTERS, is_writable
from editor.engine.language.lexicon.roles import VERBS, Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import boxed, boxes_told
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Refusal, Target

_NAMES = r'(?:[^" ]+ )*?'
_CHANGE = (
    r"(?:change|changing|replace|replacing|swap|swap out|switch|switch out|exchange|edit|correct|fix|turn|"
    r"convert|modify|alter|update|rename|rewrite|reword|redo|substitute|transform|adjust|fix up) "
)
_SAY = r"(?:(?:now )?(?:say|says|saying|read|reads|reading|spell|spells|be|that says|that reads) )"
_TO = rf"(?:to|with|into|by|for|as) {_SAY}?"
_MUST = rf"(?:should|must|ought to|needs to|has to|is supposed to|to|should be|must be) {_SAY}?"
_INSTEAD = r"(?:instead of|in place of|in the place of|rather than|and not|not) "
_THEN = rf"(?P<tail>{_NAMES})"


def _names(name: str) -> str:
    return rf"(?P<{name}>{_NAMES})"


class _Way(NamedTuple):
    """A way to say it: its words, with a quotation mark for each quoted text; which of them is the old."""

    words: re.Pattern[str]
    old: int | None = None
    is_said: bool = False  # whether a thing is to "say" it, whatever that is


def _way(*parts: str, old: int | None = None, is_said: bool = False) -> _Way:
    return _Way(re.compile("".join(parts)), old, is_said)


_WAYS = (
    _way("substitute ", _names("b"), '" ', _names("a"), "for ", _names("c"), '" ', _THEN, old=1),
    _way(_CHANGE, _names("a"), '" ', _names("b"), _TO, _names("c"), '" ', _THEN, old=0),
    _way(f"(?:{_CHANGE})?", _names("a"), '" ', _names("b"), _MUST, _names("c"), '" ', _THEN, old=0),
    _way(
        "(?:add|put|write|insert|type|use) ",
        _names("a"),
        '" ',
        _names("b"),
        _INSTEAD,
        _names("c"),
        '" ',
        _THEN,
        old=1,
    ),
    *(
        _way(*head, _SAY, _names("b"), '" ', *other, _THEN, old=old, is_said=True)
        for other, old in (((_INSTEAD, _names("c"), '" '), 1), ((), None))
        for head in (
            ("(?:make|have|let|get|want) ", _names("a"), "(?:to )?"),
            (_CHANGE, _names("a"), "(?:to|into|with|by) "),
            (_names("a"), "(?:should|must|ought to|needs to|has to|is supposed to|to) "),
        )
    ),
    _way(_CHANGE, _names("a"), "(?:to|into|with|by) ", _names("b"), '" ', _THEN),
)
_SETTING = (Role.MAKE, Role.CHANGE, Role.ADJUST)
_QUOTE = 'Put the text in quotation marks, as in: make the sign say "Closed".'
_MARK = "Mark the text that is there now with a box."
FONT = "Its font cannot be copied, and a plain one is used. Leave the font out of the wish."
FONTS = frozenset({"font", "fonts", "front", "typeface", "typography", "handwriting"})  # "front" is misread
_SPELLING = frozenset(
    {"spelling", "typo", "typos", "misspelling", "misspelled", "misspelt", "spelled", "mistake"}
)
_SPELLING |= {"error", "wrong", "wrongly", "what", "says", "say", "is", "instead", "reads", "which", "that"}
_ON_SIGNS = frozenset(
    {"sign", "signs", "plate", "number", "numbers", "year", "time", "price", "digits", "tag"}
)
_BEYOND = (Role.NOT, Role.AND, Role.BUT, Role.EXCEPT, Role.WITHOUT, Role.KEEP, Role.QUALITY, Role.AMOUNT)
_OF_LETTERS = (Role.ADJECTIVE, Role.THICKNESS, Role.LARGER, Role.MORE, Role.LESS, Role.COLOR)
_ANYWAY = (Role.DETERMINER, Role.TEXT, Role.WRITTEN, Role.PREPOSITION, Role.PHOTO, Role.IT, Role.THIS)


def rewritten(phrase: Phrase) -> Answer | None:
    """The step that puts a text in the place of another; None where the words ask for no such thing."""
    quoted = [str(atom.senses[Role.QUOTED]) for atom in phrase.clause.atoms if Role.QUOTED in atom.senses]
    if not quoted and any(atom.text == "say" for atom in phrase.core) and phrase.core[0].has(*_SETTING):
        return phrase.refused(Reason.AMBIGUOUS, _QUOTE)
    if not 1 <= len(quoted) <= 2:
        return None
    atoms = [atom for atom in phrase.clause.atoms if atom.kind not in ("stop", "comma")]
    atoms = list(dropwhile(lambda atom: is_packing(atom) and atom.text != "have", atoms))
    words = ['"' if atom.has(Role.QUOTED) else atom.text for atom in atoms]
    for way in _WAYS:
        match = way.words.fullmatch(" ".join([*words, ""]))
        if match and (len(quoted) == 2) == (way.old is not None):
            parts = {name: _atoms_of(match.span(name), words, atoms) for name in match.groupdict()}
            answer = _step(phrase, way, parts, quoted)
            if answer is not None:
                return answer
    return None


def _atoms_of(span: tuple[int, int], words: Sequence[str], atoms: Sequence[Atom]) -> list[Atom]:
    """The atoms at a place of their joined words."""
    starts = [sum(len(word) + 1 for word in words[:at]) for at in range(len(words))]
    return [atom for atom, start in zip(atoms, starts, strict=True) if span[0] <= start < span[1]]


def _step(phrase: Phrase, way: _Way, parts: dict[str, list[Atom]], quoted: list[str]) -> Answer | None:
    names = [atom for name in ("a", "b", "c") for atom in parts.get(name, ())]
    tail, color = _without_its_color(parts["tail"])
    if not _is_of_text(parts["a"], way, is_quoted=way.old is not None) or _is_beside(parts["a"]):
        return None
    if any(atom.text in FONTS for atom in tail):
        return phrase.refused(Reason.AMBIGUOUS, FONT)
    told = [atom for atom in (*names, *_without_likeness(tail)) if not atom.has(Role.FILLER)]
    if _names_a_font(parts):
        return phrase.refused(Reason.AMBIGUOUS, FONT)
    if any(atom.text in _SOME or atom.has(Role.ORDINAL) for atom in told):
        return phrase.refused(Reason.AMBIGUOUS, _ALL_OF_IT)
    if not all(_is_a_name(atom) for atom in told) or any(atom.has(*_OF_LETTERS) for atom in tail):
        return None
    target = _target(phrase, told)
    if isinstance(target, Refusal):
        return target
    old = None if way.old is None else quoted[way.old]
    new = quoted[0] if way.old is None else quoted[1 - way.old]
    if not new or not is_writable(new):
        return phrase.refused(Reason.UNKNOWN_WORD, NO_LETTERS if new else _QUOTE)
    return [phrase.step(Kind.ADD, "text_instead", target=target, text=new, choice=old, color=color)]


_SOME = frozenset({"all", "every", "each", "only", "both", "twice", "once", "letter", "character", "digit"})
_ALL_OF_IT = "All the text in its place is replaced. Mark it with a box, and say all that it is to read."


def _names_a_font(parts: dict[str, list[Atom]]) -> bool:
    """ "The text should be in "Arial"": no words to be read stand behind an "in"."""
    return any(atom.text == "in" for name in ("b", "c") for atom in parts.get(name, ())[-1:])


def _is_of_text(named: Sequence[Atom], way: _Way, *, is_quoted: bool) -> bool:
    """Whether it is a text that changes: whom something is put into the mouth of says it in a bubble."""
    head = next(reversed(list(takewhile(lambda atom: not atom.has(Role.PREPOSITION), named))), None)
    if head is not None and (head.text in _SPEAKING or (named[0].text in ("a", "an") and not is_quoted)):
        return False  # "he should say", "make a caption saying"
    if head is None:
        return is_quoted or way.is_said
    if head.has(Role.PERSON, Role.SUBJECT, Role.FACE) or LIVING.intersection(kinds_of(head.text)):
        return is_quoted and not way.is_said
    is_text = head.has(Role.TEXT) or head.senses.get(Role.WRITTEN) in ("text", "timestamp")
    return is_quoted or way.is_said or is_text or head.text in _ON_SIGNS | _SPELLING


_SPEAKING = frozenset({"he", "she", "they", "i", "we", "him", "them", "me", "us", "everyone", "everybody"})


def _is_beside(named: Sequence[Atom]) -> bool:
    """ "The letter after "A""."""
    last = named[-1] if named else None
    return last is not None and (
        last.text in _BESIDE or (last.has(Role.PREPOSITION) and last.text not in _OF)
    )


_BESIDE = frozenset({"after", "before", "following", "preceding", "beside"})
_OF = frozenset({"of", "from", "in"})


def _without_its_color(tail: list[Atom]) -> tuple[list[Atom], str | None]:
    """What follows the texts without its "in red", and that color."""
    at = next((at for at, atom in enumerate(tail) if at and atom.has(Role.COLOR)), None)
    if at is None or tail[at - 1].text != "in" or any(atom.has(Role.NOUN) for atom in tail[at + 1 :]):
        return tail, None
    return [*tail[: at - 1], *tail[at + 1 :]], str(tail[at].senses[Role.COLOR])


def _without_likeness(tail: list[Atom]) -> list[Atom]:
    """What follows the texts without its "in the same style", which is so anyway."""
    at = next((at for at, atom in enumerate(tail) if atom.has(Role.UNCHANGED)), None)
    is_alike = at is not None and all(atom.text in _ALIKE for atom in tail[at + 1 :])
    return tail[: max(0, at - 1)] if is_alike and at is not None else tail


_ALIKE = frozenset({"style", "color", "colour", "size", "and", "place", "position", "spot", "way", "angle"})


def _is_a_name(atom: Atom) -> bool:
    """Whether it only tells where the text is."""
    if atom.has(*_ANYWAY) or atom.text in _SPELLING:
        return True
    is_verb = atom.has_any(VERBS) and not atom.has(Role.NOUN, Role.ADJECTIVE)
    return not (is_verb or atom.has(*_BEYOND) or atom.text.endswith("ly"))


def _target(phrase: Phrase, told: Sequence[Atom]) -> Target | Refusal:
    """The box; without one the text of a photo that holds no other, as long as no words say where it is."""
    if phrase.scene.boxes:
        missing = set(boxes_told(phrase)) - set(phrase.scene.boxes)
        if missing:
            return phrase.refused(Reason.NEEDS_REGION, f"There is no box {min(missing)}. Mark it first.")
        return Target("region", boxes=boxes_told(phrase)) if phrase.named else boxed(phrase)
    is_text = any(atom.has(Role.TEXT, Role.WRITTEN) or atom.text in _SPELLING for atom in told) or not told
    is_elsewhere = any(not atom.has(*_ANYWAY) and atom.text not in _SPELLING for atom in told)
    if is_elsewhere or not is_text or any(atom.has(Role.IT, Role.THIS) for atom in told):
        return phrase.refused(Reason.NEEDS_REGION, _MARK)
    return Target("text")


def written_over(steps: Sequence[Wish]) -> Wish | None:
    """The later of two texts that would both stand in the place of the same one."""
    placed = [step for step in steps if step.operation == "text_instead"]
    for at, step in enumerate(placed):
        if any(
            other.target.boxes == () or set(other.target.boxes) & set(step.target.boxes)
            for other in placed[:at]
        ):
            return step
    return None
