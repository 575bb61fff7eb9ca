"""Count the queries of a history page.

The number of queries must not depend on the number of edits.
"""

from tests.benchmarks import Row

# The maximum number of queries. Some of them load the session, the user, the membership, and the edits with
# their photos. The others load the data of the workspace switcher, the engine filter, the search, and the
# recipes for selected edits.
LIMIT = 10


def run() -> list[Row]:
    """Count the queries that a signed-in user's request makes in this process, on SQLite."""
    from django.core.management import call_command

    from tests import cast

    call_command("migrate", verbosity=0)
    few, many = (cast.make_user(f"history{count}@example.org", credits=4000) for count in (5, 50))
    for user, count in ((few, 5), (many, 50)):
        for _ in range(count):
            cast.make_edit(user)
    counts = [_queries(user, f"/w/history{count}/history/") for user, count in ((few, 5), (many, 50))]
    return [
        Row("queries for 5 edits", counts[0], LIMIT, "queries", counts[0] <= LIMIT),
        Row("queries for 50 edits", counts[1], LIMIT, "queries", counts[1] == counts[0] <= LIMIT),
    ]


def _queries(user: object, address: str) -> int:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    client = Client(headers={"host": "localhost"})
    client.force_login(user)  # type: ignore[arg-type]
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)
