"""Tests for comments on an edit's page: posting, display, errors that keep the text, and deletion."""

import re
import uuid
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import Comment, Edit, User, Workspace
from editor.services.maintenance import retention
from editor.services.maintenance.trash import OnHold
from editor.services.sharing.comments import MAX_COMMENT_LENGTH
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.fixture
def edit(alice: User, team: Workspace) -> Edit:
    return cast.make_edit(alice, workspace=team, outputs=2)


def address(edit: Edit) -> str:
    return f"/edits/{edit.pk}/comments/"


def test_a_comment_can_be_posted_and_is_shown(
    client_of: SignIn, viewer: User, alice: User, edit: Edit
) -> None:
    sent = {"text": "the jar\ntoo", "region": "0.1,0.2,0.3,0.4", "result": "2"}
    response = client_of(viewer).post(address(edit), sent)
    comment = Comment.objects.get()
    assert response.headers["Location"] == f"/edits/{edit.pk}/?result=2#comment-{comment.pk}"
    page = client_of(alice).get(f"/edits/{edit.pk}/?result=2").text
    assert "the jar<br>too" in page
    assert "viewer@example.org" in page
    assert '<rect x="10.00%" y="20.00%" width="30.00%" height="40.00%"' in page
    assert "<rect x=" not in client_of(alice).get(f"/edits/{edit.pk}/").text, "the comment is on result 2"


def test_a_comment_can_be_posted_without_a_box(client_of: SignIn, viewer: User, edit: Edit) -> None:
    response = client_of(viewer).post(address(edit), {"text": "warmer", "region": "", "result": "1"})
    assert response.status_code == 302
    assert Comment.objects.get().text == "warmer"


@pytest.mark.parametrize("state", ["FAILED", "CANCELLED"])
def test_an_edit_that_failed_or_was_cancelled_can_have_comments(
    client_of: SignIn, alice: User, team: Workspace, state: str
) -> None:
    edit = cast.make_edit(alice, workspace=team, state=state)
    assert client_of(alice).post(address(edit), {"text": "why?"}).status_code == 302
    assert "why?" in client_of(alice).get(f"/edits/{edit.pk}/").text


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "Write a comment first"),
        ({"text": " \n"}, "Write a comment first"),
        ({"text": "\u200b"}, "Write a comment first"),
        ({"text": "a\x00b"}, "be saved"),
        ({"text": "x" * (MAX_COMMENT_LENGTH + 1)}, "at most 2,000"),
        ({"text": "here", "region": "everywhere"}, "four fractions"),
        ({"text": "here", "region": "0,0,0.5"}, "four fractions"),
        ({"text": "here", "region": "0,0,2,2"}, "from 0 to 1"),
        ({"text": "here", "region": "nan,0,1,1"}, "from 0 to 1"),
        ({"text": "here", "region": "0,0,0.01,0.01"}, "at least 2%"),
        ({"text": "here", "region": "0,0,1,1", "result": "3"}, "result does not exist"),
    ],
)
def test_an_invalid_comment_is_refused_and_stays_in_the_form(
    client_of: SignIn, alice: User, edit: Edit, sent: dict[str, str], words: str
) -> None:
    response = client_of(alice).post(address(edit), sent)
    assert response.status_code == 422
    assert words in response.text
    assert not Comment.objects.exists()
    if sent.get("text") == "here":
        assert "\nhere</textarea>" in response.text
        assert f'name="region" value="{sent["region"]}"' in response.text


@pytest.mark.parametrize(
    "sent", [{"text": "here", "region": "everywhere"}, {"text": "", "region": "0,0,1,1"}]
)
def test_the_box_of_a_refused_comment_stays_in_the_form_once(
    client_of: SignIn, alice: User, edit: Edit, sent: dict[str, str]
) -> None:
    page = client_of(alice).post(address(edit), sent).text
    fields = re.findall(r'<input[^>]* name="region"[^>]*>', page)
    seen = re.findall(r"<noscript>.*?</noscript>", page, re.DOTALL)
    assert [f' value="{sent["region"]}"' in field for field in fields] == [True]
    assert 'type="hidden"' not in fields[0]
    assert any(fields[0] in one for one in seen)


