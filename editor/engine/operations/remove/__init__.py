"""What is taken out of the photo."""

from editor.engine.operations.remove import erase

__all__ = ["erase"]
