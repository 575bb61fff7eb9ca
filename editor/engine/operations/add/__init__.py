"""What is drawn over the photo."""

from editor.engine.operations.add import border, text, vignette

__all__ = ["border", "text", "vignette"]
