"""Stored photos. `make_large` is imported here because it is queued under this path; see core/tasks.py."""

from editor.services.photos.photos import make_large

__all__ = ["make_large"]
