"""The actions of people and of the site itself, each at a fixed time.

The actions call only public functions.
"""

import io
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.conf import settings
from django.db import OperationalError

from editor.imaging.errors import PhotoError, SandboxError
from editor.models import ApiKey, DraftPhoto, Edit, Membership, User, Workspace
from editor.options import EditOptions
from editor.services.billing import caps, credits
from editor.services.core import access, audit, disk_space
from editor.services.core.access import Actor as Person
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import idempotency, lifecycle, submit, webhooks
from editor.services.library import batches
from editor.services.maintenance import trash
from editor.services.people import accounts, blocks, closing, members
from editor.services.photos import drafts, photos
from editor.services.sharing import reviews
from tests.simulator import oracle
from tests.simulator.scheduler import Scheduler, SimulatedProcess
from tests.simulator.world import Work, World, label_of, submit_id

PROMPT = "black and white"
PEOPLE = ("alice", "bob", "charlie")
SUBMITTING = ("submits", "sends by key", "submits a batch")
SWEEP_SECONDS = 15.0  # time between two sweeps, in seconds
RECOVERY_SECONDS = 60.0  # time without faults after the last action, in seconds
LIMIT = 3600.0
FIRST_RESULT_SECONDS = 45.0  # time that a person waits for a first result, in seconds
EXPECTED = (
    NotFound,
    Forbidden,
    credits.InsufficientCredits,
    credits.CorrectionTooLarge,
    submit.InvalidSubmission,
    submit.QueueFull,
    submit.DraftGone,
    disk_space.DiskFull,
    PhotoError,
    members.LastOwner,
    closing.MayNotClose,
    trash.StillRunning,
    trash.OnHold,
    idempotency.KeyReused,
    idempotency.RequestInProgress,
    batches.PriceChanged,
    credits.NotRefundable,
    reviews.ReviewRefused,
    OperationalError,
    OSError,
)


@dataclass(frozen=True)
class Action:
    """One action, which takes place at second `at`.

    `value` is a number whose meaning depends on the kind of action. `target` is the number of the earlier
    action to which this action refers.
    """

    number: int
    at: float
    kind: str
    who: str
    is_team: bool
    value: int
    target: int

    def __str__(self) -> str:
        return (
            f"act {self.number}: {self.who} {self.kind} ({'team' if self.is_team else 'own'}, {self.value})"
        )


def script_of(seed: int) -> list[Action]:
    """Return, in order, the actions in this seed's schedule. The actions come in bursts."""
    rng = random.Random(seed)
    made: list[Action] = []
    at = 0.0
    verbs, weights = zip(*((verb, weight) for verb, (_, weight) in ACTIONS.items()), strict=True)
    for number in range(1, rng.randint(6, 14)):
        at += rng.choice((0.0, 0.0, 0.0, 0.1, 0.1, 1.0, 6.0, 20.0))
        verb = "submits" if number == 1 else rng.choices(verbs, weights)[0]
        submits = [act.number for act in made if act.kind in SUBMITTING]
        of = rng.choice(submits[-3:]) if submits else 1
        made.append(Action(number, at, verb, rng.choice(PEOPLE), rng.random() < 0.6, rng.randrange(1000), of))
        # Sometimes, two edits are submitted simultaneously.
        if verb in SUBMITTING and rng.random() < (0.5 if number == 1 else 0.25):
            who = made[-1].who if rng.random() < 0.6 else rng.choice(PEOPLE)
            twin = replace(made[-1], number=100 + number, who=who, is_team=True)
            made[-1] = replace(made[-1], is_team=True)
            made.append(twin)
    extra = [*_afterwards(seed, made), *_watching(seed, made), *_two_queues(seed, made)]
    return sorted([*made, *extra], key=lambda act: act.at)


def _afterwards(seed: int, made: list[Action]) -> Iterator[Action]:
    """Yield the actions of reviewers and staff.

    Their random numbers are separate, so that all other actions remain the same.
    """
    rng = random.Random(f"{seed}, afterwards")
    last, submits = made[-1].at, [act.number for act in made if act.kind in SUBMITTING]
    for number in range(50, 50 + rng.randint(0, 8)):
        at, verb = rng.uniform(0, last + RECOVERY_SECONDS), rng.choice(list(REVIEW_ACTIONS))
        yield Action(number, at, verb, rng.choice(PEOPLE), True, rng.randrange(1000), rng.choice(submits))


