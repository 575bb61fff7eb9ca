"""Emails about low balances and credit requests.

Without a mail server, no emails are sent, but the pages show the same information.
"""

import logging
from smtplib import SMTPException

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from editor.models import CreditRequest, User, Workspace
from editor.services.core.access import RIGHTS, Right
from editor.services.core.emails import render_mail, workspace_in_mail
from editor.services.core.tasks import stored_task

logger = logging.getLogger(__name__)


def notify_if_low(workspace: Workspace, *, before: int, after: int) -> None:
    """Notify a team's managers once when its balance falls below the threshold.

    Call this function in the transaction that lowers the balance.
    """
    is_crossing = after < workspace.low_balance_threshold <= before
    if workspace.is_team and is_crossing and settings.EMAIL_URL:
        task = tell_of_low_balance.using(run_after=timezone.now())
        transaction.on_commit(lambda: task.enqueue(workspace.pk, after), robust=True)


def notify_of_request(request: CreditRequest) -> None:
    """Notify the workspace's managers and the site's superusers about a request for credits.

    Call this function in the transaction that creates the request.
    """
    if settings.EMAIL_URL:
        task = tell_of_request.using(run_after=timezone.now())
        transaction.on_commit(lambda: task.enqueue(request.pk), robust=True)


@stored_task("editor.services.notices.tell_of_low_balance")
def tell_of_low_balance(workspace_id: int, balance: int) -> None:
    workspace = Workspace.objects.get(pk=workspace_id)
    context = _about(workspace) | {"balance": balance}
    _send(_managers(workspace), "low_balance", context)


@stored_task("editor.services.notices.tell_of_request")
def tell_of_request(request_id: int) -> None:
    request = CreditRequest.objects.select_related("user", "workspace").get(pk=request_id)
    people = _managers(request.workspace) | User.objects.filter(is_superuser=True, is_active=True)
    context = _about(request.workspace) | {"request": request}
    _send(people.exclude(pk=request.user_id).distinct(), "credit_request", context)


def _managers(workspace: Workspace) -> QuerySet[User]:
    runs_it = Q(memberships__workspace=workspace, memberships__role__in=RIGHTS[Right.SEE_USAGE])
    return User.objects.filter(runs_it, is_active=True)


def _about(workspace: Workspace) -> dict[str, object]:
    return {
        "workspace": workspace,
        "team": workspace_in_mail(workspace),
        "address": _address_of(workspace),
    }


def _address_of(workspace: Workspace) -> str:
    """Return the URL of the credits page, or an empty string if PUBLIC_URL is not set."""
    path = reverse("credits", args=[workspace.slug])
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""


def _send(people: QuerySet[User], template: str, context: dict[str, object]) -> None:
    """Send each person a separate email.

    This way, recipients do not see each other's addresses, and a failure affects only one email.
    """
    for person in people:
        try:
            render_mail(template, context, person.email).send()
        except (SMTPException, OSError):
            logger.exception("Could not send the email about low credits.")
