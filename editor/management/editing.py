"""Edit photos from the command line with the embedded engine, without a server, an account, or a database.

`other_engines` does the same with the site's other engines. This module does not import Django, because
importing it would take up half the time of a short edit.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editor.engine.onnx import MODELS_FOLDER
from editor.imaging.errors import JobError
from editor.imaging.machine_lock import LOCK_FILE, MachineLock
from editor.imaging.memory import analysis_memory
from editor.imaging.sandbox import ANALYSIS_PATIENCE, ANALYZE, ANALYZER, Sandbox, SandboxError
from editor.management.marks import add_marks
from editor.options import ASPECT_RATIOS, MAX_PHOTOS, OUTPUT_FORMATS, EditOptions, Limits, too_many_photos
from editor.sentences import from_json_data

if TYPE_CHECKING:
    from editor.engine.plan import Plan

HELP = "Edits photos from a written prompt with the embedded engine, or with another engine of the site."
_OF_DJANGO = (
    "Django's common options also work, but make the command start more slowly: --settings, --pythonpath, "
    "--verbosity, --traceback, --no-color, --force-color."
)
_ENGINE = (
    "the engine, by its name in EDIT_PROVIDER (default: the embedded engine). Another engine gets the photos "
    "directly: its owner may charge you, but no credits of this site are used"
)
_LOOKING = "Looking at the photo"
_WAYS = {
    "box": "With a box: --prompt {} --region X,Y,W,H",
    "sentence": "Another prompt: --prompt {}",
    "engine": "Another engine of the site: {}",
    "rest": "Without the refused part: --prompt {} --partial",
}
_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


class NotEdited(Exception):
    """Raised when there is no result. The message gives the reason."""


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace | None:
    """Parse the arguments of `manage.py edit`, or return None if some may be Django's own options.

    Ends the program with a message if the arguments are invalid.
    """
    parser = argparse.ArgumentParser(prog="manage.py edit", description=HELP, epilog=_OF_DJANGO)
    add_arguments(parser)
    known, others = parser.parse_known_args(arguments)
    return None if others else known


def run(arguments: argparse.Namespace, *, sandbox: Sandbox, data_dir: Path) -> None:
    """Run `manage.py edit`: edit photos and print notices to standard error.

    The edit runs in the sandbox, as on the server. The sandbox's child process imports OpenCV on one core
    while this process parses the prompt on another, which is faster than doing both here. If nothing is
    written, the program ends with a message and exit code 1.
    """
    try:
        notices = edit(arguments, sandbox=sandbox, data_dir=data_dir)
    except NotEdited as error:
        sys.exit(str(error))
    sys.stderr.writelines(f"{notice}\n" for notice in notices)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add to a parser the arguments that `edit` needs."""
    limits = Limits()
    several = f"photo 1 is edited; up to {MAX_PHOTOS - 1} more can be its background or be placed on it"
    parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help=several)
    parser.add_argument("--prompt", required=True, help="what to change, in English")
    shape = "aspect ratio of the result (default: the aspect ratio of the first photo)"
    parser.add_argument("--aspect-ratio", choices=ASPECT_RATIOS, default="", help=shape)
    parser.add_argument(
        "--format",
        choices=OUTPUT_FORMATS,
        help="file format of the result (default: by the extension of --out, otherwise png)",
    )
    outputs = range(1, limits.outputs + 1)
    several = "number of results; out.png becomes out-1.png, out-2.png"
    parser.add_argument("--outputs", type=int, choices=outputs, default=1, help=several)
    add_marks(parser)
    parser.add_argument(
        "--partial", action="store_true", help="carry out the part of the prompt that is understood"
    )
    parser.add_argument("--engine", default="", metavar="NAME", help=_ENGINE)
    parser.add_argument("--out", type=Path, required=True, help="the file to write")


def edit(arguments: argparse.Namespace, *, sandbox: Sandbox, data_dir: Path) -> list[str]:
    """Write the results and return the notices. Closes the sandbox. Raises NotEdited."""
    try:
        require_usable(arguments)
        return _edited(arguments, options_of(arguments), sandbox, data_dir / MODELS_FOLDER)
    except JobError as error:
        raise NotEdited("\n".join([error.message, *_suggestions(error)])) from None
    except SandboxError as error:
        raise NotEdited(error.message) from None
    except OSError as error:
        raise NotEdited(f"The result cannot be written to {arguments.out}: {error.strerror}.") from None
    finally:
        sandbox.close()


def options_of(arguments: argparse.Namespace) -> EditOptions:
    """Return the options of the edit. Raises NotEdited if no result can have the format of the output
    file.
    """
    return EditOptions(
        arguments.aspect_ratio,
        arguments.format or _format_of(arguments.out),
        arguments.outputs,
        tuple(arguments.region),
        arguments.partial,
        tuple(arguments.point),
    )


def _suggestions(error: JobError) -> list[str]:
    """Return a line for each suggestion about the parts of the prompt that were refused."""
    from editor.engine.plan import Refusal, ways_of

    ways = ways_of(map(Refusal.from_json, error.details.get("not_understood", ())))
    return [_WAYS[way.kind].format(json.dumps(way.text, ensure_ascii=False)) for way in ways]


