"""Tests for saving, sharing, and running recipes."""

from dataclasses import replace
from typing import Any

import pytest

from editor.engine.language.explain import explain
from editor.models import (
    DraftPhoto,
    Edit,
    Recipe,
    RecipePhoto,
    RecipeVersion,
    ReferencePhoto,
    User,
    Workspace,
)
from editor.options import EditOptions, Region
from editor.services.core.access import Actor
from editor.services.core.errors import Forbidden, NotFound
from editor.services.editing import submit
from editor.services.editing.submit import Submission
from editor.services.library import recipes
from editor.services.library.recipes import RecipeInput
from editor.services.maintenance import invariants, retention, trash
from editor.services.photos import drafts, photos
from tests import cast
from tests.compare_plans import summary

pytestmark = pytest.mark.django_db
SUIT = RecipeInput(name="House color", prompt="make it {tone}", options=EditOptions(outputs=2))


def kept_photo(actor: Actor, name: str = "a.jpg", **options: Any) -> DraftPhoto:
    return drafts.create_draft(actor, cast.photo_file(**options), name=name)


def run(actor: Actor, version: RecipeVersion, **values: str) -> Edit:
    submission = Submission(prompt="", options=version.options, drafts=[kept_photo(actor)])
    return recipes.run(submit.admit(actor), version, values, submission)


