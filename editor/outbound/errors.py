"""The exception for failed outgoing requests, and the kinds of failures."""

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

    `message` may be shown to users. Only the log contains the exact reason. `kind` is one of:

    - "refused": refused by our address guard
    - "unreachable": unknown name, no connection, or no time left before the request was sent
    - "tls": the certificate could not be verified, or there is no TLS at all
    - "broken", "timeout", "too_large"
    - "status": a download got a status other than 200, which `status` contains
    - "stopped": aborted by the caller

    `sent` is True if any byte of the request may have reached the remote site. It is always False if the kind
    is "refused", "unreachable", or "tls".
    """

    def __init__(self, kind: str, *, sent: bool = False, status: int | None = None) -> None:
        self.message = _MESSAGES[kind]
        super().__init__(self.message)
        self.kind = kind
        self.sent = sent
        self.status = status
