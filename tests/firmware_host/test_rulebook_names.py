"""Where `--rules` and a layout's `rules` lead: the five by name, a house's own by file, and every fault told."""

from pathlib import Path

import pytest

from engine import PERUDO, RULESETS
from firmware_host import rulebook
from firmware_host.house import RulesError


@pytest.mark.parametrize("name", RULESETS)
def test_the_five_go_by_their_names(name: str) -> None:
    assert rulebook.find(name) is RULESETS[name]


def test_a_file_is_looked_for_beside_the_layout(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('name = "ours"\nbased_on = "perudo"\nwild_aces = false\n')
    rules = rulebook.find("ours.toml", tmp_path)
    assert (rules.name, rules.wild_aces, rules.calza) == ("ours", False, PERUDO.calza)


def test_a_file_with_its_whole_path_is_found_from_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours"\nbased_on = "pyrudo"\n')
    assert rulebook.find(str(file), Path("/nowhere")).name == "ours"


def test_a_name_of_the_five_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "perudo").write_text('name = "ours"\nbased_on = "pyrudo"\n')
    assert rulebook.find("perudo", tmp_path) is PERUDO


def refused(name: str, beside: Path) -> str:
    with pytest.raises(RulesError) as error:
        rulebook.find(name, beside)
    assert error.value.faults
    return str(error.value)


def test_an_unknown_name_is_told_with_those_there_are(tmp_path: Path) -> None:
    told = refused("pirudo", tmp_path)
    assert told.startswith('pirudo: rules = "pirudo": no such rule set; ')
    assert all(name in told for name in RULESETS)


def test_a_name_that_is_nearly_one_of_the_five_is_told_which(tmp_path: Path) -> None:
    assert "did you mean pyrudo?" in refused("pyrudoo", tmp_path)


def test_a_file_that_is_missing_is_told_by_its_path(tmp_path: Path) -> None:
    assert refused("ours.toml", tmp_path).startswith(f"{tmp_path / 'ours.toml'}: cannot be read: no such file")


def test_a_directory_is_no_rules_file(tmp_path: Path) -> None:
    (tmp_path / "dir.toml").mkdir()
    assert "cannot be read: is a directory" in refused("dir.toml", tmp_path)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_bytes(b"\xff\xfe\x00")
    assert "is not text; save it as UTF-8" in refused("ours.toml", tmp_path)


def test_a_file_that_an_editor_has_marked_as_utf_8_is_read(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_bytes(b'\xef\xbb\xbfname = "ours"\nbased_on = "perudo"\n')
    assert rulebook.find("ours.toml", tmp_path).name == "ours"


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text("wild aces please")
    assert "is not TOML" in refused("ours.toml", tmp_path)


def test_all_faults_of_a_file_are_told_a_line_each_with_the_path(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours"\nbased_on = "perudo"\nwild_ace = true\nhigher_face = "maybe"\n')
    lines = refused("ours.toml", tmp_path).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(f"{file}: ") for line in lines)


@pytest.mark.parametrize("name", ["", "..", "perudo\n", "\x00", "\x00.toml", "a" * 5000 + ".toml"])
def test_a_name_that_can_be_no_file_is_refused_on_one_line(name: str, tmp_path: Path) -> None:
    assert "\n" not in refused(name, tmp_path)
