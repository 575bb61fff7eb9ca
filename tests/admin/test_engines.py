"""Tests for switching engines on and off in the admin."""

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client

from editor.models import AuditEntry, Engine, ProviderHealth, User
from tests.cast import make_edit, make_user
from tests.engines import EMBEDDED, another_site, configure

admin.autodiscover()  # The site's URLs also register the admin pages in this way.
pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


def do(client: Client, verb: str, engine: Engine, reason: str) -> Any:
    form = {"row": str(engine.pk), "reason": reason, "token": str(uuid.uuid4())}
    return client.post(f"/admin/editor/engine/do/{verb}/", form)


@pytest.fixture
def site(settings: Any) -> Engine:
    configure(settings, EMBEDDED, another_site(api_key="k3y-CANARY", model="flux"))
    return Engine.objects.get(name="photo-editor")


def test_staff_switch_an_engine_off_and_on_with_a_reason(
    client_of: SignIn, staff: User, site: Engine
) -> None:
    client = client_of(staff)
    assert do(client, "off", site, "Too slow.").status_code == 302
    site.refresh_from_db()
    assert (site.is_on, site.switch_reason) == (False, "Too slow.")
    page = client.get(f"/admin/editor/engine/{site.pk}/change/").text
    assert "flux" in page
    assert "Too slow." in page
    assert "CANARY" not in page
    assert do(client, "on", site, "Fast again.").status_code == 302
    site.refresh_from_db()
    assert site.is_on
    entries = AuditEntry.objects.filter(subject_kind="engine").order_by("id")
    assert [(one.action, one.reason, one.user, one.door) for one in entries] == [
        ("engine_off", "Too slow.", staff, "admin"),
        ("engine_on", "Fast again.", staff, "admin"),
    ]


def test_it_requires_a_reason(client_of: SignIn, staff: User, site: Engine) -> None:
    assert do(client_of(staff), "off", site, "").status_code == 422
    site.refresh_from_db()
    assert site.is_on


def test_staff_without_the_permission_can_only_view_engines(client_of: SignIn, site: Engine) -> None:
    looker = make_user("looker@example.org", is_staff=True)
    looker.user_permissions.set(Permission.objects.filter(codename="view_engine"))
    client = client_of(looker)
    assert client.get("/admin/editor/engine/").status_code == 200
    assert do(client, "off", site, "Too slow.").status_code == 403
    site.refresh_from_db()
    assert site.is_on


def test_the_list_shows_which_engines_are_on_or_not_in_the_settings(
    client_of: SignIn, staff: User, site: Engine, settings: Any
) -> None:
    client = client_of(staff)
    do(client, "off", site, "Too slow.")
    configure(settings, another_site("https://elsewhere.example.org"))
    text = client.get("/admin/editor/engine/").text
    assert text.count("Not in the settings") == 2
    assert "https://elsewhere.example.org" in text
    assert ">On<" in text


def test_every_list_calls_the_built_in_engine_the_same(
    client_of: SignIn, alice: User, staff: User, site: Engine
) -> None:
    engine = Engine.objects.get(name="embedded")
    make_edit(alice, engine=engine)
    ProviderHealth.objects.create(engine=engine)
    client = client_of(staff)
    for name, column in (("edit", "engine_title"), ("engine", "title"), ("providerhealth", "__str__")):
        page = client.get(f"/admin/editor/{name}/").text
        assert re.search(rf'class="field-{column}[^>]*>(<a[^>]*>)?Built-in<', page), name
