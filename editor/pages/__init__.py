"""Views of the site's pages. Each view loads data, calls a service function, and returns a response."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from editor.models import User


class AuthenticatedRequest(HttpRequest):
    """A request with a signed-in user and a request ID.

    Middleware and `login_required` pass such requests to views.
    """

    user: User
    htmx: HtmxDetails
    request_id: str
