"""Cut-outs: "isolate the dog", "cut out the mug on a blue background", "a cutout of him"."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from editor.engine.kinds import is_someone
from editor.engine.language.forms.backgrounds import BACKGROUND, EITHER, PLAIN
from editor.engine.language.forms.drawings import names_in
from editor.engine.language.forms.form import LINKS, Form, Found
from editor.engine.language.forms.trims import EDGING
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS, WEATHER
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.scopes import is_strange
from editor.engine.language.seen import seen_thing
from editor.engine.plan import Kind, Reason, Target

_CUTTING = (Role.EXTRACT, Role.MAKE, Role.CHANGE, Role.ADD, Role.CUTOUT)


def _extracted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Isolate the dog", "cut out the mug on a blue background": a box shows it, or the detector, else it
    has to be what the photo is of."""
    is_cropped = Role.CUTOUT in found and phrase.core[0].text.startswith("crop")
    if not (phrase.core[0].has(*_CUTTING) or is_cropped) or _cuts_away(phrase):
        return None
    at = _ground_at(phrase.clause.atoms)
    told = _told_of_the_cut(phrase, at)
    named = [atom for atom in names_in(phrase, Role.CUTOUT) if any(atom is other for other in told)]
    is_told = named or any(scope.what not in ("whole", "background") for scope in phrase.scopes)
    if not (is_told or Role.CUTOUT in found) or any(atom.text in WEATHER for atom in named):
        return None
    target = BACKGROUND if phrase.scene.boxes else _all_but(phrase, told, named)
    if target is None:
        return phrase.refused(Reason.NEEDS_REGION, "Mark it with a box and it can be cut out.")
    return _laid_on(phrase, phrase.clause.atoms[at:], target)


def _ground_at(atoms: Sequence[Atom]) -> int:
    """Where the words about a ground begin: "on a blue background", "from its background"."""
    at = len(atoms)
    while at > 0 and (atoms[at - 1].has(*_OF_A_GROUND) or atoms[at - 1].text in PLAIN | EITHER):
        at -= 1
    leads = 0 < at < len(atoms) and atoms[at - 1].text in _ONTO | _OFF
    return at - 1 if leads else len(atoms)


_OF_A_GROUND = (
    *(Role.BACKGROUND, Role.COLOR, Role.TRANSPARENT, Role.DETERMINER, Role.FILLER, Role.IT, Role.THIS),
)
_ONTO = frozenset({"on", "onto", "against", "with", "over"})
_OFF = frozenset({"from", "off", "of", "out of"})


def _is_laid_on(phrase: Phrase) -> bool:
    """Whether a color is said that is to be behind: "on white"."""
    ground = phrase.clause.atoms[_ground_at(phrase.clause.atoms) :]
    is_new = any(atom.has(Role.COLOR, Role.TRANSPARENT) for atom in ground)
    return is_new and ground[0].text in _ONTO


def _told_of_the_cut(phrase: Phrase, end: int | None) -> list[Atom]:
    """The words about what is cut out."""
    atoms = phrase.clause.atoms
    start = next(at for at, atom in enumerate(atoms) if atom is phrase.core[0]) + 1
    told = [atom for atom in atoms[start:end] if not atom.has(Role.CUTOUT) and atom.text != "out"]
    return list(dropwhile(lambda atom: atom.has(Role.DETERMINER, Role.FILLER) or atom.text in _OUT, told))


_OUT = frozenset({"out", "out of", "of"})


def _all_but(phrase: Phrase, told: Sequence[Atom], named: Sequence[Atom]) -> Target | None:
    """The background of a thing that can be seen, or of the subject: photos are of people."""
    if any(scope.what == "background" and scope.preposition in _THERE for scope in phrase.named):
        return None
    named = [atom for atom in named if atom.text != "human"]  # "the human figure"
    whats = {scope.what for scope in phrase.named if scope.what != "background"}
    is_described = any(atom.has(Role.PLACE, Role.COLOR, Role.ORDINAL, Role.NUMBER) for atom in told)
    is_known = all(atom.text in SUBJECTS for atom in named) or _is_a_first_name(phrase, named)
    is_person = is_known and whats <= {"person", "subject"}
    is_the_subject = is_person and not is_described and not (named and whats)
    seen = seen_thing(told)
    if seen is None and _is_one_described(told):
        return BACKGROUND
    if seen is not None and not (is_the_subject and is_someone(seen.noun)):
        return replace(seen, what="background")
    return BACKGROUND if is_the_subject else None


_THERE = frozenset({"in", "behind", "at"})


def _is_one_described(told: Sequence[Atom]) -> bool:
    """ "The person sitting at the table, dressed in a long coat": what is told of the one whom the photo is
    of; "the man on the left" is one of several."""
    heads = [at for at, atom in enumerate(told) if atom.has(Role.PERSON)]
    if heads != [0] or len(told) < 2 or told[0].text not in _ONE_OF_A_KIND:
        return False
    is_of_several = any(atom.has(Role.PLACE, Role.ORDINAL, Role.NUMBER, Role.IT) for atom in told)
    return told[1].text in _DOING and not is_of_several


