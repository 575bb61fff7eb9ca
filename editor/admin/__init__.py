"""The administration: review edits, move credits, and manage people. Read-only by default."""

from editor.admin import accounts, audit, columns, credits, edits, health, webhooks, workspaces

__all__ = ["accounts", "audit", "credits", "edits", "health", "webhooks", "workspaces"]

columns.translate_names()
