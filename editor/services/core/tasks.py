"""Background tasks whose paths stay the same when their functions move."""

from collections.abc import Callable
from dataclasses import dataclass

from django.tasks import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTask[**P, T](Task[P, T]):
    """A task that is queued under `path` instead of its function's own path.

    Queued rows and messages identify a task by its path, and two releases run at the same time during an
    upgrade. Therefore, a task keeps the path under which it was first released, and a module at this path
    imports the task.
    """

    path: str

    @property
    def module_path(self) -> str:
        return self.path


def stored_task[**P, T](path: str) -> Callable[[Callable[P, T]], StoredTask[P, T]]:
    """Return a decorator that turns a function into a task with this path."""

    def decorate(function: Callable[P, T]) -> StoredTask[P, T]:
        return StoredTask(func=function, path=path)

    return decorate
