"""The site's pages: each view fetches, asks a service, and answers."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from editor.models import User


class SignedIn(HttpRequest):
    """The request of a view behind `login_required`, as the middleware leaves it."""

    user: User
    htmx: HtmxDetails
    request_id: str
