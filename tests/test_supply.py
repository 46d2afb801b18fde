"""What comes from others: the locks for development and CI, and the notices that a wheel must carry."""

import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from ruamel.yaml import YAML

from worldwise.kernels import native

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
LOCKS = {"dev": {"dev"}, "dev-and-oracles": {"dev", "oracles"}}
NOTICES = (ROOT / "THIRD_PARTY_NOTICES.md").read_text("utf-8")


# ---------------------------------------------------------------------- locks


def lock_text(name):
    return (ROOT / "locks" / f"{name}.txt").read_text("utf-8")


def locked(name):
    """The requirements of a lock, each with its hashes."""
    entries = re.split(r"\n(?=\S)", lock_text(name).replace("\\\n", ""))
    return [(Requirement(entry.split("--hash")[0].strip()), re.findall(r"--hash=(\S+)", entry)) for entry in entries]


def wanted(extras):
    """What pyproject.toml asks for, the extras that extras name included."""
    asked = [Requirement(line) for extra in extras for line in EXTRAS[extra]]
    inner = {extra for one in asked if one.name == PROJECT["project"]["name"] for extra in one.extras}
    plain = [one for one in asked if one.name != PROJECT["project"]["name"]]
    return plain + (wanted(inner) if inner else [Requirement(line) for line in PROJECT["project"]["dependencies"]])


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_one_version_and_hashes(name):
    for requirement, hashes in locked(name):
        (version,) = requirement.specifier
        assert (version.operator, version.version.count("*")) == ("==", 0), requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), requirement


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_packages_and_not_where_they_came_from(name):
    assert re.findall(r"://|index|find-links|#|@|/", lock_text(name)) == []


@pytest.mark.parametrize(("name", "extras"), LOCKS.items(), ids=LOCKS)
def test_a_lock_has_all_that_the_project_asks_for(name, extras):
    """After a change of pyproject.toml: ``make lock``."""
    found = {}
    for requirement, _ in locked(name):
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement.specifier)
    for one in wanted(extras):
        versions = [next(iter(pins)).version for pins in found.get(canonicalize_name(one.name), ())]
        assert versions, f"{one} is not in locks/{name}.txt: make lock"
        assert all(one.specifier.contains(version, prereleases=True) for version in versions), one


def test_the_oracles_change_no_version():
    """So that both installations are tested with the same packages."""
    more = {(one.name, str(one.specifier)) for one, _ in locked("dev-and-oracles")}
    assert {(one.name, str(one.specifier)) for one, _ in locked("dev")} <= more


def test_what_builds_the_package_is_installed_for_development():
    assert set(PROJECT["build-system"]["requires"]) <= set(EXTRAS["dev"])


# ---------------------------------------------------------------------- workflows

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def steps_of(workflow):
    """What a workflow runs, by the value of each of its matrix where a step names one."""
    for job in YAML(typ="safe").load(workflow.read_text("utf-8"))["jobs"].values():
        targets = job.get("strategy", {}).get("matrix", {}).get("target", [""])
        for step in job.get("steps", []):
            yield from (step["run"].replace("${{ matrix.target }}", target) for target in targets if "run" in step)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_does_what_make_does(workflow):
    """So that whatever fails there can be seen to fail here."""
    for command in steps_of(workflow):
        if command != "bash .ci/run":
            assert re.match(r"make ([\w-]+)", command), command
            assert re.search(rf"^{command.split()[1]}:", MAKEFILE, re.MULTILINE), command


def test_every_workflow_is_looked_at():
    found = {workflow.stem: len(list(steps_of(workflow))) for workflow in WORKFLOWS}
    assert found == {"docs": 1, "release": 1, "tests": 2, "weekly": 5, "wheels": 2}


def test_a_release_is_what_its_version_says():
    """Where the version stands; `make release-check` compares them with the tag and the change log."""
    version = PROJECT["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert distribution("worldwise").version == version


# ---------------------------------------------------------------------- notices

BUILD = """
import sys, scikit_build_core.build as backend
settings = {"wheel.cmake": "false", "wheel.py-api": "", "build-dir": sys.argv[2] + "/build"}
print(getattr(backend, sys.argv[1])(sys.argv[2], settings))
"""


def built(what, folder):
    """A wheel or a source archive as users get it; compiling would change nothing of what is asked here."""
    command = [sys.executable, "-c", BUILD, f"build_{what}", str(folder)]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return folder / printed.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory):
    return built("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def source_file(tmp_path_factory):
    return built("sdist", tmp_path_factory.mktemp("sdist"))


LEFT_BEHIND = (".pyc", ".so", ".pyd")
WRITTEN_BY_NPM = ("tests/web/js/node_modules/", "tests/web/js/static/")


def files_below(folder):
    """Whatever a commit would take, without what Python, compilers and npm leave behind."""
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.suffix not in LEFT_BEHIND)
    names = [path.relative_to(ROOT) for path in found]
    shown = {name.as_posix() for name in names if not any(part.startswith(".") for part in name.parts)}
    return {name for name in shown if not name.startswith(WRITTEN_BY_NPM)}


