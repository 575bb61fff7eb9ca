"""Fixtures that the command tests share with the service tests."""

from tests.services.conftest import advance as advance
from tests.services.conftest import submitted as submitted
