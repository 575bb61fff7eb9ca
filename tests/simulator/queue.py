"""The task queue of a simulated site, which passes tasks to the current world."""

from collections.abc import Callable
from typing import Any

from django.tasks.backends.base import BaseTaskBackend

from editor.broker import accepted_result

receivers: list[Callable[[Any, Any], None]] = []


class LossyQueue(BaseTaskBackend):
    """A backend that accepts tasks. Random decisions determine what happens to them."""

    supports_defer = supports_priority = True

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        receivers[-1](task, args)
        return accepted_result(task, args, kwargs, self.alias)
