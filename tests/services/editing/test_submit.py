"""Tests for all ways to create an edit."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings

from editor.models import DraftPhoto, Edit, Membership, User, Workspace
from editor.options import EditOptions, Point, Region
from editor.services.billing import credits
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import submit
from editor.services.editing.submit import Submission
from editor.services.maintenance import invariants
from editor.services.photos import drafts, photos
from tests import cast
from tests.scripted_engine import ScriptedEngine

pytestmark = pytest.mark.django_db
ASKED = EditOptions(aspect_ratio="16:9", output_format="webp", outputs=2)


def send(
    user: User,
    drafts: list[DraftPhoto],
    submit_id: uuid.UUID | None = None,
    *,
    prompt: str = "make it black and white",
    options: EditOptions = ASKED,
    source: Edit.Source = Edit.Source.PAGE,
) -> Edit:
    submission = Submission(
        prompt=prompt,
        options=options,
        drafts=drafts,
        submit_id=submit_id or uuid.uuid4(),
        source=source,
    )
    return cast.submit_edit(cast.actor_of(user), submission)


def test_it_holds_the_price_and_queues_the_edit(alice: User) -> None:
    edit = send(alice, [cast.make_draft(alice, name="a.jpg"), cast.make_draft(alice, name="b.jpg")])
    assert (edit.state, edit.price, edit.provider, edit.options) == ("QUEUED", 40, "embedded", ASKED)
    assert [photo.name for photo in edit.references.all()] == ["a.jpg", "b.jpg"]
    assert not alice.drafts.exists()
    workspace = Workspace.objects.get(id=edit.workspace_id)
    assert (workspace.balance, workspace.held) == (400, 40)
    cast.assert_ledger_balances(workspace)


def test_it_costs_35_on_the_pro_plan_whatever_the_number_of_outputs(db: None) -> None:
    user = cast.make_user("pro@example.org", plan="pro", credits=35)
    assert send(user, [cast.make_draft(user)], options=EditOptions(outputs=4)).price == 35


def test_the_same_submit_gives_the_same_edit_and_holds_once(alice: User) -> None:
    submit_id = uuid.uuid4()
    first = send(alice, [cast.make_draft(alice)], submit_id)
    kept = cast.make_draft(alice)
    assert send(alice, [kept], submit_id) == first
    assert list(alice.drafts.all()) == [kept]
    assert submit.find_submitted(alice, submit_id) == first
    cast.assert_ledger_balances(first.workspace)


@pytest.mark.parametrize(("plan", "price"), [("free", 40), ("pro", 35)])
def test_it_requires_the_whole_price(db: None, plan: str, price: int) -> None:
    user = cast.make_user("short@example.org", plan=plan, credits=price - 1)
    draft = cast.make_draft(user)
    with pytest.raises(submit.InsufficientCredits, match=r"^Insufficient credits$"):
        send(user, [draft])
    assert not Edit.objects.exists()
    assert list(user.drafts.all()) == [draft]
    credits.grant(None, user.personal_workspace, amount=1, reason="The last one")
    assert send(user, [draft]).price == price


def test_a_prompt_that_the_engine_refuses_creates_no_edit(alice: User) -> None:
    draft = cast.make_draft(alice)
    with pytest.raises(submit.PromptRefused) as refused:
        send(alice, [draft], prompt="make it black and white and add a flobberwick")
    assert "flobberwick" in str(refused.value)
    assert not Edit.objects.exists()
    assert list(alice.drafts.all()) == [draft]
    cast.assert_ledger_balances(alice.personal_workspace)


def test_it_does_the_understood_part_when_asked_to(alice: User) -> None:
    edit = send(
        alice,
        [cast.make_draft(alice)],
        prompt="make it black and white and add a flobberwick",
        options=EditOptions(partial=True),
    )
    assert edit.plan is not None
    assert [step["operation"] for step in edit.plan["steps"]] == ["black_and_white"]


def test_a_prompt_from_the_api_is_queued_even_if_it_is_not_understood(alice: User) -> None:
    edit = send(alice, [cast.make_draft(alice)], prompt="add a flobberwick", source=Edit.Source.API)
    assert edit.state == "QUEUED"


def test_it_says_when_a_draft_is_gone_and_holds_nothing(alice: User) -> None:
    draft = cast.make_draft(alice)
    DraftPhoto.objects.filter(id=draft.id).delete()
    with pytest.raises(submit.DraftGone, match="Add it again"):
        send(alice, [draft])
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("prompt", {"prompt": ""}, "Prompt is required"),
        ("prompt", {"prompt": "x" * 2001}, "Use at most 2,000 characters. You entered 2,001."),
        ("photos", {"drafts": ()}, "At least one image URL is required"),
        ("photos", {"drafts": (), "image_urls": ["https://a.org/"] * 6}, "Maximum 5 images allowed"),
        ("aspect_ratio", {"options": EditOptions(aspect_ratio="7:1")}, "Choose one of 1:1, "),
        ("output_format", {"options": EditOptions(output_format="gif")}, "Choose one of png, jpeg, webp."),
        ("output_format", {"options": EditOptions(output_format="")}, "Choose one of png, jpeg, webp."),
        ("outputs", {"options": EditOptions(outputs=0)}, "Choose at least 1 result."),
        ("outputs", {"options": EditOptions(outputs=5)}, "Choose at most 4 results."),
        ("region", {"options": EditOptions(regions=(Region(0, 0, 1, 1, 2),))}, "photo 2, which is missing"),
        ("region", {"options": EditOptions(regions=(Region(0, 0, 1, 1),) * 21)}, "Draw at most 20 boxes."),
        ("point", {"options": EditOptions(points=(Point(0, 0, 2),))}, "photo 2, which is missing"),
        ("point", {"options": EditOptions(points=(Point(0, 0),) * 21)}, "Use at most 20 points."),
    ],
)
def test_the_service_itself_refuses_invalid_submissions(
    alice: User, name: str, changes: dict[str, Any], sentence: str
) -> None:
    submission = Submission(**{"prompt": "warmer", "drafts": [cast.make_draft(alice)]} | changes)
    with pytest.raises(submit.InvalidSubmission) as refused:
        cast.submit_edit(cast.actor_of(alice), submission)
    assert sentence in refused.value.errors[name]
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_permission_queue_credits_input_and_prompt_are_checked_in_this_order(
    viewer: User, team: Workspace, settings: Any
) -> None:
    """All entry points make these checks in the same order and report the first one that fails."""
    actor, submission = cast.actor_of(viewer, team), Submission(prompt="", source=Edit.Source.PAGE)
    settings.MAX_QUEUED_EDITS = 0
    Workspace.objects.filter(id=team.id).update(held=team.balance)
    with pytest.raises(Forbidden):
        cast.submit_edit(actor, submission)
    Membership.objects.filter(user=viewer, workspace=team).update(role=Membership.Role.EDITOR)
    actor = cast.actor_of(viewer, team)
    with pytest.raises(submit.QueueFull):
        cast.submit_edit(actor, submission)
    settings.MAX_QUEUED_EDITS = 10
    with pytest.raises(submit.InsufficientCredits):
        cast.submit_edit(actor, submission)
    Workspace.objects.filter(id=team.id).update(held=0)
    with pytest.raises(submit.InvalidSubmission):
        cast.submit_edit(actor, submission)
    with pytest.raises(submit.PromptRefused):
        cast.submit_edit(actor, Submission(prompt="flobberwick", drafts=[cast.make_draft(viewer)]))
    assert not Edit.objects.exists()


def test_a_submitted_edit_is_found_even_if_the_queue_is_full(alice: User, settings: Any) -> None:
    submit_id = uuid.uuid4()
    first = send(alice, [cast.make_draft(alice)], submit_id)
    settings.MAX_QUEUED_EDITS = 1
    assert submit.find_submitted(alice, submit_id) == first
    with pytest.raises(submit.QueueFull):
        send(alice, [cast.make_draft(alice)])


def test_an_admission_covers_only_the_number_of_edits_it_was_asked_for(alice: User) -> None:
    submissions = [Submission(prompt="warmer", drafts=[cast.make_draft(alice)]) for _ in range(2)]
    with pytest.raises(ValueError, match="Admitted for 1 edits, not for 2"):
        submit.submit_together(submit.admit(cast.actor_of(alice)), submissions)
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_viewer_may_not_submit(viewer: User, team: Workspace) -> None:
    actor = cast.actor_of(viewer, team)
    assert actor.role == Membership.Role.VIEWER
    with pytest.raises(Forbidden):
        cast.submit_edit(actor, Submission(prompt="x", drafts=[cast.make_draft(viewer)]))
    assert not Edit.objects.exists()


def test_a_team_edit_is_paid_by_the_team(bob: User, team: Workspace) -> None:
    submission = Submission(prompt="brighter", drafts=[cast.make_draft(bob)])
    edit = cast.submit_edit(cast.actor_of(bob, team), submission)
    team.refresh_from_db()
    assert (edit.workspace, team.held, bob.personal_workspace.held) == (team, 40, 0)


@pytest.mark.parametrize("becomes", ["gone", "viewer"])
def test_a_member_who_loses_access_during_a_submit_spends_no_team_credits(
    bob: User, team: Workspace, monkeypatch: pytest.MonkeyPatch, becomes: str
) -> None:
    membership = Membership.objects.filter(user=bob, workspace=team)
    bobs, draft = cast.actor_of(bob, team), cast.make_draft(bob, team)

    def leave(point: str) -> None:
        monkeypatch.undo()
        membership.delete() if becomes == "gone" else membership.update(role="viewer")

    monkeypatch.setattr(submit, "crash_point", leave)
    with pytest.raises((NotFound, Forbidden)):
        cast.submit_edit(bobs, Submission(prompt="make it black and white", drafts=[draft]))
    assert (Edit.objects.count(), bob.drafts.count()) == (0, 1)
    cast.assert_ledger_balances(team)
    assert not invariants.find_violations(with_files=False)


def test_an_edit_of_a_result_refers_to_this_result(
    alice: User, submitted: Callable[..., Edit], advance: Callable[..., Edit], engine: ScriptedEngine
) -> None:
    first = advance(submitted(alice), times=3)
    result = first.results.get()
    draft = drafts.from_result(cast.actor_of(alice), result)
    second = send(alice, [draft])
    assert second.parent == result
    assert second.references.get().key != result.key
    assert photos.sha256_of(second.references.get()) == result.sha256


def test_running_again_makes_a_new_edit_on_copies_of_the_same_photos(
    alice: User, submitted: Callable[..., Edit], engine: ScriptedEngine
) -> None:
    first = submitted(alice, outputs=3)
    second = submit.run_again(submit.admit(cast.actor_of(alice)), first, submit_id=uuid.uuid4())
    assert second.id != first.id
    assert (second.prompt, second.options) == (first.prompt, first.options)
    assert second.references.get().sha256 == first.references.get().sha256
    assert second.references.get().key != first.references.get().key
    cast.assert_ledger_balances(alice.personal_workspace)


def test_running_again_twice_with_one_submit_id_makes_one_edit_and_leaves_no_copy(
    alice: User, submitted: Callable[..., Edit]
) -> None:
    first, submit_id = submitted(alice), uuid.uuid4()
    second = submit.run_again(submit.admit(cast.actor_of(alice)), first, submit_id=submit_id)
    assert submit.run_again(submit.admit(cast.actor_of(alice)), first, submit_id=submit_id) == second
    assert Edit.objects.count() == 2
    assert not alice.drafts.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_a_refused_run_again_leaves_no_copies(
    alice: User, submitted: Callable[..., Edit], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = submitted(alice)
    before = {path for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()}

    def refuse(*_: object, **__: object) -> None:
        raise credits.InsufficientCredits

    monkeypatch.setattr(submit, "submit_edit", refuse)
    with pytest.raises(credits.InsufficientCredits):
        submit.run_again(submit.admit(cast.actor_of(alice)), first, submit_id=uuid.uuid4())
    assert not alice.drafts.exists()
    assert {path for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()} == before
    cast.assert_ledger_balances(alice.personal_workspace)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"outputs": 4}, "one result per edit"),
        ({"regions": [{"image": 1, "x": 0.1, "y": 0.1, "w": 0.5, "h": 0.5}]}, "does not support boxes"),
    ],
)
def test_running_again_with_options_that_the_engine_lacks_is_refused(
    alice: User, engine: ScriptedEngine, options: dict[str, Any], sentence: str
) -> None:
    """The engine that the site uses now may lack an option that the embedded engine supports."""
    kept = drafts.store_upload(cast.photo_file(), name="a.jpg")
    edit = cast.make_edit(alice, state="FAILED", references=[kept.file_fields()], **options)
    engine.max_outputs = 1
    with pytest.raises(submit.InvalidSubmission, match=sentence):
        submit.run_again(submit.admit(cast.actor_of(alice)), edit, submit_id=uuid.uuid4())
    assert Edit.objects.count() == 1
    assert not DraftPhoto.objects.exists()
    assert not invariants.find_violations()
