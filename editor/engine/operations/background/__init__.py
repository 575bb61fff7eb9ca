"""What is behind the subject."""

from editor.engine.operations.background import replace, sky

__all__ = ["replace", "sky"]
