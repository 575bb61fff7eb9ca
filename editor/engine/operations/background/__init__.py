"""What is behind the subject."""

from editor.engine.operations.background import replace

__all__ = ["replace"]
