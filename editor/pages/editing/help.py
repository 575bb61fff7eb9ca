"""The public page of example prompts, generated from the declarations of the engine's operations."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from editor.engine.catalog import catalog
from editor.options import EditKind
from editor.services.billing import usage
from editor.services.editing.routing import capabilities


@require_safe
def help(request: HttpRequest) -> HttpResponse:
    operations = catalog().values()
    kinds = [
        (kind, usage.KIND_LABELS[kind], [operation for operation in operations if operation.kind is kind])
        for kind in EditKind
    ]
    context = {"kinds": kinds, "has_own_engine": capabilities().plans}
    return render(request, "pages/help/help.html", context)
