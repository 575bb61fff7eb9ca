"""The names of things as sentences, so that they can be translated.

A template must be known before anyone translates it, so `noun_messages` lists all of them for `makemessages`.
"""

from collections.abc import Collection

from editor.engine.kinds import plural_of, takes_an
from editor.engine.language.findable import findable_nouns
from editor.engine.props import PROPS
from editor.sentences import Sentence

_COUNTS = {
    2: Sentence("two"),
    3: Sentence("three"),
    4: Sentence("four"),
    5: Sentence("five"),
    6: Sentence("six"),
    7: Sentence("seven"),
    8: Sentence("eight"),
    9: Sentence("nine"),
}
_MANY = Sentence("many")
_TOP = "top"  # the place has the same name as the garment, but another translation


def one(noun: str) -> Sentence:
    """Return a noun with its indefinite article: "a dog"."""
    words = f"{'an' if takes_an(noun) else 'a'} {noun}"
    return Sentence(words)


def several(noun: str, count: int) -> Sentence:
    """Return a noun with its number in words: "two dogs"."""
    things = plural_of(noun)
    return Sentence("%(count)s %(things)s", count=_COUNTS.get(count, _MANY), things=Sentence(things))


def name_of(noun: str) -> Sentence:
    """Return a noun without an article.

    If the engine can't find such a thing by its name, the noun is the user's word and is not translated.
    """
    is_known = noun in findable_nouns() and noun != _TOP
    return Sentence(noun) if is_known else Sentence("%(noun)s", noun=noun)


def counted(noun: str, count: int) -> Sentence:
    """Return a noun with its number: "a dog", "two dogs"."""
    return one(noun) if count == 1 else several(noun, count)


def noun_messages(kinds: Collection[str]) -> frozenset[str]:
    """Return the templates of all nouns, including those for the detector's classes."""
    with_article = {one(kind).template for kind in kinds}
    props = {prop.title for prop in PROPS.values()}
    several_props = {plural_of(prop.title) for prop in PROPS.values() if not prop.is_one}
    return findable_nouns().union(with_article, kinds, map(plural_of, kinds), props, several_props)
