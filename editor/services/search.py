"""This module keeps the path from which migration 0010 imports `text_of`; see core/search.py."""

from editor.services.core.search import text_of

__all__ = ["text_of"]
