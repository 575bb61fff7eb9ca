"""Tests for the page of an edit.

The page shows progress, actions, and either the results or the reason for a failure.
"""

import errno
import io
import re
import zipfile
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from editor.engine.language.explain import explain
from editor.models import AuditEntry, DraftPhoto, Edit, Engine, ResultPhoto, User, Workspace
from editor.pages.editing.edits import UNREADABLE
from editor.services.editing import routing
from editor.services.photos import drafts, photos
from editor.services.photos.storage import StorageUnavailable
from tests import cast
from tests.engines import EMBEDDED, configure
from tests.services.editing.test_routing import STUDIO

SignIn = Callable[[User], Client]
CHANGES = ("cancel", "again", "revise", "results/1/further")
ACTIONS = (*CHANGES, "favorite")


def with_files(edit: Edit) -> Edit:
    """Store real files for an edit's photos."""
    draft = drafts.create_draft(cast.actor_of(edit.owner), cast.photo_file(), name="lake.jpg")
    for rows in (edit.references.all(), edit.results.all()):
        for photo in rows:
            rows.filter(id=photo.id).update(**photos.copy_files(draft))
    drafts.discard(cast.actor_of(edit.owner), draft.id)
    return edit


def test_a_running_edit_shows_its_progress(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING", outputs=4)
    text = client_of(alice).get(f"/edits/{edit.id}/").content.decode()
    assert "Editing your photos" in text
    assert 'aria-busy="true"' in text
    assert text.count('class="tile tile--busy"') == 4
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in text
    assert f'action="/edits/{edit.id}/cancel/"' in text
    assert "40 credits, held" in text


def test_a_finished_edit_shows_its_results(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(
        alice,
        outputs=3,
        notices=["The sky was found with low confidence."],
        plan={"steps": [{"kind": "color", "says": "darker sky"}], "not_understood": []},
    )
    response = client_of(alice).get(f"/edits/{edit.id}/?result=2")
    text = response.content.decode()
    second = edit.results.get(position=2)
    assert response.context["selected"] == second
    assert f"/media/results/{second.id}/download/" in text
    assert f"/media/references/{edit.references.get().id}/800/" in text
    assert 'type="range"' in text
    assert "Completed steps" in text
    assert "Darker sky" in text
    assert "low confidence" in text
    assert "Download all 3" in text
    assert "Run again · 40 credits" in text
    assert "refresh" not in text.split("</head>")[0]


def test_skipped_steps_are_shown_once_while_running_and_when_finished(client_of: SignIn, alice: User) -> None:
    refusal = {"words": "add sparkles", "reason": "unknown_word", "hint": "Say it in other words."}
    plan = {"steps": [{"kind": "color", "says": "darker"}], "not_understood": [refusal]}
    notice = "Left out: “add sparkles”. Say it in other words."
    running = cast.make_edit(alice, state="RUNNING", plan=plan)
    finished = cast.make_edit(alice, plan=plan, notices=[notice])
    for edit in (running, finished):
        assert client_of(alice).get(f"/edits/{edit.id}/").text.count("Left out") == 1
    assert notice in client_of(alice).get(f"/edits/{finished.id}/").text


@pytest.mark.parametrize("result", ["9", "0", "x", "-1", "1' OR 1"])
def test_an_unknown_result_shows_the_first(client_of: SignIn, alice: User, result: str) -> None:
    edit = cast.make_edit(alice, outputs=2)
    response = client_of(alice).get(f"/edits/{edit.id}/", {"result": result})
    assert response.context["selected"].position == 1


@pytest.mark.parametrize(("state", "says"), [("FAILED", "This edit failed"), ("CANCELLED", "cancelled")])
def test_an_edit_without_results_shows_the_reason_and_that_it_was_not_charged(
    client_of: SignIn, alice: User, state: str, says: str
) -> None:
    edit = cast.make_edit(alice, state=state, failure_message="The engine <stopped>.")
    text = client_of(alice).get(f"/edits/{edit.id}/").content.decode()
    assert says in text
    assert "The engine &lt;stopped&gt;." in text
    assert "You were not charged." in text
    assert "Run again" in text
    cast.assert_ledger_balances(alice.personal_workspace)


def test_results_of_a_failed_edit_can_be_downloaded_but_not_marked(client_of: SignIn, alice: User) -> None:
    client = client_of(alice)
    part_of_it = cast.make_edit(alice, state="FAILED", failure_code="incomplete", outputs=2, results=1)
    failed = client.get(f"/edits/{part_of_it.id}/").text
    for part in (
        'name="result" value="1"',
        "data-take=",
        "data-copy-picture",
        "js/compare.js",
        "css/compare.css",
    ):
        assert part in failed
    for part in ("data-point", 'id="pointbar"', 'name="region"'):
        assert part not in failed
        assert part in client.get(f"/edits/{cast.make_edit(alice).id}/").text
    empty = client.get(f"/edits/{cast.make_edit(alice, state='FAILED').id}/").text
    assert "js/compare.js" not in empty


@pytest.mark.parametrize("state", ["RUNNING", "SUCCESS", "FAILED"])
def test_html_in_a_prompt_is_escaped(client_of: SignIn, alice: User, state: str) -> None:
    edit = cast.make_edit(alice, state=state, prompt="<script>alert(1)</script>{{ 7 }}")
    text = client_of(alice).get(f"/edits/{edit.id}/").content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


def test_it_requires_a_member(
    client_of: SignIn, alice: User, bob: User, charlie: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team)
    assert client_of(bob).get(f"/edits/{edit.id}/").status_code == 200
    assert client_of(charlie).get(f"/edits/{edit.id}/").status_code == 404
    assert Client().get(f"/edits/{edit.id}/").status_code == 302
    for action in ACTIONS:
        assert client_of(charlie).post(f"/edits/{edit.id}/{action}/").status_code == 404
    assert client_of(charlie).get(f"/edits/{edit.id}/zip/").status_code == 404


def test_a_viewer_can_see_an_edit_but_not_change_it(
    client_of: SignIn, alice: User, viewer: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team)
    client = client_of(viewer)
    text = client.get(f"/edits/{edit.id}/").content.decode()
    for offer in ("Continue editing", "Run again", "Change the prompt"):
        assert offer not in text
    for action in CHANGES:
        assert client.post(f"/edits/{edit.id}/{action}/").status_code == 403
    assert Edit.objects.count() == 1


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_require_a_post(client_of: SignIn, alice: User, action: str) -> None:
    edit = cast.make_edit(alice)
    assert client_of(alice).get(f"/edits/{edit.id}/{action}/").status_code == 405


def test_cancelling_ends_it_and_frees_the_credits(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice, state="RUNNING")
    response = client_of(alice).post(f"/edits/{edit.id}/cancel/", follow=True)
    workspace = Workspace.objects.get(personal_user=alice)
    assert Edit.objects.get().state == "CANCELLED"
    assert "You were not charged." in response.content.decode()
    assert (workspace.balance, workspace.held) == (400, 0)
    cast.assert_ledger_balances(workspace)


def test_an_edit_that_someone_else_cancelled_says_who(
    client_of: SignIn, alice: User, bob: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team, state="RUNNING")
    client_of(bob).post(f"/edits/{edit.id}/cancel/")
    bob.name = "Bob <Brown>"
    bob.save()
    page = " ".join(client_of(alice).get(f"/edits/{edit.id}/").text.split())
    assert "<bdi>Bob &lt;Brown&gt;</bdi> cancelled this edit. You were not charged." in page
    assert "You cancelled this edit" not in page
    edit.refresh_from_db()
    sentence = "Another member of the team cancelled this edit. You were not charged."
    assert edit.failure_message == sentence, "the edit itself must not contain a name"
    assert [(entry.action, entry.user) for entry in AuditEntry.objects.all()] == [("edit_cancelled", bob)]
    cast.assert_ledger_balances(team)


def test_an_edit_that_its_owner_cancelled_says_so(client_of: SignIn, alice: User, team: Workspace) -> None:
    edit = cast.make_edit(alice, workspace=team, state="RUNNING")
    page = client_of(alice).post(f"/edits/{edit.id}/cancel/", follow=True)
    assert "You cancelled this edit. You were not charged." in page.text
    assert not AuditEntry.objects.exists()


def test_cancelling_too_late_changes_nothing(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice)
    response = client_of(alice).post(f"/edits/{edit.id}/cancel/", follow=True)
    assert "already ended" in response.content.decode()
    assert Edit.objects.get().state == "SUCCESS"
    cast.assert_ledger_balances(alice.personal_workspace)


def test_run_again_makes_the_same_edit_again(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, prompt="black and white", outputs=2, aspect_ratio="1:1"))
    response = client_of(alice).post(f"/edits/{edit.id}/again/")
    repeated = Edit.objects.exclude(id=edit.id).get()
    assert response.headers["Location"] == f"/edits/{repeated.id}/"
    assert (repeated.prompt, repeated.outputs, repeated.aspect_ratio) == ("black and white", 2, "1:1")
    cast.assert_ledger_balances(alice.personal_workspace)


def test_run_again_pressed_twice_makes_one_edit(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, prompt="black and white"))
    client = client_of(alice)
    sent = {"submit_id": str(client.get(f"/edits/{edit.id}/").context["submit_id"])}
    first, second = (client.post(f"/edits/{edit.id}/again/", sent) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Edit.objects.count() == 2
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize("state", ["SUCCESS", "FAILED", "CANCELLED"])
def test_the_page_of_an_ended_edit_contains_a_submit_id(client_of: SignIn, alice: User, state: str) -> None:
    edit = cast.make_edit(alice, state=state)
    response = client_of(alice).get(f"/edits/{edit.id}/")
    field = f'<input type="hidden" name="submit_id" value="{response.context["submit_id"]}">'
    assert field in response.content.decode()


def test_run_again_accepts_an_invalid_submit_id(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, prompt="black and white"))
    assert client_of(alice).post(f"/edits/{edit.id}/again/", {"submit_id": "x"}).status_code == 302
    assert Edit.objects.count() == 2


