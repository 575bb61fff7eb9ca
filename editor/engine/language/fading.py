"""Clauses that take a quality away: a color cast, haze, glare, blur, all color."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from editor.engine.language.erasing import LINKS, QUANTITIES
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone, is_flaw
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import HALVES, MARK_IT, boxed, placed_steps
from editor.engine.language.tone import CARRIERS, UNMARKED, aimed, is_tinge, toned
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason

REMOVED, EMPTIED = 0.65, 1.0

_PARTICLES = frozenset({"out", "off", "away"})
_FADING = frozenset(
    {
        *("contrast", "saturation", "vibrance", "warmth", "sharpness", "exposure", "blur", "denoise"),
        *("dehaze", "clarity", "tint"),
    }
)
_SPOTS = frozenset({"glare", "glares", "shine", "shininess", "sun glare"})  # of light, at one place
_FADING_LIGHT = frozenset({"brightness", "darkness"}) | _SPOTS


def faded(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """Steps for "remove" and `rest`, when all of it names qualities; None when it may name a thing."""
    if phrase.core[0].has(Role.NO):
        if _denies_more(rest):
            return phrase.refused(Reason.AMBIGUOUS, "Say what is to change rather than what is not.")
        rest = [atom for atom in rest if not atom.has(Role.MORE)]  # "no more noise"
    told = rest[: _end_of_spot(phrase, rest)]
    telling = [atom for atom in told if not atom.has_any(QUANTITIES) and atom.text not in LINKS | _PARTICLES]
    if not telling or any(_is_of_someone(atom, phrase) for atom in telling):
        return None
    if _is_a_cast_on_something(rest):
        return toned(replace(phrase, core=[_LOWERING, *rest]), unmarked=REMOVED)
    telling = [atom for at, atom in enumerate(telling) if not _tells_how_strong(telling, at)]
    if len(telling) == 2 and is_flaw(telling[0].text) and telling[1].text == "appearance":
        telling, rest = telling[:1], [atom for atom in rest if atom is not telling[1]]
    rest = [
        atom for atom in rest if atom in telling or not (atom.has(Role.ADJECTIVE) or atom.text in _STRENGTHS)
    ]
    if phrase.scene.boxes and phrase.where != "whole":
        dimmed = _dimmed(phrase, rest)
        if dimmed:
            return dimmed
    if all(atom.has(Role.COLORS) for atom in telling):
        return _without_color(phrase, rest)
    if all(
        _is_a_fault(atom) or _is_sepia(atom) or atom.has(Role.CAST, Role.EFFECT) for atom in telling
    ) and any(_is_a_fault(atom) or _is_sepia(atom) for atom in telling):
        return placed_steps(phrase, Kind.COLOR, "white_balance", amount=None)
    if _is_an_old_look(phrase, telling):
        return [phrase.step(Kind.COLOR, "enhance", amount=UNMARKED, choice="color")]
    is_colored = any(atom.has(Role.COLOR) for atom in telling)
    is_cast = any(
        _is_a_cast(atom) or is_tinge(atom) or (is_colored and atom.text in CARRIERS) for atom in telling
    )
    is_tinted = is_cast or _is_of_the_photo(phrase, telling)
    if not all(_is_fading(atom, phrase) or (is_tinted and _is_of_a_tint(atom)) for atom in telling):
        return None
    is_saturation = all(atom.text in _SATURATION for atom in rest)  # "remove the saturation"
    takes_all = phrase.core[0].has(Role.NO) or is_saturation or any(atom.has(Role.WHOLE) for atom in rest)
    is_emptied = takes_all and all(_is_rising(atom) for atom in telling)
    steps = toned(replace(phrase, core=[_LOWERING, *rest]), unmarked=EMPTIED if is_emptied else REMOVED)
    return _cleared_there(phrase, steps) if isinstance(steps, list) else steps


def _denies_more(rest: Sequence[Atom]) -> bool:
    """ "No more contrast", "no vintage filter" leave it as it is; "no saturation" takes all of it."""
    told = [atom for atom in rest if _is_rising(atom)]
    is_all = all(atom.text in _SATURATION or atom.has(Role.WHOLE) for atom in rest)
    return (bool(told) and not is_all) or any(atom.senses.get(Role.LOOK) == "faded" for atom in rest)


def _end_of_spot(phrase: Phrase, rest: Sequence[Atom]) -> int:
    """Where the side of the photo begins at which something shines: "the glare in the top left corner"."""
    at = next((at for at, atom in enumerate(rest) if atom.text in LINKS), len(rest))
    is_spot = at > 0 and rest[at - 1].text in _SPOTS and not phrase.scene.boxes
    where = [atom for atom in rest[at:] if atom.text not in LINKS]
    is_side = any(atom.has(Role.PLACE) for atom in where) and all(
        atom.has(Role.PLACE) or atom.text in HALVES for atom in where
    )
    return at if is_spot and is_side else len(rest)


def _cleared_there(phrase: Phrase, steps: list[Wish]) -> Answer:
    """Less of a quality, but of haze only where it lies: in "the foreground" is no subject."""
    heads = [phrase.clause.atoms[scope.after - 1] for scope in phrase.named if scope.what == "subject"]
    is_haze = all(step.operation == "dehaze" for step in steps)
    if not is_haze or not any("ground" in head.text for head in heads):
        return steps
    if not phrase.scene.boxes:
        return phrase.refused(Reason.NEEDS_REGION, MARK_IT)
    return [aimed(step, boxed(phrase)) for step in steps]


def _tells_how_strong(telling: Sequence[Atom], at: int) -> bool:
    """The "harsh" of "the harsh shadows", the "light" of "light noise"."""
    following = telling[at + 1 : at + 2]
    return telling[at].text in _STRENGTHS and any(atom.has(Role.QUALITY, Role.DEFECT) for atom in following)


_STRENGTHS = frozenset({"light", "slight", "heavy", "strong", "harsh", "dark", "deep"})
_STRENGTHS |= {"unwanted", "unnecessary", "distracting", "annoying", "disturbing"}


def _is_of_someone(atom: Atom, phrase: Phrase) -> bool:
    """ "The blurry person": the flaw says who is to go."""
    atoms = phrase.clause.atoms
    after = next((right for left, right in pairwise(atoms) if left is atom), None)
    is_flaw_of = atom.has(Role.ADJECTIVE) and not atom.has(Role.QUALITY)
    return is_flaw_of and after is not None and after.has(Role.PERSON, Role.SUBJECT)


def _dimmed(phrase: Phrase, rest: Sequence[Atom]) -> Answer | None:
    """ "The glare", "the glare from her glasses": what shines in the box stays, less bright. So does a face
    that a shadow is on, less dark."""
    at = next((at for at, atom in enumerate(rest) if atom.text in LINKS), len(rest))
    is_spot = at > 0 and rest[at - 1].text in _SPOTS and not any(atom.has(Role.AND) for atom in rest)
    if not is_spot and not _shades_someone(phrase, rest[0]):
        return None
    steps = toned(replace(phrase, core=[_LOWERING, rest[at - 1] if is_spot else rest[0]]), unmarked=REMOVED)
    return [aimed(step, boxed(phrase)) for step in steps] if isinstance(steps, list) else None


def _shades_someone(phrase: Phrase, shadow: Atom) -> bool:
    is_on = any(s.what in ("face", "person") and s.preposition in LINKS - {"of"} for s in phrase.named)
    return is_on and shadow.text in ("shadow", "shadows")


def _without_color(phrase: Phrase, rest: Sequence[Atom]) -> Answer:
    """ "Remove the color" takes all of it, "remove the color slightly" some."""
    amounts = [float(str(atom.senses[Role.AMOUNT])) for atom in rest if atom.has(Role.AMOUNT)]
    if amounts and amounts[0] < 1:
        return placed_steps(phrase, Kind.COLOR, "saturation", amount=-amounts[0])
    return placed_steps(phrase, Kind.COLOR, "black_and_white", amount=None)


_SATURATION = frozenset({"saturation", "color saturation", "colour saturation"})
_LOWERING = Atom("remove", 0, 0, {Role.LOWER: "remove"})


def _is_of_the_photo(phrase: Phrase, telling: Sequence[Atom]) -> bool:
    """ "Take the yellow out" of a photo, or "out of it" with a box: a tint, for nothing else is named."""
    is_whole = all(scope.what == "whole" for scope in phrase.scopes)
    is_pointed_at = phrase.where in ("it", "this") and all(scope.what == "region" for scope in phrase.scopes)
    names_all = any(atom.text == "everything" for atom in phrase.clause.atoms)  # "remove everything red"
    return (
        ((is_whole and (not phrase.scene.boxes or phrase.where == "whole")) or is_pointed_at)
        and not names_all
        and all(atom.has(Role.COLOR) for atom in telling)
    )


def _is_a_fault(atom: Atom) -> bool:
    """A cast of no color in particular."""
    return atom.has(Role.CAST) and any(word in atom.text for word in ("cast", "tint", "tinge", "discolor"))


def _is_sepia(atom: Atom) -> bool:
    """The brown of an old print is a cast of the whole photo."""
    return atom.senses.get(Role.LOOK) == "sepia"


def _is_a_cast_on_something(rest: Sequence[Atom]) -> bool:
    """ "The purple tint from her skin"."""
    at = next((at for at, atom in enumerate(rest) if atom.text in LINKS), len(rest))
    told = rest[:at]
    is_cast = any(atom.has(Role.CAST) for atom in told) and any(atom.has(Role.COLOR) for atom in told)
    is_plain = all(atom.has(Role.CAST, Role.COLOR, Role.AMOUNT) for atom in told)
    return is_cast and is_plain and any(atom.has(Role.NOUN) for atom in rest[at:])


def _is_an_old_look(phrase: Phrase, telling: Sequence[Atom]) -> bool:
    """ "The vintage look": faded colors, which are set automatically."""
    looks = [atom for atom in telling if atom.senses.get(Role.LOOK) == "faded"]
    following = dict(pairwise(atom.text for atom in phrase.clause.atoms))
    is_said = len(looks) == 1 and (
        looks[0].text.endswith("look") or following.get(looks[0].text) in ("look", "filter", "effect", "feel")
    )
    return is_said and all(atom in looks or atom.has(Role.EFFECT, Role.CAST) for atom in telling)


def _is_a_cast(atom: Atom) -> bool:
    return atom.has(Role.CAST, Role.EFFECT)


def _is_of_a_tint(atom: Atom) -> bool:
    return _is_a_cast(atom) or atom.has(Role.COLOR, Role.COLORS, Role.TOO) or atom.text in CARRIERS


def _is_fading(atom: Atom, phrase: Phrase) -> bool:
    """Whether less of it is what removing it means; light and shadow may be things."""
    flaw = atom.senses.get(Role.ADJECTIVE) if is_flaw(atom.text) else None
    tone = atom.senses.get(Role.QUALITY, flaw)
    if not isinstance(tone, Tone):
        return False
    if tone.operation == "shadows":
        is_bare = atom.text == "shadows" and not _are_cast(phrase)
        return is_bare and (not phrase.scene.boxes or _are_of_the_photo(atom, phrase))
    is_light = atom.text in _FADING_LIGHT or atom.text.startswith(("dark ", "glare "))
    return tone.operation in _FADING or is_light


def _are_cast(phrase: Phrase) -> bool:
    """ "The shadows in the background", "crop out the shadows": what lies there, and not dark tones."""
    lies = any(scope.what == "background" for scope in phrase.named) or phrase.has(Role.BACKGROUND)
    is_cast = any(atom.text == "cast" for atom in phrase.clause.atoms)
    return lies or is_cast or phrase.core[0].text.startswith("crop")


def _are_of_the_photo(shadows: Atom, phrase: Phrase) -> bool:
    """ "Shadows from the photo", unlike "the shadows", which a box is around."""
    atoms = phrase.clause.atoms
    at = next(i for i, atom in enumerate(atoms) if atom is shadows)
    return phrase.where == "whole" and not atoms[at - 1].has(Role.DETERMINER, Role.THIS)


def _is_rising(atom: Atom) -> bool:
    """ "no saturation" leaves none of it; "no blur" asks for a change that has no end."""
    tone = atom.senses.get(Role.QUALITY)
    return isinstance(tone, Tone) and tone.sign > 0 and tone.operation != "blur" and not atom.has(Role.CAST)
