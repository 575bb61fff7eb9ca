"""Fixtures of the service tests that command tests share."""

from tests.services.conftest import advance as advance
from tests.services.conftest import submitted as submitted
