"""A page says which engine gets an edit and what it costs, and nothing else is ever submitted."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.test import Client

from editor.models import CreditRequest, DraftPhoto, Edit, Engine, User, Workspace
from editor.services.editing import engines
from tests import cast
from tests.engines import EMBEDDED, configure
from tests.services.editing.test_routing import BLACK_AND_WHITE, CHEAP, DRAGON, STUDIO

pytestmark = pytest.mark.django_db
type SignIn = Callable[[User], Client]
EDITOR = "/w/alice/"
FROM_THE_WEB: Any = {"references": 0, "image_urls": ["https://example.org/photo.jpg"]}


@pytest.fixture(autouse=True)
def three_engines(settings: Any) -> None:
    configure(settings, EMBEDDED, STUDIO, CHEAP)


@pytest.fixture
def client(client_of: SignIn, alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def photo(alice: User) -> DraftPhoto:
    return cast.make_draft(alice)


def words_of(page: Any) -> str:
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", page.text)).split())


def quote_in(page: Any) -> str:
    found: str = re.search('name="quote" value="([^"]*)"', page.text)[1]  # type: ignore[index]
    return found


def form_of(photo: DraftPhoto, page: Any = None, **fields: Any) -> dict[str, Any]:
    """Return what the form of this page submits."""
    quote = {} if page is None else {"quote": quote_in(page)}
    return {"draft": [str(photo.id)], "prompt": BLACK_AND_WHITE, "outputs": "1"} | quote | fields


def planned(client: Client, photo: DraftPhoto, **fields: Any) -> Any:
    """Return the fragment that the page requests while a person types."""
    return client.post(f"{EDITOR}preview/", form_of(photo, **fields))


def switch_off(staff: User, name: str) -> None:
    engines.switch_off(staff, Engine.objects.get(name=name), reason="Maintenance.")


def assert_submitted(response: Any, engine: str, price: int) -> None:
    assert response.status_code == 302, words_of(response)
    edit = Edit.objects.get()
    assert (edit.engine, edit.price) == (Engine.objects.get(name=engine), price)
    assert Workspace.objects.get(pk=edit.workspace_id).held == price
    cast.assert_ledger_balances(edit.workspace)


def assert_shown_again(
    response: Any, sentence: str, photo: DraftPhoto, prompt: str = BLACK_AND_WHITE
) -> None:
    """Check that the page came back with the sentence, that nothing is held, and that nothing is lost."""
    assert response.status_code == 422
    assert sentence in words_of(response)
    assert f"{prompt}</textarea>" in response.text
    assert f'name="draft" value="{photo.id}"' in response.text
    assert not Edit.objects.exists()
    assert Workspace.objects.get(pk=photo.workspace_id).held == 0
    cast.assert_ledger_balances(photo.workspace)


def test_with_one_engine_there_is_no_choice_and_no_host(client: Client, settings: Any) -> None:
    configure(settings, EMBEDDED)
    page = client.get(EDITOR).text
    assert 'name="engine"' not in page
    assert "Your photos are sent to" not in page


def test_with_one_external_engine_its_host_is_shown(client: Client, settings: Any) -> None:
    configure(settings, STUDIO)
    page = client.get(EDITOR)
    assert "Your photos are sent to api.example.org." in words_of(page)
    assert "There is no preview" in words_of(page)
    assert 'name="engine"' not in page.text
    configure(settings, CHEAP)
    assert "Your photos are sent to" not in client.get(EDITOR).text, "its host is the operator's own"


def test_with_three_engines_each_is_shown_with_its_model_price_and_host(client: Client) -> None:
    page = client.get(EDITOR)
    words = words_of(page)
    assert "Engine Built-in 40 credits darkroom-engine-1" in words
    assert "studio 60 credits gpt-image-2 · at api.example.org" in words
    assert "cheap 20 credits black-forest-labs/FLUX.2" in words
    assert "Automatic" not in words
    assert re.search('value="embedded"[^>]*checked', page.text)


def test_automatic_is_a_choice_if_the_site_routes_by_the_prompt(
    client: Client, photo: DraftPhoto, settings: Any
) -> None:
    settings.EDIT_ROUTING = "auto"
    page = client.get(EDITOR)
    assert "Engine Automatic" in words_of(page)
    assert re.search('name="engine" value=""[^>]*checked', page.text)
    plan = words_of(planned(client, photo, prompt=DRAGON, engine=""))
    assert "doesn't understand all of this prompt, so gpt-image-2 carries out this edit" in plan
    assert "Your photos are sent to api.example.org." in plan
    assert "60 credits for all results" in plan
    assert "Built-in carries out this edit." in words_of(planned(client, photo, engine=""))


def test_the_chosen_engine_gets_the_edit_even_without_javascript(client: Client, photo: DraftPhoto) -> None:
    assert_submitted(client.post(EDITOR, form_of(photo, client.get(EDITOR), engine="studio")), "studio", 60)


def test_changing_the_prompt_without_a_new_quote_still_submits_the_edit(
    client: Client, photo: DraftPhoto
) -> None:
    page = planned(client, photo, prompt="make it warmer", engine="embedded")
    fields = {"region": "0.1,0.1,0.5,0.5", "outputs": "3", "engine": "embedded"}
    assert_submitted(client.post(EDITOR, form_of(photo, page, **fields)), "embedded", 40)


def test_a_changed_prompt_that_goes_to_another_engine_needs_a_new_quote(
    client: Client, photo: DraftPhoto, settings: Any
) -> None:
    settings.EDIT_ROUTING = "auto"
    page = planned(client, photo, engine="")
    back = client.post(EDITOR, form_of(photo, page, prompt=DRAGON, engine=""))
    sentence = "This edit now goes to gpt-image-2 at api.example.org and costs 60 credits."
    assert_shown_again(back, sentence, photo, DRAGON)
    assert_submitted(client.post(EDITOR, form_of(photo, back, prompt=DRAGON, engine="")), "studio", 60)


def test_a_changed_price_is_shown_before_submitting(client: Client, photo: DraftPhoto) -> None:
    page = client.get(EDITOR)
    Engine.objects.filter(name="embedded").update(price_free=45)
    back = client.post(EDITOR, form_of(photo, page, engine="embedded"))
    assert_shown_again(back, "This edit now costs 45 credits instead of 40.", photo)
    assert_submitted(client.post(EDITOR, form_of(photo, back, engine="embedded")), "embedded", 45)


def test_a_price_changed_by_the_workspaces_plan_is_shown_before_submitting(
    client: Client, photo: DraftPhoto
) -> None:
    page = client.get(EDITOR)
    Workspace.objects.filter(pk=photo.workspace_id).update(plan="pro")
    back = client.post(EDITOR, form_of(photo, page, engine="embedded"))
    assert_shown_again(back, "This edit now costs 35 credits instead of 40.", photo)


def test_a_changed_model_is_shown_before_submitting(client: Client, photo: DraftPhoto, settings: Any) -> None:
    page = client.get(EDITOR)
    configure(settings, EMBEDDED, replace(STUDIO, model="gpt-image-3"), CHEAP)
    back = client.post(EDITOR, form_of(photo, page, engine="studio"))
    assert_shown_again(back, "studio now uses the model gpt-image-3.", photo)


def test_a_changed_host_is_shown_before_submitting(client: Client, photo: DraftPhoto, settings: Any) -> None:
    page = client.get(EDITOR)
    configure(settings, EMBEDDED, replace(STUDIO, base_url="https://elsewhere.example.net"), CHEAP)
    back = client.post(EDITOR, form_of(photo, page, engine="studio"))
    assert_shown_again(back, "This edit now goes to gpt-image-2 at elsewhere.example.net", photo)


def test_an_engine_switched_off_since_the_quote_gets_an_error_message(
    client: Client, photo: DraftPhoto, staff: User
) -> None:
    page = client.get(EDITOR)
    switch_off(staff, "studio")
    back = client.post(EDITOR, form_of(photo, page, engine="studio"))
    assert_shown_again(back, "The engine studio is off at the moment.", photo)
    assert re.search('value="embedded"[^>]*checked', back.text)


def test_a_changed_default_engine_is_shown_before_submitting(
    client: Client, photo: DraftPhoto, staff: User, settings: Any
) -> None:
    configure(settings, EMBEDDED, STUDIO)
    switch_off(staff, "studio")
    page = client.get(EDITOR)
    engines.switch_on(staff, Engine.objects.get(name="studio"), reason="It is back.")
    switch_off(staff, "embedded")
    back = client.post(EDITOR, form_of(photo, page))
    assert_shown_again(back, "This edit now goes to gpt-image-2 at api.example.org", photo)


@pytest.mark.parametrize("name", ["dragon", "\ufffd", "x" * 999])
def test_an_unknown_engine_is_refused(client: Client, photo: DraftPhoto, name: str) -> None:
    sent = form_of(photo, client.get(EDITOR), engine=name)
    assert_shown_again(client.post(EDITOR, sent), "There is no engine with this name.", photo)


@pytest.mark.parametrize(
    "text",
    ["", "x", ":", "a:b:c", signing.dumps([[[1, "m", 1, ""]], "", ""]), signing.dumps("x", salt="quote-1-1")],
    ids=["empty", "letter", "colon", "three parts", "other salt", "other form"],
)
def test_a_forged_quote_shows_the_page_again(client: Client, photo: DraftPhoto, text: str) -> None:
    back = client.post(EDITOR, form_of(photo, quote=text))
    assert_shown_again(back, "The quote on this page has expired.", photo)
    assert_submitted(client.post(EDITOR, form_of(photo, back)), "embedded", 40)


@pytest.mark.parametrize(
    "content", ["x", [], [[]], [[], "", ""], [[["a"]], "", ""], {"a": 1}, None, [[7], 1, 2]]
)
def test_a_signed_quote_with_invalid_content_shows_the_page_again(
    client: Client, alice: User, photo: DraftPhoto, content: Any
) -> None:
    text = signing.dumps(content, salt=f"quote-{alice.pk}-{photo.workspace_id}")
    assert_shown_again(client.post(EDITOR, form_of(photo, quote=text)), "has expired", photo)


def test_the_quote_of_another_person_or_workspace_is_not_valid(
    client: Client, client_of: SignIn, alice: User, bob: User, team: Workspace, photo: DraftPhoto
) -> None:
    for page in (client_of(bob).get(f"/w/{bob.personal_workspace.slug}/"), client_of(bob).get("/w/studio/")):
        back = client.post(EDITOR, form_of(photo, page))
        assert_shown_again(back, "The quote on this page has expired.", photo)


def test_a_quote_is_valid_for_an_hour(client: Client, photo: DraftPhoto) -> None:
    with time_machine.travel("2026-11-23T12:00:00Z", tick=False):
        page = client.get(EDITOR)
    with time_machine.travel("2026-11-23T13:00:01Z", tick=False):
        back = client.post(EDITOR, form_of(photo, page))
    assert_shown_again(back, "The quote on this page has expired.", photo)


def test_a_changed_plan_is_shown_before_submitting(
    client: Client, photo: DraftPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    from editor.engine.language import explain

    page, plan = planned(client, photo, engine="embedded"), explain.explain
    monkeypatch.setattr(
        explain, "explain", lambda prompt, **marks: replace(plan(prompt, **marks), steps=plan("warmer").steps)
    )
    back = client.post(EDITOR, form_of(photo, page, engine="embedded"))
    assert_shown_again(back, "The plan has changed.", photo)


def test_a_refusal_offers_the_other_engine_in_one_click(client: Client, photo: DraftPhoto) -> None:
    page = planned(client, photo, prompt=DRAGON, engine="embedded")
    assert "Do it with gpt-image-2 (60 credits)" in words_of(page)
    assert "gpt-image-2 gets your photos at api.example.org." in words_of(page)
    sent = form_of(photo, page, prompt=DRAGON, engine="embedded", other="studio")
    assert_submitted(client.post(EDITOR, sent), "studio", 60)
    assert Edit.objects.get().prompt == DRAGON


def test_a_refusal_offers_only_engines_that_are_on(client: Client, photo: DraftPhoto, staff: User) -> None:
    switch_off(staff, "studio")
    assert "Do it with FLUX.2 (20 credits)" in words_of(planned(client, photo, prompt=DRAGON))
    switch_off(staff, "cheap")
    assert "Do it with" not in words_of(planned(client, photo, prompt=DRAGON))


def test_the_usual_time_is_that_of_the_chosen_engine(
    client: Client, alice: User, photo: DraftPhoto, settings: Any
) -> None:
    for name, seconds in (("embedded", 3), ("studio", 42)):
        edit = cast.make_edit(alice, price=1, engine=Engine.objects.get(name=name))
        Edit.objects.filter(pk=edit.pk).update(finished=edit.created + timedelta(seconds=seconds))
    page = client.get(EDITOR)
    assert "Usual time 3 s" in words_of(page)
    shown = [" ".join(usual.split()) for usual in re.findall('data-usual="([^"]*)"', page.text)]
    assert sorted(shown) == ["10 to 30 s", "3 s", "3 s", "42 s"], "of the plan and of each engine"
    chosen = client.post(EDITOR, form_of(photo, engine="studio", preview=""))
    assert "Usual time 42 s" in words_of(chosen)
    settings.EDIT_ROUTING = "auto"
    routed = client.post(EDITOR, form_of(photo, prompt=DRAGON, engine="", preview=""))
    assert "Usual time 42 s" in words_of(routed)


def test_a_person_who_cannot_pay_the_chosen_engine_is_led_to_a_request_for_its_price(
    client_of: SignIn,
) -> None:
    dora = cast.make_user("dora@example.org", credits=50)
    client, draft = client_of(dora), cast.make_draft(dora)
    back = client.post("/w/dora/", form_of(draft, client.get("/w/dora/"), engine="studio"))
    assert back.status_code == 422
    assert "Insufficient credits. Available balance: 50." in words_of(back)
    place = "/w/dora/credits/?engine=studio"
    assert f'href="{place}"' in back.text
    offered = client.get(place)
    assert "Not enough credits for an edit with gpt-image-2 (60 credits)" in words_of(offered)
    answer = client.post("/w/dora/credits/ask/", {"note": "For a dragon", "engine": "studio"}, follow=True)
    assert answer.redirect_chain == [(place, 302)]
    assert "Your request was sent" in words_of(answer)
    assert CreditRequest.objects.get().note == "For a dragon"


@pytest.mark.parametrize("engine", ["", "embedded", "nobody", "\x00"])
def test_a_person_who_can_pay_the_engine_is_not_offered_to_ask(client_of: SignIn, engine: str) -> None:
    client = client_of(cast.make_user("dora@example.org", credits=50))
    assert "Request credits" not in client.get("/w/dora/credits/", {"engine": engine}).text
    answer = client.post("/w/dora/credits/ask/", {"note": "More", "engine": engine}, follow=True)
    assert "This workspace has enough credits for an edit." in words_of(answer)
    assert not CreditRequest.objects.exists()


def test_the_form_offers_what_the_chosen_engine_can_do(client: Client, photo: DraftPhoto) -> None:
    page = client.post(EDITOR, form_of(photo, engine="studio", preview=""))
    assert page.status_code == 200
    can = page.context["chosen_can"]
    assert (can.points, page.context["can"].points) == (False, True)
    warned = planned(client, photo, engine="studio", point="0.5,0.5")
    assert "can't select by a click" in words_of(warned)


def failed(user: User, **fields: Any) -> Edit:
    refusal = {"words": "add a dragon", "reason": "unknown_word", "hint": "Say it in other words."}
    facts = {
        "state": "FAILED",
        "failure_code": "rejected",
        "plan": {"steps": [], "not_understood": [refusal]},
    }
    return cast.make_edit(user, prompt=DRAGON, price=1, **FROM_THE_WEB, **facts | fields)


def test_a_failed_edit_offers_the_other_engine(client: Client, alice: User) -> None:
    edit = failed(alice)
    page = client.get(f"/edits/{edit.id}/")
    assert "Do it with gpt-image-2 (60 credits)" in words_of(page)
    assert "gpt-image-2 gets your photos at api.example.org." in words_of(page)
    sent = {"quote": quote_in(page), "engine": "studio"}
    assert client.post(f"/edits/{edit.id}/again/", sent).status_code == 302
    made = Edit.objects.exclude(pk=edit.pk).get()
    assert (made.engine, made.price, made.prompt) == (Engine.objects.get(name="studio"), 60, DRAGON)


def test_run_again_keeps_the_engine_while_it_is_on(client: Client, alice: User, staff: User) -> None:
    edit = cast.make_edit(alice, price=1, **FROM_THE_WEB, engine=Engine.objects.get(name="cheap"))
    page = client.get(f"/edits/{edit.id}/")
    assert "Run again with" not in words_of(page)
    sent = {"quote": quote_in(page), "engine": "cheap"}
    switch_off(staff, "cheap")
    client.post(f"/edits/{edit.id}/again/", sent)
    assert Edit.objects.count() == 1, "the engine is off by now"
    page = client.get(f"/edits/{edit.id}/")
    assert "The engine cheap is off at the moment." in words_of(page)
    assert "Run again with Built-in (40 credits)" in words_of(page)
    client.post(f"/edits/{edit.id}/again/", {"quote": quote_in(page), "engine": ""})
    made = Edit.objects.exclude(pk=edit.pk).get()
    assert (made.engine, made.price) == (Engine.objects.get(name="embedded"), 40)


def test_run_again_says_if_the_price_has_changed(client: Client, alice: User) -> None:
    edit = cast.make_edit(alice, price=1, **FROM_THE_WEB, engine=Engine.objects.get(name="cheap"))
    sent = {"quote": quote_in(client.get(f"/edits/{edit.id}/")), "engine": "cheap"}
    Engine.objects.filter(name="cheap").update(price_free=25)
    page = client.post(f"/edits/{edit.id}/again/", sent, follow=True)
    assert "This edit now costs 25 credits instead of 20." in words_of(page)
    assert Edit.objects.count() == 1
