"""What a crop shows of somebody, or of one color: "crop it to a headshot", "crop the red car"."""

from editor.engine.kinds import is_plural, is_someone
from editor.engine.language.forms.drawings import whole_thing
from editor.engine.language.forms.form import LINKS, Form, Found
from editor.engine.language.forms.named import by_vivid_color
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import boxes_told
from editor.engine.plan import Kind, Reason, Target

_SHOTS = {
    "headshot": "head and shoulders",
    "head shot": "head and shoulders",
    "head and shoulders": "head and shoulders",
    "head & shoulders": "head and shoulders",
    "upper body": "upper body",
    "torso": "upper body",
    "waist up": "upper body",
    "chest up": "upper body",
}
_OF_A_BODY = frozenset({"head", "shoulders", "upper", "body", "torso", "waist", "chest", "headshot", "shot"})


def _portrayed(phrase: Phrase, found: Found) -> Answer | None:
    words = " ".join(atom.text for atom in phrase.clause.atoms)
    shot = next((shot for sign, shot in _SHOTS.items() if sign in words), None)
    is_out = "out" in words.split()  # "zoom out to the upper body" is no shot
    if shot is None or is_out or any(one.what not in _WHO for one in phrase.named):
        return None
    operation = "zoom" if Role.ZOOM in found else "crop"
    if phrase.scene.boxes:  # the face in it, whoever it is of
        marked = Target("face", boxes=boxes_told(phrase), count=1)
        if len(marked.boxes) > 1:
            return phrase.refused(Reason.AMBIGUOUS, "Say of which box: crop to a headshot of box 1.")
        return [phrase.step(Kind.COMPOSITION, operation, target=marked, choice=shot)]
    places = [str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE)]
    places = [place for place in places if place in ("left", "right", "center")]
    names = {name for atom in phrase.clause.atoms if (name := _name(atom))}
    if len(places) > 1:
        return None
    if len(names) > 1 or not all(is_someone(name) and not is_plural(name) for name in names):
        return phrase.refused(Reason.AMBIGUOUS, _OF_WHOM)
    target = Target("face", place=next(iter(places), None), count=1, of=next(iter(names), None))
    return [phrase.step(Kind.COMPOSITION, operation, target=target, choice=shot)]


def _name(atom: Atom) -> str:
    """Whose shot it is: "man", of "mans" as well."""
    owner = atom.text.removesuffix("s").removesuffix(" '")
    return str(atom.senses.get(Role.SEEN) or (owner if is_someone(owner) else ""))


def _of_a_color(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop the red car", "crop to the blue door": what its color tells from the rest is kept."""
    if phrase.scene.boxes or not phrase.core[0].has(Role.CROP) or phrase.named:
        return None
    at = next(at for at, atom in enumerate(phrase.core) if atom.has(Role.COLOR))
    name, before = phrase.core[at:], phrase.core[1:at]
    target = whole_thing(name) or by_vivid_color(name)
    is_led = all(atom.text in _LEADING for atom in before)
    if any(atom.has(Role.FINDABLE) for atom in name):  # the sky may be what is to go
        return None
    is_one = target is not None and target.color is not None and not target.count
    return [phrase.step(Kind.COMPOSITION, "crop", target=target)] if is_led and is_one else None


_LEADING = frozenset({"to", "around", "closer", "in", "on", "just", "down"})
_SHOWING = frozenset({"to show", "show", "showing", "include", "including"})
_OF_WHOM = "Name one person, for example: crop to a headshot of the woman on the left."
_WHO = frozenset({"person", "subject", "whole", "region"})

PORTRAITS: tuple[Form, ...] = (
    Form(
        _portrayed,
        needs=((Role.CROP, Role.ZOOM),),
        many=(Role.PLACE, Role.SEEN),
        words=LINKS
        | _OF_A_BODY
        | {"just", "only", "man 's", "woman 's", "mans", "womans", "tight", "in", *_SHOWING},
        others=_WHO,
    ),
    Form(_of_a_color, needs=((Role.CROP,), (Role.COLOR,)), words=_LEADING, names=True),
)
