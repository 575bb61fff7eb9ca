"""Find the parts of a sentence that only tell something, as in “we waited long, please crop it”."""

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise

from editor.engine.language.budget import Budget
from editor.engine.language.roles import NAME_ROLES

# Roles with which a story may begin; any other sentence is a story only if a word has the role "telling".
_NARRATING = frozenset({"narrating", "photo", "determiner", "article", "this", "it", "someone", "pronoun"})
# Roles that the words of a story may have in addition to "any". If the story says that the user wants
# something, only "any" is allowed.
_STORY_ROLES = frozenset(
    {"any", "photo", "and", "then", "but", "not", "no", "make", "add", "fill", "use", "keep", "vague"}
)
# Additional roles that the words of a story may have if the story is not about the photo.
_OTHER_STORY_ROLES = frozenset({"place", "limiting"})
# Roles that such words may have only in the past tense. "My skin looks orange" is a complaint.
_STYLE_STORY_ROLES = frozenset({"color", "look"})
# Roles that the words of a story in the past tense may have. It asks for nothing, even after a comma.
_PAST_STORY_ROLES = frozenset({"any", "photo", "and", "but", "make", "use", "keep", "vague", "lapsed"})
# Roles of words in such a story that may select what the wish before it names: "she stood next to me".
_SELECTING = frozenset({"flank", "stacked", "selecting", "worn", "attire", "garment", "lettered"})
# Roles of words that make a story a sentence. "The car." and "the sky not" are not sentences: they correct
# the wish before them.
_VERBAL = frozenset({"be", "lapsed", "telling", "narrating", "finite"})


def story_spans(
    words: Sequence[str], roles_by_word: Sequence[Set[str]], budget: Budget
) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each part of a sentence that only tells something.

    `budget` counts the words that are examined. Raises TooLong if it is used up.
    """
    for start, end in _sentence_spans(words):
        for first, to in _past_stories(words, roles_by_word, start, end):
            budget.spend(to - first)
            yield first, to
        for to in (*_story_ends(words, roles_by_word, start, end), end):
            budget.spend(to - start)
            story = [at for at in range(start, to) if words[at] != ","]
            story_roles = [roles_by_word[at] for at in story]
            # Before all wishes, even a name may only be a title.
            has_verb = start == 0 or _has_verb([words[at] for at in story], story_roles)
            if has_verb and _is_story(story_roles):
                yield start, to


def _sentence_spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    stops = [at for at, word in enumerate(words) if word in "./"]
    for before, end in pairwise([-1, *stops, len(words)]):
        if end > before + 1:
            yield before + 1, end


def _past_stories(
    words: Sequence[str], roles_by_word: Sequence[Set[str]], start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield the parts after a comma that tell something in the past tense, as in ", we waited long"."""
    commas = [at for at in range(start, end) if words[at] == ","]
    for at, to in pairwise([*commas, end]):
        first = at + 1 + (at + 1 < to and bool(roles_by_word[at + 1] & {"and", "but"}))
        story_roles = roles_by_word[first:to]
        is_past_story = (
            bool(story_roles)
            and not story_roles[0].isdisjoint(_NARRATING | {"ordinal"})
            and _has_past_tense_verb(words[first:to], story_roles)
        )
        if is_past_story and all(
            roles & _PAST_STORY_ROLES and roles.isdisjoint(_SELECTING | {"asking", "wanting"})
            for roles in story_roles
        ):
            yield first, to


def _has_past_tense_verb(words: Sequence[str], roles_by_word: Sequence[Set[str]]) -> bool:
    """Return whether a verb in the past tense follows the first word."""
    following = zip(words[1:], roles_by_word[1:], strict=True)
    return any("lapsed" in roles or (word.endswith("ed") and "posing" in roles) for word, roles in following)


def _story_ends(
    words: Sequence[str], roles_by_word: Sequence[Set[str]], start: int, end: int
) -> Iterator[int]:
    """Yield the places inside a sentence at which a story may end and something else may begin.

    A story consists of words that request nothing. Another story, a question, or a remark about the photo may
    follow it: "It was dark, could you" or "I like this picture but it".
    """
    before, asking_roles = set[str](), ("wanting",)
    for at in range(start, end - 1):
        roles, after = roles_by_word[at], roles_by_word[at + 1]
        is_comma = words[at] == ","
        if at > start and (is_comma or words[at] == "so" or not roles.isdisjoint(("and", "but"))):
            is_remark = "photo" in after or ("it" in after and bool(before & {"photo", "telling"}))
            may_end_story = "telling" in before and not after.isdisjoint(_NARRATING)
            if (
                may_end_story
                or ("filler" if is_comma else "asking") in after
                or (is_remark and before.isdisjoint(asking_roles))
            ):
                yield at
        before |= roles


def _is_story(roles: Sequence[Set[str]]) -> bool:
    begins = bool(roles) and not roles[0].isdisjoint(_NARRATING)
    is_wanting = any("wanting" in one for one in roles)
    joins = [not one.isdisjoint(("and", "then", "but")) for one in roles]
    first = joins.index(False) if False in joins else 0
    if first and not roles[first].isdisjoint(("make", "add", "use", "keep")):  # as in "and make it bigger"
        return False
    if any(not one.isdisjoint(("begging", "objecting")) for one in roles):
        return False
    if not begins and (is_wanting or not any("telling" in one for one in roles)):
        return False
    allowed = _STORY_ROLES
    if not any(one & {"photo", "it", "colors"} for one in roles):
        allowed |= _OTHER_STORY_ROLES
        if any(one & {"lapsed", "telling"} for one in roles):
            allowed |= _STYLE_STORY_ROLES
    return all("any" in one or not (is_wanting or one.isdisjoint(allowed)) for one in roles)


def _has_verb(words: Sequence[str], roles_by_word: Sequence[Set[str]]) -> bool:
    """Return whether words may be a sentence with a verb, such as "my son loves this place"."""
    for at, (word, roles) in enumerate(zip(words, roles_by_word, strict=True)):
        is_after_pronoun = bool(at) and not roles_by_word[at - 1].isdisjoint(("it", "this", "narrating"))
        is_after_name = bool(at) and not roles_by_word[at - 1].isdisjoint(NAME_ROLES)
        is_verb = "plain" in roles and word.endswith("s") and is_after_name and at < len(words) - 1
        is_clear = not roles.isdisjoint(_VERBAL) and "place" not in roles  # "left" may be a side
        if is_clear or (word == "'s" and is_after_pronoun):
            return True
        if is_verb or (word.endswith("ed") and "posing" in roles):
            return True
    return False
