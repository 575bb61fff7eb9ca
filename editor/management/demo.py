"""A demo team with people, a year of edits, and a ledger that balances.

It is for trying out the site and for benchmarks. Rows are written in bulk, oldest first, at a rate of
thousands per second. Only the newest PICTURED edits have photos. The photos of all other edits are purged, as
happens to old edits.
"""

import io
import secrets
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from itertools import batched, product
from pathlib import Path
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

from editor.engine.language.explain import explain
from editor.imaging.samples import landscape
from editor.imaging.sandbox import EDIT, Sandbox
from editor.models import (
    Comment,
    CreditEntry,
    DailyUsage,
    Edit,
    Engine,
    Favorite,
    Membership,
    ReferencePhoto,
    ResultPhoto,
    Spending,
    User,
    Workspace,
)
from editor.models.ids import uuid7
from editor.options import EditOptions
from editor.services.billing.caps import month_of
from editor.services.billing.usage import Sums, names_of, sums_of
from editor.services.core import search
from editor.services.core.access import Actor
from editor.services.editing.engines import default_engine
from editor.services.people import accounts, members
from editor.services.photos import drafts, photos

EDITS_WITH_PHOTOS = 100
ROWS_PER_BATCH = 2000
PERIOD = timedelta(days=365)
LANDSCAPES = 4
Role, State, Kind = Membership.Role, Edit.State, CreditEntry.Kind

PEOPLE = (
    ("owner", "The Owner", Role.OWNER),
    ("admin", "An Admin", Role.ADMIN),
    ("editor", "First Editor", Role.EDITOR),
    ("editor2", "Second Editor", Role.EDITOR),
    ("viewer", "A Viewer", Role.VIEWER),
)
PROMPTS = (
    "make the sky darker",
    "black and white, more contrast",
    "warmer",
    "crop it to a square",
    "brighter and more colorful",
    "add a white border",
    "mirror it",
    "a vignette",
    "sepia",
    "sharper",
)
# Additional prompts for purged edits, whose photos are deleted.
OLD_PROMPTS = tuple(
    f"{wish} the {thing}"
    for wish, thing in product(
        ("remove", "blur", "recolor", "brighten", "move", "copy"),
        ("car", "house", "tree", "lamp", "sign", "boat", "dog", "window", "bench", "cloud"),
    )
)
_FAILURES = {
    State.FAILED: ("engine_failed", "The engine stopped working on this edit. You were not charged."),
    State.CANCELLED: ("cancelled", "You cancelled this edit."),
}
_SAYINGS = ("The sky looks right now.", "Can this be a little warmer?", "This one for the front page.")


class DemoExists(Exception):
    """Raised, with a user-readable message, when a demo already exists."""


@dataclass(frozen=True)
class Demo:
    """The new teams and people. All the people have the same password."""

    teams: list[Workspace]
    people: list[User]
    password: str


@dataclass
class _Books:
    """A team's ledger: the entries to write, the balance so far, and the usage of all edits."""

    team: Workspace
    balance: int = 0
    entries: list[CreditEntry] = field(default_factory=list)
    usage: dict[tuple[date, str, str], Sums] = field(default_factory=dict)
    spent: Counter[tuple[int, date]] = field(default_factory=Counter)

    def enter(self, kind: CreditEntry.Kind, amount: int, at: datetime, edit: Edit | None = None) -> None:
        self.balance += {Kind.GRANT: amount, Kind.CAPTURE: -amount}.get(kind, 0)
        self.entries.append(
            CreditEntry(
                workspace=self.team,
                edit=edit,
                kind=kind,
                amount=amount,
                balance=self.balance,
                created=at,
                reason="" if edit else "For the demo",
                reference="" if edit else "demo",
            )
        )

    def count(self, edit: Edit) -> None:
        """Add a finished edit to the usage totals of its day and month."""
        assert edit.finished is not None
        added = sums_of(edit, Edit.State(edit.state), edit.finished)
        for axis, name in names_of(edit).items():
            group = (edit.finished.date(), axis.value, name)
            self.usage[group] = self.usage.get(group, Sums()) + added
        self.spent[edit.owner_id, month_of(edit.created)] += added.credits

    def close(self) -> None:
        """Write the usage totals to the database."""
        place = {"workspace": self.team}
        DailyUsage.objects.bulk_create(
            DailyUsage(**place, day=day, axis=axis, name=name, **asdict(sums))
            for (day, axis, name), sums in self.usage.items()
        )
        Spending.objects.bulk_create(
            Spending(**place, user_id=user, month=month, amount=amount)
            for (user, month), amount in self.spent.items()
        )


