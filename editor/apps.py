"""The one app."""

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate


class EditorConfig(AppConfig):
    name = "editor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from editor.crash_points import arm
        from editor.models.triggers import put_back

        arm(settings.CRASH_AT)
        post_migrate.connect(put_back, sender=self, dispatch_uid="editor.triggers")
