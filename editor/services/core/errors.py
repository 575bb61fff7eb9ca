"""Exceptions that services raise when an actor may not have what was requested.

Services know nothing about HTTP: `ServiceErrorMiddleware` turns these exceptions into responses, the API into
its error format, and commands into messages.
"""


class NotFound(Exception):
    """Raised when something does not exist, or when the actor may not know that it exists."""


class Forbidden(Exception):
    """Raised when the actor may see something but has no right to do this.

    The exception's message is shown to people.
    """
