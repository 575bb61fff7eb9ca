"""Run one thread at a time, chosen by random decisions.

At certain points, a thread may pass control to another thread, be stopped, or be killed. Time is simulated
and passes only while all threads wait.
"""

import threading
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any

import time_machine
from django.db import OperationalError, connection, connections

# The time between heartbeats, in seconds, like HEARTBEAT_SECONDS.
BEAT = 4.0
# The probability of each event at every point that a thread passes. The thread may lose control, or its
# process may be stopped or killed.
BETWEEN = {"switch": 0.2, "kill": 0.004, "stop": 0.006, "locked": 0.001}
# The probabilities of the same events inside a transaction. On SQLite, a transaction excludes all other
# writers.
INSIDE = {"kill": 0.003, "locked": 0.001}
_STOPS = (5.0, 14.0, 14.0, 30.0, 30.0, 90.0)


class Killed(BaseException):
    """Raised in a thread whose process was killed.

    Everything that the thread does afterward is undone or ignored.
    """


class Chance:
    """A source of random decisions.

    Each decision depends only on its name. Therefore, leaving out one decision does not change the others.
    With a `script`, only the decisions in the script are made. `taken` contains the decisions that deviate
    from the normal course.
    """

    def __init__(self, seed: int, script: Mapping[str, str] | None = None) -> None:
        self.seed = seed
        self.taken: dict[str, str] = {}
        self.is_calm = False
        self._script = script

    def random_share(self, name: str) -> float:
        """Return the number from 0 to 1 that belongs to this name."""
        digest = blake2b(f"{self.seed} {name}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64

    def pick(self, name: str, odds: Mapping[str, float]) -> str:
        """Return one of these outcomes, or "" for the normal course."""
        word = "" if self.is_calm else self._word(name, odds)
        if word:
            self.taken[name] = word
        return word

    def _word(self, name: str, odds: Mapping[str, float]) -> str:
        if self._script is not None:
            return self._script.get(name, "")
        share = self.random_share(name)
        for word, part in odds.items():
            share -= part
            if share < 0:
                return word
        return ""


class SimulatedProcess:
    """A process of the site, simulated by a thread. `job` describes its current work."""

    def __init__(
        self, stage: "Scheduler", name: str, work: Callable[["SimulatedProcess"], None], ready: float
    ) -> None:
        self.stage, self.name, self.work = stage, name, work
        self.job, self.count = "", 0
        self.current_edit: Any = None  # the edit on which the process is working
        self.beat: Callable[[], None] | None = None
        self.until: Callable[[], float] = lambda: ready
        self.is_dead = False
        self.is_watched = True
        self.database: Any = None
        self._turn = threading.Lock()
        self._turn.acquire()
        self.thread = threading.Thread(target=self._live, name=name, daemon=True)
        self.thread.start()

    def begin(self, job: str) -> None:
        self.job, self.count = job, 0

    def end(self) -> None:
        self.job, self.beat, self.current_edit = "", None, None

    def resume(self) -> None:
        """Give control to this actor."""
        self._turn.release()

    def pause(self, odds: Mapping[str, float], what: str = "") -> str:
        """Randomly decide what happens at this point, and return the decision."""
        if self.is_dead or self.stage.is_over:
            raise Killed
        self.count += 1
        name = f"{self.job}.{self.count}"
        fate = self.stage.chance.pick(name, odds)
        if fate == "kill":
            self.kill(what)
        elif fate == "switch":
            self.wait(0)
        elif fate == "stop":
            seconds = _STOPS[int(self.stage.chance.random_share(f"{name} for") * len(_STOPS))]
            self.disturb()
            self.stage.log(f"{self.name} ({self.job}) stands still for {seconds:.0f} s {what}")
            self.wait(seconds)
        return fate

    def disturb(self) -> None:
        """Mark the actor's current work as disturbed, which means that it may fail."""
        self.stage.disturbed.add(self.current_edit)

    def sleep(self, seconds: float, is_over: Callable[[], bool] = lambda: False) -> None:
        """Wait, sending heartbeats, until `is_over` returns true or the time has passed."""
        until = self.stage.seconds + seconds
        while (left := until - self.stage.seconds) > 0 and not is_over():
            self.wait(min(left, BEAT))
            if left > BEAT and self.beat:
                self.beat()
        self.pause(BETWEEN, "while it waited")

    def wait(self, seconds: float) -> None:
        until = self.stage.seconds + seconds
        self.wait_until(lambda: until)

    def wait_until(self, until: Callable[[], float]) -> None:
        self.until = until
        if not self.stage.is_over:
            self.stage.switch_from(self)
            self._turn.acquire()
        if self.is_dead or self.stage.is_over:
            raise Killed

    def kill(self, what: str) -> None:
        """End the actor as SIGKILL would.

        The database rolls back, and the actor does nothing afterward.
        """
        self.stage.log(f"{self.name} ({self.job}) is killed {what}")
        self.stage.replace_process(self)
        self.wait(0)

    def _live(self) -> None:
        self._turn.acquire()
        try:
            if not self.stage.is_over:
                connection.execute_wrappers.append(self._statement)
                self.database = connections["default"]
                self.stage.thread_state.actor = self
                self.work(self)
        except Killed:
            pass
        except Exception as error:
            self.stage.fail(f"{self.name} ({self.job}) ended with {error!r}")
        finally:
            self.is_dead = True
            connection.execute_wrappers.clear()
            connection.close()
            if self.stage.is_over:
                self.stage.finished.set()

    def _statement(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.is_watched:
            return execute(sql, params, many, context)
        inside = connection.in_atomic_block
        fate = self.pause(INSIDE if inside else BETWEEN, f"before {_short(sql)}")
        if fate == "locked":
            self.disturb()
            self.stage.log(f"{self.name} ({self.job}) finds the database locked at {_short(sql)}")
            raise OperationalError("database is locked")
        return execute(sql, params, many, context)


class Scheduler:
    """All actors of one schedule.

    `story` describes what happened, `violations` contains the violated invariants, and `disturbed` contains
    the work that was in progress when a fault occurred.
    """

    def __init__(self, chance: Chance, start: datetime) -> None:
        self.chance = chance
        self.seconds = 0.0
        self.is_over = False
        self.story: list[str] = []
        self.violations: list[str] = []
        self.disturbed: set[Any] = set()
        self.times: Counter[str] = Counter()
        self.thread_state = threading.local()
        self.actors: list[SimulatedProcess] = []
        self.killed: list[SimulatedProcess] = []
        self._start, self._jumped = start.timestamp(), 0.0
        self.finished = threading.Event()
        self._travel = time_machine.travel(start, tick=False)
        self._clock = self._travel.start()

    def add(self, name: str, work: Callable[[SimulatedProcess], None], *, after: float = 0.0) -> None:
        self.actors.append(SimulatedProcess(self, name, work, self.seconds + after))

    def replace_process(self, actor: SimulatedProcess) -> None:
        """Roll back a dead actor's transaction. After some time, start a new process in the actor's place."""
        actor.is_dead = True
        actor.disturb()
        if actor.database is not None and actor.database.connection is not None:
            actor.database.connection.rollback()
            actor.database.connection.close()
        self.actors.remove(actor)
        self.killed.append(actor)
        self.add(actor.name, actor.work, after=2.0)

    def number(self, name: str) -> int:
        """Count one more occurrence of this event, and return the number of occurrences."""
        self.times[name] += 1
        return self.times[name]

    def actor(self) -> SimulatedProcess | None:
        """Return the actor that this thread runs."""
        return getattr(self.thread_state, "actor", None)

    def log(self, text: str) -> None:
        if not self.is_over:
            self.story.append(f"{self.seconds:7.1f}  {text}")

    def fail(self, sentence: str) -> None:
        """Record a violated invariant and end the schedule.

        Violations that dead actors report are ignored.
        """
        actor = self.actor()
        if self.is_over or (actor is not None and actor.is_dead):
            return
        self.log(f"BROKEN: {sentence}")
        self.violations.append(sentence)
        self.is_over = True

    def jump(self, seconds: float) -> None:
        """Set the machine's clock forward or back."""
        self._jumped += seconds
        self._set_clock()

    def pass_time(self, until: float) -> None:
        self.seconds = until
        self._set_clock()

    def run(self) -> None:
        """Play until the schedule is over, and then end all threads one after another."""
        self.actors[0].resume()
        if not self.finished.wait(600):
            self.violations.append("The stage stands still: two wait for each other.")
        self.is_over = True
        for actor in (*self.actors, *self.killed):
            if actor.thread.is_alive():
                actor.resume()
                actor.thread.join(600)

    def close(self) -> None:
        self._travel.stop()

    def switch_from(self, actor: SimulatedProcess) -> None:
        """Pass control to an actor that is ready now.

        If there is none, wait for the actor that is ready next.
        """
        ready = [(other.until(), place) for place, other in enumerate(self.actors)]
        soonest = min(ready)[0]
        if soonest > self.seconds:
            self.pass_time(soonest)
        able = [self.actors[place] for time, place in ready if time <= self.seconds]
        self._chosen(actor, able).resume()

    def _chosen(self, actor: SimulatedProcess, able: list[SimulatedProcess]) -> SimulatedProcess:
        others = [other for other in able if other is not actor] or able
        if len(others) == 1:
            return others[0]
        share = self.chance.random_share(f"after {actor.job}.{actor.count}")
        return others[int(share * len(others))]

    def _set_clock(self) -> None:
        self._clock.move_to(self._start + self.seconds + self._jumped)


def _short(sql: str) -> str:
    return " ".join(sql.split()[:4])[:60]
