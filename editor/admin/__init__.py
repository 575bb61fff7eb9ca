"""The admin site, where staff review edits, move credits, and manage people.

Its pages are read-only by default.
"""

from editor.admin import accounts, audit, columns, credits, edits, engines, health, webhooks, workspaces

__all__ = ["accounts", "audit", "credits", "edits", "engines", "health", "webhooks", "workspaces"]

columns.translate_names()
