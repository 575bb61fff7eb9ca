"""Which engine an edit goes to, and what it costs there."""

from dataclasses import replace
from typing import Any

import pytest

from editor.models import Edit, Engine, User, Workspace
from editor.models.engines import default_price
from editor.options import EditOptions, Region
from editor.providers.engine_settings import EngineSettings
from editor.services.billing.credits import InsufficientCredits
from editor.services.editing import engines, routing, submit
from tests import cast
from tests.engines import EMBEDDED, configure

pytestmark = pytest.mark.django_db(transaction=True)
CHEAP = EngineSettings(
    "cheap",
    "openai-images",
    base_url="http://gpu:8000",
    model="black-forest-labs/FLUX.2",
    price_free=20,
    options={"dialect": "sglang"},
)
STUDIO = EngineSettings(
    "studio",
    "openai-images",
    base_url="https://api.example.org/v1",
    model="gpt-image-2",
    is_external=True,
    price_free=60,
    options={"dialect": "openai"},
)
BLACK_AND_WHITE, DRAGON = "black and white", "black and white and add a dragon"


@pytest.fixture(autouse=True)
def three_engines(settings: Any) -> None:
    configure(settings, EMBEDDED, STUDIO, CHEAP)


def goes_to(user: User, prompt: str, **request: Any) -> tuple[str, int]:
    request = {"options": EditOptions(), "photos": 1, **request}
    offer = routing.quote(cast.actor_of(User.objects.get(pk=user.pk)), prompt=prompt, **request)
    return offer.engine.name, offer.price


@pytest.mark.parametrize("prompt", [BLACK_AND_WHITE, DRAGON, ""])
def test_without_a_rule_everything_goes_to_the_first_engine(alice: User, prompt: str) -> None:
    assert goes_to(alice, prompt) == ("embedded", 40)


def test_the_name_of_an_engine_sends_everything_there_while_it_is_on(
    alice: User, staff: User, settings: Any
) -> None:
    settings.EDIT_ROUTING = "cheap"
    assert goes_to(alice, BLACK_AND_WHITE) == ("cheap", 20)
    assert (default_price("free"), engines.default_engine().name) == (20, "cheap")
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    assert goes_to(alice, BLACK_AND_WHITE) == ("embedded", 40)


def test_automatic_routing_uses_the_embedded_engine_for_understood_prompts(
    alice: User, settings: Any
) -> None:
    settings.EDIT_ROUTING = "auto"
    assert goes_to(alice, BLACK_AND_WHITE) == ("embedded", 40)
    assert goes_to(alice, "") == ("embedded", 40), "nothing is written yet"
    assert goes_to(alice, DRAGON) == ("studio", 60)
    assert goes_to(alice, DRAGON, options=EditOptions(partial=True)) == ("embedded", 40)


def test_automatic_routing_says_what_the_embedded_engine_refused(alice: User, settings: Any) -> None:
    settings.EDIT_ROUTING = "auto"
    offer = routing.quote(cast.actor_of(alice), prompt=DRAGON, options=EditOptions(), photos=1)
    assert offer.plan is None
    assert offer.refused is not None
    assert [one.words for one in offer.refused.not_understood] == ["add a dragon"]