def test_an_invalid_box_is_not_drawn(client_of: SignIn, alice: User, edit: Edit) -> None:
    client = client_of(alice)
    drawn = '<data value="0,0,1,1">'
    assert drawn in client.post(address(edit), {"text": "", "region": "0,0,1,1"}).text
    assert "<data " not in client.post(address(edit), {"text": "here", "region": "everywhere"}).text


def test_the_comparison_next_to_a_refused_comment_links_to_the_edit(
    client_of: SignIn, alice: User, edit: Edit
) -> None:
    page = client_of(alice).post(address(edit), {"text": ""}).text
    assert f'<form class="ways" method="get" action="/edits/{edit.pk}/">' in page


@pytest.mark.parametrize("result", ["", "x", "-1", "0", "9" * 30, "\u0663"])
def test_an_invalid_result_number_causes_no_error(
    client_of: SignIn, alice: User, edit: Edit, result: str
) -> None:
    response = client_of(alice).post(address(edit), {"text": "here", "region": "0,0,1,1", "result": result})
    assert response.status_code in (302, 422)


def test_html_in_a_comment_is_escaped(client_of: SignIn, alice: User, edit: Edit) -> None:
    client_of(alice).post(address(edit), {"text": '<script>alert(1)</script> https://a.example "onx=1'})
    page = client_of(alice).get(f"/edits/{edit.pk}/").text
    assert "<script>alert" not in page
    assert 'href="https://a.example' not in page


def test_members_can_delete_their_own_comments(client_of: SignIn, alice: User, bob: User, edit: Edit) -> None:
    client_of(bob).post(address(edit), {"text": "mine"})
    remove = f"{address(edit)}{Comment.objects.get().pk}/remove/"
    assert remove in client_of(bob).get(f"/edits/{edit.pk}/").text
    assert client_of(bob).post(remove).headers["Location"] == f"/edits/{edit.pk}/#comments"
    assert not Comment.objects.exists()
    assert client_of(bob).post(remove).status_code == 404


def test_a_comment_cannot_be_deleted_under_a_legal_hold(
    client_of: SignIn, alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    client = client_of(bob)
    client.post(address(edit), {"text": "mine"})
    retention.set_hold(cast.actor_of(alice, team), reason="A lawsuit")
    response = client.post(f"{address(edit)}{Comment.objects.get().pk}/remove/", follow=True)
    assert response.redirect_chain == [(f"/edits/{edit.pk}/#comments", 302)]
    assert str(OnHold()) in response.text
    assert Comment.objects.get().text == "mine"


def test_only_managers_can_delete_the_comments_of_others(
    client_of: SignIn, alice: User, bob: User, viewer: User, edit: Edit
) -> None:
    client_of(bob).post(address(edit), {"text": "mine"})
    remove = f"{address(edit)}{Comment.objects.get().pk}/remove/"
    assert remove not in client_of(viewer).get(f"/edits/{edit.pk}/").text
    assert client_of(viewer).post(remove).status_code == 403
    assert client_of(alice).post(remove).status_code == 302


def test_a_comment_can_be_deleted_only_through_its_own_edit(
    client_of: SignIn, alice: User, team: Workspace, edit: Edit
) -> None:
    client_of(alice).post(address(edit), {"text": "mine"})
    other = cast.make_edit(alice, workspace=team)
    assert client_of(alice).post(f"{address(other)}{Comment.objects.get().pk}/remove/").status_code == 404
    assert client_of(alice).post(f"{address(edit)}{uuid.uuid4()}/remove/").status_code == 404


def test_a_stranger_cannot_comment(client_of: SignIn, charlie: User, edit: Edit) -> None:
    assert client_of(charlie).post(address(edit), {"text": "hello"}).status_code == 404


def test_the_number_of_queries_is_constant(client_of: SignIn, alice: User, edit: Edit) -> None:
    client, counts = client_of(alice), []
    for _ in range(3):
        for _ in range(3):
            Comment.objects.create(edit=edit, author=alice, text="hm")
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/edits/{edit.pk}/")
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts
