"""Tests for the landing page at `/`, and for its pictures, which must be the engine's results.

The command UPDATE_PICTURES=1 pytest tests/pages/test_landing.py creates the pictures from the photos in
static/img/samples/ and saves them in static/img/landing/.
"""

import io
import os
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from django.test import Client
from PIL import Image

from editor.engine import run
from editor.engine.language.explain import explain
from editor.imaging.codecs import load
from editor.models import User
from editor.options import EditOptions
from editor.pages.landing import LANDING, SampleEdit

IMAGES = Path(__file__).resolve().parents[2] / "static/img"
SAMPLES, PICTURES = IMAGES / "samples", IMAGES / "landing"
LARGE_WIDTHS, SMALL_WIDTH = (800, 1200), 600
MAX_SAMPLE_BYTES, MAX_LARGE_BYTES, MAX_SMALL_BYTES = 200_000, 50_000, 45_000
# maximum mean difference of a block, in levels from 0 to 255. Another color differs by more than ten times as
# much. Processors round differently, which moves the edge of a mask: the shadow of a spoon differs by 4.6.
MAX_DIFFERENCE = 6
BLOCK_PX = 24
each_edit = pytest.mark.parametrize("edit", LANDING.edits, ids=lambda edit: edit.result)


@pytest.mark.django_db
def test_an_anonymous_visitor_sees_a_description_and_examples(client: Client) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert "Darkroom edits your photo on your own server." in page.text
    assert 'href="/accounts/login/"' in page.text
    assert 'href="/api/docs/"' in page.text
    for edit in LANDING.edits:
        assert f"“{edit.prompt}”" in page.text
        assert all(step.says in page.text for step in edit.steps)


@pytest.mark.django_db
def test_the_steps_of_the_examples_are_described_in_the_language_of_the_page(client: Client) -> None:
    page = client.get("/", headers={"Accept-Language": "de"})
    for text in ("Himmel ersetzen durch: Nachthimmel", "Foto in ein Aquarell verwandeln"):
        assert re.search(rf"<(span|li)>\s*{text}</", page.text)
    assert not any(step.says in page.text for edit in LANDING.edits for step in edit.steps)


@pytest.mark.django_db
def test_sign_up_is_offered_only_if_it_is_open(client: Client, settings: object) -> None:
    page = client.get("/").text
    assert "/accounts/signup/" not in page
    assert '"btn btn--primary btn--lg" href="/accounts/login/"' in page
    settings.SIGNUP_IS_OPEN = True  # type: ignore[attr-defined]
    page = client.get("/").text
    assert '"btn btn--primary btn--lg" href="/accounts/signup/"' in page
    assert page.count("btn--primary") == 1
    assert "/accounts/signup/" in page.partition("</header>")[0]


def test_a_signed_in_user_is_redirected_to_the_workspace(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/").headers["Location"] == "/w/alice/"


@pytest.mark.django_db
def test_the_box_is_at_its_region_in_every_language(client: Client) -> None:
    region = LANDING.small[1].region
    assert region
    for language in ("en", "de"):
        page = client.get("/", headers={"Accept-Language": language})
        [box] = re.findall(r"<use [^>]*#wax-box[^>]*>", page.text)
        assert f'x="{region.x}"' in box
        assert f'width="{region.w}"' in box


@each_edit
def test_the_steps_of_an_example_match_the_engines_plan(edit: SampleEdit) -> None:
    plan = explain(edit.prompt, regions=edit.regions)
    assert plan.accepted
    assert tuple(replace(step, words=(0, 0)) for step in plan.steps) == edit.steps


@each_edit
def test_the_pictures_of_an_example_match_the_engines_result(edit: SampleEdit) -> None:
    for name, content in pictures_of(edit).items():
        if os.environ.get("UPDATE_PICTURES") == "1":
            (PICTURES / name).write_bytes(content)
        shown = (PICTURES / name).read_bytes()
        assert largest_difference(content, shown) < MAX_DIFFERENCE, name


def pictures_of(edit: SampleEdit) -> dict[str, bytes]:
    """Return the WebP files that show an example before and after the edit, by file name.

    For the large example, the files include a small picture of the sample, because the editor shows small
    pictures.
    """
    photo = load(SAMPLES / f"{edit.sample}.webp")
    plan, options = explain(edit.prompt, regions=edit.regions), EditOptions(regions=edit.regions)
    result = run.carry_out(plan, [photo], options, edit.seed)[0]
    widths = LARGE_WIDTHS if edit is LANDING.large else (SMALL_WIDTH,)
    before = {f"{edit.sample}-{width}.webp": webp(photo.pixels, width) for width in {SMALL_WIDTH, *widths}}
    after = {f"{edit.result}-{width}.webp": webp(result.pixels, width) for width in widths}
    return before | after


def webp(pixels: np.ndarray, width: int) -> bytes:
    """Scale a picture with an aspect ratio of 3:2 to this width, and return it as a WebP file."""
    picture = Image.fromarray(pixels).convert("RGB")
    assert picture.width * 2 == picture.height * 3
    file = io.BytesIO()
    picture.resize((width, width * 2 // 3), Image.Resampling.LANCZOS).save(file, "WEBP", quality=80, method=6)
    return file.getvalue()


def largest_difference(file: bytes, other: bytes) -> float:
    """Compare two WebP files block by block, and return the largest mean difference.

    The differences are levels from 0 to 255.
    """
    pixels, others = (np.asarray(Image.open(io.BytesIO(one)), np.float32) for one in (file, other))
    difference = np.abs(pixels - others).mean(axis=2)
    return float(cv2.blur(difference, (BLOCK_PX, BLOCK_PX)).max())


def test_the_comparison_detects_a_wrong_color_in_a_small_area() -> None:
    pixels = np.full((400, 600, 3), 90, np.uint8)
    other = pixels.copy()
    other[100:124, 200:224] = (20, 60, 200)
    assert largest_difference(webp(pixels, SMALL_WIDTH), webp(other, SMALL_WIDTH)) > 10 * MAX_DIFFERENCE


def test_the_files_are_small_and_each_is_used() -> None:
    samples = {edit.sample for edit in LANDING.edits}
    assert {path.stem for path in SAMPLES.glob("*.webp")} == samples
    shown = {name for edit in LANDING.edits for name in (edit.sample, edit.result)}
    assert {path.stem.rpartition("-")[0] for path in PICTURES.glob("*.webp")} == shown
    assert max(path.stat().st_size for path in SAMPLES.glob("*.webp")) < MAX_SAMPLE_BYTES
    for path in PICTURES.glob("*.webp"):
        is_small = path.stem.endswith(f"-{SMALL_WIDTH}")
        assert path.stat().st_size < (MAX_SMALL_BYTES if is_small else MAX_LARGE_BYTES), path.name


def test_the_source_of_each_sample_is_named() -> None:
    sources = (SAMPLES / "SOURCES.txt").read_text()
    for edit in LANDING.edits:
        assert re.search(rf"^{edit.sample}\.webp: .+", sources, re.MULTILINE)


@pytest.mark.django_db
def test_each_picture_has_its_size_and_a_description(client: Client) -> None:
    pictures = re.findall(r"<img[^>]*>", client.get("/").text)
    assert len(pictures) == 2 * len(LANDING.edits)
    for picture in pictures:
        assert re.search(r'width="\d+"\s+height="\d+"', picture)
        assert re.search(r'alt="[^"]+"', picture)
