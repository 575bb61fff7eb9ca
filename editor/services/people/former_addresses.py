"""Email addresses that accounts no longer use.

If someone creates an account with such an address, they do not get free credits again.
"""

from datetime import date

from django.db.models import Max

from editor.models import FormerAddress, User, Workspace
from editor.services.core.emails import mailbox_digest

OPENING_REFERENCE = "opening"  # reference of the opening grant's ledger entry


def remember(user: User, email: str) -> None:
    """Record which free credits this email address has received.

    Call this function before the account is closed or its address changes.
    """
    # Read the workspace again, because the sweep may have topped it up.
    workspace = Workspace.objects.get(personal_user=user)
    had_signup_credits = workspace.credit_entries.filter(reference=OPENING_REFERENCE).exists()
    if had_signup_credits or workspace.topped_up:
        FormerAddress.objects.create(
            digest=mailbox_digest(email), had_signup_credits=had_signup_credits, topped_up=workspace.topped_up
        )


def had_signup_credits(email: str) -> bool:
    """Check whether an earlier account with this email address received an opening grant."""
    return FormerAddress.objects.filter(digest=mailbox_digest(email), had_signup_credits=True).exists()


def last_top_up(email: str) -> date | None:
    """Return the last month in which an earlier account with this email address got an allowance, or None.

    The month is represented by its first day.
    """
    earlier = FormerAddress.objects.filter(digest=mailbox_digest(email))
    last: date | None = earlier.aggregate(last=Max("topped_up"))["last"]
    return last
