"""Looks, and "make it better": "black and white", "like a photo of the 1970s", "enhance the picture"."""

from collections.abc import Collection
from dataclasses import replace

from editor.engine.language.forms.form import (
    ANY_CHANGE,
    LINKS,
    PARTS,
    STRONG,
    Form,
    Found,
    amount_of,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone, cast_of, is_natural
from editor.engine.language.phrases import Answer, Phrase, Scope
from editor.engine.language.placing import placed, placed_steps
from editor.engine.language.tone import MORE, UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Target

_FIRST_COLOR_PHOTOS = 1940  # prints before are brown to most people, prints after are faded
_FIRST_PHOTOS, _LAST_OF_FILM = 1826, 2005


def _look(phrase: Phrase, found: Found) -> Answer | None:
    look = one_look(phrase)
    if look is None or (look == "nightfall" and any(atom.text == "mode" for atom in phrase.core)):
        return None  # a phone's night mode makes photos brighter
    operation = "negative" if look == "invert" else str(look)
    amount = amount_of(found)
    is_partial = amount is not None and amount < STRONG
    if look in _OF_ALL and all(_is_pointed_at(phrase, scope) for scope in phrase.scopes):
        return [phrase.step(Kind.COLOR, operation, amount=amount if is_partial else None)]
    return placed_steps(phrase, Kind.COLOR, operation, amount=amount if is_partial else None)


def _look_of_a_thing(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the dog black and white": the thing stands between the verb and the look, with its article."""
    verb, *things, look = phrase.core
    atoms = phrase.clause.atoms
    at = next((i for i, atom in enumerate(atoms) if things and atom is things[0]), 0)
    is_named = at > 0 and atoms[at - 1].has(Role.DETERMINER, Role.THIS) and look.has(Role.LOOK)
    is_named = is_named and all(
        scope.preposition for scope in phrase.scopes
    )  # "into a black and white photo"
    if not is_named or not verb.has(Role.MAKE, Role.CHANGE) or look.senses[Role.LOOK] not in _OF_THINGS:
        return None
    place = placed(phrase, [atom for atom in things if atom.text not in ("to", "into", "in")])
    operation = str(look.senses[Role.LOOK])
    return place.refusal or [phrase.step(Kind.COLOR, operation, target=target) for target in place.targets]


_OF_THINGS = frozenset({"black_and_white", "sepia", "negative"})
"""Looks that a single thing can have; others are of what a whole photo shows."""


def one_look(phrase: Phrase) -> str | None:
    """The sepia of "a vintage sepia photo": a brown print is an old one. "From sepia" is none."""
    core = phrase.core
    looks = {
        str(atom.senses[Role.LOOK])
        for before, atom in zip((None, *core), core, strict=False)
        if atom.has(Role.LOOK) and not (before and before.text == "from")
    }
    if looks == {"sepia", "faded"}:
        return "sepia"
    return looks.pop() if len(looks) == 1 else None


_OF_ALL = frozenset({"nightfall", "golden_hour", "autumn", "winter"})
"""An hour or a season is that of the whole photo, whatever is marked."""


def _is_pointed_at(phrase: Phrase, scope: Scope) -> bool:
    """ "It", "this", unlike "the marked part"."""
    return all(atom.has(Role.IT, Role.THIS) for atom in phrase.clause.atoms[scope.first : scope.after])


def _duotone(phrase: Phrase, found: Found) -> Answer | None:
    if value_of(found, Role.LOOK) != "duotone":
        return None
    colors = [str(atom.senses[Role.COLOR]) for atom in phrase.core if atom.has(Role.COLOR)]
    if len(colors) > 2:
        return None
    dark, light = (*colors, None, None)[:2]
    return [phrase.step(Kind.COLOR, "duotone", color=dark, choice=light)]


def _warm_look(phrase: Phrase, found: Found) -> Answer | None:
    """ "A warm vintage filter", "high contrast black and white"; "a faded vintage look" says it twice."""
    tone, looked = found[Role.ADJECTIVE].senses[Role.ADJECTIVE], _look(phrase, found)
    if found[Role.ADJECTIVE].text in _MEANT_BY.get(value_of(found, Role.LOOK) or "", ()):
        return looked
    if (
        not isinstance(tone, Tone)
        or tone.operation not in ("warmth", "contrast")
        or not isinstance(looked, list)
    ):
        return None
    return [*looked, phrase.step(Kind.COLOR, tone.operation, amount=UNMARKED * tone.sign)]


_DARK = frozenset({"dark", "gloomy", "darkened"})
_MEANT_BY = {
    "faded": frozenset({"faded", "muted", "washed out", "washed-out", "pale"}),
    **dict.fromkeys(("moody", "noir", "nightfall"), _DARK),
}
"""What a look is anyway."""


def _year(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make it look like it is from 1907", "like the 70s"."""
    year = _year_of(found[Role.NUMBER])
    if year is None or any(atom.senses.get(Role.LOOK, "faded") != "faded" for atom in phrase.core):
        return None
    return [phrase.step(Kind.COLOR, "sepia" if year < _FIRST_COLOR_PHOTOS else "faded")]


def _year_of(atom: Atom) -> int | None:
    number = atom.senses[Role.NUMBER]
    if atom.kind != "number" or not isinstance(number, float) or number != int(number):
        return None
    year = int(number) + (1900 if 20 <= number <= 90 and number % 10 == 0 else 0)
    return year if _FIRST_PHOTOS <= year <= _LAST_OF_FILM else None


def enhanced(phrase: Phrase, found: Found) -> Answer | None:
    if is_natural(value_of(found, Role.VAGUE) or ""):
        return balanced(phrase, found)
    if Role.ADJUST in found and len(found) == 1 and found[Role.ADJUST].text.startswith(_OPEN):
        return None
    if any(atom.text == "resolution" for atom in phrase.core) and phrase.has(*_RESIZING):
        return phrase.refused(Reason.AMBIGUOUS, "Say how large, for example: resize to 200%.")
    if phrase.meant and not phrase.scopes and phrase.core[0].text.endswith("ed"):
        return None  # "make the cup clear and refined": only the cup
    parts = {part_of_a_look(atom) for atom in phrase.core} - {None}
    if parts == {"warmth"}:
        return balanced(phrase, found)
    amounts = [float(str(atom.senses[Role.AMOUNT])) for atom in phrase.core if atom.has(Role.AMOUNT)]
    amount = amounts[0] if amounts else UNMARKED
    return [phrase.step(Kind.COLOR, "enhance", amount=amount, choice=look_of(parts))]


def look_of(parts: Collection[str | None]) -> str | None:
    """The automatic improvement that sets all these parts, and no others: of the "light", of the "color"."""
    return next((look for look, named in _PARTS_OF_A_LOOK.items() if parts and named.issuperset(parts)), None)


_RESIZING = (Role.RAISE, Role.CHANGE, Role.MORE)  # what of a resolution is more pixels


def part_of_a_look(atom: Atom) -> str | None:
    """What a word names of all that an automatic enhancement sets: an operation, "light" or "color"."""
    tone = atom.senses.get(Role.QUALITY)
    if isinstance(tone, Tone):
        return tone.operation
    if atom.has(Role.COLORS, Role.CAST) or atom.text.startswith(("color ", "colour ")):
        return "color"
    return "light" if atom.text.startswith("light") else None


_PARTS_OF_A_LOOK = {
    "light": frozenset({"light", "brightness", "exposure", "contrast", "shadows", "highlights"}),
    "color": frozenset({"color", "saturation", "vibrance", "tint", "warmth"}),
}


_OPEN = ("photoshop", "edit", "modif", "adjust", "tweak", "work on", "reedit", "re-edit", "balanc")
"""These verbs alone do not tell what is wanted."""


def _tidied(phrase: Phrase, found: Found) -> Answer | None:
    """ "Clean this photo up", "clear the image"; to clean a wall is something else."""
    is_photo = bool(phrase.scopes) and phrase.core[0].text.startswith(("clean", "clear"))
    return enhanced(phrase, {}) if is_photo else None


def _touched_up(phrase: Phrase, found: Found) -> Answer | None:
    """ "Touch this up": "a touch" is an amount elsewhere."""
    texts = [atom.text for atom in phrase.core]
    is_verb = texts == ["touch", "up"] and bool(phrase.scopes)
    return [phrase.step(Kind.COLOR, "enhance", amount=UNMARKED)] if is_verb else None


def _enhanced_automatically(phrase: Phrase, found: Found) -> Answer | None:
    """ "Perform an auto adjustment of color and light"."""
    atoms = phrase.clause.atoms
    is_of_all = any(atoms[scope.first - 1].has(Role.AND) for scope in phrase.scopes if scope.first)
    if not found[Role.ENHANCE].text.startswith("auto"):
        return None
    return enhanced(replace(phrase, core=[found[Role.ENHANCE]]) if is_of_all else phrase, found)


def _enhanced_light(phrase: Phrase, found: Found) -> Answer | None:
    is_light = found[Role.QUALITY].text in ("lighting", "light", "lights", "natural lighting")
    return enhanced(phrase, found) if is_light else None


def _enhanced_part(phrase: Phrase, found: Found) -> Answer | None:
    """ "Enhance the sky": light and color are measured for whole photos, so a part gets more of both."""
    things = [atom for atom in phrase.core if atom.has(Role.FINDABLE)]
    place = placed(phrase, things)
    if place.refusal or place.targets == (WHOLE,) or any(a.senses[Role.FINDABLE] == "skin" for a in things):
        return None
    amount = amount_of(found, UNMARKED)
    return [
        phrase.step(Kind.COLOR, operation, target=target, amount=amount)
        for operation in ("contrast", "saturation")
        for target in place.targets
    ]


def _wrong_colors(phrase: Phrase, found: Found) -> Answer | None:
    """ "The colors are off", "fix the weird colors"."""
    is_wrong = any(atom.text in WRONG for atom in phrase.core)
    return balanced(phrase, found) if is_wrong else None


WRONG = frozenset(
    {"off", "wrong", "weird", "strange", "odd", "unnatural", "incorrect", "bad", "poor", "terrible"}
)
WRONG |= {"horrible", "awful"}


def _right_colors(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the colors correct", "get the colors right"."""
    is_right = any(atom.text in _RIGHT for atom in phrase.core)
    return balanced(phrase, found) if is_right else None


_RIGHT = frozenset({"right", "correct", "corrected", "true", "proper"})


def _wrong_light(phrase: Phrase, found: Found) -> Answer | None:
    """ "Color and contrast are off"."""
    is_wrong = any(atom.text in WRONG for atom in phrase.core)
    return enhanced(phrase, {}) if is_wrong else None


def _more_colors(phrase: Phrase, found: Found) -> Answer | None:
    """ "Color enhancement"; "correct the colors" is left to the automatic way."""
    return placed_steps(phrase, Kind.COLOR, "saturation", amount=amount_of(found, UNMARKED))


def _colorized(phrase: Phrase, found: Found) -> Answer | None:
    """ "Colorize the photo" asks for colors that nothing tells."""
    is_coloring = found[Role.PAINT].text.startswith(("colori", "colouri", "recolori"))
    is_verb = is_coloring or (found[Role.PAINT] is phrase.core[0] and bool(phrase.scopes))
    if not is_verb or not found[Role.PAINT].text.startswith(("color", "colour", "recolori")):
        return None
    hint = "Coloring a photo needs a generative engine. Say “more vivid” if it has colors."
    return phrase.refused(Reason.NEEDS_GENERATION, hint)


def _returned_colors(phrase: Phrase, found: Found) -> Answer | None:
    """ "Bring the colors back", "restore the original colors": where there are none left, nothing can be."""
    is_return = any(atom.text in ("back", "return") or atom.text.endswith(" back") for atom in phrase.core)
    is_return = is_return or Role.RESTORE in found
    is_color = any("colo" in atom.text for atom in phrase.core)
    amount = amount_of(found, MORE)
    return placed_steps(phrase, Kind.COLOR, "colorize", amount=amount) if is_return and is_color else None


def balanced(phrase: Phrase, found: Found) -> Answer | None:
    """Of "the skin" in "make the skin look natural"; of the photo where no part is named."""
    place = placed(phrase, [atom for atom in phrase.core if atom.has(Role.FINDABLE)])
    return place.refusal or [
        phrase.step(Kind.COLOR, "white_balance", target=target) for target in place.targets
    ]


def balanced_cast(phrase: Phrase, found: Found) -> Answer | None:
    """ "Fix the color cast": a cast is a fault, a tone is a matter of taste."""
    if Role.COLOR in found:
        return _without_a_cast(phrase, found)
    is_fault = any(word in found[Role.CAST].text for word in ("cast", "tint", "tinge", "balance", "discolor"))
    return balanced(phrase, found) if is_fault else enhanced(phrase, found)


def _without_a_cast(phrase: Phrase, found: Found) -> Answer | None:
    """ "Clean up the brown tint"; "adjust the blue tones" does not say how."""
    tone = cast_of(str(found[Role.COLOR].senses[Role.COLOR]))
    if tone is None or not found[Role.ADJUST].text.startswith(("clean", "clear", "fix", "correct")):
        return None
    place, amount = placed(phrase), amount_of(found) or MORE
    values = {"amount": round(-amount * tone.sign, 4), "color": tone.color}
    return place.refusal or [
        phrase.step(Kind.COLOR, tone.operation, target=target, **values) for target in place.targets
    ]


def _natural_colors(phrase: Phrase, found: Found) -> Answer | None:
    return balanced(phrase, found) if is_natural(found[Role.VAGUE].text) else None


def _night(phrase: Phrase, found: Found) -> Answer | None:
    return [phrase.step(Kind.COLOR, "low_light", amount=amount_of(found, MORE))]


def _restored(phrase: Phrase, found: Found) -> Answer | None:
    """Light and color as far as they go; scratches have to be named, for not every old photo has them."""
    return [phrase.step(Kind.COLOR, "enhance", amount=amount_of(found, UNMARKED))]


def _smoothed(phrase: Phrase, found: Found) -> Answer | None:
    """ "Smooth her skin"; the surface of other things is not smoothed."""
    nouns = {str(atom.senses[Role.FINDABLE]) for atom in phrase.core if atom.has(Role.FINDABLE)}
    is_face = any(scope.what == "face" for scope in phrase.scopes)
    is_marked = any(scope.what == "region" for scope in phrase.scopes)
    if nouns - {"skin"} or not (nouns or is_face or any(atom.text in _LINES for atom in phrase.core)):
        return None
    target = Target("region", boxes=phrase.scene.boxes) if is_marked else Target("face") if is_face else WHOLE
    return [phrase.step(Kind.COLOR, "smooth_skin", target=target, amount=amount_of(found, UNMARKED))]


_LINES = frozenset({"wrinkle", "wrinkles"})


def _unclear_hue(phrase: Phrase, found: Found) -> Answer | None:
    hint = "Say which color, for example: more red, or less yellow."
    return phrase.refused(Reason.AMBIGUOUS, hint)


_WISHING = (Role.MAKE, Role.ADD, Role.ENHANCE, Role.RAISE, Role.MORE, Role.AMOUNT, Role.EFFECT, Role.USE)
_FIXING = (Role.ADJUST, Role.ENHANCE, Role.USE, Role.ADD, Role.MAKE, Role.CHANGE, Role.RAISE)
_LIKE = LINKS | {"be", "taken", "shot", "made", "it's", "its", "style", "era", "time", "times", "decade"}

LOOKS: tuple[Form, ...] = (
    Form(_duotone, needs=((Role.LOOK,),), may=(*ANY_CHANGE, Role.EFFECT), many=(Role.COLOR,), words=LINKS),
    Form(
        _look,
        needs=((Role.LOOK,),),
        may=(*ANY_CHANGE, Role.EFFECT, Role.CAST, Role.COLORS, Role.AMOUNT, Role.MORE, Role.ADJUST),
        many=(Role.WHOLE, Role.LOOK),
        words=_LIKE,
        others=PARTS,
    ),
    Form(
        _look_of_a_thing,
        needs=((Role.LOOK,), (Role.MAKE, Role.CHANGE)),
        may=(Role.COLOR,),
        words=frozenset({"to", "into", "in"}),
        names=True,
    ),
    Form(
        _warm_look,
        needs=((Role.LOOK,), (Role.ADJECTIVE,)),
        may=(*ANY_CHANGE, Role.EFFECT, Role.CAST, Role.COLORS),
        words=LINKS,
    ),
    Form(
        _year,
        needs=((Role.MAKE, Role.ADD, Role.LOOK), (Role.NUMBER,)),
        may=(Role.EFFECT, Role.LOOK, Role.BE),
        words=_LIKE | {"about", "around", "back", "early", "late", "day", "year", "was", "were"},
        others=frozenset({"whole", "region"}),
    ),
    Form(
        enhanced,
        needs=((Role.ENHANCE, Role.ADJUST),),
        may=(Role.VAGUE, Role.EFFECT, Role.ADD, Role.MORE),
        many=(Role.AMOUNT,),
        words=LINKS,
    ),
    Form(
        _tidied,
        needs=((Role.OUTWARD,),),
        many=(Role.AMOUNT,),
        words=frozenset({"up"}),
        others=frozenset({"whole", "region"}),
    ),
    Form(
        _touched_up,
        needs=((Role.AMOUNT,),),
        words=frozenset({"up"}),
        others=frozenset({"whole", "region"}),
    ),
    Form(balanced, needs=((Role.BALANCE,),), may=(*_FIXING, Role.COLORS), words=LINKS, others=PARTS),
    Form(
        balanced_cast,
        needs=((Role.ADJUST,), (Role.CAST,)),
        may=(Role.COLOR, Role.COLORS, Role.VAGUE, Role.AMOUNT),
        words=LINKS,
    ),
    Form(
        _natural_colors,
        needs=((Role.VAGUE,), (Role.COLORS, Role.CAST, Role.FINDABLE)),
        may=(Role.MAKE, Role.MORE, Role.AMOUNT, Role.ADD, Role.ADJUST, Role.RESTORE),
        words=LINKS,
        others=frozenset({"whole", "person"}),
    ),
    Form(
        _wrong_colors,
        needs=((Role.COLORS, Role.BALANCE), (Role.BE, Role.ADJUST)),
        many=(Role.AMOUNT, Role.TOO),
        words=WRONG | {"of", "in"},
    ),
    Form(
        _right_colors,
        needs=((Role.COLORS,), (Role.MAKE,)),
        may=(Role.AMOUNT,),
        words=_RIGHT | {"of", "in"},
    ),
    Form(
        _wrong_light,
        needs=((Role.QUALITY,), (Role.BE,)),
        many=(Role.QUALITY, Role.COLORS, Role.AND, Role.AMOUNT),
        words=WRONG | {"of", "in"},
    ),
    Form(
        _enhanced_part,
        needs=((Role.ENHANCE,),),
        may=(Role.AMOUNT,),
        many=(Role.FINDABLE,),
        words=LINKS - {"with", "from", "like", "behind"},
        others=frozenset({"background", "subject", "region", "whole"}),
    ),
    Form(
        _more_colors,
        needs=((Role.COLORS,), (Role.ENHANCE,)),
        may=(Role.AMOUNT,),
        words=frozenset({"some", "of", "the", "in"}),
    ),
    Form(
        _returned_colors,
        needs=((Role.COLORS, Role.UNCHANGED),),
        may=(Role.RESTORE, Role.CHANGE, Role.ADD, Role.RAISE, Role.AMOUNT),
        many=(Role.UNCHANGED,),
        words=frozenset({"back", "return", "to", "in", "of", "again"}),
    ),
    Form(
        _colorized,
        needs=((Role.PAINT,),),
        may=(Role.AMOUNT,),
        words=frozenset({"in", "up", "for"}),
        others=frozenset({"whole", "region"}),
    ),
    Form(
        _night,
        needs=((Role.NIGHT,),),
        may=(*_FIXING, Role.REMOVE, Role.LOWER, Role.AMOUNT, Role.BE),
        words=LINKS | {"taken", "shot", "conditions"},
    ),
    Form(
        _restored,
        needs=((Role.RESTORE,),),
        may=(Role.VAGUE, Role.AMOUNT, Role.ENHANCE, Role.MAKE),
        many=(Role.LOOK,),
        words=LINKS | {"possible", "color"},
    ),
    Form(
        _smoothed,
        needs=((Role.SMOOTH,),),
        may=(Role.MAKE, Role.AMOUNT, Role.MORE, Role.FINDABLE),
        words=LINKS | _LINES,
        others=frozenset({"whole", "person", "face", "subject", "region"}),
    ),
    Form(
        enhanced,
        needs=((Role.VAGUE,),),
        may=_WISHING,
        many=(Role.VAGUE, Role.ADJUST),
        words=LINKS | {"bring"},
    ),
    Form(
        enhanced,
        needs=((Role.VAGUE,), (Role.QUALITY,)),
        may=(Role.MAKE, Role.ADD, Role.MORE),
        words=frozenset({"and", "of", "in"}),
    ),
    Form(
        _enhanced_automatically,
        needs=((Role.ENHANCE,), (Role.QUALITY, Role.COLORS)),
        may=(Role.ADD, Role.AMOUNT),
        many=(Role.QUALITY, Role.COLORS, Role.AND, Role.WHOLE),
        words=frozenset({"to", "of", "in", "for"}),
    ),
    Form(
        _enhanced_light,
        needs=((Role.ENHANCE,), (Role.QUALITY,)),
        may=(Role.ADD, Role.AMOUNT),
        words=frozenset({"to", "of", "in"}),
    ),
    Form(
        _unclear_hue,
        needs=((Role.RAISE, Role.LOWER, Role.ADD), (Role.CAST,)),
        may=(Role.AMOUNT,),
        words=LINKS,
    ),
)
