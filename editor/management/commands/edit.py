"""`manage.py edit`: one edit by the embedded engine, without server, account or database."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from editor.engine.onnx import MODELS_FOLDER
from editor.imaging.errors import JobError
from editor.imaging.sandbox import EDIT, Sandbox, SandboxError
from editor.management.regions import add_regions
from editor.options import ASPECT_RATIOS, MAX_PHOTOS, OUTPUT_FORMATS, EditOptions, Limits

_FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


class Command(BaseCommand):
    """Works in the sandbox like the server: its child imports OpenCV on one core while this process reads
    the instruction on the other, which takes less time than doing both here."""

    help = "Edits photos with a sentence, by the embedded engine."
    requires_system_checks = ()

    def __init__(self, *args: Any, sandbox: Sandbox | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sandbox = sandbox or Sandbox(EDIT)

    def add_arguments(self, parser: CommandParser) -> None:
        limits = Limits()
        several = f"photo 1 is edited; up to {MAX_PHOTOS - 1} more can be its background or stand on it"
        parser.add_argument("photos", nargs="+", type=Path, metavar="PHOTO", help=several)
        parser.add_argument("--prompt", required=True, help="what to do, in a sentence")
        shape = "width to height of the result; default: those of photo 1"
        parser.add_argument("--aspect-ratio", choices=ASPECT_RATIOS, default="", help=shape)
        parser.add_argument("--format", choices=OUTPUT_FORMATS, help="default: by --out's ending, else png")
        outputs = range(1, limits.outputs + 1)
        several = "how many variants: out.png becomes out-1.png, out-2.png"
        parser.add_argument("--outputs", type=int, choices=outputs, default=1, help=several)
        add_regions(parser)
        parser.add_argument("--partial", action="store_true", help="carry out the part that is understood")
        parser.add_argument("--out", type=Path, required=True, help="the file that is written")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = EditOptions(
            options["aspect_ratio"],
            options["format"] or _FORMATS.get(options["out"].suffix.lower(), "png"),
            options["outputs"],
            tuple(options["region"]),
            options["partial"],
        )
        _require_usable(options["photos"], options["prompt"], options["out"])
        self.sandbox.warm()
        try:
            notices = self._edit(options["photos"], options["prompt"], chosen, options["out"])
        except (JobError, SandboxError) as error:
            raise CommandError(error.message) from None
        except OSError as error:
            raise CommandError(
                f"The result cannot be written to {options['out']}: {error.strerror}."
            ) from None
        finally:
            self.sandbox.close()
        for notice in notices:
            self.stderr.write(notice, self.style.NOTICE)

    def _edit(self, photos: list[Path], prompt: str, chosen: EditOptions, out: Path) -> list[str]:
        from editor.engine.language.explain import explain  # while the child imports OpenCV

        plan = explain(prompt, photos=len(photos), regions=chosen.regions, partial=chosen.partial)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=".edit-") as folder:
            made = self.sandbox.call(
                "editor.engine.run:edit_files",
                on_progress=self._progress(),
                times=chosen.outputs,
                plan=plan.as_json(),
                photo_paths=[str(photo.absolute()) for photo in photos],
                options=chosen.as_json(),
                output_stem=f"{Path(folder).absolute()}/result",
                models_dir=str(settings.DATA_DIR / MODELS_FOLDER),
            )
            for number, output in enumerate(made["outputs"], 1):
                _hand_over(Path(output["path"]), _name(out, number, chosen.outputs))
        return list(made["notices"])

    def _progress(self) -> Any:
        if not sys.stderr.isatty():
            return None
        return lambda part: sys.stderr.write(f"\r{part:4.0%}" if part < 1 else "\r    \r")


def _require_usable(photos: list[Path], prompt: str, out: Path) -> None:
    missing = [photo for photo in photos if not photo.is_file()]
    if missing:
        raise CommandError(f"There is no photo at {missing[0]}.")
    if len(photos) > MAX_PHOTOS:
        raise CommandError(f"Maximum {MAX_PHOTOS} images allowed")
    if not prompt.strip():
        raise CommandError("Prompt is required")
    if out.is_dir():
        raise CommandError(f"{out} is a folder: name a file.")
    if not out.parent.is_dir():
        raise CommandError(f"There is no folder {out.parent}.")


def _hand_over(result: Path, out: Path) -> None:
    """The sandbox makes private files; this one is the user's, with the rights of any new file."""
    umask = os.umask(0)
    os.umask(umask)
    result.chmod(0o666 & ~umask)
    result.replace(out)


def _name(out: Path, number: int, total: int) -> Path:
    return out if total == 1 else out.with_name(f"{out.stem}-{number}{out.suffix}")
