"""Tests that `manage.py help_settings` lists exactly the settings that settings.py reads."""

import ast
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from editor.management.commands.help_settings import SETTINGS
from editor.providers.engine_settings import variable_prefix
from photoeditor_site import engines
from photoeditor_site.environment import load_or_create_secret

SOURCE: Path = settings.BASE_DIR / "photoeditor_site" / "settings.py"
READERS = r"env(?:\.\w+|_choice|_int|_bool|_list|_service)?|load_or_create_secret"
READ = re.compile(rf"""(?:{READERS})\(\s*["']([A-Z][A-Z0-9_]+)["']""")


def test_it_lists_every_variable_with_its_default_and_one_line() -> None:
    output = io.StringIO()
    call_command("help_settings", stdout=output)
    lines = output.getvalue().splitlines()
    assert [line.split()[0] for line in lines[:-1]] == list(SETTINGS)
    assert any(re.match(r"SIGNUP_CREDITS\s+400\s+credits", line) for line in lines)
    assert max(map(len, lines)) <= 120


def test_it_lists_exactly_the_variables_that_settings_py_reads() -> None:
    read = {name for name in READ.findall(SOURCE.read_text()) if name != "EDIT_PROVIDER"}
    assert sorted(SETTINGS) == sorted(read | {"EDIT_PROVIDER", "EDIT_ROUTING", *_of_engines()})


def _of_engines() -> dict[str, object]:
    """Return the variables of every provider, along with their defaults."""
    prices = dict.fromkeys(["PRICE_FREE", "PRICE_PRO"], "")
    upstream = prices | dict.fromkeys(
        ["BASE_URL", "API_KEY", "MODEL", "IN_FLIGHT", "SECONDS", "EXTERNAL", "STAND_IN"], ""
    )
    return {
        f"{variable_prefix(provider, provider)}_{option}": default
        for provider, options in engines.OPTIONS.items()
        for option, default in {
            **(prices if provider == engines.EMBEDDED else upstream),
            **{option: default for option, (_, default) in options.items()},
        }.items()
    }


def test_its_defaults_match_settings_py() -> None:
    given = {name: value for name, value in _of_engines().items() if value != "" and type(value) is not list}
    plain = {name: str(value) for name, value in (_plain_defaults() | given).items()}
    assert {name: SETTINGS[name][0] for name in plain} == plain
    assert len(plain) >= 15


def test_no_other_module_but_the_sandbox_reads_the_environment() -> None:
    reading = re.compile(r"os\.getenv|os\.environ(\.get\(|\[)")
    app = settings.BASE_DIR / "editor"
    readers = [str(path.relative_to(app)) for path in app.rglob("*.py") if reading.search(path.read_text())]
    assert readers == ["imaging/sandbox.py"]  # The sandbox passes PATH and LANG to its child.


def _plain_defaults() -> dict[str, object]:
    """Return the defaults that are literals in settings.py: strings, booleans, and arithmetic on numbers."""
    found = {}
    for call in (node for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.Call)):
        names = [part.value for part in call.args[:1] if isinstance(part, ast.Constant)]
        if len(call.args) >= 2 and names and names[0] in SETTINGS:
            with_value = _value(call.args[1])
            if with_value is not None:
                found[names[0]] = with_value
    return found


def _value(node: ast.expr) -> object:
    is_plain = all(isinstance(part, (ast.Constant, ast.BinOp, ast.operator)) for part in ast.walk(node))
    return eval(ast.unparse(node)) if is_plain else None


@pytest.mark.parametrize("text", ['env.str("A_B", "")', 'env_int("A_B", 1)', 'env("A_B")'])
def test_the_pattern_recognizes_how_variables_are_read(text: str) -> None:
    assert READ.findall(text) == ["A_B"]


