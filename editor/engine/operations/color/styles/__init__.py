"""Whole styles: as if drawn, painted, printed or put together by hand."""

from editor.engine.operations.color.styles import drawn, painted, printed, tiled

__all__ = ["drawn", "painted", "printed", "tiled"]
