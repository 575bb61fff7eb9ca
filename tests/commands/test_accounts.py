"""Tests for the commands create_user, create_api_key, credits, and verify."""

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from editor.models import ApiKey, AuditEntry, User, Workspace
from editor.services.people import closing
from editor.services.people.accounts import digest_of
from tests.cast import PASSWORD, actor_of, assert_ledger_balances, make_edit, make_user, show_second_factor

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"\bdrk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\b")


def run(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, **options)
    return out.getvalue()


@pytest.mark.django_db
def test_create_user_creates_a_complete_account() -> None:
    run("create_user", "New@Example.org", "--password", PASSWORD, "--plan", "pro", "--credits", "123")
    user = User.objects.get(email="new@example.org")
    assert user.check_password(PASSWORD)
    assert not user.is_staff
    workspace = user.personal_workspace
    assert (workspace.plan, workspace.balance, workspace.held) == ("pro", 123, 0)
    assert_ledger_balances(workspace)


@pytest.mark.django_db
@pytest.mark.parametrize(("arguments", "balance"), [([], None), (["--credits", "0"], 0)])
def test_the_initial_credits_are_as_requested_or_the_default(
    arguments: list[str], balance: int | None
) -> None:
    run("create_user", "new@example.org", "--password", PASSWORD, *arguments)
    expected = settings.SIGNUP_CREDITS if balance is None else balance
    assert Workspace.objects.get().balance == expected
    assert_ledger_balances(Workspace.objects.get())


@pytest.mark.django_db
def test_staff_created_by_the_command_can_use_the_admin(client: Any) -> None:
    run("create_user", "boss@example.org", "--password", PASSWORD, "--staff")
    boss = User.objects.get()
    client.force_login(boss)
    show_second_factor(client, boss)
    assert client.get("/admin/editor/edit/").status_code == 200
    assert boss.is_superuser


@pytest.mark.django_db
def test_a_missing_password_is_generated_and_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO())
    printed = run("create_user", "new@example.org")
    password = re.search(r"Password: (\S+)", printed)
    assert password
    assert User.objects.get().check_password(password[1])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense", "--password", PASSWORD], "not a valid email address"),
        (
            [f"a@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.{'f' * 20}.org", "--password", PASSWORD],
            "not a valid email",
        ),
        (["alice@example.org", "--password", PASSWORD], "already exists"),
        (["ALICE@example.org", "--password", PASSWORD], "already exists"),
        (["new@example.org", "--password", "1234"], "too short"),
        (["new@example.org", "--password", PASSWORD, "--credits", "-1"], "between 0 and"),
        (["new@example.org", "--password", PASSWORD, "--plan", "gold"], "invalid choice"),
    ],
)
def test_create_user_rejects_bad_arguments_with_a_message(
    alice: User, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run("create_user", *arguments)
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_create_api_key_prints_only_the_key(alice: User) -> None:
    printed = run("create_api_key", alice.email, "--name", "backup script")
    assert KEY.fullmatch(printed.strip())
    assert len(printed.splitlines()) == 1
    key = ApiKey.objects.get()
    assert (key.name, key.user, key.workspace) == ("backup script", alice, alice.personal_workspace)
    assert key.digest == digest_of(printed.strip())
    assert printed.strip() not in str(vars(key))


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["create_api_key", "credits"])
def test_an_unknown_email_address_is_reported(command: str) -> None:
    with pytest.raises(
        CommandError, match=r"There is no account with the email address nobody@example\.org\."
    ):
        run(command, "nobody@example.org")


@pytest.mark.django_db
def test_credits_prints_the_balance_as_json(alice: User) -> None:
    make_edit(alice, state="RUNNING")
    assert json.loads(run("credits", "Alice@example.org")) == {"plan": "free", "balance": 400, "held": 40}


@pytest.mark.django_db
def test_credits_grants_with_a_reason(alice: User) -> None:
    printed = run("credits", alice.email, "--grant", "100", "--reason", "A gift")
    assert json.loads(printed)["balance"] == 500
    entry = alice.personal_workspace.credit_entries.latest("id")
    assert (entry.kind, entry.amount, entry.reason) == ("grant", 100, "A gift")
    assert_ledger_balances(alice.personal_workspace)