def test_closing_the_output_early_causes_no_traceback() -> None:
    listing = subprocess.Popen(
        [sys.executable, "manage.py", "help_settings"],
        cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert listing.stdout is not None
    listing.stdout.close()
    _, complaints = listing.communicate(timeout=600)
    assert complaints == b""


ADDRESSED = ["PUBLIC_URL", "ALERT_URL", "PHOTO_EDITOR_BASE_URL", "OUTBOUND_ALLOWED_ORIGINS"]
ADDRESSED += ["OUTBOUND_PROXY", "OIDC_ISSUER", "STORAGE_URL"]
NO_ADDRESSES = [
    "http://[zz]",
    "http://[::1",
    "http://[:::]",
    "http://[1:2:3]",
    "http://[10.0.0.5]",
    "http://[fe80::1%25eth0]",
    "http://::1",
    "http://10.0.0.5:0",
    "http://10.0.0.5:65536",
    "http://10.0.0.5:999999",
    "http://10.0.0.5:\u0663",
    "http://10.0.0.5:x",
    "http://10.0.0.256",
    "http://10.0.5",
    "http://010.0.0.5",
    "http://5",
    "http://photos..example.org",
    "http://photos.",
    "http://-a",
    "http://a-",
    "http://m\u00fcller.example",
    "http://",
    "ftp://10.0.0.5",
    "10.0.0.5",
]
ADDRESSES = [
    "http://[::1]",
    "http://[2001:db8::5]:8188",
    "https://[::ffff:10.0.0.5]",
    "http://10.0.0.5:8188",
    "https://localhost:65535",
    "https://Photos.example.org",
    "http://darkroom_web:8000",
    "https://3d.example.org",
    "https://xn--mller-kva.example",
]


@pytest.mark.parametrize("name", ADDRESSED)
def test_an_impossible_url_is_rejected_with_the_name_of_the_setting(name: str) -> None:
    outcomes = _told(name, NO_ADDRESSES)
    assert [address for address, answer in outcomes if not answer.startswith(f"{name} ")] == []


@pytest.mark.parametrize("name", ADDRESSED)
def test_a_valid_url_is_accepted(name: str) -> None:
    given = [
        address.replace("https", "http") if name == "OUTBOUND_PROXY" else address for address in ADDRESSES
    ]
    assert _told(name, given) == [(address, "taken") for address in given]


def test_a_proxy_url_may_contain_a_password_which_errors_do_not_repeat() -> None:
    given = ["http://u:s3cret@10.0.0.5:3128/", "http://u:s3cret@10.0.0.5:99999", "https://u:s3cret@10.0.0.5"]
    sentence = "OUTBOUND_PROXY cannot be read: it must look like http://10.0.0.5:3128."
    assert [answer for _, answer in _told("OUTBOUND_PROXY", given)] == ["taken", sentence, sentence]


def test_a_public_ipv6_address_is_added_to_allowed_hosts() -> None:
    program = "from photoeditor_site import settings; print(settings.ALLOWED_HOSTS)"
    assert "'[2001:db8::5]'" in _run(program, PUBLIC_URL="https://[2001:db8::5]:8443")


@pytest.mark.parametrize("name", ["PHOTO_EDITOR_BASE_URL", "OUTBOUND_ALLOWED_ORIGINS", "OIDC_ISSUER"])
def test_an_error_does_not_repeat_a_password(name: str) -> None:
    [(_, answer)] = _told(name, ["https://u:s3cr@et@10.0.0.5"])
    assert f"{name} " in answer
    assert "'***@10.0.0.5'" in answer
    assert "et@" not in answer


def test_a_host_that_could_never_match_is_refused() -> None:
    hosts = ["a.example", ".a.example", "*", "10.0.0.5,[2001:db8::5]"]
    assert _told("ALLOWED_HOSTS", hosts) == [(host, "taken") for host in hosts]
    for host, answer in _told("ALLOWED_HOSTS", ["https://a.example", "a.example:8443", "2001:db8::5"]):
        assert answer.startswith(f"ALLOWED_HOSTS names '{host}': write each without http:// and without")


def test_a_blank_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "api_key_pepper").write_text("\n")
    monkeypatch.setenv("SECRET_KEY", " ")
    for name, source in (("SECRET_KEY", "SECRET_KEY"), ("API_KEY_PEPPER", f"{tmp_path}/api_key_pepper")):
        with pytest.raises(ImproperlyConfigured, match=f"{source} is blank: restore the secret"):
            load_or_create_secret(name, tmp_path)