def test_run_again_needs_credits(client_of: SignIn, db: None) -> None:
    user = cast.make_user("poor@example.org", credits=40)
    edit = with_files(cast.make_edit(user, prompt="black and white"))
    response = client_of(user).post(f"/edits/{edit.id}/again/", follow=True)
    assert "Insufficient credits" in response.content.decode()
    assert Edit.objects.count() == 1
    assert not DraftPhoto.objects.exists()


@pytest.mark.parametrize("state", ["SUCCESS", "FAILED", "CANCELLED"])
def test_changing_the_request_opens_the_editor_with_it(client_of: SignIn, alice: User, state: str) -> None:
    box = {"x": 0.1, "y": 0.2, "w": 0.3, "h": 0.4, "image": 1}
    edit = cast.make_edit(
        alice,
        state=state,
        references=2,
        prompt="remove <it>",
        aspect_ratio="4:5",
        output_format="webp",
        outputs=3,
        regions=[box, box | {"image": 2}],
    )
    with_files(edit)
    left_here = cast.make_draft(alice, name="other.jpg")
    client = client_of(alice)
    assert "Change the prompt" in client.get(f"/edits/{edit.id}/").content.decode()
    response = client.post(f"/edits/{edit.id}/revise/", follow=True)
    text = response.content.decode()
    drafts = response.context["tray"].drafts
    assert [draft.name for draft in drafts] == ["photo-1.jpg", "photo-2.jpg"]
    assert left_here not in drafts
    assert "remove &lt;it&gt;</textarea>" in text
    for name, value in (("aspect_ratio", "4:5"), ("output_format", "webp"), ("outputs", "3")):
        assert f'name="{name}" value="{value}" checked' in text
    assert text.count('name="region"') == 1
    assert 'name="region" value="0.1,0.2,0.3,0.4"' in text
    assert 'role="alert"' not in text
    assert Edit.objects.count() == 1


