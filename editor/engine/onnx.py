"""List the ONNX files that the engine can use, and check whether a folder contains them.

This module does not import OpenCV, so that checking for models stays cheap; networks.py runs them.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from editor.engine.kinds import PARTS, kinds_of
from editor.engine.plan import Step

# The folder's name inside DATA_DIR.
MODELS_FOLDER = "models"


class Task(StrEnum):
    """The kind of work that a model does for the engine."""

    SUBJECT = "subject"
    FILL = "fill"


class State(StrEnum):
    """The state of a known model file in the folder.

    A file that differs from the published one is never loaded.
    """

    READY = "ready"
    MISSING = "missing"
    OTHER = "other"


@dataclass(frozen=True)
class Model:
    """A published model file, with the SHA-256 digest of its bytes and a description of what it improves."""

    file: str
    name: str
    task: Task
    sha256: str
    source: str
    improves: str


_REMBG = "https://github.com/danielgatis/rembg/releases/tag/v0.0.0"
_ZOO = "https://github.com/opencv/opencv_zoo/tree/main/models"
_CUT_OUT = "cuts out the subject: backgrounds, blurred backgrounds, shadows"

# The best model for each task comes first. Many projects pin the same digests of rembg's release files. The
# digests of OpenCV's model zoo come from the Git LFS pointers in its repository.
KNOWN = (
    Model(
        "isnet-general-use.onnx",
        "IS-Net",
        Task.SUBJECT,
        "60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a",
        _REMBG,
        _CUT_OUT,
    ),
    Model(
        "u2net.onnx",
        "U2-Net",
        Task.SUBJECT,
        "8d10d2f3bb75ae3b6d527c77944fc5e7dcd94b29809d47a739a7a728a912b491",
        _REMBG,
        _CUT_OUT,
    ),
    Model(
        "u2netp.onnx",
        "U2-Net small",
        Task.SUBJECT,
        "309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8",
        _REMBG,
        _CUT_OUT,
    ),
    Model(
        "inpainting_lama_2025jan.onnx",
        "LaMa",
        Task.FILL,
        "7df918ac3921d3daf0aae1d219776cf0dc4e4935f035af81841b40adcf74fdf2",
        f"{_ZOO}/inpainting_lama",
        "fills in removed areas",
    ),
)


def state_of(model: Model, folder: Path) -> State:
    """Return whether a model's file is missing from the folder, is the published one, or differs from it."""
    path = folder / model.file
    if not path.is_file():
        return State.MISSING
    return State.READY if digest_of(path) == model.sha256 else State.OTHER


def digest_of(path: Path) -> str:
    """Return the SHA-256 digest of a file. The file is read again only after it has changed."""
    status = path.stat()
    return _digest(str(path), status.st_mtime_ns, status.st_size)


@lru_cache(32)
def _digest(path: str, modified: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def known_for(task: Task) -> list[Model]:
    """Return the models for a task, best first."""
    return [model for model in KNOWN if model.task is task]


def used_for(steps: Iterable[Step], folder: Path) -> list[Model]:
    """Return the models in the folder that the steps of a plan may use: at most one for each task."""
    wanted = {task for step in steps for task in _tasks(step)}
    ready = ([model for model in known_for(task) if state_of(model, folder) is State.READY] for task in Task)
    return [models[0] for models in ready if models and models[0].task in wanted]


def _tasks(step: Step) -> set[Task]:
    """Return the tasks of models that a step needs, according to its operation and its targets."""
    targets, uses = step.targets, step.declaration.uses
    named = {target.what for target in targets}
    is_outlined = any(
        target.what == "thing" and (kinds_of(target.noun) or target.noun in PARTS) for target in targets
    )
    needed = {
        Task.SUBJECT: "subject" in uses or named & {"subject", "background"} or is_outlined,
        Task.FILL: "fill" in uses,
    }
    return {task for task, is_needed in needed.items() if is_needed}