def _watching(seed: int, made: list[Action]) -> Iterator[Action]:
    """Let some people cancel an edit after its first result. The random numbers for this are separate."""
    rng = random.Random(f"{seed}, watching")
    for number, act in enumerate((act for act in made if act.kind in SUBMITTING), start=70):
        if rng.random() < 0.25:
            at = act.at + rng.uniform(0.1, 1.0)
            yield replace(act, number=number, at=at, kind="cancels while keeping", target=act.number)


def _two_queues(seed: int, made: list[Action]) -> Iterator[Action]:
    """In half of the schedules, let two owners queue several edits simultaneously in two workspaces.

    The random numbers for these actions are separate, so that the other actions remain the same.
    """
    rng = random.Random(f"{seed}, two queues")
    if rng.random() < 0.5:
        at = rng.uniform(0, made[-1].at)
        for number, who, is_team in zip((60, 61), rng.sample(PEOPLE, 2), (True, False), strict=True):
            yield Action(number, at, "fills a queue", who, is_team, rng.randrange(1000), 1)


def people(world: World, script: list[Action]) -> Work:
    """Return the work of a web thread, which performs people's actions one after another."""

    def work(actor: SimulatedProcess) -> None:
        while True:
            actor.wait_until(lambda: script[0].at if script else float("inf"))
            if script and script[0].at <= actor.stage.seconds:
                act = script.pop(0)
                actor.begin(f"act {act.number}")
                _do(world, actor, act)
                actor.end()

    return work


def faults(world: World, script: list[Action]) -> Work:
    """Return the work of the actor that causes the scripted faults of the machine."""

    def work(actor: SimulatedProcess) -> None:
        while True:
            actor.wait_until(lambda: script[0].at if script else float("inf"))
            act = script.pop(0)
            _MISFORTUNES[act.kind](world, act)

    return work


def worker(world: World) -> Work:
    """Return the work of a worker, which receives wake-ups and handles them."""

    def work(actor: SimulatedProcess) -> None:
        while True:
            actor.wait_until(world.next_wake_up)
            if taken := world.take_wake_up():
                task, args = taken
                actor.begin("takes a wake-up")
                label = world.label(task, args)
                times = actor.stage.number(f"does {label}")
                actor.begin(f"{label}, turn {times}")
                actor.current_edit = label
                _guarded(actor, partial(task.call, *args))
                actor.end()

    return work


def housekeeping(world: World, end: float) -> Work:
    """Return the work of housekeeping, which also ends the schedule when every edit has ended."""

    def work(actor: SimulatedProcess) -> None:
        while True:
            turn = actor.stage.number("round")
            for every, module, name in DUTIES:
                if turn % every == 0:
                    actor.begin(f"{name} {turn}")
                    _guarded(actor, getattr(module, name))
                    actor.end()
            _watch(world, actor.stage, end)
            actor.wait(SWEEP_SECONDS)

    return work


DUTIES: tuple[tuple[int, Any, str], ...] = (
    (1, lifecycle, "sweep"),
    (1, webhooks, "deliver_due"),
    (2, audit, "extend_chain"),
    (3, credits, "top_up_all"),
    (7, photos, "remove_orphans"),
    (7, photos, "make_missing_large"),
    (7, idempotency, "delete_expired_claims"),
    (9, trash, "purge_all_due"),
    (9, closing, "wind_up_all"),
)


def _watch(world: World, stage: Scheduler, end: float) -> None:
    if stage.seconds < end:
        return
    if not stage.chance.is_calm:
        stage.chance.is_calm, world.is_full, world.recovered_at = True, False, stage.seconds
    with oracle.paused(stage):
        for sentence in oracle.overdue_edits() if stage.seconds > world.recovered_at + 90 else ():
            stage.fail(sentence)
        is_open = Edit.objects.open().exists()
    if not is_open and world.is_idle:
        stage.is_over = True
    elif stage.seconds > end + LIMIT:
        stage.fail("An edit does not end.")


