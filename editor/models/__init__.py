"""The database models, with the constraints and triggers that protect their data."""

from editor.models.accounts import ApiKey, FormerAddress, User
from editor.models.audit import Action, AuditEntry, AuditHead
from editor.models.batches import Batch
from editor.models.credits import CreditEntry, CreditRequest, Spending
from editor.models.edits import Edit, Favorite
from editor.models.engines import Engine
from editor.models.exports import Export
from editor.models.health import Checkup, Housekeeper, ProviderHealth, WorkerSign
from editor.models.openings import Opening
from editor.models.photos import DraftPhoto, Photo, ReferencePhoto, ResultPhoto
from editor.models.programs import IdempotencyClaim, RateCount
from editor.models.recipes import Recipe, RecipePhoto, RecipeVersion
from editor.models.reviews import Comment, Review, Share
from editor.models.usage import DailyUsage
from editor.models.webhooks import WebhookDelivery, WebhookEndpoint
from editor.models.words import EditWords, WordIndex
from editor.models.workspaces import Invitation, Membership, Workspace

__all__ = [
    "Action",
    "ApiKey",
    "AuditEntry",
    "AuditHead",
    "Batch",
    "Checkup",
    "Comment",
    "CreditEntry",
    "CreditRequest",
    "DailyUsage",
    "DraftPhoto",
    "Edit",
    "EditWords",
    "Engine",
    "Export",
    "Favorite",
    "FormerAddress",
    "Housekeeper",
    "IdempotencyClaim",
    "Invitation",
    "Membership",
    "Opening",
    "Photo",
    "ProviderHealth",
    "RateCount",
    "Recipe",
    "RecipePhoto",
    "RecipeVersion",
    "ReferencePhoto",
    "ResultPhoto",
    "Review",
    "Share",
    "Spending",
    "User",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WordIndex",
    "WorkerSign",
    "Workspace",
]
