"""Refuse wishes whose meaning depends on a clause that is not understood.

Otherwise, the wish would change the whole photo or the box. A wish is refused if it

- mends a fault, as in "…, fix it",
- describes what the clause before it names or adds, as in "…, not dull" and "add smoke, dark",
- gives "it" a color,
- is about a text that follows, or
- only gives a reason.

A name that may be a fault and has no verb is refused as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from editor.engine.catalog import Scope, Stage
from editor.engine.language.antecedents import gives_color
from editor.engine.language.chart import QUOTES
from editor.engine.language.coverage import NUMBER_ROLES
from editor.engine.language.findable import RESHAPING_FINDS
from editor.engine.language.hints import NAME_ONLY, NO_FAULT, OTHER_WORDS, WHICH
from editor.engine.language.joining import is_state
from editor.engine.language.lexicon import Lexicon
from editor.engine.language.roles import LOOK_ROLES, STATE_ROLES
from editor.engine.language.sentence_parts import (
    Clause,
    SentencePart,
    UserInput,
    as_list,
    changes_of,
    is_about,
)
from editor.engine.plan import WHOLE, Reason, Refusal, Step
from editor.options import EditKind
from editor.sentences import Sentence

_NO_OWNER = Sentence("Say which part should be like this, for example “make the photo darker”.")
_NO_REASON = Sentence("Leave out the reason, or ask for this change separately.")
_NO_TEXT = Sentence("Say in one sentence what to write and how, for example: add the text “Summer” in white.")
# Roles of words that tell a fault in a story.
_FAULT_ROLES = frozenset({"flaw", "fault", "flawed"})
_THERE_IS = re.compile(r"\bthere('s| is| are| was| were)\b", re.IGNORECASE)
# Roles of words for a look, which may also say how something added should look, as in "add hearts, vintage".
_FINISH_ROLES = LOOK_ROLES | {"natural", "vague"}
# Roles of words that name what a wish changes. The first one shows whether the wish is a description.
_CHANGED_ROLES = STATE_ROLES | _FINISH_ROLES | {"tone", "quality"}
# Roles of words for the object of a verb, as in "warm it".
_OBJECT_ROLES = frozenset({"it", "this", "photo"})
# Roles that make a color a state, as in "more brown".
_COMPARING_ROLES = frozenset({"more", "less", "excess", "far_excess"})
# Stages of operations that leave the photo below unchanged.
_OVERLAY_STAGES = frozenset({Stage.OVERLAY, Stage.LETTERING})


@dataclass
class _PrecedingClauses:
    """What is known about the clauses before a clause.

    `has_steps` is true if the last one requests something, `is_last_unread` if it is not understood,
    `is_local` if it only changes a part, `is_addition` if it adds something, and `is_kept` if it only says
    what to keep. `is_any_unread` is true if one of them is not understood, and `has_aside` if one of them
    says something that requests nothing. `story` contains the offsets of the last words that tell something.
    """

    has_steps: bool = False
    is_any_unread: bool = False
    has_aside: bool = False
    is_last_unread: bool = False
    is_local: bool = False
    is_addition: bool = False
    is_kept: bool = False
    story: tuple[int, int] = (0, 0)
    steps: Sequence[Step] = ()  # the steps of the last clause

    def add(
        self, clause: Clause, steps: Sequence[Step], known_refusals: Sequence[Refusal], user_input: UserInput
    ) -> None:
        """Add a clause with its own steps."""
        self.has_aside |= clause.has_aside
        if any(clause.story):
            self.story = clause.story
        if clause.start >= 0:
            text = user_input.text_of((clause.start, clause.end))
            is_refused = any(is_about(one.words, text) for one in known_refusals)
            self.is_last_unread = bool(clause.unread) or is_refused
            self.has_steps = bool(steps)
            self.steps = steps
            self.is_local = bool(steps) and all(map(_is_local, steps))
            self.is_addition = any(step.kind is EditKind.ADD for step in steps)
            self.is_kept = bool(clause.parts) and all(part.role == "spared" for part in clause.parts)
            self.is_any_unread |= self.is_last_unread


def refusals(
    clauses: Sequence[Clause],
    steps: Sequence[Step],
    known: Sequence[Refusal],
    user_input: UserInput,
    lexicon: Lexicon,
) -> Iterator[Refusal]:
    """Yield a refusal for each wish that depends on a clause that is not understood.

    `steps` are the steps of the wishes, and `known` are the refusals of other words.
    """
    before = _PrecedingClauses()
    has_text = any(one.unread and all(word[0] in QUOTES for word in one.unread) for one in clauses)
    refused = {refusal.words for refusal in known}
    is_plain = bool(steps) and all(map(_is_plain_enhance, steps))
    told_fault = _told_fault(clauses, user_input, lexicon) if is_plain else ""
    last_name = ""  # the words of the wish before, if it only names what may be added or be a fault
    for clause in clauses:
        spans = {part.words for part in clause.parts}
        clause_steps = [step for step in steps if step.words in spans]
        for part in clause.parts:
            words = user_input.text_of(part.words)
            if part.role != "wish" or words in refused:
                continue
            wish_steps = [step for step in clause_steps if step.words == part.words]
            is_mending = bool(wish_steps) and _may_mend(part, words, wish_steps)
            name, last_name = last_name, words if _only_names(part, wish_steps, lexicon) else ""
            if is_mending and name:
                yield Refusal(name, Reason.AMBIGUOUS, NAME_ONLY)
                yield Refusal(words, Reason.AMBIGUOUS, NO_FAULT)
            elif told_fault:
                yield Refusal(told_fault, Reason.AMBIGUOUS, OTHER_WORDS)
                yield Refusal(words, Reason.AMBIGUOUS, NO_FAULT)
            elif clause.link == "because" and not _change_same_light([*before.steps, *wish_steps]):
                yield Refusal(words, Reason.AMBIGUOUS, _NO_REASON)
            elif wish_steps and part.value.get("mends"):
                yield from _refusals_to_mend(part, words, before, user_input)
            elif wish_steps and has_text and _is_about_pronoun(part, "this"):
                yield Refusal(words, Reason.AMBIGUOUS, _NO_TEXT)
            elif (before.has_aside and _may_mean_told_thing(part, wish_steps, user_input)) or (
                before.is_last_unread
                and _may_be_about_unread_name(part, words, wish_steps, clause, user_input)
            ):
                yield Refusal(words, Reason.AMBIGUOUS, WHICH)
            elif _may_describe_either(before, part, words, wish_steps, clause.link, user_input, lexicon):
                yield Refusal(words, Reason.AMBIGUOUS, _NO_OWNER)
        before.add(clause, clause_steps, known, user_input)


def _is_plain_enhance(step: Step) -> bool:
    """Return whether a step improves the whole photo without saying what is wrong."""
    return step.operation == "enhance" and step.target == WHOLE and "only" not in step.values


def _told_fault(clauses: Sequence[Clause], user_input: UserInput, lexicon: Lexicon) -> str:
    """Return the words of a story that tell a fault: "there are power lines in the sky, please edit"."""
    for clause in clauses:
        for span in clause.told:
            text = user_input.text_of(span).strip(" ,")
            said = text.lower().split()
            phrases = [*said, *map(" ".join, pairwise(said))]
            roles = {role for phrase in phrases for role in lexicon.senses.get(phrase, ())}
            is_state = text.lower().startswith("so ") and bool(roles & {"color", "adjective"})
            if _THERE_IS.search(text) or not roles.isdisjoint(_FAULT_ROLES) or is_state:
                return text
    return ""


def _may_mend(part: SentencePart, words: str, steps: Sequence[Step]) -> bool:
    """Return whether a wish may mend what the wish before it names: "lens flare top left, fix it"."""
    is_bare = not part.value.get("target") and all(map(_is_plain_enhance, steps))
    is_about_it = words.lower().split()[-1] in ("it", "them", "that", "this")
    return bool(part.value.get("mends")) or is_bare or (is_about_it and _are_composition(steps))


def _change_same_light(steps: Sequence[Step]) -> bool:
    """Return whether all steps change the light or color of the same part."""
    is_color = all(step.kind is EditKind.COLOR for step in steps)
    return is_color and len({step.target for step in steps}) <= 1


def _are_composition(steps: Sequence[Step]) -> bool:
    return all(step.kind is EditKind.COMPOSITION for step in steps)


def _only_names(part: SentencePart, steps: Sequence[Step], lexicon: Lexicon) -> bool:
    """Return whether a wish without a verb may tell a fault: "a white line on the left", "skin red"."""
    is_named = bool(steps) and all(step.kind is EditKind.ADD or step.operation == "recolor" for step in steps)
    return is_named and {leaf.role for leaf in part.edge.leaves}.isdisjoint(lexicon.inflected)


def _refusals_to_mend(
    part: SentencePart, words: str, before: _PrecedingClauses, user_input: UserInput
) -> Iterator[Refusal]:
    """Yield refusals if a wish mends a fault that is not understood, or that a story may tell."""
    tells_fault = not before.is_any_unread and _tells_fault(before.story, part, user_input)
    if before.is_any_unread or tells_fault:
        yield Refusal(words, Reason.AMBIGUOUS, NO_FAULT)
    if tells_fault:
        yield Refusal(user_input.text_of(before.story), Reason.AMBIGUOUS, OTHER_WORDS)


def _tells_fault(story: tuple[int, int], part: SentencePart, user_input: UserInput) -> bool:
    """Return whether a story in the same sentence may tell the fault, as in "the walls look odd, fix it"."""
    between = user_input.instruction[story[1] : part.words[0]]
    return any(story) and not re.search(r"[.!?\n]", between)


def _is_local(step: Step) -> bool:
    """Return whether a step changes the light or color of a part, or only lays something over the photo."""
    is_of_face = step.target.what == "face"
    has_part = step.target != WHOLE or "faces" in step.declaration.uses  # as in "smooth the skin"
    is_cut_out = step.declaration.ground == "none"  # Afterwards, the photo shows only the part that is kept.
    is_of_part = step.kind in (EditKind.COLOR, EditKind.BACKGROUND) and has_part and not is_cut_out
    is_of_part |= step.kind is EditKind.COMPOSITION and step.declaration.finds in RESHAPING_FINDS
    return is_of_face or is_of_part or step.declaration.stage in _OVERLAY_STAGES


def _is_about_pronoun(part: SentencePart, pronoun: str) -> bool:
    """Return whether a wish is about this pronoun, as in "put this in white: “Sale”"."""
    named = as_list(part.value.get("target"))
    return any(isinstance(one, dict) and one.get("what") == pronoun for one in named)


def _is_whole_color(step: Step) -> bool:
    """Return whether a step gives the whole photo a color, as "make it red" does without an antecedent."""
    return step.target == WHOLE and bool(step.color)


def _may_mean_told_thing(part: SentencePart, steps: Sequence[Step], user_input: UserInput) -> bool:
    """Return whether a wish may be about something that an aside names: "she holds a hat, make it red"."""
    if not _is_about_pronoun(part, "it") or any(step.target != WHOLE for step in steps):
        return False
    is_softened = any(step.declaration.aspect == "softness" for step in steps)
    return gives_color(part) or (is_softened and not user_input.names_photo)


def _may_be_about_unread_name(
    part: SentencePart, words: str, steps: Sequence[Step], clause: Clause, user_input: UserInput
) -> bool:
    """Return whether a wish may be about something that the clause before it names: "the sign…, flip it".

    `words` are the words of the wish.
    """
    is_colored = _is_about_pronoun(part, "it") and any(map(_is_whole_color, steps))
    is_of_it = bool(clause.link) and not user_input.names_photo and "it" in words.lower().split()
    return is_colored or (is_of_it and any(map(_turns_photo, steps)))


def _turns_photo(step: Step) -> bool:
    """Return whether a step turns the whole photo or changes its size."""
    is_shape = step.declaration.scope is Scope.WHOLE and step.kind is EditKind.COMPOSITION
    return is_shape and step.target == WHOLE


def _may_describe_either(
    before: _PrecedingClauses,
    part: SentencePart,
    words: str,
    steps: Sequence[Step],
    link: str,
    user_input: UserInput,
    lexicon: Lexicon,
) -> bool:
    """Return whether a wish may describe the photo or what the clause before it names.

    `words` are the words of the wish.
    """
    if _changes_whole_photo(part, steps) and _describes(part, words, link, before, user_input, lexicon):
        return True
    return before.is_addition and _describes_addition(part, steps, words, link, lexicon)


def _describes_addition(
    part: SentencePart, steps: Sequence[Step], words: str, link: str, lexicon: Lexicon
) -> bool:
    """Return whether a wish without a verb may describe what the clause before it adds.

    Examples are "add smoke, dark", "add clouds with sharp edges", and "write “Sold” big and bold at the top".
    A part of the photo with a name, as in "brighter sky", is not a part of what is added.
    """
    leaves = list(part.edge.leaves)
    roles = {leaf.role for leaf in leaves}
    is_of_photo = any(step.kind is not EditKind.COLOR or _has_name(step) for step in steps)
    if not link or not steps or is_of_photo:
        return False
    if link == "with":
        return True
    named = next((leaf for leaf in leaves if leaf.role in _CHANGED_ROLES), None)
    is_adjective = any("adjective" in lexicon.senses.get(word, ()) for word in words.lower().split())
    is_verb = named is not None and named.role == "tone" and not is_adjective
    if named is None or is_verb or not roles.isdisjoint(lexicon.inflected - {"tone"} | _OBJECT_ROLES):
        return False
    if link == "and":
        return is_adjective and roles.isdisjoint(_FINISH_ROLES | _COMPARING_ROLES | {"comparative"})
    # "High contrast" and "warm tones" are about the photo.
    is_phrase = named.role == "adjective" and named.end - named.start > 1
    is_of_all = is_phrase or not roles.isdisjoint({"quality", "colors", "cast"})
    return not is_of_all or "color" in roles


def _has_name(step: Step) -> bool:
    """Return whether a step changes a part of the photo that has a name, such as the sky."""
    return step.target.what not in ("whole", "place") and not (step.target.color and not step.target.noun)


def _changes_whole_photo(part: SentencePart, steps: Sequence[Step]) -> bool:
    """Return whether the steps of a wish change the whole photo, although the wish names no target."""
    named = any(change.get("target") for change in (part.value, *changes_of(part.value)))
    return not named and any(step.target == WHOLE for step in steps)


def _describes(
    part: SentencePart,
    words: str,
    link: str,
    before: _PrecedingClauses,
    user_input: UserInput,
    lexicon: Lexicon,
) -> bool:
    """Return whether a wish without a verb describes what the clause before it names.

    `words` are the words of the wish.
    """
    roles = {leaf.role for leaf in part.edge.leaves}
    is_stated = is_state(part, user_input.instruction, lexicon)
    is_description = words.split(maxsplit=1)[0].lower() in lexicon.participles
    is_request = not (is_description or is_stated) and not roles.isdisjoint(lexicon.inflected)
    is_of_kept = before.is_kept and is_stated and link == "but"  # as in "keep the dog but brighter"
    is_bracketed = link == "(" and before.has_steps
    is_of_part = before.is_local and (link not in ("and", "but") or is_stated)
    may_describe = before.is_last_unread or is_of_kept or is_of_part or is_bracketed
    if not link or not may_describe or is_request or not roles.isdisjoint(NUMBER_ROLES):
        return False
    if link == "with" or is_description or (before.is_last_unread and "color" in roles):
        return True
    is_less = "less" in roles and any(
        "adjective" in lexicon.senses.get(word, ()) for word in words.lower().split()
    )
    is_more_colored = "color" in roles and not roles.isdisjoint(_COMPARING_ROLES)
    return is_stated or is_less or is_more_colored or not roles.isdisjoint(STATE_ROLES)