_ONE_OF_A_KIND = frozenset({"person", "man", "woman", "boy", "girl", "guy", "lady", "child", "baby"})
_DOING = frozenset({"wearing", "dressed", "holding", "sitting", "seated", "standing", "singing", "posing"})


def _is_a_first_name(phrase: Phrase, named: Sequence[Atom]) -> bool:
    """ "Cut out Ellen as a PNG": whom the photo is of; "the spatula" is a thing."""
    atoms = phrase.clause.atoms
    at = next((at for at, atom in enumerate(atoms) if atom in named[:1]), 0)
    is_led = at > 0 and atoms[at - 1].has(Role.DETERMINER, Role.THIS, Role.COLOR, Role.ADJECTIVE)
    is_saved = any(atom.has(Role.CUTOUT, Role.TRANSPARENT) for atom in phrase.core[1:])
    return is_saved and len(named) == 1 and is_strange(named[0]) and not is_led


def _laid_on(phrase: Phrase, ground: Sequence[Atom], target: Target) -> Answer:
    """ "On a white background"; "on the white background" may tell only where it is now."""
    if not ground or ground[0].text in _OFF:
        return [phrase.step(Kind.BACKGROUND, "transparent_background", target=target)]
    colors = [str(atom.senses[Role.COLOR]) for atom in ground if atom.has(Role.COLOR)]
    is_clear = any(atom.has(Role.TRANSPARENT) for atom in ground)
    is_there = any(atom.text == "the" or atom.has(Role.THIS, Role.IT) for atom in ground)
    if len(colors) == 1 and is_clear and any(atom.text in EITHER for atom in ground):
        is_clear = not any(atom.has(Role.COLOR) for atom in ground[: _either_at(ground)])
        colors = [] if is_clear else colors
    if is_there or len(colors) + is_clear != 1:
        return phrase.refused(Reason.AMBIGUOUS, "Say “isolate it and make the background white”.")
    if is_clear:
        return [phrase.step(Kind.BACKGROUND, "transparent_background", target=target)]
    return [phrase.step(Kind.BACKGROUND, "solid_background", target=target, color=colors[0])]


def _either_at(ground: Sequence[Atom]) -> int:
    return next(at for at, atom in enumerate(ground) if atom.text in EITHER)


def _cuts_away(phrase: Phrase) -> bool:
    """ "Cut the bottom", and "cut the man out" or "cut out the man from the photo", which may mean either;
    "cut him out on white" does not."""
    if not phrase.core[0].text.startswith(("cut", "clip")):
        return False
    if _leaves_its_ground(phrase):
        return False
    leaves = any(scope.what == "whole" and scope.preposition in ("from", "of") for scope in phrase.scopes)
    apart = any(atom.text in ("off", "away", "out of") for atom in phrase.core[1:])
    apart = apart or (any(atom.text == "out" for atom in phrase.core[1:]) and not _is_laid_on(phrase))
    of_a_side = any(atom.has(Role.PLACE, Role.FRACTION) or atom.text in EDGING for atom in phrase.core)
    tells_which = phrase.core[0].has(Role.CUTOUT) and seen_thing(_told_of_the_cut(phrase, None)) is not None
    return leaves or apart or (of_a_side and not tells_which)


def _leaves_its_ground(phrase: Phrase) -> bool:
    """ "Cut her out of the background"; "the man in the background" is cut away."""
    atoms = phrase.clause.atoms
    at = _ground_at(atoms)
    return at < len(atoms) and atoms[at].text in _OFF and atoms[-1].has(Role.BACKGROUND)


CUTOUTS: tuple[Form, ...] = (
    Form(
        _extracted,
        needs=((Role.EXTRACT,),),
        may=(Role.CUTOUT, Role.COLOR, Role.NUMBER, Role.ORDINAL, Role.TRANSPARENT),
        many=(
            *(Role.PLACE, Role.COLOR, Role.PREPOSITION, Role.THICKNESS, Role.ADJECTIVE, Role.LOOK),
            *(Role.QUALITY, Role.TEXT, Role.QUOTED, Role.COLORS, Role.MOVE),
        ),
        words=LINKS | PLAIN,
        others=frozenset({"whole", "subject", "person", "region", "background", "face"}),
        names=True,
    ),
    Form(
        _extracted,
        needs=((Role.MAKE, Role.CHANGE, Role.ADD, Role.CROP), (Role.CUTOUT,)),
        may=(Role.COLOR, Role.TRANSPARENT),
        words=LINKS | {"png", *EITHER},
        others=frozenset({"whole", "subject", "person", "region", "background"}),
        names=True,
    ),
    Form(_extracted, needs=((Role.CUTOUT,),)),
)
