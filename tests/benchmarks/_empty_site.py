"""The addresses of a site with one empty view beside Darkroom's own."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """About as many bytes as a poll is answered with."""
    return HttpResponse(b"." * 600, content_type="text/html")


urlpatterns = [path("empty/", empty), path("", include("photoeditor_site.urls"))]
