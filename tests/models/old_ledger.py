"""Create a ledger in which entries do not yet store the balance.

It has two workspaces and about 1,000 entries.
"""

import random
import uuid
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests.models.old_database import OldDatabase

EDITS = 225  # number of edits in each workspace, each with a hold and a settlement
_STATES = ("SUCCESS", "SUCCESS", "SUCCESS", "FAILED", "CANCELLED")


def write_ledger(old: OldDatabase) -> None:
    """Write both ledgers, alternating between them. In each ledger, the last edit is still open."""
    chance = random.Random(12)
    accounts = [_Account(old, name) for name in ("alice", "bob")]
    for _ in range(EDITS):
        for account in accounts:
            account.live(chance)
    for account in accounts:
        account.close()


class _Account:
    """A workspace and its ledger, computed with plain arithmetic."""

    def __init__(self, old: OldDatabase, name: str) -> None:
        self._old, self._balance = old, 0
        self._user = old.rows("User").create(email=f"{name}@example.org", password="!")
        self._workspace = old.rows("Workspace").create(name=name, personal_user=self._user)
        old.rows("Membership").create(workspace=self._workspace, user=self._user, role="owner")
        self._move("grant", 400, reference="opening")

    def live(self, chance: random.Random) -> None:
        """Add an edit that has ended. Sometimes also add a grant or a correction."""
        if self._balance < 100:
            self._move("grant", chance.randint(40, 900))
        if chance.random() < 0.1:
            self._move("adjustment", chance.randint(-40, 40))
        edit = self._edit(chance.choice(_STATES))
        self._enter("hold", 40, edit=edit)
        self._enter("capture" if edit.state == "SUCCESS" else "release", 40, edit=edit)
        self._balance -= 40 if edit.state == "SUCCESS" else 0

    def close(self) -> None:
        self._enter("hold", 40, edit=self._edit("QUEUED"))
        self._workspace.balance, self._workspace.held = self._balance, 40
        self._workspace.save()

    def _move(self, kind: str, amount: int, **fields: str) -> None:
        self._balance += amount
        self._enter(kind, amount, **fields)

    def _enter(self, kind: str, amount: int, **fields: Any) -> None:
        self._old.rows("CreditEntry").create(workspace=self._workspace, kind=kind, amount=amount, **fields)

    def _edit(self, state: str) -> Any:
        """Create an edit without photos, like an edit that was purged or that is still waiting for photos."""
        now = timezone.now()
        ended = None if state == "QUEUED" else now
        return self._old.rows("Edit").create(
            id=uuid.uuid4(),
            workspace=self._workspace,
            owner=self._user,
            prompt="make the sky darker",
            provider="embedded",
            price=40,
            state=state,
            due=now,
            deadline=now + timedelta(days=1),
            submit_id=uuid.uuid4(),
            finished=ended,
            purged=ended,
        )