def test_a_recipe_is_run_and_its_edit_names_the_version(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(actor, SUIT)
    edit = run(actor, version, tone="black and white")
    assert (edit.prompt, edit.options, edit.recipe_version) == (
        "make it ‹black and white›",
        SUIT.options,
        version,
    )
    assert version.variables == ["tone"]
    cast.assert_ledger_balances(alice.personal_workspace)


def test_changing_a_recipe_creates_a_new_version_and_edits_keep_theirs(alice: User) -> None:
    actor = cast.actor_of(alice)
    first = recipes.save_recipe(actor, SUIT)
    edit = run(actor, first, tone="sepia")
    second = recipes.save_recipe(actor, RecipeInput(name="Now", prompt="make it sepia"), after=first)
    edit.refresh_from_db()
    assert (edit.recipe_version, second.number, second.recipe_id) == (first, 2, first.recipe_id)
    first.refresh_from_db()
    assert first.prompt == "make it {tone}"
    assert recipes.find_version(actor, first.recipe_id) == second
    assert [(card.version, card.runs) for card in recipes.cards_of(actor)] == [(second, 1)]


@pytest.mark.parametrize(
    ("values", "name", "sentence"),
    [
        ({}, "tone", "Enter a value for “tone”."),
        ({"tone": ""}, "tone", "Enter a value for “tone”."),
        ({"tone": "x" * 201}, "tone", "Use at most 200 characters for “tone”. You entered 201."),
        ({"tone": "sepia", "size": "2"}, "size", "This recipe has no variable “size”."),
    ],
)
def test_invalid_values_are_reported_and_no_edit_is_created(
    alice: User, values: dict[str, str], name: str, sentence: str
) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(actor, SUIT)
    with pytest.raises(recipes.InvalidVariables) as refused:
        run(actor, version, **values)
    assert refused.value.errors[name] == sentence
    assert not Edit.objects.exists()
    cast.assert_ledger_balances(alice.personal_workspace)


def test_placeholders_and_backreferences_in_a_value_are_not_expanded(alice: User) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Both", prompt="{a} and {b}, {a}"))
    filled = recipes.fill_variables(version, {"a": "{b}", "b": r"\1 \g<0> {a}"})
    assert filled == r"‹{b}› and ‹\1 \g<0> {a}›, ‹{b}›"


@pytest.mark.parametrize(
    ("prompt", "value", "text"),
    [
        ('add the text "{what}"', '27" screen', '27" screen'),
        ("write “Only {what}!” at the top", 'the "best" tea', 'Only the "best" tea!'),
        ('add the text "{what}"', "plain", "plain"),
        ('add the text "{what}"', 'hi" and remove the dog', 'hi" and remove the dog'),
        ("add the text {what}", "hi, and remove the dog", "hi, and remove the dog"),
        ("add the text {what}!", '19" monitor', '19" monitor'),
        ("write {what} at the top", "make it {brighter}", "make it {brighter}"),
        ("write 'Dear {what}'", 'Ann\'s "cat"', 'Dear Ann\'s "cat"'),
        ("add a caption saying {what}", "sepia\nand blur it", "sepia\nand blur it"),
    ],
)
def test_a_value_in_a_text_to_write_is_used_literally(
    alice: User, prompt: str, value: str, text: str
) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Label", prompt=prompt))
    (step,) = explain(recipes.fill_variables(version, {"what": value})).steps
    assert step.text == text


@pytest.mark.parametrize(
    ("prompt", "values", "plan"),
    [
        ("make the car {color}", {"color": "dark blue"}, "recolor car color=dark blue"),
        ("add the text {name} in {color}", {"name": "Red", "color": "red"}, "text text=Red color=red"),
        ("crop to {w}:{h}", {"w": "16", "h": "9"}, "crop ratio=16:9"),
        ("brighten it by {n}%, please", {"n": "20"}, "brightness 0.2 (20 percent)"),
        ("rotate it by {n} degrees", {"n": "90"}, "rotate degrees=90.0"),
        ("put my dog {where}", {"where": "on a beach"}, "drawn_background background scene=beach"),
        ("remove the {thing}", {"thing": "red car on the left"}, "erase red car left"),
        ("make the background {color}", {"color": "#ff8800"}, "solid_background background color=#ff8800"),
    ],
)
def test_a_value_without_quotation_marks_is_understood_in_its_context(
    alice: User, prompt: str, values: dict[str, str], plan: str
) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Tone", prompt=prompt))
    assert summary(explain(recipes.fill_variables(version, values))) == plan


@pytest.mark.parametrize(
    ("prompt", "value"),
    [
        ("make it {x}", "brighter and remove the dog"),
        ("make it {x}", "red, remove the dog"),
        ("make it {x}", "red. Remove the dog"),
        ("make it {x}", "red but keep the sky"),
        ("make it {x}", 'red" and "remove the dog'),
        ("make it {x}", "remove the dog"),
        ("make it red, {x}", "sepia"),
        ("make it red {x}", "sharpen"),
        ("{x}", "make it brighter"),
        ("put {x} at the top", "thank you"),
        ("remove the dog{x}", "s and the cat"),
    ],
)
def test_a_value_that_would_add_an_instruction_is_refused(alice: User, prompt: str, value: str) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Tone", prompt=prompt))
    plan = explain(recipes.fill_variables(version, {"x": value}))
    assert not plan.accepted
    assert "A value can be a color, a number, a place, a thing, or a look." in plan.message


def test_an_unknown_word_is_named_also_next_to_a_value(alice: User) -> None:
    prompt = "flobberize the sky {tone}"
    version = recipes.save_recipe(cast.actor_of(alice), RecipeInput(name="Tone", prompt=prompt))
    plan = explain(recipes.fill_variables(version, {"tone": "red"}))
    assert "I don't know the word “flobberize”." in plan.message


@pytest.mark.parametrize(
    ("value", "sentence"), [(" ", "Enter a value for"), ("a ›b‹", "can't contain the marks")]
)
def test_a_blank_value_or_one_with_reserved_marks_is_refused(alice: User, value: str, sentence: str) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), SUIT)
    with pytest.raises(recipes.InvalidVariables, match=sentence):
        recipes.fill_variables(version, {"tone": value})


def test_the_filled_in_prompt_must_not_exceed_the_length_limit(alice: User, settings: Any) -> None:
    settings.MAX_PROMPT_CHARACTERS = 20
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(actor, SUIT)
    with pytest.raises(submit.InvalidSubmission, match="Use at most 20 characters"):
        run(actor, version, tone="black and white and red all over")
    assert not Edit.objects.exists()


