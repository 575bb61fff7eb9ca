"""This module exists because migration 0010 imports `text_of` from it; see core/search.py."""

from editor.services.core.search import text_of

__all__ = ["text_of"]
