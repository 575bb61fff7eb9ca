"""Tests for the review pages.

They cover reviews and guest links on an edit's page, the review filter of the history, and the guest page.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.models import Edit, Review, Share, User, Workspace
from editor.services.core import links
from editor.services.photos import drafts, photos
from editor.services.sharing import reviews, shares
from tests import cast

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.fixture
def edit(bob: User, team: Workspace) -> Edit:
    draft = drafts.create_draft(cast.actor_of(bob, team), cast.photo_file(), name="a.jpg")
    facts = [photos.copy_files(draft) for _ in range(2)]
    return cast.make_edit(
        bob, workspace=team, outputs=2, references=[photos.copy_files(draft)], results=facts
    )


@pytest.fixture
def made(bob: User, team: Workspace, edit: Edit) -> Share:
    return shares.share(cast.actor_of(bob, team), edit, comment="Which one?\nSay so.", allows_download=True)


def step_of(edit: Edit, step: str) -> str:
    return f"/edits/{edit.pk}/review/{step}/"


def page_of(made: Share) -> str:
    return f"/share/{links.share_token(made.seed)}/"


def test_a_review_step_is_carried_out_and_shown(
    client_of: SignIn, alice: User, bob: User, edit: Edit
) -> None:
    response = client_of(bob).post(step_of(edit, "send"), {"text": "For the\ncover"})
    assert response.headers["Location"] == f"/edits/{edit.pk}/#review"
    page = client_of(alice).get(f"/edits/{edit.pk}/").text
    assert "For the<br>cover" in page
    assert "bob@example.org" in page
    assert step_of(edit, "approve") in page
    assert step_of(edit, "approve") not in client_of(bob).get(f"/edits/{edit.pk}/").text


def test_declining_without_a_comment_gets_an_error_message(
    client_of: SignIn, alice: User, edit: Edit
) -> None:
    Edit.objects.filter(pk=edit.pk).update(review_state="in_review")
    response = client_of(alice).post(step_of(edit, "decline"), {"text": " "})
    assert response.status_code == 422
    assert "Describe what should change." in response.text


@pytest.mark.parametrize("text", ["x" * 2001, "a\x00b"])
def test_an_invalid_comment_is_refused(client_of: SignIn, bob: User, edit: Edit, text: str) -> None:
    response = client_of(bob).post(step_of(edit, "send"), {"text": text})
    assert response.status_code == 422
    edit.refresh_from_db()
    assert edit.review_state == "draft"


def test_a_second_reviewer_is_told_who_decided_first(
    client_of: SignIn, alice: User, team: Workspace, edit: Edit
) -> None:
    reviews.approve(cast.actor_of(alice, team), edit)
    client = client_of(alice)
    page = client.post(step_of(edit, "take-back"), follow=True)
    assert "Alice Ames approved it in the meantime" in page.text
    response = client.post(step_of(edit, "decline"), {"text": "The <sky> is\ntoo dark"})
    assert response.status_code == 409
    assert "Alice Ames approved it in the meantime" in response.text
    assert "The &lt;sky&gt; is\ntoo dark</textarea>" in response.text
    assert f'formaction="{step_of(edit, "reopen")}"' in response.text
    assert f'formaction="{step_of(edit, "decline")}"' not in response.text


def test_a_note_is_kept_even_if_no_step_is_left(
    client_of: SignIn, alice: User, bob: User, team: Workspace, edit: Edit
) -> None:
    reviews.approve(cast.actor_of(alice, team), edit)
    response = client_of(bob).post(step_of(edit, "send"), {"text": "For the cover"})
    assert response.status_code == 409
    assert "Your note was not saved" in response.text
    assert "For the cover</textarea>" in response.text
    assert not Review.objects.filter(comment="For the cover").exists()


def test_an_edit_that_cannot_be_reviewed_redirects_with_the_reason(
    client_of: SignIn, alice: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team, state="FAILED")
    response = client_of(alice).post(step_of(edit, "approve"), {"text": "Nice"}, follow=True)
    assert response.redirect_chain == [(f"/edits/{edit.pk}/#review", 302)]
    assert "Only a finished edit" in response.text


def test_an_unknown_review_step_returns_404(client_of: SignIn, alice: User, edit: Edit) -> None:
    assert client_of(alice).post(step_of(edit, "reject")).status_code == 404


def test_the_history_filters_by_review_state_and_shows_it(
    client_of: SignIn, alice: User, team: Workspace, edit: Edit
) -> None:
    other = cast.make_edit(alice, workspace=team, prompt="another one")
    reviews.approve(cast.actor_of(alice, team), edit)
    page = client_of(alice).get("/w/studio/history/?review=approved").text
    assert f"edit-{edit.pk}" in page
    assert f"edit-{other.pk}" not in page
    assert "Finished</span>" not in page, 'the review state replaces the label "Finished"'
    assert "Approved</span>" in page
    assert "review=in_review" not in client_of(alice).get("/w/alice/history/").text


def test_a_link_can_be_created_and_revoked(client_of: SignIn, bob: User, edit: Edit) -> None:
    client = client_of(bob)
    client.post(f"/edits/{edit.pk}/shares/", {"days": "30", "comment": "Look", "shows_prompt": "on"})
    made = Share.objects.get()
    assert (made.comment, made.shows_prompt, made.allows_download) == ("Look", True, False)
    assert f"http://testserver{page_of(made)}" in client.get(f"/edits/{edit.pk}/").text
    client.post(f"/edits/{edit.pk}/shares/{made.pk}/revoke/")
    assert page_of(made) not in client.get(f"/edits/{edit.pk}/").text
    assert Client().get(page_of(made)).status_code == 410


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"days": "2"}, "2 is not one of the available choices"),
        ({"days": "7", "comment": "x" * 501}, "at most 500 characters"),
        ({"days": "7", "comment": "a\x00"}, "contains a character"),
    ],
)
def test_an_invalid_link_gets_an_error_message_in_the_open_form(
    client_of: SignIn, bob: User, edit: Edit, sent: dict[str, str], words: str
) -> None:
    response = client_of(bob).post(f"/edits/{edit.pk}/shares/", sent | {"allows_download": "on"})
    assert response.status_code == 422
    assert words in response.text
    assert 'share-new" open' in response.text
    assert not Share.objects.exists()


def test_a_link_cannot_be_revoked_through_another_edit(
    client_of: SignIn, bob: User, team: Workspace, made: Share
) -> None:
    other = cast.make_edit(bob, workspace=team)
    assert client_of(bob).post(f"/edits/{other.pk}/shares/{made.pk}/revoke/").status_code == 404
    assert client_of(bob).post(f"/edits/{other.pk}/shares/{10**30}/revoke/").status_code == 404


def test_a_guest_page_shows_the_edit_and_must_not_be_indexed(made: Share) -> None:
    response = Client().get(page_of(made))
    assert response.status_code == 200
    assert "Which one?<br>Say so." in response.text
    assert made.edit.prompt in response.text
    assert "/media/" not in response.text
    assert "Sign in" not in response.text
    assert response.headers["X-Robots-Tag"].startswith("noindex")
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in response.headers["Cache-Control"]
    assert '<meta name="robots" content="noindex' in response.text
    second = Client().get(f"{page_of(made)}?result=2&view=side")
    assert "compare--side" in second.text


def addresses(page: str) -> list[str]:
    return [
        part.partition('"')[0].partition(" ")[0]
        for part in page.split('="')[1:]
        if "/share/photo/" in part[:20]
    ]


def read(response: Any) -> Any:
    """Read a streamed response to its end, so that its file is closed, and return the response."""
    b"".join(response.streaming_content)
    return response


def test_the_photos_of_a_link_are_unavailable_after_it_is_revoked(
    client_of: SignIn, bob: User, made: Share
) -> None:
    shown = addresses(Client().get(page_of(made)).text)
    assert len(shown) >= 4
    for address in shown:
        response = read(Client().get(address))
        assert response.status_code == 200
        assert response.headers["X-Robots-Tag"].startswith("noindex")
    client_of(bob).post(f"/edits/{made.edit_id}/shares/{made.pk}/revoke/")
    assert {Client().get(address).status_code for address in shown} == {404}


def test_the_page_of_a_link_says_that_the_edit_may_be_deleted(
    client_of: SignIn, bob: User, made: Share
) -> None:
    client_of(bob).post(f"/edits/{made.edit_id}/delete/")
    page = Client().get(page_of(made))
    assert page.status_code == 410
    assert "the edit was deleted or is awaiting approval" in page.text


def test_a_guest_does_not_see_the_prompt_if_the_link_hides_it(bob: User, team: Workspace, edit: Edit) -> None:
    made = shares.share(cast.actor_of(bob, team), edit, shows_prompt=False, allows_download=True)
    page = Client().get(page_of(made)).text
    assert edit.prompt not in page
    dispositions = [
        read(Client().get(address)).headers.get("Content-Disposition", "") for address in addresses(page)
    ]
    assert any("result 1.jpg" in name for name in dispositions)
    assert not any("make-the-sky" in name for name in dispositions)


def test_a_guest_is_offered_downloads_only_if_the_link_allows_them(
    bob: User, team: Workspace, edit: Edit, made: Share
) -> None:
    closed = shares.share(cast.actor_of(bob, team), edit)
    assert "Download" in Client().get(page_of(made)).text
    assert "Download" not in Client().get(page_of(closed)).text


@pytest.mark.usefixtures("new_minute")
def test_an_unknown_link_returns_410_and_too_many_guesses_return_429(made: Share) -> None:
    for _ in range(shares.FAILURES_PER_MINUTE + 1):
        response = Client().get("/share/a-guess/")
        assert response.status_code == 410
        assert response.headers["X-Robots-Tag"].startswith("noindex")
    assert Client().get(page_of(made)).status_code == 429
    assert Client().get("/share/photo/a:guess/").status_code == 404


def test_the_edits_page_takes_the_same_number_of_queries_with_more_reviews(
    client_of: SignIn, alice: User, team: Workspace, edit: Edit
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            client_of(alice).get(f"/edits/{edit.pk}/")
        return len(captured)

    queries()
    few = queries()
    actor = cast.actor_of(alice, team)
    for _ in range(3):
        reviews.send(actor, edit)
        reviews.take_back(actor, edit)
        shares.share(actor, edit)
    assert queries() == few


@pytest.mark.parametrize(("state", "waits"), [("SUCCESS", True), ("FAILED", False)])
def test_the_page_mentions_approval_only_if_the_edit_can_be_approved(
    client_of: SignIn, bob: User, team: Workspace, state: str, waits: bool
) -> None:
    Workspace.objects.filter(pk=team.pk).update(approval_since=team.created)
    code = "incomplete" if state == "FAILED" else ""
    edit = cast.make_edit(bob, workspace=team, state=state, failure_code=code, outputs=2, results=1)
    page = client_of(bob).get(f"/edits/{edit.pk}/").text
    assert ("once this edit is approved" in page) == waits
    assert "data-take=" not in page
    assert f"/edits/{edit.pk}/results/1/further/" in page


def test_the_settings_explain_approval_and_turn_it_on_and_off(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    client = client_of(alice)
    assert "Nobody else has an API key now" in client.get("/w/studio/settings/").text
    page = client.post("/w/studio/settings/approval/", {"required": "1"}, follow=True).text
    assert "Required" in page
    assert "A program with a key gets every result" not in client.get("/w/alice/keys/").text
    assert client.get("/w/studio/keys/").text.count("A program with a key gets every result") == 1
    assert "/w/studio/keys/" not in client_of(bob).get("/w/studio/members/").text
    client.post("/w/studio/settings/approval/", {"required": "0"})
    assert not Workspace.objects.get(pk=team.pk).requires_approval
