"""Read from the environment the engines that EDIT_PROVIDER lists, along with their settings."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from editor.outbound.networks import is_private_host
from editor.providers.engine_settings import EngineSettings, variable_prefix
from editor.providers.profile import FAILURE_WORDS, SUCCESS_WORDS
from photoeditor_site.environment import env, env_bool, env_choice, env_int, env_list, is_http_url, shown

EMBEDDED = "embedded"
DIALECTS = ("openai", "vllm-omni", "sglang", "sd-server", "lemonade", "xinference", "litellm")
ANSWER_SECONDS = 300
# The settings of each adapter, with how to read each setting and its default.
OPTIONS: dict[str, dict[str, tuple[Callable[[str, Any], Any], Any]]] = {
    EMBEDDED: {},
    "photo-editor": {
        # Assumptions about the other site on points that the API specification leaves open.
        "IS_DARKROOM": (env_bool, False),
        "RETRY_BUSY": (env_bool, True),
        "LOOSE_SUCCESS": (env_bool, False),
        "SUCCESS_WORDS": (env_list, list(SUCCESS_WORDS)),
        "FAILURE_WORDS": (env_list, list(FAILURE_WORDS)),
    },
    "openai-images": {
        "DIALECT": (partial(env_choice, allowed=DIALECTS), "openai"),
        "REPEATABLE": (env_bool, False),
    },
}
AUTOMATIC = "auto"
_RESERVED_NAMES = (*OPTIONS, AUTOMATIC)
_MAX_NAME_LENGTH = 40


def read_engines(entries: Sequence[str], *, in_flight: int, seconds: int) -> tuple[EngineSettings, ...]:
    """Return the engines that EDIT_PROVIDER lists, with the default engine first.

    An entry is a provider, such as openai-images, or a provider and a name, such as openai-images:studio.
    `in_flight` and `seconds` are the site's defaults. Raises ImproperlyConfigured for an invalid value.
    """
    engines = tuple(_read_engine(entry, in_flight, seconds) for entry in entries)
    names = [engine.name for engine in engines]
    if not engines:
        raise ImproperlyConfigured(f"EDIT_PROVIDER is empty: it must list at least one of {_listed()}.")
    for name in names:
        if names.count(name) > 1:
            raise ImproperlyConfigured(
                f"EDIT_PROVIDER names the engine {name!r} twice: give each engine a name of its own, such as "
                "openai-images:studio."
            )
    for engine in engines:
        _check_stand_in(engine, engines)
    return engines


def read_routing(engines: Sequence[EngineSettings]) -> str:
    """Return EDIT_ROUTING: which engine gets an edit that does not name one.

    It is "" for the first engine that is on, "auto", or the name of one of these engines. Raises
    ImproperlyConfigured for anything else.
    """
    routing: str = env.str("EDIT_ROUTING", "").strip()
    names = [AUTOMATIC, *(engine.name for engine in engines)]
    if routing and routing not in names:
        raise ImproperlyConfigured(f"EDIT_ROUTING is {routing!r}: it must be one of {', '.join(names)}.")
    return routing


def _read_engine(entry: str, in_flight: int, seconds: int) -> EngineSettings:
    provider, colon, own_name = entry.partition(":")
    if provider not in OPTIONS:
        raise ImproperlyConfigured(f"EDIT_PROVIDER names {entry!r}: it must be one of {_listed()}.")
    if colon:
        _check_name(entry, provider, own_name)
    name = own_name or provider
    prefix = variable_prefix(name, provider)
    prices: dict[str, Any] = {
        "price_free": _price(f"{prefix}_PRICE_FREE"),
        "price_pro": _price(f"{prefix}_PRICE_PRO"),
    }
    if provider == EMBEDDED:
        return EngineSettings(name, provider, in_flight=in_flight, seconds=seconds, runs_here=True, **prices)
    base_url = _base_url(entry, f"{prefix}_BASE_URL")
    longest = ANSWER_SECONDS if provider == "openai-images" else seconds
    return EngineSettings(
        name,
        provider,
        base_url=base_url,
        api_key=_api_key(f"{prefix}_API_KEY"),
        model=env.str(f"{prefix}_MODEL", "").strip(),
        in_flight=env_int(f"{prefix}_IN_FLIGHT", in_flight, least=1),
        seconds=env_int(f"{prefix}_SECONDS", longest, least=1),
        is_external=env_bool(f"{prefix}_EXTERNAL", not is_private_host(urlsplit(base_url).hostname or "")),
        stand_in=env.str(f"{prefix}_STAND_IN", "").strip(),
        options=_options(provider, prefix),
        **prices,
    )


def _check_stand_in(engine: EngineSettings, engines: Sequence[EngineSettings]) -> None:
    """Raises ImproperlyConfigured if the engine's stand-in cannot replace it."""
    variable, name = engine.variable("STAND_IN"), engine.stand_in
    others = {other.name: other for other in engines if other != engine and not other.runs_here}
    if name and name not in others:
        raise ImproperlyConfigured(
            f"{variable} is {name!r}: it must be another engine of EDIT_PROVIDER except the embedded one."
        )
    if name and others[name].is_external and not engine.is_external:
        raise ImproperlyConfigured(
            f"{variable} is {name!r}: that engine is outside your network, and photos for {engine.name} must "
            "not leave it."
        )


def _check_name(entry: str, provider: str, name: str) -> None:
    if provider == EMBEDDED:
        raise ImproperlyConfigured(
            f"EDIT_PROVIDER names {entry!r}: there is only one embedded engine, so it has no name of its own."
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) or len(name) > _MAX_NAME_LENGTH:
        raise ImproperlyConfigured(
            f"EDIT_PROVIDER names {entry!r}: a name has lowercase letters, digits, and hyphens, at most "
            f"{_MAX_NAME_LENGTH} of them, such as openai-images:studio."
        )
    if name in _RESERVED_NAMES:
        raise ImproperlyConfigured(f"EDIT_PROVIDER names {entry!r}: an engine cannot be called {name!r}.")


def _base_url(entry: str, variable: str) -> str:
    base_url: str = env.str(variable, "").rstrip("/")
    if not is_http_url(base_url, r"(/[^\s?#]*)?"):
        raise ImproperlyConfigured(
            f"{variable} is {shown(base_url)}: with EDIT_PROVIDER={entry} it must be an address such as "
            "https://photos.example.org."
        )
    return base_url


def _api_key(variable: str) -> str:
    key: str = env.str(variable, "").strip()
    if not re.fullmatch(r"[!-~]*", key):
        raise ImproperlyConfigured(
            f"{variable} contains a space or another character that is not allowed in a key."
        )
    return key


def _price(variable: str) -> int | None:
    return env_int(variable, 0, least=1) if env.str(variable, "") else None


def _options(provider: str, prefix: str) -> Mapping[str, Any]:
    return {
        option.lower(): read(f"{prefix}_{option}", default)
        for option, (read, default) in OPTIONS[provider].items()
    }


def _listed() -> str:
    return ", ".join(OPTIONS)
