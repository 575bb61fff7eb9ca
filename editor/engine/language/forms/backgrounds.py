"""Another background: a color, a gradient, none at all, out of focus, a second photo."""

from collections.abc import Sequence
from itertools import pairwise

from editor.engine.language.forms.form import (
    LINKS,
    ON_IT,
    SETTING,
    SURROUNDING,
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
from editor.engine.language.lexicon.roles import VERBS
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import NEW_BACKGROUND, REMOVED, Answer, Phrase, Scope
from editor.engine.language.tone import UNMARKED
from editor.engine.language.wishes import Wish
from editor.engine.plan import Kind, Reason, Target

BACKGROUND = Target("background")
BEHIND_IT = ON_IT | {"region"}
PUT = frozenset({"whole", "subject", "person", "region", "face"})
CUT_OUT_FIRST = "Say “isolate it and make the background white”, with a box around it."
_ATTACH = "Name a color, or attach a photo and say: use photo 2 as the background."


UNLOVED = frozenset({"busy", "distracting", "ugly", "messy", "cluttered", "boring", "noisy", "existing"})
"""What is said of a background that is to go."""


def changed(phrase: Phrase, operation: str, **values: object) -> list[Wish]:
    return [phrase.step(Kind.BACKGROUND, operation, target=BACKGROUND, **values)]


def _solid(phrase: Phrase, found: Found) -> Answer | None:
    if is_inside(phrase) or is_of_someone_there(phrase) or _tells_of_a_photo(phrase):
        return None
    if not _is_around_a_face(phrase):
        return None
    if is_slight(found) or (Role.BE in found and Role.PURPOSE not in found):
        return None
    if puts_what_was_removed(phrase):
        return phrase.refused(Reason.AMBIGUOUS, CUT_OUT_FIRST)
    return changed(phrase, "solid_background", color=color_of(found))


def _is_around_a_face(phrase: Phrase) -> bool:
    """ "A white background around the cat's face": a face that is named only tells where."""
    atoms, faces = phrase.clause.atoms, [scope for scope in phrase.scopes if scope.what == "face"]
    return all(any(atom.text in SURROUNDING for atom in atoms[: face.first + 1]) for face in faces)


def _tells_of_a_photo(phrase: Phrase) -> bool:
    """ "I have a picture of my dog on a white background": how it is now."""
    atoms = phrase.clause.atoms
    shows = any(left.text == "a" and right.has(Role.PHOTO) for left, right in pairwise(atoms))
    return shows and not any(atom.has_any(VERBS) for atom in phrase.core)


def is_of_someone_there(phrase: Phrase) -> bool:
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
        or (opening.has_any(_GIVING) and any(atom.text in _HAVING for atom in atoms))
        or (not opening.has_any(VERBS) and _is_shown_on(before) and not _tells_of_it(atoms))
    )
    if not adjoins or not puts or any(atom not in before or _is_new(before, atom) for atom in names):
        return None
    return _solid(phrase, found) if Role.COLOR in found else _transparent(phrase, found)


_GIVING = (Role.MAKE, Role.ADJUST, Role.OUTWARD)  # "shop the cup to have a white background"
_HAVING = frozenset({"have", "to have", "having", "on", "with", "against"})


def _is_shown_on(before: Sequence[Atom]) -> bool:
    """ "My dog on a white background", and not "the dog on the white background"."""
    told = [atom.text for atom in before[:-1]]
    told = told[:-1] if told[-1:] in (["a"], ["an"]) else told
    return told[-1:] in (["on"], ["onto"], ["against"], ["with"])


def _tells_of_it(atoms: Sequence[Atom]) -> bool:
    """ "I have my dog on a white background", "a picture of him on a white background": how it is now."""
    is_of = any(left.has(Role.PHOTO) and right.text == "of" for left, right in pairwise(atoms))
    return is_of or any(atom.text in ("have", "got", "took", "is", "was") for atom in atoms)


def _is_new(before: Sequence[Atom], name: Atom) -> bool:
    """The headshot of "make it a headshot with a white background"."""
    at = next(at for at, atom in enumerate(before) if atom is name)
    leads = (atom.text for atom in reversed(before[:at]) if not (atom.has(Role.COLOR) or is_name(atom)))
    return next(leads, "") in ("a", "an", "some")


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


def _either(phrase: Phrase, found: Found) -> Answer | None:
    """ "Black or white": the first will do."""
    atoms = phrase.clause.atoms
    at = next((at for at, atom in enumerate(atoms) if atom.text in EITHER), 0)
    if is_inside(phrase) or is_of_someone_there(phrase) or not 0 < at < len(atoms) - 1:
        return None
    are_joined = atoms[at - 1].has(Role.COLOR) and atoms[at + 1].has(Role.COLOR)
    color = str(atoms[at - 1].senses.get(Role.COLOR))
    return changed(phrase, "solid_background", color=color) if are_joined else None


EITHER = frozenset({"/", "or"})


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


def _made_calm(phrase: Phrase, found: Found) -> Answer | None:
    """ "Make the background less busy": out of focus, it is."""
    return _blurred(phrase, found) if any(atom.text in _BUSY for atom in phrase.core) else None


_BUSY = frozenset({"busy", "distracting", "cluttered", "noisy", "prominent"})


