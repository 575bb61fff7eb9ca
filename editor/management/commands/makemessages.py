"""Collect the messages to translate in editor/locale/de.

They are sorted and have no source locations, so diffs stay small.
"""

import json
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.commands import makemessages

from editor.engine.catalog import catalog
from editor.engine.language.describe import descriptions
from editor.engine.nouns import noun_messages
from editor.engine.vision.things import COCO

_PLAIN = ["--no-location", "--no-wrap"]
# Folders of licenses and word lists are left out, because Django writes a temporary file next to every text
# file it reads.
_IGNORED = ("tests", "editor/locale", "editor/engine/assets", "editor/engine/language/en")
_ENGINE = Path("editor/engine")
_HINTS = frozenset({"hint", "alone"})  # keys of hints in the engine's TOML files
_TABLES_OF_HINTS = frozenset({"never"})


def engine_messages() -> set[str]:
    """Return the engine's messages that xgettext can't read.

    They are the hints and the descriptions of steps in TOML files, and the names of things.
    """
    files = (tomllib.loads(path.read_text("utf-8")) for path in _ENGINE.rglob("*.toml"))
    hints = {hint for data in files for hint in _hints(data)}
    return hints.union(noun_messages(COCO), *map(descriptions, catalog().values()))


def _hints(data: Any, *, is_table_of_hints: bool = False) -> Iterator[str]:
    if isinstance(data, list):
        for value in data:
            yield from _hints(value)
    elif isinstance(data, dict):
        for name, value in data.items():
            if isinstance(value, str) and (is_table_of_hints or name in _HINTS):
                yield value
            else:
                yield from _hints(value, is_table_of_hints=name in _TABLES_OF_HINTS)


class Command(makemessages.Command):
    help = "Collects the translatable texts in editor/locale/de. Translate them, then run compilemessages."

    def handle(self, *args: Any, **options: Any) -> None:
        self.msgmerge_options = [*self.msgmerge_options, *_PLAIN, "--no-fuzzy-matching"]
        self.msguniq_options = [*self.msguniq_options, *_PLAIN]
        self.msgattrib_options = [*self.msgattrib_options, *_PLAIN, "--sort-output"]
        self.xgettext_options = [*self.xgettext_options, *_PLAIN, "--keyword=Sentence"]
        options |= {"locale": ["de"], "no_obsolete": True}
        options["ignore_patterns"] = [*options["ignore_patterns"], *_IGNORED]
        with tempfile.TemporaryDirectory() as folder:
            self.folder = folder
            super().handle(*args, **options)

    def find_files(self, root: str) -> list[makemessages.TranslatableFile]:
        """Return the files to read, along with a temporary Python file with the messages of the engine."""
        calls = (
            f"gettext_noop({json.dumps(text, ensure_ascii=False)})\n" for text in sorted(engine_messages())
        )
        Path(self.folder, "engine.py").write_text("".join(calls), "utf-8")
        hints = self.translatable_file_class(self.folder, "engine.py", self.default_locale_path)
        return [*super().find_files(root), hints]
