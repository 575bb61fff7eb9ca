"""Regularly check live data, and report violated invariants to the operator.

Violations are logged and counted in /metrics. Reports are emailed to the superusers and sent to ALERT_URL in
a POST request.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings

from editor.models import Checkup, User
from editor.models.clock import database_now
from editor.outbound import OutboundError
from editor.services.core.emails import build_mail
from editor.services.editing.fetching import rules_for
from editor.services.maintenance import invariants

logger = logging.getLogger(__name__)
REMINDER_INTERVAL = timedelta(days=1)
MAX_SENTENCES = 20
CALL_SECONDS = 10.0
SUBJECT = "[Darkroom] Integrity problems found: {}"
ALL_HOLD_MESSAGE = "All integrity checks pass again."
_ADVICE = (
    "Run manage.py verify to list all problems, and keep the last backup. You can restore it with "
    "manage.py restore."
)


def check() -> int:
    """Check the invariants of all rows, and return the number of violations.

    Files are left to `verify`, because reading them takes a long time. The operator is notified of new
    violations, is reminded every day, and is notified once all invariants hold again.
    """
    sentences = invariants.find_violations(with_files=False)
    now = database_now()
    last = Checkup.objects.filter(pk=1).first()
    notified = last.notified if last else None
    if sentences:
        logger.error("%d integrity problems were found:\n%s", len(sentences), "\n".join(sentences))
        if notified is None or now - notified >= REMINDER_INTERVAL:
            notified = now if _notify_operator(sentences) else notified
    elif notified is not None and _notify_operator([]):
        notified = None
    values = {"checked": now, "broken": len(sentences), "notified": notified}
    message = "\n".join(sentences[:MAX_SENTENCES])
    Checkup.objects.update_or_create(pk=1, defaults={**values, "message": message})
    return len(sentences)


def _notify_operator(sentences: list[str]) -> bool:
    """Notify the operator. Return False if nobody received the report although somebody could have.

    In this case, the next check tries again.
    """
    ways = [way(sentences) for way in (_mail, _post)]
    reached = [way for way in ways if way is not None]
    return not reached or any(reached)


def _mail(sentences: list[str]) -> bool | None:
    people = User.objects.filter(is_superuser=True, is_active=True).values_list("email", flat=True)
    if not settings.EMAIL_URL or not people:
        return None
    # Send separate emails, so that recipients do not see each other's addresses and an invalid address
    # affects only its own email.
    sent = sum(_is_mailed(sentences, address) for address in people)
    return sent > 0


def _is_mailed(sentences: list[str], address: str) -> bool:
    try:
        build_mail(_subject(sentences), _text(sentences), address).send()
    except (SMTPException, OSError):
        logger.exception("Could not send the email about the integrity checks.")
        return False
    return True


def _post(sentences: list[str]) -> bool | None:
    if not settings.ALERT_URL:
        return None
    # Imported here because this module loads httpx, which most processes never need.
    from editor.outbound.calls import call

    news = {
        "event": "invariants.broken" if sentences else "invariants.hold",
        "count": len(sentences),
        "text": _text(sentences),
    }
    rules = rules_for(settings.ALERT_URL)
    try:
        answer = call("POST", settings.ALERT_URL, rules=rules, seconds=CALL_SECONDS, cap=0, json=news)
    except OutboundError as error:
        logger.error("Could not send the report on the integrity checks to ALERT_URL: %s", error)
        return False
    if answer.status >= 300:
        logger.error("ALERT_URL returned %d for the report on the integrity checks.", answer.status)
    return answer.status < 300


def _subject(sentences: list[str]) -> str:
    return SUBJECT.format(len(sentences)) if sentences else f"[Darkroom] {ALL_HOLD_MESSAGE}"


def _text(sentences: list[str]) -> str:
    if not sentences:
        return ALL_HOLD_MESSAGE
    more = len(sentences) - MAX_SENTENCES
    rest = [f"... and {more} more."] if more > 0 else []
    return "\n".join([*sentences[:MAX_SENTENCES], *rest, "", settings.PUBLIC_URL, _ADVICE])
