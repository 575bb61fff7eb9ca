"""Fixtures of the verbs, for the commands that are about them."""

from tests.services.conftest import advance as advance
from tests.services.conftest import submitted as submitted