def make_demo(*, edits: int, teams: int = 1, on_progress: Callable[[int], None] | None = None) -> Demo:
    """Create people and teams, and spread `edits` over the teams and the last year.

    There are `teams` teams, and all the people belong to each of them. Calls `on_progress` with the number of
    edits written. Raises DemoExists if a demo already exists.
    """
    password = secrets.token_urlsafe(9)
    people = _make_people(password)
    demo = Demo([_make_team(number, people) for number in range(1, teams + 1)], people, password)
    books = {team.pk: _Books(team) for team in demo.teams}
    start = timezone.now() - PERIOD
    for book in books.values():
        book.enter(Kind.GRANT, (edits // teams + 100) * book.team.price, start)
    done = 0
    try:
        for some in batched(_edits(demo, edits, start), ROWS_PER_BATCH, strict=False):
            _write(some, books)
            done += len(some)
            if on_progress:
                on_progress(done)
    finally:  # Even after an interruption, the totals must match the ledger.
        for book in books.values():
            book.close()
    _give_pictures(demo)
    return demo


def _make_people(password: str) -> list[User]:
    addresses = [f"{word}@demo.example" for word, *_ in PEOPLE]
    if User.objects.filter(email__in=addresses).exists():
        raise DemoExists("The demo team already exists. Sign in as owner@demo.example.")
    # Without credits in their personal workspaces, they start in the team.
    return [
        accounts.open_account(email=address, password=password, name=name, credits=0)
        for address, (_, name, _) in zip(addresses, PEOPLE, strict=True)
    ]


def _make_team(number: int, people: Sequence[User]) -> Workspace:
    owner, *others = people
    name = "Demo team" if number == 1 else f"Demo team {number}"
    team = members.create_team(owner, name=name, plan="pro", by_command=True)
    Membership.objects.bulk_create(
        Membership(workspace=team, user=user, role=role)
        for user, (*_, role) in zip(others, PEOPLE[1:], strict=True)
    )
    return team


def _edits(demo: Demo, count: int, start: datetime) -> Iterator[Edit]:
    """Yield finished edits, oldest first. Some have failed or were cancelled."""
    makers = [user for user, (*_, role) in zip(demo.people, PEOPLE, strict=True) if role != Role.VIEWER]
    step, engine = PERIOD / (count + 1), default_engine()
    draw = Random(count)  # noqa: S311 - The demo must be the same every time.
    for number in range(1, count + 1):
        created = start + step * number
        is_purged = count - number >= EDITS_WITH_PHOTOS
        wishes = OLD_PROMPTS if is_purged and draw.random() < 0.7 else PROMPTS
        yield _edit(
            demo.teams[number % len(demo.teams)],
            draw.choice(makers),
            engine,
            prompt=draw.choice(wishes),
            state=draw.choices((State.SUCCESS, State.FAILED, State.CANCELLED), (93, 4, 3))[0],
            created=created,
            finished=created + timedelta(seconds=2 + number % 9),
            purged=created if is_purged else None,
        )


def _edit(
    team: Workspace, owner: User, engine: Engine, *, state: Edit.State, created: datetime, **fields: Any
) -> Edit:
    code, message = _FAILURES.get(state, ("", ""))
    return Edit(
        id=uuid7(created),
        workspace=team,
        owner=owner,
        state=state,
        created=created,
        due=created,
        deadline=created + timedelta(minutes=15),
        price=engine.price_for(team.plan),
        plan=_plan(fields["prompt"]),
        engine=engine,
        provider=engine.provider,
        base_url=engine.base_url,
        submit_id=uuid.uuid4(),
        progress=100 if state == State.SUCCESS else 0,
        failure_code=code,
        failure_message=message,
        **fields,
    )


@cache
def _plan(prompt: str) -> dict[str, Any]:
    return explain(prompt, photos=1).as_json()


def _write(edits: Sequence[Edit], books: dict[int, _Books]) -> None:
    """Write edits, along with their search index, ledger entries, and balances, in one transaction."""
    for edit in edits:
        book = books[edit.workspace_id]
        book.enter(Kind.HOLD, edit.price, edit.created, edit)
        kind = Kind.CAPTURE if edit.state == State.SUCCESS else Kind.RELEASE
        book.enter(kind, edit.price, edit.finished or edit.created, edit)
    with transaction.atomic():
        Edit.objects.bulk_create(edits)
        search.index(edits)
        for book in books.values():
            CreditEntry.objects.bulk_create(book.entries)
            book.entries.clear()
            Workspace.objects.filter(pk=book.team.pk).update(balance=book.balance)
    for edit in edits:
        books[edit.workspace_id].count(edit)


def _give_pictures(demo: Demo) -> None:
    """Add photos to the edits that are not purged, and add stars and comments to some of these edits."""
    pictures = _Pictures(
        Actor(user=demo.people[0], workspace=demo.teams[0], role=Role.OWNER, entry_point="command")
    )
    try:
        kept = Edit.objects.filter(workspace__in=demo.teams, purged=None).order_by("-id")
        for number, edit in enumerate(kept[:EDITS_WITH_PHOTOS]):
            pictures.give(edit)
            if edit.is_success and number % 5 == 0:
                _talk_about(edit, demo.people, number)
    finally:
        pictures.close()


def _talk_about(edit: Edit, people: Sequence[User], number: int) -> None:
    Favorite.objects.create(user=people[number % 3], edit=edit)
    box = {"x": 0.3, "y": 0.1, "w": 0.35, "h": 0.3, "image": 1}
    text = _SAYINGS[number // 5 % len(_SAYINGS)]
    Comment.objects.create(edit=edit, author=people[(number + 1) % len(people)], text=text, box=box, result=1)


class _Pictures:
    """The photos before and after an edit.

    They are made once per prompt and copied for each edit.
    """

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self._sandbox = Sandbox(EDIT)
        self._before: dict[int, Any] = {}
        self._after: dict[str, Any] = {}

    def give(self, edit: Edit) -> None:
        before = self._kept_before(edit.prompt)
        ReferencePhoto.objects.create(edit=edit, position=1, name=before.name, **photos.copy_files(before))
        if edit.is_success:
            after = self._kept_after(edit.prompt)
            ResultPhoto.objects.create(edit=edit, position=1, **photos.copy_files(after))

    def close(self) -> None:
        self._sandbox.close()
        drafts.discard_uploads([*self._before.values(), *self._after.values()])

    def _kept_before(self, prompt: str) -> Any:
        number = PROMPTS.index(prompt) % LANDSCAPES
        if number not in self._before:
            name = f"landscape-{number + 1}.jpg"
            self._before[number] = drafts.store_upload(io.BytesIO(landscape(number)), name=name)
        return self._before[number]

    def _kept_after(self, prompt: str) -> Any:
        if prompt not in self._after:
            with tempfile.TemporaryDirectory() as folder:
                result = self._sandbox.call(
                    "editor.engine.run:edit_files",
                    time_factor=1,
                    plan=_plan(prompt),
                    photo_paths=[str(photos.local_copy(self._kept_before(prompt), Path(folder)))],
                    options=EditOptions().as_json(),
                    output_stem=f"{folder}/result",
                    models_dir=None,
                )
                with Path(result["outputs"][0]["path"]).open("rb") as file:
                    self._after[prompt] = drafts.store_upload(file, name="result.png")
        return self._after[prompt]
