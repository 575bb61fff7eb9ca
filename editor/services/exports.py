"""This module keeps the task path under which `build` is queued; see core/tasks.py."""

from editor.services.maintenance.exports import build

__all__ = ["build"]
