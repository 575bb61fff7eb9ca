"""Say why a prompt is refused."""

from collections.abc import Sequence
from dataclasses import replace

from editor.engine.language import german
from editor.engine.language.chart import VALUE_MARK
from editor.engine.language.hints import NAME_ONLY, OTHER_WORDS
from editor.engine.language.reader import reader
from editor.engine.language.sentence_parts import Clause, UserInput
from editor.engine.plan import TOO_LONG, Plan, Reason, Refusal, WayKind
from editor.sentences import Sentence, join_names, join_sentences

# The maximum length of the words that a message quotes, in characters.
_MAX_QUOTE_LENGTH = 80
_NO_VALUE = Sentence(
    "A value can be a color, a number, a place, a thing, or a look. To write it, put “the text” before it."
)
# The wording of the hint about unread words.
UNREAD = Sentence("I don't understand “%(said)s” here. Say it in other words, or leave it out.").template
FORBIDDEN = Sentence("Say what should change, not what shouldn't.")
FOREIGN = Sentence("I only understand English for now. Write your prompt in English.")
_GERMAN = Sentence("This prompt is in German. Write it in English, for example “make it brighter”.")
# Words that mean nothing alone. A message quotes them together with the words after them.
_WORDS_WITHOUT_MEANING = frozenset(
    {"a", "an", "the", "of", "in", "on", "at", "to", "by", "for", "from", "with", "that", "as"}
)
# How a message begins, depending on the reason of the first refusal.
_CANNOT_DO = Sentence("I can't do %(quoted)s.")
_LEADS = {
    Reason.UNKNOWN_WORD: Sentence("I don't understand %(quoted)s."),
    Reason.AMBIGUOUS: Sentence("I'm not sure what you mean by %(quoted)s."),
}


def in_german(plan: Plan) -> Plan:
    """Return the refusal of a whole instruction in German, with its possible translations."""
    refusal = Refusal(plan.instruction.strip(), Reason.UNKNOWN_WORD, _GERMAN)
    return replace(
        plan, steps=(), not_understood=(replace(refusal, nearest=tuple(german.translations(refusal.words))),)
    )


def message_of(plan: Plan) -> Sentence:
    """Return the message of a refused plan, along with the plan's first similar instruction, if any."""
    first = plan.not_understood[0]
    sentence = next((way.text for way in plan.ways if way.kind is WayKind.SENTENCE), "")
    message = message_of_refusals(plan.not_understood)
    if not sentence or sentence in first.hint:
        return message
    return Sentence("%(message)s Try “%(sentence)s”.", message=message, sentence=_shorten(sentence))


def name_only_refusal(words: str) -> Refusal:
    """Return the refusal of a sentence that only names a thing."""
    nearest = tuple(f"{verb} {words.rstrip(' .!?')}" for verb in ("remove", "brighten", "darken"))
    return Refusal(words, Reason.AMBIGUOUS, NAME_ONLY, nearest=nearest)


def too_long_plan(instruction: str, partial: bool) -> Plan:
    """Return the plan for an instruction that takes too much work to read."""
    refusal = Refusal(instruction.strip(), Reason.TOO_LARGE, TOO_LONG)
    return Plan(instruction, (), (refusal,), partial, TOO_LONG)


def refusal_plan(user_input: UserInput, refusal: Refusal, partial: bool) -> Plan:
    """Return the plan for an instruction that is refused as a whole."""
    return Plan(user_input.instruction, (), (refusal,), partial, message_of_refusals((refusal,)))


def refusal_of_clause(user_input: UserInput, clause: Clause) -> Refusal:
    """Return the refusal of a clause with unread words."""
    words = user_input.text_of((clause.start, clause.end))
    knows = reader().speller.knows
    unknown = [word for word in clause.unread if word[0] != VALUE_MARK and not knows(word)]
    if unknown:
        hint = Sentence("I don't know the word “%(word)s”. Say it in other words.", word=_shorten(unknown[0]))
        return Refusal(words, Reason.UNKNOWN_WORD, hint)
    if VALUE_MARK in words:
        return Refusal(words, Reason.AMBIGUOUS, _NO_VALUE)
    unread = user_input.instruction[slice(*clause.gap)]
    if unread.lower() in _WORDS_WITHOUT_MEANING:
        unread = user_input.instruction[clause.gap[0] : clause.end]
    hint = Sentence(UNREAD, said=_shorten(unread))
    if clause.is_restricting:
        hint = FORBIDDEN
    elif unread == words:
        hint = OTHER_WORDS
    return Refusal(words, Reason.AMBIGUOUS, hint)


def message_of_refusals(refusals: Sequence[Refusal]) -> Sentence:
    """Return the message that quotes all refused words and gives the hint of the first refusal."""
    first = refusals[0]
    if first.hint in (FOREIGN, _GERMAN):
        return first.hint
    quoted = join_names([Sentence("“%(quoted)s”", quoted=_shorten(refusal.words)) for refusal in refusals])
    lead = _LEADS.get(first.reason, _CANNOT_DO).template
    return join_sentences(Sentence(lead, quoted=quoted), first.hint)


def _shorten(words: str) -> str:
    flat = " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())
    return flat if len(flat) <= _MAX_QUOTE_LENGTH else flat[: _MAX_QUOTE_LENGTH - 1] + "…"