LARGEST = 6
"""MB, one of them the atlas: rows that only prove something are packed, and pictures stay in the repository."""


def test_a_wheel_has_the_package_and_nothing_else(wheel_file):
    """Pages, stubs, deals, rows and all; without a compiler there are no kernels in it."""
    with zipfile.ZipFile(wheel_file) as wheel:
        inside = {f"src/{name}" for name in wheel.namelist() if ".dist-info/" not in name}
    assert inside == files_below("src")
    assert wheel_file.stat().st_size < LARGEST * 10**6


def test_a_source_archive_has_what_it_takes_to_build_and_test(source_file):
    with tarfile.open(source_file) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    needed = set().union(*map(files_below, ("src", "native", "tests", "examples"))) | {"CMakeLists.txt", "Makefile"}
    assert needed - inside == {"tests/test_documentation.py"}  # it compares pictures
    left_out = (".ci", "build/", "docs/images", "docs/_build", "lab-results")
    assert [name for name in inside if name.startswith(left_out)] == []
    assert source_file.stat().st_size < LARGEST * 10**6


def test_a_wheel_carries_the_licence_and_the_notices(wheel_file):
    with zipfile.ZipFile(wheel_file) as wheel:
        kept = {Path(name).name: wheel.read(name).decode() for name in wheel.namelist() if "/licenses/" in name}
        (metadata,) = [wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/METADATA")]
    assert kept == {"LICENSE": (ROOT / "LICENSE").read_text("utf-8"), "THIRD_PARTY_NOTICES.md": NOTICES}
    assert re.findall("^License-File: (.*)$", metadata, re.M) == ["LICENSE", "THIRD_PARTY_NOTICES.md"]


def test_a_source_archive_carries_them_too(source_file):
    with tarfile.open(source_file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "THIRD_PARTY_NOTICES.md", "SECURITY.md", "CMakeLists.txt"} <= names


def one_line(text):
    """Words alone: line ends and the stars of a comment do not count."""
    return " ".join(word for word in text.split() if word != "*")


def test_the_notices_have_nanobinds_licence_word_for_word():
    (licence,) = [file for file in distribution("nanobind").files if file.name == "LICENSE"]
    assert one_line(licence.read_text()) in one_line(NOTICES)


def test_the_notices_have_the_licence_of_all_that_nanobind_brings():
    """Every project in its ``ext`` folder: its headers begin with their licence."""
    headers = [file for file in distribution("nanobind").files if "/ext/" in str(file) and file.suffix == ".h"]
    assert headers
    for header in headers:
        licence = re.match(r"/\*\*(.*?)\*/", header.read_text(), re.S)
        assert one_line(licence[1]) in one_line(NOTICES), header


# ---------------------------------------------------------------------- processors

NEWER = re.compile(
    r"v[a-z]|movddup|palignr|pshufb|pblend|pcmpeqq|pcmpgtq|p(ext|ins)r[bdq]|p(max|min)(s[bd]|u[wd])|pmov[sz]x|pmulld|pmuldq"
    r"|ptest|round[ps]|blendv|lzcnt|andn$|bextr|pext$|pdep$|s[ah][lr]x"
)
"""Instructions from SSSE3 to AVX2 that compilers like to use, and plain x86-64 does not have."""

WHOLE_FUNCTION = 4096
"""Bytes that the one function which counts bits keeps to."""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="instructions of x86-64")
@pytest.mark.skipif(shutil.which("objdump") is None, reason="no objdump on this machine (binutils) to read the kernels")
def test_the_kernels_run_on_every_64_bit_pc(needs_kernels):
    """One function, which asks the processor first, counts bits in an instruction that came later."""
    command = ["objdump", "--disassemble", "--no-show-raw-insn", native.__file__]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^\s*([0-9a-f]+):\s+(\S+)", printed, re.M)
    assert {name for _, name in found if NEWER.match(name)} == set()
    counting = [int(place, 16) for place, name in found if name == "popcnt"]
    assert counting
    assert max(counting) - min(counting) < WHOLE_FUNCTION
