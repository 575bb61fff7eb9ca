"""What can go wrong with an outgoing request: one error, and the kinds of it."""

from editor.sentences import Sentence

_MESSAGES = {
    "refused": Sentence("This address is not allowed."),
    "unreachable": Sentence("This address could not be reached."),
    "tls": Sentence("The certificate of this address could not be verified."),
    "broken": Sentence("The connection broke before the answer was complete."),
    "timeout": Sentence("The answer did not come in time."),
    "too_large": Sentence("The answer is larger than allowed."),
    "status": Sentence("This address did not give a file."),
    "stopped": Sentence("The work was stopped."),
}


class OutboundError(Exception):
    """A request got no usable answer. `message` is safe for people; reasons are in the log only.

    `kind` is "refused" (by our guard), "unreachable" (name, connection, or time that ran out before the
    request left), "tls" (the certificate, or no TLS at all), "broken", "timeout", "too_large", "status"
    (download only; `status` is the number) or "stopped". `sent` is False when no byte of the request can
    have reached the far end, which "refused", "unreachable" and "tls" promise; True when it may have.
    """

    def __init__(self, kind: str, *, sent: bool = False, status: int | None = None) -> None:
        self.message = _MESSAGES[kind]
        super().__init__(self.message)
        self.kind = kind
        self.sent = sent
        self.status = status
