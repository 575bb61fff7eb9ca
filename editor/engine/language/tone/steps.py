"""From the qualities that a walk has found to steps, or to why there are none."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.lexicon import Role, Tone, is_flaw
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import placed
from editor.engine.language.tone.amounts import is_measured_twice, is_negated_twice, strength
from editor.engine.language.tone.colors import is_tinge
from editor.engine.language.tone.walk import MORE, Item, Walk, is_contracted, is_joined
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Reason, Target


def tonal_steps(phrase: Phrase, walk: Walk, unmarked: float) -> Answer | None:
    walk.items = [item for item in walk.items if item.tone.sign or not _is_led(item, walk.items)]
    if _is_statement(phrase, walk) or not all(item.tone.sign for item in walk.items):
        return None
    if _is_crossed(phrase, walk):
        return phrase.refused(Reason.AMBIGUOUS, "Say each wish on its own: what changes, and where.")
    is_compared = _is_compared(phrase)
    turns = {atom.text.split()[-1] for atom in phrase.core} & {"up", "down"}  # "light down and contrast up"
    if any(atom.text in ("like", "away", "off") for atom in phrase.core):
        return None
    if is_compared or len(turns) > 1 or any(not is_nominal(atom) for atom in walk.things):
        return None
    if walk.things and _follows_with(phrase, walk.things[0]):
        return None
    if walk.things and (
        all(atom.has(Role.PREPOSITION) for atom in walk.things) or _are_objects(phrase, walk)
    ):
        return None
    if _is_contradiction(walk.items):
        return phrase.refused(
            Reason.AMBIGUOUS, "It asks for both directions at once. Say which one is meant."
        )
    if is_measured_twice(phrase, walk) or is_negated_twice(walk):
        return phrase.refused(Reason.AMBIGUOUS, "Say one amount for each change.")
    if any(_is_in_stops(walk, item, unmarked) for item in walk.items):
        return phrase.refused(Reason.LOW_CONFIDENCE, "Only light is counted in stops. Say it in percent.")
    missing = "".join(_missing(phrase, item) for item in walk.items)
    if missing:
        return phrase.refused(Reason.LOW_CONFIDENCE, missing)
    place = placed(phrase, walk.things)
    if place.refusal:
        return place.refusal
    if place.targets != (WHOLE,) and (phrase.core[0].text.startswith("white") or _is_of_all(walk)):
        return None
    targets = (WHOLE,) if _draws_too(phrase, walk, place.targets) else place.targets
    return [
        _tonal_step(phrase, walk, item, target, unmarked)
        for item in _distinct(walk.items)
        for target in targets
    ]


def _draws_too(phrase: Phrase, walk: Walk, targets: Sequence[Target]) -> bool:
    """ "Brighter, with crisp edges": the edges are those of the things, and the light is for all."""
    draws = any(item.tone.operation in _DRAWING for item in walk.items)
    return draws and list(targets) == [_CONTOURS] and any(atom.text == "with" for atom in phrase.core)


def _is_in_stops(walk: Walk, item: Item, unmarked: float) -> bool:
    """ "Increase the contrast by one stop"."""
    exact = strength(walk, item, unmarked)[1]
    return exact is not None and exact[1] == "stops" and item.tone.operation not in _LIGHT


def _is_of_all(walk: Walk) -> bool:
    """What is measured for the whole photo; and to whiten a part is more than to brighten it."""
    return any(item.tone.operation in ("enhance", "white_balance") for item in walk.items)


def _is_crossed(phrase: Phrase, walk: Walk) -> bool:
    """ "More contrast in the background and less on the face": a quality between two parts of the photo,
    where each part may have a quality of its own."""
    atoms = phrase.clause.atoms
    places = [scope.first for scope in phrase.named]
    moved = [at for at, atom in enumerate(atoms) if any(atom is phrase.core[item.at] for item in walk.items)]
    between = [at for at in moved if places and places[0] < at < places[-1]]
    return bool(between) and len(set(moved)) > 1


def _follows_with(phrase: Phrase, thing: Atom) -> bool:
    """ "Brighter, with blue skies" is about more than where."""
    at = next(i for i, other in enumerate(phrase.core) if other is thing)
    return at > 0 and phrase.core[at - 1].text == "with"


def _are_objects(phrase: Phrase, walk: Walk) -> bool:
    """Whether a thing stands where a quality belongs: "add light sparkles", "reduce the flash and contrast",
    "less blurry on a white background"."""
    core = phrase.core
    places = [next(i for i, other in enumerate(core) if other is atom) for atom in walk.things]
    is_added = walk.verb is not None and walk.verb.has(Role.ADD) and not walk.verb.has(Role.RAISE)
    unplaced = [at for at in places if not any(atom.has(Role.PREPOSITION) for atom in core[: at + 1])]
    if is_added and unplaced:
        return True
    if any(
        scope.what == "whole" and phrase.clause.atoms[scope.first - 1].has(Role.AND)
        for scope in phrase.scopes
    ):
        return True  # "make the cup brighter and the photo sharper"
    if any(scope.what == "whole" for scope in phrase.scopes) and is_joined(phrase, walk.things[0]):
        return True  # "brighten the photo and the cup"
    on_color = any(atom.has(Role.COLOR) for atom in walk.things) and any(
        s.what == "background" for s in phrase.named
    )
    return on_color or any(_stands_for_a_quality(core, at) for at in places)


def _stands_for_a_quality(core: Sequence[Atom], at: int) -> bool:
    after = core[at + 1 : at + 3]
    listed = len(after) == 2 and after[0].has(Role.AND) and after[1].has(Role.QUALITY)
    modifies = bool(after) and core[at].is_unknown and after[0].has(Role.QUALITY, Role.CAST)
    return modifies or (listed and not any(atom.has(Role.QUALITY, Role.ADJECTIVE) for atom in core[:at]))


_LIGHT = frozenset({"brightness", "exposure"})


def _is_led(item: Item, items: Sequence[Item]) -> bool:
    """The lighting of "adjust the lighting to be darker"."""
    operation = item.tone.operation
    return any(
        other.tone.sign and (other.tone.operation == operation or {other.tone.operation, operation} <= _LIGHT)
        for other in items
    )


def _is_compared(phrase: Phrase) -> bool:
    """ "As bright as the background", "not as bright as it was"."""
    texts = [atom.text for atom in phrase.core]
    is_denied = "as" in texts and bool({"not as", "not so"} & set(texts) and Role.BE in _roles(phrase))
    return texts.count("as") > 1 or (is_denied and len(set(_shown(phrase))) < 2)


def _roles(phrase: Phrase) -> set[Role]:
    return {role for atom in phrase.core for role in atom.senses}


def _missing(phrase: Phrase, item: Item) -> str:
    """Why there is no operation for a quality; a white tint can be taken away, but it is no fog."""
    if item.tone == Tone("pixelate", -1):
        return "Pixels that are lost cannot be brought back. Sharpening is possible."
    is_tint = phrase.core[item.at].text.endswith(("tint", "cast", "film"))
    if is_tint and item.tone == Tone("dehaze", -1):
        return "There is no white tint. Brightness and contrast can be changed."
    return ""


def _is_statement(phrase: Phrase, walk: Walk) -> bool:
    """ "The photo is bright" tells; "is too dark", "is blurry" and "make it dark" ask."""
    if has_already(phrase) and walk.verb is None and not _is_measured(phrase):
        return not (_tells_of_two_photos(phrase, walk) or _has_a_cast(phrase, walk))
    tells = any(atom.has(Role.BE) for atom in walk.things) or is_contracted(phrase)
    shown = _shown(phrase)
    is_pair = len(set(shown)) == 2 and tells
    walk.things = [
        atom for atom in walk.things if not (atom.has(Role.BE) or (is_pair and atom.text == "than"))
    ]
    asks = phrase.has(Role.TOO, Role.LACKING, Role.NOT) or walk.verb is not None
    if tells and not asks and shown[:1] == [_BEFORE] and _tells_an_edit(phrase, walk):
        walk.items = [_reversed(item) for item in walk.items]
        return False
    is_goal = tells and shown == [_AFTER] and not walk.things and not phrase.named
    if is_goal and not any(is_flaw(phrase.core[item.at].text) for item in walk.items):
        walk.items = [_as_described(phrase, item) for item in walk.items]
        return False
    if asks or (tells and _tells_an_edit(phrase, walk)) or not (tells or _names_a_flaw(phrase, walk)):
        return False
    if not _is_complaint(phrase, walk):
        return True
    walk.items = [
        Item(replace(item.tone, sign=-item.tone.sign or -_flaw_sign(phrase, item)), item.at)
        for item in walk.items
    ]
    return False


def _as_described(phrase: Phrase, item: Item) -> Item:
    """The "bright" of "the desired photo is bright"."""
    return replace(item, tone=replace(item.tone, sign=item.tone.sign or _flaw_sign(phrase, item)))


def _tells_of_two_photos(phrase: Phrase, walk: Walk) -> bool:
    """ "The desired photo has more contrast", "the original has more of a blue tint"."""
    shown = _shown(phrase)
    is_plain = bool(shown) and not phrase.named
    is_plain = is_plain and all(atom.text == "than" and len(set(shown)) == 2 for atom in walk.things)
    if not is_plain or not (shown[0] == _AFTER or all(_is_of_an_edit(phrase, item) for item in walk.items)):
        return False
    walk.things = []
    if shown[0] == _BEFORE:
        walk.items = [_reversed(item) for item in walk.items]
    return True


def _has_a_cast(phrase: Phrase, walk: Walk) -> bool:
    """ "The photo has a yellow cast", which nobody tells without wanting it gone."""
    casts = [atom for atom in phrase.core if atom.has(Role.CAST) and atom.text.startswith(_FAULTY)]
    is_fault = bool(casts) and not walk.things and not phrase.named
    if not is_fault or any(item.tone.operation != "tint" for item in walk.items):
        return False
    walk.items = [_reversed(item) for item in walk.items]
    return True


_FAULTY = ("tint", "cast", "tinge", "color cast", "color tint")


def _reversed(item: Item) -> Item:
    return replace(item, tone=replace(item.tone, sign=-item.tone.sign))


_BEFORE, _AFTER = "before", "after"
_SHOWN = {"input": _BEFORE, "original": _BEFORE, "current": _BEFORE, "desired": _AFTER}


def _shown(phrase: Phrase) -> list[str]:
    """Which photos are spoken of: "the input image is darker than the desired image"."""
    heads = [phrase.clause.atoms[scope.after - 1].text for scope in phrase.scopes if scope.what == "whole"]
    return [_SHOWN[head.split()[0]] for head in heads if head.split()[0] in _SHOWN]


def _is_measured(phrase: Phrase) -> bool:
    """ "It has too much red", "the photo has less light than it should"."""
    return phrase.has(Role.TOO, Role.LACKING, Role.NOT)


def has_already(phrase: Phrase) -> bool:
    """ "It has a blue cast", "there is too much noise": nothing is asked with these words."""
    atoms = phrase.clause.atoms
    verb = next((at for at, atom in enumerate(atoms) if not _names_the_photo(atom)), 0)
    return atoms[verb].text in _HAVING or (verb > 0 and atoms[verb].text == "having")


_HAVING = frozenset({"has", "has got", "there is", "there's", "there are"})


def _names_the_photo(atom: Atom) -> bool:
    whole = (Role.PHOTO, Role.IT, Role.THIS, Role.DETERMINER)
    return atom.has(*whole, Role.BACKGROUND, Role.SUBJECT, Role.FACE, Role.FINDABLE)


def _tells_an_edit(phrase: Phrase, walk: Walk) -> bool:
    """ "The photo was brightened", "the colors are richer": what has been done, or is to be done."""
    asks = phrase.clause.atoms[0].has(Role.BE)  # "is the photo brighter?"
    is_plain = not walk.things and not phrase.named and not phrase.photos and not asks
    return is_plain and all(_is_of_an_edit(phrase, item) for item in walk.items)


def _is_of_an_edit(phrase: Phrase, item: Item) -> bool:
    atom = phrase.core[item.at]
    tone = atom.senses.get(Role.ADJECTIVE)
    is_done = atom.has(Role.TONE) and atom.text.endswith("ed") and not is_flaw(atom.text)
    is_marked = any(before.has(Role.MORE, Role.LESS) for before in phrase.core[: item.at])
    is_marked |= atom.has(Role.VAGUE) and (atom.text.startswith("more ") or atom.text.endswith("er"))
    return is_done or is_marked or (isinstance(tone, Tone) and tone.comparative)


def _flaw_sign(phrase: Phrase, item: Item) -> int:
    tone = phrase.core[item.at].senses.get(Role.ADJECTIVE)
    return tone.sign if isinstance(tone, Tone) else 0


def _names_a_flaw(phrase: Phrase, walk: Walk) -> bool:
    """ "Dull image": nothing is asked but what is wrong."""
    atoms = [atom for atom in phrase.clause.atoms if not is_packing(atom)]
    object_of = (Role.DETERMINER, Role.IT, Role.THIS)
    commands = is_flaw(atoms[0].text) and any(atom.has(*object_of) for atom in atoms[1:2])  # "dim the photo"
    return not commands and walk.verb is None and walk.marked is None and _is_complaint(phrase, walk)


def _is_complaint(phrase: Phrase, walk: Walk) -> bool:
    """ "It is blurry", of the whole photo."""
    is_whole = walk.colors_at is not None or any(s.what == "whole" for s in phrase.scopes)
    is_whole = is_whole or phrase.clause.opening.has(Role.BE) or phrase.core[-1].text in _NEVER_WANTED
    is_about_the_photo = is_whole and not phrase.named and not walk.things
    is_about_the_photo |= any(_is_about(phrase, walk, what) for what in ("region", "face"))
    is_about_the_photo |= len(walk.items) > 1 and not phrase.scopes and not walk.things  # "grainy and dark"
    told = [phrase.core[item.at] for item in walk.items]
    if all(atom.text in _NEVER_WANTED for atom in told):  # of a part too: "the right half is overexposed"
        return True
    return is_about_the_photo and all(
        is_flaw(atom.text) or (atom.has(Role.COLOR) and is_tinge(atom)) for atom in told
    )


def _is_about(phrase: Phrase, walk: Walk, what: str) -> bool:
    """ "It is blurry", where a box is marked; "her face is dark"."""
    return bool(phrase.named) and all(scope.what == what for scope in phrase.named) and not walk.things


_NEVER_WANTED = frozenset(
    {
        *("underexposed", "under exposed", "overexposed", "over exposed", "blown out", "washed out"),
        *("oversaturated", "over saturated"),
    }
)


def is_nominal(atom: Atom) -> bool:
    kinds = (
        Role.NOUN,
        Role.COLOR,
        Role.PREPOSITION,
        Role.PLACE,
        Role.FRACTION,
        Role.TEXT,
        Role.SCENE,
        Role.EDGES,
        Role.THICKNESS,
    )
    return atom.is_unknown or atom.has_any(kinds) or atom.text == "'s"


def _is_contradiction(items: Sequence[Item]) -> bool:
    moves = {(item.tone.operation, item.tone.sign, item.tone.comparative, item.tone.color) for item in items}
    return any((operation, -sign, *rest) in moves for operation, sign, *rest in moves)


def _distinct(items: Sequence[Item]) -> Iterator[Item]:
    seen = set()
    for item in items:
        if item.tone not in seen:
            seen.add(item.tone)
            yield item


def _tonal_step(phrase: Phrase, walk: Walk, item: Item, target: Target, unmarked: float) -> Wish:
    size, exact = strength(walk, item, MORE if walk.has_more else unmarked)
    operation, sign = _OPPOSITES.get(
        (item.tone.operation, item.tone.sign), (item.tone.operation, item.tone.sign)
    )
    if exact and exact[1] == "stops":
        operation = "exposure"  # "two stops darker"
    if target == _CONTOURS and operation in _DRAWING:
        target = WHOLE
    step = phrase.step(
        Kind.COLOR, operation, amount=round(size * sign, 4), exact=exact, color=item.tone.color
    )
    return aimed(replace(step, amount=None) if operation in _WITHOUT_AMOUNT else step, target)


_CONTOURS = Target("place", place="edges")
_DRAWING = frozenset({"sharpness", "clarity"})
"""What sharpens edges: those of the things, wherever they are, and not the rim of the photo."""


_WITHOUT_AMOUNT = frozenset({"pixelate", "white_balance"})


_OPPOSITES = {
    ("sharpness", -1): ("blur", 1),
    ("blur", -1): ("sharpness", 1),
    ("denoise", -1): ("grain", 1),
    ("dehaze", -1): ("fog", 1),
}


def aimed(step: Wish, target: Target) -> Wish:
    """A step of tone at a part of the photo; a background that loses sharpness is a blurred one."""
    if target.what == "background" and step.operation == "blur":
        return replace(step, kind=Kind.BACKGROUND, operation="blur_background", target=target)
    return step if step.target == target else replace(step, target=target)