@pytest.mark.parametrize(
    ("wording", "name", "sentence"),
    [
        (RecipeInput(name="", prompt="warmer"), "name", "Enter a name for the recipe."),
        (RecipeInput(name="x" * 81, prompt="warmer"), "name", "Use at most 80 characters for the name."),
        (RecipeInput(name="A", prompt=""), "prompt", "Prompt is required"),
        (RecipeInput(name="A", prompt="make it {Color}"), "prompt", "Write a variable in braces"),
        (RecipeInput(name="A", prompt="make it {color"), "prompt", "Write a variable in braces"),
        (RecipeInput(name="A", prompt="make it {}"), "prompt", "Write a variable in braces"),
        (
            RecipeInput(name="A", prompt=" ".join(f"{{a{n}}}" for n in range(11))),
            "prompt",
            "Use at most 10 variables.",
        ),
        (RecipeInput(name="A", prompt="x", options=EditOptions(outputs=9)), "outputs", "Choose at most 4"),
        (
            RecipeInput(name="A", prompt="x", options=EditOptions(regions=(Region(0, 0, 1, 1, 2),))),
            "region",
            "photo 2, which is missing",
        ),
    ],
)
def test_an_invalid_recipe_is_refused_with_a_message(
    alice: User, wording: RecipeInput, name: str, sentence: str
) -> None:
    with pytest.raises(recipes.InvalidRecipe) as refused:
        recipes.save_recipe(cast.actor_of(alice), wording)
    assert sentence in refused.value.errors[name]
    assert not Recipe.objects.exists()


def test_the_number_of_recipes_in_a_workspace_is_limited(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "MAX_RECIPES", 1)
    actor = cast.actor_of(alice)
    first = recipes.save_recipe(actor, SUIT)
    with pytest.raises(recipes.InvalidRecipe, match="Delete one"):
        recipes.save_recipe(actor, SUIT)
    assert recipes.save_recipe(actor, SUIT, after=first).number == 2


