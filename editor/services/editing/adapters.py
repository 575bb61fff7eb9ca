"""The adapter for each engine, created from the settings.

Only this module gives an adapter its API key.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from django.conf import settings

from editor.engine.onnx import MODELS_FOLDER
from editor.imaging.memory import takes_turns
from editor.imaging.sandbox import EDIT, Sandbox
from editor.providers.contract import Provider
from editor.providers.embedded import EmbeddedProvider
from editor.providers.engine_settings import EngineSettings
from editor.providers.profile import FAILURE_WORDS, SUCCESS_WORDS, Profile
from editor.services.editing.fetching import outbound_rules
from editor.services.photos.photos import large_child_lock, limits, reach, worker_pool


@cache
def provider_named(name: str, provider: str, base_url: str) -> Provider:
    """Return the adapter for an engine. It is cached, because it may hold a child process.

    An engine is identified by its name, provider, and URL. An edit keeps the engine that it was submitted to.
    """
    makers: dict[str, Callable[[EngineSettings], Provider]] = {
        "embedded": _embedded,
        "photo-editor": _photo_editor,
        "openai-images": _openai_images,
    }
    return makers[provider](settings_of(name, provider, base_url))


def adapter_of(engine: EngineSettings) -> Provider:
    """Return the adapter for a configured engine."""
    return provider_named(engine.name, engine.provider, engine.base_url)


def most_outputs() -> int:
    """Return the maximum number of results that any configured engine can create for an edit."""
    return max(adapter_of(engine).capabilities().max_outputs for engine in settings.ENGINES)


def settings_of(name: str, provider: str, base_url: str) -> EngineSettings:
    """Return this engine's configuration.

    A key is sent only to the URL for which it was configured, so an edit that began at another URL is polled
    without a key.
    """
    same = [engine for engine in settings.ENGINES if engine.provider == provider]
    there = sorted((one for one in same if one.base_url == base_url), key=lambda one: one.name != name)
    here = replace(there[0], name=name) if there else None
    former = same[0] if same else EngineSettings(name, provider, in_flight=settings.UPSTREAM_IN_FLIGHT)
    return here or replace(former, name=name, base_url=base_url, api_key="")


def _embedded(engine: EngineSettings) -> Provider:
    profile = EDIT.with_cpu_seconds(settings.EDIT_CPU_SECONDS_PER_RESULT)
    sandbox = Sandbox(profile, reach, large_child_lock if takes_turns() else None)
    return EmbeddedProvider(sandbox, limits(), settings.DATA_DIR / MODELS_FOLDER)


def _photo_editor(engine: EngineSettings) -> Provider:
    # imported here because this module loads httpx, which is slow
    from editor.providers.photo_editor import PhotoEditorProvider

    options = engine.options
    profile = Profile(
        rules=outbound_rules(),
        succeeded=_words("SUCCESS", options.get("success_words", SUCCESS_WORDS)),
        failed=_words("FAILED", options.get("failure_words", FAILURE_WORDS)),
        retries_busy=options.get("retry_busy", True),
        loose_success=options.get("loose_success", False),
        extensions=options.get("is_darkroom", False),
        lends=bool(settings.PUBLIC_URL),
        outputs=limits().outputs,
        photo_bytes=limits().photo_bytes,
        result_bytes=settings.MAX_RESULT_MEGABYTES * 1024 * 1024,
        prefix=engine.prefix,
    )
    return PhotoEditorProvider(engine.base_url, engine.api_key, profile, worker_pool)


def _openai_images(engine: EngineSettings) -> Provider:
    # imported here for the same reason
    from editor.providers.openai_images import ImagesServer, OpenAIImagesProvider

    server = ImagesServer(
        base_url=engine.base_url,
        api_key=engine.api_key,
        model=engine.model,
        dialect=engine.options.get("dialect", "openai"),
        rules=outbound_rules(),
        seconds=engine.seconds,
        is_repeatable=engine.options.get("repeatable", False),
        outputs=limits().outputs,
        result_bytes=settings.MAX_RESULT_MEGABYTES * 1024 * 1024,
        prefix=engine.prefix,
    )
    return OpenAIImagesProvider(server, worker_pool)


def _words(documented: str, others: Sequence[str]) -> frozenset[str]:
    return frozenset({documented, *(word.upper() for word in others)})
