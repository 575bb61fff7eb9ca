"""Tests that operators are notified about a violated invariant.

They are notified when the invariant is violated, then once a day, and when the violation is resolved.
"""

import json
import logging
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.utils import timezone

from editor.models import Checkup, User, Workspace
from editor.services.maintenance import checkups
from tests import cast
from tests.hostile_server import HostileServer, answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def _mail(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"


def make_balance_wrong(user: User, balance: int = 399) -> None:
    Workspace.objects.filter(id=user.personal_workspace.id).update(balance=balance)


def test_a_violated_invariant_is_logged_as_an_error_and_stored(
    alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    assert checkups.check() == 0
    assert (Checkup.objects.get().broken, caplog.records) == (0, [])
    make_balance_wrong(alice)
    assert checkups.check() == 1
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "I1" in caplog.text
    assert Checkup.objects.get().broken == 1
    assert "I1" in Checkup.objects.get().message


@pytest.mark.usefixtures("_mail")
def test_staff_get_one_email_each_day_and_one_when_the_problem_is_solved(alice: User, staff: User) -> None:
    make_balance_wrong(alice)
    checkups.check()
    checkups.check()
    assert [message.to for message in mail.outbox] == [[staff.email]]
    assert mail.outbox[0].subject == "[Darkroom] Integrity problems found: 1"
    assert "I1" in mail.outbox[0].body
    Checkup.objects.update(notified=timezone.now() - timedelta(hours=25))
    checkups.check()
    assert len(mail.outbox) == 2
    make_balance_wrong(alice, 400)
    checkups.check()
    checkups.check()
    assert [message.subject for message in mail.outbox[2:]] == ["[Darkroom] All integrity checks pass again."]


@pytest.mark.usefixtures("_mail")
def test_an_email_that_cannot_be_sent_is_retried_at_the_next_check(
    alice: User, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: object) -> None:
        raise OSError("the mail server is away")

    make_balance_wrong(alice)
    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.EmailMessage.send", fails)
        checkups.check()
    assert Checkup.objects.get().notified is None
    checkups.check()
    assert len(mail.outbox) == 1


@pytest.mark.usefixtures("_mail")
def test_a_refused_recipient_does_not_prevent_emails_to_others(
    alice: User, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [cast.make_staff(f"{name}@example.org") for name in ("first", "last")]
    send = EmailMessage.send

    def refuses(self: EmailMessage) -> int:
        if self.to == [staff.email]:
            raise SMTPRecipientsRefused({})
        return send(self)

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuses)
    make_balance_wrong(alice)
    checkups.check()
    checkups.check()
    assert sorted(message.to[0] for message in mail.outbox) == sorted(user.email for user in others)
    assert Checkup.objects.get().notified is not None


def test_the_alert_url_receives_a_post_even_on_the_same_machine(alice: User, settings: Any) -> None:
    make_balance_wrong(alice)
    with HostileServer(answer(204, b"")) as server:
        settings.ALERT_URL = f"{server.origin}/darkroom"
        checkups.check()
        checkups.check()
        (request,) = server.requests
    data = json.loads(request.body)
    assert (data["event"], data["count"]) == ("invariants.broken", 1)
    assert "I1" in data["text"]


@pytest.mark.parametrize("status", [302, 404, 500])
def test_an_alert_that_is_not_accepted_is_sent_again(alice: User, settings: Any, status: int) -> None:
    make_balance_wrong(alice)
    with HostileServer(answer(status, b"")) as server:
        settings.ALERT_URL = server.origin
        checkups.check()
        checkups.check()
        assert len(server.requests) == 2


def test_an_unreachable_alert_url_does_not_fail_the_check(alice: User, settings: Any) -> None:
    make_balance_wrong(alice)
    settings.ALERT_URL = "http://127.0.0.1:9/"
    assert checkups.check() == 1
