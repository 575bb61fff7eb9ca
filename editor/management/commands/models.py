"""List the models that the embedded engine can use, and whether their files exist: manage.py models."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from editor.engine.onnx import KNOWN, MODELS_FOLDER, Model, State, state_of

_STATES = {
    State.READY: "in use",
    State.MISSING: "not installed",
    State.OTHER: "ignored: its SHA-256 differs from the published one",
}


class Command(BaseCommand):
    """Lists optional model files.

    The engine includes two small networks and never downloads any others.
    """

    help = "Lists the model files that the embedded engine can use, and whether they are installed."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        folder: Path = settings.DATA_DIR / MODELS_FOLDER
        self.stdout.write(
            f"Models are optional. To use one, put the published file, unchanged, into {folder}"
        )
        self.stdout.write(
            "They improve on the engine's built-in models: NanoDet, a selfie segmentation model, and MI-GAN."
        )
        self.stdout.write(
            "Each model has its own license. Read it at the URL below before you use the model."
        )
        for model in KNOWN:
            self._tell(model, state_of(model, folder))
        self.stdout.write(
            "For each task, the engine uses the first file that is installed. The result names it."
        )

    def _tell(self, model: Model, state: State) -> None:
        style = {State.READY: self.style.SUCCESS, State.OTHER: self.style.WARNING}.get(state, str)
        self.stdout.write(f"\n{model.file} ({model.name}): {style(_STATES[state])}")
        self.stdout.write(f"  {model.improves}")
        self.stdout.write(f"  SHA-256 {model.sha256}")
        self.stdout.write(f"  {model.source}")
