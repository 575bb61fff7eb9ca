"""The administration: review of what was made, the purses, and the people. Read-only by default."""

from editor.admin import accounts, audit, columns, credits, edits, health, webhooks, workspaces

__all__ = ["accounts", "audit", "credits", "edits", "health", "webhooks", "workspaces"]

columns.speak()
