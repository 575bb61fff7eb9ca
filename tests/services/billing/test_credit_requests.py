"""Tests for credit requests and for emails about the balance."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django_tasks_db.models import DBTaskResult

from editor.models import CreditRequest, Edit, User, Workspace
from editor.services.billing import credit_requests, credits
from editor.services.core.errors import Forbidden
from editor.services.editing import lifecycle
from tests import cast

pytestmark = pytest.mark.django_db
type Commit = Callable[..., Any]


@pytest.fixture(autouse=True)
def _with_a_mail_server(settings: Any) -> None:
    settings.EMAIL_URL = "smtp://mail.example.org"
    settings.PUBLIC_URL = "https://photos.example.org"


@pytest.fixture
def empty(team: Workspace) -> Workspace:
    """Return alice's team, which has no credits."""
    credits.correct(None, team, amount=-400, reason="Spent")
    return team


def recipients() -> list[str]:
    """Run the queued email tasks, and return the recipients of the emails."""
    for row in DBTaskResult.objects.filter(task_path__startswith="editor.services.notices."):
        row.task.call(*row.args_kwargs["args"])
        row.delete()
    return sorted(message.to[0] for message in mail.outbox)


def test_a_request_is_emailed_to_the_owner_and_staff_and_listed_for_the_owner(
    alice: User, bob: User, staff: User, empty: Workspace, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert credit_requests.request_credits(cast.actor_of(bob, empty), note="For the catalog & <more>")
    assert recipients() == [alice.email, staff.email]
    assert mail.outbox[0].subject == "[Darkroom] bob@example.org requests credits for Studio"
    assert "“For the catalog & <more>”" in mail.outbox[0].body
    assert f"https://photos.example.org/w/{empty.slug}/credits/" in mail.outbox[0].body
    (request,) = credit_requests.open_requests(cast.actor_of(alice, empty))
    assert (request.user, request.note) == (bob, "For the catalog & <more>")


def test_a_member_can_request_credits_once_a_day(
    alice: User, bob: User, empty: Workspace, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert credit_requests.request_credits(cast.actor_of(bob, empty))
        assert not credit_requests.request_credits(cast.actor_of(bob, empty), note="Please!")
    assert recipients() == [alice.email]
    assert CreditRequest.objects.get().note == ""


def test_a_user_can_request_credits_in_ten_workspaces_a_day(
    alice: User, bob: User, django_capture_on_commit_callbacks: Commit
) -> None:
    """A user can request credits in at most ten workspaces a day.

    The limit exists because the site emails each request to the staff, and anyone can quickly create many
    teams without credits.
    """
    teams = [cast.make_workspace(alice, name=f"Team {number}", credits=0) for number in range(11)]
    for team in teams:
        cast.join(team, bob)
    for team in teams[:10]:
        assert credit_requests.request_credits(cast.actor_of(bob, team))
    with django_capture_on_commit_callbacks() as tasks:
        with pytest.raises(credit_requests.TooManyRequests, match=r"today's limit of 10 credit requests"):
            credit_requests.request_credits(cast.actor_of(bob, teams[10]))
        assert not credit_requests.request_credits(cast.actor_of(bob, teams[0])), (
            "a repeated request is not a new one"
        )
    assert not tasks
    assert CreditRequest.objects.count() == 10


def test_adding_credits_answers_the_open_request(alice: User, bob: User, empty: Workspace) -> None:
    credit_requests.request_credits(cast.actor_of(bob, empty))
    credits.correct(None, empty, amount=5, reason="Not a wish, but credits")
    assert not credit_requests.open_requests(cast.actor_of(alice, empty))
    assert CreditRequest.objects.get().answered


def test_a_grant_to_another_workspace_does_not_answer_the_request(
    alice: User, bob: User, empty: Workspace
) -> None:
    credit_requests.request_credits(cast.actor_of(bob, empty))
    credits.grant(None, alice.personal_workspace, amount=5, reason="Elsewhere")
    assert credit_requests.open_requests(cast.actor_of(alice, empty)).count() == 1


def test_a_request_is_refused_if_there_are_enough_credits(bob: User, team: Workspace) -> None:
    with pytest.raises(credit_requests.NotNeeded):
        credit_requests.request_credits(cast.actor_of(bob, team))
    assert not CreditRequest.objects.exists()


def test_a_viewer_cannot_request_credits(viewer: User, empty: Workspace) -> None:
    with pytest.raises(Forbidden):
        credit_requests.request_credits(cast.actor_of(viewer, empty))


def test_without_a_mail_server_a_request_is_listed_but_not_emailed(
    alice: User, bob: User, empty: Workspace, settings: Any, django_capture_on_commit_callbacks: Commit
) -> None:
    settings.EMAIL_URL = ""
    with django_capture_on_commit_callbacks(execute=True):
        assert credit_requests.request_credits(cast.actor_of(bob, empty))
    assert recipients() == []
    assert credit_requests.open_requests(cast.actor_of(alice, empty)).count() == 1


def test_a_low_balance_is_emailed_once_to_the_owner(
    alice: User, bob: User, team: Workspace, django_capture_on_commit_callbacks: Commit
) -> None:
    credits.grant(None, team, amount=40, reason="Above the mark of 400")
    edits = [cast.make_edit(bob, workspace=team, state="STORING") for _ in range(3)]
    with django_capture_on_commit_callbacks(execute=True):
        lifecycle.finish(edits[0], Edit.State.SUCCESS)
    assert recipients() == []
    with django_capture_on_commit_callbacks(execute=True):
        lifecycle.finish(edits[1], Edit.State.SUCCESS)
        lifecycle.finish(edits[2], Edit.State.SUCCESS)
    assert recipients() == [alice.email]
    assert mail.outbox[0].subject == "[Darkroom] Studio is low on credits"
    assert "Studio has 360 credits left. An edit costs 40 credits." in mail.outbox[0].body


def test_the_owner_is_emailed_again_when_the_balance_becomes_low_again(
    alice: User, team: Workspace, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(2):
            credits.correct(None, team, amount=-1, reason="Below the mark")
            credits.correct(None, team, amount=-1, reason="And lower")
            credits.grant(None, team, amount=2, reason="Above it")
    assert recipients() == [alice.email] * 2


def test_a_balance_below_a_tenth_of_the_allowance_is_low(team: Workspace) -> None:
    team.allowance = 25_000
    assert (team.low_balance_threshold, team.is_low) == (2_500, True)


def test_no_email_is_sent_about_a_low_personal_balance(
    alice: User, django_capture_on_commit_callbacks: Commit
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        credits.correct(None, alice.personal_workspace, amount=-399, reason="Spent")
    assert recipients() == []
    assert not alice.personal_workspace.is_low


def test_a_failing_mail_server_does_not_prevent_a_request(
    alice: User, bob: User, empty: Workspace, settings: Any, django_capture_on_commit_callbacks: Commit
) -> None:
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": 9},
        }
    }
    with django_capture_on_commit_callbacks(execute=True):
        assert credit_requests.request_credits(cast.actor_of(bob, empty))
    assert recipients() == []
    assert CreditRequest.objects.count() == 1


def test_a_line_break_in_a_workspace_name_adds_no_email_header(
    alice: User, bob: User, empty: Workspace, django_capture_on_commit_callbacks: Commit
) -> None:
    Workspace.objects.filter(pk=empty.pk).update(name="Studio\nBcc: x@example.org")
    empty.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        credit_requests.request_credits(cast.actor_of(bob, empty))
    assert recipients() == [alice.email]
    assert mail.outbox[0].subject.endswith("requests credits for Studio Bcc:")
