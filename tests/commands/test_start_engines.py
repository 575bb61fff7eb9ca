"""Tests that `start` writes the engines to the database and refuses a node with a different list."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError

from editor.management.commands import start
from editor.models import Engine
from tests.engines import EMBEDDED, another_site

pytestmark = pytest.mark.django_db
SITE = another_site("https://photos.example.org", api_key="k3y-CANARY")


def test_the_first_node_writes_the_engines(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED, SITE)
    assert start._prepare_engines(may_update=False) == "embedded, photo-editor"
    assert [row.name for row in Engine.objects.configured()] == ["embedded", "photo-editor"]


def test_a_node_with_other_engines_refuses_to_start_and_changes_nothing(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED, SITE)
    start._prepare_engines(may_update=False)
    for engines in ((SITE, EMBEDDED), (EMBEDDED,), (EMBEDDED, replace(SITE, in_flight=9))):
        settings.ENGINES = engines
        with pytest.raises(CommandError, match=r"differ from those of the site .*photo-editor") as refusal:
            start._prepare_engines(may_update=False)
        assert "--update-engines" in str(refusal.value)
        assert "CANARY" not in str(refusal.value)
    assert [row.in_flight for row in Engine.objects.configured()] == [4, 4]


def test_one_node_can_update_the_engines_of_the_site(settings: Any) -> None:
    settings.ENGINES = (EMBEDDED,)
    start._prepare_engines(may_update=False)
    settings.ENGINES = (SITE, EMBEDDED)
    start._prepare_engines(may_update=True)
    start._prepare_engines(may_update=False)
    assert [row.name for row in Engine.objects.configured()] == ["photo-editor", "embedded"]