@pytest.mark.django_db
def test_credits_grants_once_for_a_reference(alice: User) -> None:
    grant = ("credits", alice.email, "--grant", "100", "--reason", "An order", "--reference", "order 7")
    assert json.loads(run(*grant))["balance"] == 500
    errors = StringIO()
    assert json.loads(run(*grant, stderr=errors))["balance"] == 500
    assert (
        "The reference order 7 was already used for this workspace. No credits were added."
        in errors.getvalue()
    )
    assert_ledger_balances(alice.personal_workspace)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--grant", "0", "--reason", "x"], "--grant must be between 1 and 2,000,000,000"),
        (["--grant", "-5", "--reason", "x"], "--grant must be between 1 and 2,000,000,000"),
        (["--grant", "5"], "reason of at most 300 characters"),
        (["--grant", "5", "--reason", "x" * 301], "reason of at most 300 characters"),
        (["--grant", "5", "--reason", "x", "--reference", "x" * 101], "reference of at most 100 characters"),
        (["--reason", "A grant without its number"], "only with --grant"),
    ],
)
def test_credits_rejects_an_invalid_grant(alice: User, arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        run("credits", alice.email, *arguments)
    assert json.loads(run("credits", alice.email))["balance"] == 400


@pytest.mark.django_db
def test_credits_accepts_the_slug_of_a_team(team: Workspace) -> None:
    printed = run("credits", team.slug, "--grant", "100", "--reason", "A gift", "--allowance", "900")
    assert json.loads(printed) == {"plan": "free", "balance": 500, "held": 0}
    team.refresh_from_db()
    assert team.allowance == 900
    recorded = AuditEntry.objects.order_by("id").values_list("action", "door")
    assert list(recorded) == [("allowance_set", "command"), ("granted", "command")]
    assert_ledger_balances(team)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "There is no workspace with the slug nowhere"),
        (["alice@example.org", "--allowance", "5"], "Only teams have an allowance"),
        (["{team}", "--allowance", "-1"], "--allowance must be between 0 and 2,000,000,000 credits"),
        (["{team}", "--allowance", "9999999999"], "--allowance must be between 0 and"),
        (["{team}", "--allowance", "77", "--grant", "0", "--reason", "x"], "--grant must be between 1"),
        (["{team}", "--allowance", "77", "--reason", "x"], "only with --grant"),
    ],
)
def test_credits_rejects_bad_arguments_with_a_message(
    team: Workspace, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run("credits", *(word.format(team=team.slug) for word in arguments))
    team.refresh_from_db()
    assert (team.balance, team.allowance) == (400, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("arguments", [["--grant", "5", "--reason", "x"], ["--allowance", "5"]])
def test_credits_of_a_closed_team_are_only_printed(
    alice: User, team: Workspace, arguments: list[str]
) -> None:
    closing.close_team(actor_of(alice, team))
    with pytest.raises(CommandError, match="is closed"):
        run("credits", team.slug, *arguments)
    assert json.loads(run("credits", team.slug))["balance"] == 0


@pytest.mark.django_db
def test_create_api_key_accepts_a_team_and_a_cap(bob: User, team: Workspace) -> None:
    run("create_api_key", bob.email, "--team", team.slug, "--cap", "500")
    key = ApiKey.objects.get()
    assert (key.user, key.workspace, key.cap) == (bob, team, 500)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["charlie@example.org", "--team", "{team}"], "charlie@example.org is not a member of"),
        (["bob@example.org", "--team", "nowhere"], "There is no workspace with the slug nowhere"),
        (["bob@example.org", "--team", "{team}", "--cap", "-1"], "Enter a cap from 0 to"),
        (["bob@example.org", "--name", " "], "Enter a name of 1 to 100 characters"),
    ],
)
def test_create_api_key_rejects_bad_arguments_with_a_message(
    team: Workspace, charlie: User, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        run("create_api_key", *(word.format(team=team.slug) for word in arguments))
    assert not ApiKey.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments",
    [
        ["create_user", "new@example.org", "--password", f"{PASSWORD}\udcff"],
        ["create_api_key", "alice\udcff@example.org"],
        ["create_api_key", "alice@example.org", "--name", "backup \udcff"],
        ["create_api_key", "alice@example.org", "--team", "\udcff"],
        ["credits", "studio\udcff", "--grant", "5", "--reason", "A gift"],
        ["credits", "studio", "--grant", "5", "--reason", "A gift \udcff"],
        ["credits", "studio", "--grant", "5", "--reason", "A gift", "--reference", "\udcff"],
        ["create_team", "Paper", "--owner", "alice\udcff@example.org"],
        ["add_member", "studio\udcff", "alice@example.org", "--role", "viewer"],
        ["add_member", "studio", "alice\udcff@example.org", "--role", "viewer"],
        ["invite", "studio\udcff", "--role", "viewer"],
        ["reset_sign_in", "alice\udcff@example.org"],
    ],
)
def test_arguments_that_are_not_utf_8_are_rejected_and_change_nothing(
    team: Workspace, arguments: list[str]
) -> None:
    """Bytes that are not UTF-8 get an error message.

    Python turns each invalid byte of an argument into a surrogate.
    """
    with pytest.raises(CommandError, match=r"An argument is not valid UTF-8\."):
        run(*arguments)
    assert (User.objects.count(), Workspace.objects.count(), ApiKey.objects.count()) == (2, 3, 0)
    team.refresh_from_db()
    assert team.balance == 400
    assert_ledger_balances(team)


