"""What is added by its name: "two palm trees on the left", "a red apple on the table", "a top hat on him"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from editor.engine.kinds import LIVING, is_plural, kinds_of
from editor.engine.language.grammar import Atom, is_packing
from editor.engine.language.landmarks import Landmark, landmark_named
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.props import (
    COUNTS,
    FLYING,
    PRAISE,
    SCATTERING,
    SIZES,
    WISHES,
)
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.language.placing import boxed
from editor.engine.language.prop_spots import (
    Spot,
    fits_scenery,
    in_the_photo,
    on_a_head,
    spot_marked,
    spot_told,
    without_being,
    words_of,
)
from editor.engine.language.scopes import is_name
from editor.engine.language.wishes import Wish
from editor.engine.plan import WHOLE, Kind, Reason, Refusal, Target
from editor.engine.props import MOST_PROPS, PROPS, Prop, prop_named

_COUNTED = {word: count for count, words in COUNTS.items() for word in words.split(", ")}
_SIZED = {word: amount for amount, words in SIZES.items() for word in words.split(", ")}
_SEVERAL = 3  # "apples"
_FURTHER = frozenset({"more", "some more", "additional", "extra", "further"})
_A_FACE = Target("face", count=1)
_PARTS_WORN = ("head", "eyes")
_DARKER = ("dark ", "light ", "bright ", "pale ")  # shades of a color: "dark green"


@dataclass(frozen=True, slots=True)
class Named:
    """A prop as far as it was read; `after` is the first atom behind its noun. It is not
    counted where "hats" leave open how many."""

    prop: Prop
    after: int
    count: int = 1
    amount: float | None = None
    color: str | None = None
    is_flying: bool = False
    is_counted: bool = True


def added_props(phrase: Phrase) -> Answer | None:
    """The steps that add props; None where the words name none, or say more of one than its picture shows."""
    atoms = [atom for atom in phrase.clause.atoms if atom.kind != "stop"]
    verb = next((at for at, atom in enumerate(atoms) if not is_packing(atom)), len(atoms))
    if verb < len(atoms) and atoms[verb].has(Role.MAKE) and atoms[verb].text != "get":
        return _made_to_wear(phrase, atoms[verb + 1 :])
    at = _first_item(atoms, verb)
    if at is None or any(photo != 1 for photo in phrase.photos):
        return None
    if atoms[verb].text in _GIVING:
        return _given(phrase, atoms[verb + 1 :])
    steps: list[Wish] = []
    while at < len(atoms):
        named = _named(atoms, at)
        if named is None:
            return None
        at = _end_of_item(atoms, named.after)
        told = without_being(atoms[named.after : at])
        if aside := _on_both_sides(phrase, named, told):
            steps += aside
            at += 1
            continue
        noun = atoms[named.after - 1]
        where = spot_told(phrase, noun, told, named.prop) or spot_marked(phrase, noun, told)
        made = _step(phrase, named, where) if isinstance(where, Spot) else where
        if made is None:
            made = _of_unknown_item(phrase, noun, told)
        if not isinstance(made, Wish):
            return made
        steps.append(made)
        at += 1
    return _sharing_a_place(steps) or None


def _first_item(atoms: Sequence[Atom], verb: int) -> int | None:
    """Where what is to be added begins: behind its verb, or behind "there should be"; None where none is."""
    if verb < len(atoms) and (atoms[verb].has(Role.ADD) or atoms[verb].text in SCATTERING):
        if atoms[verb].text in _WRITING:
            return None
        is_new = atoms[verb].text in _BRINGING and [atom.text for atom in atoms[verb + 1 : verb + 2]] == [
            "the"
        ]
        return verb + 1 + is_new
    led = takewhile(lambda atom: is_packing(atom) or atom.text == "get" or atom.has(*_NEEDING), atoms)
    said = [atom.text for atom in led]
    is_wished = any(f" {wish} " in f" {' '.join(said)} " for wish in WISHES) if said else False
    return len(said) if is_wished and len(said) < len(atoms) else None


_NEEDING = (Role.IT, Role.THIS, Role.PHOTO)


def _on_both_sides(phrase: Phrase, named: Named, told: Sequence[Atom]) -> list[Wish]:
    """ "Trees on both sides of the road": as many on the left as on the right; none where it is said of no
    more than the photo."""
    sides = [at for at, (one, other) in enumerate(pairwise(told)) if (one.text, other.text) in _BOTH_SIDES]
    is_even = not named.is_counted or named.count == 1 or named.count % 2 == 0
    if not sides or not is_even or phrase.scene.boxes:
        return []
    if in_the_photo(phrase, [*told[: sides[0]], *told[sides[0] + 2 :]]) != Spot():
        return []
    each = replace(named, count=2 if not named.is_counted else max(1, named.count // 2))
    made = [_step(phrase, each, Spot(place=side)) for side in ("left", "right")]
    return [step for step in made if isinstance(step, Wish)]


_BOTH_SIDES = frozenset((both, side) for both in ("both", "either", "each") for side in ("side", "sides"))


def _of_unknown_item(phrase: Phrase, noun: Atom, told: Sequence[Atom]) -> Refusal | None:
    """ "A tent and a campfire": it is the campfire that has no picture."""
    joins = len(told) > 2 and (told[0].has(Role.AND) or told[0].kind == "comma")
    if not joins or told[1].text not in _COUNTED or noun.has(Role.COLOR):
        return None
    sentence = f"There is no picture of “{words_of(told[1:])}” here. Leave it out, or attach a photo of it."
    return phrase.refused(Reason.NEEDS_GENERATION, sentence)


def prop_alone(phrase: Phrase, atoms: Sequence[Atom]) -> Named | None:
    """The prop that is all that the atoms name, beside courtesy and the photo that it is in."""
    named = _named(atoms, 0)
    told = [atom for atom in atoms[named.after :] if atom.text != "instead"] if named else []
    is_all = named is not None and in_the_photo(phrase, without_being(told)) == _anywhere(phrase, told)
    return named if is_all else None


def _anywhere(phrase: Phrase, told: Sequence[Atom]) -> Spot:
    """What the words of no place are read as."""
    return Spot(target=boxed(phrase)) if any(atom.has(Role.MARKED) for atom in told) else Spot()


def prop_step(phrase: Phrase, named: Named, target: Target) -> Wish | Refusal:
    """The step that adds it at a target."""
    return _step(phrase, named, Spot(target))


_GIVING = frozenset({"give", "giving"})
_BRINGING = frozenset({"add", "insert", "include", "introduce", "adding"})  # "the hat" is none that is there
_WRITING = frozenset({"write", "type", "caption", "print"})


def _made_to_wear(phrase: Phrase, atoms: Sequence[Atom]) -> Answer | None:
    """ "Make him wear a top hat"."""
    wears = next((at for at, atom in enumerate(atoms) if atom.text in ("wear", "wearing")), 0)
    return _given(phrase, [*atoms[:wears], *atoms[wears + 1 :]]) if wears else None


def _given(phrase: Phrase, atoms: Sequence[Atom]) -> Answer | None:
    """ "Give the man a top hat and sunglasses": what is worn, by who is named."""
    for at in range(1, len(atoms)):
        named = _named(atoms, at)
        if named is None or not (atoms[at].text in _COUNTED or named.prop.is_one or not named.is_counted):
            continue
        wearer = landmark_named(atoms[:at]) or _marked_wearer(phrase, atoms[:at])
        worn = _all_worn(atoms, named)
        is_marked = wearer is not None and wearer.target.what == "region"
        if wearer is None or not worn or not (is_marked or set(kinds_of(wearer.target.noun)) & LIVING):
            return None
        steps: list[Wish] = []
        for one in worn:
            where = on_a_head(phrase, wearer.target, one.prop)
            made = where if isinstance(where, Refusal) else _step(phrase, one, where)
            if isinstance(made, Refusal):
                return made
            steps.append(made)
        return steps
    return None


def _marked_wearer(phrase: Phrase, atoms: Sequence[Atom]) -> Landmark | None:
    """ "The doll" in a box, which is around where it is put on."""
    named = [atom for atom in atoms if not is_packing(atom) and not atom.has(Role.DETERMINER, Role.THIS)]
    is_one = len(named) == 1 and is_name(named[0]) and not named[0].has(Role.PHOTO, Role.BACKGROUND)
    return Landmark(boxed(phrase)) if is_one and phrase.scene.boxes else None


def _all_worn(atoms: Sequence[Atom], named: Named) -> list[Named]:
    """It and what is joined to it; none where something else is said, or that is not worn."""
    worn = [named]
    while (after := worn[-1].after) < len(atoms) and (
        atoms[after].has(Role.AND) or atoms[after].kind == "comma"
    ):
        following = _named(atoms, after + 1)
        if following is None:
            return []
        worn.append(following)
    is_all = all(map(is_packing, atoms[worn[-1].after :])) and all(one.prop.is_worn for one in worn)
    return worn if is_all else []


def _sharing_a_place(steps: Sequence[Wish]) -> list[Wish]:
    """ "An apple and a pear on the table" lie both there, and who wears a hat wears the sunglasses, too."""
    if steps and all(PROPS[step.choice or ""].is_worn for step in steps):
        wearers = {step.target for step in steps if step.place in _PARTS_WORN} - {_A_FACE}
        return [_worn_by(next(iter(wearers)), step) for step in steps] if len(wearers) == 1 else [*steps]
    last = steps[-1] if steps else None
    loose = [step for step in steps if step.place is None and step.target.what in ("whole", "region")]
    if last is None or len(loose) < len(steps) - 1 or last in loose or last.place in _PARTS_WORN:
        return list(steps)
    return [_placed_as(last, step) for step in steps]


def _worn_by(wearer: Target, step: Wish) -> Wish:
    return replace(step, target=wearer, place=PROPS[step.choice or ""].sits)


def _placed_as(last: Wish, step: Wish) -> Wish:
    """Where the last one is, if it can be there: a tent does not hang in the sky."""
    prop, is_aloft = PROPS[step.choice or ""], last.text or last.place == "above"
    can_be_there = fits_scenery(last.target, prop) and not (is_aloft and prop.sits != "flies")
    return (
        replace(step, target=last.target, place=last.place, text=last.text)
        if can_be_there or prop.name == last.choice
        else step
    )


def _named(atoms: Sequence[Atom], start: int) -> Named | None:
    """The prop whose noun is the first one from that atom on, with all that is said of it before."""
    for at in range(start, min(start + 8, len(atoms))):
        words = _words(atoms[at:])
        article = words[:1] == ["a"] and " " in atoms[at].text  # the amount "a stop" of "a stop sign"
        found = prop_named(words[article:]) if not _is_told(atoms, at) else None
        if found:
            length, prop, is_several = found
            after = _after(atoms, at, length + article)
            is_color = not is_several and _is_a_color(atoms[start : at + 1])
            if after is not None and not is_color and not _is_of_background(atoms[after:]):
                return _described(Named(prop, after), atoms[start:at], is_several=is_several)
    return None


def _is_a_color(told: Sequence[Atom]) -> bool:
    """The "orange" of "some orange", which is not counted as "an orange" is."""
    counted = any(atom.has(Role.NUMBER) or _COUNTED.get(atom.text) == 1 for atom in told[:-1])
    return told[-1].has(Role.COLOR) and not counted


def _is_of_background(following: Sequence[Atom]) -> bool:
    """ "A tree background" is no tree."""
    return bool(following) and following[0].has(Role.BACKGROUND)


def _words(atoms: Sequence[Atom]) -> list[str]:
    return [word for atom in atoms[:5] for word in atom.text.replace("-", " ").split()][:6]


def _after(atoms: Sequence[Atom], at: int, length: int) -> int | None:
    """The atom behind that many words; None where they end inside of one."""
    while length > 0 and at < len(atoms):
        length -= len(atoms[at].text.replace("-", " ").split())
        at += 1
    return at if length == 0 else None


def _is_told(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the "orange" of "an orange cup" describes: another noun follows."""
    own = prop_named(_words(atoms[at:])) if atoms[at].has(Role.COLOR) else None
    return own is not None and own[0] == 1 and prop_named(_words(atoms[at + 1 :])) is not None