def _guarded(actor: SimulatedProcess, work: Callable[[], Any]) -> None:
    """Run the work. If an error makes workers and housekeeping retry, log the error."""
    try:
        work()
    except (OperationalError, OSError, SandboxError) as error:
        actor.stage.log(f"{actor.name} ({actor.job}) gives up: {error}")
    except Exception as error:
        actor.stage.fail(f"{actor.name} ({actor.job}) raised {error!r}")


def _do(world: World, actor: SimulatedProcess, act: Action) -> None:
    stage = actor.stage
    stage.log(f"{act}")
    try:
        verb = (REVIEW_ACTIONS | WATCHER_ACTIONS).get(act.kind) or ACTIONS[act.kind][0]
        answer = verb(world, act)
    except EXPECTED as error:
        stage.log(f"act {act.number} is answered: {error!r}")
    except Exception as error:
        stage.fail(f"{act} raised {error!r}")
    else:
        stage.log(f"act {act.number} is done: {answer}")
    with oracle.paused(stage):
        for sentence in (*oracle.caps_exceeded(), *oracle.exposed_unpaid_results()):
            stage.fail(sentence)


def _user(name: str) -> User:
    user = User.objects.get(pk=1 + PEOPLE.index(name))
    if not user.is_active:
        raise NotFound("The account is closed.")
    return user


def _team() -> Workspace:
    return Workspace.objects.get(slug="studio")


def _place(act: Action) -> Workspace:
    return _team() if act.is_team else _user(act.who).personal_workspace


def _person(act: Action) -> Person:
    return access.actor_in(_user(act.who), _place(act))


def _photo() -> io.BytesIO:
    return io.BytesIO(b"PHOTO of a cat")


def _submission(act: Action, **more: Any) -> submit.Submission:
    several = EditOptions(outputs=2 if act.value % 5 == 0 else 1)
    return submit.Submission(prompt=PROMPT, options=several, submit_id=submit_id(act.number), **more)


def _submits(world: World, act: Action) -> Any:
    person = _person(act)
    if existing := submit.find_submitted(person.user, submit_id(act.number)):
        return existing.id
    admission = submit.admit(person)
    if act.value % 6 == 0:
        addresses = [f"https://photos.example.org/{act.number}.jpg"]
        return submit.submit_edit(admission, _submission(act, image_urls=addresses)).id
    draft = drafts.create_draft(person, _photo(), name="cat.jpg")
    return submit.submit_edit(admission, _submission(act, drafts=[draft])).id


def _sends_by_key(world: World, act: Action) -> Any:
    key = ApiKey.objects.filter(user__name=act.who, revoked=None, blocked=None).first()
    if key is None:
        raise NotFound("There is no such key.")
    person = replace(access.actor_in(_user(act.who), _team(), entry_point="api"), key=key)
    name = f"key-{act.number}"

    def make() -> Edit:
        upload = drafts.store_upload(_photo(), name="cat.jpg")
        try:
            submission = _submission(act, drafts=[upload], idempotency_key=name, fingerprint="f")
            return submit.submit_edit(submit.admit(person), replace(submission, source=Edit.Source.API))
        finally:
            drafts.discard_uploads([upload])

    return submit.get_or_create_edit(person.user, make, key=name, fingerprint="f").id


def _sends_again(world: World, act: Action) -> Any:
    """Repeat an earlier action, as a double click does, or a program that received no response."""
    earlier = world.script.get(act.target)
    return ACTIONS[earlier.kind][0](world, earlier) if earlier else None


def _submits_a_batch(world: World, act: Action) -> Any:
    person = _person(act)
    tray = DraftPhoto.Tray.BATCH
    kept = [
        drafts.create_draft(person, _photo(), name="cat.jpg", tray=tray) for _ in range(2 + act.value % 2)
    ]
    order = batches.Order(prompt=PROMPT, drafts=kept, submit_id=submit_id(act.number))
    if existing := batches.find_submitted(person, order.submit_id):
        return existing
    admission = submit.admit(person, edits=len(order.drafts))
    return batches.submit_batch(admission, order, agreed_price=batches.quote_batch(person, order).price)


