"""The URLs of a site that has one empty view in addition to Darkroom's views."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def empty(request: HttpRequest) -> HttpResponse:
    """Return a response that has about as many bytes as the response to a poll."""
    return HttpResponse(b"." * 600, content_type="text/html")


urlpatterns = [path("empty/", empty), path("", include("photoeditor_site.urls"))]
