"""The edits of a workspace: searched by words, filtered, fifty to a page."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from editor.models import Edit, User
from editor.pages.asked import page_number
from editor.services.access import Actor, Right, acting
from editor.services.history import edits_of

PER_PAGE = 50
LONGEST_SEARCH = 200
STATES = {
    "running": ("Running", [state for state in Edit.State if state not in Edit.TERMINAL]),
    "finished": ("Finished", [Edit.State.SUCCESS]),
    "failed": ("Failed", [Edit.State.FAILED]),
    "cancelled": ("Cancelled", [Edit.State.CANCELLED]),
}


@dataclass(frozen=True)
class Search:
    """What the address asks for; anything it cannot mean is left out."""

    words: str = ""
    state: str = ""
    is_favorite: bool = False
    page: int = 1

    @classmethod
    def of(cls, request: HttpRequest) -> "Search":
        asked = request.GET
        state = asked.get("state", "")
        return cls(
            words=asked.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH],
            state=state if state in STATES else "",
            is_favorite=asked.get("favorite") == "1",
            page=page_number(request),
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words or self.state or self.is_favorite)

    def filtered(self, edits: QuerySet[Edit], user: User) -> QuerySet[Edit]:
        for word in self.words.split():
            edits = edits.filter(prompt__icontains=word)
        if self.state:
            edits = edits.filter(state__in=STATES[self.state][1])
        if self.is_favorite:
            edits = edits.filter(favorites__user=user)
        return edits

    def address(self, **changed: str | int) -> str:
        """The query of this search with something changed, always from the first page on."""
        asked: dict[str, str | int] = {
            "q": self.words,
            "state": self.state,
            "favorite": "1" if self.is_favorite else "",
            "page": "",
            **changed,
        }
        return "?" + urlencode({name: value for name, value in asked.items() if value})


@require_safe
@acting(Right.VIEW)
def history(request: HttpRequest, actor: Actor) -> HttpResponse:
    search = Search.of(request)
    first = (search.page - 1) * PER_PAGE
    edits = list(
        search.filtered(edits_of(actor.workspace).starred_for(actor.user.pk), actor.user)[
            first : first + PER_PAGE + 1
        ]
    )
    context = {
        "edits": edits[:PER_PAGE],
        "search": search,
        "chips": _chips(search),
        "newer": search.address(page=search.page - 1) if search.page > 1 else "",
        "older": search.address(page=search.page + 1) if len(edits) > PER_PAGE else "",
    }
    return render(request, "pages/history/history.html", context)


def _chips(search: Search) -> list[tuple[str, str, bool]]:
    """Label, address, and whether it is the chosen one."""
    states = [
        (label, search.address(state=state), search.state == state) for state, (label, _) in STATES.items()
    ]
    favorites = search.address(favorite="" if search.is_favorite else "1")
    return [
        ("All", search.address(state=""), not search.state),
        *states,
        ("Favorites", favorites, search.is_favorite),
    ]
