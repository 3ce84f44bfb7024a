"""Which states a comparison with an old sheet of screens shows."""

from PIL import Image

from docs.comparison import chosen, comparison

DARK, LIT = Image.new("1", (128, 64)), Image.new("1", (128, 64), 255)


def test_without_names_thirty_of_the_changed_states_are_chosen() -> None:
    before = {f"state {number}": DARK for number in range(100)}
    after = {name: LIT if int(name.split()[1]) % 2 else DARK for name in before}
    names = chosen(before, after, ())
    assert len(set(names)) == 30
    assert all(after[name] is LIT for name in names)


def test_a_state_that_is_new_has_nothing_to_be_compared_with() -> None:
    assert chosen({"old": DARK}, {"new": LIT}, ()) == []


def test_each_pair_is_an_old_picture_and_todays_beside_it() -> None:
    assert comparison({"a": DARK, "b": LIT}, {"a": LIT, "b": LIT}).width > 6 * 128