def _blurred_too(phrase: Phrase, found: Found) -> Answer | None:
    """The "blurred" of "change the background to a beach, blurred", unlike that of a sentence of its own."""
    is_of_it = phrase.antecedent == NEW_BACKGROUND and phrase.clause.joint == "and" and not phrase.scopes
    return _made_blurry(phrase, found) if is_of_it else None


def _transparent(phrase: Phrase, found: Found) -> Answer | None:
    if is_slight(found) or is_inside(phrase) or (Role.COLOR in found and not _adjoins(phrase, found)):
        return None
    if Role.EXTRACT in found and is_of_someone_there(phrase):
        return None
    if puts_what_was_removed(phrase):
        return phrase.refused(Reason.AMBIGUOUS, "Say “isolate it”, with a box around it.")
    return changed(phrase, "transparent_background")


def _taken_off(phrase: Phrase, found: Found) -> Answer | None:
    """ "Render off the background"."""
    takes = phrase.core[0].text in _TAKING and any(atom.text in _AWAY for atom in phrase.core[1:])
    return changed(phrase, "transparent_background") if takes and not is_inside(phrase) else None


_TAKING = frozenset({"render", "knock", "key", "drop"})
_AWAY = frozenset({"off", "out", "away"})


def _saved_as_png(phrase: Phrase, found: Found) -> Answer | None:
    """ "Remove the background and save it as a PNG": the second half says how a cut-out is kept anyway."""
    names_png = any(atom.text in ("png", "pngs") for atom in phrase.core)
    return changed(phrase, "transparent_background") if names_png and phrase.follows_background else None


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
    things = [atom.text for atom in phrase.core if is_name(atom)]
    is_the_subject = len(people) + len(things) == 1 and SUBJECTS.issuperset(things)
    if len(others) != 1 or not is_the_subject or len(others[0].photos) != 1:
        return None
    before = any(atom.text == "in front of" for atom in phrase.core)
    if not before and others[0].preposition not in ("in", "on", "into", "onto"):
        return None
    return changed(phrase, "photo_background", photo=others[0].photos[0])


def _impossible_background(phrase: Phrase, found: Found) -> Answer | None:
    """A scene that no photo shows; of two photos, "replace the background" can only mean the other one."""
    says_what = phrase.has(Role.SCENE, Role.NOUN, Role.VAGUE, Role.COLORS)
    replaces = phrase.core[0].has(Role.REPLACE, Role.CHANGE)
    if phrase.scene.photos == 2 and not phrase.photos and not says_what and replaces:
        return changed(phrase, "photo_background", photo=2)
    if not says_what and any(atom.text in PLAIN for atom in phrase.clause.atoms):
        return changed(phrase, "solid_background", color="white")
    return phrase.refused(Reason.NEEDS_REFERENCE, _attach(phrase))


PLAIN = frozenset({"plain", "solid", "blank"})  # a background that is nothing but light


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


def _no_such_place(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the background to a castle"."""
    behind = next((scope for scope in phrase.scopes if scope.what == "background"), None)
    if behind is None or behind.preposition:
        return None
    is_told = any(atom.text in ("to", "into", "with") for atom in phrase.clause.atoms[behind.after :])
    return phrase.refused(Reason.NEEDS_REFERENCE, _PLACES) if is_told else None


_PLACES = (
    "There is no picture of that here. There are a beach, a forest, a city, a library, a gallery and some "
    "twenty others; or attach a photo and say: use photo 2 as the background."
)


def _nowhere(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me in a castle"."""
    return phrase.refused(Reason.NEEDS_REFERENCE, _attach(phrase))


BACKGROUNDS: tuple[Form, ...] = (
    Form(
        _photo_behind,
        may=SETTING,
        words=LINKS | UNLOVED | {"instead", "new"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _put_before,
        needs=((Role.ADD,),),
        words=LINKS | {"in front of"},
        others=frozenset({"whole", "person", "subject"}),
        names=True,
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
        others=BEHIND_IT | {"face"},
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
        _either,
        needs=((Role.COLOR,), (Role.COLOR,)),
        may=(*SETTING, Role.ADJUST, Role.COLORS, Role.BE, Role.PURPOSE),
        many=(Role.WHOLE,),
        words=LINKS | PLAIN | EITHER | {"colored", "new", "one", "either"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _put_on,
        needs=((Role.COLOR, Role.TRANSPARENT),),
        may=(Role.ADD, Role.MAKE, Role.CROP, Role.ADJUST, Role.OUTWARD, Role.COLORS, Role.CUTOUT),
        words=LINKS
        | {"plain", "solid", "simple", "clean", "new", "against", "holding", "wearing", "instead"},
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
    Form(_taken_off, needs=((Role.MAKE, Role.CHANGE),), words=_AWAY, scope="background", others=BEHIND_IT),
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
    Form(
        _made_calm, needs=((Role.LESS, Role.TOO),), may=(Role.MAKE, Role.BE), words=_BUSY, scope="background"
    ),
    Form(_blurred_too, needs=(_BLURRY,), may=(Role.AMOUNT,)),
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
    Form(
        _no_such_place,
        needs=((Role.CHANGE, Role.REPLACE, Role.MAKE),),
        many=(Role.SCENE, Role.ADJECTIVE, Role.LOOK),
        words=LINKS,
        scope="background",
        others=frozenset({"whole"}),
        names=True,
    ),
)
