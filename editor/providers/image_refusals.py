"""Pure functions that interpret the error responses of an OpenAI images API.

They decide who has to act on each error.
"""

import re
from collections.abc import Mapping
from typing import Any

from editor.outbound import Response
from editor.providers import responses, sending, waits
from editor.providers.contract import (
    BUSY,
    REJECTED,
    UNAVAILABLE,
    Fault,
    ProviderError,
    with_charge_note,
)

# Values of `code` and `type` that concern the operator's account, key, or model.
_OPERATOR_CODES = frozenset(
    (
        *("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "budget_exceeded"),
        *("invalid_api_key", "account_deactivated", "access_terminated", "authentication_error"),
        *("model_not_found", "unsupported_model", "no_db_connection"),
    )
)
# Matches messages with the same meaning from servers that send no code. For example, LiteLLM reports a wrong
# key as "No connected db.", and vLLM-Omni reports a wrong model as "Model mismatch".
_OPERATOR_WORDS = re.compile(
    r"no connected db|api[ _-]?key|billing|quota|model mismatch|unknown model|invalid model"
    r"|model\b.{0,100}\b(does not exist|not exist|not found|is not served)",
    re.IGNORECASE | re.DOTALL,
)
_HTML = re.compile(r"\s*(<!doctype|<html|<\?xml|<svg)", re.IGNORECASE)


def error_of(answer: Response, *, prompt: str, hidden: str, host: str, is_repeatable: bool) -> ProviderError:
    """Return the error for a response whose status is not 2xx.

    `hidden` is the key, and `host` is the server's host; no message contains either of them. `is_repeatable`
    means that a request whose outcome is unknown may be sent again.
    """
    body = _body_of(answer.content)
    detail = f"The engine returned {answer.status}: {responses.beginning_of(answer.content, hidden=hidden)}"
    if _concerns_operator(answer.status, body, prompt):
        return ProviderError("engine_unavailable", UNAVAILABLE, fault=Fault.OPERATOR, detail=detail)
    if answer.status == 429:
        return ProviderError("engine_unavailable", BUSY, retry_after=waits.retry_after(answer), detail=detail)
    if answer.status in (408, 425) or answer.status >= 500 or answer.status < 200:
        return sending.unconfirmed(detail, is_repeatable=is_repeatable)
    return ProviderError("rejected", refusal_of(body, hidden=hidden, host=host) or REJECTED, detail=detail)


def refusal_of(body: Mapping[str, Any], *, hidden: str, host: str) -> str:
    """Return the model's own words as a user-readable sentence, or "" if they are of no use."""
    words = responses.reason_of(body, hidden=hidden, host=host)
    return with_charge_note(words) if words and not _OPERATOR_WORDS.search(words) else ""


def _body_of(content: bytes) -> dict[str, Any]:
    """Return the JSON body.

    If the response is plain text, return a body that has this text as its message.
    """
    body = responses.body_of(content)
    text = content.decode("utf-8", "replace").strip()
    is_text = not body and text and not _HTML.match(text) and not text.startswith(("{", "[", '"'))
    return {"message": text} if is_text else body


def _concerns_operator(status: int, body: Mapping[str, Any], prompt: str) -> bool:
    if status in (401, 402, 403, 404, 405, 407) or 300 <= status < 400:
        return True
    if not 400 <= status < 500:
        return False
    error = body.get("error")
    places = [body, error if isinstance(error, dict) else {}]
    codes = {str(place.get(name)).lower() for place in places for name in ("code", "type")}
    if codes & _OPERATOR_CODES:
        return True
    if status == 429:  # The words of an ordinary rate limit may mention a quota or a billing plan, too.
        return False
    # A prompt that the message quotes must not take the engine out of service.
    message = responses.message_of(body)
    return bool(_OPERATOR_WORDS.search(message)) and not _OPERATOR_WORDS.search(prompt)