def _fills_a_queue(world: World, act: Action) -> Any:
    person = _person(act)
    for number in range(3):
        admission = submit.admit(person)
        draft = drafts.create_draft(person, _photo(), name="cat.jpg")
        submission = replace(_submission(act, drafts=[draft]), submit_id=submit_id(act.number, number))
        submit.submit_edit(admission, submission)


def _edit(act: Action, *, is_in_trash: bool = False) -> tuple[Person, Edit]:
    """Return the edit that an earlier action created, if this action's actor may see it.

    The edit is returned as this actor sees it.
    """
    ids = [submit_id(act.target, number) for number in range(4)]
    found = Edit.objects.filter(submit_id__in=ids).order_by("id").first()
    if found is None:
        raise NotFound("There is no such edit yet.")
    return access.find_edit(_user(act.who), found.id, is_in_trash=is_in_trash)


def _cancels(world: World, act: Action) -> Any:
    return lifecycle.cancel(*_edit(act))


def _cancels_while_keeping(world: World, act: Action) -> Any:
    person, edit = _edit(act)
    label, actor = label_of(edit.submit_id), world.current_process()
    until = actor.stage.seconds + FIRST_RESULT_SECONDS
    world.watched.add(label)
    actor.wait_until(lambda: 0.0 if label in world.storing_edits else until)
    return lifecycle.cancel(person, edit) if label in world.storing_edits else "nothing was kept in time"


def _runs_again(world: World, act: Action) -> Any:
    person, edit = _edit(act)
    existing = submit.find_submitted(person.user, submit_id(act.number))
    return (existing or submit.run_again(submit.admit(person), edit, submit_id=submit_id(act.number))).id


def _deletes(world: World, act: Action) -> Any:
    return trash.delete(*_edit(act))


def _restores(world: World, act: Action) -> Any:
    return trash.restore(*_edit(act, is_in_trash=True))


def _empties_the_trash(world: World, act: Action) -> Any:
    return trash.purge(_person(act), Edit.objects.in_trash())


def _is_granted(world: World, act: Action) -> Any:
    reference = f"gift-{act.target if act.value % 3 == 0 else act.number}"
    return credits.grant(None, _place(act), amount=100, reason="A gift", reference=reference)


def _is_corrected(world: World, act: Action) -> Any:
    reference = f"correction-{act.number}"
    return credits.correct(None, _place(act), amount=-30, reason="A mistake", reference=reference)


def _is_capped(world: World, act: Action) -> None:
    owner = access.actor_in(_user("alice"), _team())
    member = Membership.objects.filter(user__name=act.who, workspace=_team()).first()
    amount = (40, 80, 120, 160)[act.value % 4]
    if member is None:
        return
    world.caps_set[act.who] = max(amount, world.caps_set.get(act.who, 10**9))
    caps.set_cap(owner, member, amount)


def _changes_plan(world: World, act: Action) -> Any:
    return Workspace.objects.filter(pk=_place(act).pk).update(plan=("free", "pro")[act.value % 2])


def _leaves(world: World, act: Action) -> None:
    members.leave(access.actor_in(_user(act.who), _team()))


def _is_removed(world: World, act: Action) -> Any:
    member = Membership.objects.filter(user__name=act.who, workspace=_team()).first()
    owner = access.actor_in(_user("alice"), _team())
    return members.remove(owner, member, with_edits=act.value % 2 == 0) if member else None


def _joins(world: World, act: Action) -> None:
    user = _user(act.who)
    role = Membership.Role.OWNER if act.who == "alice" else Membership.Role.EDITOR
    members.set_role(_team(), user, role)


def _revokes_a_key(world: World, act: Action) -> None:
    key = ApiKey.objects.filter(user__name=act.who).first()
    if key:
        accounts.revoke_key(access.actor_in(_user("alice"), _team()), key)


def _closes_the_account(world: World, act: Action) -> None:
    closing.close_account(_user(act.who))


def _closes_the_team(world: World, act: Action) -> None:
    closing.close_team(access.actor_in(_user(act.who), _team()))


def _is_refunded(world: World, act: Action) -> Any:
    ids = [submit_id(act.target, number) for number in range(4)]
    edit = Edit.objects.filter(submit_id__in=ids).order_by("id").first()
    amount = None if act.value % 3 else 10
    return credits.refund("command", edit, reason="It was bad", amount=amount) if edit else None


