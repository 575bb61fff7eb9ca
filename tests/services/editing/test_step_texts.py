"""Tests for the descriptions of steps, which are stored in English and shown in the reader's language."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from editor.engine.catalog import Declaration, catalog
from editor.engine.colors import NAMED_COLORS
from editor.engine.language.describe import describe_step, descriptions
from editor.engine.language.explain import explain
from editor.engine.language.phrases import color_name, phrase
from editor.engine.plan import Step, Target
from editor.models import User
from editor.options import Region
from editor.sentences import Sentence
from editor.services.editing.step_texts import step_text, stored_step_text
from tests import cast

SignIn = Callable[[User], Client]
BOX = Region(0.2, 0.2, 0.4, 0.4)
_SLOT = re.compile(r"\{([^{}]*)\}")


def steps_of(declaration: Declaration) -> Iterator[Step]:
    """Yield the steps of an operation's examples, with a box and without one."""
    for instruction in declaration.examples:
        for regions in ((), (BOX,)):
            yield from explain(instruction, regions=regions, photos=3).steps


def german(instruction: str, *regions: Region, photos: int = 1) -> list[str]:
    """Return the German descriptions of the steps of a prompt."""
    with translation.override("de"):
        return [step_text(step) for step in explain(instruction, regions=regions, photos=photos).steps]


@pytest.mark.parametrize("operation", catalog())
def test_every_description_of_an_example_has_a_german_translation(operation: str) -> None:
    for step in steps_of(catalog()[operation]):
        with translation.override("de"):
            shown = step_text(step)
        assert shown.lang == "", step.says
        assert shown != step.says
        assert not re.search(r"[{}\[\]]|%\(| {2}", shown), shown


@pytest.mark.parametrize("operation", catalog())
def test_an_english_description_is_the_one_of_the_plan(operation: str) -> None:
    for step in steps_of(catalog()[operation]):
        assert step_text(step) == stored_step_text(step.as_json()) == describe_step(step) == step.says


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("add an orange sun", "Add an orange sun"),
        ("add a yellow sun", "Add a yellow sun"),
        ("add an ivory film strip frame", "Add an ivory film strip frame"),
        ("draw an orange arrow pointing up", "Draw an orange arrow pointing up"),
        ("add a sun", "Add a sun"),
    ],
)
def test_the_article_fits_the_color_after_it(prompt: str, says: str) -> None:
    assert [step.says for step in explain(prompt).steps] == [says]


def slots(template: str) -> Counter[tuple[str, bool]]:
    """Count the slots of a description by name and by whether they may be empty.

    Conditions don't count.
    """
    pieces = re.split(r"\[([^\[\]]*)\]", template)
    return Counter(
        (re.split("[:|]", name)[0], at % 2 == 1 and "|" not in name)
        for at, piece in enumerate(pieces)
        for name in _SLOT.findall(piece)
        if not name.startswith("?")
    )


@pytest.mark.parametrize("operation", catalog())
def test_a_german_description_has_the_same_slots_as_the_english_one(operation: str) -> None:
    for english in descriptions(catalog()[operation]):
        with translation.override("de"):
            assert slots(gettext(english)) == slots(english), english


def test_every_word_that_a_description_may_contain_can_be_translated() -> None:
    """A word that a sentence has a condition for is part of that sentence."""
    for declaration in catalog().values():
        templates = "".join(descriptions(declaration))
        shown = {name for name, _ in slots(templates)} & set(declaration.fields) - {"file_format"}
        words = {
            word
            for name in shown
            for word in declaration.fields[name].of
            if f"{{?{name}={word}}}" not in templates
        }
        assert {word for word in words if not isinstance(phrase(word), Sentence)} == set()


@pytest.mark.parametrize("color", NAMED_COLORS)
def test_every_color_has_a_german_name(color: str) -> None:
    assert isinstance(color_name(color), Sentence)
    dark = color_name(f"dark {color}")
    assert isinstance(dark, Sentence)
    assert dark == f"dark {color}"


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        ("make the cup blue", "Tasse neu in Blau einfärben"),
        ("make the red car dark blue", "Auto in Rot neu in dunklem Blau einfärben"),
        ("crop it to 4:5", "Foto auf 4:5 zuschneiden"),
        ("add a vignette", "Vignette hinzufügen"),
        ("make the sky a little brighter", "Himmel ein wenig aufhellen"),
        ("raise the exposure by 1.5 stops", "Belichtung um 1,5 Blendenstufen erhöhen"),
        ("resize it to fit within 800x600", "Foto in 800x600 einpassen"),
        ("remove the second dog from the left", "2. Hund von links entfernen"),
        ("remove the man in red", "Mann mit Kleidung in Rot entfernen"),
        ("save it as webp", "Foto als WebP-Datei speichern"),
        ("replace the background with a beach", "Hintergrund ersetzen durch: Strand"),
        (
            "make it black and white but keep the dog as it is",
            "Foto in Schwarz-Weiß umwandeln, dabei unverändert: Hund",
        ),
    ],
)
def test_a_step_is_described_in_german(instruction: str, shown: str) -> None:
    assert german(instruction) == [shown]


