"""Read properties of a step in tests."""

from editor.engine.plan import Step


def variant_of(step: Step) -> str | None:
    """Return the variant of the step's operation as a flag name or a word, or None if it has no variants."""
    values = {name: value for name, value in step.values.items() if name not in ("place", "color", "text")}
    words = (name if value is True else value for name, value in values.items())
    return next((word for word in words if isinstance(word, str)), None)
