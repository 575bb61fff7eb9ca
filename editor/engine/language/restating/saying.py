"""What something is to say, told in a clause of its own: "change the sign so it says "Closed""."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom
from editor.engine.language.lexicon.roles import Role

SAYING = frozenset({"say", "says", "read", "reads"})
_JOINTS = frozenset(
    {"so", "so it", "so that", "so that it", "that", "it", "to make", "and make", "now", "will"}
)


def said_at_once(found: Sequence[Atom]) -> list[Atom]:
    """The atoms with "to say" in the place of "so that it says", before a quoted text."""
    told = list(found)
    for at in range(len(told) - 2, 1, -1):
        if told[at].text in SAYING and told[at + 1].has(Role.QUOTED):
            start = at
            while start > 1 and told[start - 1].text in _JOINTS:
                start -= 1
            if any(atom.text.startswith("so") for atom in told[start:at]):
                to = replace(told[start], text="to", senses={Role.PREPOSITION: "to"}, kind="word")
                told[start : at + 1] = [to, replace(told[at], text="say")]
    return told
