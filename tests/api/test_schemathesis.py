"""Property-based tests of the API against its OpenAPI description, with thousands of generated requests.

SCHEMATHESIS_EXAMPLES sets the number of requests for each operation (500 by default).
"""

import json
import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from editor.api import auth
from editor.models import Edit, User
from editor.services.maintenance import invariants
from editor.services.people import accounts
from photoeditor_site.wsgi import application
from tests import cast

pytestmark = pytest.mark.django_db(transaction=True)
FEW_EXAMPLES = 15
MANY_EXAMPLES = int(os.environ.get("SCHEMATHESIS_EXAMPLES", "500"))
PHOTO = cast.photo_bytes(16, 12)
VALUES = {"tone": "warmer"}
BOX = {"image": 1, "x": 0.25, "y": 0, "w": 0.5, "h": 1}
MILLIONS = 10**9
STATES = ("QUEUED", "RUNNING", "SUCCESS", "FAILED", "CANCELLED")


@pytest.fixture(autouse=True)
def _requests_are_not_limited(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.API_CREATES_PER_MINUTE = settings.API_READS_PER_MINUTE = 10**6
    monkeypatch.setattr(auth, "FAILURES_PER_MINUTE", 10**6)


@pytest.fixture
def rich(transactional_db: None) -> Iterator[tuple[User, str]]:
    """Yield a user and their API key, and check afterward that all invariants hold.

    The user can pay for all requests and has edits in several states.
    """
    user = cast.make_user("rich@example.org", credits=MILLIONS)
    for state in STATES:
        cast.make_edit(user, state=state, references=0)
    yield user, accounts.create_api_key(cast.actor_of(user), name="k")[1]
    assert not invariants.find_violations(with_files=False)


schema = schemathesis.openapi.from_wsgi("/api/openapi.json", application, headers={"Host": "localhost"})
# The site ignores unknown query parameters, which a schema cannot express.
schema.config.generation.update(allow_extra_parameters=False)


def examples(count: int) -> hypothesis_settings:
    return hypothesis_settings(
        max_examples=count, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )


@schema.parametrize()
@examples(FEW_EXAMPLES)
def test_the_api_conforms_to_its_description(case: Any, rich: tuple[User, str]) -> None:
    assert_described(case, *rich)


@pytest.mark.slow
@schema.parametrize()
@examples(MANY_EXAMPLES)
def test_the_api_conforms_to_its_description_in_hundreds_of_requests(
    case: Any, rich: tuple[User, str]
) -> None:
    assert_described(case, *rich)


def assert_described(case: Any, user: User, secret: str) -> None:
    if case.meta.generation.mode.is_positive:
        _make_possible(case)
        _name_a_task(case, user)
    case.call_and_validate(headers={"Authorization": f"Bearer {secret}", "Host": "localhost"})
    _assert_balance_is_right(user)


def _assert_balance_is_right(user: User) -> None:
    workspace = user.personal_workspace
    workspace.refresh_from_db()
    succeeded = Edit.objects.filter(state="SUCCESS").count()
    assert workspace.balance == MILLIONS - 40 * succeeded
    assert workspace.held == 40 * Edit.objects.open().count()


def _name_a_task(case: Any, user: User) -> None:
    """Replace most task IDs with the IDs of existing edits. No tasks have the remaining IDs."""
    for place in (case.query, case.body):
        if (
            isinstance(place, dict)
            and "taskId" in place
            and not place["taskId"].endswith(("0", "1", "2", "3"))
        ):
            edits = user.edits.order_by("id")[: len(STATES)]
            place["taskId"] = str(edits[int(place["taskId"][-2], 16) % len(STATES)].id)


def _make_possible(case: Any) -> None:
    """Replace values that break a rule that a schema cannot express.

    For example, an idempotency key must be new, a prompt must be printable, an engine must be known,
    boxes must be inside photos, files must be photos, and a cursor must belong to the same list.
    """
    if isinstance(case.query, dict) and "cursor" in case.query:
        case.query["cursor"] = str(uuid.uuid4())
        # The search results use a different cursor format than the other lists.
        case.query.pop("q", None)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    body = case.body
    if isinstance(body, dict) and body.keys() & {"prompt", "recipe"}:
        if "prompt" in body:
            body["prompt"] = "warmer" + "".join(filter(str.isprintable, body["prompt"]))[:1900]
        if "recipe" in body:
            # An HTML form omits empty values, so replace an empty recipe.
            body["recipe"] = body["recipe"] or "none"
            body.pop("prompt", None)
        if body.get("engine"):
            body["engine"] = "embedded"
        if isinstance(body.get("variables"), str):
            body["variables"] = json.dumps(VALUES)
        if isinstance(body.get("numImages"), float):
            body["numImages"] = int(body["numImages"])  # JSON Schema treats 2.0 as an integer.
        if "imageUrls" in body:
            body["imageUrls"] = [f"https://example.org/{n}" for n in range(len(body["imageUrls"]))]
        for name in body.keys() & {f"file{n}" for n in range(5)}:
            body[name] = PHOTO
        if isinstance(body.get("regions"), str):
            body["regions"] = json.dumps([BOX])
        elif body.get("regions"):
            body["regions"] = [box | BOX for box in body["regions"]]
        if isinstance(body.get("points"), str):
            body["points"] = json.dumps([{"x": 0.5, "y": 0.5}])
        elif body.get("points"):
            body["points"] = [point | {"image": 1} for point in body["points"]]
            # A point can remove something from a selection only if an earlier point has selected something.
            body["points"][0]["keep"] = True
