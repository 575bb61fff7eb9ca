"""Whole styles: as if drawn, painted, printed or put together by hand."""