def test_an_empty_data_dir_counts_as_unset() -> None:
    program = "from photoeditor_site import settings; print(settings.DATA_DIR)"
    assert _run(program, DATA_DIR="").strip() == str(settings.BASE_DIR / ".data")


def _told(name: str, addresses: list[str]) -> list[tuple[str, str]]:
    """Load the settings with each URL, all in one process, and return the outcomes."""
    program = f"""if True:
        import os, runpy
        for address in {addresses!r}:
            os.environ["{name}"] = address if "{name}" != "STORAGE_URL" else "s3://photos?endpoint=" + address
            try:
                runpy.run_module("photoeditor_site.settings")
                print("taken")
            except Exception as error:
                print(error if type(error).__name__ == "ImproperlyConfigured" else repr(error))
    """
    others = {"PHOTO_EDITOR_BASE_URL": {"EDIT_PROVIDER": "photo-editor"}, "OIDC_ISSUER": OIDC}
    answers = _run(program, **others.get(name, {})).splitlines()
    return list(zip(addresses, answers, strict=True))


def _run(program: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=settings.BASE_DIR,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    ).stdout


@pytest.mark.parametrize("name", ["DRAFT_HOURS", "RESULT_LINK_DAYS", "TRASH_DAYS"])
def test_a_period_that_is_too_long_for_the_calendar_is_rejected(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "help_settings"],
        cwd=settings.BASE_DIR,
        env={**os.environ, name: "100000000"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert f"{name} is '100000000': it must be a whole number from 1 to" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite://:memory:"),
        ("DATABASE_URL", "mysql://u:s3cret@host/name"),
        ("DATABASE_URL", "postgres://u:s3cret@host"),
        ("DATABASE_URL", "postgres://u:s3cret@host:port/name"),
        ("STORAGE_URL", "nonsense"),
        ("STORAGE_URL", "s3://"),
        ("STORAGE_URL", "s3://photos?endpoint=s3.example.org"),
        ("STORAGE_URL", "s3://photos/folder"),
        ("STORAGE_URL", "s3://[zz]"),
        ("STORAGE_URL", "s3://photos?bucket=another"),
        ("STORAGE_URL", "file:/somewhere/else"),
        ("DATABASE_URL", "//u:s3cret@host/name"),
        ("STORAGE_URL", "s3://photos?endpoint=https://u:s3cret@s3.example.org"),
        ("CACHE_URL", "nonsense"),
        ("CACHE_URL", ""),
        ("CACHE_URL", "redis://[s3cret"),
        ("CACHE_URL", "memcache://s3cret:11211"),
        ("CACHE_URL", "dummycache://s3cret"),
        ("EMAIL_URL", "nonsense"),
        ("EMAIL_URL", "smtp://u:s3cret@host:port"),
        ("PUBLIC_URL", "https://photos.example.org:port"),
        ("PUBLIC_URL", "https://[photos"),
        ("PUBLIC_URL", "https://[:::]"),
        ("PUBLIC_URL", "https://u:s3cret@photos.example.org"),
        ("PUBLIC_URL", "https://photos.example.org/darkroom"),
        ("EMAIL_URL", "filemail:///s3cret"),
    ],
)
def test_an_unreadable_url_is_rejected_in_one_sentence_without_its_password(name: str, value: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "help_settings"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings", name: value},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 1
    assert re.search(
        rf"^{name} (is .+: it must|cannot be read: it must|must) (be file: or )?look like .+\.$",
        done.stderr,
        re.M,
    )
    assert "s3cret" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value", "package"),
    [
        ("CACHE_URL", "redis://u:s3cret@host/0", "redis"),
        ("DATABASE_URL", "postgres://u@h/n", "psycopg"),
        ("STORAGE_URL", "s3://photos", "storages"),
    ],
)
def test_a_setting_that_needs_a_missing_package_says_how_to_start(
    name: str, value: str, package: str
) -> None:
    program = (
        "import importlib.util as u, runpy, sys; find = u.find_spec;"
        "sys.argv = ['manage.py', 'help_settings'];"
        f"u.find_spec = lambda name, *rest: None if name == '{package}' else find(name, *rest);"
        "runpy.run_path('manage.py', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings", name: value},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.stderr == (
        f"{name} needs the package {package}, which is not installed: start with uv run --extra team "
        "manage.py start.\n"
    )


