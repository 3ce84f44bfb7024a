"""The Debian packages as files: what is in it, what it needs, and that it comes out the same again."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
from support.system import debian_root, package

from firmware_host.clients.web.modules import MODULES
from hardware.boards import pico_bundle
from hardware.firmware.loader import HASH_BYTES, HEAD_BYTES

ROOT = package.ROOT
PRIVATE = "./usr/lib/dudo-table/"


@pytest.fixture(scope="module")
def listed() -> list[str]:
    """Give the lines of the package's list of files."""
    return debian_root.run("dpkg-deb", "--contents", package.built()).splitlines()


@pytest.fixture(scope="module")
def names(listed: list[str]) -> list[str]:
    """Give the names of the package's files."""
    return [line.split()[5] for line in listed]


def field(name: str, of: str = "dudo-table") -> str:
    return debian_root.run("dpkg-deb", "--field", package.built(of), name).strip()


def depends(of: str = "dudo-table") -> set[str]:
    return {re.split(r"[ :(]", wanted.strip())[0] for wanted in field("Depends", of).split(",")}


def test_one_package_is_for_every_machine() -> None:
    assert field("Architecture") == "all"


def test_the_package_has_the_version_of_the_distribution() -> None:
    assert field("Version") == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_the_shared_debian_has_all_that_the_package_depends_on() -> None:
    assert depends() <= {*debian_root.SYSTEM, *debian_root.DEPENDS}


def test_nothing_is_laid_for_the_tests_that_the_package_does_not_depend_on() -> None:
    assert set(debian_root.DEPENDS) <= depends()


