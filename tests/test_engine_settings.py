"""Tests that EDIT_PROVIDER lists the engines, and that each engine has separate settings."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured

from editor.providers.engine_settings import EngineSettings
from photoeditor_site.engines import read_engines, read_routing

type Read = Callable[..., tuple[EngineSettings, ...]]
GPU = {"OPENAI_IMAGES_BASE_URL": "http://gpu:8000"}
STUDIO = {"OPENAI_IMAGES_STUDIO_BASE_URL": "https://api.example.org/openai/"}


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Read:
    """Return a function that reads the given engines from the given environment variables."""

    def engines(entries: str, **variables: str) -> tuple[EngineSettings, ...]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return read_engines(entries.split(",") if entries else [], in_flight=4, seconds=900)

    return engines


def test_the_embedded_engine_needs_no_settings(read: Read) -> None:
    assert read("embedded") == (EngineSettings("embedded", "embedded", runs_here=True),)


def test_the_settings_of_another_site_are_read_from_its_variables(read: Read) -> None:
    [engine] = read(
        "photo-editor",
        PHOTO_EDITOR_BASE_URL="https://photos.example.org/",
        PHOTO_EDITOR_API_KEY="k3y",
        PHOTO_EDITOR_IS_DARKROOM="true",
        PHOTO_EDITOR_RETRY_BUSY="off",
        PHOTO_EDITOR_SUCCESS_WORDS="READY, OK",
    )
    assert (engine.name, engine.base_url, engine.api_key) == (
        "photo-editor",
        "https://photos.example.org",
        "k3y",
    )
    assert (engine.in_flight, engine.seconds, engine.runs_here) == (4, 900, False)
    assert engine.options["is_darkroom"] is True
    assert engine.options["retry_busy"] is False
    assert engine.options["success_words"] == ["READY", "OK"]


def test_several_engines_keep_their_order_and_have_separate_settings(read: Read) -> None:
    embedded, gpu, studio = read(
        "embedded,openai-images,openai-images:studio",
        **GPU,
        **STUDIO,
        OPENAI_IMAGES_STUDIO_API_KEY="k3y",
        OPENAI_IMAGES_STUDIO_MODEL="flux-2",
        OPENAI_IMAGES_STUDIO_DIALECT="litellm",
        OPENAI_IMAGES_STUDIO_IN_FLIGHT="2",
        OPENAI_IMAGES_STUDIO_SECONDS="60",
        OPENAI_IMAGES_STUDIO_PRICE_FREE="60",
        EMBEDDED_PRICE_PRO="20",
    )
    assert [engine.name for engine in (embedded, gpu, studio)] == ["embedded", "openai-images", "studio"]
    assert (embedded.price_free, embedded.price_pro) == (None, 20)
    assert (gpu.api_key, gpu.model, gpu.in_flight, gpu.seconds, gpu.price_free) == ("", "", 4, 300, None)
    assert gpu.options == {"dialect": "openai", "repeatable": False}
    assert (studio.base_url, studio.api_key, studio.model) == (
        "https://api.example.org/openai",
        "k3y",
        "flux-2",
    )
    assert (studio.in_flight, studio.seconds, studio.price_free, studio.price_pro) == (2, 60, 60, None)
    assert studio.options["dialect"] == "litellm"
    assert studio.variable("BASE_URL") == "OPENAI_IMAGES_STUDIO_BASE_URL"


@pytest.mark.parametrize(
    ("host", "is_external"),
    [
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("100.64.0.1", False),
        ("[::1]", False),
        ("[fd00::5]", False),
        ("[::ffff:10.0.0.5]", False),
        ("localhost", False),
        ("gpu", False),
        ("9.9.9.9", True),
        ("[2001:4860::1]", True),
        ("api.example.org", True),
        ("gpu.internal", True),
    ],
)
def test_an_engine_is_external_unless_its_host_is_private(read: Read, host: str, is_external: bool) -> None:
    [engine] = read("openai-images", OPENAI_IMAGES_BASE_URL=f"http://{host}:8000")
    assert engine.is_external is is_external
    [engine] = read("openai-images", OPENAI_IMAGES_EXTERNAL=str(not is_external))
    assert engine.is_external is not is_external


def test_a_key_does_not_appear_in_the_repr_of_the_settings(read: Read) -> None:
    engines = read("openai-images", **GPU, OPENAI_IMAGES_API_KEY="k3y-CANARY")
    assert engines[0].api_key == "k3y-CANARY"
    assert "CANARY" not in repr(engines)


@pytest.mark.parametrize(
    ("entries", "variables", "sentence"),
    [
        (
            "",
            {},
            "EDIT_PROVIDER is empty: it must list at least one of embedded, photo-editor, openai-images.",
        ),
        (
            "dall-e",
            {},
            "EDIT_PROVIDER names 'dall-e': it must be one of embedded, photo-editor, openai-images.",
        ),
        ("embedded,embedded", {}, "EDIT_PROVIDER names the engine 'embedded' twice"),
        ("openai-images:gpu,photo-editor:gpu", {}, "EDIT_PROVIDER names the engine 'gpu' twice"),
        ("embedded:fast", {}, "there is only one embedded engine"),
        ("openai-images:", {}, "a name has lowercase letters, digits, and hyphens"),
        ("openai-images:Studio 1", {}, "a name has lowercase letters, digits, and hyphens"),
        (f"openai-images:{'a' * 41}", {}, "at most 40 of them"),
        ("openai-images:auto", {}, "an engine cannot be called 'auto'"),
        ("openai-images:embedded", {}, "an engine cannot be called 'embedded'"),
        ("openai-images", {}, "OPENAI_IMAGES_BASE_URL is '': with EDIT_PROVIDER=openai-images it must be"),
        ("openai-images:studio", GPU, "OPENAI_IMAGES_STUDIO_BASE_URL is ''"),
        (
            "openai-images",
            {"OPENAI_IMAGES_BASE_URL": "file:///etc"},
            "OPENAI_IMAGES_BASE_URL is 'file:///etc'",
        ),
        (
            "openai-images",
            GPU | {"OPENAI_IMAGES_API_KEY": "k3y\nb"},
            "OPENAI_IMAGES_API_KEY contains a space",
        ),
        (
            "openai-images",
            GPU | {"OPENAI_IMAGES_DIALECT": "x"},
            "OPENAI_IMAGES_DIALECT is 'x': it must be one of",
        ),
        ("openai-images", GPU | {"OPENAI_IMAGES_IN_FLIGHT": "0"}, "OPENAI_IMAGES_IN_FLIGHT is '0'"),
        ("openai-images", GPU | {"OPENAI_IMAGES_SECONDS": "soon"}, "OPENAI_IMAGES_SECONDS is 'soon'"),
        ("openai-images", GPU | {"OPENAI_IMAGES_PRICE_FREE": "0"}, "OPENAI_IMAGES_PRICE_FREE is '0'"),
        ("openai-images", GPU | {"OPENAI_IMAGES_EXTERNAL": "maybe"}, "OPENAI_IMAGES_EXTERNAL is 'maybe'"),
        ("openai-images", GPU | {"OPENAI_IMAGES_STAND_IN": "x"}, "OPENAI_IMAGES_STAND_IN is 'x'"),
        (
            "openai-images",
            GPU | {"OPENAI_IMAGES_STAND_IN": "openai-images"},
            "it must be another engine of EDIT_PROVIDER",
        ),
        (
            "embedded,openai-images",
            GPU | {"OPENAI_IMAGES_STAND_IN": "embedded"},
            "except the embedded one",
        ),
        (
            "openai-images,openai-images:studio",
            GPU | STUDIO | {"OPENAI_IMAGES_STAND_IN": "studio"},
            "that engine is outside your network, and photos for openai-images must not leave it",
        ),
        ("openai-images", GPU | {"OPENAI_IMAGES_REPEATABLE": "2"}, "OPENAI_IMAGES_REPEATABLE is '2'"),
    ],
)
def test_an_invalid_value_is_reported_in_one_sentence(
    read: Read, entries: str, variables: dict[str, str], sentence: str
) -> None:
    base = dict.fromkeys(["PHOTO_EDITOR_GPU_BASE_URL", "OPENAI_IMAGES_GPU_BASE_URL"], "http://gpu")
    with pytest.raises(ImproperlyConfigured) as caught:
        read(entries, **base, **variables)
    assert sentence in str(caught.value)
    assert "k3y" not in str(caught.value)


def test_an_engine_has_no_stand_in_unless_one_is_set(read: Read) -> None:
    studio, gpu = read("openai-images:studio,openai-images", **GPU, **STUDIO)
    assert (studio.stand_in, gpu.stand_in) == ("", "")
    studio, gpu = read("openai-images:studio,openai-images", OPENAI_IMAGES_STUDIO_STAND_IN="openai-images")
    assert (studio.stand_in, gpu.stand_in) == ("openai-images", "")


@pytest.mark.parametrize("value", ["", "auto", "studio", " embedded "])
def test_edits_are_routed_by_auto_or_by_the_name_of_an_engine(
    read: Read, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    listed = read("embedded,openai-images:studio", **STUDIO)
    monkeypatch.setenv("EDIT_ROUTING", value)
    assert read_routing(listed) == value.strip()


@pytest.mark.parametrize("value", ["automatic", "openai-images", "Auto", "studio,embedded"])
def test_edits_cannot_be_routed_to_an_engine_that_is_not_listed(
    read: Read, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    listed = read("embedded,openai-images:studio", **STUDIO)
    monkeypatch.setenv("EDIT_ROUTING", value)
    with pytest.raises(ImproperlyConfigured, match=r"EDIT_ROUTING is .* one of auto, embedded, studio"):
        read_routing(listed)
