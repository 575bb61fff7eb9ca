"""Read and check the environment variables for the settings.

If a value is invalid, the site does not start, and the message names the variable.
"""

import os
import re
import secrets
from collections.abc import Callable
from importlib.util import find_spec
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()
_NAME = r"\w(?:[\w-]*\w)?(?:\.\w(?:[\w-]*\w)?)*"


def env_choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = env.str(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}: it must be one of {', '.join(allowed)}.")
    return cast(str, value)


def env_int(name: str, default: int, least: int = 0, most: int = 1_000_000_000) -> int:
    text = env.str(name, str(default))
    if not text.isdecimal() or not least <= int(text) <= most:
        raise ImproperlyConfigured(f"{name} is {text!r}: it must be a whole number from {least} to {most}.")
    return int(text)


def env_bool(name: str, default: bool) -> bool:
    text = env.str(name, str(default)).strip().lower()
    if text not in ("true", "1", "yes", "on", "false", "0", "no", "off", ""):
        raise ImproperlyConfigured(f"{name} is {text!r}: it must be true or false.")
    return text in ("true", "1", "yes", "on")


def env_service(
    name: str, default: str, read: Callable[[str], dict[str, Any]], *, like: str
) -> dict[str, Any]:
    """Parse the URL of a service.

    If the URL is invalid, the error does not repeat it, because it may contain a password.
    """
    try:
        url = env.str(name, default)
        if not urlsplit(url).scheme:  # The parser would print such a URL in a warning.
            raise ValueError
        return read(url)
    except (ValueError, ImproperlyConfigured):
        raise ImproperlyConfigured(f"{name} cannot be read: it must look like {like}.") from None


def shown(text: str) -> str:
    """Return a value in quotation marks for an error message, without what may be a password."""
    return repr(re.sub(r"(?s).*@", "***@", text))


def parse_mail_url(address: str) -> dict[str, Any]:
    """Parse EMAIL_URL.

    Raises ValueError if the backend sends no email, such as a file or the console.
    """
    found: dict[str, Any] = env.email_url_config(address)
    if found["EMAIL_BACKEND"] != "django.core.mail.backends.smtp.EmailBackend":
        raise ValueError
    return found


def env_list(name: str, default: list[str] | None = None) -> list[str]:
    """Return the items of a comma-separated list, without leading or trailing spaces."""
    given: list[str] = env.list(name, default=default or [])
    return [stripped for part in given if (stripped := part.strip())]


def is_http_url(text: str, path: str = "", start: str = "https?://") -> bool:
    """Check that a URL has the form http(s)://HOST[:PORT] followed by the regular expression `path`.

    The check is as strict as the check in `outbound`.
    """
    found = re.fullmatch(rf"{start}(?a:(\[[0-9A-Fa-f:.]+\]|{_NAME})(:\d+)?){path}", text)
    try:
        if found and found[1].rpartition(".")[2].isdecimal():
            IPv4Address(found[1])
        return found is not None and urlsplit(text).port != 0  # urlsplit checks ports and IPv6 addresses.
    except ValueError:
        return False


def require_package(package: str, name: str) -> None:
    """Check that a package that a setting needs is installed.

    The package belongs to the extra `team`. Raises ImproperlyConfigured if it is missing.
    """
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"{name} needs the package {package}, which is not installed: start with uv run --extra team "
            "manage.py start."
        )


def parse_group_rule(text: str) -> tuple[str, str, str]:
    """Parse a rule such as designers=acme:editor.

    It consists of a group at the issuer, the slug of a workspace, and the role that members of the group get
    in that workspace.
    """
    group, _, place = text.rpartition("=")
    slug, _, role = place.partition(":")
    roles = ("owner", "admin", "editor", "viewer")
    if not group.strip() or not re.fullmatch(r"[a-z0-9-]+", slug.strip()) or role.strip() not in roles:
        raise ImproperlyConfigured(
            f"OIDC_GROUPS names {text!r}: write each as group=workspace:role, such as designers=acme:editor. "
            f"A role is one of {', '.join(roles)}."
        )
    return group.strip(), slug.strip(), role.strip()


def load_or_create_secret(name: str, folder: Path) -> str:
    """Return a secret from the environment or from a file in this folder.

    The file is created when the secret is first needed. Raises ImproperlyConfigured if the secret is blank.
    """
    given = env.str(name, "")
    if given:
        return _not_blank(given, name)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name.lower()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    if not path.exists():
        with draft.open("w") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())  # Losing the secret would invalidate all keys.
        draft.chmod(0o600)
        try:
            # This fails if another process has already created the secret. In that case, use the secret of
            # that process.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _not_blank(path.read_text().strip(), str(path))


def _not_blank(secret: str, source: str) -> str:
    if not secret.strip():
        raise ImproperlyConfigured(f"{source} is blank: restore the secret, such as from a backup.")
    return secret
