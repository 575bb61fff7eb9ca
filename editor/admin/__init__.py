"""The administration: review of what was made, the purses, and the people. Read-only by default."""

from django.contrib import admin

from editor.admin import accounts, credits, edits, health, webhooks, workspaces

__all__ = ["accounts", "credits", "edits", "health", "webhooks", "workspaces"]

admin.site.site_header = "Darkroom"
admin.site.site_title = "Darkroom"
admin.site.index_title = "Administration"