@pytest.mark.parametrize(
    ("instruction", "shown"),
    [
        ("draw a star above the dogs", "Stern mit Füllung (über: Hunde) zeichnen"),
        ("add a top hat on the man on the left", "Zylinder (auf: Mann links) hinzufügen"),
        ("move the cup to the left of the dogs", "Tasse verschieben (links neben: Hunde)"),
        ("crop it to 4:5 around the dogs", "Foto auf 4:5 zuschneiden (um: Hunde)"),
        ("add a contact shadow under the cars", "Kontaktschatten hinzufügen (unter: Autos)"),
        ("replace the car with a teapot", "Auto ersetzen durch: Teekanne"),
    ],
)
def test_a_thing_needs_no_case_in_german(instruction: str, shown: str) -> None:
    assert german(instruction) == [shown]


def test_no_german_description_has_a_preposition_directly_before_a_thing() -> None:
    things = re.compile(r"\b(?!und)[a-zäöü]+ \{(where|part|thing|beside|item|owner)\}")
    with translation.override("de"):
        templates = [gettext(english) for one in catalog().values() for english in descriptions(one)]
    assert [text for text in templates if things.search(text)] == []


def test_cups_of_coffee_are_counted_in_both_languages() -> None:
    assert explain("add 2 cups of coffee").steps[0].says == "Add 2 cups of coffee"
    assert german("add 2 cups of coffee") == ["2 Tassen Kaffee hinzufügen"]


def test_words_of_the_user_are_quoted_and_not_translated() -> None:
    assert german("write “left” at the top") == ["Text „left“ oben hinzufügen"]
    assert german("make the kettle red", BOX) == ["„kettle“ im Rahmen neu in Rot einfärben"]


def test_a_garment_that_is_called_like_a_place_is_not_taken_for_it() -> None:
    top = Step("recolor", Target("thing", noun="top", of="woman"), {"color": "blue"})
    with translation.override("de"):
        assert step_text(replace(top, says=describe_step(top))) == "„top“ (Frau) neu in Blau einfärben"


def test_what_a_click_selected_is_described_in_german() -> None:
    selected = Step("pixelate", Target("region", noun="dog", boxes=(1,), selected="dog"))
    with translation.override("de"):
        assert step_text(replace(selected, says=describe_step(selected))) == "Hund in der Auswahl verpixeln"


def test_what_is_stored_stays_in_english() -> None:
    with translation.override("de"):
        plan = explain("make the cup blue")
    assert [step["says"] for step in plan.as_json()["steps"]] == ["Make the cup blue"]


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "color", "says": "Make it nicer"},
        {
            "kind": "color",
            "operation": "no_longer_there",
            "target": {},
            "keep": [],
            "words": [0, 1],
            "says": "Do it",
        },
        explain("make it sepia").as_json()["steps"][0]
        | {"says": "Make the photo sepia, as it was once said"},
        {"kind": "color"},
    ],
)
def test_a_step_that_an_earlier_release_stored_is_shown_in_english(stored: dict[str, object]) -> None:
    with translation.override("de"):
        shown = stored_step_text(stored)
    assert (shown, shown.lang) == (stored.get("says", ""), "en")


@pytest.mark.django_db
def test_the_plan_in_the_editor_is_in_german(alice: User, client_of: SignIn) -> None:
    alice.set_language("de")
    sent = {"prompt": "make it sepia and crop it to 4:5", "aspect_ratio": "1:1"}
    sent |= {"draft": str(cast.make_draft(alice).id)}
    client = client_of(alice)
    page = client.post("/w/alice/preview/", sent, headers={"HX-Request": "true"}).text
    assert "<li>Foto in Sepia umwandeln</li>" in page
    assert "<li>Foto auf 4:5 zuschneiden</li>" in page
    assert 'nach <q lang="de">Foto auf 4:5 zuschneiden</q>' in page
    assert "1. Foto in Sepia umwandeln" in " ".join(page.split())
    assert "Make the photo sepia" not in page


@pytest.mark.django_db
def test_the_completed_steps_of_an_edit_are_in_german(alice: User, client_of: SignIn) -> None:
    plan = json.loads(json.dumps(explain("make it sepia and add a vignette").as_json()))
    plan["steps"].append({"kind": "color", "says": "Make it nicer"})
    edit = cast.make_edit(alice, state="SUCCESS", plan=plan)
    client = client_of(alice)
    assert "<li>Add a vignette</li>" in client.get(f"/edits/{edit.id}/").text
    alice.set_language("de")
    page = client.get(f"/edits/{edit.id}/").text
    assert "<li>Foto in Sepia umwandeln</li>" in page
    assert "<li>Vignette hinzufügen</li>" in page
    assert re.search(r'<li\s+lang="en">Make it nicer</li>', page)
