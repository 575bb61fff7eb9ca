"""This module keeps the task path under which `advance` is queued; see core/tasks.py."""

from editor.services.editing.lifecycle import advance

__all__ = ["advance"]
