"""Nearer and farther, and what comes to the middle of the photo."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.forms.crops import counts_people, person_named, subject_named
from editor.engine.language.forms.drawings import names_in, thing_named
from editor.engine.language.forms.form import LINKS, PARTS, Form, Found, amount_of, measure_of, value_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target

_PARTS = PARTS - {"background"}


def _zoomed(phrase: Phrase, found: Found) -> Answer | None:
    sign = int(str(value_of(found, Role.ZOOM)))
    if Role.NUMBER in found and not counts_people(phrase, found[Role.NUMBER]):
        return None
    if Role.LARGER in found and (sign < 0 or value_of(found, Role.LARGER) != "1" or names_in(phrase)):
        return None
    if Role.COLOR in found and (sign < 0 or not (phrase.scene.boxes or _names_its_color(phrase))):
        return None
    if any(atom.text == "out" for atom in phrase.core):
        sign = -1
    if sign < 0:
        return _zoomed_out(phrase, found)
    person = person_named(phrase)
    if person and Role.MEASURE not in found and Role.FRACTION not in found:
        return [phrase.step(Kind.COMPOSITION, "zoom", target=person, amount=amount_of(found, UNMARKED))]
    target = subject_named(phrase, names_in(phrase, Role.PLACE))
    if isinstance(target, Refusal):
        return target
    exact = _zoom_percent(phrase, found, sign)
    place = value_of(found, Role.PLACE) or ("center" if target is None and _names_all_of_it(phrase) else None)
    if target and target.place:  # "the car on the left" is all said
        place = None
    if place == "all" or (Role.MEASURE in found and exact is None):
        return None
    amount = None if exact else amount_of(found, UNMARKED)
    values = {"target": target or WHOLE, "amount": amount, "exact": exact, "place": place}
    enlarged = [phrase.step(Kind.COMPOSITION, "resize", amount=UNMARKED)] if Role.LARGER in found else []
    return [phrase.step(Kind.COMPOSITION, "zoom", **values), *enlarged]


def _larger_in_the_frame(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the dog larger in the frame": seen from nearer."""
    if value_of(found, Role.LARGER) != "1" or not any(atom.text == "frame" for atom in phrase.core):
        return None
    target = subject_named(phrase, names_in(phrase, Role.LARGER))
    if target is None or isinstance(target, Refusal):
        return target
    return [phrase.step(Kind.COMPOSITION, "zoom", target=target, amount=amount_of(found, UNMARKED))]


def _names_its_color(phrase: Phrase) -> bool:
    """ "The red car", where the color tells which."""
    seen = thing_named(phrase, names_in(phrase, Role.PLACE, Role.COLOR)) or person_named(phrase)
    return seen is not None and seen.color is not None


