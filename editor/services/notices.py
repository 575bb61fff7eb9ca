"""This module exists because tasks for emails about credits are queued under its path; see core/tasks.py."""

from editor.services.billing.low_balance import tell_of_low_balance, tell_of_request

__all__ = ["tell_of_low_balance", "tell_of_request"]