def _described(named: Named, before: Sequence[Atom], *, is_several: bool) -> Named | None:
    """With how many there are, how large, and of which color; None where a word says something else."""
    count: int | None = None
    for atom in before:
        text = atom.text.removeprefix("a ") if atom.has(Role.AMOUNT) else atom.text  # "a little", "a tiny"
        if text == "d":  # "a 3d tree"
            return None
        if atom.has(Role.NUMBER) and text not in _COUNTED:
            number = float(str(atom.senses[Role.NUMBER]))
            if not number.is_integer() or number < 1 or count is not None:
                return None
            count = int(number)
        elif text in _COUNTED and (count or 1) == 1:
            count = _COUNTED[text]
        elif text in _FURTHER and (is_several or count == 1):
            continue
        elif text in _SIZED:
            named = replace(named, amount=_SIZED[text])
        elif atom.has(Role.COLOR) and named.color is None:
            named = replace(named, color=str(atom.senses[Role.COLOR]))
        elif text in FLYING and (named.prop.is_round or named.prop.sits == "flies"):
            named = replace(named, is_flying=True)
        elif atom.has(Role.COLOR) and str(atom.senses[Role.COLOR]) in named.prop.colors.split():
            continue  # "a red and white santa hat"
        elif not (
            text in ("of", "and")
            or text in PRAISE
            or text.replace("colour", "color") in named.prop.fits.split()
            or _is_aside(atom)
        ):
            return None
    if named.prop.is_one:  # "a bunch of tulips", but not "two tulips"
        return None if any(atom.has(Role.NUMBER) for atom in before) else named
    if is_several and count in (None, 1):
        return replace(named, count=_SEVERAL, is_counted=False) if count is None else None
    return replace(named, count=count or 1)


