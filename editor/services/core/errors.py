"""Exceptions that services raise when an actor may not have what was requested.

Services know nothing about HTTP. `ServiceErrorMiddleware` turns these exceptions into responses, the API
turns them into its error format, and commands turn them into messages.
"""


class NotFound(Exception):
    """Raised when something does not exist, or when the actor may not know that it exists."""


class Forbidden(Exception):
    """Raised when the actor may see something but lacks the right to the requested action.

    The exception's message is shown to users.
    """
