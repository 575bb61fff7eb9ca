"""Quality words in a clause: as what each is read, and which way it moves."""

from dataclasses import replace

from editor.engine.language.grammar import Atom
from editor.engine.language.lexicon import Role, Tone, is_flaw
from editor.engine.language.phrases import Phrase
from editor.engine.language.tone.walk import BY_NATURE, WANTED, Item, Walk, is_joined, neighbor, turned


def take_quality(walk: Walk, atom: Atom, at: int, phrase: Phrase) -> bool:
    directed = walk.marked is not None or bool(walk.direction) or walk.verb is not None
    role = part_of_speech(atom, directed=directed and at != 0)
    is_named = _follows_an_article(phrase, atom) or (
        atom.text in _RARELY_VERBS and not has_object(phrase, atom)
    )
    if role is Role.TONE and is_named:
        role = part_of_speech(atom, directed=True)
    if role is None or (at == 0 and atom.text == "highlight" and has_object(phrase, atom)):
        return False
    tone = atom.senses[role]
    if not isinstance(tone, Tone):
        return False
    if atom.text == "glow" and walk.marked is None and walk.verb is not None and walk.verb.has(Role.ADD):
        walk.failure = "A glow cannot be drawn. Highlights can be made brighter."
    if role is Role.TONE and _governs(phrase, atom, tone):
        walk.verb, walk.governing = atom, tone
        return True
    if role is Role.ADJECTIVE and atom.text in _STRONG and _tells_of_its_light(walk):
        walk.items[-1] = turned(walk.items[-1], walk.marked or 1)
        return True
    _note_item(walk, tone, role, at, phrase)
    return True


_STRONG = frozenset({"intense", "harsh", "pronounced"})


def _tells_of_its_light(walk: Walk) -> bool:
    """The "intense" of "make the highlights less intense"."""
    makes = walk.verb is not None and walk.verb.has(Role.MAKE)
    return makes and len(walk.items) == 1 and walk.items[0].tone.operation in _LIGHTS


_LIGHTS = frozenset({"brightness", "exposure", "highlights", "shadows", "contrast"})


def part_of_speech(atom: Atom, *, directed: bool) -> Role | None:
    """As what a word is to be read: "light" is a verb only where nothing has told the direction yet."""
    order = (
        (Role.QUALITY, Role.ADJECTIVE, Role.TONE) if directed else (Role.TONE, Role.ADJECTIVE, Role.QUALITY)
    )
    return next((role for role in order if role in atom.senses), None)


def has_object(phrase: Phrase, atom: Atom) -> bool:
    """Whether "contrast" or "bright" stands as a verb: "contrast the image"."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is atom) + 1
    return at < len(atoms) and atoms[at].has(
        *(
            Role.DETERMINER,
            Role.WHOLE,
            Role.PHOTO,
            Role.IT,
            Role.THIS,
            Role.BACKGROUND,
            Role.SUBJECT,
            Role.FACE,
        )
    )


def _follows_an_article(phrase: Phrase, atom: Atom) -> bool:
    """ "A cool picture" is no wish to cool it."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is atom)
    return at > 0 and atoms[at - 1].has(Role.DETERMINER)


_RARELY_VERBS = frozenset({"contrast", "bright", "brightness", "light", "sharp", "focus"})


_GOVERNED = {
    "brightness": frozenset({"brightness", "exposure", "contrast", "saturation", "sharpness", "clarity"})
    | {"highlights", "shadows", "vibrance"},
    "sharpness": frozenset({"contrast", "sharpness", "clarity"}),
    "blur": frozenset({"contrast", "sharpness", "clarity", "highlights", "shadows"}),
    "saturation": frozenset({"saturation", "vibrance"}),
}


def _governs(phrase: Phrase, verb: Atom, tone: Tone) -> bool:
    """ "Brighten the lighting", "soften the shadows": the verb tells the direction of its object."""
    following = neighbor(phrase, verb, 1)
    return following is not None and following.has(Role.QUALITY) and tone.operation in _GOVERNED


def leading_verb(walk: Walk, phrase: Phrase) -> Tone | None:
    """The "brighten" of "brighten the lighting" and of "brighten the photo and contrast"."""
    opening = phrase.core[0].senses if walk.items and walk.items[0].at == 0 else {}
    tone = opening.get(Role.TONE, opening.get(Role.ADJECTIVE))
    return walk.governing or (replace(tone, comparative=False) if isinstance(tone, Tone) else None)


def _governed(verb: Tone | None, quality: Tone) -> int:
    """The sign in which a verb moves its object; 0 when they do not go together."""
    if verb is None or quality.operation not in _GOVERNED.get(verb.operation, ()):
        return 0
    is_light = quality.operation in ("brightness", "exposure", "highlights", "shadows")
    if verb.operation == "brightness":
        return verb.sign if is_light or verb.sign > 0 else 0
    sign = -1 if verb.operation == "blur" else verb.sign
    return sign * BY_NATURE.get(quality.operation, 1)


