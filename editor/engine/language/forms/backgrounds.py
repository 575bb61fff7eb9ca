"""Another background: a color, a gradient, none at all, out of focus, a second photo."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise

from editor.engine.kinds import is_someone
from editor.engine.language.forms.crops import EDGING
from editor.engine.language.forms.drawings import names_in
from editor.engine.language.forms.form import (
    LINKS,
    ON_IT,
    SETTING,
    Form,
    Found,
    amount_of,
    color_of,
    is_name,
    is_slight,
    value_of,
)
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone
from editor.engine.language.lexicon.grounds import DRAWN_PLACES
from editor.engine.language.lexicon.things import SUBJECTS, WEATHER
from editor.engine.language.phrases import NEW_BACKGROUND, REMOVED, Answer, Phrase, Scope
from editor.engine.language.scopes import is_strange
from editor.engine.language.seen import seen_thing
from editor.engine.language.tone import UNMARKED
from editor.engine.plan import Kind, Reason, Step, Target

_BACKGROUND = Target("background")
BEHIND_IT = ON_IT | {"region"}
PUT = frozenset({"whole", "subject", "person", "region", "face"})
CUT_OUT_FIRST = "Say “cut it out and make the background white”, with a box around it."
_ATTACH = "Name a color, or attach a photo and say: use photo 2 as the background."


def changed(phrase: Phrase, operation: str, **values: object) -> list[Step]:
    return [phrase.step(Kind.BACKGROUND, operation, target=_BACKGROUND, **values)]


def _solid(phrase: Phrase, found: Found) -> Answer | None:
    if is_inside(phrase) or _is_of_someone_there(phrase):
        return None
    if is_slight(found) or (Role.BE in found and Role.PURPOSE not in found):
        return None
    if puts_what_was_removed(phrase):
        return phrase.refused(Reason.AMBIGUOUS, CUT_OUT_FIRST)
    return changed(phrase, "solid_background", color=color_of(found))


def _is_of_someone_there(phrase: Phrase) -> bool:
    """ "The man in the background"."""
    return any(
        left.what == "person" and right.what == "background" and right.preposition == "in"
        for left, right in pairwise(phrase.named)
    )


def is_inside(phrase: Phrase) -> bool:
    """ "The background in the box": only the whole background can be another."""
    inside = ("in", "of", "inside", "within", "to", "from")
    return any(scope.what == "region" and scope.preposition in inside for scope in phrase.scopes)


def _put_on(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put the bottle on a white background": the color stands right before the background."""
    atoms = phrase.clause.atoms
    scope = next((scope for scope in phrase.scopes if scope.what == "background"), None)
    if scope is None:
        return None
    before = [atom for atom in atoms[: scope.after - 1] if not atom.has(Role.FILLER)]
    names = [atom for atom in phrase.core if is_name(atom)]
    adjoins = bool(before) and before[-1] is found.get(Role.COLOR, found.get(Role.TRANSPARENT))
    opening = phrase.core[0]
    puts = (
        opening.has(Role.ADD)
        or any(atom.text == "onto" for atom in atoms)
        or (opening.has(Role.MAKE) and any(atom.text in _HAVING for atom in atoms))
    )
    if not adjoins or not puts or any(atom not in before for atom in names):
        return None
    return _solid(phrase, found) if Role.COLOR in found else _transparent(phrase, found)


_HAVING = frozenset({"have", "having", "on", "with", "against"})  # "make the cup have a white background"


def _adjoins(phrase: Phrase, found: Found) -> bool:
    """ "The black background", made transparent."""
    atoms = phrase.clause.atoms
    return any(left is found[Role.COLOR] and right.has(Role.BACKGROUND) for left, right in pairwise(atoms))


def puts_what_was_removed(phrase: Phrase) -> bool:
    """ "Crop out the clock and place it on white": the clock is not to be erased."""
    return phrase.antecedent == REMOVED and bool(phrase.core) and phrase.core[0].has(Role.ADD)