def _is_aside(atom: Atom) -> bool:
    """Courtesy, but not the article of what is there already."""
    return atom.has(Role.FILLER) and not atom.has(Role.DETERMINER, Role.THIS)


def _end_of_item(atoms: Sequence[Atom], start: int) -> int:
    """Where the next prop of a list begins to be told, at its "and" or comma."""
    for at in range(start, len(atoms) - 1):
        joins = atoms[at].has(Role.AND) or atoms[at].kind == "comma"
        if joins and _counts(atoms[at + 1]) and _named(atoms, at + 1):
            return at
    return len(atoms)


def _counts(atom: Atom) -> bool:
    return atom.text in _COUNTED or prop_named(_words([atom])) is not None


def _step(phrase: Phrase, named: Named, where: Spot) -> Wish | Refusal:
    prop = named.prop
    if named.count > MOST_PROPS:
        return phrase.refused(Reason.TOO_LARGE, f"At most {MOST_PROPS} of them can be added at once.")
    color = _color(named)
    if color and not prop.is_recolorable:
        be = "are" if prop.is_one else "is"
        hint = f"The {prop.title} that can be added here {be} not {color}. Leave the color out."
        return phrase.refused(Reason.NO_SUCH_TARGET, hint)
    if prop.is_worn and where.target == WHOLE and where.place is None:
        if named.count > 1 and named.is_counted:
            return phrase.refused(Reason.AMBIGUOUS, "Say who wears them, for example: on their heads.")
        where = Spot(_A_FACE if named.count == 1 else Target("face"), prop.sits)
    if prop.sits == "eyes" and where.place != "eyes" and where.target.what != "region":
        return phrase.refused(Reason.NO_SUCH_TARGET, "Say who wears them, as in: sunglasses on the woman.")
    if where.place in _PARTS_WORN and named.count > 1:
        if where.target.count == 1 or not (where.target.what == "face" or is_plural(where.target.noun or "")):
            return phrase.refused(Reason.NO_SUCH_TARGET, "Only one can be worn. Say who else wears one.")
        named = replace(named, count=1)  # each gets one
    return phrase.step(
        Kind.ADD,
        "prop",
        choice=prop.name,
        target=where.target,
        place=where.place,
        color=color,
        amount=named.amount,
        exact=(float(named.count), "pieces") if named.count > 1 else None,
        text="in the air" if named.is_flying or where.is_flying else None,
    )


def _color(named: Named) -> str | None:
    """The color that it does not have anyway."""
    color = named.color or ""
    plain = next((color.removeprefix(shade) for shade in _DARKER if color.startswith(shade)), color)
    return None if not color or plain in named.prop.colors.split() else color
