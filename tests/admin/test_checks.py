"""Tests that Django's own checks find no problems in the admin."""

from django.apps import apps
from django.contrib import admin
from django.urls import reverse


def test_django_checks_find_no_errors_in_the_admin() -> None:
    reverse("admin:index")  # This imports the URLs, which registers the admin pages.
    assert admin.site._registry
    assert admin.site.check(list(apps.get_app_configs())) == []
