"""What is installed: versions that fit together, files that travel with the wheel, and a light import."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distributions
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest
from build import ProjectBuilder
from build.env import DefaultIsolatedEnv
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
REQUIREMENTS = [
    Requirement(line)
    for lines in (PROJECT["project"]["dependencies"], *EXTRAS.values())
    for line in lines
    if lines is not EXTRAS["ray"]  # it has an environment of its own, with other versions
]


def constraints() -> dict[str, str]:
    """Return the tested version of each package by its normalized name."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pins}


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=str)
def test_the_tested_version_is_an_allowed_one(requirement: Requirement) -> None:
    assert requirement.specifier.contains(constraints()[canonicalize_name(requirement.name)])


def test_the_tested_versions_run_on_the_oldest_python() -> None:
    """For example, pymdown-extensions 13.1 needs Python 3.11.5, so the site could not be built on 3.11.2."""
    oldest, tested = PROJECT["project"]["requires-python"].removeprefix(">=") + ".0", constraints()
    installed = [one for one in distributions() if tested.get(canonicalize_name(one.name)) == one.version]
    assert installed
    needs = {one.name: one.metadata.get("Requires-Python") or "" for one in installed}
    assert [f"{name} {need}" for name, need in needs.items() if not SpecifierSet(need).contains(oldest)] == []


def test_each_version_is_constrained_once() -> None:
    names = re.findall(r"^([\w.-]+)==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert len({canonicalize_name(name) for name in names}) == len(names)


def test_the_core_needs_neither_torch_nor_numba_and_pins_nothing() -> None:
    core = {Requirement(line).name: Requirement(line) for line in PROJECT["project"]["dependencies"]}
    assert set(core) == {"numpy", "gymnasium", "pettingzoo", "safetensors"}
    assert not any("==" in str(requirement.specifier) for requirement in core.values())


def test_packages_and_their_markers_exist() -> None:
    for package in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        assert (ROOT / package / "py.typed").is_file()


def test_every_module_can_be_read_by_the_oldest_python() -> None:
    oldest = tuple(map(int, PROJECT["project"]["requires-python"].removeprefix(">=").split(".")))
    for path in (ROOT / "heartrush_env").rglob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=oldest)  # type: ignore[arg-type]


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = "import heartrush_env, sys; print(*({'torch', 'numba', 'pygame', 'scipy'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == []


def test_continuous_integration_runs_what_everybody_runs() -> None:
    script = ROOT / ".ci" / "run"
    commands = [
        line
        for line in script.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith(("#", "set", "cd"))
    ]
    assert commands == ["exec make test"] and os.access(script, os.X_OK)


