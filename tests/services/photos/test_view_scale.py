"""Tests that derivatives of a result that awaits approval reveal no more than the result's preview."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image, ImageOps

from editor.models import DraftPhoto, Edit, Photo, ResultPhoto, User, Workspace
from editor.options import EditOptions, Region
from editor.services.core.access import Actor
from editor.services.editing import submit
from editor.services.library import recipes
from editor.services.photos import drafts, photos
from editor.services.sharing import reviews
from tests import cast
from tests.engine.pictures import ball
from tests.engines import another_site, configure

pytestmark = pytest.mark.django_db
SignIn = Callable[..., Client]
Advance = Callable[..., Edit]
QUARTERS = [Region(x, y, 0.5, 0.5) for x in (0, 0.5) for y in (0, 0.5)]


@pytest.fixture
def maker(bob: User, team: Workspace) -> Actor:
    """Return bob as an editor in a team that requires approval."""
    Workspace.objects.filter(pk=team.pk).update(approval_since=timezone.now())
    return cast.actor_of(bob, Workspace.objects.get(pk=team.pk))


@pytest.fixture
def reviewer(alice: User, maker: Actor) -> Actor:
    return cast.actor_of(alice, maker.workspace)


def result_of(maker: Actor, width: int, height: int) -> ResultPhoto:
    """Create a result that is waiting for approval."""
    file = BytesIO()
    gradient = Image.linear_gradient("L").resize((width, height))
    ImageOps.colorize(gradient, "navy", "orange").save(file, "JPEG")
    draft = drafts.create_draft(maker, cast.photo_file(data=file.getvalue()), name="a.jpg")
    edit = cast.make_edit(maker.user, workspace=maker.workspace, results=[photos.copy_files(draft)])
    return ResultPhoto.objects.get(edit=edit)


@pytest.fixture
def withheld(maker: Actor) -> ResultPhoto:
    """Create a result of 3200 x 600 pixels. The preview has half this width."""
    return result_of(maker, 3200, 600)


@pytest.fixture
def edited(maker: Actor, advance: Advance) -> Callable[..., ResultPhoto]:
    """Return a function that edits these drafts with our engine until the edit succeeds."""

    def edit(prompt: str, *used: DraftPhoto, by: Actor | None = None, **options: Any) -> ResultPhoto:
        submission = submit.Submission(prompt=prompt, options=EditOptions(**options), drafts=used)
        made = advance(cast.submit_edit(by or maker, submission), times=3)
        assert made.state == "SUCCESS", made.failure_message
        photos.make_large.call("results", str(made.results.get().pk))
        return ResultPhoto.objects.get(edit=made)

    return edit


Edited = Callable[..., ResultPhoto]


def further(actor: Actor, result: ResultPhoto) -> DraftPhoto:
    return drafts.from_result(actor, ResultPhoto.objects.get(pk=result.pk))


def widths(photo: Photo, user: User) -> list[int]:
    """Return the widths, in pixels, of all derivatives that this user can get."""
    fresh = type(photo)._default_manager.get(pk=photo.pk)
    found = []
    for size in ("360", "800", "1600"):
        with photos.open_photo(fresh, size, by=user.pk) as file:
            found.append(Image.open(BytesIO(file.read())).width)
    return found


def test_four_crops_of_a_withheld_result_show_no_more_than_its_preview(
    client_of: SignIn, maker: Actor, edited: Edited
) -> None:
    withheld = result_of(maker, 4000, 3000)
    photos.make_large.call("results", str(withheld.pk))
    assert widths(withheld, maker.user) == [360, 800, 1600]
    tiles = [edited("crop to the box", further(maker, withheld), regions=(box,)) for box in QUARTERS]
    assert {(tile.width, tile.height) for tile in tiles} == {(2000, 1500)}
    client, pixels = client_of(maker.user), 0
    for tile in tiles:
        response = client.get(f"/media/results/{tile.pk}/1600/")
        with Image.open(BytesIO(b"".join(response.streaming_content))) as shown:  # type: ignore[attr-defined]
            assert shown.size == (800, 600)
            pixels += shown.width * shown.height
    assert pixels == 1600 * 1200


def test_a_crop_of_an_uploaded_photo_is_shown_at_a_quarter_of_its_size(maker: Actor, edited: Edited) -> None:
    draft = drafts.create_draft(maker, cast.photo_file(width=3200, height=600), name="a.jpg")
    tile = edited("black and white and crop to the box", draft, regions=(QUARTERS[0],))
    assert widths(tile, maker.user) == [360, 800, 800]


@pytest.mark.parametrize(
    ("prompt", "size", "view"),
    [
        ("zoom in to 200%", (1600, 300), 800),
        ("zoom in to 400%", (3200, 600), 400),  # the view is scaled back to the photo's size
        ("enlarge it to 200%", (6400, 1200), 1600),
        ("rotate by 90 degrees", (600, 3200), 300),
        ("resize to 800x150", (800, 150), 800),
    ],
)
def test_zooming_rotating_and_resizing_show_no_more_than_the_preview(
    maker: Actor, withheld: ResultPhoto, edited: Edited, prompt: str, size: tuple[int, int], view: int
) -> None:
    made = edited(prompt, further(maker, withheld))
    assert (made.width, made.height) == size
    assert max(widths(made, maker.user)) == view


def test_enlarging_a_crop_of_a_crop_of_a_crop_does_not_help(
    maker: Actor, withheld: ResultPhoto, edited: Edited
) -> None:
    made = withheld
    for _ in range(3):
        made = edited("crop to the box", further(maker, made), regions=(QUARTERS[0],))
    assert (made.width, made.height, widths(made, maker.user)) == (400, 75, [200, 200, 200])
    larger = edited("resize to 400%", further(maker, made))
    assert (larger.width, widths(larger, maker.user)) == (1600, [200, 200, 200])


@pytest.mark.parametrize("prompt", ["make a collage of the photos", "use photo 2 as the background"])
def test_a_withheld_result_used_as_photo_2_shows_no_more_than_its_preview(
    maker: Actor, withheld: ResultPhoto, edited: Edited, prompt: str
) -> None:
    # The tile is a quarter of the photo. Its largest view is 800 pixels wide.
    tile = edited("crop to the box", further(maker, withheld), regions=(QUARTERS[0],))
    subject = BytesIO()
    Image.fromarray(ball(800, 600).pixels).save(subject, "PNG")
    photo = drafts.create_draft(maker, cast.photo_file(data=subject.getvalue()), name="ball.png")
    made = edited(prompt, photo, further(maker, tile))
    enlarged = 2 if "background" in prompt else 1.2  # minimum factor by which the prompt enlarges the tile
    assert max(widths(made, maker.user)) <= 0.5 * made.width / enlarged


def test_reviewers_see_full_size_and_after_approval_all_members_do(
    client_of: SignIn, maker: Actor, viewer: User, reviewer: Actor, withheld: ResultPhoto, edited: Edited
) -> None:
    tile = edited("crop to the box", further(maker, withheld), regions=(QUARTERS[0],))
    assert widths(tile, reviewer.user) == [360, 800, 1600]
    assert widths(tile, viewer) == widths(tile, maker.user) == [360, 800, 800]
    reviews.approve(reviewer, tile.edit)
    assert widths(tile, viewer) == widths(tile, maker.user) == [360, 800, 1600]
    response = client_of(maker.user).get(f"/media/results/{tile.pk}/original/")
    assert b"".join(response.streaming_content) == cast.path_of(tile).read_bytes()  # type: ignore[attr-defined]
    reviews.reopen(reviewer, tile.edit)
    assert widths(tile, maker.user) == [360, 800, 800]


def test_an_edit_of_an_approved_result_is_not_limited_by_earlier_previews(
    maker: Actor, reviewer: Actor, withheld: ResultPhoto, edited: Edited
) -> None:
    tile = edited("crop to the box", further(maker, withheld), regions=(QUARTERS[0],))
    reviews.approve(reviewer, tile.edit)
    made = edited("black and white", further(maker, tile))
    assert max(widths(made, maker.user)) == 1600


def test_copies_keep_the_limit(maker: Actor, withheld: ResultPhoto, edited: Edited) -> None:
    made = withheld
    for _ in range(3):
        made = edited("crop to the box", further(maker, made), regions=(QUARTERS[0],))
    draft = further(maker, made)
    version = recipes.save_recipe(
        maker, recipes.RecipeInput(name="Tone", prompt="sepia", drafts=[further(maker, made)])
    )
    again = edited("sepia", draft)
    revised = drafts.from_edit(maker, again.edit)[0]
    kept = [again.edit.references.get(), again, revised, version.photos.get()]
    assert [widths(photo, maker.user) for photo in kept] == [[200, 200, 200]] * 4


def test_the_preview_file_is_not_an_orphan_and_is_removed_with_its_photo(
    maker: Actor, withheld: ResultPhoto, edited: Edited
) -> None:
    tile = edited("crop to the box", further(maker, withheld), regions=(QUARTERS[0],))
    view = cast.path_of(tile, "view")
    assert view.is_file()
    assert photos.orphans() == []
    photos.remove_files([tile])
    assert not view.exists()


def test_without_required_approval_no_preview_file_is_created(
    maker: Actor, reviewer: Actor, withheld: ResultPhoto, edited: Edited
) -> None:
    reviews.require_approval(reviewer, is_required=False)
    free = cast.actor_of(maker.user, Workspace.objects.get(pk=maker.workspace.pk))
    tile = edited("crop to the box", further(free, withheld), by=free, regions=(QUARTERS[0],))
    assert tile.view_size is None
    assert not cast.path_of(tile, "view").exists()
    assert widths(tile, maker.user) == [360, 800, 1600]


def test_with_an_external_engine_a_withheld_result_is_copied_as_a_preview(
    maker: Actor, reviewer: Actor, withheld: ResultPhoto, settings: Any
) -> None:
    configure(settings, another_site())
    draft = further(maker, withheld)
    assert (draft.width, draft.height) == (1600, 300)
    assert draft.parent == withheld
    assert "1600-pixel preview" in draft.notices_shown[0]
    assert further(reviewer, withheld).width == 3200
    reviews.approve(reviewer, withheld.edit)
    assert further(maker, withheld).width == 3200
