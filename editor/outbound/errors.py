"""The exception for failed outgoing requests, with its kinds."""

from editor.sentences import Sentence

_MESSAGES = {
    "refused": Sentence("This URL is not allowed."),
    "unreachable": Sentence("This URL could not be reached."),
    "tls": Sentence("The certificate of this URL could not be verified."),
    "broken": Sentence("The connection was lost before the response was complete."),
    "timeout": Sentence("The server did not respond in time."),
    "too_large": Sentence("The response is too large."),
    "status": Sentence("This URL did not return a file."),
    "stopped": Sentence("The work was stopped."),
}


class OutboundError(Exception):
    """Raised when a request got no usable response.

    `message` may be shown to people. Only the log contains the exact reason. `kind` is one of:

    - "refused": refused by our address guard
    - "unreachable": no name, no connection, or no time left before the request was sent
    - "tls": a certificate that could not be verified, or no TLS at all
    - "broken", "timeout", "too_large"
    - "status": a download got a status other than 200; `status` is the number
    - "stopped": aborted by the caller

    `sent` is False if no byte of the request can have reached the remote site, which is always true of
    "refused", "unreachable", and "tls". It is True if such a byte may have reached the site.
    """

    def __init__(self, kind: str, *, sent: bool = False, status: int | None = None) -> None:
        self.message = _MESSAGES[kind]
        super().__init__(self.message)
        self.kind = kind
        self.sent = sent
        self.status = status
