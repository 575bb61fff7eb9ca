"""Addresses that accounts have given up: whoever signs up with one again gets no credits twice."""

from datetime import date

from django.db.models import Max

from editor.models import FormerAddress, User, Workspace
from editor.services.core.letters import mailbox_digest

OPENING = "opening"  # the reference of the grant with which an account begins


def remember(user: User, email: str) -> None:
    """Record the credits that this address has had, because the account closes or changes its address."""
    workspace = Workspace.objects.get(personal_user=user)  # as it is now: the sweep may have filled it up
    had_signup_credits = workspace.credit_entries.filter(reference=OPENING).exists()
    if had_signup_credits or workspace.topped_up:
        FormerAddress.objects.create(
            digest=mailbox_digest(email), had_signup_credits=had_signup_credits, topped_up=workspace.topped_up
        )


def had_signup_credits(email: str) -> bool:
    """Return whether an earlier account with this address had an opening grant."""
    return FormerAddress.objects.filter(digest=mailbox_digest(email), had_signup_credits=True).exists()


def last_top_up(email: str) -> date | None:
    """Return the month of the last allowance that an earlier account with this address had, by its first
    day."""
    earlier = FormerAddress.objects.filter(digest=mailbox_digest(email))
    last: date | None = earlier.aggregate(last=Max("topped_up"))["last"]
    return last
