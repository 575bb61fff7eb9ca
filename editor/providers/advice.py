"""The results of checking an upstream site.

They are sentences that tell the operator what is wrong and what to do.
"""

from editor.outbound import OutboundError, Response
from editor.providers import responses
from editor.providers.contract import Check

_WELL = "The site responds and accepts the key. No credits were spent."
_WELL_WITHOUT_KEY = "The site responds and does not require a key. No credits were spent."
_ADVICE = {
    "refused": "Set {prefix}_BASE_URL to a plain URL, such as https://photos.example.org.",
    "unreachable": (
        "Check the host name and port in {prefix}_BASE_URL, that the site is running, and that this "
        "machine can reach it. A firewall or a missing OUTBOUND_PROXY may be the cause."
    ),
    "tls": (
        "The certificate is not trusted here, or the site does not use TLS. Check the name, date, and "
        "issuer of the certificate. If the site does not use TLS, its URL must start with http://."
    ),
    "broken": "A program accepts connections at this URL, but it is not a web server. Check the port.",
    "timeout": "The site accepted the connection but did not respond in time. Try again later.",
    "too_large": "The response does not match the API. Check the path in {prefix}_BASE_URL.",
    "stopped": "",
}


def on_error(error: OutboundError, *, prefix: str) -> Check:
    """Return the result of a check that received no response.

    The names of the engine's settings begin with `prefix`.
    """
    return Check(False, (error.message, _ADVICE[error.kind].format(prefix=prefix)))


def on_models(answer: Response, *, prefix: str, model: str, has_key: bool) -> Check:
    """Return the result of a check that requested the list of models from an OpenAI API server."""
    lines = _problem_of_any_site(answer, "/v1/models", prefix=prefix, has_key=has_key)
    return _check(lines or _problem_of_models(answer, prefix, model), has_key=has_key)


def on_answer(answer: Response, *, path: str, has_key: bool, prefix: str) -> Check:
    """Return the result of a check that requested a nonexistent task at this path.

    Any response in the format of the interface means that the site can be used.
    """
    lines = _problem_of_any_site(answer, path, prefix=prefix, has_key=has_key)
    return _check(lines or _problem_of_task(answer, path, prefix), has_key=has_key)


def _check(lines: tuple[str, ...], *, has_key: bool) -> Check:
    return Check(not lines, lines or (_WELL if has_key else _WELL_WITHOUT_KEY,))


def _problem_of_any_site(answer: Response, path: str, *, prefix: str, has_key: bool) -> tuple[str, ...]:
    """Return what is wrong with access to a site, and what to do, or nothing if the site responds."""
    status, place = answer.status, answer.headers.get("location", "")
    if status in (401, 403):
        problem = f"does not accept {prefix}_API_KEY" if has_key else "requires a key, but none is set"
        return (
            f"The site returned {status}: it {problem}.",
            f"Get a key from the operator of that site, set {prefix}_API_KEY to it, and restart Darkroom.",
        )
    if 300 <= status < 400:
        where = responses.redacted(place.partition(path)[0]) or "another URL"
        return (
            f"The site redirects to {where}.",
            f"Set {prefix}_BASE_URL to the actual URL of the site.",
        )
    if status >= 500 or status == 429:
        return (f"The site returned {status}: it is busy or has a problem.", "Try again later.")
    return ()


def _problem_of_models(answer: Response, prefix: str, model: str) -> tuple[str, ...]:
    listed = responses.body_of(answer.content).get("data")
    names = (
        [entry.get("id") for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    )
    if answer.status != 200 or not names:
        return (
            f"The URL returned {answer.status}, but the response is not a list of models.",
            f"Check {prefix}_BASE_URL: it is the part of the site's URLs before /v1/models.",
        )
    if model and model not in names:
        shown = responses.redacted(", ".join(map(str, names[:10])))
        return (f"The site does not offer the model {model}.", f"Set {prefix}_MODEL to one of: {shown}.")
    return ()


def _problem_of_task(answer: Response, path: str, prefix: str) -> tuple[str, ...]:
    if "success" in responses.body_of(answer.content):
        return ()
    return (
        f"The URL returned {answer.status}, but the response does not match the API.",
        f"Check {prefix}_BASE_URL. It is the part of the site's URLs before {path}.",
    )
