"""How much of somebody a crop shows: "crop it to a headshot", "zoom in on the man's upper body"."""

from editor.engine.language.forms.form import LINKS, Form, Found
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import Kind, Target

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
    if shot is None or phrase.scene.boxes or any(scope.what not in _WHO for scope in phrase.named):
        return None
    places = [str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE)]
    places = [place for place in places if place in ("left", "right", "center")]
    if len(places) > 1:
        return None
    target = Target("face", place=next(iter(places), None), count=1)
    operation = "zoom" if Role.ZOOM in found else "crop"
    return [phrase.step(Kind.COMPOSITION, operation, target=target, choice=shot)]


_WHO = frozenset({"person", "subject", "whole"})

PORTRAITS: tuple[Form, ...] = (
    Form(
        _portrayed,
        needs=((Role.CROP, Role.ZOOM),),
        many=(Role.PLACE, Role.SEEN),
        words=LINKS | _OF_A_BODY | {"just", "only", "man 's", "woman 's", "mans", "womans", "tight", "in"},
        others=_WHO,
    ),
)