@pytest.mark.parametrize(
    ("given", "seconds", "is_wide"),
    [({}, 86_400, False), ({"HSTS": "year"}, 31_536_000, False), ({"HSTS": "preload"}, 31_536_000, True)],
)
def test_hsts_lasts_a_day_by_default_and_includes_subdomains_only_on_request(
    given: dict[str, str], seconds: int, is_wide: bool
) -> None:
    names = ("SECONDS", "INCLUDE_SUBDOMAINS", "PRELOAD")
    values = ", ".join(f"settings.SECURE_HSTS_{name}" for name in names)
    program = f"from photoeditor_site import settings; print([{values}])"
    environment = {**os.environ, "PUBLIC_URL": "https://photos.example.org", **given}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str([seconds, is_wide, is_wide])


OIDC = {
    "OIDC_ISSUER": "https://login.example.org/realms/company",
    "OIDC_CLIENT_ID": "darkroom",
    "OIDC_CLIENT_SECRET": "s3cret",
}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, ""),
        ({"OIDC_GROUPS": "designers=acme:editor, /teams/leads=acme:admin,cn=a b=acme:owner"}, ""),
        ({"OIDC_ISSUER": "login.example.org"}, "OIDC_ISSUER is .+ it must be the issuer's address"),
        ({"OIDC_CLIENT_SECRET": ""}, "belong together: set all three"),
        ({"OIDC_ISSUER": ""}, "belong together: set all three"),
        (dict.fromkeys(OIDC, "") | {"OIDC_GROUPS": "designers=acme:editor"}, "belong together"),
        ({"OIDC_GROUPS": "designers"}, "OIDC_GROUPS names 'designers': write each as group=workspace:role"),
        ({"OIDC_GROUPS": "designers=acme"}, "write each as group=workspace:role"),
        ({"OIDC_GROUPS": "designers=acme:boss"}, "A role is one of owner, admin, editor, viewer"),
        ({"OIDC_GROUPS": "=acme:editor"}, "write each as group=workspace:role"),
        ({"OIDC_GROUPS": "designers=Acme Inc:editor"}, "write each as group=workspace:role"),
    ],
)
def test_incomplete_or_invalid_oidc_settings_are_rejected(changes: dict[str, str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "help_settings"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings", **OIDC, **changes},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == (1 if sentence else 0)
    assert re.search(sentence, done.stderr)
    assert "s3cret" not in done.stderr
    assert "Traceback" not in done.stderr


BAD_BROKERS = ("", "s3cret", "sqs://u:s3cret@host", "redis://:s3cret@host:port/1", "redis://host/s3cret")


@pytest.mark.parametrize("broker", BAD_BROKERS)
def test_an_invalid_celery_broker_is_rejected_without_its_password(broker: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "help_settings"],
        cwd=settings.BASE_DIR,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings",
            "TASK_BACKEND": "celery",
            "CELERY_BROKER_URL": broker,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (
        1,
        "CELERY_BROKER_URL cannot be read: it must look like redis://host:6379/1 or "
        "amqp://user:password@host/.\n",
    )
