"""Another place behind the subject, or another sky: from Darkroom's own pictures, or drawn."""

import re
from collections.abc import Collection, Sequence
from itertools import dropwhile, pairwise

from editor.engine.language.forms.backgrounds import (
    BEHIND_IT,
    CUT_OUT_FIRST,
    PUT,
    changed,
    is_inside,
    is_of_someone_there,
    puts_what_was_removed,
)
from editor.engine.language.forms.form import LINKS, SETTING, Form, Found, color_of, is_name, value_of
from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role
from editor.engine.language.lexicon.grounds import (
    DRAWN_PLACES,
    GROUND_LOOKS,
    PART_LOOKS,
    PLACE_LOOKS,
    PLACE_PARTS,
)
from editor.engine.language.lexicon.things import SUBJECTS
from editor.engine.language.phrases import Answer, Phrase
from editor.engine.plan import Kind, Reason, Target

_EXCHANGING = (Role.CHANGE, Role.REPLACE, Role.MAKE, Role.ADJUST)
_TO = frozenset({"to", "into", "with", "as", "by", "for", "like"})
_PACKING = (Role.DETERMINER, Role.FILLER, Role.THIS)


def _drawn_ground(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the background to a sunset", "put her on a gray studio backdrop": what can be drawn well."""
    choice = value_of(found, Role.GROUND)
    if (
        is_inside(phrase)
        or is_of_someone_there(phrase)
        or not phrase.core[0].has_any(SETTING)
        or (Role.COLOR in found and choice != "studio")
    ):
        return None
    if color_of(found) in ("white", "black"):  # a plain one, then
        return None
    if choice == "bokeh" and not phrase.core[0].has(Role.CHANGE, Role.REPLACE):
        return None
    if choice in DRAWN_PLACES and not _is_that_place(phrase):
        return None
    if puts_what_was_removed(phrase):
        return phrase.refused(Reason.AMBIGUOUS, CUT_OUT_FIRST)
    return changed(phrase, "drawn_background", choice=choice, color=color_of(found))


def _is_that_place(phrase: Phrase) -> bool:
    """Whether nothing but the place is asked for, and all of the background may become it."""
    core = phrase.core
    is_more = any(atom.has(Role.AND) for atom in core)  # "grass and mountains"
    place = next(at for at, atom in enumerate(core) if atom.has(Role.GROUND))
    is_more |= any(atom.text == "of" for atom in core[place + 1 : place + 2])  # "a field of tulips"
    atoms = phrase.clause.atoms
    return not (is_more or _stands_in_it(phrase) or _is_a_photo_of_theirs(atoms) or _is_theirs(atoms))


def _stands_in_it(phrase: Phrase) -> bool:
    """ "Add mountains in the background", "add snow to the background": the rest of it is to stay."""
    is_in = any(s.what == "background" and s.preposition in ("in", "to", "on", "at") for s in phrase.scopes)
    return is_in and phrase.core[0].has(Role.ADD)


def _is_a_photo_of_theirs(atoms: Sequence[Atom]) -> bool:
    """ "Use the beach photo", unlike "use a photo of a beach" and "a beach scene"."""
    return any(
        place.has(Role.GROUND) and photo.has(Role.PHOTO) and photo.text not in _KINDS
        for place, photo in pairwise(atoms)
    )


def _another_place(phrase: Phrase, found: Found) -> Answer | None:
    """ "Change the brick wall background to a lush green forest", "change the setting to a beach scene"."""
    atoms = _from_the_verb(phrase)
    links = [at for at, atom in enumerate(atoms) if at and atom.text in _TO]
    if is_inside(phrase) or puts_what_was_removed(phrase):
        return None
    for link in links:
        choice = _place_in(atoms[link + 1 :])
        is_all = _is_a_setting(atoms[:link]) or (
            _are_all_behind(atoms[:link]) and _is_a_landscape(atoms[link:])
        )
        if choice and is_all and not _is_a_photo_of_theirs(atoms[link:]):
            return changed(phrase, "drawn_background", choice=choice)
    return None


def _wished_place(phrase: Phrase, found: Found) -> Answer | None:
    """ "The background should be a beach", "I want a forest behind her", unlike one "in the background"."""
    behind = [scope for scope in phrase.scopes if scope.what == "background"]
    apart = {at for scope in phrase.scopes for at in range(scope.first, scope.after)}
    atoms = phrase.clause.atoms
    wishes = any(not _WISHING.isdisjoint(atom.text.split()) for atom in atoms if atom.has(Role.FILLER))
    choice = _place_in([atom for at, atom in enumerate(atoms) if at not in apart and atom.kind != "comma"])
    if choice is None or not wishes or any(scope.preposition for scope in behind):
        return None
    return changed(phrase, "drawn_background", choice=choice)


_WISHING = frozenset({"should", "must", "need", "needs", "want", "wants", "like", "love"})


def _added_place(phrase: Phrase, found: Found) -> Answer | None:
    """The second half of "remove the background and add a beach"."""
    choice = _place_in(_from_the_verb(phrase)[1:]) if phrase.follows_background else None
    return changed(phrase, "drawn_background", choice=choice) if choice else None


def _from_the_verb(phrase: Phrase) -> list[Atom]:
    """The words from that on which says what is done."""
    told = dropwhile(lambda atom: atom is not phrase.core[0], phrase.clause.atoms)
    return [atom for atom in told if atom.kind != "comma"]


def _is_a_setting(told: Sequence[Atom]) -> bool:
    """ "Change the old garage background", "alter the setting of this photo", "change the scene from a snowy
    garden": what was there goes, whatever it is, but not the "trees in the background"."""
    heads = [at for at, atom in enumerate(told) if _is_a_head(atom)]
    at = next((at for at in heads if at + 1 not in heads), None)
    if not (told[0].has(*_EXCHANGING, Role.ENHANCE) or told[0].text == "set"):
        return False
    if _is_from_a_place(told):
        return True
    if at is None:
        return False
    is_all = told[at].text == "behind"  # "everything behind her", unlike "the car behind her"
    if not (all(atom.text in _EVERYTHING for atom in told[1:at]) if is_all else _describe(told[1:at])):
        return False
    where = [atom for atom in told[at + 1 :] if not atom.has_any(_PACKING)]
    if len(where) > 2 and where[1].has(Role.PHOTO):  # "the setting in the picture from ..."
        where = where[2:] if where[0].text in _OF_IT else where
    if where and where[0].text == "from":
        return all(_describes(atom) or atom.has(Role.PREPOSITION, Role.AND) for atom in where)
    return all(_is_whose(atom) for atom in where)


def _is_from_a_place(told: Sequence[Atom]) -> bool:
    """ "The castle in the picture from the rocky landscape": where it is now, whatever it is."""
    at = next((at for at, atom in enumerate(told) if atom.text == "from"), len(told))
    thing = [atom for atom in told[1:at] if not (atom.has(Role.PHOTO, Role.AND) or atom.text == "in")]
    where = [atom for atom in told[at + 1 :] if not atom.has_any(_PACKING)]
    is_place = bool(where) and (where[-1].has(Role.GROUND) or where[-1].text in _KINDS)
    return is_place and all(map(_describes, (*thing, *where)))


def _are_all_behind(told: Sequence[Atom]) -> bool:
    """ "The trees and grass in the background", "the beach in the picture", where a landscape is to be."""
    at = next((at for at, atom in enumerate(told) if atom.text == "in"), len(told))
    where = [atom for atom in told[at + 1 :] if not atom.has_any(_PACKING)]
    if len(where) != 1 or not told[0].has(*_EXCHANGING):
        return False
    is_place = any(atom.has(Role.GROUND, Role.AND) for atom in told[1:at])
    is_there = where[0].has(Role.BACKGROUND) or where[0].has(Role.PHOTO)
    return is_place and is_there and all(_describes(atom) or atom.has(Role.AND) for atom in told[1:at])


def _is_a_landscape(told: Sequence[Atom]) -> bool:
    """ "A mountain landscape", "a beach scene": no thing in it, but all of it."""
    return any(not _KINDS.isdisjoint(atom.text.split()) for atom in told)


def _is_a_head(atom: Atom) -> bool:
    return atom.has(Role.BACKGROUND) or atom.text in _SETTINGS


def _describe(told: Sequence[Atom]) -> bool:
    """ "The old garage", "the field with tulips"; "the man with the beach" is not a place."""
    place = next((at for at, atom in enumerate(told) if atom.has(Role.GROUND)), len(told))
    return all(_describes(atom) or (at > place and atom.text in _MORE_OF_IT) for at, atom in enumerate(told))


_MORE_OF_IT = frozenset({"with", "and", "of", "full of"})


def _describes(atom: Atom) -> bool:
    """Whether the word may tell what the old background is like."""
    told = (Role.COLOR, Role.ADJECTIVE, Role.WHOLE, Role.SCENE, Role.GROUND, Role.QUALITY, Role.LOOK)
    return atom.has(*_PACKING, *told) or is_name(atom) or atom.text in _ADJUSTED


_ADJUSTED = frozenset({"adjustment", "adjustments", "changes", "modifications", "to"})  # "make changes to"


def _is_whose(atom: Atom) -> bool:
    """ "Of this photo", "behind the woman"."""
    return atom.text in _OF_IT or atom.has(Role.PHOTO, Role.PERSON, Role.SUBJECT, Role.IT, *_PACKING)


_SETTINGS = frozenset(
    {
        *("behind", "setting", "environment", "scenery", "scene", "location", "surrounding", "surroundings"),
        "landscape",
    }
)
_EVERYTHING = frozenset({"everything", "all", "whatever", "is", "that"})
_OF_IT = frozenset({"of", "in", "behind", "around", "from", "for", "image's", "photo's", "look", "so"})


def _place_in(told: Sequence[Atom]) -> str | None:
    """The place that the words ask for, when Darkroom's picture of it is all that they say."""
    told, shown = _with_what_it_shows(told)
    places = [atom for atom in told if atom.has(Role.GROUND) and atom.text not in _KINDS]
    choices = {str(atom.senses[Role.GROUND]) for atom in places}
    choice = choices.pop() if len(choices) == 1 else ""
    known = _KINDS | _TELLING | GROUND_LOOKS | set(PLACE_LOOKS.get(choice, "").split())
    is_met = all(atom.text in known or atom in places or atom.has_any(_PACKING) for atom in told)
    if choice == "beach" and any(atom.text in _PALMS for atom in shown):
        choice = "palm beach"
    seen = set(PLACE_PARTS.get(choice, "").split()) | set(PLACE_LOOKS.get(choice, "").split()) | _IN_SIGHT
    is_met = is_met and all(_is_seen(atom, seen) for atom in shown)
    return choice if choice in DRAWN_PLACES and is_met and not _is_theirs(told) else None


def _with_what_it_shows(told: Sequence[Atom]) -> tuple[Sequence[Atom], Sequence[Atom]]:
    """The place, and what is said to be there: "a beach | palm trees and the sea in the distance"."""
    place = next((at for at, atom in enumerate(told) if atom.has(Role.GROUND)), len(told))
    end = next((at for at in range(place, len(told)) if told[at].text in _SHOWING_IT), len(told))
    return told[:end], told[end + 1 :]


def _is_seen(atom: Atom, seen: Collection[str]) -> bool:
    is_there = all(word in seen for word in atom.text.split())
    return is_there or atom.text in GROUND_LOOKS | PART_LOOKS or atom.has(Role.AND, *_PACKING)


_SHOWING_IT = frozenset({"with", "full of", "filled with", "featuring", "such as", "including", "and"})
_PALMS = frozenset({"palm", "palms", "palm tree", "palm trees"})
_IN_SIGHT = frozenset(
    {"with", "of", "in", "on", "visible", "distance", "background", "around", "clear", "blue"}
)


def _is_theirs(told: Sequence[Atom]) -> bool:
    """ "My room", "my own backyard": a place that only a photo of it shows."""
    place = next((at for at, atom in enumerate(told) if atom.has(Role.GROUND)), 0)
    leading = (atom.text for atom in reversed(told[:place]) if not atom.has(Role.COLOR, Role.ADJECTIVE))
    return next((text for text in leading if text not in _OWN), "") in _OWNERS


_OWN = GROUND_LOOKS | {"own", "old", "new"}
_OWNERS = frozenset({"my", "our", "your", "his", "her", "their"})


_KINDS = frozenset(
    {
        *("scene", "setting", "background", "backdrop", "environment", "landscape", "scenery", "view"),
        *("vista", "atmosphere", "ambiance", "ambience", "terrain"),
    }
)
_TELLING = frozenset(
    {
        *("resemble", "depict", "illustrate", "convey", "portray", "capture", "showcase", "show", "evoke"),
        *("simulate", "create", "represent", "reflect", "become", "be", "look", "different", "new"),
        *("instead", "of", "one", "image", "photo", "picture"),
    }
)
_OF_A_PLACE = (
    *(Role.GROUND, Role.SCENE, Role.COLOR, Role.ADJECTIVE, Role.QUALITY, Role.NOUN, Role.FILLER, Role.BE),
    Role.LOOK,
)


def _put_in_a_place(phrase: Phrase, found: Found) -> Answer | None:
    """ "Put me on a beach", "place the cat in a garden": "the garden" may be where it is."""
    atoms = _from_the_verb(phrase)
    at = next((at for at, atom in enumerate(atoms) if atom.text in _INSIDE), len(atoms))
    who, place = [atom for atom in atoms[1:at] if not atom.has(Role.FILLER)], atoms[at + 1 :]
    choice = _place_in(place)
    if choice is None or phrase.photos or not atoms[0].has(Role.ADD):
        return None
    is_pronoun = len(who) == 1 and who[0].has(Role.PERSON) and not who[0].has(Role.NOUN)
    if not is_pronoun and not (_is_the_subject(who) and place[0].text in ("a", "an")):
        return None
    return changed(phrase, "drawn_background", choice=choice)


def _is_the_subject(who: Sequence[Atom]) -> bool:
    is_there = len(who) > 1 and who[0].text in ("the", "my", "this", "our", "these")
    return is_there and all(a.has(Role.PERSON, Role.SUBJECT) or a.text in SUBJECTS for a in who[1:])


_INSIDE = frozenset({"on", "in", "into", "onto", "at", "in front of", "inside", "against"})


def _another_sky(phrase: Phrase, found: Found) -> Answer | None:
    """ "Replace the sky with a sunset", "make the sky in this photo a starry night sky"."""
    atoms = _from_the_verb(phrase)
    at = next((at for at, atom in enumerate(atoms) if atom.text in _SKIES), 0)
    links = (i for i in range(at + 1, len(atoms)) if atoms[i].text in (*_TO, "a", "an"))
    link = next(links, at if atoms[0].has(Role.MAKE) else 0)
    if not (at and link and atoms[0].has_any(_EXCHANGING)):
        return None
    is_told = all(atom.has(Role.COLOR, *_PACKING) or atom.text in _OLD for atom in atoms[1:at])
    is_here = all(atom.has(Role.PHOTO, *_PACKING) or atom.text in _OF_IT for atom in atoms[at + 1 : link])
    choice = _sky_in(atoms[link + 1 :])
    if choice is None or not (is_told and is_here):
        return None
    return [phrase.step(Kind.BACKGROUND, "drawn_sky", target=Target("thing", noun="sky"), choice=choice)]


def _sky_in(told: Sequence[Atom]) -> str | None:
    if _is_blue_with_clouds(told):
        return "sky"
    choices = {str(atom.senses[Role.GROUND]) for atom in told if atom.has(Role.GROUND)}
    is_met = all(atom.has(Role.GROUND, *_PACKING) or atom.text in _AS_A_SKY for atom in told)
    return choices.pop() if len(choices) == 1 and choices <= _DRAWN_SKIES and is_met else None


def _given_sky(phrase: Phrase, found: Found) -> Answer | None:
    """ "Give the photo a sunset sky", "make it a blue sky"."""
    told = [atom for atom in _from_the_verb(phrase)[1:] if not atom.has(Role.IT, Role.PHOTO, *_PACKING)]
    names_it = any(atom.text.split()[-1] in _SKIES for atom in told)
    choice = _sky_in(told) if names_it else None
    if choice is None:
        return None
    return [phrase.step(Kind.BACKGROUND, "drawn_sky", target=Target("thing", noun="sky"), choice=choice)]


def _is_blue_with_clouds(told: Sequence[Atom]) -> bool:
    """ "Bright blue with clouds", "blue and cloudy", "partly cloudy": what is drawn as a sky."""
    is_cloudy = any(atom.text in _CLOUDY for atom in told)
    colors = [str(atom.senses[Role.COLOR]) for atom in told if atom.has(Role.COLOR)]
    is_partly = any(atom.text in _PARTLY for atom in told)
    is_met = all(
        atom.has(Role.COLOR, Role.AND, *_PACKING) or atom.text in _CLOUDY | _PARTLY | _AS_A_SKY
        for atom in told
    )
    is_blue = bool(colors) and all("blue" in color or color == "white" for color in colors)
    return is_cloudy and is_met and (is_blue or (is_partly and not colors))


_CLOUDY = frozenset({"clouds", "cloudy", "white clouds", "some clouds", "few clouds"})
_PARTLY = frozenset({"partly", "partially", "slightly", "a bit", "with", "some", "a few", "few"})


def _sky_instead(phrase: Phrase, found: Found) -> Answer | None:
    """ "A sunset in the sky instead of the blue one"."""
    told = [atom for atom in phrase.clause.atoms if not atom.has(Role.PHOTO, *_PACKING)]
    at = next((at for at, atom in enumerate(told) if atom.text in _INSTEAD), 0)
    new = [atom for atom in told[:at] if not (atom.text in _IN_THE_SKY or atom.has(Role.ADD, Role.REPLACE))]
    old = [atom for atom in told[at + 1 :] if not (atom.text in _SKIES or atom.has(Role.COLOR))]
    names_it = any(atom.text in _SKIES for atom in told)
    choice = _sky_in(new) if new and names_it else None
    if choice is None or phrase.named or not all(atom.text in _OLD or atom.text == "one" for atom in old):
        return None
    return [phrase.step(Kind.BACKGROUND, "drawn_sky", target=Target("thing", noun="sky"), choice=choice)]


_INSTEAD = frozenset({"instead of", "rather than"})
_IN_THE_SKY = frozenset({"in", "for", "to", "on", "of", "sky", "skies"})
_SKIES = frozenset({"sky", "skies", "blue sky", "cloudy sky", "night sky", "daytime sky", "clear sky"})
_OLD = frozenset({"cloudy", "gray", "dull", "overcast", "white", "clear", "pale", "hazy", "gloomy", "boring"})
_DRAWN_SKIES = frozenset({"sky", "clear sky", "sunset", "night sky"})
_AS_A_SKY = frozenset({"one", "scene", "beautiful", "nice", "pretty", "instead", "new", "done", "really"})


_MADE_NEXT = re.compile(
    r"\W*(?:and |then |to )*(?:make|turn|set|change|leave) (?:it |that )?(?:to |into |all |plain )*"
    r"(?:white|black|gr[ae]y|red|green|blue|transparent)\b",
    re.IGNORECASE,
)
""" "... and make it white"."""


def _cropped_away(phrase: Phrase, found: Found) -> Answer | None:
    """ "Crop the background and make it white": the subject is cut out, where the photo would be cropped."""
    is_made = _MADE_NEXT.match(phrase.scene.instruction, phrase.span[1])
    return changed(phrase, "transparent_background") if is_made and not is_inside(phrase) else None


GROUNDS: tuple[Form, ...] = (
    Form(_cropped_away, needs=((Role.CROP,),), words=frozenset({"out"}), scope="background"),
    Form(
        _drawn_ground,
        needs=((Role.GROUND,),),
        may=(*SETTING, Role.COLOR),
        words=LINKS | {"new", "image", "setting", "look", "with"},
        scope="background",
        others=BEHIND_IT,
    ),
    Form(
        _another_place,
        needs=((*_EXCHANGING, Role.ADD, Role.ENHANCE), (Role.GROUND,)),
        many=(*_OF_A_PLACE, Role.DIMENSION, Role.LARGER, Role.THICKNESS),
        words=LINKS | _KINDS | _TELLING | _SETTINGS | _ADJUSTED | GROUND_LOOKS,
        others=BEHIND_IT | {"background", "unclear", "face"},
        names=True,
    ),
    Form(
        _another_sky,
        needs=(_EXCHANGING, (Role.GROUND,)),
        many=_OF_A_PLACE,
        words=LINKS | _OLD | _AS_A_SKY | _CLOUDY | _PARTLY,
        names=True,
    ),
    Form(
        _given_sky,
        needs=((Role.ADD, Role.MAKE), (Role.GROUND,)),
        words=_AS_A_SKY | {"to"},
        others=frozenset({"whole", "region"}),
    ),
    Form(
        _sky_instead,
        needs=((Role.GROUND,),),
        may=(Role.ADD, Role.REPLACE, Role.AMOUNT, Role.VAGUE),
        many=_OF_A_PLACE,
        words=LINKS | _OLD | _AS_A_SKY | _INSTEAD,
    ),
    Form(
        _added_place,
        needs=((Role.ADD,), (Role.GROUND,)),
        many=_OF_A_PLACE,
        words=LINKS | _KINDS | GROUND_LOOKS,
        names=True,
    ),
    Form(_wished_place, needs=((Role.GROUND,),), many=_OF_A_PLACE, words=GROUND_LOOKS, scope="background"),
    Form(
        _put_in_a_place,
        needs=((Role.ADD,), (Role.GROUND,)),
        many=_OF_A_PLACE,
        words=LINKS | _INSIDE | _KINDS | GROUND_LOOKS,
        others=PUT | {"background"},
        names=True,
    ),
)
