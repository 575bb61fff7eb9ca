"""What services raise when the caller may not have what was asked for.

Services know no HTTP: `ServiceErrorMiddleware` turns these exceptions into responses, the interface for
programs into envelopes, and commands into messages.
"""


class NotFound(Exception):
    """Raised when something does not exist, or when the actor may not know that it exists."""


class Forbidden(Exception):
    """Raised when the actor may see something but lacks the right to do this; the message is for people."""