def _is_reviewed(world: World, act: Action) -> Any:
    person, edit = _edit(act)
    steps = (reviews.send, reviews.approve, reviews.decline, reviews.take_back, reviews.reopen)
    step = steps[act.value % len(steps)]
    step(person, edit, comment="Too dark")
    return f"{step.__name__} of {submit_id(act.target)}"


def _requires_approval(world: World, act: Action) -> None:
    person = access.actor_in(_user(act.who), _team())
    reviews.require_approval(person, is_required=act.value % 2 == 0)


def _is_blocked(world: World, act: Action) -> Any:
    """Let staff block or unblock a member or a key.

    Never block alice, because other actions need her.
    """
    user = User.objects.get(pk=1 + PEOPLE.index(act.who))
    key = ApiKey.objects.filter(user=user).first()
    if act.value % 2 and key is not None:
        block = blocks.unblock_key if act.value % 4 == 1 else blocks.block_key
        return block("command", key, reason="A stolen key")
    if act.who != "alice":
        verb = blocks.unblock_user if act.value % 4 == 0 else blocks.block_user
        return verb("command", user, reason="A stolen account")
    return None


def _clock(world: World, act: Action) -> None:
    seconds = (-400, -60, -5, 5, 60, 400)[act.value % 6]
    world.stage.jump(seconds)
    world.stage.log(f"the clock of the machine is set by {seconds} s")


def _disk(world: World, act: Action) -> None:
    world.is_full = not world.is_full
    world.stage.log(f"the disk is {'full' if world.is_full else 'empty enough again'}")


def _engine(world: World, act: Action) -> None:
    is_embedded_first = bool(act.value % 2)
    settings.ENGINES = tuple(sorted(settings.ENGINES, key=lambda one: one.runs_here != is_embedded_first))
    world.stage.log(f"new edits go to {settings.ENGINES[0].name}")


def _power(world: World, act: Action) -> None:
    world.lose_power()


def _misfortune(world: World, act: Action) -> None:
    """Do nothing, because the simulated machine causes this fault itself (see `faults`)."""


type ActionFunction = Callable[[World, Action], Any]
ACTIONS: dict[str, tuple[ActionFunction, float]] = {
    "submits": (_submits, 11),
    "sends by key": (_sends_by_key, 4),
    "sends again": (_sends_again, 2.5),
    "submits a batch": (_submits_a_batch, 1.5),
    "runs again": (_runs_again, 1),
    "cancels": (_cancels, 3),
    "deletes": (_deletes, 1),
    "restores": (_restores, 0.7),
    "empties the trash": (_empties_the_trash, 0.7),
    "is granted": (_is_granted, 2),
    "is corrected": (_is_corrected, 0.7),
    "is capped": (_is_capped, 1),
    "changes plan": (_changes_plan, 1.2),
    "leaves": (_leaves, 0.4),
    "is removed": (_is_removed, 0.5),
    "joins": (_joins, 0.7),
    "revokes a key": (_revokes_a_key, 0.3),
    "closes the account": (_closes_the_account, 0.3),
    "closes the team": (_closes_the_team, 0.2),
    "sets the clock": (_misfortune, 1),
    "fills the disk": (_misfortune, 1),
    "changes the engine": (_misfortune, 0.8),
    "loses power": (_misfortune, 0.8),
    "fills a queue": (_fills_a_queue, 0),  # Only `_two_queues` adds this action.
}
REVIEW_ACTIONS: dict[str, ActionFunction] = {
    "is refunded": _is_refunded,
    "is reviewed": _is_reviewed,
    "requires approval": _requires_approval,
    "is blocked": _is_blocked,
}
WATCHER_ACTIONS: dict[str, ActionFunction] = {"cancels while keeping": _cancels_while_keeping}
_MISFORTUNES: dict[str, Callable[[World, Action], None]] = {
    "sets the clock": _clock,
    "fills the disk": _disk,
    "changes the engine": _engine,
    "loses power": _power,
}
FAULTS = frozenset(_MISFORTUNES)
