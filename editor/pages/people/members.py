"""The pages for a team's members, their roles, and the team's invitations."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from editor.actors import with_actor
from editor.models import Invitation, Membership, User
from editor.models.ids import parse_number
from editor.models.wording import number
from editor.pages.parameters import site_of
from editor.services.core.access import Actor, Right
from editor.services.people import invitations
from editor.services.people import members as service

Role = Membership.Role
LIFETIMES = {"1": gettext_lazy("Tomorrow"), "7": gettext_lazy("In 7 days"), "30": gettext_lazy("In 30 days")}
LINK_IS_MAILED = gettext_lazy(
    "We email the link to this address, and it works only for this address. Leave this empty to get a link "
    "to copy."
)
LINK_IS_COPIED = gettext_lazy(
    "The link works only for this address. Leave this empty to get a link that anyone can use."
)
ROLE_CHANGED_MESSAGES = {
    Role.OWNER: gettext_lazy("%(name)s is now an owner."),
    Role.ADMIN: gettext_lazy("%(name)s is now a team admin."),
    Role.EDITOR: gettext_lazy("%(name)s is now an editor."),
    Role.VIEWER: gettext_lazy("%(name)s is now a viewer."),
}


class InvitationForm(forms.Form):
    email = forms.EmailField(
        required=False,
        max_length=254,
        label=gettext_lazy("Email address"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[(role.value, role.label) for role in invitations.ROLES]
    )
    days = forms.ChoiceField(label=gettext_lazy("Expires"), choices=list(LIFETIMES.items()), initial="7")
    uses = forms.IntegerField(
        label=gettext_lazy("Number of people"),
        initial=1,
        min_value=1,
        max_value=invitations.MAX_USES,
        help_text=gettext_lazy(
            "An invitation for more than one person is for editors or viewers and lasts at most 7 days."
        ),
    )

    def __init__(self, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["email"].help_text = LINK_IS_MAILED if settings.EMAIL_URL else LINK_IS_COPIED


@require_safe
@with_actor(Right.VIEW)
def members(request: HttpRequest, actor: Actor) -> HttpResponse:
    if not actor.workspace.is_team:
        return render(request, "pages/members/alone.html")
    return _members_page(request, actor, InvitationForm())


@require_POST
@with_actor(Right.MANAGE_MEMBERS)
def invite(request: HttpRequest, actor: Actor) -> HttpResponse:
    service.require_team(actor.workspace)
    form = InvitationForm(request.POST)
    if not form.is_valid() or not _is_invited(request, actor, form):
        return _members_page(request, actor, form, status=422)
    return redirect(reverse("members", args=[actor.workspace.slug], fragment="pending"))


@require_POST
@with_actor(Right.MANAGE_MEMBERS)
def revoke_invitation(request: HttpRequest, actor: Actor, invitation_id: int) -> HttpResponse:
    invitation = get_object_or_404(Invitation, pk=invitation_id, workspace=actor.workspace)
    invitations.revoke(actor, invitation)
    messages.success(request, _("The invitation has been revoked."))
    return redirect("members", actor.workspace.slug)


@require_POST
@with_actor(Right.MANAGE_MEMBERS)
def change_role(request: HttpRequest, actor: Actor, user_id: int) -> HttpResponse:
    member = _member(actor, user_id)
    role = request.POST.get("role", "")
    if role not in Role.values:
        messages.error(request, _("Choose a role: owner, admin, editor, or viewer."))
    else:
        try:
            impact = service.change_role(actor, member, role=Role(role))
        except service.LastOwner as error:
            messages.error(request, str(error))
        else:
            changed = ROLE_CHANGED_MESSAGES[Role(role)] % {"name": member.user.label}
            messages.success(request, " ".join([changed, *_sentences_about(impact)]))
    return redirect("members", actor.workspace.slug)


def _sentences_about(impact: service.DemotionImpact) -> list[str]:
    links = ngettext("%(n)s guest link stopped working.", "%(n)s guest links stopped working.", impact.links)
    invitations = ngettext(
        "%(n)s open invitation was revoked.", "%(n)s open invitations were revoked.", impact.invitations
    )
    counted = (links, impact.links), (invitations, impact.invitations)
    return [sentence % {"n": number(count)} for sentence, count in counted if count]


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.MANAGE_MEMBERS)
def remove_member(request: HttpRequest, actor: Actor, user_id: int) -> HttpResponse:
    member = _member(actor, user_id)
    if request.method != "POST":
        return _removal_page(request, member)
    try:
        trashed = service.remove(actor, member, with_edits=request.POST.get("edits") == "trash")
    except service.LastOwner as error:
        return _removal_page(request, member, error=str(error))
    message = _("%(name)s was removed from the team.") % {"name": member.user.label}
    edits = ngettext("%(n)s edit was moved to the trash.", "%(n)s edits were moved to the trash.", trashed)
    messages.success(request, f"{message} {edits % {'n': number(trashed)}}" if trashed else message)
    return redirect("members", actor.workspace.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.VIEW)
def leave(request: HttpRequest, actor: Actor) -> HttpResponse:
    member = _member(actor, actor.user.pk)
    if request.method != "POST":
        return _removal_page(request, member)
    try:
        service.leave(actor)
    except service.LastOwner as error:
        return _removal_page(request, member, error=str(error))
    messages.success(request, _("You left %(team)s.") % {"team": actor.workspace.name})
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.HAND_OVER)
def hand_over(request: HttpRequest, actor: Actor) -> HttpResponse:
    others = service.successors_of(_member(actor, actor.user.pk))
    if request.method != "POST":
        return render(request, "pages/members/hand_over.html", {"others": others})
    chosen = parse_number(request.POST.get("member", ""))
    member = others.filter(user_id=chosen).first() if chosen else None
    if member is None:
        context = {"others": others, "error": _("Choose the new owner.")}
        return render(request, "pages/members/hand_over.html", context, status=422)
    service.hand_over(actor, member)
    template = _("%(name)s now owns %(team)s. You're now a team admin.")
    messages.success(request, template % {"name": member.user.label, "team": actor.workspace.name})
    return redirect("members", actor.workspace.slug)


def _is_invited(request: HttpRequest, actor: Actor, form: InvitationForm) -> bool:
    given = form.cleaned_data
    wanted = {"role": Role(given["role"]), "email": given["email"], "uses": given["uses"]}
    try:
        invitation = invitations.invite(actor, actor.workspace, days=int(given["days"]), **wanted)
        if invitations.is_to_be_mailed(invitation.email):
            invitations.send(invitation, site=site_of(request))
            template = _("An invitation was sent to %(email)s.")
            messages.success(request, template % {"email": invitation.email})
        else:
            messages.success(request, _("The invitation was created. Copy its link."))
    except invitations.InvitationRefused as error:
        form.add_error(None, str(error))
    return not form.errors


def _members_page(
    request: HttpRequest, actor: Actor, form: InvitationForm, *, status: int = 200
) -> HttpResponse:
    pending = invitations.open_invitations(actor.workspace) if actor.has(Right.MANAGE_MEMBERS) else ()
    context = {
        "form": form,
        "members": service.members_of(actor.workspace),
        "roles": service.assignable_roles(actor),
        "pending": [(one, invitations.link_of(one, site=site_of(request))) for one in pending],
    }
    response = render(request, "pages/members/members.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def _removal_page(request: HttpRequest, member: Membership, *, error: str = "") -> HttpResponse:
    """Ask for confirmation before a membership ends, and show what it affects."""
    impact, days = service.removal_impact(member), settings.TRASH_DAYS
    context = {"member": member, "impact": impact, "days": days, "error": error}
    if member.user == request.user and service.is_last_owner(member):
        context |= {"is_last_owner": True, "has_successors": service.successors_of(member).exists()}
    return render(request, "pages/members/removal.html", context, status=422 if error else 200)


def _member(actor: Actor, user_id: int) -> Membership:
    service.require_team(actor.workspace)
    # Find the user first. If an ID is too large for SQLite, Django can handle a lookup by primary key but not
    # a lookup by foreign key.
    named = User.objects.filter(pk=user_id)
    return get_object_or_404(service.members_of(actor.workspace), user__in=named)
