"""Collect the messages to translate in editor/locale/de.

They are sorted and have no source locations, so diffs stay small.
"""

from typing import Any

from django.core.management.commands import makemessages

_PLAIN = ["--no-location", "--no-wrap"]
# Folders of licenses and word lists are left out, because Django writes a temporary file next to every text
# file it reads.
_IGNORED = ("tests", "editor/locale", "editor/engine/assets", "editor/engine/language/en")


class Command(makemessages.Command):
    help = "Collects the translatable texts in editor/locale/de. Translate them, then run compilemessages."

    def handle(self, *args: Any, **options: Any) -> None:
        self.msgmerge_options = [*self.msgmerge_options, *_PLAIN, "--no-fuzzy-matching"]
        self.msguniq_options = [*self.msguniq_options, *_PLAIN]
        self.msgattrib_options = [*self.msgattrib_options, *_PLAIN, "--sort-output"]
        self.xgettext_options = [*self.xgettext_options, *_PLAIN, "--keyword=Sentence"]
        options |= {"locale": ["de"], "no_obsolete": True}
        options["ignore_patterns"] = [*options["ignore_patterns"], *_IGNORED]
        super().handle(*args, **options)
