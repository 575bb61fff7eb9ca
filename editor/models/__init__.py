"""The nouns: what is kept, and what the database itself refuses."""

from editor.models.accounts import ApiKey, User
from editor.models.credits import CreditEntry
from editor.models.edits import DraftPhoto, Edit, Photo, ReferencePhoto, ResultPhoto
from editor.models.health import ProviderHealth
from editor.models.workspaces import Membership, Workspace

__all__ = [
    "ApiKey",
    "CreditEntry",
    "DraftPhoto",
    "Edit",
    "Membership",
    "Photo",
    "ProviderHealth",
    "ReferencePhoto",
    "ResultPhoto",
    "User",
    "Workspace",
]
