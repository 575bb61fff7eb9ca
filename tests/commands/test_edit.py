import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command, load_command_class

from editor.imaging import codecs, stored_photos
from editor.imaging.picture import Picture
from tests.providers.images_site import MODEL, ImagesSite
from tests.providers.provider_factory import KEY

ROOT = Path(__file__).resolve().parents[2]


def edit(
    tmp_path: Path, *arguments: str, photo: Picture | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does, in a folder that contains `in.jpg` but no data folder."""
    pixels = np.random.default_rng(1).integers(60, 200, (90, 120, 3), np.uint8)
    codecs.save(photo or Picture(pixels), tmp_path / "in.jpg", "jpeg")
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "data"), "LANG": "C.UTF-8"}
    command = [sys.executable, str(ROOT / "manage.py"), "edit", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment | variables,
        check=False,
        timeout=600,
    )


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_its_help_describes_every_argument() -> None:
    for command in ("edit", "explain"):
        parser = load_command_class("editor", command).create_parser("manage.py", command)
        assert [action.dest for action in parser._actions if not action.help] == []


def test_it_edits_a_photo_without_a_database(tmp_path: Path) -> None:
    answer = edit(tmp_path, "in.jpg", "--prompt", "make it black and white", "--out", "out.png")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert np.ptp(codecs.load(tmp_path / "out.png").pixels, axis=2).max() == 0
    assert files(tmp_path) == ["in.jpg", "out.png"]


def test_an_extension_that_contradicts_the_prompt_is_refused(tmp_path: Path) -> None:
    answer = edit(tmp_path, "in.jpg", "--prompt", "make it gray and save as a jpeg", "--out", "out.png")
    assert "The prompt asks for a jpeg file. Change the extension of out." in answer.stderr
    assert files(tmp_path) == ["in.jpg"]
    assert edit(tmp_path, "in.jpg", "--prompt", "save as a jpeg", "--out", "out.jpg").returncode == 0


@pytest.mark.parametrize(
    ("out", "more", "media_type"),
    [
        ("a.jpg", [], "image/jpeg"),
        ("a.webp", [], "image/webp"),
        ("a.png", [], "image/png"),
        ("a", [], "image/png"),
        ("a.png", ["--format", "jpeg"], "image/jpeg"),
    ],
)
def test_the_format_depends_on_the_file_name_and_the_option(
    out: str, more: list[str], media_type: str, tmp_path: Path
) -> None:
    assert edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--out", out, *more).returncode == 0
    assert (
        stored_photos.verify_result(str(tmp_path / out), str(tmp_path / "proof"))["media_type"] == media_type
    )
    assert (tmp_path / out).stat().st_mode & 0o600 == 0o600


@pytest.mark.parametrize("out", ["a.heic", "a.AVIF", "a.tiff", "a.gif", "a.png.bak"])
def test_an_unsupported_extension_is_refused(out: str, tmp_path: Path) -> None:
    answer = edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--out", out)
    ending = Path(out).suffix.lower()
    assert answer.stderr == (
        f"A result cannot be written as a {ending} file. "
        "Use the extension .png, .jpg, .jpeg, or .webp, or add --format.\n"
    )
    assert (answer.returncode, files(tmp_path)) == (1, ["in.jpg"])


def test_several_outputs_are_written_as_numbered_files(tmp_path: Path) -> None:
    edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--outputs", "3", "--out", "a.png")
    files = [(tmp_path / f"a-{number}.png").read_bytes() for number in (1, 2, 3)]
    assert len(set(files)) == 3


def test_a_region_and_an_aspect_ratio_are_accepted(tmp_path: Path) -> None:
    marked = ("--region", "0.25,0.25,0.5,0.5", "--aspect-ratio", "1:1")
    answer = edit(tmp_path, "in.jpg", "--prompt", "make the marked area darker", *marked, "--out", "a.png")
    assert (answer.returncode, answer.stderr) == (0, "")
    picture = codecs.load(tmp_path / "a.png")
    assert picture.width == picture.height == 90


@pytest.mark.slow
def test_it_changes_the_thing_under_a_point(tmp_path: Path) -> None:
    pixels = np.full((240, 360, 3), (120, 140, 125), np.uint8)
    pixels[60:180, 60:180] = (200, 40, 40)
    answer = edit(
        tmp_path,
        "in.jpg",
        *("--prompt", "make it blue", "--point", "0.33,0.5", "--out", "a.png"),
        photo=Picture(pixels),
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    made = codecs.load(tmp_path / "a.png").pixels.astype(int)
    assert made[120, 120, 2] > made[120, 120, 0] + 40
    assert abs(made[120, 300] - pixels[120, 300]).max() < 10


def test_a_refusal_prints_a_message_with_a_suggestion_and_writes_no_file(tmp_path: Path) -> None:
    for prompt in ("make the blue car green and fribble it", "make the background transparent and blarg"):
        answer = edit(tmp_path, "in.jpg", "--prompt", prompt, "--out", "a.png")
        assert answer.returncode == 1
        sentence, way = answer.stderr.splitlines()
        assert sentence.endswith("Say it in other words.")
        assert way == f'Without the refused part: --prompt "{prompt}" --partial'
    assert files(tmp_path) == ["in.jpg"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["none.jpg", "--prompt", "x", "--out", "a.png"], "The photo none.jpg does not exist."),
        ([".", "--prompt", "x", "--out", "a.png"], ". is a folder. Name a photo."),
        (["in.jpg", "--prompt", " ", "--out", "a.png"], "Prompt is required"),
        (
            ["in.jpg", "--prompt", "x", "--out", "none/a.png"],
            "The folder none does not exist. Create it first.",
        ),
        (["in.jpg", "--prompt", "x", "--out", "."], ". is a folder. Name a file with --out."),
        (
            ["in.jpg", "--prompt", "make it brighter", "--out", "/proc/x.png"],
            "The result cannot be written to /proc/x.png: ",
        ),
        (["in.jpg"] * 6 + ["--prompt", "x", "--out", "a.png"], "Maximum 5 images allowed"),
        (["in.jpg", "--prompt", "x", "--out", "a.png", "--region", "2,0,1,1"], "fractions from 0 to 1"),
        (["in.jpg", "--prompt", "x", "--out", "a.png", "--point", "0.5"], "two fractions from 0 to 1: x,y"),
        (["in.jpg", "--prompt", "x", "--out", "a.png", "--aspect-ratio", "5:9"], "invalid choice"),
    ],
)
def test_it_says_what_is_wrong_with_its_arguments(
    arguments: list[str], sentence: str, tmp_path: Path
) -> None:
    answer = edit(tmp_path, *arguments)
    assert answer.returncode != 0
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_partial_edit_says_what_it_left_out(tmp_path: Path) -> None:
    prompt = "make it brighter and add a flobberwick"
    run = edit(tmp_path, "in.jpg", "--prompt", prompt, "--partial", "--out", "out.png")
    assert run.returncode == 0
    assert "I left out “add a flobberwick”" in run.stderr


def test_a_damaged_photo_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"\xff\xd8\xff\xe0 nothing")
    answer = edit(tmp_path, "bad.jpg", "--prompt", "make it brighter", "--out", "a.png")
    assert (answer.returncode, "damaged" in answer.stderr) == (1, True)


def test_an_invalid_setting_gives_a_one_line_message(tmp_path: Path) -> None:
    answer = edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--out", "a.png", SIGNUP="maybe")
    assert (answer.returncode, answer.stderr.count("\n")) == (1, 1)
    assert "SIGNUP is 'maybe'" in answer.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "options",
    [
        ["--verbosity", "2"],
        ["-v", "0"],
        ["--traceback"],
        ["--no-color"],
        ["--force-color"],
        ["--settings=photoeditor_site.settings", "--pythonpath", "."],
    ],
    ids=" ".join,
)
def test_the_standard_options_of_django_are_accepted(tmp_path: Path, options: list[str]) -> None:
    answer = edit(tmp_path, *options, "in.jpg", "--prompt", "make it black and white", "--out", "out.png")
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")
    assert np.ptp(codecs.load(tmp_path / "out.png").pixels, axis=2).max() == 0
    assert files(tmp_path) == ["in.jpg", "out.png"]


def test_a_traceback_is_shown_only_on_request(tmp_path: Path) -> None:
    arguments = ("in.jpg", "--prompt", "fribble it", "--out", "a.png")
    assert edit(tmp_path, *arguments).stderr.count("\n") == 1
    answer = edit(tmp_path, *arguments, "--traceback")
    assert (answer.returncode, "Traceback" in answer.stderr, "fribble" in answer.stderr) == (1, True, True)


def test_another_settings_module_can_be_used(tmp_path: Path) -> None:
    error = "from django.core.exceptions import ImproperlyConfigured as Wrong\nraise Wrong('Of this site.')\n"
    (tmp_path / "of_this_site.py").write_text(error)
    arguments = ("in.jpg", "--prompt", "make it brighter", "--out", "a.png")
    for answer in (
        edit(tmp_path, *arguments, "--settings", "of_this_site", "--pythonpath", str(tmp_path)),
        edit(tmp_path, *arguments, DJANGO_SETTINGS_MODULE="of_this_site", PYTHONPATH=str(tmp_path)),
    ):
        assert (answer.returncode, answer.stderr) == (1, "Of this site.\n")


def test_an_unknown_option_is_rejected(tmp_path: Path) -> None:
    answer = edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--out", "a.png", "--bogus")
    assert (answer.returncode, "unrecognized arguments: --bogus" in answer.stderr) == (2, True)
    assert files(tmp_path) == ["in.jpg"]


def test_the_command_works_through_call_command(tmp_path: Path) -> None:
    codecs.save(Picture(np.full((40, 60, 3), 90, np.uint8)), tmp_path / "in.png", "png")
    arguments = [str(tmp_path / "in.png"), "--prompt", "make it brighter", "--out"]
    call_command("edit", *arguments, str(tmp_path / "a.png"))
    assert codecs.load(tmp_path / "a.png").pixels.mean() > 90
    with pytest.raises(CommandError, match="The folder"):
        call_command("edit", *arguments, str(tmp_path / "none" / "a.png"))


# ---- another engine of the site


@pytest.fixture
def site() -> Iterator[ImagesSite]:
    made = ImagesSite("xinference")
    with made.server:
        yield made


def variables(site: ImagesSite, **more: str) -> dict[str, Any]:
    """Return the settings of a site with two engines, of which the second is this server."""
    return {
        "EDIT_PROVIDER": "embedded,openai-images:studio",
        "OPENAI_IMAGES_STUDIO_BASE_URL": site.server.origin,
        "OPENAI_IMAGES_STUDIO_API_KEY": KEY,
        "OPENAI_IMAGES_STUDIO_MODEL": MODEL,
        "OPENAI_IMAGES_STUDIO_DIALECT": "xinference",
        **more,
    }


def test_another_engine_edits_the_photo_and_its_notices_are_shown(tmp_path: Path, site: ImagesSite) -> None:
    arguments = ("in.jpg", "--prompt", "add a dragon", "--engine", "studio", "--out", "out.png")
    photo = Picture(np.full((90, 120, 3), (200, 60, 90), np.uint8))
    answer = edit(tmp_path, *arguments, photo=photo, **variables(site))
    assert (answer.returncode, answer.stdout) == (0, ""), answer.stderr
    assert answer.stderr == (
        "The engine sent the result as JPEG, which loses fine details. It was saved as PNG.\n"
    )
    before, after = (codecs.load(tmp_path / name).pixels.astype(int) for name in ("in.jpg", "out.png"))
    assert abs(255 - before - after).mean() < 8
    assert (site.edits, site.form["prompt"]) == (1, "add a dragon")
    assert files(tmp_path) == ["in.jpg", "out.png"]


def test_a_photo_that_this_user_cannot_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "in.jpg").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    arguments = ["edit", str(tmp_path / "in.jpg"), "--prompt", "warmer", "--out", str(tmp_path / "a.png")]
    with pytest.raises(CommandError, match=r"The photo .+/in\.jpg cannot be read\."):
        call_command(*arguments)


def test_it_replaces_no_device_and_no_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "a-2.png").mkdir()
    for out, more, name in (("pipe.png", "1", "pipe.png"), ("a.png", "2", "a-2.png")):
        answer = edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--outputs", more, "--out", out)
        sentence = f"{name} exists and is not a file. Name a file with --out.\n"
        assert (answer.returncode, answer.stderr) == (1, sentence)
    assert (tmp_path / "pipe.png").is_fifo()
    assert files(tmp_path) == ["in.jpg"]


def test_a_result_is_written_to_the_target_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.png").symlink_to("target.png")
    assert edit(tmp_path, "in.jpg", "--prompt", "make it brighter", "--out", "link.png").returncode == 0
    assert (tmp_path / "link.png").is_symlink()
    assert codecs.load(tmp_path / "target.png").width == 120


def test_several_results_of_another_engine_are_numbered(tmp_path: Path, site: ImagesSite) -> None:
    arguments = ("in.jpg", "--prompt", "add a dragon", "--outputs", "2", "--out", "out.webp")
    answer = edit(tmp_path, *arguments, "--engine", "studio", **variables(site))
    assert answer.returncode == 0, answer.stderr
    assert files(tmp_path) == ["in.jpg", "out-1.webp", "out-2.webp"]
    assert site.edits == 1


@pytest.mark.parametrize("name", ["embedded", ""])
def test_the_embedded_engine_can_be_named(tmp_path: Path, site: ImagesSite, name: str) -> None:
    arguments = ("in.jpg", "--prompt", "make it black and white", "--engine", name, "--out", "out.png")
    assert edit(tmp_path, *arguments, **variables(site)).returncode == 0
    assert np.ptp(codecs.load(tmp_path / "out.png").pixels, axis=2).max() == 0
    assert site.server.connections == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--engine", "stud"], "There is no engine with this name. Choose one of embedded, studio."),
        (["--engine", "studio", "--point", "0.5,0.5"], "This engine can't select by a click."),
        (["--engine", "studio", "--prompt", " "], "Prompt is required"),
        (["--engine", "studio", "--out", "a.gif"], "A result cannot be written as a .gif file."),
        (["--engine", "studio", "--out", "/proc/a.png"], "The result cannot be written to /proc/a.png: "),
    ],
)
def test_nothing_is_sent_if_the_arguments_are_wrong(
    tmp_path: Path, site: ImagesSite, arguments: list[str], sentence: str
) -> None:
    asked = ("in.jpg", "--prompt", "add a dragon", "--out", "a.png")
    answer = edit(tmp_path, *asked, *arguments, **variables(site))
    assert answer.returncode == 1
    assert sentence in answer.stderr
    assert (files(tmp_path), site.server.connections) == (["in.jpg"], 0)


def test_a_refusal_by_another_engine_is_one_sentence_without_its_key(
    tmp_path: Path, site: ImagesSite
) -> None:
    for key, sentence in ((KEY, "I do not know what a flobberwick is."), ("wrong", "is not available")):
        wrong = variables(site, OPENAI_IMAGES_STUDIO_API_KEY=key)
        arguments = ("in.jpg", "--prompt", "add a flobberwick", "--engine", "studio", "--out", "a.png")
        answer = edit(tmp_path, *arguments, **wrong)
        assert (answer.returncode, answer.stderr.count("\n")) == (1, 1)
        assert sentence in answer.stderr
        assert key not in answer.stderr
    assert files(tmp_path) == ["in.jpg"]
