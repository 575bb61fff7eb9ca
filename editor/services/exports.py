"""This module exists because `build` is queued under this module's path; see core/tasks.py."""

from editor.services.maintenance.exports import build

__all__ = ["build"]
