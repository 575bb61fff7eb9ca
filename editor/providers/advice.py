"""Check results of an upstream site, in sentences that tell the operator what is wrong and what to do."""

from editor.outbound import Answer, OutboundError
from editor.providers import answers
from editor.providers.contract import Check

_WELL = "The site answers and accepts the key. No credits were spent."
_WELL_WITHOUT_KEY = "The site answers, and asks for no key here. No credits were spent."
_ADVICE = {
    "refused": "Set PHOTO_EDITOR_BASE_URL to a plain address such as https://photos.example.org.",
    "unreachable": "Check its name and port in PHOTO_EDITOR_BASE_URL, that the site runs, and that this "
    "machine may reach it: a firewall or a missing OUTBOUND_PROXY can be in the way.",
    "tls": "Its certificate is not trusted here, or it speaks no TLS: check its name, its date and who "
    "signed it; a site without TLS has an address that begins with http://.",
    "broken": "Something at this address takes connections and is no web server: check the port.",
    "timeout": "The site took the connection and said nothing in time: try again later.",
    "too_large": "Its answer is no answer of the interface: check the path in PHOTO_EDITOR_BASE_URL.",
    "stopped": "",
}


def on_error(error: OutboundError) -> Check:
    """Return the result of a check that received no response."""
    return Check(False, (error.message, _ADVICE[error.kind]))


def on_answer(answer: Answer, *, path: str, has_key: bool) -> Check:
    """Return the result of a check that asked this path for a task that does not exist.

    Any response in the format of the interface means that the site can be used.
    """
    lines = _complaints(answer, path, has_key=has_key)
    return Check(not lines, lines or (_WELL if has_key else _WELL_WITHOUT_KEY,))


def _complaints(answer: Answer, path: str, *, has_key: bool) -> tuple[str, ...]:
    status, place = answer.status, answer.headers.get("location", "")
    if status in (401, 403):
        problem = "does not accept PHOTO_EDITOR_API_KEY" if has_key else "wants a key, and none is set"
        return (
            f"The site answers with {status}: it {problem}.",
            "Get a key from whoever runs that site, set PHOTO_EDITOR_API_KEY to it and start again.",
        )
    if 300 <= status < 400:
        where = answers.redacted(place.partition(path)[0]) or "another address"
        return (
            f"The site sends callers to {where}.",
            "Set PHOTO_EDITOR_BASE_URL to where the site really is.",
        )
    if status >= 500 or status == 429:
        return (f"The site answers with {status}: it is in trouble or busy.", "Try again later.")
    if "success" not in answers.body_of(answer.content):
        return (
            f"Something answers with {status}, but not as the interface does.",
            f"PHOTO_EDITOR_BASE_URL is what stands before {path} in the site's addresses: check it.",
        )
    return ()