@pytest.fixture
def hatch_build(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Import the project's build with a stand-in for Hatchling, which is installed only where packages are built."""
    names = ("build_editable", "build_sdist", "build_wheel")
    needs = {f"get_requires_for_build_{kind}": lambda settings=None: [] for kind in ("editable", "sdist", "wheel")}
    build = SimpleNamespace(**dict.fromkeys(names), **needs)
    interface = SimpleNamespace(BuildHookInterface=object)
    monkeypatch.setitem(sys.modules, "hatchling", cast("ModuleType", SimpleNamespace(build=build)))
    for name, module in {"build": build, "builders.hooks.plugin.interface": interface}.items():
        monkeypatch.setitem(sys.modules, f"hatchling.{name}", cast("ModuleType", module))
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_a_build_that_is_asked_for_the_library_compiles(hatch_build: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEARTRUSH_LIBRARY", raising=False)
    assert hatch_build.get_requires_for_build_wheel() == []
    monkeypatch.setenv("HEARTRUSH_LIBRARY", "yes")
    assert "numba" in {Requirement(need).name for need in hatch_build.get_requires_for_build_wheel()}
    monkeypatch.setenv("HEARTRUSH_LIBRARY", "maybe")
    with pytest.raises(SystemExit, match="expected yes, no or a folder with libraries of a platform, got 'maybe'"):
        hatch_build.get_requires_for_build_wheel()


def test_the_build_of_the_library_finds_what_an_isolated_build_has(
    hatch_build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pip isolates a build, which then finds packages only through PYTHONPATH; the hook must not replace it."""
    found: list[dict[str, str]] = []

    def run(command: list[str], env: dict[str, str], **options: Any) -> Any:
        found.append(env)
        return subprocess.CompletedProcess(command, 1, "", "")

    monkeypatch.setenv("HEARTRUSH_LIBRARY", "yes")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(hatch_build.subprocess, "run", run)
    hook = hatch_build.LibraryHook()
    hook.directory = str(tmp_path)
    with pytest.raises(SystemExit, match="the libraries were not built"):
        hook.initialize("standard", {"force_include": {}})
    path = found[0]["PYTHONPATH"].split(os.pathsep)
    assert str(tmp_path) in path and str(ROOT) in path


def test_each_library_goes_to_its_game(hatch_build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **options: Any) -> Any:
        for place in ("heartrush_env/games/heart_rush", "heartrush_agents/heart_rush/tactics"):
            folder = Path(command[-1]) / place
            folder.mkdir(parents=True)
            for name in ("machine_code.so", "machine_code.json"):
                (folder / name).touch()
        Path(command[-1], "TAG").write_text("win_amd64\n")
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setenv("HEARTRUSH_LIBRARY", "yes")
    monkeypatch.setattr(hatch_build.subprocess, "run", run)
    hook = hatch_build.LibraryHook()
    hook.directory = str(tmp_path)
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    assert sorted(data["force_include"].values()) == [
        "heartrush_agents/heart_rush/tactics/machine_code.json", "heartrush_agents/heart_rush/tactics/machine_code.so",
        "heartrush_env/games/heart_rush/machine_code.json", "heartrush_env/games/heart_rush/machine_code.so",
    ]  # fmt: skip
    assert all(Path(file).name == Path(place).name for file, place in data["force_include"].items())
    assert data["tag"] == "py3-none-win_amd64" and not data["pure_python"]
    monkeypatch.setenv("HEARTRUSH_LIBRARY", str(tmp_path / "machine_code"))
    monkeypatch.setattr(hatch_build.subprocess, "run", None)  # libraries that were built before are taken as they are
    assert hatch_build.get_requires_for_build_wheel() == []
    again: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", again)
    assert again == data


@pytest.mark.long
def test_an_editable_installation_needs_nothing_that_compiles(tmp_path: Path) -> None:
    with DefaultIsolatedEnv() as environment:
        builder = ProjectBuilder.from_isolated_env(environment, ROOT)
        environment.install(builder.build_system_requires)
        needs = builder.build_system_requires | builder.get_requires_for_build("editable")
        environment.install(needs)
        wheel = builder.build("editable", tmp_path)
    assert {Requirement(need).name for need in needs} == {"hatchling", "editables"}
    assert not any("machine_code" in name for name in zipfile.ZipFile(wheel).namelist())


@pytest.mark.long
def test_the_wheel_holds_everything(tmp_path: Path) -> None:
    """The library of machine code takes minutes, so tests/tabletop/test_library.py checks it instead."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT]
    subprocess.run(command, check=True, env={**os.environ, "HEARTRUSH_LIBRARY": "no"})
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    for package in PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        top = (ROOT / package).parent
        for path in (ROOT / package).rglob("*"):
            if path.suffix in {".py", ".toml", ".md", ".typed", ".json", ".npz", ".safetensors"}:
                assert path.relative_to(top).as_posix() in held
    top = {name.split("/")[0] for name in held if ".dist-info/" not in name}
    assert top == {"heartrush_env", "heartrush_agents", "heartrush_train", "heartrush_command.py"}


def test_nothing_but_training_imports_torch() -> None:
    """Playing, rating and the command line must work without torch, which takes hundreds of megabytes."""
    heavy = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "threadpoolctl"}
    found = set()
    for folder in ("heartrush_env", "agents", "train"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                if heavy & {name.split(".")[0] for name in names}:
                    found.add(path.relative_to(ROOT).as_posix())
    training = {"actor_critic", "beats/run", "checkpoint", "lean_run", "net_run", "nets", "ppo"}
    training |= {"recipes/improve", "recipes/ppo_self_play"}
    training |= {f"heart_rush/{name}" for name in ("all_duels", "imitate", "league", "shapley", "shapley_levels")}
    training |= {f"heart_rush/{name}" for name in ("entity_look", "entity_net", "entity_rows", "entity_seats")}
    training |= {f"sb3/{name}" for name in ("buffer", "policy", "ppo", "vec_env")}
    assert found <= {f"train/heartrush_train/{name}.py" for name in training}
    assert "train/heartrush_train/sb3/ppo.py" in found
