"""Where `--rules` and a layout's `rules` lead: what is shipped by name, a house's own by file, and every fault told."""

from pathlib import Path

import msgspec
import pytest

from engine import PERUDO, RULESETS
from firmware_host.configuration import lookup
from firmware_host.errors import RulesError
from hardware.config.layout import Layout, LayoutError, load_builtin


@pytest.mark.parametrize("name", RULESETS)
def test_the_five_go_by_their_names(name: str) -> None:
    assert lookup.rules(name) is RULESETS[name]


def layout_with(rules: str, folder: Path) -> Layout:
    return msgspec.structs.replace(load_builtin("wired-4"), rules=rules, path=str(folder / "table.toml"))


def test_a_file_is_looked_for_beside_the_layout(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('name = "ours"\nbased_on = "perudo"\nwild_aces = false\n')
    rules = lookup.rules_of(layout_with("ours.toml", tmp_path))
    assert (rules.name, rules.wild_aces, rules.calza) == ("ours", False, PERUDO.calza)


def test_a_file_with_its_whole_path_is_found_in_the_layouts_folder(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours"\nbased_on = "pyrudo"\n')
    assert lookup.rules_of(layout_with(str(file), tmp_path)).name == "ours"
    with pytest.raises(LayoutError, match="leads out of /nowhere"):
        lookup.rules_of(layout_with(str(file), Path("/nowhere")))


def test_a_name_of_the_five_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "perudo").write_text('name = "ours"\nbased_on = "pyrudo"\n')
    assert lookup.rules_of(layout_with("perudo", tmp_path)) is PERUDO


def refused(name: str) -> str:
    with pytest.raises(RulesError) as error:
        lookup.rules(name)
    assert error.value.problems
    return str(error.value)


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    problem = refused("bluff")
    assert problem.startswith("bluff: no such rule set; ")
    assert all(name in problem for name in RULESETS)


def test_a_name_that_is_nearly_one_of_the_five_is_told_which() -> None:
    assert "did you mean pyrudo?" in refused("pyrudoo")


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("bluff", 'rules = "bluff": no such rule set; there is kill-spot,'),
        ("perduo", 'rules = "perduo": no such rule set; did you mean perudo?'),
        ("ours.toml", 'rules = "ours.toml": there is no such file; name a file, or a shipped rule set: kill-spot,'),
        ("a\0b.toml", 'rules = "a\\x00b.toml": has a null byte in its name'),
    ],
)
def test_a_layout_whose_rules_lead_nowhere_is_told_by_its_own_file_and_key(
    rules: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(LayoutError) as error:
        lookup.rules_of(layout_with(rules, tmp_path))
    assert str(error.value).startswith(f"{tmp_path / 'table.toml'}: {problem}")


def test_what_is_wrong_in_the_rules_a_layout_names_is_told_by_their_file(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('based_on = "perduo"')
    with pytest.raises(RulesError) as error:
        lookup.rules_of(layout_with("ours.toml", tmp_path))
    assert str(error.value).startswith(f"{tmp_path / 'ours.toml'}: based_on = ")


def test_a_file_that_is_missing_is_told_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    assert refused(str(path)).startswith(f"{path}: there is no such file; name a file, or a shipped rule set: ")


def test_a_directory_is_no_rules_file(tmp_path: Path) -> None:
    (tmp_path / "dir.toml").mkdir()
    assert ": is a directory; name a file in it" in refused(str(tmp_path / "dir.toml"))


def written(tmp_path: Path, content: str | bytes) -> str:
    file = tmp_path / "ours.toml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(file)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    assert "line 1 = byte 0xff: is not UTF-8; save the file as UTF-8" in refused(written(tmp_path, b"\xff\xfe\x00"))


def test_a_file_that_an_editor_has_marked_as_utf_8_is_read(tmp_path: Path) -> None:
    file = written(tmp_path, b'\xef\xbb\xbfname = "ours"\nbased_on = "perudo"\n')
    assert lookup.rules(file).name == "ours"


def test_a_file_needs_no_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house").write_text('name = "ours"\nbased_on = "perudo"\n')
    monkeypatch.chdir(tmp_path)
    assert lookup.rules("house").name == "ours"


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    assert "line 1: is not TOML" in refused(written(tmp_path, "wild aces please"))


def test_a_layout_is_no_rules(tmp_path: Path) -> None:
    path = written(tmp_path, Path(load_builtin("wired-4").path).read_text())
    assert refused(path) == f"{path}: is a layout, not a rule set; dudo-table show {path} draws it"


def test_a_name_that_panels_cannot_show_is_told_with_the_other_faults(tmp_path: Path) -> None:
    lines = refused(written(tmp_path, 'name = "東 house"\nbased_on = "perduo"')).splitlines()
    assert [line.partition(": ")[2].partition(";")[0] for line in lines] == [
        'based_on = "perduo": is not a rule set',
        'name = "東 house": the displays have no letter 東',
    ]


def test_all_faults_of_a_file_are_told_a_line_each_with_the_path(tmp_path: Path) -> None:
    file = written(tmp_path, 'name = "ours"\nbased_on = "perudo"\nwild_ace = true\nhigher_face = "maybe"\n')
    lines = refused(file).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(f"{file}: ") for line in lines)


@pytest.mark.parametrize("name", ["", "..", "perudo\n", "\x00", "\x00.toml", "a" * 5000, "a" * 5000 + ".toml"])
def test_a_name_that_can_be_no_file_is_refused_on_one_line(name: str) -> None:
    assert "\n" not in refused(name)
