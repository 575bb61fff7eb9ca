"""The configuration of an engine, as set by the operator of the site."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class EngineSettings:
    """The configuration of one engine.

    - `name` identifies the engine on this site, and `provider` identifies its adapter. Both are the same
      unless EDIT_PROVIDER gives the engine a separate name.
    - `base_url` is empty for the embedded engine.
    - `in_flight` is the maximum number of edits that the engine runs simultaneously, and `seconds` is the
      time after which an edit that is still running counts as failed.
    - `price_free` and `price_pro` are in credits; None means the site's price.
    - `runs_here` is set if the workers themselves edit the pixels; with other engines they mostly wait.
    - `is_external` is set if the engine's host is outside the operator's own networks.
    - `stand_in` is the name of the engine that replaces this one while it does not respond, or empty.
    - `options` contains the settings of the adapter, by their names in lower case.
    """

    name: str
    provider: str
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    in_flight: int = 4
    seconds: int = 900
    price_free: int | None = None
    price_pro: int | None = None
    runs_here: bool = False
    is_external: bool = False
    stand_in: str = ""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what identifies the engine, as in its row."""
        return self.name, self.provider, self.base_url

    def variable(self, setting: str) -> str:
        """Return the environment variable for a setting, such as OPENAI_IMAGES_STUDIO_BASE_URL."""
        return f"{self.prefix}_{setting}"

    @property
    def prefix(self) -> str:
        """Return the prefix of the names of this engine's environment variables."""
        return variable_prefix(self.name, self.provider)


def variable_prefix(name: str, provider: str) -> str:
    """Return the prefix of the names of an engine's environment variables."""
    parts = [provider] if name == provider else [provider, name]
    return "_".join(parts).replace("-", "_").upper()