def _edited(arguments: argparse.Namespace, options: EditOptions, sandbox: Sandbox, models: Path) -> list[str]:
    out = arguments.out
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".edit-") as folder:
        result = sandbox.call(
            "editor.engine.run:edit_files",
            on_progress=_progress(),
            time_factor=options.outputs,
            deferred_arguments=lambda: _plan_and_analysis(
                arguments, options, Path(folder).absolute(), models.parent
            ),
            plan=None,
            photo_paths=[str(photo.absolute()) for photo in arguments.photos],
            options=options.as_json(),
            output_stem=f"{Path(folder).absolute()}/result",
            models_dir=str(models),
        )
        for number, output in enumerate(result["outputs"], 1):
            hand_over(Path(output["path"]), output_path(out, number, options.outputs))
    return [from_json_data(notice) for notice in result["notices"]]


def _plan_and_analysis(
    arguments: argparse.Namespace, options: EditOptions, folder: Path, data_dir: Path
) -> dict[str, Any]:
    """Return the plan and the path of photo 1's analysis. Raises NotEdited.

    The path is None if the plan does not use an analysis or if no analysis is available.
    """
    from editor.engine.analyzing import needs_analysis

    plan = _plan(arguments, options)
    analysis = None
    if plan.accepted and needs_analysis(plan.steps, options) and analysis_memory():
        analysis = _analyzed(arguments.photos[0].absolute(), folder, data_dir)
    return {"plan": plan.as_json(), "analysis_path": analysis}


def _analyzed(photo: Path, folder: Path, data_dir: Path) -> str | None:
    """Analyze a photo in a separate child process.

    Return None if the analysis fails, because an edit also works without one.
    """
    path, lock = folder / "embedding.npz", MachineLock(lambda: data_dir / LOCK_FILE)
    analyzer = Sandbox(ANALYZE, lock=lock, patience=ANALYSIS_PATIENCE)
    announce = sys.stderr.write if sys.stderr.isatty() else len
    announce(f"\r{_LOOKING}")
    small = folder / "analysis.npz"
    try:
        analyzer.call(ANALYZER, photo_path=str(photo), output_path=str(small), embedding_path=str(path))
    except (JobError, SandboxError):
        return None
    finally:
        analyzer.close()
        announce(f"\r{' ' * len(_LOOKING)}\r")
    return str(path)


def _plan(arguments: argparse.Namespace, options: EditOptions) -> "Plan":
    """Return the plan. Raises NotEdited.

    This runs while the child process imports OpenCV and decodes the photos.
    """
    from editor.engine.language.explain import explain

    plan = explain(
        arguments.prompt,
        photos=len(arguments.photos),
        regions=options.regions,
        points=options.points,
        partial=options.partial,
    )
    if plan.file_format not in (None, options.output_format):
        raise NotEdited(
            f"The prompt asks for a {plan.file_format} file. Change the extension of {arguments.out.name}."
        )
    return plan


def _progress() -> Callable[[float], None] | None:
    return show_progress if sys.stderr.isatty() else None


def show_progress(part: float) -> None:
    """Show the completed fraction, from 0 to 1, on the terminal."""
    sys.stderr.write(f"\r{part:4.0%}" if part < 1 else "\r    \r")


def require_usable(arguments: argparse.Namespace) -> None:
    """Check what can be checked before any work starts. Raises NotEdited."""
    photos, out = arguments.photos, arguments.out
    for photo in photos:
        if os.path.isdir(photo):
            raise NotEdited(f"{photo} is a folder. Name a photo.")
        if not os.path.exists(photo):
            raise NotEdited(f"The photo {photo} does not exist.")
        if not (os.path.isfile(photo) and os.access(photo, os.R_OK)):
            raise NotEdited(f"The photo {photo} cannot be read.")
    if len(photos) > MAX_PHOTOS:
        raise NotEdited(too_many_photos())
    if not arguments.prompt.strip():
        raise NotEdited("Prompt is required")
    if out.is_dir():
        raise NotEdited(f"{out} is a folder. Name a file with --out.")
    if not out.parent.is_dir():
        raise NotEdited(f"The folder {out.parent} does not exist. Create it first.")
    for path in (output_path(out, number + 1, arguments.outputs) for number in range(arguments.outputs)):
        if path.exists() and not path.is_file():
            raise NotEdited(f"{path} exists and is not a file. Name a file with --out.")


def _format_of(out: Path) -> str:
    """Return the format that matches the extension of an output file.

    Raises NotEdited if results cannot have this format.
    """
    ending = out.suffix.lower()
    if ending and ending not in _FORMATS:
        raise NotEdited(
            f"A result cannot be written as a {ending} file. "
            "Use the extension .png, .jpg, .jpeg, or .webp, or add --format."
        )
    return _FORMATS.get(ending, "png")


def hand_over(result: Path, out: Path) -> None:
    """Move a result to its path, or to the path that a symbolic link there points to.

    The sandbox creates private files, so the result is given the permissions of an ordinary new file.
    """
    umask = os.umask(0)
    os.umask(umask)
    result.chmod(0o666 & ~umask)
    shutil.move(result, out.resolve())  # A link may point to another disk.


def output_path(out: Path, number: int, total: int) -> Path:
    """Return the path of result `number`, from 1: out.png becomes out-1.png if there are several."""
    return out if total == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
