"""Play one schedule from beginning to end, and shorten it."""

import logging
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from editor.models import ApiKey, Membership, WebhookDelivery, WebhookEndpoint, Workspace
from editor.models.clock import database_now
from editor.providers.engine_settings import EngineSettings
from editor.services.core import audit
from editor.services.editing import lifecycle
from editor.services.photos import photos
from tests import cast
from tests.simulator import actions, oracle
from tests.simulator.actions import Action
from tests.simulator.scheduler import Chance, Scheduler
from tests.simulator.settings import EMBEDDED, MODELS, UPSTREAM
from tests.simulator.world import World, simulated_world

WORKERS = 3
WEB_THREADS = 3
STARTS = (datetime(2031, 5, 14, 12, 0, tzinfo=UTC), datetime(2031, 5, 31, 23, 59, 30, tzinfo=UTC))

CAPS = {"bob": 40, "key of bob": 40, "key of charlie": 40}


@dataclass(frozen=True)
class Schedule:
    """The actions of people, and the random decisions that deviate from the normal course.

    If `decisions` is None, the decisions depend on the seed.
    """

    seed: int
    script: Sequence[Action]
    decisions: Mapping[str, str] | None = None

    def __len__(self) -> int:
        return len(self.script) + len(self.decisions or ())


@dataclass(frozen=True)
class Outcome:
    """The outcome of a schedule.

    `violations` contains the violated invariants, `story` describes what happened, and `played` is the
    schedule, including all its decisions.
    """

    violations: Sequence[str]
    story: Sequence[str]
    played: Schedule


def schedule_of(seed: int) -> Schedule:
    return Schedule(seed, actions.script_of(seed))


def prepare() -> None:
    """Create the database with which every schedule starts."""
    call_command("migrate", verbosity=0)
    with transaction.atomic():
        alice, bob, charlie = (
            cast.make_user(f"{name}@example.org", name=name, credits=80) for name in actions.PEOPLE
        )
        team = cast.make_workspace(alice, name="Studio", credits=40)
        Workspace.objects.filter(pk=team.pk).update(allowance=160)
        for user, cap in ((bob, CAPS["bob"]), (charlie, None)):
            cast.join(team, user)
            Membership.objects.filter(user=user, workspace=team).update(cap=cap)
            name = f"key of {user.name}"
            ApiKey.objects.create(
                public_id=user.name, digest="", user=user, workspace=team, name=name, cap=CAPS[name]
            )
        for place in (team, alice.personal_workspace):
            url = f"https://told.example.org/{place.slug}"
            WebhookEndpoint.objects.create(workspace=place, made_by=alice, url=url, secret="whsec_")
    connection.close()
    Path(_database()).rename(_template())


def play(schedule: Schedule, bug: AbstractContextManager[object] | None = None) -> Outcome:
    """Play the schedule on a fresh site, with a planted bug if `bug` is given."""
    _clear()
    chance = Chance(schedule.seed, schedule.decisions)
    stage = Scheduler(chance, STARTS[schedule.seed % 2])
    listener = oracle.ErrorListener(logging.ERROR)
    logging.getLogger().addHandler(listener)
    is_embedded_first = chance.random_share("engine") < 0.3
    is_safe = chance.random_share("darkroom") < 0.2
    upstream = replace(UPSTREAM, options={"is_darkroom": is_safe})
    if chance.random_share("models") < 0.3:
        upstream = replace(MODELS, options={"repeatable": is_safe})
    settings.ENGINES = (EMBEDDED, upstream) if is_embedded_first else (upstream, EMBEDDED)
    if chance.random_share("stand-in") < 0.3:
        settings.ENGINES = _with_stand_in(upstream, is_embedded_first=is_embedded_first)
    try:
        with simulated_world(stage, schedule.seed) as world, bug or nullcontext():
            world.caps_set |= CAPS
            world.script |= {act.number: act for act in schedule.script}
            _fill(stage, world, schedule.script)
            stage.run()
            if not stage.violations:
                stage.violations += _looked_through(stage, world)
    finally:
        logging.getLogger().removeHandler(listener)
        stage.close()
        connection.close()
    return Outcome(stage.violations, stage.story, Schedule(schedule.seed, schedule.script, chance.taken))


def _with_stand_in(upstream: EngineSettings, *, is_embedded_first: bool) -> tuple[EngineSettings, ...]:
    """Return the engines with another one that gets the waiting edits of a paused engine."""
    other = UPSTREAM if upstream.provider == MODELS.provider else MODELS
    listed = (replace(upstream, stand_in=other.name), other, EMBEDDED)
    return listed[::-1] if is_embedded_first else listed


def shorten(schedule: Schedule, is_broken: Callable[[Schedule], bool], tries: int = 400) -> Schedule:
    """Return a shorter schedule that still violates an invariant (delta debugging)."""
    parts: list[Action | tuple[str, str]] = [*schedule.script, *(schedule.decisions or {}).items()]
    size = max(1, len(parts) // 2)
    while tries:
        at = 0
        before = len(parts)
        while at < len(parts) and tries:
            tries -= 1
            fewer = parts[:at] + parts[at + size :]
            if is_broken(_assembled(schedule.seed, fewer)):
                parts = fewer
            else:
                at += size
        if size == 1 and len(parts) == before:
            break
        size = max(1, size // 2)
    return _assembled(schedule.seed, parts)


def _assembled(seed: int, parts: Sequence[Action | tuple[str, str]]) -> Schedule:
    script = [part for part in parts if isinstance(part, Action)]
    return Schedule(seed, script, dict(part for part in parts if not isinstance(part, Action)))


def _fill(stage: Scheduler, world: World, script: Sequence[Action]) -> None:
    for workspace in Workspace.objects.all():
        cast.make_grant(
            workspace, (40, 40, 120, 300)[int(4 * stage.chance.random_share(f"purse {workspace.pk}"))]
        )
    done_by_people = [act for act in script if act.kind not in actions.FAULTS]
    end = max((act.at for act in script), default=0.0) + actions.RECOVERY_SECONDS
    for number in range(WEB_THREADS):
        stage.add(f"web {number + 1}", actions.people(world, done_by_people))
    for number in range(WORKERS):
        stage.add(f"worker {number + 1}", actions.worker(world))
    stage.add("housekeeping", actions.housekeeping(world, end), after=1.0)
    stage.add("power", actions.faults(world, [act for act in script if act.kind in actions.FAULTS]))


def _looked_through(stage: Scheduler, world: World) -> list[str]:
    """Move the time forward by several hours, and sweep everything that crashes left behind.

    Return the violated invariants.
    """
    stage.chance.is_calm = True
    stage.pass_time(stage.seconds + 3 * 3600)
    lifecycle.sweep()
    photos.remove_orphans()
    # Try all deliveries now, because failed deliveries would otherwise wait for several hours.
    for _ in range(3):
        WebhookDelivery.objects.filter(state="WAITING").update(due=database_now())
        world.deliver_due()
    audit.extend_chain()
    return oracle.final_violations(world)


def _clear() -> None:
    oracle.clear_errors()
    for folder in (settings.PHOTOS_DIR, settings.WORK_DIR):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for path in Path(_database()).parent.glob("simulated.sqlite3*"):
        path.unlink()
    shutil.copyfile(_template(), _database())


def _database() -> str:
    return str(settings.DATABASES["default"]["NAME"])


def _template() -> Path:
    return Path(_database()).with_name("template.sqlite3")