def test_changing_the_request_charges_nothing_and_leaves_the_edit(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, state="FAILED"))
    client_of(alice).post(f"/edits/{edit.id}/revise/")
    assert edit.references.count() == 1
    assert Workspace.objects.get(personal_user=alice).free_credits == 400
    cast.assert_ledger_balances(alice.personal_workspace)


def test_continuing_a_result_puts_it_in_the_tray(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, outputs=2))
    response = client_of(alice).post(f"/edits/{edit.id}/results/2/further/")
    draft = DraftPhoto.objects.get()
    assert response.headers["Location"] == f"/w/alice/?draft={draft.id}"
    assert draft.parent == ResultPhoto.objects.get(position=2)
    assert client_of(alice).post(f"/edits/{edit.id}/results/7/further/").status_code == 404


def test_the_star_is_set_and_taken_away(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice)
    client = client_of(alice)
    fragment = client.post(f"/edits/{edit.id}/favorite/", headers={"HX-Request": "true"})
    assert 'aria-pressed="true"' in fragment.content.decode()
    assert "<html" not in fragment.content.decode()
    assert alice.favorites.get().edit == edit
    assert client.post(f"/edits/{edit.id}/favorite/").status_code == 302
    assert not alice.favorites.exists()


@pytest.mark.parametrize(
    ("requested", "leads_to"),
    [
        ("/w/alice/history/?q=sea&page=2", "/w/alice/history/?q=sea&page=2"),
        ("https://evil.example/", None),
        ("//evil.example/", None),
        ("javascript:alert(1)", None),
        ("no-address", None),
        ("", None),
    ],
)
def test_the_star_leads_back_to_the_page_it_was_pressed_on(
    client_of: SignIn, alice: User, requested: str, leads_to: str | None
) -> None:
    edit = cast.make_edit(alice)
    response = client_of(alice).post(f"/edits/{edit.id}/favorite/", {"next": requested})
    assert response.headers["Location"] == (leads_to or f"/edits/{edit.id}/")


