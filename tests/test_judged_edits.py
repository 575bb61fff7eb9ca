from collections import Counter

from tests.judged_edits import VERDICTS, figures, judged_edits


def test_every_kind_has_forty_edits_with_verdicts() -> None:
    edits = judged_edits()
    assert set(Counter(edit.kind for edit in edits).values()) == {40}
    assert [edit.number for edit in edits] == [str(number) for number in range(1, 201)]
    assert {edit.first for edit in edits} | {edit.verdict for edit in edits} <= set(VERDICTS)


def test_a_box_is_inside_the_photo() -> None:
    for x, y, width, height in (map(float, edit.box.split()) for edit in judged_edits() if edit.box):
        assert 0 <= x < x + width <= 1
        assert 0 <= y < y + height <= 1


def test_the_shares_count_delivered_edits_and_wrong_refusals() -> None:
    verdicts = ["good", "good", "fair", "poor", "refused wrongly"]
    *_, last = figures([("color", verdict) for verdict in verdicts])
    assert last.split() == ["all", "2", "1", "1", "0", "0", "1", "75%", "0.0%", "20.0%"]