@pytest.mark.django_db
def test_verify_reports_that_all_checks_passed(alice: User) -> None:
    assert "All checks passed" in run("verify")


@pytest.mark.django_db
def test_verify_lists_violated_invariants(alice: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE editor_workspace SET balance = balance + 1")
    out = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("verify", stdout=out, stderr=StringIO())
    assert stopped.value.code == 1
    assert "I1" in out.getvalue()


def manage(data_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**kept, "DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "photoeditor_site.settings"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a migrated but empty database for the tests to copy."""
    folder = tmp_path_factory.mktemp("migrated")
    manage(folder, "migrate", "-v0")
    return folder / "darkroom.sqlite3"


def truncate(file: Path) -> None:
    os.truncate(file, 100_000)


def overwrite(file: Path) -> None:
    file.write_bytes(b"no database " * 9_000)


def spoil_index(file: Path) -> None:
    """Make the index of email addresses point to the wrong page, as it does after a lost write."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'one_account_for_an_address'")
    database.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("damage", [truncate, overwrite, spoil_index])
def test_verify_reports_a_damaged_database(
    tmp_path: Path, migrated: Path, damage: Callable[[Path], None]
) -> None:
    damage(Path(shutil.copy(migrated, tmp_path)))
    done = manage(tmp_path, "verify")
    assert done.returncode == 1
    assert "damaged" in done.stdout + done.stderr
    assert "restore the last backup" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_command_of_a_user_who_may_not_read_the_data_gives_a_one_line_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(arguments: list[str]) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/data/secret_key")

    monkeypatch.setattr("django.core.management.execute_from_command_line", refused)
    monkeypatch.setattr(sys, "argv", ["manage.py", "verify"])
    with pytest.raises(SystemExit) as ended:
        import_module("manage").main()
    sentence = "/data/secret_key: permission denied. Run this command as the user that runs the site."
    assert ended.value.code == sentence


def test_a_read_only_database_gives_a_one_line_message(tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path)
    (tmp_path / "darkroom.sqlite3-wal").mkdir()  # As on a read-only disk, SQLite cannot create its WAL file.
    done = manage(tmp_path, "verify")
    assert done.returncode == 1
    assert "cannot be written. Check that the file and its folder are not read-only" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "arguments",
    [
        ["create_user", "a@example.org", "--password", PASSWORD],
        ["create_api_key", "a@example.org"],
        ["credits", "a@example.org"],
        ["verify"],
    ],
)
@pytest.mark.parametrize("has_folder", [True, False])
def test_commands_before_the_first_migration_give_a_one_line_message(
    tmp_path: Path, arguments: list[str], has_folder: bool
) -> None:
    data_dir = tmp_path / "data"
    if has_folder:
        data_dir.mkdir()
    done = manage(data_dir, *arguments)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Run manage.py migrate or start first." in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.django_db
def test_a_user_created_by_the_command_can_sign_in(client: Any) -> None:
    run("create_user", "new@example.org", "--password", PASSWORD)
    answer = client.post("/accounts/login/", {"login": "new@example.org", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


@pytest.mark.django_db
def test_the_users_in_tests_are_like_those_that_the_command_creates() -> None:
    run("create_user", "new@example.org", "--password", PASSWORD, "--credits", "400")
    ours, cast = User.objects.get(), make_user()
    for user in (ours, cast):
        assert user.personal_workspace.balance == 400
        assert user.personal_workspace.memberships.get().role == "owner"
        assert EmailAddress.objects.get(user=user).verified


def test_createsuperuser_refers_to_create_user() -> None:
    with pytest.raises(CommandError, match="create_user EMAIL --staff"):
        call_command("createsuperuser")
