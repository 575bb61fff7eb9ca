"""The configuration of the app and of the admin site."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin_apps
from django.contrib.admin import sites as admin_sites
from django.core.checks import CheckMessage, Info, Tags, register
from django.db.models.signals import post_migrate, pre_migrate
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy


class EditorConfig(AppConfig):
    name = "editor"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from editor.crash_points import arm
        from editor.models.triggers import drop_before_migrations, recreate

        arm(settings.CRASH_AT)
        register(_children_are_confined, Tags.security)
        pre_migrate.connect(drop_before_migrations, sender=self, dispatch_uid="editor.triggers")
        post_migrate.connect(recreate, sender=self, dispatch_uid="editor.triggers")


def _children_are_confined(**_: Any) -> list[CheckMessage]:
    """Report what a malicious photo could do on this system, for `manage.py check`."""
    from editor.imaging.confinement import missing_protections

    message = "The programs that read photos are only partly sandboxed: {}."
    return [Info(message.format(shortcoming), id="darkroom.I001") for shortcoming in missing_protections()]


class DarkroomAdminConfig(admin_apps.SimpleAdminConfig):
    """Django's admin site with our own start page.

    The module urls.py loads the admin pages, because only the web process needs them.
    """

    default = False  # INSTALLED_APPS names this app "editor", which must select EditorConfig.
    default_site = "editor.apps.DarkroomAdminSite"


class DarkroomAdminSite(admin_sites.AdminSite):
    """The admin site.

    It is defined here because it must exist before the modules of editor.admin, which register their lists
    with it, are imported.
    """

    site_header = site_title = "Darkroom"
    index_title = gettext_lazy("Administration")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        from editor.admin import start

        return super().index(request, {**start.page(request), **(extra_context or {})})

    def each_context(self, request: HttpRequest) -> Any:
        from editor.admin import model_order

        context = super().each_context(request)
        return {**context, "desk_lists": model_order.split_by_use(context["available_apps"])}
