"""What a test reads out of a step."""

from editor.engine.plan import Step


def variant_of(step: Step) -> str | None:
    """Which form of its operation it is, where there are several: the name of a flag, else a word."""
    told = {name: value for name, value in step.values.items() if name not in ("place", "color", "text")}
    words = (name if value is True else value for name, value in told.items())
    return next((word for word in words if isinstance(word, str)), None)
