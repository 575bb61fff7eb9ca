"""Fixtures that the command tests share with the tests of services."""

from tests.services.conftest import advance as advance
from tests.services.conftest import submitted as submitted
