"""Cut-outs that are described at length, told as the wish alone: "extract the boat, including its sails"."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language.atoms import Atom, is_packing, passed_over
from editor.engine.language.lexicon.roles import VERBS, Role

EXTRACTING = frozenset({"extract", "isolate", "extracting", "isolating"})


def plainly_extracted(found: Sequence[Atom]) -> list[Atom]:
    """The atoms without what only goes on to describe the thing that a sentence cuts out."""
    told, start = list(found), 0
    while start < len(told):
        end = next((at for at in range(start, len(told)) if told[at].kind == "stop"), len(told))
        verb = next((at for at in range(start, end) if not is_packing(told[at])), end)
        if verb < end and told[verb].text in EXTRACTING:
            tail = _tail(told, verb + 1, end)
            told[tail:end] = [passed_over(atom) for atom in told[tail:end]]
            told[verb:tail] = [passed_over(a) if a.text in _THERE else a for a in told[verb:tail]]
        start = end + 1
    return told


def wished_alone(found: Sequence[Atom]) -> list[Atom]:
    """ "Can you send me just the lamp?" as "extract the lamp", where that is all that is said."""
    at = next((at for at, atom in enumerate(found) if atom.text in _ALONE), len(found))
    lead, rest = found[:at], [a for a in found[at + 2 :] if not is_packing(a) and a.kind != "stop"]
    wishes = any(not _WISHING.isdisjoint(atom.text.split()) for atom in lead)
    is_led = wishes and all(is_packing(atom) for atom in lead) and found[at + 1 : at + 2] != []
    if not (is_led and found[at + 1].text in _THE and rest and all(map(_is_a_thing, rest))):
        return list(found)
    verb = replace(found[at], text="extract", senses={Role.EXTRACT: "extract"})
    return [*lead, verb, *found[at + 1 :]]


_ALONE = frozenset({"just", "only"})
_WISHING = frozenset({"send", "give", "need", "want", "get"})
_THE = frozenset({"the", "my", "his", "her", "our", "this", "that"})


def _is_a_thing(atom: Atom) -> bool:
    """Whether a box can be around it."""
    names = atom.has(Role.NOUN, Role.PERSON, Role.SUBJECT, Role.COLOR) or atom.is_unknown
    return names and not atom.has(Role.PHOTO, Role.QUALITY, Role.FINDABLE, Role.BACKGROUND, Role.TEXT)


def _tail(told: Sequence[Atom], first: int, end: int) -> int:
    """Where the thing is named, and what follows asks for nothing else."""
    for at in range(first + 1, end):
        if told[at].text in _DESCRIBING or (told[at].text in EXTRACTING and told[at - 1].has(Role.AND)):
            leads = told[at - 1].kind == "comma" or told[at - 1].has(Role.AND) or told[at - 1].text == "while"
            asks = any(atom.has_any(_ASKING) and atom.text not in _ITS_OWN for atom in told[at:end])
            return end if asks else at - leads
    return end


_DESCRIBING = frozenset(
    {
        *("including", "includes", "focusing", "focused", "dressed", "positioned", "situated", "separating"),
        *("featuring", "along with", "together with", "ensuring"),
    }
)
_THERE = frozenset({"present", "visible", "located", "shown"})
_ASKING = VERBS | {Role.KEEP, Role.WITHOUT, Role.EXCEPT, Role.NOT}
_ITS_OWN = _DESCRIBING | EXTRACTING