def test_a_clicked_star_is_filled_and_still_returns_to_the_same_page(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice)
    client = client_of(alice)
    page = client.get("/w/alice/history/?q=sky").content.decode()
    assert 'name="next" value="/w/alice/history/?q=sky"' in page
    assert "#star-filled" not in page
    sent, headers = {"next": "/w/alice/history/?q=sky"}, {"HX-Request": "true"}
    fragment = client.post(f"/edits/{edit.id}/favorite/", sent, headers=headers).content.decode()
    assert 'name="next" value="/w/alice/history/?q=sky"' in fragment
    assert "#star-filled" in fragment


def test_a_star_by_a_viewer_is_visible_only_to_them(
    client_of: SignIn, viewer: User, alice: User, team: Workspace
) -> None:
    edit = cast.make_edit(alice, workspace=team)
    client_of(viewer).post(f"/edits/{edit.id}/favorite/")
    assert "#star-filled" in client_of(viewer).get(f"/edits/{edit.id}/").text
    assert "#star-filled" not in client_of(alice).get(f"/edits/{edit.id}/").text


def test_all_results_can_be_downloaded_in_one_archive(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, outputs=2, prompt="../../black & white"))
    response: Any = client_of(alice).get(f"/edits/{edit.id}/zip/")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert response.headers["Content-Type"] == "application/zip"
    assert response.headers["Cache-Control"] == "private, no-store"
    assert archive.namelist() == ["photo-1-black-white-1.jpg", "photo-1-black-white-2.jpg", "manifest.csv"]
    assert archive.testzip() is None


def test_an_edit_without_results_has_no_archive(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice, state="FAILED")
    assert client_of(alice).get(f"/edits/{edit.id}/zip/").status_code == 404


