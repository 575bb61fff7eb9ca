"""What is laid over or around the whole photo: borders, frames, vignettes, weather, shadows."""

from editor.engine.language.forms.form import (
    LINKS,
    Form,
    Found,
    amount_of,
    color_of,
    measure_of,
    thickness_of,
    value_of,
)
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Target

_WIDEST_BORDER = 50  # percent of the photo


def _border(phrase: Phrase, found: Found) -> Answer | None:
    exact = measure_of(found, "pixels", "percent")
    is_too_wide = exact is not None and exact[1] == "percent" and exact[0] > _WIDEST_BORDER
    if Role.MEASURE in found and (exact is None or exact[0] <= 0 or is_too_wide):
        return None
    return [
        phrase.step(
            Kind.ADD, "border", color=color_of(found) or "white", exact=exact, amount=thickness_of(found)
        )
    ]


def _double(phrase: Phrase, found: Found) -> Answer | None:
    """ "A double black border"."""
    if found[Role.FRACTION].text != "double":
        return None
    return [
        phrase.step(Kind.ADD, "frame", choice="double", color=color_of(found), amount=thickness_of(found))
    ]


def _frame(phrase: Phrase, found: Found) -> Answer | None:
    choice = value_of(found, Role.FRAME)
    values = {"color": color_of(found), "amount": thickness_of(found)}
    return [phrase.step(Kind.ADD, "frame", choice=None if choice == "classic" else choice, **values)]


def _vignette(phrase: Phrase, found: Found) -> Answer | None:
    tone = found.get(Role.TONE)
    if tone and tone.senses[Role.TONE] != Tone("brightness", -1):
        return None
    return [phrase.step(Kind.ADD, "vignette", amount=amount_of(found, UNMARKED), color=color_of(found))]


def _overlaid(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add snow", "make it rain", "change the weather to heavy rain"."""
    operation, verb = str(value_of(found, Role.OVERLAID)), phrase.core[0]
    changes_weather = any(atom.text == "weather" for atom in phrase.core)
    if not verb.has(Role.ADD) and not changes_weather and (operation == "light_leak" or len(phrase.core) > 3):
        return None
    if Role.COLOR in found and operation != "light_leak":
        return None
    amount = amount_of(found, 0.2 if any(atom.text == "light" for atom in phrase.core[1:-1]) else None)
    values = {"amount": amount, "color": color_of(found), "place": value_of(found, Role.PLACE)}
    return [phrase.step(Kind.ADD, operation, **values)]


def _drop_shadow(phrase: Phrase, found: Found) -> Answer | None:
    """A shadow that is only called a shadow needs what throws it: "a shadow behind the subject"."""
    throws = [scope for scope in phrase.scopes if scope.what in ("whole", "subject", "background")]
    is_behind = any(atom.text in ("behind", "around", "under") for atom in phrase.clause.atoms)
    if "drop" not in found[Role.DROP_SHADOW].text and not (is_behind and throws):
        is_alone = found[Role.DROP_SHADOW].text == "shadow" and len(phrase.core) == 2 and not phrase.named
        hint = "Say “add a drop shadow”, or “darken the shadows”."
        return phrase.refused(Reason.AMBIGUOUS, hint) if is_alone else None
    is_of_subject = any(
        atom.has(Role.SUBJECT, Role.PERSON)
        for scope in throws
        for atom in phrase.clause.atoms[scope.first : scope.after]
    )
    target = Target("subject") if is_of_subject else WHOLE
    return [phrase.step(Kind.ADD, "shadow", target=target, amount=amount_of(found))]


EFFECTS: tuple[Form, ...] = (
    Form(
        _frame,
        needs=((Role.FRAME,),),
        may=(
            Role.ADD,
            Role.MAKE,
            Role.USE,
            Role.CHANGE,
            Role.COLOR,
            Role.THICKNESS,
            Role.EFFECT,
            Role.BORDER,
        ),
        words=LINKS | {"inside", "like"},
    ),
    Form(
        _double,
        needs=((Role.BORDER,), (Role.FRACTION,)),
        may=(Role.ADD, Role.MAKE, Role.USE, Role.COLOR, Role.THICKNESS),
        words=LINKS,
    ),
    Form(
        _border,
        needs=((Role.BORDER,),),
        may=(Role.ADD, Role.MAKE, Role.USE, Role.COLOR, Role.THICKNESS, Role.MEASURE, Role.COLORS),
        words=(LINKS - {"to", "into", "on", "behind"}) | {"all sides", "edges", "wide", "sides", "edge"},
    ),
    Form(
        _vignette,
        needs=((Role.VIGNETTE,),),
        may=(
            *(Role.ADD, Role.MAKE, Role.USE, Role.AMOUNT, Role.MORE, Role.RAISE, Role.EFFECT, Role.SHADE),
            *(Role.COLOR, Role.ADJECTIVE),
        ),
        words=LINKS | {"edges", "corners"},
    ),
    Form(_vignette, needs=((Role.TONE,), (Role.EDGES,)), may=(Role.AMOUNT,), words=LINKS),
    Form(
        _overlaid,
        needs=((Role.ADD, Role.MAKE, Role.CHANGE), (Role.OVERLAID,)),
        may=(Role.AMOUNT, Role.COLOR, Role.PLACE, Role.EFFECT, Role.ADJECTIVE),
        words=LINKS | {"weather", "light", "effect", "effects", "like", "falling"},
    ),
    Form(
        _drop_shadow,
        needs=((Role.ADD, Role.MAKE), (Role.DROP_SHADOW,)),
        may=(Role.AMOUNT, Role.EFFECT, Role.ADJECTIVE, Role.TONE),
        words=LINKS | {"under", "underneath"},
        others=frozenset({"whole", "subject", "background", "person"}),
    ),
)
