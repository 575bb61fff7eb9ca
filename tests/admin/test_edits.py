"""Review of edits: what staff see, what they may do, and what nobody may."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import Edit, User
from editor.services import photos
from tests.cast import actor_of, assert_ledger_balances, make_edit, make_grant, make_user, photo_file

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
LIST = "/admin/editor/edit/"


def limited(*codenames: str) -> User:
    user = make_user("limited@example.org", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def kept_edit(owner: User) -> Edit:
    """An edit whose photo has its files."""
    draft = photos.keep_draft(actor_of(owner), photo_file(), name="a.jpg")
    return make_edit(owner, references=[photos.copy_files(draft)])


def test_it_lists_edits_with_thumbnails(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice, prompt="darker, please")
    page = client_of(staff).get(LIST).text
    assert "darker, please" in page
    assert f"/admin/editor/edit/photo/results/{edit.results.all()[0].pk}/" in page
    assert "alice@example.org" in page


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?q=darker", 1),
        ("?q=alice@example.org", 2),
        ("?q=Alice@Example.Org", 2),
        ("?q=nobody@example.org", 0),
        ("?q=%00", 2),
        ("?q=%25", 0),
        ("?before=nothing", 2),
        ("?q=nothing", 0),
        ("?state__exact=FAILED", 1),
        ("?workspace__plan__exact=pro", 0),
    ],
)
def test_it_searches_and_filters(client_of: SignIn, alice: User, staff: User, query: str, count: int) -> None:
    make_edit(alice, prompt="darker")
    make_edit(alice, prompt="other", state="FAILED")
    response = client_of(staff).get(LIST + query)
    assert response.context["cl"].result_count == count


def test_the_number_of_queries_is_constant(client_of: SignIn, alice: User, staff: User) -> None:
    client, counts = client_of(staff), []
    make_grant(alice.personal_workspace, 5000)
    for _ in range(3):
        for _ in range(5):
            make_edit(alice)
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST)
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


@pytest.mark.parametrize("asked", ["", "q=darker&", "state__exact=SUCCESS&"])
def test_it_pages_by_key_and_counts_nothing(client_of: SignIn, alice: User, staff: User, asked: str) -> None:
    make_grant(alice.personal_workspace, 5000)
    edits = [make_edit(alice, prompt="darker") for _ in range(53)][::-1]
    client = client_of(staff)
    with CaptureQueriesContext(connection) as queries:
        first = client.get(f"{LIST}?{asked}").context["cl"]
    assert first.result_list == edits[:50]
    assert not [query for query in queries if "COUNT(" in query["sql"] or "OFFSET" in query["sql"]]
    second = client.get(LIST + first.older)
    assert second.context["cl"].result_list == edits[50:]
    assert 'rel="next"' not in second.text
    assert client.get(LIST + second.context["cl"].newer).context["cl"].result_list == edits[:50]
    assert "before=" not in second.context["cl"].get_query_string({"source__exact": "api"})


def test_hostile_words_are_shown_and_not_run(client_of: SignIn, alice: User, staff: User) -> None:
    hostile = "<script>alert(1)</script>"
    edit = make_edit(alice, prompt=hostile, state="FAILED", failure_message=hostile, plan={"x": hostile})
    client = client_of(staff)
    for address in (LIST, f"{LIST}{edit.pk}/change/"):
        page = client.get(address).text
        assert hostile not in page
        assert "&lt;script&gt;" in page


def test_an_edit_is_shown_with_its_photos_and_its_plan(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice, references=2, outputs=2, plan={"instruction": "darker"})
    page = client_of(staff).get(f"{LIST}{edit.pk}/change/").text
    for photo in [*edit.references.all(), *edit.results.all()]:
        assert str(photo.pk) in page
    assert "&quot;instruction&quot;" in page
    assert 'name="_save"' not in page, "there is nothing to save"


@pytest.mark.parametrize("path", ["add/", "{pk}/delete/"])
def test_an_edit_is_neither_made_nor_deleted_here(
    client_of: SignIn, alice: User, staff: User, path: str
) -> None:
    edit = make_edit(alice)
    address = LIST + path.format(pk=edit.pk)
    assert client_of(staff).get(address).status_code == 403
    assert client_of(staff).post(address, {"post": "yes"}).status_code == 403
    assert Edit.objects.filter(pk=edit.pk).exists()


def test_an_edit_is_not_changed_here(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice)
    response = client_of(staff).post(f"{LIST}{edit.pk}/change/", {"prompt": "other", "price": "1"})
    assert response.status_code == 403
    edit.refresh_from_db()
    assert edit.prompt != "other"


def test_cancelling_says_how_many_and_sets_the_credits_free(
    client_of: SignIn, alice: User, staff: User
) -> None:
    edits = [make_edit(alice, state=state) for state in ("QUEUED", "RUNNING", "SUCCESS")]
    chosen = {
        "action": "cancel",
        "reason": "The engine is being replaced.",
        "_selected_action": [str(edit.pk) for edit in edits],
    }
    page = client_of(staff).post(LIST, chosen, follow=True).text
    assert "2 cancelled, 1 had already ended." in page
    assert [Edit.objects.get(pk=edit.pk).state for edit in edits] == ["CANCELLED", "CANCELLED", "SUCCESS"]
    assert_ledger_balances(alice.personal_workspace)
    alice.personal_workspace.refresh_from_db()
    assert alice.personal_workspace.held == 0
    said = Edit.objects.get(pk=edits[0].pk).failure_message
    assert said == (
        "An administrator cancelled this edit. You were not charged. The engine is being replaced."
    )
    logged = LogEntry.objects.filter(user=staff, change_message="Cancelled: The engine is being replaced.")
    assert logged.count() == 2


def test_cancelling_requires_a_reason(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice, state="RUNNING")
    chosen = {"action": "cancel", "reason": " ", "_selected_action": [str(edit.pk)]}
    assert "give a reason" in client_of(staff).post(LIST, chosen, follow=True).text
    edit.refresh_from_db()
    assert edit.state == "RUNNING"


def test_staff_who_may_only_look_cannot_cancel(client_of: SignIn, alice: User) -> None:
    edit = make_edit(alice, state="RUNNING")
    client = client_of(limited("view_edit"))
    page = client.get(LIST)
    assert page.status_code == 200
    assert "Cancel the selected" not in page.text
    client.post(LIST, {"action": "cancel", "_selected_action": [str(edit.pk)]})
    edit.refresh_from_db()
    assert edit.state == "RUNNING"


@pytest.mark.parametrize("who", ["alice", "limited"])
def test_others_see_no_review(client_of: SignIn, alice: User, who: str) -> None:
    edit = kept_edit(alice)
    client = client_of(alice if who == "alice" else limited())
    expected = 302 if who == "alice" else 403
    photo = f"{LIST}photo/references/{edit.references.all()[0].pk}/"
    for address in (LIST, f"{LIST}{edit.pk}/change/", photo):
        assert client.get(address).status_code == expected


def test_a_photo_is_sent_with_the_headers_of_media(client_of: SignIn, alice: User, staff: User) -> None:
    edit = kept_edit(alice)
    response: Any = client_of(staff).get(f"{LIST}photo/references/{edit.references.all()[0].pk}/")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "image/webp"
    assert b"WEBP" in b"".join(response.streaming_content)[:16]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("kind", ["references", "results", "drafts", "nonsense"])
def test_a_photo_that_is_not_there_is_not_found(client_of: SignIn, staff: User, kind: str) -> None:
    address = f"{LIST}photo/{kind}/00000000-0000-7000-8000-000000000000/"
    assert client_of(staff).get(address).status_code == 404


def test_a_photo_whose_file_is_gone_is_not_found(client_of: SignIn, alice: User, staff: User) -> None:
    edit = make_edit(alice)
    address = f"{LIST}photo/results/{edit.results.all()[0].pk}/"
    assert client_of(staff).get(address).status_code == 404