@pytest.mark.parametrize("action", ["again", "revise", "results/1/further"])
def test_missing_photos_get_an_error_message_and_leave_nothing_behind(
    client_of: SignIn, alice: User, action: str
) -> None:
    edit = with_files(cast.make_edit(alice, prompt="black and white", references=2))
    for photo in (edit.references.get(position=2), edit.results.get()):
        cast.path_of(photo).unlink()
    response = client_of(alice).post(f"/edits/{edit.id}/{action}/", follow=True)
    assert response.redirect_chain == [(f"/edits/{edit.id}/", 302)]
    assert str(UNREADABLE) in unescape(response.text)
    assert Edit.objects.count() == 1
    assert not DraftPhoto.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize(
    ("error", "status"),
    [(OSError(errno.ENOSPC, "No space left"), 507), (StorageUnavailable("no answer"), 503)],
)
@pytest.mark.parametrize("action", ["again", "revise", "results/1/further"])
def test_temporarily_unavailable_photos_return_503_or_507(
    client_of: SignIn, alice: User, monkeypatch: pytest.MonkeyPatch, action: str, error: OSError, status: int
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(photos, "copy_files", away)
    edit = cast.make_edit(alice)
    client = client_of(alice)
    client.raise_request_exception = False
    assert client.post(f"/edits/{edit.id}/{action}/").status_code == status
    assert Edit.objects.count() == 1
    cast.assert_ledger_balances(alice.personal_workspace)


def failed_of_two_steps(user: User, **columns: Any) -> Edit:
    steps = [{"kind": "color", "says": "darker"}, {"kind": "remove", "says": "faces blurred"}]
    return cast.make_edit(
        user,
        state="FAILED",
        failure_code="rejected",
        failure_message="“blur the faces”: No face was found.",
        plan={"steps": steps, "not_understood": []},
        **columns,
    )


def test_a_step_that_this_photo_refuses_can_be_left_out_with_one_click(
    client_of: SignIn, alice: User
) -> None:
    draft = drafts.create_draft(cast.actor_of(alice), cast.photo_file(), name="a.jpg")
    edit = failed_of_two_steps(alice, references=[photos.copy_files(draft)])
    person = client_of(alice)
    page = person.get(f"/edits/{edit.id}/").text
    assert "Do the rest · 40 credits" in page
    assert 'name="partial" value="1"' in page
    person.post(f"/edits/{edit.id}/again/", {"partial": "1"})
    assert Edit.objects.exclude(id=edit.id).get().partial


@pytest.mark.parametrize("understood", [1, 0])
def test_the_rest_is_offered_only_if_part_of_the_prompt_was_understood(
    client_of: SignIn, alice: User, understood: int
) -> None:
    plan = {
        "steps": [{"kind": "color", "says": "darker"}][:understood],
        "not_understood": [{"words": "remove the dragon", "reason": "unknown_word", "hint": ""}],
    }
    edit = cast.make_edit(alice, state="FAILED", failure_code="rejected", plan=plan)
    page = client_of(alice).get(f"/edits/{edit.id}/").text
    assert ("Do the rest · 40 credits" in page) is bool(understood)


def refused_edit(user: User, prompt: str, **fields: Any) -> Edit:
    draft = drafts.create_draft(cast.actor_of(user), cast.photo_file(), name="a.jpg")
    return cast.make_edit(
        user,
        prompt=prompt,
        state="FAILED",
        failure_code="rejected",
        failure_message="I can't do this.",
        plan=explain(prompt).as_json(),
        references=[photos.copy_files(draft)],
        **fields,
    )


def test_a_suggested_prompt_on_a_failed_edit_opens_in_the_editor(client_of: SignIn, alice: User) -> None:
    box = {"x": 0.1, "y": 0.2, "w": 0.5, "h": 0.5, "image": 1}
    edit, person = refused_edit(alice, "dim the contrast", regions=[box]), client_of(alice)
    page = person.get(f"/edits/{edit.id}/").text
    assert re.search(r'name="sentence"\s+value="more contrast"', page)
    assert re.search(r'name="sentence"\s+value="less contrast"', page)
    editor = person.post(f"/edits/{edit.id}/revise/", {"sentence": "less contrast"}, follow=True).text
    assert "less contrast</textarea>" in editor
    assert 'name="region" value="0.1,0.2,0.5,0.5"' in editor
    assert "data-draft=" in editor
    assert Edit.objects.count() == 1


def test_a_failed_edit_offers_a_box_for_its_prompt_or_a_similar_one(client_of: SignIn, alice: User) -> None:
    edit, person = refused_edit(alice, "add an octopus on the shelf"), client_of(alice)
    page = person.get(f"/edits/{edit.id}/").text
    assert 'name="mark" value="box"' in page
    assert 'name="sentence" value="add an octopus emoji on the shelf"' in page
    sent = {"mark": "box", "sentence": "add an octopus emoji on the shelf"}
    editor = person.post(f"/edits/{edit.id}/revise/", sent, follow=True).text
    assert "add an octopus emoji on the shelf</textarea>" in editor
    assert "data-point-now" in editor
    plain = person.get(f"/edits/{refused_edit(alice, 'remove the trellis').id}/").text
    assert 'name="mark" value="box"' in plain
    assert 'name="sentence"' not in plain


def test_a_failed_edit_shows_the_boxes_that_were_drawn(client_of: SignIn, alice: User) -> None:
    boxes = [{"x": 0.1, "y": 0.2, "w": 0.5, "h": 0.25, "image": image} for image in (1, 2)]
    page = client_of(alice).get(f"/edits/{refused_edit(alice, 'blur it', regions=boxes).id}/").text
    # The box has two outlines: a line, and a rim around the line.
    assert page.count('x="10.00%" y="20.00%" width="50.00%" height="25.00%"') == 2
    assert "The box that you drew" in page
    without = client_of(alice).get(f"/edits/{refused_edit(alice, 'blur it').id}/").text
    assert 'class="drawn"' not in without


def test_suggestions_from_a_refusal_by_the_worker_are_offered(client_of: SignIn, alice: User) -> None:
    edit = refused_edit(alice, "make it sepia and remove the dog")
    ways = [{"kind": "box", "text": edit.prompt}, {"kind": "rest", "text": edit.prompt}]
    hint = "Draw a box around the dog."
    refused = {"words": "remove the dog", "reason": "no_such_target", "hint": hint, "ways": ways}
    Edit.objects.filter(id=edit.id).update(plan=(edit.plan or {}) | {"refused": [refused]})
    page = client_of(alice).get(f"/edits/{edit.id}/").text
    assert 'name="mark" value="box"' in page
    assert "Do the rest · 40 credits" in page


def test_the_rest_is_not_offered_for_an_edit_that_was_already_partial(client_of: SignIn, alice: User) -> None:
    edit = failed_of_two_steps(alice, partial=True)
    assert "Do the rest · 40 credits" not in client_of(alice).get(f"/edits/{edit.id}/").text


@pytest.mark.parametrize(
    ("query", "other", "view"),
    [
        ("", "photo-1", "slider"),
        ("?with=result-2", "result-2", "slider"),
        ("?result=2&with=result-1&view=one", "result-1", "one"),
        ("?with=photo-2", "photo-2", "side"),
        ("?with=result-1&view=nonsense", "photo-1", "slider"),
    ],
)
def test_a_result_is_compared_with_any_other_picture(
    client_of: SignIn, alice: User, query: str, other: str, view: str
) -> None:
    edit = cast.make_edit(alice, outputs=2, references=2)
    edit.references.filter(position=2).update(width=300, height=900)
    context = client_of(alice).get(f"/edits/{edit.id}/{query}").context
    assert (context["other"].value, context["view"]) == (other, view)


@pytest.mark.parametrize(
    ("code", "message", "first"),
    [
        ("rejected", "No cup was found. Mark it with a box.", "Draw a box"),
        ("rejected", "I did not understand “soft haze”.", "Change the prompt"),
        ("engine_unavailable", "The engine does not answer.", "Run again · 40 credits"),
        ("timeout", "It took too long.", "Run again · 40 credits"),
    ],
)
def test_the_main_button_of_a_failed_edit_fits_the_failure(
    client_of: SignIn, alice: User, code: str, message: str, first: str
) -> None:
    edit = cast.make_edit(alice, state="FAILED", failure_code=code, failure_message=message)
    page = client_of(alice).get(f"/edits/{edit.id}/").text
    main = page.partition("btn--primary")[2].partition("</button>")[0]
    assert main.strip().endswith(first)
    assert ("Run again" in page) == (code != "rejected")


def test_drawing_a_box_opens_the_editor_ready_to_draw(client_of: SignIn, alice: User) -> None:
    edit = with_files(cast.make_edit(alice, state="FAILED", failure_code="rejected"))
    response = client_of(alice).post(f"/edits/{edit.id}/revise/", {"mark": "box"}, follow=True)
    assert "data-point-now" in response.text
    assert "data-select-now" not in response.text


@pytest.fixture
def selecting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people select things by a click."""
    monkeypatch.setattr(routing, "can_select", lambda _: True)


def test_a_failed_edit_offers_select_it_where_the_editor_does(
    client_of: SignIn, alice: User, selecting: None
) -> None:
    box = {"x": 0.1, "y": 0.2, "w": 0.5, "h": 0.5, "image": 1}
    options = {"regions": [box], "aspect_ratio": "1:1", "output_format": "webp"}
    edit, person = refused_edit(alice, "remove the trellis", **options), client_of(alice)
    page = person.get(f"/edits/{edit.id}/").text
    assert "Select it" in page
    assert 'name="mark" value="point"' in page
    editor = person.post(f"/edits/{edit.id}/revise/", {"mark": "point"}, follow=True).text
    assert "data-select-now" in editor
    assert "data-point-now" not in editor
    assert "remove the trellis</textarea>" in editor
    assert "data-draft=" in editor
    assert 'name="region" value="0.1,0.2,0.5,0.5"' in editor
    assert re.search(r'name="aspect_ratio" value="1:1" checked', editor)
    assert re.search(r'name="output_format" value="webp" checked', editor)


def test_a_failed_edit_asks_for_a_box_where_a_place_is_missing(
    client_of: SignIn, alice: User, selecting: None
) -> None:
    page = client_of(alice).get(f"/edits/{refused_edit(alice, 'add an octopus on the shelf').id}/").text
    assert 'name="mark" value="box"' in page
    assert "Select it" not in page


def test_without_selections_the_editor_opens_with_the_box_tool(client_of: SignIn, alice: User) -> None:
    edit = refused_edit(alice, "remove the trellis")
    editor = client_of(alice).post(f"/edits/{edit.id}/revise/", {"mark": "point"}, follow=True).text
    assert "data-point-now" in editor


@pytest.mark.parametrize(
    ("prompt", "engines", "ways"),
    [
        ("remove the trellis and make it sepia", 1, ["Select it", "Draw a box", "Do the rest · 40 credits"]),
        (
            "remove the trellis and make it sepia",
            2,
            ["Select it", "Do the rest · 40 credits", "Do it with gpt-image-2 (60 credits)"],
        ),
        ("dim the contrast", 2, ["more contrast", "less contrast", "Do it with gpt-image-2 (60 credits)"]),
        ("add a flobberwick", 1, []),
    ],
)
def test_a_failed_edit_and_the_editor_offer_the_same_ways(
    client_of: SignIn,
    alice: User,
    selecting: None,
    settings: Any,
    prompt: str,
    engines: int,
    ways: list[str],
) -> None:
    configure(settings, *[EMBEDDED, STUDIO][:engines])
    edit, person = refused_edit(alice, prompt, engine=Engine.objects.get(name="embedded")), client_of(alice)
    failed = person.get(f"/edits/{edit.id}/").text
    row = failed.partition('<div class="row">')[2].partition("</div>")[0]
    assert buttons_in(row) == (ways or ["Change the prompt"])
    assert "Change the prompt" in failed
    draft = cast.make_draft(alice)
    sent = {"prompt": prompt, "draft": str(draft.id), "engine": "embedded"}
    plan = person.post("/w/alice/preview/", sent, headers={"HX-Request": "true"}).text
    assert [name for name in buttons_in(plan) if name not in ("Before", "After")] == ways


def buttons_in(text: str) -> list[str]:
    found = re.findall(r"<button.*?>(.*?)</button>", text, re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", unescape(one)).split()) for one in found]


def test_a_failed_edit_shows_where_something_was_clicked(client_of: SignIn, alice: User) -> None:
    points = [{"x": 0.25, "y": 0.5, "image": image} for image in (1, 2)]
    page = client_of(alice).get(f"/edits/{refused_edit(alice, 'blur it', points=points).id}/").text
    assert page.count('<circle cx="25.00%" cy="50.00%"') == 1
    assert "Where you clicked" in page


def test_the_versions_of_a_photo_are_a_tree(client_of: SignIn, alice: User) -> None:
    first = cast.make_edit(alice, prompt="first step")
    seconds = [cast.make_edit(alice, prompt=f"branch {name}", parent=first.results.get()) for name in "ab"]
    third = cast.make_edit(alice, prompt="third step", parent=seconds[0].results.get())
    cast.make_edit(alice, prompt="failed step", parent=first.results.get(), state="FAILED")
    page = client_of(alice).get(f"/edits/{third.id}/")
    tree = page.context["versions"]
    assert tree.edit == first
    assert [version.edit for version in tree.children] == seconds
    assert [version.edit for version in tree.children[0].children] == [third]
    assert f'href="/edits/{third.id}/" aria-current="page"' in page.text
    assert "failed step" not in page.text


def test_a_result_is_compared_with_any_version_of_its_photo(client_of: SignIn, alice: User) -> None:
    first = cast.make_edit(alice, prompt="first step")
    branch = cast.make_edit(alice, prompt="a branch", parent=first.results.get())
    last = cast.make_edit(alice, prompt="last step", parent=first.results.get())
    person = client_of(alice)
    page = person.get(f"/edits/{last.id}/")
    assert [one.label for one in page.context["others"]] == [
        "Photo 1", "First photo", "“first step”", "“a branch”",
    ]  # fmt: skip
    page = person.get(f"/edits/{last.id}/?with=version-{branch.id}")
    assert page.context["other"].photo == branch.results.get()
    assert f"/media/results/{branch.results.get().pk}/" in page.text


def test_an_edit_without_other_versions_has_no_tree(client_of: SignIn, alice: User) -> None:
    edit = cast.make_edit(alice)
    assert client_of(alice).get(f"/edits/{edit.id}/").context["versions"] is None
