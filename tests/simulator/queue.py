"""The queue of a simulated site: what is enqueued goes to the world that stands."""

from collections.abc import Callable
from typing import Any

from django.tasks import TaskResult, TaskResultStatus
from django.tasks.backends.base import BaseTaskBackend

takers: list[Callable[[Any, Any], None]] = []


class LossyQueue(BaseTaskBackend):
    """Says that it has the task, and leaves it to chance."""

    supports_defer = supports_priority = True

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        takers[-1](task, args)
        return TaskResult(
            task=task,
            id="-",
            status=TaskResultStatus.READY,
            enqueued_at=None,
            started_at=None,
            last_attempted_at=None,
            finished_at=None,
            args=list(args),
            kwargs=dict(kwargs),
            backend=self.alias,
            errors=[],
            worker_ids=[],
        )
