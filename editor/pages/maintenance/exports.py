"""Request exports, follow their progress, and download them.

Only the person who requested an export can download it.
"""

import uuid
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from editor.actors import with_actor
from editor.models import User
from editor.services.core.access import Actor, Right
from editor.services.core.disk_space import DiskFull
from editor.services.maintenance import exports

EXPORT_STARTED = gettext_lazy("The export is being created. You can download it here for two days.")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def export_mine(request: HttpRequest) -> HttpResponse:
    return _export(request, cast(User, request.user), None)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.EXPORT)
def export_workspace(request: HttpRequest, actor: Actor) -> HttpResponse:
    return _export(request, actor.user, actor)


@require_safe
@login_required
def download_export(request: HttpRequest, export_id: uuid.UUID) -> FileResponse:
    export, file = exports.open_export(cast(User, request.user), export_id)
    name = f"darkroom-{export.created:%Y-%m-%d}.zip"
    response = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _export(request: HttpRequest, user: User, actor: Actor | None) -> HttpResponse:
    if request.method == "POST":
        try:
            exports.request_export(user, actor)
        except (DiskFull, exports.TooManyExports) as error:
            messages.error(request, str(error))
        else:
            messages.success(request, EXPORT_STARTED)
        return redirect(request.path)
    workspace = actor.workspace if actor else None
    context = {"exports": exports.exports_of(user, workspace), "workspace": workspace}
    return render(request, "pages/exports/exports.html", context)
