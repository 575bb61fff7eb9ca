"""Keep everything else: what another engine does to a photo outside the area that the prompt names."""

import io
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from PIL import Image

from editor.imaging.sandbox import ANALYZE, Sandbox, failure
from editor.models import CreditEntry, Edit, User
from editor.options import EditOptions, Region
from editor.providers.contract import Capabilities, Fault
from editor.providers.engine_settings import EngineSettings
from editor.providers.result_notices import KEPT, NOT_FOUND
from editor.services.editing import adapters, health, keeping, submit
from editor.services.photos import analysis
from tests import cast, scenes
from tests.clock import later
from tests.engines import EMBEDDED, another_site, configure
from tests.providers.images_site import MODEL, ImagesSite
from tests.providers.provider_factory import KEY

pytestmark = pytest.mark.django_db
PLACED = "write “Sale” at the top"
UNSEEN = "make the motorcycle red"
PUTS_BACK = Capabilities(puts_back=True)
type Submitted = Callable[..., Edit]
type Advance = Callable[..., Edit]


@pytest.fixture(scope="module")
def finding() -> Iterator[Sandbox]:
    """A child process that finds areas. Unlike that of a site, it is kept, so that it starts only once."""
    box = Sandbox(replace(ANALYZE, module="json", is_kept=True))
    yield box
    box.close()


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch, finding: Sandbox) -> None:
    """Turn on that photos are analyzed. No analysis finds anything, so only places are found."""
    monkeypatch.setattr(analysis, "analysis_memory", lambda: 1)
    monkeypatch.setattr(analysis, "request_analyses", lambda _: None)
    monkeypatch.setattr(analysis, "for_edit", lambda _photo, _source, folder, _watch: folder / "none.npz")
    monkeypatch.setattr(analysis, "analyzer", finding)


@pytest.fixture
def site(settings: Any, eyes: None) -> Iterator[ImagesSite]:
    """A model that paints the negative of the whole photo, as the default engine of a site with eyes."""
    made = ImagesSite("litellm")
    made.paint = lambda image: Image.eval(image.resize((304, 208)), lambda value: 255 - value)
    with made.server:
        engine = EngineSettings(
            "openai-images",
            "openai-images",
            base_url=made.server.origin,
            api_key=KEY,
            model=MODEL,
            seconds=300,
            options={"dialect": "litellm"},
        )
        configure(settings, engine, EMBEDDED)
        yield made
    adapters.provider_named.cache_clear()


@pytest.fixture
def lake() -> bytes:
    file = io.BytesIO()
    scenes.lake(304, 208).save(file, "png")
    return file.getvalue()


def pixels(edit: Edit) -> tuple[Any, Any]:
    """Return the pixels of the stored photo and of the result."""
    paths = (cast.path_of(edit.references.get()), cast.path_of(edit.results.get()))
    before, after = (np.asarray(Image.open(path).convert("RGB")) for path in paths)
    return before, after


def notices(edit: Edit) -> list[str]:
    return [str(notice) for notice in edit.notices_shown]


