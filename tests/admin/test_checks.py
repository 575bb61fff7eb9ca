"""Tests that Django's own checks find no problems in the admin."""

from django.apps import apps
from django.contrib import admin
from django.urls import reverse


def test_django_finds_nothing_wrong_with_the_administration() -> None:
    reverse("admin:index")  # This imports the URLs, which registers the admin pages.
    assert admin.site._registry
    assert admin.site.check(list(apps.get_app_configs())) == []