def _brought_closer(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the image appear closer": all of it, for what one thing is to be closer to is open."""
    if found[Role.UNAVAILABLE].text != "closer":
        return None
    return [phrase.step(Kind.COMPOSITION, "zoom", amount=amount_of(found, UNMARKED))]


def _names_all_of_it(phrase: Phrase) -> bool:
    """ "Zoom in on the whole picture": around its middle, wherever a box is marked."""
    return any(
        atom.has(Role.WHOLE)
        for scope in phrase.scopes
        if scope.what == "whole" and scope.preposition
        for atom in phrase.clause.atoms[scope.first : scope.after]
    )


def _zoomed_out(phrase: Phrase, found: Found) -> Answer | None:
    """ "Zoom out", "zoom out the dog": of one thing it makes the same of all."""
    is_placed = Role.PLACE in found or any(s.what in ("region", "unclear") for s in phrase.named)
    is_to_a_part = bool(names_in(phrase)) and phrase.core[-1] is not names_in(phrase)[-1]
    if (phrase.scene.boxes and names_in(phrase)) or is_placed or is_to_a_part or len(names_in(phrase)) > 2:
        return phrase.refused(Reason.AMBIGUOUS, "Say “zoom out”, or extend the photo to one side.")
    exact = _zoom_percent(phrase, found, -1)
    amount = None if exact else -(amount_of(found, UNMARKED) or UNMARKED)
    return [phrase.step(Kind.COMPOSITION, "zoom", amount=amount, exact=exact)]


def _zoom_percent(phrase: Phrase, found: Found, sign: int) -> tuple[float, str] | None:
    """ "20%" is by so much, "to 150%" is so far, "2x" is twice."""
    exact = measure_of(found, "percent")
    if Role.FRACTION in found:
        doubles = value_of(found, Role.FRACTION) == "100"
        return ((200.0 if sign > 0 else 50.0), "percent") if doubles else None
    if exact is None:
        return None
    by = exact[0] < 100 and not any(atom.text == "to" for atom in phrase.core)
    percent = 100 + sign * exact[0] if by else exact[0]
    is_right = 100 < percent <= 400 if sign > 0 else 25 <= percent < 100
    return (percent, "percent") if is_right else None


def _centered(phrase: Phrase, found: Found) -> Answer | None:
    if not phrase.core[0].has(Role.CENTER, Role.MAKE):
        return None
    fallback = Target("subject") if phrase.core[0].has(Role.CENTER) or phrase.scopes else None
    return _in_the_middle(phrase, names_in(phrase, Role.PLACE, Role.CENTER), fallback=fallback)


def _moved_to_the_center(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me in the center"; anywhere else it would have to be cut out and moved."""
    if value_of(found, Role.PLACE) != "center" or not phrase.core[0].has(Role.MOVE, Role.ADD):
        return None
    named = names_in(phrase, Role.PLACE)
    is_put = phrase.core[0].text in ("put", "place") and any(
        atom.text == "the" for atom in phrase.clause.atoms[:3]
    )
    if named and not is_put and (phrase.core[0].has(Role.ADD) or any(a.text not in SUBJECTS for a in named)):
        return None
    return _in_the_middle(phrase, named, fallback=None)


def _in_the_middle(phrase: Phrase, named: Sequence[Atom], *, fallback: Target | None) -> Answer | None:
    target = subject_named(phrase, named) or fallback
    if target is None or isinstance(target, Refusal):
        return target
    place = None if target.place == "center" else target.place  # where it goes, not where it is
    return [phrase.step(Kind.COMPOSITION, "center", target=replace(target, place=place))]


ZOOMS: tuple[Form, ...] = (
    Form(
        _zoomed,
        needs=((Role.ZOOM,),),
        may=(
            *(Role.AMOUNT, Role.MEASURE, Role.FRACTION, Role.MORE, Role.PLACE, Role.MAKE, Role.CROP),
            *(Role.NUMBER, Role.COLOR, Role.LARGER),
        ),
        words=LINKS | {"out", "towards", "toward", "closer", "closely", "close", "tight", "tighter"},
        others=_PARTS,
        names=True,
    ),
    Form(
        _larger_in_the_frame,
        needs=((Role.MAKE,), (Role.LARGER,)),
        may=(Role.AMOUNT, Role.MORE),
        words=frozenset({"in", "within", "frame", "the frame", "be", "appear", "look"}),
        others=_PARTS,
        names=True,
    ),
    Form(
        _brought_closer,
        needs=((Role.MAKE, Role.MOVE), (Role.UNAVAILABLE,)),
        may=(Role.AMOUNT,),
        words=frozenset({"look", "seem", "be"}),
    ),
    Form(
        _centered,
        needs=((Role.CENTER,),),
        may=(Role.PLACE,),
        words=LINKS | {"middle", "frame", "shot"},
        others=_PARTS,
        names=True,
    ),
    Form(
        _centered,
        needs=((Role.MAKE,), (Role.CENTER,)),
        words=frozenset({"be", "in", "of", "more", "frame", "shot", "to"}),
        others=_PARTS,
        names=True,
    ),
    Form(
        _moved_to_the_center,
        needs=((Role.MOVE, Role.ADD), (Role.PLACE,)),
        words=LINKS,
        others=frozenset({"subject", "person", "region", "whole"}),
        names=True,
    ),
)