def test_everything_outside_the_named_area_is_restored_from_the_photo(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = submitted(alice, PLACED, lake)
    assert edit.options.keep_everything_else is None
    edit = advance(edit)
    assert edit.state == "SUCCESS", edit.failure_message
    before, after = pixels(edit)
    assert (before == after)[120:].all(), "below the upper half with its margin"
    assert (before != after)[:90].mean() > 0.9
    assert KEPT in notices(edit)


def test_with_keep_everything_else_off_the_whole_photo_changes(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = advance(submitted(alice, PLACED, lake, keep_everything_else=False))
    before, after = pixels(edit)
    assert (before != after)[120:].mean() > 0.9
    assert not {KEPT, NOT_FOUND} & set(notices(edit))
    assert Edit.objects.get(pk=edit.pk).options.keep_everything_else is False


def test_an_area_that_is_not_found_ends_the_edit_before_it_is_sent(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = advance(submitted(alice, UNSEEN, lake, keep_everything_else=True))
    assert (edit.state, edit.failure_code, site.edits) == ("FAILED", "rejected", 0)
    assert edit.failure_message == (
        "I can't find the motorcycle. You were not charged. Draw a box around it, or turn off “Keep "
        "everything else”."
    )
    kinds = CreditEntry.objects.filter(edit=edit).values_list("kind", flat=True)
    assert sorted(kinds) == ["hold", "release"]


def test_an_edit_that_ends_before_it_is_sent_does_not_close_the_engine_s_breaker(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = submitted(alice, UNSEEN, lake, keep_everything_else=True)
    health.record_failure(edit, Fault.OPERATOR, "The engine returned 401.")
    with later(40):
        assert advance(edit).failure_code == "rejected"
        assert health.is_breaker_open(edit)
        assert health.call_delay(edit) == 0


def test_by_default_an_area_that_is_not_found_adds_a_notice(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = advance(submitted(alice, UNSEEN, lake))
    assert edit.state == "SUCCESS"
    assert NOT_FOUND in notices(edit)


def test_a_busy_machine_puts_the_edit_off_before_it_is_sent(
    alice: User,
    site: ImagesSite,
    submitted: Submitted,
    advance: Advance,
    lake: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    edit = submitted(alice, PLACED, lake)
    with monkeypatch.context() as patch:
        patch.setattr(analysis.analyzer, "call", Mock(side_effect=failure("busy")))
        edit = advance(edit)
    assert (edit.state, edit.put_offs, site.edits) == ("QUEUED", 1, 0)
    edit = advance(edit)
    assert (edit.state, site.edits) == ("SUCCESS", 1)
    assert KEPT in notices(edit)


def test_an_edit_that_runs_again_keeps_the_option(
    alice: User, site: ImagesSite, submitted: Submitted, advance: Advance, lake: bytes
) -> None:
    edit = advance(submitted(alice, PLACED, lake, keep_everything_else=False))
    admission = submit.admit(cast.actor_of(alice))
    again = submit.run_again(admission, edit, submit_id=uuid.uuid4())
    assert again.options.keep_everything_else is False
    assert keeping.AREA not in (again.plan or {})


@pytest.mark.parametrize(
    "prompt", ["add a dragon", "make it brighter", "make the car red and add a dragon", "crop to a square"]
)
def test_the_option_is_refused_for_a_prompt_that_names_no_area(
    alice: User, site: ImagesSite, submitted: Submitted, prompt: str
) -> None:
    with pytest.raises(submit.InvalidSubmission) as error:
        submitted(alice, prompt, keep_everything_else=True)
    assert error.value.errors == {"keep_everything_else": str(keeping.NOT_NAMED)}
    assert not Edit.objects.exists()
    assert submitted(alice, prompt).plan is None


def test_the_option_is_refused_for_an_engine_that_does_not_support_it(
    alice: User, settings: Any, submitted: Submitted
) -> None:
    configure(settings, another_site(), EMBEDDED)
    with pytest.raises(submit.InvalidSubmission) as error:
        submitted(alice, PLACED, keep_everything_else=True)
    assert error.value.errors == {"keep_everything_else": str(keeping.NOT_SUPPORTED)}
    configure(settings, EMBEDDED)
    # The workspace remembers its engines during a request.
    plan = submitted(User.objects.get(pk=alice.pk), PLACED, keep_everything_else=True).plan
    assert plan is not None
    assert plan["steps"]


def test_a_box_a_new_aspect_ratio_or_an_empty_prompt_has_no_area_to_find(
    alice: User, site: ImagesSite
) -> None:
    assert keeping.area_for(PLACED, EditOptions(), 1, PUTS_BACK) is not None
    for options in (
        EditOptions(regions=(Region(0.1, 0.1, 0.2, 0.2),)),
        EditOptions(aspect_ratio="1:1"),
    ):
        assert keeping.area_for(PLACED, options, 1, PUTS_BACK) is None
    assert keeping.area_for(PLACED, EditOptions(), 1, Capabilities()) is None
    assert keeping.area_for(" ", EditOptions(), 1, PUTS_BACK) is None


@pytest.mark.parametrize("prompt", ["replace the background with a beach", "turn the dog into a lion"])
def test_a_replaced_background_or_object_stores_an_area_only_with_the_option_on(
    alice: User, site: ImagesSite, prompt: str
) -> None:
    area = keeping.area_for(prompt, EditOptions(), 1, PUTS_BACK)
    assert area is not None
    assert keeping.stored(area, EditOptions()) is None
    decided = keeping.stored(area, EditOptions(keep_everything_else=True))
    assert decided is not None
    assert decided.keys() == {"keep_everything_else", keeping.AREA}
