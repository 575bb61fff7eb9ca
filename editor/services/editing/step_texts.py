"""Describe the steps of a plan in the active language.

Plans keep the English descriptions, which programs read too. A translation is made from the step itself.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language

from editor.engine.plan import Step
from editor.models.wording import TranslatedText, translate_text
from editor.sentences import Sentence


def step_text(step: Step) -> TranslatedText:
    """Return the description of a step in the active language, or in English if any of it has no translation.

    The description of a step that an earlier release stored may differ from today's. It stays as it is.
    """
    if get_language() == "en":
        return _in_english(step.says)
    # Imported here because the language is large and only pages in another language need it.
    from editor.engine.language.describe import describe_step

    if describe_step(step) != step.says:
        return _in_english(step.says)
    untranslated: list[str] = []

    def translate(sentence: Sentence) -> str:
        shown = translate_text(sentence)
        untranslated.extend([sentence] if shown.lang else [])
        return shown

    shown = TranslatedText(describe_step(step, translate))
    return _in_english(step.says) if untranslated else shown


def stored_step_text(data: Mapping[str, Any]) -> TranslatedText:
    """Return the description of a step of a stored plan in the active language.

    If this release can't read the step, the description is the stored one, or empty if it was deleted.
    """
    if get_language() == "en":  # Only a translation needs the step itself.
        return _in_english(data.get("says", ""))
    try:
        return step_text(Step.from_json(data))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return _in_english(data.get("says", ""))


def _in_english(text: str) -> TranslatedText:
    shown = TranslatedText(text)
    shown.lang = "" if get_language() == "en" else "en"
    return shown