def test_automatic_routing_passes_over_engines_that_are_off_or_do_not_fit(
    alice: User, staff: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EDIT_ROUTING = "auto"
    can = routing.capabilities
    studio = Engine.objects.get(name="studio")
    monkeypatch.setattr(
        routing,
        "capabilities",
        lambda one=None: replace(can(one), max_photos=1) if one == studio else can(one),
    )
    assert goes_to(alice, DRAGON, photos=1) == ("studio", 60)
    assert goes_to(alice, DRAGON, photos=2) == ("cheap", 20)
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    assert goes_to(alice, DRAGON, photos=2) == ("embedded", 40), "its refusal says what to change"
    engines.switch_off(staff, Engine.objects.get(name="embedded"), reason="Maintenance.")
    assert goes_to(alice, BLACK_AND_WHITE) == ("studio", 60)


def test_a_named_engine_is_used_regardless_of_the_rule(alice: User, settings: Any) -> None:
    for rule in ("", "auto", "studio"):
        settings.EDIT_ROUTING = rule
        assert goes_to(alice, BLACK_AND_WHITE, engine="cheap") == ("cheap", 20)
        assert goes_to(alice, DRAGON, engine="embedded") == ("embedded", 40)


def test_naming_an_engine_that_is_off_or_unknown_is_refused(alice: User, staff: User) -> None:
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    with pytest.raises(routing.EngineOff, match="The engine cheap is off at the moment"):
        goes_to(alice, BLACK_AND_WHITE, engine="cheap")
    with pytest.raises(routing.UnknownEngine, match=r"Choose one of embedded, studio\."):
        goes_to(alice, BLACK_AND_WHITE, engine="dragon")


def test_a_refusal_comes_with_the_first_engine_that_could_do_it(alice: User) -> None:
    actor = cast.actor_of(alice)
    refused = routing.quote(actor, prompt=DRAGON, options=EditOptions(), photos=1)
    accepted = routing.quote(actor, prompt=BLACK_AND_WHITE, options=EditOptions(), photos=1)
    assert (refused.other, accepted.other) == (Engine.objects.get(name="studio"), None)


def test_an_edit_is_held_at_the_price_of_the_engine_it_goes_to(
    alice: User,
    settings: Any,
) -> None:
    settings.EDIT_ROUTING = "auto"
    admission = submit.admit(cast.actor_of(alice))
    edit = submit.submit_edit(admission, submit.Submission(prompt=DRAGON, drafts=[cast.make_draft(alice)]))
    assert (edit.engine, edit.price, edit.plan) == (Engine.objects.get(name="studio"), 60, None)
    assert Workspace.objects.get(pk=alice.personal_workspace.pk).held == 60


def test_options_that_the_named_engine_does_not_support_are_refused(
    alice: User,
    settings: Any,
) -> None:
    configure(settings, replace(EMBEDDED), STUDIO)
    submission = submit.Submission(
        prompt=BLACK_AND_WHITE,
        drafts=[cast.make_draft(alice)],
        engine="studio",
        options=EditOptions(outputs=99, regions=(Region(0.1, 0.1, 0.5, 0.5),)),
    )
    with pytest.raises(submit.InvalidSubmission):
        submit.submit_edit(submit.admit(cast.actor_of(alice)), submission)
    assert not Edit.objects.exists()


def test_the_refusal_before_decoding_uses_the_lowest_price(alice: User, staff: User, settings: Any) -> None:
    Workspace.objects.filter(pk=alice.personal_workspace.pk).update(balance=25)
    submit.admit(cast.actor_of(User.objects.get(pk=alice.pk)))
    engines.switch_off(staff, Engine.objects.get(name="cheap"), reason="Maintenance.")
    with pytest.raises(InsufficientCredits):
        submit.admit(cast.actor_of(User.objects.get(pk=alice.pk)))


def test_if_all_engines_are_off_the_price_is_that_of_the_first_engine(
    alice: User, staff: User, settings: Any
) -> None:
    configure(settings, STUDIO, EMBEDDED)
    for engine in Engine.objects.all():
        engines.switch_off(staff, engine, reason="Maintenance.")
    assert engines.available_in(alice.personal_workspace) == []
    assert (engines.default_engine().name, default_price("free")) == ("studio", 60)
    assert Workspace.objects.get(pk=alice.personal_workspace.pk).price == 60


def test_an_engine_is_labeled_with_its_model(settings: Any) -> None:
    labels = {engine.name: (engine.title, engine.label, engine.shown_host) for engine in Engine.objects.all()}
    assert labels == {
        "embedded": ("Built-in", "Built-in", ""),
        "studio": ("studio", "gpt-image-2", "api.example.org"),
        "cheap": ("cheap", "FLUX.2", ""),
    }
