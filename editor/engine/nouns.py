"""The names of things as sentences, so that they can be translated.

A template must be known before anyone translates it, so `noun_messages` lists all of them for `makemessages`.
"""

from collections.abc import Collection

from editor.engine.kinds import plural_of
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


def one(noun: str) -> Sentence:
    """Return a noun with its indefinite article: "a dog"."""
    words = f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    return Sentence(words)


def several(noun: str, count: int) -> Sentence:
    """Return a noun with its number in words: "two dogs"."""
    things = plural_of(noun)
    return Sentence("%(count)s %(things)s", count=_COUNTS.get(count, _MANY), things=Sentence(things))


def counted(noun: str, count: int) -> Sentence:
    """Return a noun with its number: "a dog", "two dogs"."""
    return one(noun) if count == 1 else several(noun, count)


def noun_messages(kinds: Collection[str]) -> frozenset[str]:
    """Return the templates of the names of these classes of things."""
    return frozenset({one(kind).template for kind in kinds}.union(map(plural_of, kinds)))