def _solid_from(phrase: Phrase, found: Found) -> Answer | None:
    """ "from black to white": the color after the "to" counts, so the order is looked at."""
    colors = [atom for atom in phrase.core if atom.has(Role.COLOR)]
    order = [atom.text for atom in phrase.core if atom.text in ("from", "to", "into", "with")]
    if any(atom.text in _INSTEAD for atom in phrase.core):
        is_between = _stands_between(phrase.core, colors)
        color = str(colors[0].senses[Role.COLOR])
        return changed(phrase, "solid_background", color=color) if is_between else None
    if len(colors) != 2 or (
        order not in (["from", "to"], ["from", "into"]) and not _names_the_old(phrase, colors)
    ):
        return None
    return changed(phrase, "solid_background", color=str(colors[1].senses[Role.COLOR]))


_INSTEAD = frozenset({"instead of", "rather than"})


def _stands_between(core: Sequence[Atom], colors: Sequence[Atom]) -> bool:
    """ "White instead of black"."""
    order = [atom for atom in core if atom in colors or atom.text in _INSTEAD]
    return len(order) == 3 and order[1].text in _INSTEAD


def _names_the_old(phrase: Phrase, colors: Sequence[Atom]) -> bool:
    """ "Change the white background to blue"."""
    atoms = phrase.clause.atoms
    background = next((at for at, atom in enumerate(atoms) if atom.has(Role.BACKGROUND)), 0)
    links = [at for at, atom in enumerate(atoms) if atom.text in ("to", "into", "with")]
    is_replaced = phrase.core[0].has(Role.CHANGE, Role.REPLACE, Role.MAKE, Role.ADJUST)
    return is_replaced and len(links) == 1 and atoms[background - 1] is colors[0] and background < links[0]


def _gradient(phrase: Phrase, found: Found) -> Answer | None:
    colors = [str(atom.senses[Role.COLOR]) for atom in phrase.core if atom.has(Role.COLOR)]
    if _is_left_behind(phrase.core):
        is_told = phrase.core[-1].has(Role.COLOR)
        return changed(phrase, "solid_background", color=colors[-1]) if is_told else None
    if not 1 <= len(colors) <= 2:
        return phrase.refused(Reason.AMBIGUOUS, "Name its two colors, as in: a gradient from blue to white.")
    second = colors[1] if len(colors) == 2 else None
    return changed(
        phrase, "gradient_background", color=colors[0], choice=second, place=_course(phrase, found)
    )


def _is_left_behind(core: Sequence[Atom]) -> bool:
    """ "from a gray gradient to black" asks for black."""
    at = next(i for i, atom in enumerate(core) if atom.has(Role.GRADIENT))
    before = any(atom.text == "from" for atom in core[:at])
    return before and any(atom.text in ("to", "into") for atom in core[at:])


def _course(phrase: Phrase, found: Found) -> str | None:
    """From left to right, from the center outwards, or (None) from top to bottom."""
    if (
        any(atom.text in ("radial", "circular") for atom in phrase.core)
        or value_of(found, Role.PLACE) == "center"
    ):
        return "center"
    return "left" if value_of(found, Role.AXIS) == "horizontal" else None


def _with_depth(phrase: Phrase, found: Found) -> Answer | None:
    """ "Add bokeh"; "change it to portrait mode" may be a wish for another format."""
    if found[Role.BOKEH].text == "portrait mode" and phrase.core[0].has(Role.CHANGE):
        return phrase.refused(Reason.AMBIGUOUS, "Say “blur the background”, or name a ratio such as 4:5.")
    return _blurred(phrase, found)


def _blurred(phrase: Phrase, found: Found) -> Answer | None:
    return changed(phrase, "blur_background", amount=amount_of(found, UNMARKED))


def _blackened(phrase: Phrase, found: Found) -> Answer | None:
    """ "Black out the background"."""
    if value_of(found, Role.HIDE) != "black":
        return None
    return changed(phrase, "solid_background", color="black")


def _made_blurry(phrase: Phrase, found: Found) -> Answer | None:
    """ "A blurry background"."""
    role = next(role for role in _BLURRY if role in found)
    tone = found[role].senses[role]
    is_blur = isinstance(tone, Tone) and (tone.operation, tone.sign) == ("blur", 1)
    if Role.BE in found and Role.PURPOSE not in found:  # "the background is blurry" may be a complaint
        return None
    return _blurred(phrase, found) if is_blur else None


