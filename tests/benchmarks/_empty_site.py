"""The URLs of a site with one empty view in addition to Darkroom's."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """Return about as many bytes as the response to a poll has."""
    return HttpResponse(b"." * 600, content_type="text/html")


urlpatterns = [path("empty/", empty), path("", include("photoeditor_site.urls"))]
