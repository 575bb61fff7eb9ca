"""Tests for the notices about results that differ from the request."""

from typing import Any

import pytest

from editor.models import User
from editor.options import EditOptions, Region
from editor.providers import photo_editor, result_notices
from editor.providers.result_notices import BOXES_IGNORED, OTHER_SHAPE
from tests import cast
from tests.engines import another_site, configure
from tests.hostile_server import answer
from tests.providers.conftest import Advance, PointAt, Queue, Serve
from tests.providers.provider_factory import KEY
from tests.providers.test_lives import balance_and_held

PHOTO = (300, 200)


@pytest.mark.parametrize(
    ("size", "arrival", "options", "notices"),
    [
        ((300, 200), {}, {}, []),
        # The prompt may have asked for a crop.
        ((100, 100), {}, {}, []),
        ((302, 200), {"requested_size": [302, 200]}, {}, []),
        ((306, 200), {"requested_size": [306, 200]}, {}, [OTHER_SHAPE]),
        ((100, 100), {}, {"aspect_ratio": "1:1"}, []),
        ((300, 200), {}, {"aspect_ratio": "1:1"}, ["The result does not have the requested shape, 1:1."]),
        (
            (150, 100),
            {"requested_size": [600, 400]},
            {},
            ["The engine made a result of 150 by 100 pixels instead of 600 by 400."],
        ),
        (
            (150, 100),
            {"requested_size": [150, 100]},
            {},
            ["The result has 150 by 100 pixels, fewer than your photo."],
        ),
        ((200, 200), {"outcome": "other_shape"}, {}, []),
    ],
)
def test_each_difference_from_the_request_has_a_notice(
    size: tuple[int, int], arrival: dict[str, Any], options: dict[str, Any], notices: list[str]
) -> None:
    found = result_notices.deviations(size, "png", arrival, options=EditOptions(**options), photo=PHOTO)
    assert found == notices


@pytest.mark.parametrize(
    ("kind", "output_format", "is_noted"),
    [("jpeg", "png", True), ("webp", "png", True), ("png", "jpeg", False), ("jpeg", "webp", False)],
)
def test_only_a_lossy_file_in_place_of_a_lossless_one_has_a_notice(
    kind: str, output_format: str, is_noted: bool
) -> None:
    options = EditOptions(output_format=output_format)
    notices = result_notices.deviations((300, 200), kind, {}, options=options, photo=PHOTO)
    expected = f"The engine sent the result as {kind.upper()}, which loses fine details. It was saved as PNG."
    assert notices == [expected] * is_noted


@pytest.mark.django_db
def test_several_results_that_differ_in_the_same_way_have_one_notice(
    alice: User, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    server = serve(answer(200, cast.photo_bytes(60, 60, format="PNG")))
    urls = [{"url": f"{server.origin}/{number}.png"} for number in (1, 2)]
    data = {"code": 0, "success": True, "data": {"images": urls}}
    server.set_scripts(f"POST {photo_editor.CREATE_PATH}", answer(200, data))
    point_at(server, is_darkroom=True)
    edit = advance(queued(alice, outputs=2, aspect_ratio="16:9"), times=5)
    assert (edit.state, edit.results.count()) == ("SUCCESS", 2)
    assert list(map(str, edit.notices_shown)) == ["The result does not have the requested shape, 16:9."]
    assert balance_and_held(edit) == (360, 0)


@pytest.mark.django_db
def test_a_box_that_could_not_be_sent_is_a_notice_even_if_boxes_are_possible_again(
    alice: User, settings: Any, serve: Serve, point_at: PointAt, queued: Queue, advance: Advance
) -> None:
    server = serve(answer(200, cast.photo_bytes(48, 32, format="PNG")))
    task = {"taskId": "task-1", "status": "SUCCESS", "images": [{"url": f"{server.origin}/1.png"}]}
    for place in (f"POST {photo_editor.CREATE_PATH}", photo_editor.STATUS_PATH):
        server.set_scripts(place, answer(200, {"code": 0, "success": True, "data": task}))
    point_at(server)  # The edit was submitted while the site was configured as another Darkroom.
    edit = advance(queued(alice, regions=[Region(0.25, 0.25, 0.5, 0.5).as_json()]))
    configure(settings, another_site(server.origin, api_key=KEY, is_darkroom=True))
    edit = advance(edit, times=3)
    assert (edit.state, edit.results.count(), edit.notices) == ("SUCCESS", 1, [BOXES_IGNORED])
    assert balance_and_held(edit) == (360, 0)