_BLURRY = (Role.ADJECTIVE, Role.QUALITY, Role.TONE)


def _blurred_too(phrase: Phrase, found: Found) -> Answer | None:
    """The "blurred" of "change the background to a beach, blurred", unlike that of a sentence of its own."""
    is_of_it = phrase.antecedent == NEW_BACKGROUND and phrase.clause.joint == "and" and not phrase.scopes
    return _made_blurry(phrase, found) if is_of_it else None


def _transparent(phrase: Phrase, found: Found) -> Answer | None:
    if is_slight(found) or is_inside(phrase) or (Role.COLOR in found and not _adjoins(phrase, found)):
        return None
    if puts_what_was_removed(phrase):
        return phrase.refused(Reason.AMBIGUOUS, "Say “cut it out”, with a box around it.")
    return changed(phrase, "transparent_background")


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
    target = _BACKGROUND if phrase.scene.boxes else _all_but(phrase, told, named)
    if target is None:
        return phrase.refused(Reason.NEEDS_REGION, "Mark it with a box and it can be cut out.")
    return _laid_on(phrase, phrase.clause.atoms[at:], target)


def _ground_at(atoms: Sequence[Atom]) -> int:
    """Where the words about a ground begin: "on a blue background", "from its background"."""
    at = len(atoms)
    while at > 0 and (atoms[at - 1].has(*_OF_A_GROUND) or atoms[at - 1].text in _PLAIN | _EITHER):
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
    whats = {scope.what for scope in phrase.named if scope.what != "background"}
    is_described = any(atom.has(Role.PLACE, Role.COLOR, Role.ORDINAL, Role.NUMBER) for atom in told)
    is_known = all(atom.text in SUBJECTS for atom in named) or _is_a_first_name(phrase, named)
    is_person = is_known and whats <= {"person", "subject"}
    is_the_subject = is_person and not is_described and not (named and whats)
    seen = seen_thing(told)
    if seen is not None and not (is_the_subject and is_someone(seen.noun)):
        return replace(seen, what="background")
    return _BACKGROUND if is_the_subject else None


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
    if len(colors) == 1 and is_clear and any(atom.text in _EITHER for atom in ground):
        is_clear = not any(atom.has(Role.COLOR) for atom in ground[: _either_at(ground)])
        colors = [] if is_clear else colors
    if is_there or len(colors) + is_clear != 1:
        return phrase.refused(Reason.AMBIGUOUS, "Say “cut it out and make the background white”.")
    if is_clear:
        return [phrase.step(Kind.BACKGROUND, "transparent_background", target=target)]
    return [phrase.step(Kind.BACKGROUND, "solid_background", target=target, color=colors[0])]


_EITHER = frozenset({"/", "or"})


def _either_at(ground: Sequence[Atom]) -> int:
    return next(at for at, atom in enumerate(ground) if atom.text in _EITHER)


def _saved_as_png(phrase: Phrase, found: Found) -> Answer | None:
    """ "Remove the background and save it as a PNG": the second half says how a cut-out is kept anyway."""
    names_png = any(atom.text in ("png", "pngs") for atom in phrase.core)
    return changed(phrase, "transparent_background") if names_png and phrase.follows_background else None


def _cuts_away(phrase: Phrase) -> bool:
    """ "Cut the bottom", and "cut the man out" or "cut out the man from the photo", which may mean either;
    "cut him out on white" does not."""
    if not phrase.core[0].text.startswith(("cut", "clip")):
        return False
    leaves = any(scope.what == "whole" and scope.preposition in ("from", "of") for scope in phrase.scopes)
    apart = any(atom.text in ("off", "away", "out of") for atom in phrase.core[1:])
    apart = apart or (any(atom.text == "out" for atom in phrase.core[1:]) and not _is_laid_on(phrase))
    of_a_side = any(atom.has(Role.PLACE, Role.FRACTION) or atom.text in EDGING for atom in phrase.core)
    tells_which = phrase.core[0].has(Role.CUTOUT) and seen_thing(_told_of_the_cut(phrase, None)) is not None
    return leaves or apart or (of_a_side and not tells_which)


