"""Tests that each engine has its own price, at which edits are quoted, refused, and charged."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from editor.models import Engine, User, Workspace
from editor.services.billing.credits import InsufficientCredits
from editor.services.editing import engines, submit
from tests import cast
from tests.engines import EMBEDDED, another_site, configure

pytestmark = pytest.mark.django_db(transaction=True)
DEAR = replace(EMBEDDED, price_free=60, price_pro=55)


@pytest.mark.parametrize(("plan", "price"), [("free", 60), ("pro", 55)])
def test_an_edit_is_held_and_quoted_at_the_price_of_its_engine(
    alice: User, settings: Any, submitted: Any, client_of: Any, plan: str, price: int
) -> None:
    configure(settings, DEAR)
    Workspace.objects.filter(pk=alice.personal_workspace.pk).update(plan=plan)
    edit = submitted(alice)
    workspace = Workspace.objects.get(pk=alice.personal_workspace.pk)
    assert (edit.price, workspace.held, workspace.price) == (price, price, price)
    client: Client = client_of(alice)
    slug = workspace.slug
    assert f"<dd>{price} credits</dd>" in client.get(f"/w/{slug}/").text.replace("\n", "")
    assert f"{price} credits" in client.get(f"/w/{slug}/credits/").text


def test_a_plan_without_an_engine_price_uses_the_sites_price(settings: Any) -> None:
    configure(settings, replace(EMBEDDED, price_free=60))
    engine = Engine.objects.get()
    assert (engine.price_for("free"), engine.price_for("pro")) == (60, 35)


def test_an_edit_is_not_admitted_if_the_engines_price_exceeds_the_credits(alice: User, settings: Any) -> None:
    configure(settings, DEAR)
    Workspace.objects.filter(pk=alice.personal_workspace.pk).update(held=345)
    with pytest.raises(InsufficientCredits):
        submit.admit(cast.actor_of(alice))
    configure(settings, EMBEDDED)
    submit.admit(cast.actor_of(User.objects.get(pk=alice.pk)))


def test_switching_off_the_default_engine_changes_the_price(alice: User, staff: User, settings: Any) -> None:
    configure(settings, EMBEDDED, another_site(price_free=90))
    assert alice.personal_workspace.price == 40
    engines.switch_off(staff, Engine.objects.get(name="embedded"), reason="Maintenance.")
    assert Workspace.objects.get(pk=alice.personal_workspace.pk).price == 90