def test_every_library_of_the_distribution_is_carried_along_or_depended_on(names: list[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    libraries = {re.split(r"[<>=]", wanted)[0] for wanted in project["dependencies"]}
    carried = {library for library in libraries if f"{PRIVATE}{library.replace('.', '/')}/__init__.py" in names}
    in_debian = {"pillow": "pil", "pyserial": "serial"}
    assert {f"python3-{in_debian.get(library, library)}" for library in libraries - carried} <= depends()


def test_only_pure_python_is_carried_along(names: list[str]) -> None:
    assert not [name for name in names if name.endswith(".so")]


def test_python_looks_for_none_of_it_outside_the_tables_own_folder(names: list[str]) -> None:
    assert not [name for name in names if name.endswith(".py") and not name.startswith(PRIVATE)]


def test_the_words_of_every_language_are_compiled(names: list[str]) -> None:
    written = (ROOT / "firmware_host/i18n/locale").glob("*/LC_MESSAGES/*.po")
    assert {f"{PRIVATE}{po.relative_to(ROOT).with_suffix('.mo')}" for po in written} <= set(names)


def test_the_boards_program_is_in_it_compiled_and_the_table_updates_with_it(names: list[str], tmp_path: Path) -> None:
    shipped = f"{PRIVATE}hardware/boards/program.img"
    assert shipped in names
    debian_root.run("dpkg-deb", "--extract", package.built(), tmp_path)
    image = (tmp_path / shipped).read_bytes()
    assert b"hardware/firmware/main.mpy" in image
    script = (
        "from firmware_host.devices.board_updates import own_program; from hardware.boards import pico_bundle; "
        "own = own_program(); print(pico_bundle.SHIPPED, own.make_image().hex(), own.release.hex())"
    )
    laid = f"PYTHONPATH={tmp_path / PRIVATE}"
    printed = debian_root.run("env", "-C", tmp_path, laid, sys.executable, "-c", script)
    assert printed.split() == [str(tmp_path / shipped), image.hex(), pico_bundle.release().hex()]
    assert image[HASH_BYTES:HEAD_BYTES] == pico_bundle.release()


def test_no_bytecode_of_another_python_is_in_it(names: list[str]) -> None:
    assert not [name for name in names if "__pycache__" in name]


def test_every_file_is_roots_and_no_other_may_write_it(listed: list[str]) -> None:
    assert {line.split()[1] for line in listed} == {"root/root"}
    assert not [line for line in listed if line[0] != "l" and "w" in line[5] + line[8]]


def test_nothing_of_it_is_in_a_folder_that_debian_has_merged_into_usr(names: list[str]) -> None:
    assert {name.split("/")[1] for name in names} <= {"", "etc", "usr"}


def test_the_table_that_is_configured_is_the_reference_table(tmp_path: Path) -> None:
    debian_root.run("dpkg-deb", "--extract", package.built(), tmp_path)
    configured = tmp_path / "etc/dudo-table/table.toml"
    assert configured.read_bytes() == (ROOT / "hardware/config/layouts/boards-8.toml").read_bytes()


def test_the_configuration_is_the_owners(tmp_path: Path) -> None:
    debian_root.run("dpkg-deb", "--control", package.built(), tmp_path / "control")
    assert (tmp_path / "control/conffiles").read_text() == "/etc/dudo-table/table.toml\n"


def test_the_documents_are_in_it_with_all_that_they_link_to_or_a_folder_of_the_program(names: list[str]) -> None:
    place = "./usr/share/doc/dudo-table/"
    pages = list(ROOT.glob("docs/*.md"))
    assert {f"{place}docs/{page.name}" for page in pages} <= set(names)
    for page in (*pages, ROOT / "README.md", ROOT / "hardware/README.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text()):
            found = (page.parent / target).resolve().relative_to(ROOT)
            is_program = found.parts[0] in ("engine", "firmware_host", "hardware") and found.suffix != ".md"
            assert is_program or f"{place}{found}" in names, f"{page.name} links to {target}"


def test_the_documents_are_in_it_as_a_site_with_the_same_pictures(names: list[str], tmp_path: Path) -> None:
    place = "./usr/share/doc/dudo-table/html/"
    sources = (*ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "hardware/README.md")
    pages = {f"{page.relative_to(ROOT).with_suffix('')}.html" for page in sources}
    assert {f"{place}{page}" for page in (*pages, "index.html", "searchindex.js")} <= set(names)
    debian_root.run("dpkg-deb", "--extract", package.built(), tmp_path)
    pictures = list((tmp_path / place / "_images").iterdir())
    assert pictures
    assert [picture.name for picture in pictures if not (picture.is_symlink() and picture.exists())] == []


def test_the_tv_has_a_package_of_its_own_with_nothing_but_its_units_and_its_user() -> None:
    listed = debian_root.run("dpkg-deb", "--contents", package.built(package.KIOSK)).splitlines()
    files = {line.split()[5] for line in listed if not line.startswith("d")}
    units = {f"./usr/lib/systemd/system/dudo-table-{name}.service" for name in ("kiosk", "tv")}
    assert {name for name in files if "/doc/" not in name} == {*units, "./usr/lib/sysusers.d/dudo-table-kiosk.conf"}


def test_the_daemons_package_has_neither_a_browser_nor_a_page_to_depend_on() -> None:
    assert not {"cage", "chromium", "python3-aiohttp", "v4l-utils"} & depends()


def test_the_tvs_package_has_what_its_units_start_and_this_version_of_the_program() -> None:
    assert {"cage", "chromium", "v4l-utils", "wlr-randr", "libpam-systemd"} <= depends(package.KIOSK)
    assert {f"python3-{name}" for name in MODULES} <= depends(package.KIOSK)
    assert f"dudo-table (= {field('Version')})" in field("Depends", package.KIOSK)


def test_the_shell_completes_its_command_lines(names: list[str]) -> None:
    assert "./usr/share/bash-completion/completions/dudo-table" in names


def test_built_again_elsewhere_it_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    again = tmp_path / "elsewhere" / "source"
    shutil.copytree(ROOT / "build/deb/source", again, copy_function=shutil.copyfile)  # with the time of today
    (again / "debian/rules").chmod(0o755)
    debian_root.run("env", "-C", again, "TZ=Asia/Tokyo", "dpkg-buildpackage", "-b", "-us", "-uc")
    assert (again.parent / package.built().name).read_bytes() == package.built().read_bytes()