def _photo_behind(phrase: Phrase, found: Found) -> Answer | None:
    others = [scope for scope in phrase.scopes if set(scope.photos) - {1}]
    if phrase.photo is None or len(others) > 1 or any(_is_owner(scope) for scope in others):
        return None
    if phrase.photo == 1 and not (others and _is_replaced(phrase)):
        return phrase.refused(
            Reason.AMBIGUOUS, "Photo 1 is the one that is edited. Say which other photo goes behind it."
        )
    return changed(phrase, "photo_background", photo=others[0].photos[0])


def _is_replaced(phrase: Phrase) -> bool:
    """ "replace the background of photo 1 with photo 2"."""
    first, *others = [scope for scope in phrase.scopes if scope.photos]
    replaces = phrase.core[0].has(Role.REPLACE, Role.CHANGE)
    return replaces and first.preposition == "of" and all(s.preposition in ("", "to") for s in others)


def _is_owner(scope: Scope) -> bool:
    """ "the background of photo 2" is not photo 2, and "photos 2 and 3" are not one background."""
    return len(scope.photos) > 1 or scope.preposition in ("of", "in", "from", "for", "behind")


def _put_before(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me in front of the second picture", "place her on photo 2"."""
    others = [scope for scope in phrase.scopes if scope.photos and scope.photos != (1,)]
    people = [
        scope for scope in phrase.named if scope.what in ("person", "subject") and not scope.preposition
    ]
    if len(others) != 1 or len(people) != 1 or len(others[0].photos) != 1:
        return None
    before = any(atom.text == "in front of" for atom in phrase.core)
    if not before and others[0].preposition not in ("in", "on", "into", "onto"):
        return None
    return changed(phrase, "photo_background", photo=others[0].photos[0])


def _impossible_background(phrase: Phrase, found: Found) -> Answer | None:
    """A scene that no photo shows; of two photos, "replace the background" can only mean the other one."""
    says_what = any(atom.has(Role.SCENE, Role.NOUN, Role.VAGUE, Role.COLORS) for atom in phrase.core)
    replaces = phrase.core[0].has(Role.REPLACE, Role.CHANGE)
    if phrase.scene.photos == 2 and not phrase.photos and not says_what and replaces:
        return changed(phrase, "photo_background", photo=2)
    if not says_what and any(atom.text in _PLAIN for atom in phrase.clause.atoms):
        return changed(phrase, "solid_background", color="white")
    return phrase.refused(Reason.NEEDS_REFERENCE, _attach(phrase))


_PLAIN = frozenset({"plain", "solid", "blank"})  # a background that is nothing but light


def _attach(phrase: Phrase) -> str:
    places = [atom.text for atom in phrase.core if atom.senses.get(Role.GROUND) in DRAWN_PLACES]
    if len(places) == 1:
        return f"Say only “change the background to {places[0]}”, or attach a photo of what you mean."
    scenes = [atom.text for atom in phrase.core if atom.has(Role.SCENE) and not atom.has(Role.VAGUE)]
    if len(scenes) != 1 or scenes[0].split()[-1] in ("background", "else", "different"):
        return _ATTACH
    named = phrase.words[phrase.words.lower().find(scenes[0]) - 2 :].lower()
    article = "a " if named.startswith("a ") else ""
    return f"Attach a photo of {article}{scenes[0]} and say: use photo 2 as the background."


def _nowhere(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me in a castle"."""
    return phrase.refused(Reason.NEEDS_REFERENCE, _attach(phrase))


BACKGROUNDS: tuple[Form, ...] = (
    Form(
        _photo_behind,
        may=SETTING,
        words=LINKS | {"instead", "new"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _put_before,
        needs=((Role.ADD,),),
        words=LINKS | {"in front of"},
        others=frozenset({"whole", "person", "subject"}),
    ),
    Form(
        _gradient,
        needs=((Role.GRADIENT,),),
        may=(*SETTING, Role.COLORS, Role.AXIS, Role.PLACE),
        many=(Role.COLOR,),
        words=LINKS | {"radial", "circular", "fading", "soft", "new"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _solid,
        needs=((Role.COLOR,),),
        may=(*SETTING, Role.ADJUST, Role.COLORS, Role.AMOUNT, Role.BE, Role.PURPOSE, Role.EXTRACT),
        many=(Role.WHOLE,),
        words=LINKS
        | {"solid", "plain", "blank", "simple", "clean", "screen", "new", "studio", "one", "colored"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _solid_from,
        needs=((Role.COLOR,), (Role.COLOR,)),
        may=(*SETTING, Role.ADJUST, Role.COLORS),
        many=(Role.WHOLE,),
        words=LINKS | {"one", "solid", "plain"} | _INSTEAD,
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _put_on,
        needs=((Role.ADD, Role.MAKE, Role.CROP), (Role.COLOR, Role.TRANSPARENT)),
        may=(Role.COLORS, Role.CUTOUT),
        words=LINKS | {"plain", "solid", "simple", "clean", "new", "against", "holding", "wearing"},
        scope="background",
        others=PUT,
        names=True,
    ),
    Form(
        _transparent,
        needs=((Role.TRANSPARENT,),),
        may=(*SETTING, Role.AMOUNT, Role.BE, Role.CUTOUT, Role.COLOR),
        words=LINKS | {"png", "file", "format", "clear"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _transparent, needs=((Role.EXTRACT,),), words=LINKS - {"with"}, scope="background", others=BEHIND_IT
    ),
    Form(
        _saved_as_png,
        needs=((Role.ADJUST, Role.MAKE, Role.CHANGE, Role.USE),),
        words=LINKS | {"png", "pngs", "file", "format", "transparent"},
        others=frozenset({"whole", "background", "unclear", "region"}),
    ),
    Form(
        _with_depth,
        needs=((Role.BOKEH,),),
        may=(*SETTING, Role.AMOUNT, Role.EFFECT, Role.MORE),
        words=LINKS,
        others=frozenset({"whole", "background"}),
    ),
    Form(_blackened, needs=((Role.HIDE,),), scope="background"),
    Form(
        _made_blurry,
        needs=(_BLURRY,),
        may=(Role.ADD, Role.MAKE, Role.USE, Role.AMOUNT, Role.MORE, Role.BE, Role.PURPOSE),
        words=frozenset({"with", "in"}),
        scope="background",
    ),
    Form(_blurred_too, needs=(_BLURRY,), may=(Role.AMOUNT,)),
    Form(
        _extracted,
        needs=((Role.EXTRACT,),),
        may=(Role.CUTOUT, Role.COLOR, Role.NUMBER, Role.ORDINAL, Role.TRANSPARENT),
        many=(Role.PLACE, Role.COLOR, Role.PREPOSITION, Role.THICKNESS, Role.ADJECTIVE),
        words=LINKS | _PLAIN,
        others=frozenset({"whole", "subject", "person", "region", "background", "face"}),
        names=True,
    ),
    Form(
        _extracted,
        needs=((Role.MAKE, Role.CHANGE, Role.ADD, Role.CROP), (Role.CUTOUT,)),
        may=(Role.COLOR, Role.TRANSPARENT),
        words=LINKS | {"png", *_EITHER},
        others=frozenset({"whole", "subject", "person", "region", "background"}),
        names=True,
    ),
    Form(_extracted, needs=((Role.CUTOUT,),)),
)

NO_BACKGROUNDS: tuple[Form, ...] = (
    Form(
        _nowhere,
        needs=((Role.ADD,), (Role.SCENE,)),
        words=LINKS | {"in front of"},
        others=frozenset({"person", "subject"}),
    ),
    Form(
        _impossible_background,
        needs=((Role.CHANGE, Role.REPLACE, Role.ADD, Role.USE, Role.MAKE),),
        may=(Role.SCENE, Role.NOUN, Role.VAGUE, Role.COLORS),
        words=LINKS | {"new", "different"},
        scope="background",
        others=BEHIND_IT,
    ),
)
