"""What strangers see at `/`, and that the engine makes it. UPDATE_PICTURES=1 makes the prints anew."""

import os
import re

import numpy as np
import pytest
from django.test import Client
from PIL import Image

from editor.engine import run
from editor.engine.language.explain import explain
from editor.imaging.codecs import load
from editor.models import User
from editor.options import EditOptions
from editor.pages.door import LARGE, PRINTS, Print
from tests import stills

DOOR = stills.ROOT / "static/img/door"
MOST_BYTES = 400_000


@pytest.mark.django_db
def test_a_stranger_sees_what_darkroom_is(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "edits your photos with a sentence" in page.text
    assert 'href="/accounts/login/"' in page.text
    assert 'href="/api/docs/"' in page.text
    for print_ in (LARGE, *PRINTS):
        assert f"“{print_.sentence}”" in page.text


@pytest.mark.django_db
def test_sign_up_is_offered_where_it_is_open(client: Client, settings: object) -> None:
    assert "/accounts/signup/" not in client.get("/").text
    settings.SIGNUP_IS_OPEN = True  # type: ignore[attr-defined]
    assert "/accounts/signup/" in client.get("/").text


def test_a_member_goes_on_to_the_workspace(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/").headers["Location"] == "/w/alice/"


@pytest.mark.parametrize("print_", [LARGE, *PRINTS], ids=lambda one: one.result)
def test_the_plan_is_the_engines(print_: Print) -> None:
    plan = explain(print_.sentence, regions=print_.regions)
    assert plan.accepted
    assert [(step.kind.value, step.says) for step in plan.steps] == [(print_.kind, print_.says)]


@pytest.mark.parametrize("print_", [LARGE, *PRINTS], ids=lambda one: one.result)
def test_the_print_is_what_the_engine_makes(print_: Print) -> None:
    plan = explain(print_.sentence, regions=print_.regions)
    sample = load(stills.SAMPLES / f"{print_.sample}.webp")
    made = Image.fromarray(run.carry_out(plan, [sample], EditOptions(regions=print_.regions))[0].pixels)
    before, small = Image.fromarray(sample.pixels), 800 if print_ is LARGE else 480
    shown = [(before, print_.sample, small), (made, print_.result, small)]
    for picture, name, width in shown + [(made, print_.result, 1200)] * (print_ is LARGE):
        if os.environ.get("UPDATE_PICTURES") == "1":
            stills.save(picture, DOOR / f"{name}-{width}.webp", width)
        with Image.open(DOOR / f"{name}-{width}.webp") as shipped:
            assert shipped.width == width
            assert _distance(picture, shipped) < 4


def _distance(picture: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures, in steps of 255, at the size of the other."""
    scaled = picture.convert("RGB").resize(other.size, Image.Resampling.LANCZOS)
    return float(np.abs(np.asarray(scaled, np.int16) - np.asarray(other.convert("RGB"), np.int16)).mean())


def test_the_pictures_are_small() -> None:
    folders = (stills.SAMPLES, DOOR)
    files = [path for folder in folders for path in folder.glob("*.webp")]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES


@pytest.mark.django_db
def test_each_picture_says_its_size_and_what_it_shows(client: Client) -> None:
    for picture in re.findall(r"<img[^>]*>", client.get("/").text):
        assert re.search(r'width="\d+" height="\d+"', picture)
        assert re.search(r'alt="[^"]+"', picture)
