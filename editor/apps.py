"""The one app."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Info, Tags, register
from django.db.models.signals import post_migrate


class EditorConfig(AppConfig):
    name = "editor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from editor.crash_points import arm
        from editor.models.triggers import put_back

        arm(settings.CRASH_AT)
        register(_children_are_confined, Tags.security)
        post_migrate.connect(put_back, sender=self, dispatch_uid="editor.triggers")


def _children_are_confined(**_: Any) -> list[CheckMessage]:
    """What this system lets a hostile photo do, said by `manage.py check`."""
    from editor.imaging.confinement import shortcomings

    said = "The programs that read photos are confined in part only: {}."
    return [Info(said.format(shortcoming), id="darkroom.I001") for shortcoming in shortcomings()]