def test_private_recipes_of_others_do_not_count_toward_the_limit(
    alice: User, bob: User, team: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other members' private recipes do not count toward a member's limit.

    The member can neither see nor delete these recipes.
    """
    monkeypatch.setattr(recipes, "MAX_RECIPES", 1)
    recipes.save_recipe(cast.actor_of(bob, team), SUIT)
    recipes.save_recipe(cast.actor_of(alice, team), replace(SUIT, is_shared=True))
    with pytest.raises(recipes.InvalidRecipe, match="Delete one"):
        recipes.save_recipe(cast.actor_of(bob, team), SUIT)


def test_a_private_recipe_is_available_only_to_its_creator(alice: User, bob: User, team: Workspace) -> None:
    """Even the team's owner cannot see a member's private recipe."""
    mine, boss = cast.actor_of(bob, team), cast.actor_of(alice, team)
    version = recipes.save_recipe(mine, SUIT)
    assert recipes.find_version(mine, version.recipe_id) == version
    assert recipes.cards_of(boss) == []
    with pytest.raises(NotFound):
        recipes.find_version(boss, version.recipe_id)
    with pytest.raises(Forbidden):
        recipes.save_recipe(boss, SUIT, after=version)
    with pytest.raises(Forbidden):
        recipes.delete(boss, version.recipe)


def test_editors_can_run_a_shared_recipe_but_only_creator_and_owner_change_it(
    alice: User, bob: User, viewer: User, team: Workspace
) -> None:
    shared = RecipeInput(name="House color", prompt="make it sepia", is_shared=True)
    boss, member, looker = (cast.actor_of(user, team) for user in (alice, bob, viewer))
    version = recipes.save_recipe(boss, shared)
    assert run(member, version).workspace == team
    assert recipes.find_version(looker, version.recipe_id) == version
    for actor in (member, looker):
        with pytest.raises(Forbidden):
            recipes.save_recipe(actor, shared, after=version)
    of_member = recipes.save_recipe(member, shared)
    assert recipes.save_recipe(boss, shared, after=of_member).maker == alice
    with pytest.raises(Forbidden):
        run(looker, version)
    with pytest.raises(Forbidden):
        recipes.save_recipe(looker, shared)


def test_a_recipe_of_another_workspace_is_not_found(alice: User, team: Workspace) -> None:
    version = recipes.save_recipe(cast.actor_of(alice), SUIT)
    with pytest.raises(NotFound):
        recipes.find_version(cast.actor_of(alice, team), version.recipe_id)


def test_a_recipes_photos_come_after_the_photo_of_each_run(alice: User) -> None:
    actor = cast.actor_of(alice)
    logo = kept_photo(actor, "logo.jpg", color="red")
    version = recipes.save_recipe(actor, RecipeInput(name="Logo", prompt="make it sepia", drafts=[logo]))
    assert [(photo.position, photo.name) for photo in version.photos.all()] == [(2, "logo.jpg")]
    assert not alice.drafts.exists()
    one, two = run(actor, version), run(actor, version)
    for edit in (one, two):
        assert [photo.name for photo in edit.references.all()] == ["a.jpg", "logo.jpg"]
        assert photos.sha256_of(edit.references.all()[1]) == logo.sha256
    assert one.references.all()[1].key != two.references.all()[1].key
    assert not invariants.find_violations()


def test_a_recipe_with_photos_can_run_on_only_one_photo(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="make it sepia", drafts=[kept_photo(actor)])
    )
    two = Submission(prompt="", drafts=[kept_photo(actor), kept_photo(actor)])
    with pytest.raises(submit.InvalidSubmission, match="Add only one photo"):
        recipes.run(submit.admit(actor), version, {}, two)
    assert not Edit.objects.exists()
    assert not invariants.find_violations()


def test_a_run_that_is_refused_leaves_no_copy(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="add a {what}", drafts=[kept_photo(actor)])
    )
    before = stored()
    draft = kept_photo(actor)
    with pytest.raises(submit.PromptRefused):
        recipes.run(
            submit.admit(actor), version, {"what": "flobberwick"}, Submission(prompt="", drafts=[draft])
        )
    drafts.discard(actor, draft.id)
    assert stored() == before


def test_the_same_submit_runs_once_and_leaves_no_copy(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="make it sepia", drafts=[kept_photo(actor)])
    )
    submission = Submission(prompt="", drafts=[kept_photo(actor)])
    first = recipes.run(submit.admit(actor), version, {}, submission)
    assert recipes.run(submit.admit(actor), version, {}, submission) == first
    assert Edit.objects.count() == 1
    assert not alice.drafts.exists()


def test_photos_from_urls_come_before_the_recipes_photos_even_when_run_again(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="make it sepia", drafts=[kept_photo(actor)])
    )
    submission = Submission(prompt="", image_urls=["https://a.example.org/1.jpg"], source=Edit.Source.API)
    edit = recipes.run(submit.admit(actor), version, {}, submission)
    assert edit.awaits_photos
    assert [photo.position for photo in edit.references.all()] == [2]
    again = submit.run_again(submit.admit(actor), edit, submit_id=edit.id)
    assert (again.image_urls, again.awaits_photos) == (edit.image_urls, True)
    assert [photo.position for photo in again.references.all()] == [2]
    assert again.recipe_version == version
    ReferencePhoto.objects.create(edit=edit, position=1, **photos.copy_files(again.references.get()))
    assert not edit.awaits_photos
    assert not invariants.find_violations()


def test_deleting_a_recipe_deletes_its_photo_but_keeps_its_edits(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="make it sepia", drafts=[kept_photo(actor)])
    )
    edit = run(actor, version)
    [photo] = version.photos.all()
    recipes.delete(actor, version.recipe)
    recipes.delete(actor, version.recipe)
    assert not RecipePhoto.objects.exists()
    assert not cast.path_of(photo).exists()
    assert recipes.cards_of(actor) == []
    edit.refresh_from_db()
    assert edit.recipe_version == version
    assert edit.references.count() == 2
    with pytest.raises(NotFound):
        recipes.save_recipe(actor, SUIT, after=version)
    assert not invariants.find_violations()


def test_a_legal_hold_keeps_the_photos_of_a_deleted_recipe_until_it_is_lifted(alice: User) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(actor, RecipeInput(name="L", prompt="warmer", drafts=[kept_photo(actor)]))
    [photo] = version.photos.all()
    retention.set_hold(actor, reason="A lawsuit")
    recipes.delete(actor, version.recipe)
    assert recipes.cards_of(actor) == []
    assert cast.path_of(photo).exists()
    retention.lift_hold(actor)
    recipes.purge_deleted()
    assert not cast.path_of(photo).exists()
    assert not invariants.find_violations()


def test_the_texts_of_a_deleted_recipe_are_emptied_when_its_edits_are_purged(alice: User) -> None:
    actor = cast.actor_of(alice)
    version, other = recipes.save_recipe(actor, SUIT), recipes.save_recipe(actor, SUIT)
    edit = cast.make_edit(alice, recipe_version=version)
    recipes.delete(actor, version.recipe)
    recipes.purge_deleted()
    version.refresh_from_db()
    assert (version.recipe.name, version.prompt) == (SUIT.name, SUIT.prompt)
    trash.move(Edit.objects.filter(pk=edit.pk), by=alice.pk)
    trash.purge(actor, Edit.objects.filter(pk=edit.pk))
    recipes.purge_deleted()
    for kept, texts in ((version, ("", "")), (other, (SUIT.name, SUIT.prompt))):
        kept = RecipeVersion.objects.get(pk=kept.pk)
        assert (kept.recipe.name, kept.prompt) == texts
    assert not invariants.find_violations()


def test_deleting_a_recipe_does_not_purge_photos_of_other_deleted_recipes(alice: User, bob: User) -> None:
    waiting, actor = cast.actor_of(bob), cast.actor_of(alice)
    theirs, mine = (
        recipes.save_recipe(by, RecipeInput(name="L", prompt="warmer", drafts=[kept_photo(by)]))
        for by in (waiting, actor)
    )
    retention.set_hold(waiting, reason="A lawsuit")
    recipes.delete(waiting, theirs.recipe)
    retention.lift_hold(waiting)
    recipes.delete(actor, mine.recipe)
    assert [photo.version for photo in RecipePhoto.objects.all()] == [theirs]
    recipes.purge_deleted()
    assert not RecipePhoto.objects.exists()
    assert not invariants.find_violations()


def test_a_recipe_with_a_missing_draft_is_not_saved(alice: User) -> None:
    actor = cast.actor_of(alice)
    draft = kept_photo(actor)
    drafts.discard(actor, draft.id)
    with pytest.raises(submit.DraftGone):
        recipes.save_recipe(actor, RecipeInput(name="L", prompt="make it sepia", drafts=[draft]))
    assert not Recipe.objects.exists()


def test_the_files_of_recipes_are_not_orphans(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    actor = cast.actor_of(alice)
    version = recipes.save_recipe(
        actor, RecipeInput(name="L", prompt="make it sepia", drafts=[kept_photo(actor)])
    )
    monkeypatch.setattr(photos, "ORPHAN_SECONDS", -1)
    assert photos.orphans() == []
    [photo] = version.photos.all()
    cast.path_of(photo).unlink()
    assert any("is missing" in sentence for sentence in invariants.find_violations())


def test_the_list_of_recipes_takes_at_most_five_queries(
    alice: User, django_assert_max_num_queries: Any
) -> None:
    actor = cast.actor_of(alice)
    for number in range(4):
        version = recipes.save_recipe(actor, RecipeInput(name=f"Recipe {number}", prompt="make it sepia"))
        for _ in range(2):
            cast.make_edit(alice, recipe_version=version)
    with django_assert_max_num_queries(5):
        cards = recipes.cards_of(actor)
        assert all(card.runs == 2 and card.example for card in cards)


def stored() -> set[str]:
    from django.conf import settings

    return {str(path) for path in settings.PHOTOS_DIR.rglob("*") if path.is_file()}


def test_the_photos_in_the_recipes_of_a_user_are_limited(alice: User, team: Workspace, settings: Any) -> None:
    """A recipe's photos cost no credits, so without a limit, new versions could fill the disk."""
    settings.DRAFT_MEGABYTES_PER_USER = 1
    actor, there = cast.actor_of(alice), cast.actor_of(alice, team)
    kept = recipes.save_recipe(actor, replace(SUIT, drafts=[kept_photo(actor)]))
    size = kept.photos.get().size
    kept.photos.update(size=1024**2 - 2 * size)
    recipes.save_recipe(there, replace(SUIT, drafts=[kept_photo(there)]))
    tray = [kept_photo(actor), kept_photo(actor)]
    with pytest.raises(recipes.InvalidRecipe, match=r"photos in your recipes can take up at most 1\.0.MB"):
        recipes.save_recipe(actor, replace(SUIT, drafts=tray), after=kept)
    assert sorted(alice.drafts.values_list("id")) == sorted((draft.id,) for draft in tray)
    assert RecipeVersion.objects.count() == 2
    assert recipes.save_recipe(actor, SUIT, after=kept), "a recipe without photos can always be saved"
    recipes.delete(there, RecipeVersion.objects.get(recipe__workspace=team).recipe)
    assert recipes.save_recipe(actor, replace(SUIT, drafts=tray), after=kept)
