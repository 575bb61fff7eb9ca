"""Tints, and looks by degrees: "tint it slightly green", "sepia at 50%", "a dramatic look"."""

from itertools import pairwise

from editor.engine.language.forms.form import ANY_CHANGE, LINKS, Form, Found, amount_of, measure_of
from editor.engine.language.forms.looks import one_look
from editor.engine.language.lexicon import Role, cast_of
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import placed, placed_steps
from editor.engine.language.tone import MORE
from editor.engine.plan import Kind


def _look_in_part(phrase: Phrase, found: Found) -> Answer | None:
    """ "Apply sepia at 50%"."""
    look, measure = one_look(phrase), measure_of(found, "percent")
    if look not in _IN_PART or measure is None or not 0 < measure[0] <= _ALL:
        return None
    return placed_steps(phrase, Kind.COLOR, str(look), amount=measure[0] / _ALL)


_IN_PART = frozenset({"black_and_white", "sepia", "faded", "cinematic", "hdr"})
_ALL = 100.0


def _tinted(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the hue of the photo to blue", "the tone from red to purple"."""
    core, amount = phrase.core, amount_of(found, MORE) or MORE
    tints = [
        (before.text, cast_of(str(atom.senses[Role.COLOR])))
        for before, atom in pairwise(core)
        if atom.has(Role.COLOR)
    ]
    ways = [_INTO_A_TINT.get(word, 0) for word, _ in tints]
    if sorted(ways) not in ([1], [-1, 1]) or any(
        tone is None or tone.operation != "tint" for _, tone in tints
    ):
        return None
    return [
        phrase.step(Kind.COLOR, "tint", amount=amount * way, color=tone.color)
        for way, (_, tone) in zip(ways, tints, strict=True)
        if tone
    ]


def _tinged(phrase: Phrase, found: Found) -> Answer | None:
    """ "Tint it slightly green"; to color it is another wish."""
    tone = cast_of(str(found[Role.COLOR].senses[Role.COLOR]))
    is_tint = found[Role.PAINT].text.startswith("tint") and phrase.core[0] is found[Role.PAINT]
    if not is_tint or tone is None or not phrase.scopes:
        return None
    place, values = placed(phrase), {"amount": amount_of(found, MORE), "color": tone.color}
    return place.refusal or [
        phrase.step(Kind.COLOR, tone.operation, target=target, **values) for target in place.targets
    ]


_INTO_A_TINT = {"to": 1, "into": 1, "from": -1}


def _dramatic(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it dramatic", "give it a dramatic look": hard light and dark, near and far."""
    if not any(atom.text == "dramatic" for atom in phrase.core):
        return None
    place = placed(phrase)
    return place.refusal or [
        phrase.step(Kind.COLOR, operation, target=target, amount=MORE)
        for operation in ("contrast", "clarity")
        for target in place.targets
    ]


TINTS: tuple[Form, ...] = (
    Form(
        _look_in_part,
        needs=((Role.LOOK,), (Role.MEASURE,)),
        may=(*ANY_CHANGE, Role.EFFECT),
        many=(Role.WHOLE,),
        words=LINKS,
    ),
    Form(
        _tinged,
        needs=((Role.PAINT,), (Role.COLOR,)),
        may=(Role.AMOUNT,),
        words=frozenset({"with", "in", "to"}),
    ),
    Form(
        _tinted,
        needs=((Role.CHANGE, Role.MAKE), (Role.CAST,), (Role.COLOR,)),
        may=(Role.AMOUNT,),
        many=(Role.COLOR,),
        words=frozenset({"to", "into", "from", "of", "in"}),
    ),
    Form(
        _dramatic,
        needs=((Role.AMOUNT,), (Role.MAKE, Role.ADD, Role.EFFECT)),
        may=(Role.EFFECT, Role.MORE, Role.MAKE, Role.ADD, Role.VAGUE),
        many=(Role.AMOUNT,),
        words=frozenset({"to", "with"}),
    ),
)