def _note_item(walk: Walk, tone: Tone, role: Role, at: int, phrase: Phrase) -> None:
    atom, sign = phrase.core[at], tone.sign
    if tone.comparative:
        sign *= -1 if walk.marked == -1 and not walk.items else 1
        walk.marked = None  # "less blurry and sharper": the "less" ends here
    elif role is Role.QUALITY and walk.governing:
        sign = _governed(walk.governing, tone)
        walk.failure = "" if sign else f"Say more or less {atom.text}."
    elif role is Role.QUALITY and tone.operation in ("shadows", "highlights") and _is_recovering(walk):
        sign = 1 if tone.operation == "shadows" else -1
    elif role is Role.QUALITY and tone.operation == "shadows" and _is_lifting(walk):
        sign = 1
    elif role is Role.QUALITY and tone.operation == "shadows" and _is_open(walk):
        walk.failure = "Say lighter shadows or darker shadows."
    elif role is Role.ADJECTIVE and is_flaw(atom.text) and _is_mended(walk):
        sign *= -1
    elif role is Role.TONE and atom.text.endswith("ed") and at and phrase.core[at - 1].has(Role.LESS):
        sign *= -1  # "less sharpened"
    elif role is not Role.TONE:
        needed = is_needed(phrase, atom)
        walk.marked = None if needed else walk.marked  # "too dark, needs light"
        is_told = needed or atom.text.startswith(_COMPARED)
        is_told = is_told or _is_of_a_list(phrase)
        sign *= walk.marked or walk.direction or int(is_told) or _listed_after(phrase, atom, walk, tone)
    if role is not Role.QUALITY and atom.text.startswith(("bright", "sharp", "crisp", "clear", "lighten up")):
        walk.is_descriptive = True
    walk.items.append(Item(replace(tone, sign=sign, comparative=False), at))


def _is_of_a_list(phrase: Phrase) -> bool:
    """ "Brightness and focus", "bright, vivid!", where little else is said: one wants more of these."""
    if len(phrase.core) == 2 or phrase.scopes:
        return False
    before, _, after = phrase.scene.instruction.partition(phrase.words)
    is_all = not before.strip() and len(after.split()) <= _ASIDE
    return is_all and all(atom.has(Role.AND) or _is_wanted(atom) for atom in phrase.core)


_ASIDE = 3  # words behind them that are hardly more than "go wild"


def _is_wanted(atom: Atom) -> bool:
    tones = [atom.senses.get(role) for role in (Role.QUALITY, Role.ADJECTIVE)]
    return any(isinstance(tone, Tone) and tone.sign > 0 and tone.operation in WANTED for tone in tones)


def _listed_after(phrase: Phrase, atom: Atom, walk: Walk, quality: Tone) -> int:
    """The sign of the "contrast" of "brighten the photo and contrast"."""
    has_object = phrase.scopes or phrase.has(Role.CAST, Role.COLORS)
    is_listed = has_object and len(walk.items) == 1 and is_joined(phrase, atom)
    sign = _governed(leading_verb(walk, phrase), quality) if is_listed else 0
    return sign * quality.sign


def is_needed(phrase: Phrase, quality: Atom) -> bool:
    """ "It needs contrast", "needs light, contrast and color"."""
    atoms = phrase.clause.atoms
    at = next(i for i, other in enumerate(atoms) if other is quality) - 1
    listed = (Role.DETERMINER, Role.AMOUNT, Role.QUALITY, Role.COLORS, Role.AND)
    while at >= 0 and (atoms[at].has_any(listed) or atoms[at].text in ("of", ",")):
        at -= 1
    return at >= 0 and atoms[at].has(Role.FILLER) and bool(_NEEDING & set(atoms[at].text.split()))


_NEEDING = frozenset({"need", "needs", "needed"})


def _is_mended(walk: Walk) -> bool:
    """ "Fix the overexposed sky"."""
    return walk.marked is None and walk.verb is not None and walk.verb.has(Role.ADJUST)


_COMPARED = (
    "warmer ",
    "cooler ",
    "darker ",
    "brighter ",
    "deeper ",
    "stronger ",
    "softer ",
    "warming ",
    "cooling ",
    "warm filter",
    "cool filter",
)
"""A "warmer hue" needs no verb."""


_LIFTING = ("raise", "raising", "bring up", "bring out", "boost", "lift", "open", "turn up")


def _is_open(walk: Walk) -> bool:
    """ "Enhance the shadows" may be either; "add a shadow" may be a drop shadow."""
    return walk.marked is None and walk.verb is not None and walk.verb.has(Role.ENHANCE)


def _is_recovering(walk: Walk) -> bool:
    """What is lost in the light or in the dark is recovered towards the middle."""
    return walk.verb is not None and walk.verb.text.startswith("recover")


def _is_lifting(walk: Walk) -> bool:
    """Shadows that are raised get lighter; shadows that are increased get darker."""
    return walk.verb is not None and walk.verb.text.startswith(_LIFTING)
