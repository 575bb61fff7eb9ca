"""What is laid over or around the whole photo: borders, frames, vignettes, weather, shadows."""

from editor.engine.language.forms.drawings import place_of
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
from editor.engine.language.phrases import REMOVED, Answer, Phrase, direct_backgrounds
from editor.engine.language.placing import boxed, placed
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import WHOLE, Kind, Reason, Target

_WIDEST_BORDER = 50  # percent of the photo


def _border(phrase: Phrase, found: Found) -> Answer | None:
    exact = measure_of(found, "pixels", "percent")
    is_too_wide = exact is not None and exact[1] == "percent" and exact[0] > _WIDEST_BORDER
    if Role.MEASURE in found and (exact is None or exact[0] <= 0 or is_too_wide):
        return None
    values = {"exact": exact, "amount": thickness_of(found), "place": place_of(phrase, found)}
    return [phrase.step(Kind.ADD, "border", color=color_of(found) or "white", **values)]


def _bars(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add black bars at the top and bottom", "a white strip below", "white space around it"."""
    places = dict.fromkeys(
        str(atom.senses[Role.PLACE]) for atom in phrase.core if atom.has(Role.PLACE) and atom.text != "all"
    )
    is_around = any(atom.text in ("around", "all sides") for atom in phrase.core) or any(
        scope.preposition == "around" for scope in phrase.scopes
    )
    bars = {atom.text for atom in phrase.core} & _BARS
    if not set(places) <= _SIDES_AND_ALL or not (bars or Role.ROOM in found):
        return None
    if bars and not places and not is_around:
        places = dict.fromkeys(("top", "bottom"))  # as of a film
    exact = measure_of(found, "pixels", "percent")
    if Role.MEASURE in found and exact is None:
        return None
    place = None if is_around or "all" in places else " ".join(places) or None
    values = {"exact": exact, "amount": thickness_of(found) or amount_of(found), "place": place}
    return [phrase.step(Kind.ADD, "border", color=color_of(found), **values)]


_BARS = frozenset({"bar", "bars", "strip", "strips", "letterbox", "band", "bands"})
_SIDES_AND_ALL = frozenset({"left", "right", "top", "bottom", "all"})


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
    """Of one side alone it is a darker side."""
    tone, place, amount = found.get(Role.TONE), value_of(found, Role.PLACE), _depth(found)
    if (tone and tone.senses[Role.TONE] != Tone("brightness", -1)) or amount is None:
        return None
    if place in ("top", "bottom", "left", "right"):
        target = Target("place", place=place)
        is_dark = color_of(found) in (None, "black")
        return [phrase.step(Kind.COLOR, "brightness", amount=-amount, target=target)] if is_dark else None
    return None if place else [phrase.step(Kind.ADD, "vignette", amount=amount, color=color_of(found))]


def _depth(found: Found) -> float | None:
    """ "Vignette -20" as on a slider, where less is darker; a number without a sign may be either."""
    if Role.NUMBER not in found:
        return amount_of(found, UNMARKED)
    number = float(str(value_of(found, Role.NUMBER)))
    return -number / 100 if -100 <= number < 0 else None


def _overlaid(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add snow", "make it rain", "change the weather to heavy rain"."""
    operation, verb = str(value_of(found, Role.OVERLAID)), phrase.core[0]
    if operation not in _FALLING:
        return _drawn(phrase, found, operation) if verb.has(Role.ADD, Role.PAINT) else None
    changes_weather = any(atom.text == "weather" for atom in phrase.core)
    if not verb.has(Role.ADD) and not changes_weather and len(phrase.core) > 3:
        return None
    if phrase.named or not _ROOMLESS.isdisjoint(found) or (verb.has(Role.MAKE) and Role.ADJECTIVE in found):
        return None  # "make the snow whiter"
    amount = amount_of(found, 0.2 if any(atom.text == "light" for atom in phrase.core[1:-1]) else None)
    return [phrase.step(Kind.ADD, operation, amount=amount, place=value_of(found, Role.PLACE))]


_FALLING = frozenset({"snow", "rain"})
_ROOMLESS = frozenset({Role.COLOR, Role.THICKNESS, Role.FINDABLE})
_IN_THE_SKY = frozenset(
    {"rainbow", "stars", "moon", "sun", "clouds", "storm_clouds", "lightning", "fireworks", "birds"}
)
_LOCAL = frozenset({"fire", "water_drops", "sparkles", "confetti"})
_SINGLE = frozenset({"rainbow", "moon", "sun"})
_SIZED = frozenset({"moon", "sun"})
_UNCOLORED = frozenset({"rainbow", "clouds", "storm_clouds", "bubbles"})


def _drawn(phrase: Phrase, found: Found, operation: str) -> Answer | None:
    """ "Add a rainbow to the sky", "put sparkles in the background", "draw a large moon at the top left"."""
    is_in_the_sky, whats = operation in _IN_THE_SKY, {scope.what for scope in phrase.scopes}
    if phrase.core[phrase.core.index(found[Role.OVERLAID]) - 1].text in ("in", "of", "to"):
        return None  # "add contrast in the clouds"
    if direct_backgrounds(phrase) or (
        "background" in whats and found[Role.OVERLAID].text.startswith("starry")
    ):
        return None  # "a starry sky background" is another background
    if Role.FINDABLE in found and not (is_in_the_sky and value_of(found, Role.FINDABLE) == "sky"):
        return None
    if Role.COLOR in found and operation in _UNCOLORED:
        return None
    size = next((atom for atom in phrase.core if atom.has(Role.THICKNESS)), None)
    if Role.AMOUNT in found and operation in _SINGLE and found[Role.AMOUNT] is not size:
        return None  # "some sun" is light
    if size is not None and operation not in _SIZED:
        return None
    color = "dark gray" if operation == "storm_clouds" else color_of(found)
    step = phrase.step(
        Kind.ADD,
        "clouds" if operation == "storm_clouds" else operation,
        target=_ground(phrase, operation, is_everywhere=value_of(found, Role.PLACE) == "all"),
        amount=float(str(size.senses[Role.THICKNESS])) if size else amount_of(found),
        color=color,
        place=place_of(phrase, found),
    )
    return [step]


def _ground(phrase: Phrase, operation: str, *, is_everywhere: bool) -> Target:
    """What it is drawn on: the sky may be marked with a box, and so may the place of what looks
    well where a box cuts it off, unless the words tell another; a background is what is not the subject."""
    whats = {scope.what for scope in phrase.named}
    is_in_the_sky = operation in _IN_THE_SKY
    is_open = not (phrase.scopes or is_everywhere or phrase.antecedent == REMOVED)
    is_boxed = is_in_the_sky or "region" in whats or (operation in _LOCAL and is_open)
    if phrase.scene.boxes and is_boxed:
        return boxed(phrase)
    return Target("background") if "background" in whats and not is_in_the_sky else WHOLE


def _veiled(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add thick fog", "strong grain", "fog in the box": fog has no color of its own, and is not light."""
    veil = next((atom.text for atom in phrase.core if atom.text in _VEILS), None)
    if veil is None:
        return None
    words = {atom.text for atom in phrase.core}
    is_told = Role.ADD in found or Role.AMOUNT in found or Role.THICKNESS in found or words & _DENSE
    if not is_told and not (_VEILS[veil] == "fog" and {s.what for s in phrase.named} == {"region"}):
        return None  # "grain" alone may be a complaint
    if Role.COLOR in found:
        return phrase.refused(
            Reason.AMBIGUOUS, "It has no color of its own. Say “add fog” or “add green smoke”."
        )
    dense = 0.65 if words & _DENSE else 0.2 if words & _LIGHT else UNMARKED
    amount = amount_of(found) or thickness_of(found) or dense
    place = placed(phrase)
    return place.refusal or [
        phrase.step(Kind.COLOR, _VEILS[veil], target=target, amount=amount) for target in place.targets
    ]


_VEILS = {"fog": "fog", "mist": "fog", "grain": "grain", "film grain": "grain"}
_DENSE, _LIGHT = frozenset({"dense", "heavy", "thick"}), frozenset({"light", "soft", "fine", "gentle"})


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


def _cast_shadow(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add a shadow under the vase": it would lie on the ground, where nothing tells its shape."""
    is_under = any(atom.text in _UNDER for atom in phrase.core)
    hint = "Only a shadow right behind the subject can be drawn. Say “add a drop shadow”."
    return phrase.refused(Reason.NEEDS_GENERATION, hint) if is_under else None


_UNDER = frozenset({"under", "underneath", "beneath", "below"})


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
        _bars,
        needs=((Role.ADD,), (Role.COLOR,)),
        may=(Role.MEASURE, Role.THICKNESS, Role.AMOUNT, Role.NUMBER, Role.ROOM, Role.MORE),
        many=(Role.PLACE,),
        words=_BARS
        | (LINKS - {"behind", "over", "from", "off", "like"})
        | {"image", "cinematic", "extra", "empty"},
    ),
    Form(
        _vignette,
        needs=((Role.VIGNETTE,),),
        may=(
            *(Role.ADD, Role.MAKE, Role.USE, Role.AMOUNT, Role.MORE, Role.RAISE, Role.EFFECT, Role.SHADE),
            *(Role.COLOR, Role.ADJECTIVE, Role.PLACE, Role.NUMBER),
        ),
        words=LINKS | {"edge", "edges", "corners", "along"},
    ),
    Form(_vignette, needs=((Role.TONE,), (Role.EDGES,)), may=(Role.AMOUNT,), words=LINKS),
    Form(
        _overlaid,
        needs=((Role.ADD, Role.MAKE, Role.CHANGE, Role.PAINT), (Role.OVERLAID,)),
        may=(
            *(Role.AMOUNT, Role.COLOR, Role.PLACE, Role.EFFECT, Role.ADJECTIVE, Role.THICKNESS),
            Role.FINDABLE,
        ),
        words=LINKS | {"weather", "light", "effect", "effects", "like", "falling", "corner", "sky"},
        others=frozenset({"whole", "background", "region"}),
    ),
    *(
        Form(
            _veiled,
            needs=(veil,),
            may=(Role.ADD, Role.AMOUNT, Role.THICKNESS, Role.COLOR),
            words=frozenset(_VEILS) | _DENSE | _LIGHT | {"in", "to", "on", "over", "of", "effect"},
            others=frozenset({"whole", "background", "region", "subject", "person"}),
        )
        for veil in ((Role.DEFECT,), (Role.QUALITY,))
    ),
    Form(
        _drop_shadow,
        needs=((Role.ADD, Role.MAKE), (Role.DROP_SHADOW,)),
        may=(Role.AMOUNT, Role.EFFECT, Role.ADJECTIVE, Role.TONE),
        words=LINKS | {"under", "underneath"},
        others=frozenset({"whole", "subject", "background", "person"}),
    ),
    Form(
        _cast_shadow,
        needs=((Role.ADD, Role.MAKE), (Role.DROP_SHADOW,)),
        may=(Role.AMOUNT, Role.ADJECTIVE),
        words=LINKS | _UNDER,
        others=frozenset({"whole", "subject", "person", "region"}),
        names=True,
    ),
)
