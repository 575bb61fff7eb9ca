import hashlib
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from editor.engine import onnx
from editor.management.commands import models as command
from editor.models import User
from tests.commands.test_edit import edit
from tests.engine.pictures import ball


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR = tmp_path
    made = tmp_path / "models"
    made.mkdir()
    return made


def told() -> str:
    output = io.StringIO()
    call_command("models", stdout=output, no_color=True)
    return output.getvalue()


def line_of(file: str) -> str:
    return next(line for line in told().splitlines() if line.startswith(file))


def test_it_lists_each_model_with_its_source_and_what_it_improves(folder: Path) -> None:
    text = told()
    assert str(folder) in text.splitlines()[0]
    for model in onnx.KNOWN:
        assert f"{model.file} ({model.name}): not installed" in text
        assert model.sha256 in text
        assert model.source in text
        assert model.improves in text
    assert len(text.splitlines()) <= 30


def test_it_works_without_a_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "none"
    assert told().count("not installed") == len(onnx.KNOWN)
    assert not (tmp_path / "none").exists()


def test_it_reports_a_file_with_the_published_digest_as_in_use(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "u2netp.onnx").write_bytes(b"small")
    digest = hashlib.sha256(b"small").hexdigest()
    known = tuple(
        replace(model, sha256=digest) if model.file == "u2netp.onnx" else model for model in onnx.KNOWN
    )
    monkeypatch.setattr(command, "KNOWN", known)
    assert line_of("u2netp.onnx").endswith("in use")
    assert line_of("u2net.onnx").endswith("not installed")


def test_it_reports_a_file_with_another_digest_as_ignored(folder: Path) -> None:
    (folder / "u2net.onnx").write_bytes(b"something else")
    assert "ignored: its SHA-256 differs from the published one" in line_of("u2net.onnx")


def test_an_edit_says_which_model_file_it_did_not_use(tmp_path: Path) -> None:
    """The edit runs in the sandbox, so this test also shows that the child process gets the folder's path."""
    models = tmp_path / "data" / "models"
    models.mkdir(parents=True)
    (models / "u2net.onnx").write_bytes(b"something else")
    answer = edit(tmp_path, "in.jpg", "--prompt", "make the background white", "--out", "a.png", photo=ball())
    assert answer.returncode == 0
    assert "u2net.onnx because it isn't the published file." in answer.stderr


def test_the_plan_line_names_the_models(
    folder: Path, client_of: Callable[[User], Client], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(alice)
    sent = {"prompt": "make the background white"}
    assert "Uses the model" not in client.post("/w/alice/preview/", sent).content.decode()
    (folder / "u2netp.onnx").write_bytes(b"small")
    digest = hashlib.sha256(b"small").hexdigest()
    known = tuple(
        replace(model, sha256=digest) if model.file == "u2netp.onnx" else model for model in onnx.KNOWN
    )
    monkeypatch.setattr(onnx, "KNOWN", known)
    assert "Uses the model U2-Net small." in client.post("/w/alice/preview/", sent).content.decode()
    assert (
        "Uses the model"
        not in client.post("/w/alice/preview/", {"prompt": "make it brighter"}).content.decode()
    )
