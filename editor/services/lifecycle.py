"""This module exists because `advance` is queued under this module's path; see core/tasks.py."""

from editor.services.editing.lifecycle import advance

__all__ = ["advance"]
